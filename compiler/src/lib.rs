//! Compiler for particle graphs.
