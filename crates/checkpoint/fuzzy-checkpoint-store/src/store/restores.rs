//! The journal of restores, and the transaction that commits one.

use std::collections::HashSet;

use super::{read, turns};
use crate::db::{Connection, Row, values};
use crate::retention::LONGEST_TURN_MS;
use crate::{
    BeginOutcome, CheckpointId, Error, MessageStatus, NewRestore, Patch, Phase, Restore, RestoreId, RestoreOutcome,
    Result, SessionId, SessionState, TranscriptKept, Trim, transcript_kept,
};

/// The agent whose backend is reset; a session has one.
const AGENT: &str = "default";

/// Returns the unfinished restores, oldest first.
pub(super) fn open(c: &mut dyn Connection) -> Result<Vec<Restore>> {
    let sql = format!("{} WHERE {} ORDER BY created_at, id", read::RESTORE, read::IS_OPEN);
    read::all(c, &sql, &[], read::restore_row)
}

/// Returns the checkpoints that retention keeps at any age.
pub(super) fn needed(c: &mut dyn Connection, now: i64) -> Result<HashSet<CheckpointId>> {
    let open = open(c)?.into_iter();
    let mut ids: HashSet<CheckpointId> =
        open.flat_map(|row| [Some(row.checkpoint_id), row.safety_id]).flatten().collect();
    let which = "kept = 1 OR created_at >= ?1 AND id IN (SELECT turn FROM sessions WHERE turn IS NOT NULL)";
    let oldest = now.saturating_sub(LONGEST_TURN_MS);
    let prompts = read::all(c, &format!("{} WHERE {which}", read::MESSAGE), values![oldest], read::message)?;
    let sql = format!("{} WHERE session_id = ?1 AND anchor_seq = ?2 AND kind IN ('turn', 'step')", read::CHECKPOINT);
    for prompt in prompts {
        let begun = read::all(c, &sql, values![prompt.session_id.as_str(), prompt.seq], read::checkpoint_row)?;
        ids.extend(begun.into_iter().map(|row| row.id));
        ids.extend(prompt.changes.map(|changes| changes.to));
    }
    Ok(ids)
}

/// Returns the checkpoints before and after restores that turns need whose first checkpoint is there. The changes of a
/// restore while the turn ran would be the turn's without them, and parts of its files would be taken back again.
pub(super) fn of_turns(c: &mut dyn Connection) -> Result<Vec<CheckpointId>> {
    let sql = "SELECT r.checkpoint_id, r.safety_id FROM restores r WHERE r.phase = 'done' AND EXISTS (
                   SELECT 1 FROM messages m JOIN sessions s ON s.id = m.session_id
                   JOIN checkpoints c ON c.session_id = m.session_id AND c.anchor_seq = m.seq AND c.kind = 'turn'
                   WHERE s.worktree_id = r.worktree_id AND m.number > 0 AND m.place < r.place
                   AND (r.options LIKE '%\"parts\":%' OR m.ended > r.place OR m.id = s.turn))";
    let rows = read::all(c, sql, &[], |row| Ok([Some(row.text()?), row.optional()?]))?;
    Ok(rows.into_iter().flatten().flatten().map(CheckpointId).collect())
}

/// Takes or keeps the lease; returns false if another owner holds it at `now`.
pub(super) fn take_lease(c: &mut dyn Connection, worktree_id: &str, owner: &str, now: i64, until: i64) -> Result<bool> {
    let sql = "UPDATE worktrees SET lease = ?2, lease_until = ?4
               WHERE id = ?1 AND (lease IS NULL OR lease = ?2 OR lease_until <= ?3)";
    Ok(c.execute(sql, values![worktree_id, owner, now, until])? == 1)
}

/// Returns the session's restore with this request key.
pub(super) fn by_key(c: &mut dyn Connection, session: &SessionId, key: &str) -> Result<Option<Restore>> {
    let sql = format!("{} WHERE session_id = ?1 AND request_key = ?2", read::RESTORE);
    read::one(c, &sql, values![session.as_str(), key], read::restore_row)
}

/// Returns the session's restores that are done and began after `after`, or all of them, the newest first.
pub(super) fn done_after(
    c: &mut dyn Connection,
    session: &SessionId,
    after: Option<&RestoreId>,
) -> Result<Vec<Restore>> {
    let which = "session_id = ?1 AND phase = 'done'
                 AND (?2 IS NULL OR begun > (SELECT begun FROM restores WHERE id = ?2))";
    let sql = format!("{} WHERE {which} ORDER BY begun DESC", read::RESTORE);
    read::all(c, &sql, values![session.as_str(), after.map(RestoreId::as_str)], read::restore_row)
}

/// Opens a restore, unless something prevents it.
pub(super) fn begin(c: &mut dyn Connection, new: &NewRestore) -> Result<BeginOutcome> {
    if let Some(same) = by_key(c, &new.session_id, &new.request_key)? {
        return Ok(BeginOutcome::Existing(Box::new(same)));
    }
    let session = read::session(c, &new.session_id)?;
    if read::open_in(c, &session.worktree_id)? || session.state == SessionState::Restoring {
        return Ok(BeginOutcome::Busy);
    }
    let is_beside = new.options.undo_of.is_some() && (new.options.spares_transcript() || session.host.is_some());
    if session.state == SessionState::Running && !new.options.force && !is_beside {
        return Ok(BeginOutcome::Running(session.id));
    }
    // An undo is allowed, because these agents also ran beside the restore. The transcript of a host is its own.
    if new.options.files && !new.options.force && new.options.undo_of.is_none() {
        let sql =
            "SELECT id FROM sessions WHERE worktree_id = ?1 AND state = 'running' ORDER BY created_at, id LIMIT 1";
        if let Some(other) = read::one(c, sql, values![&session.worktree_id], |row| row.text().map(SessionId))? {
            return Ok(BeginOutcome::Running(other));
        }
    }
    if let Some(undone) = new.options.undo_of.as_ref().filter(|_| !new.options.spares_transcript()) {
        let undone = read::restore(c, undone)?;
        let later = done_after(c, &session.id, Some(&undone.id))?;
        if undone.options.spares_transcript() || transcript_kept(&undone, &later, &session).is_some() {
            return Err(Error::Conflict { what: "session" });
        }
    }
    if !take_lease(c, &session.worktree_id, &new.owner, new.now, new.lease_until)? {
        return Ok(BeginOutcome::Busy);
    }
    let result = RestoreOutcome {
        checkpoint_id: new.checkpoint_id.0.clone(),
        restore_id: new.id.0.clone(),
        ..RestoreOutcome::default()
    };
    let sql = "INSERT INTO restores (id, session_id, worktree_id, checkpoint_id, request_key, options, phase, result, created_at, updated_at,
               batch, begun, moment) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'begun', ?7, ?8, ?8, ?9, ?10,
               COALESCE((SELECT place FROM checkpoints WHERE id = ?4 AND kind <> 'plan'), 0))";
    let begun = turns::next(c, "places", &session.worktree_id)?;
    let (options, result) = (read::json(&new.options)?, read::json(&result)?);
    let names = (new.id.as_str(), new.session_id.as_str(), new.checkpoint_id.as_str());
    c.execute(
        sql,
        values![
            names.0,
            names.1,
            &session.worktree_id,
            names.2,
            &new.request_key,
            &options,
            &result,
            new.now,
            new.batch.as_deref(),
            begun
        ],
    )?;
    c.execute("UPDATE sessions SET state = 'restoring' WHERE id = ?1", values![new.session_id.as_str()])?;
    Ok(BeginOutcome::Started)
}

/// Moves a restore from one phase to another.
pub(super) fn advance(c: &mut dyn Connection, id: &RestoreId, from: Phase, to: Phase, patch: &Patch) -> Result<()> {
    if to == Phase::Done {
        return Err(Error::Conflict { what: "phase" });
    }
    let result = patch.result.as_ref().map(read::json).transpose()?;
    let sql = "UPDATE restores SET phase = ?3, safety_id = COALESCE(safety_id, ?4), result = COALESCE(?5, result), error = ?6, updated_at = ?7
               WHERE id = ?1 AND phase = ?2";
    let safety = patch.safety_id.as_ref().map(CheckpointId::as_str);
    let (result, error) = (result.as_deref(), patch.error.as_deref());
    let changed = c.execute(sql, values![id.as_str(), from.as_str(), to.as_str(), safety, result, error, patch.now])?;
    if changed == 0 {
        return Err(Error::Conflict { what: "phase" });
    }
    let restore = read::restore(c, id)?;
    if from == Phase::Begun && to != Phase::Begun && !patch.turn_goes_on {
        turns::settle(c, &restore.session_id, MessageStatus::Failed)?;
    }
    if !to.is_open() {
        settle(c, &restore)?;
    }
    Ok(())
}

/// Settles the session's state and releases the lease.
fn settle(c: &mut dyn Connection, restore: &Restore) -> Result<()> {
    let sql = "UPDATE sessions SET state = CASE WHEN turn IS NULL THEN 'idle' ELSE 'running' END WHERE id = ?1";
    c.execute(sql, values![restore.session_id.as_str()])?;
    c.execute("UPDATE worktrees SET lease = NULL, lease_until = 0 WHERE id = ?1", values![&restore.worktree_id])?;
    Ok(())
}

/// Commits a restore in phase `index`.
pub(super) fn commit(c: &mut dyn Connection, id: &RestoreId, now: i64) -> Result<RestoreOutcome> {
    let restore = read::restore(c, id)?;
    if restore.phase != Phase::Index {
        return Err(Error::Conflict { what: "phase" });
    }
    let mut outcome = restore.result.clone();
    let chain = chain(c, &restore)?;
    if !restore.options.spares_transcript() {
        if restore.takes_back() { bring_back(c, &chain, &mut outcome)? } else { trim(c, &chain, &mut outcome)? }
    } else if let [_, undone, ..] = &chain[..]
        && !undone.options.spares_transcript()
    {
        let session = read::session(c, &restore.session_id)?;
        let later = done_after(c, &session.id, Some(&undone.id))?;
        outcome.transcript_kept = transcript_kept(undone, &later, &session);
    }
    if !restore.options.spares_transcript() {
        c.execute(
            "UPDATE sessions SET generation = generation + 1 WHERE id = ?1",
            values![restore.session_id.as_str()],
        )?;
        let sql = "INSERT INTO backend_resets (session_id, generation, agent)
                   SELECT id, generation, ?2 FROM sessions WHERE id = ?1";
        c.execute(sql, values![restore.session_id.as_str(), AGENT])?;
        outcome.backend_reset = true;
    }
    let session = read::session(c, &restore.session_id)?;
    (outcome.generation, outcome.next_seq) = (session.generation, session.next_seq);
    let sql = "SELECT id FROM sessions WHERE worktree_id = ?1 AND id <> ?2 ORDER BY created_at, id";
    outcome.other_sessions_affected =
        read::all(c, sql, values![&restore.worktree_id, &restore.session_id.0], |row| row.text().map(SessionId))?;
    outcome.safety_checkpoint_id = restore.safety_id.as_ref().map(|id| id.0.clone());
    settle(c, &restore)?;
    let place = turns::next(c, "places", &restore.worktree_id)?;
    let sql =
        "UPDATE restores SET phase = 'done', result = ?2, error = NULL, updated_at = ?3, place = ?4 WHERE id = ?1";
    c.execute(sql, values![id.as_str(), &read::json(&outcome)?, now, place])?;
    Ok(outcome)
}

/// Returns a restore, the one that it undoes, and so on to the first one, which has the ids of the trimmed rows.
fn chain(c: &mut dyn Connection, restore: &Restore) -> Result<Vec<Restore>> {
    let mut chain = vec![restore.clone()];
    while let Some(undone) = chain.last().and_then(|row| row.options.undo_of.clone()) {
        chain.push(read::restore(c, &undone)?);
    }
    Ok(chain)
}

/// Brings back the messages and checkpoints that the first restore of the chain removed.
fn bring_back(c: &mut dyn Connection, chain: &[Restore], outcome: &mut RestoreOutcome) -> Result<()> {
    let Some(first) = chain.last() else { return Ok(()) };
    let (session, id) = (first.session_id.as_str(), first.id.as_str());
    let sql = "UPDATE messages SET trimmed_by = NULL WHERE session_id = ?1 AND trimmed_by = ?2";
    outcome.messages_deleted = c.execute(sql, values![session, id])?;
    if outcome.messages_deleted < first.result.messages_deleted {
        outcome.transcript_kept = Some(TranscriptKept::Pruned);
    }
    let sql = "UPDATE messages SET uncompared = NULL WHERE session_id = ?1 AND uncompared = ?2";
    c.execute(sql, values![session, &took_back(&first.id)])?;
    let sql = "UPDATE checkpoints SET retired_by = NULL WHERE session_id = ?1 AND retired_by = ?2";
    c.execute(sql, values![session, id]).map(drop)
}

/// Returns the reason why a turn's changes no longer count after a restore to its start.
fn took_back(id: &RestoreId) -> String {
    format!("restore {id} took it back")
}

/// Trims the messages after the anchor and hides the checkpoints after the target, with the id of the first restore of
/// the chain. Manual checkpoints are bookmarks and remain.
fn trim(c: &mut dyn Connection, chain: &[Restore], outcome: &mut RestoreOutcome) -> Result<()> {
    let Some(restore) = chain.last() else { return Ok(()) };
    let session = restore.session_id.as_str();
    let Some(target) = read::checkpoint(c, &restore.session_id, &restore.checkpoint_id)? else {
        if chain.len() == 1 {
            return Err(read::missing("checkpoint", restore.checkpoint_id.as_str()));
        }
        outcome.transcript_kept = Some(TranscriptKept::Pruned);
        return Ok(());
    };
    let from = if restore.options.trim == Trim::From { target.anchor_seq } else { target.anchor_seq + 1 };
    if restore.options.trim == Trim::From {
        let sql = "SELECT body FROM messages WHERE session_id = ?1 AND seq = ?2 AND trimmed_by IS NULL";
        outcome.prompt = read::one(c, sql, values![session, target.anchor_seq], Row::text)?;
    }
    // A turn that goes on keeps its messages and its checkpoint.
    let sql = "SELECT seq FROM messages WHERE id = (SELECT turn FROM sessions WHERE id = ?1)";
    let goes_on = read::one(c, sql, values![session], Row::int)?.unwrap_or(i64::MAX);
    let sql = "UPDATE messages SET trimmed_by = ?2
               WHERE session_id = ?1 AND seq >= ?3 AND seq < ?4 AND trimmed_by IS NULL";
    outcome.messages_deleted = c.execute(sql, values![session, restore.id.as_str(), from, goes_on])?;
    if restore.options.files {
        // The prompt remains if only later messages are trimmed; its counts are kept for the undo.
        let sql = "UPDATE messages SET uncompared = ?3
                   WHERE session_id = ?1 AND seq = ?2 AND uncompared IS NULL AND changes LIKE ?4";
        let from = format!("%\"from\":\"{}\"%", target.id);
        c.execute(sql, values![session, target.anchor_seq, &took_back(&restore.id), &from])?;
    }
    let sql = "UPDATE checkpoints SET retired_by = ?2
               WHERE session_id = ?1 AND retired_by IS NULL AND id <> ?3 AND kind <> 'manual' AND anchor_seq < ?5
               AND (anchor_seq > ?4 OR (anchor_seq = ?4 AND place > (SELECT place FROM checkpoints WHERE id = ?3)))";
    c.execute(sql, values![session, restore.id.as_str(), target.id.as_str(), target.anchor_seq, goes_on])?;
    for safety in chain.iter().filter_map(|row| row.safety_id.as_ref()) {
        let sql = "UPDATE checkpoints SET retired_by = NULL WHERE id = ?1 AND retired_by = ?2";
        c.execute(sql, values![safety.as_str(), restore.id.as_str()])?;
    }
    Ok(())
}
