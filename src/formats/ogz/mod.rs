//! Cube 2 maps (`.ogz`): Sauerbraten, and the relatives that kept its format.

pub mod raw;
