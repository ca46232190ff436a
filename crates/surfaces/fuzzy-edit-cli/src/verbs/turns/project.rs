//! The turns of a project, and the options of the verbs that read them.

use std::path::Path;

use clap::Args;
use fuzzy_checkpoint_service::{Happened, ListedTurn, OtherPlace, ProcessBackend};
use fuzzy_checkpoint_store::now_ms;
use fuzzy_report::Code;

use super::failed::FailedEvent;
use super::{edits, queue};
use crate::output;
use crate::verbs::checkpoint::options::{Database, Shared as Options};
use crate::verbs::checkpoint::place::{Place, current};
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text;

/// Options of every verb.
#[derive(Args)]
pub(super) struct Shared {
    /// Print one report as JSON
    #[arg(short, long, global = true, display_order = 100)]
    pub(super) json: bool,
    /// The turns of another place that `turns` lists below those of this project: its id, or the beginning of it
    #[arg(long, global = true, display_order = 100, value_name = "ID")]
    place: Option<String>,
    #[command(flatten)]
    database: Database,
}

/// The turns of a place: that around the current directory, or another one.
pub(crate) struct Turns {
    pub(crate) place: Place,
    pub(crate) all: Vec<ListedTurn>,
    /// The events of the worktree that could not be recorded.
    pub(super) failed: Vec<FailedEvent>,
    /// The other places with turns here, above or below, or of the same repository.
    pub(super) others: Vec<OtherPlace>,
    /// The place whose turns are meant, if its folder is not there any more.
    moved: Option<OtherPlace>,
    /// The reason, if a process hangs that records another event.
    hangs: Option<String>,
    /// Whether a sidecar was asked for: it is not found without its option.
    pub(crate) needs_sidecar: bool,
}

impl Turns {
    /// Reads the turns, after all pending events are recorded: those of this project, or of the place that the options
    /// name. If this project has none, a single place whose folder was replaced or has become a part of a repository is
    /// meant.
    ///
    /// # Errors
    ///
    /// Refuses if a process that records events of the project hangs: it may be about to capture the files.
    pub(super) fn read(shared: &Shared) -> Result<Self, Refused> {
        match Self::meant(shared)?.settled()? {
            Self { moved: Some(other), .. } => Err(other_folder(&other)),
            turns => Ok(turns),
        }
    }

    /// Reads the turns of this project, or of the place that the options name, as far as they are recorded.
    pub(super) fn read_to_list(shared: &Shared) -> Result<Self, Refused> {
        if shared.place.is_some() { Self::read(shared) } else { Self::around(shared, true) }
    }

    /// Refuses if a process hangs that records an event.
    fn settled(mut self) -> Result<Self, Refused> {
        let next_step = "Let that process go on (`kill -CONT`), or end it, then try again.";
        let hangs = self.hangs.take();
        hangs.map_or(Ok(self), |why| Err(Refused::new(Code::Locked, format!("an event of a turn: {why}"), next_step)))
    }

    /// Reads the turns as [`Turns::read`], to take some back. If their folder was replaced, they are taken back into the
    /// new one, after a question; without a terminal only if `yes` is set.
    pub(super) fn read_to_take_back(shared: &Shared, yes: bool, dry_run: bool) -> Result<Self, Refused> {
        let turns = Self::meant(shared)?.settled()?;
        let Some(other) = &turns.moved else { return Ok(turns) };
        let is_here = other.happened == Happened::Replaced && turns.place.worktree.root() == other.root.as_str();
        if !is_here || dry_run {
            return Err(other_folder(other));
        }
        let question = format!("{}\ngo on with its turns in this folder", told(other));
        let is_agreed = yes || output::can_ask() && output::agreed("", &question);
        if !is_agreed {
            let next_step = "Add --yes to take them back into the folder that is there now.";
            return Err(Refused::new(Code::Declined, format!("{}; nothing was changed", told(other)), next_step));
        }
        turns.place.service.adopt(turns.place.worktree.root(), Some(&other.id))?;
        Self::around(shared, false)
    }

    /// Reads the turns around a directory, if there can be records of it: nothing is created.
    ///
    /// # Errors
    ///
    /// Refuses as [`Turns::read`], and if the records cannot be read.
    pub(crate) fn with_records(
        shared: &Options,
        backend: ProcessBackend,
        directory: &Path,
    ) -> Result<Option<Self>, Refused> {
        let shared = shared.settled()?;
        let Some(place) = Place::with_records(directory, &shared, backend)? else { return Ok(None) };
        Self { needs_sidecar: shared.sidecar, ..Self::of(place)? }.settled().map(Some)
    }

    fn meant(shared: &Shared) -> Result<Self, Refused> {
        let mut turns = Self::around(shared, shared.place.is_some())?;
        let place = match &shared.place {
            Some(id) if turns.place.worktree.id().starts_with(id.as_str()) => return Ok(turns),
            Some(id) => {
                let mut fitting = turns.others.iter().filter(|other| other.id.starts_with(id.as_str()));
                let (Some(other), None) = (fitting.next(), fitting.next()) else {
                    let message = format!("--place: `{}` is not one other place", text::plain(id));
                    return Err(Refused::unknown(message, "`fuzzy-edit turns` lists the places with turns here."));
                };
                other.clone()
            }
            None if turns.all.is_empty() => {
                let mut hidden = turns.others.iter().filter(|other| other.happened != Happened::Elsewhere);
                match (hidden.next(), hidden.next()) {
                    (Some(other), None) => other.clone(),
                    _ => return Ok(turns),
                }
            }
            None => return Ok(turns),
        };
        if place.is_there() {
            turns.place.worktree = turns.place.service.worktree(&place.id)?;
            turns.all = place.turns;
        } else {
            turns.moved = Some(place);
        }
        Ok(turns)
    }

    /// Reads the turns of this project, and other places if they are wanted or there are none.
    fn around(shared: &Shared, others: bool) -> Result<Self, Refused> {
        let turns = Self::of(Place::of_turns(&current()?, &shared.database.clone().settled()?)?)?;
        let is_all = turns.all.is_empty() || shared.place.is_some();
        let (service, worktree) = (&turns.place.service, &turns.place.worktree);
        let others = if others || is_all { service.other_places(worktree, is_all)? } else { Vec::new() };
        Ok(Self { others, ..turns })
    }

    /// Reads the turns of a place, after all pending events are recorded.
    fn of(place: Place) -> Result<Self, Refused> {
        let waits = || output::complain("waiting for the checkpoint of a turn");
        let sessions = place.service.store().sessions(place.worktree.id())?;
        let titles: Vec<String> = sessions.into_iter().map(|session| session.title).collect();
        let (failed, hangs) = queue::settle(place.worktree.root(), &titles, waits).map_err(|error| {
            let next_step = "Make the folder `turns` in the state directory readable and writable.";
            Refused::of_io("events of turns", &error, next_step)
        })?;
        // That process may also have locked the database.
        if hangs.is_none() {
            edits::note_running(&place)?;
        }
        let all = place.service.turns(place.worktree.id())?;
        Ok(Self { place, all, failed, others: Vec::new(), moved: None, hangs, needs_sidecar: false })
    }

    /// Returns the turn with a number; without one, the last that is not undone.
    pub(super) fn chosen(&self, number: Option<i64>) -> Result<&ListedTurn, Refused> {
        let found = match number {
            Some(number) => self.all.iter().find(|turn| turn.number == number),
            None => self.all.iter().rev().find(|turn| !turn.taken_back),
        };
        found.ok_or_else(|| {
            if self.all.is_empty() {
                let next_step = "`fuzzy-edit turns` lists those of other places; `fuzzy-edit init` configures hosts to record turns.";
                return Refused::unknown("this project has no turns", next_step);
            }
            let message = number.map_or("there is no turn".to_owned(), |number| format!("there is no turn {number}"));
            Refused::unknown(message, "`fuzzy-edit turns` lists all turns.")
        })
    }
}

/// Returns what happened to the folder of a place.
pub(super) fn told(other: &OtherPlace) -> String {
    let root = text::plain(&other.root);
    match (other.happened, other.made) {
        (Happened::Replaced, Some(made)) => format!("the folder {root} was replaced {}", text::age(now_ms(), made)),
        (Happened::Replaced, None) => format!("the folder {root} was replaced"),
        (Happened::Removed, _) => format!("the folder {root} was removed"),
        (Happened::Repository, _) => format!("{root} was in no repository, or ignored, and is part of one now"),
        (Happened::Elsewhere, _) => format!("{root} has turns of its own"),
    }
}

/// Returns the refusal of a verb that needs the files of a folder that is not there any more.
fn other_folder(other: &OtherPlace) -> Refused {
    let id = &other.id;
    let next_step = match other.happened {
        Happened::Replaced => format!(
            "In {}, `fuzzy-edit turns restore N` takes them back into the folder that is there now, and `fuzzy-edit \
             checkpoint doctor --adopt {id}` goes on with them.",
            text::plain(&other.root)
        ),
        _ => format!("Make the folder again, then run `fuzzy-edit checkpoint doctor --adopt {id}` in it."),
    };
    Refused::new(Code::Declined, format!("{}; nothing was changed", told(other)), next_step)
}
