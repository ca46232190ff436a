//! Directories that come and go with the files of a batch.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, Mode, mkdirat};
use rustix::io::Errno;

use crate::place::{FilePlace, open_directory};
use crate::root::Root;
use crate::{Error, fault};

/// A directory that was made: the one that it is in, and its name.
pub(crate) type Made = (Arc<OwnedFd>, OsString);

/// Makes the directories that a new file needs; returns its place in the last of them.
pub(crate) fn make_directories(path: &Path, place: &FilePlace, made: &mut Vec<Made>) -> Result<FilePlace, Error> {
    let mut place = place.clone();
    for name in std::mem::take(&mut place.missing) {
        let failed = |error: std::io::Error| Error::writing(path, error);
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
