//! Math: 15 trigonometric functions, 15 conditions and 16 interpolations, each on the one before, then
//! a gradient.

use std::cell::Cell;

use pyrograph::numeric::exact::{cos, sin};
use pyrograph::{Frame, Random};

use super::columns::columns;
use super::dense::{DEAD, Exact};
use super::lanes::{cosine, is_plain, sin_cos, sine};
use super::random::{draws, key, unit};
use super::sparse::{Parallel, Slots};
use super::{LANES, Matrix32, Matrix64, simd};

columns! {
    Columns64 {
        age: f64, life_time: f64, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32, size: f32,
    }
    fields {
        Field::Age => F64(age), Field::LifeTime => F64(life_time),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Size => F32(size),
    }
    constants {
        Field::Scale(0 | 1) => 1.0, Field::Color(0..=3) => 1.0, Field::Angle => 0.0,
    }
}

columns! {
    Columns32 {
        age: f32, life_time: f32, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32, size: f32,
    }
    fields {
        Field::Age => F32(age), Field::LifeTime => F32(life_time),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Size => F32(size),
    }
    constants {
        Field::Scale(0 | 1) => 1.0, Field::Color(0..=3) => 1.0, Field::Angle => 0.0,
    }
}

simd! {
    fn mark(delta: f64, age: &[f64], life_time: &[f64], flags: &mut [u8]) {
        for (flags, (&age, &life_time)) in flags.iter_mut().zip(age.iter().zip(life_time)) {
            *flags = if life_time <= age + delta { DEAD } else { 0 };
        }
    }
}

simd! {
    fn travel(
        count: usize, delta: f64, age: &mut [f64], x: &mut [f32], y: &mut [f32], z: &mut [f32],
        dx: &[f32], dy: &[f32], dz: &[f32],
    ) {
        let (age, x, y, z) = (&mut age[..count], &mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz) = (&dx[..count], &dy[..count], &dz[..count]);
        for slot in 0..count {
            age[slot] += delta;
            let moved = |value: f32, by: f32| (f64::from(value) + f64::from(by) * delta) as f32;
            x[slot] = moved(x[slot], dx[slot]);
            y[slot] = moved(y[slot], dy[slot]);
            z[slot] = moved(z[slot], dz[slot]);
        }
    }
}

/// The value that the size is a gradient of. `sine` and `cosine` are functions of a number, and of
/// `odd` if it is given.
macro_rules! chain {
    ($float:ty, $age:expr, $ratio:expr, $sine:ident, $cosine:ident $(, $odd:expr)?) => {{
        let (age, ratio): ($float, $float) = ($age, $ratio);
        let mut x = ratio;
        // Unrolled, so that thresholds and shares are constants.
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.033_333_333_333_333_33, 0.5);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.1, 0.531_25);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.166_666_666_666_666_66, 0.562_5);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.233_333_333_333_333_34, 0.593_75);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.3, 0.625);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.366_666_666_666_666_64, 0.656_25);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.433_333_333_333_333_35, 0.687_5);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.5, 0.718_75);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.566_666_666_666_666_7, 0.75);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.633_333_333_333_333_3, 0.781_25);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.7, 0.812_5);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.766_666_666_666_666_7, 0.843_75);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.833_333_333_333_333_4, 0.875);
        chain!(@link $float, x, age, ratio, $cosine(x $(, $odd)?), 0.9, 0.906_25);
        chain!(@link $float, x, age, ratio, $sine(x $(, $odd)?), 0.966_666_666_666_666_7, 0.937_5);
        x + (ratio - x) * 0.5
    }};
    (@link $float:ty, $x:ident, $age:ident, $ratio:ident, $turned:expr, $threshold:expr, $share:expr) => {
        // Thresholds are rounded to the precision as the compiler rounds them: from f64.
        let chosen = if $ratio < ($threshold as f64) as $float { 0.25 } else { $age };
        $x = chosen + ($turned - chosen) * $share;
    };
}

macro_rules! gradient {
    ($x:expr) => {{
        let x = $x;
        let is_late = 0.4 <= x;
        let (from, length) = if is_late { (0.4, 0.6) } else { (0.0, 0.4) };
        let (low, high) = if is_late { (0.8, 0.3) } else { (0.1, 0.8) };
        let size = low + (high - low) * ((x - from) / length);
        let size = if 1.0 <= x { 0.3 } else { size };
        if 0.0 <= x { size } else { 0.0 }
    }};
}

#[inline(always)]
fn noted_sine(x: f64, odd: &Cell<u64>) -> f64 {
    odd.set(odd.get() | u64::from(!is_plain(x)));
    sin_cos(x).0
}

#[inline(always)]
fn noted_cosine(x: f64, odd: &Cell<u64>) -> f64 {
    odd.set(odd.get() | u64::from(!is_plain(x)));
    sin_cos(x).1
}

/// Slots whose angles are looked at together.
const STRIP: usize = 256;

simd! {
    /// Sizes of a strip; false where an angle was not plain, so that they are wrong.
    fn sizes(age: &[f64], life_time: &[f64], size: &mut [f32]) -> bool {
        let count = size.len();
        let (age, life_time) = (&age[..count], &life_time[..count]);
        let odd = Cell::new(0);
        for slot in 0..count {
            let ratio = age[slot] / life_time[slot];
            size[slot] =
                gradient!(chain!(f64, age[slot], ratio, noted_sine, noted_cosine, &odd)) as f32;
        }
        odd.get() == 0
    }
}

/// Sizes by the library.
#[cold]
fn sizes_by_library(age: &[f64], life_time: &[f64], size: &mut [f32]) {
    for (size, (&age, &life_time)) in size.iter_mut().zip(age.iter().zip(life_time)) {
        let ratio = age / life_time;
        *size = gradient!(chain!(f64, age, ratio, sin, cos)) as f32;
    }
}

impl Exact for Columns64 {
    fn mark(&self, delta: f64, flags: &mut [u8]) {
        mark(delta, &self.age, &self.life_time, flags);
    }

    fn integrate(&mut self, count: usize, delta: f64) {
        travel(
            count,
            delta,
            &mut self.age,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &self.dx,
            &self.dy,
            &self.dz,
        );
        for (strip, size) in self.size[..count].chunks_mut(STRIP).enumerate() {
            let range = strip * STRIP..strip * STRIP + size.len();
            let (age, life_time) = (&self.age[range.clone()], &self.life_time[range]);
            if !sizes(age, life_time, size) {
                sizes_by_library(age, life_time, size);
            }
        }
    }

    fn birth<R: Random + ?Sized>(
        &mut self,
        first: usize,
        count: usize,
        frame: &Frame,
        random: &mut R,
    ) {
        let draws = draws::<7, R>(count, random);
        let born = born(&draws, Matrix64::of(frame));
        let range = first..first + count;
        let columns =
            [&mut self.x, &mut self.y, &mut self.z, &mut self.dx, &mut self.dy, &mut self.dz];
        for (column, values) in columns.into_iter().zip(&born) {
            column[range.clone()].copy_from_slice(&values[..count]);
        }
        for (life_time, draw) in self.life_time[range.clone()].iter_mut().zip(&draws[0]) {
            *life_time = draw * 0.4 + 0.4;
        }
        self.age[range.clone()].fill(0.0);
        self.size[range].fill(1.0);
    }
}

simd! {
    fn born(draws: &[[f64; LANES]; 7], matrix: Matrix64) -> [[f32; LANES]; 6] {
        let mut born = [[0.0; LANES]; 6];
        for lane in 0..LANES {
            let draw = |row: usize| draws[row][lane];
            let position = matrix.place([draw(1) - 0.5, draw(2) - 0.5, draw(3) - 0.5]);
            let direction = matrix.turn([
                draw(4) * 0.6 - 0.3,
                draw(5) * 0.300_000_000_000_000_04 + 0.5,
                draw(6) * 0.6 - 0.3,
            ]);
            for axis in 0..3 {
                born[axis][lane] = position[axis] as f32;
                born[axis + 3][lane] = direction[axis] as f32;
            }
        }
        born
    }
}

impl Parallel for Columns32 {
    fn integrate(&mut self, frame: &Frame, flags: &mut [u8]) {
        let (count, delta) = (flags.len(), frame.delta as f32);
        travel32(
            count,
            delta,
            &mut self.age,
            &self.life_time,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &self.dx,
            &self.dy,
            &self.dz,
            flags,
        );
        sizes32(count, &self.age, &self.life_time, &mut self.size);
    }

    fn birth(&mut self, slots: &Slots<'_>, first_id: u32, frame: &Frame) {
        let born = born32(first_id, frame.step, frame.seed, Matrix32::of(frame));
        let columns = [
            &mut self.life_time,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
        ];
        for (column, values) in columns.into_iter().zip(&born) {
            slots.scatter(column, values);
        }
        slots.fill(&mut self.age, 0.0);
        slots.fill(&mut self.size, 1.0);
    }
}

simd! {
    fn travel32(
        count: usize, delta: f32, age: &mut [f32], life_time: &[f32], x: &mut [f32],
        y: &mut [f32], z: &mut [f32], dx: &[f32], dy: &[f32], dz: &[f32], flags: &mut [u8],
    ) {
        let (age, life_time) = (&mut age[..count], &life_time[..count]);
        let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz, flags) = (&dx[..count], &dy[..count], &dz[..count], &mut flags[..count]);
        for slot in 0..count {
            age[slot] += delta;
            flags[slot] &= u8::from(life_time[slot] > age[slot]);
            x[slot] += dx[slot] * delta;
            y[slot] += dy[slot] * delta;
            z[slot] += dz[slot] * delta;
        }
    }
}

simd! {
    fn sizes32(count: usize, age: &[f32], life_time: &[f32], size: &mut [f32]) {
        let (age, life_time, size) = (&age[..count], &life_time[..count], &mut size[..count]);
        for slot in 0..count {
            let ratio = age[slot] / life_time[slot];
            size[slot] = gradient!(chain!(f32, age[slot], ratio, sine, cosine));
        }
    }
}

simd! {
    fn born32(first_id: u32, step: u32, seed: u32, matrix: Matrix32) -> [[f32; LANES]; 7] {
        let mut born = [[0.0; LANES]; 7];
        let keys = [2_147_483_656, 0, 4, 8, 12, 16, 20].map(|site| key(site, step, seed));
        for lane in 0..LANES {
            let draw = |index: usize| unit(first_id.wrapping_add(lane as u32), keys[index]);
            let position = matrix.place([draw(1) - 0.5, draw(2) - 0.5, draw(3) - 0.5]);
            let direction =
                matrix.turn([draw(4) * 0.6 - 0.3, draw(5) * 0.3 + 0.5, draw(6) * 0.6 - 0.3]);
            born[0][lane] = draw(0) * 0.4 + 0.4;
            for axis in 0..3 {
                born[axis + 1][lane] = position[axis];
                born[axis + 4][lane] = direction[axis];
            }
        }
        born
    }
}
