//! Failures as responses: status code, headers, and the same JSON as on every other interface.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::{Error, OfCheckpoint};
use fuzzy_report::{Code, Failure, Surface};

/// The response to a request that failed.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) failure: Box<Failure<OfCheckpoint>>,
    /// Whether the request conflicts with the current state, regardless of the status of its code.
    pub(crate) conflicts: bool,
    /// The number of seconds after which a retry may succeed.
    retry_after: Option<u64>,
}

impl Rejection {
    pub(crate) fn new(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let failure = Box::new(Failure::of(code, message, next_step));
        Self { failure, conflicts: false, retry_after: None }
    }

    /// Returns the same rejection for an unknown session, an unknown checkpoint, and a checkpoint of another session,
    /// so that it does not reveal which ids exist.
    pub(crate) fn not_in_session() -> Self {
        let message = "there is no such session, or no such checkpoint in it";
        Self::new(Code::NotInSession, message, "See GET /api/sessions and its checkpoints.")
    }

    pub(crate) fn no_restore() -> Self {
        Self::new(Code::NotFound, "there is no such restore", "The response to a restore has its id.")
    }

    pub(crate) fn no_turn() -> Self {
        let message = "the session has no such turn";
        Self::new(Code::NotFound, message, "POST …/turns returns the id of a new turn.")
    }

    pub(crate) fn no_worktree() -> Self {
        Self::new(Code::NotFound, "there is no such worktree", "See GET /api/worktrees.")
    }

    pub(crate) fn no_number() -> Self {
        Self::new(Code::NotFound, "the worktree has no turn with this number", "See GET …/turns.")
    }

    fn no_message() -> Self {
        Self::new(Code::NotFound, "the session has no such message", "GET …/messages lists them.")
    }

    pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message, next_step)
    }

    pub(crate) fn busy() -> Self {
        let rejection = Self::new(Code::Busy, "the server is too busy", "Try again in a few seconds.");
        Self { retry_after: Some(5), ..rejection }
    }

    pub(crate) fn internal(message: &str) -> Self {
        let next_step = "Try again; if it fails again, check the server's standard error.";
        Self::new(Code::Internal, message, next_step)
    }

    /// Returns it as a conflict with the current state.
    pub(crate) fn conflict(self) -> Self {
        Self { conflicts: true, ..self }
    }

    pub(crate) fn status(&self) -> StatusCode {
        let status = StatusCode::from_u16(self.failure.code.http_status());
        if self.conflicts { StatusCode::CONFLICT } else { status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR) }
    }
}

impl From<Error> for Rejection {
    fn from(error: Error) -> Self {
        use fuzzy_checkpoint_store::Error as Store;
        match &error {
            Error::NotInSession { .. } => return Self::not_in_session(),
            Error::NoTurn { .. } => return Self::no_number(),
            Error::Store(Store::Missing { what, .. }) => match *what {
                "session" => return Self::not_in_session(),
                "turn" => return Self::no_turn(),
                "message" => return Self::no_message(),
                "restore" => return Self::no_restore(),
                _ => {}
            },
            _ => {}
        }
        let retry_after = match &error {
            Error::BackedOff { seconds, .. } => Some(*seconds),
            _ => None,
        };
        let conflicts = matches!(error, Error::Store(Store::Conflict { .. }));
        Self { failure: Box::new(error.failure(Surface::Server)), conflicts, retry_after }
    }
}

impl From<fuzzy_checkpoint_store::Error> for Rejection {
    fn from(error: fuzzy_checkpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = (status, Json(&self.failure)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::PAYLOAD_TOO_LARGE {
            // Otherwise the rest of the body would be read as a request.
            response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
        }
        if status == StatusCode::UNAUTHORIZED {
            // Browsers prompt for a name and a password; programs send the token itself. Each scheme has its own
            // header, because Chromium reads only the first scheme of a header.
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
    use fuzzy_report::Code;

    #[test]
    fn the_document_lists_the_codes_under_their_status() {
        let page = include_str!("../../../../docs/service.md");
        let mut listed = Vec::new();
        for line in page.lines().filter(|line| line.starts_with("| 4") || line.starts_with("| 5")) {
            let status: u16 = line[2..5].parse().expect("a status");
            for code in line.split('`').skip(1).step_by(2) {
                let known = Code::ALL.iter().find(|known| known.as_str() == code);
                assert_eq!(known.map(|known| known.http_status()), Some(status), "{code}");
                listed.push(code);
            }
        }
        let count = listed.len();
        listed.sort_unstable();
        listed.dedup();
        assert!(count == listed.len() && count > 30, "{listed:?}");
    }
}
