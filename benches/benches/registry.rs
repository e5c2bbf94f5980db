//! Building the registry, definitions, registrations and lookups.

use criterion::{Criterion, criterion_group, criterion_main};
use hermes_benches::compare::Way;
use hermes_benches::{contests, registry};

fn all(criterion: &mut Criterion) {
    run(criterion, "registry of 100 tools", contests::registry());
    run(criterion, "definitions, kept", registry::kept());
    run(criterion, "definitions, their text", registry::text());
    run(criterion, "definitions from the tables", registry::cold());
    run(criterion, "10,000 registrations", registry::registrations());
    run(
        criterion,
        "lookup under a writing thread",
        registry::lookups(),
    );
}

fn run(criterion: &mut Criterion, what: &str, ways: Vec<Way<'_>>) {
    let mut group = criterion.benchmark_group(what);
    for mut way in ways {
        group.bench_function(way.name(), |bencher| {
            bencher
                .iter_custom(|count| way.run(u32::try_from(count).expect("fewer than 2^32 times")));
        });
    }
    group.finish();
}

criterion_group!(benches, all);
criterion_main!(benches);
