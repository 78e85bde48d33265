//! Turns away whoever is not the page of this server.
//!
//! The server listens on this machine only, but every page that a browser shows can send requests to
//! it. A request passes if it names this server as its host (a foreign name that was pointed here does
//! not) and comes from no other page. Requests that change something must also have a header that
//! another page cannot send without asking first.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Sent by the page with whatever changes something.
const MARK: &str = "x-pyrograph";

/// Where a request is from, in the words of a browser.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a page may do: its own files, its own requests, pictures that it makes itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' blob: data:; form-action 'none'; frame-ancestors 'none'; \
                      base-uri 'none'";

/// Lets a request of the page pass.
pub(super) async fn check(State(port): State<u16>, request: Request, next: Next) -> Response {
    if let Some(reason) = refusal(port, request.method(), request.headers()) {
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn refusal(port: u16, method: &Method, headers: &HeaderMap) -> Option<&'static str> {
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
    if !text(header::HOST).is_some_and(|host| names.iter().any(|name| name == host)) {
        return Some("this server answers to 127.0.0.1 and localhost only\n");
    }
    let is_own =
        |origin: &str| names.iter().any(|name| origin.strip_prefix("http://") == Some(name));
    if text(header::ORIGIN).is_some_and(|origin| !is_own(origin)) {
        return Some("this server answers its own page only\n");
    }
    // Browsers say so of pictures and scripts that another page wants.
    if text(SITE).is_some_and(|site| ["cross-site", "same-site"].contains(&site)) {
        return Some("this server answers its own page only\n");
    }
    if method != Method::GET && !headers.contains_key(MARK) {
        return Some("requests that change something need the header x-pyrograph\n");
    }
    None
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};

    use super::refusal;

    fn passes(method: Method, headers: &[(&'static str, &'static str)]) -> bool {
        let headers: HeaderMap = headers
            .iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        refusal(80, &method, &headers).is_none()
    }

    #[test]
    fn only_the_page_passes() {
        let host = ("host", "127.0.0.1:80");
        let mark = ("x-pyrograph", "1");
        assert!(passes(Method::GET, &[host]));
        assert!(passes(Method::GET, &[("host", "localhost:80")]));
        assert!(passes(Method::GET, &[host, ("origin", "http://localhost:80")]));
        assert!(passes(Method::POST, &[host, mark, ("origin", "http://127.0.0.1:80")]));
        assert!(!passes(Method::GET, &[]));
        assert!(!passes(Method::GET, &[("host", "127.0.0.1")]));
        assert!(!passes(Method::GET, &[("host", "evil.example:80")]));
        assert!(!passes(Method::GET, &[host, ("origin", "http://evil.example")]));
        assert!(!passes(Method::GET, &[host, ("origin", "http://127.0.0.1:81")]));
        assert!(!passes(Method::GET, &[host, ("origin", "https://127.0.0.1:80")]));
        assert!(!passes(Method::GET, &[host, ("origin", "null")]));
        assert!(passes(Method::GET, &[host, ("sec-fetch-site", "none")]));
        assert!(passes(Method::GET, &[host, ("sec-fetch-site", "same-origin")]));
        assert!(!passes(Method::GET, &[host, ("sec-fetch-site", "cross-site")]));
        assert!(!passes(Method::POST, &[host]));
        assert!(!passes(Method::POST, &[host, mark, ("origin", "http://evil.example")]));
    }
}
