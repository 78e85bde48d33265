//! Runs one body, statement after statement, on a stack of its own: neither nesting nor calls take
//! the host's stack.

use super::noise::{self, Noise};
use super::state::Columns;
use super::{Failure, Outcome, Random, Texels, Uniforms};
use crate::emit::decisions::{Decisions, Place, is_power_of_two};
use crate::ir::op::{eval_binary, eval_unary};
use crate::ir::{
    BinaryOp, Block, Body, BodyKind, Const, Expr, Handle, Merge, Precision, Program, Statement,
    Stmt, Texture, UnaryOp, UniformSource, Value, ValueId,
};

/// Everything that a body may touch.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) precision: Precision,
    pub(super) kind: BodyKind,
    /// Where products are fused: the ones that are not.
    pub(super) fused: Option<&'a Decisions>,
    /// What quotients and roots are off by.
    pub(super) noise: Option<&'a mut Noise>,
    pub(super) uniforms: &'a Uniforms,
    pub(super) prepared: &'a [f64],
    pub(super) inputs: &'a [Vec<f64>],
    pub(super) textures: &'a [Option<Texels>],
    pub(super) columns: &'a mut Columns,
    pub(super) slot: usize,
    pub(super) registers: &'a mut [Const],
    pub(super) new_id: u32,
    pub(super) random: Random<'a>,
}

/// The values of one body or one called function.
struct Frame<'a> {
    place: Place,
    body: &'a Body,
    values: Vec<Const>,
}

/// A block that is being run.
struct Running<'a> {
    block: &'a Block,
    next: usize,
    after: After<'a>,
}

/// What happens at the end of a block.
enum After<'a> {
    /// The body ends.
    End,
    /// An `If` ends: its results are defined.
    Merge { results: &'a [Merge], taken: bool },
    /// A function returns: the call's results are defined.
    Return(&'a [ValueId]),
}

impl<'a> Machine<'a> {
    pub(super) fn run(mut self, body: &'a Body) -> Result<Outcome, Failure> {
        let mut frames = vec![self.frame(Place::Body(self.kind), body, &[])];
        let mut stack = vec![Running { block: &body.block, next: 0, after: After::End }];
        let mut killed = false;
        while let (Some(running), Some(frame)) = (stack.last_mut(), frames.last_mut()) {
            if let Some(statement) = running.block.get(running.next) {
                running.next += 1;
                match &statement.kind {
                    Stmt::If { condition, then, otherwise, results } => {
                        let taken = is_true(frame.values[condition.index()]);
                        let block = if taken { then } else { otherwise };
                        let after = After::Merge { results, taken };
                        stack.push(Running { block, next: 0, after });
                    }
                    Stmt::Call { function, arguments, results } => {
                        let body = &self.program.functions[*function].body;
                        let arguments = frame.read(arguments);
                        stack.push(Running {
                            block: &body.block,
                            next: 0,
                            after: After::Return(results),
                        });
                        let place = Place::Function(*function);
                        frames.push(self.frame(place, body, &arguments));
                    }
                    Stmt::Kill(condition) => killed |= is_true(frame.values[condition.index()]),
                    Stmt::Fail(message) => return Err(self.failure(message, statement)),
                    Stmt::Let(_)
                    | Stmt::Store(..)
                    | Stmt::StoreRegister(..)
                    | Stmt::Draw { .. } => self.simple(&statement.kind, frame),
                }
                continue;
            }
            match running.after {
                After::End => break,
                After::Merge { results, taken } => {
                    for merge in results {
                        let from = if taken { merge.then } else { merge.otherwise };
                        frame.values[merge.result.index()] = frame.values[from.index()];
                    }
                }
                After::Return(results) => {
                    let returned = frame.read(&frame.body.results);
                    frames.pop();
                    if let Some(caller) = frames.last_mut() {
                        for (result, value) in results.iter().zip(returned) {
                            caller.values[result.index()] = value;
                        }
                    }
                }
            }
            stack.pop();
        }
        let results = frames.first().map(|frame| frame.read(&body.results)).unwrap_or_default();
        Ok(Outcome { results, killed })
    }

    /// Statements that neither branch nor end anything.
    fn simple(&mut self, statement: &Stmt, frame: &mut Frame<'_>) {
        match statement {
            Stmt::Let(value) => {
                let expr = frame.body.values[*value].expr;
                let exact = self.compute(expr, frame);
                frame.values[value.index()] = self.with_noise(expr, exact, frame);
            }
            Stmt::Store(column, value) => {
                self.columns.store(*column, self.slot, frame.values[value.index()]);
            }
            Stmt::StoreRegister(register, value) => {
                self.registers[register.index()] = frame.values[value.index()];
            }
            Stmt::Draw { result, .. } => {
                frame.values[result.index()] = Const::Float((self.random)());
            }
            Stmt::If { .. } | Stmt::Call { .. } | Stmt::Kill(_) | Stmt::Fail(_) => {}
        }
    }

    /// A frame in which the values that need no `Let` are there.
    fn frame(&self, place: Place, body: &'a Body, arguments: &[Const]) -> Frame<'a> {
        let initial = |(_, value): (ValueId, &Value)| match value.expr {
            Expr::Const(constant) => self.rounded(constant),
            Expr::Uniform(uniform) => self.uniform(self.program.uniforms[uniform].source),
            Expr::Param(index) => arguments[index as usize],
            Expr::NewId => Const::Uint(self.new_id),
            Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Select(..)
            | Expr::Result => Const::zero(value.ty),
        };
        Frame { place, body, values: body.values.iter().map(initial).collect() }
    }

    fn uniform(&self, source: UniformSource) -> Const {
        let uniforms = self.uniforms;
        let float = match source {
            UniformSource::Delta => uniforms.delta,
            UniformSource::Time => uniforms.time,
            UniformSource::EmitterPosition(axis) => element(&uniforms.emitter_matrix, 12 + axis),
            UniformSource::EmitterMatrix(index) => element(&uniforms.emitter_matrix, index),
            UniformSource::Prepared(index) => {
                self.prepared.get(index as usize).copied().unwrap_or(0.0)
            }
            UniformSource::Input(input, component) => {
                self.inputs.get(input.index()).map_or(0.0, |numbers| element(numbers, component))
            }
            UniformSource::CameraPosition(axis) => {
                uniforms.camera.map_or(0.0, |camera| element(&camera.position, axis))
            }
            UniformSource::View(index) => {
                uniforms.camera.map_or(0.0, |camera| element(&camera.view, index))
            }
            UniformSource::ViewProjection(index) => {
                uniforms.camera.map_or(0.0, |camera| element(&camera.view_projection, index))
            }
            UniformSource::TextureWidth(texture) => {
                self.texels(texture).map_or(0.0, |texels| f64::from(texels.width))
            }
            UniformSource::TextureHeight(texture) => {
                self.texels(texture).map_or(0.0, |texels| f64::from(texels.height))
            }
            UniformSource::HasCamera => {
                return Const::Uint(u32::from(uniforms.camera.is_some()));
            }
            UniformSource::Step => return Const::Uint(uniforms.step),
            UniformSource::Seed => return Const::Uint(uniforms.seed),
        };
        self.rounded(Const::Float(float))
    }

    /// A value that enters the body, in the body's precision.
    fn rounded(&self, value: Const) -> Const {
        match value {
            Const::Float(value) => Const::Float(self.precision.round(value)),
            Const::Uint(_) | Const::Bool(_) => value,
        }
    }

    fn compute(&self, expr: Expr, frame: &Frame<'_>) -> Const {
        let get = |value: ValueId| frame.values[value.index()];
        match expr {
            Expr::Load(column) => self.rounded(self.columns.load(column, self.slot)),
            Expr::LoadRegister(register) => self.rounded(self.registers[register.index()]),
            Expr::Table(table, index) => {
                let values = &self.program.tables[table].values;
                let found = match get(index) {
                    Const::Uint(index) => values.get(index as usize).copied(),
                    Const::Float(_) | Const::Bool(_) => None,
                };
                self.rounded(Const::Float(found.unwrap_or(f64::NAN)))
            }
            Expr::Texel(texture, x, y, channel) => {
                let byte = match (self.texels(texture), get(x), get(y)) {
                    (Some(texels), Const::Uint(x), Const::Uint(y)) => texels.byte(x, y, channel),
                    _ => 0,
                };
                Const::Uint(u32::from(byte))
            }
            Expr::Unary(op, a) => {
                let ty = op.result();
                eval_unary(op, get(a), self.precision).unwrap_or(Const::zero(ty))
            }
            Expr::Binary(op, a, b) => self
                .fused(op, a, b, frame)
                .or_else(|| eval_binary(op, get(a), get(b), self.precision))
                .unwrap_or(Const::zero(op.result())),
            Expr::Select(condition, a, b) => {
                if is_true(get(condition)) {
                    get(a)
                } else {
                    get(b)
                }
            }
            // Free values are in the frame already, results come from their statements.
            Expr::Const(constant) => self.rounded(constant),
            Expr::Uniform(_) | Expr::Param(_) | Expr::NewId | Expr::Result => Const::Uint(0),
        }
    }

    /// A sum or difference of a product with one rounding, where a driver could fuse it. Of two
    /// products the first is fused.
    fn fused(&self, op: BinaryOp, a: ValueId, b: ValueId, frame: &Frame<'_>) -> Option<Const> {
        let decisions = self.fused?;
        if self.precision != Precision::F32 {
            return None;
        }
        let sign = match op {
            BinaryOp::Add => 1.0,
            BinaryOp::Sub => -1.0,
            _ => return None,
        };
        let float = |value: ValueId| frame.values[value.index()].to_f64() as f32;
        let product = |value: ValueId| match frame.body.values[value].expr {
            Expr::Binary(BinaryOp::Mul, x, y) if !decisions.is_held(frame.place, value) => {
                Some((float(x), float(y)))
            }
            _ => None,
        };
        let sum = match (product(a), product(b)) {
            (Some((x, y)), _) => x.mul_add(y, sign * float(b)),
            (None, Some((x, y))) => (sign * x).mul_add(y, float(a)),
            (None, None) => return None,
        };
        Some(Const::Float(f64::from(sum)))
    }

    /// What an operation comes to where WGSL leaves its rounding open. Quotients by powers of two are
    /// exact.
    fn with_noise(&mut self, expr: Expr, exact: Const, frame: &Frame<'_>) -> Const {
        let (Some(noise), Precision::F32) = (&mut self.noise, self.precision) else {
            return exact;
        };
        let units = match expr {
            Expr::Binary(BinaryOp::Div, _, b) if !is_power_of_two(frame.body.values[b].expr) => {
                noise::QUOTIENT
            }
            Expr::Unary(UnaryOp::Sqrt, _) => noise::ROOT,
            _ => return exact,
        };
        Const::Float(noise.apply(exact.to_f64(), units))
    }

    fn texels(&self, texture: Handle<Texture>) -> Option<&Texels> {
        self.textures.get(texture.index())?.as_ref()
    }

    fn failure(&self, message: &str, statement: &Statement) -> Failure {
        let origin = statement.origin.and_then(|origin| self.program.origins.get(origin));
        Failure { message: message.to_owned(), origin: origin.cloned() }
    }
}

impl Frame<'_> {
    fn read(&self, values: &[ValueId]) -> Vec<Const> {
        values.iter().map(|value| self.values[value.index()]).collect()
    }
}

fn element(values: &[f64], index: u8) -> f64 {
    values.get(usize::from(index)).copied().unwrap_or(0.0)
}

fn is_true(value: Const) -> bool {
    value == Const::Bool(true)
}
