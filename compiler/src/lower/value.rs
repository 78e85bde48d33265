//! Values of the graph while lowering: vectors of IR scalars, with the shapes that they may have.
//!
//! The contract's values are dynamic: one wire may carry a colour at one moment and a number at
//! another. A [`Value`] lists every shape that is possible; with more than one, a tag tells which
//! it is.

use crate::ir::ValueId;

/// Shape of a value at one moment. The numbers are those of the tag.
///
/// JavaScript's null has none: it can only come from an input that has neither wire nor literal nor
/// default, and reading such an input fails ([`Context::required`](super::Context::required)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// A number.
    Scalar = 1,
    /// x, y.
    Vector2 = 2,
    /// x, y, z.
    Vector3 = 3,
    /// r, g, b, a.
    Color = 4,
}

/// A named component, as JavaScript reads properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    X,
    Y,
    Z,
    R,
    G,
    B,
    A,
}

/// One possible shape with its components.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) shape: Shape,
    /// As many as the shape has.
    pub(crate) components: Vec<ValueId>,
}

/// A value of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// Possible shapes in ascending order; never empty.
    pub(crate) variants: Vec<Variant>,
    /// The number of the present shape (a `Uint`), where there is more than one variant.
    pub(crate) tag: Option<ValueId>,
}

impl Shape {
    /// Number of components.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vector2 => 2,
            Self::Vector3 => 3,
            Self::Color => 4,
        }
    }

    /// The number that the tag has for this shape.
    pub(crate) fn number(self) -> u32 {
        self as u32
    }

    /// The properties of the shape's components, in order; a scalar has none.
    pub(crate) fn properties(self) -> &'static [Property] {
        match self {
            Self::Scalar => &[],
            Self::Vector2 => &[Property::X, Property::Y],
            Self::Vector3 => &[Property::X, Property::Y, Property::Z],
            Self::Color => &[Property::R, Property::G, Property::B, Property::A],
        }
    }
}

impl Variant {
    /// What a value of another shape finds here for its own component of that number: the property of
    /// the same name, or the number for a number.
    pub(crate) fn counterpart(&self, shape: Shape, component: usize) -> Option<ValueId> {
        match (shape, self.shape) {
            (Shape::Scalar, Shape::Scalar) => self.components.first().copied(),
            (Shape::Scalar, _) => None,
            _ => self.property(shape.properties()[component]),
        }
    }

    /// The component of that name.
    pub(crate) fn property(&self, property: Property) -> Option<ValueId> {
        let at = self.shape.properties().iter().position(|&other| other == property);
        at.map(|at| self.components[at])
    }
}

impl Value {
    /// A value of one shape; the shape follows from the number of components, which is 1 to 4.
    pub(crate) fn of(components: Vec<ValueId>) -> Self {
        let shape = match components.len() {
            0 | 1 => Shape::Scalar,
            2 => Shape::Vector2,
            3 => Shape::Vector3,
            _ => Shape::Color,
        };
        Self { variants: vec![Variant { shape, components }], tag: None }
    }

    /// A number.
    pub(crate) fn scalar(value: ValueId) -> Self {
        Self::of(vec![value])
    }

    /// The possible shapes in ascending order.
    pub(crate) fn shapes(&self) -> Vec<Shape> {
        self.variants.iter().map(|variant| variant.shape).collect()
    }

    /// The possible shapes of this value and another.
    pub(crate) fn shapes_with(&self, other: &Self) -> Vec<Shape> {
        let mut shapes = self.shapes();
        shapes.extend(other.shapes());
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }

    /// The components of a shape, where it is possible.
    pub(crate) fn variant(&self, shape: Shape) -> Option<&[ValueId]> {
        let found = self.variants.iter().find(|variant| variant.shape == shape);
        found.map(|variant| variant.components.as_slice())
    }
}
