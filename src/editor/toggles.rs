//! What a view shows besides the map's surfaces (VIEW-2), and why something of it cannot be shown.

use serde::Deserialize;
use serde::Serialize;

use crate::editor::Editor;
use crate::editor::view::RenderMode;

/// Edges of brushes and meshes over their faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeDisplay {
    /// As the render mode has them: in flat and wireframe.
    #[default]
    ByMode,
    Always,
    Never,
}

impl EdgeDisplay {
    #[must_use]
    pub fn shows_in(self, mode: RenderMode) -> bool {
        match self {
            Self::ByMode => matches!(mode, RenderMode::Flat | RenderMode::Wire),
            Self::Always => true,
            Self::Never => mode == RenderMode::Wire,
        }
    }

    /// Shown or not, the other way round; as the mode has them where that is what is wanted.
    fn turned(self, mode: RenderMode) -> Self {
        [Self::ByMode, Self::Always, Self::Never]
            .into_iter()
            .find(|edges| edges.shows_in(mode) != self.shows_in(mode))
            .unwrap_or_default()
    }
}

/// Whose marks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownOf {
    Nothing,
    Selection,
    Everything,
}

impl ShownOf {
    /// Turns the marks of the selection on or off, and those of everything off.
    fn turned(self) -> Self {
        match self {
            Self::Nothing => Self::Selection,
            Self::Selection | Self::Everything => Self::Nothing,
        }
    }

    /// Between everything and the selection alone.
    fn widened(self) -> Self {
        match self {
            Self::Everything => Self::Selection,
            Self::Nothing | Self::Selection => Self::Everything,
        }
    }
}

/// What a view shows besides the map's surfaces. Kept in the settings by pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewToggles {
    pub edges: EdgeDisplay,
    /// Names over point entities.
    pub names: bool,
    /// Faces of tool materials, and brushes that the game does not draw.
    pub tools: bool,
    /// Boxes of point entities; without them they cannot be picked either.
    pub entities: bool,
    /// Arrows from entities to those that they name. Of all of them at once they would cover a real map.
    pub links_of: ShownOf,
    /// Boxes around objects, along the axes.
    pub bounds_of: ShownOf,
    /// The fog of the world, where faces are textured.
    pub fog: bool,
    /// Faces of sky materials as the sky.
    pub sky: bool,
    /// Openings between the cells of the last build's tree.
    pub portals: bool,
    /// What one bumps into in the last build.
    pub collision: bool,
    /// How many faces are drawn over each other, instead of the faces.
    pub overdraw: bool,
}

impl Default for ViewToggles {
    fn default() -> Self {
        Self {
            edges: EdgeDisplay::ByMode,
            names: false,
            tools: true,
            entities: true,
            links_of: ShownOf::Selection,
            bounds_of: ShownOf::Nothing,
            fog: false,
            sky: true,
            portals: false,
            collision: false,
            overdraw: false,
        }
    }
}

/// One thing that is turned on and off by view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggle {
    Edges,
    Entities,
    Names,
    Links,
    AllLinks,
    Bounds,
    AllBounds,
    Tools,
    Sky,
    Fog,
    Portals,
    Collision,
    Overdraw,
}

impl Toggle {
    /// In the order of menus.
    pub const ALL: [Self; 13] = [
        Self::Edges,
        Self::Entities,
        Self::Names,
        Self::Links,
        Self::AllLinks,
        Self::Bounds,
        Self::AllBounds,
        Self::Tools,
        Self::Sky,
        Self::Fog,
        Self::Portals,
        Self::Collision,
        Self::Overdraw,
    ];

    /// Id of the command that turns it in the view under the pointer.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Edges => "view.edges",
            Self::Entities => "view.entities",
            Self::Names => "view.names",
            Self::Links => "view.links",
            Self::AllLinks => "view.all_links",
            Self::Bounds => "view.bounds",
            Self::AllBounds => "view.all_bounds",
            Self::Tools => "view.tools",
            Self::Sky => "view.sky",
            Self::Fog => "view.fog",
            Self::Portals => "view.portals",
            Self::Collision => "view.collision",
            Self::Overdraw => "view.overdraw",
        }
    }

    /// Says nothing in a plan, which is all edges and has neither distance nor faces.
    #[must_use]
    pub const fn is_of_3d(self) -> bool {
        matches!(self, Self::Edges | Self::Sky | Self::Fog | Self::Overdraw)
    }
}

impl ViewToggles {
    /// `mode`: of the view.
    #[must_use]
    pub fn shows(&self, what: Toggle, mode: RenderMode) -> bool {
        match what {
            Toggle::Edges => self.edges.shows_in(mode),
            Toggle::Entities => self.entities,
            Toggle::Names => self.names,
            Toggle::Links => self.links_of != ShownOf::Nothing,
            Toggle::AllLinks => self.links_of == ShownOf::Everything,
            Toggle::Bounds => self.bounds_of != ShownOf::Nothing,
            Toggle::AllBounds => self.bounds_of == ShownOf::Everything,
            Toggle::Tools => self.tools,
            Toggle::Sky => self.sky,
            Toggle::Fog => self.fog,
            Toggle::Portals => self.portals,
            Toggle::Collision => self.collision,
            Toggle::Overdraw => self.overdraw,
        }
    }

    fn turn(&mut self, what: Toggle, mode: RenderMode) {
        match what {
            Toggle::Edges => self.edges = self.edges.turned(mode),
            Toggle::Entities => self.entities = !self.entities,
            Toggle::Names => self.names = !self.names,
            Toggle::Links => self.links_of = self.links_of.turned(),
            Toggle::AllLinks => self.links_of = self.links_of.widened(),
            Toggle::Bounds => self.bounds_of = self.bounds_of.turned(),
            Toggle::AllBounds => self.bounds_of = self.bounds_of.widened(),
            Toggle::Tools => self.tools = !self.tools,
            Toggle::Sky => self.sky = !self.sky,
            Toggle::Fog => self.fog = !self.fog,
            Toggle::Portals => self.portals = !self.portals,
            Toggle::Collision => self.collision = !self.collision,
            Toggle::Overdraw => self.overdraw = !self.overdraw,
        }
    }
}

impl Editor {
    /// What a pane shows besides the map's surfaces.
    #[must_use]
    pub fn toggles(&self, pane: usize) -> ViewToggles {
        self.settings.panes.get(pane).copied().unwrap_or_default()
    }

    /// Is it turned on in a pane?
    #[must_use]
    pub fn shows(&self, pane: usize, what: Toggle) -> bool {
        let mode = self.views.get(pane).map(|view| view.mode);
        self.toggles(pane)
            .shows(what, mode.unwrap_or(RenderMode::Textured))
    }

    /// Turns it on or off in a pane; remembered in the settings.
    pub fn turn_shown(&mut self, pane: usize, what: Toggle) {
        let mode = self.views.get(pane).map(|view| view.mode);
        if let Some(toggles) = self.settings.panes.get_mut(pane) {
            toggles.turn(what, mode.unwrap_or(RenderMode::Textured));
            self.hover = None;
        }
    }

    /// Why there is nothing to show of it.
    ///
    /// # Errors
    /// The reason, for the greyed row.
    pub fn can_show(&self, what: Toggle) -> Result<(), &'static str> {
        match what {
            Toggle::Portals | Toggle::Collision if self.compiled.is_none() => {
                Err("There is no build yet: save or press F9")
            }
            Toggle::Fog if self.world_fog().is_none() => {
                Err("The map has no fog: its world has no key \"fog\"")
            }
            _ => Ok(()),
        }
    }
}
