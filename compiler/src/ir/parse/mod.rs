//! Reads the text form: `print(parse(print(m))) == print(m)`.
//!
//! A statement is a line, so reading goes line by line: this file reads what stands directly in a
//! program, `body` what stands in bodies. Lines that start with `//` are comments. `emission`,
//! `render` and bodies may be left out of texts that people write. Names must be known before use.

mod body;
mod lexer;
mod names;

use std::fmt;

use self::body::BodyParser;
use self::lexer::Line;
use self::names::{Item, Names};
use super::arena::{Arena, Handle};
use super::body::BodyKind;
use super::program::{
    Column, DrawSite, Emission, Field, Function, Input, Module, Picture, Program, Register,
    RenderSpec, Table, Texture, Uniform, UniformSource,
};
use super::types::{Const, Profile, Storage, Type};

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

type Read<T = ()> = Result<T, ParseError>;

/// Reads the text form of a module. The result is not validated.
///
/// # Errors
/// The first line that is not understood.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut lines = Lines { lines: text.lines().enumerate(), last: 1 };
    let mut module = Module::default();
    while let Some(line) = lines.next()? {
        module.programs.push(read_program(line, &mut lines)?);
    }
    Ok(module)
}

/// The lines that say something.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Read<Option<Line<'a>>> {
        for (index, text) in self.lines.by_ref() {
            self.last = index + 1;
            let text = text.trim();
            if !text.is_empty() && !text.starts_with("//") {
                return Line::new(index + 1, text).map(Some);
            }
        }
        Ok(None)
    }

    /// The next line of something that has not been closed.
    fn inside(&mut self, what: &str) -> Read<Line<'a>> {
        let message = format!("the text ends inside a {what}");
        self.next()?.ok_or(ParseError { line: self.last, message })
    }
}

fn read_program<'a>(mut line: Line<'a>, lines: &mut Lines<'a>) -> Read<Program> {
    line.keyword("program")?;
    let mut program = empty_program();
    program.name = line.text()?;
    program.profile = match line.word("a profile")? {
        "exact" => Profile::Exact,
        "parallel" => Profile::Parallel,
        other => return line.fail(format!("'{other}' is no profile")),
    };
    line.keyword("capacity")?;
    program.capacity = line.parse("a capacity")?;
    line.mark('{')?;
    line.end()?;
    let mut names = Names::default();
    loop {
        let mut line = lines.inside("program")?;
        if line.take('}') {
            line.end()?;
            return Ok(program);
        }
        read_item(&mut program, &mut names, line, lines)?;
    }
}

/// A program of which the text has said nothing yet; numbers are the contract's defaults.
fn empty_program() -> Program {
    Program {
        name: String::new(),
        profile: Profile::Exact,
        capacity: 0,
        emission: Emission::default(),
        render: RenderSpec::default(),
        columns: Arena::default(),
        registers: Arena::default(),
        inputs: Arena::default(),
        uniforms: Arena::default(),
        tables: Arena::default(),
        textures: Arena::default(),
        sites: Arena::default(),
        functions: Arena::default(),
        origins: Arena::default(),
        init: None,
        prepare: None,
        emit_rate: None,
        birth: Default::default(),
        update: Default::default(),
    }
}

fn read_item<'a>(
    program: &mut Program,
    names: &mut Names<'a>,
    mut line: Line<'a>,
    lines: &mut Lines<'a>,
) -> Read {
    match line.word("an item of a program")? {
        "emission" => read_emission(&mut program.emission, &mut line)?,
        "render" => {
            read_render(&mut program.render, &mut line)?;
        }
        "picture" => {
            let url = line.text()?;
            let flip = read_flip(&mut line)?;
            program.render.picture = Some(Picture { url, flip });
        }
        "column" => {
            let name = line.word("a name")?;
            let column = read_column(name, &mut line)?;
            let handle = program.columns.push(column);
            names.declare(&line, Item::Column, name, handle.index())?;
        }
        "register" => {
            let name = line.word("a name")?;
            line.mark('=')?;
            let initial = read_constant(&mut line)?;
            let handle = program.registers.push(Register { name: name.to_owned(), initial });
            names.declare(&line, Item::Register, name, handle.index())?;
        }
        "input" => {
            let name = line.word("a name")?;
            let block = line.text()?;
            line.mark('=')?;
            let mut initial = Vec::new();
            while !line.is_done() {
                initial.push(line.parse("a number")?);
            }
            let input = Input { name: name.to_owned(), block, initial };
            let handle = program.inputs.push(input);
            names.declare(&line, Item::Input, name, handle.index())?;
        }
        "uniform" => {
            let name = line.word("a name")?;
            line.mark('=')?;
            let source = read_source(&mut line)?;
            let handle = program.uniforms.push(Uniform { name: name.to_owned(), source });
            names.declare(&line, Item::Uniform, name, handle.index())?;
        }
        "texture" => {
            let name = line.word("a name")?;
            let url = line.text()?;
            let flip = read_flip(&mut line)?;
            let handle = program.textures.push(Texture { name: name.to_owned(), url, flip });
            names.declare(&line, Item::Texture, name, handle.index())?;
        }
        "table" => {
            let name = line.word("a name")?;
            line.mark('=')?;
            let mut values = Vec::new();
            while !line.is_done() {
                values.push(line.parse("a number")?);
            }
            let handle = program.tables.push(Table { name: name.to_owned(), values });
            names.declare(&line, Item::Table, name, handle.index())?;
        }
        "site" => {
            let name = line.text()?;
            program.sites.push(DrawSite { name, components: line.parse("a count")? });
        }
        "function" => return read_function(program, names, line, lines),
        word => {
            let mut kinds = BodyKind::ALL.into_iter();
            let Some(kind) = kinds.find(|kind| kind.name() == word) else {
                return line.fail(format!("'{word}' is no item of a program"));
            };
            line.mark('{')?;
            line.end()?;
            let body = BodyParser::new(program, names, Vec::new()).read(lines)?;
            match kind {
                BodyKind::Init => program.init = Some(body),
                BodyKind::Prepare => program.prepare = Some(body),
                BodyKind::EmitRate => program.emit_rate = Some(body),
                BodyKind::Birth => program.birth = body,
                BodyKind::Update => program.update = body,
            }
            return Ok(());
        }
    }
    line.end()
}

/// Facts that the line leaves out keep their defaults.
fn read_emission(emission: &mut Emission, line: &mut Line<'_>) -> Read {
    while !line.is_done() {
        let fact = match line.word("a fact")? {
            "rate" => &mut emission.rate,
            "speed" => &mut emission.update_speed,
            "stop" => &mut emission.target_stop,
            "manual" => &mut emission.manual_emit_count,
            "delay" => &mut emission.start_delay,
            "warm" => &mut emission.pre_warm_cycles,
            "by" => &mut emission.pre_warm_step_offset,
            "nostart" => {
                emission.do_no_start = true;
                continue;
            }
            "dispose" => {
                emission.dispose_on_stop = true;
                continue;
            }
            other => return line.fail(format!("'{other}' is no fact of an emission")),
        };
        *fact = line.parse("a number")?;
    }
    Ok(())
}

fn read_function<'a>(
    program: &mut Program,
    names: &mut Names<'a>,
    mut line: Line<'a>,
    lines: &mut Lines<'a>,
) -> Read {
    let name = line.word("a name")?;
    line.mark('(')?;
    let mut params = Vec::new();
    while !line.take(')') {
        if !params.is_empty() {
            line.mark(',')?;
        }
        let name = line.word("a parameter")?.to_owned();
        line.mark(':')?;
        let ty = match line.word("a type")? {
            "float" => Type::Float,
            "uint" => Type::Uint,
            "bool" => Type::Bool,
            other => return line.fail(format!("'{other}' is no type")),
        };
        params.push((name, ty));
    }
    let continuous = line.peek_word() == Some("continuous");
    if continuous {
        line.keyword("continuous")?;
    }
    line.mark('{')?;
    line.end()?;
    let body = BodyParser::new(program, names, params.clone()).read(lines)?;
    let handle =
        program.functions.push(Function { name: name.to_owned(), params, continuous, body });
    // Known from here on: a function calls only earlier ones.
    names.declare(&line, Item::Function, name, handle.index())
}

fn read_flip(line: &mut Line<'_>) -> Read<bool> {
    let flip = line.peek_word() == Some("flip");
    if flip {
        line.keyword("flip")?;
    }
    Ok(flip)
}

fn read_render(render: &mut RenderSpec, line: &mut Line<'_>) -> Read {
    line.keyword("blend")?;
    render.blend_mode = line.parse("a number")?;
    line.keyword("billboard")?;
    render.billboard_mode = line.parse("a number")?;
    render.is_billboard_based = line.parse("true or false")?;
    while !line.is_done() {
        match line.word("a fact of rendering")? {
            "local" => render.is_local = true,
            "pivot" => render.translation_pivot = read_numbers(line)?,
            "mask" => render.texture_mask = read_numbers(line)?,
            "group" => render.rendering_group_id = line.parse("a number")?,
            "sheet" => render.sheet = Some(read_numbers(line)?),
            other => return line.fail(format!("'{other}' is no fact of rendering")),
        }
    }
    Ok(())
}

fn read_numbers<const N: usize>(line: &mut Line<'_>) -> Read<[f64; N]> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = line.parse("a number")?;
    }
    Ok(numbers)
}

fn read_column(name: &str, line: &mut Line<'_>) -> Read<Column> {
    let storage = match line.word("a storage")? {
        "f64" => Storage::F64,
        "f32" => Storage::F32,
        "u32" => Storage::U32,
        "u16" => Storage::U16,
        "u8" => Storage::U8,
        other => return line.fail(format!("'{other}' is no storage")),
    };
    let mut column = Column { name: name.to_owned(), storage, field: None, constant: None };
    if line.peek_word() == Some("is") {
        line.keyword("is")?;
        column.field = Some(read_field(line)?);
    }
    if line.take('=') {
        column.constant = Some(read_constant(line)?);
    }
    Ok(column)
}

/// A word with a number after its last dot: the number must be below the limit.
fn split(word: &str) -> (&str, Option<u32>) {
    match word.rsplit_once('.') {
        Some((name, index)) => (name, index.parse().ok()),
        None => (word, None),
    }
}

fn read_field(line: &mut Line<'_>) -> Read<Field> {
    let word = line.word("a field")?;
    let axis = |below: u32, index: u32| u8::try_from(index).ok().filter(|_| index < below);
    let field = match split(word) {
        ("age", None) => Some(Field::Age),
        ("lifeTime", None) => Some(Field::LifeTime),
        ("id", None) => Some(Field::Id),
        ("size", None) => Some(Field::Size),
        ("angle", None) => Some(Field::Angle),
        ("cellIndex", None) => Some(Field::CellIndex),
        ("position", Some(index)) => axis(3, index).map(Field::Position),
        ("direction", Some(index)) => axis(3, index).map(Field::Direction),
        ("initialDirection", Some(index)) => axis(3, index).map(Field::InitialDirection),
        ("scale", Some(index)) => axis(2, index).map(Field::Scale),
        ("color", Some(index)) => axis(4, index).map(Field::Color),
        _ => None,
    };
    field.map_or_else(|| line.fail(format!("'{word}' is no field")), Ok)
}

fn read_source(line: &mut Line<'_>) -> Read<UniformSource> {
    let word = line.word("a source")?;
    let element = |below: u32, index: u32| u8::try_from(index).ok().filter(|_| index < below);
    let source = match split(word) {
        ("delta", None) => Some(UniformSource::Delta),
        ("time", None) => Some(UniformSource::Time),
        ("step", None) => Some(UniformSource::Step),
        ("seed", None) => Some(UniformSource::Seed),
        ("emitterPosition", Some(index)) => element(3, index).map(UniformSource::EmitterPosition),
        ("emitterMatrix", Some(index)) => element(16, index).map(UniformSource::EmitterMatrix),
        (input, Some(component)) if input.starts_with("input.") => {
            let (_, input) = split(input);
            let input = input.map(|index| Handle::from_index(index as usize));
            input.zip(element(4, component)).map(|(input, at)| UniformSource::Input(input, at))
        }
        ("prepared", Some(index)) => Some(UniformSource::Prepared(index)),
        ("hasCamera", None) => Some(UniformSource::HasCamera),
        ("cameraPosition", Some(index)) => element(3, index).map(UniformSource::CameraPosition),
        ("view", Some(index)) => element(16, index).map(UniformSource::View),
        ("viewProjection", Some(index)) => element(16, index).map(UniformSource::ViewProjection),
        ("textureWidth", Some(index)) => {
            Some(UniformSource::TextureWidth(Handle::from_index(index as usize)))
        }
        ("textureHeight", Some(index)) => {
            Some(UniformSource::TextureHeight(Handle::from_index(index as usize)))
        }
        _ => None,
    };
    source.map_or_else(|| line.fail(format!("'{word}' is no source of uniforms")), Ok)
}

fn read_constant(line: &mut Line<'_>) -> Read<Const> {
    let word = line.word("a constant")?;
    constant(word).map_or_else(|| line.fail(format!("'{word}' is no constant")), Ok)
}

/// The constant that a word spells, if it does.
fn constant(word: &str) -> Option<Const> {
    match word {
        "true" => Some(Const::Bool(true)),
        "false" => Some(Const::Bool(false)),
        _ => match word.strip_suffix('u') {
            Some(digits) => digits.parse().ok().map(Const::Uint),
            None => word.parse().ok().map(Const::Float),
        },
    }
}
