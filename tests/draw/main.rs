//! Systems drawn on a GPU adapter, looked at pixel by pixel. Where no adapter is found the tests fail
//! and say what to install.
#![expect(clippy::unwrap_used, reason = "a test says what it found")]

mod blend;
mod gpu;
mod modes;
mod picture;
mod scene;
mod sheet;
mod targets;
mod upload;
