//! Haystacks: generated from a seed, or made of sources that are on every machine that builds the workspace.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;
use std::{env, fs};

use memchr::memmem;

/// A text to search. Clones share it.
#[derive(Clone, Debug)]
pub struct Text {
    text: Rc<str>,
    starts: Rc<[usize]>,
}

impl Text {
    /// Makes a haystack of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text: text.into(), starts }
    }

    /// Returns the whole text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines, without an empty last one.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.starts.len() - usize::from(self.text.ends_with('\n'))
    }

    /// Returns `count` lines from line `from` (from 0), with their start.
    #[must_use]
    pub fn block(&self, from: usize, count: usize) -> Block<'_> {
        let start = self.starts[from];
        let end = self.starts.get(from + count).map_or(self.text.len(), |next| next - 1);
        Block { start, text: &self.text[start..end] }
    }

    /// Returns the first block of `count` lines at or below the middle that begins and ends with a unique line with
    /// enough text, like the lines of a careful edit.
    ///
    /// # Panics
    ///
    /// Panics if there is none.
    #[must_use]
    pub fn clear_block(&self, count: usize) -> Block<'_> {
        let last = self.lines() - count;
        let middle = (self.lines() / 2).min(last);
        let from = (middle..=last)
            .find(|from| self.is_clear(*from) && self.is_clear(from + count - 1))
            .expect("the text has a block that begins and ends with lines of its own");
        self.block(from, count)
    }

    /// Returns whether a line is unique and has enough text.
    fn is_clear(&self, line: usize) -> bool {
        let line = self.block(line, 1).text.trim();
        line.len() >= 12 && memmem::find_iter(self.text.as_bytes(), line).nth(1).is_none()
    }
}

/// Some whole lines of a haystack, without the last one's `\n`.
#[derive(Clone, Copy, Debug)]
pub struct Block<'t> {
    /// Offset of the first byte in the haystack.
    pub start: usize,
    /// The lines.
    pub text: &'t str,
}

impl Block<'_> {
    /// Returns the offset after the last byte.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// A fixed sequence of numbers that look random: `SplitMix64`, the shortest generator that is good enough.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        usize::try_from(mixed % (bound as u64)).unwrap_or(0)
    }

    /// Returns one of `items`.
    pub fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// Returns a text of `length` randomly picked `items`.
    pub fn text(&mut self, length: usize, items: &[&str]) -> String {
        (0..length).map(|_| self.pick(items)).collect()
    }
}

const WORDS: &[&str] =
    &["value", "count", "index", "flush", "node", "self", "range", "parse", "token", "state", "buffer", "merge", "key"];

/// Makes `lines` lines of code, about 39 bytes each: few words, a unique number of six digits, up to four levels of
/// indentation, and every seventh line a frequent one.
#[must_use]
pub fn code(lines: usize) -> Text {
    code_of(lines, WORDS, [" = ", ".", "(", ", ", ");"])
}

/// Makes `lines` lines like those of [`code`], but with letters and signs outside ASCII.
#[must_use]
pub fn unicode(lines: usize) -> Text {
    let words = [
        "значение",
        "счёт",
        "индекс",
        "größe",
        "café",
        "übergabe",
        "変数",
        "関数",
        "😀",
        "naïve",
        "“цитата”",
        "l’état",
    ];
    code_of(lines, &words, [" = ", "·", "(“", "”, ", ");"])
}

fn code_of(lines: usize, words: &[&str], signs: [&str; 5]) -> Text {
    let mut random = Random::new(5);
    let [is, dot, open, comma, close] = signs;
    let mut text = String::new();
    for line in 0..lines {
        if line % 7 == 0 {
            text.push_str(["}", "", "    return;"][line % 3]);
        } else {
            let indent = "    ".repeat(random.below(5));
            let [name, object, method, argument] = std::array::from_fn(|_| random.pick(words));
            // With consecutive numbers, the lines of a longer text would have longer common starts than those of a
            // shorter one.
            let (own, number) = (line * 386_117 % 1_000_003, line % 97);
            let _ =
                write!(text, "{indent}{name}_{own:06}{is}{object}{dot}{method}{open}{argument}{comma}{number}{close}");
        }
        text.push('\n');
    }
    Text::new(&text)
}

/// Makes random text of three letters and blanks, `lines` lines of about 20 bytes, in which every short text occurs
/// thousands of times.
#[must_use]
pub fn tiny_alphabet(lines: usize) -> Text {
    let mut random = Random::new(7);
    let mut text = String::new();
    for _ in 0..lines {
        let length = 8 + random.below(24);
        text.push_str(&random.text(length, &["a", "b", "c", " "]));
        text.push('\n');
    }
    Text::new(&text)
}

/// Makes words separated by single spaces, until the text has `bytes` bytes.
#[must_use]
pub fn words(bytes: usize) -> String {
    let mut random = Random::new(9);
    let mut text = String::new();
    while text.len() < bytes {
        let number = text.len() % 9973;
        let _ = write!(text, "{}{number} ", random.pick(WORDS));
    }
    text
}

/// Makes a text of real code: Rust sources of the workspace's dependencies, the largest file first, until the text has
/// `bytes` bytes.
///
/// # Panics
///
/// Panics if cargo does not know the packages' folders, or their sources are too short.
#[must_use]
pub fn sources(bytes: usize) -> Text {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo can be started");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let mut text = String::new();
    for name in ["clap_builder", "memchr", "serde_core", "criterion", "inventory"] {
        let paths = rust_files(&folder_of(name, &metadata));
        let mut files: Vec<String> = paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.len()));
        for file in files {
            text.push_str(&file);
            if text.len() >= bytes {
                return Text::new(&text);
            }
        }
    }
    panic!("the dependencies have only {} bytes of source", text.len());
}

/// Returns the folder with the sources of a package.
fn folder_of(name: &str, metadata: &serde_json::Value) -> PathBuf {
    let package = metadata["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|package| package["name"] == name))
        .expect("the package is a dependency of the workspace");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("a manifest has a folder").join("src")
}

fn rust_files(folder: &PathBuf) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("sources of a dependency can be read").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            files.append(&mut rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
