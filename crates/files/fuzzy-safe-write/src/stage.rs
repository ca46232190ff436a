//! Writes the new object of a path beside it.

use std::io;
use std::path::Path;

use crate::attributes::Attributes;
use crate::change::{Durability, Mode, Wanted};
use crate::item::Item;
use crate::object::Object;
use crate::record::Print;
use crate::root::Root;
use crate::{fault, file_ops, sys};

/// Makes all files beside their paths durable, if each was not when it was written.
pub(crate) fn sync_files(root: &Root) -> io::Result<()> {
    fault::point()?;
    sys::make_all_durable(Some(root.directory())).map(|_| ())
}

/// Writes the temporary name of an item; returns its object.
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
            sys::make_link(&aside.directory, &aside.name, bytes)?;
            return Ok(Object { print, mode: None });
        }
        Wanted::File(mode) => mode,
    };
    let replaced = match &item.before {
        Some(Object { mode: Some(_), .. }) => item.attributes(root),
        _ => None,
    };
    let open_to = if replaced.is_some() || matches!(mode, Mode::Exactly(_)) { 0o600 } else { 0o666 };
    let mode = file_ops::create(&aside, bytes, open_to, |file| {
        if let Some(attributes) = replaced {
            let bits = mode.applied_to(attributes.mode());
            attributes.with_mode(bits).give(file)?;
        } else if mode != Mode::Any {
            sys::set_mode(file, mode.applied_to(sys::stat(file)?.mode & 0o777))?;
        }
        if durability == Durability::PowerLoss && !sys::make_all_durable(None)? {
            file.sync_all()?;
        }
        Ok(sys::stat(file)?.mode)
    })?;
    Ok(Object { print, mode: Some(mode) })
}

impl Item {
    /// Returns the attributes of the file at the path, if it still exists.
    fn attributes(&self, root: &Root) -> Option<Attributes> {
        let place = root.place_without_links(&self.path()).ok()?;
        Attributes::at(Path::new(""), &place).ok()
    }
}
