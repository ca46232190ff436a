//! The words of refusals: the lines, the texts and the next step that they name.

use fuzzy_pipeline::apply;
use fuzzy_pipeline::report::Failure;

/// Returns the refusal of an edit.
fn refused(file: &str, old: &str, new: &str) -> Failure {
    *apply(file, old, new).expect_err("the edit is refused")
}

/// Returns the numbers of the nearest lines.
fn nearest(failure: &Failure) -> Option<(usize, usize)> {
    failure.details.nearest.as_ref().map(|nearest| (nearest.lines.first, nearest.lines.last))
}

const SWITCH: &str = "switch kind {\ncase \"list\":\n\treturn \"items\"\ncase \"show\":\n\treturn \"item\"\n}\n";

#[test]
fn lines_in_two_blocks_are_named_before_anything_is_proposed() {
    let failure = refused(SWITCH, "case \"list\":\n\treturn \"item\"", "case \"list\":\n\treturn \"entries\"");
    assert_eq!(failure.message, "the lines of the old text are in two blocks of the file: line 1 is at 2, line 2 at 5");
    assert_eq!(nearest(&failure), Some((2, 3)));
    assert_eq!(failure.details.proposal, None);
    assert!(failure.next_step.contains("from one block alone, such as lines 2-3"), "{}", failure.next_step);
}

#[test]
fn the_nearest_lines_are_those_with_most_of_the_tokens() {
    let file = "pub struct Store {\n    pub user: u64,\n    pub started: u64,\n}\n\nimpl Store {\n    pub fn insert(&mut \
                self, token: &str, session: Session) -> Option<Session> {\n        \
                self.sessions.insert(token.to_owned(), session)\n    }\n}\n";
    let old = "    pub fn insert(\n        &mut self,\n        token: &str,\n        session: Session,\n    ) -> \
               Option<Session> {\n        self.sessions.insert(token.to_owned(), session)";
    let new = old.replace("        self.s", "        self.sweep();\n        self.s");
    let failure = refused(file, old, &new);
    assert_eq!(nearest(&failure), Some((7, 8)), "{failure}");
}

#[test]
fn a_rule_names_the_texts_that_it_speaks_of() {
    for (file, old, new, texts) in [
        ("a = f(one, two)\n", "a = f(one, three)", "a = g(one, three)", "the file has `two`, the old text `three`"),
        (
            "class Avg(Mixin):\n    name = 1\n    size = 2\n\nclass Sum(Mixin):\n    name = 2\n    size = 3\n",
            "class Top(Mixin):\n    name = 1\n    size = 2",
            "class Top(Mixin):\n    name = 5\n    size = 2",
            "the file has `Avg`, the old text `Top`",
        ),
        (
            "import os.path\n",
            "import os",
            "import os\nimport re",
            "the file has `import os.path`, the old text `import os`",
        ),
    ] {
        let failure = refused(file, old, new);
        assert!(failure.message.contains(texts), "{failure}");
    }
}

#[test]
fn letters_that_look_alike_are_named_by_their_code_points() {
    let failure = refused("ѕtate = 1\nrate = 2\n", "state = 1\nrate = 3", "state = 4\nrate = 3");
    assert!(failure.message.contains("the file has `ѕtate` (U+0455), not `state`"), "{failure}");
    // The line itself is as in the file, so that it can be sent.
    let diff = failure.details.nearest.expect("there are nearest lines").diff;
    assert!(diff.contains("\n+ѕtate = 1\n"), "{diff}");
}

#[test]
fn ambiguous_pieces_of_lines_are_extended_inside_the_line() {
    let failure = refused("a = f(x) + 1\nb = f(x) + 2\n", "f(x)", "g(x)");
    assert!(failure.next_step.contains("inside its line"), "{failure}");
    assert!(failure.next_step.contains("`f(x) + 1` on line 1, `f(x) + 2` on line 2"), "{failure}");
}

#[test]
fn an_elided_old_text_is_said_by_its_ends() {
    let file = "function load(id) {\n  const row = find(id);\n  return row.value;\n}\n";
    let failure = refused(file, "function load(id) {\n  ...\n}", "function load(id) {\n  return cache.get(id);\n}");
    assert_eq!(failure.details.rule, Some("elided-old-text"));
    let ends = "send \"first\": \"function load(id) {\" and \"last\": \"}\" instead of the old text";
    assert!(failure.next_step.contains(ends), "{failure}");
}
