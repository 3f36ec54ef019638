//! The window: event loop, panels, dialogs, and painting over views.
//!
//! Panels read and ask; [`frame`] is the one place where what they ask for is carried out. Must not know geometry
//! algorithms or byte layouts.

mod app;
pub mod changed;
pub mod command_icon;
pub mod dialogs;
pub mod dock;
pub mod fields;
pub mod file_dialog;
pub mod frame;
mod gpu;
pub mod help;
pub mod icons;
pub mod import_report;
pub mod input;
pub mod layout;
pub mod log;
pub mod menu;
pub mod options;
pub mod overlay;
pub mod palette;
pub mod panels;
pub mod replace;
pub mod say;
pub mod shortcuts;
pub mod start;
pub mod status;
pub mod theme;
pub mod thumbs;
pub mod toasts;
pub mod toolbar;
pub mod widgets;

use std::path::PathBuf;

pub use self::app::run;

/// What the command line says about the window.
#[derive(Clone, Debug, Default)]
pub struct ShellOptions {
    /// The map to open first; without one the start screen is shown.
    pub file: Option<PathBuf>,
    /// Further texture sources, before those of the settings.
    pub assets: Vec<PathBuf>,
    /// Where settings and autosaves are kept instead of the user's own folders; native dialogs are off then.
    pub home: Option<PathBuf>,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    #[error("Mapwright cannot open a window: no display ({0})")]
    NoDisplay(String),
    #[error("Mapwright found no graphics adapter that can draw; install a Vulkan driver ({0})")]
    NoAdapter(String),
    #[error(
        "The graphics device was lost again and again; the map was kept in the recovery folder"
    )]
    DeviceLost,
}
