//! The cost of text outside ASCII.

use criterion::{Criterion, criterion_group, criterion_main};
use fuzzy_benches::{questions, timed};

fn unicode(criterion: &mut Criterion) {
    timed::bench(criterion, &questions::unicode::scenarios());
}

criterion_group!(benches, unicode);
criterion_main!(benches);
