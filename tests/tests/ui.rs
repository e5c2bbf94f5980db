//! What the compiler says of misused macros, held against recordings of the pinned toolchain.
//!
//! Each file of `ui` is one row of `docs/diagnostics.md`. `TRYBUILD=overwrite` records anew.

#[test]
fn misuse_is_reported_as_recorded() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
