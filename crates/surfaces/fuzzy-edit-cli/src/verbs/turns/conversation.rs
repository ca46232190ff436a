//! The ways back of the conversations whose turns were taken back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fuzzy_checkpoint_service::ListedTurn;
use fuzzy_checkpoint_store::{Body, MessageId};
use fuzzy_hosts::{Host, WayBack};
use schemars::JsonSchema;
use serde::Serialize;

use super::entry::{Extra, id_of};
use super::project::Turns;
use crate::verbs::checkpoint::text::plain;

/// How to take turns out of the conversation of a session. Nothing of it is run.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Conversation {
    /// The name of the session.
    session: String,
    /// The first of its turns that were taken back. It and all later ones leave the conversation.
    turn: i64,
    #[serde(flatten)]
    way_back: WayBack,
}

/// Returns the ways back of the conversations of turns, each to before the first of them.
pub(super) fn ways_back(turns: &Turns, numbers: &[i64]) -> Vec<Conversation> {
    let mut first: BTreeMap<&str, &ListedTurn> = BTreeMap::new();
    for turn in turns.all.iter().filter(|turn| numbers.contains(&turn.number)) {
        first.entry(&turn.session_id.0).or_insert(turn);
    }
    first.into_values().filter_map(|turn| way_back(turns, turn)).collect()
}

fn way_back(turns: &Turns, turn: &ListedTurn) -> Option<Conversation> {
    let (store, host) = (turns.place.service.store(), Host::named(&turn.host)?);
    let title = store.session(&turn.session_id).ok()??.title;
    let prompt = store.message(&turn.session_id, &MessageId(turn.id.0.clone())).ok()?;
    let extra = prompt.and_then(|prompt| serde_json::from_str::<Extra>(prompt.extra.as_ref().map(Body::as_str)?).ok());
    let named = extra.map(|extra| extra.host_turn).unwrap_or_default();
    let way_back = host.way_back(id_of(host.name, &title)?, &named)?;
    Some(Conversation { session: turn.session.clone(), turn: turn.number, way_back })
}

/// Says that the conversations still have the turns, and how to change that.
pub(super) fn describe(conversations: &[Conversation]) -> String {
    let mut text = String::new();
    for Conversation { session, turn, way_back } in conversations {
        let words = format!("to take it out, and what follows: {}", way_back.words);
        let _ = writeln!(text, "the conversation `{}` still has turn {turn}; {words}", plain(session));
        if let Some(command) = &way_back.command {
            let _ = writeln!(text, "  {}", plain(command));
        }
    }
    text
}
