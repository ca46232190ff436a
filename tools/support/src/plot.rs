//! Where values lie in a picture.

/// An axis: the values at its two ends, and where these lie.
pub struct Axis {
    /// The values.
    pub values: (f64, f64),
    /// The places.
    pub places: (f64, f64),
}

impl Axis {
    /// Returns where a value lies.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        let ((least, most), (start, end)) = (self.values, self.places);
        start + (value - least) / (most - least) * (end - start)
    }
}
