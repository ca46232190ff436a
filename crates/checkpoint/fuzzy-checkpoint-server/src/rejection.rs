//! Failures as answers: the status code, the headers, and the words as on every other surface.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::Error;
use fuzzy_report::{Code, Failure, OfCheckpoint, Surface};

/// What a request is answered with when it was not done.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) failure: Box<Failure<OfCheckpoint>>,
    /// Whether something that is there now contradicts the request, whatever status its code has elsewhere.
    pub(crate) conflicts: bool,
    /// After how many seconds another try may go better.
    retry_after: Option<u64>,
}

impl Rejection {
    pub(crate) fn new(code: Code, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let failure = Box::new(Failure::of_checkpoint(code, message, next_step));
        Self { failure, conflicts: false, retry_after: None }
    }

    /// Says the same of a session that is unknown, a checkpoint that is unknown, and one of another session: who may not
    /// see it does not learn that it is there.
    pub(crate) fn not_in_session() -> Self {
        let message = "there is no such session, or no such checkpoint in it";
        Self::new(Code::NotInSession, message, "See GET /api/sessions and its checkpoints.")
    }

    pub(crate) fn no_restore() -> Self {
        Self::new(Code::NotFound, "there is no such restore", "A restore answers with its id.")
    }

    pub(crate) fn no_turn() -> Self {
        let message = "the session never had this turn";
        Self::new(Code::NotFound, message, "POST …/turns answers with the id of the new one.")
    }

    fn no_message() -> Self {
        Self::new(Code::NotFound, "the session never had this message", "GET …/messages lists them.")
    }

    pub(crate) fn bad_input(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message, next_step)
    }

    pub(crate) fn busy() -> Self {
        let rejection = Self::new(Code::Busy, "too much is going on at once", "Try again in a few seconds.");
        Self { retry_after: Some(5), ..rejection }
    }

    pub(crate) fn internal(message: &str) -> Self {
        let next_step = "Ask again; if it stays so, look at what the server wrote on its standard error.";
        Self::new(Code::Internal, message, next_step)
    }

    /// Returns it as a conflict with what is there now.
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
            // The rest of the body must not be read as a request.
            response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
        }
        if status == StatusCode::UNAUTHORIZED {
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
    use fuzzy_report::Code;

    #[test]
    fn the_page_lists_the_codes_under_their_status() {
        let page = include_str!("../../../../docs/service.md");
        let mut listed = Vec::new();
        for line in page.lines().filter(|line| line.starts_with("| 4") || line.starts_with("| 5")) {
            let status: u16 = line[2..5].parse().expect("a status");
            for code in line.split('`').skip(1).step_by(2) {
                assert_eq!(Code::parse(code).map(Code::http_status), Some(status), "{code}");
                listed.push(code);
            }
        }
        let count = listed.len();
        listed.sort_unstable();
        listed.dedup();
        assert!(count == listed.len() && count > 30, "{listed:?}");
    }
}
