//! The table of `docs/hosts.md`.

use fuzzy_testkit::verdict::Verdict;
use fuzzy_tools::table::Table;

use super::answers::Answer;

/// Counts the results of the edits per host, with and without our hooks.
pub(super) fn table(answers: &[Answer<'_>]) -> String {
    let header = [
        "host",
        "hooks",
        "right",
        "only blanks differ",
        "wrong",
        "not at all",
        "landed, to be refused",
        "of both, refused by us",
    ];
    let mut table = Table::new(2, &header);
    let mut runs: Vec<(&str, bool)> = Vec::new();
    for answer in answers {
        if !runs.contains(&(&answer.host, answer.repaired)) {
            runs.push((&answer.host, answer.repaired));
        }
    }
    for (host, repaired) in runs {
        let run = || answers.iter().filter(move |answer| answer.host == host && answer.repaired == repaired);
        let positives = |verdicts: &[Verdict]| {
            run().filter(|answer| answer.case.is_positive() && verdicts.contains(&answer.verdict)).count()
        };
        let landed = || run().filter(|answer| answer.verdict == Verdict::Wrong);
        let negatives = landed().filter(|answer| !answer.case.is_positive()).count();
        let refused = landed().filter(|answer| answer.refused_by_us).count();
        let numbers = [
            positives(&[Verdict::Right]),
            positives(&[Verdict::Tails, Verdict::Blanks]),
            positives(&[Verdict::Wrong]),
            positives(&[Verdict::Refused]),
            negatives,
        ];
        let refused = if repaired { refused.to_string() } else { "–".to_owned() };
        let words = [host.to_owned(), if repaired { "with" } else { "without" }.to_owned()];
        table.row(words.into_iter().chain(numbers.map(|number| number.to_string())).chain([refused]).collect());
    }
    table.render()
}
