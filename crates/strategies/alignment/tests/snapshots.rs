//! What `alignment` proposes and refuses, drawn.

use fuzzy_alignment::Alignment;
use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use insta::assert_snapshot;

const QUEUE: &str = "\
def push(queue, job):
    if len(queue.jobs) == queue.limit:
        raise Full(queue)
    queue.jobs.append(job)
    queue.waiting.notify()

def pop(queue):
    job = queue.jobs.popleft()
    queue.running += 1
    return job
";

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Alignment));
}

#[test]
fn accepts_lines_with_another_indentation_and_a_typing_error() {
    let needle = "if len(queue.jobs) == queue.limit:\n  raise Full(queue)\nqueue.jobs.apend(job)";
    assert_snapshot!("accepts_lines_with_another_indentation_and_a_typing_error", picture(&Alignment, QUEUE, needle));
}

#[test]
fn accepts_what_leaves_a_line_out() {
    let needle = "def push(queue, job):\n    if len(queue.jobs) == queue.limit:\n    queue.jobs.append(job)\n    queue.waiting.notify()";
    assert_snapshot!("accepts_what_leaves_a_line_out", picture(&Alignment, QUEUE, needle));
}

#[test]
fn accepts_line_numbers() {
    let needle = "7| def pop(queue):\n8|     job = queue.jobs.popleft()";
    assert_snapshot!("accepts_line_numbers", picture(&Alignment, QUEUE, needle));
}

#[test]
fn proposes_every_equal_place() {
    let file = "a:\n  width: 1\n  color: red\nb:\n  width: 1\n  color: red\n";
    assert_snapshot!("proposes_every_equal_place", picture(&Alignment, file, "width: 1 \ncolor:  red"));
}

#[test]
fn refuses_a_sibling() {
    let needle = "def peek(queue):\n    job = queue.jobs[0]\n    queue.peeked = True\n    return job";
    assert_snapshot!("refuses_a_sibling", picture(&Alignment, QUEUE, needle));
}

#[test]
fn refuses_one_line_with_another_number() {
    assert_snapshot!("refuses_one_line_with_another_number", picture(&Alignment, QUEUE, "    queue.running += 20"));
}
