//! Lists of changed files, by directory: the kind of change, line counts, the diff, a checkbox.

use std::collections::{BTreeMap, HashMap};

use fuzzy_checkpoint::{Change, Diff, Differing, RepoPath};
use fuzzy_checkpoint_service::text::{count, quoted};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use super::diff::{BRIEF, Boxes, by_file, with_boxes};
use super::layout::{page_of, pages};

/// The number of files on a page.
pub(super) const PER_PAGE: usize = 100;
/// The number of bytes of diffs on a page; further diffs have their own pages.
const DIFF_BYTES: usize = 100_000;

/// The tense of the words for changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    /// Past changes.
    Done,
    /// Changes that a restore would make.
    Planned,
}

/// The data of a list.
pub(super) struct Files<'a> {
    /// A name that is unique on the page, for ids.
    pub(super) name: &'a str,
    /// All files, in order.
    pub(super) all: &'a [Differing],
    /// The page to show, from 1.
    pub(super) number: usize,
    /// The patch of that page's files; files that are not in it have their own pages.
    pub(super) changes: Option<&'a Diff>,
    pub(super) tense: Tense,
    /// The address of single diffs, up to the path; empty if there are none.
    pub(super) diffs: &'a str,
    /// The address of the list's pages, up to the number.
    pub(super) pages: &'a str,
    /// The id of the checkboxes' form, if single files can be chosen.
    pub(super) form: Option<&'a str>,
    /// Whether all diffs are unfolded.
    pub(super) open: bool,
    /// The files with ticked checkboxes, sorted.
    pub(super) ticked: &'a [RepoPath],
    /// The files to mark as changed outside any turn.
    pub(super) outside: &'a [RepoPath],
    /// Renders more about a file, after its diff.
    pub(super) more: Option<&'a dyn Fn(&Differing) -> Markup>,
    /// The verb in the names of the checkboxes.
    pub(super) verb: &'a str,
    /// Whether a hunk with several changes has a checkbox for each.
    pub(super) lines: bool,
    /// The ticked checkboxes of hunks and lines, each by its name and value.
    pub(super) parts: &'a [String],
}

impl<'a> Files<'a> {
    /// Returns a list without diffs, checkboxes and marks.
    pub(super) fn of(all: &'a [Differing], tense: Tense) -> Self {
        Self {
            name: "files",
            all,
            number: 1,
            changes: None,
            tense,
            diffs: "",
            pages: "",
            form: None,
            open: false,
            ticked: &[],
            outside: &[],
            more: None,
            verb: "Only",
            lines: false,
            parts: &[],
        }
    }
}

/// Returns the files of one page.
pub(super) fn of_page<T>(files: &[T], number: usize) -> &[T] {
    files.chunks(PER_PAGE).nth(number.saturating_sub(1)).unwrap_or_default()
}

/// Returns all old and new paths of these files.
pub(super) fn paths(files: &[Differing]) -> Vec<RepoPath> {
    files.iter().flat_map(|file| [Some(&file.path), file.renamed_from.as_ref()]).flatten().cloned().collect()
}

/// Encodes a path, which may contain any bytes, for an address.
pub(super) fn encoded(path: &RepoPath) -> String {
    percent_encode(path.as_bytes(), NON_ALPHANUMERIC).to_string()
}

/// Decodes the result of [`encoded`].
pub(super) fn decoded(text: &str) -> RepoPath {
    RepoPath::new(percent_decode_str(text).collect::<Vec<u8>>())
}

/// Returns the value of a file's checkbox; a renamed file has both of its paths.
fn ticked(file: &Differing) -> String {
    let paths: Vec<String> = paths(std::slice::from_ref(file)).iter().map(encoded).collect();
    paths.join(" ")
}

/// Decodes the result of [`ticked`].
pub(super) fn chosen(value: &str) -> impl Iterator<Item = RepoPath> + '_ {
    value.split(' ').filter(|path| !path.is_empty()).map(decoded)
}

/// Decodes the path and the number from the value of a hunk's checkbox.
pub(super) fn hunk(value: &str) -> Option<(RepoPath, usize)> {
    let (path, number) = value.split_once(' ')?;
    Some((decoded(path), number.parse().ok()?)).filter(|(path, _)| !path.as_bytes().is_empty())
}

/// A file with its diff, if the diff is on this page.
type Entry<'a> = (&'a Differing, Option<&'a [u8]>);

/// Renders the list.
pub(super) fn list(view: &Files<'_>) -> Markup {
    let (number, of) = page_of(view.number, view.all.len(), PER_PAGE);
    let visible = of_page(view.all, number);
    let parts = parts(view.changes);
    let mut left = DIFF_BYTES;
    let mut directories: BTreeMap<&[u8], Vec<Entry<'_>>> = BTreeMap::new();
    for file in visible {
        let part = parts.get(&file.path).copied().filter(|part| part.len() <= left);
        left -= part.map_or(0, <[u8]>::len);
        directories.entry(directory(&file.path)).or_default().push((file, part));
    }
    let links = pages("Pages of files", number, of, |page| format!("{}{page}", view.pages));
    html! {
        (links)
        @if !view.open && parts.len() > 1 { p.note { a href={ (view.pages) (number) "&open=yes" } { "Unfold all diffs" } } }
        ul.files {
            @for (at, (directory, files)) in directories.iter().enumerate() {
                @let id = format!("{}-{at}", view.name);
                li {
                    @if directory.is_empty() {
                        ul.in-directory { @for (file, part) in files { (entry(view, file, *part)) } }
                    } @else {
                        p.directory id=(id) {
                            code { bdi { (quoted(&RepoPath::new(*directory))) "/" } }
                            " " span.soft { (count(files.len() as u64, "file")) }
                        }
                        ul.in-directory aria-labelledby=(id) { @for (file, part) in files { (entry(view, file, *part)) } }
                    }
                }
            }
        }
        (links)
    }
}

/// Returns the patch by file; nothing if the patch does not fit the files, because they changed meanwhile.
fn parts(changes: Option<&Diff>) -> HashMap<&RepoPath, &[u8]> {
    let Some(Diff { files, patch }) = changes else { return HashMap::new() };
    let parts = by_file(patch);
    let agree = parts.len() == files.len();
    files.iter().map(|file| &file.path).zip(parts).filter(|_| agree).collect()
}

fn directory(path: &RepoPath) -> &[u8] {
    let bytes = path.as_bytes();
    &bytes[..bytes.iter().rposition(|byte| *byte == b'/').unwrap_or(0)]
}

fn entry(view: &Files<'_>, file: &Differing, part: Option<&[u8]>) -> Markup {
    let own = (!view.diffs.is_empty()).then(|| format!("{}{}", view.diffs, encoded(&file.path)));
    // A turn that is taken back loses the files that it added.
    let deleted = if view.lines { Change::Added } else { Change::Deleted };
    let summary = html! { (what(view.tense, file.change)) " " (name(file)) " " (lines(file)) };
    html! {
        li.file.deletes[file.change == deleted] {
            @if let Some(form) = view.form {
                input.tick type="checkbox" name="path" value=(ticked(file)) form=(form)
                    checked[view.ticked.binary_search(&file.path).is_ok()]
                    aria-label={ (view.verb) " " (quoted(&file.path)) };
            }
            @if let Some(part) = part {
                details open[view.open] {
                    summary { (summary) (outside(view, file)) }
                    @let form = view.form.filter(|_| file.change == Change::Changed);
                    @let boxes = form.map(|form| Boxes { form, file: encoded(&file.path), verb: view.verb, lines: view.lines, ticked: view.parts });
                    (with_boxes(&file.path, part, BRIEF, own.as_deref(), boxes.as_ref()))
                }
            } @else {
                p.row {
                    (summary) (outside(view, file))
                    @if let Some(own) = own { " " a href=(own) { "Show the diff" } }
                }
            }
            @if let Some(more) = view.more { (more(file)) }
        }
    }
}

fn outside(view: &Files<'_>, file: &Differing) -> Markup {
    let marked = paths(std::slice::from_ref(file)).iter().any(|path| view.outside.binary_search(path).is_ok());
    html! { @if marked { " " span.badge.busy { "also changed outside any turn" } } }
}

fn what(tense: Tense, change: Change) -> Markup {
    let (class, done, planned) = match change {
        Change::Added => ("good", "new", "bring back"),
        Change::Changed => ("neutral", "changed", "change back"),
        Change::Deleted => ("bad", "deleted", "delete"),
        Change::Renamed => ("moved", "renamed", "rename back"),
    };
    html! { span class={ "badge " (class) } { @if tense == Tense::Done { (done) } @else { (planned) } } }
}

fn name(file: &Differing) -> Markup {
    html! {
        code {
            @match &file.renamed_from {
                Some(from) => { bdi { (quoted(from)) } " → " bdi { (quoted(&file.path)) } }
                None => bdi { (quoted(&file.path)) },
            }
        }
    }
}

/// Renders the number of inserted and deleted lines; nothing for a binary file.
fn lines(file: &Differing) -> Markup {
    html! {
        @if let (Some(inserted), Some(deleted)) = (file.insertions, file.deletions) { (plus_minus(inserted, deleted)) }
    }
}

/// Renders the number of inserted and deleted lines, with titles for screen readers.
pub(super) fn plus_minus(inserted: u64, deleted: u64) -> Markup {
    html! {
        span.lines {
            @if inserted > 0 { span.come title=(count(inserted, "inserted line")) { "+" (inserted) } }
            @if deleted > 0 { span.go title=(count(deleted, "deleted line")) { "−" (deleted) } }
        }
    }
}
