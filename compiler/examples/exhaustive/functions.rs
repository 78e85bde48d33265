//! Every number of binary32 where the functions of Parallel do something, and many pairs.

use std::sync::Mutex;

use pyrograph_compiler::lower::polynomial::functions;
use pyrograph_numeric::exact;

use crate::cases::{CASES, Case, Worst, call, values, worst_of};
use crate::pieces::for_each;

/// Numbers that differ in their low bits only.
const PIECE: u32 = 1 << 16;

impl Case {
    /// Whether a piece has numbers that the bounds speak of.
    fn reaches(&self, middle: f32) -> bool {
        // Signs are symmetric where they mean anything, which a test covers.
        let two_sided = ["exponential", "power_of_two"].contains(&self.name);
        let inside = middle.abs() <= self.limit * 1.01;
        inside && (two_sided || middle.is_sign_positive())
    }

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

    /// The numbers of binary32 to look at, in pieces.
    fn pieces(&self) -> Vec<u32> {
        let middle = |piece: u32| f32::from_bits(piece * PIECE + PIECE / 2);
        let reached = (0..1 << 16).filter(|&piece| self.reaches(middle(piece)));
        reached.filter(|&piece| self.matters(middle(piece)) || piece.is_multiple_of(64)).collect()
    }
}

impl Worst {
    fn merge(&mut self, other: &Self) {
        self.absolute = self.absolute.max(other.absolute);
        if (other.ulp, -other.at) > (self.ulp, -self.at) {
            (self.ulp, self.at) = (other.ulp, other.at);
        }
    }
}

/// Whether each function keeps its bounds; prints what was seen.
pub(crate) fn numbers(workers: usize) -> Result<(), String> {
    let all = functions();
    for case in &CASES {
        let pieces = case.pieces();
        let seen = Mutex::new(Worst::default());
        let name = format!("{}, |x| up to {}", case.name, case.limit);
        for_each(&name, workers, pieces.len(), |at| {
            let points: Vec<f32> =
                (0..PIECE).map(|low| f32::from_bits(pieces[at] * PIECE + low)).collect();
            let mut worst = Worst::default();
            case.look(&points, &values(&all, case.name, &points), &mut worst)?;
            seen.lock().unwrap().merge(&worst);
            Ok(())
        })?;
        let numbers = pieces.len() << 16;
        println!("{name}: {numbers} numbers, {:?}", seen.into_inner().unwrap());
    }
    Ok(())
}

/// Pieces of 2^16 pairs a function.
const PAIRS: usize = 1 << 12;

/// An error, its operands and the value found there.
type Error = (f64, f32, f32, f32);

/// Whether the functions of two operands keep their bounds for 2^28 pairs.
pub(crate) fn pairs(workers: usize) -> Result<(), String> {
    let all = functions();
    let seen = Mutex::new([Error::default(); 2]);
    for_each("pairs", workers, PAIRS, |at| {
        let mut state = at as u64;
        let mut numbers = |from: f32, to: f32| -> Vec<f32> {
            let next = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                from + (to - from) * ((state >> 40) as f32 / (1 << 24) as f32)
            };
            (0..PIECE).map(next).collect()
        };
        // Half of the bases near 1, half of any magnitude; the power is finite.
        let (bases, goals) = (numbers(-1.0, 1.0), numbers(-148.0, 128.0));
        let spread =
            |(at, &base): (usize, &f32)| (base * if at % 2 == 0 { 1.0 } else { 126.0 }).exp2();
        let bases: Vec<f32> = bases.iter().enumerate().map(spread).collect();
        let exponents: Vec<f32> =
            bases.iter().zip(&goals).map(|(base, goal)| goal / base.log2()).collect();
        let power = call(&all, "power", &[&bases, &exponents]);
        let (x, y) = (numbers(-3.0, 3.0), numbers(-3.0, 3.0));
        let angle = call(&all, "arc_tangent2", &[&y, &x]);
        let found = [
            worst_of(&bases, &exponents, &power, exact::pow),
            worst_of(&y, &x, &angle, exact::atan2),
        ];
        for (seen, found) in seen.lock().unwrap().iter_mut().zip(found) {
            if found.0 > seen.0 {
                *seen = found;
            }
        }
        Ok(())
    })?;
    let [power, angle] = seen.into_inner().unwrap();
    println!("{} pairs: power {power:?}, arc_tangent2 {angle:?}", PAIRS << 16);
    if power.0 > 6.0 || angle.0 > 3.0 {
        return Err("a bound of 6 (power) or 3 (arc_tangent2) is not kept".into());
    }
    Ok(())
}
