//! The laws of landing: tables, and what holds of every landing.

mod laws;
mod properties;
