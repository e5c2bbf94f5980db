//! Ways of damage, one by one.
