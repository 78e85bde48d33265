//! Where values come from.

use super::Unconnected::{Is, Means};
use super::{Description, NONE};

pub(super) const INPUT: Description = Description {
    class: "ParticleInputBlock",
    purpose: "A constant, something of the particle, or something of the system.",
    equation: &["output = the source below"],
    fields: &[
        ("contextualValue", "0", "where not 0, what is read of the particle"),
        ("systemSource", "0", "else, where not 0, what is read of the system"),
        (
            "type, value",
            "2, 0",
            "else the constant: 1 Int, 2 Float, 4 Vector2, 8 Vector3, 128 Color4",
        ),
    ],
    contract: "8.2 to 8.5, 9.10, S1P-013, S1P-014",
    notes: &[
        "Of the particle: 1 Position, 2 Direction, 3 Age, 4 Lifetime, 5 Color, 6 ScaledDirection (`direction * step`), 7 Scale, 8 AgeGradient (`age / lifeTime`), 9 Angle, 16 SpriteCellIndex, 17 SpriteCellStart, 18 SpriteCellEnd, 19 InitialColor, 20 ColorDead, 21 InitialDirection, 22 ColorStep, 23 ScaledColorStep (`colorStep * delta`), 24 LocalPositionUpdated, 25 Size, 32 DirectionScale (`step`).",
        "The option `inputs` of the macro keeps named constants open, so that hosts can change them.",
        "Of the system: 1 Time, 2 Delta, 3 Emitter (its position), 4 CameraPosition (the origin without a camera).",
        "`delta` is the time of the call, `step` that of the particle: shorter in its last call, in which it lives only until its lifetime is over.",
        "LocalPositionUpdated moves with each reading: it adds `direction * step` to a position in the emitter's space, sets the particle's position to where the emitter puts that, and gives it. Only local systems have it (G216).",
    ],
    babylon: &[
        "InitialDirection is forgotten where the emit power is not 0; InitialColor that a birth and an update share is the colour, where the contract reads 0.",
        "Two readings of LocalPositionUpdated give one vector that the second moves on; systems that are not local have it too.",
    ],
    ..NONE
};

pub(super) const RANDOM: Description = Description {
    class: "ParticleRandomBlock",
    purpose: "A random number, vector or colour, of the shape that `min` has.",
    equation: &["output = min + draw() * (max - min), each component its own draw"],
    inputs: &[("min", Is(&[0.0])), ("max", Is(&[1.0]))],
    fields: &[(
        "lockMode",
        "1",
        "0 None: draws at each reading; 1 PerParticle: where the particle read last was another one; 2 PerSystem: once; 3 OncePerParticle: once for each particle",
    )],
    contract: "9.11",
    notes: &[
        "Equal bounds draw too. Any other lock never draws and gives 0.",
        "In Parallel lock 1 gives a particle a number of its own in each step, and in a system body locks 1 and 3 count as 2.",
    ],
    babylon: &[
        "PerSystem draws at each reading; OncePerParticle draws again while its value is 0; a PerParticle block that two systems share has one cache.",
    ],
};

pub(super) const TEXTURE: Description = Description {
    class: "ParticleTextureSourceBlock",
    purpose: "A picture: what a system is drawn with, a flow map or noise.",
    fields: &[
        ("url", "empty", "address of the picture; comes first for drawing"),
        (
            "textureDataUrl",
            "empty",
            "the picture itself, as a data URL; comes first for flow maps and noise",
        ),
        ("invertY", "true", "rows are read from the bottom"),
    ],
    contract: "9.20",
    notes: &[
        "The host loads pictures and fills slots (`set_texture`). An empty slot pushes nothing and draws no random numbers.",
    ],
    ..NONE
};

pub(super) const LOCAL_VARIABLE: Description = Description {
    class: "ParticleLocalVariableBlock",
    purpose: "Keeps a value: the first reading decides, later ones repeat it.",
    equation: &["output = input, as it was at the first reading"],
    inputs: &[("input", Means("an error (G224)"))],
    fields: &[(
        "scope",
        "1",
        "0: a value for each particle; any other number: a value for each call",
    )],
    contract: "9.31.6, 9.31.7",
    notes: &[
        "The input must be a value (G226) and must keep its shape while the system runs. A particle's value can be read in the particle flow only (G228).",
        "Parallel takes the value of a call when the call begins.",
    ],
    babylon: &[
        "A call's value belongs to the scene's frame number, and fails without a scene; a particle's value can be lost when slots are used again.",
    ],
};
