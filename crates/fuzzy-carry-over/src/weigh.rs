//! Sums how much of what the edit touches, and of all the needle, stands in the file.

use crate::merge::Merge;
use crate::pair::likeness;

impl Merge<'_> {
    /// Sums how much of what the edit touches, and of all the needle, stands in the file.
    pub(crate) fn weigh(&mut self) {
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
            self.evidence.needle_found += length * alike;
            if self.touched[token.line as usize] {
                self.evidence.touched += length;
                self.evidence.touched_found += length * alike;
            }
        }
        for (index, placed) in self.placed.iter().enumerate() {
            if !placed {
                self.evidence.file_only += self.file.get(index).chars().count() as f32;
            }
        }
    }
}
