//! The page's examples, and its files as they are served.

mod examples;
mod files;
