//! Options that several verbs share.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use clap::Args;
use fuzzy_edit::{Editor, Encoding, Failure, Limits, Log, Patience, Root, Session, Workspace};
use fuzzy_pipeline::{Pipeline, Similarity, ladder};

use crate::config::{self, Config};
use crate::{input, output};

/// Options of a search: ladder, confidence, limits, encoding. The first, second, third and last may be in a file.
#[derive(Args)]
pub(crate) struct Search {
    /// The ladder of strategies to walk; `fuzzy-edit ladders` lists them [default: adaptive]
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    /// Refuse an edit whose confidence is less than X, from 0 to 1
    #[arg(long, value_name = "X", value_parser = confidence)]
    min_confidence: Option<Similarity>,
    /// The longest time of one search [default: 2000]
    #[arg(long, value_name = "MS")]
    timeout_ms: Option<u64>,
    /// The largest file to read and the largest text to make
    #[arg(long, value_name = "BYTES", default_value_t = Limits::MAX_BYTES)]
    max_bytes: u64,
    /// The encoding of the files, by its name in HTML; auto detects UTF-8, UTF-16 with a byte order mark, or the likely
    /// one [default: auto]
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
}

/// The settings of a search, after those of files and the usual ones are filled in.
pub(crate) struct Settled<'s> {
    ladder: &'s str,
    min_confidence: Similarity,
    limits: Limits,
    encoding: &'s str,
}

impl Search {
    /// Returns the settings for edits: the options, and otherwise those of the user's and the project's file.
    pub(crate) fn settled(&self) -> Result<Settled<'_>, Box<Failure>> {
        Ok(self.with(config::current()?))
    }

    /// Returns the settings for a measurement, whose result must not depend on the files of this machine.
    pub(crate) fn alone(&self) -> Settled<'_> {
        static NONE: LazyLock<Config> = LazyLock::new(Config::default);
        self.with(&NONE)
    }

    fn with<'s>(&'s self, config: &'s Config) -> Settled<'s> {
        let timeout_ms = self.timeout_ms.unwrap_or_else(|| config.timeout_ms(Limits::TIMEOUT_MS));
        Settled {
            ladder: self.ladder.as_deref().or(config.ladder()).unwrap_or("adaptive"),
            min_confidence: self.min_confidence.unwrap_or_else(|| config.min_confidence()),
            limits: Limits { max_bytes: self.max_bytes, timeout: Duration::from_millis(timeout_ms) },
            encoding: self.encoding.as_deref().or(config.user.encoding.as_deref()).unwrap_or("auto"),
        }
    }

    /// Returns the size of the largest file to read, in bytes.
    pub(crate) const fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Returns the text of an argument: the argument itself, the contents of the file after an `@`, or standard input
    /// for `-` and `@-`. A leading `@@` means a literal `@`, as does an `@` before a line break: no file has such a name.
    pub(crate) fn text(&self, option: &str, argument: &str) -> Result<String, Box<Failure>> {
        let path = match argument.strip_prefix('@') {
            Some(text) if text.starts_with('@') => return Ok(text.to_owned()),
            Some(text) if text.contains('\n') => return Ok(argument.to_owned()),
            Some(path) => path,
            None if argument == "-" => "-",
            None => return Ok(argument.to_owned()),
        };
        input::read(Path::new(path), self.max_bytes).map_err(|error| {
            Box::new(Failure::bad_input(
                format!("{option} @FILE: {error}"),
                "Name a text file after the @; write @@ for a text that begins with @.",
            ))
        })
    }

    /// Reads the file that `argument` names, or standard input for `-`. `expected` is the next step of the failure.
    pub(crate) fn input(&self, argument: &str, path: &Path, expected: &str) -> Result<String, Box<Failure>> {
        input::read(path, self.max_bytes)
            .map_err(|error| Box::new(Failure::bad_input(format!("{argument}: {error}"), expected)))
    }
}

impl Settled<'_> {
    /// Returns a workspace with these limits and this encoding. The caller sets its root.
    pub(crate) fn workspace(&self) -> Result<Workspace, Box<Failure>> {
        let encoding = Encoding::from_option(self.encoding).map_err(|error| {
            Failure::bad_input(
                error.to_string(),
                "Give the name of an encoding in HTML, such as windows-1252, or auto.",
            )
        })?;
        Ok(Workspace::new(self.limits).with_encoding(encoding))
    }

    /// Returns an editor with these settings for a workspace.
    pub(crate) fn editor(&self, workspace: Workspace) -> Result<Editor, Box<Failure>> {
        self.editor_with(workspace, self.ladder)
    }

    /// Returns an editor for each ladder of `--ladder`, which are separated by commas.
    pub(crate) fn editors(&self) -> Result<Vec<Editor>, Box<Failure>> {
        let workspace = self.workspace()?;
        self.ladder.split(',').map(|ladder| self.editor_with(workspace.clone(), ladder.trim())).collect()
    }

    fn editor_with(&self, workspace: Workspace, ladder: &str) -> Result<Editor, Box<Failure>> {
        let ladder = ladder::named(ladder)
            .map_err(|error| Failure::bad_input(error.to_string(), "See `fuzzy-edit ladders`."))?;
        Ok(Editor::new(workspace, Pipeline::new(ladder)).with_least_confidence(self.min_confidence))
    }
}

/// Options that restrict the files to read and write.
#[derive(Args)]
pub(crate) struct Reach {
    /// Restrict edits to this directory [default: the current one; none for a FILE argument]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Allow edits in `.git` directories
    #[arg(long)]
    allow_git: bool,
}

impl Reach {
    /// Returns a workspace for files that the user names one by one. Without a root, any named file is permitted.
    pub(crate) fn of_named(&self, workspace: Workspace) -> Result<Workspace, Box<Failure>> {
        match &self.root {
            Some(root) => Ok(workspace.within(self::root(root, self.allow_git)?)),
            None if self.allow_git => Ok(narrowed(workspace)?.allowing_git()),
            None => narrowed(workspace),
        }
    }

    /// Returns the directory that relative paths start from.
    fn base(&self) -> &Path {
        self.root.as_deref().unwrap_or(Path::new("."))
    }
}

/// Restricts a workspace to the roots of the user's and the project's file, which `--root` replaces.
pub(crate) fn narrowed(workspace: Workspace) -> Result<Workspace, Box<Failure>> {
    Ok(config::current()?.roots().into_iter().fold(workspace, Workspace::narrowed))
}

/// Opens the root that paths must not leave.
pub(crate) fn root(directory: &Path, allow_git: bool) -> Result<Root, Box<Failure>> {
    let root = Root::open(directory)
        .map_err(|error| Failure::bad_input(format!("--root: {error}"), "Name a directory that exists."))?;
    Ok(if allow_git { root.allowing_git() } else { root })
}

/// Options for writing files.
#[derive(Args)]
pub(crate) struct Writing {
    #[command(flatten)]
    reach: Reach,
    /// Write files with several hard links in place, which is not atomic
    #[arg(long)]
    in_place: bool,
}

impl Writing {
    /// Returns a workspace for files that the user names one by one. Without a root, any named file is permitted.
    ///
    /// First recovers the batches of killed processes, and reports them on standard error.
    pub(crate) fn of_named(&self, workspace: Workspace) -> Result<Workspace, Box<Failure>> {
        output::recovered(&workspace.recover(), &workspace.unreadable_journals());
        self.reach.of_named(if self.in_place { workspace.allowing_in_place() } else { workspace })
    }

    /// Returns a workspace of files beneath the root, by default the current directory.
    pub(crate) fn beneath_root(&self, workspace: Workspace) -> Result<Workspace, Box<Failure>> {
        let root = root(self.base(), self.reach.allow_git)?;
        let workspace = if self.reach.root.is_some() { workspace.strict() } else { workspace };
        Ok(self.of_named(workspace)?.within(root))
    }

    /// Returns the directory that relative paths start from.
    pub(crate) fn base(&self) -> &Path {
        self.reach.base()
    }
}

/// Options of the log, which carries failures over from one run to the next.
#[derive(Args)]
pub(crate) struct Logging {
    /// Append a line of JSON for every edit to FILE; an edit whose failure is in FILE is reported as repeated
    #[arg(long, value_name = "FILE.JSONL")]
    log: Option<PathBuf>,
    /// Log the texts, too, so that `fuzzy-edit replay` can repeat the edits
    #[arg(long, requires = "log")]
    log_text: bool,
    /// From the Nth failure of the same edit, report that the agent should stop and ask the user
    #[arg(long, value_name = "N", requires = "log", default_value_t = Patience::default().stop_from)]
    stop_after: usize,
}

impl Logging {
    /// Returns the log, of the option or otherwise of the user's file, and whether it has texts.
    fn log(&self) -> Result<Option<(&Path, bool)>, Box<Failure>> {
        log(self.log.as_deref(), self.log_text)
    }

    /// Returns a session that knows the failures of the log.
    pub(crate) fn session(&self) -> Result<Session, Box<Failure>> {
        let patience = Patience { stop_from: self.stop_after, ..Patience::default() };
        let mut session = Session::new(patience);
        let Some((path, texts)) = self.log()? else { return Ok(session) };
        let read = Log::read_back(path).and_then(|records| Ok((records, Log::open(path, texts)?)));
        let (records, log) = read.map_err(|error| {
            let next_step = "Name a file that can be read and written, or omit --log.";
            Failure::bad_input(format!("--log: `{}`: {error}", path.display()), next_step)
        })?;
        for record in &records {
            session.recall(record);
        }
        Ok(session.with_log(log))
    }

    /// Reports that the log could not be written. The edits are not affected.
    pub(crate) fn complain(&self, session: &mut Session) {
        if let (Ok(Some((path, _))), Some(error)) = (self.log(), session.take_log_error()) {
            output::complain(&format!("the log `{}` could not be written: {error}", path.display()));
        }
    }
}

/// Returns the log of an option or otherwise of the user's file, and whether it has texts.
pub(crate) fn log(option: Option<&Path>, texts: bool) -> Result<Option<(&Path, bool)>, Box<Failure>> {
    if let Some(path) = option {
        return Ok(Some((path, texts)));
    }
    let user = config::user()?;
    Ok(user.log.as_deref().map(|path| (path, user.log_text == Some(true))))
}

/// Parses a number from 0 to 1.
fn confidence(argument: &str) -> Result<Similarity, String> {
    match argument.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(Similarity::new(value)),
        _ => Err("the value must be a number from 0 to 1".to_owned()),
    }
}
