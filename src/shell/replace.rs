//! TEX-10: one material in place of another, with what is missing first and how many faces there are.

use std::collections::BTreeSet;

use egui::Align;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::assets::Library;
use crate::document::Material;
use crate::document::MaterialId;
use crate::editor::Editor;
use crate::editor::texturing::Candidate;
use crate::editor::texturing::ReplaceScope;
use crate::shell::dialogs;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::text;
use crate::shell::thumbs::Thumbs;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// The open dialog.
pub struct Replace {
    scope: usize,
    from: Option<Goes>,
    to: Option<Material>,
    from_search: String,
    to_search: String,
}

/// What is replaced; `None` = faces without a material.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Goes(Option<MaterialId>);

const SCOPES: [(ReplaceScope, &str); 3] = [
    (ReplaceScope::Map, "Whole map"),
    (ReplaceScope::Selection, "Selection"),
    (ReplaceScope::Layer, "Current layer"),
];

const ROW: f32 = 32.0;
const HEIGHT: f32 = ROW * 9.0;

impl Replace {
    /// `name`: the material that goes; without one the first missing.
    #[must_use]
    pub fn new(editor: &Editor, name: Option<&str>) -> Self {
        let rows = editor.replace_candidates(ReplaceScope::Map);
        let from = match name {
            Some(name) => rows.iter().find(|row| row.name == name),
            None => rows.iter().find(|row| row.missing),
        };
        Self {
            scope: 0,
            from: from.map(|row| Goes(row.material)),
            to: editor.current_material.clone(),
            from_search: String::new(),
            to_search: String::new(),
        }
    }

    /// Draws it; false when it closes.
    pub fn ui(
        &mut self,
        ctx: &egui::Context,
        editor: &Editor,
        library: &Library,
        thumbs: &mut Thumbs,
        actions: &mut Vec<Action>,
    ) -> bool {
        let mut open = true;
        let modal = dialogs::modal(ctx, "replace material", 640.0, |ui| {
            dialogs::title(ui, "Replace material");
            widgets::segmented(ui, "In", &SCOPES.map(|(_, name)| name), &mut self.scope);
            ui.add_space(8.0);
            let rows = editor.replace_candidates(SCOPES[self.scope].0);
            if self
                .from
                .is_some_and(|from| rows.iter().all(|row| Goes(row.material) != from))
            {
                self.from = None;
            }
            let room = vec2(ui.available_width(), HEIGHT + 32.0);
            ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Min), |ui| {
                let column = vec2((room.x - 16.0) / 2.0, room.y);
                ui.allocate_ui_with_layout(column, Layout::top_down(Align::Min), |ui| {
                    self.goes_ui(ui, editor, thumbs, &rows);
                });
                ui.add_space(8.0);
                ui.allocate_ui_with_layout(column, Layout::top_down(Align::Min), |ui| {
                    self.comes_ui(ui, editor, library, thumbs);
                });
            });
            ui.add_space(12.0);
            let foot = vec2(ui.available_width(), 28.0);
            ui.allocate_ui_with_layout(foot, Layout::right_to_left(Align::Center), |ui| {
                open = self.foot(ui, &rows, actions);
            });
        });
        open && !modal.closed
    }

    fn foot(&self, ui: &mut Ui, rows: &[Candidate], actions: &mut Vec<Action>) -> bool {
        let p = Palette::of(ui.ctx());
        let from = self
            .from
            .and_then(|from| rows.iter().find(|row| Goes(row.material) == from));
        let refusal = match (from, &self.to) {
            (None, _) => Some("Choose what is replaced on the left"),
            (_, None) => Some("Choose what comes in its place on the right"),
            (Some(from), Some(to)) if from.name == to.name => Some("Both are the same material"),
            _ => None,
        };
        let mut stays = true;
        let words = from.map_or_else(
            || "Replace".to_owned(),
            |row| format!("Replace on {}", say::counted(row.faces, "face", "faces")),
        );
        let r = ui
            .add_enabled_ui(refusal.is_none(), |ui| {
                widgets::button(ui, None, &words, Weight::Primary)
            })
            .inner;
        if r.clicked()
            && let (Some(row), Some(to)) = (from, &self.to)
        {
            actions.push(Action::Replace(
                row.material,
                to.clone(),
                SCOPES[self.scope].0,
            ));
        }
        if widgets::button(ui, None, "Close", Weight::Normal).clicked() {
            stays = false;
        }
        if let Some(reason) = refusal {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = egui::RichText::new(reason)
                    .font(regular(text::SMALL))
                    .color(p.text_faint);
                ui.label(words);
            });
        }
        stays
    }

    fn goes_ui(&mut self, ui: &mut Ui, editor: &Editor, thumbs: &mut Thumbs, rows: &[Candidate]) {
        let width = ui.available_width();
        widgets::search_field(ui, &mut self.from_search, "Find what goes", width);
        let wanted = self.from_search.to_lowercase();
        let found: Vec<&Candidate> = rows
            .iter()
            .filter(|row| row.name.to_lowercase().contains(&wanted))
            .collect();
        if found.is_empty() {
            widgets::empty_state(
                ui,
                icons::IMAGE,
                "No material here",
                "Nothing in this scope fits",
            );
            return;
        }
        let mut chosen = None;
        list(ui, "from", found.len(), |ui, index| {
            let row = found[index];
            let texture = row
                .material
                .and_then(|id| editor.doc().material(id))
                .map_or("", |material| material.texture.as_str());
            let note = say::counted(row.faces, "face", "faces");
            let note = if row.missing {
                format!("missing, {note}")
            } else {
                note
            };
            let lit = self.from == Some(Goes(row.material));
            if line(
                ui,
                thumbs,
                (texture, &row.name, &note),
                lit,
                row.missing,
                "Replace",
            ) {
                chosen = Some(Goes(row.material));
            }
        });
        self.from = chosen.or(self.from);
    }

    fn comes_ui(&mut self, ui: &mut Ui, editor: &Editor, library: &Library, thumbs: &mut Thumbs) {
        let width = ui.available_width();
        widgets::search_field(ui, &mut self.to_search, "Find what comes", width);
        let wanted = self.to_search.to_lowercase();
        // The map's own rows keep their sizes and flags; the rest is what sources have.
        let mut rows: Vec<(String, String, bool)> = editor
            .doc()
            .materials()
            .map(|(_, material)| (material.name.clone(), material.texture.clone(), true))
            .collect();
        let own: BTreeSet<String> = rows.iter().map(|(name, ..)| name.to_lowercase()).collect();
        if let Some(resolver) = library.resolver() {
            for listed in resolver.listed() {
                let name = short(listed.name);
                if !own.contains(&name.to_lowercase()) {
                    rows.push((name, listed.name.to_owned(), false));
                }
            }
        }
        rows.retain(|(name, ..)| name.to_lowercase().contains(&wanted));
        rows.sort_by_cached_key(|(name, _, own)| (!own, name.to_lowercase()));
        let mut chosen = None;
        list(ui, "to", rows.len(), |ui, index| {
            let (name, texture, own) = &rows[index];
            let note = if *own { "in the map" } else { "" };
            let lit = self.to.as_ref().is_some_and(|to| to.name == *name);
            if line(ui, thumbs, (texture, name, note), lit, false, "By") {
                chosen = Some(made(editor, library, name, texture));
            }
        });
        self.to = chosen.or(self.to.take());
    }
}

/// The map's row of this name, or a new one as large as its picture.
fn made(editor: &Editor, library: &Library, name: &str, texture: &str) -> Material {
    if let Some(known) = editor
        .doc()
        .materials()
        .find(|(_, material)| material.name == name)
    {
        return known.1.clone();
    }
    let mut material = Material::new(name.to_owned(), texture.to_owned());
    if let Some([w, h]) = library.resolver().and_then(|all| all.size(texture)) {
        material.tile_size = glam::Vec2::new(w as f32, h as f32);
    }
    material
}

fn short(texture: &str) -> String {
    texture.rsplit('/').next().unwrap_or(texture).to_owned()
}

fn list(ui: &mut Ui, name: &str, rows: usize, mut row: impl FnMut(&mut Ui, usize)) {
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .id_salt(("replace list", name))
        .max_height(HEIGHT)
        .auto_shrink([false, false])
        .show_rows(ui, ROW, rows, |ui, range| {
            for index in range {
                row(ui, index);
            }
        });
}

/// A row with a picture; true when it was clicked.
fn line(
    ui: &mut Ui,
    thumbs: &mut Thumbs,
    (texture, name, note): (&str, &str, &str),
    lit: bool,
    warns: bool,
    role: &str,
) -> bool {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    r.widget_info(|| {
        egui::WidgetInfo::selected(
            egui::Role::ListBoxOption,
            true,
            lit,
            format!("{role} {name}"),
        )
    });
    if lit || r.hovered() {
        let fill = if lit { p.accent_soft } else { p.row_hover };
        ui.painter().rect_filled(rect, 4.0, fill);
    }
    let square = Rect::from_min_size(rect.min + vec2(4.0, 4.0), vec2(24.0, 24.0));
    if texture.is_empty() {
        ui.painter().rect_filled(square, 3.0, p.button);
    } else {
        let picture = thumbs.named(ui.ctx(), texture, 32.0).picture;
        egui::Image::new((picture, square.size()))
            .corner_radius(3)
            .paint_at(ui, square);
    }
    let words = rect
        .with_min_x(square.right() + 8.0)
        .with_max_x(rect.right() - 8.0);
    let ink = if lit { p.on_soft } else { p.text };
    let used = widgets::line(ui, words, Align::Min, name, medium(text::BODY), ink);
    let after = words.with_min_x(words.left() + used + 8.0);
    let dim = if warns { p.warning } else { p.text_faint };
    widgets::line(ui, after, Align::Max, note, regular(text::SMALL), dim);
    r.clicked()
}
