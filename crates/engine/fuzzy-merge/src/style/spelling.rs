//! Learns which tokens the new text writes in another way than the file.
//!
//! Tokens that both texts have show it: the kind of quotes, letter case, a misremembered name. Where they show
//! nothing of a token, the old text does, unless the new text has the file's way, too.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::text::characters::{plain, typographic};
use crate::text::tokens::{Class, Tokens};
use crate::text::words::looks_like;

/// How the file writes a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Swap<'t> {
    theirs: &'t str,
    /// Whether the token has blanks on both sides: a hyphen there is a dash, elsewhere it is not.
    alone: bool,
    /// Tells, of a mark that the file writes as a typographic one, whether it occurs in a comment: what is a
    /// dash there is a minus in the code beside it.
    comment: Option<bool>,
}

/// Which tokens the new text writes in another way than the file.
#[derive(Debug)]
pub(crate) struct Spelling<'t> {
    found: FxHashMap<u32, Swap<'t>>,
    /// The quotes of new tokens that take the place of some for which the file has another kind than the old text.
    quotes: FxHashMap<usize, &'t str>,
    /// The typographic marks that are written for plain ones: the old text has some where the file has
    /// none.
    plain: Vec<&'static str>,
    /// The apostrophe of the file's words, where the new text has the plain one in its own.
    apostrophe: Option<char>,
    /// The old text's words that occur nowhere in the file: it has other words in their stead.
    foreign: FxHashSet<u32>,
}

impl<'t> Spelling<'t> {
    /// Learns from aligned texts; `known` tells whether a text occurs in the file.
    pub(crate) fn learn(merge: &Merge<'_, 't>, known: impl Fn(&str) -> bool) -> Self {
        let texts = merge.texts;
        let mut in_file = vec![None; texts.new.len()];
        for (file, new) in merge.columns.file_to_new.iter().enumerate() {
            if let Some(new) = *new {
                in_file[new] = Some(file);
            }
        }
        let inserted = (0..texts.new.len()).filter(|&index| in_file[index].is_none());
        let inserted: FxHashSet<&str> = inserted.map(|index| texts.new.get(index)).collect();
        let theirs = Learnt::of(&texts.new, &texts.file, &in_file);
        let mut found = theirs.usable(&texts.new, &known);
        // A new text that has the file's name besides means two.
        found.retain(|_, swap| !(swap.theirs.starts_with(char::is_alphanumeric) && inserted.contains(swap.theirs)));
        let old = Learnt::of(&texts.old, &texts.file, &texts.old_to_file);
        let better = better_written(merge);
        let of_old = old.usable(&texts.old, &known).into_iter().filter(|(id, _)| !theirs.swaps.contains_key(id));
        found.extend(of_old.filter(|(id, swap)| !(better.contains(id) || inserted.contains(swap.theirs))));
        // If some marks of a text are spoilt, all of them are.
        let is_spoilt = |text: &str, swap: &Swap<'_>| {
            plain(text) == Some(swap.theirs) || without_curly(text).as_deref() == Some(swap.theirs)
        };
        let text = |id: u32| theirs.text(&texts.new, id).or_else(|| old.text(&texts.old, id));
        let mut spoilt = found.iter().filter(|(id, swap)| text(**id).is_some_and(|text| is_spoilt(text, swap)));
        let mut plain = Vec::new();
        if spoilt.next().is_some() {
            plain.extend(typographic().filter(|mark| texts.new.text.contains(mark) && !known(mark)));
        }
        // A file that has both kinds of apostrophes says nothing about new ones.
        let has_plain = texts.file.words(0..texts.file.len()).any(|word| texts.file.get(word).contains('\''));
        if has_plain {
            found.retain(|_, swap| without_curly(swap.theirs).is_none());
        }
        // Of a new text with typographic apostrophes, plain ones are no slips.
        let is_mixed = has_plain || texts.new.text.contains('\u{2019}');
        let plain_ones = texts.copies().filter(|(old, _)| texts.old.get(*old).contains('\''));
        let mut curly = plain_ones.filter(|(_, file)| texts.file.get(*file).contains('\u{2019}'));
        let apostrophe = curly.next().filter(|_| !is_mixed).map(|_| '\u{2019}');
        let (quotes, foreign) = (quotes(merge), foreign(texts));
        Self { found, quotes, plain, apostrophe, foreign }
    }

    /// Writes a token of the new text, in the file's kind of marks and with its names.
    pub(crate) fn write(&self, new: &Tokens<'t>, index: usize, out: &mut String) {
        let text = self.dressed(new, index);
        if !new.is_word(index) {
            return out.push_str(text);
        }
        match self.apostrophe {
            Some(apostrophe) if text.contains('\'') => {
                out.push_str(&text.replace('\'', apostrophe.encode_utf8(&mut [0; 4])));
            }
            _ if self.plain.iter().any(|mark| text.contains(mark)) => {
                out.push_str(&without_curly(text).unwrap_or_else(|| text.to_owned()));
            }
            _ => out.push_str(text),
        }
    }

    /// Returns whether a token of the new text is a name that the old text has for another one of the file.
    pub(crate) fn is_foreign(&self, new: &Tokens<'t>, index: usize) -> bool {
        self.foreign.contains(&new.items[index].id) && self.dressed(new, index) == new.get(index)
    }

    /// Returns a token of the new text as the file writes it.
    fn dressed(&self, new: &Tokens<'t>, index: usize) -> &'t str {
        let text = new.get(index);
        // A mark that is alone on its line closes nothing and opens nothing: `&'static str`.
        let is_pair = || new.line_of(index).filter(|&token| new.get(token) == text).count() > 1;
        if let Some(quote) = self.quotes.get(&index) {
            return if is_pair() { quote } else { text };
        }
        let Some(&swap) = self.found.get(&new.items[index].id) else {
            return if self.plain.contains(&text) { straight(text) } else { text };
        };
        if swap.alone != new.is_alone(index) || has_two_quotes(new, index) {
            return text;
        }
        if swap.comment.is_some_and(|comment| comment != in_comment(new, index) || !is_prose(new, index)) {
            return text;
        }
        if (text, swap.theirs) == ("'", "\"") && !is_pair() { text } else { swap.theirs }
    }
}

/// Returns whether a token is a quote on a line with two kinds of quotes: it needs both.
fn has_two_quotes(tokens: &Tokens<'_>, index: usize) -> bool {
    let text = straight(tokens.get(index));
    let is_quote = |at: &usize| tokens.class(*at) == Class::Quote;
    is_quote(&index) && tokens.line_of(index).filter(is_quote).any(|at| straight(tokens.get(at)) != text)
}

/// Returns the file's quotes for those of new tokens that take the place of some of the file's: however much of a line
/// is new, its kind of quotes is the file's.
fn quotes<'t>(merge: &Merge<'_, 't>) -> FxHashMap<usize, &'t str> {
    let mut found = FxHashMap::default();
    let texts = merge.texts;
    for (file, new) in merge.replacements() {
        let mut kinds = file.clone().filter_map(|theirs| {
            let (ours, theirs) = (texts.old.get(texts.file_to_old[theirs]?), texts.file.get(theirs));
            matches!((ours, theirs), ("\"" | "'", "\"" | "'")).then_some((ours, theirs))
        });
        let Some((ours, theirs)) = kinds.next().filter(|(ours, theirs)| ours != theirs) else { continue };
        // Where the new text has the file's kind besides, it means both.
        let text = |index: &&usize| texts.new.get(**index);
        let has_theirs = new.iter().any(|index| text(&index) == theirs);
        if has_theirs || kinds.any(|kind| kind != (ours, theirs)) {
            continue;
        }
        let line = |index: &usize| texts.new.line_text(texts.new.line_of(*index));
        let quotes = new.iter().filter(|index| text(index) == ours);
        found.extend(quotes.filter(|index| !line(index).contains(theirs)).map(|&index| (index, theirs)));
    }
    found
}

/// Returns the ids of the old text's slips that the new text has not where it keeps the token: it was not written in the
/// same breath.
fn better_written(merge: &Merge<'_, '_>) -> FxHashSet<u32> {
    let texts = merge.texts;
    let kept = merge.columns.file_to_new.iter().enumerate();
    kept.filter_map(|(file, new)| {
        let (old, new) = (texts.file_to_old[file]?, (*new)?);
        let (ours, theirs) = (texts.old.items[old].id, texts.file.items[file].id);
        (ours != theirs && texts.new.items[new].id == theirs).then_some(ours)
    })
    .collect()
}

/// Returns the ids of the old text's words for which the file has others, on lines that are mostly as they are in it.
fn foreign(texts: &Texts<'_>) -> FxHashSet<u32> {
    let (old, file) = (&texts.old, &texts.file);
    let others = texts.copies().filter(|&(ours, theirs)| file.items[theirs].fold != old.items[ours].fold);
    let words = others.map(|(ours, _)| ours).filter(|&ours| old.is_word(ours));
    let words = words.filter(|&word| !texts.elsewhere[word]);
    let code = words.filter(|&word| !old.in_comment(word));
    let copied = code.filter(|&word| is_copied(old, file, &texts.old_to_file, old.line_number(word)));
    copied.map(|word| old.items[word].id).collect()
}

/// Returns the plain mark for a typographic one, and any other text as it is.
fn straight(text: &str) -> &str {
    plain(text).unwrap_or(text)
}

/// Returns a word with plain apostrophes for the typographic ones that it has.
fn without_curly(word: &str) -> Option<String> {
    let curly = word.contains('\u{2019}') && word.starts_with(char::is_alphabetic);
    curly.then(|| word.replace('\u{2019}', "'"))
}

/// Returns whether the line of a token begins as comments do.
fn in_comment(tokens: &Tokens<'_>, index: usize) -> bool {
    let first = tokens.line_of(index).start;
    tokens.class(first) == Class::Comment || matches!(tokens.get(first), "*" | "<" | ";" | "%")
}

/// Returns whether a mark is no quote, or an apostrophe on a line where all of its kind are.
fn is_prose(tokens: &Tokens<'_>, index: usize) -> bool {
    let mark = tokens.get(index);
    let mut line = tokens.line_of(index);
    !matches!(mark, "\"" | "'" | "`") || line.all(|at| tokens.get(at) != mark || is_inside_word(tokens, at))
}

/// Returns whether a token is between two words without a blank.
fn is_inside_word(tokens: &Tokens<'_>, index: usize) -> bool {
    let is_joined = |at: usize, word: usize| tokens.is_glued(at) && tokens.is_word(word);
    is_joined(index, index.saturating_sub(1)) && is_joined(index + 1, index + 1)
}

/// Returns whether a line is mostly as it is in the file: names are learnt from no other.
fn is_copied(ours: &Tokens<'_>, file: &Tokens<'_>, in_file: &[Option<usize>], line: usize) -> bool {
    let tokens = ours.on_line(line);
    let (count, partners) = (tokens.len(), tokens.filter_map(|index| Some((index, in_file[index]?))));
    2 * partners.filter(|&(index, partner)| file.items[partner].id == ours.items[index].id).count() >= count
}

/// How one text writes the tokens that the file has, too; `None` where it is not consistent, or as the file does.
struct Learnt<'t> {
    swaps: FxHashMap<u32, Option<Swap<'t>>>,
    /// A token for each id.
    tokens: FxHashMap<u32, usize>,
}

impl<'t> Learnt<'t> {
    fn of(ours: &Tokens<'t>, file: &Tokens<'t>, in_file: &[Option<usize>]) -> Self {
        let mut swaps: FxHashMap<u32, Option<Swap<'t>>> = FxHashMap::default();
        let mut tokens = FxHashMap::default();
        for (index, partner) in in_file.iter().enumerate() {
            let Some(partner) = *partner else { continue };
            let (a, b) = (ours.items[index], file.items[partner]);
            let text = ours.get(index);
            // A name of which most letters are right, on a line that was copied well, is misremembered.
            let is_misremembered = || {
                let is_name = a.word && b.word && looks_like(text, file.get(partner));
                is_name && is_copied(ours, file, in_file, a.line as usize)
            };
            let alike = a.fold == b.fold || is_misremembered();
            let theirs = if text.starts_with('\\') { escaped(file, partner) } else { file.get(partner) };
            let typographic = matches!((plain(theirs), plain(text)), (Some(_), None));
            tokens.insert(a.id, index);
            // Between backticks a text may mean something else than between quotes.
            let ticked = (text == "`") != (theirs == "`");
            if ticked || (typographic && !is_prose(ours, index)) {
                swaps.insert(a.id, None);
                continue;
            }
            let comment = typographic.then(|| in_comment(ours, index));
            let swap = Swap { theirs, alone: ours.is_alone(index), comment };
            let learnt = (text != theirs && alike).then_some(swap);
            let known = swaps.entry(a.id).or_insert(learnt);
            *known = known.filter(|known| *known == swap);
        }
        Self { swaps, tokens }
    }

    /// Returns how this text writes the token with an id, if it has it.
    fn text(&self, ours: &Tokens<'t>, id: u32) -> Option<&'t str> {
        self.tokens.get(&id).map(|&index| ours.get(index))
    }

    /// Returns what may be written in the file's way; a name that the file knows stays as it is.
    fn usable(&self, ours: &Tokens<'t>, known: impl Fn(&str) -> bool) -> FxHashMap<u32, Swap<'t>> {
        let swaps = self.swaps.iter().filter_map(|(&id, swap)| Some((id, (*swap)?)));
        let is_known_name = |index: usize| ours.is_word(index) && known(ours.get(index));
        swaps.filter(|(id, _)| !is_known_name(self.tokens[id])).collect()
    }
}

/// Returns a token with the escaped backslash right before it: `\\d` is how a file may write what the
/// old text has as `\d`.
fn escaped<'t>(file: &Tokens<'t>, index: usize) -> &'t str {
    let (token, text) = (file.items[index], file.get(index));
    match index.checked_sub(1) {
        Some(before) if file.get(before) == "\\\\" && file.items[before].end == token.start => {
            &file.text[file.items[before].start as usize..token.end as usize]
        }
        _ => text,
    }
}
