//! Which values of a Parallel program decide something, so that a GPU must compute them as the
//! interpreter does.
//!
//! A *decision* turns numbers into one of several outcomes: a death, a branch, a choice, an integer.
//! Its *slice* is every value that it depends on, through columns and functions too. A product in a
//! slice must not be fused with a sum, a sum not be put together with others: WGSL allows both. A
//! quotient or root in a slice cannot be had exactly in WGSL: such decisions are listed. What a
//! [continuous](Function::continuous) function chooses is none.
//!
//! Outside of slices last bits do not matter, but sums that find out what another one has lost do:
//! of `a - ((a + b) - b)` a driver may leave nothing (`cancelling`).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

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

impl DecisionKind {
    /// The word of manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Branch => "branch",
            Self::Select => "select",
            Self::Integer => "integer",
        }
    }
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
    /// Products and sums that must be rounded before they are used.
    held: BTreeSet<(Place, ValueId)>,
    /// Decisions that a GPU may take otherwise than the interpreter.
    pub inexact: Vec<InexactDecision>,
}

impl Decisions {
    /// Follows the decisions of the particle bodies back to their sources: all together, so that what
    /// many decide by is looked at once.
    pub fn of_particle_bodies(program: &Program, usage: &Usage) -> Self {
        let flow = Flow::new(program, usage);
        let readers = flow.readers();
        let mut decisions = Self::default();
        let mut inexact = Vec::new();
        for (place, value) in readers.keys().filter_map(|node| node.value()) {
            match flow.expr(place, value) {
                Some(Expr::Binary(BinaryOp::Mul, a, b)) => {
                    let exact = [a, b].into_iter().any(|value| flow.scales(place, value));
                    if !exact {
                        decisions.held.insert((place, value));
                    }
                }
                Some(Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..)) => {
                    decisions.held.insert((place, value));
                }
                Some(Expr::Binary(BinaryOp::Div, _, b)) if !flow.scales(place, b) => {
                    inexact.push((Node::Value(place, value), "div"));
                }
                Some(Expr::Unary(UnaryOp::Sqrt, _)) => {
                    inexact.push((Node::Value(place, value), "sqrt"));
                }
                _ => {}
            }
        }
        for (&place, view) in &flow.views {
            decisions.held.extend(cancelling(view.body).into_iter().map(|value| (place, value)));
        }
        // The last operation that each thing depends on: what is reached from it first.
        inexact.sort_unstable();
        let mut last: BTreeMap<Node, usize> = BTreeMap::new();
        for (rank, &(node, _)) in inexact.iter().enumerate().rev() {
            let mut open = vec![node];
            while let Some(node) = open.pop() {
                if let Entry::Vacant(entry) = last.entry(node) {
                    entry.insert(rank);
                    open.extend(readers.get(&node).into_iter().flatten());
                }
            }
        }
        for (place, view) in &flow.views {
            for Root { kind, values, origin } in &view.roots {
                let nodes = values.iter().map(|&value| Node::Value(*place, value));
                if let Some(rank) = nodes.filter_map(|node| last.get(&node)).max() {
                    let (kind, place, origin) = (*kind, *place, *origin);
                    let operation = inexact[*rank].1;
                    decisions.inexact.push(InexactDecision { kind, place, origin, operation });
                }
            }
        }
        decisions
    }

    /// Whether a product or sum must be rounded before it is used.
    pub fn is_held(&self, place: Place, value: ValueId) -> bool {
        self.held.contains(&(place, value))
    }

    /// Whether any must.
    pub fn any_held(&self) -> bool {
        !self.held.is_empty()
    }
}

/// Whether it is a constant power of two: products and quotients with it are exact.
pub(crate) fn is_power_of_two(expr: Expr) -> bool {
    match expr {
        Expr::Const(Const::Float(value)) => {
            let value = value as f32;
            value.is_normal() && value.to_bits() & 0x7f_ffff == 0
        }
        _ => false,
    }
}

/// A sum of more terms is held, and a term from there on.
const MAX_TERMS: usize = 64;

/// The sums of a body that a driver could cancel: operands of a sum whose sides have a term in common.
fn cancelling(body: &Body) -> BTreeSet<ValueId> {
    let mut held = BTreeSet::new();
    let mut terms: BTreeMap<ValueId, BTreeSet<ValueId>> = BTreeMap::new();
    // Operands come before what uses them.
    for (value, definition) in body.values.iter() {
        let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = definition.expr else { continue };
        let of = |operand| terms.get(&operand).cloned().unwrap_or_else(|| [operand].into());
        let (mut all, other) = (of(a), of(b));
        if !all.is_disjoint(&other) {
            held.extend([a, b].into_iter().filter(|operand| terms.contains_key(operand)));
        }
        all.extend(other);
        if all.len() > MAX_TERMS {
            held.insert(value);
            all = [value].into();
        }
        terms.insert(value, all);
    }
    held
}

/// Something that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    /// A value of a body.
    Value(Place, ValueId),
    /// A column, whatever is stored in it.
    Column(Handle<Column>),
    /// A parameter of a function, whoever calls it.
    Param(Handle<Function>, usize),
}

impl Node {
    fn value(self) -> Option<(Place, ValueId)> {
        match self {
            Self::Value(place, value) => Some((place, value)),
            Self::Column(_) | Self::Param(..) => None,
        }
    }
}

/// Where values come from and what is stored, for all bodies.
struct Flow<'a> {
    views: IndexMap<Place, View<'a>>,
    /// What decides about a column: values that are stored, and the conditions around the stores.
    stores: BTreeMap<Handle<Column>, BTreeSet<Node>>,
    /// Arguments, by the parameters that they are given for.
    arguments: BTreeMap<(Handle<Function>, usize), Vec<Node>>,
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
        let (views, stores, arguments) = (IndexMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut flow = Self { views, stores, arguments };
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
        self.views.insert(place, view);
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
                    let values = view.with_conditions(*value);
                    let nodes = values.into_iter().map(|value| Node::Value(place, value));
                    self.stores.entry(*column).or_default().extend(nodes);
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
                    for (index, &value) in arguments.iter().enumerate() {
                        let arguments = self.arguments.entry((*function, index)).or_default();
                        arguments.push(Node::Value(place, value));
                    }
                }
                Stmt::Kill(condition) => {
                    let values = view.with_conditions(*condition);
                    root(view, DecisionKind::Kill, values);
                }
                Stmt::StoreRegister(..) | Stmt::Draw { .. } | Stmt::Fail(_) => {}
            }
        }
    }

    fn expr(&self, place: Place, value: ValueId) -> Option<Expr> {
        self.views.get(&place).and_then(|view| view.body.values.get(value)).map(|found| found.expr)
    }

    /// Whether a factor is a power of two: such products and quotients are exact.
    fn scales(&self, place: Place, value: ValueId) -> bool {
        self.expr(place, value).is_some_and(is_power_of_two)
    }

    /// Everything that some decision depends on, with what depends on it directly.
    fn readers(&self) -> BTreeMap<Node, Vec<Node>> {
        let roots = self.views.iter().flat_map(|(&place, view)| {
            let values = view.roots.iter().flat_map(|root| &root.values);
            values.map(move |&value| Node::Value(place, value))
        });
        let mut open: Vec<Node> = roots.collect();
        let mut seen = BTreeSet::new();
        let mut readers: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            readers.entry(node).or_default();
            for source in self.sources(node) {
                readers.entry(source).or_default().push(node);
                open.push(source);
            }
        }
        readers
    }

    /// What something depends on directly.
    fn sources(&self, node: Node) -> Vec<Node> {
        let (place, value) = match node {
            Node::Value(place, value) => (place, value),
            Node::Column(column) => {
                return self.stores.get(&column).into_iter().flatten().copied().collect();
            }
            Node::Param(function, index) => {
                return self.arguments.get(&(function, index)).cloned().unwrap_or_default();
            }
        };
        let Some(view) = self.views.get(&place) else { return Vec::new() };
        match view.sources.get(value.index()).copied().unwrap_or(Source::Expr) {
            Source::Merge(from) => from.map(|value| Node::Value(place, value)).into(),
            Source::Call(function, index) => {
                let callee = Place::Function(function);
                let results = self.views.get(&callee).map(|view| view.body.results.as_slice());
                let result = results.and_then(|results| results.get(index));
                result.map(|&value| Node::Value(callee, value)).into_iter().collect()
            }
            Source::Expr => {
                let expr = view.body.values[value].expr;
                let mut sources = Vec::new();
                expr.for_each_operand(|operand| sources.push(Node::Value(place, operand)));
                match (expr, place) {
                    (Expr::Load(column), _) => sources.push(Node::Column(column)),
                    (Expr::Param(index), Place::Function(function)) => {
                        sources.push(Node::Param(function, index as usize));
                    }
                    _ => {}
                }
                sources
            }
        }
    }
}
