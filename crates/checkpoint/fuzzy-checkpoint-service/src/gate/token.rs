//! The token that requests must have.

use std::fmt::{self, Write as _};
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A secret that a client sends. `Debug` does not print it.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The smallest length of a token, in bytes.
    pub const SHORTEST: usize = 16;

    /// Creates a random token.
    ///
    /// # Errors
    ///
    /// Fails if the system has no random numbers.
    pub fn fresh() -> io::Result<Self> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::from)?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// Uses a chosen token; `None` if it is too short, or contains characters that a header cannot have.
    #[must_use]
    pub fn chosen(text: &str) -> Option<Self> {
        (text.len() >= Self::SHORTEST && text.bytes().all(|byte| byte.is_ascii_graphic()))
            .then(|| Self(text.to_owned()))
    }

    /// Returns the token's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the bytes equal the token. It compares digests, so that the time reveals nothing about the
    /// token.
    #[must_use]
    pub fn is(&self, given: &[u8]) -> bool {
        Sha256::digest(given) == Sha256::digest(self.0.as_bytes())
    }

    /// Returns whether an `Authorization` header has the token in the scheme `Bearer`.
    #[must_use]
    pub fn admits_bearer(&self, authorization: &str) -> bool {
        credentials(authorization, "bearer").is_some_and(|given| self.is(given.as_bytes()))
    }

    /// Returns whether an `Authorization` header has the token as the password of the scheme `Basic`, with any user
    /// name. Browsers use this scheme.
    #[must_use]
    pub fn admits_basic(&self, authorization: &str) -> bool {
        let given = credentials(authorization, "basic").and_then(|given| STANDARD.decode(given).ok());
        given.is_some_and(|given| {
            let colon = given.iter().position(|byte| *byte == b':');
            colon.is_some_and(|at| self.is(&given[at + 1..]))
        })
    }
}

fn credentials<'a>(authorization: &'a str, scheme: &str) -> Option<&'a str> {
    let (given, credentials) = authorization.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then(|| credentials.trim())
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn a_token_has_a_minimum_length_and_no_blanks() {
        for text in ["", "fifteen-letters", "sixteen letters!", "sixteen\u{e9}letters!!", "sixteen-letters\n"] {
            assert!(Token::chosen(text).is_none(), "{text}");
        }
        assert_eq!(Token::chosen("sixteen-letters!").expect("a token").as_str(), "sixteen-letters!");
        let (one, other) = (Token::fresh().expect("random"), Token::fresh().expect("random"));
        assert_ne!(one.as_str(), other.as_str());
        assert_eq!(format!("{one:?}"), "Token(…)");
    }

    #[test]
    fn accepts_the_token_in_both_schemes() {
        let token = Token::chosen("sixteen-letters!").expect("a token");
        for good in ["Bearer sixteen-letters!", "bearer  sixteen-letters! "] {
            assert!(token.admits_bearer(good), "{good}");
        }
        for bad in ["", "Bearer", "Bearer ", "Bearer sixteen-letters", "Basic sixteen-letters!", "sixteen-letters!"] {
            assert!(!token.admits_bearer(bad), "{bad}");
        }
        // `me:sixteen-letters!`, `:sixteen-letters!`
        for good in ["Basic bWU6c2l4dGVlbi1sZXR0ZXJzIQ==", "basic OnNpeHRlZW4tbGV0dGVycyE="] {
            assert!(token.admits_basic(good), "{good}");
        }
        // `sixteen-letters!` without a name, `sixteen-letters!:me`, and invalid Base64
        for bad in ["Basic c2l4dGVlbi1sZXR0ZXJzIQ==", "Basic c2l4dGVlbi1sZXR0ZXJzITptZQ==", "Basic ?", "Basic"] {
            assert!(!token.admits_basic(bad), "{bad}");
        }
    }
}
