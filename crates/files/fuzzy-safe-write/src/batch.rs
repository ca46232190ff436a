//! Writing files so that each is old or new at any moment, and all or none are new at the end.

use std::path::Path;
use std::time::SystemTime;

use crate::attributes::Attributes;
use crate::change::Mode;
use crate::directories::{Made, make_directories, remove_directories};
use crate::file::OpenFile;
use crate::history::Pending;
use crate::place::FilePlace;
use crate::record::{Bytes, Entry, Print, Record, Reversal};
use crate::step::Step;
use crate::{Error, State, fault, swap, sys};

/// What the second names of files begin with, which are beside them while they are written.
pub const ASIDE: &str = ".fuzzy-edit-";

/// How a step is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A new file takes the old one's place.
    Exchange,
    /// The old file gets new bytes, because it has further names.
    InPlace,
    /// A file appears where there was none.
    Appear,
    /// The file goes away.
    Vanish,
    /// The file is as it is to be. After a crash no one could tell a new one from it.
    Stay,
}

/// A step that was checked and has its new file beside the old one.
#[derive(Debug)]
struct Ready<'a> {
    step: &'a Step<'a>,
    way: Way,
    place: FilePlace,
    /// The name beside the file that holds the new bytes first and the old ones then.
    aside: FilePlace,
    /// What the old file has besides its bytes.
    old: Option<Attributes>,
    /// Whether the name beside holds the old file once the step is done.
    keeps_old: bool,
}

/// Steps that are carried out as one.
#[derive(Debug)]
pub struct Batch<'a> {
    /// What no other batch is called.
    pub(crate) id: String,
    /// The number of the first step.
    pub(crate) first: usize,
    pub(crate) steps: &'a [Step<'a>],
    /// Whether a file with further names may be written in place.
    pub(crate) in_place: bool,
}

/// The index of the step that failed, and why.
pub type StepError = (usize, Error);

impl<'a> Batch<'a> {
    /// Makes a batch of steps; with `in_place`, a file with further names may be written in place, which is not atomic.
    #[must_use]
    pub fn new(steps: &'a [Step<'a>], in_place: bool) -> Self {
        Self { id: new_id(), first: 0, steps, in_place }
    }
}

impl Batch<'_> {
    /// Carries out all steps, or none of them; the caller holds the locks of their files.
    ///
    /// Each new text is written beside its file under another name and made durable; when all are there and no file
    /// has changed since it was read, they take their files' places one by one. A process that is killed leaves each
    /// file old or new, and a journal that says what the others are to be.
    ///
    /// # Errors
    ///
    /// The index of the step that failed and why. No file is changed then, but for one that
    /// [`Error::NotTakenBack`] names; the journal stays for that.
    pub fn write(&self, state: &State, made_in: &Path, undoes: Option<String>) -> Result<(), StepError> {
        let checked = self.check()?;
        let record = self.record(&checked, made_in, undoes);
        let pending = Pending::begin(state, &self.id, &record).map_err(|error| (0, error))?;
        match self.carry_out(checked) {
            Ok(()) => {
                pending.finish(state, &record);
                Ok(())
            }
            Err(error @ (_, Error::NotTakenBack { .. })) => Err(error),
            Err(error) => {
                pending.discard();
                Err(error)
            }
        }
    }

    /// Carries out all steps, or none of them, without a journal.
    pub(crate) fn write_unrecorded(&self) -> Result<(), StepError> {
        self.check().and_then(|checked| self.carry_out(checked))
    }

    fn check(&self) -> Result<Vec<Checked>, StepError> {
        let steps = self.steps.iter().enumerate();
        steps.map(|(index, step)| step.check(self.in_place).map_err(|error| (index, error))).collect()
    }

    fn record(&self, checked: &[Checked], made_in: &Path, undoes: Option<String>) -> Record {
        Record {
            version: Record::VERSION,
            made_in: Bytes::of_path(made_in),
            undoes,
            entries: self.steps.iter().zip(checked).map(|(step, checked)| step.entry(checked)).collect(),
        }
    }

    fn carry_out(&self, checked: Vec<Checked>) -> Result<(), StepError> {
        let mut made = Vec::new();
        let mut ready = Vec::with_capacity(self.steps.len());
        match self.stage(checked, &mut ready, &mut made).and_then(|()| perform_all(&mut ready)) {
            Ok(()) => {
                for ready in &ready {
                    ready.place.sync();
                    if ready.keeps_old {
                        // All is done, and a name too many is no failure.
                        let _ = fault::point();
                        swap::remove(&ready.aside);
                    }
                    if ready.way == Way::Vanish {
                        remove_directories(&ready.place.target, ready.step.directories);
                    }
                }
                Ok(())
            }
            Err((index, error)) => {
                if !matches!(error, Error::NotTakenBack { .. }) {
                    for ready in ready.iter().filter(|ready| ready.way != Way::Vanish) {
                        swap::remove(&ready.aside);
                    }
                    for (parent, name) in made.iter().rev() {
                        let _ = sys::remove_directory(parent, name);
                    }
                }
                Err((index, error))
            }
        }
    }

    /// Writes every new text beside its file.
    fn stage<'s>(
        &'s self,
        checked: Vec<Checked>,
        ready: &mut Vec<Ready<'s>>,
        made: &mut Vec<Made>,
    ) -> Result<(), StepError> {
        for (index, (step, Checked { way, old })) in self.steps.iter().zip(checked).enumerate() {
            let place = make_directories(&step.path, &step.place, made).map_err(|error| (index, error))?;
            let aside = swap::beside(&place, aside_name(&self.id, self.first + index));
            if let (Way::Exchange | Way::Appear, Some(bytes)) = (way, &step.after) {
                swap::stage(&aside, bytes, step.attributes.as_ref().or(old.as_ref()), step.mode)
                    .map_err(|error| (index, Error::writing(&step.path)(error)))?;
            }
            ready.push(Ready { step, way, place, aside, old, keeps_old: false });
        }
        Ok(())
    }
}

/// Returns the name beside the file of a step that its new text has first and its old text then.
pub(crate) fn aside_name(id: &str, index: usize) -> String {
    format!("{ASIDE}{id}-{index}")
}

/// How a step is carried out, and what the old file has besides its bytes.
#[derive(Debug)]
struct Checked {
    way: Way,
    old: Option<Attributes>,
}

/// Returns a name that nothing else has; later ones sort after earlier ones.
pub(crate) fn new_id() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    let mut random = [0; 4];
    // Without random bytes it still differs from what other moments and processes make.
    let _ = getrandom::fill(&mut random);
    format!("{now:020x}{:08x}{:08x}", std::process::id(), u32::from_ne_bytes(random))
}

/// Carries out every step; takes back the earlier ones if a later one fails.
fn perform_all(ready: &mut [Ready<'_>]) -> Result<(), StepError> {
    for index in 0..ready.len() {
        if let Err(mut cause) = ready[index].perform() {
            for written in ready[..index].iter().rev() {
                if let Err(why) = written.take_back() {
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
    /// Checks that the step can be carried out; returns how, and what the old file has besides its bytes.
    fn check(&self, in_place: bool) -> Result<Checked, Error> {
        let path = &self.path;
        let Some(before) = &self.before else {
            let stat = sys::look(&self.place.directory, &self.place.name);
            let is_there = self.place.missing.is_empty() && stat.is_ok();
            if is_there {
                return Err(Error::Exists { path: path.clone() });
            }
            return Ok(Checked { way: Way::Appear, old: None });
        };
        let mut open = OpenFile::open(path, &self.place).map_err(|error| match error {
            Error::Missing { path } | Error::NotAFile { path, .. } => Error::Stale { path },
            error => error,
        })?;
        let vanishes = self.after.is_none();
        // A name that goes away leaves the others as they are.
        open.check_writable(path, &self.place, in_place || vanishes)?;
        if !open.holds(path, before)? {
            return Err(Error::Stale { path: path.clone() });
        }
        let old = Attributes::of(&open.file).map_err(Error::reading(path))?;
        let is_same_mode = self.executable().is_none_or(|executable| executable == old.is_executable());
        let way = match open.names() {
            _ if vanishes => Way::Vanish,
            _ if self.before == self.after && is_same_mode => Way::Stay,
            1 => Way::Exchange,
            _ => Way::InPlace,
        };
        Ok(Checked { way, old: Some(old) })
    }

    /// Returns what the journal says about the step.
    fn entry(&self, checked: &Checked) -> Entry {
        Entry {
            path: Bytes::of_path(&self.place.target),
            before: Print::of(self.before.as_deref()),
            after: Print::of(self.after.as_deref()),
            reversal: Reversal::of(self.before(), self.after()),
            attributes: checked.old.clone().filter(|_| checked.way == Way::Vanish || self.changes_attributes()),
            executable: self.executable().filter(|_| checked.way != Way::Stay && self.before == self.after),
            directories: if self.after.is_some() { self.place.missing.len() } else { self.directories },
            in_place: checked.way == Way::InPlace,
        }
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
        match self.way {
            Way::Exchange if self.swap()? => match self.aside_holds(step.before()) {
                Ok(()) => self.keeps_old = true,
                Err(cause) => return Err(self.swap_back(cause, step.after())),
            },
            Way::Exchange => {
                let alone = self.holds_alone(step.before())?;
                swap::replace_held(aside, place, alone).map_err(|error| self.failed(error))?;
            }
            Way::InPlace => {
                self.place_holds(step.before())?;
                if let Err(error) = swap::overwrite(place, step.after(), step.mode_in_place()) {
                    let cause = self.failed(error);
                    // Half of it may be written.
                    let restored = swap::overwrite(place, step.before(), self.old_mode());
                    return Err(match restored {
                        Ok(()) => cause,
                        Err(why) => not_taken_back(&step.path, cause, self.failed(why)),
                    });
                }
            }
            Way::Appear => swap::appear(aside, place).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => Error::Exists { path: step.path.clone() },
                _ => self.failed(error),
            })?,
            Way::Vanish => {
                swap::replace(place, aside).map_err(|error| self.failed(error))?;
                if let Err(cause) = self.aside_holds(step.before()) {
                    return Err(self.reappear(cause));
                }
                self.keeps_old = true;
            }
            Way::Stay => {}
        }
        Ok(())
    }

    /// Takes back a step that was carried out, unless someone else wrote the file since.
    fn take_back(&self) -> Result<(), Error> {
        let step = self.step;
        let (place, aside) = (&self.place, &self.aside);
        match self.way {
            Way::Exchange if self.keeps_old => {
                self.place_holds(step.after())?;
                self.swap()?;
                if let Err(stale) = self.aside_holds(step.after()) {
                    return Err(self.swap_back(stale, step.before()));
                }
            }
            Way::Exchange => {
                swap::stage(aside, step.before(), self.old.as_ref(), Mode::Any).map_err(|error| self.failed(error))?;
                let alone = self.holds_alone(step.after())?;
                swap::replace_held(aside, place, alone).map_err(|error| self.failed(error))?;
            }
            Way::InPlace => {
                self.place_holds(step.after())?;
                swap::overwrite(place, step.before(), self.old_mode()).map_err(|error| self.failed(error))?;
            }
            Way::Appear => {
                swap::replace(place, aside).map_err(|error| self.failed(error))?;
                if let Err(stale) = self.aside_holds(step.after()) {
                    return Err(self.reappear(stale));
                }
            }
            Way::Vanish => swap::appear(aside, place).map_err(|error| self.failed(error))?,
            Way::Stay => {}
        }
        Ok(())
    }

    /// Returns the mode that the file had, if the step changes it.
    fn old_mode(&self) -> Mode {
        let old = self.old.as_ref().filter(|_| self.step.changes_attributes());
        old.map_or(Mode::Any, |old| Mode::Exactly(old.mode()))
    }

    fn swap(&self) -> Result<bool, Error> {
        swap::exchange(&self.place, &self.aside).map_err(|error| self.failed(error))
    }

    /// Gives the file back what someone else wrote, which the exchange brought to light; `ours` was there
    /// meanwhile.
    fn swap_back(&self, cause: Error, ours: &[u8]) -> Error {
        let swapped = match self.swap() {
            Ok(true) => self.aside_holds(ours),
            Ok(false) => Err(self.failed(std::io::ErrorKind::Unsupported.into())),
            Err(why) => Err(why),
        };
        match swapped {
            Ok(()) => cause,
            // What was written to our text in that moment is beside the file.
            Err(why) => not_taken_back(&self.step.path, cause, why),
        }
    }

    /// Gives back its name to a file that turned out to be another one.
    fn reappear(&self, cause: Error) -> Error {
        match swap::appear(&self.aside, &self.place) {
            Ok(()) => cause,
            Err(why) => not_taken_back(&self.step.path, cause, self.failed(why)),
        }
    }

    fn place_holds(&self, bytes: &[u8]) -> Result<(), Error> {
        self.expect(&self.place, bytes)
    }

    /// Checks what the file holds; where the system can, nobody writes to it until the result is dropped.
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
        if swap::holds(path, place, bytes)? { Ok(()) } else { Err(Error::Stale { path: path.clone() }) }
    }

    fn failed(&self, error: std::io::Error) -> Error {
        Error::writing(&self.step.path)(error)
    }
}
