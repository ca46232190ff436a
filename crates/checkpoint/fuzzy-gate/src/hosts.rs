//! The names that a server is asked for by.

use std::net::SocketAddr;

/// Are the hosts, as a `Host` header names them, that requests may be for.
#[derive(Debug, Clone)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Takes the address itself; for one that only this machine reaches `localhost`, too; and `more`, which may each
    /// end with a port.
    pub fn new(address: SocketAddr, more: impl IntoIterator<Item = String>) -> Self {
        let port = address.port();
        let loopback = address.ip().is_loopback().then(|| format!("localhost:{port}"));
        let mut hosts: Vec<String> = [address.to_string()].into_iter().chain(loopback).collect();
        if port == 80 {
            // Clients leave out the port that they would take anyway.
            let short = hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_owned));
            hosts.extend(short.collect::<Vec<_>>());
        }
        hosts.extend(more.into_iter().map(|host| host.to_ascii_lowercase()));
        Self(hosts)
    }

    /// Yields them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Returns whether a `Host` header names one of them.
    #[must_use]
    pub fn has(&self, host: &str) -> bool {
        self.iter().any(|ours| ours.eq_ignore_ascii_case(host))
    }

    /// Returns whether an `Origin` header names a page of this server.
    #[must_use]
    pub fn has_origin(&self, origin: &str) -> bool {
        let host = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
        host.is_some_and(|host| self.has(host))
    }
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn knows_its_names() {
        let hosts = Hosts::new(([127, 0, 0, 1], 7345).into(), ["Box.example.org".to_owned()]);
        for ours in ["127.0.0.1:7345", "localhost:7345", "LOCALHOST:7345", "box.example.org"] {
            assert!(hosts.has(ours), "{ours}");
        }
        for other in
            ["", "localhost", "127.0.0.1", "127.0.0.1:7346", "evil.example:7345", "localhost:7345.evil.example"]
        {
            assert!(!hosts.has(other), "{other}");
        }
        assert!(hosts.has_origin("http://localhost:7345") && hosts.has_origin("https://box.example.org"));
        for other in ["null", "", "localhost:7345", "http://evil.example", "ftp://localhost:7345"] {
            assert!(!hosts.has_origin(other), "{other}");
        }
        let other = Hosts::new(([192, 0, 2, 1], 80).into(), []);
        assert!(other.has("192.0.2.1") && other.has("192.0.2.1:80") && !other.has("localhost"));
    }
}
