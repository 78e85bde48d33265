//! Every number of binary32 where the polynomials do something: minutes in release builds.

use super::{CASES, Case, Worst, call, exact, functions, values, worst_of};

impl Case {
    /// Whether all numbers of a piece are looked at; of the others, one piece in 64 is.
    fn matters(&self, middle: f32) -> bool {
        let magnitude = middle.abs();
        match self.name {
            // They repeat with each exponent.
            "logarithm" => (0.25..4.0).contains(&middle),
            // Beyond there is 0 and infinity.
            "exponential" | "power_of_two" => (6e-5..160.0).contains(&magnitude),
            // Below, the argument or a constant is the result, beyond 2^26 a constant.
            _ => (6e-5..6.7e7).contains(&magnitude),
        }
    }
}

/// All numbers, in pieces of 2^16; the bounds say which count.
#[test]
#[ignore = "takes minutes; run it in release"]
fn exhaustive() {
    let all = functions();
    for case in &CASES {
        let mut worst = Worst::default();
        let mut seen = 0u64;
        for piece in 0..1u32 << 16 {
            let points: Vec<f32> =
                (0..1 << 16).map(|low| f32::from_bits(piece << 16 | low)).collect();
            let middle = points[points.len() / 2];
            // Signs are symmetric where they mean anything, which the dense test covers.
            let one_sided = !["exponential", "power_of_two"].contains(&case.name);
            let out_of_reach = middle.is_nan() || middle.abs() > case.limit * 1.01;
            if out_of_reach || (one_sided && middle.is_sign_negative()) {
                continue;
            }
            if !case.matters(middle) && !piece.is_multiple_of(64) {
                continue;
            }
            seen += points.len() as u64;
            let values = values(&all, case.name, &points);
            case.look(&points, &values, &mut worst).unwrap();
        }
        println!("{}, |x| up to {}: {seen} numbers, {worst:?}", case.name, case.limit);
    }
}

/// 2^28 pairs a function.
#[test]
#[ignore = "takes minutes; run it in release"]
fn exhaustive_pairs() {
    let all = functions();
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let mut worst = [(0.0, 0.0, 0.0, 0.0); 2];
    for _ in 0..1 << 12 {
        let mut numbers = |from: f32, to: f32| -> Vec<f32> {
            (0..1 << 16).map(|_| from + (to - from) * next()).collect()
        };
        let (bases, goals) = (numbers(-1.0, 1.0), numbers(-148.0, 128.0));
        // Half of the bases near 1, half of any magnitude.
        let spread =
            |(at, &base): (usize, &f32)| (base * if at % 2 == 0 { 1.0 } else { 126.0 }).exp2();
        let bases: Vec<f32> = bases.iter().enumerate().map(spread).collect();
        let exponents: Vec<f32> =
            bases.iter().zip(&goals).map(|(base, goal)| goal / base.log2()).collect();
        let found = call(&all, "power", &[&bases, &exponents]);
        let here = worst_of(&bases, &exponents, &found, exact::pow);
        if here.0 > worst[0].0 {
            worst[0] = here;
        }
        let (x, y) = (numbers(-3.0, 3.0), numbers(-3.0, 3.0));
        let found = call(&all, "arc_tangent2", &[&y, &x]);
        let here = worst_of(&y, &x, &found, exact::atan2);
        if here.0 > worst[1].0 {
            worst[1] = here;
        }
    }
    println!("power: {:?}, arc_tangent2: {:?}", worst[0], worst[1]);
    assert!(worst[0].0 <= 6.0 && worst[1].0 <= 3.0);
}
