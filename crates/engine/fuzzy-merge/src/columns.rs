//! The three texts side by side: each token of the file with its partners in old and new text.
//!
//! A [hunk](mod@crate::hunks) is the tokens between two columns that file and new text share.

use crate::align::anchors::anchors;
use crate::align::three_way::Texts;
use crate::regions::Region;

/// The columns of a merge.
#[derive(Debug)]
pub(crate) struct Columns {
    /// The new text's token for each of the file's.
    pub(crate) file_to_new: Vec<Option<usize>>,
    /// The regions between two anchors that the edit changes.
    pub(crate) regions: Vec<Region>,
}

impl Columns {
    /// Aligns file and new text in each region that the edit changes; in fewer once the merge is cancelled.
    pub(crate) fn of(texts: &Texts<'_>) -> Self {
        let mut file_to_new = vec![None; texts.file.len()];
        let mut regions = Vec::new();
        for window in anchors(texts).windows(2) {
            if !texts.run.is_needed() {
                break;
            }
            let (left, right) = (&window[0], &window[1]);
            let mut region = Region::between(left, right);
            if region.is_changed(texts) {
                region.align(texts);
                for &(file, new) in &region.shared {
                    file_to_new[file] = Some(new);
                }
                regions.push(region);
            }
            // The new text has no partners for the tokens of an elision.
            if !right.is_elision {
                for (file, new) in right.file.clone().zip(right.new.clone()) {
                    file_to_new[file] = Some(new);
                }
            }
        }
        Self { file_to_new, regions }
    }
}
