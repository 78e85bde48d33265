//! Proc macros of Pyrograph.
