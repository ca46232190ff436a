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
pub(crate) mod worktrees;

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

/// Returns the table of routes: path, name of the operation, summary, handler.
#[rustfmt::skip]
pub(crate) fn routes() -> Routes {
    use Work::{Database, Files};
    let delete = Method::DELETE;
    Routes::default()
        .get("/openapi.json", Database, ["getDocument", "Returns this document"], document)
        .get("/sessions", Database, ["listSessions", "Lists the sessions, the newest first"], sessions::list)
        .post("/sessions", ["createSession", "Creates a session"], sessions::create)
        .get("/sessions/{session}", Database, ["getSession", "Returns a session"], sessions::show)
        .on(Method::PATCH, "/sessions/{session}", Files, ["renameSession", "Renames a session"], sessions::rename)
        .on(delete.clone(), "/sessions/{session}", Files, ["deleteSession", "Deletes a session with its messages, checkpoints and restores"], sessions::delete)
        .on(delete.clone(), "/sessions/{session}/messages/{message}", Files, ["clearMessage", "Deletes the text of a message; the message remains"], turns::clear_message)
        .on(delete, "/sessions/{session}/turns/{turn}/text", Files, ["clearTurn", "Deletes the texts of a turn"], turns::clear_turn)
        .get("/sessions/{session}/messages", Database, ["listMessages", "Lists the messages that are not trimmed, in order"], turns::transcript)
        .post("/sessions/{session}/messages", ["addMessage", "Adds a message to the running turn"], turns::add_message)
        .post("/sessions/{session}/turns", ["beginTurn", "Begins a turn: adds the prompt and takes a checkpoint"], turns::begin)
        .post("/sessions/{session}/turns/{turn}/end", ["endTurn", "Ends a turn"], turns::end)
        .get("/sessions/{session}/turns/{turn}/changes", Files, ["getTurnChanges", "Lists the files that a turn changed, and those changed before it outside any turn"], turns::changes)
        .get("/sessions/{session}/turns/{turn}/diff", Files, ["getTurnDiff", "Compares the files before and after a turn"], turns::diff)
        .get("/sessions/{session}/events", Database, ["watchSession", "Streams server-sent events named `progress`; the data of each is of this schema"], events::events)
        .get("/sessions/{session}/restores", Database, ["listRestores", "Lists the restores of a session, the newest first"], restores::history)
        .get("/sessions/{session}/checkpoints", Database, ["listCheckpoints", "Lists the checkpoints of a session"], checkpoints::list)
        .post("/sessions/{session}/checkpoints", ["createCheckpoint", "Takes a checkpoint"], checkpoints::create)
        .get("/sessions/{session}/checkpoints/{checkpoint}", Files, ["getCheckpoint", "Returns a checkpoint"], checkpoints::show)
        .get("/sessions/{session}/checkpoints/{checkpoint}/diff", Files, ["getCheckpointDiff", "Compares a checkpoint with another, or with the files on disk"], checkpoints::diff)
        .post("/sessions/{session}/checkpoints/{checkpoint}/plan", ["planRestore", "Returns the plan of a restore and changes nothing"], restores::plan)
        .post("/sessions/{session}/checkpoints/{checkpoint}/restore", ["restore", "Restores a checkpoint"], restores::restore)
        .get("/worktrees", Database, ["listWorktrees", "Lists the worktrees"], worktrees::list)
        .get("/worktrees/{worktree}/turns", Files, ["listTurns", "Lists the turns of all sessions of a worktree, by their numbers"], worktrees::turns)
        .post("/worktrees/{worktree}/turns/plan", ["planTurns", "Returns the plan to take turns back, or to undo a restore, and changes nothing"], worktrees::plan)
        .post("/worktrees/{worktree}/turns/take-back", ["takeTurnsBack", "Takes turns back: alone, with all later ones, or by the state before one; or undoes that, or any restore"], worktrees::take_back)
        .get("/worktrees/{worktree}/turns/{number}", Files, ["getTurn", "Returns a turn with its changes"], worktrees::turn)
        .post("/worktrees/{worktree}/turns/{number}/end", ["endTurnByNumber", "Ends a turn that has no end"], worktrees::end)
        .get("/worktrees/{worktree}/blame", Files, ["blame", "Returns each line of a file with the turn that last changed it"], worktrees::blame)
        .get("/restores/{restore}", Database, ["getRestore", "Returns the journal of a restore"], restores::show)
        .get("/restores/{restore}/changes", Files, ["getRestoreChanges", "Returns the changes that a restore made to the files"], restores::changes)
        .post("/restores/{restore}/abort", ["abortRestore", "Aborts an unfinished restore"], restores::abort)
}

async fn document(State(_): State<App>) -> Result<Json<openapi::Document>, Rejection> {
    Ok(Json(openapi::document(&routes())))
}

pub(crate) fn unknown_route() -> Rejection {
    let next_step = "GET /api/openapi.json lists the routes; begin with GET /api/sessions.";
    Rejection::new(Code::NotFound, "there is no such route", next_step)
}

fn wrong_method() -> Rejection {
    let message = "this route does not support the method";
    Rejection::new(Code::WrongMethod, message, "The header `Allow` lists the supported methods.")
}
