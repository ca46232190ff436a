//! The fact for an agent that turns of its session were taken back, or brought back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_store::{SessionId, Untold};

use crate::Result;
use crate::checkpointer::Checkpointer;
use crate::spans::Spans;
use crate::turn_list::{Taken, went_on};

/// The most paths of a text, and its most bytes.
const MOST: (usize, usize) = (10, 1_000);

/// The most bytes of the number of files that are not listed, and of that of lines that are left out.
const REST: usize = 40;

/// The news for an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// A line for each restore; empty if the agent knows the state of all turns of its session.
    pub text: String,
    /// Its sessions, each with the place of the last restore.
    told: Vec<(SessionId, i64)>,
}

/// The turns that one restore took back, by its place, and their part; or that were brought back.
type Changes = BTreeMap<(i64, bool), (BTreeSet<i64>, Taken)>;

impl Checkpointer {
    /// Returns the news for the agent of the sessions with a title: the difference between the turns that were taken back at
    /// its last news, and those that are now. So a take-back that was undone in between is none. The text has at most 1,000 bytes and 10 paths, as JSON strings.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn facts(&self, title: &str) -> Result<Facts> {
        let mut facts = Facts::default();
        let mut lines = Vec::new();
        for Untold { session, worktree_id, told, last } in self.store.untold(title)? {
            let spans = self.spans(&worktree_id)?;
            for ((place, back), (turns, part)) in changes(&spans, &session, told, last) {
                lines.push((said(&turns, back, part), paths(&spans, place, &turns)));
            }
            facts.told.push((session, last));
        }
        facts.text = text(&lines);
        Ok(facts)
    }

    /// Records that the agent knows of these facts.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub fn note_told(&self, facts: &Facts) -> Result<()> {
        facts.told.iter().try_for_each(|(session, place)| Ok(self.store.note_told(session, *place)?))
    }
}

/// Returns the turns of a session whose state differs between two places.
fn changes(spans: &Spans, session: &SessionId, told: i64, last: i64) -> Changes {
    let (before, now, starts) = (spans.state(told).turns, spans.state(last).turns, spans.starts());
    let is_whole = |taken: Option<(Taken, i64)>| taken.filter(|(part, _)| *part == Taken::Whole);
    let mut changes = Changes::new();
    for span in spans.all.iter().filter(|span| span.row.prompt.session_id == *session) {
        let number = span.row.number;
        let (before, now) = (before.get(&number).copied(), now.get(&number).copied());
        let ((part, place), back) = match (before, now) {
            (before, now) if before == now => continue,
            // It had nothing more to take back.
            (Some((Taken::Whole, place)), now) if is_whole(now).is_some() && !went_on(&starts, number, place) => {
                continue;
            }
            (None, Some(taken)) => (taken, false),
            (Some((_, place)), Some(taken)) if taken.1 > place => (taken, false),
            (Some(taken), _) => (taken, true),
            (None, None) => continue,
        };
        changes.entry((place, back)).or_insert_with(|| (BTreeSet::new(), part)).0.insert(number);
    }
    changes
}

/// Returns the files of turns that the restore at a place changed.
fn paths(spans: &Spans, place: i64, turns: &BTreeSet<i64>) -> Vec<RepoPath> {
    let rows = turns.iter().filter_map(|number| spans.turn(*number));
    let own: BTreeSet<RepoPath> = rows.flat_map(|span| span.row.files.clone().unwrap_or_default()).collect();
    let restore = spans.restores.iter().find(|row| row.place == place);
    let changed = restore.map(|row| row.options.paths.clone()).unwrap_or_default();
    if changed.is_empty() {
        return own.into_iter().collect();
    }
    let both: Vec<RepoPath> = own.into_iter().filter(|path| path.is_within_any(&changed)).collect();
    // The files of a running turn are not known.
    if both.is_empty() { changed } else { both }
}

/// Says what happened to turns.
fn said(turns: &BTreeSet<i64>, back: bool, part: Taken) -> String {
    let (word, verb) = if turns.len() == 1 { ("turn", "was") } else { ("turns", "were") };
    let mut numbers: Vec<String> = turns.iter().take(MOST.0).map(ToString::to_string).collect();
    if turns.len() > MOST.0 {
        numbers.push(format!("{} more", turns.len() - MOST.0));
    }
    let part = if part == Taken::Whole { "" } else { "partly " };
    let what = if back { "brought back" } else { "taken back by the user" };
    format!("{word} {} {verb} {part}{what}", numbers.join(", "))
}

fn text(lines: &[(String, Vec<RepoPath>)]) -> String {
    let (mut text, mut named) = (String::new(), 0);
    for (at, (said, paths)) in lines.iter().enumerate() {
        if at > 0 && text.len() + said.len() + 2 * REST > MOST.1 {
            let _ = write!(text, "\n{} more changes of this kind", lines.len() - at);
            break;
        }
        let start = if at > 0 { "\n" } else { "" };
        let _ = write!(text, "{start}{said}");
        let mut listed = 0;
        for path in paths {
            let path = escaped(path);
            if named == MOST.0 || text.len() + path.len() + 2 * REST > MOST.1 {
                break;
            }
            let _ = write!(text, "{} {path}", if listed == 0 { ":" } else { "," });
            (named, listed) = (named + 1, listed + 1);
        }
        if let left @ 1.. = paths.len() - listed {
            let (mark, more) = if listed == 0 { (":", "") } else { (",", " more") };
            let _ = write!(text, "{mark} {left}{more} file{}", if left == 1 { "" } else { "s" });
        }
    }
    text
}

/// Returns a path as a JSON string. All except letters, digits and the marks of ASCII is escaped, and marks with which a
/// name could end the text of a host around it.
fn escaped(path: &RepoPath) -> String {
    let mut text = "\"".to_owned();
    for c in path.to_string().chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            ' '..='~' if !"<>&`".contains(c) => text.push(c),
            c if c.is_alphanumeric() => text.push(c),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(text, "\\u{unit:04x}")),
        }
    }
    text + "\""
}
