//! The events of hosts, and their answers.

mod answers;
mod every_host;
mod home;
mod random;
mod settings;
mod shell;
mod support;
mod theirs;
mod turns;
mod views;
