//! Points at which a server dies, and servers that die there.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use super::database::Database;
use super::scene::Scene;
use super::server::{Reply, Server, serve};

/// One of so many points that are calls of git is tried, unless `FUZZY_EDIT_KILL_STRIDE` sets the number.
const STRIDE: usize = 23;

/// The points to die at: by name, then by number, until one is not reached.
pub(crate) struct Points {
    names: &'static [&'static str],
    /// The distance between two numbers; 0 for none.
    stride: usize,
    next: AtomicUsize,
    tried: AtomicUsize,
}

impl Points {
    pub(crate) fn new(names: &'static [&'static str]) -> Self {
        let stride = std::env::var("FUZZY_EDIT_KILL_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(STRIDE);
        Self { names, stride, next: AtomicUsize::new(0), tried: AtomicUsize::new(0) }
    }

    /// Returns only the named points.
    pub(crate) fn named(names: &'static [&'static str]) -> Self {
        Self { stride: 0, ..Self::new(names) }
    }

    /// Returns the next point, and whether it has to be reached. `before` is the number of points that a server passes
    /// before it listens.
    fn next(&self, before: usize) -> Option<(String, bool)> {
        let next = self.next.fetch_add(1, Ordering::SeqCst);
        match self.names.get(next) {
            Some(name) => Some(((*name).to_owned(), true)),
            None if self.stride == 0 => None,
            None => Some(((before + 1 + (next - self.names.len()) * self.stride).to_string(), false)),
        }
    }
}

fn log(scene: &Scene) -> PathBuf {
    scene.place.dir.join("log")
}

fn passed(scene: &Scene) -> Vec<String> {
    fs::read_to_string(log(scene)).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Starts a server that dies at a point; if it dies before it listens, returns the point.
pub(crate) fn armed(scene: &Scene, point: &str) -> Result<Server, String> {
    let _ = fs::remove_file(log(scene));
    let mut command = serve(&scene.place, &scene.database.target);
    command.env("FUZZY_FAILPOINT_LOG", log(scene)).env("FUZZY_FAILPOINT_KILL", point);
    Server::begin(command).map_err(|status| died(scene, point, status))
}

fn died(scene: &Scene, point: &str, status: ExitStatus) -> String {
    assert_eq!(status.signal(), Some(9), "{status}");
    format!("{point}: {}", passed(scene).last().expect("a place"))
}

/// Sends a request to a server that dies at a point; returns the point, or the answer if it did not die.
pub(crate) fn dying(
    scene: &Scene,
    point: &str,
    request: impl FnOnce(&Server) -> Result<Reply, ureq::Error>,
) -> Result<String, Value> {
    let mut server = armed(scene, point).expect("it listens");
    match request(&server) {
        Ok(reply) => Err(reply.good()),
        Err(_) => Ok(died(scene, point, server.wait())),
    }
}

/// Tries every point, in a few threads with a scene each. `one` gets the number of earlier uses of its scene, and
/// returns false if the point was not reached. The numbers begin where a server listens, or at its start.
pub(crate) fn everywhere(
    database: Database,
    points: &Points,
    from_the_start: bool,
    one: impl Fn(&Scene, usize, &str) -> bool + Sync,
) {
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let scene = Scene::new(database);
                drop(armed(&scene, "0"));
                let before = if from_the_start { 0 } else { passed(&scene).len() };
                for round in 0.. {
                    let Some((point, named)) = points.next(before) else { return };
                    let reached = one(&scene, round, &point);
                    assert!(reached || !named, "`{point}` is a place to die");
                    if !reached {
                        return;
                    }
                    points.tried.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
    });
    println!("killed at {} places", points.tried.load(Ordering::SeqCst));
}
