//! The `pyrograph` command.

fn main() {}
