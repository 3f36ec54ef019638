//! The menu bar: mark, menus out of the command table, the map's name, the way to the palette, settings.

use egui::Align;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Shape;
use egui::Stroke;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::editor::Command;
use crate::editor::Editor;
use crate::editor::commands::MenuTitle;
use crate::shell::frame::Action;
use crate::shell::frame::SettingChange;
use crate::shell::icons;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// The mark: a plan wall with two gables and a plumb bob, on a 20 grid.
pub fn mark(ui: &Ui, rect: Rect) {
    let p = Palette::of(ui.ctx());
    let scale = rect.width() / 20.0;
    let at = |x: f32, y: f32| rect.min + vec2(x, y) * scale;
    let wall = vec![
        at(2.5, 17.0),
        at(2.5, 5.0),
        at(10.0, 11.5),
        at(17.5, 5.0),
        at(17.5, 17.0),
    ];
    ui.painter()
        .add(Shape::line(wall, Stroke::new(2.0 * scale, p.accent)));
    ui.painter()
        .circle_filled(at(10.0, 11.5), 2.4 * scale, p.accent);
    ui.painter().line_segment(
        [at(2.5, 17.0), at(17.5, 17.0)],
        Stroke::new(2.0 * scale, p.accent.gamma_multiply(0.45)),
    );
}

/// Draws the bar into all of `ui`.
pub fn ui(ui: &mut Ui, editor: &Editor, start_screen: bool, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0.0, p.bar);
    let mark_rect = Rect::from_min_size(
        pos2(rect.left() + 11.0, rect.center().y - 9.0),
        vec2(18.0, 18.0),
    );
    mark(ui, mark_rect);
    let menus = rect.with_min_x(rect.left() + 40.0);
    let mut left = ui.new_child(
        UiBuilder::new()
            .max_rect(menus)
            .layout(Layout::left_to_right(Align::Center)),
    );
    egui::MenuBar::new().ui(&mut left, |ui| {
        ui.spacing_mut().button_padding = vec2(8.0, 4.0);
        ui.spacing_mut().item_spacing.x = 2.0;
        for title in MenuTitle::BAR {
            ui.menu_button(
                egui::RichText::new(title.label()).font(regular(text::BODY)),
                |ui| {
                    menu(ui, editor, title, actions);
                },
            );
        }
    });
    let used = left.min_rect().right();
    let mut right = ui.new_child(
        UiBuilder::new()
            .max_rect(rect.shrink2(vec2(8.0, 4.0)))
            .layout(Layout::right_to_left(Align::Center)),
    );
    let gear = widgets::icon_button(&mut right, icons::SETTINGS, "Settings", false);
    settings_menu(&gear, editor, actions);
    if rect.width() > 900.0 {
        search(&mut right, editor, actions);
    }
    let from = right.min_rect().left();
    name(
        ui,
        editor,
        start_screen,
        Rect::from_min_max(
            pos2(used + 8.0, rect.top()),
            pos2(from - 8.0, rect.bottom()),
        ),
    );
}

/// The name of the map in the middle of the window, where there is room for it.
fn name(ui: &Ui, editor: &Editor, start_screen: bool, room: Rect) {
    let p = Palette::of(ui.ctx());
    let words = if start_screen {
        "Mapwright".to_owned()
    } else {
        editor.name()
    };
    let galley = ui
        .painter()
        .layout_no_wrap(words.clone(), medium(text::BODY), p.text_dim);
    let dirty = editor.is_dirty() && !start_screen;
    let width = galley.size().x + if dirty { 13.0 } else { 0.0 };
    let middle = ui.ctx().content_rect().center().x;
    let left = (middle - width / 2.0)
        .max(room.left())
        .min(room.right() - width);
    if left < room.left() {
        if room.width() > 40.0 {
            widgets::line(
                ui,
                room,
                Align::Center,
                &words,
                medium(text::BODY),
                p.text_dim,
            );
        }
        return;
    }
    let at = pos2(
        left.round(),
        (room.center().y - galley.size().y / 2.0).round(),
    );
    let end = at.x + galley.size().x;
    ui.painter().galley(at, galley, p.text_dim);
    if dirty {
        ui.painter()
            .circle_filled(pos2(end + 10.0, room.center().y), 3.0, p.warning);
    }
}

fn search(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(248.0, size::FIELD), Sense::click());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Search commands"));
    let edge = if r.hovered() { p.line_strong } else { p.line };
    ui.painter().rect(
        rect,
        4.0,
        p.field,
        Stroke::new(1.0, edge),
        egui::StrokeKind::Inside,
    );
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(14.0, 0.0),
        icons::SEARCH,
        size::ICON_SMALL,
        p.text_faint,
    );
    let inner = rect
        .with_min_x(rect.left() + 28.0)
        .with_max_x(rect.right() - 8.0);
    widgets::line(
        ui,
        inner,
        Align::Min,
        "Search commands",
        regular(text::SMALL),
        p.text_faint,
    );
    let keys = editor.keymap.text("help.palette");
    let keys = if keys.is_empty() {
        "Ctrl+Shift+P".to_owned()
    } else {
        keys
    };
    widgets::line(
        ui,
        inner,
        Align::Max,
        &keys,
        regular(text::CAPTION),
        p.text_faint,
    );
    if r.clicked() {
        actions.push(Action::Palette);
    }
    widgets::focus_ring(ui, &r, &p);
}

/// The rows of one menu.
pub fn menu(ui: &mut Ui, editor: &Editor, title: MenuTitle, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.set_min_width(ui.spacing().menu_width);
    let mut group = None;
    for command in Command::of_menu(title) {
        if group.is_some_and(|group| group != command.menu.group) {
            separator(ui);
        }
        group = Some(command.menu.group);
        command_row(ui, editor, command, actions);
    }
    if title == MenuTitle::File && !editor.settings.recent.is_empty() {
        separator(ui);
        recent(ui, editor, actions);
    }
    if title == MenuTitle::View {
        separator(ui);
        let words = format!("      {}", MenuTitle::Shown.label());
        egui::containers::menu::SubMenuButton::new(words).ui(ui, |ui| {
            menu(ui, editor, MenuTitle::Shown, actions);
        });
    }
}

fn recent(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let button = egui::containers::menu::SubMenuButton::new("      Open recent");
    button.ui(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.set_min_width(280.0);
        for path in editor.settings.recent.iter().take(10) {
            let row = widgets::menu_item(ui, Some(icons::FILE), &say::file_name(path), "", None);
            if row.on_hover_text(path.to_string_lossy()).clicked() {
                actions.push(Action::OpenPath(path.clone()));
                ui.close();
            }
        }
    });
}

/// A line between groups.
pub fn separator(ui: &mut Ui) {
    let p = Palette::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(
        vec2(ui.available_width().min(ui.spacing().menu_width), 9.0),
        Sense::hover(),
    );
    ui.painter().hline(
        rect.x_range(),
        rect.center().y,
        Stroke::new(1.0, p.line_strong),
    );
}

/// One command as a row of a menu; greyed with its reason when it cannot run.
pub fn command_row(
    ui: &mut Ui,
    editor: &Editor,
    command: &'static Command,
    actions: &mut Vec<Action>,
) {
    let ticked = command.checked.is_some_and(|checked| checked(editor));
    let icon = ticked.then_some(icons::CHECK);
    let refusal = (command.enabled)(editor).err();
    let keys = editor.keymap.text(command.id);
    let mut row = widgets::menu_item(ui, icon, command.label, &keys, refusal);
    let step = match command.id {
        "edit.undo" => editor.next_step(false),
        "edit.redo" => editor.next_step(true),
        _ => None,
    };
    if let Some((label, subject)) = step {
        row = row.on_hover_text(format!("{label} {subject}").trim_end());
    }
    if row.clicked() {
        // A refused one says why in the status line.
        actions.push(Action::Run(command));
        ui.close();
    }
}

fn settings_menu(gear: &egui::Response, editor: &Editor, actions: &mut Vec<Action>) {
    egui::Popup::menu(gear)
        .width(240.0)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let heading = |ui: &mut Ui, words: &str| {
                let p = Palette::of(ui.ctx());
                ui.label(
                    egui::RichText::new(words)
                        .font(medium(text::SMALL))
                        .color(p.text_faint),
                );
            };
            let s = &editor.settings;
            ui.add_space(2.0);
            heading(ui, "Theme");
            let names = ["dark", "light", "system"];
            let mut theme = names.iter().position(|name| *name == s.theme).unwrap_or(0);
            let before = theme;
            widgets::segmented(ui, "Theme", &["Dark", "Light", "System"], &mut theme);
            if theme != before {
                actions.push(Action::Set(SettingChange::Theme(names[theme])));
            }
            heading(ui, "Size of the interface");
            let scales = [0.75, 1.0, 1.25, 1.5];
            let mut scale = scales
                .iter()
                .position(|scale| *scale == s.ui_scale)
                .unwrap_or(1);
            let before = scale;
            widgets::segmented(ui, "Size", &["75 %", "100 %", "125 %", "150 %"], &mut scale);
            if scale != before {
                actions.push(Action::Set(SettingChange::Scale(scales[scale])));
            }
            ui.add_space(4.0);
            for (label, on, change) in [
                (
                    "Build after each save",
                    s.build_on_save,
                    SettingChange::BuildOnSave as fn(bool) -> SettingChange,
                ),
                (
                    "Autosave every two minutes",
                    s.autosave,
                    SettingChange::Autosave,
                ),
                (
                    "Invert the mouse when looking",
                    s.invert_y,
                    SettingChange::InvertY,
                ),
                ("Link the 2D views", s.link_2d, SettingChange::Link2d),
            ] {
                let mut now = on;
                widgets::checkbox(ui, &mut now, label);
                if now != on {
                    actions.push(Action::Set(change(now)));
                }
            }
            separator(ui);
            if widgets::menu_item(ui, Some(icons::IMAGE), "Add textures\u{2026}", "", None)
                .clicked()
            {
                actions.push(Action::AddTextures);
                ui.close();
            }
            let words = "Add entity definitions\u{2026}";
            if widgets::menu_item(ui, Some(icons::LIST), words, "", None).clicked() {
                actions.push(Action::AddDefinitions);
                ui.close();
            }
            for path in &s.definitions {
                let name = say::file_name(path);
                let row = widgets::menu_item(ui, Some(icons::CLOSE), &name, "", None);
                let about = format!("Leave out {}", path.display());
                if row.on_hover_text(about).clicked() {
                    actions.push(Action::ForgetDefinitions(path.clone()));
                }
            }
        });
}
