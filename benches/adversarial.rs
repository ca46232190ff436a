//! The cost of texts that are made to be slow.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn adversarial(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::adversarial::scenarios());
}

criterion_group!(benches, adversarial);
criterion_main!(benches);
