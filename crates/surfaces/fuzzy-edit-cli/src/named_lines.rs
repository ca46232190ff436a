//! Options that name the lines of an edit, instead of an old text with all of them.

use clap::Args;
use fuzzy_edit::{Failure, LineQuote};

use crate::options::Search;

/// The quote that names the lines of an edit.
#[derive(Args)]
pub(crate) struct NamedLines {
    /// Instead of --old: the first line of the lines to replace, or as many as make it unique; @FILE or - as for --old
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    first: Option<String>,
    /// The last line of the lines to replace, or more of them if it occurs before the end
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    last: Option<String>,
    /// The number of lines from --first to --last, if --last occurs several times
    #[arg(long, value_name = "N")]
    expected_lines: Option<usize>,
    /// Instead of --old: insert --new as lines of its own below this line
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    after: Option<String>,
    /// Instead of --old: insert --new as lines of its own above this line
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true)]
    before: Option<String>,
    /// The numbers of the lines to replace, with --first as a guard, or with --expected-hash
    #[arg(long, value_name = "A-B", value_parser = numbers)]
    lines: Option<(usize, usize)>,
}

impl NamedLines {
    /// Returns the quote, if any of its parts is given; `has_old` is whether --old is.
    pub(crate) fn quote(
        &self,
        search: &Search,
        has_old: bool,
        replace_all: bool,
    ) -> Result<Option<LineQuote>, Box<Failure>> {
        let text =
            |option: &str, text: &Option<String>| text.as_deref().map(|text| search.text(option, text)).transpose();
        let quote = LineQuote {
            first: text("--first", &self.first)?,
            last: text("--last", &self.last)?,
            expected_lines: self.expected_lines,
            after: text("--after", &self.after)?,
            before: text("--before", &self.before)?,
            lines: self.lines,
            insert_line: None,
        };
        if quote.is_empty() {
            return Ok(None);
        }
        quote.check(has_old, replace_all).map_err(|error| {
            let message = error.worded(|name| match name {
                "old_string" => "`--old`".to_owned(),
                "replace_all" => "`--all`".to_owned(),
                name => format!("`--{}`", name.replace('_', "-")),
            });
            let next_step = "Say where in exactly one way: --old; --first and --last; --after; --before; or --lines with \
                             --first.";
            Box::new(Failure::bad_input(message, next_step))
        })?;
        Ok(Some(quote))
    }
}

/// Parses the numbers of the first and the last line.
fn numbers(argument: &str) -> Result<(usize, usize), String> {
    let (first, last) = argument.split_once('-').unwrap_or((argument, argument));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if (1..=last).contains(&first) => Ok((first, last)),
        _ => Err("the value must be the numbers of the first and the last line, such as 12-30".to_owned()),
    }
}
