//! Sprite sheets: SetupSpriteSheetBlock and BasicSpriteUpdateBlock (spec sections 9.21 and 9.22),
//! UpdateSpriteCellIndexBlock and the sources of cells (S1P-007, S1P-013).

use super::value::Value;
use super::{Context, Error, random};
use crate::diagnostic::Code;
use crate::graph::BlockIndex;
use crate::graph::kind::{Kind, SpriteSheet};
use crate::ir::{BinaryOp, Column, Field, Handle, Profile, Storage, UnaryOp, ValueId};

/// The sheet that was set up last: what sources see of it.
pub(crate) fn current(context: &Context<'_>) -> Option<SpriteSheet> {
    context.plan.sheet.and_then(|sheet| fields(context, sheet))
}

fn fields(context: &Context<'_>, sheet: BlockIndex) -> Option<SpriteSheet> {
    match context.block(sheet).kind {
        Kind::SetupSpriteSheet(sheet) => Some(sheet),
        _ => None,
    }
}

/// The particle's cell.
pub(crate) fn cell(context: &mut Context<'_>) -> ValueId {
    let cell = context.load_field(Field::CellIndex);
    context.body.unary(UnaryOp::FromUint, cell)
}

/// `cellIndex = start`, and `randomOffset = -1` where the start is random.
pub(crate) fn birth(context: &mut Context<'_>, index: BlockIndex) {
    let Some(sheet) = fields(context, index) else { return };
    if sheet.random_start && context.profile() == Profile::Exact {
        let offset = offset(context);
        let unset = context.body.float(-1.0);
        context.store(offset, unset);
    }
    let start = context.body.float(sheet.start);
    store_cell(context, start);
}

/// `cellIndex = (start + ratio * (end - start + 1)) | 0`, where the ratio is the progress over the
/// lifetime within 0 and 1.
pub(crate) fn update(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let sheet = context.plan.sheets.get(&index).and_then(|&sheet| fields(context, sheet));
    let Some(sheet) = sheet else {
        let message = "NodeParticle: BasicSpriteUpdateBlock requires SetupSpriteSheetBlock";
        return Err(context.error(Code::NoSpriteSheet, message));
    };
    let life_time = context.load_field(Field::LifeTime);
    let progress = progress(context, index, &sheet, life_time)?;
    let passed = if sheet.repeat {
        context.body.binary(BinaryOp::Rem, progress, life_time)
    } else {
        progress
    };
    let ratio = context.body.div(passed, life_time);
    let [zero, one] = [0.0, 1.0].map(|number| context.body.float(number));
    let below = context.body.binary(BinaryOp::Lt, ratio, zero);
    let above = context.greater(ratio, one);
    let ratio = context.body.select(above, one, ratio);
    let ratio = context.body.select(below, zero, ratio);
    let start = context.body.float(sheet.start);
    let distance = context.body.float(sheet.end - sheet.start + 1.0);
    let passed = context.body.mul(ratio, distance);
    let cell = context.body.add(start, passed);
    store_cell(context, cell);
    Ok(())
}

/// `age * changeSpeed`; with a random start `(age + offset) * changeSpeed`, or the offset where the
/// speed is 0. The offset is drawn at the first update.
fn progress(
    context: &mut Context<'_>,
    index: BlockIndex,
    sheet: &SpriteSheet,
    life_time: ValueId,
) -> Result<ValueId, Error> {
    let speed = context.body.float(sheet.change_speed);
    if !sheet.random_start {
        let age = context.load_field(Field::Age);
        return Ok(context.body.mul(age, speed));
    }
    let offset = match random::unit_once(context, index, "start") {
        Some(unit) => context.body.mul(unit, life_time),
        None => kept_offset(context, index, life_time)?,
    };
    if sheet.change_speed == 0.0 {
        return Ok(offset);
    }
    let age = context.load_field(Field::Age);
    let shifted = context.body.add(age, offset);
    Ok(context.body.mul(shifted, speed))
}

/// `random * lifeTime`, drawn where the column has no offset yet.
fn kept_offset(
    context: &mut Context<'_>,
    index: BlockIndex,
    life_time: ValueId,
) -> Result<ValueId, Error> {
    let column = offset(context);
    let before = context.load(column);
    let zero = context.body.float(0.0);
    let is_unset = context.body.binary(BinaryOp::Lt, before, zero);
    let offset = context.either(
        is_unset,
        |context| {
            let unit = random::unit(context, index, "start");
            let drawn = context.body.mul(unit, life_time);
            context.store(column, drawn);
            Ok(Value::scalar(context.body.unary(UnaryOp::RoundF32, drawn)))
        },
        |_| Ok(Value::scalar(before)),
    )?;
    Ok(context.number(&offset))
}

/// `cellIndex = floor(input)`, where it is connected.
pub(crate) fn assign(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    if context.block(index).is_connected("cellIndex") {
        let value = context.required(index, "cellIndex")?;
        let number = context.number(&value);
        let floor = context.body.unary(UnaryOp::Floor, number);
        store_cell(context, floor);
    }
    Ok(())
}

fn offset(context: &mut Context<'_>) -> Handle<Column> {
    context.state.column("sprite.randomOffset", Storage::F32)
}

/// The column keeps the low 16 bits, as a Uint16Array does.
fn store_cell(context: &mut Context<'_>, cell: ValueId) {
    let cell = context.body.unary(UnaryOp::ToUint, cell);
    context.store_field(Field::CellIndex, cell);
}
