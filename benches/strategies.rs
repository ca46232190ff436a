//! The cost of each strategy alone, listing all its candidates.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn strategies(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::strategies::scenarios());
}

criterion_group!(benches, strategies);
criterion_main!(benches);
