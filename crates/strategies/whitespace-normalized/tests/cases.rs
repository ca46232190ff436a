//! The worked cases of this family.

#[test]
fn every_case_is_as_worked_out() {
    fuzzy_whitespace_normalized::link();
    fuzzy_testkit::cases::assert_all(include_str!("cases.toml"));
}
