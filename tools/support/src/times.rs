//! What several times come to.

use std::time::Duration;

/// Returns a duration in milliseconds.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Returns the value below which so many per cent of the sorted ones lie: at 0 the first, at 100 the last.
///
/// # Panics
///
/// Panics if there are none.
#[must_use]
pub fn percentile<T: Copy>(sorted: &[T], percent: usize) -> T {
    sorted[(sorted.len() - 1) * percent / 100]
}
