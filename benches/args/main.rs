//! Prints how fast arguments are decoded and how many damaged calls come back, beside `serde_json`
//! and the published repair crates. `args [ROUNDS]`, 200 unless told.
//!
//! The damaged calls are those of the tests of hermes-tools: the same generator, other seeds.

#[path = "../../hermes-tools/tests/damage/calls.rs"]
mod calls;
mod peers;
mod recovery;
#[path = "../../hermes-tools/tests/damage/render.rs"]
mod render;
mod speed;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../../hermes-tools/tests/damage/ways.rs"]
mod ways;

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(200, |text| text.parse().expect("a number of rounds"));
    speed::valid(rounds);
    speed::damaged(rounds);
    speed::growth(rounds);
    recovery::table();
}
