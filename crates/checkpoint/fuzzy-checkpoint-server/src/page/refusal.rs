//! Why something was not done, in plain words, with the next step.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::text::quoted;
use fuzzy_report::Code;
use maud::{Markup, html};

use super::layout::{Html, Page, page};
use crate::rejection::Rejection;

/// A rejection on its way to a page.
#[derive(Debug)]
pub(super) struct Refusal {
    rejection: Rejection,
    /// Where to go next: address and words; the first stands out.
    next: Vec<(String, &'static str)>,
    /// Whether an agent was told to stop, and is running nevertheless.
    deaf: bool,
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self { rejection, next: Vec::new(), deaf: false }
    }
}

impl From<fuzzy_checkpoint_service::Error> for Refusal {
    fn from(error: fuzzy_checkpoint_service::Error) -> Self {
        Rejection::from(error).into()
    }
}

impl Refusal {
    /// Returns it with a way to go on, unless there is nothing.
    pub(super) fn next(mut self, address: String, words: &'static str) -> Self {
        if self.rejection.status() != StatusCode::NOT_FOUND {
            self.next.push((address, words));
        }
        self
    }

    /// Returns it as that of a request by which an agent was told to stop.
    pub(super) fn after_stopping(self) -> Self {
        Self { deaf: self.rejection.failure.code == Code::AgentRunning, ..self }
    }

    /// Returns it with a way to go on, if it has this code.
    pub(super) fn next_if(self, code: Code, address: String, words: &'static str) -> Self {
        if self.rejection.failure.code == code { self.next(address, words) } else { self }
    }
}

impl IntoResponse for Refusal {
    fn into_response(mut self) -> Response {
        if self.next.is_empty() {
            self.next.push(("/".to_owned(), "All sessions"));
        }
        let title = if self.deaf { "The agent did not stop" } else { title(self.rejection.failure.code) };
        let body = view(&self, title);
        let page = page(&Page { title, above: &[], refresh: None, live: None, body });
        let html = Html(self.rejection.status(), page).into_response();
        // What the rejection says to the browser itself, such as when to ask again.
        let mut answer = self.rejection.into_response();
        answer.headers_mut().remove(header::CONTENT_TYPE);
        answer.headers_mut().remove(header::CONTENT_LENGTH);
        let (mut parts, body) = html.into_parts();
        parts.headers.extend(answer.into_parts().0.headers);
        Response::from_parts(parts, body)
    }
}

/// Answers a request for a page that was not heard at all.
pub(crate) fn refused(rejection: Rejection) -> Response {
    Refusal::from(rejection).into_response()
}

pub(super) fn unknown() -> Refusal {
    Rejection::new(Code::NotFound, "there is no such page", "Begin with the list of sessions.").into()
}

pub(super) fn wrong_method() -> Refusal {
    let next_step = "Go back to the session and use its buttons.";
    Rejection::new(Code::WrongMethod, "this address is not asked in this way", next_step).into()
}

/// Refuses a form that is not one of this server's since its start.
pub(super) fn stale_form() -> Refusal {
    let message = "the form is not of this server, or the server was started anew since it was loaded";
    Rejection::new(Code::StaleForm, message, "Load the page again, then send its form.").into()
}

/// Names what happened.
fn title(code: Code) -> &'static str {
    match code {
        Code::AgentRunning => "An agent is running",
        Code::RestoreInProgress => "A restore is in progress",
        Code::Obstructed => "Files are in the way",
        Code::ChangedDuring => "Files changed meanwhile",
        Code::PlanChanged => "Files changed since you looked",
        Code::Retired => "This checkpoint is hidden",
        Code::Lost => "This checkpoint is gone",
        Code::Refused => "The restore was refused",
        Code::HeadMismatch => "The branch cannot be moved back",
        Code::DiskFull => "The disk is full",
        Code::Locked | Code::Busy | Code::Timeout => "Too much is going on",
        Code::NotFound | Code::NotInSession => "There is nothing here",
        Code::StaleForm => "This form is out of date",
        Code::ForeignHost | Code::ForeignOrigin => "This request is for another server",
        Code::Unauthorized => "The token is needed",
        Code::Invalid | Code::BadInput | Code::WrongMethod => "That cannot be asked",
        _ => "That did not work",
    }
}

/// Says it in the words of the page, where the program's own are for programs.
fn says(Refusal { rejection, deaf, .. }: &Refusal) -> [String; 2] {
    let own = match rejection.failure.code {
        Code::AgentRunning if *deaf => Some([
            "It was told to stop and did not confirm it in time, so it may still be writing files. Nothing was changed.",
            "Try again, or end it by hand where it runs.",
        ]),
        Code::AgentRunning => Some([
            "A turn of this session is running, and its agent may be writing files. Nothing was changed.",
            "Wait until the turn is over, or have the agent stopped first.",
        ]),
        Code::RestoreInProgress => Some([
            "Another restore of this worktree has not ended. Nothing was changed by this one.",
            "The session shows how it goes on.",
        ]),
        Code::Obstructed => Some([
            "These paths are in no checkpoint, so the restore would destroy them for good. Nothing was changed.",
            "Move or delete them, then restore again.",
        ]),
        Code::ChangedDuring => Some([
            "A file changed while the restore was writing. What it held is captured first; then the restore goes on by itself.",
            "Stop what writes to the worktree. The session shows how the restore goes on.",
        ]),
        Code::Retired => Some([
            "The checkpoint lies after one that was restored since, so it is hidden. Nothing was changed.",
            "Its files can be restored all the same, without the transcript.",
        ]),
        Code::Lost => Some([
            "Git no longer has what this checkpoint captured. Nothing was changed.",
            "Choose another one of the session.",
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
pub(super) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
