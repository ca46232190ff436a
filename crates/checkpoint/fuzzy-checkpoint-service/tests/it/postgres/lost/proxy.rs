//! A proxy between a service and its server that breaks the connection at a given message.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The message to the server, counted from 1, at which the connection breaks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    /// The server does not receive the message.
    Before(usize),
    /// The server receives the message, and its response is lost.
    After(usize),
}

#[derive(Default)]
struct Plan {
    seen: usize,
    cut: Option<Cut>,
}

/// Forwards all messages until the cut.
pub(super) struct Proxy(Arc<Mutex<Plan>>);

impl Proxy {
    /// Starts a proxy before the server of this URL; returns it and the URL to use instead.
    pub(super) fn before(url: &str) -> (Self, String) {
        let (user, rest) = url.split_once('@').expect("a user");
        let (server, what) = rest.split_once('/').expect("a database");
        let server: SocketAddr = server.parse().expect("an address with a port");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let here = listener.local_addr().expect("an address");
        let plan = Arc::new(Mutex::new(Plan::default()));
        let shared = Arc::clone(&plan);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (plan, up) = (Arc::clone(&shared), TcpStream::connect(server).expect("the server"));
                let (back_from, back_to) = (up.try_clone().expect("cloned"), client.try_clone().expect("cloned"));
                thread::spawn(move || forward(back_from, back_to, None));
                thread::spawn(move || forward(client, up, Some(&plan)));
            }
        });
        (Self(plan), format!("{user}@{here}/{what}"))
    }

    /// Restarts the count and sets the cut.
    pub(super) fn arm(&self, cut: Option<Cut>) {
        *self.0.lock().expect("no panic") = Plan { seen: 0, cut };
    }

    /// Returns the number of messages to the server.
    pub(super) fn messages(&self) -> usize {
        self.0.lock().expect("no panic").seen
    }
}

/// Forwards until either side ends, or until the cut.
fn forward(mut from: TcpStream, mut to: TcpStream, plan: Option<&Mutex<Plan>>) {
    let mut buffer = [0; 1 << 14];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let cut = plan.and_then(|plan| {
            let mut plan = plan.lock().expect("no panic");
            plan.seen += 1;
            let seen = plan.seen;
            plan.cut.filter(|cut| matches!(cut, Cut::Before(at) | Cut::After(at) if *at == seen))
        });
        if let Some(cut) = cut {
            // The response is dropped: this side is shut down before the server has the message.
            let _ = from.shutdown(Shutdown::Both);
            if let Cut::After(_) = cut {
                let _ = to.write_all(&buffer[..length]);
            }
            break;
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Write);
}
