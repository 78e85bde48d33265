//! What passes share to change bodies: taking them out one by one, replacing values, constants.

use indexmap::IndexMap;

use crate::ir::{
    Arena, Block, Body, BodyKind, Const, Expr, Handle, Place, Precision, Program, Stmt, Type,
    Value, ValueId,
};

/// Calls back with every body, functions first. The body is out of the program meanwhile.
/// Gives whether any call said that it changed something.
pub(super) fn edit_bodies(
    program: &mut Program,
    mut edit: impl FnMut(&Program, Place, &mut Body) -> bool,
) -> bool {
    let mut changed = false;
    let functions: Vec<_> = program.functions.iter().map(|(handle, _)| handle).collect();
    for handle in functions {
        let mut body = std::mem::take(&mut program.functions[handle].body);
        changed |= edit(program, Place::Function(handle), &mut body);
        program.functions[handle].body = body;
    }
    for kind in BodyKind::ALL {
        let slot = program.bodies_mut().find(|(found, _)| *found == kind);
        let Some(mut body) = slot.map(|(_, body)| std::mem::take(body)) else { continue };
        changed |= edit(program, Place::Body(kind), &mut body);
        if let Some((_, slot)) = program.bodies_mut().find(|(found, _)| *found == kind) {
            *slot = body;
        }
    }
    changed
}

/// Keeps the statements for which the callback says so, which it is asked from the last to the first.
/// Gives whether any went.
pub(super) fn retain_backwards(
    block: &mut Block,
    mut is_needed: impl FnMut(&mut Stmt) -> bool,
) -> bool {
    let before = block.len();
    let mut kept = Block::with_capacity(before);
    for mut statement in block.drain(..).rev() {
        if is_needed(&mut statement.kind) {
            kept.push(statement);
        }
    }
    kept.reverse();
    *block = kept;
    block.len() < before
}

/// What values have been replaced by. A walk meets definitions before uses, so whatever is
/// replaced is known by the time that it is read.
#[derive(Debug)]
pub(super) struct Replaced {
    by: Vec<ValueId>,
}

impl Replaced {
    pub(super) fn new(body: &Body) -> Self {
        Self { by: body.values.iter().map(|(value, _)| value).collect() }
    }

    /// What to read instead. Two steps: the second is for values that are known only within a
    /// block, such as its condition.
    pub(super) fn get(&self, value: ValueId) -> ValueId {
        let step = |value: ValueId| self.by.get(value.index()).copied().unwrap_or(value);
        step(step(value))
    }

    /// From now on the value is read as another; gives what it was read as before.
    pub(super) fn set(&mut self, value: ValueId, by: ValueId) -> ValueId {
        match self.by.get_mut(value.index()) {
            Some(slot) => std::mem::replace(slot, by),
            None => value,
        }
    }

    /// Replaces what a statement reads, inner blocks aside.
    pub(super) fn apply(&self, statement: &mut Stmt) {
        match statement {
            Stmt::Store(_, value) | Stmt::StoreRegister(_, value) | Stmt::Kill(value) => {
                *value = self.get(*value);
            }
            Stmt::Call { arguments, .. } => {
                for argument in arguments {
                    *argument = self.get(*argument);
                }
            }
            Stmt::If { condition, .. } => *condition = self.get(*condition),
            Stmt::Let(_) | Stmt::Draw { .. } | Stmt::Fail(_) => {}
        }
    }
}

/// The constants of a body, each of them once.
#[derive(Debug)]
pub(super) struct Constants {
    known: IndexMap<Const, ValueId>,
}

impl Constants {
    pub(super) fn new(body: &Body) -> Self {
        let mut known = IndexMap::new();
        for (value, found) in body.values.iter() {
            if let Expr::Const(constant) = found.expr {
                known.entry(canonical(constant)).or_insert(value);
            }
        }
        Self { known }
    }

    pub(super) fn get(&mut self, body: &mut Body, constant: Const) -> ValueId {
        let constant = canonical(constant);
        *self.known.entry(constant).or_insert_with(|| {
            body.values.push(Value { expr: Expr::Const(constant), ty: constant.ty() })
        })
    }
}

/// All NaN are one.
pub(super) fn canonical(constant: Const) -> Const {
    match constant {
        Const::Float(value) if value.is_nan() => Const::Float(f64::NAN),
        Const::Float(_) | Const::Uint(_) | Const::Bool(_) => constant,
    }
}

/// The constant as a body of this precision reads it.
pub(super) fn rounded(constant: Const, precision: Option<Precision>) -> Const {
    match (constant, precision) {
        (Const::Float(value), Some(precision)) => canonical(Const::Float(precision.round(value))),
        (constant, _) => canonical(constant),
    }
}

/// The constant that a value is, if it is one.
pub(super) fn as_constant(body: &Body, value: ValueId) -> Option<Const> {
    match body.values[value].expr {
        Expr::Const(constant) => Some(constant),
        _ => None,
    }
}

/// Whether a value is a `Bool` constant.
pub(super) fn as_bool(body: &Body, value: ValueId) -> Option<bool> {
    match (body.values[value].ty, as_constant(body, value)) {
        (Type::Bool, Some(Const::Bool(value))) => Some(value),
        _ => None,
    }
}

/// Keeps some items of an arena; gives what became of each handle.
pub(super) fn retain<T: Clone>(
    arena: &mut Arena<T>,
    keep: impl Fn(Handle<T>, &T) -> bool,
) -> Vec<Option<Handle<T>>> {
    let old = std::mem::take(arena);
    let kept =
        old.iter().map(|(handle, item)| keep(handle, item).then(|| arena.push(item.clone())));
    kept.collect()
}
