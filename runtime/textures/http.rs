//! Pictures of the web.

use std::time::Duration;

use ureq::Agent;
use ureq::http::header::LOCATION;
use url::Url;

use super::MAX_BYTES;
use super::error::{Reason, TextureError};

/// Time for one picture, from the first look at its host's name to its last byte.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Time for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// Fetches pictures from hosts that the user has named.
///
/// A graph that comes from a stranger could otherwise make a program ask hosts that only the program
/// reaches. Redirects are followed five times, on the same host and port only, or from `http` to
/// `https`. A picture may take 30 seconds. Proxies are those that the environment names.
#[derive(Clone, Debug)]
pub struct Http {
    /// Names, each with or without a port.
    hosts: Vec<String>,
    base: Option<Url>,
    agent: Agent,
}

/// A base address that is no address of the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidBase(String);

impl std::fmt::Display for InvalidBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} is no address of the web; it begins with http:// or https://", self.0)
    }
}

impl std::error::Error for InvalidBase {}

impl Http {
    /// Asks these hosts and no others: `example.org`, or `example.org:8080` for one port only.
    #[must_use]
    pub fn new<H: Into<String>>(hosts: impl IntoIterator<Item = H>) -> Self {
        let hosts = hosts.into_iter().map(Into::into).collect();
        Self { hosts, base: None, agent: agent(TIMEOUT, true) }
    }

    /// Gives up on a picture after this time instead of 30 seconds.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { agent: agent(timeout, true), ..self }
    }

    /// Asks the host of this address, too, and resolves relative addresses against it.
    ///
    /// # Errors
    /// It is no `http` or `https` address.
    pub fn with_base(mut self, base: &str) -> Result<Self, InvalidBase> {
        let url = Url::parse(base).ok().filter(is_web).ok_or_else(|| InvalidBase(base.into()))?;
        self.hosts.extend(authority(&url));
        self.base = Some(url);
        Ok(self)
    }

    /// Whether relative addresses mean something.
    pub(super) fn has_base(&self) -> bool {
        self.base.is_some()
    }

    /// The bytes at an address.
    pub(super) fn fetch(&self, address: &str) -> Result<Vec<u8>, TextureError> {
        let wrong = |reason| TextureError::new(address, reason);
        let parsed = match &self.base {
            Some(base) => base.join(address),
            None => Url::parse(address),
        };
        let url = parsed.map_err(|error| wrong(Reason::Fetch(error.to_string())))?;
        self.follow(url).map_err(wrong)
    }

    /// Asks, and asks again where the answer is on the same host.
    fn follow(&self, mut url: Url) -> Result<Vec<u8>, Reason> {
        let wrong = |error: ureq::Error| Reason::Fetch(error.to_string());
        if !is_web(&url) || !self.is_named(&url) {
            return Err(Reason::Host(authority(&url).unwrap_or_default()));
        }
        for _ in 0..=MAX_REDIRECTS {
            let mut response = self.agent.get(url.as_str()).call().map_err(wrong)?;
            if !response.status().is_redirection() {
                let promised = response.body().content_length();
                if promised.is_some_and(|length| length > MAX_BYTES) {
                    return Err(Reason::TooLong);
                }
                let body = response.body_mut().with_config().limit(MAX_BYTES);
                return body.read_to_vec().map_err(|error| match error {
                    ureq::Error::BodyExceedsLimit(_) => Reason::TooLong,
                    error => wrong(error),
                });
            }
            let location = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            let next = location.and_then(|location| url.join(location).ok());
            let next = next.ok_or_else(|| Reason::Fetch("a redirect to nowhere".into()))?;
            if !stays(&url, &next) {
                return Err(Reason::Host(authority(&next).unwrap_or_default()));
            }
            url = next;
        }
        Err(Reason::Fetch(format!("more than {MAX_REDIRECTS} redirects")))
    }

    fn is_named(&self, url: &Url) -> bool {
        let authority = authority(url);
        self.hosts.iter().any(|host| {
            url.host_str() == Some(host.as_str()) || authority.as_deref() == Some(host.as_str())
        })
    }
}

fn agent(timeout: Duration, may_use_proxy: bool) -> Agent {
    let mut config = Agent::config_builder()
        .timeout_global(Some(timeout))
        .timeout_connect(Some(timeout.min(CONNECT_TIMEOUT)))
        // They are followed here, where their hosts are looked at.
        .max_redirects(0)
        .user_agent(concat!("pyrograph/", env!("CARGO_PKG_VERSION")))
        .accept("image/png,image/webp,image/jpeg");
    if !may_use_proxy {
        config = config.proxy(None);
    }
    config.build().new_agent()
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host().is_some()
}

/// Host and port.
fn authority(url: &Url) -> Option<String> {
    Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))
}

/// Whether a redirect stays on its host. It may become secret, but not public.
fn stays(from: &Url, to: &Url) -> bool {
    let is_same_place = from.port_or_known_default() == to.port_or_known_default();
    let is_upgrade = (from.scheme(), to.scheme()) == ("http", "https")
        && (from.port(), to.port()) == (None, None);
    from.host() == to.host() && (from.scheme() == to.scheme() && is_same_place || is_upgrade)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;
    use std::time::{Duration, Instant};

    use url::Url;

    use super::super::tests::{PIXELS, png};
    use super::super::{Reason, Textures};
    use super::{Http, stays};

    /// Answers requests one after the other, and gives the host's name with its port.
    fn serve(answers: Vec<Vec<u8>>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).unwrap();
                let _ = stream.write_all(&answer);
            }
        });
        host
    }

    fn answer(head: &str, body: &[u8]) -> Vec<u8> {
        let head = format!(
            "HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    }

    /// No proxy stands between the test and itself.
    fn direct(http: Http, timeout: Duration) -> Http {
        Http { agent: super::agent(timeout, false), ..http }
    }

    fn read(http: Http, url: &str) -> Result<Vec<u8>, Reason> {
        read_within(http, url, super::TIMEOUT)
    }

    fn read_within(http: Http, url: &str, timeout: Duration) -> Result<Vec<u8>, Reason> {
        let mut textures = Textures::new().with_http(direct(http, timeout));
        let read = textures.read(url, false);
        read.map(|texels| texels.data().to_vec()).map_err(|error| error.reason().clone())
    }

    #[test]
    fn hosts_that_are_named_are_asked() {
        let host = serve(vec![answer("200 OK", &png())]);
        assert_eq!(read(Http::new([&host]), &format!("http://{host}/a.png")), Ok(PIXELS.to_vec()));

        let host = serve(vec![answer("200 OK", &png()), answer("200 OK", &png())]);
        let base = Http::new([""; 0]).with_base(&format!("http://{host}/folder/")).unwrap();
        assert_eq!(read(base.clone(), "a.png"), Ok(PIXELS.to_vec()));
        assert_eq!(read(base, "/root.png"), Ok(PIXELS.to_vec()));
        assert!(Http::new([""; 0]).with_base("file:///etc/").is_err());
    }

    #[test]
    fn others_are_not() {
        let refused = |http, url| matches!(read(http, url), Err(Reason::Host(_)));
        assert!(refused(Http::new(["example.org"]), "http://127.0.0.1:1/a.png"));
        assert!(refused(Http::new(["127.0.0.1:2"]), "http://127.0.0.1:1/a.png"));
        // A name is no part of a longer one.
        assert!(refused(Http::new(["example.org"]), "https://example.org.evil.example/a.png"));
        assert_eq!(
            Textures::new().read("https://example.org/a.png", false).unwrap_err().reason(),
            &Reason::NotFetched
        );
    }

    #[test]
    fn redirects_stay_on_their_host() {
        let moved = answer("302 Found\r\nlocation: /b.png", b"");
        let host = serve(vec![moved, answer("200 OK", &png())]);
        assert_eq!(read(Http::new([&host]), &format!("http://{host}/a")), Ok(PIXELS.to_vec()));

        // Another port of the same machine, which is named, is still another host.
        let away = answer("301 Moved\r\nlocation: http://127.0.0.1:1/b.png", b"");
        let host = serve(vec![away]);
        let read_away = read(Http::new([host.as_str(), "127.0.0.1:1"]), &format!("http://{host}/"));
        assert_eq!(read_away, Err(Reason::Host("127.0.0.1:1".into())));

        let endless = answer("302 Found\r\nlocation: /a", b"");
        let host = serve(vec![endless; 6]);
        let read_endless = read(Http::new([&host]), &format!("http://{host}/a"));
        assert_eq!(read_endless, Err(Reason::Fetch("more than 5 redirects".into())));
    }

    #[test]
    fn redirects_may_become_secret_and_not_public() {
        let url = |text| Url::parse(text).unwrap();
        assert!(stays(&url("http://a.org/x"), &url("https://a.org/y")));
        assert!(!stays(&url("https://a.org/x"), &url("http://a.org/y")));
        assert!(!stays(&url("https://a.org/x"), &url("https://b.a.org/y")));
        assert!(!stays(&url("http://a.org:81/x"), &url("https://a.org/y")));
    }

    #[test]
    fn failures_are_told() {
        let host = serve(vec![answer("404 Not Found", b"")]);
        let Err(Reason::Fetch(reason)) = read(Http::new([&host]), &format!("http://{host}/a"))
        else {
            panic!("a page that is missing is no picture")
        };
        assert!(reason.contains("404"), "{reason}");

        // The length is believed before anything is read.
        let long = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", super::MAX_BYTES + 1);
        let host = serve(vec![long.into_bytes()]);
        assert_eq!(read(Http::new([&host]), &format!("http://{host}/a")), Err(Reason::TooLong));
    }
    /// Hosts that take the request and say nothing, or never end.
    #[test]
    fn hosts_that_keep_one_waiting_are_left() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let start = Instant::now();
        let url = format!("http://{host}/a");
        let read = read_within(Http::new([&host]), &url, Duration::from_millis(200));
        assert!(matches!(read, Err(Reason::Fetch(_))), "{read:?}");
        assert!(start.elapsed() < Duration::from_secs(10));
        drop(listener);

        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let (ended, end) = std::sync::mpsc::channel::<()>();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
            // A byte now and then, until nobody waits any more.
            while end.recv_timeout(Duration::from_millis(50)).is_err() {
                let _ = stream.write_all(b"x");
            }
        });
        let url = format!("http://{host}/a");
        let read = read_within(Http::new([&host]), &url, Duration::from_millis(300));
        assert!(matches!(read, Err(Reason::Fetch(_))), "{read:?}");
        assert!(start.elapsed() < Duration::from_secs(10));
        ended.send(()).unwrap();
        server.join().unwrap();
    }
}
