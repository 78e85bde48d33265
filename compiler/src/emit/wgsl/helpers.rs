//! The number rules that WGSL does not have, as functions; printed where used only.
//!
//! They look at bits wherever NaN, zero signs or magnitude decide: WGSL lets an implementation
//! assume that no float is NaN or infinite.

use std::collections::BTreeSet;

/// A piece of text that expressions rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// Bits of NaN in a variable.
    Nan,
    /// Bits of infinity in a variable.
    Infinity,
    /// `Math.min`
    Min,
    /// `Math.max`
    Max,
    /// `Math.round`
    Round,
    /// `%`
    Rem,
    /// `>>> 0`
    ToUint,
    /// Bits of a float
    FloatBits,
    /// Float of bits
    BitsFloat,
    /// Element of a table.
    ReadTable,
    /// Byte of a texel.
    ReadTexel,
}

/// The helpers in use.
#[derive(Debug, Default)]
pub(super) struct Helpers(BTreeSet<Helper>);

impl Helpers {
    /// Has the text of a helper printed.
    pub(super) fn use_helper(&mut self, helper: Helper) {
        self.0.insert(helper);
        if helper == Helper::Rem || helper == Helper::ReadTable {
            self.0.insert(Helper::Nan);
        }
    }

    /// A call of a helper that is a function.
    pub(super) fn call(&mut self, helper: Helper, arguments: &[&str]) -> String {
        self.use_helper(helper);
        format!("{}({})", helper.name(), arguments.join(", "))
    }

    /// The texts of all helpers in use.
    pub(super) fn print(&self) -> String {
        self.0.iter().map(|helper| helper.text()).collect()
    }
}

impl Helper {
    /// The identifier that it declares.
    fn name(self) -> &'static str {
        match self {
            Self::Nan => "NAN_BITS",
            Self::Infinity => "INFINITY_BITS",
            Self::Min => "js_min",
            Self::Max => "js_max",
            Self::Round => "js_round",
            Self::Rem => "js_rem",
            Self::ToUint => "to_uint",
            Self::FloatBits => "float_bits",
            Self::BitsFloat => "bits_float",
            Self::ReadTable => "read_table",
            Self::ReadTexel => "read_texel",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Nan => NAN,
            Self::Infinity => INFINITY,
            Self::Min => MIN,
            Self::Max => MAX,
            Self::Round => ROUND,
            Self::Rem => REM,
            Self::ToUint => TO_UINT,
            Self::FloatBits => FLOAT_BITS,
            Self::BitsFloat => BITS_FLOAT,
            Self::ReadTable => READ_TABLE,
            Self::ReadTexel => READ_TEXEL,
        }
    }
}

const NAN: &str = "
// A variable: as a constant expression this value would be an error.
var<private> NAN_BITS: u32 = 0x7fc00000u;
";

const INFINITY: &str = "
// A variable: as a constant expression this value would be an error.
var<private> INFINITY_BITS: u32 = 0x7f800000u;
";

const MIN: &str = "
// Math.min: NaN where either is, -0 below 0.
fn js_min(a: f32, b: f32) -> f32 {
    let sign = bitcast<u32>(a) >> 31u;
    let a_is_nan = (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u;
    let b_is_nan = (bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u;
    let is_below = a < b || (a == b && sign == 1u);
    return select(b, a, a_is_nan || (!b_is_nan && is_below));
}
";

const MAX: &str = "
// Math.max: NaN where either is, 0 above -0.
fn js_max(a: f32, b: f32) -> f32 {
    let sign = bitcast<u32>(a) >> 31u;
    let a_is_nan = (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u;
    let b_is_nan = (bitcast<u32>(b) & 0x7fffffffu) > 0x7f800000u;
    let is_above = a > b || (a == b && sign == 0u);
    return select(b, a, a_is_nan || (!b_is_nan && is_above));
}
";

const ROUND: &str = "
// Math.round: ties go up, the sign of zero stays.
fn js_round(a: f32) -> f32 {
    let below = floor(a);
    let rounded = select(below, below + 1.0f, a - below >= 0.5f);
    return bitcast<f32>((bitcast<u32>(rounded) & 0x7fffffffu) | (bitcast<u32>(a) & 0x80000000u));
}
";

const REM: &str = "
// %: the remainder of truncated division, exact, with the sign of a.
fn js_rem(a: f32, b: f32) -> f32 {
    let sign = bitcast<u32>(a) & 0x80000000u;
    let x = bitcast<u32>(a) & 0x7fffffffu;
    let y = bitcast<u32>(b) & 0x7fffffffu;
    if (x >= 0x7f800000u || y > 0x7f800000u || y == 0u) {
        return bitcast<f32>(NAN_BITS);
    }
    if (x < y) {
        return a;
    }
    // Magnitudes are mantissa * 2^(exponent - 150); subnormal ones have exponent 1.
    let x_exponent = max(x >> 23u, 1u);
    let y_exponent = max(y >> 23u, 1u);
    let x_mantissa = select(x & 0x7fffffu, (x & 0x7fffffu) | 0x800000u, x >= 0x800000u);
    let y_mantissa = select(y & 0x7fffffu, (y & 0x7fffffu) | 0x800000u, y >= 0x800000u);
    var rest = x_mantissa % y_mantissa;
    for (var left = x_exponent - y_exponent; left > 0u; left -= min(left, 8u)) {
        rest = (rest << min(left, 8u)) % y_mantissa;
    }
    if (rest == 0u) {
        return bitcast<f32>(sign);
    }
    // Bring the leading one to bit 23, as far as the exponent allows.
    let shift = min(countLeadingZeros(rest) - 8u, y_exponent - 1u);
    let magnitude = (rest << shift) + ((y_exponent - shift - 1u) << 23u);
    return bitcast<f32>(sign | magnitude);
}
";

const TO_UINT: &str = "
// >>> 0: truncation modulo 2^32, 0 for NaN and infinities.
fn to_uint(a: f32) -> u32 {
    let bits = bitcast<u32>(a);
    let exponent = (bits >> 23u) & 255u;
    let mantissa = (bits & 0x7fffffu) | 0x800000u;
    var magnitude = 0u;
    if (exponent >= 150u && exponent < 182u) {
        magnitude = mantissa << (exponent - 150u);
    } else if (exponent >= 127u && exponent < 150u) {
        magnitude = mantissa >> (150u - exponent);
    }
    return select(magnitude, 0u - magnitude, (bits >> 31u) == 1u);
}
";

const FLOAT_BITS: &str = "
// The bits of a float, the same for every NaN.
fn float_bits(a: f32) -> u32 {
    let bits = bitcast<u32>(a);
    return select(bits, 0x7fc00000u, (bits & 0x7fffffffu) > 0x7f800000u);
}
";

const BITS_FLOAT: &str = "
// A function: as a constant expression, bits of NaN or infinity would be an error.
fn bits_float(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}
";

const READ_TABLE: &str = "
// Element of a table; NaN beyond its end.
fn read_table(first: u32, length: u32, index: u32) -> f32 {
    if (index >= length) {
        return bitcast<f32>(NAN_BITS);
    }
    return bitcast<f32>(tables[first + index]);
}
";

const READ_TEXEL: &str = "
// A byte of a texel; 0 outside of the texture.
fn read_texel(texture: u32, x: u32, y: u32, channel: u32) -> u32 {
    let head = texture * 3u;
    let width = texels[head + 1u];
    if (x >= width || y >= texels[head + 2u]) {
        return 0u;
    }
    return (texels[texels[head] + y * width + x] >> (channel * 8u)) & 0xffu;
}
";
