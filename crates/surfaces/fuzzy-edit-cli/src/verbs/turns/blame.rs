//! `turns blame`: prints each line of a file with the turn that last changed it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint_service::Blame;
use fuzzy_checkpoint_store::now_ms;

use super::list::one_line;
use super::plan_text::origin;
use super::project::{Shared, Turns};
use crate::output;
use crate::verbs::checkpoint::refused::Refused;
use crate::verbs::checkpoint::text;

/// Print each line of a file with the turn that last changed it
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The file
    file: PathBuf,
}

const AFTER_HELP: &str = "\
Below the lines, each turn has its host, its age and its prompt. A line without a turn is marked `you or another program` if
you or a program changed it since the first known turn, `git` if a
commit or checkout did, and `before` if it is older.

Examples:
  fuzzy-edit turns blame src/cart.py
  fuzzy-edit turns blame src/cart.py --json";

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let Turns { place, .. } = Turns::read(shared)?;
    let path = place.paths(std::slice::from_ref(&arguments.file))?.and_then(|mut paths| paths.pop());
    let path = path.ok_or_else(|| Refused::bad_input("the worktree is no file", "Name a file."))?;
    let blame = place.service.blame(place.worktree.id(), &path)?;
    Ok(output::answer(shared.json, &blame, || describe(&blame)))
}

fn describe(blame: &Blame) -> String {
    let rows: Vec<[String; 3]> = blame
        .lines
        .iter()
        .map(|line| {
            let by = line.origin.as_ref().map_or_else(|| "before".to_owned(), origin);
            [by, line.line.to_string(), text::plain(&line.text.replace('\t', "    "))]
        })
        .collect();
    let now = now_ms();
    let turns = blame.turns.iter().map(|turn| {
        let (host, age) = (text::plain(&turn.host), text::age(now, turn.began_at));
        format!("turn {}: {host}, {age}: {}\n", turn.number, one_line(&turn.prompt))
    });
    text::table(&rows) + &turns.collect::<String>()
}
