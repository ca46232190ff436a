//! Renders the Markdown of agents without letting any of its HTML through.

use std::iter::once;

use super::syntax::{code, of_name};
use maud::{Markup, PreEscaped};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// The largest depth of nested lists and quotations; deeper texts are not rendered.
const DEPTH: usize = 32;

/// Renders a text as HTML. Its own HTML is escaped, images become their descriptions, and only links to web pages and
/// mail addresses remain.
pub(super) fn markdown(text: &str) -> Markup {
    if depth(text) > DEPTH {
        return maud::html! { pre tabindex="0" { code { (text) } } };
    }
    let mut links = Vec::new();
    let mut events = Vec::new();
    let mut fenced = None;
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => fenced = Some((kind, String::new())),
            Event::End(TagEnd::CodeBlock) => events.extend(fenced.take().map(written)),
            Event::Text(text) if fenced.is_some() => fenced.iter_mut().for_each(|(_, code)| code.push_str(&text)),
            event => harmless(event, &mut links, &mut events),
        }
    }
    let mut rendered = String::with_capacity(text.len() * 2);
    html::push_html(&mut rendered, events.into_iter());
    PreEscaped(rendered)
}

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Renders a code block.
fn written((kind, text): (CodeBlockKind<'_>, String)) -> Event<'static> {
    let name = if let CodeBlockKind::Fenced(name) = &kind { name } else { "" };
    // A tab stop makes it scrollable with the keyboard.
    let markup = maud::html! { pre tabindex="0" { code { (code(&text, of_name(name))) } } };
    Event::Html(CowStr::from(markup.into_string() + "\n"))
}

/// Adds the harmless form of an event; `links` has for each open link whether it is kept.
fn harmless<'a>(event: Event<'a>, links: &mut Vec<bool>, events: &mut Vec<Event<'a>>) {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
        // Line breaks of the author are preserved.
        Event::SoftBreak => events.push(Event::HardBreak),
        // The headings of a message must not become headings of the page.
        Event::Start(Tag::Heading { .. }) => events.extend([Event::Start(Tag::Paragraph), Event::Start(Tag::Strong)]),
        Event::End(TagEnd::Heading(_)) => events.extend([Event::End(TagEnd::Strong), Event::End(TagEnd::Paragraph)]),
        Event::Start(Tag::HtmlBlock) => events.push(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::HtmlBlock) => events.push(Event::End(TagEnd::Paragraph)),
        // Alignment would be an inline style.
        Event::Start(Tag::Table(columns)) => {
            let plain = columns.iter().map(|_| pulldown_cmark::Alignment::None);
            events.push(Event::Start(Tag::Table(plain.collect())));
        }
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
        Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
            let leads = leads(&dest_url);
            links.push(leads);
            let title = CowStr::Borrowed("");
            events.extend(once(Event::Start(Tag::Link { link_type, dest_url, title, id })).filter(|_| leads));
        }
        Event::End(TagEnd::Link) => {
            let leads = links.pop().unwrap_or(false);
            events.extend(once(Event::End(TagEnd::Link)).filter(|_| leads));
        }
        other => events.push(other),
    }
}

fn leads(address: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|start| address.get(..start.len()).is_some_and(|given| given.eq_ignore_ascii_case(start)))
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn markdown_is_rendered() {
        for (text, html) in [
            ("a *b* `c`", "<p>a <em>b</em> <code>c</code></p>\n"),
            ("# Title", "<p><strong>Title</strong></p>\n"),
            ("one\ntwo", "<p>one<br />\ntwo</p>\n"),
            ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
            ("```text\nlet x = \"<b>\";\n```", "<pre tabindex=\"0\"><code>let x = \"&lt;b&gt;\";\n</code></pre>\n"),
            ("```rust\nlet\n```", "<pre tabindex=\"0\"><code><span class=\"w\">let</span>\n</code></pre>\n"),
            ("[x](https://example.org/?a&b)", "<p><a href=\"https://example.org/?a&amp;b\">x</a></p>\n"),
        ] {
            assert_eq!(markdown(text).into_string().replace("&quot;", "\""), html, "{text}");
        }
    }

    #[test]
    fn html_and_unsafe_links_are_removed() {
        for text in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "[x](javascript:alert(1))",
            "[x](data:text/html,<script>alert(1)</script>)",
            "[x](JaVaScRiPt:alert(1) \"title\")",
            "![x](https://example.org/pixel.png)",
            "<javascript:alert(1)>",
            "| a |\n|--:|\n| <b>x</b> |",
            "```\"><script>\nx\n```",
            "<!-- --><style>*{display:none}</style>",
            "[x](/restores/1/abort)",
        ] {
            let rendered = markdown(text).into_string();
            for tag in ["<script", "<img", "<style", "style=", "<b>", "href=", "onerror=alert(1)>", "title="] {
                assert!(!rendered.contains(tag), "{text}: {rendered}");
            }
        }
    }

    #[test]
    fn deeply_nested_text_is_not_rendered() {
        assert!(markdown(&"> ".repeat(20_000)).into_string().starts_with("<pre"));
        assert!(markdown("> > - a").into_string().contains("<blockquote>"));
    }
}
