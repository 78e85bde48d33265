//! The few habits of JavaScript that show in what a file means or in a message.

use super::json::{Node, Value};

pub use pyrograph_numeric::number_to_string;

/// `number.toString(16)`, for a number that is not NaN.
pub fn number_to_hex(number: f64) -> String {
    if number.is_infinite() {
        return number_to_string(number);
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let (mut whole, mut fraction) = (number.abs().trunc(), number.abs().fract());
    let mut digits = Vec::new();
    while whole > 0.0 || digits.is_empty() {
        digits.push(hex_digit(whole % 16.0));
        whole = (whole / 16.0).trunc();
    }
    let mut text: String = digits.iter().rev().collect();
    if fraction > 0.0 {
        text.push('.');
    }
    // A double has no more than 1074 binary digits after the point, so this ends.
    while fraction > 0.0 {
        fraction *= 16.0;
        text.push(hex_digit(fraction.trunc()));
        fraction = fraction.fract();
    }
    format!("{sign}{text}")
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 15")]
fn hex_digit(digit: f64) -> char {
    char::from_digit(digit as u32, 16).unwrap_or('0')
}

/// `String(value)`, where a missing value is `undefined`.
pub fn to_text(node: Option<&Node>) -> String {
    let Some(node) = node else { return "undefined".to_owned() };
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number_to_string(*number),
        Value::String(text) => text.clone(),
        Value::Object(_) => "[object Object]".to_owned(),
        // Empty slots are printed for null elements, at every depth.
        Value::Array(nodes) => {
            let texts = nodes
                .iter()
                .map(|node| if node.is_null() { String::new() } else { to_text(Some(node)) });
            texts.collect::<Vec<_>>().join(",")
        }
    }
}

/// `Number(value)` for what a JSON array of numbers may hold by mistake.
pub fn to_number(node: &Node) -> f64 {
    match &node.value {
        Value::Null => 0.0,
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Number(number) => *number,
        Value::String(_) | Value::Array(_) | Value::Object(_) => f64::NAN,
    }
}

/// `text.trim()`.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_numbers_as_javascript() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (17.0, "17"),
            (-1.5, "-1.5"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (f64::INFINITY, "Infinity"),
        ];
        for (number, text) in cases {
            assert_eq!(number_to_string(number), text);
        }
        assert_eq!(number_to_hex(33.0), "21");
        assert_eq!(number_to_hex(-255.0), "-ff");
        assert_eq!(number_to_hex(7.5), "7.8");
    }

    #[test]
    fn trims_as_javascript() {
        assert_eq!(trim("\u{feff} xyz \u{a0}\n"), "xyz");
        assert_eq!(trim("\u{85}x"), "\u{85}x");
    }
}
