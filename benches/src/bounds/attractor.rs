//! The attractor: a pull, drag and size along gradients with random values, a colour gradient, angular
//! speed.

use pyrograph::numeric;
use pyrograph::{Frame, Random};

use super::columns::columns;
use super::dense::{DEAD, Exact, PENDING};
use super::random::{draws, ids, key, unit};
use super::sparse::{Parallel, Slots};
use super::{LANES, Matrix32, Matrix64, simd};

columns! {
    Columns64 {
        age: f64, life_time: f64, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32, size: f32,
        angle: f32, r: f32, g: f32, b: f32, a: f32, start_g: f64, start_b: f64, drawn: u8,
        turn: f64, drag: f64, end: f64,
    }
    fields {
        Field::Age => F64(age), Field::LifeTime => F64(life_time),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Color(0) => F32(r), Field::Color(1) => F32(g), Field::Color(2) => F32(b),
        Field::Color(3) => F32(a), Field::Size => F32(size), Field::Angle => F32(angle),
    }
    constants { Field::Scale(0 | 1) => 1.0, }
}

columns! {
    Columns32 {
        id: u32, age: f32, life_time: f32, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32,
        size: f32, angle: f32, r: f32, g: f32, b: f32, a: f32,
    }
    fields {
        Field::Id => U32(id), Field::Age => F32(age), Field::LifeTime => F32(life_time),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Color(0) => F32(r), Field::Color(1) => F32(g), Field::Color(2) => F32(b),
        Field::Color(3) => F32(a), Field::Size => F32(size), Field::Angle => F32(angle),
    }
    constants { Field::Scale(0 | 1) => 1.0, }
}

/// What was drawn, a bit each.
const TURN: u8 = 1;
const DRAG: u8 = 2;
const END: u8 = 4;

/// Colour, where `ratio` is in [0, 1): living particles have no other.
macro_rules! color {
    ($ratio:expr, $start_g:expr, $start_b:expr) => {{
        let ratio = $ratio;
        let is_late = 0.5 <= ratio;
        let share = (ratio - if is_late { 0.5 } else { 0.0 }) * 2.0;
        let mix = |low, high| low + (high - low) * share;
        let (low_g, low_b) = if is_late { (0.3, 0.0) } else { ($start_g, $start_b) };
        let (high_r, high_g) = if is_late { (0.2, 0.0) } else { (1.0, 0.3) };
        let (low_a, high_a) = if is_late { (0.8, 0.0) } else { (1.0, 0.8) };
        [mix(1.0, high_r), mix(low_g, high_g), mix(low_b, 0.0), mix(low_a, high_a)]
    }};
}

/// What drag leaves of the way, where `ratio` is in [0, 1).
macro_rules! way {
    ($ratio:expr, $middle:expr) => {{
        let (ratio, middle) = ($ratio, $middle);
        let is_late = 0.6 <= ratio;
        let (from, length) = if is_late { (0.6, 0.4) } else { (0.0, 0.6) };
        let low = if is_late { middle } else { 0.1 };
        let high = if is_late { 0.9 } else { middle };
        1.0 - (low + (high - low) * ((ratio - from) / length))
    }};
}

simd! {
    fn mark(delta: f64, age: &[f64], life_time: &[f64], drawn: &[u8], flags: &mut [u8]) {
        let particles = age.iter().zip(life_time).zip(drawn);
        for (flags, ((&age, &life_time), &drawn)) in flags.iter_mut().zip(particles) {
            let dead = if life_time <= age + delta { DEAD } else { 0 };
            *flags = dead | if drawn == TURN | DRAG | END { 0 } else { PENDING };
        }
    }
}

impl Exact for Columns64 {
    fn mark(&self, delta: f64, flags: &mut [u8]) {
        mark(delta, &self.age, &self.life_time, &self.drawn, flags);
    }

    fn draw<R: Random + ?Sized>(&mut self, slot: usize, delta: f64, random: &mut R) {
        let (age, life_time) = (self.age[slot] + delta, self.life_time[slot]);
        let ratio = if life_time < age { life_time } else { age } / life_time;
        let drawn = self.drawn[slot];
        if drawn & TURN == 0 {
            self.turn[slot] = random.next() * 6.0 - 3.0;
            self.drawn[slot] |= TURN;
        }
        if drawn & DRAG == 0 && (0.0..1.0).contains(&ratio) {
            self.drag[slot] = random.next() * 0.300_000_000_000_000_04 + 0.5;
            self.drawn[slot] |= DRAG;
        }
        if drawn & END == 0 && 0.0 <= ratio {
            self.end[slot] = random.next() * 0.199_999_999_999_999_96 + 0.4;
            self.drawn[slot] |= END;
        }
    }

    fn integrate(&mut self, count: usize, delta: f64) {
        step(
            count,
            delta,
            &mut self.age,
            &self.life_time,
            &self.start_g,
            &self.start_b,
            &mut self.r,
            &mut self.g,
            &mut self.b,
            &mut self.a,
            &self.end,
            &mut self.size,
            &self.drag,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &self.turn,
            &mut self.angle,
        );
    }

    fn birth<R: Random + ?Sized>(
        &mut self,
        first: usize,
        count: usize,
        frame: &Frame,
        random: &mut R,
    ) {
        let draws = draws::<15, R>(count, random);
        let born = born(&draws, Matrix64::of(frame));
        let range = first..first + count;
        let columns = [
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.g,
            &mut self.b,
        ];
        for (column, values) in columns.into_iter().zip(&born.columns) {
            column[range.clone()].copy_from_slice(&values[..count]);
        }
        self.age[range.clone()].fill(0.0);
        self.life_time[range.clone()].copy_from_slice(&born.life_time[..count]);
        self.start_g[range.clone()].copy_from_slice(&born.start[0][..count]);
        self.start_b[range.clone()].copy_from_slice(&born.start[1][..count]);
        self.size[range.clone()].fill(0.1);
        self.angle[range.clone()].fill(0.0);
        self.r[range.clone()].fill(1.0);
        self.a[range.clone()].fill(1.0);
        self.drawn[range].fill(0);
    }
}

simd! {
    fn step(
        count: usize, delta: f64, age: &mut [f64], life_time: &[f64], start_g: &[f64],
        start_b: &[f64], r: &mut [f32], g: &mut [f32], b: &mut [f32], a: &mut [f32], end: &[f64],
        size: &mut [f32], drag: &[f64], x: &mut [f32], y: &mut [f32], z: &mut [f32],
        dx: &mut [f32], dy: &mut [f32], dz: &mut [f32], turn: &[f64], angle: &mut [f32],
    ) {
        let (age, life_time) = (&mut age[..count], &life_time[..count]);
        let (start_g, start_b) = (&start_g[..count], &start_b[..count]);
        let (r, g, b, a) = (&mut r[..count], &mut g[..count], &mut b[..count], &mut a[..count]);
        let (end, size, drag) = (&end[..count], &mut size[..count], &drag[..count]);
        let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz) = (&mut dx[..count], &mut dy[..count], &mut dz[..count]);
        let (turn, angle) = (&turn[..count], &mut angle[..count]);
        let weight = delta * 0.0;
        for slot in 0..count {
            age[slot] += delta;
            let ratio = age[slot] / life_time[slot];
            let color: [f64; 4] = color!(ratio, start_g[slot], start_b[slot]);
            r[slot] = color[0] as f32;
            g[slot] = color[1] as f32;
            b[slot] = color[2] as f32;
            a[slot] = numeric::f64::max(color[3], 0.0) as f32;
            size[slot] = ((end[slot] - 0.1) * ratio + 0.1) as f32;
            angle[slot] = (f64::from(angle[slot]) + turn[slot] * delta) as f32;
            let way: f64 = way!(ratio, drag[slot]);
            let speed = [f64::from(dx[slot]), f64::from(dy[slot]), f64::from(dz[slot])];
            let moved =
                |at: f32, axis: usize| (f64::from(at) + way * (speed[axis] * delta)) as f32;
            let place = [moved(x[slot], 0), moved(y[slot], 1), moved(z[slot], 2)];
            [x[slot], y[slot], z[slot]] = place;
            let towards = place.map(|at| 0.0 - f64::from(at));
            let square = towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2];
            let strength = weight / ((square + 1.0) * square.sqrt());
            let pulled = |axis: usize| {
                let pulled = speed[axis] + towards[axis] * strength;
                f64::from(if square != 0.0 { pulled } else { speed[axis] } as f32)
            };
            dx[slot] = (pulled(0) + weight) as f32;
            dy[slot] = (pulled(1) + delta * -0.5) as f32;
            dz[slot] = (pulled(2) + weight) as f32;
        }
    }
}

/// Newborn particles; columns in the order in which they are written.
struct Born {
    life_time: [f64; LANES],
    start: [[f64; LANES]; 2],
    columns: [[f32; LANES]; 8],
}

simd! {
    fn born(draws: &[[f64; LANES]; 15], matrix: Matrix64) -> Born {
        let zeros = [0.0; LANES];
        let mut born =
            Born { life_time: zeros, start: [zeros; 2], columns: [[0.0; LANES]; 8] };
        for lane in 0..LANES {
            let draw = |row: usize| draws[row][lane];
            let power = draw(1) + 1.0;
            let position = matrix.place([draw(2) - 0.5, draw(3) * 0.4 - 0.2, draw(4) - 0.5]);
            let direction =
                matrix.turn([draw(5) * 1.2 - 0.6, draw(6) * 0.7 + 0.2, draw(7) * 1.2 - 0.6]);
            // Rows 8 to 11 are scales, an angle and a red that have one value only, as 14 is alpha.
            let start = [
                draw(12) * -0.199_999_999_999_999_96 + 1.0,
                draw(13) * -0.3 + 0.5,
            ];
            let speed = |axis: usize| (f64::from(direction[axis] as f32) * power) as f32;
            born.life_time[lane] = draw(0) * 0.4 + 0.35;
            born.start[0][lane] = start[0];
            born.start[1][lane] = start[1];
            let values = [
                position[0] as f32, position[1] as f32, position[2] as f32,
                speed(0), speed(1), speed(2), start[0] as f32, start[1] as f32,
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
        let (count, delta, seed) = (flags.len(), frame.delta as f32, frame.seed);
        step32(
            count,
            delta,
            seed,
            &self.id,
            &mut self.age,
            &self.life_time,
            &mut self.r,
            &mut self.g,
            &mut self.b,
            &mut self.a,
            &mut self.size,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.angle,
            flags,
        );
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
            &mut self.g,
            &mut self.b,
        ];
        for (column, values) in columns.into_iter().zip(&born) {
            slots.scatter(column, values);
        }
        slots.scatter(&mut self.id, &ids(first_id));
        slots.fill(&mut self.age, 0.0);
        slots.fill(&mut self.size, 0.1);
        slots.fill(&mut self.angle, 0.0);
        slots.fill(&mut self.r, 1.0);
        slots.fill(&mut self.a, 1.0);
    }
}

simd! {
    /// Dead slots get numbers too; they are nobody's.
    fn step32(
        count: usize, delta: f32, seed: u32, id: &[u32], age: &mut [f32], life_time: &[f32],
        r: &mut [f32], g: &mut [f32], b: &mut [f32], a: &mut [f32], size: &mut [f32],
        x: &mut [f32], y: &mut [f32], z: &mut [f32], dx: &mut [f32], dy: &mut [f32],
        dz: &mut [f32], angle: &mut [f32], flags: &mut [u8],
    ) {
        let (id, age, life_time) = (&id[..count], &mut age[..count], &life_time[..count]);
        let (r, g, b, a) = (&mut r[..count], &mut g[..count], &mut b[..count], &mut a[..count]);
        let (size, flags) = (&mut size[..count], &mut flags[..count]);
        let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz) = (&mut dx[..count], &mut dy[..count], &mut dz[..count]);
        let angle = &mut angle[..count];
        let keys = [2_147_483_681, 2_147_483_682, 2_147_483_916, 2_147_483_808, 2_147_483_852]
            .map(|site| key(site, 0, seed));
        let weight = delta * 0.0;
        for slot in 0..count {
            let draw = |index: usize| unit(id[slot], keys[index]);
            age[slot] += delta;
            flags[slot] &= u8::from(life_time[slot] > age[slot]);
            let ratio = age[slot] / life_time[slot];
            let color: [f32; 4] =
                color!(ratio, draw(0) * -0.199_999_99 + 1.0, draw(1) * -0.3 + 0.5);
            [r[slot], g[slot], b[slot], _] = color;
            a[slot] = numeric::f32::max(color[3], 0.0);
            let end = draw(2) * 0.200_000_02 + 0.4;
            size[slot] = (end - 0.1) * ratio + 0.1;
            angle[slot] += (draw(3) * 6.0 + -3.0) * delta;
            let way: f32 = way!(ratio, draw(4) * 0.3 + 0.5);
            let speed = [dx[slot], dy[slot], dz[slot]];
            let place = [
                x[slot] + way * (speed[0] * delta),
                y[slot] + way * (speed[1] * delta),
                z[slot] + way * (speed[2] * delta),
            ];
            [x[slot], y[slot], z[slot]] = place;
            let towards = place.map(|at| 0.0 - at);
            let square = towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2];
            let strength = weight / ((square + 1.0) * square.sqrt());
            let pulled = |axis: usize| {
                let pulled = speed[axis] + towards[axis] * strength;
                if square != 0.0 { pulled } else { speed[axis] }
            };
            dx[slot] = pulled(0) + weight;
            dy[slot] = pulled(1) + delta * -0.5;
            dz[slot] = pulled(2) + weight;
        }
    }
}

simd! {
    fn born32(first_id: u32, step: u32, seed: u32, matrix: Matrix32) -> [[f32; LANES]; 9] {
        let mut born = [[0.0; LANES]; 9];
        let keys = [2_147_483_668, 2_147_483_656, 0, 4, 8, 12, 16, 20]
            .map(|site| key(site, step, seed));
        let starts = [2_147_483_681, 2_147_483_682].map(|site| key(site, 0, seed));
        for lane in 0..LANES {
            let id = first_id.wrapping_add(lane as u32);
            let draw = |index: usize| unit(id, keys[index]);
            let power = draw(1) + 1.0;
            let position = matrix.place([draw(2) - 0.5, draw(3) * 0.4 - 0.2, draw(4) - 0.5]);
            let direction =
                matrix.turn([draw(5) * 1.2 - 0.6, draw(6) * 0.7 + 0.2, draw(7) * 1.2 - 0.6]);
            let values = [
                draw(0) * 0.4 + 0.35, position[0], position[1], position[2],
                direction[0] * power, direction[1] * power, direction[2] * power,
                unit(id, starts[0]) * -0.199_999_99 + 1.0, unit(id, starts[1]) * -0.3 + 0.5,
            ];
            for (column, value) in born.iter_mut().zip(values) {
                column[lane] = value;
            }
        }
        born
    }
}
