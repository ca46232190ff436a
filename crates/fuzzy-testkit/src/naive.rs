//! Edit distances by the whole table, straight from the definition.

/// Returns the Levenshtein distance in Unicode scalar values.
#[must_use]
pub fn scalar_distance(a: &str, b: &str) -> usize {
    distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
}

/// Returns the Levenshtein distance in UTF-16 code units.
#[must_use]
pub fn utf16_distance(a: &str, b: &str) -> usize {
    distance(&a.encode_utf16().collect::<Vec<_>>(), &b.encode_utf16().collect::<Vec<_>>())
}

fn distance<U: PartialEq>(a: &[U], b: &[U]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, unit) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(unit != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
