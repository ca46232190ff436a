//! Every question, measured by criterion.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fuzzy_benches::questions;

/// Times every scenario after checking its answer once, with one group per ladder, strategy or function.
fn all(criterion: &mut Criterion) {
    for scenario in questions::ALL.iter().flat_map(|(_, scenarios)| scenarios()) {
        scenario.check();
        let mut group = criterion.benchmark_group(format!("{}/{}", scenario.question, scenario.subject));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(800))
            .throughput(Throughput::Bytes(scenario.haystack.as_str().len() as u64))
            .bench_function(BenchmarkId::new(&scenario.case, scenario.haystack.lines()), |bencher| {
                bencher.iter(|| black_box((scenario.work)()));
            });
        group.finish();
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
