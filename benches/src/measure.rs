//! Times scenarios and a substring pass over the same haystack.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use memchr::memmem::Finder;

use crate::scenario::{Answer, Scenario};

/// A text that occurs in no haystack and begins with rare bytes: the substring pass searches it.
const NOWHERE: &str = "zz_first(absent_1);~^~";

/// Duration of one sample, so that the clock's own cost and resolution do not matter.
const SAMPLE: Duration = Duration::from_micros(200);

/// Duration of all samples of one scenario.
const IN_ALL: Duration = Duration::from_millis(60);

/// The times of one scenario, each the fastest of several samples in nanoseconds of the thread's processor time.
///
/// Other programs on the machine can only add to a time, so both choices reduce noise. All scenarios run on one thread
/// and wait for nothing, so on an idle machine this equals wall-clock time.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The scenario.
    pub time: f64,
    /// One memmem pass over its haystack for a missing text, timed alternately with it.
    pub pass: f64,
    /// Its yardstick, timed alternately with it.
    pub yardstick: Option<f64>,
    /// Its naive twin, run once.
    pub naive: Option<f64>,
}

/// Times a scenario and its comparisons alternately.
///
/// # Panics
///
/// Panics if the naive twin gives another answer.
#[must_use]
pub fn times(scenario: &Scenario) -> Times {
    let naive = scenario.naive.as_ref().map(|naive| {
        let started = of_the_thread();
        let answer = black_box(naive());
        let time = nanoseconds(of_the_thread().saturating_sub(started));
        let ours = (scenario.work)();
        assert!(scenario.accepts(answer), "{}: the naive twin says {answer}, the engine {ours}", scenario.id());
        time
    });
    let finder = Finder::new(NOWHERE);
    let haystack = scenario.haystack.as_str().as_bytes();
    let pass = || Answer::Count(finder.find(black_box(haystack)).unwrap_or(0));
    let clock = if scenario.by_the_wall { on_the_wall } else { of_the_thread };
    let mut work = Sampler::new(&*scenario.work, clock);
    let mut pass = Sampler::new(&pass, of_the_thread);
    let mut yardstick = scenario.yardstick.as_deref().map(|yardstick| Sampler::new(yardstick, of_the_thread));
    for _ in 0..work.samples() {
        work.sample();
        pass.sample();
        if let Some(yardstick) = &mut yardstick {
            yardstick.sample();
        }
    }
    Times { time: work.fastest, pass: pass.fastest, yardstick: yardstick.map(|yardstick| yardstick.fastest), naive }
}

/// Runs something in batches and keeps the fastest.
struct Sampler<'a> {
    run: &'a dyn Fn() -> Answer,
    now: fn() -> Duration,
    batch: u32,
    fastest: f64,
}

impl<'a> Sampler<'a> {
    /// Runs it once to determine the number of runs per sample.
    fn new(run: &'a dyn Fn() -> Answer, now: fn() -> Duration) -> Self {
        let started = now();
        black_box(run());
        let once = now().saturating_sub(started).max(Duration::from_nanos(20));
        let batch = u32::try_from(SAMPLE.as_nanos() / once.as_nanos() + 1).unwrap_or(1);
        let mut sampler = Self { run, now, batch, fastest: f64::INFINITY };
        sampler.sample();
        sampler
    }

    fn samples(&self) -> usize {
        let sample = self.fastest * f64::from(self.batch);
        let samples = nanoseconds(IN_ALL) / sample;
        // At least three, even of the slowest; more than a hundred would only repeat the fastest.
        (3..100).find(|count| f64::from(*count) >= samples).unwrap_or(100).try_into().unwrap_or(3)
    }

    fn sample(&mut self) {
        let started = (self.now)();
        for _ in 0..self.batch {
            black_box((self.run)());
        }
        self.fastest = self.fastest.min(nanoseconds((self.now)().saturating_sub(started)) / f64::from(self.batch));
    }
}

/// Returns the processor time of this thread.
#[cfg(target_os = "linux")]
fn of_the_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns the wall-clock time where the thread's own is unavailable.
#[cfg(not(target_os = "linux"))]
fn of_the_thread() -> Duration {
    on_the_wall()
}

/// Returns the time since the first call.
fn on_the_wall() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn nanoseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}
