//! Writing files so that each is old or new at any moment, and all or none are new at the end.

use std::borrow::Cow;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, Mode, mkdirat};
use rustix::io::Errno;

use crate::attributes::Attributes;
use crate::file::OpenFile;
use crate::journal::Pending;
use crate::place::{FilePlace, open_directory};
use crate::record::{Bytes, Entry, Print, Record, Reversal};
use crate::root::Root;
use crate::{FileError, State, fault, swap};

/// What becomes of one file.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    /// The path as the caller gave it.
    pub(crate) path: PathBuf,
    pub(crate) place: FilePlace,
    /// What stands there, and must until it is replaced; nothing for a new file.
    pub(crate) before: Option<Cow<'a, [u8]>>,
    /// What is to stand there; nothing for a file that is removed.
    pub(crate) after: Option<Cow<'a, [u8]>>,
    /// What a new file has besides its bytes, if it is to be like another one.
    pub(crate) attributes: Option<Attributes>,
    /// How many of the directories above a file that is removed were made for it, and go with it.
    pub(crate) directories: usize,
}

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
}

/// A step that was checked and has its new file beside the old one.
#[derive(Debug)]
struct Ready<'a> {
    step: &'a Step<'a>,
    way: Way,
    place: FilePlace,
    /// The name beside the file that holds the new bytes first and the old ones then.
    aside: FilePlace,
    attributes: Option<Attributes>,
    /// Whether the name beside holds the old file once the step is done.
    keeps_old: bool,
}

/// Steps that are carried out as one.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    /// What no other batch is called.
    pub(crate) id: &'a str,
    /// The number of the first step.
    pub(crate) first: usize,
    pub(crate) steps: &'a [Step<'a>],
    /// Whether a file with further names may be written in place.
    pub(crate) in_place: bool,
}

/// The index of the step that failed, and why.
type StepError = (usize, FileError);

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
    /// [`FileError::NotTakenBack`] names; the journal stays for that.
    pub(crate) fn write(&self, state: &State, made_in: &Path, undoes: Option<String>) -> Result<(), StepError> {
        let checked = self.check()?;
        let record = self.record(&checked, made_in, undoes);
        let pending = Pending::begin(state, self.id, &record).map_err(|error| (0, error))?;
        match self.carry_out(checked) {
            Ok(()) => {
                pending.finish(state, &record);
                Ok(())
            }
            Err(error @ (_, FileError::NotTakenBack { .. })) => Err(error),
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
        let check = |(index, step): (usize, &Step<'_>)| step.check(self.in_place).map_err(|error| (index, error));
        self.steps.iter().enumerate().map(check).collect()
    }

    fn record(&self, checked: &[Checked], made_in: &Path, undoes: Option<String>) -> Record {
        let entry = |(step, checked): (&Step<'_>, &Checked)| Entry {
            path: Bytes::of_path(&step.place.target),
            before: Print::of(step.before.as_deref()),
            after: Print::of(step.after.as_deref()),
            reversal: Reversal::of(step.before(), step.after()),
            attributes: checked.attributes.clone().filter(|_| checked.way == Way::Vanish),
            directories: if step.after.is_some() { step.place.missing.len() } else { step.directories },
            in_place: checked.way == Way::InPlace,
        };
        Record {
            version: Record::VERSION,
            made_in: Bytes::of_path(made_in),
            undoes,
            entries: self.steps.iter().zip(checked).map(entry).collect(),
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
                if !matches!(error, FileError::NotTakenBack { .. }) {
                    for ready in ready.iter().filter(|ready| ready.way != Way::Vanish) {
                        swap::remove(&ready.aside);
                    }
                    for (parent, name) in made.iter().rev() {
                        let _ = rustix::fs::unlinkat(&**parent, name, AtFlags::REMOVEDIR);
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
        for (index, (step, Checked { way, attributes })) in self.steps.iter().zip(checked).enumerate() {
            let at = |error| (index, error);
            let place = make_directories(step, made).map_err(at)?;
            let aside = swap::beside(&place, &aside_name(self.id, self.first + index));
            if let (Way::Exchange | Way::Appear, Some(bytes)) = (way, &step.after) {
                swap::stage(&aside, bytes, attributes.as_ref())
                    .map_err(|error| at(FileError::writing(&step.path, error)))?;
            }
            ready.push(Ready { step, way, place, aside, attributes, keeps_old: false });
        }
        Ok(())
    }
}

/// Returns the name beside the file of a step that its new text has first and its old text then.
pub(crate) fn aside_name(id: &str, index: usize) -> String {
    format!(".fuzzy-edit-{id}-{index}")
}

/// How a step is carried out, and what its new file has besides its bytes.
#[derive(Debug)]
struct Checked {
    way: Way,
    attributes: Option<Attributes>,
}

/// A directory that was made: the one that it is in, and its name.
type Made = (Arc<OwnedFd>, std::ffi::OsString);

/// Makes the directories that a new file needs; returns its place in the last of them.
fn make_directories(step: &Step<'_>, made: &mut Vec<Made>) -> Result<FilePlace, FileError> {
    let mut place = step.place.clone();
    for name in std::mem::take(&mut place.missing) {
        let failed = |error: std::io::Error| FileError::writing(&step.path, error);
        fault::point().map_err(failed)?;
        match mkdirat(&*place.directory, &name, Mode::from_raw_mode(0o777)) {
            Ok(()) => made.push((Arc::clone(&place.directory), name.clone())),
            // An earlier step made it, or someone else did.
            Err(Errno::EXIST) => {}
            Err(error) => return Err(failed(error.into())),
        }
        let opened = open_directory(&place.directory, &name).map_err(|error| failed(error.into()))?;
        place.directory = Arc::new(opened);
    }
    Ok(place)
}

/// Removes as many directories above a file, those that are empty.
pub(crate) fn remove_directories(target: &Path, count: usize) {
    for directory in target.ancestors().skip(1).take(count) {
        let place = Root::everything().and_then(|root| root.allowing_git().place_without_links(directory));
        if let Ok(place) = place {
            let _ = rustix::fs::unlinkat(&*place.directory, &place.name, AtFlags::REMOVEDIR);
        }
    }
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

fn not_taken_back(path: &Path, cause: FileError, why: FileError) -> FileError {
    FileError::NotTakenBack { path: path.to_owned(), cause: Box::new(cause), why: Box::new(why) }
}

impl Step<'_> {
    /// Checks that the step can be carried out; returns how, and what the new file has besides its bytes.
    fn check(&self, in_place: bool) -> Result<Checked, FileError> {
        let path = &self.path;
        let Some(before) = &self.before else {
            let stat = rustix::fs::statat(&*self.place.directory, &self.place.name, AtFlags::SYMLINK_NOFOLLOW);
            let is_there = self.place.missing.is_empty() && stat.is_ok();
            if is_there {
                return Err(FileError::Exists { path: path.clone() });
            }
            return Ok(Checked { way: Way::Appear, attributes: self.attributes.clone() });
        };
        let mut open = OpenFile::open(path, &self.place).map_err(|error| match error {
            FileError::Missing { path } | FileError::NotAFile { path, .. } => FileError::Stale { path },
            error => error,
        })?;
        let vanishes = self.after.is_none();
        // A name that goes away leaves the others as they are.
        open.check_writable(path, &self.place, in_place || vanishes)?;
        if !open.holds(path, before)? {
            return Err(FileError::Stale { path: path.clone() });
        }
        let way = match open.names() {
            _ if vanishes => Way::Vanish,
            1 => Way::Exchange,
            _ => Way::InPlace,
        };
        let attributes = Attributes::of(&open.file).map_err(|error| FileError::reading(path, error))?;
        Ok(Checked { way, attributes: Some(attributes) })
    }

    fn before(&self) -> &[u8] {
        self.before.as_deref().unwrap_or_default()
    }

    fn after(&self) -> &[u8] {
        self.after.as_deref().unwrap_or_default()
    }
}

impl Ready<'_> {
    fn perform(&mut self) -> Result<(), FileError> {
        let step = self.step;
        let (place, aside) = (&self.place, &self.aside);
        match self.way {
            Way::Exchange if self.swap()? => match self.aside_holds(step.before()) {
                Ok(()) => self.keeps_old = true,
                Err(cause) => return Err(self.swap_back(cause, step.after())),
            },
            Way::Exchange => {
                self.place_holds(step.before())?;
                swap::replace(aside, place).map_err(|error| self.failed(error))?;
            }
            Way::InPlace => {
                self.place_holds(step.before())?;
                if let Err(error) = swap::overwrite(place, step.after()) {
                    let cause = self.failed(error);
                    // Half of it may be written.
                    let restored = swap::overwrite(place, step.before());
                    return Err(match restored {
                        Ok(()) => cause,
                        Err(why) => not_taken_back(&step.path, cause, self.failed(why)),
                    });
                }
            }
            Way::Appear => swap::appear(aside, place).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => FileError::Exists { path: step.path.clone() },
                _ => self.failed(error),
            })?,
            Way::Vanish => {
                swap::replace(place, aside).map_err(|error| self.failed(error))?;
                if let Err(cause) = self.aside_holds(step.before()) {
                    return Err(self.reappear(cause));
                }
                self.keeps_old = true;
            }
        }
        Ok(())
    }

    /// Takes back a step that was carried out, unless someone else wrote the file since.
    fn take_back(&self) -> Result<(), FileError> {
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
                swap::stage(aside, step.before(), self.attributes.as_ref()).map_err(|error| self.failed(error))?;
                self.place_holds(step.after())?;
                swap::replace(aside, place).map_err(|error| self.failed(error))?;
            }
            Way::InPlace => {
                self.place_holds(step.after())?;
                swap::overwrite(place, step.before()).map_err(|error| self.failed(error))?;
            }
            Way::Appear => {
                swap::replace(place, aside).map_err(|error| self.failed(error))?;
                if let Err(stale) = self.aside_holds(step.after()) {
                    return Err(self.reappear(stale));
                }
            }
            Way::Vanish => swap::appear(aside, place).map_err(|error| self.failed(error))?,
        }
        Ok(())
    }

    fn swap(&self) -> Result<bool, FileError> {
        swap::exchange(&self.place, &self.aside).map_err(|error| self.failed(error))
    }

    /// Gives the file back what someone else wrote, which the exchange brought to light; `ours` stood there meanwhile.
    fn swap_back(&self, cause: FileError, ours: &[u8]) -> FileError {
        let swapped = match self.swap() {
            Ok(true) => self.aside_holds(ours),
            Ok(false) => Err(self.failed(Errno::NOTSUP.into())),
            Err(why) => Err(why),
        };
        match swapped {
            Ok(()) => cause,
            // What was written to our text in that moment is beside the file.
            Err(why) => not_taken_back(&self.step.path, cause, why),
        }
    }

    /// Gives back its name to a file that turned out to be another one.
    fn reappear(&self, cause: FileError) -> FileError {
        match swap::appear(&self.aside, &self.place) {
            Ok(()) => cause,
            Err(why) => not_taken_back(&self.step.path, cause, self.failed(why)),
        }
    }

    fn place_holds(&self, bytes: &[u8]) -> Result<(), FileError> {
        self.expect(&self.place, bytes)
    }

    fn aside_holds(&self, bytes: &[u8]) -> Result<(), FileError> {
        self.expect(&self.aside, bytes)
    }

    fn expect(&self, place: &FilePlace, bytes: &[u8]) -> Result<(), FileError> {
        let path = &self.step.path;
        if swap::holds(path, place, bytes)? { Ok(()) } else { Err(FileError::Stale { path: path.clone() }) }
    }

    fn failed(&self, error: std::io::Error) -> FileError {
        FileError::writing(&self.step.path, error)
    }
}
