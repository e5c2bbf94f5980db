//! A call of a tool that does nothing, by every caller. All calls of a sample run in one `block_on`.

use criterion::{Criterion, criterion_group, criterion_main};
use hermes_benches::{callers, contests};

fn dispatch(criterion: &mut Criterion) {
    let runtime = callers::runtime();
    let mut group = criterion.benchmark_group("dispatch");
    for mut way in contests::dispatch(&runtime) {
        group.bench_function(way.name(), |bencher| {
            bencher
                .iter_custom(|count| way.run(u32::try_from(count).expect("fewer than 2^32 calls")));
        });
    }
    group.finish();
}

criterion_group!(benches, dispatch);
criterion_main!(benches);
