//! Dead code: values that nothing uses, calls without used results, `If`s that do nothing.
//!
//! Stores, draws, `Kill`, `Fail` and the body's results are what everything else serves. A draw is
//! never dead, since it moves the random stream. Uses stand behind definitions, so one walk from the
//! end to the beginning finds everything; then the values are numbered anew.

use super::rewrite::{edit_bodies, retain_backwards};
use crate::ir::{Arena, Block, Body, Program, Stmt, Value, ValueId};

/// Runs the pass.
pub(super) fn remove_dead_code(program: &mut Program) -> bool {
    edit_bodies(program, |_, _, body| clean(body))
}

fn clean(body: &mut Body) -> bool {
    let before = body.values.len();
    let mut walk = Walk { used: vec![false; before], changed: false };
    for &result in &body.results {
        walk.mark(result);
    }
    let mut block = std::mem::take(&mut body.block);
    walk.block(body, &mut block);
    body.block = block;
    renumber(body, &walk.used);
    walk.changed || body.values.len() != before
}

struct Walk {
    used: Vec<bool>,
    changed: bool,
}

impl Walk {
    fn mark(&mut self, value: ValueId) {
        self.used[value.index()] = true;
    }

    fn is_used(&self, value: ValueId) -> bool {
        self.used[value.index()]
    }

    fn block(&mut self, body: &Body, block: &mut Block) {
        let removed = retain_backwards(block, |statement| self.statement(body, statement));
        self.changed |= removed;
    }

    /// Gives whether the statement is needed; if so, marks what it uses.
    fn statement(&mut self, body: &Body, statement: &mut Stmt) -> bool {
        match statement {
            Stmt::Let(value) => {
                if !self.is_used(*value) {
                    return false;
                }
                body.values[*value].expr.for_each_operand(|operand| self.mark(operand));
            }
            Stmt::Store(_, value) | Stmt::StoreRegister(_, value) | Stmt::Kill(value) => {
                self.mark(*value);
            }
            Stmt::Draw { result, .. } => self.mark(*result),
            Stmt::Call { arguments, results, .. } => {
                if !results.iter().any(|&result| self.is_used(result)) {
                    return false;
                }
                for &value in arguments.iter().chain(results.iter()) {
                    self.mark(value);
                }
            }
            Stmt::Fail(_) => {}
            Stmt::If { condition, then, otherwise, results } => {
                let count = results.len();
                results.retain(|merge| self.is_used(merge.result));
                self.changed |= results.len() != count;
                for merge in results.iter() {
                    self.mark(merge.then);
                    self.mark(merge.otherwise);
                }
                self.block(body, then);
                self.block(body, otherwise);
                if then.is_empty() && otherwise.is_empty() && results.is_empty() {
                    return false;
                }
                self.mark(*condition);
            }
        }
        true
    }
}

/// Drops the values that are not used and closes the gaps.
fn renumber(body: &mut Body, used: &[bool]) {
    if used.iter().all(|&used| used) {
        return;
    }
    let old = std::mem::take(&mut body.values);
    let mut new: Vec<ValueId> = Vec::with_capacity(old.len());
    let mut next = 0;
    for &used in used {
        new.push(ValueId::from_index(next));
        next += usize::from(used);
    }
    let map = |value: ValueId| new[value.index()];
    let mut values = Arena::default();
    for (value, &Value { expr, ty }) in old.iter() {
        if used[value.index()] {
            values.push(Value { expr: expr.map_operands(map), ty });
        }
    }
    body.values = values;
    for result in &mut body.results {
        *result = map(*result);
    }
    renumber_block(&mut body.block, &map);
}

fn renumber_block(block: &mut Block, map: &impl Fn(ValueId) -> ValueId) {
    for statement in block {
        match &mut statement.kind {
            Stmt::Let(value)
            | Stmt::Store(_, value)
            | Stmt::StoreRegister(_, value)
            | Stmt::Kill(value)
            | Stmt::Draw { result: value, .. } => *value = map(*value),
            Stmt::Call { arguments, results, .. } => {
                for value in arguments.iter_mut().chain(results) {
                    *value = map(*value);
                }
            }
            Stmt::Fail(_) => {}
            Stmt::If { condition, then, otherwise, results } => {
                *condition = map(*condition);
                for merge in results {
                    merge.result = map(merge.result);
                    merge.then = map(merge.then);
                    merge.otherwise = map(merge.otherwise);
                }
                renumber_block(then, map);
                renumber_block(otherwise, map);
            }
        }
    }
}
