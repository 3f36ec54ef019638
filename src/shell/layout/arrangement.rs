//! One arrangement of the panels: the defaults, and the lengths that docks keep when the window changes.

use egui::Rect;
use egui_tiles::Container;
use egui_tiles::Linear;
use egui_tiles::LinearDir;
use egui_tiles::Tile;
use egui_tiles::TileId;
use egui_tiles::Tiles;
use egui_tiles::Tree;
use serde::Deserialize;
use serde::Serialize;

use crate::shell::dock;
use crate::shell::layout::Panel;
use crate::shell::theme::size;

/// One arrangement of the panels.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Arrangement {
    pub(super) tree: Tree<Panel>,
    /// Points that a child of a row or column keeps when the window grows: (tile, length).
    pub(super) lengths: Vec<(TileId, f32)>,
    /// Size of the dock area that `lengths` were last put into.
    #[serde(skip)]
    pub(super) seen: egui::Vec2,
}

impl Arrangement {
    pub(super) fn wide() -> Self {
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

    pub(super) fn compact() -> Self {
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

    pub(super) fn pane(&self, panel: Panel) -> Option<TileId> {
        self.tree.tiles.find_pane(&panel)
    }

    /// The tabs tile that holds a panel.
    pub(super) fn tabs_of(&self, panel: Panel) -> Option<TileId> {
        self.tree.tiles.parent_of(self.pane(panel)?)
    }

    pub(super) fn length(&self, tile: TileId) -> Option<f32> {
        self.lengths
            .iter()
            .find(|(id, _)| *id == tile)
            .map(|(_, length)| *length)
    }

    pub(super) fn set_length(&mut self, tile: TileId, length: f32) {
        match self.lengths.iter_mut().find(|(id, _)| *id == tile) {
            Some((_, old)) => *old = length,
            None => self.lengths.push((tile, length)),
        }
    }

    /// Rows and columns with the child that takes what is left: the one with the views, else the first.
    pub(super) fn lines(&self) -> Vec<(TileId, LinearDir, Vec<TileId>, TileId)> {
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
    pub(super) fn fit(&mut self, area: egui::Vec2, folded: Option<TileId>) {
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
    pub(super) fn remember(&mut self, folded: Option<TileId>) {
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

pub(super) fn give_more_room(arrangement: &mut Arrangement, area: Rect) {
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
