//! Reads the statements of one body.

use indexmap::IndexMap;

use super::lexer::Line;
use super::names::{Item, Names};
use super::{Lines, Read, constant};
use crate::ir::Block;
use crate::ir::arena::Handle;
use crate::ir::body::{Body, ValueId};
use crate::ir::builder::BodyBuilder;
use crate::ir::op::{BinaryOp, UnaryOp};
use crate::ir::program::{DrawSite, Origin, Program};
use crate::ir::types::{Const, Type};

/// Reads one body, from the line after its opening brace to its closing one.
pub(super) struct BodyParser<'a, 'p> {
    program: &'p mut Program,
    names: &'p mut Names<'a>,
    params: Vec<(String, Type)>,
    builder: BodyBuilder,
    /// Values by printed name.
    values: IndexMap<&'a str, ValueId>,
    /// The `if`s that are open, innermost last: nesting costs no stack.
    open: Vec<Open<'a>>,
    /// What the last `yield` of the innermost block named.
    yielded: Vec<ValueId>,
    origin: Option<Handle<Origin>>,
}

/// An `if` whose end has not been read.
struct Open<'a> {
    names: Vec<&'a str>,
    condition: ValueId,
    origin: Option<Handle<Origin>>,
    /// The first block and its results, once it is closed.
    then: Option<(Block, Vec<ValueId>)>,
}

impl<'a, 'p> BodyParser<'a, 'p> {
    pub(super) fn new(
        program: &'p mut Program,
        names: &'p mut Names<'a>,
        params: Vec<(String, Type)>,
    ) -> Self {
        Self {
            program,
            names,
            params,
            builder: BodyBuilder::default(),
            values: IndexMap::new(),
            open: Vec::new(),
            yielded: Vec::new(),
            origin: None,
        }
    }

    pub(super) fn read(mut self, lines: &mut Lines<'a>) -> Read<Body> {
        loop {
            let mut line = lines.inside("body")?;
            if line.take('}') {
                if self.open.is_empty() {
                    line.end()?;
                    return Ok(self.builder.finish(self.yielded));
                }
                self.close(&mut line)?;
            } else {
                self.statement(&mut line)?;
            }
            line.end()?;
        }
    }

    /// `}` or `} else {` of an `if`.
    fn close(&mut self, line: &mut Line<'a>) -> Read {
        let block = self.builder.close();
        let yielded = std::mem::take(&mut self.yielded);
        let Some(mut open) = self.open.pop() else { return line.fail("nothing is open") };
        if line.peek_word() == Some("else") {
            line.keyword("else")?;
            line.mark('{')?;
            if open.then.is_some() {
                return line.fail("second 'else' of an 'if'");
            }
            open.then = Some((block, yielded));
            self.open.push(open);
            self.builder.open();
            return Ok(());
        }
        let ((then, a), (otherwise, b)) = match open.then {
            Some(then) => (then, (block, yielded)),
            None => ((block, yielded), (Block::new(), Vec::new())),
        };
        if a.len() != open.names.len() || b.len() != open.names.len() {
            return line.fail("each block of an 'if' yields one value a result");
        }
        let outcomes: Vec<(ValueId, ValueId)> = a.into_iter().zip(b).collect();
        let inner = self.builder.set_origin(open.origin);
        let results = self.builder.branch(open.condition, then, otherwise, &outcomes);
        self.builder.set_origin(inner);
        self.bind(line, &open.names, &results)
    }

    fn statement(&mut self, line: &mut Line<'a>) -> Read {
        if !self.yielded.is_empty() {
            return line.fail("statement after 'yield'");
        }
        let mut names = Vec::new();
        while let Some(name) = line.peek_word().filter(|word| word.starts_with('%')) {
            names.push(name);
            line.keyword(name)?;
            if !line.take(',') {
                line.mark('=')?;
                break;
            }
        }
        let word = line.word("a statement")?;
        if word == "if" {
            let condition = self.operand(line)?;
            line.mark('{')?;
            self.open.push(Open { names, condition, origin: self.origin, then: None });
            self.builder.open();
            return Ok(());
        }
        let results = match self.effect(word, line)? {
            Some(results) => results,
            None => vec![self.expression(word, line)?],
        };
        self.bind(line, &names, &results)
    }

    /// Statements that are no `Let`, with their results.
    fn effect(&mut self, word: &str, line: &mut Line<'a>) -> Read<Option<Vec<ValueId>>> {
        match word {
            "store" => {
                let name = line.word("a column")?;
                let column = self.names.find(Item::Column, name);
                let Some(column) = column else { return line.fail(unknown("column", name)) };
                line.mark(',')?;
                let value = self.operand(line)?;
                self.builder.store(column, value);
            }
            "set" => {
                let name = line.word("a register")?;
                let register = self.names.find(Item::Register, name);
                let Some(register) = register else { return line.fail(unknown("register", name)) };
                line.mark(',')?;
                let value = self.operand(line)?;
                self.builder.store_register(register, value);
            }
            "draw" => {
                let index: usize = line.parse("a site")?;
                let site = Handle::<DrawSite>::from_index(index);
                if self.program.sites.get(site).is_none() {
                    return line.fail(unknown("site", &index.to_string()));
                }
                return Ok(Some(vec![self.builder.draw(site)]));
            }
            "call" => return self.call(line).map(Some),
            "kill" => {
                let condition = self.operand(line)?;
                self.builder.kill(condition);
            }
            "fail" => {
                let message = line.text()?;
                self.builder.fail(message);
            }
            "yield" => {
                let mut values = vec![self.operand(line)?];
                while line.take(',') {
                    values.push(self.operand(line)?);
                }
                self.yielded = values;
            }
            "from" => {
                self.origin = self.read_origin(line)?;
                self.builder.set_origin(self.origin);
            }
            _ => return Ok(None),
        }
        Ok(Some(Vec::new()))
    }

    fn call(&mut self, line: &mut Line<'a>) -> Read<Vec<ValueId>> {
        let name = line.word("a function")?;
        let found = self.names.find(Item::Function, name);
        let Some(function) = found else { return line.fail(unknown("function", name)) };
        line.mark('(')?;
        let mut arguments = Vec::new();
        while !line.take(')') {
            if !arguments.is_empty() {
                line.mark(',')?;
            }
            arguments.push(self.operand(line)?);
        }
        let body = &self.program.functions[function].body;
        let types: Vec<Type> = body.results.iter().map(|&result| body.values[result].ty).collect();
        Ok(self.builder.call(function, arguments, &types))
    }

    /// `from 12.0 "name" "class":` or `from nothing:`
    fn read_origin(&mut self, line: &mut Line<'a>) -> Read<Option<Handle<Origin>>> {
        if line.peek_word() == Some("nothing") {
            line.keyword("nothing")?;
            line.mark(':')?;
            return Ok(None);
        }
        let id: f64 = line.parse("a block id")?;
        let origin = Origin { id, name: line.text()?, class: line.text()? };
        line.mark(':')?;
        Ok(Some(self.names.origin(&mut self.program.origins, origin)))
    }

    fn expression(&mut self, word: &str, line: &mut Line<'a>) -> Read<ValueId> {
        if let Some(&op) = UnaryOp::ALL.iter().find(|op| op.name() == word) {
            let a = self.operand(line)?;
            return Ok(self.builder.unary(op, a));
        }
        if let Some(&op) = BinaryOp::ALL.iter().find(|op| op.name() == word) {
            let a = self.operand(line)?;
            line.mark(',')?;
            let b = self.operand(line)?;
            return Ok(self.builder.binary(op, a, b));
        }
        match word {
            "load" => {
                let name = line.word("a column")?;
                let column = self.names.find(Item::Column, name);
                let Some(column) = column else { return line.fail(unknown("column", name)) };
                Ok(self.builder.load(column, self.program.columns[column].storage.ty()))
            }
            "get" => {
                let name = line.word("a register")?;
                let register = self.names.find(Item::Register, name);
                let Some(register) = register else { return line.fail(unknown("register", name)) };
                let ty = self.program.registers[register].initial.ty();
                Ok(self.builder.load_register(register, ty))
            }
            "table" => {
                let name = line.word("a table")?;
                let table = self.names.find(Item::Table, name);
                let Some(table) = table else { return line.fail(unknown("table", name)) };
                line.mark(',')?;
                let index = self.operand(line)?;
                Ok(self.builder.table(table, index))
            }
            "texel" => {
                let name = line.word("a texture")?;
                let texture = self.names.find(Item::Texture, name);
                let Some(texture) = texture else { return line.fail(unknown("texture", name)) };
                line.mark(',')?;
                let x = self.operand(line)?;
                line.mark(',')?;
                let y = self.operand(line)?;
                line.mark(',')?;
                let channel = line.parse("a channel")?;
                Ok(self.builder.texel(texture, x, y, channel))
            }
            "select" => {
                let condition = self.operand(line)?;
                line.mark(',')?;
                let a = self.operand(line)?;
                line.mark(',')?;
                let b = self.operand(line)?;
                Ok(self.builder.select(condition, a, b))
            }
            other => line.fail(unknown("statement", other)),
        }
    }

    fn operand(&mut self, line: &mut Line<'a>) -> Read<ValueId> {
        let word = line.word("a value")?;
        if word.starts_with('%') {
            let value = self.values.get(word).copied();
            return value.map_or_else(|| line.fail(unknown("value", word)), Ok);
        }
        if let Some(name) = word.strip_prefix('@') {
            let found = self.names.find(Item::Uniform, name);
            let Some(uniform) = found else { return line.fail(unknown("uniform", name)) };
            let ty = self.program.uniforms[uniform].source.ty();
            return Ok(self.builder.uniform(uniform, ty));
        }
        if let Some(name) = word.strip_prefix('$') {
            let found = (0u32..).zip(&self.params).find(|(_, param)| param.0 == name);
            let Some((index, &(_, ty))) = found else {
                return line.fail(unknown("parameter", name));
            };
            return Ok(self.builder.param(index, ty));
        }
        if word == "new_id" {
            return Ok(self.builder.new_id());
        }
        match constant(word) {
            // All NaN are one, so that equal texts are equal values.
            Some(Const::Float(value)) if value.is_nan() => Ok(self.builder.float(f64::NAN)),
            Some(constant) => Ok(self.builder.constant(constant)),
            None => line.fail(unknown("value", word)),
        }
    }

    fn bind(&mut self, line: &Line<'a>, names: &[&'a str], results: &[ValueId]) -> Read {
        if names.len() != results.len() {
            let (wants, found) = (names.len(), results.len());
            return line.fail(format!("the number of names is {wants}, that of results {found}"));
        }
        for (&name, &result) in names.iter().zip(results) {
            if self.values.insert(name, result).is_some() {
                return line.fail(format!("'{name}' is defined twice"));
            }
        }
        Ok(())
    }
}

fn unknown(what: &str, name: &str) -> String {
    format!("unknown {what} '{name}'")
}
