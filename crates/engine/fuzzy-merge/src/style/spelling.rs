//! Learns the tokens that the file spells otherwise than the new text: quotes, letter case, misremembered names.
//!
//! Tokens that both texts have are the evidence. For other tokens the old text is, unless the new text also has the
//! file's spelling.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::three_way::inverse;
use crate::align::vetoes::are_unpaired;
use crate::mechanisms::{Mechanism, QUOTES, SPELLING, TYPOGRAPHIC_MARKS};
use crate::merge::Merge;
use crate::text::characters::{begins_comment_line, is_plain_quote, plain, plain_char};
use crate::text::quotes::has_two_quotes;
use crate::text::tokens::{Class, Tokens};
use crate::text::words::looks_like;

/// The file's spelling of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileSpelling<'t> {
    text: &'t str,
    /// Whether the token is between blanks: a hyphen is a dash only there.
    between_blanks: bool,
    /// For a typographic mark: whether it is in a comment. A dash there is a minus in code.
    comment: Option<bool>,
}

/// The tokens that the file spells otherwise than the new text.
#[derive(Debug)]
pub(crate) struct Spelling<'t> {
    by_id: FxHashMap<u32, FileSpelling<'t>>,
    /// The typographic marks of the new text to write as plain ones: the old text has some that the file lacks.
    plain: FxHashSet<char>,
    /// Whether each line of the new text is inserted: the file has no token of it.
    is_inserted: Vec<bool>,
}

impl<'t> Spelling<'t> {
    /// Learns from aligned texts; `is_known` returns whether the document has a token.
    pub(crate) fn learn(merge: &Merge<'_, 't>, is_known: impl Fn(&str) -> bool) -> Self {
        let texts = merge.texts;
        let new_to_file = inverse(&merge.columns.file_to_new, texts.new.len());
        let inserted = (0..texts.new.len()).filter(|&index| new_to_file[index].is_none());
        let inserted: FxHashSet<&str> = inserted.map(|index| texts.new.get(index)).collect();
        let of_new = TokenSpellings::of(&texts.new, &texts.file, &new_to_file);
        let is_inserted =
            (0..texts.new.lines()).map(|line| are_unpaired(&new_to_file[texts.new.on_line(line)])).collect();
        let mut by_id = of_new.usable(&texts.new, &is_known);
        // A new text that also has the file's name means two names.
        by_id.retain(|_, spelling| {
            !(spelling.text.starts_with(char::is_alphanumeric) && inserted.contains(spelling.text))
        });
        let of_old = TokenSpellings::of(&texts.old, &texts.file, &texts.old_to_file);
        let corrected = corrected(merge);
        let by_old = of_old.usable(&texts.old, &is_known).into_iter().filter(|(id, _)| !of_new.by_id.contains_key(id));
        by_id.extend(by_old.filter(|(id, spelling)| !(corrected.contains(id) || inserted.contains(spelling.text))));
        // If one quote of a text is wrongly typographic, all are, and the same with dashes.
        let is_typographic = |text: &str, spelling: &FileSpelling<'_>| {
            plain(text) == Some(spelling.text) || without_curly(text).as_deref() == Some(spelling.text)
        };
        let text = |id: u32| of_new.text(&texts.new, id).or_else(|| of_old.text(&texts.old, id));
        by_id.retain(|id, spelling| texts.run.uses(slip_of(text(*id).unwrap_or_default(), spelling.text)));
        let wrong = by_id.iter().filter(|(id, spelling)| text(**id).is_some_and(|text| is_typographic(text, spelling)));
        let dashes: FxHashSet<bool> = wrong.map(|(_, spelling)| spelling.text == "-").collect();
        let is_wrong = |mark: char| plain_char(mark).is_some_and(|plain| dashes.contains(&(plain == "-")));
        let mut plain: FxHashSet<char> = texts.new.text.chars().filter(|&mark| is_wrong(mark)).collect();
        plain.retain(|mark| !is_known(mark.encode_utf8(&mut [0; 4])));
        // A file with both kinds of apostrophes is no evidence for new ones.
        let has_plain = texts.file.words(0..texts.file.len()).any(|word| texts.file.get(word).contains('\''));
        if has_plain {
            by_id.retain(|_, spelling| without_curly(spelling.text).is_none());
        }
        Self { by_id, plain, is_inserted }
    }

    /// Writes a token of the new text in the file's spelling.
    pub(crate) fn write(&self, new: &Tokens<'t>, index: usize, out: &mut String) {
        for mark in self.respelt(new, index).chars() {
            match plain_char(mark).filter(|_| self.plain.contains(&mark)) {
                Some(plain) => out.push_str(plain),
                None => out.push(mark),
            }
        }
    }

    /// Returns a token of the new text in the file's spelling, apart from marks to write as plain ones.
    fn respelt(&self, new: &Tokens<'t>, index: usize) -> &'t str {
        let text = new.get(index);
        // A single quote of its kind on a line encloses nothing: `&'static str`.
        let is_pair = || new.line_of(index).filter(|&token| new.get(token) == text).count() > 1;
        let Some(&spelling) = self.by_id.get(&new.items[index].id) else { return text };
        if spelling.between_blanks != new.is_between_blanks(index) || has_two_quotes(new, index) {
            return text;
        }
        // The plain marks of an inserted line are the map's: `awk '{print $1}'` beside `echo "start"`.
        let is_copied = new.is_word(index) || text.starts_with('\\') || plain(text).is_some();
        if self.is_inserted[new.line_number(index)] && !is_copied {
            return text;
        }
        if spelling.comment.is_some_and(|comment| comment != in_comment(new, index) || !is_prose(new, index)) {
            return text;
        }
        if (text, spelling.text) == ("'", "\"") && !is_pair() { text } else { spelling.text }
    }
}

/// Returns the slip of a token of the new text for which the file has another spelling.
pub(crate) fn slip_of(own: &str, file: &str) -> &'static Mechanism {
    let is_typographic = |text: &str| text.contains(|mark| plain_char(mark).is_some());
    if is_typographic(own) || is_typographic(file) {
        &TYPOGRAPHIC_MARKS
    } else if is_plain_quote(own.trim_start_matches('\\')) {
        &QUOTES
    } else {
        &SPELLING
    }
}

/// Returns the ids of the old text's slips that the new text does not have in the kept token.
fn corrected(merge: &Merge<'_, '_>) -> FxHashSet<u32> {
    let texts = merge.texts;
    let kept = merge.columns.file_to_new.iter().enumerate();
    kept.filter_map(|(file, new)| {
        let (old, new) = (texts.file_to_old[file]?, (*new)?);
        let (of_old, of_file) = (texts.old.items[old].id, texts.file.items[file].id);
        (of_old != of_file && texts.new.items[new].id == of_file).then_some(of_old)
    })
    .collect()
}

/// Returns a word with typographic apostrophes with plain ones instead.
fn without_curly(word: &str) -> Option<String> {
    let curly = word.contains('\u{2019}') && word.starts_with(char::is_alphabetic);
    curly.then(|| word.replace('\u{2019}', "'"))
}

/// Returns whether the line of a token begins with a mark of a comment.
fn in_comment(tokens: &Tokens<'_>, index: usize) -> bool {
    let first = tokens.line_of(index).start;
    tokens.class(first) == Class::Comment || begins_comment_line(tokens.get(first))
}

/// Returns whether a mark is no quote, or an apostrophe like all of its kind on the line.
fn is_prose(tokens: &Tokens<'_>, index: usize) -> bool {
    let mark = tokens.get(index);
    let mut line = tokens.line_of(index);
    !is_plain_quote(mark) || line.all(|at| tokens.get(at) != mark || is_inside_word(tokens, at))
}

fn is_inside_word(tokens: &Tokens<'_>, index: usize) -> bool {
    let is_joined = |at: usize, word: usize| tokens.is_glued(at) && tokens.is_word(word);
    is_joined(index, index.saturating_sub(1)) && is_joined(index + 1, index + 1)
}

/// Returns whether at least half of a line's tokens are equal in the file: names are learnt from no other line.
fn is_copied(text: &Tokens<'_>, file: &Tokens<'_>, in_file: &[Option<usize>], line: usize) -> bool {
    let tokens = text.on_line(line);
    let (count, partners) = (tokens.len(), tokens.filter_map(|index| Some((index, in_file[index]?))));
    2 * partners.filter(|&(index, partner)| file.items[partner].id == text.items[index].id).count() >= count
}

/// The file's spellings of a text's tokens.
struct TokenSpellings<'t> {
    /// The spelling of each token with a partner, by its id; `None` if it is the same or not consistent.
    by_id: FxHashMap<u32, Option<FileSpelling<'t>>>,
    /// A token with each id.
    tokens: FxHashMap<u32, usize>,
}

impl<'t> TokenSpellings<'t> {
    fn of(text: &Tokens<'t>, file: &Tokens<'t>, in_file: &[Option<usize>]) -> Self {
        let mut by_id: FxHashMap<u32, Option<FileSpelling<'t>>> = FxHashMap::default();
        let mut tokens = FxHashMap::default();
        for (index, partner) in in_file.iter().enumerate() {
            let Some(partner) = *partner else { continue };
            let (token, other) = (text.items[index], file.items[partner]);
            let own = text.get(index);
            // A name with most letters in common, on a copied line, is misremembered.
            let is_misremembered = || {
                let is_name = token.word && other.word && looks_like(own, file.get(partner));
                is_name && is_copied(text, file, in_file, token.line as usize)
            };
            let alike = token.fold == other.fold || is_misremembered();
            // After a backslash of its own, the token lacks none.
            let may_lack = own.starts_with('\\') && escaped(text, index) == own;
            let file_text = if may_lack { escaped(file, partner) } else { file.get(partner) };
            let typographic = matches!((plain(file_text), plain(own)), (Some(_), None));
            tokens.insert(token.id, index);
            // Backticks may have another meaning than quotes.
            let ticked = (own == "`") != (file_text == "`");
            if ticked || (typographic && !is_prose(text, index)) {
                by_id.insert(token.id, None);
                continue;
            }
            let comment = typographic.then(|| in_comment(text, index));
            let spelling = FileSpelling { text: file_text, between_blanks: text.is_between_blanks(index), comment };
            let learnt = (own != file_text && alike).then_some(spelling);
            let known = by_id.entry(token.id).or_insert(learnt);
            *known = known.filter(|known| *known == spelling);
        }
        Self { by_id, tokens }
    }

    /// Returns the text of the token with an id.
    fn text(&self, text: &Tokens<'t>, id: u32) -> Option<&'t str> {
        self.tokens.get(&id).map(|&index| text.get(index))
    }

    /// Returns the spellings to use: not those of a name that the document has.
    fn usable(&self, text: &Tokens<'t>, is_known: impl Fn(&str) -> bool) -> FxHashMap<u32, FileSpelling<'t>> {
        let spellings = self.by_id.iter().filter_map(|(&id, spelling)| Some((id, (*spelling)?)));
        let is_known_name = |index: usize| text.is_word(index) && is_known(text.get(index));
        spellings.filter(|(id, _)| !is_known_name(self.tokens[id])).collect()
    }
}

/// Returns a token with the escaped backslash right before it, if there is one: the file may have `\\d` where the old text
/// has `\d`.
fn escaped<'t>(file: &Tokens<'t>, index: usize) -> &'t str {
    let (token, text) = (file.items[index], file.get(index));
    match index.checked_sub(1) {
        Some(before) if file.get(before) == "\\\\" && file.items[before].end == token.start => {
            &file.text[file.items[before].start as usize..token.end as usize]
        }
        _ => text,
    }
}
