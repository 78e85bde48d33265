//! Values that outlive their evaluation, of whatever shape: in registers or in columns.

use super::context::Shapes;
use super::value::{Value, Variant};
use super::{Context, Error};
use crate::ir::{BinaryOp, Column, Const, Handle, Storage, ValueId};

/// Where a value is kept: under `<prefix>.value0` and so on, with `<prefix>.shape` where the shape
/// varies.
pub(crate) enum Keep {
    /// One for the system.
    Register(String),
    /// One a particle.
    Column(String),
}

impl Keep {
    /// Writes a value. Its shapes must be among those under which it is loaded.
    pub(crate) fn store(&self, context: &mut Context<'_>, value: &Value, shapes: &Shapes) {
        let zero = context.body.float(0.0);
        for at in 0..length(shapes) {
            let component =
                context.pick(value, zero, |variant| variant.components.get(at).copied());
            match self {
                Self::Register(prefix) => {
                    let name = format!("{prefix}.value{at}");
                    let register = context.state.register(name, Const::Float(0.0));
                    context.store_register(register, component);
                }
                Self::Column(prefix) => {
                    let column = context.state.column(format!("{prefix}.value{at}"), Storage::F64);
                    context.store(column, component);
                }
            }
        }
        if shapes.len() > 1 {
            let tag = context.tag(value);
            self.store_shape(context, tag);
        }
    }

    /// A fresh value, kept and marked, where the condition `stale` holds (or there is none), and
    /// otherwise the one that was kept. Also gives the shapes under which it is kept.
    pub(crate) fn refresh(
        &self,
        context: &mut Context<'_>,
        stale: Option<ValueId>,
        fresh: impl FnOnce(&mut Context<'_>) -> Result<Value, Error>,
        mark: impl FnOnce(&mut Context<'_>),
    ) -> Result<(Value, Shapes), Error> {
        let renew = |context: &mut Context<'_>| {
            let value = fresh(context)?;
            self.store(context, &value, &value.shapes());
            mark(context);
            Ok(value)
        };
        let Some(stale) = stale else {
            let value = renew(context)?;
            let shapes = value.shapes();
            return Ok((value, shapes));
        };
        context.open();
        let value = renew(context);
        let then = context.close();
        let value = value?;
        // The shapes of what is kept show when it is computed.
        let shapes = value.shapes();
        let value = context.join(stale, then, value, |context| Ok(self.load(context, &shapes)))?;
        Ok((value, shapes))
    }

    /// Reads what was written.
    pub(crate) fn load(&self, context: &mut Context<'_>, shapes: &Shapes) -> Value {
        let components: Vec<ValueId> = (0..length(shapes))
            .map(|at| match self {
                Self::Register(prefix) => {
                    let name = format!("{prefix}.value{at}");
                    let register = context.state.register(name, Const::Float(0.0));
                    context.load_register(register)
                }
                Self::Column(prefix) => {
                    let column = context.state.column(format!("{prefix}.value{at}"), Storage::F64);
                    context.load(column)
                }
            })
            .collect();
        let variants = shapes
            .iter()
            .map(|&shape| Variant { shape, components: components[..shape.len()].to_vec() });
        let variants = variants.collect();
        let tag = (shapes.len() > 1).then(|| self.load_shape(context));
        Value { variants, tag }
    }

    fn store_shape(&self, context: &mut Context<'_>, tag: ValueId) {
        match self {
            Self::Register(prefix) => {
                let register = context.state.register(format!("{prefix}.shape"), Const::Uint(0));
                context.store_register(register, tag);
            }
            Self::Column(prefix) => {
                let column = context.state.column(format!("{prefix}.shape"), Storage::U8);
                context.store(column, tag);
            }
        }
    }

    fn load_shape(&self, context: &mut Context<'_>) -> ValueId {
        match self {
            Self::Register(prefix) => {
                let register = context.state.register(format!("{prefix}.shape"), Const::Uint(0));
                context.load_register(register)
            }
            Self::Column(prefix) => {
                let column = context.state.column(format!("{prefix}.shape"), Storage::U8);
                context.load(column)
            }
        }
    }
}

/// Whether a particle's value is stale: where its flag is 0. `None` for a new particle, which cannot
/// have one.
pub(crate) fn staleness(
    context: &mut Context<'_>,
    valid: Handle<Column>,
    is_new: bool,
) -> Option<ValueId> {
    if is_new {
        return None;
    }
    let flag = context.load(valid);
    let zero = context.body.uint(0);
    Some(context.body.binary(BinaryOp::IEq, flag, zero))
}

/// Components of the largest shape.
fn length(shapes: &Shapes) -> usize {
    shapes.iter().map(|shape| shape.len()).max().unwrap_or(0)
}
