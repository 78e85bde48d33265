//! How kernels, and whatever else reads columns in place, spell the words of a slot.

use crate::emit::layout::{Layout, Place, WIDE};

/// Members of a `vec4<u32>`, in memory's order.
pub(super) const MEMBERS: [&str; WIDE as usize] = ["x", "y", "z", "w"];

/// A column's word of a slot, as a WGSL expression that can also be assigned to. It is a `u32`: the bits of an
/// `f32` where the column holds floats, else the number.
///
/// `buffer` names the variable of [`Place::buffer`], an array of [`column_element`]; `slot` is a name or what
/// stands in parentheses.
///
/// ```
/// use pyrograph_compiler::emit::layout::Place;
/// use pyrograph_compiler::emit::wgsl::column_word;
///
/// let place = Place { buffer: 0, word: 1025, stride: 4 };
/// assert_eq!(column_word(place, "columns", "slot"), "columns[256u + slot].y");
/// let place = Place { buffer: 1, word: 129, stride: 2 };
/// assert_eq!(column_word(place, "more", "slot"), "more[129u + slot * 2u]");
/// ```
pub fn column_word(place: Place, buffer: &str, slot: &str) -> String {
    let Place { word, stride, .. } = place;
    match stride {
        WIDE => {
            let member = MEMBERS[(word % WIDE) as usize];
            format!("{}.{member}", wide_record(word, buffer, slot))
        }
        1 => format!("{buffer}[{word}u + {slot}]"),
        stride => format!("{buffer}[{word}u + {slot} * {stride}u]"),
    }
}

/// Type of the elements of a buffer of columns: `vec4<u32>` or `u32`.
pub fn column_element(layout: &Layout, buffer: u32) -> &'static str {
    let buffer = layout.column_buffers.get(buffer as usize);
    if buffer.is_some_and(|buffer| buffer.is_wide) { "vec4<u32>" } else { "u32" }
}

/// A slot's wide record, that a word of lies at slot 0.
pub(super) fn wide_record(word: u32, buffer: &str, slot: &str) -> String {
    format!("{buffer}[{}u + {slot}]", word / WIDE)
}
