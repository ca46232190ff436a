//! Code pages of terminals, and the texts that they show of UTF-8.

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

/// A code page in which a terminal decodes bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Page {
    /// A page of the Encoding Standard.
    Standard(&'static Encoding),
    /// 850, of consoles in Western Europe.
    Ibm850,
}

/// The pages: 1252, 1250, 1251, 850, 936, 932, 949, 950. Those of single bytes are first, so that they are preferred where
/// only marks of lost bytes show that there is one.
pub(crate) const PAGES: [Page; 8] = [
    Page::Standard(WINDOWS_1252),
    Page::Standard(WINDOWS_1250),
    Page::Standard(WINDOWS_1251),
    Page::Ibm850,
    Page::Standard(GBK),
    Page::Standard(SHIFT_JIS),
    Page::Standard(EUC_KR),
    Page::Standard(BIG5),
];

/// The upper half of code page 850. Source: Unicode's mapping file `CP850.TXT`.
const IBM850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// The most bytes that one mark of a terminal for lost text stands for: a character of UTF-8.
const LONGEST: usize = 4;

impl Page {
    /// Appends the bytes of a character; returns false if the page lacks it.
    fn encode(self, c: char, bytes: &mut Vec<u8>) -> bool {
        match self {
            Self::Standard(encoding) => {
                let mut buffer = [0; 4];
                let (encoded, _, is_lossy) = encoding.encode(c.encode_utf8(&mut buffer));
                bytes.extend_from_slice(&encoded);
                !is_lossy
            }
            Self::Ibm850 if c.is_ascii() => {
                bytes.extend(u8::try_from(c));
                true
            }
            Self::Ibm850 => {
                let place = IBM850.chars().position(|other| other == c).and_then(|at| u8::try_from(at + 0x80).ok());
                bytes.extend(place);
                place.is_some()
            }
        }
    }

    /// Returns whether the page shows each byte as one character, so that it loses none without a mark.
    pub(crate) fn is_single_byte(self) -> bool {
        match self {
            Self::Standard(encoding) => encoding.is_single_byte(),
            Self::Ibm850 => true,
        }
    }

    /// Returns the text that the page shows as `shown`, if nothing of it is lost.
    pub(crate) fn restore(self, shown: &str) -> Option<String> {
        let mut bytes = Vec::with_capacity(shown.len());
        let is_whole = shown.chars().all(|c| self.encode(c, &mut bytes));
        String::from_utf8(bytes).ok().filter(|text| is_whole && text != shown)
    }

    /// Returns whether the page may show `text` as `shown`, where `?` and U+FFFD stand for lost bytes, and characters of
    /// private use are dropped.
    pub(crate) fn shows(self, text: &str, shown: &str) -> bool {
        let text = text.as_bytes();
        let mut ends = vec![0];
        for c in shown.chars() {
            ends = self.after(c, text, &self.with_dropped(text, ends));
            if ends.is_empty() {
                return false;
            }
        }
        self.with_dropped(text, ends).contains(&text.len())
    }

    /// Returns the places in `text` behind one shown character that begins at one of `starts`.
    fn after(self, c: char, text: &[u8], starts: &[usize]) -> Vec<usize> {
        let is_mark = matches!(c, '?' | char::REPLACEMENT_CHARACTER);
        let mut ends = Vec::new();
        for &start in starts {
            let rest = &text[start..];
            // Several pairs of bytes may have one character, so the bytes are decoded, not the character encoded.
            let is_shown = |length: &usize| rest.get(..*length).is_some_and(|bytes| self.decodes(bytes, c));
            ends.extend([1, 2].into_iter().filter(is_shown).map(|length| start + length));
            // An incomplete character of two bytes takes its neighbour with it.
            let high = rest.iter().take_while(|byte| !byte.is_ascii()).count();
            if is_mark && high > 0 {
                ends.extend((1..=(high + 1).min(LONGEST).min(rest.len())).map(|length| start + length));
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Returns whether these bytes are one character, `c`.
    fn decodes(self, bytes: &[u8], c: char) -> bool {
        match self {
            _ if bytes[0].is_ascii() => u8::try_from(c).is_ok_and(|c| bytes == [c]),
            Self::Standard(encoding) => {
                let mut buffer = [0; 4];
                let shown = encoding.decode_without_bom_handling_and_without_replacement(bytes);
                shown.is_some_and(|shown| *shown == *c.encode_utf8(&mut buffer))
            }
            Self::Ibm850 => bytes.len() == 1 && IBM850.chars().nth(usize::from(bytes[0]) - 0x80) == Some(c),
        }
    }

    /// Adds the places behind characters of private use, which programs drop.
    fn with_dropped(self, text: &[u8], mut starts: Vec<usize>) -> Vec<usize> {
        let Self::Standard(encoding) = self else { return starts };
        let mut at = 0;
        while let Some(&start) = starts.get(at) {
            if let Some(pair) = text.get(start..start + 2).filter(|pair| !pair[0].is_ascii()) {
                let is_private = |c: char| ('\u{e000}'..='\u{f8ff}').contains(&c);
                let shown = encoding.decode_without_bom_handling_and_without_replacement(pair);
                if shown.is_some_and(|shown| shown.chars().all(is_private)) && !starts.contains(&(start + 2)) {
                    starts.push(start + 2);
                }
            }
            at += 1;
        }
        starts
    }
}
