//! Sums how much of what the edit touches, and of all the needle, stands in the file.

use crate::Doubt;
use crate::merge::Merge;
use crate::pair::{likeness, looks_like};
use crate::tokens::Tokens;

impl Merge<'_> {
    /// Tells whether the file has another word where the needle has this one, or another number: two
    /// words may be one, miscopied, but a number that differs is another value.
    pub(crate) fn is_another(&self, index: usize) -> bool {
        let Some(partner) = self.in_file[index] else { return false };
        let (ours, theirs) = (self.needle.items[index], self.file.items[partner]);
        let (a, b) = (self.needle.get(index), self.file.get(partner));
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        ours.fold != theirs.fold && ours.word && (!looks_like(a, b) || number(a) || number(b))
    }

    /// Tells whether the edit keeps a word of a line it changes, and the file lacks it: what would land
    /// lacks it, too.
    fn is_lost(&self, index: usize) -> bool {
        let kept = self.in_new[index].is_some() && self.in_file[index].is_none();
        kept && self.needle.items[index].word && self.touched[self.needle.items[index].line as usize]
    }

    /// Tells whether the edit keeps a word of a line it changes, for which the file has another: it is about
    /// another thing of the same kind.
    fn is_sibling(&self, index: usize) -> bool {
        let kept = self.in_new[index].is_some() && self.touched[self.needle.items[index].line as usize];
        kept && (self.is_another(index) || self.elsewhere[index])
    }

    /// Sums how much of what the edit touches, and of all the needle, stands in the file.
    pub(crate) fn weigh(&mut self) {
        let mut lost = false;
        for index in 0..self.needle.len() {
            let length = self.needle.get(index).chars().count() as f32;
            let token = self.needle.items[index];
            let alike = match self.in_file[index] {
                Some(partner) if self.file.items[partner].id == token.id => 1.0,
                Some(partner) if self.file.items[partner].fold == token.fold => 0.9,
                Some(partner) => {
                    // Half alike is what any two words are.
                    let alike = likeness(self.needle.get(index), self.file.get(partner));
                    (2.0 * alike - 1.0).max(0.0)
                }
                None => 0.0,
            };
            self.evidence.needle += length;
            self.evidence.another += usize::from(self.is_another(index));
            lost |= self.is_lost(index) || self.is_sibling(index);
            self.evidence.needle_found += length * alike;
            if self.touched[token.line as usize] {
                self.evidence.touched += length;
                self.evidence.touched_found += length * alike;
            }
        }
        if lost {
            self.doubts.push(Doubt::Absent);
        }
        for (index, placed) in self.placed.iter().enumerate() {
            if !placed {
                self.evidence.file_only += self.file.get(index).chars().count() as f32;
            }
        }
    }
}

/// Tells for each token of the needle whether it is a word for which the file has another one, though it
/// stands elsewhere in the file: then it was not just miscopied.
pub(crate) fn elsewhere(
    needle: &Tokens<'_>,
    file: &Tokens<'_>,
    in_file: &[Option<usize>],
    known: impl Fn(&str) -> bool,
) -> Vec<bool> {
    /// Shorter words stand in others.
    const SHORTEST_NAME: usize = 4;
    let stands = |index: usize| {
        let (token, text) = (needle.items[index], needle.get(index));
        let other = in_file[index].is_some_and(|partner| file.items[partner].fold != token.fold);
        other && token.word && text.len() >= SHORTEST_NAME && known(text)
    };
    (0..needle.len()).map(stands).collect()
}
