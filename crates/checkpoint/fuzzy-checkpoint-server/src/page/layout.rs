//! The frame of every page, and its headers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::text::{plain, utc};
use fuzzy_checkpoint_store::Session;
use maud::{DOCTYPE, Markup, html};

/// What style, icon and script are served as.
pub(super) const STYLE: &str = include_str!("style.css");
pub(super) const ICON: &str = include_str!("icon.svg");

pub(super) const SCRIPT: &str = include_str!("live.js");

/// The place of the style sheet. It changes with the sheet, so that a browser may keep it for good.
pub(super) static STYLE_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/style-{}.css", hash(STYLE)));

/// The place of the script, as that of the style sheet.
pub(super) static SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/live-{}.js", hash(SCRIPT)));

fn hash(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The place of the icon.
pub(super) const ICON_PATH: &str = "/assets/icon.svg";

/// What a page may load: its style sheet, its icon and its script, from here. The script asks nobody else either. What
/// people and agents wrote is never served as a script: browsers are told to believe the type of every answer.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A page as it is sent.
pub(super) struct Html(pub(super) StatusCode, pub(super) Markup);

impl IntoResponse for Html {
    fn into_response(self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            // With less, browsers do not say either where a form of ours comes from.
            (header::REFERRER_POLICY, "same-origin"),
        ];
        (self.0, headers, self.1.into_string()).into_response()
    }
}

/// A page about to be framed.
pub(super) struct Page<'a> {
    /// What the window is called.
    pub(super) title: &'a str,
    /// The pages above this one: address and name.
    pub(super) above: &'a [(String, String)],
    /// After how many seconds the page is fetched anew where scripts are off. Only for pages that show progress and nothing else: a page that
    /// is fetched while somebody reads loses what was unfolded and marked.
    pub(super) refresh: Option<u32>,
    /// What the page shows that may go on while it is open.
    pub(super) live: Option<Live<'a>>,
    /// Its content.
    pub(super) body: Markup,
}

/// What a page shows of a session that may go on.
pub(super) struct Live<'a> {
    pub(super) session: &'a Session,
    /// Where the newest state of the page is.
    pub(super) path: &'a str,
}

/// Frames a page.
pub(super) fn page(page: &Page<'_>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // The script knows by itself when there is something new.
                @if let Some(seconds) = page.refresh { noscript { meta http-equiv="refresh" content=(seconds); } }
                title { (plain(page.title)) " · fuzzy-edit" }
                link rel="stylesheet" href=(*STYLE_PATH);
                link rel="icon" href=(ICON_PATH) type="image/svg+xml";
                script src=(*SCRIPT_PATH) defer {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    nav aria-label="Breadcrumb" {
                        ol {
                            li { a.brand href="/" { img src=(ICON_PATH) alt="" width="20" height="20"; "Sessions" } }
                            @for (address, name) in page.above {
                                li { a href=(address) { bdi { (plain(name)) } } }
                            }
                        }
                    }
                }
                @match &page.live {
                    Some(live) => main #main tabindex="-1"
                        data-live={ "/api/sessions/" (live.session.id) "/events" }
                        data-path=(live.path) data-seq=(live.session.next_seq) data-state=(live.session.state.as_str()) { (page.body) },
                    None => main #main tabindex="-1" { (page.body) },
                }
            }
        }
    }
}

/// Writes a moment, in milliseconds since 1970.
pub(super) fn moment(at: i64) -> Markup {
    let text = utc(at);
    html! { time datetime=(machine(&text)) title=(text) { (minutes(&text)) } }
}

/// Writes a moment as how long ago it was.
pub(super) fn ago(at: i64, now: i64) -> Markup {
    let text = utc(at);
    html! { time datetime=(machine(&text)) title=(text) { (fuzzy_checkpoint_service::text::age(now, at)) } }
}

fn machine(utc: &str) -> String {
    utc.replacen(' ', "T", 1).replace(" UTC", "Z")
}

/// Leaves the seconds out.
fn minutes(utc: &str) -> String {
    utc.rsplit_once(':').map_or_else(|| utc.to_owned(), |(minutes, _)| format!("{minutes} UTC"))
}

/// Returns which page of a long list to show, the one asked for or the nearest there is, and how many there are.
pub(super) fn page_of(asked: usize, items: usize, per_page: usize) -> (usize, usize) {
    let of = items.div_ceil(per_page).max(1);
    (asked.clamp(1, of), of)
}

/// Writes links to the neighbours of one page of a long list; nothing when there is one page.
pub(super) fn pages(label: &str, number: usize, of: usize, address: impl Fn(usize) -> String) -> Markup {
    html! {
        @if of > 1 {
            nav.pages aria-label=(label) {
                @if number > 1 {
                    a href=(address(1)) { "First" }
                    a rel="prev" href=(address(number - 1)) { "Previous" }
                }
                span { "Page " (number) " of " (of) }
                @if number < of {
                    a rel="next" href=(address(number + 1)) { "Next" }
                    a href=(address(of)) { "Last" }
                }
            }
        }
    }
}
