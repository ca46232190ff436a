//! Error pages: the reason in plain words, and the next step.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::text::quoted;
use fuzzy_report::Code;
use maud::{Markup, html};

use super::layout::{Html, Page, page};
use super::paths::rest;
use crate::rejection::Rejection;

/// A rejection, rendered as a page.
#[derive(Debug)]
pub(super) struct Refusal {
    rejection: Rejection,
    /// The links to follow next: address and text; the first one is emphasized.
    next: Vec<(String, &'static str)>,
    /// Whether an agent did not stop when requested.
    did_not_stop: bool,
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self { rejection, next: Vec::new(), did_not_stop: false }
    }
}

impl From<fuzzy_checkpoint_service::Error> for Refusal {
    fn from(error: fuzzy_checkpoint_service::Error) -> Self {
        Rejection::from(error).into()
    }
}

impl Refusal {
    /// Adds a link, unless the resource does not exist.
    pub(super) fn next(mut self, address: String, words: &'static str) -> Self {
        if self.rejection.status() != StatusCode::NOT_FOUND {
            self.next.push((address, words));
        }
        self
    }

    /// Adds a link to a page that exists although the requested one does not.
    pub(super) fn back_to(mut self, address: String, words: &'static str) -> Self {
        self.next.push((address, words));
        self
    }

    /// Marks it as the failure of a request that stops an agent.
    pub(super) fn after_stopping(self) -> Self {
        Self { did_not_stop: self.rejection.failure.code == Code::AgentRunning, ..self }
    }

    /// Adds a link if the failure has this code.
    pub(super) fn next_if(self, code: Code, address: String, words: &'static str) -> Self {
        if self.rejection.failure.code == code { self.next(address, words) } else { self }
    }
}

impl IntoResponse for Refusal {
    fn into_response(mut self) -> Response {
        if self.next.is_empty() {
            self.next.push(("/".to_owned(), "All sessions"));
        }
        let title = if self.did_not_stop { "The agent did not stop" } else { title(self.rejection.failure.code) };
        let body = view(&self, title);
        let page = page(&Page { title, above: &[], refresh: None, live: None, body });
        let html = Html(self.rejection.status(), page).into_response();
        // The rejection's own headers, such as `Retry-After`.
        let mut answer = self.rejection.into_response();
        answer.headers_mut().remove(header::CONTENT_TYPE);
        answer.headers_mut().remove(header::CONTENT_LENGTH);
        let (mut parts, body) = html.into_parts();
        parts.headers.extend(answer.into_parts().0.headers);
        Response::from_parts(parts, body)
    }
}

/// Returns the page of a request that failed the access check.
pub(crate) fn refused(rejection: Rejection) -> Response {
    Refusal::from(rejection).into_response()
}

pub(super) fn unknown() -> Refusal {
    Rejection::new(Code::NotFound, "there is no such page", "Begin with the list of sessions.").into()
}

pub(super) fn wrong_method() -> Refusal {
    let next_step = "Go back to the session and use its buttons.";
    Rejection::new(Code::WrongMethod, "this page does not support the method", next_step).into()
}

/// Returns the refusal of a form that this server has not rendered since its start.
pub(super) fn stale_form() -> Refusal {
    let message = "the form is not from this server, or the server was restarted since the page was loaded";
    Rejection::new(Code::StaleForm, message, "Load the page again, then send its form.").into()
}

/// Returns the heading of a failure.
fn title(code: Code) -> &'static str {
    match code {
        Code::AgentRunning => "An agent is running",
        Code::RestoreInProgress => "A restore is in progress",
        Code::Obstructed => "Files are in the way",
        Code::ChangedDuring => "Files changed meanwhile",
        Code::PlanChanged => "Files changed since you looked",
        Code::LateChanges => "Some changes may be yours",
        Code::Retired => "This checkpoint is hidden",
        Code::Lost => "This checkpoint is gone",
        Code::Refused => "The restore was refused",
        Code::HeadMismatch => "The branch cannot be moved back",
        Code::DiskFull => "The disk is full",
        Code::Locked | Code::Busy | Code::Timeout => "The server is too busy",
        Code::NotFound | Code::NotInSession => "Not found",
        Code::StaleForm => "This form is out of date",
        Code::ForeignHost | Code::ForeignOrigin => "This request is for another server",
        Code::Unauthorized => "The token is required",
        Code::Invalid | Code::BadInput | Code::WrongMethod => "The request is invalid",
        _ => "The request failed",
    }
}

/// Returns the message and the next step, reworded for the page where the usual text addresses programs.
fn texts(Refusal { rejection, did_not_stop, next }: &Refusal) -> [String; 2] {
    let own = match rejection.failure.code {
        Code::AgentRunning if *did_not_stop => Some([
            "It did not confirm in time that it stopped, so it may still be writing files. Nothing was changed.",
            "Try again, or stop the agent manually.",
        ]),
        Code::AgentRunning => Some([
            "A turn of this session is running, and its agent may be writing files. Nothing was changed.",
            "Wait until the turn is over, or stop the agent first.",
        ]),
        Code::RestoreInProgress => Some([
            "Another restore of this worktree has not ended. Nothing was changed by this one.",
            "The session's page shows its progress.",
        ]),
        Code::Obstructed => Some([
            "No checkpoint contains these paths, so the restore would destroy them permanently. Nothing was changed.",
            "Move or delete them, then restore again.",
        ]),
        Code::ChangedDuring => Some([
            "A file changed while the restore was writing. The new contents are captured first; then the restore continues by itself.",
            "Stop the programs that write to the worktree. The session's page shows the progress of the restore.",
        ]),
        Code::Retired => Some([
            "A later restore went back to an earlier checkpoint, so this one is hidden. Nothing was changed.",
            "Its files can still be restored, without the transcript.",
        ]),
        Code::Lost => Some([
            "Git no longer has the objects of this checkpoint. Nothing was changed.",
            "Choose another checkpoint of the session.",
        ]),
        Code::NotFound if !next.is_empty() => Some([
            "The worktree has no turn with this number.",
            "The timeline has the numbers of all turns. A restore hides later turns of its session.",
        ]),
        Code::NotInSession => Some([
            "There is no such session, or it has no such checkpoint or message.",
            "It may have been removed. Begin with the list of sessions.",
        ]),
        _ => None,
    };
    own.map_or_else(
        || [sentence(&rejection.failure.message), rejection.failure.next_step.clone()],
        |own| own.map(str::to_owned),
    )
}

fn view(refusal: &Refusal, title: &str) -> Markup {
    let Refusal { rejection, next, .. } = refusal;
    let paths = &rejection.failure.details.paths;
    html! {
        article.refusal {
            p.status { (rejection.status().as_u16()) }
            h1 { (title) }
            @for sentence in texts(refusal) { p { (sentence) } }
            @if !paths.is_empty() {
                ul.paths { @for path in paths.iter().take(SHOWN) { li { code { bdi { (quoted(path)) } } } } }
                (rest(paths.len(), SHOWN))
            }
            p.actions {
                @for (at, (address, words)) in next.iter().enumerate() {
                    a.button.primary[at == 0] href=(address) { (words) }
                }
            }
        }
    }
}

/// The largest number of listed paths.
const SHOWN: usize = 100;

/// Makes a sentence of a message: with a capital letter and a full stop.
pub(super) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
