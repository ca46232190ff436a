//! A long list of turns, in parts.

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{Checkpointer, PagedTurn, SMALL_DIFF, TakeBackOptions, TurnsPage};
use fuzzy_checkpoint_store::{TakeBack, TurnFilter};

use crate::support::{Place, turn};

const ALL: TurnFilter<'_> = TurnFilter { session: None, path: None, text: None, before: None, most: 10 };

/// Three turns of two sessions, and a change by hand between them.
fn played(place: &Place) -> (Checkpointer, String) {
    let service = place.service();
    let sessions = ["one", "two"].map(|title| service.create_session(&place.root(), title).expect("created"));
    turn(&service, &sessions[0], "Add a", || place.write("src/new.txt", "new\n"));
    place.write("mine.txt", "mine\n");
    let many = "line\n".repeat(usize::try_from(SMALL_DIFF).expect("small") + 1);
    turn(&service, &sessions[1], "Write many lines", || place.write("many.txt", &many));
    turn(&service, &sessions[0], "Do nothing", || {});
    let worktree = service.session(&sessions[0]).expect("read").worktree_id;
    (service, worktree)
}

fn numbers(page: &TurnsPage) -> Vec<i64> {
    page.turns.iter().map(|row| row.turn.number).collect()
}

#[test]
fn turns_are_paged_with_their_files_and_small_diffs() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let (service, worktree) = played(&place);
    let page = |filter: TurnFilter<'_>| service.turns_page(&worktree, &filter).expect("listed");
    let all = page(ALL);
    assert_eq!((numbers(&all), all.more), (vec![3, 2, 1], false));
    assert_eq!(
        all.turns.iter().map(|row| (row.turn.clone().number, row.turn.files)).collect::<Vec<_>>(),
        service
            .turns(&worktree)
            .expect("listed")
            .into_iter()
            .rev()
            .map(|turn| (turn.number, turn.files))
            .collect::<Vec<_>>()
    );
    let [nothing, many, small] = &all.turns[..] else { panic!("{all:?}") };
    assert_eq!(nothing.paths.as_deref(), Some(&[][..]));
    assert_eq!((many.paths.as_deref(), &many.diff), (Some(&["many.txt".into()][..]), &None));
    assert_eq!(many.outside.as_ref().map(|outside| outside.files), Some(1), "the change by hand");
    let diff = small.diff.as_ref().expect("a small diff");
    assert_eq!(diff.files[0].path, "src/new.txt".into());
    assert!(String::from_utf8_lossy(&diff.patch).contains("+new\n"));

    let first = page(TurnFilter { most: 2, ..ALL });
    assert_eq!((numbers(&first), first.more), (vec![3, 2], true));
    let second = page(TurnFilter { most: 2, before: Some(2), ..ALL });
    assert_eq!((numbers(&second), second.more), (vec![1], false));
    let src = RepoPath::from("src");
    assert_eq!(numbers(&page(TurnFilter { path: Some(&src), ..ALL })), [1]);
    assert_eq!(numbers(&page(TurnFilter { text: Some("MANY"), ..ALL })), [2]);

    assert!(all.last.is_none());
    service.take_back(&worktree, &TakeBackOptions::new(TakeBack::Revert, vec![1]), None).expect("reverted");
    let taken = page(ALL);
    let state = |row: &PagedTurn| row.turn.taken_back;
    assert_eq!(taken.turns.iter().map(state).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(taken.last.expect("a restore").options.turns, [1]);
    service.take_back(&worktree, &TakeBackOptions::undo(None), None).expect("brought back");
    let back = page(ALL);
    assert!(back.last.is_none() && !back.turns.iter().any(state));
}
