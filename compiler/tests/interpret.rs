//! The reference executor keeps the words of `ir`: slots, order, numbers, failures.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

use std::sync::Arc;

use pyrograph_compiler::interpret::{Instance, Uniforms};
use pyrograph_compiler::ir::{Const, Field, parse, validate};

fn instance(text: &str) -> Instance {
    let module = validate(parse(text).unwrap()).unwrap();
    Instance::new(Arc::new(module), 0).unwrap()
}

fn none() -> f64 {
    panic!("drawn")
}

/// Live slots with their ids.
fn ids(instance: &Instance) -> Vec<(usize, f64)> {
    let slots = (0..instance.slots()).filter(|&slot| instance.is_alive(slot));
    slots.map(|slot| (slot, instance.value(slot, Field::Id).unwrap())).collect()
}

/// Particles die in the step in which their id is below `time`, those with odd ids later.
fn dying(profile: &str) -> Instance {
    instance(&format!(
        "program \"\" {profile} capacity 5 {{
           column id u32 is id
           column visits u32
           uniform time = time
           update {{
             %0 = load visits
             %1 = iadd %0, 1u
             store visits, %1
             %2 = load id
             %3 = from_uint %2
             %4 = lt %3, @time
             %5 = iand %2, 1u
             %6 = ieq %5, 0u
             %7 = and %4, %6
             kill %7
           }}
           birth {{
             store id, new_id
             store visits, 0u
           }}
         }}"
    ))
}

#[test]
fn exact_slots_are_dense_and_the_moved_particle_is_updated_next() {
    let mut system = dying("exact");
    assert_eq!(system.birth(7, &Uniforms::default(), &mut none), Ok(5));
    let uniforms = Uniforms { time: 10.0, ..Uniforms::default() };
    system.update(&uniforms, &mut none).unwrap();
    // 0 dies, 4 moves to slot 0 and dies, 3 moves there; 1 stays; 2 dies.
    assert_eq!(ids(&system), [(0, 3.0), (1, 1.0)]);
    let visits = system.program().columns.iter().nth(1).unwrap().0;
    assert_eq!(system.column(0, visits), Some(Const::Uint(1)));
    assert_eq!(system.column(2, visits), None);
    assert_eq!(system.birth(2, &uniforms, &mut none), Ok(2));
    assert_eq!(ids(&system), [(0, 3.0), (1, 1.0), (2, 5.0), (3, 6.0)]);
}

#[test]
fn parallel_particles_keep_their_slots_and_births_fill_the_lowest_ones() {
    let mut system = dying("parallel");
    assert_eq!(system.birth(4, &Uniforms::default(), &mut none), Ok(4));
    let uniforms = Uniforms { time: 10.0, ..Uniforms::default() };
    system.update(&uniforms, &mut none).unwrap();
    assert_eq!(ids(&system), [(1, 1.0), (3, 3.0)]);
    assert_eq!((system.alive(), system.slots()), (2, 4));
    assert_eq!(system.birth(9, &uniforms, &mut none), Ok(3));
    assert_eq!(ids(&system), [(0, 4.0), (1, 1.0), (2, 5.0), (3, 3.0), (4, 6.0)]);
    assert_eq!(system.born(), 7);
}

#[test]
fn huge_capacities_cost_nothing() {
    for profile in ["exact", "parallel"] {
        let mut system = instance(&format!(
            "program \"\" {profile} capacity 2147483648 {{\ncolumn id u32 is id\nbirth {{\nstore \
             id, new_id\n}}\n}}"
        ));
        system.birth(3, &Uniforms::default(), &mut none).unwrap();
        system.update(&Uniforms::default(), &mut none).unwrap();
        assert_eq!(ids(&system), [(0, 0.0), (1, 1.0), (2, 2.0)]);
    }
}

#[test]
fn system_bodies_draw_set_registers_and_see_slot_0() {
    let mut system = instance(
        "program \"\" exact capacity 2 {
           column age f32 is age
           column size f32 is size = 0.5
           register total = 1.0
           uniform matrix = emitterMatrix.13
           uniform y = emitterPosition.1
           uniform half = prepared.0
           site \"a\" 1
           init {
             %0 = draw 0
             yield %0
           }
           prepare {
             %0 = mul @matrix, 0.5
             yield %0
           }
           emit_rate {
             %0 = load age
             %1 = get total
             %2 = add %0, %1
             set total, %2
             yield %2
           }
           birth {
             %0 = add @half, @y
             store age, %0
           }
         }",
    );
    let mut uniforms = Uniforms::default();
    uniforms.emitter_matrix[13] = 0.2;
    assert_eq!(system.init(&uniforms, &mut || 0.25), Ok(Some(0.25)));
    system.prepare(&uniforms, &mut none).unwrap();
    assert_eq!(system.prepared(), [0.1]);
    assert_eq!(system.emit_rate(&uniforms, &mut none), Ok(Some(1.0)), "slot 0 starts with zeros");
    system.birth(1, &uniforms, &mut none).unwrap();
    let age = f64::from((0.1_f64 + 0.2) as f32);
    assert_eq!(system.value(0, Field::Age), Some(age));
    assert_eq!(system.value(0, Field::Size), Some(0.5));
    assert_eq!(system.value(0, Field::Angle), None);
    assert_eq!(system.emit_rate(&uniforms, &mut none), Ok(Some(1.0 + age)));
    assert_eq!(
        system.register(system.program().registers.iter().next().unwrap().0),
        Some(Const::Float(1.0 + age))
    );
}

#[test]
fn a_failure_says_what_and_where_and_leaves_the_rest_alone() {
    let mut system = instance(
        "program \"\" exact capacity 9 {
           column id u32 is id
           column age f64 is age
           update {
             store age, 1.0
             %0 = load id
             %1 = ieq %0, 1u
             if %1 {
               from 17.0 \"Mix\" \"LerpBlock\":
               fail \"no such value\"
             }
             store age, 2.0
           }
           birth {
             store id, new_id
             store age, 0.0
             %0 = ilt 2u, new_id
             if %0 {
               fail \"full\"
             }
           }
         }",
    );
    let full = system.birth(5, &Uniforms::default(), &mut none).unwrap_err();
    assert_eq!(full.to_string(), "full");
    assert_eq!((system.alive(), system.born()), (3, 3));
    let failure = system.update(&Uniforms::default(), &mut none).unwrap_err();
    assert_eq!(failure.to_string(), "block 17 \"Mix\" (LerpBlock): no such value");
    let ages = [0, 1, 2].map(|slot| system.value(slot, Field::Age));
    assert_eq!(ages, [Some(2.0), Some(1.0), Some(0.0)]);
}

#[test]
fn parallel_rounds_to_binary32_and_fuses_on_request() {
    let text = "program \"\" parallel capacity 1 {
           column age f64 is age
           column size f64 is size
           column angle f64 is angle
           table t = 0.1
           function square(x: float) {
             %0 = mul $x, $x
             %1 = sub 1.0, %0
             yield %1
           }
           birth {
             %0 = table t, 0u
             store age, %0
             %1 = call square(1.0001)
             store size, %1
             %2 = table t, 1u
             store angle, %2
           }
         }";
    let run = |fused: bool| {
        let mut system = instance(text);
        system.set_fused(fused);
        system.birth(1, &Uniforms::default(), &mut none).unwrap();
        assert_eq!(system.value(0, Field::Age), Some(f64::from(0.1_f32)));
        assert!(system.value(0, Field::Angle).unwrap().is_nan());
        system.value(0, Field::Size).unwrap()
    };
    let x = 1.0001_f32;
    assert_eq!(run(false), f64::from(1.0 - x * x));
    assert_eq!(run(true), f64::from((-x).mul_add(x, 1.0)));
    assert_ne!(run(false), run(true));
}

#[test]
fn nesting_and_calls_take_no_stack() {
    let depth = 10_000;
    let mut text = String::from("program \"\" exact capacity 1 {\ncolumn age f64 is age\n");
    text += "function f0(x: float) {\nyield $x\n}\n";
    for index in 1..1_000 {
        text += &format!(
            "function f{index}(x: float) {{\n%0 = call f{}($x)\n%1 = add %0, 1.0\nyield %1\n}}\n",
            index - 1
        );
    }
    text += "birth {\n%0 = call f999(0.0)\n";
    for index in 0..depth {
        text += &format!("%{} = add %{index}, 1.0\n", index + 1);
    }
    text += &format!("store age, %{depth}\n}}\n}}\n");
    let mut system = instance(&text);
    system.birth(1, &Uniforms::default(), &mut none).unwrap();
    assert_eq!(system.value(0, Field::Age), Some(999.0 + f64::from(depth)));
}
