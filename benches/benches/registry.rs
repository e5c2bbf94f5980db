//! Building the registry of a hundred linked tools.

use criterion::{Criterion, criterion_group, criterion_main};
use hermes_benches::contests;

fn registry(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("registry of 100 tools");
    for mut way in contests::registry() {
        group.bench_function(way.name(), |bencher| {
            bencher.iter_custom(|count| {
                way.run(u32::try_from(count).expect("fewer than 2^32 builds"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, registry);
criterion_main!(benches);
