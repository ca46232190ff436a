//! Writes events to standard error, for a person who looks for the reason of a decision.

use std::fmt::{self, Write as _};
use std::io;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, layer};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The environment variable with the wanted events, such as `fuzzy_core=debug`: the one that programs in Rust share.
const VARIABLE: &str = "RUST_LOG";

/// The events of `--verbose`.
const DECISIONS: &str = "fuzzy_core=debug";

/// Writes the events that the environment asks for; without the variable, those of `--verbose` in words, or nothing. A
/// value that cannot be read is reported and ignored: it is no reason to refuse an edit.
pub(crate) fn write_wanted(is_verbose: bool) {
    let wanted = std::env::var(VARIABLE).ok();
    match wanted.as_deref().or(is_verbose.then_some(DECISIONS)).map(str::parse::<Targets>) {
        Some(Ok(targets)) if wanted.is_none() => {
            let words = layer().with_writer(io::stderr).with_ansi(false).event_format(Words);
            tracing_subscriber::registry().with(words).with(targets).init();
        }
        Some(Ok(targets)) => {
            let plain = layer().with_writer(io::stderr).with_ansi(false);
            tracing_subscriber::registry().with(plain).with(targets).init();
        }
        Some(Err(error)) => eprintln!("fuzzy-edit: {VARIABLE} is ignored: {error}"),
        None => {}
    }
}

/// Formats an event as a line of words: the message, the fields of the event, and those of the decision in brackets.
struct Words;

impl<S, N> FormatEvent<S, N> for Words
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut words = Fields::default();
        event.record(&mut words);
        write!(writer, "fuzzy-edit: {}: {}", words.message, words.fields)?;
        if let Some(span) = context.lookup_current() {
            let extensions = span.extensions();
            let of_span = extensions.get::<FormattedFields<N>>().map_or("", |fields| fields.fields.as_str());
            write!(writer, " ({})", of_span.replace('=', " ").replace('"', "").replace('_', " "))?;
        }
        writeln!(writer)
    }
}

/// The message of an event, and its fields separated by commas.
#[derive(Default)]
struct Fields {
    message: String,
    fields: String,
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.record_debug(field, &format_args!("{value:.3}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            let _ = write!(self.message, "{value:?}");
        } else {
            let comma = if self.fields.is_empty() { "" } else { ", " };
            let _ = write!(self.fields, "{comma}{} {value:?}", field.name().replace('_', " "));
        }
    }
}
