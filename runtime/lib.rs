//! Runtime for compiled particle graphs.
