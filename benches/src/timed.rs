//! Scenarios in criterion.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};

use crate::scenario::Scenario;

/// Times every scenario after checking its answer once, with one group per ladder, strategy or function.
///
/// # Panics
///
/// Panics if an answer is wrong.
pub fn bench(criterion: &mut Criterion, scenarios: &[Scenario]) {
    for scenario in scenarios {
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
