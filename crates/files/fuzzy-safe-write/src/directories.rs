//! Creates and removes the parent directories of files.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use crate::place::FilePlace;
use crate::root::Root;
use crate::sys::{self, Directory};
use crate::{Error, fault};

/// A new directory: its parent and its name.
pub(crate) type Made = (Arc<Directory>, OsString);

/// Creates the directories that a new file needs; returns its place in the last of them.
pub(crate) fn make_directories(path: &Path, place: &FilePlace, made: &mut Vec<Made>) -> Result<FilePlace, Error> {
    let mut place = place.clone();
    for name in std::mem::take(&mut place.missing) {
        fault::point().map_err(Error::writing(path))?;
        match sys::make_directory(&place.directory, &name, false) {
            Ok(()) => made.push((Arc::clone(&place.directory), name.clone())),
            // An earlier step or another program created it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::writing(path)(error)),
        }
        let opened = sys::open_directory(&place.directory, &name).map_err(Error::writing(path))?;
        place.directory = Arc::new(opened);
    }
    Ok(place)
}

/// Opens the parent directory of a path below the root and returns the last name; `None` if the directory is missing.
fn above<'n>(root: &Root, names: &'n [OsString]) -> Option<(Arc<Directory>, &'n OsString)> {
    let (name, above) = names.split_last()?;
    let (directory, depth, _) = root.descend(above);
    (depth == above.len()).then_some((directory, name))
}

/// Removes a directory below the root if it is empty; returns whether it is gone.
pub(crate) fn remove_directory(root: &Root, names: &[OsString]) -> io::Result<bool> {
    let Some((directory, name)) = above(root, names) else { return Ok(true) };
    fault::point()?;
    sys::remove_directory(&directory, name)
}

/// Removes up to `count` parent directories of a path below the root, as long as they are empty.
pub(crate) fn remove_emptied(root: &Root, names: &[OsString], count: usize) -> io::Result<()> {
    let above = names.len() - 1;
    for depth in (above.saturating_sub(count)..above).rev() {
        if !remove_directory(root, &names[..=depth])? {
            break;
        }
    }
    Ok(())
}

/// Creates a directory below the root again, with its old mode; returns whether its parent exists.
pub(crate) fn restore_directory(root: &Root, names: &[OsString], mode: u32) -> io::Result<bool> {
    let Some((directory, name)) = above(root, names) else { return Ok(false) };
    fault::point()?;
    match sys::make_directory(&directory, name, true) {
        Ok(()) => sys::set_directory_mode(&directory, name, mode)?,
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {}
        Err(error) => return Err(error),
    }
    Ok(true)
}

/// Removes up to `count` parent directories of a file, as long as they are empty.
pub(crate) fn remove_directories(target: &Path, count: usize) {
    for directory in target.ancestors().skip(1).take(count) {
        let place = Root::everything().and_then(|root| root.allowing_git().place_without_links(directory));
        if let Ok(place) = place {
            let _ = sys::remove_directory(&place.directory, &place.name);
        }
    }
}
