//! Decoding arguments into typed values: three, ten with nesting, and a long text.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hermes_benches::arguments::{ESCAPED, LARGE, LONG, SMALL};
use hermes_benches::contests;

fn decode(criterion: &mut Criterion) {
    for (name, ways, bytes) in [
        ("3 arguments", contests::decode_small(), SMALL.len()),
        ("10 arguments", contests::decode_large(), LARGE.len()),
        ("a text of 64 KiB", contests::decode_long(), LONG.len()),
        (
            "64 KiB with escapes",
            contests::decode_escaped(),
            ESCAPED.len(),
        ),
    ] {
        let mut group = criterion.benchmark_group(format!("decode {name}"));
        group.throughput(Throughput::Bytes(bytes as u64));
        for mut way in ways {
            group.bench_function(way.name(), |bencher| {
                bencher.iter_custom(|count| {
                    way.run(u32::try_from(count).expect("fewer than 2^32 calls"))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, decode);
criterion_main!(benches);
