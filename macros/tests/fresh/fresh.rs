//! A crate in a folder of its own. All of them share what they compile of others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The crate.
pub(crate) struct Fresh {
    folder: PathBuf,
}

impl Fresh {
    pub(crate) fn new(name: &str, path: &str, source: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fresh").join(name);
        let _ = fs::remove_dir_all(&folder);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = format!(
            "[package]\nname = \"fresh-{name}\"\nedition = \"2024\"\n\n[dependencies]\npyrograph = {{ \
             path = {:?} }}\n\n[workspace]\n",
            root.display().to_string()
        );
        let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
        Self { folder }.with("Cargo.toml", &manifest).with("Cargo.lock", &lock).with(path, source)
    }

    /// Writes a file.
    pub(crate) fn with(self, path: &str, text: &str) -> Self {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }

    /// Runs cargo, which must be content; gives what it prints.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {}:\n{said}", arguments.join(" "));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs cargo, which must find errors; gives them.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "cargo {} succeeds", arguments.join(" "));
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO"))
            .args(arguments)
            .current_dir(&self.folder)
            // What this crate needs has been fetched for the workspace.
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("fresh/target"))
            .output()
            .unwrap()
    }
}
