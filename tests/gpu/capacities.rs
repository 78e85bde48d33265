//! Capacities at which dispatches and bindings split.

use pyrograph::ParticleState;
use pyrograph::gpu::GpuSystem;
use pyrograph_compiler::emit::layout::{CHUNK, Limits, WIDE};
use pyrograph_compiler::ir::Const;

use super::pair::{Agree, DEVICE, Pair, module};

/// Five columns, three of which the update leaves alone; births fill the capacity within three steps,
/// and every fourth particle dies at the age of 2.
fn wide(capacity: u32) -> String {
    let rate = 0.4 * f64::from(capacity);
    format!(
        r#"program "wide" parallel capacity {capacity} {{
  emission rate {rate:?} speed 1.0 stop 0.0
  column id u32 is id
  column age f32 is age
  column size f32 is size
  column born u32
  column odd u8
  uniform delta = delta
  uniform step = step
  update {{
    %0 = load age
    %1 = add %0, @delta
    store age, %1
    %2 = load id
    %3 = iand %2, 3u
    %4 = ieq %3, 1u
    %5 = le 2.0, %1
    %6 = and %4, %5
    kill %6
  }}
  birth {{
    store id, new_id
    store age, 0.0
    %0 = from_uint new_id
    %1 = mul %0, 0.25
    store size, %1
    store born, @step
    %2 = iand new_id, 1u
    store odd, %2
  }}
}}
"#
    )
}

/// 4,194,241 is one more than 65,535 groups of 64.
#[test]
fn millions_of_slots_agree_with_the_interpreter() {
    let (device, queue) = &*DEVICE;
    // Three columns fill a binding; or a record of three, which takes the room of four, does.
    for (capacity, storage_bytes, wide_records) in
        [(4_194_241, 60 << 20, 0), (5_000_000, 100 << 20, 1)]
    {
        let module = module(&wide(capacity));
        // A row of groups is shorter than the chunks.
        let limits = Limits { groups: 9_000, storage_bytes, ..Limits::default() };
        let gpu = GpuSystem::with_limits(device, queue, &module, 0, 3, &limits).unwrap();
        let layout = &gpu.manifest().layout;
        assert_eq!(layout.column_buffers.len(), 2);
        let found = layout.records.iter().filter(|record| record.stride == WIDE).count();
        assert_eq!(found, wide_records);
        let [x, y] = layout.grid(&limits);
        assert!(y > 1 && x <= 9_000 && x * y >= capacity.div_ceil(CHUNK));
        let mut pair = Pair::around(gpu, &module, 0, 3);
        for _ in 0..5 {
            pair.step(1.0);
        }
        let snapshot = pair.compare(Agree::BitsBut(&[]));
        assert_eq!(snapshot.alive(), capacity);
        assert!(snapshot.counters().next_id > capacity + capacity / 10);
    }
}

/// With chunks of 256, as many groups as a dimension has take 16,776,960 slots.
#[test]
fn a_dispatch_beyond_one_dimension_reaches_every_slot() {
    let (device, queue) = &*DEVICE;
    let capacity = 65_535 * CHUNK + 1;
    let text = format!(
        r#"program "deep" parallel capacity {capacity} {{
  emission rate {capacity}.0 speed 1.0 stop 0.0
  column id u32 is id
  update {{
  }}
  birth {{
    store id, new_id
  }}
}}
"#
    );
    let limits = Limits::default();
    let gpu = GpuSystem::with_limits(device, queue, &module(&text), 0, 0, &limits);
    let mut gpu = gpu.unwrap();
    assert_eq!(gpu.manifest().layout.grid(&limits), [32_768, 2]);
    gpu.start();
    gpu.animate(0.5).unwrap();
    assert_eq!(gpu.counters().unwrap().alive, capacity / 2);
    gpu.animate(0.75).unwrap();
    assert!(gpu.draw_order().unwrap().into_iter().eq(0..capacity));
    let snapshot = gpu.read_back().unwrap();
    assert_eq!((snapshot.alive(), snapshot.slots()), (capacity, capacity));
    let (id, _) = snapshot.program().columns.iter().next().unwrap();
    for slot in 0..capacity {
        assert_eq!(snapshot.get(slot, id), Some(Const::Uint(slot)));
    }
}
