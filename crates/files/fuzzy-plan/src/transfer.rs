//! Plans edits that move lines to another file, or copy them there.

use fuzzy_core::{
    Applied, Arranged, Beside, Destination, Document, Failure as Search, LineRange, Match, Quote, Replaced,
};
use fuzzy_report::{Failure, FileEdit, LineTransfer, NewLines, ReplacedLines, Success, arranged_note, named_edit};

use crate::diff::diff_between;
use crate::operation::Outcome;
use crate::planner::{already_applied, request, with_note};
use crate::splice_lines::spliced;
use crate::transfer_parts::{kind, no_place, written_lines};
use crate::{Drafts, Planner, Text, Timing, refusal};

impl<D: Drafts> Planner<'_, D> {
    /// Adds a transfer of lines between two files to the drafts; changes both or none.
    pub(crate) fn transfer(
        &mut self,
        number: usize,
        edit: &FileEdit,
        transfer: &LineTransfer,
        [source, target]: [usize; 2],
        timing: &mut Timing,
    ) -> Outcome {
        let path = &edit.file_path;
        let to = transfer.to.file_path.as_ref().unwrap_or(path);
        let Text { mark, text } = self.drafts.text(source, path)?;
        let text = text.to_owned();
        let is_new = self.drafts.is_absent(target);
        let (to_mark, to_text) = if is_new && transfer.to.quote().is_none() {
            ("", String::new())
        } else {
            let Text { mark, text } = self.drafts.text(target, to)?;
            (mark, text.to_owned())
        };
        timing.begin(&text);
        let request = request(edit, self.is_as_read(edit, source), (mark, &text))?.with_transfer(None);
        let document = Document::new(text.as_str());
        let attempt = self.options.attempt(request, &document).without_new();
        let judgement = attempt.decide();
        let failed = |failure: &Search| Box::new(Failure::of_search(&judgement, failure));
        let found = judgement.found().map_err(|failure| failed(&failure))?;
        let lines = judgement.whole_lines().map_err(|failure| failed(&failure))?;

        let to_document = Document::new(to_text.as_str());
        let quote = transfer.to.quote();
        let place = match &quote {
            None if to_text.is_empty() => None,
            None => return Err(Box::new(no_place(transfer).about(to.to_string_lossy()))),
            Some(quote) => {
                let request = named_edit(quote, (to_mark, &to_text), "", false)?;
                let is_below = request.quote != Quote::Before;
                let attempt = self.options.attempt(request, &to_document).without_new();
                let judgement = attempt.decide();
                let about =
                    |failure: Search| Box::new(Failure::of_search(&judgement, &failure).about(to.to_string_lossy()));
                let found = judgement.found().map_err(about)?;
                Some((found, Beside { lines: judgement.whole_lines().map_err(about)?, is_below }))
            }
        };
        let destination = match place {
            Some((_, beside)) => Destination::Other(&to_document, beside),
            None => Destination::Empty,
        };
        let changes = match fuzzy_core::transfer(&document, lines, destination, kind(transfer)) {
            Ok(changes) => changes,
            Err(Search::AlreadyApplied { span }) => {
                return Ok((target, already_applied(to, LineRange::of(&to_text, span))));
            }
            Err(failure) => return Err(failed(&failure)),
        };
        timing.end();
        let left = spliced(&text, &changes.source, found);
        let to_found = place.map_or(found, |(found, _)| found);
        let grown = spliced(&to_text, &changes.target, to_found);
        let limit = self.options.limits.max_bytes;
        if grown.output.len() as u64 > limit {
            return Err(refusal::too_large(to, limit).into());
        }
        let ends = |path: &std::path::Path, text: &str, applied: &Applied| {
            let first = applied.replaced.first().map_or(text.len(), |place| place.before.start());
            let last = applied.replaced.last().map_or(0, |place| place.before.end());
            diff_between(&path.to_string_lossy(), text, &applied.output, [first, text.len() - last])
        };
        let written = written_lines(&grown.output, &grown.replaced).unwrap_or(LineRange { first: 1, last: 1 });
        let less = [found, to_found].into_iter().min_by_key(Match::confidence_or_similarity);
        let found = less.unwrap_or(found);
        let diff = if left.replaced.is_empty() { String::new() } else { ends(path, &text, &left) };
        let success = Success {
            strategy: Some(found.strategy),
            similarity: found.similarity.get(),
            confidence: found.confidence_or_similarity().get(),
            occurrences: 1,
            changed: true,
            diff: diff + &ends(to, &to_text, &grown),
            replaced: Some(Box::new(ReplacedLines::in_span(&text, changes.lines))),
            new_lines: Some(Box::new(NewLines::new(to, written, transfer.is_copy))),
            ..Success::planned(path, LineRange::of(&text, changes.lines), written)
        };
        let lines_above = changes.target.split_last().map_or(&[][..], |(_, above)| above);
        let above = lines_above.iter().map(|splice| splice.span).collect();
        let success = with_note(success, arranged_note(&changes.arranged, &text));
        let success = with_note(success, arranged_note(&Arranged::of_separators(above), &to_text));
        let both = [(source, left.replaced.clone()), (target, grown.replaced.clone())];
        self.put_both((source, left), (target, grown, to_text), is_new)?;
        for (index, replaced) in both {
            self.written.entry(index).or_default().add(number, &replaced);
        }
        Ok((source, success))
    }

    /// Changes two drafts, or none.
    fn put_both(
        &mut self,
        (other, left): (usize, Applied),
        (index, grown, before): (usize, Applied, String),
        is_new: bool,
    ) -> Result<(), Box<Failure>> {
        if is_new {
            self.drafts.create(index, grown.output);
        } else {
            self.drafts.put(index, grown.output, &grown.replaced)?;
        }
        if left.replaced.is_empty() {
            return Ok(());
        }
        let put = self.drafts.put(other, left.output, &left.replaced);
        if put.is_err() {
            if is_new {
                self.drafts.remove(index);
            } else {
                let back = |place: &Replaced| Replaced { before: place.after, after: place.before };
                let back: Vec<Replaced> = grown.replaced.iter().map(back).collect();
                self.drafts.put(index, before, &back)?;
            }
        }
        put
    }
}
