//! What only leads wires.

use super::Unconnected::Means;
use super::{Description, NONE, Unconnected};

/// Consumers that read through such a block have nothing to read.
const MANDATORY: Unconnected = Means("an error where somebody reads through the block");

pub(super) const TELEPORT_IN: Description = Description {
    class: "ParticleTeleportInBlock",
    purpose: "The entry of teleports: what is connected here comes out at each ParticleTeleportOut that names this block.",
    inputs: &[("input", MANDATORY)],
    contract: "9.31",
    notes: &["Without a connection: G223."],
    ..NONE
};

pub(super) const TELEPORT_OUT: Description = Description {
    class: "ParticleTeleportOutBlock",
    purpose: "The exit of a teleport. It carries flow, pictures, stops and values.",
    equation: &["output = input of the entry"],
    fields: &[("entryPoint", "none", "id of a ParticleTeleportIn block; else G220, G221 or G222")],
    contract: "9.31",
    babylon: &["Entry point 0 is none; here it is an id."],
    ..NONE
};

pub(super) const ELBOW: Description = Description {
    class: "ParticleElbowBlock",
    purpose: "A corner of a wire. It carries flow, pictures, stops and values.",
    equation: &["output = input"],
    inputs: &[("input", MANDATORY)],
    contract: "9.31.8",
    notes: &["Without a connection: G224."],
    babylon: &["A disconnected elbow is no error."],
    ..NONE
};

pub(super) const DEBUG: Description = Description {
    class: "ParticleDebugBlock",
    purpose: "A probe of the editor. It carries values only (G226), and records nothing here.",
    equation: &["output = input"],
    inputs: &[("input", MANDATORY)],
    contract: "9.31.8",
    notes: &["Without a connection: G224. `stackSize` is not read."],
    babylon: &["A disconnected debug block is no error; a connected one keeps a log."],
    ..NONE
};
