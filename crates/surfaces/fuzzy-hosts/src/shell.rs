//! Reads the commands of shells: whether one is known only to read files, and the paths that its words name.
//!
//! A shell is not imitated. Text that is not understood counts as a command that may write.

use std::path::{Component, Path, PathBuf};

/// The programs that only read files, with any argument that [`writes`] lets pass.
const READERS: [&str; 22] = [
    "cat", "cd", "cut", "date", "diff", "du", "echo", "find", "grep", "head", "ls", "nl", "printf", "pwd", "rg",
    "sort", "stat", "tail", "test", "true", "wc", "which",
];

/// The commands of git that only read files.
const GIT_READERS: [&str; 5] = ["diff", "log", "rev-parse", "show", "status"];

/// The most commands within words of commands, as in `sh -c "…"`.
const MAX_DEPTH: usize = 4;

/// A word of a command, without its quotes.
#[derive(Debug, Default)]
struct Word {
    /// The text before the first mark that a shell expands.
    text: String,
    /// That mark.
    open: Option<char>,
}

/// A simple command.
#[derive(Debug, Default)]
struct Simple {
    words: Vec<Word>,
    /// The files that its output is written to, and its other redirections.
    targets: Vec<Word>,
    /// Whether it has assignments.
    assigns: bool,
    /// The number of subshells around it.
    depth: usize,
}

/// A command of a shell, which may be a list of simple commands.
#[derive(Debug, Default)]
pub struct Script {
    commands: Vec<Simple>,
    /// Whether it has marks by which a shell runs or writes more than its simple commands say.
    is_odd: bool,
    /// Whether it has redirections, pipes or lists.
    is_list: bool,
}

/// The paths that a command names.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Named {
    /// The files and directories.
    pub paths: Vec<PathBuf>,
    /// Whether it may concern every file of the worktree.
    pub all: bool,
}

impl Script {
    /// Reads a command.
    #[must_use]
    pub fn parse(command: &str) -> Self {
        Lexer { chars: command.chars().collect(), at: 0, script: Self::default(), depth: 0 }.run()
    }

    /// Returns whether every simple command of it is known only to read files.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        !self.is_odd && self.commands.iter().all(Simple::only_reads)
    }

    /// Returns the paths that the words of its commands name, except of those that only read. Relative paths start from
    /// `directory`, and from where `cd` leads. A word that the shell expands names the directory before its first mark.
    #[must_use]
    pub fn named(&self, directory: &Path) -> Named {
        let mut named = Named::default();
        self.add_names(directory, &mut named, 0);
        named.paths.sort();
        named.paths.dedup();
        named
    }

    /// Returns the words of a single command that a shell neither expands nor redirects.
    pub(crate) fn plain(&self) -> Option<Vec<&str>> {
        let [only] = &self.commands[..] else { return None };
        let is_plain = !self.is_odd && !self.is_list && !only.assigns;
        let words = only.words.iter().map(|word| word.open.is_none().then_some(word.text.as_str()));
        words.collect::<Option<_>>().filter(|_| is_plain)
    }

    fn add_names(&self, directory: &Path, named: &mut Named, level: usize) {
        // The directory of each subshell; none if it is not known.
        let mut directories = vec![Some(directory.to_owned())];
        for command in &self.commands {
            let inherited = directories.last().cloned().flatten();
            directories.resize(command.depth + 1, inherited);
            let here = directories.last().cloned().flatten();
            let texts: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
            if let ["cd", rest @ ..] = &texts[..] {
                let target = rest.iter().find(|word| **word != "--" && (word.len() < 2 || !word.starts_with('-')));
                let is_plain =
                    command.words.iter().all(|word| word.open.is_none()) && target.is_some_and(|to| *to != "-");
                let target = target.filter(|_| is_plain);
                *directories.last_mut().expect("there is one") =
                    here.zip(target).map(|(here, target)| normal(&here.join(target)));
                continue;
            }
            if git_takes_all(&texts) {
                named.all = true;
            }
            let words: &[Word] = if command.only_reads() { &[] } else { &command.words };
            for word in words.iter().skip(1).chain(&command.targets) {
                word.add_names(here.as_deref(), named, level);
            }
        }
    }
}

impl Word {
    fn add_names(&self, here: Option<&Path>, named: &mut Named, level: usize) {
        let Some(here) = here else {
            named.all = true;
            return;
        };
        // `of=FILE` and `--output=FILE` name a file, too.
        for text in [Some(self.text.as_str()), self.text.split_once('=').map(|(_, value)| value)].into_iter().flatten()
        {
            match self.open {
                None if text.is_empty() => {}
                None => named.paths.push(normal(&here.join(text))),
                Some(_) => match text.rsplit_once('/') {
                    Some((directory, _)) if !directory.is_empty() => named.paths.push(normal(&here.join(directory))),
                    _ => named.all = true,
                },
            }
        }
        // The word may be a command or a program, as after `sh -c`.
        if level < MAX_DEPTH && self.text.contains([' ', '\t', '\n', ';', '(', '>']) {
            let script = Script::parse(&self.text);
            script.add_names(here, named, level + 1);
            let first = script.commands.iter().filter_map(|command| command.words.first());
            first.for_each(|word| word.add_names(Some(here), named, MAX_DEPTH));
        }
    }
}

/// Returns whether a command of git may delete or replace every file.
fn git_takes_all(words: &[&str]) -> bool {
    let Some(at) = words.iter().position(|word| *word == "git" || word.ends_with("/git")) else { return false };
    let rest = &words[at + 1..];
    let has_flag = |letters: &[char]| {
        let is_short = |word: &&&str| word.starts_with('-') && !word.starts_with("--");
        rest.iter().filter(is_short).any(|word| word.contains(letters))
    };
    let has = |word: &str| rest.contains(&word);
    has("clean") && has_flag(&['x', 'X'])
        || has("stash") && (has_flag(&['a']) || has("--all"))
        || (has("checkout") || has("switch")) && (has_flag(&['f']) || has("--force") || has("--discard-changes"))
        || has("worktree") && has("remove")
}

impl Simple {
    fn only_reads(&self) -> bool {
        let Some((program, rest)) = self.words.split_first() else { return !self.assigns && self.targets.is_empty() };
        let name = program.text.as_str();
        let is_reader = READERS.contains(&name)
            || name == "git"
                && rest.first().is_some_and(|word| word.open.is_none() && GIT_READERS.contains(&&*word.text));
        let is_plain = program.open.is_none() && !self.assigns && self.targets.is_empty();
        is_reader && is_plain && !rest.iter().any(|word| writes(name, word))
    }
}

/// Returns whether an argument makes a program write a file or run another one, or whether that depends on its expansion.
fn writes(program: &str, Word { text, open }: &Word) -> bool {
    let has_such = ["find", "sort", "rg", "git", "diff", "cut"].contains(&program);
    if has_such && matches!(open, Some('$' | '{')) && (text.is_empty() || text.starts_with('-')) {
        return true;
    }
    let name = text.split_once('=').map_or(text.as_str(), |(name, _)| name);
    // Long options may be shortened.
    let is_short_for = |option: &str| name.len() > 2 && option.starts_with(name);
    if name.starts_with("--output") || ["--output", "--ext-diff"].iter().any(|option| is_short_for(option)) {
        return true;
    }
    if name.starts_with("--pre") && !(program == "git" && name == "--pretty") || name.starts_with("--hostname-bin") {
        return true;
    }
    let is_cluster = text.starts_with('-') && !text.starts_with("--");
    match program {
        "sort" => is_cluster && text.contains('o') || is_short_for("--compress-program"),
        "find" => ["-fprint", "-fls", "-exec", "-ok", "-delete"].iter().any(|action| text.starts_with(action)),
        _ => false,
    }
}

/// Returns a path without `.` and `..`, as far as its text tells.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = out.pop(),
            part => out.push(part),
        }
    }
    out
}

/// A reader of a command.
struct Lexer {
    chars: Vec<char>,
    at: usize,
    script: Script,
    depth: usize,
}

impl Lexer {
    fn run(mut self) -> Script {
        self.begin();
        // The ends of the texts that follow the line, each with whether the shell expands them.
        let mut heredocs: Vec<(String, bool, bool)> = Vec::new();
        while let Some(mark) = self.peek(0) {
            match mark {
                ' ' | '\t' | '\r' => self.at += 1,
                '\n' => {
                    self.at += 1;
                    for heredoc in heredocs.drain(..) {
                        self.skip_text(&heredoc);
                    }
                    self.begin();
                }
                '#' => {
                    while self.peek(0).is_some_and(|mark| mark != '\n') {
                        self.at += 1;
                    }
                }
                '&' if self.peek(1) == Some('>') => {
                    self.script.is_odd = true;
                    self.at += 1;
                }
                ';' | '&' | '|' | '(' | ')' => {
                    self.at += 1;
                    self.script.is_list = true;
                    match mark {
                        '(' => self.depth += 1,
                        ')' => self.depth = self.depth.saturating_sub(1),
                        _ => {}
                    }
                    self.begin();
                }
                '<' | '>' => self.redirect(&mut heredocs),
                _ => self.add_word(),
            }
        }
        self.script.is_odd |= !heredocs.is_empty();
        self.script
            .commands
            .retain(|command| command.assigns || !command.words.is_empty() || !command.targets.is_empty());
        self.script
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn begin(&mut self) {
        self.script.commands.push(Simple { depth: self.depth, ..Simple::default() });
    }

    fn command(&mut self) -> &mut Simple {
        self.script.commands.last_mut().expect("one is begun")
    }

    fn add_word(&mut self) {
        let from = self.at;
        let word = self.word();
        let is_descriptor =
            matches!(self.peek(0), Some('<' | '>')) && self.chars[from..self.at].iter().all(char::is_ascii_digit);
        if is_descriptor {
            return;
        }
        let is_name = |name: &str| {
            let name = name.strip_suffix('+').unwrap_or(name);
            let is_letter = |mark: char| mark.is_ascii_alphanumeric() || mark == '_' || mark == '[' || mark == ']';
            !name.is_empty() && !name.starts_with(|mark: char| mark.is_ascii_digit()) && name.chars().all(is_letter)
        };
        let raw: String = self.chars[from..self.at].iter().collect();
        let command = self.command();
        if command.words.is_empty() && raw.split_once('=').is_some_and(|(name, _)| is_name(name)) {
            command.assigns = true;
        } else {
            command.words.push(word);
        }
    }

    fn redirect(&mut self, heredocs: &mut Vec<(String, bool, bool)>) {
        self.script.is_list = true;
        let mark = self.peek(0);
        self.at += 1;
        let next = self.peek(0);
        match (mark, next) {
            // A process in the place of a file.
            (_, Some('(')) => self.script.is_odd = true,
            (Some('<'), Some('<')) => {
                self.at += 1;
                let is_text = self.peek(0) == Some('<');
                let cuts_tabs = self.peek(0) == Some('-');
                self.at += usize::from(is_text || cuts_tabs);
                self.skip_blanks();
                let from = self.at;
                let word = self.word();
                if !is_text {
                    let is_quoted = self.chars[from..self.at].iter().any(|mark| ['\'', '"', '\\'].contains(mark));
                    heredocs.push((word.text, is_quoted, cuts_tabs));
                }
            }
            (Some('<'), next) if next != Some('>') => {
                self.at += usize::from(next == Some('&'));
                self.skip_blanks();
                self.word();
            }
            (_, next) => {
                // `<>`, `>>`, `>|` and `>&`.
                self.at += usize::from(matches!(next, Some('>' | '|' | '&')));
                self.script.is_odd |= next == Some('|');
                self.skip_blanks();
                let target = self.word();
                let is_descriptor = next == Some('&')
                    && target.open.is_none()
                    && !target.text.is_empty()
                    && target.text.chars().all(|mark| mark.is_ascii_digit() || mark == '-');
                if !is_descriptor && (target.open.is_some() || target.text != "/dev/null") {
                    self.command().targets.push(target);
                }
            }
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(0), Some(' ' | '\t')) {
            self.at += 1;
        }
    }

    /// Skips the lines of a text up to its end, which is alone on a line. A shell runs commands within a text that it
    /// expands.
    fn skip_text(&mut self, (end, is_quoted, cuts_tabs): &(String, bool, bool)) {
        while self.at < self.chars.len() {
            let rest = &self.chars[self.at..];
            let line: String = rest.iter().take_while(|mark| **mark != '\n').collect();
            self.at = (self.at + line.chars().count() + 1).min(self.chars.len());
            let own = if *cuts_tabs { line.trim_start_matches('\t') } else { &line };
            if own == end {
                return;
            }
            self.script.is_odd |= !is_quoted && (line.contains("$(") || line.contains('`'));
        }
        self.script.is_odd = true;
    }

    fn word(&mut self) -> Word {
        let mut word = Word::default();
        let from = self.at;
        while let Some(mark) = self.peek(0) {
            match mark {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    self.at += 1;
                    self.quoted(&mut word, '\'');
                    continue;
                }
                '"' => {
                    self.at += 1;
                    self.quoted(&mut word, '"');
                    continue;
                }
                '\\' => {
                    self.at += 1;
                    match self.peek(0) {
                        Some('\n') => {}
                        Some(next) => word.push(next),
                        None => self.script.is_odd = true,
                    }
                }
                '`' => {
                    self.script.is_odd = true;
                    word.open(mark);
                }
                '$' => {
                    self.expansion(&mut word);
                    // Quotes with escapes may hide any word.
                    self.script.is_odd |= matches!(self.peek(1), Some('\'' | '"'));
                }
                '*' | '?' | '[' => word.open(mark),
                '{' if self.peek(1).is_some_and(|next| !next.is_whitespace() && next != '}') => word.open(mark),
                '~' if self.at == from => word.open(mark),
                _ => word.push(mark),
            }
            self.at += 1;
        }
        self.at = self.at.min(self.chars.len());
        // A `(` after a word without a blank begins a function or a pattern.
        self.script.is_odd |= self.at > from && self.peek(0) == Some('(');
        word
    }

    /// Reads up to the closing quote.
    fn quoted(&mut self, word: &mut Word, quote: char) {
        while let Some(mark) = self.peek(0) {
            self.at += 1;
            match mark {
                _ if mark == quote => return,
                '\\' if quote == '"' => {
                    match self.peek(0) {
                        Some('\n') => {}
                        Some(next @ ('"' | '\\' | '$' | '`')) => word.push(next),
                        Some(next) => {
                            word.push('\\');
                            word.push(next);
                        }
                        None => self.script.is_odd = true,
                    }
                    self.at += 1;
                }
                '`' if quote == '"' => {
                    self.script.is_odd = true;
                    word.open(mark);
                }
                '$' if quote == '"' => {
                    self.at -= 1;
                    self.expansion(word);
                    self.at += 1;
                }
                _ => word.push(mark),
            }
        }
        self.script.is_odd = true;
    }

    /// Notes the `$` of an expansion.
    fn expansion(&mut self, word: &mut Word) {
        let next = self.peek(1);
        let runs_braces = next == Some('{') && self.peek(2).is_none_or(|mark| mark.is_whitespace() || mark == '|');
        self.script.is_odd |= runs_braces || matches!(next, Some('(' | '['));
        if next.is_some_and(|next| !next.is_whitespace() && next != '"' && next != '\'') {
            word.open('$');
        } else {
            word.push('$');
        }
    }
}

impl Word {
    fn push(&mut self, mark: char) {
        if self.open.is_none() {
            self.text.push(mark);
        }
    }

    fn open(&mut self, mark: char) {
        self.open.get_or_insert(mark);
    }
}
