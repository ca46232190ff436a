//! The cost of a document apart from the search.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn document(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::document::scenarios());
}

criterion_group!(benches, document);
criterion_main!(benches);
