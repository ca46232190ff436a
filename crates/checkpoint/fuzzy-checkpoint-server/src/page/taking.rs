//! Handlers of the plan to take turns back.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Redirect;
use fuzzy_checkpoint::{Detail, DiffOptions, Differing, Oid, RepoPath};
use fuzzy_checkpoint_service::{LateChoice, ListedTurn, TakeBackOptions, Trees, TurnPlan};
use fuzzy_checkpoint_store::{RestoreId, TakeBack};
use fuzzy_report::Code;
use maud::Markup;
use serde::Deserialize;

use super::actions::own;
use super::back::{self, Again, View};
use super::cards::{self, in_query};
use super::files::{self, chosen, encoded, hunk, of_page};
use super::forms::{Ids, Params, Sent};
use super::layout::{Html, page_of};
use super::refusal::Refusal;
use super::timeline::turn_of;
use super::views::{PageResult, html_page, patches, titles};
use crate::api::checkpoints::named;
use crate::app::App;
use crate::rejection::Rejection;
use crate::restores;

/// The most changed lines of which all diffs are unfolded at first.
const UNFOLDED: u64 = 200;
/// The most prompts of a plan.
const PROMPTS: usize = 50;

/// A request: the query of a plan, or its form.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Vec<(String, String)>")]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of the form, and they combine freely")]
pub(super) struct Request {
    csrf: String,
    verb: TakeBack,
    turns: Vec<i64>,
    later: bool,
    propose: bool,
    /// The restore to undo.
    restore: Option<RestoreId>,
    paths: Vec<RepoPath>,
    hunks: BTreeMap<RepoPath, Vec<usize>>,
    lines: BTreeMap<RepoPath, Vec<(usize, usize)>>,
    /// The number of boxes that are ticked if the whole request is meant.
    total: usize,
    /// The number of ticked boxes of files.
    ticks: usize,
    everything: bool,
    force: bool,
    late: Option<LateChoice>,
    /// The tree of the files on disk at the time of the plan.
    seen: Option<Oid>,
    /// The same, of a plan that had no effect.
    since: Option<Oid>,
    /// Set after a form without a tick.
    unticked: bool,
    page: usize,
    open: bool,
}

impl TryFrom<Vec<(String, String)>> for Request {
    type Error = &'static str;

    fn try_from(fields: Vec<(String, String)>) -> Result<Self, Self::Error> {
        let all =
            |name: &'static str| fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str());
        let has = |name| all(name).next().is_some();
        let number = |name| all(name).next().map_or(Ok(0), str::parse).map_err(|_| "no number");
        let oid = |name| all(name).next().map(Oid::new).transpose().map_err(|_| "no tree");
        let verb = all("verb").next().and_then(TakeBack::parse).ok_or("no verb")?;
        let turns: Result<Vec<i64>, _> = all("turn").map(str::parse).collect();
        let paths: Vec<RepoPath> = all("path").flat_map(chosen).collect();
        let mut hunks: BTreeMap<RepoPath, Vec<usize>> = BTreeMap::new();
        for value in all("hunk") {
            let (path, number) = hunk(value).ok_or("no hunk")?;
            hunks.entry(path).or_default().push(number);
        }
        let mut lines: BTreeMap<RepoPath, Vec<(usize, usize)>> = BTreeMap::new();
        for value in all("lines") {
            let (path, range) = value.split_once(' ').ok_or("no lines")?;
            let (first, last) = range.split_once('-').ok_or("no lines")?;
            let range = (first.parse().map_err(|_| "no lines")?, last.parse().map_err(|_| "no lines")?);
            lines.entry(files::decoded(path)).or_default().push(range);
        }
        // A ticked file is taken back as a whole.
        hunks.retain(|path, _| !paths.contains(path));
        lines.retain(|path, _| !paths.contains(path));
        Ok(Self {
            csrf: all("csrf").next().unwrap_or_default().to_owned(),
            verb,
            turns: turns.map_err(|_| "no turn")?,
            later: has("later"),
            propose: has("propose"),
            restore: all("restore").next().map(RestoreId::from),
            ticks: all("path").count(),
            paths,
            hunks,
            lines,
            total: number("total")?,
            everything: has("everything"),
            force: has("force"),
            late: all("late").next().map(|word| LateChoice::parse(word).ok_or("no choice")).transpose()?,
            seen: oid("seen")?,
            since: oid("since")?,
            unticked: has("unticked"),
            page: number("page")?,
            open: has("open"),
        })
    }
}

impl Request {
    /// Returns whether the request names files or parts of files.
    fn is_partial(&self) -> bool {
        !(self.paths.is_empty() && self.hunks.is_empty() && self.lines.is_empty())
    }

    /// Returns whether all of the plan is meant.
    fn is_whole(&self) -> bool {
        let all = self.total > 0 && self.ticks == self.total;
        self.everything || all && self.hunks.is_empty() && self.lines.is_empty()
    }

    fn options(&self) -> Result<TakeBackOptions, Rejection> {
        let mut options = TakeBackOptions::new(self.verb, self.turns.clone());
        (options.force, options.late) = (self.force, self.late);
        (options.later, options.of) = (self.later, self.restore.clone());
        options.propose = self.propose;
        if self.is_whole() {
            return Ok(options);
        }
        options.paths = self.paths.iter().map(named).collect::<Result<_, _>>()?;
        for (path, hunks) in &self.hunks {
            options.hunks.push((named(path)?, hunks.clone()));
        }
        for (path, lines) in &self.lines {
            options.lines.push((named(path)?, lines.clone()));
        }
        Ok(options)
    }

    /// Returns the hunks and lines, each as the name and value of its checkbox.
    fn parts(&self) -> Vec<String> {
        let hunks = self
            .hunks
            .iter()
            .flat_map(|(path, hunks)| hunks.iter().map(move |hunk| format!("hunk {} {hunk}", encoded(path))));
        let lines = self.lines.iter().flat_map(|(path, lines)| {
            lines.iter().map(move |(first, last)| format!("lines {} {first}-{last}", encoded(path)))
        });
        hunks.chain(lines).collect()
    }

    /// Returns the address of the plan.
    fn address(&self, worktree: &str) -> String {
        let mut fields = vec![("verb".to_owned(), self.verb.as_str().to_owned())];
        fields.extend(self.turns.iter().map(|turn| ("turn".to_owned(), turn.to_string())));
        fields.extend(self.later.then(|| ("later".to_owned(), "yes".to_owned())));
        fields.extend(self.propose.then(|| ("propose".to_owned(), "yes".to_owned())));
        fields.extend(self.restore.iter().map(|id| ("restore".to_owned(), id.0.clone())));
        let paths = self.paths.iter().filter(|_| !self.is_whole());
        fields.extend(paths.map(|path| ("path".to_owned(), encoded(path))));
        let parts = self.parts();
        let parts = parts.iter().filter_map(|part| part.split_once(' '));
        fields.extend(parts.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let query: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", in_query(value))).collect();
        format!("{}/take-back?{}", cards::address(worktree), query.join("&"))
    }
}

pub(super) async fn plan(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Params(request): Params<Request>,
) -> PageResult {
    let back = cards::address(&worktree);
    let done = app.git(move |app| planned(app, &worktree, &request)).await;
    done.map_err(|rejection| Refusal::from(rejection).next(back, "Back to the timeline"))
}

fn planned(app: &App, worktree: &str, request: &Request) -> Result<Html, Rejection> {
    let (worktree, service) = (app.worktree(worktree)?, app.service());
    let mut options = request.options()?;
    options.keep_going = true;
    let plan = service.plan_turns(&worktree, &options)?;
    let mut turns: Vec<ListedTurn> = Vec::new();
    for number in plan.turns.iter().rev().take(PROMPTS) {
        // The prompt of a turn may be trimmed.
        turns.extend(turn_of(app, &worktree, *number).ok().map(|row| row.turn));
    }
    let own = request.verb == TakeBack::Revert && !request.later && plan.turns.len() == 1;
    let lines = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };
    let shown = if own { Some(service.show_turn(&worktree, plan.turns[0], &lines)?) } else { None };
    let session = shown.as_ref().map(|shown| shown.turn.session_id.clone());
    let diffs = shown.as_ref().map(|shown| format!("{}/diff?", cards::own(&shown.turn))).unwrap_or_default();
    let (listed, trees, shared) = if let Some(shown) = shown {
        (shown.diff.files, shown.trees, shown.shared)
    } else {
        let listed: Vec<Differing> = plan.files.iter().map(|file| file.change.clone()).collect();
        (listed, Trees { from: plan.tree.clone(), to: plan.planned.clone() }, Vec::new())
    };
    let session = match session {
        Some(session) => Some(session),
        None => service.store().sessions(&worktree)?.pop().map(|session| session.id),
    };
    let (number, _) = page_of(request.page, listed.len(), files::PER_PAGE);
    let diff = session.map(|session| patches(service, &session, &trees, of_page(&listed, number)));
    // A diff is no condition of a plan: it is left out if it cannot be made.
    let diff = diff.and_then(Result::ok).flatten();
    let ticked = ticked(request, &plan, &listed, &shared);
    let agents = titles(app, &plan.agents_running)?;
    let since = request.since.as_ref().map(|since| since_then(app, &worktree, since, &plan.tree));
    let again = match &since {
        Some(since) => Some(Again::Changed(since)),
        None => request.unticked.then_some(Again::Unticked),
    };
    let changed: u64 = listed.iter().flat_map(|file| [file.insertions, file.deletions]).flatten().sum();
    let title = back::heading(&plan);
    let body: Markup = back::plan(&View {
        worktree: &worktree,
        turns: &turns,
        plan: &plan,
        later: request.later,
        propose: request.propose,
        files: &listed,
        own,
        shared: &shared,
        number,
        diff: diff.as_ref(),
        ticked: &ticked,
        parts: &request.parts(),
        diffs: &diffs,
        here: &request.address(&worktree),
        open: request.open || request.is_partial() || changed <= UNFOLDED,
        again,
        agents: &agents,
        csrf: app.csrf().as_str(),
    });
    Ok(html_page(&title, &[(cards::address(&worktree), "Timeline".to_owned())], body))
}

/// Returns the files whose boxes are ticked: those of the request, or all that can be taken back.
fn ticked(request: &Request, plan: &TurnPlan, listed: &[Differing], shared: &[(RepoPath, Vec<i64>)]) -> Vec<RepoPath> {
    let is_free = |path: &RepoPath| {
        !plan.conflicts.iter().any(|conflict| conflict.path == *path) && !shared.iter().any(|(other, _)| other == path)
    };
    let mut ticked: Vec<RepoPath> = if request.is_partial() && !request.is_whole() {
        request.paths.clone()
    } else {
        listed.iter().map(|file| file.path.clone()).filter(is_free).collect()
    };
    ticked.sort();
    ticked
}

/// Returns the files that changed between an earlier plan and this one; nothing if the earlier tree is gone.
fn since_then(app: &App, worktree: &str, since: &Oid, now: &Oid) -> Vec<RepoPath> {
    let options = DiffOptions { paths: Vec::new(), detail: Detail::Names, renames: false };
    let diff = app.service().compare_trees(worktree, since, now, &options);
    diff.map(|diff| diff.files.into_iter().map(|file| file.path).collect()).unwrap_or_default()
}

pub(super) async fn take_back(
    State(app): State<App>,
    Ids(worktree): Ids<String>,
    Sent(request): Sent<Request>,
) -> Result<Redirect, Refusal> {
    let (timeline, plan) = (cards::address(&worktree), request.address(&worktree));
    own(&app, &request.csrf).map_err(|refusal| refusal.next(plan.clone(), "See the plan again"))?;
    if !request.is_partial() && !request.is_whole() {
        return Ok(Redirect::to(&format!("{plan}&unticked=yes")));
    }
    let seen = request.seen.clone();
    let Some(seen) = seen else {
        return Err(Rejection::bad_input("the form has no plan", "Load the plan again, then send its form.").into());
    };
    let again = format!("{plan}&since={seen}");
    let back = timeline.clone();
    let done = app.git(move |app| {
        let timeline = back;
        let worktree = app.worktree(&worktree)?;
        let (_, outcome) = app.service().take_back(&worktree, &request.options()?, Some(&seen))?;
        let Some(outcome) = outcome else { return Ok(format!("{timeline}?done=none")) };
        let row = restores::known(app, &RestoreId::from(outcome.restore_id.as_str()))?;
        // The notice of a restore without turns is on the page of its session.
        let session = Some(&row.session_id).filter(|_| row.options.turns.is_empty());
        Ok(session.map_or_else(
            || format!("{timeline}?done={}", row.id),
            |session| format!("/sessions/{session}?restore={}", row.id),
        ))
    });
    match done.await {
        Ok(address) => Ok(Redirect::to(&address)),
        Err(problem) if problem.failure.code == Code::PlanChanged => Ok(Redirect::to(&again)),
        Err(problem) => {
            let is_conflict = problem.failure.code == Code::Conflict;
            let refusal = Refusal::from(problem);
            // The plan of the same choice names the lines, and the ways out.
            let refusal = if is_conflict {
                refusal.next(plan, "See the conflict, and what can be done")
            } else {
                refusal.next(plan, "See the plan again")
            };
            Err(refusal.next(timeline, "Back to the timeline"))
        }
    }
}
