//! Tests of the views, with plain data.

use fuzzy_checkpoint::{Change, Diff, Differing, Gone, IndexKept, Oid, Reason, RepoPath, Uncovered};
use fuzzy_checkpoint_service::{
    FileProgress, LateChange, LeftFile, ListedTurn, Origin, PagedTurn, PlannedFile, Preview, TurnConflict, TurnPlan,
    TurnState,
};
use fuzzy_checkpoint_store::{
    Checkpoint, HeadMode, Kind, LateFile, Message, MessageStatus, NotKept, Outline, Phase, Restore, RestoreOptions,
    RestoreOutcome, Session, SessionState, TakeBack, Trim,
};
use maud::{Markup, html};

use super::transcript::{self, Transcript};
use super::{back, banner, cards, files, index, layout, plan};

const MARK: &str = "<script>alert(1)</script>";

fn session(state: SessionState) -> Session {
    let turn = (state == SessionState::Running).then(|| "M3".into());
    let (id, worktree_id, title) = ("S".into(), "W".to_owned(), MARK.to_owned());
    Session {
        id,
        worktree_id,
        name: title.clone(),
        title,
        host: None,
        state,
        turn,
        generation: 1,
        next_seq: 4,
        created_at: 0,
    }
}

fn message(seq: i64, role: &str, body: &str) -> Message {
    Message {
        id: format!("M{seq}").as_str().into(),
        session_id: "S".into(),
        seq,
        role: role.to_owned(),
        status: MessageStatus::Complete,
        body: body.into(),
        extra: None,
        uncheckpointed: None,
        changes: None,
        uncompared: None,
        outside: None,
        trimmed_by: None,
        created_at: 1_000 * seq,
        kept: false,
        number: (role == "user").then_some((seq + 1) / 2),
    }
}

fn checkpoint(seq: i64, kind: Kind) -> Checkpoint {
    let oid = Oid::new("0".repeat(40)).expect("an oid");
    Checkpoint {
        id: format!("C{seq}").as_str().into(),
        session_id: "S".into(),
        worktree_id: "W".into(),
        kind,
        anchor_seq: seq,
        commit_oid: oid.clone(),
        tree_oid: oid,
        index_tree_oid: None,
        index_left: None,
        head_oid: None,
        head_ref: None,
        label: MARK.to_owned(),
        uncovered: vec![Uncovered::new("vendor".into(), Reason::NestedRepo)],
        retired_by: None,
        batch: None,
        step: None,
        place: 0,
        created_at: 0,
    }
}

fn restore(options: RestoreOptions, result: RestoreOutcome) -> Restore {
    Restore {
        id: "R".into(),
        session_id: "S".into(),
        worktree_id: "W".into(),
        checkpoint_id: "C1".into(),
        safety_id: None,
        request_key: "k".into(),
        options,
        phase: Phase::Done,
        batch: None,
        moment: None,
        begun: 0,
        place: 0,
        result,
        error: None,
        created_at: 0,
        updated_at: 0,
    }
}

fn differing(path: RepoPath) -> Differing {
    let (change, renamed_from) = (Change::Changed, None);
    Differing { path, change, renamed_from, insertions: Some(1), deletions: Some(0) }
}

fn listed(root: &str, title: &str, active: i64) -> index::Row {
    let (root, worktree, title, id) = (root.to_owned(), "W".to_owned(), title.to_owned(), "S".to_owned());
    index::Row { root, worktree, id, title, state: SessionState::Idle, turns: 1, active }
}

fn preview() -> Preview {
    Preview {
        tree: None,
        agents_running: Vec::new(),
        dry_run: true,
        checkpoint_id: "C1".into(),
        files_to_write: Vec::new(),
        files_to_delete: Vec::new(),
        files: Vec::new(),
        kept: Vec::new(),
        obstructed: Vec::new(),
        bits_dropped: Vec::new(),
        messages_to_trim: 1,
        trim_from: Some(2),
        checkpoints_to_hide: Vec::new(),
        uncovered: vec![Uncovered::new("vendor".into(), Reason::NestedRepo)],
        gone: vec![Gone { path: "out/".into(), why: Reason::Ignored, bytes: None }],
        index_kept: None,
        index_left: None,
        of_branch: None,
        head: HeadMode::Keep,
        commits_since: 1,
    }
}

fn outline(messages: &[Message]) -> Vec<Outline> {
    messages
        .iter()
        .map(|it| Outline { seq: it.seq, is_prompt: it.number.is_some(), number: it.number, bytes: 1 })
        .collect()
}

fn render(session: &Session, messages: &[Message], checkpoints: &[Checkpoint]) -> String {
    let notice = html! {};
    let outline = outline(messages);
    let (number, _) = transcript::part(&outline, None);
    let messages = files::of_page(messages, number);
    transcript::transcript(&Transcript {
        session,
        root: "/repo",
        outline: &outline,
        messages,
        checkpoints,
        number,
        now: 0,
        csrf: "c",
        notice,
    })
    .into_string()
}

/// Returns the position of a text in a page.
fn place(page: &str, needle: &str) -> usize {
    page.find(needle).unwrap_or_else(|| panic!("{needle}: {page}"))
}

fn text(markup: &Markup) -> &str {
    &markup.0
}

#[test]
fn a_prompt_has_a_button_or_a_reason() {
    let prompt = [message(3, "user", "Do it")];
    let no_checkpoint = [Message { uncheckpointed: Some("the disk is full".into()), ..prompt[0].clone() }];
    for (state, messages, taken, says) in [
        (SessionState::Idle, &prompt, true, ">Restore to here</button>"),
        (SessionState::Idle, &no_checkpoint, false, ">no checkpoint: the disk is full<"),
        (SessionState::Idle, &prompt, false, ">no checkpoint: "),
        (SessionState::Running, &prompt, true, ">this turn is running<"),
        (SessionState::Restoring, &prompt, true, ">a restore is in progress<"),
    ] {
        let checkpoints: Vec<_> = taken.then(|| checkpoint(3, Kind::Turn)).into_iter().collect();
        let page = render(&session(state), messages, &checkpoints);
        assert!(page.contains(says), "{says}: {page}");
        assert_eq!(page.contains("Restore to here</button>"), says.contains("button"), "{says}");
        assert_eq!(page.contains("End the turn</button>"), state == SessionState::Running, "{says}");
    }
}

#[test]
fn manual_checkpoints_follow_their_messages() {
    let messages = [message(1, "user", "first"), message(2, "assistant", "second")];
    let mut taken: Vec<_> = [0, 1, 2].map(|seq| checkpoint(seq, Kind::Manual)).into();
    taken.push(checkpoint(1, Kind::Safety));
    let page = render(&session(SessionState::Idle), &messages, &taken);
    let order = ["checkpoints/C0/", ">first<", "checkpoints/C1/", ">second<", "checkpoints/C2/"];
    let order = order.map(|needle| place(&page, needle));
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(page.matches("Restore to here").count(), 3, "not for the one that a restore took");
    let alone = render(&session(SessionState::Idle), &[], &taken[..1]);
    assert!(alone.contains("checkpoints/C0/"), "{alone}");
}

#[test]
fn all_texts_are_escaped() {
    let session = session(SessionState::Running);
    let messages = [message(1, "user", MARK), message(2, MARK, MARK)];
    let point = checkpoint(1, Kind::Turn);
    let by_hand = checkpoint(1, Kind::Manual);
    let mut preview = preview();
    preview.files_to_write = vec![MARK.into(), RepoPath::new(&b"caf\xe9\n\xe2\x80\xae"[..])];
    preview.kept = vec![MARK.into()];
    preview.bits_dropped = vec![MARK.into()];
    preview.files = preview.files_to_write.iter().cloned().map(differing).collect();
    let patch = format!("diff --git a/x b/x\n@@ -1 +1 @@\n+{MARK}\ndiff --git a/y b/y\n@@ -1 +1 @@\n+{MARK}\n");
    let diff = Diff { files: preview.files.clone(), patch: patch.clone().into_bytes() };
    let others = [("X".into(), MARK.to_owned())];
    let planned = plan::View {
        since: None,
        open: false,
        only_read: false,
        agents: &[],
        session: &session,
        checkpoint: &point,
        prompt: Some((&messages[0], 1)),
        plan: &preview,
        number: 1,
        diff: Some(&diff),
        outside: &[],
        later: &messages[1..],
        trimmed: 1,
        others: &others,
        force: true,
        csrf: "c",
        key: "k",
    };
    let obstructed = Preview { obstructed: vec![MARK.into()], ..preview.clone() };
    let obstructed = plan::View { plan: &obstructed, ..planned };
    let result = RestoreOutcome {
        prompt: Some(format!("</textarea>{MARK}")),
        kept: vec![MARK.into()],
        bits_dropped: vec![MARK.into()],
        ..RestoreOutcome::default()
    };
    let done = restore(RestoreOptions::default(), result);
    let failed = Restore { phase: Phase::Begun, error: Some(MARK.to_owned()), ..done.clone() };
    let row = listed(MARK, MARK, 0);
    let body = html! {
        (index::index(vec![row], 1, 0))
        (timeline_and_plan(&session, &diff))
        (transcript::transcript(&Transcript { session: &session, root: MARK, outline: &outline(&messages), messages: &messages, checkpoints: &[point.clone(), by_hand], number: 1, now: 0, csrf: "c", notice: html! {} }))
        (plan::plan(&planned))
        (plan::plan(&obstructed))
        (plan::one_file(&MARK.into(), patch.as_bytes(), ""))
        (banner::done(&done, true, &others))
        (banner::pending(&failed, None, "c"))
        (banner::refused(&failed))
    };
    let page = layout::page(&layout::Page {
        title: MARK,
        above: &[("/".into(), MARK.into())],
        refresh: None,
        live: None,
        body,
    });
    let page = text(&page);
    assert_eq!(page.matches("<script").count(), 1, "our own: {page}");
    assert!(page.contains("<script src=\"/assets/") && !page.contains("</textarea><script"), "{page}");
    assert!(page.matches("&lt;script&gt;").count() > 20, "every text is escaped");
    assert!(page.contains(r"&quot;caf\xe9\n\u{202e}&quot;"), "odd bytes are spelt out: {page}");
    assert!(!page.contains("style="), "the policy forbids it");
    for named in [">Gone</h2>", "out/ (ignored)", ">From copies</h2>", ">Not from copies</h2>"] {
        assert!(page.contains(named), "{named}: {page}");
    }
}

/// Renders a timeline and a plan to take a turn back, with hostile texts everywhere.
#[expect(clippy::too_many_lines, reason = "it lists every field of a plan")]
fn timeline_and_plan(session: &Session, diff: &Diff) -> Markup {
    let turn = ListedTurn {
        submodules: Vec::new(),
        number: 1,
        id: "M1".into(),
        session_id: "S".into(),
        session: MARK.to_owned(),
        host: MARK.to_owned(),
        prompt: MARK.to_owned(),
        began_at: 0,
        state: TurnState::Done,
        taken_back: false,
        partly_taken_back: true,
        continued: true,
        late: Vec::new(),
        kept: true,
        checkpoint: Some("C1".into()),
        no_checkpoint: None,
        captured_after_ms: None,
        suspect: Vec::new(),
        files: None,
        insertions: None,
        deletions: None,
        uncompared: Some(MARK.to_owned()),
    };
    let gone = ListedTurn { number: 2, checkpoint: None, no_checkpoint: Some(MARK.to_owned()), ..turn.clone() };
    let row = |turn: &ListedTurn, diff: Option<&Diff>| {
        let paths = Some(vec![MARK.into()]);
        PagedTurn { turn: turn.clone(), paths, outside: None, diff: diff.cloned() }
    };
    let rows = [row(&turn, Some(diff)), row(&gone, None)];
    let filters =
        cards::Filters { text: MARK.to_owned(), file: MARK.to_owned(), session: MARK.to_owned(), before: None };
    let oid = Oid::new("0".repeat(40)).expect("an oid");
    let origins = vec![Origin::You];
    let conflict = TurnConflict {
        path: MARK.into(),
        lines: vec![(1, 1)],
        changed_by: origins.clone(),
        other_hunks: vec![2],
        together: vec![1, 2],
        proposal: Some(MARK.to_owned()),
        versions: None,
        restore: Some(1),
    };
    let plan = TurnPlan {
        submodules: Vec::new(),
        dry_run: true,
        verb: TakeBack::Revert,
        undoes: None,
        proposed: Vec::new(),
        turns: vec![1],
        files_to_write: vec![MARK.into()],
        files_to_delete: Vec::new(),
        files: vec![PlannedFile { change: differing(MARK.into()), origins: origins.clone(), stays: origins.clone() }],
        left: vec![LeftFile { path: MARK.into(), origins }],
        late: vec![LateChange { turn: 1, file: LateFile { path: MARK.into(), changed_at: 0, gone: true, kept: None } }],
        conflicts: vec![conflict],
        kept: vec![MARK.into()],
        obstructed: Vec::new(),
        brought_back: vec![MARK.into()],
        not_brought_back: vec![NotKept { path: MARK.into(), why: "a cache".to_owned(), files: 2, bytes: 3 }],
        bits_dropped: Vec::new(),
        uncovered: Vec::new(),
        gone: vec![Gone { path: "out/".into(), why: Reason::Ignored, bytes: None }],
        index_kept: Some(IndexKept::Changed),
        tree: oid.clone(),
        planned: oid,
        agents_running: Vec::new(),
    };
    let changed = [MARK.into()];
    let view = back::View {
        worktree: "W",
        turns: std::slice::from_ref(&turn),
        plan: &plan,
        later: false,
        propose: false,
        files: &diff.files,
        own: true,
        shared: &[(MARK.into(), vec![1, 2])],
        number: 1,
        diff: Some(diff),
        ticked: &[],
        parts: &[],
        diffs: "/d?",
        here: "/h",
        open: true,
        again: Some(back::Again::Changed(&changed)),
        agents: &[("S".into(), MARK.to_owned())],
        csrf: "c",
    };
    let notice = back::done(&restore(RestoreOptions::default(), RestoreOutcome::default()), true);
    html! {
        (cards::timeline(&cards::Timeline {
            worktree: "W",
            root: MARK,
            filters: &filters,
            turns: &rows,
            mark: MARK,
            more: true,
            last: None,
            sessions: std::slice::from_ref(session),
            notice,
        }))
        (back::plan(&view))
    }
}

#[test]
fn the_notice_has_the_result_and_a_link_to_undo_it() {
    let whole = RestoreOptions::default();
    let files_only = RestoreOptions { trim: Trim::None, ..whole.clone() };
    let transcript_only = RestoreOptions { files: false, ..whole.clone() };
    let undo = RestoreOptions { undo_of: Some("R0".into()), ..whole.clone() };
    let result =
        RestoreOutcome { messages_deleted: 3, files_written: 4, files_deleted: 1, ..RestoreOutcome::default() };
    for (options, is_undone, says) in [
        (&whole, false, vec!["4 files written, 1 deleted.", "3 messages trimmed", "verb=undo&amp;restore=R", "Undo…"]),
        (&whole, true, vec!["Restored"]),
        (&files_only, false, vec!["The transcript was not changed."]),
        (&transcript_only, false, vec!["No file was changed."]),
        (&undo, false, vec!["The restore is undone", "3 messages brought back.", "Redo…"]),
    ] {
        let rendered = banner::done(&restore(options.clone(), result.clone()), is_undone, &[]);
        for words in says {
            assert!(rendered.0.contains(words), "{words}: {}", rendered.0);
        }
        assert_eq!(rendered.0.contains("verb=undo"), !is_undone);
    }
}

#[test]
fn a_running_restore_counts_its_files() {
    let row = Restore { phase: Phase::Safe, ..restore(RestoreOptions::default(), RestoreOutcome::default()) };
    let files = FileProgress { written: 400, to_write: 400, placed: 120, to_place: 417 };
    let rendered = banner::pending(&row, Some(files), "c");
    for words in [
        r#"<progress max="817" value="520" aria-label="Files">"#,
        r#"<span data-n="written">400</span> of 400 files written"#,
        r#"<span data-n="placed">120</span> of 417 files moved into place"#,
    ] {
        assert!(text(&rendered).contains(words), "{words}: {}", rendered.0);
    }
    assert!(!text(&banner::pending(&row, None, "c")).contains("<progress"), "another server may work on it");
}

#[test]
fn times_are_readable_for_people_and_programs() {
    let rendered = layout::moment(951_782_461_000);
    assert_eq!(
        text(&rendered),
        r#"<time datetime="2000-02-29T00:01:01Z" title="2000-02-29 00:01:01 UTC">2000-02-29 00:01 UTC</time>"#
    );
    assert!(text(&layout::ago(0, 61_000)).contains(">1 minute ago<"));
}

#[test]
fn long_lists_are_paged() {
    let files: Vec<u32> = (0..250).collect();
    assert_eq!(files::of_page(&files, 3), (200..250).collect::<Vec<_>>());
    assert!(files::of_page(&files, 4).is_empty());
    let prompt = |seq| Message { number: Some(seq), ..message(seq, "user", &format!("number {seq}.")) };
    let messages: Vec<_> = (1..=250).map(prompt).collect();
    let page = render(&session(SessionState::Idle), &messages, &[]);
    assert!(page.contains("Page 3 of 3") && page.contains(">Turn 250<") && page.contains("number 201."), "{page}");
    assert!(!page.contains("number 200."));
}

#[test]
fn recent_sessions_are_first_and_long_lists_are_paged() {
    for (number, first, last) in [(0, 449, 250), (1, 449, 250), (2, 249, 50), (3, 49, 0), (9, 49, 0)] {
        let rows = (0..450).map(|at| listed(if at % 2 == 0 { "/even" } else { "/odd" }, &format!("session {at}."), at));
        let page = index::index(rows.collect(), number, 450).into_string();
        assert_eq!(page.matches("<li>").count(), usize::try_from(first - last + 1).expect("a count"));
        assert_eq!(page.matches("<h2").count(), 2);
        let [newest, next] = [first, first - 1].map(|at| place(&page, &format!(">session {at}.<")));
        assert!(newest < next, "{first}");
        place(&page, &format!(">session {last}.<"));
        assert!(page.contains("of 3"), "{page}");
    }
    let alone = index::index(vec![listed("/r", &"long ".repeat(1_000_000), 0)], 1, 0).into_string();
    assert!(!alone.contains("Page 1") && alone.len() < 2_000, "{}", alone.len());
}
