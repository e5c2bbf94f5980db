//! What the benches share: the tools, the ways to call them, and how ways are compared.
//!
//! A *way* takes the name of a tool and the text of its arguments and gives an answer that holds a
//! text. The first way of every comparison is the limit: the least that anybody would write by hand.

pub mod arguments;
pub mod callers;
pub mod compare;
pub mod contests;
pub mod hundred;
pub mod registry;
pub mod search;

hermes_tools::pack!();
