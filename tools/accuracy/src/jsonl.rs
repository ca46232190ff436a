//! Files of JSON lines, and documents with generated parts.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::run::root;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Reads every object of a `.jsonl` or `.jsonl.gz` file; skips blank lines.
pub(crate) fn load(path: &Path) -> Result<Vec<Value>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn Read> = if is_compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let lines = BufReader::new(reader).lines().enumerate();
    let lines = lines.filter(|(_, line)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
    let parse = |line: std::io::Result<String>| Ok::<_, anyhow::Error>(serde_json::from_str(&line?)?);
    lines.map(|(at, line)| parse(line).with_context(|| format!("{}, line {}", path.display(), at + 1))).collect()
}

/// Writes values to a file, one a line.
pub(crate) fn save(path: &Path, lines: impl IntoIterator<Item = impl Display>) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        lines.into_iter().try_for_each(|line| writeln!(file, "{line}"))?;
        file.flush()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Returns a text field, or an error that names it.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("case {} has no text {key:?}", value["id"]))
}

/// Returns the SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// Rewrites some tables of a document, each `(name, body)`; keeps the text around them.
pub(crate) fn write_tables<'t>(
    document: &str,
    command: &str,
    tables: impl IntoIterator<Item = (&'t str, String)>,
) -> Result<()> {
    let path = root().join(document);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {document}"))?;
    let text = tables.into_iter().try_fold(text, |text, (name, body)| replace_block(&text, name, command, &body));
    fs::write(&path, text.with_context(|| document.to_owned())?).with_context(|| format!("cannot write {document}"))?;
    eprintln!("{document} written");
    Ok(())
}
