//! The engine's edit of lines that are named by a quote.

use fuzzy_core::{Edit, Numbers};
use fuzzy_patch::{LineQuote, PlaceError};

use crate::Failure;

/// Makes the engine's edit of the lines of `text` that `quote` names, without the byte order mark `mark` of the file in its
/// texts. The numbers of lines are trusted if the file is as it was read.
///
/// # Errors
///
/// Returns the failure of a quote that is not exactly one way to say where.
pub fn named_edit<'e>(
    quote: &'e LineQuote,
    (mark, text): (&str, &str),
    new: &'e str,
    is_as_read: bool,
) -> Result<Edit<'e>, Box<Failure>> {
    quote.check(false, false).map_err(|error| Box::new(error.into()))?;
    if let (Some(line), None, None) = (quote.insert_line, &quote.after, &quote.before) {
        return Err(inserted_at(text, line).into());
    }
    let unmarked = |text: &'e str| text.strip_prefix(mark).unwrap_or(text);
    let new = unmarked(new);
    Ok(match (&quote.after, &quote.before) {
        (Some(anchor), _) => Edit::after(unmarked(anchor), new).with_line(quote.insert_line),
        (_, Some(anchor)) => Edit::before(unmarked(anchor), new).with_line(quote.insert_line),
        _ => {
            let given = |text: &'e Option<String>| unmarked(text.as_deref().unwrap_or_default());
            let numbers = quote.lines.map(|(first, last)| Numbers::new(&(first..=last)).exact(is_as_read));
            let edit = Edit::range(given(&quote.first), given(&quote.last), new);
            edit.with_expected_lines(quote.expected_lines).with_numbers(numbers)
        }
    })
}

impl From<PlaceError> for Failure {
    fn from(error: PlaceError) -> Self {
        let next_step = "Say where in exactly one way: `old_string`; `first` and `last`; `after`; `before`; or `lines` with \
                         `first`.";
        Self::bad_input(error.to_string(), next_step)
    }
}

/// Makes the failure of an insertion at a line number alone, which proposes the text of that line as its guard.
fn inserted_at(text: &str, line: usize) -> Failure {
    let above = text.lines().take(line).filter(|line| !line.trim().is_empty()).last();
    let json = |line: &str| serde_json::Value::from(line).to_string();
    let guard = match (above, text.lines().find(|line| !line.trim().is_empty())) {
        (Some(above), _) => format!("\"after\": {}", json(above)),
        (None, Some(first)) => format!("\"before\": {}", json(first)),
        (None, None) => "\"old_string\": \"\"".to_owned(),
    };
    let message = format!("the line number {line} alone is not trusted, because the file may have changed");
    Failure::bad_input(message, format!("Send {guard} instead of the number, if that is the line."))
}
