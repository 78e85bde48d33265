//! The text form: stable, one statement a line, values numbered in order of definition.
//!
//! `parse` reads it back; the two are tested to be inverse.

use std::fmt::{self, Display, Formatter, Write};

use super::arena::Handle;
use super::body::{Block, Body, Expr, Stmt, ValueId};
use super::program::{
    Column, Emission, Field, Function, Module, Origin, Program, RenderSpec, UniformSource,
};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, program) in self.programs.iter().enumerate() {
            if index > 0 {
                f.write_char('\n')?;
            }
            write!(f, "{program}")?;
        }
        Ok(())
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "program {:?} {} capacity {} {{",
            self.name,
            self.profile.name(),
            self.capacity
        )?;
        let emission = &self.emission;
        write!(
            f,
            "  emission rate {:?} speed {:?} stop {:?}",
            emission.rate, emission.update_speed, emission.target_stop
        )?;
        let usual = Emission::default();
        for (name, fact, usual) in [
            ("manual", emission.manual_emit_count, usual.manual_emit_count),
            ("delay", emission.start_delay, usual.start_delay),
            ("warm", emission.pre_warm_cycles, usual.pre_warm_cycles),
            ("by", emission.pre_warm_step_offset, usual.pre_warm_step_offset),
        ] {
            if fact.to_bits() != usual.to_bits() {
                write!(f, " {name} {fact:?}")?;
            }
        }
        for (name, fact) in
            [("nostart", emission.do_no_start), ("dispose", emission.dispose_on_stop)]
        {
            if fact {
                write!(f, " {name}")?;
            }
        }
        writeln!(f)?;
        let render = &self.render;
        write_render(f, render)?;
        for (_, column) in self.columns.iter() {
            writeln!(f, "  {column}")?;
        }
        for (_, register) in self.registers.iter() {
            writeln!(f, "  register {} = {}", register.name, register.initial)?;
        }
        for (_, input) in self.inputs.iter() {
            write!(f, "  input {} {:?} =", input.name, input.block)?;
            for value in &input.initial {
                write!(f, " {}", super::Const::Float(*value))?;
            }
            writeln!(f)?;
        }
        for (_, texture) in self.textures.iter() {
            let flip = if texture.flip { " flip" } else { "" };
            writeln!(f, "  texture {} {:?}{flip}", texture.name, texture.url)?;
        }
        for (_, uniform) in self.uniforms.iter() {
            writeln!(f, "  uniform {} = {}", uniform.name, uniform.source)?;
        }
        for (_, table) in self.tables.iter() {
            write!(f, "  table {} =", table.name)?;
            for value in &table.values {
                write!(f, " {}", super::Const::Float(*value))?;
            }
            writeln!(f)?;
        }
        for (_, site) in self.sites.iter() {
            writeln!(f, "  site {:?} {}", site.name, site.components)?;
        }
        for (_, function) in self.functions.iter() {
            write_function(f, self, function)?;
        }
        for (kind, body) in self.bodies() {
            writeln!(f, "\n  {} {{", kind.name())?;
            BodyText::new(self, body).write(f)?;
            writeln!(f, "  }}")?;
        }
        writeln!(f, "}}")
    }
}

/// What every program has; behind it what differs from the default.
fn write_render(f: &mut Formatter<'_>, render: &RenderSpec) -> fmt::Result {
    write!(
        f,
        "  render blend {:?} billboard {:?} {}",
        render.blend_mode, render.billboard_mode, render.is_billboard_based
    )?;
    if render.is_local {
        f.write_str(" local")?;
    }
    let [x, y] = render.translation_pivot;
    if [x, y] != [0.0; 2] {
        write!(f, " pivot {x:?} {y:?}")?;
    }
    let [r, g, b, a] = render.texture_mask;
    if [r, g, b, a] != [1.0; 4] {
        write!(f, " mask {r:?} {g:?} {b:?} {a:?}")?;
    }
    if render.rendering_group_id != 0.0 {
        write!(f, " group {:?}", render.rendering_group_id)?;
    }
    if let Some([width, height]) = render.sheet {
        write!(f, " sheet {width:?} {height:?}")?;
    }
    writeln!(f)?;
    if let Some(picture) = &render.picture {
        let flip = if picture.flip { " flip" } else { "" };
        writeln!(f, "  picture {:?}{flip}", picture.url)?;
    }
    Ok(())
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "column {} {}", self.name, self.storage.name())?;
        if let Some(field) = self.field {
            write!(f, " is {field}")?;
        }
        if let Some(constant) = self.constant {
            write!(f, " = {constant}")?;
        }
        Ok(())
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Age => f.write_str("age"),
            Self::LifeTime => f.write_str("lifeTime"),
            Self::Id => f.write_str("id"),
            Self::Position(axis) => write!(f, "position.{axis}"),
            Self::Direction(axis) => write!(f, "direction.{axis}"),
            Self::Size => f.write_str("size"),
            Self::Angle => f.write_str("angle"),
            Self::Scale(axis) => write!(f, "scale.{axis}"),
            Self::Color(channel) => write!(f, "color.{channel}"),
            Self::CellIndex => f.write_str("cellIndex"),
            Self::InitialDirection(axis) => write!(f, "initialDirection.{axis}"),
        }
    }
}

impl Display for UniformSource {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delta => f.write_str("delta"),
            Self::Time => f.write_str("time"),
            Self::EmitterPosition(axis) => write!(f, "emitterPosition.{axis}"),
            Self::EmitterMatrix(element) => write!(f, "emitterMatrix.{element}"),
            Self::Step => f.write_str("step"),
            Self::Seed => f.write_str("seed"),
            Self::Prepared(index) => write!(f, "prepared.{index}"),
            Self::Input(input, component) => write!(f, "input.{}.{component}", input.index()),
            Self::HasCamera => f.write_str("hasCamera"),
            Self::CameraPosition(axis) => write!(f, "cameraPosition.{axis}"),
            Self::View(element) => write!(f, "view.{element}"),
            Self::ViewProjection(element) => write!(f, "viewProjection.{element}"),
            Self::TextureWidth(texture) => write!(f, "textureWidth.{}", texture.index()),
            Self::TextureHeight(texture) => write!(f, "textureHeight.{}", texture.index()),
        }
    }
}

fn write_function(f: &mut Formatter<'_>, program: &Program, function: &Function) -> fmt::Result {
    write!(f, "\n  function {}(", function.name)?;
    for (index, (name, ty)) in function.params.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        write!(f, "{separator}{name}: {ty}")?;
    }
    writeln!(f, "){} {{", if function.continuous { " continuous" } else { "" })?;
    let mut text = BodyText::new(program, &function.body);
    text.function = Some(function);
    text.write(f)?;
    writeln!(f, "  }}")
}

/// Prints one body.
struct BodyText<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
    body: &'a Body,
    /// Printed number of each value; values that are never defined keep none.
    numbers: Vec<Option<usize>>,
    next: usize,
    /// The origin that the last `from` line named.
    origin: Option<&'a Origin>,
}

impl<'a> BodyText<'a> {
    fn new(program: &'a Program, body: &'a Body) -> Self {
        let numbers = vec![None; body.values.len()];
        Self { program, function: None, body, numbers, next: 0, origin: None }
    }

    fn write(&mut self, f: &mut Formatter<'_>) -> fmt::Result {
        let body = self.body;
        self.write_block(f, &body.block, 2)?;
        if !body.results.is_empty() {
            writeln!(f, "    yield {}", self.list(&body.results))?;
        }
        Ok(())
    }

    fn write_block(
        &mut self,
        f: &mut Formatter<'_>,
        block: &'a Block,
        depth: usize,
    ) -> fmt::Result {
        let pad = "  ".repeat(depth);
        for statement in block {
            let from = statement.origin.and_then(|origin| self.program.origins.get(origin));
            // By content: the text cannot tell two equal origins apart.
            if from != self.origin {
                self.origin = from;
                match from {
                    Some(from) => {
                        writeln!(f, "{pad}from {:?} {:?} {:?}:", from.id, from.name, from.class)?;
                    }
                    None => writeln!(f, "{pad}from nothing:")?,
                }
            }
            self.write_statement(f, &statement.kind, &pad, depth)?;
        }
        Ok(())
    }

    fn write_statement(
        &mut self,
        f: &mut Formatter<'_>,
        statement: &'a Stmt,
        pad: &str,
        depth: usize,
    ) -> fmt::Result {
        match statement {
            Stmt::Let(value) => {
                let text = self.expr(self.body.values[*value].expr);
                writeln!(f, "{pad}{} = {text}", self.define(*value))
            }
            Stmt::Store(column, value) => {
                writeln!(f, "{pad}store {}, {}", self.column(*column), self.operand(*value))
            }
            Stmt::StoreRegister(register, value) => {
                let name = &self.program.registers[*register].name;
                writeln!(f, "{pad}set {name}, {}", self.operand(*value))
            }
            Stmt::Draw { result, site } => {
                writeln!(f, "{pad}{} = draw {}", self.define(*result), site.index())
            }
            Stmt::Call { function, arguments, results } => {
                let name = &self.program.functions[*function].name;
                let arguments = self.list(arguments);
                let results: Vec<String> =
                    results.iter().map(|&value| self.define(value)).collect();
                let equals = if results.is_empty() { "" } else { " = " };
                writeln!(f, "{pad}{}{equals}call {name}({arguments})", results.join(", "))
            }
            Stmt::Kill(condition) => writeln!(f, "{pad}kill {}", self.operand(*condition)),
            Stmt::Fail(message) => writeln!(f, "{pad}fail {message:?}"),
            Stmt::If { condition, then, otherwise, results } => {
                let condition = self.operand(*condition);
                // The names of the results come first, their numbers after those of the blocks:
                // numbers follow the order in which a reader meets the definitions.
                let first = self.next;
                let names: Vec<String> =
                    results.iter().map(|merge| self.define(merge.result)).collect();
                let equals = if names.is_empty() { "" } else { " = " };
                debug_assert!(self.next == first + names.len());
                writeln!(f, "{pad}{}{equals}if {condition} {{", names.join(", "))?;
                self.write_block(f, then, depth + 1)?;
                if !results.is_empty() {
                    let values: Vec<ValueId> = results.iter().map(|merge| merge.then).collect();
                    writeln!(f, "{pad}  yield {}", self.list(&values))?;
                }
                if !otherwise.is_empty() || !results.is_empty() {
                    writeln!(f, "{pad}}} else {{")?;
                    self.write_block(f, otherwise, depth + 1)?;
                    if !results.is_empty() {
                        let values: Vec<ValueId> =
                            results.iter().map(|merge| merge.otherwise).collect();
                        writeln!(f, "{pad}  yield {}", self.list(&values))?;
                    }
                }
                writeln!(f, "{pad}}}")
            }
        }
    }

    fn define(&mut self, value: ValueId) -> String {
        let number = self.next;
        self.next += 1;
        if let Some(slot) = self.numbers.get_mut(value.index()) {
            *slot = Some(number);
        }
        format!("%{number}")
    }

    fn list(&self, values: &[ValueId]) -> String {
        values.iter().map(|&value| self.operand(value)).collect::<Vec<_>>().join(", ")
    }

    fn column(&self, column: Handle<Column>) -> &str {
        self.program.columns.get(column).map_or("?", |column| &column.name)
    }

    fn operand(&self, value: ValueId) -> String {
        let Some(definition) = self.body.values.get(value) else { return "?".into() };
        if definition.expr.is_free() {
            return self.expr(definition.expr);
        }
        match self.numbers.get(value.index()).copied().flatten() {
            Some(number) => format!("%{number}"),
            // Only an invalid body has one; the text is printed to show what is wrong.
            None => format!("%?{}", value.index()),
        }
    }

    fn expr(&self, expr: Expr) -> String {
        match expr {
            Expr::Const(constant) => constant.to_string(),
            Expr::Uniform(uniform) => {
                let name = self.program.uniforms.get(uniform).map_or("?", |uniform| &uniform.name);
                format!("@{name}")
            }
            Expr::Param(index) => {
                let params = self.function.map(|function| function.params.as_slice());
                let name = params.and_then(|params| params.get(index as usize));
                format!("${}", name.map_or("?", |(name, _)| name))
            }
            Expr::NewId => "new_id".into(),
            Expr::Load(column) => format!("load {}", self.column(column)),
            Expr::LoadRegister(register) => {
                let name = self.program.registers.get(register).map_or("?", |found| &found.name);
                format!("get {name}")
            }
            Expr::Table(table, index) => {
                let name = self.program.tables.get(table).map_or("?", |table| &table.name);
                format!("table {name}, {}", self.operand(index))
            }
            Expr::Texel(texture, x, y, channel) => {
                let name = self.program.textures.get(texture).map_or("?", |found| &found.name);
                format!("texel {name}, {}, {}, {channel}", self.operand(x), self.operand(y))
            }
            Expr::Unary(op, a) => format!("{} {}", op.name(), self.operand(a)),
            Expr::Binary(op, a, b) => {
                format!("{} {}, {}", op.name(), self.operand(a), self.operand(b))
            }
            Expr::Select(condition, a, b) => format!(
                "select {}, {}, {}",
                self.operand(condition),
                self.operand(a),
                self.operand(b)
            ),
            Expr::Result => "?".into(),
        }
    }
}
