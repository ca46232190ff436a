//! Computes object ids as git does.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fuzzy_system as sys;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::Oid;

/// The size of a read, in bytes.
const PIECE: usize = 1 << 16;

/// Formats bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// Returns the SHA-256 hash of bytes.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the blob id of a file, or of the target of a symlink; `format` is `sha1` or `sha256`.
pub(crate) fn blob(format: &str, path: &Path, link: bool) -> io::Result<Option<Oid>> {
    if link {
        return content(format, &sys::link_target(path)?);
    }
    file(format, &sys::open_regular(path, false)?)
}

/// Returns the blob id of an open file; `None` if its length is changing.
pub(crate) fn file(format: &str, file: &File) -> io::Result<Option<Oid>> {
    digest_of(format, file.metadata()?.len(), file)
}

/// Returns the blob id of a content.
pub(crate) fn content(format: &str, content: &[u8]) -> io::Result<Option<Oid>> {
    digest_of(format, content.len() as u64, content)
}

/// Returns the id of an object with its header.
pub(crate) fn object(format: &str, text: &[u8]) -> Option<Oid> {
    let name = if format == "sha256" { hex(&Sha256::digest(text)) } else { hex(&Sha1::digest(text)) };
    Oid::new(name).ok()
}

/// Returns the bytes of an object id.
pub(crate) fn bytes(oid: &Oid) -> Vec<u8> {
    let digits = oid.as_str().as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(&String::from_utf8_lossy(pair), 16).unwrap_or_default()).collect()
}

fn digest_of(format: &str, length: u64, content: impl Read) -> io::Result<Option<Oid>> {
    if format == "sha256" { digest::<Sha256>(length, content) } else { digest::<Sha1>(length, content) }
}

/// Returns `None` if the content does not have the given length, because it is growing or shrinking.
fn digest<D: Digest>(length: u64, content: impl Read) -> io::Result<Option<Oid>> {
    let mut digest = D::new();
    digest.update(format!("blob {length}\0"));
    let mut content = content.take(length.saturating_add(1));
    let mut buffer = vec![0; usize::try_from(length.saturating_add(1)).unwrap_or(PIECE).min(PIECE)];
    let mut seen = 0;
    loop {
        let read = content.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        seen += read as u64;
        digest.update(&buffer[..read]);
    }
    Ok(Oid::new(hex(&digest.finalize())).ok().filter(|_| seen == length))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{blob, sys};

    fn name(format: &str, path: &Path, link: bool) -> String {
        blob(format, path, link).expect("read").expect("steady").to_string()
    }

    #[test]
    fn blob_ids_equal_gits() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("file");
        std::fs::write(&file, "hello\n").expect("written");
        assert_eq!(name("sha1", &file, false), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(name("sha256", &file, false), "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
        let link = dir.path().join("link");
        sys::make_link_at(&link, Path::new("hello\n")).expect("linked");
        assert_eq!(name("sha1", &link, true), name("sha1", &file, false));
    }
}
