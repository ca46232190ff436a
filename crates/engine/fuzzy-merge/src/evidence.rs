//! Sums how much of what the edit touches, and of all the old text, occurs in the file.

use crate::Evidence;
use crate::align::three_way::Texts;
use crate::text::words::likeness;

impl Texts<'_> {
    /// Returns whether a line of the old text occurs in neither of the other texts: taking it away changes nothing.
    fn is_nothing(&self, line: usize) -> bool {
        let mut tokens = self.old.on_line(line);
        tokens.all(|index| self.old_to_file[index].is_none() && self.old_to_new[index].is_none())
    }

    /// Returns how much of what the edit touches, and of all the old text, occurs in the file.
    pub(crate) fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        for index in 0..self.old.len() {
            let length = self.old.get(index).chars().count() as f32;
            let token = self.old.items[index];
            let alike = match self.old_to_file[index] {
                Some(partner) if self.file.items[partner].id == token.id => 1.0,
                Some(partner) if self.file.items[partner].fold == token.fold => 0.9,
                Some(partner) => {
                    // Half alike is what any two words are.
                    let alike = likeness(self.old.get(index), self.file.get(partner));
                    (2.0 * alike - 1.0).max(0.0)
                }
                None => 0.0,
            };
            evidence.old += length;
            evidence.another += usize::from(self.is_kept(index) && self.is_another(index));
            evidence.old_found += length * alike;
            if self.touched[token.line as usize] && !self.is_nothing(token.line as usize) {
                evidence.touched += length;
                evidence.touched_found += length * alike;
            }
        }
        for (index, known) in self.file_to_old.iter().enumerate() {
            if known.is_none() {
                evidence.file_only += self.file.get(index).chars().count() as f32;
            }
        }
        evidence
    }
}
