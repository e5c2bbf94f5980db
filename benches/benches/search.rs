//! Searching tools by words.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hermes_benches::compare::Way;
use hermes_benches::search::{self, catalogue};

fn all(criterion: &mut Criterion) {
    for count in [100, 1_000, 10_000] {
        let tools = catalogue(count);
        run(criterion, "building", count, search::build(&tools));
        run(criterion, "asking", count, search::ask(&tools));
        run(
            criterion,
            "following a change",
            count,
            search::follow(&tools),
        );
    }
}

fn run(criterion: &mut Criterion, what: &str, tools: usize, ways: Vec<Way<'_>>) {
    let mut group = criterion.benchmark_group(format!("search, {what}"));
    group.sample_size(10);
    for mut way in ways {
        group.bench_function(BenchmarkId::new(way.name(), tools), |bencher| {
            bencher.iter_custom(|count| way.run(u32::try_from(count).expect("fewer than 2^32")));
        });
    }
    group.finish();
}

criterion_group!(benches, all);
criterion_main!(benches);
