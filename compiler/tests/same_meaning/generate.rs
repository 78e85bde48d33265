//! Random valid programs of both profiles, dense in what passes look for: the same expression
//! twice, stores of what is there, special numbers, constant conditions, columns nobody needs.

use pyrograph_compiler::ir::{
    Arena, Body, BodyKind, Column, Const, DrawSite, Emission, Field, Function, Module, Origin,
    Profile, Program, Register, RenderSpec, Storage, Table, Type, Uniform, UniformSource,
};

use super::statements::Generator;

/// splitmix64
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

pub(crate) const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -4.0,
    0.1,
    3.0,
    7.25,
    1e-40,
    16_777_217.0,
    4_294_967_296.5,
    1e300,
    f64::INFINITY,
    f64::NAN,
];
pub(crate) const UINTS: &[u32] = &[0, 1, 2, 31, 32, 255, 256, 0xffff, 0x1_0000, u32::MAX];
const FIELDS: &[Field] = &[
    Field::Position(0),
    Field::Direction(1),
    Field::Size,
    Field::Angle,
    Field::Scale(1),
    Field::Color(3),
    Field::CellIndex,
];

/// A module of one program.
pub(crate) fn generate(seed: u64) -> Module {
    let mut dice = Dice(seed);
    let profile = dice.pick(&[Profile::Exact, Profile::Parallel]);
    let mut program = declarations(&mut dice, profile);
    for index in 0..dice.below(4) {
        let params: Vec<(String, Type)> = (0..1 + dice.below(3))
            .map(|index| (format!("p{index}"), dice.pick(&[Type::Float, Type::Uint, Type::Bool])))
            .collect();
        let count = dice.below(3);
        let body =
            Generator::new(&mut dice, &program, None, &params).body(3 + count * 3, count, None);
        program.functions.push(Function {
            name: format!("f{index}"),
            params,
            continuous: dice.below(2) == 0,
            body,
        });
    }
    if dice.percent(40) {
        let body = Generator::new(&mut dice, &program, Some(BodyKind::Init), &[]).body(
            6,
            1,
            Some(Type::Float),
        );
        program.init = Some(body);
    }
    let count = dice.below(4);
    if count > 0 {
        let body = Generator::new(&mut dice, &program, Some(BodyKind::Prepare), &[]).body(
            8,
            count,
            Some(Type::Float),
        );
        program.prepare = Some(body);
        for index in 0..count as u32 {
            let source = UniformSource::Prepared(index);
            program.uniforms.push(Uniform { name: format!("prepared{index}"), source });
        }
    }
    if dice.percent(50) {
        let body = Generator::new(&mut dice, &program, Some(BodyKind::EmitRate), &[]).body(
            6,
            1,
            Some(Type::Float),
        );
        program.emit_rate = Some(body);
    }
    let size = 4 + dice.below(40);
    program.update =
        Generator::new(&mut dice, &program, Some(BodyKind::Update), &[]).body(size, 0, None);
    let size = 2 + dice.below(15);
    program.birth =
        Generator::new(&mut dice, &program, Some(BodyKind::Birth), &[]).body(size, 0, None);
    Module { programs: vec![program] }
}

pub(crate) fn declarations(dice: &mut Dice, profile: Profile) -> Program {
    let mut program = Program {
        name: "random".into(),
        profile,
        capacity: dice.below(9) as u32,
        emission: Emission { rate: dice.below(5) as f64, update_speed: 1.0, ..Emission::default() },
        render: RenderSpec {
            blend_mode: 2.0,
            billboard_mode: dice.pick(&[7.0, 8.0, 9.0]),
            is_billboard_based: dice.percent(80),
            ..RenderSpec::default()
        },
        columns: Arena::default(),
        registers: Arena::default(),
        inputs: Arena::default(),
        uniforms: Arena::default(),
        textures: Arena::default(),
        tables: Arena::default(),
        sites: Arena::default(),
        functions: Arena::default(),
        origins: Arena::default(),
        init: None,
        prepare: None,
        emit_rate: None,
        birth: Body::default(),
        update: Body::default(),
    };
    let mut column = |name: &str, storage, field| {
        program.columns.push(Column { name: name.into(), storage, field, constant: None });
    };
    column("id", Storage::U32, Some(Field::Id));
    if dice.percent(70) {
        column("age", Storage::F64, Some(Field::Age));
    }
    let (mut fields, count) = (FIELDS.to_vec(), 2 + dice.below(7));
    for index in 0..count {
        let storages =
            [Storage::F64, Storage::F32, Storage::F32, Storage::U32, Storage::U16, Storage::U8];
        let storage = dice.pick(&storages);
        let field = (dice.percent(40) && !fields.is_empty())
            .then(|| fields.swap_remove(dice.below(fields.len())));
        column(&format!("c{index}"), storage, field);
    }
    if dice.percent(20) {
        let constant = Some(Const::Float(0.5));
        let (name, storage) = ("fixed".into(), Storage::F32);
        program.columns.push(Column { name, storage, field: Some(Field::LifeTime), constant });
    }
    for index in 0..dice.below(4) {
        let ty = dice.pick(&[Type::Float, Type::Uint, Type::Bool]);
        let initial = constant(dice, ty);
        program.registers.push(Register { name: format!("r{index}"), initial });
    }
    for (name, source) in [
        ("delta", UniformSource::Delta),
        ("time", UniformSource::Time),
        ("x", UniformSource::EmitterPosition(0)),
        ("m5", UniformSource::EmitterMatrix(5)),
        ("step", UniformSource::Step),
        ("seed", UniformSource::Seed),
    ] {
        program.uniforms.push(Uniform { name: name.into(), source });
    }
    for index in 0..2 {
        let values = (0..dice.below(5)).map(|_| dice.pick(FLOATS)).collect();
        program.tables.push(Table { name: format!("t{index}"), values });
        program.sites.push(DrawSite { name: format!("site {index}"), components: 1 });
        let class = "RandomBlock".to_owned();
        program.origins.push(Origin { id: index as f64, name: String::new(), class });
    }
    program
}

pub(crate) fn constant(dice: &mut Dice, ty: Type) -> Const {
    match ty {
        Type::Float => Const::Float(dice.pick(FLOATS)),
        Type::Uint => Const::Uint(dice.pick(UINTS)),
        Type::Bool => Const::Bool(dice.percent(50)),
    }
}
