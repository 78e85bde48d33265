//! The intermediate representation: what a compiled particle graph means.
//!
//! Everything before this module decides what a graph says, everything after it prints or runs
//! what stands here. Three executors share it (the [interpreter](crate::interpret), generated Rust,
//! generated WGSL) and must agree, so the meaning is fixed in words first.
//!
//! # Structure
//!
//! A [`Module`] holds the programs of one file. A [`Program`] is one particle system: its state
//! (columns hold one number a particle, registers one number a system), what a step reads
//! (uniforms, tables, textures), and up to five bodies. Things are kept in arenas and named by typed
//! [`Handle`]s.
//!
//! An [`Input`] is a constant of the graph that a host may change between calls. It has its initial
//! numbers until then, and whatever reads it reads what it is in that call.
//!
//! # Values and statements
//!
//! A [`Value`] is pure: a constant, a uniform, a load, an operation. A [`Statement`] has effects or
//! decides when something happens. Values are scalars of one of three types: `Float`, `Uint` (32
//! bits, wrapping) and `Bool`.
//!
//! **A value is computed where its `Let` stands**, once for each time that the statement is
//! reached; loads see the state of that moment. Constants, uniforms, parameters and the newborn's
//! id need no `Let`. Draw, If and Call define their results. Every value has exactly one
//! definition, which stands earlier in the same block or in an enclosing one (dominance); results
//! of an `If` are the only way out of its blocks. No executor moves or repeats an evaluation on its
//! own account; passes do, where effects allow it.
//!
//! # Running a program
//!
//! One started call of a system with a given ratio does, in this order:
//!
//! 0. At the first started call of an instance, `init` runs; its result is the target stop duration.
//! 1. `prepare` runs; its results become uniforms.
//! 2. `emit_rate` runs, if there is one, and the driver computes how many particles are requested
//!    (spec section 5.4), advancing time.
//! 3. `update` runs for each particle that lives at this moment. A particle whose `Kill` condition
//!    held is removed at the end of its body.
//! 4. `birth` runs for each new particle, until the capacity is reached. Before the body all its
//!    columns are unspecified; the validator demands that `birth` stores every column on every path
//!    before anything loads it.
//!
//! *Exact.* Slots are dense. `update` runs in ascending slot order; removal moves the last live
//! particle into the hole, and the moved one, if it has not been updated yet, is updated there, next.
//! Registers and the random stream see exactly this order. Births append. System bodies may load
//! and store the columns of slot 0 whether a particle lives there or not: it holds zeros before the
//! first birth, and what the last particle left there after its death.
//!
//! *Parallel.* A particle keeps its slot for life; all updates of a step may run in any order, then
//! all births. Births fill the lowest dead slots in ascending order, the k-th getting the id that
//! follows the k-th before it. Particle-domain bodies hold no draws and no registers: their random
//! numbers are hashes of ids, written out as calls of IR functions.
//!
//! *Failure.* A call that reaches `Fail` on a CPU ends there with an error. What has been stored and
//! removed stays, so stores before a `Fail` may not be dropped. The particle at hand is not removed
//! (its `Kill`s are forgotten); a newborn at hand is not born and its id not used. On a GPU the rest
//! of the body runs, so statements behind a `Fail` may not be dropped either.
//!
//! # Numbers
//!
//! `Float` is binary64 in Exact and in every system-domain body, binary32 in the particle-domain
//! bodies of Parallel ([`Program::precision`]); constants, uniforms, table elements and loads are
//! rounded to the body's precision before use. A function has the precision of the body that calls
//! it. Arithmetic is that of IEEE 754, round to nearest even, without contraction; [`op`] lists each
//! operation's rule, where JavaScript's differ they are JavaScript's. A store converts to the
//! column's [`Storage`], a load widens. All NaN are one.
//!
//! The random stream gives numbers in [0, 1). Its order in Exact is the order of `Draw`
//! statements as they are reached.
//!
//! # Text form
//!
//! Printing gives one statement a line; [`parse()`] reads it back to a module that prints the same.
//! Names of columns, registers, inputs, uniforms, tables, textures, functions and parameters are therefore
//! words: not empty, without white space and without `,` `(` `)` `{` `}` `=` `:` `"`, unique among
//! their kind in a program (parameters: in their function). Texts may hold comment lines that start with `//`.
//!
//! # What the validator rejects
//!
//! Names that are no words or not unique; inputs of no number or more than four; handles out of range; operands of the wrong type; uses
//! that their definition does not dominate; double definitions; loads and stores of constant
//! columns; births that load a column before they store it, or leave one unwritten; `Kill` outside
//! `update`; `NewId` outside `birth`; prepared uniforms in `init` and `prepare`; results of the wrong
//! number or type. In functions: uniforms, loads, texels, effects, and calls of functions that do not
//! stand earlier, so that nothing recurs. In Parallel: draws; registers in particle-domain bodies;
//! columns in system-domain ones; transcendental operations in particle-domain bodies and in the
//! functions that these call. Emitters and the interpreter take only [`Valid`] modules.

pub mod arena;
pub mod body;
pub mod op;
pub mod program;
pub mod types;

mod builder;
mod fingerprint;
mod parse;
mod print;
mod validate;

pub use arena::{Arena, Handle};
pub use body::{
    Block, Body, BodyKind, Expr, Merge, Place, Statement, Stmt, Value, ValueId, stored_columns,
};
pub use builder::BodyBuilder;
pub use op::{BinaryOp, UnaryOp};
pub use parse::{ParseError, parse};
pub use program::{
    Column, DrawSite, Emission, Field, Function, Input, Module, Origin, Picture, Program, Register,
    RenderSpec, Table, Texture, Uniform, UniformSource,
};
pub use types::{Const, Precision, Profile, Storage, Type};
pub(crate) use validate::validate_or_return;
pub use validate::{Invalid, Valid, check, validate};
