//! Which program a state belongs to.

use std::fmt::{self, Write};
use std::hash::Hasher;

use twox_hash::XxHash64;

use super::Program;

impl Program {
    /// A hash of the program's text and of the version that compiled it, the same on every machine.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut text = Text(XxHash64::with_seed(0));
        // Writing into a hash cannot fail.
        let _ = write!(text, "{} {self}", env!("CARGO_PKG_VERSION"));
        text.0.finish()
    }
}

struct Text(XxHash64);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
