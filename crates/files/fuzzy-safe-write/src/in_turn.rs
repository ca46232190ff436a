//! Which batches can be undone one after the other.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::Root;
use crate::history::step;
use crate::record::{Print, Record};

/// The files as they will be after all batches so far are undone, the newest one first.
#[derive(Debug, Default)]
pub struct InTurn(HashMap<PathBuf, After>);

/// A file after the undo of a batch.
#[derive(Debug)]
struct After {
    print: Option<Print>,
    batch: String,
}

impl InTurn {
    /// Adds the next older batch; `is_possible` says that it can be undone now. Returns the newer batch that must be
    /// undone first if the batch can only be undone then.
    ///
    /// Reads those files of the batch that no newer batch wrote.
    pub fn add(&mut self, batch: &str, record: &Record, is_possible: bool) -> Option<String> {
        let first = if is_possible { None } else { Some(self.first(record)?) };
        for entry in &record.entries {
            let after = After { print: entry.before.clone(), batch: batch.to_owned() };
            self.0.insert(entry.path(), after);
        }
        first
    }

    /// Returns the newer batch that must be undone before a batch; `None` if that does not make its undo possible.
    fn first(&self, record: &Record) -> Option<String> {
        let everything = Root::everything().ok()?.allowing_git();
        let mut first = None;
        for entry in &record.entries {
            match self.0.get(&entry.path()) {
                Some(newer) if newer.print == entry.after => first = first.or(Some(newer.batch.clone())),
                Some(_) => return None,
                None => drop(step(&everything, entry, &|_, _, _| None).ok()?),
            }
        }
        first
    }
}
