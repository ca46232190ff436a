//! A process is stopped in the middle of its work, as by `kill -STOP` or a suspended machine, and another one works
//! meanwhile: one of both succeeds or waits, nothing is mixed, and the stopped one goes on.
//!
//! `strace` stops the process at a system call that changes files, so the test is left out where it cannot trace.
//! `FUZZY_STOPS` is the number of stops for each command, `FUZZY_STOPPED_SECONDS` the length of each.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use rustix::process::{Pid, Signal, kill_process};

use crate::faults::{LIMIT, Scenario, command, counted, scenario, without_named};
use crate::place::run;

/// The stops for each command in the suite, and their length.
const STOPS: usize = 3;
const SECONDS: u64 = 2;

fn variable<T: std::str::FromStr>(name: &str, usual: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Returns the processes that a log of `strace` names as stopped.
fn stopped(log: &Path) -> Vec<Pid> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines = text.lines().filter(|line| line.contains("--- stopped by SIGSTOP ---"));
    lines.filter_map(|line| Pid::from_raw(line.split(' ').next()?.parse().ok()?)).collect()
}

/// Lets stopped processes go on from `until`, until the first one ends. Returns its exit code and its output.
fn go_on(mut child: Child, log: &Path, until: Instant, what: &str) -> (Option<i32>, String) {
    let begun = Instant::now();
    loop {
        if Instant::now() >= until {
            for pid in stopped(log) {
                // It may have ended.
                let _ = kill_process(pid, Signal::CONT);
            }
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        assert!(
            begun.elapsed() < LIMIT + Duration::from_secs(variable("FUZZY_STOPPED_SECONDS", SECONDS)),
            "{what}: hangs"
        );
        thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(!said.contains("panicked"), "{what}: {said}");
    (output.status.code(), said)
}

/// Stops a command at a call, runs another one, and checks the files.
fn stop(name: &str, call: &str, when: usize) {
    let what = format!("{name} {call}:{when}");
    let Scenario { place, arguments, old, new, recover } = scenario(name);
    let log = place.dir.join("stops");
    let options = ["-o", log.to_str().unwrap(), "-e", &format!("trace={call}"), "-e"].map(str::to_owned);
    let options = [&options[..], &[format!("inject={call}:signal=STOP:when={when}")]].concat();
    let mut child = command(&place, Some(&options)).args(&arguments).spawn().unwrap();
    while stopped(&log).is_empty() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
    }
    let until = Instant::now() + Duration::from_secs(variable("FUZZY_STOPPED_SECONDS", SECONDS));
    let is_restore = name == "restore";
    let present = if name == "undo" { "ALPHA" } else { "alpha" };
    let other: &[&str] = if is_restore {
        &["checkpoint", "create", "--json"]
    } else {
        &["apply", "a.txt", "--old", present, "--new", "theirs"]
    };
    let other = thread::scope(|scope| {
        let other = scope.spawn(|| run(command(&place, None).args(other)));
        let (code, said) = go_on(child, &log, until, &what);
        let other = other.join().unwrap();
        (code, said, other)
    });
    let (code, said, other) = other;
    assert!(!other.err.contains("panicked"), "{what}: {}", other.err);
    let recovered = run(command(&place, None).args(recover));
    assert!(recovered.code == 0, "{what}: {said}; {}", recovered.err);
    let mut now = without_named(place.files(), &said);
    if is_restore {
        let named = ["restore_in_progress", "locked", "busy"].iter().any(|code| other.text().contains(code));
        assert!(other.code == 0 || named, "{what}: {} {}", other.text(), other.err);
        assert!(now == new || code != Some(0) && now == old, "{what}: {code:?} {said}: {:?}", now.keys());
        return;
    }
    if name == "undo" && code == Some(0) && other.code == 0 {
        // It was stopped before it chose the last batch, and undid the other one.
        assert_eq!(now, old, "{what}: {said}");
        return;
    }
    // Each needs the text that the other one replaces.
    assert!((code == Some(0)) != (other.code == 0), "{what}: {code:?} {said}; {} {}", other.code, other.err);
    if other.code == 0 {
        assert_eq!(
            now.insert(place.path("a.txt"), old[&place.path("a.txt")].clone()).unwrap().1,
            b"theirs\n",
            "{what}"
        );
        assert_eq!(now, old, "{what}: {said}");
    } else {
        assert_eq!(now, new, "{what}: {said}");
    }
}

/// Stops a command at a sample of its calls.
fn stops(name: &str) {
    let Some(counts) = counted(name) else {
        eprintln!("left out: strace cannot trace here");
        return;
    };
    let mut calls: Vec<(&str, usize)> =
        counts.into_iter().flat_map(|(call, count)| (1..=count).map(move |when| (call, when))).collect();
    Rng::with_seed(15).shuffle(&mut calls);
    for (call, when) in calls.into_iter().take(variable("FUZZY_STOPS", STOPS)) {
        stop(name, call, when);
    }
}

#[test]
fn an_edit_that_is_stopped_goes_on() {
    stops("apply");
}

#[test]
fn a_patch_that_is_stopped_goes_on() {
    stops("patch");
}

#[test]
fn an_undo_that_is_stopped_goes_on() {
    stops("undo");
}

#[test]
fn a_restore_that_is_stopped_goes_on() {
    stops("restore");
}
