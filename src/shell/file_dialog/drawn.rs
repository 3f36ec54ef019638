//! What the file dialog looks like, and what its parts do when they are clicked.

use std::path::Path;
use std::path::PathBuf;
use std::time::SystemTime;

use egui::Align;
use egui::Key;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Stroke;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::shell::dialogs;
use crate::shell::file_dialog::FileDialog;
use crate::shell::file_dialog::Purpose;
use crate::shell::file_dialog::Reply;
use crate::shell::file_dialog::Row;
use crate::shell::icons;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

impl FileDialog {
    /// Draws the dialog over everything.
    pub fn ui(&mut self, ctx: &egui::Context) -> Reply {
        let mut reply = Reply::Open;
        let modal = dialogs::modal(ctx, "file dialog", 720.0, |ui| {
            ui.set_height(448.0);
            let (pad, full) = (16.0, ui.max_rect());
            let head = Rect::from_min_size(full.min, vec2(full.width(), 64.0));
            let foot = Rect::from_min_max(pos2(full.left(), full.bottom() - 44.0), full.max);
            let left = Rect::from_min_max(
                pos2(full.left(), head.bottom()),
                pos2(full.left() + 168.0, foot.top() - 8.0),
            );
            let list = Rect::from_min_max(
                pos2(left.right() + pad, head.bottom()),
                pos2(full.right(), foot.top() - 8.0),
            );
            let part = |ui: &mut Ui, rect: Rect, layout: Layout| {
                ui.new_child(UiBuilder::new().max_rect(rect).layout(layout))
            };
            self.head_ui(&mut part(ui, head, Layout::top_down(Align::Min)));
            self.places_ui(&mut part(ui, left, Layout::top_down(Align::Min)));
            if let Some(picked) = self.list_ui(&mut part(ui, list, Layout::top_down(Align::Min))) {
                reply = picked;
            }
            if let Some(picked) =
                self.foot_ui(&mut part(ui, foot, Layout::right_to_left(Align::Center)))
            {
                reply = picked;
            }
            ui.expand_to_include_rect(full);
        });
        self.just_opened = false;
        if modal.closed && reply == Reply::Open {
            reply = Reply::Cancelled;
        }
        reply
    }

    fn head_ui(&mut self, ui: &mut Ui) {
        dialogs::title(ui, self.purpose.title());
        ui.horizontal(|ui| {
            let parent = self.folder.parent().map(Path::to_owned);
            ui.add_enabled_ui(parent.is_some(), |ui| {
                if widgets::icon_button(ui, icons::ALIGN_TOP, "Parent folder", false).clicked()
                    && let Some(parent) = parent
                {
                    self.go(&parent);
                }
            });
            let width = ui.available_width() - 208.0;
            let field = widgets::text_field(ui, &mut self.folder_text, "Folder", "", width);
            if field.lost_focus() {
                let typed = PathBuf::from(self.folder_text.trim());
                if typed.is_dir() {
                    self.go(&typed);
                } else {
                    self.folder_text = self.folder.to_string_lossy().into_owned();
                }
            }
            widgets::search_field(ui, &mut self.search, "Find here", 200.0);
        });
    }

    fn places_ui(&mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut target = None;
        for (index, (name, path)) in self.places.iter().enumerate() {
            let p = Palette::of(ui.ctx());
            let row = widgets::tree_row(
                ui,
                ui.scope_id().with(("place", index)),
                &widgets::TreeRow {
                    depth: 0,
                    open: None,
                    icon: icons::FOLDER,
                    icon_color: p.text_dim,
                    name,
                    note: "",
                    selected: *path == self.folder,
                    hidden: false,
                    locked: false,
                    focused: false,
                    marks: false,
                },
            );
            if row.row.clicked() {
                target = Some(path.clone());
            }
        }
        if let Some(path) = target {
            self.go(&path);
        }
    }

    fn list_ui(&mut self, ui: &mut Ui) -> Option<Reply> {
        let p = Palette::of(ui.ctx());
        let ground = ui.max_rect();
        ui.painter().rect(
            ground,
            4.0,
            p.field,
            Stroke::new(1.0, p.line),
            egui::StrokeKind::Inside,
        );
        if let Some(error) = &self.error {
            widgets::empty_state(ui, icons::ERROR, "Nothing to show", error);
            return None;
        }
        let wanted = self.search.to_lowercase();
        let shown: Vec<usize> = (0..self.rows.len())
            .filter(|&index| self.rows[index].name.to_lowercase().contains(&wanted))
            .collect();
        if shown.is_empty() {
            let title = if wanted.is_empty() {
                "No maps in this folder".to_owned()
            } else {
                format!("Nothing matches \"{}\"", self.search)
            };
            widgets::empty_state(ui, icons::FILE, &title, "Choose another folder at the left");
            return None;
        }
        let mut reply = None;
        let mut into = None;
        let now = SystemTime::now();
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::ScrollArea::vertical().auto_shrink(false).show_rows(
            ui,
            size::ROW,
            shown.len(),
            |ui, range| {
                for &index in &shown[range] {
                    let row = &self.rows[index];
                    let (rect, response) = ui
                        .allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::click());
                    let selected = self.selected == Some(index);
                    response.widget_info(|| {
                        egui::WidgetInfo::selected(
                            egui::Role::ListBoxOption,
                            true,
                            selected,
                            &row.name,
                        )
                    });
                    row_look(ui, rect, row, selected, response.hovered(), now, &p);
                    if response.clicked() {
                        self.selected = Some(index);
                        if !row.is_folder && self.purpose.is_for_writing() {
                            self.name.clone_from(&row.name);
                        }
                    }
                    if response.double_clicked() {
                        if row.is_folder {
                            into = Some(row.path.clone());
                        } else if !self.purpose.is_for_writing() {
                            reply = Some(Reply::Picked(row.path.clone()));
                        }
                    }
                }
            },
        );
        if let Some(folder) = into {
            self.go(&folder);
        }
        reply
    }

    fn foot_ui(&mut self, ui: &mut Ui) -> Option<Reply> {
        let choice = self.choice();
        let mut picked = None;
        let words = if self.asks_overwrite {
            "Replace"
        } else {
            self.purpose.button()
        };
        let confirmed = ui
            .add_enabled_ui(choice.is_some(), |ui| {
                widgets::button(ui, None, words, Weight::Primary).clicked()
            })
            .inner;
        if widgets::button(ui, None, "Cancel", Weight::Normal).clicked() {
            return Some(Reply::Cancelled);
        }
        let entered;
        if self.purpose.is_for_writing() {
            let width = ui.available_width() - 60.0;
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label("Name");
                let field = widgets::text_field(
                    ui,
                    &mut self.name,
                    "File name",
                    "name.hmap",
                    width.max(80.0),
                );
                if field.changed() {
                    self.asks_overwrite = false;
                }
                if self.just_opened {
                    field.request_focus();
                }
            });
            entered = ui.input(|i| i.key_pressed(Key::Enter));
        } else {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let mut all = self.all_files;
                if widgets::checkbox(ui, &mut all, "All files").clicked() {
                    self.all_files = all;
                    self.list();
                }
            });
            entered = ui.input(|i| i.key_pressed(Key::Enter)) && self.selected.is_some();
            if self.selected.is_none()
                && ui.input(|i| i.key_pressed(Key::ArrowDown))
                && !self.rows.is_empty()
            {
                self.selected = Some(0);
            } else if let Some(at) = self.selected {
                let last = self.rows.len().saturating_sub(1);
                self.selected = Some(ui.input(|i| {
                    let down = i.num_presses(Key::ArrowDown);
                    let up = i.num_presses(Key::ArrowUp);
                    (at + down).saturating_sub(up).min(last)
                }));
            }
        }
        if (confirmed || entered)
            && let Some(path) = choice
        {
            if path.is_dir() && self.purpose != Purpose::AddTextures {
                self.go(&path);
            } else if self.purpose.is_for_writing() && path.exists() && !self.asks_overwrite {
                self.asks_overwrite = true;
            } else {
                picked = Some(Reply::Picked(path));
            }
        }
        picked
    }
}

fn row_look(
    ui: &Ui,
    rect: Rect,
    row: &Row,
    selected: bool,
    hovered: bool,
    now: SystemTime,
    p: &Palette,
) {
    let rect = rect.shrink2(vec2(1.0, 0.0));
    if selected || hovered {
        ui.painter().rect_filled(
            rect,
            0.0,
            if selected { p.accent_soft } else { p.row_hover },
        );
    }
    let icon = if row.is_folder {
        icons::FOLDER
    } else {
        icons::FILE
    };
    let ink = if selected { p.on_soft } else { p.text };
    let faint = if selected { p.on_soft } else { p.text_faint };
    icons::paint(
        ui.painter(),
        pos2(rect.left() + 16.0, rect.center().y),
        icon,
        size::ICON_SMALL,
        p.text_dim,
    );
    let right = rect.right() - 10.0;
    let cell =
        |from: f32, to: f32| Rect::from_min_max(pos2(from, rect.top()), pos2(to, rect.bottom()));
    widgets::line(
        ui,
        cell(rect.left() + 30.0, right - 190.0),
        Align::Min,
        &row.name,
        regular(text::BODY),
        ink,
    );
    if !row.is_folder {
        let words = say::bytes(row.bytes);
        widgets::line(
            ui,
            cell(right - 190.0, right - 120.0),
            Align::Max,
            &words,
            regular(text::SMALL),
            faint,
        );
    }
    if let Some(time) = row.time {
        widgets::line(
            ui,
            cell(right - 112.0, right),
            Align::Max,
            &say::when(time, now),
            regular(text::SMALL),
            faint,
        );
    }
}
