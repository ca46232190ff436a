//! Learns the tokens that the file spells otherwise than the new text: words in another case or misremembered, quotes of
//! another kind, and typographic marks.
//!
//! Tokens that both texts have are the evidence. For other tokens the old text is, unless the new text also has the
//! file's spelling. The other marks are those of the [map](mod@crate::map).

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::three_way::inverse;
use crate::align::vetoes::are_unpaired;
use crate::mechanisms::{Mechanism, QUOTES, SPELLING, TYPOGRAPHIC_MARKS};
use crate::merge::Merge;
use crate::text::characters::{is_plain_quote, plain_char};
use crate::text::quotes::has_two_quotes;
use crate::text::tokens::{Class, Tokens};
use crate::text::words::looks_like;

/// The file's tokens for some of the new text's.
#[derive(Debug)]
pub(crate) struct Spelling<'t> {
    by_id: FxHashMap<u32, &'t str>,
    /// The typographic marks of the new text to write as plain ones.
    plain: FxHashSet<char>,
    /// Whether each line of the new text is inserted: the file has no token of it.
    is_inserted: Vec<bool>,
}

impl<'t> Spelling<'t> {
    /// Learns from aligned texts; `is_known` returns whether the document has a token.
    pub(crate) fn learn(merge: &Merge<'_, 't>, is_known: impl Fn(&str) -> bool) -> Self {
        let texts = merge.texts;
        let (file, new) = (&texts.file, &texts.new);
        let new_to_file = inverse(&merge.columns.file_to_new, new.len());
        let is_inserted = (0..new.lines()).map(|line| are_unpaired(&new_to_file[new.on_line(line)])).collect();
        // A new text that also has the file's name means two names, or corrects the old text.
        let inserted: FxHashSet<&str> =
            (0..new.len()).filter(|&index| new_to_file[index].is_none()).map(|index| new.get(index)).collect();
        let mut pairs = pairs(&texts.old, file, &texts.old_to_file);
        for (partner, kept) in merge.columns.file_to_new.iter().enumerate() {
            if kept.is_some_and(|kept| new.items[kept].id == file.items[partner].id)
                && let Some(old) = texts.file_to_old[partner]
                && texts.old.items[old].id != file.items[partner].id
            {
                pairs.remove(&texts.old.items[old].id);
            }
        }
        pairs.extend(self::pairs(new, file, &new_to_file));
        let is_name = |text: &str| text.starts_with(char::is_alphanumeric);
        let is_usable = |(own, spelt): &(&str, &str)| {
            texts.run.uses(slip_of(own)) && !(is_name(own) && (is_known(own) || inserted.contains(spelt)))
        };
        let by_id = pairs.into_iter().filter_map(|(id, pair)| Some((id, pair.filter(is_usable)?.1))).collect();
        // If one quote of the old text is wrongly typographic, all are, and the same with dashes.
        let mut wrong = FxHashSet::default();
        for (old, partner) in texts.old_to_file.iter().enumerate() {
            let Some(spelt) = partner.map(|partner| file.get(partner)) else { continue };
            wrong.extend(
                texts.old.get(old).chars().filter_map(plain_char).filter(|mark| spelt.contains(mark)).map(kind),
            );
        }
        let is_wrong = |mark: char| plain_char(mark).is_some_and(|plain| wrong.contains(kind(plain)));
        let is_used = texts.run.uses(&TYPOGRAPHIC_MARKS);
        let mut plain: FxHashSet<char> = new.text.chars().filter(|&mark| is_used && is_wrong(mark)).collect();
        plain.retain(|mark| !is_known(mark.encode_utf8(&mut [0; 4])));
        Self { by_id, plain, is_inserted }
    }

    /// Returns a token of the new text in the file's spelling.
    pub(crate) fn of(&self, new: &Tokens<'t>, index: usize) -> Cow<'t, str> {
        let own = new.get(index);
        if own.contains(|mark| self.plain.contains(&mark)) {
            let plain = |mark: char| plain_char(mark).filter(|_| self.plain.contains(&mark));
            let written = own.chars().map(|mark| plain(mark).map_or_else(|| mark.to_string(), str::to_owned));
            return Cow::Owned(written.collect());
        }
        // The quotes of an inserted line are the map's, and a single one encloses nothing: `&'static str`.
        let is_single = || new.line_of(index).filter(|&token| new.get(token) == own).count() == 1;
        let is_apart = || self.is_inserted[new.line_number(index)] || is_single();
        match self.by_id.get(&new.items[index].id) {
            Some(spelt)
                if new.is_word(index) || own.starts_with('\\') || !(is_apart() || has_two_quotes(new, index)) =>
            {
                Cow::Borrowed(spelt)
            }
            _ => Cow::Borrowed(own),
        }
    }
}

/// Returns one text for all quotes, and one for all dashes.
fn kind(plain: &str) -> &str {
    if plain == "-" { plain } else { "\"" }
}

/// Returns the slip of a token for which the file has another spelling.
pub(crate) fn slip_of(own: &str) -> &'static Mechanism {
    match own {
        _ if own.contains(|mark| plain_char(mark).is_some()) => &TYPOGRAPHIC_MARKS,
        _ if is_plain_quote(own) => &QUOTES,
        _ => &SPELLING,
    }
}

/// Returns each word and quote of a text with the file's other one for it, by its id; none if the file has no other one, or
/// several.
fn pairs<'t>(
    text: &Tokens<'t>,
    file: &Tokens<'t>,
    in_file: &[Option<usize>],
) -> FxHashMap<u32, Option<(&'t str, &'t str)>> {
    let mut found = FxHashMap::default();
    for (index, partner) in in_file.iter().enumerate() {
        let Some(partner) = *partner else { continue };
        let (token, other) = (text.items[index], file.items[partner]);
        let own = text.get(index);
        // After a backslash of its own, the token lacks none.
        let may_lack = own.starts_with('\\') && escaped(text, index) == own;
        let spelt = if may_lack { escaped(file, partner) } else { file.get(partner) };
        let is_alike = || match token.class {
            // Backticks may have another meaning than quotes.
            Class::Quote => matches!((own, spelt), ("'", "\"") | ("\"", "'")),
            // A name with most letters in common, on a copied line, is misremembered.
            _ if token.word && other.word && !spelt.contains(['\'', '\u{2019}']) => {
                let is_misremembered = || is_copied(text, file, in_file, text.line_of(index));
                token.fold == other.fold || looks_like(own, spelt) && is_misremembered()
            }
            _ => may_lack && token.fold == other.fold,
        };
        let pair = (own != spelt && is_alike()).then_some((own, spelt));
        let known = found.entry(token.id).or_insert(pair);
        *known = known.filter(|known| Some(*known) == pair);
    }
    found
}

/// Returns a token with the escaped backslash right before it, if there is one: the file may have `\\d` where the old text
/// has `\d`.
fn escaped<'t>(tokens: &Tokens<'t>, index: usize) -> &'t str {
    let (token, text) = (tokens.items[index], tokens.get(index));
    match index.checked_sub(1) {
        Some(before) if tokens.get(before) == "\\\\" && tokens.items[before].end == token.start => {
            &tokens.text[tokens.items[before].start as usize..token.end as usize]
        }
        _ => text,
    }
}

/// Returns whether at least half of a line's tokens are equal in the file: names are learnt from no other line.
fn is_copied(text: &Tokens<'_>, file: &Tokens<'_>, in_file: &[Option<usize>], line: Range<usize>) -> bool {
    let is_equal =
        |&index: &usize| in_file[index].is_some_and(|partner| file.items[partner].id == text.items[index].id);
    2 * line.clone().filter(is_equal).count() >= line.len()
}
