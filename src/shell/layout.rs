//! Where the panels stand: the dock, its default in a wide and in a compact window, and the lengths that side docks keep.

mod behavior;

use egui::Color32;
use egui::Rect;
use egui::Ui;
use egui_tiles::Container;
use egui_tiles::Linear;
use egui_tiles::LinearDir;
use egui_tiles::Tile;
use egui_tiles::TileId;
use egui_tiles::Tiles;
use egui_tiles::Tree;
use serde::Deserialize;
use serde::Serialize;

use self::behavior::Behavior;
use crate::shell::dock;
use crate::shell::theme::Palette;
use crate::shell::theme::size;

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

/// One arrangement of the panels.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Arrangement {
    tree: Tree<Panel>,
    /// Points that a child of a row or column keeps when the window grows: (tile, length).
    lengths: Vec<(TileId, f32)>,
    /// Size of the dock area that `lengths` were last put into.
    #[serde(skip)]
    seen: egui::Vec2,
}

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

impl Arrangement {
    fn wide() -> Self {
        let mut tiles = Tiles::default();
        let left = tabs(&mut tiles, &[Panel::Outliner, Panel::Layers, Panel::Find]);
        let views = tabs(&mut tiles, &[Panel::Views]);
        let bottom = tabs(
            &mut tiles,
            &[
                Panel::Materials,
                Panel::Entities,
                Panel::Problems,
                Panel::Cameras,
                Panel::Log,
            ],
        );
        let entity = tabs(&mut tiles, &[Panel::Entity, Panel::Map, Panel::History]);
        let face = tabs(&mut tiles, &[Panel::Face]);
        let middle = line(
            &mut tiles,
            LinearDir::Vertical,
            &[(views, 500.0), (bottom, size::BOTTOM_DOCK)],
        );
        let right = line(
            &mut tiles,
            LinearDir::Vertical,
            &[(entity, 388.0), (face, FACE_DOCK)],
        );
        let root = line(
            &mut tiles,
            LinearDir::Horizontal,
            &[
                (left, size::LEFT_DOCK),
                (middle, 700.0),
                (right, size::RIGHT_DOCK),
            ],
        );
        Self {
            tree: Tree::new(egui::Id::unique("dock wide"), root, tiles),
            lengths: vec![
                (left, size::LEFT_DOCK),
                (right, size::RIGHT_DOCK),
                (bottom, size::BOTTOM_DOCK),
                (face, FACE_DOCK),
            ],
            seen: egui::Vec2::ZERO,
        }
    }

    fn compact() -> Self {
        let mut tiles = Tiles::default();
        let views = tabs(&mut tiles, &[Panel::Views]);
        let bottom = tabs(
            &mut tiles,
            &[
                Panel::Materials,
                Panel::Entities,
                Panel::Problems,
                Panel::Cameras,
                Panel::Log,
            ],
        );
        let upper = tabs(
            &mut tiles,
            &[
                Panel::Entity,
                Panel::Map,
                Panel::Outliner,
                Panel::Layers,
                Panel::Find,
                Panel::History,
            ],
        );
        let face = tabs(&mut tiles, &[Panel::Face]);
        let middle = line(
            &mut tiles,
            LinearDir::Vertical,
            &[(views, 500.0), (bottom, size::BOTTOM_DOCK)],
        );
        let right = line(
            &mut tiles,
            LinearDir::Vertical,
            &[(upper, 300.0), (face, 264.0)],
        );
        let root = line(
            &mut tiles,
            LinearDir::Horizontal,
            &[(middle, 700.0), (right, size::RIGHT_DOCK)],
        );
        Self {
            tree: Tree::new(egui::Id::unique("dock compact"), root, tiles),
            lengths: vec![
                (right, size::RIGHT_DOCK),
                (bottom, size::BOTTOM_DOCK),
                (face, 264.0),
            ],
            seen: egui::Vec2::ZERO,
        }
    }

    fn pane(&self, panel: Panel) -> Option<TileId> {
        self.tree.tiles.find_pane(&panel)
    }

    /// The tabs tile that holds a panel.
    fn tabs_of(&self, panel: Panel) -> Option<TileId> {
        self.tree.tiles.parent_of(self.pane(panel)?)
    }

    fn length(&self, tile: TileId) -> Option<f32> {
        self.lengths
            .iter()
            .find(|(id, _)| *id == tile)
            .map(|(_, length)| *length)
    }

    fn set_length(&mut self, tile: TileId, length: f32) {
        match self.lengths.iter_mut().find(|(id, _)| *id == tile) {
            Some((_, old)) => *old = length,
            None => self.lengths.push((tile, length)),
        }
    }

    /// Rows and columns with the child that takes what is left: the one with the views, else the first.
    fn lines(&self) -> Vec<(TileId, LinearDir, Vec<TileId>, TileId)> {
        let mut path = Vec::new();
        let mut next = self.pane(Panel::Views);
        while let Some(id) = next {
            path.push(id);
            next = self.tree.tiles.parent_of(id);
        }
        let mut found: Vec<_> = self
            .tree
            .tiles
            .iter()
            .filter_map(|(id, tile)| {
                let Tile::Container(Container::Linear(linear)) = tile else {
                    return None;
                };
                let children = linear.children.clone();
                let rest = children
                    .iter()
                    .copied()
                    .find(|child| path.contains(child))
                    .or_else(|| children.first().copied())?;
                Some((*id, linear.dir, children, rest))
            })
            .collect();
        found.sort_by_key(|(id, ..)| id.0);
        found
    }

    /// Gives every dock its stored points and the rest to the views. `folded` docks are as high as their tabs.
    fn fit(&mut self, area: egui::Vec2, folded: Option<TileId>) {
        for (id, dir, children, rest) in self.lines() {
            let horizontal = dir == LinearDir::Horizontal;
            let whole = self.tree.tiles.rect(id).map_or(area, |rect| rect.size());
            // Rectangles are those of the last frame; along the root they are known now.
            let whole = if self.tree.is_root(id) {
                area
            } else if horizontal {
                egui::vec2(whole.x.min(area.x), whole.y)
            } else {
                egui::vec2(whole.x, area.y)
            };
            let total = if horizontal { whole.x } else { whole.y }
                - dock::GAP * (children.len() - 1) as f32;
            let least = if horizontal { 180.0 } else { size::TAB_BAR };
            let mut left_over = total;
            let mut points = Vec::new();
            for &child in &children {
                if child == rest {
                    continue;
                }
                let wanted = if Some(child) == folded {
                    size::TAB_BAR
                } else {
                    self.length(child).unwrap_or(total / children.len() as f32)
                };
                let given = wanted.clamp(least.min(total), (total * 0.7).max(least));
                left_over -= given;
                points.push((child, given));
            }
            points.push((rest, left_over.max(size::TAB_BAR)));
            dock::set_points(&mut self.tree, id, &points);
        }
    }

    /// Remembers what the user dragged.
    fn remember(&mut self, folded: Option<TileId>) {
        for (_, dir, children, rest) in self.lines() {
            for child in children {
                if child == rest || Some(child) == folded {
                    continue;
                }
                if let Some(rect) = self.tree.tiles.rect(child) {
                    let length = if dir == LinearDir::Horizontal {
                        rect.width()
                    } else {
                        rect.height()
                    };
                    if length >= size::TAB_BAR {
                        self.set_length(child, length);
                    }
                }
            }
        }
    }
}

const FACE_DOCK: f32 = 316.0;

fn tabs(tiles: &mut Tiles<Panel>, panels: &[Panel]) -> TileId {
    let children: Vec<TileId> = panels
        .iter()
        .map(|&panel| tiles.insert_pane(panel))
        .collect();
    tiles.insert_tab_tile(children)
}

fn line(tiles: &mut Tiles<Panel>, dir: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, children.iter().map(|(id, _)| *id).collect());
    for &(id, points) in children {
        linear.shares.set_share(id, points);
    }
    tiles.insert_container(linear)
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

fn give_more_room(arrangement: &mut Arrangement, area: Rect) {
    let wider = [
        (arrangement.tabs_of(Panel::Outliner), 264.0),
        (arrangement.tabs_of(Panel::Materials), 268.0),
        (
            arrangement
                .tabs_of(Panel::Entity)
                .and_then(|id| arrangement.tree.tiles.parent_of(id)),
            320.0,
        ),
        (
            arrangement
                .tabs_of(Panel::Face)
                .filter(|_| area.height() > 800.0),
            420.0,
        ),
    ];
    for (tile, points) in wider {
        if let Some(tile) = tile {
            arrangement.set_length(tile, points);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
