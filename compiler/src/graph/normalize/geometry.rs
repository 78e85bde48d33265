//! Arrays of numbers: literals beside inputs, constants, and the cached geometry of meshes.

use crate::graph::json::Node;
use crate::graph::kind::Mesh;
use crate::graph::source::{SourceBlock, SourceInput};
use crate::graph::{Literal, ValueType, js};

/// The literal beside an input, if it is one that the contract accepts (spec section 7.3).
pub(super) fn literal(input: &SourceInput) -> Option<Literal> {
    let value = input.value.as_ref()?;
    let value_type = value_type(input);
    if let Some(number) = value.as_number() {
        return Some(Literal::Number(number));
    }
    let elements = value.as_array()?;
    match value_type? {
        ValueType::Vector2 => Some(Literal::Vector2(components(elements, 0.0))),
        ValueType::Vector3 => Some(Literal::Vector3(components(elements, 0.0))),
        ValueType::Color4 => Some(Literal::Color4(components(elements, 1.0))),
        ValueType::Number | ValueType::Other => None,
    }
}

/// The tag beside an input.
pub(super) fn value_type(input: &SourceInput) -> Option<ValueType> {
    Some(match input.value_type.as_deref()? {
        "number" => ValueType::Number,
        "BABYLON.Vector2" => ValueType::Vector2,
        "BABYLON.Vector3" => ValueType::Vector3,
        "BABYLON.Color4" => ValueType::Color4,
        _ => ValueType::Other,
    })
}

/// The first components of an array; missing ones and nulls are 0, and `last` in the fourth place.
pub(super) fn components<const N: usize>(elements: &[Node], last: f64) -> [f64; N] {
    std::array::from_fn(|n| match elements.get(n) {
        Some(node) if !node.is_null() => js::to_number(node),
        _ if n == 3 => last,
        _ => 0.0,
    })
}

/// The geometry that a MeshShape block caches.
pub(super) fn mesh(block: &SourceBlock) -> Mesh {
    let data = block.fields.get("cachedVertexData");
    let numbers = |key: &str| -> Option<Vec<f64>> {
        Some(data?.get(key)?.as_array()?.iter().map(js::to_number).collect())
    };
    Mesh {
        positions: numbers("positions"),
        indices: numbers("indices"),
        normals: numbers("normals"),
        colors: numbers("colors"),
        normals_for_direction: !matches!(
            block.fields.get("useMeshNormalsForDirection"),
            Some(node) if node.value == crate::graph::json::Value::Bool(false)
        ),
        colors_for_color: block.is_true("useMeshColorForColor"),
    }
}
