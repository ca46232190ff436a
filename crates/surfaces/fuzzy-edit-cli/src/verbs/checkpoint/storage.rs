//! Warns about storage that does not keep checkpoints.

use std::path::Path;

use fuzzy_system::{Storage, storage};

/// Returns a warning if the checkpoints in a directory do not last as long as those on a disk.
pub(crate) fn warning(stores: &Path) -> Option<String> {
    let risk = match storage(stores).ok()? {
        Storage::Disk => return None,
        Storage::Memory => "in memory, and gone after a restart",
        Storage::Container => "in a layer of a container, and gone with it",
        Storage::Remote => "on a network file system or a shared folder, which may lose the newest ones when it fails",
    };
    let stores = stores.display();
    Some(format!("the checkpoints in {stores} are {risk}; FUZZY_EDIT_STORE or --store selects another directory"))
}
