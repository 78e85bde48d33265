//! Where a system is between its first start and its end.

/// The phases of a system's life. A finished one can be started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Never started: steps do nothing.
    Idle,
    /// Started and not stopped: particles are created.
    Emitting,
    /// Stopped, with particles that still live.
    Draining,
    /// Stopped, and no particle lives. Steps still evaluate what the graph asks for in each step.
    Finished,
}
