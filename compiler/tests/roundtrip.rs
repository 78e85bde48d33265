//! The text form of the IR: what is printed reads back, and bad lines are named.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

use pyrograph_compiler::ir::{BinaryOp, Type, UnaryOp, parse, validate};

fn check(text: &str) {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(module.to_string(), text, "printing what was read gives the same text");
    if let Err(error) = validate(module) {
        panic!("{error}\n{text}");
    }
}

const EXACT: &str = r#"program "sparks \"1\"\n\u{1b}é" exact capacity 100 {
  emission rate 10.0 speed 0.0167 stop 0.0 manual 5.0 delay 20.0 warm 3.0 by 0.5 nostart dispose
  render blend 2.0 billboard 7.0 true
  column age f64 is age
  column lifeTime f64 is lifeTime
  column id u32 is id
  column position.x f32 is position.0
  column color.a f32 is color.3 = 1.0
  column cell u16 is cellIndex
  column random.12.valid u8
  register emitPower = 1.0
  register count = 7u
  register seen = false
  register nothing = nan
  input gravity "Gravity \"g\"" = 0.0 -1.9 nan
  input rate "" = 40.0
  texture noise "data:,\"x\"" flip
  texture flow ""
  uniform delta = delta
  uniform time = time
  uniform emitter.y = emitterPosition.1
  uniform m5 = emitterMatrix.5
  uniform step = step
  uniform seed = seed
  uniform strength = prepared.0
  uniform g.z = input.0.2
  uniform rate = input.1.0
  uniform seen.by = hasCamera
  uniform camera.z = cameraPosition.2
  uniform v10 = view.10
  uniform vp15 = viewProjection.15
  uniform noise.width = textureWidth.0
  uniform flow.height = textureHeight.1
  table curve = 0.0 -0.0 1.5e300 inf -inf nan
  table empty =
  site "Random 12" 3

  function lerp(a: float, b: float, t: float) {
    %0 = sub $b, $a
    %1 = mul %0, $t
    %2 = add $a, %1
    yield %2
  }

  function pair(c: bool, n: uint) {
    %0 = select $c, $n, 1u
    %1, %2 = if $c {
      %3 = call lerp(0.0, 1.0, 0.5)
      yield %0, %3
    } else {
      yield $n, nan
    }
    yield %1, %2
  }

  function nothing() {
  }

  init {
    yield 2.5
  }

  prepare {
    %0 = mul @m5, -inf
    yield %0
  }

  emit_rate {
    from 3.0 "Emit \"rate\"" "MathBlock":
    %0 = load age
    %1 = add %0, @emitter.y
    from nothing:
    %2 = table curve, 3u
    %3 = add %1, %2
    %4 = texel noise, 3u, @step, 2
    yield %3
  }

  update {
    from 1.0 "System" "SystemBlock":
    %0 = load age
    %1 = add %0, @delta
    store age, %1
    %2 = load lifeTime
    %3 = lt %2, %1
    %4, %5 = if %3 {
      store age, %2
      from 17.0 "Noise" "NoiseBlock":
      %6 = draw 0
      from 18.0 "Inner" "NoiseBlock":
      if true {
        fail "it \\ failed"
      }
      yield %6, 3u
    } else {
      if %3 {
      } else {
        set emitPower, @strength
      }
      yield %1, @step
    }
    store cell, %5
    %7 = get count
    %8, %9 = call pair(%3, %7)
    call nothing()
    set seen, %3
    kill %3
    kill false
  }

  birth {
    store age, 0.0
    store lifeTime, 1e-7
    store id, new_id
    store position.x, -0.0
    store cell, @seed
    store random.12.valid, 4294967295u
  }
}
"#;

#[test]
fn every_statement_and_item() {
    check(EXACT);
}

#[test]
fn every_operation() {
    let mut text = String::from(
        "program \"\" exact capacity 0 {\n  emission rate NaN speed inf stop -0.0\n  render blend \
         0.0 billboard 8.0 false\n\n  function all(f: float, u: uint, b: bool) {\n",
    );
    let operand = |ty| match ty {
        Type::Float => "$f",
        Type::Uint => "$u",
        Type::Bool => "$b",
    };
    let unary =
        UnaryOp::ALL.iter().map(|op| format!("{} {}", op.name(), operand(op.operands()[0])));
    let binary = BinaryOp::ALL.iter().map(|op| {
        let [a, b] = op.operands();
        format!("{} {}, {}", op.name(), operand(a), operand(b))
    });
    for (number, line) in unary.chain(binary).enumerate() {
        text += &format!("    %{number} = {line}\n");
    }
    text += "  }\n\n  update {\n  }\n\n  birth {\n  }\n}\n";
    check(&text);
}

#[test]
fn several_programs_and_none() {
    let one = "program \"a\" parallel capacity 4294967295 {\n  emission rate 1.0 speed 1.0 stop \
               1.0\n  render blend 1.0 billboard 2.0 true\n\n  update {\n  }\n\n  birth {\n  }\n}\n";
    check(&format!("{one}\n{one}"));
    check("");
}

#[test]
fn texts_by_hand_may_be_short() {
    let text = "// a comment\nprogram \"\" exact capacity 1 {\n}\n";
    let module = parse(text).unwrap();
    assert_eq!(module.programs[0].emission.rate, 10.0);
    assert!(module.programs[0].update.block.is_empty());
}

#[test]
fn deep_nesting_needs_no_stack_while_reading() {
    let depth = 20_000;
    let text = format!(
        "program \"\" exact capacity 1 {{\nupdate {{\n{}{}}}\n}}\n",
        "if true {\n".repeat(depth),
        "}\n".repeat(depth)
    );
    let module = parse(&text).unwrap();
    // Dropping recurses; that is not what this test is about.
    std::mem::forget(module);
}

/// What is wrong with an `update` body of this text, which starts in line 6.
fn error(body: &str) -> String {
    let text = format!(
        "program \"\" exact capacity 1 {{\ncolumn age f64\nregister r = 1u\nuniform d = delta\n\
         update {{\n{body}\n}}\n}}\n"
    );
    parse(&text).unwrap_err().to_string()
}

#[test]
fn errors_name_the_line() {
    for (body, message) in [
        ("%0 = load size", "line 6: unknown column 'size'"),
        ("%0 = get age", "line 6: unknown register 'age'"),
        ("\n%0 = neg %1", "line 7: unknown value '%1'"),
        ("%0 = neg @time", "line 6: unknown uniform 'time'"),
        ("%0 = neg $x", "line 6: unknown parameter 'x'"),
        ("%0 = neg 1,5", "line 6: expected the end of the line, found ','"),
        ("%0 = add 1.0", "line 6: expected ',', found the end of the line"),
        ("%0 = frob 1.0", "line 6: unknown statement 'frob'"),
        ("%0 = draw 0", "line 6: unknown site '0'"),
        ("%0 = call f()", "line 6: unknown function 'f'"),
        ("%0 = texel t, 0u, 0u, 0", "line 6: unknown texture 't'"),
        ("%0 = table t, 0u", "line 6: unknown table 't'"),
        ("%0 = store age, 1.0", "line 6: the number of names is 1, that of results 0"),
        ("%0 = neg 1.0\n%0 = neg 1.0", "line 7: '%0' is defined twice"),
        ("yield 1.0\nkill true", "line 7: statement after 'yield'"),
        ("%0 = if true {\n}", "line 7: each block of an 'if' yields one value a result"),
        ("if true {\n} else {\n} else {\n}", "line 8: second 'else' of an 'if'"),
        ("fail \"x", "line 6: string without an end"),
        ("fail \"\\q\"", "line 6: unknown escape in a string"),
        ("fail \"\\u{d800}\"", "line 6: 'd800' is no character code"),
        ("fail x", "line 6: expected a string, found 'x'"),
        ("= 3", "line 6: expected a statement, found '='"),
    ] {
        assert_eq!(error(body), message, "{body}");
    }
}

#[test]
fn errors_outside_of_bodies() {
    for (text, message) in [
        ("module", "line 1: expected 'program', found 'module'"),
        ("program \"\" fast capacity 1 {", "line 1: 'fast' is no profile"),
        ("program \"\" exact capacity -1 {", "line 1: expected a capacity, found '-1'"),
        ("program \"\" exact capacity 1 {\n\n", "line 2: the text ends inside a program"),
        ("program \"\" exact capacity 1 {\nupdate {", "line 2: the text ends inside a body"),
        ("program \"\" exact capacity 1 {\ncolumn a f16", "line 2: 'f16' is no storage"),
        (
            "program \"\" exact capacity 1 {\ncolumn a f32 is scale.2",
            "line 2: 'scale.2' is no field",
        ),
        (
            "program \"\" exact capacity 1 {\ncolumn a f32\ncolumn a f32",
            "line 3: 'a' is declared twice",
        ),
        (
            "program \"\" exact capacity 1 {\nuniform a = emitterMatrix.16",
            "line 2: 'emitterMatrix.16' is no source of uniforms",
        ),
        ("program \"\" exact capacity 1 {\nregister a = x", "line 2: 'x' is no constant"),
        ("program \"\" exact capacity 1 {\nfunction f(a: int) {", "line 2: 'int' is no type"),
        ("program \"\" exact capacity 1 {\nshader {", "line 2: 'shader' is no item of a program"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
}
