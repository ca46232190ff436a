//! Finds a session by its title, its name in lists, a host, `latest`, the number of a turn, or a prefix of its id.

use fuzzy_checkpoint_service::MANUAL;
use fuzzy_checkpoint_store::{Session, SessionId};

use super::options::Session as Wanted;
use super::place::Place;
use super::refused::Refused;
use super::text;

impl Place {
    /// Returns the selected session; `None` if it is the manual one, which does not exist before its first checkpoint.
    pub(super) fn session(&self, wanted: &Wanted) -> Result<Option<SessionId>, Refused> {
        match find(self, &wanted.name)? {
            None if wanted.name == MANUAL => Ok(None),
            None => Err(unknown(self, &wanted.name)?),
            found => Ok(found),
        }
    }
}

/// Finds a session of the worktree; `None` if no session has this name.
pub(crate) fn find(place: &Place, name: &str) -> Result<Option<SessionId>, Refused> {
    let store = place.service.store();
    let all = store.sessions(place.worktree.id())?;
    if let Some(session) = all.iter().find(|session| session.title == name) {
        return Ok(Some(session.id.clone()));
    }
    let number = name.parse::<i64>().ok().filter(|_| !name.starts_with('0'));
    let turns = || store.turns_of(place.worktree.id());
    if let Some(number) = number {
        let turn = turns()?.into_iter().find(|turn| turn.number == number && !turn.is_deleted());
        if let Some(turn) = turn {
            return Ok(Some(turn.prompt.session_id));
        }
    }
    let is_wanted = |session: &&Session| name == "latest" || session.host.as_deref() == Some(name);
    let wanted: Vec<&Session> = all.iter().filter(is_wanted).collect();
    if let Some(newest) = wanted.last() {
        // The session of the newest turn, also if an older session goes on.
        let turns = turns()?;
        let last = turns.iter().rev().find(|turn| wanted.iter().any(|session| session.id == turn.prompt.session_id));
        return Ok(Some(last.map_or_else(|| newest.id.clone(), |turn| turn.prompt.session_id.clone())));
    }
    let id = name.to_ascii_uppercase();
    let is_found = |session: &&Session| session.id.as_str().starts_with(&id) || text::plain(&session.name) == name;
    let mut found = all.iter().filter(is_found);
    match (found.next(), found.next()) {
        (Some(session), None) => Ok(Some(session.id.clone())),
        (Some(_), Some(_)) => {
            let message = format!("several sessions have the name `{0}` or begin with `{0}`", text::plain(name));
            Err(Refused::bad_input(message, "Give more characters of the id, or the number of a turn."))
        }
        (None, _) => Ok(None),
    }
}

/// Returns the failure for a name that no session of the worktree has.
pub(crate) fn unknown(place: &Place, name: &str) -> Result<Refused, Refused> {
    let all = place.service.store().sessions(place.worktree.id())?;
    let known: Vec<String> =
        all.iter().map(|session| format!("{} ({})", session.id, text::plain(&session.name))).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let message = format!("this worktree has no session `{}`", text::plain(name));
    Ok(Refused::bad_input(message, format!("Its sessions: {known}.")))
}
