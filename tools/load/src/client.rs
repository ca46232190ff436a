//! Sends requests to the service and measures their times.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A connection to the service.
#[derive(Clone)]
pub(crate) struct Client {
    agent: ureq::Agent,
    base: String,
}

/// An answer and its time.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) took: Duration,
}

impl Answer {
    /// Returns the code of a failure.
    pub(crate) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

impl Client {
    pub(crate) fn new(base: &str) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent = config.timeout_global(Some(Duration::from_mins(2))).build().new_agent();
        Self { agent, base: base.trim_end_matches('/').to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Result<Answer> {
        let start = Instant::now();
        let mut response = self.agent.get(format!("{}{path}", self.base)).call().context("no answer")?;
        let body = response.body_mut().read_json().unwrap_or_default();
        Ok(Answer { status: response.status().as_u16(), body, took: start.elapsed() })
    }

    /// Requests a page and reads it completely; returns the time.
    pub(crate) fn open(&self, path: &str) -> Result<Duration> {
        let start = Instant::now();
        let mut response = self.agent.get(format!("{}{path}", self.base)).call().context("no answer")?;
        response.body_mut().read_to_string().with_context(|| format!("{path} breaks off"))?;
        ensure!(response.status() == 200, "{path}: {}", response.status());
        Ok(start.elapsed())
    }

    pub(crate) fn post(&self, path: &str, body: &Value, key: Option<&str>) -> Result<Answer> {
        let start = Instant::now();
        let mut request = self.agent.post(format!("{}{path}", self.base));
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let mut response = request.send_json(body).context("no answer")?;
        let body = response.body_mut().read_json().unwrap_or_default();
        Ok(Answer { status: response.status().as_u16(), body, took: start.elapsed() })
    }
}
