//! What people read of how likely a place is.

use fuzzy_core::{Feature, ScoreBreakdown, Span, Splice};

#[test]
fn every_feature_tells_what_it_adds() {
    let feature = |name, value, adds| Feature { name, meaning: "what it measures", value, adds };
    let score = ScoreBreakdown {
        splice: Splice { span: Span::new(0, 1), text: "b".to_owned() },
        probability: 0.912_34,
        accepted: 30.0 / 31.0,
        perfect: 14.36,
        features: vec![feature("lead", 0.25, -1.5), feature("unlike", 12.0, -0.0)],
        ruled_out: None,
    };
    let text = "\
the place is the one that is meant with probability 0.912; 0.968 is enough
feature       value    adds
                      14.36  what a place without a flaw has
lead          0.250   -1.50  what it measures
unlike       12.000    0.00  what it measures
";
    assert_eq!(score.to_string(), text);
    let ruled_out = ScoreBreakdown { ruled_out: Some("another place explains the needle as well"), ..score };
    assert_eq!(
        ruled_out.to_string(),
        format!("{text}ruled out, however likely the place is: another place explains the needle as well\n")
    );
}
