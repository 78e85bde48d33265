//! The fountain: gravity, a colour that fades, a size along a gradient with random values.

use pyrograph::numeric;
use pyrograph::{Frame, Random};

use super::columns::columns;
use super::dense::{DEAD, Exact, PENDING};
use super::random::{draws, key, unit};
use super::sparse::{Parallel, Slots};
use super::{LANES, Matrix32, Matrix64, simd};

columns! {
    Columns64 {
        age: f64, life_time: f64, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32,
        r: f32, g: f32, b: f32, a: f32, step_r: f32, step_g: f32, step_b: f32, step_a: f32,
        size: f32, start: f64, middle: f64, has_middle: u8, scale_x: f32, angle: f32,
    }
    fields {
        Field::Age => F64(age), Field::LifeTime => F64(life_time),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Color(0) => F32(r), Field::Color(1) => F32(g), Field::Color(2) => F32(b),
        Field::Color(3) => F32(a), Field::Size => F32(size), Field::Angle => F32(angle),
        Field::Scale(0) => F32(scale_x),
    }
    constants { Field::Scale(1) => 1.0, }
}

columns! {
    Columns32 {
        id: u32, age: f32, life_time: f32, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32,
        r: f32, g: f32, b: f32, a: f32, step_r: f32, step_g: f32, step_b: f32, step_a: f32,
        size: f32, scale_x: f32, angle: f32,
    }
    fields {
        Field::Id => U32(id), Field::Age => F32(age), Field::LifeTime => F32(life_time),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Color(0) => F32(r), Field::Color(1) => F32(g), Field::Color(2) => F32(b),
        Field::Color(3) => F32(a), Field::Size => F32(size), Field::Angle => F32(angle),
        Field::Scale(0) => F32(scale_x),
    }
    constants { Field::Scale(1) => 1.0, }
}

simd! {
    fn mark(delta: f64, age: &[f64], life_time: &[f64], has_middle: &[u8], flags: &mut [u8]) {
        let particles = age.iter().zip(life_time).zip(has_middle);
        for (flags, ((&age, &life_time), &has_middle)) in flags.iter_mut().zip(particles) {
            let dead = if life_time <= age + delta { DEAD } else { 0 };
            *flags = dead | if has_middle == 0 { PENDING } else { 0 };
        }
    }
}

/// Whoever dies is gone, so nobody's age is cut here.
macro_rules! grown {
    ($float:ty, $age:expr, $life_time:expr, $start:expr, $middle:expr) => {{
        let (age, life_time): ($float, $float) = ($age, $life_time);
        let ratio = age / life_time;
        let is_late = 0.3 <= ratio;
        let (from, length) = if is_late { (0.3, 0.7) } else { (0.0, 0.3) };
        let low = if is_late { $middle } else { $start };
        let high = if is_late { 0.02 } else { $middle };
        low + (high - low) * ((ratio - from) / length)
    }};
}

impl Exact for Columns64 {
    fn mark(&self, delta: f64, flags: &mut [u8]) {
        mark(delta, &self.age, &self.life_time, &self.has_middle, flags);
    }

    fn draw<R: Random + ?Sized>(&mut self, slot: usize, delta: f64, random: &mut R) {
        let (age, life_time) = (self.age[slot] + delta, self.life_time[slot]);
        let ratio = if life_time < age { life_time } else { age } / life_time;
        if (0.0..1.0).contains(&ratio) {
            self.middle[slot] = random.next() * 0.100_000_000_000_000_03 + 0.3;
            self.has_middle[slot] = 1;
        }
    }

    fn integrate(&mut self, count: usize, delta: f64) {
        step(
            count,
            delta,
            &mut self.age,
            &self.life_time,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.r,
            &mut self.g,
            &mut self.b,
            &mut self.a,
            &self.step_r,
            &self.step_g,
            &self.step_b,
            &self.step_a,
            &self.start,
            &self.middle,
            &mut self.size,
        );
    }

    fn birth<R: Random + ?Sized>(
        &mut self,
        first: usize,
        count: usize,
        frame: &Frame,
        random: &mut R,
    ) {
        let draws = draws::<13, R>(count, random);
        let range = first..first + count;
        let born = born(&draws, Matrix64::of(frame));
        let columns = [
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.r,
            &mut self.g,
            &mut self.b,
            &mut self.a,
            &mut self.step_r,
            &mut self.step_g,
            &mut self.step_b,
            &mut self.step_a,
            &mut self.size,
            &mut self.scale_x,
            &mut self.angle,
        ];
        for (column, values) in columns.into_iter().zip(&born.columns) {
            column[range.clone()].copy_from_slice(&values[..count]);
        }
        self.age[range.clone()].fill(0.0);
        self.life_time[range.clone()].copy_from_slice(&born.life_time[..count]);
        self.start[range.clone()].copy_from_slice(&born.start[..count]);
        self.has_middle[range].fill(0);
    }
}

simd! {
    fn step(
        count: usize, delta: f64, age: &mut [f64], life_time: &[f64], x: &mut [f32],
        y: &mut [f32], z: &mut [f32], dx: &mut [f32], dy: &mut [f32], dz: &mut [f32],
        r: &mut [f32], g: &mut [f32], b: &mut [f32], a: &mut [f32], step_r: &[f32],
        step_g: &[f32], step_b: &[f32], step_a: &[f32], start: &[f64], middle: &[f64],
        size: &mut [f32],
    ) {
        let (age, life_time) = (&mut age[..count], &life_time[..count]);
        let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz) = (&mut dx[..count], &mut dy[..count], &mut dz[..count]);
        let (r, g, b, a) = (&mut r[..count], &mut g[..count], &mut b[..count], &mut a[..count]);
        let (step_r, step_g) = (&step_r[..count], &step_g[..count]);
        let (step_b, step_a) = (&step_b[..count], &step_a[..count]);
        let (start, middle, size) = (&start[..count], &middle[..count], &mut size[..count]);
        for slot in 0..count {
            let on = |value: f32, speed: f32| f64::from(value) + f64::from(speed) * delta;
            age[slot] += delta;
            r[slot] = on(r[slot], step_r[slot]) as f32;
            g[slot] = on(g[slot], step_g[slot]) as f32;
            b[slot] = on(b[slot], step_b[slot]) as f32;
            a[slot] = numeric::f64::max(on(a[slot], step_a[slot]), 0.0) as f32;
            x[slot] = on(x[slot], dx[slot]) as f32;
            y[slot] = on(y[slot], dy[slot]) as f32;
            z[slot] = on(z[slot], dz[slot]) as f32;
            // Adding 0 makes 0 of -0.
            dx[slot] += 0.0;
            dy[slot] = (f64::from(dy[slot]) + delta * -1.9) as f32;
            dz[slot] += 0.0;
            size[slot] = grown!(f64, age[slot], life_time[slot], start[slot], middle[slot]) as f32;
        }
    }
}

/// Newborn particles; columns in the order in which they are written.
struct Born {
    life_time: [f64; LANES],
    start: [f64; LANES],
    columns: [[f32; LANES]; 17],
}

simd! {
    fn born(draws: &[[f64; LANES]; 13], matrix: Matrix64) -> Born {
        let mut born =
            Born { life_time: [0.0; LANES], start: [0.0; LANES], columns: [[0.0; LANES]; 17] };
        for lane in 0..LANES {
            let draw = |row: usize| draws[row][lane];
            let life_time = draw(0) * 0.4 + 0.4;
            let power = draw(1) * 0.5 + 0.75;
            let point = [draw(2) * 0.5 - 0.25, draw(3) * 0.1 + 0.0, draw(4) * 0.5 - 0.25];
            let position = matrix.place(point);
            let direction = [draw(5) * 0.6 - 0.3, draw(6) * 0.25 + 0.5, draw(7) * 0.6 - 0.3];
            let direction = matrix.turn(direction);
            let start = draw(8) * 0.05 + 0.05;
            let step = draw(12) + 0.0;
            let red = (step * -0.499_999_999_999_999_94 + 0.7) as f32;
            let green = (step * -0.300_000_000_000_000_04 + 0.8) as f32;
            let alpha = (step * -0.099_999_999_999_999_98 + 1.0) as f32;
            let fade = |to: f64, from: f32| ((to - f64::from(from)) / life_time) as f32;
            // The power is at least 0.75.
            let speed = |axis: usize| (f64::from(direction[axis] as f32) * power) as f32;
            born.life_time[lane] = life_time;
            born.start[lane] = start;
            let values = [
                position[0] as f32, position[1] as f32, position[2] as f32,
                speed(0), speed(1), speed(2), red, green, 1.0, alpha,
                fade(0.0, red), fade(0.0, green), fade(0.2, 1.0), fade(0.0, alpha),
                start as f32, (draw(9) * 0.399_999_999_999_999_9 + 0.8) as f32,
                (draw(11) - 0.5) as f32,
            ];
            for (column, value) in born.columns.iter_mut().zip(values) {
                column[lane] = value;
            }
        }
        born
    }
}

impl Parallel for Columns32 {
    fn integrate(&mut self, frame: &Frame, flags: &mut [u8]) {
        let (count, delta) = (flags.len(), frame.delta as f32);
        let keys = [2_147_483_732, 2_147_483_832].map(|site| key(site, 0, frame.seed));
        step32(
            count,
            delta,
            keys,
            &self.id,
            &mut self.age,
            &self.life_time,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.r,
            &mut self.g,
            &mut self.b,
            &mut self.a,
            &self.step_r,
            &self.step_g,
            &self.step_b,
            &self.step_a,
            &mut self.size,
            flags,
        );
    }

    fn birth(&mut self, slots: &Slots<'_>, first_id: u32, frame: &Frame) {
        let born = born32(first_id, frame.step, frame.seed, Matrix32::of(frame));
        let columns = [
            &mut self.age,
            &mut self.life_time,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.r,
            &mut self.g,
            &mut self.b,
            &mut self.a,
            &mut self.step_r,
            &mut self.step_g,
            &mut self.step_b,
            &mut self.step_a,
            &mut self.size,
            &mut self.scale_x,
            &mut self.angle,
        ];
        for (column, values) in columns.into_iter().zip(&born) {
            slots.scatter(column, values);
        }
        slots.scatter(&mut self.id, &super::random::ids(first_id));
    }
}

simd! {
    /// Ages are not cut here either: a dead slot's numbers are nobody's.
    fn step32(
        count: usize, delta: f32, keys: [u32; 2], id: &[u32], age: &mut [f32], life_time: &[f32],
        x: &mut [f32], y: &mut [f32], z: &mut [f32], dx: &mut [f32], dy: &mut [f32],
        dz: &mut [f32], r: &mut [f32], g: &mut [f32], b: &mut [f32], a: &mut [f32],
        step_r: &[f32], step_g: &[f32], step_b: &[f32], step_a: &[f32], size: &mut [f32],
        flags: &mut [u8],
    ) {
        let (id, age, life_time) = (&id[..count], &mut age[..count], &life_time[..count]);
        let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz) = (&mut dx[..count], &mut dy[..count], &mut dz[..count]);
        let (r, g, b, a) = (&mut r[..count], &mut g[..count], &mut b[..count], &mut a[..count]);
        let (step_r, step_g) = (&step_r[..count], &step_g[..count]);
        let (step_b, step_a) = (&step_b[..count], &step_a[..count]);
        let (size, flags) = (&mut size[..count], &mut flags[..count]);
        for slot in 0..count {
            age[slot] += delta;
            flags[slot] &= u8::from(life_time[slot] > age[slot]);
            r[slot] += step_r[slot] * delta;
            g[slot] += step_g[slot] * delta;
            b[slot] += step_b[slot] * delta;
            a[slot] = numeric::f32::max(a[slot] + step_a[slot] * delta, 0.0);
            x[slot] += dx[slot] * delta;
            y[slot] += dy[slot] * delta;
            z[slot] += dz[slot] * delta;
            dx[slot] += 0.0;
            dy[slot] += delta * -1.9;
            dz[slot] += 0.0;
            let start = unit(id[slot], keys[0]) * 0.05 + 0.05;
            let middle = unit(id[slot], keys[1]) * 0.099_999_994 + 0.3;
            size[slot] = grown!(f32, age[slot], life_time[slot], start, middle);
        }
    }
}

simd! {
    fn born32(first_id: u32, step: u32, seed: u32, matrix: Matrix32) -> [[f32; LANES]; 19] {
        let mut born = [[0.0; LANES]; 19];
        let now = |site: u32| key(site, step, seed);
        let keys = [
            2_147_483_668, 2_147_483_656, 0, 4, 8, 12, 16, 20, 2_147_483_708, 2_147_483_720,
            2_147_483_688,
        ]
        .map(now);
        let start = key(2_147_483_732, 0, seed);
        for lane in 0..LANES {
            let id = first_id.wrapping_add(lane as u32);
            let draw = |index: usize| unit(id, keys[index]);
            let life_time = draw(0) * 0.4 + 0.4;
            let power = draw(1) * 0.5 + 0.75;
            let position =
                matrix.place([draw(2) * 0.5 - 0.25, draw(3) * 0.1 + 0.0, draw(4) * 0.5 - 0.25]);
            let direction =
                matrix.turn([draw(5) * 0.6 - 0.3, draw(6) * 0.25 + 0.5, draw(7) * 0.6 - 0.3]);
            let step = draw(10) + 0.0;
            let (red, green) = (step * -0.5 + 0.7, step * -0.3 + 0.8);
            let alpha = step * -0.100_000_024 + 1.0;
            let values = [
                0.0, life_time, position[0], position[1], position[2], direction[0] * power,
                direction[1] * power, direction[2] * power, red, green, 1.0, alpha,
                (0.0 - red) / life_time, (0.0 - green) / life_time, (0.2 - 1.0) / life_time,
                (0.0 - alpha) / life_time, unit(id, start) * 0.05 + 0.05,
                draw(8) * 0.400_000_04 + 0.8, draw(9) - 0.5,
            ];
            for (column, value) in born.iter_mut().zip(values) {
                column[lane] = value;
            }
        }
        born
    }
}
