//! What previews draw for a system that has no picture.

use super::Image;

/// Texels on a side.
const SIDE: usize = 64;

/// A white spot, opaque in its middle and fading to its border, 64 texels a side. Alpha is (1 - d)²
/// at the share d of the way from the middle to the border. The contract draws no system without a
/// picture; people who look for their particles want to see them all the same.
#[must_use]
pub fn spot() -> Image {
    let radius = 0.5 * SIDE as f64;
    let texels = (0..SIDE * SIDE).flat_map(|at| {
        let [x, y] = [at % SIDE, at / SIDE].map(|at| at as f64 + 0.5 - radius);
        let near = (1.0 - x.hypot(y) / radius).max(0.0);
        [255, 255, 255, (255.0 * near * near) as u8]
    });
    Image::new(SIDE as u32, SIDE as u32, texels.collect::<Vec<u8>>()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::spot;

    #[test]
    fn it_fades_from_its_middle_to_its_border() {
        let image = spot();
        let alpha = |x| image.byte(x, 32, 3);
        assert_eq!((image.width(), image.height(), alpha(0), alpha(63)), (64, 64, 0, 0));
        assert!(alpha(32) > 230 && alpha(31) == alpha(32), "{} {}", alpha(31), alpha(32));
        // Half way, a quarter is left.
        assert!(alpha(48).abs_diff(64) < 6, "{}", alpha(48));
        assert!((32..60).all(|x| alpha(x + 1) < alpha(x) && alpha(63 - x) == alpha(x)));
        assert_eq!([0, 1, 2].map(|channel| image.byte(0, 0, channel)), [255; 3]);
    }
}
