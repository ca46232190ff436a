//! The laws of landing: tables, and properties of every landing.

mod laws;
mod properties;
