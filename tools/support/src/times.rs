//! Statistics of times.

/// Returns the value below which `percent` percent of the sorted values are: the first at 0, the last at 100.
///
/// # Panics
///
/// Panics if there are no values.
#[must_use]
pub fn percentile<T: Copy>(sorted: &[T], percent: usize) -> T {
    sorted[(sorted.len() - 1) * percent / 100]
}
