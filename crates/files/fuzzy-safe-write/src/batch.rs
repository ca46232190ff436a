//! Writes several files as one batch: each file is old or new at any moment, and at the end all of them are new or none
//! is.

use std::path::Path;

use crate::attributes::Attributes;
use crate::change::Mode;
use crate::directories::{Made, make_directories, remove_directories};
use crate::error::ONLY_ADDS;
use crate::file::OpenFile;
use crate::history::{Pending, next_id};
use crate::id::{new_id, since_1970};
use crate::place::FilePlace;
use crate::record::{Bytes, Entry, Print, Record, Reversal};
use crate::remainder::Remainder;
use crate::step::Step;
use crate::{Error, State, fault, file_ops, sys};

/// The longest new content that a journal keeps, in bytes: with it, an undo keeps later changes of the file.
const MERGEABLE: usize = 1 << 20;

/// The start of the names of temporary files.
pub const ASIDE: &str = ".fuzzy-edit-";

/// The method of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// A new file replaces the old one.
    Exchange,
    /// The old file gets new bytes, because it has several hard links.
    InPlace,
    /// A new file is created where there was none.
    Create,
    /// The file is removed.
    Remove,
    /// The file already has the wanted content and mode and is left alone: recovery could not distinguish a new file
    /// from the old one.
    Unchanged,
}

/// A checked step whose new file is beside the old one.
#[derive(Debug)]
struct Ready<'a> {
    step: &'a Step<'a>,
    method: Method,
    place: FilePlace,
    /// The temporary name beside the file: it has the new bytes first, and the old bytes after the exchange.
    aside: FilePlace,
    /// The attributes of the old file.
    old: Option<Attributes>,
    /// Whether the temporary name has the old file after the step.
    keeps_old: bool,
}

/// Steps that succeed or fail together.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The unique id of the batch.
    pub(crate) id: String,
    /// The number of the first step.
    pub(crate) first: usize,
    pub(crate) steps: &'a [Step<'a>],
    /// Whether a file with several hard links may be written in place.
    pub(crate) in_place: bool,
    /// The server for agents that makes the batch; none for a command.
    pub(crate) maker: Option<&'a str>,
}

/// The index of the failed step, and its error.
pub type StepError = (usize, Error);

impl<'a> Batch<'a> {
    /// Makes a batch of steps. With `in_place`, files with several hard links are written in place, which is not
    /// atomic.
    #[must_use]
    pub fn new(steps: &'a [Step<'a>], in_place: bool) -> Self {
        Self { id: new_id(), first: 0, steps, in_place, maker: None }
    }

    /// Names the server for agents that makes the batch.
    #[must_use]
    pub fn made_by(self, maker: Option<&'a str>) -> Self {
        Self { maker, ..self }
    }
}

impl Batch<'_> {
    /// Carries out all steps or none. The caller holds the locks of their files.
    ///
    /// Each new text is written to a temporary file beside its target and made durable. When all exist and no target
    /// has changed since it was read, they replace their targets one by one. A process that is killed leaves each file
    /// old or new, and a journal for the recovery of the others.
    ///
    /// # Errors
    ///
    /// Returns the index and the error of the failed step. No file is changed then, except a file that
    /// [`Error::NotTakenBack`] names; its journal remains.
    pub fn write(&self, state: &State, made_in: &Path, undoes: Option<String>) -> Result<Vec<Remainder>, StepError> {
        let batch = Batch { id: next_id(state), ..*self };
        let checked = batch.check()?;
        let record = batch.record(&checked, made_in, undoes);
        let pending = Pending::begin(state, &batch.id, &record).map_err(|error| (0, error))?;
        match batch.carry_out(checked) {
            Ok(mut remainders) => {
                if !pending.finish(state, &record) {
                    remainders.push(Remainder::NoUndo);
                }
                Ok(remainders)
            }
            Err(error @ (_, Error::NotTakenBack { .. })) => Err(error),
            Err(error) => {
                pending.discard();
                Err(error)
            }
        }
    }

    /// Carries out all steps or none, without a journal.
    pub(crate) fn write_unrecorded(&self) -> Result<(), StepError> {
        self.check().and_then(|checked| self.carry_out(checked)).map(drop)
    }

    fn check(&self) -> Result<Vec<Checked>, StepError> {
        let steps = self.steps.iter().enumerate();
        steps.map(|(index, step)| step.check(self.in_place).map_err(|error| (index, error))).collect()
    }

    fn record(&self, checked: &[Checked], made_in: &Path, undoes: Option<String>) -> Record {
        Record {
            version: Record::VERSION,
            time_ms: u64::try_from(since_1970().as_millis()).ok(),
            made_in: Bytes::of_path(made_in),
            maker: self.maker.map(str::to_owned),
            undoes,
            entries: self.steps.iter().zip(checked).map(|(step, checked)| step.entry(checked)).collect(),
        }
    }

    fn carry_out(&self, checked: Vec<Checked>) -> Result<Vec<Remainder>, StepError> {
        let mut made = Vec::new();
        let mut ready = Vec::with_capacity(self.steps.len());
        match self.stage(checked, &mut ready, &mut made).and_then(|()| perform_all(&mut ready)) {
            Ok(()) => Ok(tidy(&ready)),
            Err((index, error)) => {
                if !matches!(error, Error::NotTakenBack { .. }) {
                    for ready in ready.iter().filter(|ready| ready.method != Method::Remove) {
                        file_ops::remove(&ready.aside);
                    }
                    for (parent, name) in made.iter().rev() {
                        let _ = sys::remove_directory(parent, name);
                    }
                }
                Err((index, error))
            }
        }
    }

    /// Writes every new text to its temporary file.
    fn stage<'s>(
        &'s self,
        checked: Vec<Checked>,
        ready: &mut Vec<Ready<'s>>,
        made: &mut Vec<Made>,
    ) -> Result<(), StepError> {
        for (index, (step, Checked { method, old })) in self.steps.iter().zip(checked).enumerate() {
            let place = make_directories(&step.path, &step.place, made).map_err(|error| (index, error))?;
            let aside = file_ops::beside(&place, aside_name(&self.id, self.first + index));
            if let (Method::Exchange | Method::Create, Some(bytes)) = (method, &step.after) {
                file_ops::stage(&aside, bytes, step.attributes.as_ref().or(old.as_ref()), step.mode)
                    .map_err(|error| (index, Error::writing(&step.path)(error)))?;
            }
            ready.push(Ready { step, method, place, aside, old, keeps_old: false });
        }
        Ok(())
    }
}

/// Makes the written files durable and removes the old ones. All targets are written, so an old file that remains is no
/// failure.
fn tidy(ready: &[Ready<'_>]) -> Vec<Remainder> {
    let mut remainders = Vec::new();
    let old = ready.iter().filter(|ready| ready.keeps_old).map(|ready| &ready.aside);
    let open = sys::open_for_writing(&old.map(|old| (old.name.clone(), old.target.clone())).collect());
    for (index, ready) in ready.iter().enumerate() {
        ready.place.sync();
        if ready.keeps_old {
            if open.contains(&ready.aside.name) {
                remainders.push(Remainder::Open { index });
            }
            let _ = fault::point();
            if let Err(source) = file_ops::try_remove(&ready.aside) {
                remainders.push(Remainder::NotRemoved { index, path: ready.aside.target.clone(), source });
            }
        }
        if ready.method == Method::Remove {
            remove_directories(&ready.place.target, ready.step.directories);
        }
    }
    remainders
}

/// Returns the temporary name for a step.
pub(crate) fn aside_name(id: &str, index: usize) -> String {
    format!("{ASIDE}{id}-{index}")
}

/// The method of a step, and the attributes of the old file.
#[derive(Debug)]
struct Checked {
    method: Method,
    old: Option<Attributes>,
}

/// Carries out every step; rolls back the earlier ones if a later one fails.
fn perform_all(ready: &mut [Ready<'_>]) -> Result<(), StepError> {
    for index in 0..ready.len() {
        if let Err(mut cause) = ready[index].perform() {
            for written in ready[..index].iter().rev() {
                if let Err(why) = written.roll_back() {
                    cause = not_taken_back(&written.step.path, cause, why);
                }
            }
            return Err((index, cause));
        }
    }
    Ok(())
}

fn not_taken_back(path: &Path, cause: Error, why: Error) -> Error {
    Error::NotTakenBack { path: path.to_owned(), cause: Box::new(cause), why: Box::new(why) }
}

impl Step<'_> {
    /// Checks that the step is possible; returns its method and the attributes of the old file.
    fn check(&self, in_place: bool) -> Result<Checked, Error> {
        let path = &self.path;
        let Some(before) = &self.before else {
            let stat = sys::look(&self.place.directory, &self.place.name);
            let is_there = self.place.missing.is_empty() && stat.is_ok();
            if is_there {
                return Err(Error::Exists { path: path.clone() });
            }
            self.check_directory()?;
            return Ok(Checked { method: Method::Create, old: None });
        };
        let mut open = OpenFile::open(path, &self.place).map_err(|error| match error {
            Error::Missing { path } | Error::NotAFile { path, .. } => Error::Stale { path },
            error => error,
        })?;
        let vanishes = self.after.is_none();
        // Removing one of several hard links does not affect the others.
        open.check_writable(path, &self.place, in_place || vanishes)?;
        if !open.holds(path, before)? {
            return Err(Error::Stale { path: path.clone() });
        }
        let old = Attributes::of(&open.file).map_err(Error::reading(path))?;
        let is_same_mode = self.executable().is_none_or(|executable| executable == old.is_executable());
        let method = match open.names() {
            _ if vanishes => Method::Remove,
            _ if self.before == self.after && is_same_mode => Method::Unchanged,
            1 => Method::Exchange,
            _ => Method::InPlace,
        };
        if matches!(method, Method::Exchange | Method::Remove) {
            self.check_directory()?;
        }
        Ok(Checked { method, old: Some(old) })
    }

    /// Checks that names can be removed from the directory: the temporary one must be.
    fn check_directory(&self) -> Result<(), Error> {
        if sys::only_adds(&self.place.directory) {
            return Err(Error::Permission { path: self.path.clone(), problem: ONLY_ADDS });
        }
        Ok(())
    }

    /// Returns the journal's entry for the step.
    fn entry(&self, checked: &Checked) -> Entry {
        Entry {
            path: Bytes::of_path(&self.place.target),
            before: Print::of(self.before.as_deref()),
            after: Print::of(self.after.as_deref()),
            reversal: Reversal::of(self.before(), self.after()),
            written: self.mergeable().map(|after| Bytes::from(after.to_owned())),
            attributes: checked.old.clone().filter(|_| checked.method == Method::Remove || self.changes_attributes()),
            executable: self.executable().filter(|_| checked.method != Method::Unchanged && self.before == self.after),
            directories: if self.after.is_some() { self.place.missing.len() } else { self.directories },
            in_place: checked.method == Method::InPlace,
        }
    }

    /// Returns the new content of a changed text, if it is small enough for the journal.
    fn mergeable(&self) -> Option<&[u8]> {
        let after = self.after.as_deref().filter(|after| self.before.is_some() && after.len() <= MERGEABLE)?;
        (self.before != self.after && !after.contains(&0) && !self.before().contains(&0)).then_some(after)
    }

    fn before(&self) -> &[u8] {
        self.before.as_deref().unwrap_or_default()
    }

    fn after(&self) -> &[u8] {
        self.after.as_deref().unwrap_or_default()
    }
}

impl Ready<'_> {
    fn perform(&mut self) -> Result<(), Error> {
        let step = self.step;
        let (place, aside) = (&self.place, &self.aside);
        match self.method {
            Method::Exchange if self.swap()? => match self.aside_holds(step.before()) {
                Ok(()) => self.keeps_old = true,
                Err(cause) => return Err(self.swap_back(cause, step.after())),
            },
            Method::Exchange => {
                let alone = self.holds_alone(step.before())?;
                file_ops::replace_held(aside, place, alone).map_err(|error| self.failed(error))?;
            }
            Method::InPlace => {
                self.place_holds(step.before())?;
                if let Err(error) = file_ops::overwrite(place, step.after(), step.mode_in_place()) {
                    let cause = self.failed(error);
                    // The write may be incomplete.
                    let restored = file_ops::overwrite(place, step.before(), self.old_mode());
                    return Err(match restored {
                        Ok(()) => cause,
                        Err(why) => not_taken_back(&step.path, cause, self.failed(why)),
                    });
                }
            }
            Method::Create => file_ops::appear(aside, place).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => Error::Exists { path: step.path.clone() },
                _ => self.failed(error),
            })?,
            Method::Remove => {
                file_ops::replace(place, aside).map_err(|error| self.failed(error))?;
                if let Err(cause) = self.aside_holds(step.before()) {
                    return Err(self.reappear(cause));
                }
                self.keeps_old = true;
            }
            Method::Unchanged => {}
        }
        Ok(())
    }

    /// Rolls back a completed step, unless another program wrote the file since.
    fn roll_back(&self) -> Result<(), Error> {
        let step = self.step;
        let (place, aside) = (&self.place, &self.aside);
        match self.method {
            Method::Exchange if self.keeps_old => {
                self.place_holds(step.after())?;
                self.swap()?;
                if let Err(stale) = self.aside_holds(step.after()) {
                    return Err(self.swap_back(stale, step.before()));
                }
            }
            Method::Exchange => {
                file_ops::stage(aside, step.before(), self.old.as_ref(), Mode::Any)
                    .map_err(|error| self.failed(error))?;
                let alone = self.holds_alone(step.after())?;
                file_ops::replace_held(aside, place, alone).map_err(|error| self.failed(error))?;
            }
            Method::InPlace => {
                self.place_holds(step.after())?;
                file_ops::overwrite(place, step.before(), self.old_mode()).map_err(|error| self.failed(error))?;
            }
            Method::Create => {
                file_ops::replace(place, aside).map_err(|error| self.failed(error))?;
                if let Err(stale) = self.aside_holds(step.after()) {
                    return Err(self.reappear(stale));
                }
            }
            Method::Remove => file_ops::appear(aside, place).map_err(|error| self.failed(error))?,
            Method::Unchanged => {}
        }
        Ok(())
    }

    /// Returns the mode that the file had, if the step changes it.
    fn old_mode(&self) -> Mode {
        let old = self.old.as_ref().filter(|_| self.step.changes_attributes());
        old.map_or(Mode::Any, |old| Mode::Exactly(old.mode()))
    }

    fn swap(&self) -> Result<bool, Error> {
        file_ops::exchange(&self.place, &self.aside).map_err(|error| self.failed(error))
    }

    /// Restores the file that another program saved just before the exchange; `ours` was at the path in between.
    fn swap_back(&self, cause: Error, ours: &[u8]) -> Error {
        let swapped = match self.swap() {
            Ok(true) => self.aside_holds(ours),
            Ok(false) => Err(self.failed(std::io::ErrorKind::Unsupported.into())),
            Err(why) => Err(why),
        };
        match swapped {
            Ok(()) => cause,
            // The temporary name has text that another program wrote to our file in that moment.
            Err(why) => not_taken_back(&self.step.path, cause, why),
        }
    }

    /// Gives a file its name back: it turned out to be another one than planned.
    fn reappear(&self, cause: Error) -> Error {
        match file_ops::appear(&self.aside, &self.place) {
            Ok(()) => cause,
            Err(why) => not_taken_back(&self.step.path, cause, self.failed(why)),
        }
    }

    fn place_holds(&self, bytes: &[u8]) -> Result<(), Error> {
        self.expect(&self.place, bytes)
    }

    /// Checks the content of the file. If the system can, it locks out writers until the result is dropped.
    fn holds_alone(&self, bytes: &[u8]) -> Result<OpenFile, Error> {
        let path = &self.step.path;
        let stale = || Error::Stale { path: path.clone() };
        let mut open = OpenFile::open_alone(path, &self.place).map_err(|error| match error {
            Error::Missing { .. } | Error::NotAFile { .. } => stale(),
            error => error,
        })?;
        if open.holds(path, bytes)? { Ok(open) } else { Err(stale()) }
    }

    fn aside_holds(&self, bytes: &[u8]) -> Result<(), Error> {
        self.expect(&self.aside, bytes)
    }

    fn expect(&self, place: &FilePlace, bytes: &[u8]) -> Result<(), Error> {
        let path = &self.step.path;
        if file_ops::holds(path, place, bytes)? { Ok(()) } else { Err(Error::Stale { path: path.clone() }) }
    }

    fn failed(&self, error: std::io::Error) -> Error {
        Error::writing(&self.step.path)(error)
    }
}
