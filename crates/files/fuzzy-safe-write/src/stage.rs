//! Writes what is to be at a path beside it.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::symlinkat;

use crate::attributes::Attributes;
use crate::change::{Durability, Mode, Wanted};
use crate::item::Item;
use crate::object::Object;
use crate::record::Print;
use crate::root::Root;
use crate::{fault, swap};

/// Whether the system can make all files of a file system durable at once, which takes half as long as one by one.
const SYNCS_AT_ONCE: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Makes all files durable that were written beside their paths.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn sync_files(root: &Root) -> io::Result<()> {
    fault::point()?;
    Ok(rustix::fs::syncfs(crate::place::open_to_read(root.descriptor(), ".".as_ref())?)?)
}

/// Does nothing: each file was made durable when it was written.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn sync_files(_: &Root) -> io::Result<()> {
    fault::point()
}

/// Writes the second name of an item; returns what is there then.
pub(crate) fn stage(
    root: &Root,
    item: &Item,
    wanted: Wanted,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<Object> {
    let aside = item.aside(root)?;
    let print = Print::of_bytes(bytes);
    let mode = match wanted {
        Wanted::Link => {
            fault::point()?;
            symlinkat(bytes, &*aside.directory, &aside.name)?;
            return Ok(Object { print, mode: None });
        }
        Wanted::File(mode) => mode,
    };
    let replaced = match &item.before {
        Some(Object { mode: Some(_), .. }) => item.attributes(root),
        _ => None,
    };
    let open_to = if replaced.is_some() || matches!(mode, Mode::Exactly(_)) { 0o600 } else { 0o666 };
    let mode = swap::create(&aside, bytes, open_to, |file| {
        if let Some(attributes) = replaced {
            let bits = mode.applied_to(attributes.mode());
            attributes.with_mode(bits).give(file)?;
        } else if mode != Mode::Any {
            let bits = mode.applied_to(file.metadata()?.mode() & 0o777);
            file.set_permissions(Permissions::from_mode(bits))?;
        }
        if durability == Durability::PowerLoss && !SYNCS_AT_ONCE {
            file.sync_all()?;
        }
        Ok(file.metadata()?.mode() & 0o7777)
    })?;
    Ok(Object { print, mode: Some(mode) })
}

impl Item {
    /// Returns what the file at the path has besides its bytes, if it is still there.
    fn attributes(&self, root: &Root) -> Option<Attributes> {
        let place = root.place_without_links(&self.path()).ok()?;
        Attributes::at(Path::new(""), &place).ok()
    }
}
