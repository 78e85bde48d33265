//! Instances of one program: they come and go, and nothing else notices.

use pyrograph::gpu::{GpuProgram, GpuSystem, default_device};
use pyrograph::{Pcg, Random};

use super::pair::{allocated, assert_same, module};
use super::texts::fountain;

const FRAMES: u32 = 500;

/// A whole number below `end`.
fn below(random: &mut Pcg, end: usize) -> usize {
    (random.next() * end as f64) as usize
}

/// Instances beside the first one.
struct Crowd {
    program: GpuProgram,
    random: Pcg,
    systems: Vec<GpuSystem>,
    largest: usize,
    /// How many there shall be soon.
    wanted: usize,
    peak: usize,
    made: u64,
}

impl Crowd {
    fn change(&mut self, frame: u32) {
        match frame % 50 {
            0 => self.wanted = self.largest,
            25 => self.wanted = below(&mut self.random, self.largest + 1),
            _ => {}
        }
        for _ in 0..=self.largest / 10 {
            // Some are exchanged even where the number is right.
            if self.systems.len() > self.wanted || below(&mut self.random, 8) == 0 {
                if !self.systems.is_empty() {
                    let index = below(&mut self.random, self.systems.len());
                    self.systems.swap_remove(index);
                }
            } else if self.systems.len() < self.wanted {
                let mut system = self.program.instance(self.made).unwrap();
                system.start();
                self.systems.push(system);
                self.made += 1;
            }
        }
        self.peak = self.peak.max(self.systems.len());
    }

    /// Steps a few of them, often others.
    fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for _ in 0..self.systems.len().min(6) {
            let index = below(&mut self.random, self.systems.len());
            let system = &mut self.systems[index];
            system.record(1.0).unwrap();
            system.encode(encoder).unwrap();
        }
    }
}

#[test]
fn instances_come_and_go_and_the_first_one_stays_what_it_is() {
    let (device, queue) = default_device().unwrap();
    let program = GpuProgram::new(&device, &queue, &module(&fountain(200, 300.0)), 0).unwrap();
    let mut alone = program.instance(9).unwrap();
    alone.start();
    let alone: Vec<_> = (0..FRAMES)
        .filter_map(|frame| {
            alone.animate(1.0).unwrap();
            (frame % 100 == 99).then(|| alone.read_back().unwrap())
        })
        .collect();
    for count in [1, 65, 257, 1000] {
        let mut first = program.instance(9).unwrap();
        first.start();
        let before = allocated(&device, &queue);
        let mut crowd = Crowd {
            program: program.clone(),
            random: Pcg::seed_from_u64(count as u64),
            systems: Vec::new(),
            largest: count - 1,
            wanted: 0,
            peak: 0,
            made: 0,
        };
        let mut looks = alone.iter();
        for frame in 0..FRAMES {
            crowd.change(frame);
            let mut encoder = device.create_command_encoder(&Default::default());
            first.record(1.0).unwrap();
            first.encode(&mut encoder).unwrap();
            crowd.step(&mut encoder);
            queue.submit([encoder.finish()]);
            if frame % 100 == 99 {
                assert_same(&first.read_back().unwrap(), looks.next().unwrap());
            }
        }
        assert_eq!(crowd.peak, count - 1);
        println!("{count} instances at once, {} made in {FRAMES} frames", crowd.made + 1);
        drop(crowd);
        assert_eq!(allocated(&device, &queue), before);
    }
}
