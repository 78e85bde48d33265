//! One system on both executors, and what it means that they agree.

use std::sync::{Arc, LazyLock};

use pyrograph::gpu::{GpuSystem, ReadState, default_device};
use pyrograph::{Interpreted, ParticleState, ParticleSystem, Pcg, Texels};
use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{Const, Module, Valid, parse, validate};

/// One device for all tests.
pub(crate) static DEVICE: LazyLock<(wgpu::Device, wgpu::Queue)> =
    LazyLock::new(|| default_device().unwrap_or_else(|error| panic!("{error}")));

/// Reads the text form.
pub(crate) fn module(text: &str) -> Arc<Valid<Module>> {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Arc::new(validate(module).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// How closely columns agree.
#[derive(Clone, Copy)]
pub(crate) enum Agree {
    /// All bits, any NaN being as good as another, except for the columns named: their floats are
    /// within 1e-5 of each other, relative above 1. An adapter in hardware may fuse products and sums:
    /// there all columns are only that near.
    BitsBut(&'static [&'static str]),
}

/// The same system on both executors, started.
pub(crate) struct Pair {
    pub(crate) gpu: GpuSystem,
    pub(crate) cpu: ParticleSystem<Interpreted>,
    random: Pcg,
}

impl Pair {
    pub(crate) fn new(text: &str, seed: u64) -> Self {
        let module = module(text);
        let (device, queue) = &*DEVICE;
        let gpu = GpuSystem::new(device, queue, &module, 0, seed);
        Self::around(gpu.unwrap_or_else(|error| panic!("{error}")), &module, 0, seed)
    }

    pub(crate) fn around(
        mut gpu: GpuSystem,
        module: &Arc<Valid<Module>>,
        index: usize,
        seed: u64,
    ) -> Self {
        let program = Interpreted::all(module).remove(index);
        let mut cpu = ParticleSystem::from_program(program, seed);
        gpu.start();
        cpu.start();
        Self { gpu, cpu, random: Pcg::seed_from_u64(0) }
    }

    /// One step on both; the GPU only records it.
    pub(crate) fn step(&mut self, ratio: f64) {
        self.gpu.record(ratio).unwrap_or_else(|error| panic!("{error}"));
        self.cpu.animate(ratio, &mut self.random).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Gives both a picture.
    pub(crate) fn set_texture(&mut self, index: usize, texels: Texels) {
        self.gpu.set_texture(index, texels.clone()).unwrap_or_else(|error| panic!("{error}"));
        self.cpu.set_texture(index, texels);
    }

    /// Compares counters, slots, draw order and columns.
    pub(crate) fn compare(&mut self, agree: Agree) -> ReadState {
        let snapshot = self.gpu.read_back().unwrap_or_else(|error| panic!("{error}"));
        let instance = self.cpu.program().instance();
        let counters = snapshot.counters();
        assert_eq!(counters.alive as usize, instance.alive());
        assert_eq!(u64::from(counters.next_id), instance.born());
        compare_columns(&snapshot, instance, agree);
        let living: Vec<u32> =
            (0..snapshot.slots()).filter(|&slot| snapshot.is_alive(slot)).collect();
        assert_eq!(self.gpu.draw_order().unwrap(), living);
        snapshot
    }
}

/// A picture in which every byte differs from its neighbours.
pub(crate) fn noise(width: u32, height: u32) -> Texels {
    let bytes: Vec<u8> = (0..width * height * 4).map(|k| (k * 89 + k / 7) as u8).collect();
    Texels::new(width, height, bytes).unwrap()
}

/// Two states are the same in every bit, any NaN being as good as another.
pub(crate) fn assert_same(a: &ReadState, b: &ReadState) {
    assert_eq!(a.counters(), b.counters());
    assert_eq!(a.slots(), b.slots());
    for slot in 0..a.slots() {
        assert_eq!(a.is_alive(slot), b.is_alive(slot), "slot {slot}");
        for (handle, column) in a.program().columns.iter() {
            let (a, b) = (a.get(slot, handle), b.get(slot, handle));
            // This tells -0 and 0 apart, and no NaN from another.
            assert_eq!(format!("{a:?}"), format!("{b:?}"), "{} of slot {slot}", column.name);
        }
    }
}

/// Number and bytes of the allocations of a device that has nothing to do.
pub(crate) fn allocated(device: &wgpu::Device, queue: &wgpu::Queue) -> (usize, u64) {
    // What new buffers hold from the start is on its way until somebody submits.
    queue.submit([]);
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let report = device.generate_allocator_report().unwrap();
    (report.allocations.len(), report.total_allocated_bytes)
}

fn compare_columns(snapshot: &ReadState, instance: &Instance, agree: Agree) {
    let is_hardware = DEVICE.0.adapter_info().device_type != wgpu::DeviceType::Cpu;
    for slot in 0..snapshot.capacity() {
        let place = slot as usize;
        assert_eq!(snapshot.is_alive(slot), instance.is_alive(place), "slot {slot}");
        for (handle, column) in instance.program().columns.iter() {
            let (gpu, cpu) = (snapshot.get(slot, handle), instance.column(place, handle));
            let agrees = match (gpu, cpu) {
                (Some(Const::Float(a)), Some(Const::Float(b))) => {
                    let is_near = match agree {
                        Agree::BitsBut(names) => {
                            is_hardware || names.contains(&column.name.as_str())
                        }
                    };
                    (is_near && (a - b).abs() <= 1e-5 * b.abs().max(1.0))
                        || a.to_bits() == b.to_bits()
                        || (a.is_nan() && b.is_nan())
                }
                _ => gpu == cpu,
            };
            assert!(agrees, "{} of slot {slot}: GPU {gpu:?}, CPU {cpu:?}", column.name);
        }
    }
}
