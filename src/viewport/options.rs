//! What a draw may be told, and the key by which a caller knows that a picture is still right.

use glam::DVec3;

use crate::document::Pick;
use crate::editor::fog::Fog;
use crate::editor::overlay::Overlay;
use crate::editor::toggles::ShownOf;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::viewport::Colors;
use crate::viewport::Scene;
use crate::viewport::Target;

/// Edges of brushes and meshes over their faces in 3D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edges {
    /// In the flat mode only (`look.md` 8).
    #[default]
    ByMode,
    Always,
    Never,
}

/// How a view is drawn, besides its camera and mode.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawOptions {
    pub colors: Colors,
    /// Grid step in map units; `None` draws no grid (GRID-1).
    pub grid: Option<f64>,
    /// A crossing of its lines in the map.
    pub grid_origin: DVec3,
    /// Where the pointer's ray meets the map: the 3D grid shows around it. `None`: no grid in 3D.
    pub pointer_in_map: Option<DVec3>,
    /// What is under the pointer.
    pub hover: Option<Pick>,
    pub edges: Edges,
    /// Faces of tool materials and brushes that are not drawn in the game.
    pub tools: bool,
    /// Boxes and arrows of point entities.
    pub entities: bool,
    /// Whose boxes along the axes.
    pub bounds_of: ShownOf,
    /// Faces of sky materials, in 3D.
    pub sky: bool,
    /// What textured faces sink into, in 3D.
    pub fog: Option<Fog>,
    /// Openings between the cells of the build's tree; nothing without a build.
    pub portals: bool,
    /// Collision of the build; nothing without one.
    pub collision: bool,
    /// How many faces lie over each other, instead of the faces, in 3D.
    pub overdraw: bool,
    /// Outline and tint of the selection.
    pub selection: bool,
    /// What lies outside is dimmed (VIEW-4).
    pub region: Option<Aabb>,
    /// Faces are a quarter opaque and show their backs, in 3D (VIEW-5).
    pub xray: bool,
    /// Built light is shown twice as bright, as Cube 2 does, but on what is not lit.
    pub double_light: bool,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self {
            colors: Colors::DARK,
            grid: Some(16.0),
            grid_origin: DVec3::ZERO,
            pointer_in_map: None,
            hover: None,
            edges: Edges::ByMode,
            tools: true,
            entities: true,
            bounds_of: ShownOf::Nothing,
            sky: true,
            fog: None,
            portals: false,
            collision: false,
            overdraw: false,
            selection: true,
            region: None,
            xray: false,
            double_light: false,
        }
    }
}

impl DrawOptions {
    /// The map alone: no grid, no tools, no entities, no selection. For thumbnails and `render`.
    #[must_use]
    pub fn picture() -> Self {
        Self {
            grid: None,
            tools: false,
            entities: false,
            selection: false,
            ..Self::default()
        }
    }
}

/// Everything a picture depends on. Equal keys, equal pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawKey {
    generation: u64,
    size: (u32, u32),
    target: u64,
    view: View,
    options: DrawOptions,
    overlay: Overlay,
}

impl DrawKey {
    #[must_use]
    pub fn new(
        scene: &Scene,
        view: &View,
        options: &DrawOptions,
        overlay: &Overlay,
        target: &Target,
    ) -> Self {
        Self {
            generation: scene.generation(),
            size: target.size(),
            target: target.stamp(),
            view: view.clone(),
            options: options.clone(),
            overlay: overlay.clone(),
        }
    }
}
