//! Programs in the text form of the IR.

use std::fmt::Write;

use pyrograph_compiler::ir::{BinaryOp, Type, UnaryOp};

/// Two random numbers a birth from a hash of id, seed and a constant; gravity; lives of 0.3 to 1.3.
/// `speed` is not exact: it needs a root and a quotient.
pub(crate) fn fountain(capacity: u32, rate: f64) -> String {
    format!(
        r#"program "fountain" parallel capacity {capacity} {{
  emission rate {rate:?} speed 0.1 stop 0.0
  column age f32 is age
  column lifeTime f32 is lifeTime
  column id u32 is id
  column position.x f32 is position.0
  column position.y f32 is position.1
  column direction.x f32 is direction.0
  column direction.y f32 is direction.1
  column speed f32
  column hot u8
  column size f32 is size = 0.5
  uniform delta = delta
  uniform seed = seed
  uniform step = step
  uniform emitter.x = emitterPosition.0
  function mix(x: uint) {{
    %0 = ishr $x, 16u
    %1 = ixor $x, %0
    %2 = imul %1, 2146121005u
    %3 = ishr %2, 15u
    %4 = ixor %2, %3
    %5 = imul %4, 2221713035u
    %6 = ishr %5, 16u
    %7 = ixor %5, %6
    yield %7
  }}
  function random(id: uint, seed: uint, site: uint) {{
    %0 = call mix($id)
    %1 = iadd %0, $seed
    %2 = call mix(%1)
    %3 = iadd %2, $site
    %4 = call mix(%3)
    %5 = ishr %4, 8u
    %6 = from_uint %5
    %7 = mul %6, 5.960464477539063e-8
    yield %7
  }}
  update {{
    from 1.0 "System" "SystemBlock":
    %0 = load age
    %1 = add %0, @delta
    %2 = load lifeTime
    %3 = lt %2, %1
    %4 = select %3, %2, %1
    store age, %4
    from 12.0 "Move" "UpdatePositionBlock":
    %5 = load position.x
    %6 = load direction.x
    %7 = mul %6, @delta
    %8 = add %5, %7
    store position.x, %8
    %9 = load position.y
    %10 = load direction.y
    %11 = mul %10, @delta
    %12 = add %9, %11
    %13 = lt %12, -1.0
    %14, %15 = if %13 {{
      %16 = neg %10
      %17 = mul %16, 0.5
      yield -1.0, %17
    }} else {{
      %18 = mul -9.81, @delta
      %19 = add %10, %18
      yield %12, %19
    }}
    store position.y, %14
    store direction.y, %15
    %20 = mul %6, %6
    %21 = mul %15, %15
    %22 = add %20, %21
    %23 = sqrt %22
    %24 = div %23, 3.0
    store speed, %24
    %25 = le %2, %4
    kill %25
  }}
  birth {{
    store age, 0.0
    store id, new_id
    %0 = call random(new_id, @seed, 1u)
    %1 = call random(new_id, @seed, 2u)
    %2 = call random(new_id, @seed, 3u)
    %3 = add %0, 0.3
    store lifeTime, %3
    store position.x, @emitter.x
    store position.y, 0.0
    %4 = sub %1, 0.5
    store direction.x, %4
    %5 = mul %2, 4.0
    store direction.y, %5
    store speed, 0.0
    %6 = iadd @step, 250u
    store hot, %6
  }}
}}
"#
    )
}

/// Three textures, the first of which nobody reads: bytes of texels go to columns.
pub(crate) fn pictures() -> String {
    r#"program "pictures" parallel capacity 100 {
  emission rate 10.0 speed 1.0 stop 0.0
  column id u32 is id
  column red u8
  column alpha u8
  column other u8
  column width f32
  texture unread "data:,"
  texture first "data:,"
  texture second "data:," flip
  uniform width = textureWidth.1
  uniform height = textureHeight.2
  update {
    %0 = load id
    %1 = iand %0, 7u
    %2 = ishr %0, 3u
    %3 = texel first, %1, %2, 0
    store red, %3
    %4 = texel first, %2, %1, 3
    store alpha, %4
    %5 = texel second, %1, %2, 2
    store other, %5
    %6 = add @width, @height
    store width, %6
  }
  birth {
    store id, new_id
    store red, 0u
    store alpha, 0u
    store other, 0u
    store width, 0.0
  }
}
"#
    .to_owned()
}

/// Operands that tell number rules apart. Division is left open by WGSL beyond 2^126, about 8.5e37.
pub(crate) const OPERANDS: [&str; 28] = [
    "0.0",
    "-0.0",
    "0.5",
    "-0.5",
    "1.0",
    "-1.0",
    "1.5",
    "-1.5",
    "2.5",
    "-2.5",
    "0.49999997",
    "3.1415927",
    "-7.25",
    "1000.1",
    "-8388609.0",
    "8388608.5",
    "16777217.0",
    "2147483648.0",
    "-2147483649.0",
    "4294967296.0",
    "3e9",
    "1e20",
    "-8e37",
    "1e-30",
    "7e37",
    "inf",
    "-inf",
    "nan",
];

/// A program in which particle k computes every operation on a pair of operands.
pub(crate) fn arithmetic() -> String {
    let count = OPERANDS.len();
    let mut columns = String::from("  column a f32\n  column b f32\n");
    let mut body = format!(
        "    %0 = from_uint new_id\n    %1 = div %0, {count}.0\n    %2 = floor %1\n    %3 = \
         to_uint %2\n    %4 = imul %3, {count}u\n    %5 = isub new_id, %4\n    %6 = table operands, \
         %5\n    %7 = table operands, %3\n    store a, %6\n    store b, %7\n    %8 = to_uint %6\n    \
         %9 = to_uint %7\n    %10 = lt %6, 1.0\n    %11 = le %7, 0.0\n"
    );
    let mut next = 12;
    let mut add = |name: &str, operands: String, result: Type| {
        let storage = if result == Type::Float { "f32" } else { "u32" };
        writeln!(columns, "  column {name} {storage}").unwrap();
        writeln!(body, "    %{next} = {name} {operands}").unwrap();
        if result == Type::Bool {
            writeln!(body, "    %{} = select %{next}, 1u, 0u", next + 1).unwrap();
            next += 1;
        }
        writeln!(body, "    store {name}, %{next}").unwrap();
        next += 1;
    };
    let of = |ty, which: usize| match ty {
        Type::Float => ["%6", "%7"][which],
        Type::Uint => ["%8", "%9"][which],
        Type::Bool => ["%10", "%11"][which],
    };
    for op in UnaryOp::ALL.iter().filter(|op| !op.is_transcendental()) {
        add(op.name(), of(op.operands()[0], 0).to_owned(), op.result());
    }
    for op in BinaryOp::ALL.iter().filter(|op| !op.is_transcendental()) {
        let [a, b] = op.operands();
        add(op.name(), format!("{}, {}", of(a, 0), of(b, 1)), op.result());
    }
    let births = count * count;
    format!(
        "program \"arithmetic\" parallel capacity {births} {{\n  emission rate {births}.0 speed 1.0 \
         stop 0.0\n{columns}  table operands = {}\n  update {{\n  }}\n  birth {{\n{body}  }}\n}}\n",
        OPERANDS.join(" ")
    )
}
