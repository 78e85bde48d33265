//! Prints diagnostics: for a terminal, in one line for a macro, as JSON for an editor.
