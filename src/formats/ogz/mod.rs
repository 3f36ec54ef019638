//! Cube 2 maps (`.ogz`): Sauerbraten, and the relatives that kept its format.

mod bent;
mod boxes;
mod classes;
pub mod config;
mod container;
pub mod convex;
mod counts;
pub mod emit;
pub mod entities;
mod floor;
mod header;
mod lighting;
pub mod mapping;
pub mod materials;
pub mod measure;
mod octree;
#[cfg(test)]
mod piece_tests;
pub mod pieces;
pub mod raw;
mod read;
#[cfg(test)]
mod read_tests;
mod records;
pub mod records_of;
mod script;
pub mod shape;
pub mod sky;
mod slopes;
pub mod slots;
mod tail;
#[cfg(test)]
mod texture_tests;
mod virtual_slots;
pub mod visible;
pub mod volumes;

pub use self::counts::counts;
pub use self::counts::geometry_counts;
pub use self::read::Note;
pub use self::read::read;
