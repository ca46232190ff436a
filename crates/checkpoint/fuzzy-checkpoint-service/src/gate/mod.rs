//! Authentication of a local server: tokens and allowed hosts.
//!
//! A foreign page in the user's browser can send requests to this machine, even under its own host name if that
//! resolves to this machine. [`Hosts`] has the host names that the server accepts. A [`Token`] excludes clients that do
//! not know it.

mod hosts;
mod token;

pub use hosts::Hosts;
pub use token::Token;
