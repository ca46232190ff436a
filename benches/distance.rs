//! The cost of the distance functions, compared with a simple one.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn distance(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::distance::scenarios());
}

criterion_group!(benches, distance);
criterion_main!(benches);
