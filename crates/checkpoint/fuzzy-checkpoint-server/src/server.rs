//! The HTTP server: accepts connections, runs the background work, and shuts down gracefully.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use axum::{Extension, Router, middleware};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_checkpoint_service::gate::{Hosts, Token};
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
use crate::connection_limit::ConnectionLimit;
use crate::{api, guard, housekeeping, page, recovery};

/// The settings of a server.
pub struct Settings {
    /// The directories whose worktrees are served. A session elsewhere gets the same error as an unknown one.
    pub roots: Vec<PathBuf>,
    /// Further accepted `Host` headers, such as that of a proxy, with a port unless it is the default one.
    pub hosts: Vec<String>,
    /// The token that every request must have. Without one, every client that reaches the address has full access.
    pub token: Option<Token>,
}

/// The number of concurrent connections; further clients wait.
const CONNECTIONS: usize = 256;
/// The longest time for the head of a request, and the longest silence between two requests.
const HEAD: Duration = Duration::from_secs(30);
/// The longest time that a client may stop reading a response: otherwise the response would occupy memory and its
/// connection.
const ANSWER: Duration = Duration::from_secs(30);
/// The largest head of a request, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// The largest number of headers of a request.
const HEADERS: usize = 100;
/// The longest time that running requests get to finish during shutdown.
const SHUTDOWN: Duration = Duration::from_secs(90);

/// Serves the clients of `listener` until `stop` completes; then running requests get at most 90 seconds to finish.
///
/// # Errors
///
/// Fails if the system refuses the listener or a root.
pub async fn serve(
    service: Arc<Checkpointer>,
    listener: TcpListener,
    settings: Settings,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let Settings { roots, hosts, token } = settings;
    let roots = roots.iter().map(fuzzy_system::canonical).collect::<io::Result<Vec<_>>>()?;
    let background =
        [tokio::spawn(recovery::run(Arc::clone(&service))), tokio::spawn(housekeeping::run(Arc::clone(&service)))];
    let app = App::new(service, roots, Hosts::new(listener.local_addr()?, hosts), token)?;
    let router = router(&app);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let connection_limit = ConnectionLimit::default();
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
                    // Too many open files, or a client that has already disconnected; both are temporary.
                    sleep(Duration::from_millis(50)).await;
                    continue;
                };
                accepted
            }
        };
        // With Nagle's algorithm the end of a long response waits for the client's acknowledgement, which takes 40 ms.
        let _ = stream.set_nodelay(true);
        let pending = connection_limit.add(address.ip());
        let router = router.clone().layer(Extension(pending.clone()));
        let connection = graceful.watch(connection(stream, router));
        tokio::spawn(async move {
            let _place = place;
            tokio::select! {
                // An error of the connection concerns only its client.
                _ = connection => {}
                () = pending.dismissed() => {}
            }
        });
    }
    background.iter().for_each(JoinHandle::abort);
    app.close();
    drop(listener);
    let _ = timeout(SHUTDOWN, graceful.shutdown()).await;
    Ok(())
}

/// The HTTP connection of one client.
type Served<S> = http1::Connection<TokioIo<WithBodies<Pin<Box<TimeoutStream<S>>>>>, TowerToHyperService<Router>>;

/// Serves a client until it disconnects or is too slow.
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
        // The nested router covers the paths below this one, but not this one.
        .route("/api/", any(async || api::unknown_route()))
        // The readers of bodies limit size and time themselves.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

#[cfg(test)]
mod tests {
    //! Slow clients, with a paused clock, which advances only when all tasks are idle.

    use std::sync::Arc;
    use std::time::Duration;

    use fuzzy_checkpoint::Engine;
    use fuzzy_checkpoint_service::gate::Hosts;
    use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, NoBackend, Settings};
    use fuzzy_checkpoint_store::{CheckpointId, ListFilter, in_memory};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;
    use tokio::time::timeout;

    use super::{connection, router};
    use crate::app::App;

    const HOST: &str = "127.0.0.1:7346";

    /// Connects to a server; returns the client's stream and a task that returns whether the connection ended without
    /// an error.
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
    async fn old_checkpoints_are_pruned_while_the_server_runs() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path().join("repo");
        fuzzy_testkit::programs::read(std::process::Command::new("git").args(["init", "-q"]).arg(&root));
        let engine = Engine::new(dir.path().join("state"));
        let store = in_memory().expect("a store");
        let service = Checkpointer::new(engine, store, Arc::new(NoBackend), Settings::default());
        let session = service.create_session(&root, "t").expect("created");
        let mut old = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint;
        service.store().delete_checkpoints(&old.worktree_id, std::slice::from_ref(&old.id)).expect("deleted");
        (old.id, old.created_at) = (CheckpointId("01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned()), 1_469_918_176_385);
        service.store().insert_checkpoint(&old).expect("inserted");
        service.create(&session, &CreateOptions::default()).expect("taken");
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
    async fn silence_after_a_response_ends_the_connection() {
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
    async fn an_unread_response_ends_the_connection() {
        let (mut stream, served) = client();
        send(&mut stream, &format!("GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n")).await;
        assert!(!end(served).await, "the client is still connected");
        let mut first = [0; 13];
        stream.read_exact(&mut first).await.expect("what was sent");
        assert_eq!(&first, b"HTTP/1.1 200 ");
    }
}
