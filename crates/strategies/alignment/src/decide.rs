//! Decides what an edit does to a haystack: one sure place, nothing, or a refusal that helps.

use std::ops::Range;

use fuzzy_carry_over::{Carried, Doubt, Key, Line, carry_over, equal_but_blanks, is_blank};
use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::index::{Index, Places};
use crate::margin;
use crate::place::{Needle, Place, find, full_lines, strictness};
use crate::readings::{Escape, Reading, escape_of, of_lines};

/// Replaces a range of the haystack by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Gives the bytes replaced.
    pub span: Range<usize>,
    /// Holds what to write there.
    pub text: String,
}

/// Names the place that comes nearest to a needle.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// Gives its bytes.
    pub span: Range<usize>,
    /// Says how alike it is, from 0 to 1.
    pub similarity: f32,
}

/// Says why an edit was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The needle is empty.
    EmptyNeedle,
    /// Needle and replacement are equal.
    Identical,
    /// No place resembles the needle.
    NotFound,
    /// This many places serve equally well.
    Ambiguous(usize),
    /// The nearest place is too unlike, or what the edit changes is not there.
    Unlike,
    /// The place is found, but fitting the replacement would be a guess.
    Guess,
}

/// Holds a whole edit as it would land, to be checked and sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Holds text copied from the haystack, where it stands once.
    pub needle: String,
    /// Holds the replacement, carried over to that text.
    pub replacement: String,
}

/// Holds what was decided.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// The edit lands here.
    Edit {
        /// Lists what to replace, in order, without overlap.
        splices: Vec<Splice>,
        /// Says how alike needle and place are.
        similarity: f32,
        /// Says how sure the place and the text are.
        confidence: f32,
    },
    /// The new text stands where the edit would land.
    AlreadyApplied {
        /// Gives its bytes.
        span: Range<usize>,
    },
    /// Nothing is done.
    Refused {
        /// Says why.
        reason: Reason,
        /// Names the nearest place.
        nearest: Option<Nearest>,
        /// Offers what probably was meant.
        proposal: Option<Proposal>,
    },
}

impl Decision {
    fn refused(reason: Reason) -> Self {
        Self::Refused { reason, nearest: None, proposal: None }
    }

    /// Gives the haystack after the edit; `None` when it was refused.
    #[must_use]
    pub fn output(&self, haystack: &str) -> Option<String> {
        match self {
            Self::Edit { splices, .. } => {
                let mut out = String::with_capacity(haystack.len());
                let mut from = 0;
                for splice in splices {
                    out.push_str(&haystack[from..splice.span.start]);
                    out.push_str(&splice.text);
                    from = splice.span.end;
                }
                out.push_str(&haystack[from..]);
                Some(out)
            }
            Self::AlreadyApplied { .. } => Some(haystack.to_owned()),
            Self::Refused { .. } => None,
        }
    }
}

/// Decides where an edit lands and what it writes there.
///
/// # Complexity
///
/// Linear in the haystack for an exact needle and for one whose words do not stand in it; else
/// one pass to index the lines, and alignments of the needle with a few windows of its size.
#[must_use]
pub fn decide(haystack: &str, needle: &str, replacement: &str, replace_all: bool) -> Decision {
    if needle == replacement {
        return Decision::refused(Reason::Identical);
    }
    if needle.is_empty() {
        return Decision::refused(Reason::EmptyNeedle);
    }
    if let Some(decision) = exact(haystack, needle, replacement, replace_all) {
        return decision;
    }
    if needle.chars().all(is_blank) {
        return Decision::refused(Reason::NotFound);
    }
    let readings = of_lines(needle, replacement);
    if !any_word_stands(haystack, &readings, replacement) {
        return Decision::refused(Reason::NotFound);
    }
    Search::new(haystack, &readings).decide(replace_all)
}

/// Returns the best place of the needle and those that equal it, with how well each explains the needle.
pub(crate) fn best_places(haystack: &str, needle: &str) -> Vec<(Range<usize>, f32)> {
    if needle.chars().all(is_blank) {
        return Vec::new();
    }
    let readings = of_lines(needle, needle);
    if !any_word_stands(haystack, &readings, needle) {
        return Vec::new();
    }
    let search = Search::new(haystack, &readings);
    let Some(found) = search.locate() else { return Vec::new() };
    std::iter::once(&found.best)
        .chain(found.rivals.iter().filter(|rival| rival.score >= found.best.score - margin::TIE))
        .filter(|place| place.score >= margin::SOUND)
        .map(|place| (search.span(place), place.score.clamp(0.0, 1.0)))
        .collect()
}

/// Handles a needle that stands in the haystack as it is.
fn exact(haystack: &str, needle: &str, replacement: &str, replace_all: bool) -> Option<Decision> {
    let finder = memmem::Finder::new(needle);
    let first = finder.find(haystack.as_bytes())?;
    if replace_all {
        let splices = finder
            .find_iter(haystack.as_bytes())
            .map(|at| Splice { span: at..at + needle.len(), text: replacement.to_owned() })
            .collect();
        return Some(Decision::Edit { splices, similarity: 1.0, confidence: 1.0 });
    }
    let mut step = 1;
    while !haystack.is_char_boundary(first + step) {
        step += 1;
    }
    let again = finder.find(&haystack.as_bytes()[first + step..]);
    let at = if again.is_none() {
        first
    } else {
        match whole_lines(haystack, needle) {
            Some(at) => at,
            None => {
                return Some(Decision::refused(Reason::Ambiguous(
                    memmem::find_iter(haystack.as_bytes(), needle).count().max(2),
                )));
            }
        }
    };
    Some(exact_at(haystack, needle, replacement, at))
}

/// Finds the only place where the needle is made of whole lines, if there is one. Blank lines at
/// the needle's ends do not tell places apart: they are the first thing to go wrong.
fn whole_lines(haystack: &str, needle: &str) -> Option<usize> {
    let core = needle.trim_matches(['\n', '\r']);
    let lead = needle.len() - needle.trim_start_matches(['\n', '\r']).len();
    if core.is_empty() {
        return None;
    }
    let mut found = None;
    for at in memmem::find_iter(haystack.as_bytes(), core) {
        let end = at + core.len();
        let whole = (at == 0 || haystack.as_bytes()[at - 1] == b'\n')
            && haystack[end..].chars().next().is_none_or(|c| c == '\n' || c == '\r');
        if whole && found.replace(at).is_some() {
            return None;
        }
    }
    let at = found?.checked_sub(lead)?;
    haystack.as_bytes()[at..].starts_with(needle.as_bytes()).then_some(at)
}

fn exact_at(haystack: &str, needle: &str, replacement: &str, at: usize) -> Decision {
    let span = at..at + needle.len();
    // The new text may stand here already, with the old one inside it.
    if let Some(offset) = replacement.find(needle) {
        if let Some(start) = at.checked_sub(offset) {
            if haystack.as_bytes()[start..].starts_with(replacement.as_bytes()) {
                return Decision::AlreadyApplied { span: start..start + replacement.len() };
            }
        }
    }
    let line = haystack[..at].rfind('\n').map_or(0, |at| at + 1);
    let inside_indent = at > line && haystack[line..at].chars().all(is_blank);
    let indent = &haystack[line..at];
    if inside_indent && replacement.contains('\n') && !indented_alone(haystack, indent, needle, replacement) {
        if let Ok(carried) = carry_over(haystack, span.clone(), needle, replacement) {
            if carried.doubts.is_empty() {
                return edit(carried, 1.0, 0.98);
            }
        }
    }
    Decision::Edit { splices: vec![Splice { span, text: replacement.to_owned() }], similarity: 1.0, confidence: 1.0 }
}

/// Tells whether the lines of a replacement have their own indentation, though the needle starts
/// inside one: all are indented as the file is there, or the file indents lines that begin like
/// them as they are rather than shifted.
fn indented_alone(haystack: &str, indent: &str, needle: &str, replacement: &str) -> bool {
    let own = |line: &str| line.len() - line.trim_start_matches(is_blank).len();
    let lines: Vec<&str> = replacement.split('\n').skip(1).filter(|line| !line.chars().all(is_blank)).collect();
    if own(needle) > 0 {
        // Part of the indentation was copied: the rest was lost, everywhere.
        return false;
    }
    if lines.iter().all(|line| own(line) >= indent.len()) {
        return true;
    }
    let head = |line: &str| -> String {
        let body = line.trim_start_matches(is_blank);
        let end = body
            .char_indices()
            .skip_while(|(_, c)| !c.is_alphanumeric())
            .find(|(_, c)| !(c.is_alphanumeric() || *c == '_' || *c == '-'))
            .map_or(body.len(), |(at, _)| at);
        body[..end].to_owned()
    };
    let mut known: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for line in haystack.split('\n') {
        if line.len() < 400 {
            known.entry(head(line)).or_default().push(own(line));
        }
    }
    // One vote for each line that says enough to be recognised.
    let (mut alone, mut others) = (0, 0);
    for line in lines {
        let begins = head(line);
        let places = known.get(&begins).map_or(&[][..], Vec::as_slice);
        let count = |indent: usize| places.iter().filter(|&&found| found == indent).count();
        if begins.len() >= 6 && count(own(line)) > count(own(line) + indent.len()) {
            alone += 1;
        } else {
            others += 1;
        }
    }
    alone > others
}

fn edit(carried: Carried, similarity: f32, confidence: f32) -> Decision {
    Decision::Edit { splices: vec![Splice { span: carried.span, text: carried.text }], similarity, confidence }
}

/// Tells whether one of the longest words of any reading, or of the replacement, stands in the
/// haystack. Where none does, nothing can be found.
fn any_word_stands(haystack: &str, readings: &[Reading<'_>], replacement: &str) -> bool {
    let texts = readings.iter().map(|reading| reading.needle.as_ref()).chain([replacement]);
    for text in texts {
        let mut words: Vec<&str> =
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words.dedup();
        words.truncate(8);
        if words.is_empty() {
            return true;
        }
        if words.iter().any(|word| memmem::find(haystack.as_bytes(), word.as_bytes()).is_some()) {
            return true;
        }
    }
    false
}

struct Search<'t, 'r> {
    haystack: &'t str,
    index: Index<'t>,
    readings: &'r [Reading<'r>],
    places: FxHashMap<Key, Places>,
}

/// Holds the best place of one reading, and what competes with it.
struct Found<'r> {
    reading: &'r Reading<'r>,
    needle: Needle<'r>,
    best: Place,
    rivals: Vec<Place>,
}

impl<'t, 'r> Search<'t, 'r> {
    fn new(haystack: &'t str, readings: &'r [Reading<'r>]) -> Self {
        let index = Index::new(haystack);
        let keys: Vec<Key> = readings
            .iter()
            .flat_map(|reading| full_lines(&reading.needle).into_iter().chain(full_lines(&reading.replacement)))
            .map(|line| line.key)
            .filter(|key| key.len > 0)
            .collect();
        let places = index.places(keys.into_iter());
        Self { haystack, index, readings, places }
    }

    fn decide(&self, replace_all: bool) -> Decision {
        let Some(found) = self.locate() else {
            return Decision::refused(Reason::NotFound);
        };
        if let Some(span) = self.already(&found) {
            return Decision::AlreadyApplied { span };
        }
        self.judge(&found, replace_all)
    }

    /// Finds the reading that some place explains best.
    fn locate(&self) -> Option<Found<'r>> {
        let mut best: Option<Found<'r>> = None;
        for reading in self.readings {
            let lines: Vec<Line<'r>> = full_lines(&reading.needle);
            let needle = Needle::new(&lines, &self.places);
            let mut found = find(&self.index, &needle, &self.places);
            if found.is_empty() {
                continue;
            }
            let place = found.remove(0);
            if best.as_ref().is_none_or(|other| place.score > other.best.score + 0.01) {
                best = Some(Found { reading, needle, best: place, rivals: found });
            }
        }
        best
    }

    fn span(&self, place: &Place) -> Range<usize> {
        let (first, last) = place.lines();
        let last = last.max(first + 1) - 1;
        self.index.lines[first].start..self.index.lines[last].end
    }

    /// Tells whether the new text stands where the edit would land.
    fn already(&self, found: &Found<'_>) -> Option<Range<usize>> {
        crate::already_applied::check(&self.index, &found.needle, &found.best, &found.reading.replacement, &self.places)
            .map(|(first, last)| self.index.lines[first].start..self.index.lines[last].end)
    }

    fn judge(&self, found: &Found<'_>, replace_all: bool) -> Decision {
        let mut found_best = &found.best;
        let mut strict = strictness(&self.index, &found.needle, &found.best);
        let mut rivals: Vec<&Place> = found.rivals.iter().collect();
        // Equals are told apart by a stricter equality that exactly one of them has.
        let level = rivals
            .iter()
            .filter(|rival| rival.score >= found.best.score - margin::TIE)
            .map(|rival| (strictness(&self.index, &found.needle, rival), *rival))
            .max_by_key(|(level, _)| *level);
        let mut settled = false;
        if let Some((level, rival)) = level {
            if level > strict {
                let others =
                    rivals.iter().filter(|other| strictness(&self.index, &found.needle, other) == level).count();
                if others == 1 {
                    rivals.retain(|other| !std::ptr::eq(*other, rival));
                    found_best = rival;
                    strict = level;
                    settled = true;
                }
            } else {
                settled = strict > level;
            }
        }
        let span = self.span(found_best);
        let nearest = Some(Nearest { span: span.clone(), similarity: found_best.similarity });
        let second = rivals.first().map_or(0.0, |rival| rival.score);
        let ties = rivals.iter().filter(|rival| rival.score >= found_best.score - margin::TIE).count();
        if replace_all && ties > 0 {
            return self.all(found);
        }
        let (needle, replacement) = self.unescaped(found, found_best);
        let carried = match carry_over(self.haystack, span, &needle, &replacement) {
            Ok(carried) => carried,
            Err(_) => {
                return Decision::Refused { reason: Reason::Guess, nearest, proposal: None };
            }
        };
        let features = margin::Features::new(&found.needle, found_best, second, (settled, strict), &carried);
        let verdict = margin::judge(&features);
        if std::env::var("ALIGN_DEBUG").as_deref() == Ok("1") {
            eprintln!(
                "{features:?} {verdict:?} {:?} undone={} strict={strict} {:?}",
                carried.doubts, found.reading.undone, found_best.pairs
            );
        }
        if std::env::var("ALIGN_DEBUG").as_deref() == Ok("2") {
            let f = &features;
            let out = format!(
                "{}{}{}",
                &self.haystack[..carried.span.start],
                carried.text,
                &self.haystack[carried.span.end..]
            );
            let mut esc = String::new();
            for c in out.chars() {
                match c {
                    '"' => esc.push_str("\\\""),
                    '\\' => esc.push_str("\\\\"),
                    c if (c as u32) < 32 => esc.push_str(&format!("\\u{:04x}", c as u32)),
                    c => esc.push(c),
                }
            }
            eprintln!(
                "ROW {{\"score\":{},\"lead\":{},\"sim\":{},\"chars\":{},\"touched\":{},\"ev\":{},\"p0\":{},\"p1\":{},\"settled\":{},\"equal\":{},\"xr\":{},\"mr\":{},\"miss\":{},\"chg\":{},\"weak\":{},\"gaps\":{},\"lines\":{},\"absent\":{},\"doubt\":{},\"strict\":{strict},\"doubts\":\"{:?}\",\"n\":{},\"out\":\"{esc}\"}}",
                f.score,
                f.lead,
                f.similarity,
                f.characters,
                f.touched,
                f.evidence,
                f.pinned.0,
                f.pinned.1,
                f.settled,
                f.equal,
                f.extra_runs,
                f.missing_runs,
                f.missing,
                f.changed,
                f.weak,
                f.gaps,
                f.lines,
                f.absent,
                f.doubtful,
                carried.doubts,
                crate::COUNT.load(std::sync::atomic::Ordering::Relaxed)
            );
        }
        let changes = self.haystack[carried.span.clone()] != carried.text;
        match verdict {
            margin::Verdict::Accept(confidence) if changes => edit(carried, found_best.similarity, confidence),
            margin::Verdict::Accept(_) => Decision::AlreadyApplied { span: carried.span },
            margin::Verdict::Propose(reason) if changes => {
                Decision::Refused { reason, nearest, proposal: self.proposal(carried) }
            }
            margin::Verdict::Propose(reason) | margin::Verdict::Refuse(reason) => {
                Decision::Refused { reason, nearest, proposal: None }
            }
        }
    }

    /// Undoes the class of escaping that the paired lines show.
    fn unescaped(&self, found: &Found<'_>, place: &Place) -> (String, String) {
        let pairs: Vec<(&str, &str)> = place
            .pairs
            .iter()
            .filter(|pair| pair.left.1 == 1 && pair.right.1 == 1)
            .map(|pair| (found.needle.lines[pair.left.0].text, self.index.line(pair.right.0)))
            .collect();
        let reading = found.reading;
        match escape_of(&pairs) {
            Some(escape) => {
                // What the replacement has in common with the needle must stay in common.
                let undo = |text: &str| Escape::undo(escape, text);
                (undo(&reading.needle), undo(&reading.replacement))
            }
            None => (reading.needle.clone().into_owned(), reading.replacement.clone().into_owned()),
        }
    }

    /// Replaces at every place that equals the needle but for blanks.
    fn all(&self, found: &Found<'_>) -> Decision {
        let mut places: Vec<&Place> = std::iter::once(&found.best)
            .chain(&found.rivals)
            .filter(|place| strictness(&self.index, &found.needle, place) > 0)
            .collect();
        places.sort_by_key(|place| place.lines());
        let mut splices: Vec<Splice> = Vec::new();
        for place in places {
            let Ok(carried) =
                carry_over(self.haystack, self.span(place), &found.reading.needle, &found.reading.replacement)
            else {
                return Decision::refused(Reason::Guess);
            };
            if splices.last().is_some_and(|last| last.span.end > carried.span.start) || !carried.doubts.is_empty() {
                return Decision::refused(Reason::Guess);
            }
            splices.push(Splice { span: carried.span, text: carried.text });
        }
        if splices.is_empty() {
            return Decision::refused(Reason::NotFound);
        }
        Decision::Edit { splices, similarity: found.best.similarity, confidence: 0.9 }
    }

    /// Makes an edit that lands at exactly one place out of a carried-over one.
    fn proposal(&self, carried: Carried) -> Option<Proposal> {
        let old = &self.haystack[carried.span.clone()];
        if carried.doubts.contains(&Doubt::Absent) || old.is_empty() || equal_but_blanks(old, "") {
            return None;
        }
        let mut count = memmem::find_iter(self.haystack.as_bytes(), old.as_bytes());
        count.next();
        if count.next().is_some() {
            return None;
        }
        Some(Proposal { needle: old.to_owned(), replacement: carried.text })
    }
}
