//! Sums how much of the old text, and of its changed lines, occurs in the file.

use crate::Evidence;
use crate::align::three_way::Texts;
use crate::align::vetoes::are_unpaired;
use crate::text::words::likeness;

impl Texts<'_> {
    /// Returns whether a line of the old text occurs in neither of the other texts: its deletion changes nothing.
    fn is_absent(&self, line: usize) -> bool {
        let tokens = self.old.on_line(line);
        are_unpaired(&self.old_to_file[tokens.clone()]) && are_unpaired(&self.old_to_new[tokens])
    }

    /// Returns how much of the old text, and of the lines from which the edit deletes, occurs in the file.
    pub(crate) fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        for index in 0..self.old.len() {
            let length = self.old.get(index).chars().count() as f32;
            let token = self.old.items[index];
            let alike = match self.old_to_file[index] {
                Some(partner) if self.file.items[partner].id == token.id => 1.0,
                Some(partner) if self.file.items[partner].fold == token.fold => 0.9,
                Some(partner) => {
                    // Unrelated words have a likeness near 0.5.
                    let alike = likeness(self.old.get(index), self.file.get(partner));
                    (2.0 * alike - 1.0).max(0.0)
                }
                None => 0.0,
            };
            evidence.old += length;
            evidence.replaced_words += usize::from(self.is_kept(index) && self.is_different_word(index));
            evidence.old_found += length * alike;
            if self.touched[token.line as usize] && !self.is_absent(token.line as usize) {
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
