//! The growth of the time with the haystack.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn growth(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::growth::scenarios());
}

criterion_group!(benches, growth);
criterion_main!(benches);
