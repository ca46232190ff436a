//! Counts words and openings of sentences that plain English avoids, in comments and documents.
//!
//! `english.toml` has the count of each crate and folder. A count that grows fails, with the sentences; a count that
//! falls must be written there, so that it remains low.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fuzzy_tools::run::root;

use super::markdown::{Fences, apart};
use super::tracked;

/// The recorded counts, by folder.
const RECORD: &str = "xtask/english.toml";

/// Words that hide a verb or a noun of the field, whole and in lower case.
const WORDS: &[&str] = &[
    "told",
    "tell",
    "tells",
    "telling",
    "asked",
    "shown",
    "meant",
    "stand",
    "stands",
    "whoever",
    "nobody",
    "no one",
    "but for",
    "the say",
    "in the stead",
    "in its stead",
    "come",
    "comes",
    "goes",
    "stays",
    "behind",
];

/// First words of a sentence that puts a relative clause, or the rest of a noun, before its subject.
const OPENINGS: &[&str] = &["What", "Of"];

/// Sentences listed for a folder whose count grew.
const LISTED: usize = 20;

/// Fails for every folder whose count is not the recorded one.
pub(super) fn check() -> Result<()> {
    let record = fs::read_to_string(root().join(RECORD)).with_context(|| format!("cannot read {RECORD}"))?;
    let recorded: BTreeMap<String, usize> = toml::from_str(&record).with_context(|| format!("{RECORD} is wrong"))?;
    let names = tracked::names()?;
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in &names {
        if let Some(prose) = Prose::of(name)
            && let Ok(text) = fs::read_to_string(root().join(name))
        {
            found.entry(folder(name, &names)).or_default().extend(suspects(name, &paragraphs(&text, prose)));
        }
    }
    let mut faults = String::new();
    for (folder, sentences) in &found {
        let (now, before) = (sentences.len(), recorded.get(*folder).copied().unwrap_or(0));
        if now > before {
            let _ = writeln!(faults, "{folder}: {now} sentences to rewrite, {before} recorded");
            for sentence in sentences.iter().take(LISTED) {
                let _ = writeln!(faults, "  {sentence}");
            }
        } else if now < before {
            let _ = writeln!(faults, "{folder}: write {now} for {before} in {RECORD}");
        }
    }
    for folder in recorded.keys().filter(|folder| !found.contains_key(folder.as_str())) {
        let _ = writeln!(faults, "{folder} is in {RECORD} and holds no prose");
    }
    if !faults.is_empty() {
        bail!("{}", faults.trim_end());
    }
    Ok(())
}

/// Where a file has its prose.
#[derive(Clone, Copy)]
enum Prose {
    Comments,
    Markdown,
}

impl Prose {
    /// Returns where a tracked file has prose of ours, and nothing for other files.
    fn of(name: &str) -> Option<Self> {
        // Texts of tests, and a record of what was.
        if name.split('/').any(|folder| matches!(folder, "testdata" | "snapshots")) || name == "CHANGELOG.md" {
            return None;
        }
        match Path::new(name).extension()?.to_str()? {
            "rs" => Some(Self::Comments),
            "md" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// Returns the folder of the crate that a file is in, or its first folder.
fn folder<'n>(name: &'n str, names: &[String]) -> &'n str {
    let mut folders = name.rmatch_indices('/').map(|(at, _)| &name[..at]);
    let crates = |folder: &&str| names.contains(&format!("{folder}/Cargo.toml"));
    folders.clone().find(crates).or_else(|| folders.next_back()).unwrap_or(name)
}

/// A paragraph, a list item or a row of a table: its first line, from 1, and its words on one line.
type Paragraph = (usize, String);

/// Splits the prose of a file into paragraphs. Examples of code are left out.
fn paragraphs(text: &str, prose: Prose) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let (mut is_open, mut fences) = (false, Fences::default());
    for (index, line) in text.lines().enumerate() {
        let line = match prose {
            Prose::Markdown => Some(line.trim()),
            Prose::Comments => comment(line),
        };
        let Some(words) = line else {
            (is_open, fences) = (false, Fences::default());
            continue;
        };
        if fences.covers(words) || words.is_empty() {
            is_open = false;
        } else if is_open && !words.starts_with(['|', '-', '#']) {
            let (_, paragraph) = paragraphs.last_mut().expect("an open paragraph is there");
            paragraph.push(' ');
            paragraph.push_str(words);
        } else {
            paragraphs.push((index + 1, words.to_owned()));
            is_open = true;
        }
    }
    paragraphs
}

/// Returns the comment of a line of Rust.
fn comment(line: &str) -> Option<&str> {
    let comment = match line.trim_start().strip_prefix("//") {
        Some(comment) => comment,
        None => line.split_once(" // ")?.1,
    };
    Some(comment.trim_start_matches(['/', '!']).trim())
}

/// Returns the sentences to rewrite, one for each word and opening in it.
fn suspects(name: &str, paragraphs: &[Paragraph]) -> Vec<String> {
    let avoided: Vec<String> = WORDS.iter().copied().map(words).collect();
    let mut suspects = Vec::new();
    for (line, paragraph) in paragraphs {
        let (prose, _) = apart(paragraph);
        for sentence in prose.split_inclusive(['.', '!', '?', ':', ';', '|']) {
            let sentence = sentence.trim_matches(|edge: char| !edge.is_alphanumeric());
            let opens = |opening: &&&str| sentence.strip_prefix(**opening).is_some_and(|rest| rest.starts_with(' '));
            let plain = words(sentence);
            let times = |word: &String| plain.matches(word).count();
            let count = OPENINGS.iter().filter(opens).count() + avoided.iter().map(times).sum::<usize>();
            suspects.extend(std::iter::repeat_n(format!("{name}:{line}: {sentence}"), count));
        }
    }
    suspects
}

/// Returns the words in lower case, with two blanks between them, so that each has blanks of its own.
fn words(sentence: &str) -> String {
    let lower = sentence.to_lowercase();
    let words = lower.split(|mark: char| !mark.is_alphanumeric() && mark != '\'').filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join("  "))
}

#[cfg(test)]
mod tests {
    use super::{Prose, folder, paragraphs, suspects};

    fn count(text: &str, prose: Prose) -> usize {
        suspects("a", &paragraphs(text, prose)).len()
    }

    #[test]
    fn finds_words_and_openings() {
        assert_eq!(count("The edit goes there; nobody is told.", Prose::Markdown), 3);
        assert_eq!(count("What it does. Of two, the first.\n- What else?", Prose::Markdown), 3);
        assert_eq!(count("Every file but\nfor one; no one else.", Prose::Markdown), 2);
        assert_eq!(count("| a | What b |", Prose::Markdown), 1);
    }

    #[test]
    fn leaves_code_and_other_words_alone() {
        assert_eq!(count("`told` and Whatever, forego, Offer, a butler for it.", Prose::Markdown), 0);
        assert_eq!(count("```\nWhat goes\n```\nDo what it does.", Prose::Markdown), 0);
        assert_eq!(count("let told = asked; // plain", Prose::Comments), 0);
    }

    #[test]
    fn reads_comments_across_lines() {
        assert_eq!(count("/// Every file but\n/// for one.\nlet a = 1; // What goes", Prose::Comments), 3);
        assert_eq!(count("//! ```\n//! told\n//! ```\n//! asked", Prose::Comments), 1);
    }

    #[test]
    fn counts_for_the_crate_of_a_file() {
        let names = ["crates/a/b/Cargo.toml", "crates/a/b/src/lib.rs", "docs/x/y.md", "README.md", "Cargo.toml"];
        let names = names.map(str::to_owned);
        assert_eq!(folder("crates/a/b/src/lib.rs", &names), "crates/a/b");
        assert_eq!(folder("docs/x/y.md", &names), "docs");
        assert_eq!(folder("README.md", &names), "README.md");
    }
}
