//! The events of hosts, and what they are answered.

mod answers;
mod every_host;
mod random;
mod settings;
mod support;
mod turns;
