//! Addresses and what they answer.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::pictures::Which;
use super::session::{MAX_GRAPH, Session};
use super::{assets, frames, guard};

/// How often a page that hears nothing is told that the server is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

type Shared = State<Arc<Session>>;

/// Everything that this server answers to.
pub(super) fn router(session: Arc<Session>, port: u16) -> Router {
    Router::new()
        .route("/", get(|| async { asset("index.html") }))
        .route("/page/{name}", get(|Path(name): Path<String>| async move { asset(&name) }))
        .route("/messages", get(messages))
        .route("/picture", get(picture))
        .route("/frame", get(frame))
        .route("/open", post(open))
        .route("/drop", post(drop_text))
        .route("/snippet", post(snippet))
        .layer(DefaultBodyLimit::max(MAX_GRAPH as usize))
        .layer(from_fn_with_state(port, guard::check))
        .with_state(session)
}

fn asset(name: &str) -> Response {
    match assets::find(name) {
        Some((media, text)) => ([(header::CONTENT_TYPE, media)], text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The newest message, and every later one; who is slow misses those in between.
async fn messages(State(session): Shared) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let messages = WatchStream::new(session.messages());
    let events = messages.map(|message| Ok(Event::default().data(message)));
    Sse::new(events).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE))
}

/// Which picture is asked for.
#[derive(Deserialize)]
struct Asked {
    revision: u64,
    system: usize,
    name: String,
}

/// Red, green, blue and alpha of each pixel, rows from the top.
async fn picture(State(session): Shared, Query(asked): Query<Asked>) -> Response {
    let Some(which) = Which::parse(&asked.name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let loaded = blocking(move || session.picture(asked.revision, asked.system, which)).await;
    match loaded {
        Ok(texels) => {
            let headers = [("x-width", texels.width()), ("x-height", texels.height())];
            let headers = headers.map(|(name, value)| (name, value.to_string()));
            (headers, Bytes::from_owner(Arc::clone(texels.data()))).into_response()
        }
        Err(reason) => (StatusCode::NOT_FOUND, reason).into_response(),
    }
}

/// A picture that is drawn here, and the step that it shows.
async fn frame(State(session): Shared, Query(asked): Query<frames::Asked>) -> Response {
    match blocking(move || session.frame(&asked)).await {
        Ok(frame) => {
            let headers = [
                (header::CONTENT_TYPE.as_str(), "image/png".to_owned()),
                ("x-step", frame.step.to_string()),
            ];
            (headers, frame.png).into_response()
        }
        Err(reason) => (StatusCode::UNPROCESSABLE_ENTITY, reason).into_response(),
    }
}

/// What a request names: a file, a text or a snippet.
#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn open(State(session): Shared, Query(named): Query<Named>) -> Response {
    told(blocking(move || session.open(&named.name)).await)
}

async fn drop_text(State(session): Shared, Query(named): Query<Named>, body: Bytes) -> Response {
    let show = move || {
        session.drop_text(&named.name, body.to_vec());
        Ok(())
    };
    told(blocking(show).await)
}

async fn snippet(State(session): Shared, Query(named): Query<Named>) -> Response {
    told(blocking(move || session.fetch(&named.name)).await)
}

/// Runs what takes long beside the threads that answer. Compiling deep graphs takes stack, which
/// the compiler provides for itself.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(format!("it failed: {error}")))
}

fn told(outcome: Result<(), String>) -> Response {
    match outcome {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(reason) => (StatusCode::UNPROCESSABLE_ENTITY, reason).into_response(),
    }
}
