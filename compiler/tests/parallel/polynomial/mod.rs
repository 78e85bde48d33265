//! Errors of the polynomials against the library that Exact uses, in binary64.

mod cases;
pub(crate) mod lanes;
mod special;

use cases::{CASES, Worst, call, exp2, find, ulps, values, worst_of};
use pyrograph_compiler::lower::polynomial::functions;
use pyrograph_numeric::exact;

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
