//! Rules of the contract that no recording shows, a short test each; `docs/ledger.md` says which
//! test shows which row. Section numbers are the contract's.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod blocks;
mod defaults;
mod drawing;
mod draws;
#[path = "../states/driver.rs"]
mod driver;
mod emitters;
mod extra;
mod inputs;
mod intake;
mod ledger;
mod lifecycle;
mod messages;
mod plumbing;
mod shorthand;
mod sources;
mod stable;
mod storage;
mod textures;
