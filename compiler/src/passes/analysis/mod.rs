//! Facts about whole programs that several passes ask for. They change nothing.

pub(super) mod liveness;
