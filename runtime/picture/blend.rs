//! How quads blend with what is behind them (spec section 10.1).

/// What a colour is multiplied with before both are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The quad's alpha.
    SourceAlpha,
    /// 1 minus the quad's alpha.
    OneMinusSourceAlpha,
    /// The colour that is there.
    Destination,
}

/// `result = source * first + destination * second`, for colour and for alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Factors of red, green and blue.
    pub color: [Factor; 2],
    /// Factors of alpha.
    pub alpha: [Factor; 2],
}

/// One time that all quads of a system are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// How the quads blend.
    pub blend: Blend,
    /// The quad's colour is moved towards white by what its alpha lacks, so that transparent texels
    /// leave what they are multiplied with as it is: `rgb * a + 1 - a`, where `a` is the particle's
    /// alpha times the texel's.
    pub fades_to_white: bool,
}

/// Which of the two tables of spec section 10.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blending {
    /// All five modes as Babylon draws them.
    #[default]
    Exact,
    /// Modes 0 and 1, and addition for every other; alpha is blended as well.
    Plain,
}

use Factor::{Destination, One, OneMinusSourceAlpha, SourceAlpha, Zero};

const fn pass(color: [Factor; 2], alpha: [Factor; 2]) -> Pass {
    Pass { blend: Blend { color, alpha }, fades_to_white: false }
}

const ONE_ONE: Pass = pass([One, One], [Zero, One]);
const STANDARD: Pass = pass([SourceAlpha, OneMinusSourceAlpha], [One, One]);
const ADD: Pass = pass([SourceAlpha, One], [Zero, One]);
const MULTIPLY: Pass = Pass { fades_to_white: true, ..pass([Destination, Zero], [One, One]) };

const PLAIN_ONE_ONE: Pass = pass([One, One], [One, One]);
const PLAIN_ALPHA: Pass = pass([SourceAlpha, OneMinusSourceAlpha], [One, OneMinusSourceAlpha]);
const PLAIN_ADD: Pass = pass([SourceAlpha, One], [One, One]);

/// What is drawn for a blend mode, in order: all quads in the first pass, then all in the next.
#[must_use]
pub fn passes(blend_mode: f64, blending: Blending) -> &'static [Pass] {
    match (blending, blend_mode) {
        (Blending::Exact, 0.0) => &[ONE_ONE],
        (Blending::Exact, 1.0) => &[STANDARD],
        (Blending::Exact, 3.0) => &[MULTIPLY],
        (Blending::Exact, 4.0) => &[MULTIPLY, ADD],
        (Blending::Exact, _) => &[ADD],
        (Blending::Plain, 0.0) => &[PLAIN_ONE_ONE],
        (Blending::Plain, 1.0) => &[PLAIN_ALPHA],
        (Blending::Plain, _) => &[PLAIN_ADD],
    }
}

impl Factor {
    /// The factor as four numbers, for a quad's alpha and the colour that is there.
    #[must_use]
    pub fn value(self, source_alpha: f32, destination: [f32; 4]) -> [f32; 4] {
        match self {
            Zero => [0.0; 4],
            One => [1.0; 4],
            SourceAlpha => [source_alpha; 4],
            OneMinusSourceAlpha => [1.0 - source_alpha; 4],
            Destination => destination,
        }
    }
}

impl Blend {
    /// What is there after a quad of colour `source` is drawn: red, green, blue, alpha. Nothing is
    /// clamped.
    #[must_use]
    pub fn apply(&self, source: [f32; 4], destination: [f32; 4]) -> [f32; 4] {
        let factors = |factors: [Factor; 2]| factors.map(|f| f.value(source[3], destination));
        let ([source_color, color], [source_alpha, alpha]) =
            (factors(self.color), factors(self.alpha));
        std::array::from_fn(|channel| {
            let (a, b) = if channel < 3 { (source_color, color) } else { (source_alpha, alpha) };
            source[channel] * a[channel] + destination[channel] * b[channel]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Blending, passes};

    fn drawn(mode: f64, blending: Blending, source: [f32; 4]) -> [f32; 4] {
        let there = [0.5, 0.25, 1.0, 0.5];
        passes(mode, blending).iter().fold(there, |there, pass| pass.blend.apply(source, there))
    }

    /// Rows of the tables, each by what becomes of one colour.
    #[test]
    fn tables_are_those_of_the_contract() {
        let source = [0.5, 1.0, 0.25, 0.5];
        let rows = [
            (Blending::Exact, 0.0, [1.0, 1.25, 1.25, 0.5]),
            (Blending::Exact, 1.0, [0.5, 0.625, 0.625, 1.0]),
            (Blending::Exact, 2.0, [0.75, 0.75, 1.125, 0.5]),
            (Blending::Exact, 3.0, [0.25, 0.25, 0.25, 1.0]),
            (Blending::Exact, 4.0, [0.5, 0.75, 0.375, 1.0]),
            (Blending::Exact, 7.0, [0.75, 0.75, 1.125, 0.5]),
            (Blending::Exact, f64::NAN, [0.75, 0.75, 1.125, 0.5]),
            (Blending::Plain, 0.0, [1.0, 1.25, 1.25, 1.0]),
            (Blending::Plain, 1.0, [0.5, 0.625, 0.625, 0.75]),
            (Blending::Plain, 2.0, [0.75, 0.75, 1.125, 1.0]),
            (Blending::Plain, 3.0, [0.75, 0.75, 1.125, 1.0]),
            (Blending::Plain, 4.0, [0.75, 0.75, 1.125, 1.0]),
        ];
        for (blending, mode, expected) in rows {
            assert_eq!(drawn(mode, blending, source), expected, "{blending:?} {mode}");
        }
    }

    #[test]
    fn multiplication_alone_fades_to_white() {
        let fades = |mode| passes(mode, Blending::Exact).iter().map(|pass| pass.fades_to_white);
        assert!([0.0, 1.0, 2.0].iter().all(|&mode| !fades(mode).any(|fades| fades)));
        assert!(fades(3.0).eq([true]) && fades(4.0).eq([true, false]));
    }
}
