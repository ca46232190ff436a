//! The quote that names the lines of an edit, instead of an old text with all of them.

/// The quote that names the lines of an edit, instead of an old text with all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct LineQuote {
    /// The first lines of the replaced ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The last lines of the replaced ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The number of replaced lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_lines: Option<usize>,
    /// The lines above the new ones, which replace nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The lines below the new ones, which replace nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The numbers of the first and the last replaced line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Option<[usize; 2]>"))]
    pub lines: Option<(usize, usize)>,
    /// The number of the line above the new ones in the tools of others; 0 is the start of the file. It is no guard.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(skip))]
    pub insert_line: Option<usize>,
}

/// The reason why an edit does not name its place in exactly one way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.worded(|name| format!("`{name}`")))]
#[non_exhaustive]
pub enum PlaceError {
    /// Nothing names the place.
    None,
    /// Two ways name it.
    Both(&'static str, &'static str),
    /// A part of one way is missing, for this reason.
    Missing(&'static str, &'static str, &'static str),
    /// A part has no meaning beside another one.
    Unwanted(&'static str, &'static str),
    /// The new text is missing.
    NoNew,
    /// The line numbers are no range.
    NoRange(usize, usize),
}

impl PlaceError {
    /// Returns the message in the spelling of an interface: `spelled` is given each name of a part, such as `old_string`.
    #[must_use]
    pub fn worded(&self, spelled: impl Fn(&str) -> String) -> String {
        let [old, first, last, after, before] = ["old_string", "first", "last", "after", "before"].map(&spelled);
        match self {
            Self::None => {
                format!("nothing says where: give {old}, or {first} and {last}, or {after}, or {before}")
            }
            Self::Both(one, other) => {
                format!("{} and {} both say where; give one of them", spelled(one), spelled(other))
            }
            Self::Missing(part, missing, why) => format!("{} needs {}: {why}", spelled(part), spelled(missing)),
            Self::Unwanted(part, beside) => {
                format!("{} has no place beside {}; leave it out", spelled(part), spelled(beside))
            }
            Self::NoNew => format!("missing field {}", spelled("new_string")),
            Self::NoRange(from, to) => {
                let lines = spelled("lines");
                format!(
                    "{lines} {from} to {to} is no range of lines; count them from 1, the first one before the last one"
                )
            }
        }
    }
}

impl LineQuote {
    /// Makes the quote of the lines from `first` to `last`.
    #[must_use]
    pub fn range(first: impl Into<String>, last: impl Into<String>) -> Self {
        Self { first: Some(first.into()), last: Some(last.into()), ..Self::default() }
    }

    /// Makes the quote of the lines above new ones.
    #[must_use]
    pub fn after(anchor: impl Into<String>) -> Self {
        Self { after: Some(anchor.into()), ..Self::default() }
    }

    /// Makes the quote of the lines below new ones.
    #[must_use]
    pub fn before(anchor: impl Into<String>) -> Self {
        Self { before: Some(anchor.into()), ..Self::default() }
    }

    /// Sets the number of replaced lines.
    #[must_use]
    pub fn of_lines(self, expected_lines: usize) -> Self {
        Self { expected_lines: Some(expected_lines), ..self }
    }

    /// Sets the numbers of the first and the last replaced line, counted from 1.
    #[must_use]
    pub fn numbered(self, first: usize, last: usize) -> Self {
        Self { lines: Some((first, last)), ..self }
    }

    /// Returns whether nothing is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the text that is searched: the first lines, or those beside new ones.
    #[must_use]
    pub fn quoted(&self) -> &str {
        [&self.first, &self.after, &self.before].into_iter().flatten().next().map_or("", String::as_str)
    }

    /// Checks that exactly one way names the place of an edit: this quote, or an old text.
    ///
    /// # Errors
    ///
    /// Returns the contradiction, or the missing part.
    pub fn check(&self, has_old: bool, replace_all: bool) -> Result<(), PlaceError> {
        let Self { first, last, expected_lines, after, before, lines, insert_line } = self;
        let is_range = first.is_some() || last.is_some() || lines.is_some();
        let range = if lines.is_some() { "lines" } else { "first" };
        let ways = [
            (has_old, "old_string"),
            (is_range, range),
            (after.is_some(), "after"),
            (before.is_some(), "before"),
            (insert_line.is_some() && after.is_none() && before.is_none(), "insert_line"),
        ];
        let mut ways = ways.into_iter().filter(|(is_given, _)| *is_given).map(|(_, name)| name);
        let way = match (ways.next(), ways.next()) {
            (None, _) if expected_lines.is_some() => {
                return Err(PlaceError::Missing("expected_lines", "first", "quote the first and the last line, too"));
            }
            (None, _) => return Err(PlaceError::None),
            (Some(one), Some(other)) => return Err(PlaceError::Both(one, other)),
            (Some(way), None) => way,
        };
        if replace_all && !has_old {
            return Err(PlaceError::Missing("replace_all", "old_string", "named lines are replaced in one place only"));
        }
        if expected_lines.is_some() && way != "first" {
            return Err(PlaceError::Missing("expected_lines", "first", "only a range has a number of lines"));
        }
        match (first, last, lines) {
            (_, _, Some((from, to))) if *from == 0 || to < from => Err(PlaceError::NoRange(*from, *to)),
            (None, Some(_), _) => Err(PlaceError::Missing("last", "first", "quote the first line of the range, too")),
            (Some(_), None, None) => Err(PlaceError::Missing("first", "last", "quote the last line of the range, too")),
            _ => Ok(()),
        }
    }
}
