//! Tests of the server from the client's side: lines of JSON over a pipe, requests over HTTP.

mod cancelled;
mod failures;
mod http;
mod patches;
mod protocol;
mod roots;
mod sessions;
mod shapes;
mod support;
mod turns;
