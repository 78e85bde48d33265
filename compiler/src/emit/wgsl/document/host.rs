//! The system-domain bodies, which a host runs in f64 before it dispatches a step.

use serde::Serialize;

use super::number::Constant;
use crate::ir::{Block, Body, BodyKind, Const, Expr, Handle, Program, Register, Stmt, ValueId};

/// What the host keeps and computes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Host {
    registers: Vec<Variable>,
    functions: Vec<Function>,
    #[serde(skip_serializing_if = "Option::is_none")]
    init: Option<Statements>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prepare: Option<Statements>,
    #[serde(skip_serializing_if = "Option::is_none")]
    emit_rate: Option<Statements>,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    initial: Constant,
}

#[derive(Serialize)]
struct Function {
    name: String,
    params: Vec<String>,
    #[serde(flatten)]
    body: Statements,
}

#[derive(Serialize)]
struct Statements {
    statements: Vec<Statement>,
    results: Vec<Operand>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Statement {
    Let {
        #[serde(rename = "let")]
        id: usize,
        op: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<String>,
        args: Vec<Operand>,
    },
    Set {
        set: String,
        value: Operand,
    },
    If {
        #[serde(rename = "if")]
        condition: Operand,
        then: Vec<Statement>,
        #[serde(rename = "else")]
        otherwise: Vec<Statement>,
        results: Vec<Merge>,
    },
    Call {
        call: String,
        args: Vec<Operand>,
        results: Vec<usize>,
    },
    Fail {
        fail: String,
    },
}

#[derive(Serialize)]
struct Merge {
    #[serde(rename = "let")]
    id: usize,
    then: Operand,
    #[serde(rename = "else")]
    otherwise: Operand,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Operand {
    /// Result of a statement.
    Value(usize),
    Float(Constant),
    Uint(u32),
    Bool(bool),
    /// Source of a uniform.
    Uniform(String),
    /// Parameter of the function, counted from 0.
    Param(u32),
}

impl Host {
    pub(super) fn new(program: &Program) -> Self {
        let body = |kind| {
            let body = program.bodies().find(|(found, _)| *found == kind)?.1;
            Some(Writer { program, body }.body())
        };
        let registers = program.registers.iter().map(|(_, register)| Variable {
            name: register.name.clone(),
            initial: Constant(register.initial),
        });
        let functions = program.callees(|kind| !kind.is_particle());
        let functions = functions.into_iter().map(|function| {
            let function = &program.functions[function];
            Function {
                name: function.name.clone(),
                params: function.params.iter().map(|(name, _)| name.clone()).collect(),
                body: Writer { program, body: &function.body }.body(),
            }
        });
        Self {
            registers: registers.collect(),
            functions: functions.collect(),
            init: body(BodyKind::Init),
            prepare: body(BodyKind::Prepare),
            emit_rate: body(BodyKind::EmitRate),
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    body: &'a Body,
}

impl Writer<'_> {
    fn body(&self) -> Statements {
        let statements = self.block(&self.body.block);
        Statements { statements, results: self.operands(&self.body.results) }
    }

    fn block(&self, block: &Block) -> Vec<Statement> {
        block.iter().filter_map(|statement| self.statement(&statement.kind)).collect()
    }

    fn statement(&self, statement: &Stmt) -> Option<Statement> {
        Some(match statement {
            Stmt::Let(value) => self.computed(*value)?,
            Stmt::StoreRegister(register, value) => {
                Statement::Set { set: self.register(*register), value: self.operand(*value) }
            }
            Stmt::If { condition, then, otherwise, results } => {
                let results = results.iter().map(|merge| Merge {
                    id: merge.result.index(),
                    then: self.operand(merge.then),
                    otherwise: self.operand(merge.otherwise),
                });
                Statement::If {
                    condition: self.operand(*condition),
                    then: self.block(then),
                    otherwise: self.block(otherwise),
                    results: results.collect(),
                }
            }
            Stmt::Call { function, arguments, results } => Statement::Call {
                call: self.program.functions[*function].name.clone(),
                args: self.operands(arguments),
                results: results.iter().map(|result| result.index()).collect(),
            },
            Stmt::Fail(message) => Statement::Fail { fail: message.clone() },
            // Parallel has no stream to draw from, and a system body no particle.
            Stmt::Store(..) | Stmt::Draw { .. } | Stmt::Kill(_) => return None,
        })
    }

    /// A value with a statement of its own.
    fn computed(&self, value: ValueId) -> Option<Statement> {
        let name = |name: &str| Some(name.to_owned());
        let (op, of, args) = match self.body.values[value].expr {
            Expr::LoadRegister(register) => ("get", Some(self.register(register)), Vec::new()),
            Expr::Table(table, index) => {
                ("table", name(&self.program.tables[table].name), self.operands(&[index]))
            }
            Expr::Texel(texture, x, y, channel) => {
                let mut args = self.operands(&[x, y]);
                args.push(Operand::Uint(channel.into()));
                ("texel", name(&self.program.textures[texture].name), args)
            }
            Expr::Unary(op, a) => (op.name(), None, self.operands(&[a])),
            Expr::Binary(op, a, b) => (op.name(), None, self.operands(&[a, b])),
            Expr::Select(condition, a, b) => ("select", None, self.operands(&[condition, a, b])),
            // Parts of operands, and what only particles have.
            Expr::Const(_)
            | Expr::Uniform(_)
            | Expr::Param(_)
            | Expr::NewId
            | Expr::Load(_)
            | Expr::Result => return None,
        };
        Some(Statement::Let { id: value.index(), op, of, args })
    }

    fn operands(&self, values: &[ValueId]) -> Vec<Operand> {
        values.iter().map(|&value| self.operand(value)).collect()
    }

    fn operand(&self, value: ValueId) -> Operand {
        match self.body.values[value].expr {
            Expr::Const(Const::Uint(number)) => Operand::Uint(number),
            Expr::Const(Const::Bool(value)) => Operand::Bool(value),
            Expr::Const(constant @ Const::Float(_)) => Operand::Float(Constant(constant)),
            Expr::Uniform(uniform) => {
                Operand::Uniform(self.program.uniforms[uniform].source.to_string())
            }
            Expr::Param(index) => Operand::Param(index),
            Expr::NewId
            | Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Result => Operand::Value(value.index()),
        }
    }

    fn register(&self, register: Handle<Register>) -> String {
        self.program.registers[register].name.clone()
    }
}
