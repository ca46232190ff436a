//! Takes gaps apart, so that each part is merged on its own.

/// The blanks between two tokens: trailing blanks, line breaks, an indentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap<'t> {
    /// The whole gap.
    pub(crate) raw: &'t str,
    /// The number of its `\n`.
    pub(crate) breaks: usize,
}

impl<'t> Gap<'t> {
    /// A gap that does not exist.
    pub(crate) const NONE: Self = Self { raw: "", breaks: 0 };

    pub(crate) fn new(raw: &'t str) -> Self {
        Self { raw, breaks: breaks(raw) }
    }

    /// Returns the trailing blanks of the first line, without a `\r`.
    pub(crate) fn trail(self) -> &'t str {
        let end = self.raw.find('\n').unwrap_or(0);
        let trail = &self.raw[..end];
        trail.strip_suffix('\r').unwrap_or(trail)
    }

    /// Returns the first line ending, if there is one.
    pub(crate) fn ending(self) -> Option<&'static str> {
        let end = self.raw.find('\n')?;
        Some(if self.raw[..end].ends_with('\r') { "\r\n" } else { "\n" })
    }

    /// Returns the blanks after the last line break; the whole gap if it has none.
    pub(crate) fn indent(self) -> &'t str {
        indent(self.raw)
    }

    /// Returns the blank lines, without their `\r`.
    pub(crate) fn blank_lines(self) -> impl Iterator<Item = &'t str> {
        let count = self.breaks.saturating_sub(1);
        self.raw.split('\n').skip(1).take(count).map(|line| line.strip_suffix('\r').unwrap_or(line))
    }

    /// Returns whether two gaps have the same line breaks and blank lines.
    pub(crate) fn has_blank_lines_of(self, other: Gap<'_>) -> bool {
        self.breaks == other.breaks && self.trail() == other.trail() && self.blank_lines().eq(other.blank_lines())
    }

    /// Returns whether two gaps are equal, apart from the kind of line ending.
    pub(crate) fn same(self, other: Gap<'_>) -> bool {
        self.raw == other.raw || (self.indent() == other.indent() && self.has_blank_lines_of(other))
    }
}

/// Returns the blanks of a gap after its last line break; the whole gap if it has none.
pub(crate) fn indent(gap: &str) -> &str {
    gap.rsplit_once('\n').map_or(gap, |(_, indent)| indent)
}

pub(crate) fn breaks(text: &str) -> usize {
    text.matches('\n').count()
}

/// Returns whether a gap has blanks and no line break.
pub(crate) fn is_inside_line(gap: &str) -> bool {
    !gap.is_empty() && !gap.contains('\n')
}

pub(crate) fn both_end_lines(one: Gap<'_>, other: Gap<'_>) -> bool {
    one.breaks > 0 && other.breaks > 0
}
