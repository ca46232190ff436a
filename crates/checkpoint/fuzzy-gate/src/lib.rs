//! Says whom a server on this machine listens to.
//!
//! A page of a stranger, opened in the user's browser, can send requests to this machine, also under a name of its own
//! that it makes lead here. [`Hosts`] are the names a server is really asked for by. A [`Token`] keeps out anyone who
//! does not know it.

mod hosts;
mod token;

pub use hosts::Hosts;
pub use token::Token;
