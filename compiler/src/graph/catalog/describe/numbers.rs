//! Arithmetic.

use super::Unconnected::{Fails, Is, Means};
use super::{Description, NONE, Unconnected};

const ABSENT: Unconnected = Means("not a part of the result");

pub(super) const MATH: Description = Description {
    class: "ParticleMathBlock",
    purpose: "One of the basic operations, component by component.",
    equation: &["output = left + right, - , * , / , max, min"],
    inputs: &[("left", Fails), ("right", Fails)],
    fields: &[(
        "operation",
        "0",
        "0 Add, 1 Subtract, 2 Multiply, 3 Divide, 4 Max, 5 Min; others give `left`",
    )],
    contract: "9.12",
    notes: &[
        "A number beside a vector counts for each component. Two vectors have the left one's shape; components that the right one lacks are NaN, or 0 where both sides come from one output.",
    ],
    babylon: &[
        "An Int on the left makes the result whole; Max and Min of a number and a vector read the vector first.",
    ],
};

pub(super) const NUMBER_MATH: Description = Description {
    class: "ParticleNumberMathBlock",
    purpose: "Remainder and power of numbers.",
    equation: &["output = left % right, or left to the power right"],
    inputs: &[("left", Fails), ("right", Fails)],
    fields: &[("operation", "0", "0 Modulo, 1 Power")],
    contract: "S1P-010",
    notes: &[
        "The remainder has the sign of `left`. The result is cut to a whole number where `left` is an Int: a FloatToInt, a sprite cell, or what comes of them.",
    ],
    ..NONE
};

pub(super) const VECTOR_MATH: Description = Description {
    class: "ParticleVectorMathBlock",
    purpose: "Scalar product and distance of vectors of three.",
    equation: &["output = left · right, or |left - right|"],
    inputs: &[("left", Fails), ("right", Fails)],
    fields: &[("operation", "0", "0 Dot, 1 Distance")],
    contract: "S1P-012",
    ..NONE
};

pub(super) const TRIGONOMETRY: Description = Description {
    class: "ParticleTrigonometryBlock",
    purpose: "A function of each component.",
    equation: &["output = f(input)"],
    inputs: &[("input", Fails)],
    fields: &[(
        "operation",
        "0",
        "0 Cos, 1 Sin, 2 Abs, 3 Exp, 4 Exp2, 5 Round, 6 Floor, 7 Ceiling, 8 Sqrt, 9 Log, 10 Tan, 11 ArcTan, 12 ArcCos, 13 ArcSin, 14 Sign, 15 Negate, 16 OneMinus, 17 Reciprocal, 18 ToDegrees, 19 ToRadians, 20 Fract",
    )],
    contract: "S1P-011",
    notes: &["Round takes halves up. Fract is what is behind the point, with the number's sign."],
    ..NONE
};

pub(super) const VECTOR_LENGTH: Description = Description {
    class: "ParticleVectorLengthBlock",
    purpose: "The length of a vector or colour, the magnitude of a number.",
    equation: &["output = sqrt(x² + y² + …)"],
    inputs: &[("input", Fails)],
    contract: "9.19",
    ..NONE
};

pub(super) const FLOAT_TO_INT: Description = Description {
    class: "ParticleFloatToIntBlock",
    purpose: "Rounds a number.",
    equation: &["output = round(input), ceil, floor, trunc"],
    inputs: &[("input", Is(&[0.0]))],
    fields: &[("operation", "0", "0 Round (halves up), 1 Ceil, 2 Floor, 3 Truncate; others round")],
    contract: "9.18",
    ..NONE
};

pub(super) const CONVERTER: Description = Description {
    class: "ParticleConverterBlock",
    purpose: "Takes vectors and colours apart and puts them together.",
    equation: &[
        "data   = (0, 0, 0, 0); then x, y, z, w; then xy, zw, xyz over them; or color alone",
        "output = parts of data: color, xyz, xy, zw, x, y, z, w",
    ],
    inputs: &[
        ("color", ABSENT),
        ("xyz", ABSENT),
        ("xy", ABSENT),
        ("zw", ABSENT),
        ("x", ABSENT),
        ("y", ABSENT),
        ("z", ABSENT),
        ("w", ABSENT),
    ],
    contract: "9.14",
    notes: &["Only wires count, not literals."],
    ..NONE
};
