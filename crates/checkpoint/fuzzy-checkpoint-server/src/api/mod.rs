//! The JSON API, beneath `/api`.

pub(crate) mod body;
pub(crate) mod checkpoints;
pub(crate) mod events;
pub(crate) mod extract;
mod openapi;
pub(crate) mod restores;
pub(crate) mod routes;
pub(crate) mod sessions;
pub(crate) mod turns;

use axum::extract::State;
use axum::http::Method;
use axum::{Json, Router};
use fuzzy_report::Code;

use crate::app::App;
use crate::rejection::Rejection;
use routes::{Routes, Work};

pub(crate) fn router() -> Router<App> {
    let router = routes().into_router();
    router.fallback(async || unknown_route()).method_not_allowed_fallback(async || wrong_method())
}

/// Returns every route: its path, the name of its operation, its summary, and its handler.
#[rustfmt::skip]
pub(crate) fn routes() -> Routes {
    use Work::{Looks, Works};
    let delete = Method::DELETE;
    Routes::default()
        .get("/openapi.json", Looks, ["getDocument", "Returns this document"], document)
        .get("/sessions", Looks, ["listSessions", "Lists the sessions, the newest first"], sessions::list)
        .post("/sessions", ["createSession", "Makes a session"], sessions::create)
        .get("/sessions/{session}", Looks, ["getSession", "Returns a session"], sessions::show)
        .on(Method::PATCH, "/sessions/{session}", Works, ["renameSession", "Gives a session another title"], sessions::rename)
        .on(delete.clone(), "/sessions/{session}", Works, ["deleteSession", "Deletes a session with its messages, checkpoints and restores"], sessions::delete)
        .on(delete.clone(), "/sessions/{session}/messages/{message}", Works, ["clearMessage", "Empties the text of a message; its place stays"], turns::clear_message)
        .on(delete, "/sessions/{session}/turns/{turn}/text", Works, ["clearTurn", "Empties the texts of a turn"], turns::clear_turn)
        .get("/sessions/{session}/messages", Looks, ["listMessages", "Lists the messages that are not trimmed, in order"], turns::transcript)
        .post("/sessions/{session}/messages", ["addMessage", "Adds a message to the running turn"], turns::say)
        .post("/sessions/{session}/turns", ["beginTurn", "Begins a turn: adds the prompt and takes a checkpoint"], turns::begin)
        .post("/sessions/{session}/turns/{turn}/end", ["endTurn", "Ends a turn"], turns::end)
        .get("/sessions/{session}/turns/{turn}/changes", Works, ["getTurnChanges", "Lists the files that a turn changed, and those changed before it outside any turn"], turns::changes)
        .get("/sessions/{session}/turns/{turn}/diff", Works, ["getTurnDiff", "Compares the files before and after a turn"], turns::diff)
        .get("/sessions/{session}/events", Looks, ["watchSession", "Streams server-sent events named `progress`; the data of each is of this schema"], events::events)
        .get("/sessions/{session}/restores", Looks, ["listRestores", "Lists the restores of a session, the newest first"], restores::history)
        .get("/sessions/{session}/checkpoints", Looks, ["listCheckpoints", "Lists the checkpoints of a session"], checkpoints::list)
        .post("/sessions/{session}/checkpoints", ["createCheckpoint", "Takes a checkpoint"], checkpoints::create)
        .get("/sessions/{session}/checkpoints/{checkpoint}", Works, ["getCheckpoint", "Returns a checkpoint"], checkpoints::show)
        .get("/sessions/{session}/checkpoints/{checkpoint}/diff", Works, ["getCheckpointDiff", "Compares a checkpoint with another, or with the files on disk"], checkpoints::diff)
        .post("/sessions/{session}/checkpoints/{checkpoint}/plan", ["planRestore", "Returns the plan of a restore and changes nothing"], restores::plan)
        .post("/sessions/{session}/checkpoints/{checkpoint}/restore", ["restore", "Restores a checkpoint"], restores::restore)
        .get("/restores/{restore}", Looks, ["getRestore", "Returns the journal of a restore"], restores::show)
        .get("/restores/{restore}/changes", Works, ["getRestoreChanges", "Returns what a restore did to the files"], restores::changes)
        .post("/restores/{restore}/undo", ["undoRestore", "Takes a restore back; the undo of an undo restores again"], restores::undo)
        .post("/restores/{restore}/abort", ["abortRestore", "Gives up an unfinished restore"], restores::abort)
}

async fn document(State(_): State<App>) -> Result<Json<openapi::Document>, Rejection> {
    Ok(Json(openapi::document(&routes())))
}

pub(crate) fn unknown_route() -> Rejection {
    let next_step = "GET /api/openapi.json lists the routes; GET /api/sessions is where to begin.";
    Rejection::new(Code::NotFound, "there is no such route", next_step)
}

fn wrong_method() -> Rejection {
    let message = "this route has another method";
    Rejection::new(Code::WrongMethod, message, "The header `Allow` names those it has.")
}
