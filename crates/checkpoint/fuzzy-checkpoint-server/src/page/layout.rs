//! The frame of every page, and its headers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fuzzy_checkpoint_service::text::{plain, utc};
use fuzzy_checkpoint_store::Session;
use maud::{DOCTYPE, Markup, html};

/// The contents of the style sheet, icon and script.
pub(super) const STYLE: &str = include_str!("style.css");
pub(super) const ICON: &str = include_str!("icon.svg");

pub(super) const SCRIPT: &str = include_str!("live.js");

/// The path of the style sheet. It changes with the contents, so that browsers may cache it forever.
pub(super) static STYLE_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/style-{}.css", hash(STYLE)));

/// The path of the script; it changes with the contents, too.
pub(super) static SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/live-{}.js", hash(SCRIPT)));

/// Returns a short word for a text.
pub(super) fn hash(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The path of the icon.
pub(super) const ICON_PATH: &str = "/assets/icon.svg";

/// The content security policy: a page may load only this server's style sheet, icon and script, and the script may
/// connect only to this server. Messages are never served as scripts: browsers must not guess the type of a response.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A response with a page.
pub(super) struct Html(pub(super) StatusCode, pub(super) Markup);

impl IntoResponse for Html {
    fn into_response(self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            // With a stricter policy, browsers also omit the origin of our own forms.
            (header::REFERRER_POLICY, "same-origin"),
        ];
        (self.0, headers, self.1.into_string()).into_response()
    }
}

/// The data of a page.
pub(super) struct Page<'a> {
    /// The title of the window.
    pub(super) title: &'a str,
    /// The pages above this one: address and name.
    pub(super) above: &'a [(String, String)],
    /// The number of seconds after which the page is reloaded if scripts are off. Only for pages that show nothing but
    /// progress: a reload loses unfolded parts and ticked boxes.
    pub(super) refresh: Option<u32>,
    /// The session whose changes update the open page.
    pub(super) live: Option<Live<'a>>,
    /// Its content.
    pub(super) body: Markup,
}

/// A session that may change while its page is open.
pub(super) struct Live<'a> {
    pub(super) session: &'a Session,
    /// The address of the page's newest state.
    pub(super) path: &'a str,
}

/// Renders a whole page.
pub(super) fn page(page: &Page<'_>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // The script updates the page by itself.
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

/// Renders a time, in milliseconds since 1970.
pub(super) fn moment(at: i64) -> Markup {
    let text = utc(at);
    html! { time datetime=(machine(&text)) title=(text) { (minutes(&text)) } }
}

/// Renders a time as its age.
pub(super) fn ago(at: i64, now: i64) -> Markup {
    let text = utc(at);
    html! { time datetime=(machine(&text)) title=(text) { (fuzzy_checkpoint_service::text::age(now, at)) } }
}

fn machine(utc: &str) -> String {
    utc.replacen(' ', "T", 1).replace(" UTC", "Z")
}

/// Removes the seconds.
fn minutes(utc: &str) -> String {
    utc.rsplit_once(':').map_or_else(|| utc.to_owned(), |(minutes, _)| format!("{minutes} UTC"))
}

/// Returns the page of a long list to show, which is the requested one or the nearest existing one, and the number of
/// pages.
pub(super) fn page_of(requested: usize, items: usize, per_page: usize) -> (usize, usize) {
    let of = items.div_ceil(per_page).max(1);
    (requested.clamp(1, of), of)
}

/// Renders links to the neighbours of one page of a long list; nothing if there is only one page.
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
