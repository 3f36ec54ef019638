//! Cube 2 maps (`.ogz`): Sauerbraten, and the relatives that kept its format.

mod bent;
mod boxes;
pub mod convex;
pub mod measure;
#[cfg(test)]
mod piece_tests;
pub mod pieces;
pub mod raw;
pub mod shape;
pub mod sky;
mod slopes;
pub mod visible;
pub mod volumes;
