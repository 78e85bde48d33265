//! Functions with the bounds of their errors, which are measured against the library that Exact uses.

use super::lanes::{Lane, Lanes};
use pyrograph_compiler::ir::{Arena, Function, Handle};
use pyrograph_numeric::exact;

/// A function of one operand and the bound of its error.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) reference: fn(f64) -> f64,
    /// In units of the last place of the exact result; where that is below the bound,
    /// `absolute` counts instead.
    pub(crate) ulp: f64,
    pub(crate) absolute: f64,
    /// The bounds hold for magnitudes up to here.
    pub(crate) limit: f32,
}

/// Within these bounds, which `docs/parallel.md` repeats.
pub(crate) const CASES: [Case; 11] = [
    Case { name: "sine", reference: exact::sin, ulp: 2.5, absolute: 1e-7, limit: 102_943.0 },
    Case { name: "cosine", reference: exact::cos, ulp: 2.5, absolute: 1e-7, limit: 102_943.0 },
    Case { name: "sine", reference: exact::sin, ulp: 2.5, absolute: 0.0, limit: 6.283_185_5 },
    Case { name: "cosine", reference: exact::cos, ulp: 2.5, absolute: 0.0, limit: 6.283_185_5 },
    Case { name: "tangent", reference: exact::tan, ulp: 4.0, absolute: 0.0, limit: 6.283_185_5 },
    Case { name: "arc_sine", reference: exact::asin, ulp: 2.5, absolute: 0.0, limit: 1.0 },
    Case { name: "arc_cosine", reference: exact::acos, ulp: 2.5, absolute: 0.0, limit: 1.0 },
    Case { name: "arc_tangent", reference: exact::atan, ulp: 2.5, absolute: 0.0, limit: f32::MAX },
    Case { name: "exponential", reference: exact::exp, ulp: 2.0, absolute: 0.0, limit: f32::MAX },
    Case { name: "power_of_two", reference: exp2, ulp: 2.0, absolute: 0.0, limit: f32::MAX },
    Case { name: "logarithm", reference: exact::ln, ulp: 1.5, absolute: 0.0, limit: f32::MAX },
];

pub(crate) fn exp2(x: f64) -> f64 {
    exact::pow(2.0, x)
}

/// Distance in units of the last place of binary32; 0 where both are NaN or the same infinity.
pub(crate) fn ulps(found: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if found == rounded || (found.is_nan() && exact.is_nan()) {
        // Equal, but half a unit may lie between.
        let distance = (f64::from(found) - exact).abs();
        return if distance.is_finite() { distance / ulp(rounded) } else { 0.0 };
    }
    let distance = (f64::from(found) - exact).abs();
    if distance.is_finite() { distance / ulp(rounded) } else { f64::INFINITY }
}

/// The unit of the last place.
fn ulp(value: f32) -> f64 {
    let exponent = (value.to_bits() >> 23 & 0xff).max(1) as i32;
    2f64.powi(exponent - 150)
}

pub(crate) fn find(all: &Arena<Function>, name: &str) -> Handle<Function> {
    all.find(|function| function.name == name).unwrap()
}

/// The values of a function of one operand.
pub(crate) fn values(all: &Arena<Function>, name: &str, points: &[f32]) -> Vec<f32> {
    call(all, name, &[points])
}

/// The values of a function.
pub(crate) fn call(all: &Arena<Function>, name: &str, operands: &[&[f32]]) -> Vec<f32> {
    let lanes: Vec<Lane> = operands.iter().map(|points| Lane::Float(points.to_vec())).collect();
    match Lanes::new(all).call(find(all, name), &lanes).remove(0) {
        Lane::Float(values) => values,
        Lane::Uint(_) | Lane::Bool(_) => panic!("{name} gives a number"),
    }
}

/// The largest errors over some points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Worst {
    pub(crate) ulp: f64,
    pub(crate) at: f32,
    pub(crate) absolute: f64,
}

impl Case {
    /// Looks at the points that the bounds speak of; the error names a point outside of them.
    pub(crate) fn look(
        &self,
        points: &[f32],
        values: &[f32],
        worst: &mut Worst,
    ) -> Result<(), String> {
        for (&x, &found) in points.iter().zip(values) {
            if x.abs() > self.limit {
                continue;
            }
            let exact = (self.reference)(f64::from(x));
            let absolute = (f64::from(found) - exact).abs();
            let error = ulps(found, exact);
            if error > self.ulp && (absolute > self.absolute || !error.is_finite()) {
                let name = self.name;
                return Err(format!(
                    "{name}({x:?}) is {found:?}, should be {exact:?}: {error} ulp"
                ));
            }
            if absolute.is_finite() {
                worst.absolute = worst.absolute.max(absolute);
            }
            let counts = self.absolute == 0.0 || absolute > self.absolute;
            if counts && error > worst.ulp {
                (worst.ulp, worst.at) = (error, x);
            }
        }
        Ok(())
    }
}

pub(crate) fn worst_of(
    a: &[f32],
    b: &[f32],
    found: &[f32],
    reference: impl Fn(f64, f64) -> f64,
) -> (f64, f32, f32, f32) {
    let mut worst = (0.0, 0.0, 0.0, 0.0);
    for ((&a, &b), &found) in a.iter().zip(b).zip(found) {
        let error = ulps(found, reference(f64::from(a), f64::from(b)));
        if error > worst.0 {
            worst = (error, a, b, found);
        }
    }
    worst
}
