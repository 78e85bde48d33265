//! Draws for many particles at once.

use pyrograph::Random;
use pyrograph::numeric::mix;

use super::LANES;

/// Sequential draws of `count` particles, `N` each, transposed: a row a draw.
pub(super) fn draws<const N: usize, R: Random + ?Sized>(
    count: usize,
    random: &mut R,
) -> [[f64; LANES]; N] {
    let mut rows = [[0.0; LANES]; N];
    for lane in 0..count.min(LANES) {
        for row in &mut rows {
            row[lane] = random.next();
        }
    }
    rows
}

/// What the draws of a site have in common.
#[inline(always)]
pub(super) fn key(site: u32, step: u32, seed: u32) -> u32 {
    mix(mix(mix(site).wrapping_add(step)).wrapping_add(seed))
}

/// The draw of a particle, in [0, 1).
#[inline(always)]
pub(super) fn unit(id: u32, key: u32) -> f32 {
    // 2^-24: 24 bits are what the number holds.
    (mix(mix(id.wrapping_add(key)) ^ key) >> 8) as f32 * 5.960_464_5e-8
}

/// Ids of newborn particles.
pub(super) fn ids(first: u32) -> [u32; LANES] {
    std::array::from_fn(|lane| first.wrapping_add(lane as u32))
}
