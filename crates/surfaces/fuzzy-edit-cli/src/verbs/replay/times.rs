//! Percentiles of times in constant memory.

use schemars::JsonSchema;
use serde::Serialize;

/// Buckets for each doubling. A percentile is at most a sixteenth too large.
const PER_DOUBLING: usize = 16;

/// The number of doublings from a nanosecond to the longest time.
const DOUBLINGS: usize = 64;

/// The number of times in each bucket.
pub(super) struct Times {
    buckets: Vec<u64>,
    longest_ns: u64,
}

/// Percentiles of the times of decisions and replacements, in microseconds.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub(crate) struct Percentiles {
    /// Half of the times are at most this long.
    pub(crate) p50: f64,
    /// Nine tenths are at most this long.
    pub(crate) p90: f64,
    /// 99 of 100 are at most this long.
    pub(crate) p99: f64,
    /// The longest time.
    pub(crate) max: f64,
}

impl Default for Times {
    fn default() -> Self {
        Self { buckets: vec![0; PER_DOUBLING * DOUBLINGS], longest_ns: 0 }
    }
}

impl Times {
    pub(super) fn add(&mut self, ns: u64) {
        self.buckets[bucket(ns)] += 1;
        self.longest_ns = self.longest_ns.max(ns);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (count, more) in self.buckets.iter_mut().zip(&other.buckets) {
            *count += more;
        }
        self.longest_ns = self.longest_ns.max(other.longest_ns);
    }

    pub(super) fn percentiles(&self) -> Percentiles {
        let (p50, p90, p99) = (self.percentile(50), self.percentile(90), self.percentile(99));
        Percentiles { p50, p90, p99, max: microseconds(self.longest_ns as f64) }
    }

    /// Returns the number of times in each doubling from a nanosecond.
    pub(super) fn doublings(&self) -> Vec<u64> {
        self.buckets.chunks(PER_DOUBLING).map(|buckets| buckets.iter().sum()).collect()
    }

    fn percentile(&self, hundredths: u64) -> f64 {
        let all: u64 = self.buckets.iter().sum();
        let rank = (all * hundredths).div_ceil(100).max(1);
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        bucket.map_or(0.0, |bucket| microseconds(upper_ns(bucket).min(self.longest_ns as f64)))
    }
}

/// Returns microseconds with one decimal.
fn microseconds(ns: f64) -> f64 {
    (ns / 100.0).round() / 10.0
}

/// Returns the bucket of a time: equal steps of its logarithm.
fn bucket(ns: u64) -> usize {
    let doubling = ns.max(1).ilog2();
    let within = if doubling < 4 { 0 } else { (ns >> (doubling - 4)) & 0xf };
    doubling as usize * PER_DOUBLING + usize::try_from(within).unwrap_or(0)
}

/// Returns the upper end of a bucket, in nanoseconds.
fn upper_ns(bucket: usize) -> f64 {
    let (doubling, within) = (bucket / PER_DOUBLING, bucket % PER_DOUBLING);
    2.0_f64.powi(i32::try_from(doubling).unwrap_or(0)) * (1.0 + (within + 1) as f64 / PER_DOUBLING as f64)
}

/// Returns a time in the fitting unit, with two or three digits.
pub(crate) fn shown(us: f64) -> String {
    let (time, unit) = match us {
        ..1_000.0 => (us, "µs"),
        ..1_000_000.0 => (us / 1_000.0, "ms"),
        _ => (us / 1_000_000.0, "s"),
    };
    let decimals = usize::from(time < 10.0);
    format!("{time:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::{Times, shown};

    #[test]
    fn percentiles_are_near_the_exact_ones() {
        let mut times = [Times::default(), Times::default()];
        for us in 1..=10_000_u64 {
            times[usize::from(us % 2 == 0)].add(us * 1_000);
        }
        let [mut all, other] = times;
        all.merge(&other);
        let percentiles = all.percentiles();
        for (found, exact) in [(percentiles.p50, 5_000.0), (percentiles.p90, 9_000.0), (percentiles.p99, 9_900.0)] {
            assert!((found / exact - 1.0_f64).abs() < 0.07, "{found} {exact}");
        }
        assert!((percentiles.max - 10_000.0).abs() < 0.1, "{percentiles:?}");
    }

    #[test]
    fn times_have_the_fitting_unit() {
        let times = [(0.31, "0.3 µs"), (246.8, "247 µs"), (5_213.0, "5.2 ms"), (169_583.3, "170 ms"), (2.5e6, "2.5 s")];
        assert!(times.iter().all(|(us, text)| shown(*us) == *text), "{times:?}");
    }

    #[test]
    fn the_extremes_have_a_bucket() {
        let mut times = Times::default();
        assert!(times.percentiles().max.abs() < 1e-9);
        for ns in [0, 1, 15, 16, u64::MAX] {
            times.add(ns);
        }
        assert!(times.percentiles().p50 <= 0.1, "{:?}", times.percentiles());
    }
}
