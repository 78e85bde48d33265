//! Hand-written bounds: each workload as a person would write it who knows only that workload.
//!
//! A bound computes the same numbers as the generated code, bit for bit, and draws them in the same
//! order; `check` in `agreement.rs` holds it to that. All else is free: what is kept, in which order
//! passes run, what is known of the workload's constants. So the time of generated code over that of
//! its bound says what the compiler leaves undone.
//!
//! [`Dense`] and [`Sparse`] are what all workloads of a profile share.

#![expect(
    clippy::needless_range_loop,
    reason = "one index for many slices is what the compiler vectorizes"
)]

mod columns;
mod dense;
mod lanes;
mod random;
mod sparse;

pub(crate) mod attractor;
pub(crate) mod births;
pub(crate) mod fountain;
pub(crate) mod math;

pub(crate) use columns::Columns;
pub(crate) use dense::Dense;
pub(crate) use sparse::Sparse;

/// How many particles births compute at once. Several vectors, and small enough that what is between
/// two passes stays in the fastest cache.
const LANES: usize = 64;

/// Compiles a function for several instruction sets, as generated code does.
macro_rules! simd {
    ($(#[$attribute:meta])* $visibility:vis fn $($rest:tt)*) => {
        #[pyrograph::multiversion::multiversion(targets(
            "x86_64+avx2+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2",
            "x86_64+avx2",
            "x86_64+sse4.1"
        ))]
        #[allow(clippy::too_many_arguments, reason = "parameters are known not to overlap")]
        $(#[$attribute])*
        $visibility fn $($rest)*
    };
}
use simd;

/// The emitter's matrix in a precision.
macro_rules! matrix {
    ($name:ident, $float:ty) => {
        /// Columns of the emitter's matrix, and what it does to points and directions.
        #[derive(Clone, Copy)]
        struct $name([$float; 16]);

        impl $name {
            fn of(frame: &pyrograph::Frame) -> Self {
                Self(frame.emitter.map(|element| element as $float))
            }

            #[inline(always)]
            fn turn(&self, [x, y, z]: [$float; 3]) -> [$float; 3] {
                let m = &self.0;
                [
                    x * m[0] + y * m[4] + z * m[8],
                    x * m[1] + y * m[5] + z * m[9],
                    x * m[2] + y * m[6] + z * m[10],
                ]
            }

            #[inline(always)]
            fn place(&self, point: [$float; 3]) -> [$float; 3] {
                let ([x, y, z], m) = (point, &self.0);
                let scale = 1.0 / (x * m[3] + y * m[7] + z * m[11] + m[15]);
                let turned = self.turn(point);
                [
                    (turned[0] + m[12]) * scale,
                    (turned[1] + m[13]) * scale,
                    (turned[2] + m[14]) * scale,
                ]
            }
        }
    };
}
matrix!(Matrix64, f64);
matrix!(Matrix32, f32);

/// Nobody draws a bound.
const RENDER: pyrograph::RenderFacts = pyrograph::RenderFacts {
    blend_mode: 0.0,
    billboard_mode: 7.0,
    is_billboard_based: true,
    is_local: false,
    translation_pivot: [0.0; 2],
    texture_mask: [1.0; 4],
    rendering_group_id: 0.0,
    sheet: None,
};
