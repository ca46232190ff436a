//! The edits that run in the hosts.

use std::fmt::Write as _;

use serde_json::json;

use crate::cases::{Case, CaseFile};
use crate::jsonl::sha256;

/// The edits, and their files.
pub(super) struct Sample<'f> {
    pub(super) cases: Vec<&'f Case>,
    parts: Vec<(&'f CaseFile, usize)>,
}

/// Takes edits from each file in turn: those that a plain replacement fails on, with a complete label. The order within
/// a file is that of the hashes of their names.
pub(super) fn sample(files: &[CaseFile], edits: usize) -> Sample<'_> {
    let mut waiting: Vec<Vec<&Case>> = files
        .iter()
        .map(|file| {
            let mut cases: Vec<&Case> = file.cases.iter().filter(|case| is_failing(case)).collect();
            cases.sort_by_cached_key(|case| sha256(format!("hosts {}", case.id)));
            cases
        })
        .collect();
    let available: usize = waiting.iter().map(Vec::len).sum();
    let mut taken = vec![0; files.len()];
    for at in (0..files.len()).cycle() {
        if taken.iter().sum::<usize>() == edits.min(available) {
            break;
        }
        taken[at] += usize::from(taken[at] < waiting[at].len());
    }
    for (cases, taken) in waiting.iter_mut().zip(&taken) {
        cases.truncate(*taken);
    }
    Sample { cases: waiting.into_iter().flatten().collect(), parts: files.iter().zip(taken).collect() }
}

/// Returns whether a plain replacement fails and the label has the whole result.
fn is_failing(case: &Case) -> bool {
    let is_labelled = case.known() != "span" && case.known() != "unlabelled" && case.old != case.new;
    is_labelled && !case.replace_all && case.content.matches(&case.old).take(2).count() != 1
}

/// Returns the line for the program that drives the hosts.
pub(super) fn line(case: &Case) -> String {
    json!({ "id": case.id, "path": case.path, "content": case.content, "old": case.old, "new": case.new }).to_string()
}

impl Sample<'_> {
    /// Names the source of the edits, never their contents.
    pub(super) fn provenance(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|(file, _)| file.name.as_str()).collect();
        let mut text = format!("`cargo xtask hosts {} --write`\n\n", names.join(" "));
        let negatives = self.cases.iter().filter(|case| !case.is_positive()).count();
        let parts: Vec<String> = self.parts.iter().map(|(file, taken)| format!("{taken} of {}", file.name)).collect();
        let _ =
            write!(text, "{} edits: {}. {negatives} of them have to be refused.", self.cases.len(), parts.join(", "));
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::sample;
    use crate::cases::CaseFile;
    use crate::folder::fresh_folder;

    fn file(path: &Path, cases: usize) -> CaseFile {
        let text = path.display().to_string();
        std::fs::write(path, &text).unwrap();
        let case = |at| {
            // Every third one is exact, and another third has no complete label.
            let old = if at % 3 == 0 { "a" } else { "A" };
            let known = if at % 3 == 1 { "span" } else { "full" };
            json!({ "id": format!("{text}{at}"), "drift": "x", "content": "a\n", "old": old, "new": "b",
                "expected": "b\n", "expected_kind": known })
        };
        CaseFile::new(path, (0..cases).map(case).collect()).unwrap()
    }

    #[test]
    fn takes_failing_edits_from_each_file_in_turn() {
        let folder = fresh_folder().unwrap();
        let files = [file(&folder.path().join("few"), 9), file(&folder.path().join("many"), 60)];
        let taken = |edits| sample(&files, edits).parts.iter().map(|(_, taken)| *taken).collect::<Vec<_>>();
        assert_eq!(taken(4), [2, 2]);
        assert_eq!(taken(10), [3, 7]);
        assert_eq!(taken(1000), [3, 20]);
        assert!(sample(&files, 10).cases.iter().all(|case| case.old == "A" && case.known() == "full"));
    }
}
