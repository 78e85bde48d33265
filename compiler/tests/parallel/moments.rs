//! Compares two samples of particles by means, variances, mixed products and ranges.
//!
//! Particles of one instance may share draws, instances never do. So the unit of a sample is the
//! instance: every figure is a mean of its means, and its error shows from how they scatter.

use crate::driver::System;
use pyrograph_compiler::ir::Field;

/// What is looked at.
pub(crate) const FIELDS: [Field; 15] = [
    Field::Age,
    Field::LifeTime,
    Field::Position(0),
    Field::Position(1),
    Field::Position(2),
    Field::Direction(0),
    Field::Direction(1),
    Field::Direction(2),
    Field::Size,
    Field::Angle,
    Field::Scale(0),
    Field::Color(0),
    Field::Color(1),
    Field::Color(2),
    Field::CellIndex,
];

type Particle = [f64; FIELDS.len()];

/// Particles by instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    instances: Vec<Vec<Particle>>,
}

impl Sample {
    /// Adds the living particles of an instance, in the order of ids.
    pub(crate) fn add(&mut self, system: &System) {
        let instance = &system.instance;
        let mut found: Vec<(f64, Particle)> = (0..instance.slots())
            .filter(|&slot| instance.is_alive(slot))
            .map(|slot| {
                let value = |field| {
                    let value = instance.value(slot, field).unwrap_or(0.0);
                    // What is no number is none on both sides; binary32 overflows earlier.
                    if (value as f32).is_finite() { value } else { 0.0 }
                };
                (value(Field::Id), FIELDS.map(value))
            })
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.instances.push(found.into_iter().map(|(_, particle)| particle).collect());
    }

    pub(crate) fn particles(&self) -> usize {
        self.instances.iter().map(Vec::len).sum()
    }

    /// Variance of a field.
    pub(crate) fn variance(&self, field: usize) -> f64 {
        self.scale()[field].1.powi(2)
    }

    /// Mean and standard deviation of each field.
    fn scale(&self) -> [(f64, f64); FIELDS.len()] {
        let count = self.particles().max(1) as f64;
        let particles = || self.instances.iter().flatten();
        std::array::from_fn(|field| {
            let mean = particles().map(|particle| particle[field]).sum::<f64>() / count;
            let square: f64 = particles().map(|particle| (particle[field] - mean).powi(2)).sum();
            (mean, (square / count).sqrt())
        })
    }

    /// The smallest and largest value of a field.
    fn range(&self, field: usize) -> (f64, f64) {
        let values = self.instances.iter().flatten().map(|particle| particle[field]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    }
}

/// A figure of an instance, to be averaged.
type Figure = (String, Box<dyn Fn(&[Particle]) -> f64>);

/// All figures, with fields counted from their means and in units of their deviation.
fn figures(scale: [(f64, f64); FIELDS.len()]) -> Vec<Figure> {
    let unit = move |particle: &Particle, field: usize| {
        let (mean, deviation) = scale[field];
        // A field that does not scatter is compared as it is.
        (particle[field] - mean) / if deviation > 1e-6 { deviation } else { 1.0 }
    };
    let mut figures: Vec<Figure> = vec![("count".into(), Box::new(|all| all.len() as f64))];
    for (first, field) in FIELDS.iter().enumerate() {
        let name = |what: &str| format!("{what} of {field:?}");
        figures.push((
            name("mean"),
            Box::new(move |all| all.iter().map(|particle| unit(particle, first)).sum()),
        ));
        // Neighbours by birth have nothing in common that those of Exact have not.
        figures.push((
            name("serial product"),
            Box::new(move |all| {
                let pairs = all.windows(2);
                pairs.map(|pair| unit(&pair[0], first) * unit(&pair[1], first)).sum()
            }),
        ));
        for (second, other) in FIELDS.iter().enumerate().take(first + 1) {
            figures.push((
                name(&format!("product with {other:?}")),
                Box::new(move |all| {
                    all.iter().map(|particle| unit(particle, first) * unit(particle, second)).sum()
                }),
            ));
        }
    }
    figures
}

/// Mean and square of its error.
fn estimate(sample: &Sample, figure: &Figure) -> (f64, f64) {
    let values: Vec<f64> = sample.instances.iter().map(|all| figure.1(all)).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, square / (count - 1.0) / count)
}

/// The largest deviation in standard errors, and of which figure.
///
/// # Errors
/// A figure that deviates by more than `limit` standard errors, or a range whose end is off by more
/// than `slack` of its length.
pub(crate) fn compare(
    exact: &Sample,
    parallel: &Sample,
    limit: f64,
    slack: f64,
) -> Result<(f64, String), String> {
    let scale = exact.scale();
    let mut worst = (0.0, String::new());
    for figure in figures(scale) {
        let (a, a_error) = estimate(exact, &figure);
        let (b, b_error) = estimate(parallel, &figure);
        let size = exact.particles() as f64 / exact.instances.len() as f64;
        // What binary32 may lose counts as an error too.
        let error = (a_error + b_error).sqrt() + 2e-5 * (a.abs() + b.abs() + size);
        let deviation = (a - b).abs() / error;
        if deviation > limit {
            let name = figure.0;
            return Err(format!("{name}: {a} and {b}, {deviation} standard errors apart"));
        }
        if deviation > worst.0 {
            worst = (deviation, figure.0);
        }
    }
    for (index, field) in FIELDS.iter().enumerate() {
        let ((low, high), (other_low, other_high)) = (exact.range(index), parallel.range(index));
        // The oldest are few.
        let slack = if *field == Field::Age { 4.0 * slack } else { slack };
        let allowed = slack * (high - low) + 2e-5 * (low.abs() + high.abs()) + 1e-6;
        if (low - other_low).abs() > allowed || (high - other_high).abs() > allowed {
            let problem = format!("{low} to {high} and {other_low} to {other_high}");
            return Err(format!("range of {field:?}: {problem}"));
        }
    }
    Ok(worst)
}
