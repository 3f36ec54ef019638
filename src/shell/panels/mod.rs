//! The panels: each reads what there is and asks for what it wants; nothing here changes the map.

pub mod cameras;
pub mod context;
pub mod entities;
pub mod face;
pub mod find;
pub mod history;
pub mod inspector;
pub mod layers;
pub mod log;
pub mod map;
pub mod materials;
pub mod outliner;
pub mod problems;
pub mod under;
pub mod uv;
pub mod views;

use crate::assets::Library;
use crate::editor::Editor;
use crate::shell::frame::Classes;
use crate::shell::start;
use crate::shell::thumbs::Thumbs;

/// What a panel may look at.
pub struct Cx<'a> {
    pub editor: &'a Editor,
    pub library: &'a mut Library,
    pub thumbs: &'a mut Thumbs,
    /// Entity classes that are known.
    pub classes: &'a Classes,
    /// The panel has the keyboard.
    pub has_keyboard: bool,
}

/// What panels remember between frames.
#[derive(Default)]
pub struct Panels {
    pub views: views::ViewsState,
    pub outliner: outliner::OutlinerState,
    pub inspector: inspector::InspectorState,
    pub materials: materials::MaterialsState,
    pub entities: entities::EntitiesState,
    pub find: find::FindState,
    pub problems: problems::ProblemsState,
    pub log: log::LogState,
    pub uv: uv::UvState,
    pub start: start::StartState,
}
