//! What is known of a value: its shape, where its components lie, and what it depends on.

/// How many components a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Scalar,
    Pair,
    Vector,
    Color,
}

impl Shape {
    pub(crate) const ALL: [Self; 4] = [Self::Scalar, Self::Pair, Self::Vector, Self::Color];

    pub(crate) fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Pair => 2,
            Self::Vector => 3,
            Self::Color => 4,
        }
    }

    /// Serialized type of constants, and the tag of their values.
    pub(crate) fn serialized(self) -> (u32, &'static str) {
        match self {
            Self::Scalar => (2, "number"),
            Self::Pair => (4, "BABYLON.Vector2"),
            Self::Vector => (8, "BABYLON.Vector3"),
            Self::Color => (0x80, "BABYLON.Color4"),
        }
    }
}

/// Where all components lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    pub(crate) const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// The range between the smallest and the largest of some numbers.
    pub(crate) fn around<const N: usize>(numbers: [f64; N]) -> Self {
        let fold = |choose: fn(f64, f64) -> f64| numbers.into_iter().reduce(choose).unwrap_or(0.0);
        Self::new(fold(f64::min), fold(f64::max))
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub(crate) fn is_inside(self, outer: Self) -> bool {
        outer.low <= self.low && self.high <= outer.high
    }

    pub(crate) fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Where sums lie.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self::new(self.low + other.low, self.high + other.high)
    }

    /// Where products lie.
    pub(crate) fn times(self, other: Self) -> Self {
        Self::around([
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ])
    }

    pub(crate) fn negated(self) -> Self {
        Self::new(-self.high, -self.low)
    }
}

/// What may read a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Everything: it depends on no particle, whoever reads it.
    System,
    /// Bodies of particles.
    Particle,
    /// One place, by number: it depends on properties that are known there.
    Place(usize),
}

/// The output of a block.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub(crate) block: u64,
    pub(crate) output: &'static str,
    pub(crate) shape: Shape,
    pub(crate) range: Range,
    pub(crate) scope: Scope,
    /// Whether the shape is certain: a gradient may give the number 0 as far as types tell.
    pub(crate) is_certain: bool,
}

/// A value of a particle that can be read in a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Serialized contextual source.
    pub(crate) source: u32,
    pub(crate) shape: Shape,
    pub(crate) range: Range,
}

/// A place that reads values.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// What of the place a value may depend on.
    pub(crate) scope: Scope,
    /// Whether particles read there, not their system.
    pub(crate) of_particles: bool,
    pub(crate) known: Vec<Known>,
}

impl Place {
    /// What a whole system shares.
    pub(crate) const SHARED: Self =
        Self { scope: Scope::System, of_particles: false, known: Vec::new() };

    /// Whether a value may be read here.
    pub(crate) fn can_read(&self, scope: Scope) -> bool {
        match scope {
            Scope::System => true,
            Scope::Particle => self.of_particles,
            Scope::Place(_) => self.scope == scope,
        }
    }
}
