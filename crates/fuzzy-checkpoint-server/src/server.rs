//! Listens, recovers what was interrupted, and ends in order.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use axum::{Router, middleware};
use fuzzy_checkpoint_service::Checkpointer;
use fuzzy_gate::{Hosts, Token};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::app::App;
use crate::{api, guard, page, recovery};

/// Says whom to serve, and what.
pub struct Settings {
    /// The directories whose worktrees are served. A session elsewhere is as unknown as one that never was.
    pub roots: Vec<PathBuf>,
    /// Further names that requests may be for, such as that of a proxy in front: `Host` headers, with a port where it is
    /// not the usual one.
    pub hosts: Vec<String>,
    /// What every request must show. Without one, whoever reaches the address may do everything.
    pub token: Option<Token>,
}

/// How many clients may be connected at once; the next ones wait.
const CONNECTIONS: usize = 256;
/// How long a client may take for the head of a request, and how long it may be silent between two.
const HEAD: Duration = Duration::from_secs(30);
/// The largest head of a request, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// How many headers a request may have.
const HEADERS: usize = 100;
/// How long requests that have begun may take to end after the server was told to.
const FAREWELL: Duration = Duration::from_secs(90);

/// Serves whoever connects to `listener` until `stop` is over; then requests that have begun are finished, for at most
/// 90 seconds.
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
    let roots = roots.iter().map(|root| root.canonicalize()).collect::<io::Result<Vec<_>>>()?;
    let recovery = tokio::spawn(recovery::go_on(Arc::clone(&service)));
    let app = App::new(service, roots, Hosts::new(listener.local_addr()?, hosts), token)?;
    let router = router(&app);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let farewell = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let place = Arc::clone(&connections).acquire_owned().await.map_err(io::Error::other)?;
            Ok::<_, io::Error>((listener.accept().await?.0, place))
        };
        let (stream, place) = tokio::select! {
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
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES).max_headers(HEADERS);
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = farewell.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            // A client that breaks off breaks nothing here.
            let _ = connection.await;
        });
    }
    recovery.abort();
    drop(listener);
    let _ = timeout(FAREWELL, farewell.shutdown()).await;
    Ok(())
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
