//! The timeline of a worktree: a card for each turn.

use fuzzy_checkpoint::{Gone, Oid, RepoPath};
use fuzzy_checkpoint_service::text::{count, gone_path, plain, quoted};
use fuzzy_checkpoint_service::{ListedTurn, MovedSubmodule, PagedTurn, TurnState};
use fuzzy_checkpoint_store::{Changes, Restore, Session};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::body::{first_line, named};
use super::files::{self, Files, Tense, encoded, plus_minus};
use super::layout::moment;
use super::paths::rest;

/// The largest number of names of files on a card.
const NAMES: usize = 8;
/// The most paths of a list of gone ones.
const MOST_GONE: usize = 100;

/// The filters of a timeline.
#[derive(Clone, Default)]
pub(super) struct Filters {
    pub(super) text: String,
    pub(super) file: String,
    pub(super) session: String,
    pub(super) before: Option<i64>,
}

impl Filters {
    fn is_none(&self) -> bool {
        self.text.is_empty() && self.file.is_empty() && self.session.is_empty()
    }

    /// Returns the address of a timeline with these filters.
    fn address(&self, worktree: &str) -> String {
        format!("{}?{}", address(worktree), self.query(("before", self.before)))
    }

    /// Returns these filters and a number as a query.
    fn query(&self, (name, number): (&str, Option<i64>)) -> String {
        let number = number.map(|number| number.to_string()).unwrap_or_default();
        let fields = [("text", &self.text), ("file", &self.file), ("session", &self.session), (name, &number)];
        let given = fields.iter().filter(|(_, value)| !value.is_empty());
        given.map(|(name, value)| format!("{name}={}", in_query(value))).collect::<Vec<_>>().join("&")
    }
}

/// The data of the page.
pub(super) struct Timeline<'a> {
    pub(super) worktree: &'a str,
    /// The root of its files.
    pub(super) root: &'a str,
    pub(super) filters: &'a Filters,
    pub(super) turns: &'a [PagedTurn],
    /// The state of these turns.
    pub(super) mark: &'a str,
    pub(super) more: bool,
    /// The newest restore that took turns back and is not undone.
    pub(super) last: Option<&'a Restore>,
    /// The sessions to choose from.
    pub(super) sessions: &'a [Session],
    pub(super) notice: Markup,
}

/// Returns the address of a worktree's timeline.
pub(super) fn address(worktree: &str) -> String {
    format!("/worktrees/{worktree}")
}

/// Returns the address of the plan to take a turn back.
pub(super) fn take_back(worktree: &str, verb: &str, turn: i64) -> String {
    format!("{}/take-back?verb={verb}&turn={turn}", address(worktree))
}

/// Returns the address of the plan to undo a restore.
pub(super) fn undo(restore: &Restore) -> String {
    format!("{}/take-back?verb=undo&restore={}", address(&restore.worktree_id), restore.id)
}

/// Encodes a value of a query.
pub(super) fn in_query(value: &str) -> String {
    utf8_percent_encode(value, NON_ALPHANUMERIC).to_string()
}

/// Returns the address of a turn's page.
pub(super) fn own(turn: &ListedTurn) -> String {
    format!("/sessions/{}/turns/{}", turn.session_id, turn.id)
}

/// Renders the page.
pub(super) fn timeline(view: &Timeline<'_>) -> Markup {
    html! {
        header.title {
            h1 { "Timeline" }
            p.soft { span.path { bdi { (plain(view.root)) } } }
            p { a href={ (address(view.worktree)) "/since" } { "Changes since the last turn" } }
        }
        (filters(view))
        (view.notice)
        @if view.turns.is_empty() { (empty(view)) }
        ol.timeline data-news=[news(view)] data-mark=(view.mark) {
            @for row in view.turns { (card(view, row)) }
        }
        (more(view))
    }
}

fn filters(view: &Timeline<'_>) -> Markup {
    let Filters { text, file, session, .. } = view.filters;
    html! {
        form.filters action=(address(view.worktree)) role="search" {
            label { span { "Search" } input #search type="search" name="text" value=(text) maxlength="200" placeholder="prompts, file names"; }
            label { span { "File or folder" } input type="text" name="file" value=(file) maxlength="4096"; }
            label {
                span { "Session" }
                select name="session" {
                    option value="" { "all" }
                    @for one in view.sessions {
                        option value=(one.id) selected[one.id.as_str() == session] { (named(&one.name)) }
                    }
                }
            }
            button { "Filter" }
            @if !view.filters.is_none() { a href=(address(view.worktree)) { "All turns" } }
        }
        @if !file.is_empty() && !view.turns.is_empty() {
            p.note {
                a href={ (address(view.worktree)) "/blame?" (encoded(&RepoPath::from(file.as_str()))) } { "Who changed each line of this file?" }
            }
        }
        details.help {
            summary { "Which turn broke a test?" }
            p { "This command runs the test on the state after single turns, in a folder of its own, and names the first bad turn:" }
            pre tabindex="0" { code { "fuzzy-edit turns bisect -- COMMAND" } }
            form.jump action={ (address(view.worktree)) "/jump" } {
                label for="jump" { "Then go to turn" }
                input #jump type="number" name="turn" min="1" required;
                button { "Go" }
            }
        }
    }
}

fn empty(view: &Timeline<'_>) -> Markup {
    html! {
        p.empty {
            @if view.filters.is_none() && view.filters.before.is_none() {
                "No agent has worked here yet."
            } @else {
                "No turn fits the filter."
            }
        }
    }
}

/// Returns the address that says what is new; none for older turns.
fn news(view: &Timeline<'_>) -> Option<String> {
    let after = view.turns.first().map_or(0, |row| row.turn.number);
    let query = view.filters.query(("after", Some(after)));
    view.filters.before.is_none().then(|| format!("{}/news?{query}", address(view.worktree)))
}

fn more(view: &Timeline<'_>) -> Markup {
    let older = view.turns.last().filter(|_| view.more).map(|row| row.turn.number);
    html! {
        @if older.is_some() || view.filters.before.is_some() {
            nav.pages aria-label="Pages of the timeline" {
                @if view.filters.before.is_some() {
                    a href=(Filters { before: None, ..view.filters.clone() }.address(view.worktree)) { "Newest" }
                }
                @if older.is_some() {
                    a rel="next" href=(Filters { before: older, ..view.filters.clone() }.address(view.worktree)) { "Older" }
                }
            }
        }
    }
}

fn card(view: &Timeline<'_>, row: &PagedTurn) -> Markup {
    let turn = &row.turn;
    let name = format!("turn-{}", turn.number);
    let revert = (turn.checkpoint.is_some() && !turn.taken_back).then_some(turn.number);
    html! {
        li data-turn=(turn.number) {
            article.turn aria-labelledby=(name) {
                header {
                    span.number { (turn.number) }
                    h2 id=(name) { a href=(own(turn)) { bdi { (title(&turn.prompt)) } } }
                    (act(view, turn))
                }
                p.facts-line {
                    a href={ "/sessions/" (turn.session_id) "/jump?turn=" (turn.number) } { bdi { (named(&turn.host)) } }
                    (moment(turn.began_at))
                    (size(turn))
                    (badges(view, turn))
                }
                @match &row.diff {
                    Some(diff) => (files::list(&Files {
                        name: &name,
                        diffs: &format!("{}/diff?", own(turn)),
                        open: true,
                        changes: Some(diff),
                        more: Some(&|file| links(view.worktree, revert, &file.path)),
                        ..Files::of(&diff.files, Tense::Done)
                    })),
                    None => (names(view.worktree, row)),
                }
                (submodules(&turn.submodules))
            }
            (outside(turn, row.outside.as_ref()))
        }
    }
}

/// Returns the first line of a prompt, or a placeholder for an empty one.
pub(super) fn title(prompt: &str) -> String {
    let first = first_line(prompt);
    if first.trim().is_empty() { "(no prompt)".to_owned() } else { first }
}

/// Renders the number of files and lines.
fn size(turn: &ListedTurn) -> Markup {
    html! {
        @match (turn.files, turn.insertions, turn.deletions) {
            (Some(0), ..) => span.soft { "changed no file" },
            (Some(files), Some(inserted), Some(deleted)) => {
                span { (count(files, "file")) " " (plus_minus(inserted, deleted)) }
            }
            _ => @if let Some(why) = &turn.uncompared { span.soft { "its changes are not counted: " (plain(why)) } },
        }
    }
}

fn badges(view: &Timeline<'_>, turn: &ListedTurn) -> Markup {
    let last = view.last.filter(|last| last.options.turns.contains(&turn.number));
    html! {
        @match turn.state {
            TurnState::Running => span.badge.running { "running" },
            TurnState::Interrupted => span.badge.bad { "failed" },
            TurnState::Done => {}
        }
        @if turn.taken_back { span.badge.good { "taken back" } }
        @if turn.partly_taken_back {
            span.badge.good { "partly taken back" @if turn.continued { ", continued" } }
        }
        @if let Some(last) = last.filter(|_| turn.taken_back || turn.partly_taken_back) {
            a href=(undo(last)) { "Undo this…" }
        }
        @if turn.kept { span.badge.neutral { "kept" } }
    }
}

/// Renders the ways to take a turn back, or the reason why there is none.
pub(super) fn act(view: &Timeline<'_>, turn: &ListedTurn) -> Markup {
    let changed = turn.files.is_none_or(|files| files > 0);
    html! {
        div.act {
            @if turn.checkpoint.is_some() {
                @if changed && !turn.taken_back {
                    a.button href=(take_back(view.worktree, "revert", turn.number)) { "Take this back…" }
                }
                (menu(view.worktree, turn.number))
            } @else {
                span.soft.why {
                    @match &turn.no_checkpoint {
                        Some(why) => { "no checkpoint: " (plain(why)) }
                        None => "its checkpoints were pruned",
                    }
                }
            }
        }
    }
}

/// Renders the menu with the verbs that go back to a moment.
pub(super) fn menu(worktree: &str, turn: i64) -> Markup {
    html! {
        details.menu {
            summary aria-label={ "More for turn " (turn) } { "More" }
            ul {
                li {
                    a href={ (take_back(worktree, "revert", turn)) "&later=yes" } { "Take back everything since…" }
                    span.soft { "takes back turn " (turn) " and all later turns; your own changes stay" }
                }
                li {
                    a href=(take_back(worktree, "restore", turn)) { "Restore to before this turn…" }
                    span.soft { "all files as they were when turn " (turn) " began; your own changes since then go, too" }
                }
            }
        }
    }
}

/// Renders the links of a changed file; `revert` is the turn if it can be taken back.
pub(super) fn links(worktree: &str, revert: Option<i64>, path: &RepoPath) -> Markup {
    html! {
        span.links {
            @if let Some(turn) = revert {
                a href={ (take_back(worktree, "revert", turn)) "&path=" (in_query(&encoded(path))) }
                    aria-label={ "Take back " (quoted(path)) } { "Take back" }
            }
            @if let Ok(text) = std::str::from_utf8(path.as_bytes()) {
                a href={ (address(worktree)) "?file=" (in_query(text)) } aria-label={ "History of " (quoted(path)) } { "History" }
            }
        }
    }
}

/// Renders the first names of the changed files.
fn names(worktree: &str, row: &PagedTurn) -> Markup {
    let paths = row.paths.as_deref().unwrap_or_default();
    html! {
        @if !paths.is_empty() {
            ul.names {
                @for path in paths.iter().take(NAMES) {
                    li {
                        @match std::str::from_utf8(path.as_bytes()) {
                            Ok(text) => a href={ (address(worktree)) "?file=" (in_query(text)) } { code { bdi { (quoted(path)) } } },
                            Err(_) => code { bdi { (quoted(path)) } },
                        }
                    }
                }
                @if paths.len() > NAMES { li { a href=(own(&row.turn)) { "and " (paths.len() - NAMES) " more" } } }
            }
        }
    }
}

/// Renders the repositories inside the worktree whose commit changed.
pub(super) fn submodules(moved: &[MovedSubmodule]) -> Markup {
    let short = |commit: &Option<Oid>| commit.as_ref().map_or("none", |oid| &oid.as_str()[..10]).to_owned();
    html! {
        @if !moved.is_empty() {
            ul.paths.moved {
                @for one in moved {
                    li {
                        span.badge.neutral { "commit" } " " code { bdi { (quoted(&one.path)) } } " "
                        span.soft { code { (short(&one.from)) } " → " code { (short(&one.to)) } }
                    }
                }
            }
        }
    }
}

/// Renders the paths that no checkpoint has, with the reasons.
pub(super) fn gone(all: &[Gone]) -> Markup {
    html! {
        @if !all.is_empty() {
            section aria-labelledby="gone" {
                h2 #gone { "Gone" }
                p.soft { "These were there before. No checkpoint has them, so they cannot be brought back." }
                ul.paths { @for one in all.iter().take(MOST_GONE) { li { bdi { (gone_path(one)) } } } }
                (rest(all.len(), MOST_GONE))
            }
        }
    }
}

/// Renders the entry of the changes before a turn, outside any turn.
fn outside(turn: &ListedTurn, outside: Option<&Changes>) -> Markup {
    html! {
        @if let Some(outside) = outside.filter(|outside| outside.files > 0) {
            p.between {
                a href={ (own(turn)) "#outside" } { (count(outside.files, "file")) " changed outside any turn" }
                " " (plus_minus(outside.insertions, outside.deletions))
            }
        }
    }
}
