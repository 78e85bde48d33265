//! Gradients, conditions, converters.

use serde_json::json;

use super::blocks::Port;
use super::maker::Maker;
use super::wire::{Place, Range, Scope, Shape, Wire};

impl Maker {
    /// A gradient that has this shape everywhere.
    pub(crate) fn gradient(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let selector = self.value(place, Shape::Scalar, depth);
        let first = self.number(-0.5, 0.5);
        // Below the first of several stops there is the number 0.
        let selector = if shape == Shape::Scalar {
            selector
        } else {
            self.inside(selector, first, first + 3.0)
        };
        let stops = 1 + self.random.below(4);
        self.gradient_over(place, shape, depth, (selector, first), stops)
    }

    /// A value of this shape, or the number 0 at times.
    pub(crate) fn mixed(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let selector = self.value(place, Shape::Scalar, depth);
        let first = self.number(-0.5, 0.5);
        let stops = 2 + self.random.below(2);
        self.gradient_over(place, shape, depth, (selector, first), stops)
    }

    fn gradient_over(
        &mut self,
        place: &Place,
        shape: Shape,
        depth: usize,
        (selector, first): (Wire, f64),
        stops: usize,
    ) -> Wire {
        let mut range = Range::new(0.0, 0.0);
        let mut scope = selector.scope;
        let mut is_certain = stops == 1 || shape == Shape::Scalar;
        let mut inputs = vec![("gradient".to_owned(), Port::from(selector))];
        let mut reference = first;
        let mut wires = Vec::new();
        for _ in 0..stops {
            let value = self.value(place, shape, depth);
            range = range.join(value.range);
            scope = scope.max(value.scope);
            is_certain &= value.is_certain;
            let fields = json!({"reference": reference});
            let result = (shape, value.range);
            let inputs = [("value", value.into())];
            wires.push(self.block("ParticleGradientValueBlock", fields, inputs, result));
            // Stops that are close make slopes that are steep.
            reference += 0.25 + self.random.unit();
        }
        // Sorted by their references, whatever the order of the file.
        if self.random.one_in(3) {
            wires.reverse();
        }
        let named = wires.into_iter().enumerate();
        inputs.extend(named.map(|(at, wire)| (format!("value{at}"), wire.into())));
        let block = self.blocks.add_with("ParticleGradientBlock", json!({}), inputs);
        Wire { block, output: "output", shape, range, scope, is_certain }
    }

    pub(crate) fn condition(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let [left, right] = self.compared(place, depth);
        let [yes, no] = [0, 1].map(|_| self.value(place, shape, depth));
        let range = yes.range.join(no.range);
        let epsilon = *self.random.pick(&[0.0, 0.0, 0.1]);
        let fields = json!({"test": self.random.below(9), "epsilon": epsilon});
        let inputs = [
            ("left", Port::from(left)),
            ("right", right.into()),
            ("ifTrue", yes.into()),
            ("ifFalse", no.into()),
        ];
        self.block("ParticleConditionBlock", fields, inputs, (shape, range))
    }

    /// Two numbers, sometimes the same product: what rounds one of them otherwise tells them apart.
    fn compared(&mut self, place: &Place, depth: usize) -> [Wire; 2] {
        let both = [0, 1].map(|_| self.value(place, Shape::Scalar, depth));
        if !self.random.one_in(4) {
            return both;
        }
        let [left, right] = both;
        let product = self.math_of(2, left, right, Shape::Scalar);
        [product.clone(), product]
    }

    /// One output of a converter; components that nothing gives are 0.
    pub(crate) fn convert(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        const PARTS: [&[(&str, Shape)]; 6] = [
            &[("color", Shape::Color)],
            &[("xyz", Shape::Vector)],
            &[("xyz", Shape::Vector), ("w", Shape::Scalar)],
            &[("xy", Shape::Pair), ("zw", Shape::Pair)],
            &[("x", Shape::Scalar), ("y", Shape::Scalar), ("z", Shape::Scalar)],
            &[("xy", Shape::Pair), ("z", Shape::Scalar)],
        ];
        let outputs: &[&'static str] = match shape {
            Shape::Scalar => &["x", "y", "z", "w"],
            Shape::Pair => &["xy", "zw"],
            Shape::Vector => &["xyz"],
            Shape::Color => &["color"],
        };
        let mut range = Range::new(0.0, 0.0);
        let mut scope = Scope::System;
        let mut inputs = Vec::new();
        for &(name, shape) in *self.random.pick(&PARTS) {
            let part = self.value(place, shape, depth);
            range = range.join(part.range);
            scope = scope.max(part.scope);
            inputs.push((name.to_owned(), part.into()));
        }
        let output = *self.random.pick(outputs);
        let block = self.blocks.add_with("ParticleConverterBlock", json!({}), inputs);
        Wire { block, output, shape, range, scope, is_certain: true }
    }

    /// The value by a converter, whose outputs have one shape each.
    pub(crate) fn certain(&mut self, value: Wire) -> Wire {
        if value.is_certain {
            return value;
        }
        let name = match value.shape {
            Shape::Scalar => "x",
            Shape::Pair => "xy",
            Shape::Vector => "xyz",
            Shape::Color => "color",
        };
        let result = (value.shape, value.range);
        let inputs = [(name, value.into())];
        let wire = self.block("ParticleConverterBlock", json!({}), inputs, result);
        Wire { output: name, is_certain: true, ..wire }
    }
}
