//! The material browser: pictures of what the map uses and of all textures that are found. A click applies (TEX-2) and makes
//! current (TEX-1).

use std::collections::BTreeMap;

use egui::Align;
use egui::Layout;
use egui::Ui;
use egui::vec2;

use crate::assets::TextureId;
use crate::assets::TextureState;
use crate::document::Document;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::theme::size;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// One tile.
#[derive(Clone)]
struct Entry {
    name: String,
    texture: String,
    /// Row of the map's materials.
    material: Option<MaterialId>,
    /// Faces that show it.
    faces: usize,
}

#[derive(Default)]
pub struct MaterialsState {
    search: String,
    /// 0 all, 1 in map.
    scope: usize,
    entries: Vec<Entry>,
    built: Option<(Document, Option<usize>)>,
    hover: Option<Hover>,
}

/// The tile under the pointer.
struct Hover {
    name: String,
    since_s: f64,
    /// Its material is shown on the selection.
    is_shown: bool,
    /// It was applied or given up; it comes again only when the pointer does.
    is_spent: bool,
}

/// A tile is tried on the selection after the pointer has been on it for this long (TEX-2).
const TRY_AFTER_S: f64 = 0.3;

impl MaterialsState {
    /// The map shows a material that is only hovered.
    #[must_use]
    pub fn is_trying(&self) -> bool {
        self.hover.as_ref().is_some_and(|hover| hover.is_shown)
    }

    /// It is not shown any more, nor again before the pointer has left its tile.
    pub fn give_up(&mut self) {
        if let Some(hover) = &mut self.hover {
            hover.is_shown = false;
            hover.is_spent = true;
        }
    }
}

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut MaterialsState, cx: &mut Cx<'_>, actions: &mut Vec<Action>) {
    rebuild(state, cx);
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), size::FIELD),
                Layout::left_to_right(Align::Center),
                |ui| {
                    let width = 200.0_f32.min(ui.available_width() * 0.4);
                    widgets::search_field(ui, &mut state.search, "Find material", width);
                    widgets::segmented(ui, "Show", &["All", "In map"], &mut state.scope);
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        if widgets::icon_button(ui, icons::IMPORT, "Add textures\u{2026}", false)
                            .clicked()
                        {
                            actions.push(Action::AddTextures);
                        }
                    });
                },
            );
        });
    let wanted = state.search.trim().to_lowercase();
    let shown: Vec<&Entry> = state
        .entries
        .iter()
        .filter(|entry| {
            (state.scope == 0 || entry.faces > 0) && entry.name.to_lowercase().contains(&wanted)
        })
        .collect();
    if shown.is_empty() {
        if wanted.is_empty() {
            widgets::empty_state(
                ui,
                icons::IMAGE,
                "No textures yet",
                "Add a folder, a WAD or a package",
            );
            ui.vertical_centered(|ui| {
                if widgets::button(
                    ui,
                    Some(icons::PLUS),
                    "Add textures\u{2026}",
                    Weight::Normal,
                )
                .clicked()
                {
                    actions.push(Action::AddTextures);
                }
            });
        } else {
            widgets::empty_state(
                ui,
                icons::SEARCH,
                &format!("Nothing matches \"{}\"", state.search),
                "Names of textures and materials are looked at",
            );
        }
        return;
    }
    let over = tiles(ui, cx, &shown, actions);
    let over = over.map(|(entry, clicked)| (entry.name.clone(), material_of(cx, entry), clicked));
    try_on(ui, &mut state.hover, cx, over, actions);
}

/// TEX-2: the hovered material on the selection, until the pointer leaves its tile.
fn try_on(
    ui: &Ui,
    hover: &mut Option<Hover>,
    cx: &Cx<'_>,
    over: Option<(String, Material, bool)>,
    actions: &mut Vec<Action>,
) {
    let now_s = ui.input(|i| i.time);
    let Some((name, material, clicked)) = over else {
        if hover.take().is_some_and(|hover| hover.is_shown) {
            actions.push(Action::Cancel);
        }
        return;
    };
    if hover.as_ref().is_none_or(|hover| hover.name != name) {
        if hover.take().is_some_and(|hover| hover.is_shown) {
            actions.push(Action::Cancel);
        }
        *hover = Some(Hover {
            name,
            since_s: now_s,
            is_shown: false,
            is_spent: false,
        });
    }
    let Some(hover) = hover.as_mut() else { return };
    if clicked {
        // Applied for good, which ends the trying.
        hover.is_shown = false;
        hover.is_spent = true;
    }
    if hover.is_spent || hover.is_shown || cx.editor.selection().is_empty() {
        return;
    }
    let left_s = TRY_AFTER_S - (now_s - hover.since_s);
    if left_s > 0.0 {
        ui.ctx().request_repaint_after_secs(left_s as f32 + 0.01);
    } else if !cx.editor.is_dragging() && !cx.editor.history().is_previewing() {
        hover.is_shown = true;
        actions.push(Action::Preview(crate::editor::Editor::material_edit(
            material,
        )));
    }
}

/// Draws the tiles; gives the one under the pointer, and whether it was clicked.
fn tiles<'a>(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    shown: &[&'a Entry],
    actions: &mut Vec<Action>,
) -> Option<(&'a Entry, bool)> {
    let mut over = None;
    let side = size::TILE;
    let pitch = side + size::GAP;
    let columns = (((ui.available_width() - 16.0 + size::GAP) / pitch).floor() as usize).max(1);
    let rows = shown.len().div_ceil(columns);
    let current = cx
        .editor
        .current_material
        .as_ref()
        .map(|material| material.name.clone());
    ui.spacing_mut().item_spacing = vec2(size::GAP, size::GAP);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("material tiles")
        .show_rows(ui, side + 36.0, rows, |ui, range| {
            for row in range {
                ui.horizontal(|ui| {
                    ui.add_space(8.0);
                    for &entry in &shown[row * columns..((row + 1) * columns).min(shown.len())] {
                        let is_current = current.as_deref() == Some(&*entry.name);
                        let r = tile(ui, cx, entry, is_current, side, actions);
                        if r.hovered() && !r.dragged() {
                            over = Some((entry, r.clicked()));
                        }
                    }
                });
            }
        });
    over
}

fn tile(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    entry: &Entry,
    selected: bool,
    side: f32,
    actions: &mut Vec<Action>,
) -> egui::Response {
    let id = cx.library.texture(&entry.texture);
    let picture = cx.thumbs.get(ui.ctx(), cx.library, id);
    let note = note_of(cx, id);
    let r = ui
        .push_id(&entry.name, |ui| {
            widgets::tile(
                ui,
                picture,
                &entry.name,
                &note,
                selected,
                entry.faces > 0,
                side,
            )
        })
        .inner;
    if r.clicked() {
        actions.push(Action::Material(material_of(cx, entry)));
    }
    if r.dragged() {
        // The picture follows the pointer; letting go over a view drops it there.
        if let Some(at) = ui.ctx().pointer_latest_pos() {
            let rect = egui::Rect::from_center_size(at, vec2(64.0, 64.0));
            let layer =
                egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("dragged material"));
            let tint = egui::Color32::from_white_alpha(204);
            let uv = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            ui.ctx().layer_painter(layer).image(picture, rect, uv, tint);
        }
    }
    if r.drag_stopped()
        && let Some(at) = ui.ctx().pointer_latest_pos()
    {
        let held = ui.input(|i| i.modifiers);
        actions.push(Action::DropMaterial(material_of(cx, entry), at, held));
    }
    r
}

fn note_of(cx: &Cx<'_>, id: TextureId) -> String {
    match cx.library.state(id) {
        TextureState::Ready(picture) => format!("{} \u{d7} {}", picture.width, picture.height),
        TextureState::Loading => "Loading".to_owned(),
        TextureState::Missing => "Not found".to_owned(),
        TextureState::Failed(_) => "Cannot be read".to_owned(),
    }
}

/// The map's own row, or a new one: one repeat as large as the picture.
fn material_of(cx: &Cx<'_>, entry: &Entry) -> Material {
    if let Some(material) = entry.material.and_then(|id| cx.editor.doc().material(id)) {
        return material.clone();
    }
    let mut material = Material::new(entry.name.clone(), entry.texture.clone());
    if let Some(id) = cx.library.find(&entry.texture)
        && let TextureState::Ready(picture) = cx.library.state(id)
    {
        material.tile_size = glam::Vec2::new(picture.width as f32, picture.height as f32);
    }
    material
}

/// Materials of the map first, then every other texture that is found; made anew when one of them changed.
fn rebuild(state: &mut MaterialsState, cx: &Cx<'_>) {
    let doc = cx.editor.history().committed().doc.clone();
    let resolver = cx
        .library
        .resolver()
        .map(|resolver| std::ptr::from_ref(&**resolver) as usize);
    if state
        .built
        .as_ref()
        .is_some_and(|(old, seen)| old.same(&doc) && *seen == resolver)
    {
        return;
    }
    let mut faces: BTreeMap<MaterialId, usize> = BTreeMap::new();
    for (_, object) in doc.objects() {
        let mut count = |material: Option<MaterialId>| {
            if let Some(material) = material {
                *faces.entry(material).or_default() += 1;
            }
        };
        match &object.kind {
            Kind::Brush(brush) => brush.faces().iter().for_each(|face| count(face.material)),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .for_each(|polygon| count(polygon.material)),
            _ => {}
        }
    }
    let mut entries: Vec<Entry> = doc
        .materials()
        .map(|(id, material)| Entry {
            name: material.name.clone(),
            texture: material.texture.clone(),
            material: Some(id),
            faces: faces.get(&id).copied().unwrap_or(0),
        })
        .collect();
    entries.sort_by_cached_key(|entry| (entry.faces == 0, entry.name.to_lowercase()));
    let known: std::collections::BTreeSet<String> =
        entries.iter().map(|entry| plain(&entry.texture)).collect();
    if let Some(resolver) = cx.library.resolver() {
        let others = resolver
            .names()
            .filter(|name| !known.contains(&plain(name)));
        entries.extend(others.map(|name| Entry {
            name: short_name(name),
            texture: name.to_owned(),
            material: None,
            faces: 0,
        }));
    }
    state.entries = entries;
    state.built = Some((doc, resolver));
}

/// How names are compared: without case, folder marks or ending.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace('\\', "/");
    match name.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 4 => stem.to_owned(),
        _ => name,
    }
}

/// `textures/brick_red.png` is shown as `brick_red`.
fn short_name(texture: &str) -> String {
    let stem = texture.rsplit(['/', '\\']).next().unwrap_or(texture);
    match stem.rsplit_once('.') {
        Some((name, ending)) if ending.len() <= 4 && !name.is_empty() => name.to_owned(),
        _ => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_compare_without_ending() {
        assert_eq!(short_name("textures/brick_red.png"), "brick_red");
        assert_eq!(short_name("halflife\\CRATE01"), "CRATE01");
        assert_eq!(short_name("+0button1a"), "+0button1a");
        assert_eq!(plain("Textures\\Brick.PNG"), plain("textures/brick"));
    }
}
