//! The cost of each ladder, on generated and on real code.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn ladders(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::ladders::scenarios());
}

criterion_group!(benches, ladders);
criterion_main!(benches);
