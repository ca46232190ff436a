//! Flags and mode bits, whose types and values differ between Linux and macOS.

use rustix::fs::{OFlags, RawMode};

/// Flags for a directory that only serves as a starting point: without read permission, if the system allows that.
#[cfg(any(target_os = "linux", target_os = "android"))]
const AS_START: OFlags = OFlags::PATH;
#[cfg(target_vendor = "apple")]
const AS_START: OFlags = OFlags::RDONLY;

/// The same, with the flags of every directory.
pub(crate) const STARTING_POINT: OFlags =
    AS_START.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) const fn bits(mode: RawMode) -> u32 {
    mode
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) const fn raw(bits: u32) -> RawMode {
    bits
}

#[cfg(target_vendor = "apple")]
pub(crate) const fn bits(mode: RawMode) -> u32 {
    mode as u32
}

#[cfg(target_vendor = "apple")]
#[expect(clippy::cast_possible_truncation, reason = "there are sixteen bits")]
pub(crate) const fn raw(bits: u32) -> RawMode {
    bits as RawMode
}
