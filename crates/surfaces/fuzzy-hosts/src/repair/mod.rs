//! Repairs the input of a host's edit tool, so that the host's plain replacement writes the text of the engine.

mod edit;
mod envelope;
mod file;
mod judged;
mod names;
mod options;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fuzzy_edit::{Code, Failure};
use fuzzy_patch::{Change, FilePatch};
use fuzzy_pipeline::Edit;
use fuzzy_pipeline::report::Proposal;
use serde_json::{Map, Value};

use crate::view::View;

pub(crate) use file::Files;
use file::with_newlines;
pub(crate) use file::{Before, read as text_of};
pub(crate) use judged::Judged;
pub use judged::{Base, Outcome};
use names::Names;
pub(crate) use names::file;
pub use options::RepairOptions;

/// The longest second search, with an earlier text of the file.
const SECOND_TIMEOUT: Duration = Duration::from_millis(200);

/// The input of a tool, as a JSON object.
pub(crate) type Input = Map<String, Value>;

/// The answer to one call of an edit tool.
#[derive(Debug, Default)]
pub(crate) struct Repair {
    /// The repaired input, with all properties of the given one; `None` if nothing was repaired.
    pub(crate) input: Option<Input>,
    /// The numbers of exact and repaired edits, and the failure of each refused one.
    pub(crate) exact: usize,
    pub(crate) repaired: usize,
    pub(crate) refused: Vec<Refused>,
    /// Whether the host must not make it: it replaces an old text exactly, or searches for one, in a file that has changed
    /// since the agent saw it.
    pub(crate) stopped: bool,
    /// Every edit, for a log.
    pub(crate) edits: Vec<Judged>,
}

/// A refused edit.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) path: PathBuf,
    pub(crate) failure: Box<Failure>,
    /// What has changed since the agent saw the file, in words.
    pub(crate) since: Option<String>,
}

/// Repairs the input of a tool that replaces an old text, or each of a list of them, in `files`. Returns `None` for an
/// input of another shape.
pub(crate) fn edits(mut input: Input, mut files: Files<'_>) -> Option<Repair> {
    let mut repair = Repair::default();
    let file = names::file(&input).map(str::to_owned);
    if let Some(list) = names::list(&mut input) {
        for item in list {
            one(item.as_object_mut()?, file.as_deref(), &mut files, &mut repair)?;
        }
    } else {
        one(&mut input, None, &mut files, &mut repair)?;
    }
    repair.input = (repair.repaired > 0).then_some(input);
    Some(repair)
}

/// Returns the files that the input of an edit tool names.
pub(crate) fn files_of(mut input: Input) -> Vec<String> {
    let mut files: Vec<String> = names::file(&input).map(str::to_owned).into_iter().collect();
    let items = names::list(&mut input).into_iter().flatten();
    files.extend(items.filter_map(|item| Some(names::file(item.as_object()?)?.to_owned())));
    files
}

/// Returns why a whole new text is refused in the place of a file's text, if a comment of it stands for lines of the file.
pub(crate) fn placeholder(now: &str, new: &str, options: &RepairOptions) -> Option<String> {
    let judged = edit::judge(&options.of_edits(), now, Edit::new(now, new));
    let edit::Outcome::Refused(failure) = judged else { return None };
    (failure.code == Code::Placeholder).then(|| failure.message.clone())
}

/// A text that a tool wrote.
#[derive(Debug)]
pub(crate) enum Written {
    /// A whole file.
    Whole(String),
    /// A new text in the place of an old one.
    Edit(String, String),
}

/// Returns the files that the input of a tool names, each with the text that it wrote.
pub(crate) fn written(mut input: Input) -> Vec<(String, Written)> {
    let whole = input.get("content").or_else(|| input.get("file_text")).and_then(Value::as_str).map(str::to_owned);
    let text_of = |input: &Input| {
        let names = Names::of(input)?;
        let text = |name: &str| Some(with_newlines(input[name].as_str()?));
        Some(Written::Edit(text(names.old)?, text(names.new)?))
    };
    let Some(path) = file(&input).map(str::to_owned) else { return Vec::new() };
    if let Some(list) = names::list(&mut input) {
        return list.iter().filter_map(|item| Some((path.clone(), text_of(item.as_object()?)?))).collect();
    }
    let written = whole.map(Written::Whole).or_else(|| text_of(&input));
    written.map(|written| (path, written)).into_iter().collect()
}

/// Returns the files that a patch names, between its marks if there is other text around them.
pub(crate) fn files_of_patch(text: &str) -> Vec<String> {
    let bounds = envelope::bounds(text);
    let parsed = bounds.and_then(|(start, end)| fuzzy_patch::parse(&text[start..end], None).ok());
    let files = parsed.into_iter().flat_map(|patch| patch.files);
    let names = files.flat_map(|FilePatch { file, change, .. }| match change {
        Change::Update { to: Some(new), .. } => vec![file, new],
        _ => vec![file],
    });
    names.collect()
}

/// Repairs one edit in place, unless its file has no text. `file` is the file of a list, for edits without one.
fn one(input: &mut Input, file: Option<&str>, files: &mut Files<'_>, repair: &mut Repair) -> Option<()> {
    let names = Names::of(input)?;
    let path = Path::new(names::file(input).or(file)?).to_owned();
    let (old, new) = (with_newlines(input[names.old].as_str()?), with_newlines(input[names.new].as_str()?));
    // An edit without an old text writes a whole file.
    if old.is_empty() {
        files.forget(&path);
    }
    let Some(content) = files.text(&path) else { return Some(()) };
    let all = names::all(input);
    let (judged, base) = judged(&content, Edit::new(&old, &new).with_replace_all(all), &path, files);
    let (outcome, code) = match judged {
        edit::Outcome::Exact(output) => {
            repair.exact += 1;
            files.put(&path, output);
            (Outcome::Exact, None)
        }
        edit::Outcome::Repaired(output, Proposal { old: old_string, new: new_string, .. }) => {
            repair.repaired += 1;
            input.insert(names.old.to_owned(), old_string.into());
            input.insert(names.new.to_owned(), new_string.into());
            files.put(&path, output);
            (Outcome::Repaired, None)
        }
        edit::Outcome::Refused(failure) => {
            let code = failure.code;
            let view = files.view(&path);
            repair.stopped |= view.as_ref().and_then(View::whole).is_some_and(|seen| *seen != *content);
            let since = view.and_then(|view| view.since(&old, &content));
            repair.refused.push(Refused { path: path.clone(), failure, since });
            (Outcome::Refused, Some(code))
        }
        edit::Outcome::Unchanged => return Some(()),
    };
    repair.edits.push(Judged { path, outcome, code, base, content, old, new, all });
    Some(())
}

/// Judges an edit by the lines that its agent was shown: all lines are the base of the edit, and some lines show that the
/// file has not changed at its place. If it is refused, judges it once more with an earlier text of its file, which may
/// have changed since the agent read it. Returns the base, too, if one decided.
fn judged(content: &str, edit: Edit<'_>, path: &Path, files: &Files<'_>) -> (edit::Outcome, Option<Base>) {
    let view = files.view(path);
    let whole = view.as_ref().and_then(View::whole);
    let first = edit::judge(&files.options().of_edits(), content, edit.with_base(whole.as_deref()));
    let seen_all = whole.as_ref().map(|_| Base::Seen);
    let edit::Outcome::Refused(_) = first else { return (first, seen_all) };
    let options = files.options().clone().with_timeout(SECOND_TIMEOUT);
    let again = |base: &str| edit::judge(&options.of_edits(), content, edit.with_base(Some(base)));
    match (view, whole) {
        // The agent saw another text than the file has, and that decides: its quote is read there, and its edit carried.
        (_, Some(seen)) if seen != content => {
            let read = edit::judge(&options.of_edits(), &seen, edit.with_base(Some(&seen)));
            let edit::Outcome::Repaired(_, read) = read else { return (first, seen_all) };
            let outcome =
                match edit::judge(&options.of_edits(), content, Edit::new(&read.old, &read.new).with_base(Some(&seen)))
                {
                    edit::Outcome::Exact(output) => edit::Outcome::Repaired(output, read),
                    carried @ edit::Outcome::Repaired(..) => carried,
                    _ => first,
                };
            (outcome, seen_all)
        }
        (Some(view), None) => {
            let seen = again(content);
            let lines = edit.old.lines().count();
            let is_seen = |output: &str| view.holds(&place(content, output, lines), content);
            match &seen {
                edit::Outcome::Exact(output) | edit::Outcome::Repaired(output, _) if is_seen(output) => {
                    (seen, Some(Base::SeenLines))
                }
                _ => (first, None),
            }
        }
        _ => match files.earlier(path).filter(|base| base != content) {
            Some(base) => (again(&base), Some(Base::Turn)),
            None => (first, seen_all),
        },
    }
}

/// Returns the lines of a text among which an edit of so many lines has its place, from its output.
fn place(content: &str, output: &str, lines: usize) -> Range<usize> {
    let same = |(a, b): &(&str, &str)| a == b;
    let count = content.split('\n').count();
    let start = content.split('\n').zip(output.split('\n')).take_while(same).count();
    let end = content.rsplit('\n').zip(output.rsplit('\n')).take_while(same).count();
    let end = (count - end.min(count)).max(start);
    end.saturating_sub(lines).min(start)..(start + lines).max(end).min(count)
}

/// Repairs the patch in the property `name` of an input, between its marks if there is other text around them. Paths
/// start from `directory`. Returns `None` for an input of another shape.
pub(crate) fn patch(mut input: Input, name: &str, directory: PathBuf, options: &RepairOptions) -> Option<Repair> {
    let text = input.get(name)?.as_str()?;
    let (start, end) = envelope::bounds(text)?;
    let mut files = Files::in_directory(directory, options, &|_| None);
    let mut repair = Repair::default();
    let parsed = fuzzy_patch::parse(&text[start..end], None).ok()?;
    let (outcome, code) = match envelope::judge(&options.of_edits(), &parsed, &mut files)? {
        Ok(None) => {
            repair.exact = 1;
            (Outcome::Exact, None)
        }
        Ok(Some(patch)) => {
            repair.repaired = 1;
            let text = format!("{}{patch}{}", &text[..start], &text[end..]);
            input.insert(name.to_owned(), text.into());
            repair.input = Some(input);
            (Outcome::Repaired, None)
        }
        Err((path, failure)) => {
            let code = failure.code;
            repair.refused.push(Refused { path, failure, since: None });
            (Outcome::Refused, Some(code))
        }
    };
    for FilePatch { file, change, .. } in &parsed.files {
        let (Change::Update { edits, .. }, Some(content)) = (change, files.text(Path::new(file))) else { continue };
        repair.edits.extend(edits.iter().map(|edit| Judged {
            path: file.into(),
            outcome,
            code,
            base: None,
            content: Arc::clone(&content),
            old: edit.old.clone(),
            new: edit.new.clone(),
            all: false,
        }));
    }
    Some(repair)
}

/// Returns an input, which some hosts send as a JSON text.
pub(crate) fn object(input: &Value) -> Option<Input> {
    match input {
        Value::Object(input) => Some(input.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}
