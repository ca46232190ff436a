//! Reads an edit without one slip: a copy from a tool's output has line numbers, a fence, a gutter or escapes.
//!
//! A reading undoes one slip in the needle, and in the replacement by its own evidence ([`evidence`]). The file decides
//! which reading is right: see [`Search::locate`](crate::Search::locate).
//!
//! Cost: one pass over needle and replacement for each reading.

pub(crate) mod escaped_text;
pub(crate) mod escapes;
mod evidence;
mod fence;
mod gutter;
pub(crate) mod line_numbers;

use fuzzy_merge::{LeftOut, Mechanism};

use crate::mechanisms::{ESCAPED_TEXT, FENCE, GUTTER, LINE_NUMBERS};
use crate::variant::Variant;

/// Returns the plausible variants of an edit, needle and replacement, without one slip.
type Reading = for<'t> fn(&'t str, &'t str) -> Vec<Variant<'t>>;

/// The readings before any place, each with the slip that it undoes.
const READINGS: [(&Mechanism, Reading); 4] = [
    (&FENCE, fence::read),
    (&LINE_NUMBERS, line_numbers::read),
    (&GUTTER, gutter::read),
    (&ESCAPED_TEXT, escaped_text::read),
];

/// Returns the variants of an edit, the literal one first.
pub fn variants_of<'t>(needle: &'t str, replacement: &'t str, left_out: LeftOut) -> Vec<Variant<'t>> {
    let mut variants = vec![Variant::literal(needle, replacement)];
    for (_, read) in READINGS.iter().filter(|(slip, _)| left_out.uses(slip)) {
        for variant in read(needle, replacement) {
            if variants.iter().all(|other| other.needle != variant.needle) {
                variants.push(variant);
            }
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use fuzzy_merge::LeftOut;

    use crate::variant::Variant;

    fn variants_of<'t>(needle: &'t str, new: &'t str) -> Vec<Variant<'t>> {
        super::variants_of(needle, new, LeftOut::default())
    }

    fn needles(needle: &str) -> Vec<(String, &'static str)> {
        variants_of(needle, "")
            .into_iter()
            .map(|variant| (variant.needle.into_owned(), variant.slip.map_or("", |slip| slip.name)))
            .collect()
    }

    #[test]
    fn the_literal_variant_is_first() {
        assert_eq!(needles("a\nb"), [("a\nb".to_owned(), "")]);
    }

    #[test]
    fn line_numbers_are_removed() {
        for text in ["1\ta\n2\tb", "  9→a\n 10→b", "08| a\n09| b", "7: a\n8: b", "a\n12 | b\n13 | c"] {
            assert!(needles(text).iter().any(|(_, undone)| *undone == "line-numbers"), "{text:?}");
        }
        // The numbers are part of the text.
        for text in ["1 apple\n5 pears\n2 plums", "10\n20", "404: not found\n200: fine"] {
            assert!(needles(text).iter().all(|(_, undone)| *undone != "line-numbers"), "{text:?}");
        }
    }

    #[test]
    fn one_line_has_a_number_where_the_new_text_counts_on() {
        for (new, has_number) in [("  6 a =\n  7   1", true), ("  6 a =\n      1", false), ("  7 a =\n  8   1", false)]
        {
            let read = variants_of("  6 a = 1", new);
            assert_eq!(read.iter().any(|variant| variant.replacement == "a =\n  1"), has_number, "{new:?}");
        }
    }

    #[test]
    fn the_replacement_loses_its_own_numbers_only() {
        let variant = &variants_of("1| a\n2| b", "1| a\n2| c\n3| d")[1];
        assert_eq!((&*variant.needle, &*variant.replacement), ("a\nb", "a\nc\nd"));
        let variant = &variants_of("1| a\n2| b", "a\nc")[1];
        assert_eq!(&*variant.replacement, "a\nc");
    }

    #[test]
    fn a_fence_is_removed_whole() {
        assert!(needles("```rust\na\nb\n```").contains(&("a\nb".to_owned(), "fence")));
        assert!(needles("```rust\na\nb").contains(&("a\nb".to_owned(), "fence")));
        assert!(needles("a\nb\n```").contains(&("a\nb".to_owned(), "fence")));
        assert_eq!(needles("a\n``` b").len(), 1);
    }

    #[test]
    fn written_line_breaks_are_expanded_where_there_are_no_others() {
        assert!(needles("a {\\n\\tb\\n}").contains(&("a {\n\tb\n}".to_owned(), "escaped-text")));
        assert_eq!(needles("print(\"a\\n\")\nb\nc").len(), 1);
    }
}
