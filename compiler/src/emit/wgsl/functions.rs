//! The functions of a module: those of the IR, then `update_particle` and `birth_particle`.

use super::body::BodyPrinter;
use super::error::WgslError;
use super::helpers::Helpers;
use super::literal::type_name;
use super::writer::Writer;
use super::{Context, names::Names};
use crate::emit::decisions::Place;
use crate::ir::{BodyKind, Function, Handle, Program, Stmt, Type};

/// Prints all functions that the particle bodies reach.
pub(super) fn print(context: &Context<'_>, helpers: &mut Helpers) -> Result<String, WgslError> {
    let mut writer = Writer::default();
    for &function in &context.usage.functions {
        writer.blank();
        print_function(context, function, &mut writer, helpers)?;
    }
    writer.blank();
    print_update(context, &mut writer, helpers)?;
    writer.blank();
    print_birth(context, &mut writer, helpers)?;
    Ok(writer.finish())
}

/// How a function gives its results.
pub(super) enum Results {
    /// Not at all.
    None,
    /// As itself.
    One(Type),
    /// As a structure of this name with members `r0`, `r1`, ...
    Several(String),
}

/// Shape of the results of a function.
pub(super) fn results(program: &Program, names: &Names, function: Handle<Function>) -> Results {
    let body = &program.functions[function].body;
    match body.results.as_slice() {
        [] => Results::None,
        [one] => Results::One(body.values[*one].ty),
        _ => Results::Several(format!("{}_results", names.function(function))),
    }
}

fn print_function(
    context: &Context<'_>,
    function: Handle<Function>,
    writer: &mut Writer,
    helpers: &mut Helpers,
) -> Result<(), WgslError> {
    let definition = &context.program.functions[function];
    let name = context.names.function(function);
    let results = results(context.program, context.names, function);
    if let Results::Several(structure) = &results {
        writer.open(format_args!("struct {structure} {{"));
        for (index, &result) in definition.body.results.iter().enumerate() {
            let ty = type_name(definition.body.values[result].ty);
            writer.line(format_args!("r{index}: {ty},"));
        }
        writer.close(format_args!("}}"));
        writer.blank();
    }
    let params: Vec<String> = definition
        .params
        .iter()
        .zip(0..)
        .map(|((_, ty), k)| format!("{}: {}", context.names.param(function, k), type_name(*ty)))
        .collect();
    let params = params.join(", ");
    match &results {
        Results::None => writer.open(format_args!("fn {name}({params}) {{")),
        Results::One(ty) => {
            writer.open(format_args!("fn {name}({params}) -> {} {{", type_name(*ty)));
        }
        Results::Several(ty) => writer.open(format_args!("fn {name}({params}) -> {ty} {{")),
    }
    let mut body =
        BodyPrinter::new(context, &definition.body, Place::Function(function), writer, helpers);
    body.print()?;
    let values: Vec<String> =
        definition.body.results.iter().map(|&value| body.operand(value)).collect();
    match &results {
        Results::None => {}
        Results::One(_) => writer.line(format_args!("return {};", values.join(", "))),
        Results::Several(ty) => writer.line(format_args!("return {ty}({});", values.join(", "))),
    }
    writer.close(format_args!("}}"));
    Ok(())
}

fn print_update(
    context: &Context<'_>,
    writer: &mut Writer,
    helpers: &mut Helpers,
) -> Result<(), WgslError> {
    let body = &context.program.update;
    writer.line(format_args!("// Runs one living particle; tells whether it dies."));
    writer.open(format_args!("fn update_particle(slot: u32) -> bool {{"));
    let kills = body.block.iter().any(|statement| may_kill(&statement.kind));
    if kills {
        writer.line(format_args!("var dies = false;"));
    }
    BodyPrinter::new(context, body, Place::Body(BodyKind::Update), writer, helpers)
        .print_on_particle()?;
    writer.line(format_args!("return {};", if kills { "dies" } else { "false" }));
    writer.close(format_args!("}}"));
    Ok(())
}

fn print_birth(
    context: &Context<'_>,
    writer: &mut Writer,
    helpers: &mut Helpers,
) -> Result<(), WgslError> {
    writer.line(format_args!("// Fills the columns of a new particle."));
    writer.open(format_args!("fn birth_particle(slot: u32, new_id: u32) {{"));
    BodyPrinter::new(
        context,
        &context.program.birth,
        Place::Body(BodyKind::Birth),
        writer,
        helpers,
    )
    .print_on_particle()?;
    writer.close(format_args!("}}"));
    Ok(())
}

fn may_kill(statement: &Stmt) -> bool {
    match statement {
        Stmt::Kill(_) => true,
        Stmt::If { then, otherwise, .. } => {
            then.iter().chain(otherwise).any(|statement| may_kill(&statement.kind))
        }
        Stmt::Let(_)
        | Stmt::Store(..)
        | Stmt::StoreRegister(..)
        | Stmt::Draw { .. }
        | Stmt::Call { .. }
        | Stmt::Fail(_) => false,
    }
}
