//! What the particle bodies of a program use: only that is printed, laid out and uploaded.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::ir::{
    Block, Body, Expr, Function, Handle, Program, Stmt, Table, Texture, Uniform, ValueId,
};

/// Everything that `birth` and `update` reach, also through functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Uniforms that are read.
    pub uniforms: BTreeSet<Handle<Uniform>>,
    /// Tables that are read.
    pub tables: BTreeSet<Handle<Table>>,
    /// Textures that are read.
    pub textures: BTreeSet<Handle<Texture>>,
    /// Functions that are called; a function comes after those that it calls.
    pub functions: BTreeSet<Handle<Function>>,
    /// Messages of the `Fail` statements, each once.
    pub messages: IndexSet<String>,
    /// Some product or sum is rounded before use, which takes a zero that compilers do not know.
    pub held: bool,
}

impl Usage {
    /// Looks through the particle-domain bodies.
    pub fn of_particle_bodies(program: &Program) -> Self {
        let mut usage = Self::default();
        for (kind, body) in program.bodies() {
            if kind.is_particle() {
                usage.add_body(program, body);
            }
        }
        usage
    }

    fn add_body(&mut self, program: &Program, body: &Body) {
        self.add_block(program, body, &body.block);
        self.add_values(body, &body.results);
    }

    fn add_block(&mut self, program: &Program, body: &Body, block: &Block) {
        for statement in block {
            match &statement.kind {
                Stmt::Let(value) => {
                    let expr = body.values[*value].expr;
                    self.add_expr(expr);
                    expr.for_each_operand(|operand| self.add_expr(body.values[operand].expr));
                }
                Stmt::Store(_, value) | Stmt::StoreRegister(_, value) | Stmt::Kill(value) => {
                    self.add_values(body, &[*value]);
                }
                Stmt::Draw { .. } => {}
                Stmt::If { condition, then, otherwise, results } => {
                    self.add_values(body, &[*condition]);
                    self.add_block(program, body, then);
                    self.add_block(program, body, otherwise);
                    for merge in results {
                        self.add_values(body, &[merge.then, merge.otherwise]);
                    }
                }
                Stmt::Call { function, arguments, .. } => {
                    self.add_values(body, arguments);
                    if self.functions.insert(*function) {
                        self.add_body(program, &program.functions[*function].body);
                    }
                }
                Stmt::Fail(message) => {
                    self.messages.insert(message.clone());
                }
            }
        }
    }

    fn add_values(&mut self, body: &Body, values: &[ValueId]) {
        for &value in values {
            self.add_expr(body.values[value].expr);
        }
    }

    fn add_expr(&mut self, expr: Expr) {
        match expr {
            Expr::Uniform(uniform) => {
                self.uniforms.insert(uniform);
            }
            Expr::Table(table, _) => {
                self.tables.insert(table);
            }
            Expr::Texel(texture, ..) => {
                self.textures.insert(texture);
            }
            Expr::Const(_)
            | Expr::Param(_)
            | Expr::NewId
            | Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Result => {}
        }
    }
}
