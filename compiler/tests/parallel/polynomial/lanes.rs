//! Functions of the IR over many numbers at once, in native binary32 arithmetic. A second evaluator
//! beside the interpreter's, which computes in binary64 and rounds; the two must agree in every bit.

use pyrograph_compiler::ir::{
    Arena, BinaryOp, Block, Body, Const, Expr, Function, Handle, Stmt, UnaryOp, ValueId,
};
use pyrograph_numeric::f32 as js;

/// Values of one name, one a point.
#[derive(Clone, Debug)]
pub(crate) enum Lane {
    Float(Vec<f32>),
    Uint(Vec<u32>),
    Bool(Vec<bool>),
}

pub(crate) struct Lanes<'a> {
    functions: &'a Arena<Function>,
}

impl<'a> Lanes<'a> {
    pub(crate) fn new(functions: &'a Arena<Function>) -> Self {
        Self { functions }
    }

    /// The results of a function; all operands have the same length.
    pub(crate) fn call(&self, function: Handle<Function>, arguments: &[Lane]) -> Vec<Lane> {
        let body = &self.functions[function].body;
        let count = arguments.first().map_or(0, Lane::len);
        let mut values: Vec<Option<Lane>> = body
            .values
            .iter()
            .map(|(_, value)| match value.expr {
                Expr::Const(constant) => Some(Lane::constant(constant, count)),
                Expr::Param(index) => Some(arguments[index as usize].clone()),
                _ => None,
            })
            .collect();
        self.block(body, &body.block, &mut values);
        body.results.iter().map(|value| values[value.index()].clone().unwrap()).collect()
    }

    fn block(&self, body: &Body, block: &Block, values: &mut [Option<Lane>]) {
        for statement in block {
            match &statement.kind {
                Stmt::Let(value) => {
                    let computed = compute(body.values[*value].expr, values);
                    values[value.index()] = Some(computed);
                }
                Stmt::Call { function, arguments, results } => {
                    let arguments: Vec<Lane> =
                        arguments.iter().map(|value| lane(values, *value).clone()).collect();
                    for (result, lane) in results.iter().zip(self.call(*function, &arguments)) {
                        values[result.index()] = Some(lane);
                    }
                }
                other => panic!("{other:?} in such a function"),
            }
        }
    }
}

impl Lane {
    fn constant(constant: Const, count: usize) -> Self {
        match constant {
            Const::Float(value) => Self::Float(vec![value as f32; count]),
            Const::Uint(value) => Self::Uint(vec![value; count]),
            Const::Bool(value) => Self::Bool(vec![value; count]),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Float(values) => values.len(),
            Self::Uint(values) => values.len(),
            Self::Bool(values) => values.len(),
        }
    }
}

fn lane(values: &[Option<Lane>], value: ValueId) -> &Lane {
    values[value.index()].as_ref().unwrap()
}

fn map<A: Copy, B>(a: &[A], apply: impl Fn(A) -> B) -> Vec<B> {
    a.iter().map(|&a| apply(a)).collect()
}

fn zip<A: Copy, B>(a: &[A], b: &[A], apply: impl Fn(A, A) -> B) -> Vec<B> {
    a.iter().zip(b).map(|(&a, &b)| apply(a, b)).collect()
}

fn choose<A: Copy>(condition: &[bool], a: &[A], b: &[A]) -> Vec<A> {
    let sides = a.iter().zip(b);
    condition.iter().zip(sides).map(|(&holds, (&a, &b))| if holds { a } else { b }).collect()
}

fn compute(expr: Expr, values: &[Option<Lane>]) -> Lane {
    match expr {
        Expr::Unary(op, a) => unary(op, lane(values, a)),
        Expr::Binary(op, a, b) => binary(op, lane(values, a), lane(values, b)),
        Expr::Select(condition, a, b) => {
            match (lane(values, condition), lane(values, a), lane(values, b)) {
                (Lane::Bool(c), Lane::Float(a), Lane::Float(b)) => Lane::Float(choose(c, a, b)),
                (Lane::Bool(c), Lane::Uint(a), Lane::Uint(b)) => Lane::Uint(choose(c, a, b)),
                other => panic!("{other:?} in a select"),
            }
        }
        other => panic!("{other:?} in such a function"),
    }
}

fn unary(op: UnaryOp, a: &Lane) -> Lane {
    match (op, a) {
        (UnaryOp::Neg, Lane::Float(a)) => Lane::Float(map(a, |a| -a)),
        (UnaryOp::Abs, Lane::Float(a)) => Lane::Float(map(a, f32::abs)),
        (UnaryOp::Floor, Lane::Float(a)) => Lane::Float(map(a, f32::floor)),
        (UnaryOp::Sqrt, Lane::Float(a)) => Lane::Float(map(a, f32::sqrt)),
        (UnaryOp::FloatBits, Lane::Float(a)) => Lane::Uint(map(a, js::float_bits)),
        (UnaryOp::BitsFloat, Lane::Uint(a)) => Lane::Float(map(a, f32::from_bits)),
        (UnaryOp::FromUint, Lane::Uint(a)) => Lane::Float(map(a, |a| a as f32)),
        (UnaryOp::Not, Lane::Bool(a)) => Lane::Bool(map(a, |a| !a)),
        other => panic!("{other:?} in such a function"),
    }
}

fn binary(op: BinaryOp, a: &Lane, b: &Lane) -> Lane {
    match (a, b) {
        (Lane::Float(a), Lane::Float(b)) => match op {
            BinaryOp::Add => Lane::Float(zip(a, b, |a, b| a + b)),
            BinaryOp::Sub => Lane::Float(zip(a, b, |a, b| a - b)),
            BinaryOp::Mul => Lane::Float(zip(a, b, |a, b| a * b)),
            BinaryOp::Div => Lane::Float(zip(a, b, |a, b| a / b)),
            BinaryOp::Lt => Lane::Bool(zip(a, b, |a, b| a < b)),
            BinaryOp::Le => Lane::Bool(zip(a, b, |a, b| a <= b)),
            BinaryOp::Eq => Lane::Bool(zip(a, b, |a, b| a == b)),
            BinaryOp::Ne => Lane::Bool(zip(a, b, |a, b| a != b)),
            other => panic!("{other:?} in such a function"),
        },
        (Lane::Uint(a), Lane::Uint(b)) => match op {
            BinaryOp::IAdd => Lane::Uint(zip(a, b, u32::wrapping_add)),
            BinaryOp::ISub => Lane::Uint(zip(a, b, u32::wrapping_sub)),
            BinaryOp::IMul => Lane::Uint(zip(a, b, u32::wrapping_mul)),
            BinaryOp::IAnd => Lane::Uint(zip(a, b, |a, b| a & b)),
            BinaryOp::IXor => Lane::Uint(zip(a, b, |a, b| a ^ b)),
            BinaryOp::IShl => Lane::Uint(zip(a, b, u32::wrapping_shl)),
            BinaryOp::IShr => Lane::Uint(zip(a, b, u32::wrapping_shr)),
            BinaryOp::IEq => Lane::Bool(zip(a, b, |a, b| a == b)),
            BinaryOp::ILt => Lane::Bool(zip(a, b, |a, b| a < b)),
            other => panic!("{other:?} in such a function"),
        },
        (Lane::Bool(a), Lane::Bool(b)) => match op {
            BinaryOp::And => Lane::Bool(zip(a, b, |a, b| a & b)),
            BinaryOp::Or => Lane::Bool(zip(a, b, |a, b| a | b)),
            BinaryOp::Xor => Lane::Bool(zip(a, b, |a, b| a ^ b)),
            other => panic!("{other:?} in such a function"),
        },
        other => panic!("{other:?} in such a function"),
    }
}
