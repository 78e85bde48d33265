//! Blends, bounds and choices.

use super::Unconnected::{Fails, Is, Means};
use super::{Description, NONE};

pub(super) const LERP: Description = Description {
    class: "ParticleLerpBlock",
    purpose: "Blends two values; beyond 0 and 1 it goes on.",
    equation: &["output = left + (right - left) * gradient"],
    inputs: &[("left", Fails), ("right", Fails), ("gradient", Is(&[0.0]))],
    contract: "9.13",
    notes: &["The result has the shape of `left`; a `right` of another shape counts as 0."],
    babylon: &["It computes `(1 - gradient) * left + gradient * right`, which rounds otherwise."],
    ..NONE
};

pub(super) const NLERP: Description = Description {
    class: "ParticleNLerpBlock",
    purpose: "Blends two values; of vectors and colours the length becomes 1.",
    equation: &["output = normalize((1 - gradient) * left + gradient * right)"],
    inputs: &[("left", Fails), ("right", Fails), ("gradient", Is(&[0.0]))],
    contract: "S1P-009",
    notes: &["Numbers are not normalized."],
    ..NONE
};

pub(super) const CLAMP: Description = Description {
    class: "ParticleClampBlock",
    purpose: "Keeps each component between two numbers.",
    equation: &["output = max(min, min(value, max))"],
    inputs: &[("value", Fails), ("min", Is(&[0.0])), ("max", Is(&[1.0]))],
    fields: &[
        ("minimum", "0", "the bound where `min` has neither wire nor literal"),
        ("maximum", "1", "the bound where `max` has neither wire nor literal"),
    ],
    contract: "S1P-008",
    ..NONE
};

pub(super) const STEP: Description = Description {
    class: "ParticleStepBlock",
    purpose: "0 below an edge, 1 from there on.",
    equation: &["output = value < edge ? 0 : 1"],
    inputs: &[("value", Fails), ("edge", Is(&[0.0]))],
    contract: "S1P-008",
    ..NONE
};

pub(super) const SMOOTH_STEP: Description = Description {
    class: "ParticleSmoothStepBlock",
    purpose: "0 below the first edge, 1 above the second, smooth between them.",
    equation: &[
        "x      = max(0, min((value - edge0) / (edge1 - edge0), 1))",
        "output = x * x * (3 - 2 * x)",
    ],
    inputs: &[("value", Fails), ("edge0", Is(&[0.0])), ("edge1", Is(&[1.0]))],
    contract: "S1P-008",
    ..NONE
};

pub(super) const GRADIENT: Description = Description {
    class: "ParticleGradientBlock",
    purpose: "The value between two stops.",
    equation: &[
        "lower, upper = the stops around gradient",
        "amount = (gradient - lower.reference) / (upper.reference - lower.reference)",
        "output = lower.value + (upper.value - lower.value) * amount",
    ],
    inputs: &[
        ("gradient", Is(&[1.0])),
        ("value…", Means("no stop; every input whose name begins with `value` can be one")),
    ],
    contract: "9.16",
    notes: &[
        "From the last stop on, the output is that stop's value; below the first of several it is 0, a number; without stops it is 0; a single stop counts everywhere. Stops may stand in any order.",
    ],
    babylon: &["A stop behind an elbow is not found, and the output is 0."],
    ..NONE
};

pub(super) const GRADIENT_VALUE: Description = Description {
    class: "ParticleGradientValueBlock",
    purpose: "A stop of a gradient; nothing else can read it (G205).",
    equation: &["output = (reference, value)"],
    inputs: &[("value", Is(&[0.0]))],
    fields: &[("reference", "0", "where the stop stands")],
    contract: "9.15",
    ..NONE
};

pub(super) const CONDITION: Description = Description {
    class: "ParticleConditionBlock",
    purpose: "One of two values; the other one is not evaluated.",
    equation: &["output = test(left, right) ? ifTrue : ifFalse"],
    inputs: &[
        ("left", Is(&[0.0])),
        ("right", Is(&[0.0])),
        ("ifTrue", Is(&[1.0])),
        ("ifFalse", Is(&[0.0])),
    ],
    fields: &[
        (
            "test",
            "0",
            "0 Equal, 1 NotEqual, 2 LessThan, 3 GreaterThan, 4 LessOrEqual, 5 GreaterOrEqual, 6 Xor, 7 Or, 8 And; others never hold",
        ),
        ("epsilon", "0", "how far apart equal numbers may be"),
    ],
    contract: "9.17",
    notes: &[
        "Equal is `|left - right| <= epsilon`, NotEqual `> epsilon`, LessThan `left < right + epsilon`, LessOrEqual `left <= right + epsilon`, GreaterThan `left > right - epsilon`, GreaterOrEqual `left >= right - epsilon`. For Xor, Or and And a number holds where it is neither 0 nor NaN. Nothing compares with NaN.",
    ],
    ..NONE
};
