//! Branches, and values whose shape shows only when they are evaluated.

use super::{Context, Shapes};
use crate::ir::{self, BinaryOp, ValueId};
use crate::lower::Error;
use crate::lower::value::{Shape, Value, Variant};
use indexmap::IndexMap;

/// What a consumer does with a value of one shape.
type ForShape<'a, 'f> = dyn FnMut(&mut Context<'a>, Shape, &[ValueId]) -> Result<Value, Error> + 'f;

impl<'a> Context<'a> {
    /// Opens a block whose statements run under a condition.
    pub(crate) fn open(&mut self) {
        self.body.open();
        self.memo.push(IndexMap::new());
        self.depth += 1;
    }

    /// Ends it. What was computed in it is not known outside.
    pub(crate) fn close(&mut self) -> ir::Block {
        self.memo.pop();
        self.depth -= 1;
        self.body.close()
    }

    /// Runs the callback's statements where the condition holds.
    pub(crate) fn only_if(
        &mut self,
        condition: ValueId,
        run: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.open();
        let result = run(self);
        let then = self.close();
        self.body.branch(condition, then, ir::Block::new(), &[]);
        result
    }

    /// `then` where the condition holds, `otherwise` where it does not; only one is evaluated.
    pub(crate) fn either(
        &mut self,
        condition: ValueId,
        then: impl FnOnce(&mut Self) -> Result<Value, Error>,
        otherwise: impl FnOnce(&mut Self) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        self.open();
        let a = then(self);
        let then = self.close();
        self.join(condition, then, a?, otherwise)
    }

    /// Like [`either`](Self::either) with the first arm lowered and closed.
    pub(crate) fn join(
        &mut self,
        condition: ValueId,
        then: ir::Block,
        mut a: Value,
        otherwise: impl FnOnce(&mut Self) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        self.open();
        let b = otherwise(self);
        let otherwise = self.close();
        let mut b = b?;
        let tags = (self.tag(&a), self.tag(&b));
        let shapes = a.shapes_with(&b);
        self.widen(&mut a, &shapes);
        self.widen(&mut b, &shapes);
        let mut outcomes: Vec<(ValueId, ValueId)> = Vec::new();
        for (a, b) in a.variants.iter().zip(&b.variants) {
            outcomes.extend(a.components.iter().copied().zip(b.components.iter().copied()));
        }
        if shapes.len() > 1 {
            outcomes.push(tags);
        }
        let mut merged = self.body.branch(condition, then, otherwise, &outcomes).into_iter();
        let variants = shapes
            .iter()
            .map(|&shape| Variant {
                shape,
                components: merged.by_ref().take(shape.len()).collect(),
            })
            .collect();
        Ok(Value { variants, tag: merged.next() })
    }

    /// One of two values that are computed already.
    pub(crate) fn select(&mut self, condition: ValueId, mut a: Value, mut b: Value) -> Value {
        let tags = (self.tag(&a), self.tag(&b));
        let shapes = a.shapes_with(&b);
        self.widen(&mut a, &shapes);
        self.widen(&mut b, &shapes);
        let variants = a.variants.iter().zip(&b.variants).map(|(a, b)| {
            let components = a.components.iter().zip(&b.components);
            let components = components.map(|(&a, &b)| self.either_number(condition, a, b));
            Variant { shape: a.shape, components: components.collect() }
        });
        let variants = variants.collect();
        let tag = (shapes.len() > 1).then(|| self.either_number(condition, tags.0, tags.1));
        Value { variants, tag }
    }

    /// The callback's value where the condition holds, and some value of the same shapes where it
    /// does not: for consumers that do not look at it then.
    pub(crate) fn where_needed(
        &mut self,
        condition: ValueId,
        run: impl FnOnce(&mut Self) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        self.open();
        let value = run(self);
        let then = self.close();
        let value = value?;
        let shapes = value.shapes();
        self.join(condition, then, value, |context| {
            let mut nothing = Value {
                variants: Vec::new(),
                tag: shapes.first().map(|shape| context.shape_tag(*shape)),
            };
            context.widen(&mut nothing, &shapes);
            Ok(nothing)
        })
    }

    /// The last entry whose condition holds; the first entry has none.
    pub(crate) fn last_where(&mut self, conditions: &[ValueId], entries: &[ValueId]) -> ValueId {
        let mut picked = entries[0];
        for (&condition, &entry) in conditions.iter().zip(&entries[1..]) {
            picked = self.either_number(condition, entry, picked);
        }
        picked
    }

    /// Like [`last_where`](Self::last_where), of values.
    pub(crate) fn last_value_where(&mut self, conditions: &[ValueId], entries: &[Value]) -> Value {
        let mut picked = entries[0].clone();
        for (&condition, entry) in conditions.iter().zip(&entries[1..]) {
            picked = self.select(condition, entry.clone(), picked);
        }
        picked
    }

    fn shape_tag(&mut self, shape: Shape) -> ValueId {
        self.body.uint(shape.number())
    }

    fn either_number(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
        if a == b { a } else { self.body.select(condition, a, b) }
    }

    /// Gives a value a (meaningless) variant for each of the shapes.
    pub(crate) fn widen(&mut self, value: &mut Value, shapes: &Shapes) {
        let zero = self.body.float(0.0);
        let variants = shapes.iter().map(|&shape| Variant {
            shape,
            components: value.variant(shape).map_or_else(|| vec![zero; shape.len()], <[_]>::to_vec),
        });
        value.variants = variants.collect();
    }

    /// The number of the value's present shape.
    pub(crate) fn tag(&mut self, value: &Value) -> ValueId {
        match (value.tag, value.variants.first()) {
            (None, Some(only)) => self.body.uint(only.shape.number()),
            (Some(tag), _) => tag,
            (None, None) => self.body.uint(Shape::Scalar.number()),
        }
    }

    /// Runs the callback for the shape that the value has, whichever it is.
    pub(crate) fn by_shape(
        &mut self,
        value: &Value,
        run: &mut ForShape<'a, '_>,
    ) -> Result<Value, Error> {
        self.by_shape_from(value, 0, run)
    }

    fn by_shape_from(
        &mut self,
        value: &Value,
        first: usize,
        run: &mut ForShape<'a, '_>,
    ) -> Result<Value, Error> {
        let variant = &value.variants[first];
        let (Some(tag), true) = (value.tag, first + 1 < value.variants.len()) else {
            return run(self, variant.shape, &variant.components);
        };
        let number = self.body.uint(variant.shape.number());
        let is_this = self.body.binary(BinaryOp::IEq, tag, number);
        self.open();
        let a = run(self, variant.shape, &variant.components);
        let then = self.close();
        self.join(is_this, then, a?, |context| context.by_shape_from(value, first + 1, run))
    }

    /// What the callback makes of each component, in the value's shape.
    pub(crate) fn map(
        &mut self,
        value: &Value,
        mut run: impl FnMut(&mut Self, ValueId) -> Result<ValueId, Error>,
    ) -> Result<Value, Error> {
        self.by_shape(value, &mut |context, _, components| {
            let components = components.iter().map(|&component| run(context, component));
            Ok(Value::of(components.collect::<Result<_, _>>()?))
        })
    }
}
