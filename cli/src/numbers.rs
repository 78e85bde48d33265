//! Numbers and lists of numbers as flags take them: `1.5`, `-1,0,2`.

use std::str::FromStr;

use pyrograph::InputValue;

/// One or more ratios, repeated from the first where a run is longer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ratios(Vec<f64>);

/// A place or direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector(pub(crate) [f64; 3]);

/// A 4 by 4 matrix as Babylon stores it: elements 12 to 14 translate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix(pub(crate) [f64; 16]);

/// A camera: alpha, beta, radius, target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orbit(pub(crate) [f64; 6]);

/// Red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Color(pub(crate) [f64; 4]);

/// Two numbers above 0, such as 640x360.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair(pub(crate) [u32; 2]);

/// A constant of the graph by its name, and its new numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) value: InputValue,
}

impl Ratios {
    /// The ratio of a step, counted from 0.
    pub(crate) fn at(&self, step: u64) -> f64 {
        let index = step % (self.0.len() as u64).max(1);
        self.0.get(index as usize).copied().unwrap_or(1.0)
    }
}

impl Matrix {
    /// Moves nothing.
    pub(crate) const IDENTITY: [f64; 16] =
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

    /// Only a translation.
    pub(crate) fn translation(Vector([x, y, z]): Vector) -> Self {
        let mut matrix = Self::IDENTITY;
        matrix[12..15].copy_from_slice(&[x, y, z]);
        Self(matrix)
    }
}

impl FromStr for Ratios {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        numbers(text).map(Self)
    }
}

impl FromStr for Vector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        exactly(text).map(Self)
    }
}

impl FromStr for Matrix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        exactly(text).map(Self)
    }
}

impl FromStr for Orbit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        exactly(text).map(Self)
    }
}

impl FromStr for Color {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        exactly(text).map(Self)
    }
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |side: &str| side.trim().parse().ok().filter(|side: &u32| *side > 0);
        let sides = text.split_once(['x', 'X']).and_then(|(a, b)| Some([side(a)?, side(b)?]));
        sides.map(Self).ok_or_else(|| "give two whole numbers above 0 with an x between".into())
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Names may be any text.
        let parts = text.rsplit_once('=');
        let (name, value) = parts.ok_or("give a name and its numbers, as in Gravity=0,-9.81,0")?;
        let numbers = numbers(value)?;
        let value = InputValue::of(&numbers);
        let value = value
            .ok_or_else(|| format!("an input has 1 to 4 numbers; these are {}", numbers.len()))?;
        Ok(Self { name: name.to_owned(), value })
    }
}

fn exactly<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers = numbers(text)?;
    let count = numbers.len();
    let these = if count == 1 { "this is" } else { "these are" };
    numbers.try_into().map_err(|_| format!("give {N} numbers with commas between; {these} {count}"))
}

/// Finite numbers with commas between.
fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |part: &str| match part.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) | Err(_) => Err(format!("`{}` is no finite number", part.trim())),
    };
    text.split(',').map(number).collect()
}

#[cfg(test)]
mod tests {
    use pyrograph::InputValue;

    use super::{Matrix, Pair, Ratios, Setting, Vector};

    #[test]
    fn reads_lists() {
        assert_eq!("-1,0, 2.5".parse(), Ok(Vector([-1.0, 0.0, 2.5])));
        assert!("1,2".parse::<Vector>().unwrap_err().contains("these are 2"));
        assert!("1".parse::<Vector>().unwrap_err().contains("this is 1"));
        assert!("1,,2".parse::<Vector>().unwrap_err().contains("`` is no"));
        assert!("inf".parse::<Ratios>().is_err() && "NaN".parse::<Ratios>().is_err());
        assert!("1,0,0,0,0,1,0,0,0,0,1,0,7,8,9,1".parse::<Matrix>().is_ok());
    }

    #[test]
    fn reads_sizes() {
        assert_eq!("640x360".parse(), Ok(Pair([640, 360])));
        assert!(
            ["640", "0x1", "1x", "-1x2", "1x2x3"].iter().all(|text| text.parse::<Pair>().is_err())
        );
    }

    #[test]
    fn reads_settings() {
        let setting = |text: &str| text.parse::<Setting>();
        let odd = setting("a=b c=1,-2").unwrap();
        assert_eq!((odd.name.as_str(), odd.value), ("a=b c", InputValue::Vector2([1.0, -2.0])));
        assert!(setting("Gravity").unwrap_err().contains("Gravity=0,-9.81,0"));
        assert!(setting("a=1,2,3,4,5").unwrap_err().contains("these are 5"));
        assert!(setting("a=").is_err() && setting("a=NaN").is_err());
    }

    #[test]
    fn repeats_ratios() {
        let ratios: Ratios = "1,0.5,2".parse().unwrap();
        assert_eq!([0, 1, 2, 3, 7].map(|step| ratios.at(step)), [1.0, 0.5, 2.0, 1.0, 0.5]);
    }
}
