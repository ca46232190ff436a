//! A link to the playground with an edit in it, as `playground/page/link.js` reads it.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::json;

/// The address of the page that `fuzzy-edit playground` serves.
pub(crate) const ADDRESS: &str = "http://127.0.0.1:7347/";

/// The most letters of a link's fragment that the playground reads.
pub(crate) const LONGEST: usize = 60_000;

/// The version of the format.
const VERSION: &str = "1";

/// Returns the part of a link after `#`, or why the edit fits in none.
pub(crate) fn fragment(
    file: &str,
    (old, new): (&str, &str),
    replace_all: bool,
    ladder: &str,
) -> Result<String, &'static str> {
    let returns = file.matches('\r').count();
    let pairs = file.matches("\r\n").count();
    // The fields of the page have lines that end in `\n`, and the case says how those of the file end.
    let (file, endings) = match () {
        () if returns == 0 => (file.to_owned(), "lf"),
        () if returns == pairs && pairs == file.matches('\n').count() => (file.replace("\r\n", "\n"), "crlf"),
        () => return Err("the file has several kinds of line endings, which the playground does not keep"),
    };
    // The engine fits the line endings of an edit to those of the file.
    let [old, new] = [old, new].map(|text| text.replace("\r\n", "\n"));
    if old.contains('\r') || new.contains('\r') {
        return Err("the edit has single carriage returns, which the playground does not keep");
    }
    let case = json!([file, old, new, u8::from(replace_all), ladder, endings]);
    let packed = pack(case.to_string().as_bytes()).ok_or("the texts cannot be compressed")?;
    let fragment = format!("{VERSION}.{}", URL_SAFE_NO_PAD.encode(packed));
    if fragment.len() > LONGEST { Err("the texts are too long for a link") } else { Ok(fragment) }
}

fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
