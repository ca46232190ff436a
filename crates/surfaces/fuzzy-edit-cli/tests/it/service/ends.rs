//! Clients that disconnect, agents that do not respond, and servers that are stopped, in the middle of a restore.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::thread;

use serde_json::json;

use super::database::{Database, on_each_database};
use super::scene::Scene;
use super::server::{Gate, Server, serve, until};

on_each_database!(
    a_disconnected_client_does_no_harm,
    a_stopped_server_finishes_first,
    a_second_signal_ends_the_server_at_once,
    a_turn_begins_after_the_agent_is_reset,
    concurrent_saves_are_reported_and_kept,
);

/// Starts a server whose restores wait before they write files.
fn gated(scene: &Scene) -> (Server, Gate<'_>) {
    let mut command = serve(&scene.place, &scene.database.target);
    let gate = Gate::before(&scene.place, &mut command);
    (Server::start(command), gate)
}

fn until_it_accepts_no_connection(server: &Server) {
    until("a server that no longer listens", || TcpStream::connect(&server.address).is_err().then_some(()));
}

fn a_disconnected_client_does_no_harm(database: Database) {
    let scene = Scene::new(database);
    let (server, gate) = gated(&scene);
    let before = scene.talk(&server);
    let mut client = TcpStream::connect(&server.address).unwrap();
    let (path, host) = (scene.restore_path(), &server.address);
    write!(client, "POST {path} HTTP/1.1\r\nHost: {host}\r\nIdempotency-Key: gone\r\nContent-Length: 0\r\n\r\n")
        .unwrap();
    gate.reached();
    drop(client);
    gate.open();
    let store = scene.database.store();
    until("the end of the restore", || store.open_restores().expect("listed").is_empty().then_some(()));
    let done = scene.restore(&server, "gone", &json!({})).expect("an answer").good();
    scene.check_restored(&server, &before, &done, "without its client");
    scene.check_goes_on(&server, &before, "without its client");
}

fn a_stopped_server_finishes_first(database: Database) {
    let scene = Scene::new(database);
    let (mut server, gate) = gated(&scene);
    let before = scene.talk(&server);
    let done = thread::scope(|scope| {
        let pending = scope.spawn(|| scene.restore(&server, "last", &json!({})));
        gate.reached();
        server.terminate();
        until_it_accepts_no_connection(&server);
        gate.open();
        pending.join().unwrap().expect("an answer").good()
    });
    assert!(server.wait().success());
    let server = scene.start();
    scene.check_restored(&server, &before, &done, "at the end");
    assert_eq!(scene.restore(&server, "last", &json!({})).expect("an answer").good(), done);
}

fn a_second_signal_ends_the_server_at_once(database: Database) {
    let scene = Scene::new(database);
    let (mut server, gate) = gated(&scene);
    let before = scene.talk(&server);
    thread::scope(|scope| {
        let pending = scope.spawn(|| scene.restore(&server, "cut off", &json!({})));
        gate.reached();
        server.terminate();
        until_it_accepts_no_connection(&server);
        server.terminate();
        pending.join().unwrap().expect_err("cut off");
    });
    assert_eq!(server.wait().code(), Some(1));
    let server = scene.start();
    scene.check_nothing_open("after two signals");
    let done = scene.restore(&server, "cut off", &json!({})).expect("an answer").good();
    scene.check_restored(&server, &before, &done, "after two signals");
}

fn a_turn_begins_after_the_agent_is_reset(database: Database) {
    let scene = Scene::new(database);
    let server = scene.start();
    let before = scene.talk(&server);
    fs::write(scene.place.dir.join("deaf"), "").unwrap();
    let done = scene.restore(&server, "unheard", &json!({})).expect("an answer").good();
    server.post(&scene.at("/turns"), &json!({"message": "too early"})).refused(502, "backend");
    fs::remove_file(scene.place.dir.join("deaf")).unwrap();
    let turn = scene.begin(&server, "now");
    assert_eq!(turn["generation"], done["generation"]);
    let expected = format!("reset {} {}", scene.session, done["generation"]);
    let notes = &scene.notes()[before.notes.len()..];
    // The server itself retries, too.
    assert!(!notes.is_empty() && notes.iter().all(|note| *note == expected), "{notes:?}");
    assert_eq!(scene.talk(&server).messages.len(), 2, "what was refused is not in the transcript");
}

fn concurrent_saves_are_reported_and_kept(database: Database) {
    let scene = Scene::new(database);
    let (server, gate) = gated(&scene);
    let before = scene.talk(&server);
    let pending = thread::scope(|scope| {
        let pending = scope.spawn(|| scene.restore(&server, "meanwhile", &json!({})));
        gate.reached();
        scene.place.write("a.txt", "written meanwhile\n");
        gate.open();
        pending.join().unwrap().expect("an answer")
    });
    pending.refused(409, "changed_during");
    // The other files are then written without a further request.
    let store = scene.database.store();
    until("the end of the restore", || store.open_restores().expect("listed").is_empty().then_some(()));
    let done = scene.restore(&server, "meanwhile", &json!({})).expect("an answer").good();
    assert_eq!(done["kept"], json!(["a.txt"]));
    assert_eq!(fs::read_to_string(scene.place.path("a.txt")).unwrap(), "written meanwhile\n");
    scene.place.write("a.txt", "unstaged\n");
    scene.check_restored(&server, &before, &done, "changed meanwhile");
    scene.check_goes_on(&server, &before, "changed meanwhile");
}
