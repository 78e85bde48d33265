//! The body being lowered: evaluation of inputs, lazily and in the contract's order, with a memo.
//!
//! The contract evaluates an input each time it is read. A value without draws and stores gives the
//! same number again until something that it loads is stored, so its second reading may be the
//! first one's result. [`Context::evaluate`] keeps such results, with the state that they load,
//! and drops them when that state changes or when the block in which they were computed ends.

use indexmap::{IndexMap, IndexSet};

use super::state::State;
use super::value::{Property, Shape, Value, Variant};
use super::{Error, dispatch};
use crate::graph::{Block, BlockIndex, Graph, InputSource};
use crate::ir::{
    self, BinaryOp, BodyBuilder, BodyKind, Column, Field, Handle, Profile, Register, UniformSource,
    ValueId,
};

/// OncePerParticle blocks that every birth has drawn, with the shape that is kept: later bodies only
/// load them.
pub(crate) type Born = IndexMap<BlockIndex, Shape>;

/// Lowers one body of one program.
pub(crate) struct Context<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) state: &'a mut State,
    pub(crate) body: BodyBuilder,
    pub(crate) kind: BodyKind,
    /// The particle's step of spec section 5.5, where an update computed it.
    pub(crate) step: Option<ValueId>,
    /// The emission power of this birth, where it was evaluated.
    pub(crate) emit_power: Option<ValueId>,
    pub(crate) born: &'a mut Born,
    /// Locked Random blocks that this body has read.
    read: IndexSet<BlockIndex>,
    memo: Vec<IndexMap<(BlockIndex, String), Known>>,
    /// What the values being evaluated have loaded or done so far, innermost last.
    effects: Vec<Effects>,
    /// How many branches are open around the present statement.
    depth: usize,
}

/// What a consumer does with a value of one shape.
type ForShape<'a, 'f> = dyn FnMut(&mut Context<'a>, Shape, &[ValueId]) -> Result<Value, Error> + 'f;

struct Known {
    value: Value,
    loads: IndexSet<Slot>,
}

/// State that a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Slot {
    Column(Handle<Column>),
    Register(Handle<Register>),
}

#[derive(Default)]
struct Effects {
    loads: IndexSet<Slot>,
    /// Reading again must do it all again.
    volatile: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        state: &'a mut State,
        born: &'a mut Born,
        kind: BodyKind,
    ) -> Self {
        Self {
            graph,
            state,
            body: BodyBuilder::default(),
            kind,
            step: None,
            emit_power: None,
            born,
            read: IndexSet::new(),
            memo: vec![IndexMap::new()],
            effects: Vec::new(),
            depth: 0,
        }
    }

    pub(crate) fn profile(&self) -> Profile {
        self.state.profile
    }

    pub(crate) fn block(&self, index: BlockIndex) -> &'a Block {
        self.graph.block(index)
    }

    /// Notes that the body reads a locked block. True where no statement before this one has read
    /// it and this one runs on every path through the body.
    pub(crate) fn is_first_read(&mut self, index: BlockIndex) -> bool {
        self.read.insert(index) && self.depth == 0
    }

    /// Runs the callback with statements attributed to the block.
    pub(crate) fn at_block<T>(&mut self, index: BlockIndex, run: impl FnOnce(&mut Self) -> T) -> T {
        let origin = self.state.origin(index, self.graph.block(index));
        let before = self.body.set_origin(Some(origin));
        let result = run(self);
        self.body.set_origin(before);
        result
    }

    // --- Evaluation ---------------------------------------------------------------------------

    /// The value of an input; `default` (numbers of one shape) where it has neither wire nor
    /// literal.
    pub(crate) fn input(
        &mut self,
        index: BlockIndex,
        name: &str,
        default: &[f64],
    ) -> Result<Value, Error> {
        let source = self.block(index).input(name).map(|input| &input.source);
        match source {
            Some(InputSource::Wire(from, output)) => {
                let (from, output) = (*from, output.clone());
                // Wires may form chains of any length.
                stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.evaluate(from, &output))
            }
            Some(InputSource::Literal(literal)) => Ok(self.constants(literal.numbers())),
            Some(InputSource::Dangling) => Err(Error::unresolved(self.graph, index, name)),
            Some(InputSource::Unconnected) | None => Ok(self.constants(default)),
        }
    }

    /// The value of a block's output, computed here or known already.
    fn evaluate(&mut self, index: BlockIndex, output: &str) -> Result<Value, Error> {
        let key = (index, output.to_owned());
        if let Some(known) = self.memo.iter().rev().find_map(|scope| scope.get(&key)) {
            let value = known.value.clone();
            if let Some(effects) = self.effects.last_mut() {
                effects.loads.extend(known.loads.iter().copied());
            }
            return Ok(value);
        }
        self.effects.push(Effects::default());
        let value = self.at_block(index, |context| dispatch::value(context, index, output));
        let effects = self.effects.pop().unwrap_or_default();
        let value = value?;
        if let Some(outer) = self.effects.last_mut() {
            outer.loads.extend(effects.loads.iter().copied());
            outer.volatile |= effects.volatile;
        }
        if !effects.volatile
            && let Some(scope) = self.memo.last_mut()
        {
            scope.insert(key, Known { value: value.clone(), loads: effects.loads });
        }
        Ok(value)
    }

    /// The value being evaluated must be evaluated again at each reading.
    pub(crate) fn mark_volatile(&mut self) {
        if let Some(effects) = self.effects.last_mut() {
            effects.volatile = true;
        }
    }

    // --- State --------------------------------------------------------------------------------

    pub(crate) fn load(&mut self, column: Handle<Column>) -> ValueId {
        if let Some(effects) = self.effects.last_mut() {
            effects.loads.insert(Slot::Column(column));
        }
        let ty = self.state.columns[column].storage.ty();
        self.body.load(column, ty)
    }

    pub(crate) fn load_field(&mut self, field: Field) -> ValueId {
        let column = self.state.field(field);
        self.load(column)
    }

    pub(crate) fn load_register(&mut self, register: Handle<Register>) -> ValueId {
        if let Some(effects) = self.effects.last_mut() {
            effects.loads.insert(Slot::Register(register));
        }
        let ty = self.state.registers[register].initial.ty();
        self.body.load_register(register, ty)
    }

    pub(crate) fn store(&mut self, column: Handle<Column>, value: ValueId) {
        self.body.store(column, value);
        self.forget(Slot::Column(column));
    }

    pub(crate) fn store_field(&mut self, field: Field, value: ValueId) {
        let column = self.state.field(field);
        self.store(column, value);
    }

    pub(crate) fn store_register(&mut self, register: Handle<Register>, value: ValueId) {
        self.body.store_register(register, value);
        self.forget(Slot::Register(register));
    }

    fn forget(&mut self, slot: Slot) {
        for scope in &mut self.memo {
            scope.retain(|_, known| !known.loads.contains(&slot));
        }
    }

    pub(crate) fn uniform(&mut self, source: UniformSource) -> ValueId {
        let uniform = self.state.uniform(source);
        self.body.uniform(uniform, source.ty())
    }

    // --- Branches -----------------------------------------------------------------------------

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
        let mut shapes: Vec<Shape> =
            a.variants.iter().chain(&b.variants).map(|variant| variant.shape).collect();
        shapes.sort_unstable();
        shapes.dedup();
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

    /// Gives a value a (meaningless) variant for each of the shapes.
    fn widen(&mut self, value: &mut Value, shapes: &[Shape]) {
        let zero = self.body.float(0.0);
        let variants = shapes.iter().map(|&shape| Variant {
            shape,
            components: value.variant(shape).map_or_else(|| vec![zero; shape.len()], <[_]>::to_vec),
        });
        value.variants = variants.collect();
    }

    /// The number of the value's present shape.
    pub(crate) fn tag(&mut self, value: &Value) -> ValueId {
        match (value.tag, value.fixed()) {
            (Some(tag), _) => tag,
            (None, Some(only)) => self.body.uint(only.shape.number()),
            (None, None) => self.body.uint(Shape::Null.number()),
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

    // --- Components ---------------------------------------------------------------------------

    /// What JavaScript's property access gives: NaN where the present shape has no such component.
    pub(crate) fn property(&mut self, value: &Value, property: Property) -> ValueId {
        let nan = self.body.float(f64::NAN);
        let component = |variant: &Variant| {
            let at = variant.shape.properties().iter().position(|&other| other == property);
            at.map(|at| variant.components[at])
        };
        self.pick(value, nan, component)
    }

    /// The value as a number: NaN where it is a vector, 0 where it is null.
    pub(crate) fn number(&mut self, value: &Value) -> ValueId {
        let nan = self.body.float(f64::NAN);
        let zero = self.body.float(0.0);
        self.pick(value, nan, |variant| match variant.shape {
            Shape::Null => Some(zero),
            Shape::Scalar => variant.components.first().copied(),
            Shape::Vector2 | Shape::Vector3 | Shape::Color => None,
        })
    }

    /// Selects by the present shape what the callback finds in each variant.
    pub(crate) fn pick(
        &mut self,
        value: &Value,
        missing: ValueId,
        find: impl Fn(&Variant) -> Option<ValueId>,
    ) -> ValueId {
        let mut found = value
            .variants
            .iter()
            .map(|variant| (variant.shape.number(), find(variant).unwrap_or(missing)));
        let Some((_, mut result)) = found.next() else { return missing };
        for (number, other) in found {
            if let Some(tag) = value.tag
                && other != result
            {
                let number = self.body.uint(number);
                let is_this = self.body.binary(BinaryOp::IEq, tag, number);
                result = self.body.select(is_this, other, result);
            }
        }
        result
    }

    /// A value of constants, its shape given by their number.
    pub(crate) fn constants(&mut self, numbers: &[f64]) -> Value {
        Value::of(numbers.iter().map(|&number| self.body.float(number)).collect())
    }

    /// The x, y and z of a value.
    pub(crate) fn vector3(&mut self, value: &Value) -> [ValueId; 3] {
        [Property::X, Property::Y, Property::Z].map(|property| self.property(value, property))
    }

    /// The r, g, b and a of a value.
    pub(crate) fn color(&mut self, value: &Value) -> [ValueId; 4] {
        [Property::R, Property::G, Property::B, Property::A]
            .map(|property| self.property(value, property))
    }

    /// Runs the callback so that what it loads and draws does not count as read by the value that
    /// is being evaluated: a locked value stays what it is when its bounds change.
    pub(crate) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.effects.push(Effects::default());
        let result = run(self);
        self.effects.pop();
        result
    }
}
