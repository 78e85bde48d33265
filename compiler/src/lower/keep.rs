//! Values that outlive their evaluation, of whatever shape: in registers or in columns.

use super::Context;
use super::context::Shapes;
use super::value::{Value, Variant};
use crate::ir::{Const, Storage, ValueId};

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

/// Components of the largest shape.
fn length(shapes: &Shapes) -> usize {
    shapes.iter().map(|shape| shape.len()).max().unwrap_or(0)
}
