//! Refusals and failures as answers: the status code, and the words as on every other surface.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::{Error, Problem as Words};
use serde::{Serialize, Serializer};

/// Is what a request is answered with when it was not done.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) words: Box<Words>,
    /// After how many seconds another try may go better.
    retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
        next_step: impl Into<String>,
    ) -> Self {
        Self { status, words: Box::new(Words::new(code, message, next_step)), retry_after: None }
    }

    /// Says the same of a session that is unknown, a checkpoint that is unknown, and one of another session: who may not
    /// see it does not learn that it is there.
    pub(crate) fn not_in_session() -> Self {
        let message = "there is no such session, or no such checkpoint in it";
        Self::new(StatusCode::NOT_FOUND, "not_in_session", message, "See GET /api/sessions and its checkpoints.")
    }

    pub(crate) fn no_restore() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is no such restore", "A restore answers with its id.")
    }

    pub(crate) fn no_turn() -> Self {
        let message = "the session never had this turn";
        Self::new(StatusCode::NOT_FOUND, "not_found", message, "POST …/turns answers with the id of the new one.")
    }

    pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_input", message, next_step)
    }

    pub(crate) fn busy() -> Self {
        let message = "too much is going on at once";
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message, "Try again in a few seconds.");
        Self { retry_after: Some(5), ..problem }
    }

    pub(crate) fn internal(message: &str) -> Self {
        let next_step = "Ask again; if it stays so, look at what the server wrote on its standard error.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message, next_step)
    }
}

/// Returns the status of a refusal or failure of the service.
fn status(error: &Error) -> StatusCode {
    match error {
        Error::Store(fuzzy_checkpoint_store::Error::Conflict { .. }) => StatusCode::CONFLICT,
        error => status_of(error.code()),
    }
}

fn status_of(code: &str) -> StatusCode {
    match code {
        "invalid" => StatusCode::BAD_REQUEST,
        "not_in_session" => StatusCode::NOT_FOUND,
        "agent_running"
        | "restore_in_progress"
        | "obstructed"
        | "retired"
        | "refused"
        | "turn_over"
        | "locked"
        | "changed_during"
        | "head_mismatch" => StatusCode::CONFLICT,
        "lost" => StatusCode::GONE,
        "not_a_worktree" | "dubious_ownership" | "protected_dir" | "too_large" | "key_reused" => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        "backend" => StatusCode::BAD_GATEWAY,
        "backed_off" => StatusCode::SERVICE_UNAVAILABLE,
        "timeout" => StatusCode::GATEWAY_TIMEOUT,
        "disk_full" => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match &error {
            Error::NotInSession { .. } => return Self::not_in_session(),
            Error::Store(fuzzy_checkpoint_store::Error::Missing { what, .. }) => match *what {
                "session" => return Self::not_in_session(),
                "turn" => return Self::no_turn(),
                "restore" => return Self::no_restore(),
                _ => {}
            },
            _ => {}
        }
        let retry_after = match &error {
            Error::BackedOff { seconds, .. } => Some(*seconds),
            _ => None,
        };
        Self { status: status(&error), words: Box::new(Words::from(&error)), retry_after }
    }
}

impl From<fuzzy_checkpoint_store::Error> for Problem {
    fn from(error: fuzzy_checkpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words.serialize(serializer)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(&self.words)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            // Browsers ask for a name and a password; programs show the token itself. A header for each: Chromium reads
            // only the first scheme of one.
            for challenge in ["Bearer", "Basic realm=\"fuzzy-edit\""] {
                let challenge = header::HeaderValue::from_static(challenge);
                response.headers_mut().append(header::WWW_AUTHENTICATE, challenge);
            }
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, status_of};

    #[test]
    fn the_page_lists_the_codes_under_their_status() {
        let page = include_str!("../../../docs/service.md");
        let ours = [Problem::not_in_session(), Problem::no_restore(), Problem::bad_input("", ""), Problem::busy()];
        let mut listed = Vec::new();
        for line in page.lines().filter(|line| line.starts_with("| 4") || line.starts_with("| 5")) {
            let status: u16 = line[2..5].parse().expect("a status");
            for code in line.split('`').skip(1).step_by(2) {
                let ours = ours.iter().find(|problem| problem.words.code == code).map(|problem| problem.status);
                // What only the server itself says stands where it is said.
                let elsewhere = matches!(status, 401 | 403 | 405 | 408 | 413 | 415);
                assert!(elsewhere || ours.unwrap_or_else(|| status_of(code)).as_u16() == status, "{code}");
                listed.push(code);
            }
        }
        let count = listed.len();
        listed.sort_unstable();
        listed.dedup();
        assert!(count == listed.len() && count > 30, "{listed:?}");
    }
}
