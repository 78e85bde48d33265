//! Which pixels a quad covers: clipping, and triangles as GPUs fill them, with places on a grid of
//! 1/256 of a pixel and pixels on a common edge drawn once.

use super::Corner;

/// Parts of a pixel to which corners are rounded.
const GRID: f64 = 256.0;
/// Corners may be this many times as far from the middle as the picture's edge before they are clipped.
const GUARD: f64 = 8.0;

/// A covered pixel.
pub(super) struct Spot {
    /// Where in the quad the middle of the pixel is.
    pub(super) place: [f64; 2],
    /// How that changes to the next pixel at the right and to the one below.
    pub(super) steps: [[f64; 2]; 2],
}

/// Calls `pixel` with the column and row of each pixel whose middle the quad covers.
pub(super) fn quad(corners: &[Corner; 4], size: [u32; 2], mut pixel: impl FnMut([u32; 2], Spot)) {
    let polygon = clip(corners);
    let points: Vec<Point> = polygon.iter().map(|corner| Point::new(corner, size)).collect();
    let [first, rest @ ..] = points.as_slice() else { return };
    for pair in rest.windows(2) {
        triangle([*first, pair[0], pair[1]], size, &mut pixel);
    }
}

/// The part of a quad between the near and the far plane and near the picture.
fn clip(corners: &[Corner; 4]) -> Vec<Corner> {
    // What is negative outside.
    let planes: [fn([f64; 4]) -> f64; 6] = [
        |[_, _, z, _]| z,
        |[_, _, z, w]| w - z,
        |[x, _, _, w]| GUARD * w + x,
        |[x, _, _, w]| GUARD * w - x,
        |[_, y, _, w]| GUARD * w + y,
        |[_, y, _, w]| GUARD * w - y,
    ];
    let mut polygon = corners.to_vec();
    for plane in planes {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (index, &from) in polygon.iter().enumerate() {
            let to = polygon[(index + 1) % polygon.len()];
            let (a, b) = (plane(from.clip), plane(to.clip));
            if a >= 0.0 {
                kept.push(from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                kept.push(between(&from, &to, a / (a - b)));
            }
        }
        polygon = kept;
    }
    // The eye itself, where all planes meet, is nowhere in the picture.
    polygon.retain(|corner| corner.clip[3] > 0.0);
    polygon
}

fn between(from: &Corner, to: &Corner, part: f64) -> Corner {
    let mix = |a: f64, b: f64| a + (b - a) * part;
    Corner {
        clip: std::array::from_fn(|axis| mix(from.clip[axis], to.clip[axis])),
        place: std::array::from_fn(|axis| mix(from.place[axis], to.place[axis])),
    }
}

/// A corner in the picture.
#[derive(Clone, Copy)]
struct Point {
    /// In parts of pixels from the upper left corner of the picture.
    x: i64,
    y: i64,
    /// 1 / w, and the place in the quad divided by w: linear in the picture.
    linear: [f64; 3],
}

impl Point {
    fn new(corner: &Corner, [width, height]: [u32; 2]) -> Self {
        let [x, y, _, w] = corner.clip;
        let on_grid = |part: f64, side: u32| (part * f64::from(side) * GRID).round() as i64;
        Self {
            x: on_grid(0.5 + 0.5 * x / w, width),
            y: on_grid(0.5 - 0.5 * y / w, height),
            linear: [1.0 / w, corner.place[0] / w, corner.place[1] / w],
        }
    }
}

/// A line between two points: positive on the inner side, with the points in clockwise order.
struct Edge {
    x: i64,
    y: i64,
    constant: i64,
    /// Whether pixels on it are inside: those of the upper and of left edges.
    is_inside: bool,
}

impl Edge {
    fn new(a: Point, b: Point) -> Self {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        Self {
            x: -dy,
            y: dx,
            constant: dy * a.x - dx * a.y,
            is_inside: dy < 0 || (dy == 0 && dx > 0),
        }
    }

    fn at(&self, x: i64, y: i64) -> i64 {
        self.x * x + self.y * y + self.constant
    }
}

fn triangle(mut points: [Point; 3], size: [u32; 2], pixel: &mut impl FnMut([u32; 2], Spot)) {
    let area = |[a, b, c]: &[Point; 3]| Edge::new(*a, *b).at(c.x, c.y);
    if area(&points) < 0 {
        points.swap(1, 2);
    }
    let doubled = area(&points);
    if doubled == 0 {
        return;
    }
    let [a, b, c] = points;
    let edges = [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)];
    // Changes of the three linear numbers by part of a pixel.
    let slope = |axis: fn(&Edge) -> i64| -> [f64; 3] {
        std::array::from_fn(|number| {
            let sum: f64 = edges
                .iter()
                .zip(&points)
                .map(|(edge, point)| axis(edge) as f64 * point.linear[number])
                .sum();
            sum / doubled as f64
        })
    };
    let (by_x, by_y) = (slope(|edge| edge.x), slope(|edge| edge.y));
    let columns = range(points.map(|point| point.x), size[0]);
    let rows = range(points.map(|point| point.y), size[1]);
    for row in rows {
        for column in columns.clone() {
            let (x, y) = (middle(column), middle(row));
            let covers = |edge: &Edge| {
                let side = edge.at(x, y);
                side > 0 || (side == 0 && edge.is_inside)
            };
            if !edges.iter().all(covers) {
                continue;
            }
            let (dx, dy) = ((x - a.x) as f64, (y - a.y) as f64);
            let linear: [f64; 3] =
                std::array::from_fn(|n| a.linear[n] + by_x[n] * dx + by_y[n] * dy);
            let place = [linear[1] / linear[0], linear[2] / linear[0]];
            let step = |by: [f64; 3]| {
                [0, 1].map(|axis| GRID * (by[1 + axis] - place[axis] * by[0]) / linear[0])
            };
            pixel([column, row], Spot { place, steps: [step(by_x), step(by_y)] });
        }
    }
}

/// The middle of a column or row, in parts of pixels.
fn middle(pixel: u32) -> i64 {
    i64::from(pixel) * GRID as i64 + GRID as i64 / 2
}

/// Columns or rows whose middle may lie between these places.
fn range(places: [i64; 3], side: u32) -> std::ops::Range<u32> {
    let [a, b, c] = places;
    let pixel = |place: i64| place.div_euclid(GRID as i64).clamp(0, i64::from(side)) as u32;
    pixel(a.min(b).min(c))..pixel(a.max(b).max(c) + GRID as i64)
}
