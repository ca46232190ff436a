//! A patch that moves lines, applied a second time, removes none.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fuzzy_pipeline::{Pipeline, ladder};
use fuzzy_plan::{Limits, Options, Texts};
use proptest::prelude::*;

const NAMES: [&str; 6] = ["alpha", "beta", "gamma", "delta", "omega", "count"];

/// A line of code from a few words, so that many lines are similar.
fn line() -> impl Strategy<Value = String> {
    let name = || proptest::sample::select(&NAMES[..]);
    prop_oneof![
        3 => (name(), name(), name()).prop_map(|(a, b, c)| format!("    {a} = {b} + {c}")),
        2 => (name(), name()).prop_map(|(a, b)| format!("    {a}({b})")),
        2 => (name(), 0..99_u32).prop_map(|(a, number)| format!("def {a}_{number}():")),
        1 => Just("    }".to_owned()),
        1 => Just(String::new()),
    ]
}

/// The format of a patch.
#[derive(Clone, Copy, Debug)]
enum Format {
    Unified { numbers: bool },
    Envelope,
    Blocks,
}

/// Writes the patch that moves `file[from..to]` down to before line `down`, with `context` lines of context.
fn patch(file: &[String], (from, to, down): (usize, usize, usize), context: usize, format: Format) -> String {
    let marked = |mark: char, lines: &[String]| {
        lines.iter().flat_map(|line| [mark.to_string(), line.clone(), "\n".to_owned()]).collect::<String>()
    };
    let plain = |lines: &[String]| lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>();
    let (first, last) = (from.saturating_sub(context), (down + context).min(file.len()));
    let lines = &file[from..to];
    if let Format::Blocks = format {
        let (above, between, below) = (plain(&file[first..from]), plain(&file[to..down]), plain(&file[down..last]));
        let lines = plain(lines);
        return format!(
            "f.txt\n<<<<<<< SEARCH\n{above}{lines}{between}{below}=======\n{above}{between}{lines}{below}>>>>>>> REPLACE\n"
        );
    }
    let head = |at: usize, old: usize, to: usize, new: usize| match format {
        Format::Unified { numbers: true } => format!("@@ -{},{old} +{},{new} @@\n", at + 1, to + 1),
        _ => "@@\n".to_owned(),
    };
    let count = to - from;
    let mut text = match format {
        Format::Envelope => "*** Begin Patch\n*** Update File: f.txt\n".to_owned(),
        _ => "--- a/f.txt\n+++ b/f.txt\n".to_owned(),
    };
    let (above, between, below) =
        (marked(' ', &file[first..from]), marked(' ', &file[to..down]), marked(' ', &file[down..last]));
    let (minus, plus) = (marked('-', lines), marked('+', lines));
    if down - to <= 2 * context {
        let all = last - first;
        let _ = write!(text, "{}{above}{minus}{between}{plus}{below}", head(first, all, first, all));
    } else {
        let (near, far) = (marked(' ', &file[to..to + context]), marked(' ', &file[down - context..down]));
        let old = to + context - first;
        let _ = write!(text, "{}{above}{minus}{near}", head(first, old, first, old - count));
        let (start, old) = (down - context, last + context - down);
        let _ = write!(text, "{}{far}{plus}{below}", head(start, old, start - count, old + count));
    }
    if let Format::Envelope = format {
        text.push_str("*** End Patch\n");
    }
    text
}

/// Returns the patch that undoes this one: it moves the lines up.
fn inverse(patch: &str, format: Format) -> String {
    if let Format::Blocks = format {
        let body = patch.strip_prefix("f.txt\n<<<<<<< SEARCH\n").unwrap().strip_suffix(">>>>>>> REPLACE\n").unwrap();
        let (old, new) = body.split_once("=======\n").unwrap();
        return format!("f.txt\n<<<<<<< SEARCH\n{new}=======\n{old}>>>>>>> REPLACE\n");
    }
    let (head, body) = patch.split_at(patch.find("@@").unwrap());
    let turned =
        body.split_inclusive('\n').map(|line| match (line.as_bytes()[0], line.split(' ').collect::<Vec<_>>()) {
            (b'-', _) => format!("+{}", &line[1..]),
            (b'+', _) => format!("-{}", &line[1..]),
            (b'@', words) if words.len() > 1 => {
                format!("@@ {} {} @@\n", words[2].replace('+', "-"), words[1].replace('-', "+"))
            }
            _ => line.to_owned(),
        });
    head.to_owned() + &turned.collect::<String>()
}

fn carried_out(text: &str, patch: &str) -> String {
    let pipeline = Pipeline::new(ladder::adaptive());
    let mut texts = Texts::default().with("f.txt", text);
    let _ = texts
        .apply(&Options::new(&pipeline, Limits::default()), &fuzzy_patch::parse(patch, None).unwrap().operations());
    let changed = texts.changes().find_map(|(_, text)| text.map(str::to_owned));
    changed.unwrap_or_else(|| text.to_owned())
}

/// Counts the lines of a text that are not blank.
fn tally(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(fuzzy_testkit::texts::config_of(400))]

    #[test]
    fn a_second_application_keeps_every_line(
        file in proptest::collection::vec(line(), 6..24),
        at in (any::<prop::sample::Index>(), 1..4_usize, any::<prop::sample::Index>()),
        context in 1..4_usize,
        format in proptest::sample::select(vec![
            Format::Unified { numbers: true }, Format::Unified { numbers: false }, Format::Envelope, Format::Blocks,
        ]),
        goes_up in any::<bool>(),
    ) {
        let (from, count, down) = at;
        let from = from.index(file.len() - 4);
        let to = from + count;
        let down = to + 1 + down.index(file.len() - to);
        let mut file = file;
        if !file[from..to].iter().any(|line| line.contains('_')) {
            file[from] = format!("def {}_{count}():", NAMES[0]);
        }
        let patch = patch(&file, (from, to, down), context, format);
        let moved = [&file[..from], &file[to..down], &file[from..to], &file[down..]].concat();
        let (file, patch) = if goes_up { (moved, inverse(&patch, format)) } else { (file, patch) };
        let text: String = file.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let once = carried_out(&text, &patch);
        prop_assume!(once != text);
        let twice = carried_out(&once, &patch);
        prop_assert_eq!(tally(&twice), tally(&once), "{}", patch);
    }
}
