//! `pyrograph preview`: a page on this machine that shows the running effect, anew on every save.
//!
//! | file | what |
//! | --- | --- |
//! | `session` | which graph is shown, and what everybody who watches is told |
//! | `compiled` | a graph as the page needs it: kernels, manifests, blocks and wires |
//! | `folder` | the graphs that may be opened, and nothing outside |
//! | `frames` | pictures that the command draws itself |
//! | `pictures` | the pixels of what a graph draws and reads |
//! | `watch` | tells the session when a file was saved |
//! | `server` | addresses and what they answer |
//! | `guard` | turns away whoever is not the page |
//! | `assets` | the page's own files |

mod assets;
mod compiled;
mod folder;
mod frames;
mod guard;
mod pictures;
mod server;
mod session;
mod watch;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::args::{self, Observe};
use crate::failure::Failure;
use crate::{Outcome, output};
use folder::Folder;
use session::Session;

/// Show a graph in a browser, anew on every save
///
/// Serves a page on this machine only, and opens it. The page runs the kernels that `build --emit wgsl`
/// prints. Without a graph it shows the samples. End it with Ctrl-C.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph preview
  pyrograph preview sparks.json
  pyrograph preview graphs/ --port 8080 --no-open")]
pub(crate) struct Preview {
    /// A graph file, or a folder of graphs, as the node particle editor saves them
    place: Option<PathBuf>,

    /// Port on this machine; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// Print the page's address, and open nothing
    #[arg(long)]
    no_open: bool,

    /// What a host will look at: columns that nobody sees are removed
    #[arg(long, value_enum, default_value_t = Observe::Render)]
    observe: Observe,

    /// Where the page fetches snippets from, if it is asked for one
    #[arg(long, value_name = "URL", default_value = pyrograph::snippet::SERVER, value_parser = args::address)]
    snippet_server: String,
}

impl Preview {
    /// Runs the subcommand until it is interrupted.
    pub(crate) fn run(&self) -> Outcome {
        let folder = self.place.as_deref().map(Folder::open).transpose()?;
        let session = Arc::new(Session::new(folder, self.observe.into(), &self.snippet_server));
        // Watches as long as it lives.
        let _watcher = watch::start(&session)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| Failure::Machine(format!("cannot start threads: {error}")))?;
        let served = runtime.block_on(self.serve(session));
        // Whoever waits for a server of snippets is not waited for.
        runtime.shutdown_background();
        served
    }

    async fn serve(&self, session: Arc<Session>) -> Outcome {
        let failed = |error| {
            Failure::Machine(format!(
                "cannot listen on port {}: {error} (without `--port` one is taken that is free)",
                self.port
            ))
        };
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let listener = tokio::net::TcpListener::bind(wanted).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let address = format!("http://127.0.0.1:{port}/");
        output::print(&format!("{address} shows {} (Ctrl-C ends it)\n", session.title()))?;
        if !self.no_open && open::that_detached(&address).is_err() {
            output::print("no browser could be started: open the address yourself\n")?;
        }
        let served = axum::serve(listener, server::router(session, port));
        let interrupted = async {
            // Without a handler the signal ends the process, as it would have done anyway.
            let _ = tokio::signal::ctrl_c().await;
        };
        tokio::select! {
            result = served => result.map_err(|error| Failure::Machine(format!("cannot serve: {error}"))),
            () = interrupted => Ok(()),
        }
    }
}
