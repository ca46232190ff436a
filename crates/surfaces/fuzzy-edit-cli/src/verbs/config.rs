//! `config`: prints the settings in force, and the file that each is from.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Failure, Limits};
use fuzzy_report::printable;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::config::{Steps, Switch};
use crate::{config, output};

/// Print the settings in force, and the file that each is from
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The user's file is $XDG_CONFIG_HOME/fuzzy-edit/config.toml, otherwise ~/.config/fuzzy-edit/config.toml. The project's file
is the nearest fuzzy-edit.toml in the current directory or above it, up to the top of the repository. It can only make the
command stricter: with a higher min-confidence, a shorter timeout-ms, seen = \"off\", or a root inside the project. Every
other key in it is refused; a hook ignores it, says so on standard error and in its log, and goes on.

Keys, each named like its option:
  ladder = \"adaptive\"        the ladder of strategies; `fuzzy-edit ladders` lists them
  min-confidence = 0.9       refuses an edit with less confidence, from 0 to 1
  timeout-ms = 500           the longest time of one search
  root = \"/srv/shop\"      restricts edits to a directory; relative paths still start from the current one
  encoding = \"auto\"          the encoding of files
  log = \"/var/log/edits.jsonl\"   appends a line of JSON for every edit
  log-text = false           logs the texts, too
  seen = \"off\"               hooks do not remember which lines agents were shown
  steps = \"off\"              no capture of the files before commands of agents' shells; \"shell\" is the default
  step-wait = 2000           the longest wait of a command for that capture, in milliseconds, at most 8000
  keep = [\".env\", \"out/\"]    ignored and large files of which every such capture keeps copies
  database, store            of checkpoints, as --database and --store

Options win over both files. `apply`, `patch`, `locate`, `explain`, `undo`, `mcp` and `hook` use the settings; `checkpoint`,
`turns` and `serve` use database and store. `batch` and `replay` use none, so that their results depend on no file.

Examples:
  fuzzy-edit config
  fuzzy-edit config --json";

/// The settings in force.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Report {
    /// Always `configured`.
    status: &'static str,
    /// The user's file; it need not exist. Null without a home directory.
    user_file: Option<String>,
    /// The project's file, if there is one.
    project_file: Option<String>,
    /// The settings.
    settings: Vec<Setting>,
}

/// One setting.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Setting {
    key: &'static str,
    /// The value in force; null if there is none.
    value: Value,
    /// Its origin: `default`, `user` or `project`; `both` for a root, which is then a list.
    from: &'static str,
}

/// Prints the settings.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match report() {
        Ok(report) => output::answer(arguments.json, &report, || describe(&report)),
        Err(failure) => output::failure(arguments.json, &failure),
    }
}

fn report() -> Result<Report, Box<Failure>> {
    let config = config::current()?;
    let (user, project) = (&config.user, &config.project);
    let of_user = |key, value: Option<Value>, usual| match value {
        Some(value) => Setting { key, value, from: "user" },
        None => Setting { key, value: usual, from: "default" },
    };
    // The stricter one of both files is in force.
    let stricter = |key, value: Value, own: bool, theirs: bool| {
        let from = if theirs {
            "project"
        } else if own {
            "user"
        } else {
            "default"
        };
        Setting { key, value, from }
    };
    let least = config.min_confidence().get();
    let timeout = config.timeout_ms(Limits::TIMEOUT_MS);
    let seen = if config.remembers_seen() { "on" } else { "off" };
    let forgets = project.seen == Some(Switch::Off) && user.seen != Some(Switch::Off);
    let raises = project.min_confidence.is_some_and(|own| own > user.min_confidence.unwrap_or(0.0));
    let shortens = project.timeout_ms.is_some_and(|own| own < user.timeout_ms.unwrap_or(Limits::TIMEOUT_MS));
    let root = match (&user.root, &project.root) {
        (Some(user), Some(project)) => Setting { key: "root", value: json!([text(user), text(project)]), from: "both" },
        (_, Some(project)) => Setting { key: "root", value: json!(text(project)), from: "project" },
        (user, None) => of_user("root", user.as_deref().map(|root| json!(text(root))), Value::Null),
    };
    let settings = vec![
        of_user("ladder", user.ladder.as_ref().map(|name| json!(name)), json!("adaptive")),
        stricter("min-confidence", json!(least), user.min_confidence.is_some(), raises),
        stricter("timeout-ms", json!(timeout), user.timeout_ms.is_some(), shortens),
        root,
        of_user("encoding", user.encoding.as_ref().map(|name| json!(name)), json!("auto")),
        of_user("log", user.log.as_deref().map(|path| json!(text(path))), Value::Null),
        of_user("log-text", user.log_text.map(|texts| json!(texts)), json!(false)),
        stricter("seen", json!(seen), user.seen.is_some(), forgets),
        of_user(
            "steps",
            user.steps.map(|steps| json!(if steps == Steps::Off { "off" } else { "shell" })),
            json!("shell"),
        ),
        of_user("step-wait", user.step_wait.map(|wait| json!(wait)), json!(config::STEP_WAIT_MS)),
        of_user("keep", user.keep.as_ref().map(|keep| json!(keep)), json!([])),
        of_user("database", user.database.as_ref().map(|_| json!("(set)")), Value::Null),
        of_user("store", user.store.as_deref().map(|path| json!(text(path))), Value::Null),
    ];
    let (user_file, project_file) = (config::user_file(), config.project_file.as_deref());
    let (user_file, project_file) = (user_file.as_deref().map(text), project_file.map(text));
    Ok(Report { status: "configured", user_file, project_file, settings })
}

/// Returns a path as text.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn describe(report: &Report) -> String {
    let mut text = String::new();
    for Setting { key, value, from } in &report.settings {
        let value = match value {
            Value::Null => "-".to_owned(),
            Value::String(value) => value.clone(),
            value => value.to_string(),
        };
        let _ = writeln!(text, "{key:<15} {:<24} {from}", printable(&value));
    }
    let user = report.user_file.as_ref().map(|path| (path, Path::new(path).exists()));
    for (whose, file) in [("user", user), ("project", report.project_file.as_ref().map(|path| (path, true)))] {
        let _ = match file {
            Some((path, true)) => writeln!(text, "{whose}: `{}`", printable(path)),
            Some((path, false)) => {
                writeln!(text, "{whose}: `{}`, which does not exist", printable(path))
            }
            None => writeln!(text, "{whose}: no file"),
        };
    }
    text
}
