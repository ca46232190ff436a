//! The intended changes of edits.

use fastrand::Rng;

use super::corpus::{File, Line, Role, number, prose};
use super::line_slips;
use super::rows::{Part, Row};
use super::words::{self, KEYWORDS, NOUNS, VERBS, arguments, capital, indentation, is_number, one, replaced};

/// Changes a line, if it is suitable.
type LineChange = fn(&str, &Part, &File, &mut Rng) -> Option<String>;

/// Changes several lines, if the place is suitable.
type Change = fn(&mut Part, &File, &mut Rng) -> Option<()>;

/// All changes; more frequent ones are listed several times.
const OF_A_LINE: [LineChange; 13] =
    [value, value, word, word, word, argument, remark, remark, receiver, keyword, respell, respell, respell];
const OF_LINES: [Change; 12] = [lines, lines, lines, lines, lines, blank_line, rename, wrap, unwrap, item, entry, swap];

/// Edits a part of a file with one or a few changes.
pub(super) fn edit(file: &File, rng: &mut Rng) -> Option<Part> {
    let start = rng.usize(..file.lines.len());
    let length = one(&[1, 2, 3, 3, 4, 5, 6, 8, 12], rng).min(file.lines.len() - start);
    let mut part = Part::new(file, &(start..start + length));
    for _ in 0..one(&[1, 1, 1, 2, 3], rng) {
        let index = rng.usize(..OF_A_LINE.len() + OF_LINES.len());
        // A second change is skipped if there is no room for it.
        let _ = match OF_A_LINE.get(index) {
            Some(change) => change_line(*change, &mut part, file, rng),
            None => OF_LINES[index - OF_A_LINE.len()](&mut part, file, rng),
        };
    }
    let is_edit = part.rows.iter().any(|row| !row.is_kept());
    (is_edit && is_found(&part)).then_some(part)
}

/// Returns whether the place of the edit is clear: some of its lines occur once in the file, and so does its old text.
fn is_found(part: &Part) -> bool {
    let old = part.column(|row| &row.old);
    let whole = part.whole(|row| &row.file);
    let lines = part.rows.iter().filter_map(|row| row.file.as_deref()).map(str::trim);
    let count = lines.filter(|line| line.len() > 10 && whole.matches(line).take(2).count() == 1).count();
    count > usize::from(part.rows.len() > 3) && whole.matches(&old).take(2).count() == 1
}

/// Changes one of the lines that are suitable.
fn change_line(change: LineChange, part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let mut lines = part.indexes(|row| row.is_kept() && !row.is_blank());
    rng.shuffle(&mut lines);
    let (at, changed) = lines.into_iter().find_map(|at| {
        let line = text(part, at);
        Some((at, change(&line, part, file, rng).filter(|changed| *changed != line)?))
    })?;
    part.rows[at].change(changed);
    Some(())
}

/// Picks one of the unchanged, non-blank lines for which `matches` holds.
fn pick(part: &Part, rng: &mut Rng, matches: impl Fn(&Row) -> bool) -> Option<usize> {
    rng.choice(part.indexes(|row| row.is_kept() && !row.is_blank() && matches(row)))
}

/// Returns the file's line `at`.
fn text(part: &Part, at: usize) -> String {
    part.rows[at].file.clone().unwrap_or_default()
}

/// Replaces a number by another one.
fn value(line: &str, _: &Part, _: &File, rng: &mut Rng) -> Option<String> {
    let place = words::pick(line, rng, is_number)?;
    Some(replaced(line, place, &rng.usize(2..900).to_string()))
}

/// Replaces a word by another one.
fn word(line: &str, _: &Part, file: &File, rng: &mut Rng) -> Option<String> {
    let place = words::pick(line, rng, |token| token.len() > 3 && token.starts_with(char::is_alphabetic))?;
    let word = &line[place.clone()];
    let other = match rng.usize(..3) {
        _ if word.starts_with(char::is_uppercase) => capital(one(NOUNS, rng)),
        0 => file.name(rng).to_owned(),
        1 => one(NOUNS, rng).to_owned(),
        _ => one(VERBS, rng).to_owned(),
    };
    let is_other = !line.contains(&other) && !word.contains(&other) && !other.contains(word);
    is_other.then(|| replaced(line, place, &other))
}

/// Adds or removes the receiver of the first call on a line.
fn receiver(line: &str, _: &Part, file: &File, rng: &mut Rng) -> Option<String> {
    let start = indentation(line) + words::keyword(line).map_or(0, str::len);
    let end = start + line[start..].find(|c| !words::is_word(c)).filter(|length| *length > 0)?;
    match line[end..].chars().next()? {
        '.' if line.contains('(') => Some(replaced(line, start..=end, "")),
        '(' => Some(replaced(line, start..start, &format!("{}.", file.name(rng)))),
        _ => None,
    }
}

/// Adds or removes an argument.
fn argument(line: &str, part: &Part, file: &File, rng: &mut Rng) -> Option<String> {
    if rng.bool() {
        return line_slips::on("argument", line, part, rng);
    }
    let (_, close) = arguments(line)?;
    Some(replaced(line, close..close, &format!(", {}", file.name(rng))))
}

/// Changes the text of a comment, or appends a comment.
fn remark(line: &str, part: &Part, _: &File, rng: &mut Rng) -> Option<String> {
    let mark = Some(part.comment).filter(|mark| !mark.is_empty())?;
    Some(match line.find(mark) {
        None => format!("{line}  {mark} {}", prose(rng)),
        Some(at) if rng.bool() => format!("{}{mark} {}", &line[..at], prose(rng)),
        Some(_) => format!("{line} {}", number(rng)),
    })
}

/// Adds a keyword before a line, or removes the one at its start.
fn keyword(line: &str, _: &Part, _: &File, rng: &mut Rng) -> Option<String> {
    let start = indentation(line);
    match words::keyword(line) {
        Some(word) => Some(replaced(line, start..start + word.len(), "")),
        None if line[start..].starts_with(char::is_alphabetic) => {
            Some(replaced(line, start..start, one(KEYWORDS, rng)))
        }
        None => None,
    }
}

/// Changes what may also be a slip: the mark at the end of a line, its quotes, or the case of a word.
fn respell(line: &str, part: &Part, _: &File, rng: &mut Rng) -> Option<String> {
    line_slips::on(one(&["drop_mark", "add_mark", "quotes", "case"], rng), line, part, rng)
}

/// Adds one or two lines beside a line or in its place, or only deletes it.
fn lines(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let at = pick(part, rng, |row| row.is_plain)?;
    let (is_kept, count) =
        one(&[(true, 1), (true, 2), (true, rng.usize(1..3)), (false, rng.usize(1..3)), (false, 0)], rng);
    let added: Vec<Row> = (0..count).map(|_| Row::added(like(part, file, at, rng))).collect();
    let place = at + usize::from(!is_kept || rng.usize(..4) > 0);
    if !is_kept {
        part.rows[at].delete();
    }
    part.rows.splice(place..place, added);
    (part.rows.len() > 1).then_some(())
}

/// Returns a new line that resembles the line `at`.
pub(super) fn like(part: &Part, file: &File, at: usize, rng: &mut Rng) -> String {
    let line = text(part, at);
    let (indentation, near) = line.split_at(indentation(&line));
    let is_entry = near.ends_with([',', ';']) && !near.contains('(');
    let near = Line { depth: 0, text: near.to_owned(), role: Role::Plain };
    let new = if is_entry { file.entry(&near, rng) } else { file.statement(0, rng) };
    format!("{indentation}{}", new.text)
}

/// Deletes a blank line, or adds one between two lines without.
fn blank_line(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let rows = &part.rows;
    let places = (1..rows.len()).filter(|&at| rows[at].is_kept() && rows[at - 1].is_kept() && !rows[at - 1].is_blank());
    let at = rng.choice(places.collect::<Vec<_>>())?;
    if rows[at].is_blank() {
        part.rows[at].delete();
    } else {
        part.rows.insert(at, Row::added(String::new()));
    }
    Some(())
}

/// Renames a name everywhere in the part.
fn rename(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let line = text(part, pick(part, rng, |_| true)?);
    let place = words::pick(&line, rng, |name| name.len() > 4 && name.starts_with(char::is_lowercase))?;
    let other = format!("{}{}", one(VERBS, rng), capital(one(NOUNS, rng)));
    if part.has_word(&other) {
        return None;
    }
    for row in part.rows.iter_mut().filter(|row| row.is_kept()) {
        let old = row.file.clone().unwrap_or_default();
        let renamed = words::each_token(&old, |token| (*token == line[place.clone()]).then(|| other.clone()));
        if renamed != old {
            row.change(renamed);
        }
    }
    Some(())
}

/// Wraps lines in a block.
fn wrap(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let at = pick(part, rng, |row| row.is_plain)?;
    let depth = indentation(&text(part, at));
    let inside = part.rows[at..].iter().take_while(|row| row.is_kept() && row.is_plain && row.depth() == depth);
    let count = inside.count().min(rng.usize(1..4));
    let (open, close) = file.ends_of_block(rng)?;
    let outer = text(part, at)[..depth].to_owned();
    for row in &mut part.rows[at..at + count] {
        row.change(part.unit.to_owned() + row.file.as_deref().unwrap_or_default());
    }
    part.rows.splice(at + count..at + count, close.map(|close| Row::added(format!("{outer}{}", close.text))));
    part.rows.insert(at, Row::added(outer + &open.text));
    Some(())
}

/// Unwraps the lines of a block.
fn unwrap(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let at = pick(part, rng, |row| !row.is_plain)?;
    let depth = indentation(&text(part, at));
    let inside = part.rows[at + 1..].iter().take_while(|row| row.is_kept() && (row.is_blank() || row.depth() > depth));
    let count = inside.count();
    let end = part.rows.get(at + 1 + count)?;
    // Without an end marker, the block ends at the next line with less depth.
    let close = text(part, at + 1 + count);
    let has_close = end.is_kept() && indentation(&close) == depth && close.trim().starts_with(['}', ')', ']', 'E']);
    if count == 0 || (has_close != text(part, at).ends_with(['{', '[', '(', 'N'])) {
        return None;
    }
    let unit = part.unit;
    for row in part.rows[at + 1..=at + count].iter_mut().filter(|row| !row.is_blank()) {
        let line = row.file.as_deref()?.strip_prefix(unit)?.to_owned();
        row.change(line);
    }
    part.rows[at].delete();
    if has_close {
        part.rows[at + 1 + count].delete();
    }
    Some(())
}

/// Adds a function at the outermost level, after the last line of a block.
fn item(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let at = rng.choice((0..part.rows.len()).filter(|index| ends_block(part, *index)).collect::<Vec<_>>())?;
    let next = part.rows.get(at + 1).and_then(|row| row.file.as_deref()).or(part.after.get(1).map(String::as_str));
    if next.is_some_and(|line| indentation(line) > 0) {
        return None;
    }
    let lines = file.item(rng).into_iter().map(|line| part.unit.repeat(line.depth) + &line.text);
    let added: Vec<Row> = std::iter::once(String::new()).chain(lines).map(Row::added).collect();
    part.rows.splice(at + 1..=at, added);
    Some(())
}

/// Returns whether the edit keeps the line `at`, and an empty line or the end of the file follows it.
fn ends_block(part: &Part, at: usize) -> bool {
    let next = part.rows.get(at + 1).and_then(|row| row.file.as_deref()).or(part.after.first().map(String::as_str));
    part.rows[at].is_kept() && !part.rows[at].is_blank() && next.is_none_or(str::is_empty)
}

/// Moves a line after the next one.
fn swap(part: &mut Part, _: &File, rng: &mut Rng) -> Option<()> {
    let matches = |row: &Row| row.is_kept() && row.is_plain && !row.is_blank();
    let pairs = part.rows.windows(2).enumerate().filter(|(_, pair)| {
        pair.iter().all(matches) && pair[0].depth() == pair[1].depth() && pair[0].file != pair[1].file
    });
    let at = rng.choice(pairs.map(|(at, _)| at).collect::<Vec<_>>())?;
    // Nothing else changes on either line.
    let swapped = [at + 1, at].map(|line| Row::added(text(part, line)));
    part.rows[at..at + 2].iter_mut().for_each(Row::delete);
    part.rows.splice(at + 2..at + 2, swapped);
    Some(())
}

/// Adds an entry after the last one of a list, which gets a comma like the others.
fn entry(part: &mut Part, file: &File, rng: &mut Rng) -> Option<()> {
    let at = rng.choice((0..part.rows.len()).filter(|at| is_last_entry(part, *at)).collect::<Vec<_>>())?;
    let line = text(part, at);
    if !matches!(line.chars().next_back(), Some('"' | ']' | '0'..='9')) {
        return None;
    }
    let near = Line { depth: 0, text: line.trim().to_owned() + ",", role: Role::Entry };
    let entry = line[..indentation(&line)].to_owned() + file.entry(&near, rng).text.trim_end_matches(',');
    part.rows[at].change(line + ",");
    part.rows.insert(at + 1, Row::added(entry));
    Some(())
}

/// Returns whether the line `at` is the last entry of a list, without a comma.
fn is_last_entry(part: &Part, at: usize) -> bool {
    let [Some(this), Some(next)] = [part.rows.get(at), part.rows.get(at + 1)] else { return false };
    let (Some(line), Some(close)) = (&this.file, &next.file) else { return false };
    this.is_kept()
        && next.is_kept()
        && this.is_plain
        && !line.ends_with([',', ';'])
        && close.trim_start().starts_with(['}', ')', ']'])
}
