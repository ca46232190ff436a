//! Confirms that objects are missing: git says so of every object that it cannot read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;
use fuzzy_system as sys;

use crate::files::{below, own};
use crate::worktree::Worktree;
use crate::{Error, Oid, Result, hash, unreadable};

/// The number of object stores that lend to each other, at most; git has the same bound.
const LENDERS: usize = 5;
/// The length of the header of a pack's index, and of the table that follows, in bytes.
const HEADER: u64 = 8;
const TABLE: u64 = 4 * 256;

impl Worktree {
    /// Makes sure that none of `oids` is in the store or can be borrowed.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Unreadable`] if one of them is there, so that git failed to read it, or may be there.
    pub(crate) fn confirm_missing(&self, oids: &[Oid]) -> Result<()> {
        if oids.is_empty() {
            return Ok(());
        }
        let mut stores = vec![self.store_objects()];
        stores.extend(self.found.lends.clone());
        let mut at = 0;
        while let Some(store) = stores.get(at).filter(|_| at < LENDERS) {
            let listed = own(&store.join("info/alternates"))?.unwrap_or_default();
            let lines = listed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && line[0] != b'#');
            let lenders: Vec<PathBuf> = lines.map(|line| store.join(sys::path_of(line.to_vec()))).collect();
            // Git ignores a lender that does not exist.
            stores.extend(lenders.into_iter().filter(|dir| dir.is_dir()));
            at += 1;
        }
        stores.iter().try_for_each(|store| lacks(store, &self.found.format, oids))
    }

    /// Makes sure that none of `oids` is in the store itself.
    ///
    /// # Errors
    ///
    /// As [`Worktree::confirm_missing`].
    pub(crate) fn confirm_not_own(&self, oids: &[Oid]) -> Result<()> {
        if oids.is_empty() { Ok(()) } else { lacks(&self.store_objects(), &self.found.format, oids) }
    }
}

/// Makes sure that an object store has none of `oids`.
fn lacks(objects: &Path, format: &str, oids: &[Oid]) -> Result<()> {
    // A directory that is away says nothing about the objects in it.
    std::fs::read_dir(objects).map_err(Error::unreadable(objects))?;
    let mut packs = Vec::new();
    for (name, path) in below(&objects.join("pack"))? {
        if name.starts_with("pack-") && path.extension().is_some_and(|kind| kind == "idx") {
            let mut index = File::open(&path).map_err(Error::unreadable(&path))?;
            let pack = path.with_extension("pack");
            match File::open(&pack) {
                // Git ignores an index without its pack.
                Err(error) if unreadable::means_absent(&error) => continue,
                opened => drop(opened.map_err(Error::unreadable(&pack))?),
            }
            let table = Table::read(&mut index).map_err(Error::unreadable(&path))?;
            packs.push((path, index, table));
        }
    }
    for oid in oids {
        let (above, name) = oid.as_str().split_at(2);
        let path = objects.join(above).join(name);
        match sys::open_regular(&path, false) {
            Err(error) if unreadable::means_absent(&error) => {}
            file => {
                if file.and_then(|file| is_whole(file, format, oid)).map_err(Error::unreadable(&path))? {
                    return Err(Error::damaged(&path, "git did not find this object"));
                }
            }
        }
        for (path, index, table) in &mut packs {
            if table.has(index, &hash::bytes(oid)).map_err(Error::unreadable(&*path))? {
                return Err(Error::damaged(&*path, "git did not find an object of this pack"));
            }
        }
    }
    Ok(())
}

/// Returns whether a loose object has the content of its name.
fn is_whole(mut file: File, format: &str, oid: &Oid) -> io::Result<bool> {
    let (mut packed, mut content) = (Vec::new(), Vec::new());
    file.read_to_end(&mut packed)?;
    let is_read = ZlibDecoder::new(&packed[..]).read_to_end(&mut content).is_ok();
    Ok(is_read && hash::object(format, &content).as_ref() == Some(oid))
}

/// The number of objects in a pack's index whose names begin with a byte, or a smaller one.
struct Table(Vec<u32>);

impl Table {
    fn read(index: &mut File) -> io::Result<Self> {
        let mut head = vec![0; usize::try_from(HEADER + TABLE).unwrap_or_default()];
        index.read_exact(&mut head)?;
        if head[..8] != *b"\xfftOc\0\0\0\x02" {
            return Err(io::Error::other("it has another version than 2"));
        }
        let counts = head[8..].chunks_exact(4).map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]));
        Ok(Self(counts.collect()))
    }

    /// Returns whether the index has an object with this name.
    fn has(&self, index: &mut File, name: &[u8]) -> io::Result<bool> {
        let first = usize::from(name[0]);
        let (mut low, mut high) = (if first == 0 { 0 } else { self.0[first - 1] }, self.0[first]);
        let mut found = vec![0; name.len()];
        while low < high {
            let middle = low + (high - low) / 2;
            index.seek(SeekFrom::Start(HEADER + TABLE + u64::from(middle) * name.len() as u64))?;
            index.read_exact(&mut found)?;
            match found.as_slice().cmp(name) {
                std::cmp::Ordering::Equal => return Ok(true),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(false)
    }
}
