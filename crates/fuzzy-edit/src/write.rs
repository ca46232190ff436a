//! Writing files so that each is old or new at any moment, and all or none are new at the end.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::{FileError, TextFile, attributes};

/// A file and its new text.
#[derive(Debug)]
pub struct Change {
    /// The file as it was read.
    pub file: TextFile,
    /// The whole new text, without the byte order mark.
    pub text: String,
}

impl Change {
    /// Returns every byte that is to be written, the byte order mark included.
    ///
    /// # Errors
    ///
    /// [`FileError::Unencodable`] if the file's encoding lacks a character of the new text.
    pub fn bytes(&self) -> Result<Vec<u8>, FileError> {
        self.file.encode(&self.text)
    }
}

/// Writes all changes, or none of them.
///
/// Each new text is written beside its file under another name and made durable; when all are there and no file has
/// changed since it was read, they take their files' places one by one. Mode, owner and extended attributes are kept,
/// and a symbolic link stays one. A process that is killed leaves each file old or new.
///
/// # Errors
///
/// The index of the change that failed and why. No file is changed then, but for one that
/// [`FileError::NotTakenBack`] names.
pub fn write_all(changes: &[&Change]) -> Result<(), (usize, FileError)> {
    let mut staged = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        let at = |error| (index, error);
        change.file.check_writable().map_err(at)?;
        staged.push(change.bytes().and_then(|bytes| stage(&change.file, &bytes)).map_err(at)?);
    }
    // The first one is looked at again right before it is replaced, with nothing written yet.
    for (index, change) in changes.iter().enumerate().skip(1) {
        change.file.check_holds(change.file.bytes()).map_err(|error| (index, error))?;
    }
    swap_all(changes, staged)
}

/// Puts every staged text in its file's place; takes back the earlier ones if a later one fails.
fn swap_all(changes: &[&Change], staged: Vec<NamedTempFile>) -> Result<(), (usize, FileError)> {
    for (index, (change, staged)) in changes.iter().zip(staged).enumerate() {
        if let Err(cause) = swap(&change.file, change.file.bytes(), staged) {
            return Err((index, take_back(&changes[..index], cause)));
        }
    }
    Ok(())
}

fn take_back(written: &[&Change], cause: FileError) -> FileError {
    let mut cause = cause;
    for change in written.iter().rev() {
        let file = &change.file;
        let restored = stage(file, file.bytes()).and_then(|old| swap(file, &change.bytes()?, old));
        if let Err(why) = restored {
            cause =
                FileError::NotTakenBack { path: file.path().to_owned(), cause: Box::new(cause), why: Box::new(why) };
        }
    }
    cause
}

/// Writes `bytes` to a new file beside `file`, like it in everything else, and makes them durable.
fn stage(file: &TextFile, bytes: &[u8]) -> Result<NamedTempFile, FileError> {
    let write = || -> io::Result<NamedTempFile> {
        let mut staged = tempfile::Builder::new().prefix(".fuzzy-edit-").tempfile_in(directory(file.target()))?;
        staged.write_all(bytes)?;
        attributes::copy(file.target(), file.metadata(), staged.as_file())?;
        staged.as_file().sync_all()?;
        Ok(staged)
    };
    write().map_err(|error| FileError::writing(file.path(), error))
}

/// Puts `staged` in the place of `file` if `expected` still stands there.
fn swap(file: &TextFile, expected: &[u8], staged: NamedTempFile) -> Result<(), FileError> {
    file.check_holds(expected)?;
    staged.persist(file.target()).map_err(|error| FileError::writing(file.path(), error.error))?;
    // The new text is in place, and some file systems cannot do this: an error here must not read as a failed edit.
    let _ = File::open(directory(file.target())).and_then(|directory| directory.sync_all());
    Ok(())
}

/// Returns the directory of an absolute path of a file.
fn directory(target: &Path) -> &Path {
    target.parent().unwrap_or(target)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Change, stage, swap_all, take_back, write_all};
    use crate::{FileError, TextFile};

    /// Writes `names` into a new directory, each with its own name as its text, and plans `new` for all of them.
    fn changes(names: &[&str]) -> (tempfile::TempDir, Vec<Change>) {
        let directory = tempfile::tempdir().unwrap();
        let change = |name: &&str| {
            let path = directory.path().join(name);
            fs::write(&path, name).unwrap();
            Change { file: TextFile::read(&path, 1000).unwrap(), text: format!("new {name}") }
        };
        let changes = names.iter().map(change).collect();
        (directory, changes)
    }

    /// Returns every file of a directory with what is in it, by name.
    fn files(directory: &tempfile::TempDir) -> Vec<(String, String)> {
        let entry = |path: PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        };
        let mut files: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|it| entry(it.unwrap().path())).collect();
        files.sort();
        files
    }

    fn texts(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn writes_all_and_leaves_nothing_else() {
        let (directory, changes) = changes(&["a", "b"]);
        write_all(&changes.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(files(&directory), texts(&[("a", "new a"), ("b", "new b")]));
    }

    #[test]
    fn a_file_that_changed_since_it_was_read_stops_all() {
        for touched in 0..2 {
            let (directory, changes) = changes(&["a", "b"]);
            let target = changes[touched].file.target();
            // As long as before, so that only the bytes tell.
            fs::write(target, "x").unwrap();
            let (index, error) = write_all(&changes.iter().collect::<Vec<_>>()).unwrap_err();
            assert!(matches!(error, FileError::Stale { .. }), "{error}");
            assert_eq!(index, touched);
            let expected = if touched == 0 { [("a", "x"), ("b", "b")] } else { [("a", "a"), ("b", "x")] };
            assert_eq!(files(&directory), texts(&expected));
        }
    }

    #[test]
    fn a_file_that_grew_vanished_or_became_another_kind_is_stale() {
        let (directory, changes) = changes(&["grown", "gone", "directory", "link"]);
        fs::write(changes[0].file.target(), "grown much longer").unwrap();
        for change in &changes[1..] {
            fs::remove_file(change.file.target()).unwrap();
        }
        fs::create_dir(changes[2].file.target()).unwrap();
        std::os::unix::fs::symlink(directory.path().join("grown"), changes[3].file.target()).unwrap();
        for change in &changes {
            let (_, error) = write_all(&[change]).unwrap_err();
            assert!(matches!(error, FileError::Stale { .. }), "{error}");
        }
        assert_eq!(fs::read_to_string(directory.path().join("grown")).unwrap(), "grown much longer");
    }

    #[test]
    fn earlier_files_are_taken_back_if_a_later_one_fails() {
        let (directory, changes) = changes(&["a", "b", "c"]);
        let changes: Vec<&Change> = changes.iter().collect();
        let staged = changes.iter().map(|change| stage(&change.file, b"new").unwrap()).collect();
        // The texts staged are those of the plan, but for this test's third file, which someone else wrote meanwhile.
        fs::write(changes[2].file.target(), "theirs").unwrap();
        let planned: Vec<Change> = changes
            .iter()
            .map(|change| Change { file: TextFile::read(change.file.path(), 1000).unwrap(), text: "new".to_owned() })
            .collect();
        let mut planned: Vec<&Change> = planned.iter().collect();
        planned[2] = changes[2];
        let (index, error) = swap_all(&planned, staged).unwrap_err();
        assert_eq!(index, 2);
        assert!(matches!(error, FileError::Stale { .. }), "{error}");
        assert_eq!(files(&directory), texts(&[("a", "a"), ("b", "b"), ("c", "theirs")]));
    }

    #[test]
    fn what_someone_else_wrote_since_is_not_taken_back() {
        let (directory, changes) = changes(&["a"]);
        write_all(&[&changes[0]]).unwrap();
        fs::write(changes[0].file.target(), "theirs").unwrap();
        let cause = FileError::Stale { path: "b".into() };
        let error = take_back(&[&changes[0]], cause);
        assert!(matches!(error, FileError::NotTakenBack { .. }), "{error}");
        assert!(error.to_string().contains("was already written and could not be taken back"), "{error}");
        assert_eq!(files(&directory), texts(&[("a", "theirs")]));
    }
}
