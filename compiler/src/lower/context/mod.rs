//! The body being lowered: evaluation of inputs, lazily and in the contract's order, with a memo.
//!
//! The contract evaluates an input each time it is read. A value without draws and stores gives the
//! same number again until something that it loads is stored, so its second reading may be the
//! first one's result. [`Context::input`] keeps such results, with the state that they load, and
//! drops them when that state changes or when the block in which they were computed ends.

mod branch;
mod component;
mod pure;

pub(crate) use pure::Known as KnownBlocks;

use indexmap::{IndexMap, IndexSet};

use super::plan::Plan;
use super::state::State;
use super::value::{Shape, Value};
use super::{Error, count, dispatch, polynomial};
use crate::diagnostic::Code;
use crate::graph::{Block, BlockIndex, Graph, InputSource, js};
use crate::ir::op::{eval_binary, eval_unary};
use crate::ir::{
    BinaryOp, Body, BodyBuilder, BodyKind, Column, Const, Field, Handle, Precision, Profile,
    Register, Type, UnaryOp, UniformSource, ValueId,
};

/// Branches that may stand inside each other: later stages and targets follow them on a stack.
const MAX_DEPTH: usize = 500;

/// Lowers one body of one program.
pub(crate) struct Context<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) plan: &'a Plan,
    pub(crate) state: &'a mut State,
    pub(crate) body: BodyBuilder,
    pub(crate) kind: BodyKind,
    /// The particle's step of spec section 5.5, where an update computed it.
    pub(crate) step: Option<ValueId>,
    /// What the creation slots of this birth leave for each other.
    pub(crate) birth: Birth,
    /// The block that is being lowered.
    at: BlockIndex,
    /// Locked Random blocks that this body has read.
    read: IndexSet<BlockIndex>,
    memo: Vec<IndexMap<Key, Known>>,
    /// What the values being evaluated have loaded or done so far, innermost last.
    effects: Vec<Effects>,
    /// Which entries of the memo load a slot, by their scopes; some may be gone already.
    loaded_by: IndexMap<Slot, Vec<(usize, Key)>>,
    /// How many branches are open around the present statement.
    depth: usize,
    /// Blocks of which it is known whether they may be evaluated where the contract would not.
    pure: pure::Known,
}

/// Values that one creation slot of a birth computes and a later one needs.
#[derive(Default)]
pub(crate) struct Birth {
    /// The emission power.
    pub(crate) emit_power: Option<ValueId>,
    /// The birth point in the world, before it is rounded to its column.
    pub(crate) point: Option<[ValueId; 3]>,
    /// The birth point's normal on a mesh, in the emitter's space.
    pub(crate) normal: Option<[ValueId; 3]>,
}

/// An output of a block.
type Key = (BlockIndex, String);

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
    /// Reading again must do it all again: it draws or stores, or what it loaded has changed since.
    volatile: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        plan: &'a Plan,
        state: &'a mut State,
        kind: BodyKind,
    ) -> Self {
        Self {
            graph,
            plan,
            state,
            body: BodyBuilder::default(),
            kind,
            step: None,
            birth: Birth::default(),
            at: plan.root,
            read: IndexSet::new(),
            memo: vec![IndexMap::new()],
            effects: Vec::new(),
            loaded_by: IndexMap::new(),
            depth: 0,
            pure: pure::Known::new(),
        }
    }

    pub(crate) fn profile(&self) -> Profile {
        self.state.profile
    }

    pub(crate) fn block(&self, index: BlockIndex) -> &'a Block {
        self.graph.block(index)
    }

    /// Whether this is a body of Parallel that runs once a particle.
    pub(crate) fn is_parallel_particle(&self) -> bool {
        self.profile() == Profile::Parallel && self.kind.is_particle()
    }

    /// Notes that the body reads a locked block. True where no statement before this one has read
    /// it and this one runs on every path through the body.
    pub(crate) fn is_first_read(&mut self, index: BlockIndex) -> bool {
        self.read.insert(index) && self.depth == 0
    }

    /// Runs the callback with statements attributed to the block.
    pub(crate) fn at_block<T>(&mut self, index: BlockIndex, run: impl FnOnce(&mut Self) -> T) -> T {
        let origin = self.state.origin(index, self.graph.block(index));
        let (before, at) = (self.body.set_origin(Some(origin)), self.at);
        self.at = index;
        let result = run(self);
        self.at = at;
        self.body.set_origin(before);
        result
    }

    /// An error of the block that is being lowered.
    pub(crate) fn error(&self, code: Code, message: impl Into<String>) -> Error {
        Error { code, block: Some(self.at), input: None, message: message.into() }
    }

    /// The error of a block that Parallel cannot mean.
    pub(crate) fn no_parallel_form(&self, why: &str) -> Error {
        let class = &self.block(self.at).class;
        self.error(Code::NoForm, format!("{class} has no Parallel form: {why}"))
    }

    /// Refuses to go on with a block where there is too much code already.
    pub(crate) fn check_size(&self, index: BlockIndex) -> Result<(), Error> {
        if self.state.code.statements + self.body.statements() > count::MAX_STATEMENTS {
            return Err(Error::too_many_statements(self.graph, index));
        }
        Ok(())
    }

    /// Ends the body.
    pub(crate) fn finish(self, results: Vec<ValueId>) -> Body {
        self.state.code.statements += self.body.statements();
        self.body.finish(results)
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
        Ok(self.optional(index, name)?.unwrap_or_else(|| self.constants(default)))
    }

    /// The value of an input that has no default. Where it is left unconnected the step fails when
    /// it gets here, as reading a property of null does.
    pub(crate) fn required(&mut self, index: BlockIndex, name: &str) -> Result<Value, Error> {
        if let Some(value) = self.optional(index, name)? {
            return Ok(value);
        }
        let Block { id, class, .. } = self.block(index);
        let id = js::number_to_string(*id);
        self.body.fail(format!("NodeParticle: {class} {id} has no value for input {name}"));
        Ok(self.constants(&[f64::NAN]))
    }

    fn optional(&mut self, index: BlockIndex, name: &str) -> Result<Option<Value>, Error> {
        let source = self.block(index).input(name).map(|input| &input.source);
        match source {
            Some(InputSource::Wire(from, output)) => {
                // Wires may form chains of any length.
                let run = || self.evaluate(*from, output);
                stacker::maybe_grow(64 * 1024, 1024 * 1024, run).map(Some)
            }
            Some(InputSource::Literal(literal)) => Ok(Some(self.constants(literal.numbers()))),
            Some(InputSource::Dangling) => Err(Error::unresolved(self.graph, index, name)),
            Some(InputSource::Unconnected) | None => Ok(None),
        }
    }

    /// The value of a block's output, computed here or known already.
    pub(crate) fn evaluate(&mut self, index: BlockIndex, output: &str) -> Result<Value, Error> {
        let key = (index, output.to_owned());
        if let Some(known) = self.memo.iter().rev().find_map(|scope| scope.get(&key)) {
            let value = known.value.clone();
            if let Some(effects) = self.effects.last_mut() {
                effects.loads.extend(known.loads.iter().copied());
            }
            return Ok(value);
        }
        if !self.state.code.add_evaluation() {
            return Err(Error::too_many_branches(self.graph, index));
        }
        if self.depth > MAX_DEPTH {
            let message = format!("conditions stand more than {MAX_DEPTH} deep inside each other");
            return Err(Error::too_complex(index, message));
        }
        self.check_size(index)?;
        self.effects.push(Effects::default());
        let value = self.at_block(index, |context| dispatch::value(context, index, output));
        let effects = self.effects.pop().unwrap_or_default();
        let value = value?;
        if let Some(outer) = self.effects.last_mut() {
            outer.loads.extend(effects.loads.iter().copied());
            outer.volatile |= effects.volatile;
        }
        if !effects.volatile
            && let Some(scope) = self.memo.len().checked_sub(1)
        {
            for &slot in &effects.loads {
                self.loaded_by.entry(slot).or_default().push((scope, key.clone()));
            }
            self.memo[scope].insert(key, Known { value: value.clone(), loads: effects.loads });
        }
        Ok(value)
    }

    /// The value being evaluated must be evaluated again at each reading.
    pub(crate) fn mark_volatile(&mut self) {
        if let Some(effects) = self.effects.last_mut() {
            effects.volatile = true;
        }
    }

    /// Runs the callback so that what it loads and draws does not count as read by the value that
    /// is being evaluated: a locked value stays what it is when its bounds change.
    pub(crate) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.effects.push(Effects::default());
        let result = run(self);
        self.effects.pop();
        result
    }

    // --- State --------------------------------------------------------------------------------

    pub(crate) fn load(&mut self, column: Handle<Column>) -> ValueId {
        if let Some(effects) = self.effects.last_mut() {
            effects.loads.insert(Slot::Column(column));
        }
        let ty = self.state.columns[column].storage.ty();
        if self.profile() == Profile::Parallel && !self.kind.is_particle() {
            let why = "it reads a particle for a value that the whole system shares";
            let error = self.no_parallel_form(why);
            self.state.errors.push(error);
            return self.body.constant(Const::zero(ty));
        }
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

    /// What was computed from the slot is out of date, finished or not.
    fn forget(&mut self, slot: Slot) {
        for (scope, key) in self.loaded_by.swap_remove(&slot).unwrap_or_default() {
            if let Some(scope) = self.memo.get_mut(scope)
                && scope.get(&key).is_some_and(|known| known.loads.contains(&slot))
            {
                scope.swap_remove(&key);
            }
        }
        for effects in &mut self.effects {
            effects.volatile |= effects.loads.contains(&slot);
        }
    }

    pub(crate) fn uniform(&mut self, source: UniformSource) -> ValueId {
        let uniform = self.state.uniform(source);
        self.body.uniform(uniform, source.ty())
    }

    /// The id of the particle at hand.
    pub(crate) fn load_id(&mut self) -> ValueId {
        if self.kind == BodyKind::Birth { self.body.new_id() } else { self.load_field(Field::Id) }
    }

    // --- Transcendental functions -------------------------------------------------------------

    /// A transcendental function; in particle bodies of Parallel its polynomial.
    pub(crate) fn trig(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        let constant = self.body.as_constant(a);
        if let Some(folded) = constant.and_then(|a| eval_unary(op, a, Precision::F64)) {
            return self.body.constant(folded);
        }
        if self.is_parallel_particle()
            && let Some(function) = polynomial::unary(self.state, op)
        {
            return self.body.call(function, vec![a], &[Type::Float])[0];
        }
        self.body.unary(op, a)
    }

    /// Like [`trig`](Self::trig), of two operands.
    pub(crate) fn trig2(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let (known, exponent) = (self.body.as_constant(a), self.body.as_constant(b));
        let folded = known.zip(exponent).and_then(|(a, b)| eval_binary(op, a, b, Precision::F64));
        if let Some(folded) = folded {
            return self.body.constant(folded);
        }
        if self.is_parallel_particle() {
            if op == BinaryOp::Pow && known == Some(Const::Float(2.0)) {
                let function = polynomial::power_of_two(self.state);
                return self.body.call(function, vec![b], &[Type::Float])[0];
            }
            if let Some(function) = polynomial::binary(self.state, op) {
                return self.body.call(function, vec![a, b], &[Type::Float])[0];
            }
        }
        self.body.binary(op, a, b)
    }
}

/// Shapes under which a value is kept, in ascending order.
pub(crate) type Shapes = Vec<Shape>;
