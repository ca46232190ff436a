//! What a file has besides its bytes: mode, owner and extended attributes.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

/// Gives `copy` the mode, the owner and the extended attributes of the file `original`, whose metadata are given.
///
/// Owner and attributes are kept where the system lets us; a mode that would lend the new owner's rights to whoever
/// runs the file is not.
///
/// # Errors
///
/// What the system says, if it is not that something is not permitted or not known to the file system.
pub(crate) fn copy(original: &Path, metadata: &std::fs::Metadata, copy: &File) -> io::Result<()> {
    let mut mode = metadata.permissions().mode() & 0o7777;
    let fresh = copy.metadata()?;
    let (owner, group) = (metadata.uid(), metadata.gid());
    if (fresh.uid(), fresh.gid()) != (owner, group) && fchown(copy, Some(owner), Some(group)).is_err() {
        mode &= 0o777;
        // Only the superuser gives files away, but anyone may choose among their own groups.
        let _ = fchown(copy, None, Some(group));
    }
    // After the owner: changing that clears the bits that lend rights.
    copy.set_permissions(Permissions::from_mode(mode))?;
    copy_extended(original, copy).or_else(|error| match error {
        Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NOSYS => Ok(()),
        error => Err(error.into()),
    })
}

fn copy_extended(original: &Path, copy: &File) -> Result<(), Errno> {
    let mut names = vec![0; rustix::fs::llistxattr_query(original)?];
    let length = rustix::fs::llistxattr(original, &mut names[..])?;
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; rustix::fs::lgetxattr_query(original, name)?];
        let length = rustix::fs::lgetxattr(original, name, &mut value[..])?;
        match rustix::fs::fsetxattr(copy, name, &value[..length], XattrFlags::empty()) {
            Ok(()) | Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
