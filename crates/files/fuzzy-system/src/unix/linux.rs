//! Functions for Linux only.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy;
use rustix::fs::{AtFlags, StatxAttributes, StatxFlags, statx};

use super::{Directory, open_directory_to_read};
use crate::storage::Storage;

/// Returns the directory for the state of this user's programs.
pub fn state_base() -> Option<PathBuf> {
    // Without this check, the crate would use the home directory of the user database.
    std::env::var_os("HOME")?;
    etcetera::base_strategy::Xdg::new().ok()?.state_dir()
}

/// Returns the name of the directory opened as `name`, as its parent stores it: Linux has one spelling per name.
pub const fn spelling(_: &Directory, name: OsString) -> OsString {
    name
}

/// Returns a name as its directory stores it: Linux has one spelling per name.
pub const fn spelling_of_file(_: &Directory, name: OsString) -> OsString {
    name
}

/// Returns the kind of storage of an existing directory, by the number of its file system.
pub(crate) fn storage_of(directory: &Path) -> io::Result<Storage> {
    const MEMORY: [i128; 2] = [0x0102_1994, 0x8584_58f6];
    const OVERLAY: i128 = 0x794c_7630;
    // NFS, SMB (three numbers), 9P, Ceph, AFS, Coda, FUSE (of which virtiofs and sshfs are kinds), and shared folders
    // of VirtualBox and VMware.
    const REMOTE: [i128; 11] = [
        0x6969,
        0x517b,
        0xff53_4d42,
        0xfe53_4d42,
        0x0102_1997,
        0x00c3_6400,
        0x5346_414f,
        0x7375_7245,
        0x6573_5546,
        0x786f_4256,
        0xbacb_acbc,
    ];
    // The type of the number depends on the architecture, and so does its sign.
    let number = i128::from(rustix::fs::statfs(directory)?.f_type) & 0xffff_ffff;
    Ok(match number {
        OVERLAY => Storage::Container,
        _ if MEMORY.contains(&number) => Storage::Memory,
        _ if REMOTE.contains(&number) => Storage::Remote,
        _ => Storage::Disk,
    })
}

/// Makes changes in a directory durable.
pub fn sync_directory(directory: &Directory) -> io::Result<()> {
    Ok(rustix::fs::fsync(open_directory_to_read(directory, ".".as_ref())?)?)
}

/// Makes all files of a directory's file system durable at once, which takes half as long as one by one. Without a
/// directory, only returns whether the system can.
pub fn make_all_durable(directory: Option<&Directory>) -> io::Result<bool> {
    if let Some(directory) = directory {
        rustix::fs::syncfs(open_directory_to_read(directory, ".".as_ref())?)?;
    }
    Ok(true)
}

/// Returns the time since another process started this one, to a hundredth of a second; `None` if it is unknown.
pub fn process_age() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain blanks. The start is the twentieth word after it.
    let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let (seconds, hundredths) = uptime.split_whitespace().next()?.split_once('.')?;
    let up = Duration::from_millis(seconds.parse::<u64>().ok()? * 1_000 + hundredths.parse::<u64>().ok()? * 10);
    // The kernel reports times in this unit on every architecture.
    up.checked_sub(Duration::from_millis(ticks * 10))
}

/// Returns the reason why a file cannot be replaced or removed although its directory may be written.
pub fn fixed(directory: &Directory, name: &OsStr) -> Option<&'static str> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    // Without the call, the attempt to replace the file fails.
    let attributes = statx(directory, name, flags, StatxFlags::TYPE).ok()?.stx_attributes;
    [
        (StatxAttributes::MOUNT_ROOT, "is a mount point"),
        (StatxAttributes::IMMUTABLE, "must not be changed (chattr +i)"),
        (StatxAttributes::APPEND, "must only be appended to (chattr +a)"),
    ]
    .into_iter()
    .find_map(|(attribute, problem)| attributes.contains(attribute).then_some(problem))
}

/// Returns whether names may only be added to a directory (`chattr +a`).
pub fn only_adds(directory: &Directory) -> bool {
    let attributes = statx(directory, "", AtFlags::EMPTY_PATH, StatxFlags::TYPE).map(|stat| stat.stx_attributes);
    attributes.is_ok_and(|attributes| attributes.contains(StatxAttributes::APPEND))
}

/// Returns the names of those files that a process has open for writing now.
///
/// A descriptor is identified by the current name of its file, so the names must be unique. Processes of other users or
/// other PID namespaces, and mappings with a closed descriptor, are not detected.
///
/// Costs one look-up per descriptor of each process of this user; nothing without names.
pub fn open_for_writing(files: &BTreeMap<OsString, PathBuf>) -> BTreeSet<OsString> {
    let mut open = BTreeSet::new();
    if files.is_empty() {
        return open;
    }
    // An unreadable process belongs to another user, or has ended.
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let is_process = process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
        let descriptors = is_process.then(|| fs::read_dir(process.path().join("fd")).ok()).flatten();
        for descriptor in descriptors.into_iter().flatten().flatten() {
            let Ok(target) = fs::read_link(descriptor.path()) else { continue };
            let Some((name, _)) = target.file_name().and_then(|name| files.get_key_value::<OsStr>(name)) else {
                continue;
            };
            if writes(&process.path().join("fdinfo").join(descriptor.file_name())) {
                open.insert(name.clone());
            }
        }
    }
    open
}

/// Returns whether a descriptor is open for writing; true if that is unknown.
fn writes(info: &Path) -> bool {
    let Ok(info) = fs::read_to_string(info) else { return false };
    let flags = info.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
    // The lowest two bits are 0 for reading only.
    flags.is_none_or(|flags| flags & 0o3 != 0)
}
