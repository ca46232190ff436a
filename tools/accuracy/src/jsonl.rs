//! Reads JSON lines, plain or compressed, and hashes texts.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use fuzzy_tools::hex::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Reads every object of a `.jsonl` or `.jsonl.gz` file; skips blank lines.
pub(crate) fn load(path: &Path) -> Result<Vec<Value>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let reader: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut values = Vec::new();
    for (index, line) in BufReader::new(reader).lines().enumerate() {
        values.extend(parse(line).with_context(|| format!("{}, line {}", path.display(), index + 1))?);
    }
    Ok(values)
}

/// Returns the object of a line; `None` for a blank line.
fn parse(line: io::Result<String>) -> Result<Option<Value>> {
    let line = line?;
    Ok(if line.trim().is_empty() { None } else { Some(serde_json::from_str(&line)?) })
}

/// Returns a text field, or an error that names it.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("case {} has no text {key:?}", value["id"]))
}

/// Returns the SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes.as_ref()))
}
