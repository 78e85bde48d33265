//! Programs that are nothing but small expressions over special numbers, for what folding rewrites.
//! The same expressions stand in a function, where folding does not know the precision.

use pyrograph_compiler::ir::op::{BinaryOp, UnaryOp};
use pyrograph_compiler::ir::{
    BodyBuilder, Column, Field, Function, Handle, Module, Profile, Storage, Table, Type, ValueId,
};

use super::generate::{Dice, FLOATS, UINTS, declarations};

/// Each particle reads other operands from tables, which folding cannot know, and stores what
/// random expressions make of them.
pub(crate) fn algebra(seed: u64) -> Module {
    let mut dice = Dice(seed);
    let profile = dice.pick(&[Profile::Exact, Profile::Parallel]);
    let mut program = declarations(&mut dice, profile);
    program.capacity = 15;
    program.columns = Default::default();
    let column = |name: String, storage, field| Column { name, storage, field, constant: None };
    let id = program.columns.push(column("id".into(), Storage::U32, Some(Field::Id)));
    let floats = program.tables.push(Table { name: "floats".into(), values: FLOATS.to_vec() });
    let uints: Vec<f64> = UINTS.iter().copied().map(f64::from).collect();
    let uints = program.tables.push(Table { name: "uints".into(), values: uints });

    let mut builder = BodyBuilder::default();
    let new_id = builder.new_id();
    builder.store(id, new_id);
    let mut scope = Vec::new();
    for offset in 0..3 {
        let (factor, offset) = (builder.uint(2 * offset + 1), builder.uint(offset));
        let index = builder.binary(BinaryOp::IMul, new_id, factor);
        let index = builder.binary(BinaryOp::IAdd, index, offset);
        let index = wrapped(&mut builder, index, FLOATS.len());
        let float = builder.table(floats, index);
        let index = wrapped(&mut builder, index, UINTS.len());
        let uint = builder.table(uints, index);
        let uint = builder.unary(UnaryOp::ToUint, uint);
        scope.extend([float, float, uint, uint]);
    }
    let truth = builder.binary(BinaryOp::Lt, scope[0], scope[4]);
    scope.extend([truth, builder.binary(BinaryOp::ILt, scope[2], scope[6])]);
    let function = program.functions.push(function(&mut dice, profile));
    let body = &program.functions[function].body;
    let types: Vec<Type> = body.results.iter().map(|&result| body.values[result].ty).collect();
    let mut results = Vec::new();
    for _ in 0..3 {
        // Often the same first argument: calls are told apart by all of them.
        let first = if dice.percent(50) { scope[0] } else { scope[4] };
        let mut arguments = vec![first];
        for (index, ty) in PARAMS.iter().enumerate().skip(1) {
            let fitting: Vec<ValueId> =
                scope.iter().copied().filter(|&value| builder.ty(value) == *ty).collect();
            arguments.push(fitting[(index + dice.below(2)) % fitting.len()]);
        }
        results.extend(builder.call(function, arguments, &types));
    }
    for _ in 0..30 {
        let depth = 1 + dice.below(3);
        let ty = dice.pick(&[Type::Float, Type::Float, Type::Uint, Type::Bool]);
        results.push(expression(&mut dice, &mut builder, &scope, ty, depth, profile));
    }
    for (index, mut value) in results.into_iter().enumerate() {
        let storage = match builder.ty(value) {
            Type::Float => Storage::F64,
            Type::Uint => Storage::U32,
            Type::Bool => {
                let (one, zero) = (builder.uint(1), builder.uint(0));
                value = builder.select(value, one, zero);
                Storage::U8
            }
        };
        let out: Handle<Column> =
            program.columns.push(column(format!("out{index}"), storage, None));
        builder.store(out, value);
    }
    program.birth = builder.finish(Vec::new());
    Module { programs: vec![program] }
}

const PARAMS: [Type; 5] = [Type::Float, Type::Float, Type::Uint, Type::Uint, Type::Bool];

/// Expressions whose precision folding cannot know.
fn function(dice: &mut Dice, profile: Profile) -> Function {
    let mut builder = BodyBuilder::default();
    let scope: Vec<ValueId> =
        (0u32..).zip(PARAMS).map(|(index, ty)| builder.param(index, ty)).collect();
    let results = (0..8)
        .map(|_| {
            let ty = dice.pick(&[Type::Float, Type::Float, Type::Uint, Type::Bool]);
            // Constants meet in deep expressions.
            expression(dice, &mut builder, &scope, ty, 3, profile)
        })
        .collect();
    let params = PARAMS.iter().enumerate().map(|(index, &ty)| (format!("p{index}"), ty)).collect();
    Function { name: "f".into(), params, continuous: false, body: builder.finish(results) }
}

/// The remainder, as repeated subtraction of a multiple that keeps the number in range.
fn wrapped(builder: &mut BodyBuilder, index: ValueId, count: usize) -> ValueId {
    let mut value = index;
    for multiple in [8, 4, 2, 1, 1] {
        let length = builder.uint((count * multiple) as u32);
        let below = builder.binary(BinaryOp::ILt, value, length);
        let less = builder.binary(BinaryOp::ISub, value, length);
        value = builder.select(below, value, less);
    }
    value
}

fn expression(
    dice: &mut Dice,
    builder: &mut BodyBuilder,
    scope: &[ValueId],
    ty: Type,
    depth: usize,
    profile: Profile,
) -> ValueId {
    if depth == 0 {
        let fitting: Vec<ValueId> =
            scope.iter().copied().filter(|&value| builder.ty(value) == ty).collect();
        if dice.percent(60) {
            return dice.pick(&fitting);
        }
        return match ty {
            Type::Float => builder.float(dice.pick(FLOATS)),
            Type::Uint => builder.uint(dice.pick(UINTS)),
            Type::Bool => builder.constant(pyrograph_compiler::ir::Const::Bool(dice.percent(50))),
        };
    }
    let inner = |builder: &mut BodyBuilder, dice: &mut Dice, ty| {
        let depth = if dice.percent(40) { 0 } else { depth - 1 };
        expression(dice, builder, scope, ty, depth, profile)
    };
    if dice.percent(8) && ty != Type::Bool {
        // There and back: exact for some integers only.
        let a = inner(builder, dice, Type::Uint);
        let float = builder.unary(dice.pick(&[UnaryOp::FromUint, UnaryOp::FromInt]), a);
        let back = if ty == Type::Uint { UnaryOp::ToUint } else { UnaryOp::RoundF32 };
        return builder.unary(back, float);
    }
    if dice.percent(12) {
        let condition = inner(builder, dice, Type::Bool);
        let (a, b) = (inner(builder, dice, ty), inner(builder, dice, ty));
        return builder.select(condition, a, b);
    }
    let exact = profile == Profile::Exact;
    let unary: Vec<UnaryOp> = UnaryOp::ALL
        .iter()
        .copied()
        .filter(|op| op.result() == ty && !op.is_transcendental())
        .collect();
    let binary: Vec<BinaryOp> = BinaryOp::ALL
        .iter()
        .copied()
        .filter(|op| op.result() == ty && (exact || !op.is_transcendental()))
        .collect();
    if dice.percent(35) {
        let op = dice.pick(&unary);
        let a = inner(builder, dice, op.operands()[0]);
        return builder.unary(op, a);
    }
    let op = dice.pick(&binary);
    let a = inner(builder, dice, op.operands()[0]);
    let same = dice.percent(15) && op.operands()[0] == op.operands()[1];
    let b = if same { a } else { inner(builder, dice, op.operands()[1]) };
    builder.binary(op, a, b)
}
