//! Gets one text from a server that is not trusted.

use std::time::Instant;

use ureq::Agent;
use ureq::http::{Response, header};

use super::Snippet;
use super::error::SnippetError;

/// Steps to other addresses of the same server.
const MAX_REDIRECTS: usize = 4;

/// The body of the answer.
pub(super) fn get(snippet: &Snippet) -> Result<String, SnippetError> {
    let started = Instant::now();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // Followed here, on the same server only.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .build();
    let agent = Agent::new_with_config(config);
    let mut address = snippet.address();
    let failed = |address: &str, error: ureq::Error| SnippetError::Transfer {
        address: address.to_owned(),
        reason: error.to_string(),
    };
    for _ in 0..=MAX_REDIRECTS {
        let left = snippet.timeout.saturating_sub(started.elapsed());
        let request = agent.get(&address).config().timeout_global(Some(left)).build();
        let mut answer = request.call().map_err(|error| failed(&address, error))?;
        let status = answer.status();
        if status.is_redirection() {
            address = next(&snippet.server, &answer)?;
        } else if status.is_success() {
            let body = answer.body_mut().with_config().limit(snippet.limit).lossy_utf8(true);
            return body.read_to_string().map_err(|error| failed(&address, error));
        } else {
            return Err(SnippetError::Status(status.as_u16()));
        }
    }
    Err(SnippetError::Redirect(address))
}

/// Where a redirection leads, if it stays on the server.
fn next<Body>(server: &str, answer: &Response<Body>) -> Result<String, SnippetError> {
    let place = answer.headers().get(header::LOCATION).and_then(|place| place.to_str().ok());
    let Some(place) = place else {
        return Err(SnippetError::Status(answer.status().as_u16()));
    };
    let origin = origin(server);
    if place.starts_with('/') && !place.starts_with("//") {
        return Ok(format!("{origin}{place}"));
    }
    let stays = place.strip_prefix(origin).is_some_and(|path| path.starts_with('/'));
    if stays { Ok(place.to_owned()) } else { Err(SnippetError::Redirect(place.to_owned())) }
}

/// Scheme and host of an address.
fn origin(address: &str) -> &str {
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..].find('/').map_or(address.len(), |at| host + at);
    &address[..end]
}
