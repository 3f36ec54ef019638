//! Names -> textures and definitions: search paths, decoding on workers, watching files.
//!
//! Must not know documents being edited, or the GPU.

mod archive;
pub mod builtin;
mod class_packages;
mod definitions;
pub mod export;
mod library;
mod map_files;
#[cfg(test)]
mod map_files_tests;
mod open;
mod package_folders;
#[cfg(test)]
mod package_tests;
mod packages;
mod paths;
pub mod save;
mod source;
mod watch;

pub use self::definitions::Definitions;
pub use self::library::Library;
pub use self::library::TextureId;
pub use self::library::TextureState;
pub use self::map_files::MapFiles;
pub use self::open::OpenError;
pub use self::open::Opened;
pub use self::open::open_map;
pub use self::open::open_map_with;
pub use self::open::read_map;
pub use self::paths::game_root;
pub use self::paths::map_wads;
pub use self::paths::sources_for;
pub use self::source::Listed;
pub use self::source::Origin;
pub use self::source::Resolver;
pub use self::source::Source;
pub use self::source::is_picture_ending;
pub use self::source::plain_name;
pub use self::watch::Watcher;
pub use crate::formats::image::Image as Picture;
