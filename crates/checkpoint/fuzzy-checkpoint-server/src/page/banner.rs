//! The notice of a restore, above the transcript.

use fuzzy_checkpoint::{HeadOutcome, IndexOutcome};
use fuzzy_checkpoint_service::FileProgress;
use fuzzy_checkpoint_service::text::{self, count, gone_path, quoted, reason};
use fuzzy_checkpoint_store::{Phase, Restore, RestoreOutcome, SessionId};
use maud::{Markup, html};

use super::cards::undo;
use super::layout::moment;
use super::refusal::sentence;

/// Renders the result of a restore, with a link to undo it if it is not undone.
pub(super) fn done(restore: &Restore, is_undone: bool, others: &[(SessionId, String)]) -> Markup {
    let result = &restore.result;
    let undone = restore.takes_back();
    html! {
        section.notice.good role="status" aria-labelledby="notice" {
            h2 #notice { (title(restore)) " " (moment(restore.updated_at)) }
            ul.facts {
                @if restore.options.files { li { (files(restore)) } } @else { li { "No file was changed." } }
                li { (transcript(restore, undone)) }
                @if let Some(kept) = result.transcript_kept { li { (sentence(text::transcript_kept(kept))) } }
                @if result.backend_reset { li { "The agent starts from the restored transcript with the next turn." } }
                @if result.head == HeadOutcome::Restored {
                    li { "The branch was moved back, too." }
                } @else if result.commits_since > 0 {
                    li { "The branch was not moved; it has " (count(result.commits_since, "newer commit")) "." }
                }
                @if result.index == IndexOutcome::Busy {
                    li { "Staged changes were not restored, because another program holds the lock of git's index." }
                }
                (listed("brought back from copies", result.brought_back.iter().map(|done| quoted(&done.path))))
                (listed("gone, and in no checkpoint", result.gone.iter().map(gone_path)))
                (listed("kept that the checkpoint does not have", result.kept.iter().map(quoted)))
                (listed("restored without the setuid, setgid or sticky bit", result.bits_dropped.iter().map(quoted)))
                (listed("not captured by the checkpoint", result.uncovered.iter().map(|left| format!("{} ({})", quoted(&left.path), reason(left.reason)))))
                @if !others.is_empty() {
                    li { "Other sessions work in this worktree, and their files changed as well: " (links(others)) "." }
                }
            }
            @if let Some(prompt) = &result.prompt {
                label for="prompt" { "The prompt, to be edited and sent again:" }
                textarea #prompt readonly rows="4" dir="auto" { "\n" (prompt) }
            }
            p.actions {
                @if !is_undone { a.button href=(undo(restore)) { @if undone { "Redo…" } @else { "Undo…" } } }
                a href={ "/restores/" (restore.id) } { "Show its changes" }
            }
        }
    }
}

fn title(restore: &Restore) -> &'static str {
    match (&restore.options.undo_of, restore.options.redo) {
        (None, _) => "Restored",
        (Some(_), false) => "The restore is undone",
        (Some(_), true) => "The restore is repeated",
    }
}

fn files(restore: &Restore) -> String {
    counted(&restore.result).map_or_else(|| "No file had to change.".to_owned(), |counted| counted + ".")
}

/// Names the numbers of files that a restore changed; none if there are none.
pub(super) fn counted(result: &RestoreOutcome) -> Option<String> {
    let all = result.counted().into_iter().zip(["written", "renamed", "deleted"]);
    let mut words: Vec<String> = Vec::new();
    for (number, done) in all.filter(|(number, _)| *number > 0) {
        let number = if words.is_empty() { count(number, "file") } else { number.to_string() };
        words.push(format!("{number} {done}"));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

fn transcript(restore: &Restore, undone: bool) -> String {
    if restore.options.spares_transcript() {
        return "The transcript was not changed.".to_owned();
    }
    let messages = count(restore.result.messages_deleted, "message");
    if undone { format!("{messages} brought back.") } else { format!("{messages} trimmed from the transcript.") }
}

/// Renders names as an item of a list; nothing without names.
fn listed(what: &str, names: impl ExactSizeIterator<Item = String>) -> Markup {
    html! {
        @if names.len() > 0 {
            li {
                details {
                    summary { (count(names.len() as u64, "path")) " " (what) }
                    ul.paths { @for name in names { li { code { bdi { (name) } } } } }
                }
            }
        }
    }
}

/// Renders links to other sessions.
pub(super) fn links(sessions: &[(SessionId, String)]) -> Markup {
    html! {
        @for (at, (id, title)) in sessions.iter().enumerate() {
            @if at > 0 { ", " }
            a href={ "/sessions/" (id) } { bdi { (super::body::named(title)) } }
        }
    }
}

/// Renders the progress of an unfinished restore, and the way to abort it.
pub(super) fn pending(restore: &Restore, files: Option<FileProgress>, csrf: &str) -> Markup {
    let stage = match restore.phase {
        Phase::Begun if files.is_some() => "The current state is captured; the files are being prepared.",
        Phase::Begun => "A running agent is stopped, and the current state is being captured.",
        Phase::Safe => "The files are being written.",
        Phase::Files => "The files are restored; the index is next.",
        _ => "The files are restored; the transcript is next.",
    };
    html! {
        section.notice.busy role="status" aria-labelledby="notice" {
            h2 #notice { "A restore is in progress" }
            p { (stage) " Until it is over, no turn and no other restore can begin in this worktree." }
            @if let Some(files) = files { (so_far(files)) }
            @if let Some(error) = &restore.error { p { "It stopped: " (error) } }
            p {
                "This page updates itself. If the process of the restore has ended, a server on the same database "
                "finishes it within seconds."
            }
            form.actions method="post" action={ "/restores/" (restore.id) "/abort" } {
                input type="hidden" name="csrf" value=(csrf);
                button { "Abort" }
                span.soft { "rolls the files back, if the restore's process has ended" }
            }
        }
    }
}

/// Renders the counts of a restore's files; the script updates them.
fn so_far(files: FileProgress) -> Markup {
    let FileProgress { written, to_write, placed, to_place } = files;
    html! {
        div.so-far data-files {
            progress max=(to_write + to_place) value=(written + placed) aria-label="Files" {}
            ul.facts {
                li { span data-n="written" { (written) } " of " (count(to_write, "file")) " written, beside the old ones" }
                li { span data-n="placed" { (placed) } " of " (count(to_place, "file")) " moved into place" }
            }
        }
    }
}

/// Renders the notice of a restore that was refused or aborted.
pub(super) fn refused(restore: &Restore) -> Markup {
    html! {
        section.notice.bad role="status" aria-labelledby="notice" {
            h2 #notice { @if restore.phase == Phase::RolledBack { "The restore was aborted" } @else { "The restore was refused" } }
            @if let Some(error) = &restore.error { p { (error) } }
            p { @if restore.phase == Phase::RolledBack { "The files were rolled back." } @else { "Nothing was changed." } }
            @if restore.options.undo_of.is_none() {
                p.actions {
                    a.button href={ "/sessions/" (restore.session_id) "/checkpoints/" (restore.checkpoint_id) "/restore" } { "See the plan again" }
                }
            }
        }
    }
}
