//! Calls of Windows with their safety rules; the only `unsafe` of this crate.
//!
//! Files are opened by the native interface, because only it accepts a directory to start from. It takes names
//! literally: no separators, no device names, and nothing is dropped at their ends.
#![expect(unsafe_code, reason = "the calls of the system are unsafe")]

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::mem::{size_of, size_of_val};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Wdk::Foundation::OBJECT_ATTRIBUTES;
use windows_sys::Wdk::Storage::FileSystem::{
    FILE_SYNCHRONOUS_IO_NONALERT, FileDispositionInformation, FileDispositionInformationEx, FileLinkInformation,
    FileRenameInformation, FileRenameInformationEx, NtCreateFile, NtSetInformationFile,
};
use windows_sys::Win32::Foundation::{
    ERROR_LOCK_VIOLATION, HANDLE, NTSTATUS, OBJ_CASE_INSENSITIVE, RtlNtStatusToDosError, STATUS_DELETE_PENDING,
    STATUS_INVALID_DEVICE_REQUEST, STATUS_INVALID_INFO_CLASS, STATUS_INVALID_PARAMETER, STATUS_NOT_IMPLEMENTED,
    STATUS_NOT_SUPPORTED, STATUS_SHARING_VIOLATION, UNICODE_STRING,
};
use windows_sys::Win32::Security::{DACL_SECURITY_INFORMATION, GetKernelObjectSecurity, SetKernelObjectSecurity};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO,
    FILE_BASIC_INFO, FileAttributeTagInfo, FileBasicInfo, FileFullDirectoryInfo, FileFullDirectoryRestartInfo,
    FileStreamInfo, FlushFileBuffers, GetDiskFreeSpaceExW, GetDriveTypeW, GetFileInformationByHandle,
    GetFileInformationByHandleEx, GetFinalPathNameByHandleW, LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY,
    LockFileEx, SYNCHRONIZE, SetFileInformationByHandle, UnlockFileEx,
};
use windows_sys::Win32::System::IO::{IO_STATUS_BLOCK, OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::Pipes::PeekNamedPipe;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

use crate::storage::Storage;

/// The status of a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Status(NTSTATUS);

impl Status {
    /// Returns whether another program has the file open in a conflicting mode.
    pub(super) const fn is_held(self) -> bool {
        self.0 == STATUS_SHARING_VIOLATION
    }

    /// Returns whether the name disappears once the programs with the file open close it.
    pub(super) const fn is_delete_pending(self) -> bool {
        self.0 == STATUS_DELETE_PENDING
    }

    /// Returns whether the file system does not support the call.
    pub(super) const fn is_unknown(self) -> bool {
        matches!(
            self.0,
            STATUS_INVALID_DEVICE_REQUEST
                | STATUS_INVALID_INFO_CLASS
                | STATUS_INVALID_PARAMETER
                | STATUS_NOT_IMPLEMENTED
                | STATUS_NOT_SUPPORTED
        )
    }
}

impl From<Status> for io::Error {
    fn from(status: Status) -> Self {
        // SAFETY: the call accepts any number.
        let code = unsafe { RtlNtStatusToDosError(status.0) };
        Self::from_raw_os_error(code.cast_signed())
    }
}

/// The parameters to open an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) access: u32,
    /// The access that other programs keep.
    pub(super) share: u32,
    pub(super) disposition: u32,
    pub(super) options: u32,
}

/// Opens or creates the object `name` below `from`: a directory, or a file with this stream. Without `from`, the name
/// is a whole path of the native interface.
pub(super) fn open(from: Option<HANDLE>, name: &[u16], how: How) -> Result<OwnedHandle, Status> {
    let Ok(length) = u16::try_from(size_of_val(name)) else {
        return Err(Status(windows_sys::Win32::Foundation::STATUS_OBJECT_NAME_INVALID));
    };
    let name = UNICODE_STRING { Length: length, MaximumLength: length, Buffer: name.as_ptr().cast_mut() };
    let attributes = OBJECT_ATTRIBUTES {
        Length: u32::try_from(size_of::<OBJECT_ATTRIBUTES>()).unwrap_or(0),
        RootDirectory: from.unwrap_or(null_mut()),
        ObjectName: &raw const name,
        Attributes: OBJ_CASE_INSENSITIVE,
        SecurityDescriptor: null(),
        SecurityQualityOfService: null(),
    };
    let mut handle = null_mut();
    let mut block = IO_STATUS_BLOCK::default();
    // SAFETY: all pointers are valid until the call returns, and the call is synchronous, so it is finished then.
    let status = unsafe {
        NtCreateFile(
            &raw mut handle,
            how.access | SYNCHRONIZE,
            &raw const attributes,
            &raw mut block,
            null(),
            FILE_ATTRIBUTE_NORMAL,
            how.share,
            how.disposition,
            how.options | FILE_SYNCHRONOUS_IO_NONALERT,
            null(),
            0,
        )
    };
    // SAFETY: the call succeeded, so the handle is open and owned by this code.
    if status >= 0 { Ok(unsafe { OwnedHandle::from_raw_handle(handle) }) } else { Err(Status(status)) }
}

/// Returns the attributes of an open object, and its reparse tag if it has one.
pub(super) fn tag(handle: &impl AsRawHandle) -> io::Result<(u32, Option<u32>)> {
    let mut info = FILE_ATTRIBUTE_TAG_INFO::default();
    get(handle, FileAttributeTagInfo, &mut info)?;
    let is_point = info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT != 0;
    Ok((info.FileAttributes, is_point.then_some(info.ReparseTag)))
}

/// Returns times and attributes of an open object.
pub(super) fn basic(handle: &impl AsRawHandle) -> io::Result<FILE_BASIC_INFO> {
    let mut info = FILE_BASIC_INFO::default();
    get(handle, FileBasicInfo, &mut info)?;
    Ok(info)
}

/// Sets times and attributes, except those that are 0.
pub(super) fn set_basic(handle: &impl AsRawHandle, info: &FILE_BASIC_INFO) -> io::Result<()> {
    let size = u32::try_from(size_of::<FILE_BASIC_INFO>()).unwrap_or(0);
    // SAFETY: the structure belongs to this class, and the size is correct.
    done(unsafe {
        SetFileInformationByHandle(handle.as_raw_handle(), FileBasicInfo, std::ptr::from_ref(info).cast(), size)
    })
}

fn get<T>(handle: &impl AsRawHandle, class: i32, info: &mut T) -> io::Result<()> {
    let size = u32::try_from(size_of::<T>()).unwrap_or(0);
    // SAFETY: the callers pass the structure of the class, which has only numbers.
    done(unsafe { GetFileInformationByHandleEx(handle.as_raw_handle(), class, std::ptr::from_mut(info).cast(), size) })
}

/// Returns identity, size and number of hard links of an open object.
pub(super) fn identity(handle: &impl AsRawHandle) -> io::Result<BY_HANDLE_FILE_INFORMATION> {
    let mut info = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the structure is the one of this call.
    done(unsafe { GetFileInformationByHandle(handle.as_raw_handle(), &raw mut info) })?;
    Ok(info)
}

/// Returns the path of an open object in the system's spelling, in the form without a length limit.
pub(super) fn path(handle: &impl AsRawHandle) -> io::Result<Vec<u16>> {
    let mut path = vec![0; 512];
    loop {
        let room = u32::try_from(path.len()).unwrap_or(u32::MAX);
        // SAFETY: the buffer has the given length.
        let length = unsafe { GetFinalPathNameByHandleW(handle.as_raw_handle(), path.as_mut_ptr(), room, 0) };
        match length as usize {
            0 => return Err(io::Error::last_os_error()),
            length if length < path.len() => {
                path.truncate(length);
                return Ok(path);
            }
            length => path.resize(length + 1, 0),
        }
    }
}

/// Calls `each` with every entry that the system lists for a class of a handle: with the bytes from its start to the
/// end of the list.
///
/// `again` is the class for the next parts of a list that has several.
fn list(handle: &impl AsRawHandle, first: i32, again: Option<i32>, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, ERROR_MORE_DATA, ERROR_NO_MORE_FILES};
    let mut room = vec![0_u64; 1 << 13];
    let mut class = first;
    loop {
        let size = u32::try_from(size_of::<u64>() * room.len()).unwrap_or(u32::MAX);
        // SAFETY: the buffer has the given length, and the alignment that every class needs.
        let is_listed = done(unsafe {
            GetFileInformationByHandleEx(handle.as_raw_handle(), class, room.as_mut_ptr().cast(), size)
        });
        match is_listed {
            Ok(()) => {}
            Err(error) => match error.raw_os_error().map(i32::cast_unsigned) {
                Some(ERROR_NO_MORE_FILES | ERROR_HANDLE_EOF) => return Ok(()),
                Some(ERROR_MORE_DATA) if again.is_none() && room.len() < 1 << 20 => {
                    room.resize(2 * room.len(), 0);
                    continue;
                }
                _ => return Err(error),
            },
        }
        // SAFETY: the numbers are initialized, and any bytes are valid.
        let bytes = unsafe { std::slice::from_raw_parts(room.as_ptr().cast::<u8>(), size as usize) };
        let mut at = 0;
        loop {
            each(&bytes[at..]);
            match number(&bytes[at..], 0) {
                0 => break,
                next => at += next as usize,
            }
        }
        match again {
            Some(again) => class = again,
            None => return Ok(()),
        }
    }
}

/// Returns the four-byte number at an offset.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|it| it.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Returns the text of `length` bytes at an offset.
fn text(bytes: &[u8], at: usize, length: u32) -> Vec<u16> {
    let bytes = bytes.get(at..at + length as usize).unwrap_or_default();
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// Returns the names in a directory.
pub(super) fn names(directory: &impl AsRawHandle) -> io::Result<Vec<Vec<u16>>> {
    use windows_sys::Win32::Storage::FileSystem::FILE_FULL_DIR_INFO as Entry;
    let mut names = Vec::new();
    list(directory, FileFullDirectoryRestartInfo, Some(FileFullDirectoryInfo), |entry| {
        let length = number(entry, std::mem::offset_of!(Entry, FileNameLength));
        names.push(text(entry, std::mem::offset_of!(Entry, FileName), length));
    })?;
    Ok(names)
}

/// Returns the names of the streams of a file, including its unnamed one.
pub(super) fn streams(file: &File) -> io::Result<Vec<Vec<u16>>> {
    use windows_sys::Win32::Storage::FileSystem::FILE_STREAM_INFO as Entry;
    let mut names = Vec::new();
    list(file, FileStreamInfo, None, |entry| {
        let length = number(entry, std::mem::offset_of!(Entry, StreamNameLength));
        names.push(text(entry, std::mem::offset_of!(Entry, StreamName), length));
    })?;
    Ok(names)
}

/// Renames an open object to `name` in `directory`.
///
/// With `replaces`, an object of that name loses it, even if other programs have it open; the name always refers to one
/// of the two. If the file system does not support that, no program may have it open, and `before_old` is called first.
pub(super) fn rename(
    handle: &OwnedHandle,
    directory: HANDLE,
    name: &[u16],
    replaces: bool,
    before_old: impl FnOnce(),
) -> Result<(), Status> {
    use windows_sys::Wdk::Storage::FileSystem::{
        FILE_RENAME_IGNORE_READONLY_ATTRIBUTE, FILE_RENAME_POSIX_SEMANTICS, FILE_RENAME_REPLACE_IF_EXISTS,
    };
    let replace = if replaces { FILE_RENAME_REPLACE_IF_EXISTS } else { 0 };
    let flags = replace | FILE_RENAME_POSIX_SEMANTICS | FILE_RENAME_IGNORE_READONLY_ATTRIBUTE;
    match set_name(handle, directory, name, flags, FileRenameInformationEx) {
        Err(status) if status.is_unknown() => {
            before_old();
            set_name(handle, directory, name, replace, FileRenameInformation)
        }
        done => done,
    }
}

/// Gives an open object a second name that does not exist.
pub(super) fn link(handle: &OwnedHandle, directory: HANDLE, name: &[u16]) -> Result<(), Status> {
    set_name(handle, directory, name, 0, FileLinkInformation)
}

fn set_name(handle: &OwnedHandle, directory: HANDLE, name: &[u16], flags: u32, class: i32) -> Result<(), Status> {
    use windows_sys::Wdk::Storage::FileSystem::FILE_RENAME_INFORMATION as Info;
    let at = std::mem::offset_of!(Info, FileName);
    let length = size_of_val(name);
    let size = (at + length).max(size_of::<Info>());
    let mut room = vec![0_u64; size.div_ceil(size_of::<u64>())];
    let info = room.as_mut_ptr().cast::<Info>();
    // SAFETY: the buffer has room for the structure and the name after it, with the required alignment. If the class
    // has a boolean instead of flags, it is their first byte, and they are 0 or 1.
    unsafe {
        (*info).Anonymous.Flags = flags;
        (*info).RootDirectory = directory;
        (*info).FileNameLength = u32::try_from(length).unwrap_or(u32::MAX);
        std::ptr::copy_nonoverlapping(name.as_ptr().cast::<u8>(), info.cast::<u8>().add(at), length);
    }
    set(handle, class, info.cast(), size)
}

/// Removes the name by which an object was opened, even if other programs have it open, if the file system supports
/// that.
pub(super) fn remove(handle: &OwnedHandle) -> Result<(), Status> {
    use windows_sys::Wdk::Storage::FileSystem::{
        FILE_DISPOSITION_DELETE, FILE_DISPOSITION_IGNORE_READONLY_ATTRIBUTE, FILE_DISPOSITION_POSIX_SEMANTICS,
    };
    let flags: u32 =
        FILE_DISPOSITION_DELETE | FILE_DISPOSITION_POSIX_SEMANTICS | FILE_DISPOSITION_IGNORE_READONLY_ATTRIBUTE;
    match set(handle, FileDispositionInformationEx, std::ptr::from_ref(&flags).cast(), size_of::<u32>()) {
        Err(status) if status.is_unknown() => {
            set(handle, FileDispositionInformation, std::ptr::from_ref(&1_u8).cast(), 1)
        }
        done => done,
    }
}

fn set(handle: &OwnedHandle, class: i32, info: *const c_void, size: usize) -> Result<(), Status> {
    let mut block = IO_STATUS_BLOCK::default();
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    // SAFETY: the callers pass the structure of the class with its size; the handle is synchronous.
    let status = unsafe { NtSetInformationFile(handle.as_raw_handle(), &raw mut block, info, size, class) };
    if status >= 0 { Ok(()) } else { Err(Status(status)) }
}

/// Returns the access list of an open object.
pub(super) fn access(handle: &impl AsRawHandle) -> io::Result<Vec<u8>> {
    let mut room: Vec<u64> = Vec::new();
    loop {
        let size = u32::try_from(size_of::<u64>() * room.len()).unwrap_or(u32::MAX);
        let mut needed = 0;
        // SAFETY: the buffer has the given length, and the alignment of the structure.
        let is_read = done(unsafe {
            GetKernelObjectSecurity(
                handle.as_raw_handle(),
                DACL_SECURITY_INFORMATION,
                room.as_mut_ptr().cast(),
                size,
                &raw mut needed,
            )
        });
        match is_read {
            Err(error) if needed <= size => return Err(error),
            Err(_) => room = vec![0; (needed as usize).div_ceil(size_of::<u64>())],
            Ok(()) => {
                let bytes = room.iter().flat_map(|it| it.to_ne_bytes());
                return Ok(bytes.take(needed.min(size) as usize).collect());
            }
        }
    }
}

/// Sets the access list of an open object, in the form of [`access`].
pub(super) fn set_access(handle: &impl AsRawHandle, access: &[u8]) -> io::Result<()> {
    use windows_sys::Win32::Security::{GetSecurityDescriptorLength, IsValidSecurityDescriptor};
    let mut room = vec![0_u64; access.len().div_ceil(size_of::<u64>()).max(8)];
    // SAFETY: the buffer has room for the bytes.
    unsafe { std::ptr::copy_nonoverlapping(access.as_ptr(), room.as_mut_ptr().cast::<u8>(), access.len()) };
    let descriptor = room.as_mut_ptr().cast();
    // SAFETY: the bytes are those of the system, or those of a journal with a correct checksum; they are validated
    // before use.
    unsafe {
        let is_whole = IsValidSecurityDescriptor(descriptor) != 0
            && GetSecurityDescriptorLength(descriptor) as usize <= access.len();
        if !is_whole {
            return Err(io::ErrorKind::InvalidData.into());
        }
        done(SetKernelObjectSecurity(handle.as_raw_handle(), DACL_SECURITY_INFORMATION, descriptor))
    }
}

/// Makes data written by a handle durable.
pub(super) fn flush(handle: &impl AsRawHandle) -> io::Result<()> {
    // SAFETY: the handle is open.
    done(unsafe { FlushFileBuffers(handle.as_raw_handle()) })
}

/// The locked byte: after every text, because other programs cannot read a locked byte.
const LOCKED: OVERLAPPED_0_0 = OVERLAPPED_0_0 { Offset: u32::MAX - 1, OffsetHigh: u32::MAX >> 1 };

fn locked() -> OVERLAPPED {
    OVERLAPPED { Anonymous: OVERLAPPED_0 { Anonymous: LOCKED }, ..OVERLAPPED::default() }
}

/// Takes the lock of a file; returns false if it is held and `waits` is false.
pub(super) fn lock(file: &File, waits: bool) -> io::Result<bool> {
    let flags = LOCKFILE_EXCLUSIVE_LOCK | if waits { 0 } else { LOCKFILE_FAIL_IMMEDIATELY };
    let mut at = locked();
    // SAFETY: the handle is synchronous, so the call is finished when it returns.
    match done(unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut at) }) {
        Err(error) if error.raw_os_error().map(i32::cast_unsigned) == Some(ERROR_LOCK_VIOLATION) => Ok(false),
        done => done.map(|()| true),
    }
}

/// Releases the lock of a file.
pub(super) fn unlock(file: &File) -> io::Result<()> {
    let mut at = locked();
    // SAFETY: as in `lock`.
    done(unsafe { UnlockFileEx(file.as_raw_handle(), 0, 1, 0, &raw mut at) })
}

/// Ends this process.
pub(super) fn end() {
    // SAFETY: every process has this handle of itself.
    unsafe { TerminateProcess(GetCurrentProcess(), 9) };
}

/// Returns the space that this user can still write to a directory's file system, in bytes.
pub(super) fn free_space(directory: &[u16]) -> io::Result<u64> {
    let name: Vec<u16> = directory.iter().copied().chain([0]).collect();
    let mut free = 0;
    // SAFETY: the name ends with a zero; only one of the three results is requested.
    done(unsafe { GetDiskFreeSpaceExW(name.as_ptr(), &raw mut free, null_mut(), null_mut()) })?;
    Ok(free)
}

/// Returns the kind of storage of a drive, from its root such as `C:\`.
pub(super) fn storage_of_drive(root: &[u16]) -> Storage {
    const DRIVE_REMOTE: u32 = 4;
    const DRIVE_RAMDISK: u32 = 6;
    let name: Vec<u16> = root.iter().copied().chain([0]).collect();
    // SAFETY: the name ends with a zero.
    match unsafe { GetDriveTypeW(name.as_ptr()) } {
        DRIVE_REMOTE => Storage::Remote,
        DRIVE_RAMDISK => Storage::Memory,
        _ => Storage::Disk,
    }
}

/// Returns the number of readable bytes in a pipe.
pub(super) fn waiting(pipe: &impl AsRawHandle) -> io::Result<u32> {
    let mut waiting = 0;
    // SAFETY: the call only counts the bytes.
    done(unsafe { PeekNamedPipe(pipe.as_raw_handle(), null_mut(), 0, null_mut(), &raw mut waiting, null_mut()) })?;
    Ok(waiting)
}

/// Makes a job of a process and its future children. They end with the last handle of the job, so at the latest with
/// this process, however it ends, unless [`let_go`] was called.
pub(super) fn job(process: &impl AsRawHandle) -> io::Result<OwnedHandle> {
    // SAFETY: there are no attributes and no name.
    let job = unsafe { CreateJobObjectW(null(), null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call succeeded, so the handle is open and owned by this code.
    let job = unsafe { OwnedHandle::from_raw_handle(job) };
    limit(&job, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)?;
    // SAFETY: both handles are open.
    done(unsafe { AssignProcessToJobObject(job.as_raw_handle(), process.as_raw_handle()) })?;
    Ok(job)
}

/// Lets the processes of a job outlive this process.
pub(super) fn let_go(job: &OwnedHandle) -> io::Result<()> {
    limit(job, 0)
}

fn limit(job: &OwnedHandle, flags: u32) -> io::Result<()> {
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = flags;
    let size = u32::try_from(size_of_val(&limits)).unwrap_or(0);
    let class = JobObjectExtendedLimitInformation;
    // SAFETY: the structure belongs to this class, and the size is correct.
    done(unsafe { SetInformationJobObject(job.as_raw_handle(), class, (&raw const limits).cast(), size) })
}

/// Ends all processes of a job.
pub(super) fn end_job(job: &OwnedHandle) -> io::Result<()> {
    // SAFETY: the handle is open.
    done(unsafe { TerminateJobObject(job.as_raw_handle(), 1) })
}

fn done(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
