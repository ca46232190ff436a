//! Edits that must not land: near misses of edits that may.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::support::{decide, pipeline};
use fuzzy_core::{Document, Failure, Query, Refusal};

const UNLIKE: Failure = Failure::Refused(Refusal::TooDifferent);
const GUESS: Failure = Failure::Refused(Refusal::Uncertain);

const QUEUE: &str = "\
fn push(queue: &mut Queue, job: Job) -> Result<(), Full> {
    if queue.jobs.len() == queue.limit {
        return Err(Full);
    }
    queue.jobs.push_back(job);
    queue.waiting.notify_one();
    Ok(())
}

fn pop(queue: &mut Queue) -> Option<Job> {
    let job = queue.jobs.pop_front()?;
    queue.running += 1;
    Some(job)
}

fn drain(queue: &mut Queue) -> Vec<Job> {
    let jobs = queue.jobs.drain(..).collect();
    queue.running = 0;
    jobs
}
";

fn failure(file: &str, needle: &str, replacement: &str) -> Failure {
    match decide(file, needle, replacement, false).applied {
        Err(failure) if !matches!(failure, Failure::AlreadyApplied { .. }) => failure,
        other => panic!("not refused: {other:?}"),
    }
}

/// Returns the number of places of an ambiguous edit; 0 if it is not ambiguous.
fn places(file: &str, needle: &str, replacement: &str) -> usize {
    decide(file, needle, replacement, false).places
}

fn proposes(file: &str, needle: &str, replacement: &str) -> bool {
    let answer = decide(file, needle, replacement, false);
    answer.output().is_none() && answer.proposal.is_some()
}

fn lands(file: &str, needle: &str, replacement: &str) -> bool {
    decide(file, needle, replacement, false).applied.is_ok()
}

fn is_applied(file: &str, needle: &str, replacement: &str) -> bool {
    matches!(decide(file, needle, replacement, false).applied, Err(Failure::AlreadyApplied { .. }))
}

#[test]
fn an_empty_needle_is_all_of_an_empty_file() {
    for all in [false, true] {
        assert_eq!(decide("", "", "first\n", all).output().as_deref(), Some("first\n"));
    }
    assert_eq!(failure("\n", "", "first\n"), Failure::EmptyOld);
}

#[test]
fn refuses_bad_requests() {
    assert_eq!(failure(QUEUE, "", "x"), Failure::EmptyOld);
    assert_eq!(failure(QUEUE, "Ok(())", "Ok(())"), Failure::Identical);
    assert_eq!(failure(QUEUE, "\t \t\n\t", "x"), Failure::NotFound);
}

#[test]
fn refuses_text_of_another_file() {
    let needle = "def render(template, values):\n    env = Environment(loader=loader)\n    return env.render(values)";
    assert_eq!(failure(QUEUE, needle, "pass"), Failure::NotFound);
    let needle = "impl Shape for Circle {\n    fn area(&self) -> f64 {\n        PI * self.radius.powi(2)\n    }\n}";
    assert!(!proposes(QUEUE, needle, ""));
}

#[test]
fn refuses_a_sibling() {
    // A function that was never there, though it resembles `pop`.
    let needle = "fn peek(queue: &Queue) -> Option<&Job> {\n    let job = queue.jobs.front()?;\n    queue.peeked.set(true);\n    Some(job)\n}";
    let replacement = needle.replace("true", "false");
    assert_ne!(failure(QUEUE, needle, &replacement), Failure::Identical);
    assert!(!proposes(QUEUE, needle, &replacement));
}

#[test]
fn refuses_text_that_occurs_twice() {
    let file = "a {\n  width: 1px;\n  color: red;\n}\nb {\n  width: 1px;\n  color: red;\n}\n";
    assert_eq!(places(file, "  color: red;", "  color: blue;"), 2);
    assert_eq!(places(file, "width:1px;\ncolor:red;", "width:1px;\ncolor:blue;"), 2);
}

#[test]
fn indentation_may_break_ties() {
    let file = "if a:\n    go()\nfor b in c:\n    if a:\n        go()\n    stop()\n";
    // Copied with a tab for each step, so that the text occurs nowhere as it is.
    let decision = decide(file, "\tif a:\n\t\tgo()\n\tstop( )", "\tif a:\n\t\tgo(b)\n\tstop( )", false);
    assert_eq!(decision.output(), Some(file.replace("        go()", "        go(b)")));
}

#[test]
fn refuses_to_change_one_line_that_only_resembles_the_needle() {
    assert!(!proposes(QUEUE, "    queue.running -= 4;", "    queue.running -= 5;"));
    assert_eq!(failure(QUEUE, "    let task = queue.tasks.pop_front();", "    let task = None;"), UNLIKE);
}

#[test]
fn refuses_to_delete_unseen_lines() {
    let needle =
        "    if queue.jobs.len() == queue.limit {\n    queue.jobs.push_back(job);\n    queue.waiting.notify_one();";
    assert_eq!(failure(QUEUE, needle, "    queue.jobs.push(job);"), GUESS);
}

#[test]
fn refuses_a_placeholder_as_new_text() {
    let needle = "    let jobs = queue.jobs.drain(..).collect( );\n    queue.running = 0;";
    let replacement = "    let jobs = queue.jobs.drain(..).collect( );\n    // ... rest of the code ...";
    assert_eq!(failure(QUEUE, needle, replacement), GUESS);
}

#[test]
fn reports_a_new_text_that_is_already_there() {
    let applied = |needle: &str, replacement: &str| is_applied(QUEUE, needle, replacement);
    assert!(applied("    queue.running += 2;\n    Some(job)", "    queue.running += 1;\n    Some(job)"));
    assert!(applied("    Some(job)\n}", "    queue.running += 1;\n    Some(job)\n}"));
    // A deletion, with the lines on both sides of it.
    assert!(applied(
        "    queue.jobs.push_back(job);\n    queue.pushed += 1;\n    queue.waiting.notify_one();",
        "    queue.jobs.push_back(job);\n    queue.waiting.notify_one();",
    ));
    // Not when the old text is there, too.
    assert!(!applied("    Some(job)", "    Some(job) // and nothing else"));
}

#[test]
fn a_proposal_lands_when_it_is_sent() {
    let file = "setup() {\n\tload config\n\tcheck paths\n\tcheck rights\n\tcheck space\n\tstart\n}\n";
    let needle = "setup() {\n\tload config\n\tstart\n}";
    let replacement = "setup() {\n\tload config\n\tload plugins\n\tstart\n}";
    let answer = decide(file, needle, replacement, false);
    assert_eq!(answer.applied, Err(GUESS));
    let proposal = answer.proposal.expect("there is a proposal");
    let output = decide(file, &proposal.old, &proposal.new, false).output();
    assert_eq!(output, Some(file.replace("load config\n", "load config\n\tload plugins\n")));
}

#[test]
fn replace_all_takes_equals_but_no_near_misses() {
    let file = "x = f( 1 )\ny = g()\nx = f(1)\nx = f(2)\n";
    let all = |needle: &str, replacement: &str| decide(file, needle, replacement, true).output();
    assert_eq!(all("f(1)", "h(1)").as_deref(), Some("x = f( 1 )\ny = g()\nx = h(1)\nx = f(2)\n"));
    assert_eq!(all("x=f(1)", "x=h(1)").as_deref(), Some("x = h( 1 )\ny = g()\nx = h(1)\nx = f(2)\n"));
    assert_eq!(all("x = f(3)", "x = h(3)"), None);
}

#[test]
fn survives_anything() {
    let texts = [
        "",
        "\n",
        "\r\n",
        "\u{feff}",
        "…",
        "a\n\n\nb",
        "\\",
        "&",
        "```\n```",
        "1\t\n2\t",
        "{}{}{}",
        "…\n…\n…",
        "é\\né",
    ];
    for haystack in texts {
        for needle in texts {
            for replacement in texts {
                for all in [false, true] {
                    let _ = decide(haystack, needle, replacement, all).output();
                }
            }
        }
    }
}

#[test]
fn deleted_text_that_occurs_twice_proves_nothing() {
    let needle = "fn push(q: &Queue, job: Job) {\n    // see pop\n    queue.jobs.push_back(job);\n    queue.waiting.notify_one();";
    let replacement = needle
        .replace("push_back(job);\n    queue.waiting.notify_one", "push_front(job);\n    queue.waiting.notify_all");
    assert!(lands(QUEUE, needle, &replacement));
    let twice =
        format!("{QUEUE}\nfn requeue() {{\n    queue.jobs.push_back(job);\n    queue.waiting.notify_one();\n}}\n");
    assert!(decide(&twice, needle, &replacement, false).output().is_none());
}

#[test]
fn gives_up_at_the_deadline() {
    let long = QUEUE.repeat(2_000);
    let document = Document::new(long.as_str());
    let query = Query::new(&document, "    queue.waiting.notify_everyone();\n    Ok(queue)")
        .with_deadline(Some(Instant::now()));
    let pipeline = pipeline();
    assert_eq!(pipeline.decide(query, Some("    Ok(queue)"), false).found(), Err(Failure::Deadline));
}

#[test]
fn gives_up_in_the_middle_of_a_merge() {
    let file = "fn f() {\n    if ready {\n        start();\n    }\n}\n";
    // A place that is found at once, and lines that take its indentation.
    let (needle, new) = ("if ready {\n    start();\n}", "if ready {\n    warm_up();\n    start();\n}");
    let document = Document::new(file);
    let pipeline = pipeline();
    let decide = |cancelled: &AtomicBool| {
        let query = Query::new(&document, needle).cancelled_by(Some(cancelled));
        pipeline.decide(query, Some(new), false).found().map(|found| found.span.start())
    };
    assert_eq!(decide(&AtomicBool::new(false)), Ok(file.find("    if").expect("there")));
    assert_eq!(decide(&AtomicBool::new(true)), Err(Failure::Deadline));
}

#[test]
fn overlapping_places_are_ambiguous() {
    let ambiguous = |file: &str, needle: &str, new: &str| {
        let places = places(file, needle, new);
        assert!(places >= 2, "{needle:?} in {file:?}: {places}");
    };
    ambiguous("a b\na b\na b\nc\n", "a b\na b\n", "d\n");
    ambiguous("c\n\ta b\n\ta b\n\ta b\n", "a b\na b", "a b\nd");
    let twice = "def total(self):\ndef total(self):\n\tif self.closed:\n\tif self.closed:\n\tif self.closed:\n";
    ambiguous(twice, "\tif self.closed:\nif self.closed:", "something = new\nif self.closed:");
}

#[test]
fn refuses_an_edit_of_another_name() {
    let file = "\
use disk::ReadDisk;

type WriteDisk = call!(fn(
    Protocol,
    u32,
    usize,
) -> Status);
";
    for name in ["ReadDisk", "Erase"] {
        let needle = format!("  type {name} = call!(fn(\n      Protocol,\n      u32,\n      usize,\n  ) -> Status);");
        let replacement = needle.replace("call!", "checked!");
        assert_eq!(failure(file, &needle, &replacement), UNLIKE, "{name}");
        let same = (needle.replace(name, "WriteDisk"), replacement.replace(name, "WriteDisk"));
        assert!(lands(file, &same.0, &same.1));
    }
}

#[test]
fn an_approximate_copy_is_not_written_twice() {
    let done = QUEUE.replace("notify_one();\n", "notify_one();\n    queue.pushed += 1;\n");
    let needle = "    queue.jobs.push_back(job)\n    queue.waiting.notify_one()";
    let replacement = format!("{needle}\n    queue.pushed += 1;");
    assert!(lands(QUEUE, needle, &replacement));
    assert!(is_applied(&done, needle, &replacement));
    // Lines that are left out do not hide it.
    let needle =
        "fn push(queue: &mut Queue, job: Job) -> Result<(), Full> {\n    // ...\n    queue.waiting.notify_one()";
    let replacement = format!("{needle}\n    queue.pushed += 1;");
    assert!(lands(QUEUE, needle, &replacement));
    assert!(is_applied(&done, needle, &replacement));
}
