//! The files beneath a directory, for the tools of an agent. Calls and answers are JSON; each call runs on a thread of
//! Node's pool.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use fuzzy_edit::{Code, Editor, Encoding, Failure, Limits, ListReport, PatchOptions, Root, Session, Tools, Workspace};
use fuzzy_pipeline::{Pipeline, Similarity, ladder};
use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Result, Task};
use napi_derive::napi;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The files beneath a directory, and the memory of a conversation about them.
#[napi]
pub struct Files(Tools);

#[derive(Deserialize)]
struct Settings {
    root: PathBuf,
    encoding: Option<String>,
    ladder: Option<String>,
    min_confidence: Option<f64>,
    timeout: Option<f64>,
    max_bytes: Option<u64>,
}

#[derive(Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case")]
enum Asked {
    Read {
        path: PathBuf,
    },
    Edits {
        edits: Value,
        #[serde(default)]
        dry_run: bool,
    },
    Patch {
        patch: String,
        file: Option<String>,
        #[serde(default)]
        reverse: bool,
        strip: Option<usize>,
        #[serde(default)]
        dry_run: bool,
    },
    Undo {
        batch: Option<String>,
        #[serde(default)]
        dry_run: bool,
    },
}

/// A call that waits for a thread.
pub struct Call {
    files: Tools,
    request: String,
}

#[napi]
impl Files {
    /// Opens a directory with settings in JSON.
    ///
    /// # Errors
    ///
    /// A setting is invalid, or the root is no directory; the message is a failure in JSON.
    #[napi(constructor, catch_unwind)]
    // Called with converted arguments.
    #[allow(clippy::needless_pass_by_value)]
    pub fn new(settings: String) -> Result<Self> {
        let settings: std::result::Result<Settings, _> = serde_json::from_str(&settings).map_err(|error| bad(&error));
        let opened = settings.and_then(|settings| open(&settings));
        let opened = opened.map_err(|failure| napi::Error::from_reason(answer(&*failure, &failure.for_model())))?;
        Ok(Self(opened))
    }

    /// Carries out a call in JSON; the promise has its answer.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn call(&self, request: String) -> AsyncTask<Call> {
        AsyncTask::new(Call { files: self.0.clone(), request })
    }
}

impl Task for Call {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        let answered = catch_unwind(AssertUnwindSafe(|| carry_out(&self.files, &self.request)));
        let answered = answered.unwrap_or_else(|_| {
            let next_step = "Report this as a bug, with the texts if they may be shown.";
            Err(Box::new(Failure::new(Code::Internal, "fuzzy-edit itself failed", next_step)))
        });
        Ok(answered.unwrap_or_else(|failure| answer(&*failure, &failure.for_model())))
    }

    fn resolve(&mut self, _: Env, answer: String) -> Result<String> {
        Ok(answer)
    }
}

/// Makes the tools of a directory.
fn open(settings: &Settings) -> std::result::Result<Tools, Box<Failure>> {
    let bad = |message: String| Box::new(Failure::bad_input(message, "Correct the options of open."));
    let encoding = settings.encoding.as_deref().unwrap_or("auto");
    let encoding = Encoding::from_option(encoding).map_err(|error| bad(error.to_string()))?;
    let defaults = Limits::default();
    let timeout =
        settings.timeout.map(Duration::try_from_secs_f64).transpose().map_err(|error| bad(error.to_string()))?;
    let limits = Limits {
        max_bytes: settings.max_bytes.unwrap_or(defaults.max_bytes),
        timeout: timeout.unwrap_or(defaults.timeout),
    };
    let root = Root::open(&settings.root).map_err(|error| bad(error.to_string()))?;
    let workspace = Workspace::new(limits).with_encoding(encoding).within(root);
    let name = settings.ladder.as_deref().unwrap_or("adaptive");
    let ladder = ladder::named(name).map_err(|error| bad(error.to_string()))?;
    let least = Similarity::new(settings.min_confidence.unwrap_or(0.0));
    let editor = Editor::new(workspace, Pipeline::new(ladder)).with_least_confidence(least);
    Ok(Tools::new(editor, Session::default()))
}

/// Carries out a call in JSON.
fn carry_out(files: &Tools, request: &str) -> std::result::Result<String, Box<Failure>> {
    let edited = |list: ListReport| answer(&list, &list.for_model());
    Ok(match serde_json::from_str(request).map_err(|error| bad(&error))? {
        Asked::Read { path } => answer(&json!({ "text": files.read(&path)? }), ""),
        Asked::Edits { edits, dry_run } => edited(files.edit(edits, dry_run)?),
        Asked::Patch { patch, file, reverse, strip, dry_run } => {
            let options = PatchOptions { target: file.as_deref(), reverse, strip };
            edited(files.patch(&patch, &options, dry_run)?)
        }
        Asked::Undo { batch, dry_run } => {
            let undone = files.undo(batch.as_deref(), dry_run)?;
            answer(&undone, &undone.for_model())
        }
    })
}

/// Returns the failure of a request that is no JSON of this form.
fn bad(error: &serde_json::Error) -> Box<Failure> {
    Box::new(Failure::bad_input(error.to_string(), "Correct the arguments."))
}

/// Returns an answer in JSON, with its text for a model.
fn answer(answer: &impl Serialize, for_model: &str) -> String {
    json!({ "answer": answer, "for_model": for_model }).to_string()
}
