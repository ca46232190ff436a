//! The laws of landing that concern the whole decision: what is in conflict is refused, and what landed is done.

use fuzzy_pipeline::{Applied, Document, Edit, Failure, Pipeline, Refusal, ladder};
use fuzzy_testkit::small_edits::slipped;
use fuzzy_testkit::texts;
use proptest::prelude::*;

fn apply(file: &str, needle: &str, replacement: &str) -> Result<Applied, Failure> {
    Edit::new(needle, replacement).run(&Pipeline::new(ladder::adaptive()), &Document::new(file))
}

/// Puts a text into a line among others.
fn file(line: &str) -> String {
    format!("open(input)\n{line}\nreturn merge(left, right);\nclose(output)\n")
}

/// Lines with one gap for a value.
fn setting() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(&[("limit = ", ""), ("port: ", ","), ("wait(", ", unit);"), ("version = \"2.4.", "\"")][..])
}

proptest! {
    #![proptest_config(texts::config())]

    /// Where the file has a value of its own, the edit's is not put in its place: the refusal tells all three, and what
    /// comes of either side.
    #[test]
    fn conflict((before, behind) in setting(), values in prop::sample::subsequence((0..100_u32).collect::<Vec<_>>(), 3).prop_shuffle()) {
        let line = |value: u32| format!("{before}{value}{behind}");
        let edit = |value: u32| format!("{}\nreturn merge(left, right);", line(value));
        let text = file(&line(values[0]));
        let (pipeline, document) = (Pipeline::new(ladder::adaptive()), Document::new(text.as_str()));
        let (needle, new) = (edit(values[1]), edit(values[2]));
        let edit = Edit::new(&needle, &new);
        let attempt = edit.attempt(&pipeline, &document);
        let judgement = attempt.decide();
        let landed = judgement.apply().map(|applied| applied.output);
        let Err(Failure::Refused(Refusal::Conflict { conflicts })) = &landed else { panic!("{landed:?}") };
        let [conflict] = &conflicts[..] else { panic!("{conflicts:?}") };
        let told = [conflict.file.text(&text), &conflict.old, &conflict.new];
        prop_assert_eq!(told, [0, 1, 2].map(|at| values[at].to_string()));
        prop_assert_eq!((conflict.lines.text(&text), &conflict.taken), (&*line(values[0]), &line(values[2])));
        let proposal = judgement.proposal().expect("only one value is in the way");
        let sent = apply(&text, &proposal.old, &proposal.new).map(|applied| applied.output);
        prop_assert_eq!(sent, Ok(file(&line(values[2]))));
    }

    /// Where the needle misspells the word that the edit changes, there is no conflict.
    #[test]
    fn no_conflict(at in 1..7_usize) {
        let mut slip: Vec<char> = "separator".chars().collect();
        slip.swap(at, at + 1);
        let line = |word: &str| format!("{word} = find(input)");
        let edit = |word: &str| format!("{}\nreturn merge(left, right);", line(word));
        let needle = edit(&slip.iter().collect::<String>());
        let landed = apply(&file(&line("separator")), &needle, &edit("mark")).map(|applied| applied.output);
        prop_assert_eq!(landed, Ok(file(&line("mark"))));
    }

    /// A line that is added is not added again: where the new text occurs, the edit is done.
    #[test]

    fn again(edit in slipped().prop_filter("nothing is added", |edit| edit.expected.lines().count() > edit.place.lines().count())) {
        if let Ok(first) = apply(&edit.file(), &edit.needle, &edit.new)
            && first.output == [edit.before, &edit.expected, edit.after].concat()
        {
            let second = apply(&first.output, &edit.needle, &edit.new);
            let stands = edit.new == edit.expected;
            prop_assert!(matches!(second, Err(Failure::AlreadyApplied { .. })) || (second.is_err() && !stands), "{:?}", second);
        }
    }
}
