//! Plans operations on files of a workspace.

use std::path::{Path, PathBuf};

use fuzzy_plan::{Drafts as _, Outcome, Planner, Timing};
use fuzzy_safe_write::sha256;

use crate::draft::Drafts;
use crate::plan::emit;
use crate::suggest_path::suggest_paths;
use crate::{Code, Editor, Failure, FileEdit, FileError, Operation, PathError, Plan, Session};

impl Editor {
    /// Plans operations in order, on the current files.
    pub(crate) fn plan_all<'a>(&'a self, session: &Session, operations: &'a [Operation]) -> Plan<'a> {
        let mut planner = Planner::new(self.options(), Drafts::new(self.workspace())).checking_hashes();
        let mut timings = Vec::with_capacity(operations.len());
        let mut outcomes = Vec::with_capacity(operations.len());
        for number in 0..operations.len() {
            let mut timing = Timing::keeping_texts(session.logs_texts());
            if let Operation::Edit(edit) = &operations[number] {
                planner.know(session.text_of(&edit.file_path));
            }
            self.report_progress(number, operations.len());
            outcomes.push(self.step(&mut planner, number, operations, &mut timing));
            timings.push(timing);
        }
        let is_late = planner.is_late();
        let drafts = planner.into_drafts();
        // Only now every file that the request names has been read.
        for (operation, outcome) in operations.iter().zip(&mut outcomes) {
            if let Err(failure) = outcome {
                if let Some(edit) = operation.edit()
                    && !is_late
                    && let Some(path) = self.elsewhere(&drafts, session, &edit, operations, failure)
                {
                    found_elsewhere(failure, &edit, &path);
                }
                suggest_paths(failure, self.workspace(), operation.path());
                name_likely(failure, &drafts, operation);
                let file_path = &mut failure.details.file_path;
                file_path.get_or_insert_with(|| operation.path().to_string_lossy().into_owned());
            }
        }
        let ladder = self.pipeline().ladder().name();
        for ((operation, timing), outcome) in operations.iter().zip(&timings).zip(&outcomes) {
            if let Some(edit) = operation.edit() {
                emit(timing, ladder, &edit, outcome);
            }
        }
        Plan { workspace: self.workspace(), ladder, operations, drafts, outcomes, timings }
    }

    /// Plans one operation, if its file still has the expected hash and the request is not cancelled.
    fn step<'a>(
        &'a self,
        planner: &mut Planner<'a, Drafts<'a>>,
        number: usize,
        operations: &[Operation],
        timing: &mut Timing,
    ) -> Outcome {
        self.workspace().check_wanted()?;
        if let Operation::Edit(edit) = &operations[number]
            && let Some(expected) = &edit.expected_hash
            && (number == 0 || !planner.is_late())
        {
            let index = planner.drafts().open(&edit.file_path)?;
            check_hash(edit, expected, planner.drafts().before(index))?;
        }
        let outcome = planner.step(number, operations, timing);
        // The result of a cancelled search is no result.
        self.workspace().check_wanted()?;
        outcome
    }

    /// Searches a missing old text in the other files that the request names or the session edited; returns a file that
    /// has it.
    fn elsewhere(
        &self,
        drafts: &Drafts<'_>,
        session: &Session,
        edit: &FileEdit,
        operations: &[Operation],
        failure: &Failure,
    ) -> Option<PathBuf> {
        let is_lost = match failure.code {
            Code::NotFound | Code::Refused => failure.details.proposal.is_none(),
            // The exact place in another file is more likely than a conflict in a similar place here.
            Code::Conflict => true,
            _ => false,
        };
        // Text without words, such as a brace, occurs in every file.
        if !is_lost || !edit.searched().contains(char::is_alphanumeric) {
            return None;
        }
        // The file of this edit must have been searched.
        let own = drafts.find(&edit.file_path)?;
        let needle = edit.searched();
        let mut paths = operations.iter().map(|operation| operation.path().to_owned()).chain(session.edited());
        paths.find(|path| match drafts.find(path) {
            Some(index) if index == own => false,
            Some(index) => drafts.has_text(index, |text| occurs_in(text, needle)),
            None => self.workspace().read(path).is_ok_and(|file| occurs_in(file.text(), needle)),
        })
    }
}

fn found_elsewhere(failure: &mut Failure, edit: &FileEdit, path: &Path) {
    let path = path.display();
    failure.code = Code::FoundInOtherFile;
    failure.details.conflicts.clear();
    failure.details.proposal = None;
    let quote = edit.quote.as_deref();
    let quoted = match quote.map(|quote| (&quote.first, &quote.after, &quote.before)) {
        Some((Some(_), ..)) => "the text of `first`",
        Some((_, Some(_), _)) => "the text of `after`",
        Some((.., Some(_))) => "the text of `before`",
        _ => "the old text",
    };
    failure.message = format!("{quoted} is not in this file, but it is in `{path}`");
    failure.details.remedy = None;
    failure.next_step = format!("Send the edit with the path `{path}` if that is the intended file.");
}

/// Adds to a failure that the encoding is only likely, if an old text beyond ASCII was not found.
fn name_likely(failure: &mut Failure, drafts: &Drafts<'_>, operation: &Operation) {
    if failure.code == Code::NotFound
        && operation.edit().is_some_and(|edit| !edit.searched().is_ascii())
        && let Some((encoding, true)) = drafts.find(operation.path()).and_then(|index| drafts.encoding(index))
    {
        let likely =
            format!("The file was read as {encoding}, its likely encoding: name its encoding if it is another one.");
        failure.next_step = format!("{} {likely}", failure.next_step);
    }
}

/// Checks that the file still has the hash that the caller expects.
fn check_hash(edit: &FileEdit, expected: &str, bytes: Option<&[u8]>) -> Result<(), Box<Failure>> {
    if expected.len() != 64 || !expected.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let next_step = "Give the SHA-256 of the file in hexadecimal, as in file_hash of the reports.";
        return Err(Failure::bad_input("the expected hash is not a SHA-256", next_step).into());
    }
    let is_as_read = match bytes {
        Some(bytes) => expected.eq_ignore_ascii_case(&sha256(bytes)),
        // The search reports a missing file for an edit with an old text.
        None => edit.quote.is_some() || !edit.old_string.is_empty(),
    };
    if is_as_read { Ok(()) } else { Err(FileError::from(PathError::Stale { path: edit.file_path.clone() }).into()) }
}

/// Returns whether the old text occurs in a text, regardless of line endings.
fn occurs_in(text: &str, needle: &str) -> bool {
    let has_crlf = text.contains("\r\n") || needle.contains("\r\n");
    text.contains(needle) || (has_crlf && text.replace("\r\n", "\n").contains(&needle.replace("\r\n", "\n")))
}
