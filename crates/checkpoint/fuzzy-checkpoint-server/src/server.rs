//! Listens, recovers what was interrupted, and ends in order.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use axum::{Extension, Router, middleware};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_gate::{Hosts, Token};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::app::App;
use crate::bodies::WithBodies;
use crate::newcomers::Newcomers;
use crate::{api, guard, housekeeping, page, recovery};

/// Says whom to serve, and what.
pub struct Settings {
    /// The directories whose worktrees are served. A session elsewhere is as unknown as one that never was.
    pub roots: Vec<PathBuf>,
    /// Further names that requests may be for, such as that of a proxy in front: `Host` headers, with a port where it is
    /// not the usual one.
    pub hosts: Vec<String>,
    /// What every request must show. Without one, every client that reaches the address may do everything.
    pub token: Option<Token>,
}

/// How many clients may be connected at once; the next ones wait.
const CONNECTIONS: usize = 256;
/// How long a client may take for the head of a request, and how long it may be silent between two.
const HEAD: Duration = Duration::from_secs(30);
/// How long a client may take nothing of an answer: one that nobody reads would stay in memory, and its connection open.
const ANSWER: Duration = Duration::from_secs(30);
/// The largest head of a request, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// How many headers a request may have.
const HEADERS: usize = 100;
/// How long requests that have begun may take to end after the server was told to.
const FAREWELL: Duration = Duration::from_secs(90);

/// Serves every client that connects to `listener` until `stop` is over; then requests that have begun are finished,
/// for at most 90 seconds.
///
/// # Errors
///
/// What the system says of the listener or of a root.
pub async fn serve(
    service: Arc<Checkpointer>,
    listener: TcpListener,
    settings: Settings,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let Settings { roots, hosts, token } = settings;
    let roots = roots.iter().map(fuzzy_system::canonical).collect::<io::Result<Vec<_>>>()?;
    let background =
        [tokio::spawn(recovery::go_on(Arc::clone(&service))), tokio::spawn(housekeeping::go_on(Arc::clone(&service)))];
    let app = App::new(service, roots, Hosts::new(listener.local_addr()?, hosts), token)?;
    let router = router(&app);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let farewell = GracefulShutdown::new();
    let newcomers = Newcomers::default();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let place = Arc::clone(&connections).acquire_owned().await.map_err(io::Error::other)?;
            let (stream, address) = listener.accept().await?;
            Ok::<_, io::Error>((stream, address, place))
        };
        let (stream, address, place) = tokio::select! {
            () = &mut stop => break,
            accepted = accepted => {
                let Ok(accepted) = accepted else {
                    // Too many open files, or a client that has gone already; either passes.
                    sleep(Duration::from_millis(50)).await;
                    continue;
                };
                accepted
            }
        };
        // With Nagle's algorithm the end of a long answer waits for the client's acknowledgement, which takes 40 ms.
        let _ = stream.set_nodelay(true);
        let newcomer = newcomers.arrive(address.ip());
        let router = router.clone().layer(Extension(newcomer.clone()));
        let connection = farewell.watch(connection(stream, router));
        tokio::spawn(async move {
            let _place = place;
            tokio::select! {
                // A client that breaks off breaks nothing here.
                _ = connection => {}
                () = newcomer.dismissed() => {}
            }
        });
    }
    background.iter().for_each(JoinHandle::abort);
    app.close();
    drop(listener);
    let _ = timeout(FAREWELL, farewell.shutdown()).await;
    Ok(())
}

/// What serves one client.
type Served<S> = http1::Connection<TokioIo<WithBodies<Pin<Box<TimeoutStream<S>>>>>, TowerToHyperService<Router>>;

/// Serves a client until it has gone, or is too slow.
fn connection<S: AsyncRead + AsyncWrite>(stream: S, router: Router) -> Served<S> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(ANSWER));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES).max_headers(HEADERS);
    let stream = WithBodies::new(Box::pin(stream));
    http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
}

fn router(app: &App) -> Router {
    page::router()
        .nest("/api", api::router())
        // The nest has everything below this, but not this.
        .route("/api/", any(async || api::unknown_route()))
        // What reads a body has a bound of its own, in size and in time.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

#[cfg(test)]
mod tests {
    //! Clients that are slow, by a clock that runs only while nothing else does.

    use std::sync::Arc;
    use std::time::Duration;

    use fuzzy_checkpoint::Engine;
    use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, NoBackend, Settings};
    use fuzzy_checkpoint_store::{CheckpointId, ListFilter, in_memory};
    use fuzzy_gate::Hosts;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;
    use tokio::time::timeout;

    use super::{connection, router};
    use crate::app::App;

    const HOST: &str = "127.0.0.1:7346";

    /// Connects to a server; returns what the client has of it, and what ends with the connection: whether it did so
    /// without an error.
    fn client() -> (DuplexStream, JoinHandle<bool>) {
        let store = in_memory().expect("a store");
        let service = Checkpointer::new(Engine::new("/nowhere"), store, Arc::new(NoBackend), Settings::default());
        let hosts = Hosts::new(HOST.parse().expect("an address"), Vec::new());
        let app = App::new(Arc::new(service), vec!["/".into()], hosts, None).expect("an app");
        let (theirs, ours) = duplex(256);
        let served = connection(ours, router(&app));
        (theirs, tokio::spawn(async move { served.await.is_ok() }))
    }

    /// Waits for the end of a connection.
    async fn end(served: JoinHandle<bool>) -> bool {
        timeout(Duration::from_hours(1), served).await.expect("an end").expect("no panic")
    }

    async fn send(stream: &mut DuplexStream, text: &str) {
        stream.write_all(text.as_bytes()).await.expect("sent");
    }

    /// Reads until the server closes.
    async fn rest(mut stream: DuplexStream) -> String {
        let mut answer = String::new();
        let reading = stream.read_to_string(&mut answer);
        timeout(Duration::from_hours(1), reading).await.expect("an end").expect("text");
        answer
    }

    #[tokio::test(start_paused = true)]
    async fn old_checkpoints_are_given_up_while_it_runs() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path().join("repo");
        fuzzy_testkit::programs::read(std::process::Command::new("git").args(["init", "-q"]).arg(&root));
        let engine = Engine::new(dir.path().join("state"));
        let store = in_memory().expect("a store");
        let service = Checkpointer::new(engine, store, Arc::new(NoBackend), Settings::default());
        let session = service.create_session(&root, "t").expect("created");
        let mut old = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint;
        (old.id, old.created_at) = (CheckpointId("01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned()), 1_469_918_176_385);
        service.store().insert_checkpoint(&old).expect("inserted");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let settings = super::Settings { roots: Vec::new(), hosts: Vec::new(), token: None };
        let service = Arc::new(service);
        let held = Arc::clone(&service);
        let count = move || held.store().list(&session, ListFilter::default()).expect("listed").len();
        assert_eq!(count(), 2);
        super::serve(service, listener, settings, tokio::time::sleep(Duration::from_hours(1))).await.expect("served");
        assert_eq!(count(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_arrive_ends_the_connection() {
        for head in ["", "GET / HTTP/1.1\r\nHost: 127"] {
            let (mut stream, served) = client();
            send(&mut stream, head).await;
            assert!(!end(served).await, "{head}");
            assert_eq!(rest(stream).await, "", "{head}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn silence_after_an_answer_ends_the_connection() {
        let (mut stream, served) = client();
        send(&mut stream, &format!("GET /api/sessions HTTP/1.1\r\nHost: {HOST}\r\n\r\n")).await;
        let answer = rest(stream).await;
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with(r#"{"sessions":[],"next":null}"#), "{answer}");
        end(served).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_arrive_is_refused() {
        let form = "/sessions/01KAN3F2000000000000000000/turns/01KAN3F2000000000000000000/end";
        for (route, kind, says) in [
            ("/api/sessions", "application/json", "slow_body"),
            (form, "application/x-www-form-urlencoded", "<!DOCTYPE html>"),
        ] {
            let (mut stream, served) = client();
            let head = format!("POST {route} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close");
            send(&mut stream, &format!("{head}\r\nContent-Type: {kind}\r\nContent-Length: 9\r\n\r\n{{")).await;
            let answer = rest(stream).await;
            assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains(says), "{answer}");
            end(served).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_ends_the_connection() {
        let (mut stream, served) = client();
        send(&mut stream, &format!("GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n")).await;
        assert!(!end(served).await, "the client has not gone");
        let mut first = [0; 13];
        stream.read_exact(&mut first).await.expect("what was sent");
        assert_eq!(&first, b"HTTP/1.1 200 ");
    }
}
