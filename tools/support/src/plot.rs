//! Positions of values in a picture.

/// An axis: the values at its two ends, and their positions.
pub struct Axis {
    /// The values.
    pub values: (f64, f64),
    /// The positions.
    pub places: (f64, f64),
}

impl Axis {
    /// Returns the position of a value.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        let ((least, most), (start, end)) = (self.values, self.places);
        start + (value - least) / (most - least) * (end - start)
    }
}
