//! Transcendental functions of Parallel's particles: polynomials, as functions of the IR.
//!
//! They are made of sums, products, choices and bits, with a quotient or a root where the doc says
//! so, so that every executor computes the same numbers. Each doc gives the bound of the error that
//! `compiler/tests/parallel` checks; `docs/parallel.md` has the table.
//!
//! Coefficients are minimax ones, computed for this crate in 40 digits with Remez' exchange on
//! 1,500 points (weights: the relative error of the whole function), then rounded to binary32.

mod arc;
mod circle;
mod exponential;
mod formula;
mod logarithm;
mod power;

use indexmap::IndexSet;

use super::count::Code;
use super::state::State;
use crate::ir::{Arena, BinaryOp, Function, Handle, Profile, UnaryOp};

/// The function that computes an operation; `None` for those that every target has.
pub(super) fn unary(state: &mut State, op: UnaryOp) -> Option<Handle<Function>> {
    Some(match op {
        UnaryOp::Sin => circle::sine(state),
        UnaryOp::Cos => circle::cosine(state),
        UnaryOp::Tan => circle::tangent(state),
        UnaryOp::Asin => arc::arc_sine(state),
        UnaryOp::Acos => arc::arc_cosine(state),
        UnaryOp::Atan => arc::arc_tangent(state),
        UnaryOp::Exp => exponential::exponential(state),
        UnaryOp::Ln => logarithm::logarithm(state),
        UnaryOp::Neg
        | UnaryOp::Abs
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc
        | UnaryOp::Round
        | UnaryOp::Sqrt
        | UnaryOp::RoundF32
        | UnaryOp::ToUint
        | UnaryOp::FromUint
        | UnaryOp::FromInt
        | UnaryOp::FloatBits
        | UnaryOp::BitsFloat
        | UnaryOp::Not => return None,
    })
}

/// Like [`unary`].
pub(super) fn binary(state: &mut State, op: BinaryOp) -> Option<Handle<Function>> {
    match op {
        BinaryOp::Pow => Some(power::power(state)),
        BinaryOp::Atan2 => Some(arc::arc_tangent2(state)),
        _ => None,
    }
}

/// Two to the power of a number: what [`BinaryOp::Pow`] of a constant base comes to.
pub(super) fn power_of_two(state: &mut State) -> Handle<Function> {
    exponential::power_of_two(state)
}

/// Every function, each after those that it calls: for tests.
#[must_use]
pub fn functions() -> Arena<Function> {
    let mut state = State::new(Profile::Parallel, IndexSet::new(), Code::default());
    for &op in UnaryOp::ALL {
        unary(&mut state, op);
    }
    for &op in BinaryOp::ALL {
        binary(&mut state, op);
    }
    power_of_two(&mut state);
    state.functions
}
