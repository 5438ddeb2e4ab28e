//! Who may talk to the server.
//!
//! Idea: other users of the machine, and pages of other origins in the user's own browser, can reach a port
//! of the loopback address. The first lack the session, which is given for a token that is printed once and
//! taken once; the second lack the origin: browsers name it with every request that changes something, and
//! keep a cookie with `SameSite=Strict` from other sites' requests. A name that resolves to 127.0.0.1 only
//! now (DNS rebinding) is another host.
//!
//! Invariant: nothing of the project is told and nothing is done without a session; what changes something
//! comes from this origin.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::assets::INDEX;
use crate::connections::Peer;
use crate::refused::Refused;

/// The session and the token that opens it.
pub struct Guard {
    port: u16,
    session: String,
    token: Mutex<Option<String>>,
}

impl Guard {
    /// A new session on a port.
    ///
    /// # Errors
    /// If the machine has no random numbers.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self {
            port,
            session: secret()?,
            token: Mutex::new(Some(secret()?)),
        })
    }

    /// The address that opens the page, once.
    pub fn url(&self) -> String {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        let token = token.as_deref().unwrap_or_default();
        format!("http://127.0.0.1:{}/?token={token}", self.port)
    }

    fn cookie_name(&self) -> String {
        // Cookies know no ports.
        format!("kripke_{}", self.port)
    }

    /// Whether a token is the one that was not used yet; it is from now on.
    fn takes(&self, given: &str) -> bool {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right = token.as_deref().is_some_and(|token| is_same(token, given));
        if is_right {
            *token = None;
        }
        is_right
    }

    fn has_session(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).into_iter();
        cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(key, value)| key == name && is_same(value, &self.session))
    }

    fn hosts(&self) -> [String; 2] {
        [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ]
    }

    fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
        host.is_some_and(|host| self.hosts().iter().any(|own| own.eq_ignore_ascii_case(host)))
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let origin = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
        let own = |origin: &str| self.hosts().iter().any(|own| origin == format!("http://{own}"));
        origin.is_some_and(own)
    }

    /// Whether a browser says that another site asks.
    fn is_cross_site(headers: &HeaderMap) -> bool {
        let site = headers
            .get("sec-fetch-site")
            .and_then(|value| value.to_str().ok());
        site.is_some_and(|site| site != "same-origin" && site != "none")
    }

    fn refusal(&self, request: &Request) -> Option<Refused> {
        let headers = request.headers();
        if !self.is_own_host(headers) {
            return Some(Refused::forbidden(format!(
                "this server answers as 127.0.0.1:{} only",
                self.port
            )));
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if changes && !self.is_own_origin(headers) {
            return Some(Refused::forbidden(
                "requests that change something come from the page itself",
            ));
        }
        if request.uri().path().starts_with("/api/") {
            if Self::is_cross_site(headers) {
                return Some(Refused::forbidden("another site asks"));
            }
            if !self.has_session(headers) {
                return Some(Refused::forbidden(
                    "no session: open the address that kripke serve printed, or start it again",
                ));
            }
        }
        None
    }
}

/// Looks at every request first.
pub async fn look(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    if let Some(refused) = guard.refusal(&request) {
        return protected(refused.into_response());
    }
    if guard.has_session(request.headers())
        && let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<Peer>>()
    {
        peer.keep();
    }
    protected(next.run(request).await)
}

/// The document; with the token it opens the session.
pub async fn index(State(guard): State<Arc<Guard>>, uri: Uri, headers: HeaderMap) -> Response {
    let query = uri.query().unwrap_or_default();
    let token = query.split('&').find_map(|part| part.strip_prefix("token="));
    let mut response = page();
    match token {
        Some(token) if guard.takes(token) => {
            let name = guard.cookie_name();
            let cookie = format!("{name}={}; Path=/; HttpOnly; SameSite=Strict", guard.session);
            if let Ok(value) = HeaderValue::from_str(&cookie) {
                response.headers_mut().insert(header::SET_COOKIE, value);
            }
        }
        Some(_) if !guard.has_session(&headers) => *response.status_mut() = StatusCode::FORBIDDEN,
        _ => {}
    }
    response
}

fn page() -> Response {
    ([(header::CONTENT_TYPE, INDEX.content_type)], INDEX.bytes).into_response()
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn protected(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let all = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in all {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(
        "cross-origin-opener-policy",
        HeaderValue::from_static("same-origin"),
    );
    response
}

fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 24];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares without telling by its time where two secrets differ.
fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let difference = one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_one_session() {
        let guard = Guard::new(4000).expect("random numbers");
        let url = guard.url();
        let token = url.split("token=").nth(1).expect("a token");
        assert!(!guard.takes("0"));
        assert!(guard.takes(token));
        assert!(!guard.takes(token));
    }

    #[test]
    fn only_the_own_cookie_is_the_session() {
        let guard = Guard::new(4000).expect("random numbers");
        let check = |cookie: String, expected: bool| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_str(&cookie).expect("a header"));
            assert_eq!(guard.has_session(&headers), expected, "{cookie}");
        };
        check(format!("a=b; kripke_4000={}", guard.session), true);
        check(format!("kripke_4001={}", guard.session), false);
        check("kripke_4000=".to_owned(), false);
    }
}
