//! Finds the circles among files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The files that each file uses, with the names that it takes from there.
#[derive(Default)]
pub(super) struct Arrows(BTreeMap<String, BTreeMap<String, BTreeSet<String>>>);

impl Arrows {
    /// Adds an arrow, unless it ends where it begins.
    pub(super) fn add(&mut self, from: &str, to: &str, name: &str) {
        if from != to {
            let names = self.0.entry(from.to_owned()).or_default().entry(to.to_owned()).or_default();
            names.insert(name.to_owned());
        }
    }

    /// Returns the files that a file uses, directly or through others.
    fn reached<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            let next = self.0.get(file).into_iter().flat_map(BTreeMap::keys).map(String::as_str);
            open.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    }
}

/// The arrows among files that all reach each other, a line `from -> to: names` each.
pub(super) struct Circle(Vec<String>);

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a circle of {} arrows", self.0.len())?;
        self.0.iter().try_for_each(|arrow| write!(f, "\n  {arrow}"))
    }
}

/// Returns every circle. A file is in one at most.
pub(super) fn circles(arrows: &Arrows) -> Vec<Circle> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.0.keys().map(|file| (file.as_str(), arrows.reached(file))).collect();
    let tied = |a: &str, b: &str| reached[a].contains(b) && reached.get(b).is_some_and(|back| back.contains(a));
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for &first in reached.keys() {
        let files: BTreeSet<&str> = reached.keys().copied().filter(|file| tied(first, file)).collect();
        if files.is_empty() || !seen.insert(files.clone()) {
            continue;
        }
        let mut lines = Vec::new();
        for &from in &files {
            for (to, names) in arrows.0[from].iter().filter(|(to, _)| files.contains(to.as_str())) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                lines.push(format!("{from} -> {to}: {}", names.join(", ")));
            }
        }
        circles.push(Circle(lines));
    }
    circles
}
