//! Counts the work of a body, along its cheapest and its dearest path.

use std::fmt;
use std::ops::AddAssign;

use crate::ir::{Block, Body, Expr, Program, Stmt, Value};

/// A number between two bounds, both possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Along the cheapest path.
    pub least: usize,
    /// Along the dearest path.
    pub most: usize,
}

/// The work of one run of a body. What costs nothing on any target is left out: constants,
/// uniforms, parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Operations, selections, and reads of tables and textures.
    pub operations: Range,
    /// Reads of columns and registers.
    pub loads: Range,
    /// Writes of columns and registers.
    pub stores: Range,
    /// Numbers taken from the random stream. In Parallel random numbers are hashes, which are
    /// operations.
    pub draws: Range,
}

impl Cost {
    /// The work of a body of a program.
    pub fn of(program: &Program, body: &Body) -> Self {
        let mut functions: Vec<Self> = Vec::new();
        // A function calls only earlier ones.
        for (_, function) in program.functions.iter() {
            let cost = block_cost(&functions, &function.body, &function.body.block);
            functions.push(cost);
        }
        block_cost(&functions, body, &body.block)
    }
}

fn block_cost(functions: &[Cost], body: &Body, block: &Block) -> Cost {
    let mut cost = Cost::default();
    for statement in block {
        match &statement.kind {
            Stmt::Let(value) => match body.values.get(*value).map(|value: &Value| value.expr) {
                Some(Expr::Load(_) | Expr::LoadRegister(_)) => cost.loads += 1,
                Some(
                    Expr::Table(..)
                    | Expr::Texel(..)
                    | Expr::Unary(..)
                    | Expr::Binary(..)
                    | Expr::Select(..),
                ) => {
                    cost.operations += 1;
                }
                Some(
                    Expr::Const(_) | Expr::Uniform(_) | Expr::Param(_) | Expr::NewId | Expr::Result,
                )
                | None => {}
            },
            Stmt::Store(..) | Stmt::StoreRegister(..) => cost.stores += 1,
            Stmt::Draw { .. } => cost.draws += 1,
            Stmt::Call { function, .. } => {
                cost += functions.get(function.index()).copied().unwrap_or_default();
            }
            Stmt::If { then, otherwise, .. } => {
                let then = block_cost(functions, body, then);
                let otherwise = block_cost(functions, body, otherwise);
                cost += either(then, otherwise);
            }
            Stmt::Kill(_) | Stmt::Fail(_) => {}
        }
    }
    cost
}

fn either(a: Cost, b: Cost) -> Cost {
    let range =
        |a: Range, b: Range| Range { least: a.least.min(b.least), most: a.most.max(b.most) };
    Cost {
        operations: range(a.operations, b.operations),
        loads: range(a.loads, b.loads),
        stores: range(a.stores, b.stores),
        draws: range(a.draws, b.draws),
    }
}

impl AddAssign<usize> for Range {
    fn add_assign(&mut self, count: usize) {
        self.least = self.least.saturating_add(count);
        self.most = self.most.saturating_add(count);
    }
}

impl AddAssign for Range {
    fn add_assign(&mut self, other: Self) {
        self.least = self.least.saturating_add(other.least);
        self.most = self.most.saturating_add(other.most);
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.loads += other.loads;
        self.stores += other.stores;
        self.draws += other.draws;
    }
}

/// `12`, or `8-12` where the way through the body matters.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = self;
        let text = if least == most { most.to_string() } else { format!("{least}-{most}") };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cost, Range};
    use crate::ir::parse;

    #[test]
    fn counts_both_ways_through_an_if() {
        let text = "program \"p\" exact capacity 1 {
  emission rate 1.0 speed 1.0 stop 0.0
  render blend 0.0 billboard 7.0 true
  column age f64 is age
  site \"s\" 1

  update {
    %0 = load age
    %1 = lt %0, 1.0
    if %1 {
      %2 = draw 0
      %3 = add %2, 1.0
      store age, %3
    }
  }

  birth {
    store age, 0.0
  }
}
";
        let module = parse(text).unwrap();
        let program = &module.programs[0];
        let cost = Cost::of(program, &program.update);
        assert_eq!(cost.operations, Range { least: 1, most: 2 });
        assert_eq!(cost.loads, Range { least: 1, most: 1 });
        assert_eq!(cost.stores, Range { least: 0, most: 1 });
        assert_eq!(cost.draws, Range { least: 0, most: 1 });
        assert_eq!(format!("{:>4}|{}", cost.operations, cost.loads), " 1-2|1");
    }
}
