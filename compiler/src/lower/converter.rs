//! ParticleConverterBlock (spec section 9.14).

use super::value::{Property, Value};
use super::{Context, Error};
use crate::graph::BlockIndex;

/// Regroups components: `color` alone where it is connected, else x y z w, then xy, zw, xyz over
/// them.
pub(crate) fn converter(
    context: &mut Context<'_>,
    index: BlockIndex,
    output: &str,
) -> Result<Value, Error> {
    let zero = context.body.float(0.0);
    let mut data = [zero; 4];
    let block = context.block(index);
    if block.is_connected("color") {
        let color = context.required(index, "color")?;
        data = context.color(&color);
    } else {
        for (at, name) in ["x", "y", "z", "w"].into_iter().enumerate() {
            if block.is_connected(name) {
                let value = context.required(index, name)?;
                data[at] = context.number(&value);
            }
        }
        for (name, at, len) in [("xy", 0, 2), ("zw", 2, 2), ("xyz", 0, 3)] {
            if block.is_connected(name) {
                let value = context.required(index, name)?;
                let properties = [Property::X, Property::Y, Property::Z];
                for (component, property) in properties.into_iter().take(len).enumerate() {
                    data[at + component] = context.property(&value, property);
                }
            }
        }
    }
    let [x, y, z, w] = data;
    match output {
        "color" => Ok(Value::of(vec![x, y, z, w])),
        "xyz" => Ok(Value::of(vec![x, y, z])),
        "xy" => Ok(Value::of(vec![x, y])),
        "zw" => Ok(Value::of(vec![z, w])),
        "x" => Ok(Value::scalar(x)),
        "y" => Ok(Value::scalar(y)),
        "z" => Ok(Value::scalar(z)),
        "w" => Ok(Value::scalar(w)),
        _ => Err(Error::unsupported(index, block)),
    }
}
