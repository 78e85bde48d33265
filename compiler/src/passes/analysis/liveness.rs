//! Which columns and registers can ever make a difference to something that is observed.
//!
//! Observed columns, draws, kills, failures and the results of system bodies matter of themselves.
//! Whatever they read matters; a column that matters makes the values matter that are stored to it,
//! and the conditions under which. A column that only feeds itself does not matter.

use crate::ir::{
    Block, Body, BodyKind, Column, Expr, Handle, Merge, Program, Register, Stmt, UniformSource,
    ValueId,
};

/// What matters.
#[derive(Debug)]
pub(in crate::passes) struct Liveness {
    pub(in crate::passes) columns: Vec<bool>,
    pub(in crate::passes) registers: Vec<bool>,
}

/// Finds out; `is_observed` says which columns matter of themselves.
pub(in crate::passes) fn liveness(
    program: &Program,
    is_observed: impl Fn(&Column) -> bool,
) -> Liveness {
    let mut search = Search::new(program);
    for (handle, column) in program.columns.iter() {
        if is_observed(column) {
            search.column(handle);
        }
    }
    search.run();
    Liveness { columns: search.columns, registers: search.registers }
}

/// A store, and the `If` that it stands in.
struct Store {
    body: usize,
    value: ValueId,
    within: Option<usize>,
}

/// One body: what its statements say of its values.
struct Scan<'a> {
    kind: BodyKind,
    body: &'a Body,
    /// For values that a statement defines: what they are made of.
    made_of: Vec<Vec<ValueId>>,
    /// Condition of each `If`, and the `If` around it.
    branches: Vec<(ValueId, Option<usize>)>,
    seen_values: Vec<bool>,
    seen_branches: Vec<bool>,
}

struct Search<'a> {
    program: &'a Program,
    scans: Vec<Scan<'a>>,
    column_stores: Vec<Vec<Store>>,
    register_stores: Vec<Vec<Store>>,
    columns: Vec<bool>,
    registers: Vec<bool>,
    /// Values that matter and have not been followed.
    open: Vec<(usize, ValueId)>,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program) -> Self {
        let mut search = Self {
            program,
            scans: Vec::new(),
            column_stores: program.columns.iter().map(|_| Vec::new()).collect(),
            register_stores: program.registers.iter().map(|_| Vec::new()).collect(),
            columns: vec![false; program.columns.len()],
            registers: vec![false; program.registers.len()],
            open: Vec::new(),
        };
        for (index, (kind, body)) in program.bodies().enumerate() {
            search.scans.push(Scan {
                kind,
                body,
                made_of: vec![Vec::new(); body.values.len()],
                branches: Vec::new(),
                seen_values: vec![false; body.values.len()],
                seen_branches: Vec::new(),
            });
            search.scan(index, &body.block, None);
            // Results of `prepare` matter only where their uniforms are read.
            if kind != BodyKind::Prepare {
                for &result in &body.results {
                    search.value(index, result);
                }
            }
        }
        search
    }

    fn scan(&mut self, index: usize, block: &'a Block, within: Option<usize>) {
        for statement in block {
            match &statement.kind {
                Stmt::Let(_) => {}
                Stmt::Store(column, value) => {
                    let store = Store { body: index, value: *value, within };
                    self.column_stores[column.index()].push(store);
                }
                Stmt::StoreRegister(register, value) => {
                    let store = Store { body: index, value: *value, within };
                    self.register_stores[register.index()].push(store);
                }
                Stmt::Draw { .. } | Stmt::Fail(_) => self.branch(index, within),
                Stmt::Kill(condition) => {
                    self.value(index, *condition);
                    self.branch(index, within);
                }
                Stmt::Call { arguments, results, .. } => {
                    for result in results {
                        self.scans[index].made_of[result.index()].clone_from(arguments);
                    }
                }
                Stmt::If { condition, then, otherwise, results } => {
                    let scan = &mut self.scans[index];
                    for Merge { result, then, otherwise } in results {
                        scan.made_of[result.index()] = vec![*condition, *then, *otherwise];
                    }
                    let inner = scan.branches.len();
                    scan.branches.push((*condition, within));
                    scan.seen_branches.push(false);
                    self.scan(index, then, Some(inner));
                    self.scan(index, otherwise, Some(inner));
                }
            }
        }
    }

    /// A value of a body matters.
    fn value(&mut self, body: usize, value: ValueId) {
        if !std::mem::replace(&mut self.scans[body].seen_values[value.index()], true) {
            self.open.push((body, value));
        }
    }

    /// Whether control comes into an `If`'s block matters.
    fn branch(&mut self, body: usize, mut within: Option<usize>) {
        while let Some(branch) = within {
            let scan = &mut self.scans[body];
            if std::mem::replace(&mut scan.seen_branches[branch], true) {
                return;
            }
            let (condition, around) = scan.branches[branch];
            self.value(body, condition);
            within = around;
        }
    }

    fn column(&mut self, column: Handle<Column>) {
        if !std::mem::replace(&mut self.columns[column.index()], true) {
            for store in std::mem::take(&mut self.column_stores[column.index()]) {
                self.value(store.body, store.value);
                self.branch(store.body, store.within);
            }
        }
    }

    fn register(&mut self, register: Handle<Register>) {
        if !std::mem::replace(&mut self.registers[register.index()], true) {
            for store in std::mem::take(&mut self.register_stores[register.index()]) {
                self.value(store.body, store.value);
                self.branch(store.body, store.within);
            }
        }
    }

    fn run(&mut self) {
        while let Some((index, value)) = self.open.pop() {
            let body = self.scans[index].body;
            match body.values[value].expr {
                Expr::Load(column) => self.column(column),
                Expr::LoadRegister(register) => self.register(register),
                Expr::Uniform(uniform) => {
                    if let UniformSource::Prepared(result) = self.program.uniforms[uniform].source {
                        self.prepared(result);
                    }
                }
                Expr::Result => {
                    for value in std::mem::take(&mut self.scans[index].made_of[value.index()]) {
                        self.value(index, value);
                    }
                }
                expr => expr.for_each_operand(|operand| self.value(index, operand)),
            }
        }
    }

    /// A result of `prepare` matters.
    fn prepared(&mut self, result: u32) {
        let prepare = self.scans.iter().position(|scan| scan.kind == BodyKind::Prepare);
        if let Some(index) = prepare
            && let Some(&value) = self.scans[index].body.results.get(result as usize)
        {
            self.value(index, value);
        }
    }
}
