//! Writes the gaps of a merged text: line breaks, blank lines, indentation and blanks at line ends.

use crate::gap::{Gap, Sides, three};
use crate::merge::{Anchor, Merge};
use crate::slot::{Parts, Slot};

impl<'t> Merge<'t> {
    /// Tells whether the file's gap at about line `at` of the needle is what the edit wants: it kept the
    /// needle's, or wants what the file has, once its indentation is read as the needle's is.
    fn is_settled(&self, Sides { new, needle, file }: Sides<'t>, at: f32) -> bool {
        let reads_so = || file.breaks == 0 || self.indents.place(new.indent(), at) == file.indent();
        new.same(needle) || (new.same(file) && reads_so())
    }

    /// Merges the gap before a kept token. With `fresh`, a new token stands before the gap, and
    /// the blanks that end its line are its own.
    pub(crate) fn kept_gap(&mut self, sides: Sides<'t>, right: &Anchor, fresh: bool) {
        let Sides { new, needle, file } = sides;
        let line = self.needle.items.get(right.needle.start).map_or(0, |token| token.line);
        // A blank line put behind the needle's end is one more, where one follows that the needle does not have.
        let added = right.needle.is_empty() && self.blank_behind && !new.same(needle);
        if !added && self.is_settled(sides, line as f32) {
            if fresh && file.breaks > 0 {
                self.push_with_trail(new, file);
            } else if fresh {
                self.push_unglued(file.raw, new, self.file.at(right.file.start));
            } else {
                self.out.push_str(file.raw);
            }
            return;
        }
        let count = sides.breaks();
        if count == 0 && self.out.is_empty() && needle.breaks > 0 {
            let indent = self.kept_indent(sides, right);
            self.out.push_str(&indent);
            return;
        }
        if count == 0 {
            self.push_inline(new);
            return;
        }
        // Where only the needle had blanks at the end of the line, the edit did not remove any.
        let trail = if fresh {
            new.trail()
        } else if file.breaks > 0 && needle.trail() != file.trail() {
            file.trail()
        } else {
            three(new.trail(), needle.trail(), file.trail())
        };
        let indent = self.kept_indent(sides, right);
        self.write_gap(trail, count, sides, &indent);
    }

    /// Writes the file's gap behind a new token, whose own blanks end the line.
    pub(crate) fn push_with_trail(&mut self, new: Gap<'_>, file: Gap<'_>) {
        self.out.push_str(new.trail());
        self.out.push_str(&file.raw[file.trail().len()..]);
    }

    /// Writes the file's blanks between two tokens that were not neighbours before; the replacement's where
    /// the file's would glue them together, though nothing shows that the file does that.
    fn push_unglued(&mut self, file: &str, new: Gap<'_>, next: &str) {
        let opened = self.out.ends_with(['(', '[', '{', '<']);
        let glued = !self.out.is_empty()
            && file.is_empty()
            && new.breaks == 0
            && !opened
            && !closes(next)
            && !matches!(next, "}" | ">" | "");
        self.out.push_str(if glued { new.raw } else { file });
    }

    fn push_inline(&mut self, new: Gap<'_>) {
        self.out.push_str(if new.breaks == 0 { new.raw } else { " " });
    }

    fn kept_indent(&self, Sides { new, needle, file }: Sides<'_>, right: &Anchor) -> String {
        let inside = needle.breaks == 0 && new.breaks == 0 && file.breaks > 0;
        if right.needle.is_empty() || inside {
            // Behind the last token stands the next line of the file.
            return file.indent().to_owned();
        }
        let line = self.needle.items[right.needle.start].line as f32;
        // The first line of the region may have no line break before it; behind new text that opens a block it
        // is as deep as the edit says.
        let opens = file.breaks > 0 || (right.file.start == 0 && !self.out.ends_with(['{', '(', '[', ':']));
        if opens && (needle.breaks > 0 || right.needle.start == 0) {
            return self.indents.moved(file.indent(), needle.indent(), new.indent(), line);
        }
        self.indents.place(new.indent(), line)
    }

    /// Writes a gap of `count` line breaks. Its blank lines are the file's where it had as many
    /// and the edit left them alone.
    pub(crate) fn write_gap(&mut self, trail: &str, count: usize, sides: Sides<'_>, indent: &str) {
        self.write_gap_after(sides.file.ending(), trail, count, sides, indent);
    }

    /// Writes a gap whose first line break is `first`, if the file has it: a line that stays keeps its ending.
    fn write_gap_after(&mut self, first: Option<&str>, trail: &str, count: usize, sides: Sides<'_>, indent: &str) {
        let Sides { new, needle, file } = sides;
        self.out.push_str(trail);
        let start = self.out.len();
        let untouched = new.breaks != count || new.blank_lines().eq(needle.blank_lines());
        if count == file.breaks && untouched {
            for line in file.blank_lines() {
                self.out.push_str(self.ending);
                self.out.push_str(line);
            }
        } else if count == new.breaks {
            for line in new.blank_lines() {
                self.out.push_str(self.ending);
                self.out.push_str(&self.indents.blank(line));
            }
        } else {
            for _ in 1..count {
                self.out.push_str(self.ending);
            }
        }
        self.out.push_str(self.ending);
        if let Some(first) = first
            && first != self.ending
        {
            self.out.replace_range(start..start + self.ending.len(), first);
        }
        self.out.push_str(indent);
    }

    /// Writes the gap between what precedes a change and the first new token, at about line `at`
    /// of the needle; `next` is that token. Without `take`, what makes the file's gap special stands elsewhere.
    pub(crate) fn first_gap(&mut self, take: bool, sides: Sides<'t>, at: f32, (parts, next): (&Parts, &str)) {
        let Sides { new, needle, file } = sides;
        if take && self.is_settled(sides, at) {
            if parts.replaced && !self.out.is_empty() && sides.is_inside() && closes(next) {
                // The blanks before a closing mark are the mark's.
                self.out.push_str(new.raw);
            } else if parts.replaced {
                self.out.push_str(file.raw);
            } else {
                self.push_unglued(file.raw, new, next);
            }
            return;
        }
        let count = if take { sides.breaks() } else { new.breaks };
        if parts.before.is_empty() && parts.opens_needle {
            self.opening_gap(count, sides, at, parts.replaced);
            return;
        }
        if count == 0 {
            self.push_inline(new);
            return;
        }
        let trail = if file.breaks == 0 {
            new.trail()
        } else if needle.breaks > 0 {
            three(new.trail(), needle.trail(), file.trail())
        } else {
            file.trail()
        };
        let indent = if new.breaks > 0 { self.fresh_indent(new.indent(), at, parts) } else { file.indent().to_owned() };
        let first = file.ending();
        let file = if take { file } else { Gap::NONE };
        self.write_gap_after(first, trail, count, Sides { new, needle, file }, &indent);
    }

    /// Writes the gap before new tokens that open the region: of the blank lines that the file has
    /// there, `count` stay.
    fn opening_gap(&mut self, count: usize, Sides { new, needle, file }: Sides<'t>, at: f32, replaced: bool) {
        let kept = &file.raw[..file.raw.rfind('\n').map_or(0, |at| at + 1)];
        for line in kept.split_inclusive('\n').skip(file.breaks.saturating_sub(count)) {
            self.out.push_str(line);
        }
        for _ in file.breaks..count {
            self.out.push_str(self.ending);
        }
        let indent = if new.breaks == needle.breaks && new.indent() == needle.indent() {
            file.indent().to_owned()
        } else if replaced {
            self.indents.shifted(file.indent(), needle.indent(), new.indent())
        } else {
            self.indents.place(new.indent(), at)
        };
        self.out.push_str(&indent);
    }

    /// Writes the gap before a kept token where the file's gap has gone elsewhere.
    pub(crate) fn free_gap(&mut self, sides: Sides<'t>, right: &Anchor) {
        let Sides { new, needle, file } = sides;
        if new.breaks == 0 {
            self.out.push_str(new.raw);
            return;
        }
        let indent = if file.breaks > 0 || right.needle.start == 0 {
            self.kept_indent(sides, right)
        } else {
            self.indents.place(new.indent(), 0.0)
        };
        self.write_gap(new.trail(), new.breaks, Sides { new, needle, file: Gap::NONE }, &indent);
    }

    /// Writes the one gap that is left of two when everything between them was deleted.
    pub(crate) fn closed_gap(&mut self, left: Sides<'t>, right: Sides<'t>, slot: &Slot, anchor: &Anchor) {
        let new = left.new;
        if new.breaks == 0 && left.file.breaks == 0 && right.file.breaks == 0 {
            let both = new.same(left.needle) && new.same(right.needle);
            let raw = if both && !left.file.same(right.file) {
                new.raw
            } else if new.same(left.needle) {
                left.file.raw
            } else if new.same(right.needle) {
                right.file.raw
            } else {
                new.raw
            };
            self.push_unglued(raw, new, self.file.at(anchor.file.start));
            return;
        }
        let opens = slot.needle.start == 0;
        let closes = anchor.needle.is_empty();
        let mut count = (new.breaks + left.file.breaks + right.file.breaks)
            .saturating_sub(left.needle.breaks + right.needle.breaks);
        if opens && closes && left.needle.breaks + right.needle.breaks == 0 && right.file.breaks > 0 {
            // A line that goes away takes its ending with it.
            count = count.saturating_sub(1);
        }
        if opens {
            self.open_end(count, left, right, anchor);
            return;
        }
        if !closes {
            let most = new.breaks.max(left.file.breaks).max(right.file.breaks);
            count = count.clamp(new.breaks.min(1), most.max(1));
        }
        if count == 0 {
            if new.breaks == 0 {
                self.out.push_str(new.raw);
            }
            return;
        }
        let trail = match left.needle.breaks {
            0 => new.trail(),
            _ => three(new.trail(), left.needle.trail(), left.file.trail()),
        };
        let sides = Sides { new, ..right };
        let indent = if new.breaks == 0 && !closes { new.raw.to_owned() } else { self.kept_indent(sides, anchor) };
        let file = if count == left.file.breaks { left.file } else { right.file };
        self.write_gap(trail, count, Sides { file, ..sides }, &indent);
    }

    /// Writes what is left of the blank lines around a deletion that opens the region.
    fn open_end(&mut self, count: usize, left: Sides<'t>, right: Sides<'t>, anchor: &Anchor) {
        let lines = |gap: Gap<'t>| gap.raw.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let mut kept: Vec<&str> = lines(left.file).collect();
        let behind: Vec<&str> = lines(right.file).collect();
        // The ending of the deleted line goes first, then blank lines before it.
        let ending = usize::from(kept.len() + behind.len() > count).min(behind.len());
        kept.extend(&behind[ending..]);
        let surplus = kept.len().saturating_sub(count);
        for line in &kept[surplus..] {
            self.out.push_str(line);
        }
        let indent = if anchor.needle.is_empty() {
            right.file.indent().to_owned()
        } else if left.new.indent() == left.needle.indent() {
            // The new first line is indented as the old one was, rightly or wrongly.
            left.file.indent().to_owned()
        } else {
            self.kept_indent(Sides { new: left.new, ..right }, anchor)
        };
        self.out.push_str(&indent);
    }
}

/// Tells whether a token is a mark that stands right behind what it ends.
fn closes(token: &str) -> bool {
    matches!(token, ")" | "]" | "," | ";" | "." | ":")
}
