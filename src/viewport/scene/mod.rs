//! The scene of one map: follows the document by differences and serves every view of it.

use std::sync::Arc;

use crate::assets::Library;
use crate::compiler::Compiled;
use crate::document::Entity;
use crate::document::State;
use crate::document::ViewState;
use crate::editor::overlay::Overlay;
use crate::editor::view::View;
use crate::viewport::DrawOptions;
use crate::viewport::EntityLook;
use crate::viewport::Gpu;
use crate::viewport::Target;

/// CPU part.
pub struct Store {}

pub struct Scene { generation: u64 }

impl Scene {
    #[must_use]
    pub fn new(_gpu: &Gpu) -> Self { Self { generation: 0 } }
    /// Catches up with a state; cheap when nothing changed.
    pub fn sync(&mut self, _gpu: &Gpu, _state: &State, _look: &ViewState, _library: &mut Library) { self.generation += 1; }
    /// The result of the last build, for the lit mode.
    pub fn set_compiled(&mut self, _compiled: Option<Arc<Compiled>>) {}
    /// How point entities look; asked once per changed entity.
    pub fn set_entity_look(&mut self, _look: Arc<dyn Fn(&Entity) -> EntityLook + Send + Sync>) {}
    #[must_use]
    pub fn generation(&self) -> u64 { self.generation }
    /// Textures wait for the next `sync`.
    #[must_use]
    pub fn uploads_pending(&self) -> bool { false }
    /// The lit mode shows objects without their light.
    #[must_use]
    pub fn is_stale(&self) -> bool { false }
    pub fn draw(&mut self, _gpu: &Gpu, _view: &View, _options: &DrawOptions, _overlay: &Overlay, _target: &Target) {}
}
