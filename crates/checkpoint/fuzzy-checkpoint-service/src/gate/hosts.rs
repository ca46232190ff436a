//! The host names of a server.

use std::net::SocketAddr;

/// The accepted values of the `Host` header.
#[derive(Debug, Clone)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Accepts the address itself, `localhost` if the address is a loopback address, and `more`, each of which may end
    /// with a port.
    pub fn new(address: SocketAddr, more: impl IntoIterator<Item = String>) -> Self {
        let port = address.port();
        let loopback = address.ip().is_loopback().then(|| format!("localhost:{port}"));
        let mut hosts: Vec<String> = [address.to_string()].into_iter().chain(loopback).collect();
        if port == 80 {
            // Clients omit the default port.
            let short = hosts.iter().filter_map(|host| host.strip_suffix(":80").map(str::to_owned));
            hosts.extend(short.collect::<Vec<_>>());
        }
        hosts.extend(more.into_iter().map(|host| host.to_ascii_lowercase()));
        Self(hosts)
    }

    /// Returns the accepted hosts.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Returns whether the value of a `Host` header is accepted.
    #[must_use]
    pub fn has(&self, host: &str) -> bool {
        self.iter().any(|ours| ours.eq_ignore_ascii_case(host))
    }

    /// Returns whether the value of an `Origin` header is this server's.
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
    fn accepts_only_its_own_names() {
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
