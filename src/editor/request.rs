//! What commands ask of whoever gives the editor a face, and what they say.

use std::path::PathBuf;

use glam::DVec2;

use crate::document::ObjectId;
use crate::formats::ImportOptions;

/// A panel of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Outliner,
    /// The search field over the map (SEL-10), with its results.
    Find,
    Layers,
    Map,
    Entity,
    Face,
    Materials,
    Problems,
    Log,
    History,
    Cameras,
    ImportReport,
    All,
}

/// Something only the shell can do. Served after the frame, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Ask about unsaved work if [`crate::editor::Editor::is_dirty`], then a new empty map.
    New,
    /// Ask about unsaved work, then the file dialog.
    Open,
    /// Ask about unsaved work, then open this file (recent files, reload).
    OpenPath(PathBuf),
    /// The same, reading the file of another format in the way that the user asked for.
    ImportPath(PathBuf, ImportOptions),
    /// A dialog for a `.hmap` name, then [`crate::editor::Editor::save_to`].
    SaveAs {
        suggested: PathBuf,
    },
    /// A dialog for a name in another game's format, then [`crate::editor::Editor::export_to`].
    Export {
        suggested: PathBuf,
    },
    /// The file is not the one last read or written: ask, then [`crate::editor::Editor::save_over`] or a new name.
    ConfirmOverwrite {
        path: PathBuf,
    },
    /// The file changed on disk (DOC-3): offer reload ([`crate::editor::Editor::reload`]), keep, compare.
    FileChanged {
        path: PathBuf,
    },
    Close,
    Quit,
    /// Put this text on the clipboard.
    CopyText(String),
    /// Read the clipboard, then [`crate::editor::Editor::paste`].
    PasteText(crate::editor::Place),
    /// A menu at this point of the pane.
    ContextMenu {
        pane: usize,
        at: DVec2,
    },
    /// A list of all that lies under this point of the pane, nearest first: [`crate::editor::Editor::under`] (SEL-4).
    ListUnder {
        pane: usize,
        at: DVec2,
    },
    /// A one-line field; the answer goes to [`crate::editor::Editor::commit`] of `ops` edits or to `rename_group`.
    NameGroup {
        group: ObjectId,
        now: String,
    },
    /// A list of classes to type ahead in, then [`crate::editor::Editor::tie_to_entity`].
    ChooseBrushClass,
    /// From / to with a scope and counts: [`crate::editor::Editor::replace_candidates`], then
    /// [`crate::editor::Editor::replace_material`].
    ReplaceMaterial,
    /// A list of layers to type ahead in, then [`crate::editor::Editor::move_to_layer`].
    ChooseLayer,
    CommandPalette,
    /// The keys that work right now: [`crate::editor::Editor::working_commands`].
    Help,
    Shortcuts,
    About,
    ShowPanel(Panel),
    NextDock,
    PreviousDock,
    ReloadMaterials,
    ReloadDefinitions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusKind {
    Info,
    /// Something could not be done; the text says why.
    Refused,
    /// Something failed or was lost: also shown as a toast.
    Error,
}

/// A sentence for the status line.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    pub kind: StatusKind,
    pub text: String,
    pub since_s: f64,
}

impl Status {
    /// How long a message stays.
    pub const SHOWN_S: f64 = 6.0;
}
