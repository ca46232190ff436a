//! The cost of a refused edit with its reports.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn refusals(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::refusals::scenarios());
}

criterion_group!(benches, refusals);
criterion_main!(benches);
