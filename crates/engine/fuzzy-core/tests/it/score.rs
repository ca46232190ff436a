//! The printed score of a place.

use fuzzy_core::report::{Feature, Repair, ScoreBreakdown};
use fuzzy_core::{Span, Splice};

#[test]
fn every_feature_has_a_line() {
    let feature = |name, value, adds| Feature { name, meaning: "its meaning", value, adds };
    let score = ScoreBreakdown {
        splice: Splice { span: Span::new(0, 1), text: "b".to_owned() },
        probability: 0.912_34,
        accepted: 30.0 / 31.0,
        perfect: 14.36,
        features: vec![feature("lead", 0.25, -1.5), feature("unlike", 12.0, -0.0)],
        repairs: vec![Repair { name: "fence", right: 0.988 }],
        ruled_out: None,
    };
    let text = "\
the probability of the place is 0.912; 0.968 is enough
feature       value    adds
                      14.36  log-odds of a place without a flaw
lead          0.250   -1.50  its meaning
unlike       12.000    0.00  its meaning
repaired: fence (of 100 such texts, 98.8 are right)
";
    assert_eq!(score.to_string(), text);
    let ruled_out = ScoreBreakdown { ruled_out: Some("another place explains the needle as well"), ..score };
    assert_eq!(
        ruled_out.to_string(),
        format!("{text}ruled out, however likely the place is: another place explains the needle as well\n")
    );
}
