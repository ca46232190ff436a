//! The failures that interfaces report.

use fuzzy_checkpoint::Error as Engine;
use fuzzy_checkpoint_service::Error;
use fuzzy_report::Surface;

#[test]
fn a_failure_has_the_members_that_it_is_about() {
    let members = |error: Error| {
        let json = serde_json::to_value(error.failure(Surface::Command)).expect("it is JSON");
        json.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(members(Error::KeyReused), "code message next_step status");
    let obstructed = Engine::Obstructed { paths: vec!["a/b".into()], repositories: Vec::new() };
    assert_eq!(members(obstructed.into()), "code message next_step paths status");
    let refused = Error::ChangedDuring { restore: "R".into(), paths: vec!["a/b".into()] };
    assert_eq!(members(refused), "code message next_step paths restore_id status");
}

#[test]
fn a_failure_without_a_repository_names_the_option_that_needs_none() {
    let outside = Engine::NotAWorktree { path: "/x".into(), reason: "no repository".into() };
    let failure = Error::from(outside).failure(Surface::Command).to_string();
    assert!(failure.starts_with("not_a_worktree: \"/x\" is not a git worktree: no repository. "), "{failure}");
    assert!(failure.contains("--sidecar"), "{failure}");
}
