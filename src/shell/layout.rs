//! Where the panels stand: the dock, its default in a wide and in a compact window, and the lengths that side docks keep.

mod arrangement;
mod behavior;

use egui::Color32;
use egui::Ui;
use egui_tiles::Tile;
use serde::Deserialize;
use serde::Serialize;

use self::arrangement::Arrangement;
use self::arrangement::give_more_room;
use self::behavior::Behavior;
use crate::shell::theme::Palette;

/// What a tile of the dock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Panel {
    Views,
    Outliner,
    Layers,
    Find,
    Entity,
    Map,
    History,
    Face,
    Materials,
    Entities,
    Problems,
    Cameras,
    Log,
}

impl Panel {
    pub const ALL: [Self; 13] = [
        Self::Views,
        Self::Outliner,
        Self::Layers,
        Self::Find,
        Self::Entity,
        Self::Map,
        Self::History,
        Self::Face,
        Self::Materials,
        Self::Entities,
        Self::Problems,
        Self::Cameras,
        Self::Log,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Views => "Views",
            Self::Outliner => "Outliner",
            Self::Layers => "Layers",
            Self::Find => "Find",
            Self::Cameras => "Cameras",
            Self::Entity => "Entity",
            Self::Map => "Map",
            Self::History => "History",
            Self::Face => "Face",
            Self::Materials => "Materials",
            Self::Entities => "Entities",
            Self::Problems => "Problems",
            Self::Log => "Log",
        }
    }
}

/// A window narrower than this has no left dock.
const COMPACT_BELOW: f32 = 1120.0;
/// A dock area lower than this folds the bottom dock to its tabs.
const FOLD_BELOW: f32 = 640.0;
/// A window wider than this gives the docks more room.
const WIDE_FROM: f32 = 1600.0;

/// Both arrangements, kept in the settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    wide: Arrangement,
    compact: Arrangement,
    /// The user opened the bottom dock although the window is low.
    #[serde(skip)]
    unfolded: bool,
    #[serde(skip)]
    is_compact: bool,
    /// A wide window was seen, so the wide defaults were given once.
    roomy: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            wide: Arrangement::wide(),
            compact: Arrangement::compact(),
            unfolded: false,
            is_compact: false,
            roomy: false,
        }
    }
}

/// What the dock needs from the frame while it is drawn.
pub struct DockCx<'a> {
    /// Draws one panel into the given `Ui`.
    pub draw: &'a mut dyn FnMut(&mut Ui, Panel),
    /// Number behind a tab's name.
    pub count: &'a dyn Fn(Panel) -> Option<(usize, Color32)>,
    /// The panel that has the keyboard.
    pub keyboard: Panel,
}

/// What the user did to the dock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DockReply {
    /// The layout differs from the stored one.
    pub changed: bool,
    /// "Reset panels" was chosen.
    pub reset: bool,
    /// The panel that was pressed.
    pub pressed: Option<Panel>,
}

impl Layout {
    /// Reads a stored layout; what does not load, or lacks a panel, gives the default.
    #[must_use]
    pub fn load(text: &str) -> Self {
        let Ok(layout) = serde_json::from_str::<Self>(text) else {
            return Self::default();
        };
        let whole = |arrangement: &Arrangement| {
            Panel::ALL
                .iter()
                .all(|&panel| arrangement.pane(panel).is_some())
        };
        if whole(&layout.wide) && whole(&layout.compact) {
            layout
        } else {
            Self::default()
        }
    }

    #[must_use]
    pub fn store(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    #[must_use]
    pub fn is_compact(&self) -> bool {
        self.is_compact
    }

    /// Brings a panel to the front.
    pub fn show(&mut self, panel: Panel) {
        let arrangement = if self.is_compact {
            &mut self.compact
        } else {
            &mut self.wide
        };
        arrangement
            .tree
            .make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == panel));
        if arrangement.tabs_of(panel).is_some()
            && arrangement.tabs_of(panel) == arrangement.tabs_of(Panel::Materials)
        {
            self.unfolded = true;
        }
    }

    /// Draws the dock into all that is left of `ui`.
    pub fn ui(&mut self, ui: &mut Ui, cx: DockCx<'_>) -> DockReply {
        let area = ui.available_rect_before_wrap();
        self.is_compact = ui.ctx().content_rect().width() < COMPACT_BELOW;
        let low = area.height() < FOLD_BELOW;
        if !low {
            self.unfolded = false;
        }
        let width = ui.ctx().content_rect().width();
        let arrangement = if self.is_compact {
            &mut self.compact
        } else {
            &mut self.wide
        };
        if width > WIDE_FROM && !self.roomy && !self.is_compact {
            self.roomy = true;
            give_more_room(arrangement, area);
        }
        let folded = if low && !self.unfolded {
            arrangement.tabs_of(Panel::Materials)
        } else {
            None
        };
        let views = arrangement.tabs_of(Panel::Views);
        // The middle column's height is known only after one pass, so a new size is fitted in two frames.
        let fresh = arrangement.seen != area.size();
        arrangement.fit(area.size(), folded);
        if fresh {
            arrangement.seen = area.size();
            ui.ctx().request_repaint();
        }
        let mut behavior = Behavior {
            cx,
            palette: Palette::of(ui.ctx()),
            views,
            folded,
            reply: DockReply::default(),
            unfold: false,
        };
        arrangement.tree.ui(&mut behavior, ui);
        let mut reply = behavior.reply;
        let unfold = behavior.unfold;
        if !fresh {
            let before = arrangement.lengths.clone();
            arrangement.remember(folded);
            reply.changed |= before != arrangement.lengths && !ui.input(|i| i.pointer.any_down());
        }
        if unfold {
            self.unfolded = true;
            ui.ctx().request_repaint();
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use egui_tiles::Container;

    use super::*;
    use crate::shell::dock;

    #[test]
    fn a_stored_layout_comes_back_and_a_damaged_one_gives_the_default() {
        let mut layout = Layout::default();
        let bottom = layout.wide.tabs_of(Panel::Log).expect("in the default");
        layout.wide.set_length(bottom, 301.0);
        let back = Layout::load(&layout.store());
        assert_eq!(back.wide.length(bottom), Some(301.0));
        for damaged in ["", "{}", "[1,2]", "{\"wide\":null}"] {
            let layout = Layout::load(damaged);
            for panel in Panel::ALL {
                assert!(
                    layout.wide.pane(panel).is_some(),
                    "{panel:?} after {damaged:?}"
                );
                assert!(
                    layout.compact.pane(panel).is_some(),
                    "{panel:?} after {damaged:?}"
                );
            }
        }
    }

    #[test]
    fn the_views_take_what_the_docks_leave() {
        let mut layout = Layout::default();
        layout.wide.fit(egui::vec2(1280.0, 704.0), None);
        let root = layout.wide.tree.root().expect("has one");
        let Some(Tile::Container(Container::Linear(line))) = layout.wide.tree.tiles.get(root)
        else {
            panic!("the root is a row");
        };
        let shares: Vec<f32> = line.children.iter().map(|id| line.shares[*id]).collect();
        assert_eq!(
            shares,
            [240.0, 1280.0 - 240.0 - 304.0 - 2.0 * dock::GAP, 304.0]
        );
    }
}
