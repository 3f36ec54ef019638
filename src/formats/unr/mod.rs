//! Unreal Engine 1 maps (`.unr`, `.dx`): Unreal, Unreal Tournament, Deus Ex, Harry Potter 1 and 2; `.t3d` text and `.utx` textures.

pub mod brushes;
pub mod cells;
pub mod claims;
pub mod classes;
pub mod compact;
pub mod convert;
mod counts;
pub mod defaults;
pub mod emit;
pub mod entities;
pub mod hulls;
mod keys;
pub mod layers;
pub mod level;
pub mod lights;
pub mod looks;
#[cfg(test)]
pub(crate) mod made_package;
pub mod mapping;
pub mod meshes;
pub mod model;
pub mod movers;
pub mod own_textures;
pub mod package;
pub mod part;
pub mod patches;
pub mod picture;
pub mod pieces;
pub mod polys;
pub mod properties;
pub mod property_read;
pub mod raw;
mod read;
pub mod replay;
mod resolve;
pub mod seen;
pub mod self_check;
pub mod sky;
pub mod solid;
pub mod solidity;
pub mod space;
pub mod surfaces;
#[cfg(test)]
mod testing;
mod text;
mod text_polygon;
#[cfg(test)]
mod text_tests;
mod text_value;
pub mod texture;
pub mod texture_name;
pub mod texture_package;
#[cfg(test)]
mod texture_tests;
pub mod transform;
pub mod visgroups;

pub use self::counts::counts;
pub use self::read::Note;
pub use self::read::read;
pub use self::text::is_text;
pub use self::text::read_text;
