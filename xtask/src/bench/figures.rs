//! The figures of a run.

use anyhow::{Context, Result};
use serde::Deserialize;

/// One measured scenario; times in nanoseconds.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Figure {
    pub(crate) question: String,
    pub(crate) subject: String,
    pub(crate) case: String,
    pub(crate) class: String,
    pub(crate) lines: usize,
    pub(crate) bytes: usize,
    pub(crate) needle_lines: usize,
    pub(crate) answer: String,
    pub(crate) ns: f64,
    /// One memmem pass over the same haystack, measured alternately with the scenario: M.
    pub(crate) pass_ns: f64,
    pub(crate) yardstick_ns: Option<f64>,
    pub(crate) naive_ns: Option<f64>,
    pub(crate) allocations: u64,
    pub(crate) peak_bytes: u64,
}

impl Figure {
    /// Returns the name that filters match.
    pub(crate) fn id(&self) -> String {
        format!("{}/{}/{}/{}", self.question, self.subject, self.case, self.lines)
    }

    /// Returns the time in multiples of M.
    pub(crate) fn passes(&self) -> f64 {
        self.ns / self.pass_ns
    }
}

/// All figures of one run.
pub(crate) struct Figures {
    pub(crate) all: Vec<Figure>,
}

impl Figures {
    /// Parses figures, one per line.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let figures =
            text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("not a figure: {line}")));
        Ok(Self { all: figures.collect::<Result<_>>()? })
    }

    /// Returns the figures of a question.
    pub(crate) fn of(&self, question: &str) -> impl Iterator<Item = &Figure> {
        self.all.iter().filter(move |figure| figure.question == question)
    }

    /// Groups the figures of a question that differ only in the haystack's size, smallest first.
    pub(crate) fn by_size(&self, question: &str) -> Vec<Vec<&Figure>> {
        let mut groups: Vec<Vec<&Figure>> = Vec::new();
        for figure in self.of(question) {
            match groups.iter_mut().find(|g| g[0].subject == figure.subject && g[0].case == figure.case) {
                Some(group) => group.push(figure),
                None => groups.push(vec![figure]),
            }
        }
        groups.sort_by_key(|group| self.of(question).position(|figure| figure.subject == group[0].subject));
        groups
    }
}

/// Fits `time = c * size^exponent` to figures of 10,000 lines and more, by least squares on the logarithms. Shorter
/// texts fit into a faster cache and would distort the exponent.
///
/// Returns the exponent of `time`; `None` for fewer than two sizes.
pub(crate) fn exponent(group: &[&Figure], time: impl Fn(&Figure) -> f64) -> Option<f64> {
    let points: Vec<(f64, f64)> = group
        .iter()
        .filter(|figure| figure.lines >= 10_000)
        .map(|figure| ((figure.bytes as f64).ln(), time(figure).ln()))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let rise: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let run: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    Some(rise / run)
}
