//! Every operation and statement prints to WGSL that naga accepts, and the text says what the
//! layout says.
#![cfg(feature = "wgsl")]
#![expect(clippy::panic, reason = "a test says what it found")]

use naga::front::wgsl::parse_str;
use pyrograph_compiler::emit::decisions::{DecisionKind, Place};
use pyrograph_compiler::emit::layout::{Counter, Layout, Limits};
use pyrograph_compiler::emit::usage::Usage;
use pyrograph_compiler::emit::wgsl::{self, Resource, Wgsl, WgslError};
use pyrograph_compiler::ir::{
    Arena, BinaryOp, Body, BodyBuilder, BodyKind, Column, Const, Emission, Field, Function, Module,
    Origin, Profile, Program, RenderSpec, Storage, Table, Type, UnaryOp, Uniform, UniformSource,
    ValueId, parse, validate,
};

/// A Parallel program with a column of each kind, two tables and three uniforms.
fn base() -> Program {
    let mut columns = Arena::default();
    let column =
        |name: &str, storage, field| Column { name: name.into(), storage, field, constant: None };
    columns.push(column("age", Storage::F32, Some(Field::Age)));
    columns.push(column("id", Storage::U32, Some(Field::Id)));
    columns.push(column("cell.16", Storage::U16, None));
    columns.push(column("fn", Storage::U8, None));
    columns.push(Column {
        constant: Some(Const::Float(1.0)),
        ..column("size", Storage::F32, Some(Field::Size))
    });
    let mut uniforms = Arena::default();
    uniforms.push(Uniform { name: "delta".into(), source: UniformSource::Delta });
    uniforms.push(Uniform { name: "seed".into(), source: UniformSource::Seed });
    uniforms.push(Uniform { name: "unused".into(), source: UniformSource::Time });
    let mut tables = Arena::default();
    tables.push(Table { name: "unused".into(), values: vec![9.0; 5] });
    tables.push(Table { name: "mesh".into(), values: vec![1.0, f64::NAN, 3.0] });
    let mut birth = BodyBuilder::default();
    let id = birth.new_id();
    let zero = birth.float(0.0);
    for (handle, column) in columns.iter() {
        if column.constant.is_none() {
            birth.store(handle, if column.storage.ty() == Type::Uint { id } else { zero });
        }
    }
    Program {
        name: "base \u{2028} \n name".into(),
        profile: Profile::Parallel,
        capacity: 1000,
        emission: Emission { update_speed: 0.1, ..Emission::default() },
        render: RenderSpec::default(),
        columns,
        registers: Arena::default(),
        inputs: Arena::default(),
        uniforms,
        tables,
        textures: Arena::default(),
        sites: Arena::default(),
        functions: Arena::default(),
        origins: Arena::default(),
        init: None,
        prepare: None,
        emit_rate: None,
        birth: birth.finish(Vec::new()),
        update: Body::default(),
    }
}

fn emit(program: Program) -> Result<Wgsl, WgslError> {
    emit_within(program, &Limits::default())
}

fn emit_within(program: Program, limits: &Limits) -> Result<Wgsl, WgslError> {
    let module = validate(Module { programs: vec![program] }).expect("the test's IR is valid");
    wgsl::emit(&module, 0, limits)
}

/// The text of a base program with this update.
fn update(build: impl FnOnce(&mut BodyBuilder, &Program)) -> String {
    let mut program = base();
    let mut body = BodyBuilder::default();
    build(&mut body, &program);
    program.update = body.finish(Vec::new());
    emit(program).unwrap_or_else(|error| panic!("{error}")).source
}

/// A value of a type that no compiler knows.
fn unknown(body: &mut BodyBuilder, program: &Program, ty: Type) -> ValueId {
    let age = program.field(Field::Age).expect("a column");
    let id = program.field(Field::Id).expect("a column");
    match ty {
        Type::Float => body.load(age, Type::Float),
        Type::Uint => body.load(id, Type::Uint),
        Type::Bool => {
            let age = body.load(age, Type::Float);
            let zero = body.float(0.0);
            body.binary(BinaryOp::Lt, age, zero)
        }
    }
}

/// Stores a value of any type.
fn keep(body: &mut BodyBuilder, program: &Program, value: ValueId) {
    let age = program.field(Field::Age).expect("a column");
    let id = program.field(Field::Id).expect("a column");
    match body.ty(value) {
        Type::Float => body.store(age, value),
        Type::Uint => body.store(id, value),
        Type::Bool => {
            let (one, two) = (body.uint(1), body.uint(2));
            let number = body.select(value, one, two);
            body.store(id, number);
        }
    }
}

/// Constants that a printer may get wrong.
fn constants(ty: Type) -> Vec<Const> {
    let (large, small) = (f64::from(f32::MAX), f64::from(f32::from_bits(1)));
    match ty {
        Type::Float => {
            [0.0, -0.0, -1.5, 0.1, 1e39, -1e39, f64::NAN, large, small, 16_777_217.0, 1e16]
                .map(Const::Float)
                .to_vec()
        }
        Type::Uint => [0, 7, 33, u32::MAX].map(Const::Uint).to_vec(),
        Type::Bool => [false, true].map(Const::Bool).to_vec(),
    }
}

#[test]
fn every_unary_operation_is_valid_on_variables_and_constants() {
    for &op in UnaryOp::ALL.iter().filter(|op| !op.is_transcendental()) {
        update(|body, program| {
            let operand = unknown(body, program, op.operands()[0]);
            let result = body.unary(op, operand);
            keep(body, program, result);
            for constant in constants(op.operands()[0]) {
                let operand = body.constant(constant);
                let result = body.unary(op, operand);
                keep(body, program, result);
            }
        });
    }
}

#[test]
fn every_binary_operation_is_valid_on_variables_and_constants() {
    for &op in BinaryOp::ALL.iter().filter(|op| !op.is_transcendental()) {
        let [first, second] = op.operands();
        update(|body, program| {
            let a = unknown(body, program, first);
            let b = unknown(body, program, second);
            let result = body.binary(op, a, b);
            keep(body, program, result);
            for constant in constants(second) {
                let known = body.constant(constant);
                for (a, b) in [(a, known), (known, b), (known, known)] {
                    let result = body.binary(op, a, b);
                    keep(body, program, result);
                }
            }
        });
    }
}

#[test]
fn constants_read_back_to_the_same_bits() {
    let wanted: Vec<f32> = (0..2000u32)
        .map(|k| f32::from_bits(k.wrapping_mul(0x9e37_79b9) >> 1))
        .filter(|number| number.is_finite())
        .collect();
    let text = update(|body, program| {
        let x = unknown(body, program, Type::Float);
        for &number in &wanted {
            let number = body.float(f64::from(number));
            let difference = body.sub(x, number);
            keep(body, program, difference);
        }
    });
    let module = parse_str(&text).expect("checked before");
    let named = |name| move |found: &naga::Function| found.name.as_deref() == Some(name);
    let mut functions = module.functions.iter().map(|(_, function)| function);
    let update = functions.find(|found| named("update_particle")(found)).expect("it is printed");
    let literals: indexmap::IndexSet<u32> = update
        .expressions
        .iter()
        .filter_map(|(_, expression)| match expression {
            naga::Expression::Literal(naga::Literal::F32(number)) => Some(number.to_bits()),
            _ => None,
        })
        .collect();
    for number in wanted {
        assert!(literals.contains(&number.to_bits()), "{number:?}");
    }
}

#[test]
fn every_statement_is_valid() {
    let mut program = base();
    let age = program.field(Field::Age).expect("a column");
    let mesh = program.tables.find(|table| table.name == "mesh").expect("a table");
    let delta = program.uniforms.find(|uniform| uniform.name == "delta").expect("a uniform");
    let origin = program.origins.push(Origin {
        id: 12.0,
        name: "Random\n}} Lifetime".into(),
        class: "ParticleRandomBlock".into(),
    });

    let mut function = BodyBuilder::default();
    let (x, y) = (function.param(0, Type::Float), function.param(1, Type::Uint));
    let scaled = function.unary(UnaryOp::FromUint, y);
    let product = function.mul(x, scaled);
    let element = function.table(mesh, y);
    let pair = program.functions.push(Function {
        name: "pair".into(),
        params: vec![("let".into(), Type::Float), ("v0".into(), Type::Uint)],
        continuous: false,
        body: function.finish(vec![product, element]),
    });

    let mut function = BodyBuilder::default();
    let x = function.param(0, Type::Float);
    let three = function.uint(3);
    let results = function.call(pair, vec![x, three], &[Type::Float, Type::Float]);
    let zero = function.float(0.0);
    let is_low = function.binary(BinaryOp::Lt, results[0], zero);
    function.open();
    let half = function.float(0.5);
    let inner = function.mul(results[1], half);
    let then = function.close();
    function.open();
    let otherwise = function.close();
    let outcome = function.branch(is_low, then, otherwise, &[(inner, zero)]);
    let single = program.functions.push(Function {
        name: "v7".into(),
        params: vec![("x".into(), Type::Float)],
        continuous: false,
        body: function.finish(outcome),
    });

    let mut body = BodyBuilder::default();
    body.set_origin(Some(origin));
    let loaded = body.load(age, Type::Float);
    let delta = body.uniform(delta, Type::Float);
    let older = body.add(loaded, delta);
    body.store(age, older);
    let result = body.call(single, vec![older], &[Type::Float])[0];
    body.set_origin(None);
    let dies = body.binary(BinaryOp::Le, result, older);
    body.open();
    body.fail("no such \"cell\"\n");
    body.kill(dies);
    let then = body.close();
    body.open();
    body.fail("other");
    let otherwise = body.close();
    body.branch(dies, then, otherwise, &[]);
    program.update = body.finish(Vec::new());

    let wgsl = emit(program).unwrap_or_else(|error| panic!("{error}"));
    let messages: Vec<&str> = wgsl.manifest.messages.iter().map(String::as_str).collect();
    assert_eq!(messages, ["no such \"cell\"\n", "other"]);
    for part in [
        "// 12 \"Random\\n}} Lifetime\"",
        "let v1 = bitcast<f32>(bitcast<u32>(v0 + u.delta) ^ u.zero);",
        "let call0 = pair(x, 3u);",
        "let v2 = its_v7(v1);",
        "dies = dies | v3;",
        "atomicMax(&control.status, 2u);",
        "read_table(0u, 3u, its_v0)",
    ] {
        assert!(wgsl.source.contains(part), "{part}\n{}", wgsl.source);
    }
    assert!(!wgsl.source.contains("unused"), "{}", wgsl.source);
}

#[test]
fn narrow_columns_keep_low_bits_and_constant_ones_are_absent() {
    let text = emit(base()).unwrap_or_else(|error| panic!("{error}")).source;
    assert!(text.contains("record0.z = new_id & 0xffffu; // \"cell.16\""), "{text}");
    assert!(text.contains("record0.w = new_id & 0xffu; // \"fn\""), "{text}");
    assert!(!text.contains("\"size\""), "{text}");
}

#[test]
fn the_text_says_what_the_layout_says() {
    let mut program = base();
    let mut body = BodyBuilder::default();
    for name in ["seed", "delta"] {
        let uniform = program.uniforms.find(|uniform| uniform.name == name).expect("a uniform");
        let value = body.uniform(uniform, program.uniforms[uniform].source.ty());
        keep(&mut body, &program, value);
    }
    program.update = body.finish(Vec::new());
    let wgsl = emit(program).unwrap_or_else(|error| panic!("{error}"));
    let layout = &wgsl.manifest.layout;

    let module = parse_str(&wgsl.source).expect("checked before");
    let members = |name: &str| {
        let mut types = module.types.iter().map(|(_, ty)| ty);
        let ty = types.find(|ty| ty.name.as_deref() == Some(name)).expect("it is printed");
        match &ty.inner {
            naga::TypeInner::Struct { members, span } => (members.clone(), *span),
            _ => panic!("{name} is no structure"),
        }
    };
    let (uniforms, span) = members("Uniforms");
    let offsets: Vec<u32> = uniforms.iter().map(|member| member.offset).collect();
    let mut wanted = vec![0];
    wanted.extend(layout.zero);
    wanted.extend(layout.uniforms.iter().map(|(_, offset)| *offset));
    assert_eq!(offsets, wanted);
    assert!(span <= layout.uniform_bytes && layout.uniform_bytes.is_multiple_of(16));
    let (control, span) = members("Control");
    assert_eq!(u64::from(span), wgsl.manifest.bytes(Resource::Control));
    assert_eq!(control.len(), Counter::ALL.len());
    for (member, counter) in control.iter().zip(Counter::ALL) {
        assert_eq!(member.name.as_deref(), Some(counter.name()));
        assert_eq!(member.offset as usize, counter.word() * 4);
    }

    let variables = module.global_variables.iter();
    let bound: Vec<u32> = variables
        .filter_map(|(_, variable)| variable.binding.map(|binding| binding.binding))
        .collect();
    let wanted: Vec<u32> = wgsl.manifest.bindings.iter().map(|binding| binding.index).collect();
    assert_eq!(bound, wanted);
    let kernels: Vec<&str> = module.entry_points.iter().map(|entry| &*entry.name).collect();
    let wanted: Vec<&str> = wgsl.manifest.step.iter().map(|step| step.entry_point).collect();
    assert_eq!(kernels, wanted);
}

#[test]
fn columns_spread_over_buffers_and_too_many_are_refused() {
    let tight = Limits { storage_bytes: 2 * 1024 * 4, storage_buffers: 8, ..Limits::default() };
    let wgsl = emit_within(base(), &tight).unwrap_or_else(|error| panic!("{error}"));
    let buffers = &wgsl.manifest.layout.column_buffers;
    assert!(buffers.iter().all(|buffer| buffer.words == 2048), "{buffers:?}");
    assert_eq!(buffers.len(), 2);
    assert!(wgsl.source.contains("columns_1[1024u + slot] = "), "{}", wgsl.source);

    let few = Limits { storage_buffers: 3, ..tight };
    let error = emit_within(base(), &few).expect_err("two buffers are too many");
    assert!(error.to_string().contains("fill 2 storage buffers and 1 are left"), "{error}");

    let tiny = Limits { storage_bytes: 1000, ..tight };
    let error = emit_within(base(), &tiny).expect_err("1000 slots are too many");
    assert!(error.to_string().contains("needs 4512 bytes in one binding"), "{error}");
}

#[test]
fn dispatches_stay_within_a_dimension() {
    let program = Program { capacity: 20_000_000, ..base() };
    let usage = Usage::of_particle_bodies(&program);
    let limits = Limits { storage_bytes: 1 << 30, ..Limits::default() };
    let layout = Layout::new(&program, &usage, &limits).expect("it fits");
    assert_eq!(layout.chunks, 78_125);
    assert_eq!(layout.grid(&limits), [39_063, 2]);
    assert_eq!((layout.groups, layout.group_grid(&limits)), (306, [306, 1]));
    let empty = Program { capacity: 0, ..base() };
    let layout = Layout::new(&empty, &usage, &limits).expect("it fits");
    assert_eq!(layout.grid(&limits), [0, 0]);
    emit(empty).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn exact_programs_and_missing_ones_are_refused() {
    let error = emit(Program { profile: Profile::Exact, ..base() }).expect_err("exact");
    assert!(error.to_string().contains("compile it as parallel"), "{error}");
    let module = validate(Module::default()).expect("nothing is wrong with nothing");
    let error = wgsl::emit(&module, 2, &Limits::default()).expect_err("no program");
    assert_eq!(error.to_string(), "there is no system 2, the module holds 0");
}

#[test]
fn a_refused_text_shows_line_and_block() {
    let text = "fn f() {\n    // 12 \"Sum\"\n    let v0 = 1u + 1.5f;\n}\n";
    let error = wgsl::check::check(text).expect_err("types differ");
    assert_eq!(error.line, Some((3, "let v0 = 1u + 1.5f;".into())));
    assert_eq!(error.block.as_deref(), Some("12 \"Sum\""));
    let shown = error.to_string();
    assert!(shown.contains("line 3: let v0 = 1u + 1.5f;\n  from block 12"), "{shown}");
}

#[test]
fn products_that_decide_are_not_fused_and_inexact_decisions_are_listed() {
    let text = r#"program "" parallel capacity 8 {
  column age f32 is age
  column life f32 is lifeTime
  column size f32 is size
  column pace f32
  column cell u16
  uniform delta = delta
  function scale(x: float, y: float) {
    %0 = mul $x, 3.0
    %1 = mul $y, 5.0
    yield %0, %1
  }
  update {
    from 1.0 "Age" "B":
    %0 = load age
    %1 = load pace
    %2 = mul %1, @delta
    %3 = add %0, %2
    store age, %3
    %4 = load life
    %5 = le %4, %3
    kill %5
    from 2.0 "Size" "B":
    %6 = load size
    %7 = mul %6, @delta
    %8 = mul %7, 0.25
    %9 = add %6, %8
    store size, %9
    from 3.0 "Cell" "B":
    %10 = div %3, 3.0
    %11 = to_uint %10
    store cell, %11
  }
  birth {
    store age, 0.0
    %0, %1 = call scale(@delta, 1.5)
    store life, %0
    store size, %1
    %2 = div @delta, 2.0
    store pace, %2
    store cell, 0u
  }
}
"#;
    let module = validate(parse(text).expect("it is IR")).expect("it is valid");
    let wgsl = wgsl::emit(&module, 0, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    for line in [
        "let v4 = bitcast<f32>(bitcast<u32>(v1 * u.delta) ^ u.zero);",
        "let v0 = bitcast<f32>(bitcast<u32>(x * 3.0f) ^ u.zero);",
        "let v1 = y * 5.0f;",
        "let v7 = v3 * u.delta;",
    ] {
        assert!(wgsl.source.contains(line), "{line}\n{}", wgsl.source);
    }
    assert_eq!(wgsl.manifest.layout.zero, Some(4));
    let inexact: Vec<_> = wgsl
        .manifest
        .inexact
        .iter()
        .map(|found| (found.kind, found.place, found.operation))
        .collect();
    assert_eq!(inexact, [(DecisionKind::Integer, Place::Body(BodyKind::Update), "div")]);
}
