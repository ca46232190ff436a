//! The cost of many edits on one document.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn edits(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::edits::scenarios());
}

criterion_group!(benches, edits);
criterion_main!(benches);
