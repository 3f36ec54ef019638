//! The material browser: pictures of what the map uses and of all textures that are found. A click applies (TEX-2) and makes
//! current (TEX-1).

mod list;
mod tiles;

use std::collections::BTreeSet;

use egui::Align;
use egui::Layout;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use self::list::Entries;
use self::list::Entry;
use self::list::Shown;
use crate::document::Document;
use crate::document::Material;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::size;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

pub struct MaterialsState {
    search: String,
    /// 0 all, 1 in map.
    scope: usize,
    /// Points that a picture is wide.
    side: f32,
    entries: Entries,
    built: Option<(Document, Option<usize>)>,
    /// What is shown, and for which words and scope.
    shown: Vec<Shown>,
    searched: Option<(String, usize)>,
    /// Titles of groups that are folded.
    closed: BTreeSet<String>,
    /// Last used first.
    recent: Vec<Material>,
    hover: Option<Hover>,
    /// A carried tile was given up with `Esc`.
    put_back: bool,
    /// The map shows what letting go would do.
    carrying: bool,
}

impl Default for MaterialsState {
    fn default() -> Self {
        Self {
            search: String::new(),
            scope: 0,
            // A row of pictures with its words, below a heading, is what the dock has room for.
            side: size::TILE - 12.0,
            entries: Entries::default(),
            built: None,
            shown: Vec::new(),
            searched: None,
            closed: BTreeSet::new(),
            recent: Vec::new(),
            hover: None,
            put_back: false,
            carrying: false,
        }
    }
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

/// Widths that pictures may have.
const SMALLEST: f32 = 48.0;
const LARGEST: f32 = 256.0;

/// Materials in the row of recent ones.
const RECENT: usize = 12;

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
    bar(ui, state, cx, actions);
    let key = (state.search.trim().to_lowercase(), state.scope);
    if state.searched.as_ref() != Some(&key) {
        state.shown = state.entries.search(&key.0, key.1 == 1);
        state.searched = Some(key);
    }
    if state.shown.is_empty() {
        nothing(ui, state, actions);
        return;
    }
    zoom(ui, state);
    let reply = tiles::ui(
        ui,
        cx,
        &state.entries,
        &state.shown,
        &state.closed,
        state.side.round(),
        actions,
    );
    if let Some(title) = reply.toggled
        && !state.closed.remove(&title)
    {
        state.closed.insert(title);
    }
    let over = reply
        .over
        .map(|(entry, clicked)| (entry.name.clone(), material_of(cx, entry), clicked));
    let carried = reply.dragged.map(|entry| (material_of(cx, entry), false));
    let dropped = reply.dropped.map(|entry| (material_of(cx, entry), true));
    if let Some(entry) = reply.dragged
        && !state.put_back
    {
        tiles::carried(ui, cx, entry);
    }
    carry(ui, state, dropped.or(carried), actions);
    try_on(ui, &mut state.hover, cx, over, actions);
}

/// A tile on its way: the map shows what letting go would do; `Esc` puts it back.
fn carry(
    ui: &Ui,
    state: &mut MaterialsState,
    carried: Option<(Material, bool)>,
    actions: &mut Vec<Action>,
) {
    let Some((material, let_go)) = carried else {
        state.put_back = false;
        if std::mem::take(&mut state.carrying) {
            actions.push(Action::Cancel);
        }
        return;
    };
    if ui.input(|i| i.key_pressed(egui::Key::Escape)) {
        state.put_back = true;
        actions.push(Action::Cancel);
    }
    if state.put_back {
        state.carrying = false;
        return;
    }
    let Some(at) = ui.ctx().pointer_latest_pos() else {
        return;
    };
    let held = ui.input(|i| i.modifiers);
    state.carrying = !let_go;
    actions.push(if let_go {
        Action::DropMaterial(material, at, held)
    } else {
        Action::CarryMaterial(material, at, held)
    });
}

/// Search, scope, size, what was used last.
fn bar(ui: &mut Ui, state: &mut MaterialsState, cx: &mut Cx<'_>, actions: &mut Vec<Action>) {
    let inner = egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 4));
    inner.show(ui, |ui| {
        let room = vec2(ui.available_width(), size::FIELD);
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
            let width = 180.0_f32.min(ui.available_width() * 0.35);
            widgets::search_field(ui, &mut state.search, "Find material", width);
            widgets::segmented(ui, "Show", &["All", "In map"], &mut state.scope);
            widgets::slider(
                ui,
                &mut state.side,
                SMALLEST..=LARGEST,
                "Size of pictures",
                72.0,
            );
            fold_all(ui, state);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if widgets::icon_button(ui, icons::IMPORT, "Add textures\u{2026}", false).clicked()
                {
                    actions.push(Action::AddTextures);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    recent(ui, state, cx, actions);
                });
            });
        });
    });
}

/// One button that folds every group, or opens them when all are folded.
fn fold_all(ui: &mut Ui, state: &mut MaterialsState) {
    if state.shown.len() < 2 {
        return;
    }
    let titles = state
        .shown
        .iter()
        .map(|shown| state.entries.groups.get(shown.group));
    let titles: Vec<String> = titles.flatten().map(|group| group.title.clone()).collect();
    let folded = titles.iter().all(|title| state.closed.contains(title));
    let (icon, name) = if folded {
        (icons::FOLDER, "Open all groups")
    } else {
        (icons::FOLDER_OPEN, "Fold all groups")
    };
    if widgets::icon_button(ui, icon, name, false).clicked() {
        state.closed.clear();
        if !folded {
            state.closed.extend(titles);
        }
    }
}

/// Small pictures of the materials used last; a click applies.
fn recent(ui: &mut Ui, state: &MaterialsState, cx: &mut Cx<'_>, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let p = Palette::of(ui.ctx());
    let room = (ui.available_width() / (size::BUTTON + 2.0)).floor() as usize;
    for material in state.recent.iter().take(room.saturating_sub(1)) {
        let thumb = cx.thumbs.named(ui.ctx(), &material.texture, 32.0);
        let (rect, r) = ui.allocate_exact_size(vec2(size::BUTTON, size::BUTTON), Sense::click());
        let name = format!("Recent: {}", material.name);
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
        if r.hovered() {
            ui.painter().rect_filled(rect, 4.0, p.button_hover);
        }
        let inner = rect.shrink(2.0);
        egui::Image::new((thumb.picture, inner.size()))
            .corner_radius(3)
            .paint_at(ui, inner);
        widgets::focus_ring(ui, &r, &p);
        if r.on_hover_text(name).clicked() {
            actions.push(Action::Material(material.clone()));
        }
    }
}

fn nothing(ui: &mut Ui, state: &mut MaterialsState, actions: &mut Vec<Action>) {
    if !state.search.trim().is_empty() {
        widgets::empty_state(
            ui,
            icons::SEARCH,
            &format!("Nothing matches \"{}\"", state.search),
            "Names, folders and containers are looked at, each word by itself",
        );
        ui.vertical_centered(|ui| {
            if widgets::button(ui, None, "Clear search", Weight::Normal).clicked() {
                state.search.clear();
            }
        });
        return;
    }
    if state.scope == 1 {
        widgets::empty_state(
            ui,
            icons::IMAGE,
            "The map shows no material yet",
            "Select a brush and click a picture under All",
        );
        return;
    }
    widgets::empty_state(
        ui,
        icons::IMAGE,
        "No textures yet",
        "Add a folder, a WAD or a package",
    );
    ui.vertical_centered(|ui| {
        let words = "Add textures\u{2026}";
        if widgets::button(ui, Some(icons::PLUS), words, Weight::Normal).clicked() {
            actions.push(Action::AddTextures);
        }
    });
}

/// The wheel with `Ctrl` changes the size of the pictures.
fn zoom(ui: &Ui, state: &mut MaterialsState) {
    if !ui.rect_contains_pointer(ui.available_rect_before_wrap()) {
        return;
    }
    let factor = ui.input(egui::InputState::zoom_delta);
    if factor != 1.0 {
        state.side = (state.side * factor).clamp(SMALLEST, LARGEST);
    }
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
            actions.push(Action::TryMaterial(None));
        }
        return;
    };
    if hover.as_ref().is_none_or(|hover| hover.name != name) {
        if hover.take().is_some_and(|hover| hover.is_shown) {
            actions.push(Action::TryMaterial(None));
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
        actions.push(Action::TryMaterial(Some(material)));
    }
}

/// The map's own row, or a new one: one repeat as large as the picture.
fn material_of(cx: &Cx<'_>, entry: &Entry) -> Material {
    let own = entry.material.and_then(|id| cx.editor.doc().material(id));
    if let Some(material) = own {
        return material.clone();
    }
    let mut material = Material::new(entry.name.clone(), entry.texture.clone());
    let resolver = cx.library.resolver();
    if let Some([w, h]) = resolver.and_then(|resolver| resolver.size(&entry.texture)) {
        material.tile_size = glam::Vec2::new(w as f32, h as f32);
    }
    material
}

/// Made anew when the map or the sources changed.
fn rebuild(state: &mut MaterialsState, cx: &Cx<'_>) {
    if let Some(current) = &cx.editor.current_material
        && state
            .recent
            .first()
            .is_none_or(|last| last.name != current.name)
    {
        state.recent.retain(|old| old.name != current.name);
        state.recent.insert(0, current.clone());
        state.recent.truncate(RECENT);
    }
    let doc = cx.editor.history().committed().doc.clone();
    let resolver = cx.library.resolver();
    let seen = resolver.map(|resolver| std::ptr::from_ref(&**resolver) as usize);
    let fresh = state
        .built
        .as_ref()
        .is_some_and(|(old, of)| old.same(&doc) && *of == seen);
    if fresh {
        return;
    }
    state.entries = Entries::new(&doc, resolver.map(|resolver| &**resolver));
    state.searched = None;
    state.built = Some((doc, seen));
}
