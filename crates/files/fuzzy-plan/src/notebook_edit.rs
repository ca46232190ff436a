//! Plans edits of notebooks: in the sources of the cells, and of whole cells.

use std::path::Path;

use fuzzy_core::{
    Candidate, Document, Edit, Failure as Search, Judgement, LineRange, Match, Replaced, Similarity, Span, Splice,
};
use fuzzy_report::{
    Cause, CellEdit, CellLines, CellType, Code, Failure, FileEdit, LineTransfer, Side, Success, apply_within,
    named_edit,
};

use crate::notebook::{Joined, Notebook, is_notebook};
use crate::planner::{already_applied, count_mismatch, success, with_note};
use crate::splice_lines::spliced;
use crate::{Drafts, Planner, Text, Timing, refusal};

/// The changes of a notebook.
struct Changes {
    splices: Vec<Splice>,
    found: Match,
    /// The changed cells, for people.
    note: String,
    /// The lines in the source of the only changed cell.
    cell: Option<CellLines>,
}

/// The result of a change of a notebook that is not refused.
enum Changed {
    Splices(Changes),
    /// The source has the new text at this place.
    AlreadyThere(Span),
    /// The edit is one of the text of the file.
    OfText,
}

impl<D: Drafts> Planner<'_, D> {
    /// Plans an edit of the draft `index` if it is one of the cells of a notebook; returns none for an edit of its text.
    pub(crate) fn notebook(
        &mut self,
        number: usize,
        edit: &FileEdit,
        index: usize,
        timing: &mut Timing,
    ) -> Result<Option<(usize, Success)>, Box<Failure>> {
        let path = &edit.file_path;
        if !is_notebook(path) {
            return if edit.cell.is_some() { Err(no_notebook(path).into()) } else { Ok(None) };
        }
        if self.drafts.is_absent(index) && edit.cell.is_none() {
            return Ok(None);
        }
        let Text { mark, text } = self.drafts.text(index, path)?;
        let text = text.to_owned();
        let Some(book) = Notebook::read(&text) else {
            return if edit.cell.is_some() { Err(no_notebook(path).into()) } else { Ok(None) };
        };
        timing.begin(&text);
        let outcome = self.changed(edit, &book, &text);
        timing.end();
        let Changes { splices, found, note, cell } = match outcome? {
            Changed::OfText => return Ok(None),
            Changed::AlreadyThere(span) => {
                return Ok(Some((index, already_applied(path, LineRange::of(&text, span)))));
            }
            Changed::Splices(changes) => changes,
        };
        let applied = spliced(&text, &splices, found);
        let limit = self.options.limits.max_bytes;
        if applied.output.len() as u64 > limit {
            return Err(refusal::too_large(path, limit).into());
        }
        if Notebook::read(&applied.output).is_none() {
            return Err(broken(path).into());
        }
        let success = success(path, edit.searched(), mark, &text, &applied);
        // The lines of a cell say where; of other changes only the note does.
        let note = Some(note).filter(|_| cell.is_none());
        let success = Success { cell: cell.map(Box::new), ..with_note(success, note) };
        let replaced: Vec<Replaced> = applied.replaced;
        self.drafts.put(index, applied.output, &replaced)?;
        self.written.entry(index).or_default().add(number, &replaced);
        Ok(Some((index, success)))
    }

    fn changed(&self, edit: &FileEdit, book: &Notebook<'_>, text: &str) -> Result<Changed, Box<Failure>> {
        let has_place = edit.quote.is_some() || !edit.old_string.is_empty();
        let Some(cell) = &edit.cell else {
            if edit.transfer.is_some() {
                return Err(moved_lines().into());
            }
            return if has_place { self.searched(edit, book, text) } else { Ok(Changed::OfText) };
        };
        let has_new = !edit.new_string.is_empty() || !cell.delete;
        let checked = cell.check(has_place, has_new, edit.transfer.as_deref());
        checked.map_err(|error| Box::new(error.into()))?;
        let at = match &cell.cell {
            Some(name) => Some(cell_named(book, name)?),
            None => None,
        };
        if has_place {
            return match (&edit.transfer, at) {
                (None, Some(at)) => {
                    self.in_cells(edit, book, at..at + 1).map_err(|failure| self.elsewhere(edit, book, failure))
                }
                _ => Err(moved_lines().into()),
            };
        }
        whole(edit, cell, at, book)
    }

    /// Plans an edit whose place is searched: in the sources if it is exact there, otherwise in the text of the file, and
    /// then in the sources.
    fn searched(&self, edit: &FileEdit, book: &Notebook<'_>, text: &str) -> Result<Changed, Box<Failure>> {
        let in_cells = self.in_cells(edit, book, 0..book.cells.len());
        let is_exact = matches!(&in_cells, Ok(Changed::Splices(changes)) if changes.found.is_exact());
        if is_exact && !edit.replace_all {
            return in_cells;
        }
        // An edit of the text lands as in any file, unless it would leave no notebook.
        let document = Document::new(text);
        let request = request(edit, text)?;
        let attempt = self.options.attempt(request, &document);
        let judgement = attempt.decide();
        let in_text = apply_within(&judgement, self.options.limits.max_bytes);
        let lands = matches!(&in_text, Ok(applied) if Notebook::read(&applied.output).is_some())
            || matches!(&in_text, Err(Cause::Search(Search::AlreadyApplied { .. })));
        let is_exact_there = lands && judgement.found().is_ok_and(|found| found.is_exact());
        let is_of_text = if is_exact { is_exact_there } else { lands };
        if is_of_text {
            return Ok(Changed::OfText);
        }
        // The old text is JSON, and the new one would break it.
        let is_broken = in_cells.is_err() && in_text.is_ok();
        if is_broken && judgement.found().is_ok_and(|found| found.is_exact()) {
            return Err(broken(&edit.file_path).into());
        }
        in_cells
    }

    /// Returns the failure of an edit in a cell that lacks the text, with the cell that has it exactly, if there is one.
    fn elsewhere(&self, edit: &FileEdit, book: &Notebook<'_>, mut failure: Box<Failure>) -> Box<Failure> {
        let is_absent = matches!(failure.code, Code::NotFound | Code::Refused);
        let all = is_absent.then(|| self.in_cells(edit, book, 0..book.cells.len()));
        if let Some(Ok(Changed::Splices(Changes { found, note, cell, .. }))) = all
            && found.is_exact()
        {
            let note = cell.map_or(note, |cell| format!("in {cell}"));
            failure.next_step = format!("The text is {note}: give that `cell`, or leave it out.");
        }
        failure
    }

    /// Searches an edit in the sources of some cells.
    fn in_cells(
        &self,
        edit: &FileEdit,
        book: &Notebook<'_>,
        cells: std::ops::Range<usize>,
    ) -> Result<Changed, Box<Failure>> {
        let joined = Joined::of(book, cells.clone());
        let document = Document::new(joined.text.as_str());
        let request = request(edit, &joined.text)?;
        let attempt = self.options.attempt(request, &document);
        let judgement = attempt.decide();
        let applied = apply_within(&judgement, self.options.limits.max_bytes);
        let applied = match applied {
            Ok(applied) => applied,
            Err(Cause::Search(Search::AlreadyApplied { span })) => {
                let at = joined.cell(span).unwrap_or(cells.start);
                return Ok(Changed::AlreadyThere(book.source_span(at)));
            }
            Err(Cause::Search(failure)) => {
                return Err(in_words(&judgement, &failure, book, &joined, cells.len() > 1).into());
            }
            Err(cause) => return Err(cause.failure(&judgement)),
        };
        if let Some(expected) = edit.count.filter(|expected| *expected != applied.replaced.len()) {
            return Err(count_mismatch(&applied, &joined.text, expected).into());
        }
        let places: Vec<(Span, &str)> =
            applied.replaced.iter().map(|place| (place.before, place.after.text(&applied.output))).collect();
        // For an insertion, the lines beside it.
        let anchor = judgement.named_lines().map_or(applied.found.span, |named| named.lines);
        let Some(sources) = joined.changed(&places, anchor) else {
            return Err(several_cells().into());
        };
        let splices = sources.iter().flat_map(|(at, source)| book.rewritten(*at, source)).collect();
        let names: Vec<String> = sources.iter().map(|(at, _)| book.name(*at)).collect();
        let first = sources.first().map_or(0, |(at, _)| joined.lines_above(*at));
        let LineRange { first: from, last: to } = LineRange::of(&joined.text, anchor);
        let lines = LineRange { first: from - first.min(from - 1), last: to - first.min(to - 1) };
        let note = format!("in {}", names.join(", "));
        let cell = match &sources[..] {
            [(at, _)] => Some(book.lines_of(*at, lines)),
            _ => None,
        };
        Ok(Changed::Splices(Changes { splices, found: applied.found, note, cell }))
    }
}

/// Plans a change of a whole cell.
fn whole(edit: &FileEdit, cell: &CellEdit, at: Option<usize>, book: &Notebook<'_>) -> Result<Changed, Box<Failure>> {
    let exact = |span| Match::new("exact", Candidate::new(span, Similarity::ONE));
    let changes = |splices: Vec<Splice>, note: String| {
        let span = splices.first().map_or(Span::new(0, 0), |splice| splice.span);
        Ok(Changed::Splices(Changes { splices, found: exact(span), note, cell: None }))
    };
    if let Some(side) = cell.insert {
        let place = match (at, side) {
            (Some(at), Side::Before) => at,
            (Some(at), Side::After) => at + 1,
            (None, Side::Before) => 0,
            (None, Side::After) => book.cells.len(),
        };
        let kind = cell.cell_type.unwrap_or(CellType::Code);
        return changes(vec![book.inserted(place, kind, &edit.new_string)], format!("new cell {}", place + 1));
    }
    // Every other change is of a cell that is given.
    let at = at.unwrap_or_default();
    let name = book.name(at);
    if cell.delete {
        return changes(vec![book.deleted(at)], format!("deleted {name}"));
    }
    if let Some(transfer) = &edit.transfer {
        let to = destination(book, transfer)?;
        return match book.moved(at, to) {
            Some(splices) => {
                let number = if to > at { to } else { to + 1 };
                changes(splices, format!("moved {name}, which is cell {number} now"))
            }
            None => Ok(Changed::AlreadyThere(book.source_span(at))),
        };
    }
    if edit.new_string == book.source(at) {
        return Ok(Changed::AlreadyThere(book.source_span(at)));
    }
    changes(book.rewritten(at, &edit.new_string), format!("replaced {name}"))
}

/// Returns the cell before which a moved one is to be.
fn destination(book: &Notebook<'_>, transfer: &LineTransfer) -> Result<usize, Box<Failure>> {
    let to = &transfer.to;
    let (name, side) = match (&to.after, &to.before) {
        _ if transfer.is_copy || to.file_path.is_some() => return Err(moved_cell().into()),
        (Some(name), _) => (name, 1),
        (None, Some(name)) => (name, 0),
        (None, None) => return Err(moved_cell().into()),
    };
    Ok(cell_named(book, name)? + side)
}

/// Makes the engine's edit of a text.
fn request<'e>(edit: &'e FileEdit, text: &str) -> Result<Edit<'e>, Box<Failure>> {
    let request = match &edit.quote {
        Some(quote) => named_edit(quote, ("", text), &edit.new_string, false)?,
        None => Edit::new(&edit.old_string, &edit.new_string).with_replace_all(edit.replace_all),
    };
    Ok(request.with_line(edit.line.or(request.line)))
}

/// Makes the failure of a search in the joined sources, which names cells and their lines.
fn in_words(
    judgement: &Judgement<'_>,
    failure: &Search,
    book: &Notebook<'_>,
    joined: &Joined,
    is_of_all: bool,
) -> Failure {
    let place = |lines: LineRange| {
        let start = joined.text.split_inclusive('\n').take(lines.first - 1).map(str::len).sum();
        let at = joined.cell(Span::new(start, start))?;
        let above = joined.lines_above(at);
        Some(format!("{} line {}", book.name(at), lines.first - above.min(lines.first - 1)))
    };
    let of_notebook =
        |lines| place(lines).map_or_else(|| format!("{lines} of the file"), |at| format!("{at} of the notebook"));
    let mut failure = Failure::of_search_in(judgement, failure, &of_notebook);
    if failure.code == Code::Ambiguous {
        let places: Vec<String> =
            failure.details.ambiguous_at.iter().take(LISTED).filter_map(|at| place(*at)).collect();
        if !places.is_empty() {
            failure.message = format!("{}: {}", failure.message, places.join(", "));
        }
        if is_of_all {
            failure.next_step = format!("Give the `cell` that you mean, by its id or number. {}", failure.next_step);
        }
    } else if let Some(lines) = failure.details.nearest.as_ref().map(|nearest| nearest.lines)
        && let Some(nearest) = place(lines)
    {
        failure.message = format!("{}, in {nearest}", failure.message);
    }
    failure
}

/// Places that a message lists, at most.
const LISTED: usize = 5;

fn no_notebook(path: &Path) -> Failure {
    let message = format!("`{}` is no notebook of version 4, so that it has no cells", path.display());
    Failure::bad_input(message, "Leave out `cell` to edit it as text.").naming_file()
}

fn no_cell(book: &Notebook<'_>, name: &str) -> Failure {
    let message = format!("there is no cell `{name}`; the notebook has {}", book.cells.len());
    Failure::new(Code::NotFound, message, "Read the notebook, and give the id of a cell or its number from 1.")
}

/// Returns the one cell that has a name.
fn cell_named(book: &Notebook<'_>, name: &str) -> Result<usize, Box<Failure>> {
    match book.named(name)[..] {
        [at] => Ok(at),
        [] => Err(no_cell(book, name).into()),
        ref several => {
            let names: Vec<String> = several.iter().take(LISTED).map(|at| book.name(*at)).collect();
            let message = format!("`{name}` names {} cells: {}", several.len(), names.join(", "));
            let next_step = "Give the other name of the cell that you mean: its id, or its number from 1.";
            Err(Failure::new(Code::Ambiguous, message, next_step).into())
        }
    }
}

fn several_cells() -> Failure {
    let next_step = "Send an edit for each cell.";
    Failure::new(Code::Refused, "the place is in several cells", next_step)
}

fn moved_lines() -> Failure {
    let next_step = "Insert the lines with `new_string`, and delete them here; or give `cell` alone to move a cell.";
    Failure::new(Code::Refused, "lines of a notebook are not moved or copied", next_step)
}

fn moved_cell() -> Failure {
    let next_step = "Move the cell with `after` or `before`, the id or number of another cell of the same notebook.";
    Failure::bad_input("a cell is moved within its notebook only, and not copied", next_step)
}

fn broken(path: &Path) -> Failure {
    let message = format!("`{}` would be no notebook after this edit", path.display());
    Failure::new(Code::Refused, message, "Give the source of a cell as an agent reads it, not as JSON.").naming_file()
}
