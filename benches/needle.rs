//! The growth of the time with the needle.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn needle(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::needle::scenarios());
}

criterion_group!(benches, needle);
criterion_main!(benches);
