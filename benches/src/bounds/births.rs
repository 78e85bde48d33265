//! Births: a tenth of the particles are new in each step, on a sphere; a random value of each lock
//! mode.

use pyrograph::numeric::exact;
use pyrograph::{Frame, Random};

use super::columns::columns;
use super::dense::{DEAD, Exact};
use super::lanes::{acos, arc_cosine, cosine, is_plain, sin_cos, sine};
use super::random::{draws, key, unit};
use super::sparse::{Parallel, Slots};
use super::{LANES, Matrix32, Matrix64, simd};

/// All particles die at this age.
const LIFE_TIME: f64 = 0.16;

columns! {
    Columns64 {
        age: f64, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32, size: f32, scale_x: f32,
        scale_y: f32, angle: f32, r: f32, g: f32, b: f32,
    }
    // Drawn by the first particle.
    state { scale: Option<[f32; 2]>, }
    fields {
        Field::Age => F64(age),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Color(0) => F32(r), Field::Color(1) => F32(g), Field::Color(2) => F32(b),
        Field::Scale(0) => F32(scale_x), Field::Scale(1) => F32(scale_y),
        Field::Size => F32(size), Field::Angle => F32(angle),
    }
    constants { Field::Color(3) => 1.0, }
}

columns! {
    Columns32 {
        age: f32, x: f32, y: f32, z: f32, dx: f32, dy: f32, dz: f32, size: f32, scale_x: f32,
        scale_y: f32, angle: f32, r: f32, g: f32, b: f32,
    }
    fields {
        Field::Age => F32(age),
        Field::Position(0) => F32(x), Field::Position(1) => F32(y), Field::Position(2) => F32(z),
        Field::Direction(0) => F32(dx), Field::Direction(1) => F32(dy), Field::Direction(2) => F32(dz),
        Field::Color(0) => F32(r), Field::Color(1) => F32(g), Field::Color(2) => F32(b),
        Field::Scale(0) => F32(scale_x), Field::Scale(1) => F32(scale_y),
        Field::Size => F32(size), Field::Angle => F32(angle),
    }
    constants { Field::Color(3) => 1.0, }
}

simd! {
    fn mark(delta: f64, age: &[f64], flags: &mut [u8]) {
        for (flags, &age) in flags.iter_mut().zip(age) {
            *flags = if LIFE_TIME <= age + delta { DEAD } else { 0 };
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

impl Exact for Columns64 {
    fn mark(&self, delta: f64, flags: &mut [u8]) {
        mark(delta, &self.age, flags);
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
    }

    fn birth<R: Random + ?Sized>(
        &mut self,
        first: usize,
        count: usize,
        frame: &Frame,
        random: &mut R,
    ) {
        let scale;
        let draws = match self.scale {
            Some(known) => {
                scale = known;
                draws::<13, R>(count, random)
            }
            None => {
                let (draws, drawn) = first_draws(count, random);
                scale = drawn.map(|draw| (draw * 0.399_999_999_999_999_9 + 0.8) as f32);
                self.scale = Some(scale);
                draws
            }
        };
        let range = first..first + count;
        let columns = [
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.size,
            &mut self.angle,
            &mut self.r,
            &mut self.g,
            &mut self.b,
        ];
        let born = born(&draws, &angles(&draws), Matrix64::of(frame));
        for (column, values) in columns.into_iter().zip(&born) {
            column[range.clone()].copy_from_slice(&values[..count]);
        }
        self.age[range.clone()].fill(0.0);
        self.scale_x[range.clone()].fill(scale[0]);
        self.scale_y[range].fill(scale[1]);
    }
}

/// Draws of a strip whose first particle also draws the scale of all, behind its size.
fn first_draws<R: Random + ?Sized>(count: usize, random: &mut R) -> ([[f64; LANES]; 13], [f64; 2]) {
    let mut rows = [[0.0; LANES]; 13];
    let mut scale = [0.0; 2];
    for lane in 0..count.min(LANES) {
        for (index, row) in rows.iter_mut().enumerate() {
            if index == 8 && lane == 0 {
                scale = [random.next(), random.next()];
            }
            row[lane] = random.next();
        }
    }
    (rows, scale)
}

/// Sines and cosines of both angles.
#[derive(Clone, Copy)]
struct Angles {
    sin_phi: [f64; LANES],
    cos_phi: [f64; LANES],
    sin_theta: [f64; LANES],
    cos_theta: [f64; LANES],
}

/// Nearly all angles are plain; those that are not go to the library.
fn angles(draws: &[[f64; LANES]; 13]) -> Angles {
    let zeros = [0.0; LANES];
    let mut all = Angles { sin_phi: zeros, cos_phi: zeros, sin_theta: zeros, cos_theta: zeros };
    let mut phi = [0.0; LANES];
    if plain_angles(draws, &mut phi, &mut all) {
        return all;
    }
    for lane in 0..LANES {
        let theta = draws[3][lane] * std::f64::consts::TAU + 0.0;
        if !is_plain(phi[lane]) {
            all.sin_phi[lane] = exact::sin(phi[lane]);
            all.cos_phi[lane] = exact::cos(phi[lane]);
        }
        if !is_plain(theta) {
            all.sin_theta[lane] = exact::sin(theta);
            all.cos_theta[lane] = exact::cos(theta);
        }
    }
    all
}

simd! {
    /// Whether all angles are plain; the others' results are wrong.
    fn plain_angles(
        draws: &[[f64; LANES]; 13],
        phi: &mut [f64; LANES],
        all: &mut Angles,
    ) -> bool {
        let mut odd = 0;
        for lane in 0..LANES {
            phi[lane] = acos((draws[2][lane] + 0.0) * 2.0 - 1.0);
            (all.sin_phi[lane], all.cos_phi[lane]) = sin_cos(phi[lane]);
            odd |= u64::from(!is_plain(phi[lane]));
        }
        for lane in 0..LANES {
            let theta = draws[3][lane] * std::f64::consts::TAU + 0.0;
            (all.sin_theta[lane], all.cos_theta[lane]) = sin_cos(theta);
            odd |= u64::from(!is_plain(theta));
        }
        odd == 0
    }
}

/// A factor that makes a vector one long.
macro_rules! normal {
    ($vector:expr) => {{
        let [x, y, z] = $vector;
        let square = x * x + y * y + z * z;
        let scale = if square == 0.0 { 1.0 } else { 1.0 / square.sqrt() };
        [x * scale, y * scale, z * scale]
    }};
}

simd! {
    fn born(draws: &[[f64; LANES]; 13], angles: &Angles, matrix: Matrix64) -> [[f32; LANES]; 11] {
        let mut born = [[0.0; LANES]; 11];
        let m = &matrix.0;
        for lane in 0..LANES {
            let draw = |row: usize| draws[row][lane];
            let power = draw(0) + 1.0;
            let radius = 2.0 - (draw(1) * 2.0 + 0.0);
            let position = matrix.place([
                radius * angles.cos_theta[lane] * angles.sin_phi[lane],
                radius * angles.cos_phi[lane],
                radius * angles.sin_theta[lane] * angles.sin_phi[lane],
            ]);
            let outwards = normal!([
                position[0] - m[12],
                position[1] - m[13],
                position[2] - m[14],
            ]);
            let direction = matrix.turn(normal!([
                outwards[0] + (draw(4) * 0.1 + 0.0),
                outwards[1] + (draw(5) * 0.1 + 0.0),
                outwards[2] + (draw(6) * 0.1 + 0.0),
            ]));
            let speed = |axis: usize| (f64::from(direction[axis] as f32) * power) as f32;
            let values = [
                position[0] as f32, position[1] as f32, position[2] as f32,
                speed(0), speed(1), speed(2),
                (draw(7) * 0.300_000_000_000_000_04 + 0.1) as f32,
                (draw(8) * 2.0 - 1.0) as f32,
                (draw(9) + 0.0) as f32,
                (draw(10) * 0.600_000_000_000_000_1 + 0.2) as f32,
                (draw(11) * 0.5 + 0.5) as f32,
            ];
            for (column, value) in born.iter_mut().zip(values) {
                column[lane] = value;
            }
        }
        born
    }
}

impl Parallel for Columns32 {
    fn integrate(&mut self, frame: &Frame, flags: &mut [u8]) {
        travel32(
            flags.len(),
            frame.delta as f32,
            &mut self.age,
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &self.dx,
            &self.dy,
            &self.dz,
            flags,
        );
    }

    fn birth(&mut self, slots: &Slots<'_>, first_id: u32, frame: &Frame) {
        let born = born32(first_id, frame.step, frame.seed, Matrix32::of(frame));
        let columns = [
            &mut self.x,
            &mut self.y,
            &mut self.z,
            &mut self.dx,
            &mut self.dy,
            &mut self.dz,
            &mut self.size,
            &mut self.angle,
            &mut self.r,
            &mut self.g,
            &mut self.b,
        ];
        for (column, values) in columns.into_iter().zip(&born) {
            slots.scatter(column, values);
        }
        let scale = |site: u32| unit(0, key(site, 0, frame.seed)) * 0.400_000_04 + 0.8;
        slots.fill(&mut self.age, 0.0);
        slots.fill(&mut self.scale_x, scale(3_221_225_508));
        slots.fill(&mut self.scale_y, scale(3_221_225_509));
    }
}

simd! {
    fn travel32(
        count: usize, delta: f32, age: &mut [f32], x: &mut [f32], y: &mut [f32], z: &mut [f32],
        dx: &[f32], dy: &[f32], dz: &[f32], flags: &mut [u8],
    ) {
        let (age, x, y, z) = (&mut age[..count], &mut x[..count], &mut y[..count], &mut z[..count]);
        let (dx, dy, dz, flags) = (&dx[..count], &dy[..count], &dz[..count], &mut flags[..count]);
        for slot in 0..count {
            age[slot] += delta;
            flags[slot] &= u8::from(LIFE_TIME as f32 > age[slot]);
            x[slot] += dx[slot] * delta;
            y[slot] += dy[slot] * delta;
            z[slot] += dz[slot] * delta;
        }
    }
}

simd! {
    fn born32(first_id: u32, step: u32, seed: u32, matrix: Matrix32) -> [[f32; LANES]; 11] {
        let mut born = [[0.0; LANES]; 11];
        let now = |site: u32| key(site, step, seed);
        let keys = [
            0, 4, 8, 12, 16, 20, 24, 2_147_483_708, 2_147_483_672, 2_147_483_673, 2_147_483_674,
        ]
        .map(now);
        let once = key(2_147_483_696, 0, seed);
        let m = &matrix.0;
        for lane in 0..LANES {
            let id = first_id.wrapping_add(lane as u32);
            let draw = |index: usize| unit(id, keys[index]);
            let power = draw(0) + 1.0;
            let radius = 2.0 - (draw(1) * 2.0 + 0.0);
            let phi = arc_cosine((draw(2) + 0.0) * 2.0 - 1.0);
            let theta = draw(3) * std::f32::consts::TAU + 0.0;
            let (sin_phi, sin_theta) = (sine(phi), sine(theta));
            let position = matrix.place([
                radius * cosine(theta) * sin_phi,
                radius * cosine(phi),
                radius * sin_theta * sin_phi,
            ]);
            let outwards = normal!([
                position[0] - m[12],
                position[1] - m[13],
                position[2] - m[14],
            ]);
            let direction = matrix.turn(normal!([
                outwards[0] + (draw(4) * 0.1 + 0.0),
                outwards[1] + (draw(5) * 0.1 + 0.0),
                outwards[2] + (draw(6) * 0.1 + 0.0),
            ]));
            let values = [
                position[0], position[1], position[2], direction[0] * power,
                direction[1] * power, direction[2] * power, draw(7) * 0.3 + 0.1,
                unit(id, once) * 2.0 - 1.0, draw(8) + 0.0, draw(9) * 0.6 + 0.2,
                draw(10) * 0.5 + 0.5,
            ];
            for (column, value) in born.iter_mut().zip(values) {
                column[lane] = value;
            }
        }
        born
    }
}
