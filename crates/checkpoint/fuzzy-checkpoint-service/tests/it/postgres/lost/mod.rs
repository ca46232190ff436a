//! The connection breaks at any message of a restore, and several processes restore concurrently.

mod proxy;

use std::collections::HashSet;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use fuzzy_checkpoint_service::Stopped;
use fuzzy_checkpoint_store::{Phase, RestoreOptions};

use super::kill::{check, options, place, scene};
use proxy::{Cut, Proxy};

/// The environment variable with the number of messages at which to cut; 16 by default, spread over all messages.
const CUTS: &str = "LOST_CUTS";

#[test]
fn a_connection_lost_anywhere_loses_nothing() {
    let whole = lose(None);
    println!("{whole} messages to the server in a restore");
    assert!(whole > 50, "{whole}");
    let cuts = std::env::var(CUTS).ok().and_then(|text| text.parse().ok()).unwrap_or(16).min(whole);
    let at = |number: usize| 1 + number * whole / cuts;
    let lost = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for half in [0, 1] {
            let lost = &lost;
            scope.spawn(move || {
                for number in (0..cuts).filter(|number| number % 2 == half) {
                    // Before the message arrives nothing is done; afterwards all is, but the client does not know.
                    for cut in [Cut::Before(at(number)), Cut::After(at(number))] {
                        lost.fetch_add(usize::from(lose(Some(cut)) >= at(number)), Ordering::SeqCst);
                    }
                }
            });
        }
    });
    let lost = lost.into_inner();
    println!("{lost} restores lost their connection");
    // The number of lease renewals, and so the number of messages, differs from run to run.
    assert!(lost > 0);
}

/// Restores over a connection that is cut, then checks the recovery; returns the number of messages.
fn lose(cut: Option<Cut>) -> usize {
    let dir = tempfile::tempdir().expect("a directory");
    let scene = scene(dir.path());
    let (proxy, url) = Proxy::before(&scene.place.database());
    let service = scene.place.service_on(&url, Stopped::Yes);
    proxy.arm(cut);
    let restored = service.restore(&scene.session, &scene.target, options(), Some("k"));
    let messages = proxy.messages();
    assert!(cut.is_some() || restored.is_ok(), "{restored:?}");
    let directly = scene.place.service();
    // Waits until the server has processed its last message.
    let worktree = directly.session(&scene.session).expect("read").worktree_id;
    assert!(!directly.store().renew_lease(&worktree, "unknown", 0).expect("answered"));
    let journal = directly.store().restore_by_key(&scene.session, "k").expect("read");
    // A restore may be refused only before the first write.
    let began = journal.is_some_and(|row| row.phase != Phase::Refused);
    assert!(began || restored.is_err(), "{cut:?}");
    check(&scene, &format!("{cut:?}"), began);
    messages
}

/// Runs in a separate process; does nothing without its variables.
#[test]
#[ignore = "one of the processes that the other test starts"]
fn child() {
    let Some(dir) = std::env::var_os("LOST_DIR") else { return };
    let text = |name: &str| std::env::var(name).expect("set");
    let service = place(dir.into()).service();
    let (session, target) = (text("LOST_SESSION"), text("LOST_TARGET"));
    let mut done = 0;
    while done < 3 {
        match service.restore(&session.as_str().into(), &target.as_str().into(), RestoreOptions::default(), None) {
            Ok(_) => done += 1,
            Err(error) => assert!(["restore_in_progress", "locked"].contains(&error.code().as_str()), "{error}"),
        }
    }
}

#[test]
fn processes_take_turns() {
    let dir = tempfile::tempdir().expect("a directory");
    let scene = scene(dir.path());
    let start = || {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--ignored", "--exact", "postgres::lost::child"]);
        command
            .env("LOST_DIR", &scene.place.0)
            .env("LOST_SESSION", scene.session.as_str())
            .env("LOST_TARGET", scene.target.as_str());
        command.stdout(std::process::Stdio::null()).spawn().expect("it runs")
    };
    let processes = [start(), start(), start()];
    for mut process in processes {
        assert!(process.wait().expect("it ends").success());
    }
    let service = scene.place.service();
    service.recover().expect("recovered");
    let worktree = service.session(&scene.session).expect("read").worktree_id;
    let mut all = service.store().restores_of(&worktree).expect("listed");
    all.retain(|row| row.phase == Phase::Done);
    let mut generations: Vec<_> = all.iter().map(|row| row.result.generation).collect();
    generations.sort_unstable();
    // A restore that another process finished, because its own paused past its lease, is requested once more.
    let all_of_them = i64::try_from(all.len()).expect("a few");
    assert!(all_of_them >= 9);
    assert_eq!(generations, (1..=all_of_them).collect::<Vec<_>>(), "each of them is committed once, and alone");
    all.sort_by_key(|row| row.result.generation);
    for pair in all.windows(2) {
        assert!(pair[0].updated_at <= pair[1].created_at, "each begins after the previous one has ended: {pair:?}");
    }
    assert_eq!(all.iter().map(|row| row.result.messages_deleted).sum::<u64>(), 3, "trimmed once");
    let resets: HashSet<_> = scene.place.notes().into_iter().collect();
    assert_eq!(resets.len(), all.len(), "{resets:?}");
}
