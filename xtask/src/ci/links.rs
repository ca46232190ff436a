//! Checks that documents lead somewhere: links to files and headings, and paths in backticks.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use fuzzy_tools::run::root;

use super::markdown::{Fences, apart};
use super::tracked;

/// How the paths of the workspace begin that a document may name in backticks.
const FOLDERS: &[&str] =
    &["crates/", "docs/", "xtask/", "tools/", "bindings/", "integrations/", "benches/", "playground/", "examples/"];

/// The document that names paths of the past; only its links are checked.
const HISTORY: &str = "CHANGELOG.md";

/// Fails and names every link and path that leads nowhere.
pub(super) fn check() -> Result<()> {
    let root = root();
    let names = tracked::names()?;
    let names = names.iter().map(String::as_str).filter(|name| root.join(name).exists());
    let tree = Tree::new(names, |name| fs::read_to_string(root.join(name)).unwrap_or_default());
    let broken = tree.faults();
    if !broken.is_empty() {
        bail!("{}", broken.join("; "));
    }
    Ok(())
}

/// The tracked paths, and the documents among them.
struct Tree {
    /// Files and the folders that they are in, without a slash at the end.
    paths: BTreeSet<String>,
    documents: HashMap<String, Document>,
}

impl Tree {
    /// Reads the Markdown among the tracked files.
    fn new<'n>(names: impl Iterator<Item = &'n str>, text: impl Fn(&str) -> String) -> Self {
        let (mut paths, mut documents) = (BTreeSet::new(), HashMap::new());
        for name in names {
            let folders = name.match_indices('/').map(|(at, _)| name[..at].to_owned());
            paths.extend(folders.chain([name.to_owned()]));
            if Path::new(name).extension() == Some(OsStr::new("md")) {
                documents.insert(name.to_owned(), Document::new(&text(name)));
            }
        }
        Self { paths, documents }
    }

    /// Returns a line for each link and path that leads nowhere.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, document) in &self.documents {
            for (line, target) in &document.links {
                if let Some(fault) = self.fault(name, target) {
                    faults.push(format!("{name}:{line}: {fault}"));
                }
            }
            let paths = document.paths.iter().filter(|_| name != HISTORY);
            for (line, path) in paths.filter(|(_, path)| !self.paths.contains(path.trim_end_matches('/'))) {
                faults.push(format!("{name}:{line}: {path} is not tracked"));
            }
        }
        faults.sort_unstable();
        faults
    }

    /// Returns what is wrong with a link in the document of this name.
    fn fault(&self, name: &str, target: &str) -> Option<String> {
        if has_scheme(target) {
            return None;
        }
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let Some(path) = resolve(name, path) else { return Some(format!("{target} leads out of the repository")) };
        if !path.is_empty() && !self.paths.contains(&path) {
            return Some(format!("{target} is not tracked"));
        }
        let has_anchor = || self.documents.get(&path).is_some_and(|document| document.anchors.contains(anchor));
        (target.contains('#') && !has_anchor()).then(|| format!("{target} is no heading"))
    }
}

/// Returns whether a link names another place than this repository: `https:`, `mailto:`.
fn has_scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Resolves a relative link in the document of this name; an empty one is the document itself.
fn resolve(name: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(name.to_owned());
    }
    let mut path: Vec<&str> = name.split('/').collect();
    path.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()?),
            part => path.push(part),
        }
    }
    (!link.starts_with('/')).then(|| path.join("/"))
}

/// The parts of a Markdown file that name other places, with their lines, and those that others can name.
#[derive(Default)]
struct Document {
    links: Vec<(usize, String)>,
    paths: Vec<(usize, String)>,
    anchors: BTreeSet<String>,
}

impl Document {
    /// Reads links, paths and headings outside of fences.
    fn new(text: &str) -> Self {
        let mut document = Self::default();
        let mut fences = Fences::default();
        for (index, line) in text.lines().enumerate() {
            if !fences.covers(line) {
                document.line(index + 1, line);
            }
        }
        document
    }

    /// Reads a line of prose, of a table or of a heading.
    fn line(&mut self, number: usize, line: &str) {
        let level = line.chars().take_while(|c| *c == '#').count();
        if let Some(title) = line[level..].strip_prefix(' ').filter(|_| (1..=6).contains(&level)) {
            self.enter(&anchor(title));
        }
        let (prose, codes) = apart(line);
        self.links.extend(links(&prose).map(|link| (number, link.to_owned())));
        let paths = codes.iter().filter_map(|code| code.split_whitespace().next());
        let paths = paths.filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder)));
        self.paths.extend(paths.filter(|path| !is_pattern(path)).map(|path| (number, path.to_owned())));
    }

    /// Adds an anchor; GitHub numbers those that repeat.
    fn enter(&mut self, anchor: &str) {
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = [anchor.to_owned()].into_iter().chain(numbered).find(|anchor| !self.anchors.contains(anchor));
        self.anchors.extend(free);
    }
}

/// Returns the targets of a line's links, images and definitions, without titles.
fn links(prose: &str) -> impl Iterator<Item = &str> {
    let inline = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let defined = prose.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    inline.chain(defined).filter_map(|target| target.split_whitespace().next())
}

/// Returns whether a path stands for several: a glob, a placeholder in brackets or in capitals, or a part left out.
fn is_pattern(path: &str) -> bool {
    let is_name = |part: &str| part.len() > 1 && !part.contains('.') && part.chars().all(|c| c.is_ascii_uppercase());
    path.contains(['*', '<', '{', '…', '$']) || path.split('/').any(is_name)
}

/// Returns the anchor that GitHub gives a heading: lower-case letters, digits, hyphens and underscores.
fn anchor(title: &str) -> String {
    let mut text = String::new();
    let mut rest = title.trim();
    // Of a link only its text counts.
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::{Document, Tree, anchor, is_pattern};

    /// Returns the faults of a tree of these documents, and of a source file.
    fn faults(documents: &[(&str, &str)]) -> Vec<String> {
        let names = documents.iter().map(|(name, _)| *name).chain(["crates/a/src/lib.rs"]);
        let text = |name: &str| documents.iter().find(|(known, _)| *known == name).unwrap().1.to_owned();
        Tree::new(names, text).faults()
    }

    #[test]
    fn finds_links_that_lead_nowhere() {
        let other = ("docs/b.md", "# B\n\n## Known limits\n\n## Known limits\n");
        for (link, is_broken) in [
            ("[b](b.md)", false),
            ("[b](./b.md \"title\")", false),
            ("![b](../crates/a/src/lib.rs)", false),
            ("[a](../crates/a)", false),
            ("[a](../crates/a/)", false),
            ("[root](..)", false),
            ("[here](#a-b)", false),
            ("[b](b.md#known-limits)", false),
            ("[b](b.md#known-limits-1)", false),
            ("[out](https://a.org/b.md#c)", false),
            ("[mail](mailto:a@b.org)", false),
            ("`[no](link.md)`", false),
            ("```\n[no](link.md)\n```", false),
            ("~~~~\n~~~\n[no](link.md)\n~~~~", false),
            ("[b]: b.md", false),
            ("[b]: c.md", true),
            ("[c](c.md)", true),
            ("| a [b](b.md) | [c](c.md) |", true),
            ("```\n```\n[c](c.md)", true),
            ("[c](../crates/b)", true),
            ("[abs](/docs/b.md)", true),
            ("[up](../../b.md)", true),
            ("[here](#b)", true),
            ("[b](b.md#known-limits-2)", true),
            ("[no](../crates/a/src/lib.rs#L1)", true),
        ] {
            let found = faults(&[("docs/a.md", &format!("# `A` b!\n\n{link}\n")), other]);
            assert_eq!(found.len(), usize::from(is_broken), "{link}: {found:?}");
        }
        assert_eq!(faults(&[("a.md", "\n[b](b.md)")]), ["a.md:2: b.md is not tracked"]);
    }

    #[test]
    fn finds_paths_that_are_gone() {
        for (code, is_broken) in [
            ("`crates/a/src/lib.rs`", false),
            ("`crates/a/`", false),
            ("`crates/a/src/lib.rs --all`", false),
            ("``crates/a``", false),
            ("`crates/<family>/b`", false),
            ("`crates/*/b`", false),
            ("`crates/NAME/b`", false),
            ("`target/a`", false),
            ("crates/b", false),
            ("`crates/b`", true),
            ("`crates/a/README.md`", true),
            ("`crates/a` and `docs/b.md`", true),
        ] {
            assert_eq!(faults(&[("a.md", code)]).len(), usize::from(is_broken), "{code}");
            assert!(faults(&[("CHANGELOG.md", code)]).is_empty(), "{code}");
        }
        assert_eq!(faults(&[("CHANGELOG.md", "[b](b.md)")]).len(), 1);
    }

    #[test]
    fn an_anchor_is_that_of_github() {
        for (title, expected) in [
            ("In Rust", "in-rust"),
            ("What git's conflict is, and isn't", "what-gits-conflict-is-and-isnt"),
            ("`adaptive` by kind: what is weak", "adaptive-by-kind-what-is-weak"),
            ("[Unreleased](a.md) - now", "unreleased---now"),
            ("line_trimmed/ends", "line_trimmedends"),
            ("Über 10 Größen", "über-10-größen"),
        ] {
            assert_eq!(anchor(title), expected);
        }
    }

    #[test]
    fn only_headings_have_anchors() {
        let document = Document::new("# One\n#no\n####### seven\n```sh\n# two\n```\n### Three\n");
        assert_eq!(document.anchors.into_iter().collect::<Vec<_>>(), ["one", "three"]);
    }

    #[test]
    fn a_readme_is_no_placeholder() {
        assert!(!is_pattern("crates/a/README.md"));
        assert!(is_pattern("crates/NAME"));
        assert!(is_pattern("docs/{a,b}.md"));
    }
}
