//! Errors of the polynomials against the library that Exact uses, in binary64.

mod exhaustive;
pub(crate) mod lanes;
mod special;

use lanes::{Lane, Lanes};
use pyrograph_compiler::ir::{Arena, Function, Handle};
use pyrograph_compiler::lower::polynomial::functions;
use pyrograph_numeric::exact;

/// A function of one operand and the bound of its error.
struct Case {
    name: &'static str,
    reference: fn(f64) -> f64,
    /// In units of the last place of the exact result; where that is below the bound,
    /// `absolute` counts instead.
    ulp: f64,
    absolute: f64,
    /// The bounds hold for magnitudes up to here.
    limit: f32,
}

/// Within these bounds, which `docs/parallel.md` repeats.
const CASES: [Case; 11] = [
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

fn exp2(x: f64) -> f64 {
    exact::pow(2.0, x)
}

/// Distance in units of the last place of binary32; 0 where both are NaN or the same infinity.
fn ulps(found: f32, exact: f64) -> f64 {
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

fn find(all: &Arena<Function>, name: &str) -> Handle<Function> {
    all.find(|function| function.name == name).unwrap()
}

/// The values of a function of one operand.
fn values(all: &Arena<Function>, name: &str, points: &[f32]) -> Vec<f32> {
    call(all, name, &[points])
}

/// The values of a function.
fn call(all: &Arena<Function>, name: &str, operands: &[&[f32]]) -> Vec<f32> {
    let lanes: Vec<Lane> = operands.iter().map(|points| Lane::Float(points.to_vec())).collect();
    match Lanes::new(all).call(find(all, name), &lanes).remove(0) {
        Lane::Float(values) => values,
        Lane::Uint(_) | Lane::Bool(_) => panic!("{name} gives a number"),
    }
}

/// The largest errors over some points.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    ulp: f64,
    at: f32,
    absolute: f64,
}

impl Case {
    /// Looks at the points that the bounds speak of; the error names a point outside of them.
    fn look(&self, points: &[f32], values: &[f32], worst: &mut Worst) -> Result<(), String> {
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

/// Numbers of all magnitudes, and more of those that are likely.
fn dense() -> Vec<f32> {
    let every = (0..=u32::MAX).step_by(43_987).map(f32::from_bits);
    let likely = (-20_000..=20_000).map(|at| at as f32 * 5e-4);
    let angles = (-50_000..=50_000).map(|at| at as f32 * 2.058_9);
    // Around the quarter turns.
    let quarters = (-65_536..=65_536i32).step_by(3).flat_map(|quarter| {
        let middle = (f64::from(quarter) * std::f64::consts::FRAC_PI_2) as f32;
        [middle.next_down(), middle, middle.next_up()]
    });
    every.chain(likely).chain(angles).chain(quarters).collect()
}

#[test]
fn errors_are_within_their_bounds() {
    let all = functions();
    let points = dense();
    assert!(points.len() > 350_000);
    for case in &CASES {
        let mut worst = Worst::default();
        let values = values(&all, case.name, &points);
        case.look(&points, &values, &mut worst).unwrap();
        println!("{}, |x| up to {}: {worst:?}", case.name, case.limit);
        // A bound that nothing comes near is no bound.
        assert!(worst.ulp > 0.4 || case.absolute > 0.0, "{}: {worst:?}", case.name);
    }
}

#[test]
fn far_angles_are_off_by_little_more_than_their_own_rounding() {
    let all = functions();
    let mut points: Vec<f32> = dense();
    points.retain(|x| x.abs() > 102_943.0);
    for (name, reference) in [("sine", exact::sin as fn(f64) -> f64), ("cosine", exact::cos)] {
        for (&x, &found) in points.iter().zip(&values(&all, name, &points)) {
            if x.abs() >= 2f32.powi(39) {
                let far = if x.is_finite() { reference(0.0) } else { f64::NAN };
                assert!(ulps(found.abs(), far) == 0.0, "{name}({x:?}) = {found:?}");
                continue;
            }
            let error = (f64::from(found) - reference(f64::from(x))).abs();
            let bound = f64::from(x.abs()) * 2f64.powi(-22) + 1e-6;
            assert!(
                error < bound && found.abs() <= 1.0,
                "{name}({x:?}) = {found:?}, off by {error}"
            );
        }
    }
}

#[test]
fn errors_of_two_operands_are_within_their_bounds() {
    let all = functions();
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let mut spread = |count: usize, from: f64, to: f64| -> Vec<f32> {
        (0..count).map(|_| (from + (to - from) * next()) as f32).collect()
    };
    let count = 150_000;
    let (x, y) = (spread(count, -3.0, 3.0), spread(count, -3.0, 3.0));
    let worst = worst_of(&y, &x, &call(&all, "arc_tangent2", &[&y, &x]), exact::atan2);
    println!("arc_tangent2: {worst:?}");
    assert!(worst.0 <= 3.0, "{worst:?}");
    // Exponents that keep the power finite, for bases of all magnitudes and near 1.
    let base = spread(count, -126.0, 128.0).into_iter().map(f32::exp2);
    let near = spread(count, 0.5, 2.0);
    let base: Vec<f32> = base.chain(near).collect();
    let goal = spread(2 * count, -148.0, 128.0);
    let exponent: Vec<f32> =
        base.iter().zip(&goal).map(|(base, goal)| goal / base.log2()).collect();
    let found = call(&all, "power", &[&base, &exponent]);
    let worst = worst_of(&base, &exponent, &found, exact::pow);
    println!("power, any: {worst:?}");
    assert!(worst.0 <= 6.0, "{worst:?}");
    // Powers as graphs have them.
    let (base, exponent) = (spread(count, 0.0, 100.0), spread(count, -4.0, 4.0));
    let found = call(&all, "power", &[&base, &exponent]);
    let worst = worst_of(&base, &exponent, &found, exact::pow);
    println!("power, small exponents: {worst:?}");
    assert!(worst.0 <= 3.0, "{worst:?}");
}

fn worst_of(
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
