//! Where a system begins.

use super::Unconnected::{Is, Means};
use super::{Description, NONE};

pub(super) const SYSTEM: Description = Description {
    class: "SystemBlock",
    purpose: "A system of particles: how many there may be, how often they are born, how they are drawn.",
    equation: &[
        "delta   = updateSpeed * ratio",
        "births  = int(emitRate * delta); the fractions add up, and what is whole of them joins above 1",
        "time   += delta; where it has reached targetStopDuration, the system stops after this call",
    ],
    inputs: &[
        ("emitRate", Is(&[10.0])),
        ("targetStopDuration", Is(&[0.0])),
        ("translationPivot", Is(&[0.0, 0.0])),
        ("textureMask", Is(&[1.0; 4])),
        ("particle", Means("a system without updates and births")),
        ("texture", Means("no picture")),
        ("onStart", Means("nothing is started")),
        ("onEnd", Means("nothing is started")),
    ],
    fields: &[
        ("capacity", "1000", "the largest number of particles that live at a time"),
        ("isLocal", "false", "shapes write directions of the emitter's space"),
        ("updateSpeed", "0.0167", "time that a call of ratio 1 takes"),
        ("blendMode", "2", "0 OneOne, 1 Standard, 2 Add, 3 Multiply, 4 MultiplyAdd"),
        (
            "manualEmitCount",
            "-1",
            "where above -1, the births of the first call, rounded up, instead of a rate",
        ),
        ("preWarmCycles, preWarmStepOffset", "0, 1", "calls made at the start, and their ratio"),
        ("startDelay", "0", "milliseconds that a host waits"),
        (
            "billBoardMode, isBillboardBased",
            "7, true",
            "7 all axes, 2 the y axis, 8 stretched, 9 stretched local",
        ),
        ("doNoStart", "false", "a start does nothing until the host allows it"),
        ("disposeOnStop", "false", "the host drops the system when it has finished"),
        ("renderingGroupId", "0", "order of drawing among systems"),
    ],
    contract: "9.1, S1P-015 to S1P-018",
    notes: &[
        "A connected `emitRate` is evaluated in each call, before time advances; one that gives no number leaves the literal, or 10. `targetStopDuration` is evaluated once, at the first call.",
        "`translationPivot` and `textureMask` are for drawing, and must be constants (W304).",
        "`onStart` and `onEnd` start nothing yet (W301).",
    ],
    babylon: &[
        "A missing `blendMode` is 0 in the editor's class; `Options::missing_blend_mode` selects it.",
        "A system that reaches its stop duration before its first birth keeps that cohort frozen; a stopped and empty system evaluates its rate no more; a rate that reads a particle emits nothing.",
    ],
};

pub(super) const CREATE_PARTICLE: Description = Description {
    class: "CreateParticleBlock",
    purpose: "What a particle is born with. A shape behind it gives position and direction.",
    equation: &[
        "particle.lifeTime   = lifeTime",
        "particle.direction *= emitPower               0 where emitPower is 0",
        "particle.size       = size                    1 where it is no number",
        "particle.scale      = (scale.x, scale.y)      a number counts for both",
        "particle.angle      = angle",
        "particle.color      = color",
        "particle.colorStep  = (colorDead - color) / lifeTime",
    ],
    inputs: &[
        ("lifeTime", Is(&[1.0])),
        ("emitPower", Is(&[1.0])),
        ("size", Is(&[1.0])),
        ("scale", Is(&[1.0, 1.0])),
        ("angle", Is(&[0.0])),
        ("color", Is(&[1.0; 4])),
        ("colorDead", Is(&[0.0; 4])),
        ("particle", Means("nothing leads here")),
    ],
    contract: "5.6, 9.2",
    notes: &[
        "A birth runs in this order, whatever the graph looks like: lifetime and power, position, direction, the power's effect, size and scale, angle, colour, dead colour. Draws come in that order too.",
        "Without a shape nothing sets position and direction; both are 0.",
    ],
    babylon: &["Without a shape it emits from a point along +y."],
    ..NONE
};

pub(super) const TRIGGER: Description = Description {
    class: "ParticleTriggerBlock",
    purpose: "Passes its particle flow on. It starts no other system yet (W302), and what only it reaches is not checked.",
    inputs: &[
        ("input", Means("the flow begins here")),
        ("condition", Means("not read")),
        ("system", Means("nothing to start")),
    ],
    contract: "S1P-002",
    ..NONE
};
