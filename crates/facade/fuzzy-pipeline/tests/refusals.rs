//! A refusal helps under every set of features: it has the most similar lines and the next step.

use fuzzy_pipeline::report::Code;
use fuzzy_pipeline::{Document, Edit, Pipeline, apply_with, ladder};

/// Two lines of the file, and three others.
const MISSING: &str = "fn start() {\n    open(port);\n    alpha(1);\n    beta(two);\n    gamma(3, 4);\n";

#[test]
fn a_refusal_has_lines_and_a_next_step_in_every_ladder() {
    let file = Document::new("fn start() {\n    open(port);\n}\n\nfn stop() {\n    close(port);\n}\n");
    // `registered` has only the strategies that are linked, perhaps none.
    for name in ladder::names().filter(|name| *name != "registered") {
        let Ok(ladder) = ladder::named(name) else { panic!("{name} is listed") };
        let pipeline = Pipeline::new(ladder);
        let missing = Edit::new(MISSING, "x\n");
        let refused = apply_with(&pipeline, &file, &missing).unwrap_err();
        let nearest = refused.details.nearest.as_ref().unwrap_or_else(|| panic!("{name} has no lines: {refused}"));
        assert_eq!((nearest.lines.first, nearest.diff.is_empty()), (1, false), "{name}");
        assert!(!refused.next_step.is_empty() && refused.for_model().contains("alpha(1);"), "{name}");

        let twice = apply_with(&pipeline, &file, &Edit::new("(port);\n}", "(port)\n}")).unwrap_err();
        assert_eq!((twice.code, twice.details.ambiguous_at.len()), (Code::Ambiguous, 2), "{name}");
    }
}
