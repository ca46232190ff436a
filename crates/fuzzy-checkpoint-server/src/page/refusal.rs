//! Why something was not done, in plain words, with the next step.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::text::quoted;
use maud::{Markup, html};

use super::Html;
use super::layout::{Page, page};
use crate::problem::Problem;

/// Is a problem on its way to a page.
#[derive(Debug)]
pub(super) struct Refusal {
    problem: Problem,
    /// Where to go next: address and words; the first stands out.
    next: Vec<(String, &'static str)>,
    /// Whether an agent was told to stop, and is running nevertheless.
    deaf: bool,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { problem, next: Vec::new(), deaf: false }
    }
}

impl From<fuzzy_checkpoint_service::Error> for Refusal {
    fn from(error: fuzzy_checkpoint_service::Error) -> Self {
        Problem::from(error).into()
    }
}

impl Refusal {
    /// Returns it with a way to go on, unless there is nothing.
    pub(super) fn next(mut self, address: String, words: &'static str) -> Self {
        if self.problem.status != StatusCode::NOT_FOUND {
            self.next.push((address, words));
        }
        self
    }

    /// Returns it as that of a request by which an agent was told to stop.
    pub(super) fn after_stopping(self) -> Self {
        Self { deaf: self.problem.words.code == "agent_running", ..self }
    }

    /// Returns it with a way to go on, if it has this code.
    pub(super) fn next_if(self, code: &str, address: String, words: &'static str) -> Self {
        if self.problem.words.code == code { self.next(address, words) } else { self }
    }
}

impl IntoResponse for Refusal {
    fn into_response(mut self) -> Response {
        if self.next.is_empty() {
            self.next.push(("/".to_owned(), "All sessions"));
        }
        let title = if self.deaf { "The agent did not stop" } else { title(self.problem.words.code) };
        let body = view(&self, title);
        let page = page(&Page { title, above: &[], refresh: None, body });
        let html = Html(self.problem.status, page).into_response();
        // What the problem says to the browser itself, such as when to ask again.
        let mut answer = self.problem.into_response();
        answer.headers_mut().remove(header::CONTENT_TYPE);
        answer.headers_mut().remove(header::CONTENT_LENGTH);
        let (mut parts, body) = html.into_parts();
        parts.headers.extend(answer.into_parts().0.headers);
        Response::from_parts(parts, body)
    }
}

/// Answers a request for a page that was not heard at all.
pub(crate) fn refused(problem: Problem) -> Response {
    Refusal::from(problem).into_response()
}

pub(super) fn unknown() -> Refusal {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such page", "Begin with the list of sessions.").into()
}

pub(super) fn wrong_method() -> Refusal {
    let next_step = "Go back to the session and use its buttons.";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", "this address is not asked in this way", next_step)
        .into()
}

/// Refuses a form that is not one of this server's since its start.
pub(super) fn stale_form() -> Refusal {
    let message = "the form is not of this server, or the server was started anew since it was loaded";
    Problem::new(StatusCode::FORBIDDEN, "stale_form", message, "Load the page again, then send its form.").into()
}

/// Names what happened.
fn title(code: &str) -> &'static str {
    match code {
        "agent_running" => "An agent is running",
        "restore_in_progress" => "A restore is in progress",
        "obstructed" => "Files are in the way",
        "changed_during" => "Files changed meanwhile",
        "retired" => "This checkpoint is hidden",
        "lost" => "This checkpoint is gone",
        "refused" => "The restore was refused",
        "head_mismatch" => "The branch cannot be moved back",
        "disk_full" => "The disk is full",
        "locked" | "busy" | "timeout" => "Too much is going on",
        "not_found" | "not_in_session" => "There is nothing here",
        "stale_form" => "This form is out of date",
        "foreign_host" | "foreign_origin" => "This request is for another server",
        "unauthorized" => "The token is needed",
        "invalid" | "bad_input" | "wrong_method" => "That cannot be asked",
        _ => "That did not work",
    }
}

/// Says it in the words of the page, where the program's own are for programs.
fn says(Refusal { problem, deaf, .. }: &Refusal) -> [String; 2] {
    let own = match problem.words.code {
        "agent_running" if *deaf => Some([
            "It was told to stop and did not confirm it in time, so it may still be writing files. Nothing was changed.",
            "Try again, or end it by hand where it runs.",
        ]),
        "agent_running" => Some([
            "A turn of this session is running, and its agent may be writing files. Nothing was changed.",
            "Wait until the turn is over, or have the agent stopped first.",
        ]),
        "restore_in_progress" => Some([
            "Another restore of this worktree has not ended. Nothing was changed by this one.",
            "The session shows how it goes on.",
        ]),
        "obstructed" => Some([
            "These paths are in no checkpoint, so the restore would destroy them for good. Nothing was changed.",
            "Move or delete them, then restore again.",
        ]),
        "changed_during" => Some([
            "A file changed while the restore was writing. What it held is captured first; then the restore goes on by itself.",
            "Stop what writes to the worktree. The session shows how the restore goes on.",
        ]),
        "retired" => Some([
            "The checkpoint lies after one that was restored since, so it is hidden. Nothing was changed.",
            "Undo that restore, and it comes back.",
        ]),
        "lost" => Some([
            "Git no longer has what this checkpoint captured. Nothing was changed.",
            "Choose another one of the session.",
        ]),
        "not_in_session" => Some([
            "There is no such session, or it has no such checkpoint or message.",
            "It may have been removed. Begin with the list of sessions.",
        ]),
        _ => None,
    };
    own.map_or_else(
        || [sentence(&problem.words.message), problem.words.next_step.to_string()],
        |own| own.map(str::to_owned),
    )
}

fn view(refusal: &Refusal, title: &str) -> Markup {
    let Refusal { problem, next, .. } = refusal;
    let paths = &problem.words.paths;
    html! {
        article.refusal {
            p.status { (problem.status.as_u16()) }
            h1 { (title) }
            @for sentence in says(refusal) { p { (sentence) } }
            @if !paths.is_empty() {
                ul.paths { @for path in paths.iter().take(SHOWN) { li { code { bdi { (quoted(path)) } } } } }
                @if paths.len() > SHOWN { p.note { "and " (paths.len() - SHOWN) " more" } }
            }
            p.actions {
                @for (at, (address, words)) in next.iter().enumerate() {
                    a.button.primary[at == 0] href=(address) { (words) }
                }
            }
        }
    }
}

/// How many paths are listed.
const SHOWN: usize = 100;

/// Makes a sentence of what begins small and ends without a dot.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
