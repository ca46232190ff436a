//! Questions and output at a terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::place::Place;

/// Runs the command with a terminal for input, output and errors, and types `answer`; returns status and screen.
fn at_a_terminal(place: &Place, arguments: &[&str], answer: &str) -> (i32, String) {
    type_to(place.command(&place.root(), arguments), answer)
}

/// Opens a terminal: its keys and screen, and the end for programs.
pub(crate) fn terminal() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let mut slave = OpenOptions::new();
    // The terminal of this process stays the same.
    let slave = slave.read(true).write(true).custom_flags(OFlags::NOCTTY.bits().cast_signed());
    (File::from(master), slave.open(name.to_str().unwrap()).unwrap())
}

/// Does the same with a given command.
pub(crate) fn type_to(mut command: Command, answer: &str) -> (i32, String) {
    let (mut master, slave) = terminal();
    let end = || Stdio::from(slave.try_clone().unwrap());
    // A pager would wait for a key.
    command.env("PAGER", "");
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    drop((command, slave));
    // The terminal buffers the answer until the command reads it.
    master.write_all(answer.as_bytes()).unwrap();
    let mut screen = Vec::new();
    // Reading returns an error once the last process has closed the terminal.
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = master.read(&mut part) {
        screen.extend_from_slice(&part[..read]);
    }
    (child.wait().unwrap().code().unwrap(), String::from_utf8(screen).unwrap().replace("\r\n", "\n"))
}

#[test]
fn restore_shows_its_plan_and_asks() {
    let place = Place::new();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.write("new.txt", "new\n");
    let before = place.files();
    for answer in ["n\n", "\n", "\u{4}", "yes please\n"] {
        let (code, screen) = at_a_terminal(&place, &["restore", &id], answer);
        assert_eq!(code, 1, "{answer:?}: {screen}");
        assert!(screen.contains("write:\n  a.txt\ndelete:\n  new.txt\nrestore? [y/N] "), "{screen}");
        assert!(screen.contains("declined: nothing was changed"), "{screen}");
        assert_eq!(place.files(), before, "{answer:?}");
    }
    let (code, screen) = at_a_terminal(&place, &["restore", &id], "y\n");
    assert_eq!((code, place.read("a.txt")), (0, b"alpha\n".to_vec()), "{screen}");
    assert!(screen.trim_end().ends_with("to undo this: fuzzy-edit undo"), "{screen}");
    let (code, screen) = at_a_terminal(&place, &["undo"], "");
    assert_eq!((code, place.files()), (0, before), "{screen}");
}

#[test]
fn a_restore_that_would_be_refused_has_no_question() {
    let place = Place::new();
    place.write("out", "a file\n");
    let id = place.create();
    std::fs::remove_file(place.path("out")).unwrap();
    place.create();
    place.write(".gitignore", "out\n");
    place.write("out", "ignored\n");
    let (code, screen) = at_a_terminal(&place, &["restore", &id], "y\n");
    assert!(code == 1 && screen.contains("obstructed: ") && !screen.contains("[y/N]"), "{screen}");
}

#[test]
fn tables_are_as_wide_as_the_terminal() {
    let place = Place::new();
    let label = "a label of a hundred characters ".repeat(4);
    place.run(&["create", "--label", &label]);
    let (_, screen) = at_a_terminal(&place, &["list"], "");
    let row = screen.lines().nth(1).unwrap();
    assert!(row.chars().count() == 120 && row.ends_with('…'), "{screen}");
    assert!(place.run(&["list"]).text().contains(label.trim_end()));
}

#[test]
fn a_diff_has_colours_unless_no_color_is_set() {
    let place = Place::new();
    let id = place.create();
    place.write("a.txt", "\u{1b}[2Jchanged\n");
    let (_, screen) = at_a_terminal(&place, &["diff", &id], "");
    assert!(screen.contains("\u{1b}[31m-alpha\u{1b}[m\n\u{1b}[32m+^[[2Jchanged\u{1b}[m\n"), "{screen:?}");
    let mut plain = place.command(&place.root(), &["diff", &id]);
    plain.env("NO_COLOR", "1");
    let (_, screen) = type_to(plain, "");
    assert!(screen.contains("\n-alpha\n+^[[2Jchanged\n") && !screen.contains('\u{1b}'), "{screen:?}");
}

#[test]
fn the_first_checkpoint_says_why_it_takes_long() {
    let place = Place::new();
    let create = || {
        let mut command = place.command(&place.root(), &["create"]);
        // A terminal without a name shows no progress.
        command.env("TERM", "xterm");
        type_to(command, "")
    };
    let (code, screen) = create();
    assert!(code == 0 && screen.contains("the first checkpoint reads every file"), "{screen:?}");
    let (code, screen) = create();
    assert!(code == 0 && !screen.contains("reads every file"), "{screen:?}");
    let answer = Place::new().run(&["create"]);
    assert!(!answer.err.contains("reads every file"), "{answer:?}");
}
