//! Which values of a Parallel program decide something, so that a GPU must compute them as the
//! interpreter does.
//!
//! A *decision* turns numbers into one of several outcomes: a death, a branch, a choice, an integer.
//! Its *slice* is every value that it depends on, through columns and functions too. A product in a
//! slice must not be fused with a sum. A quotient or root in a slice cannot be had exactly in WGSL:
//! such decisions are listed. What a [continuous](Function::continuous) function chooses is none.

use std::collections::BTreeSet;

use super::usage::Usage;
pub use crate::ir::Place;
use crate::ir::{
    BinaryOp, Block, Body, Column, Const, Expr, Function, Handle, Origin, Program, Stmt, UnaryOp,
    ValueId,
};

/// What a decision decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DecisionKind {
    /// Whether the particle dies: with it the number of particles, their slots and ids.
    Kill,
    /// Which block of an `If` runs.
    Branch,
    /// Which of two values is taken.
    Select,
    /// A number as an integer.
    Integer,
}

/// A decision whose slice holds an operation that WGSL rounds as it likes.
#[derive(Clone, Debug, PartialEq)]
pub struct InexactDecision {
    /// What is decided.
    pub kind: DecisionKind,
    /// Where.
    pub place: Place,
    /// The block that decides, where known.
    pub origin: Option<Handle<Origin>>,
    /// `div` or `sqrt`.
    pub operation: &'static str,
}

/// The slices of all decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// Products that must be rounded before they are used.
    unfused: BTreeSet<(Place, ValueId)>,
    /// Decisions that a GPU may take otherwise than the interpreter.
    pub inexact: Vec<InexactDecision>,
}

impl Decisions {
    /// Follows every decision of the particle bodies back to its sources.
    pub fn of_particle_bodies(program: &Program, usage: &Usage) -> Self {
        let flow = Flow::new(program, usage);
        let mut decisions = Self::default();
        for (place, view) in &flow.views {
            for Root { kind, values, origin } in &view.roots {
                let slice = flow.slice(values.iter().map(|&value| (*place, value)));
                let mut operation = None;
                for &(place, value) in &slice {
                    match flow.expr(place, value) {
                        Some(Expr::Binary(BinaryOp::Mul, a, b)) => {
                            let exact = [a, b].into_iter().any(|value| flow.scales(place, value));
                            if !exact {
                                decisions.unfused.insert((place, value));
                            }
                        }
                        Some(Expr::Binary(BinaryOp::Div, _, b)) if !flow.scales(place, b) => {
                            operation = Some("div");
                        }
                        Some(Expr::Unary(UnaryOp::Sqrt, _)) => operation = Some("sqrt"),
                        _ => {}
                    }
                }
                if let Some(operation) = operation {
                    let (kind, place, origin) = (*kind, *place, *origin);
                    decisions.inexact.push(InexactDecision { kind, place, origin, operation });
                }
            }
        }
        decisions
    }

    /// Whether a product must be rounded before it is used.
    pub fn is_unfused(&self, place: Place, value: ValueId) -> bool {
        self.unfused.contains(&(place, value))
    }

    /// Whether any product must.
    pub fn any_unfused(&self) -> bool {
        !self.unfused.is_empty()
    }
}

/// Where values come from and what is stored, for all bodies.
struct Flow<'a> {
    views: Vec<(Place, View<'a>)>,
    /// Column, body, and what decides about it: the value and the conditions around the store.
    stores: Vec<(Handle<Column>, Place, Vec<ValueId>)>,
    /// Callee, caller, arguments.
    calls: Vec<(Handle<Function>, Place, &'a [ValueId])>,
}

/// One body.
struct View<'a> {
    body: &'a Body,
    /// What each result of a statement depends on.
    sources: Vec<Source>,
    roots: Vec<Root>,
    /// Choices are no decisions: see [`Function::continuous`].
    is_continuous: bool,
    /// Conditions around the statement being looked at, outermost first.
    conditions: Vec<ValueId>,
}

/// A decision.
struct Root {
    kind: DecisionKind,
    /// What decides.
    values: Vec<ValueId>,
    origin: Option<Handle<Origin>>,
}

/// Where the result of a statement comes from.
#[derive(Clone, Copy)]
enum Source {
    /// It is no result, its expression says it.
    Expr,
    /// An `If`: condition and two outcomes.
    Merge([ValueId; 3]),
    /// A result of a function.
    Call(Handle<Function>, usize),
}

impl View<'_> {
    /// A value and the conditions around it.
    fn with_conditions(&self, value: ValueId) -> Vec<ValueId> {
        let mut values = vec![value];
        values.extend(&self.conditions);
        values
    }
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program, usage: &Usage) -> Self {
        let mut flow = Self { views: Vec::new(), stores: Vec::new(), calls: Vec::new() };
        for (kind, body) in program.bodies().filter(|(kind, _)| kind.is_particle()) {
            flow.add(Place::Body(kind), body, false);
        }
        for &function in &usage.functions {
            let Function { body, continuous, .. } = &program.functions[function];
            flow.add(Place::Function(function), body, *continuous);
        }
        flow
    }

    fn add(&mut self, place: Place, body: &'a Body, is_continuous: bool) {
        let sources = vec![Source::Expr; body.values.len()];
        let (roots, conditions) = (Vec::new(), Vec::new());
        let mut view = View { body, sources, roots, is_continuous, conditions };
        self.add_block(place, &mut view, &body.block);
        self.views.push((place, view));
    }

    fn add_block(&mut self, place: Place, view: &mut View<'a>, block: &'a Block) {
        for statement in block {
            let root = |view: &mut View<'a>, kind, values| {
                if !view.is_continuous {
                    view.roots.push(Root { kind, values, origin: statement.origin });
                }
            };
            match &statement.kind {
                Stmt::Let(value) => match view.body.values[*value].expr {
                    Expr::Select(condition, ..) => {
                        root(view, DecisionKind::Select, vec![condition]);
                    }
                    Expr::Unary(UnaryOp::ToUint | UnaryOp::FloatBits, number) => {
                        root(view, DecisionKind::Integer, vec![number]);
                    }
                    _ => {}
                },
                Stmt::Store(column, value) => {
                    self.stores.push((*column, place, view.with_conditions(*value)));
                }
                Stmt::If { condition, then, otherwise, results } => {
                    root(view, DecisionKind::Branch, vec![*condition]);
                    for merge in results {
                        let from = [*condition, merge.then, merge.otherwise];
                        view.sources[merge.result.index()] = Source::Merge(from);
                    }
                    view.conditions.push(*condition);
                    self.add_block(place, view, then);
                    self.add_block(place, view, otherwise);
                    view.conditions.pop();
                }
                Stmt::Call { function, arguments, results } => {
                    for (index, result) in results.iter().enumerate() {
                        view.sources[result.index()] = Source::Call(*function, index);
                    }
                    self.calls.push((*function, place, arguments));
                }
                Stmt::Kill(condition) => {
                    let values = view.with_conditions(*condition);
                    root(view, DecisionKind::Kill, values);
                }
                Stmt::StoreRegister(..) | Stmt::Draw { .. } | Stmt::Fail(_) => {}
            }
        }
    }

    fn view(&self, place: Place) -> Option<&View<'a>> {
        self.views.iter().find(|(found, _)| *found == place).map(|(_, view)| view)
    }

    fn expr(&self, place: Place, value: ValueId) -> Option<Expr> {
        self.view(place).and_then(|view| view.body.values.get(value)).map(|found| found.expr)
    }

    /// Whether a factor is a power of two: such products and quotients are exact.
    fn scales(&self, place: Place, value: ValueId) -> bool {
        match self.expr(place, value) {
            Some(Expr::Const(Const::Float(value))) => {
                let value = value as f32;
                value.is_normal() && value.to_bits() & 0x7f_ffff == 0
            }
            _ => false,
        }
    }

    /// All values that some values depend on, themselves included.
    fn slice(&self, roots: impl Iterator<Item = (Place, ValueId)>) -> BTreeSet<(Place, ValueId)> {
        let mut slice = BTreeSet::new();
        let mut open: Vec<(Place, ValueId)> = roots.collect();
        while let Some((place, value)) = open.pop() {
            if !slice.insert((place, value)) {
                continue;
            }
            let Some(view) = self.view(place) else { continue };
            match view.sources.get(value.index()).copied().unwrap_or(Source::Expr) {
                Source::Merge(from) => open.extend(from.map(|value| (place, value))),
                Source::Call(function, index) => {
                    let callee = Place::Function(function);
                    let results = self.view(callee).map(|view| view.body.results.as_slice());
                    let result = results.and_then(|results| results.get(index));
                    open.extend(result.map(|&value| (callee, value)));
                }
                Source::Expr => self.follow(place, view.body.values[value].expr, &mut open),
            }
        }
        slice
    }

    fn follow(&self, place: Place, expr: Expr, open: &mut Vec<(Place, ValueId)>) {
        expr.for_each_operand(|operand| open.push((place, operand)));
        match (expr, place) {
            (Expr::Load(column), _) => {
                let stores = self.stores.iter().filter(|(stored, ..)| *stored == column);
                for (_, place, values) in stores {
                    open.extend(values.iter().map(|&value| (*place, value)));
                }
            }
            (Expr::Param(index), Place::Function(function)) => {
                let calls = self.calls.iter().filter(|(callee, ..)| *callee == function);
                open.extend(calls.filter_map(|&(_, caller, arguments)| {
                    arguments.get(index as usize).map(|&value| (caller, value))
                }));
            }
            _ => {}
        }
    }
}
