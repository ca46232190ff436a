//! Takes the blanks between two tokens apart, so that each part can be merged on its own.

/// The blanks between two tokens: those that end a line, line breaks, an indentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap<'t> {
    /// The whole gap.
    pub(crate) raw: &'t str,
    /// Counts its `\n`.
    pub(crate) breaks: usize,
}

impl<'t> Gap<'t> {
    /// Stands for a gap that is not there.
    pub(crate) const NONE: Self = Self { raw: "", breaks: 0 };

    pub(crate) fn new(raw: &'t str) -> Self {
        Self { raw, breaks: breaks(raw) }
    }

    /// Returns the blanks that end the line of the token before, without a `\r`.
    pub(crate) fn trail(self) -> &'t str {
        let end = self.raw.find('\n').unwrap_or(0);
        let trail = &self.raw[..end];
        trail.strip_suffix('\r').unwrap_or(trail)
    }

    /// Returns the ending of the line of the token before; `None` where no line ends.
    pub(crate) fn ending(self) -> Option<&'static str> {
        let end = self.raw.find('\n')?;
        Some(if self.raw[..end].ends_with('\r') { "\r\n" } else { "\n" })
    }

    /// Returns the indentation of the token after it; the whole gap where no line ends in it.
    pub(crate) fn indent(self) -> &'t str {
        self.raw.rfind('\n').map_or(self.raw, |at| &self.raw[at + 1..])
    }

    /// Returns the blank lines inside, without their `\r`.
    pub(crate) fn blank_lines(self) -> impl Iterator<Item = &'t str> {
        let count = self.breaks.saturating_sub(1);
        self.raw.split('\n').skip(1).take(count).map(|line| line.strip_suffix('\r').unwrap_or(line))
    }

    /// Returns whether two gaps have the same line breaks and blank lines.
    pub(crate) fn has_blank_lines_of(self, other: Gap<'_>) -> bool {
        self.breaks == other.breaks && self.trail() == other.trail() && self.blank_lines().eq(other.blank_lines())
    }

    /// Returns whether two gaps are equal but for the kind of line ending.
    pub(crate) fn same(self, other: Gap<'_>) -> bool {
        self.raw == other.raw || (self.indent() == other.indent() && self.has_blank_lines_of(other))
    }
}

/// Returns the number of line breaks of a text.
pub(crate) fn breaks(text: &str) -> usize {
    text.matches('\n').count()
}

/// Merges one piece of text three ways: where the edit kept the old text's, the file's stays; else the
/// edit's wins.
pub(crate) fn three<'t>(new: &'t str, old: &str, file: &'t str) -> &'t str {
    if new == old { file } else { new }
}

/// Merges the number of line breaks three ways; a change of the count is added to the file's, unless the file has it.
pub(crate) fn merged_breaks(new: usize, old: usize, file: usize) -> usize {
    if new == old || new == file {
        file
    } else if old == file {
        new
    } else {
        (new + file).saturating_sub(old).max(new.min(1))
    }
}

/// Returns whether blanks separate two tokens of one line.
pub(crate) fn is_inside_line(gap: &str) -> bool {
    !gap.is_empty() && !gap.contains('\n')
}

/// Returns whether a line ends in both gaps.
pub(crate) fn both_end_lines(one: Gap<'_>, other: Gap<'_>) -> bool {
    one.breaks > 0 && other.breaks > 0
}
