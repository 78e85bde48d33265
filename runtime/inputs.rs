//! Inputs that a graph names: constants that the compiler has kept open, so that a host may change
//! them while the system runs.
//!
//! The compile option `inputs` says which. Generated code has a struct with a field for each:
//!
//! ```
//! pyrograph::include_particle_graph!(
//!     mod fountain = "fixtures/graphs/canonical/fountain.json", inputs = ["Gravity"]
//! );
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut system = fountain::System::new();
//! assert_eq!(system.inputs().gravity, [0.0, -1.9, 0.0]);
//! // Counts from the next step on.
//! system.inputs_mut().gravity = [0.0, 1.5, 0.0];
//!
//! // Without knowing the program: by name, for any system.
//! let gravity = system.input_handle::<[f64; 3]>("gravity")?;
//! system.set_input(gravity, [0.5, -1.9, 0.0])?;
//! assert_eq!(system.inputs().gravity, [0.5, -1.9, 0.0]);
//! let error = system.input_handle::<f64>("gravity").unwrap_err().to_string();
//! assert!(error.contains("input \"gravity\" has 3 numbers"), "{error}");
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::marker::PhantomData;

use crate::error::InvalidEmitter;
use crate::program::ParticleProgram;
use crate::system::ParticleSystem;

/// An input of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputFacts<'a> {
    /// Its name in code: the block's as an identifier, numbered where it is taken.
    pub name: &'a str,
    /// Name of the block.
    pub block: &'a str,
    /// Its one to four numbers in the graph.
    pub initial: &'a [f64],
}

/// What an input is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InputValue {
    /// A number.
    Number(f64),
    /// x, y.
    Vector2([f64; 2]),
    /// x, y, z.
    Vector3([f64; 3]),
    /// Red, green, blue, alpha.
    Color([f64; 4]),
}

impl InputValue {
    /// The numbers in order.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Number(number) => std::slice::from_ref(number),
            Self::Vector2(numbers) => numbers,
            Self::Vector3(numbers) => numbers,
            Self::Color(numbers) => numbers,
        }
    }

    /// The value of one to four numbers; `None` for other counts.
    #[must_use]
    pub fn of(numbers: &[f64]) -> Option<Self> {
        Some(match *numbers {
            [number] => Self::Number(number),
            [x, y] => Self::Vector2([x, y]),
            [x, y, z] => Self::Vector3([x, y, z]),
            [r, g, b, a] => Self::Color([r, g, b, a]),
            _ => return None,
        })
    }
}

/// A type of inputs: `f64`, or an array of two to four of them.
pub trait InputType: Copy + Into<InputValue> + sealed::Sealed {
    /// How many numbers.
    const LENGTH: usize;
    /// The value of that many numbers; `None` for other counts.
    fn of(numbers: &[f64]) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for f64 {}

impl InputType for f64 {
    const LENGTH: usize = 1;

    fn of(numbers: &[f64]) -> Option<Self> {
        if let [number] = *numbers { Some(number) } else { None }
    }
}

impl From<f64> for InputValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

macro_rules! arrays {
    ($($length:literal $variant:ident)*) => {
        $(
            impl sealed::Sealed for [f64; $length] {}

            impl InputType for [f64; $length] {
                const LENGTH: usize = $length;

                fn of(numbers: &[f64]) -> Option<Self> {
                    numbers.try_into().ok()
                }
            }

            impl From<[f64; $length]> for InputValue {
                fn from(numbers: [f64; $length]) -> Self {
                    Self::$variant(numbers)
                }
            }
        )*
    };
}

arrays!(2 Vector2 3 Vector3 4 Color);

/// An input of one program, found by name: see [`ParticleSystem::input_handle`]. It is good for all
/// systems that run the same program.
pub struct InputHandle<T> {
    index: u32,
    program: u64,
    ty: PhantomData<fn(T)>,
}

impl<T> Clone for InputHandle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InputHandle<T> {}

impl<T> PartialEq for InputHandle<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.program) == (other.index, other.program)
    }
}

impl<T> Eq for InputHandle<T> {}

impl<T> fmt::Debug for InputHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InputHandle({} of {:016x})", self.index, self.program)
    }
}

/// Why an input was not found or changed. Everything is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The system has no input of the name.
    Unknown {
        /// Name of the system.
        system: String,
        /// The name asked for.
        name: String,
        /// The names of its inputs.
        known: Vec<String>,
    },
    /// The input has more or fewer numbers.
    Length {
        /// Name of the system.
        system: String,
        /// Name of the input.
        name: String,
        /// How many it has.
        length: usize,
        /// How many were given.
        given: usize,
    },
    /// The handle is of another program.
    OtherProgram {
        /// Name of the system.
        system: String,
    },
    /// An emitter that is not finite.
    Emitter(InvalidEmitter),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { system, name, known } if known.is_empty() => write!(
                f,
                "system {system:?} has no input {name:?}: it was compiled without inputs; name \
                 the constants that stay open in the option `inputs`"
            ),
            Self::Unknown { system, name, known } => {
                write!(f, "system {system:?} has no input {name:?}; it has {}", known.join(", "))
            }
            Self::Length { system, name, length, given } => write!(
                f,
                "system {system:?}, input {name:?} has {length} {}, and {given} {} given",
                if *length == 1 { "number" } else { "numbers" },
                if *given == 1 { "was" } else { "were" }
            ),
            Self::OtherProgram { system } => write!(
                f,
                "the handle is of another program than system {system:?} runs: look the input up \
                 again"
            ),
            Self::Emitter(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InputError {}

impl From<InvalidEmitter> for InputError {
    fn from(error: InvalidEmitter) -> Self {
        Self::Emitter(error)
    }
}

/// A program with a struct of its inputs: generated code that was compiled with the option `inputs`.
pub trait TypedInputs: ParticleProgram {
    /// The struct; a field for each input, called like it.
    type Inputs;
    /// What the inputs are.
    fn typed_inputs(&self) -> &Self::Inputs;
    /// What the inputs are, to change.
    fn typed_inputs_mut(&mut self) -> &mut Self::Inputs;
}

impl<P: TypedInputs> ParticleSystem<P> {
    /// What the graph's inputs are.
    pub fn inputs(&self) -> &P::Inputs {
        self.program.typed_inputs()
    }

    /// The graph's inputs, to change; it counts from the next step on. Any number is allowed.
    ///
    /// What the contract evaluates once, while it builds a system, reads the inputs of the first
    /// started step: the target stop duration and the strength of noise.
    pub fn inputs_mut(&mut self) -> &mut P::Inputs {
        self.program.typed_inputs_mut()
    }
}

impl<P: ParticleProgram> ParticleSystem<P> {
    /// All inputs that the graph names and the compiler has kept open.
    pub fn input_facts(&self) -> impl Iterator<Item = InputFacts<'_>> {
        facts(&self.program)
    }

    /// Looks an input up by its name in code.
    ///
    /// # Errors
    /// There is none, or it has another number of numbers than `T`.
    pub fn input_handle<T: InputType>(&self, name: &str) -> Result<InputHandle<T>, InputError> {
        let index = find(&self.program, name, T::LENGTH)?;
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Ok(InputHandle { index, program: self.program.fingerprint(), ty: PhantomData })
    }

    /// What an input is.
    ///
    /// # Errors
    /// The handle is of another program.
    pub fn input<T: InputType>(&self, input: InputHandle<T>) -> Result<T, InputError> {
        let numbers = self.program.input_numbers(self.index_of(input)?);
        T::of(numbers).ok_or_else(|| other_program(&self.program))
    }

    /// Changes an input; it counts from the next step on. Any number is allowed. Takes no memory.
    ///
    /// # Errors
    /// The handle is of another program; nothing has changed.
    pub fn set_input<T: InputType>(
        &mut self,
        input: InputHandle<T>,
        value: T,
    ) -> Result<(), InputError> {
        let index = self.index_of(input)?;
        self.program.set_input_numbers(index, value.into().numbers());
        Ok(())
    }

    /// What an input is, by its name in code.
    ///
    /// # Errors
    /// There is none.
    pub fn input_value(&self, name: &str) -> Result<InputValue, InputError> {
        let index = facts(&self.program).position(|facts| facts.name == name);
        index
            .and_then(|index| InputValue::of(self.program.input_numbers(index)))
            .ok_or_else(|| unknown(&self.program, name))
    }

    fn index_of<T>(&self, input: InputHandle<T>) -> Result<usize, InputError> {
        if input.program == self.program.fingerprint() {
            Ok(input.index as usize)
        } else {
            Err(other_program(&self.program))
        }
    }
}

/// All inputs of a program.
pub(crate) fn facts(program: &impl ParticleProgram) -> impl Iterator<Item = InputFacts<'_>> {
    (0..).map_while(|index| program.input(index))
}

/// Number of the input of that name, if it has that many numbers.
pub(crate) fn find(
    program: &impl ParticleProgram,
    name: &str,
    given: usize,
) -> Result<usize, InputError> {
    let found = facts(program).enumerate().find(|(_, facts)| facts.name == name);
    let (index, facts) = found.ok_or_else(|| unknown(program, name))?;
    let length = facts.initial.len();
    if length != given {
        let (system, name) = (program.name().to_owned(), name.to_owned());
        return Err(InputError::Length { system, name, length, given });
    }
    Ok(index)
}

fn unknown(program: &impl ParticleProgram, name: &str) -> InputError {
    InputError::Unknown {
        system: program.name().to_owned(),
        name: name.to_owned(),
        known: facts(program).map(|facts| facts.name.to_owned()).collect(),
    }
}

fn other_program(program: &impl ParticleProgram) -> InputError {
    InputError::OtherProgram { system: program.name().to_owned() }
}
