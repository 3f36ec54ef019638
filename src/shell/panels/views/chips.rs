//! The chips in the corners of a view: what it shows, how, and how large it is.

use egui::Id;
use egui::Pos2;
use egui::Rect;
use egui::Response;
use egui::Sense;
use egui::Ui;
use egui::pos2;
use egui::vec2;

use crate::editor::Command;
use crate::editor::Editor;
use crate::editor::RenderMode;
use crate::editor::Toggle;
use crate::editor::ViewKind;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::menu;
use crate::shell::panels::views::kind_name;
use crate::shell::panels::views::mode_name;
use crate::shell::theme::Palette;
use crate::shell::theme::ViewPalette;
use crate::shell::theme::medium;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Kind, mode and maximise in the corners.
pub(super) fn chips(
    ui: &mut Ui,
    editor: &Editor,
    pane: usize,
    rect: Rect,
    actions: &mut Vec<Action>,
) {
    let p = Palette::of(ui.ctx());
    let view = &editor.views[pane];
    let v = if view.is_2d() { &p.view } else { &p.scene };
    if rect.width() < 120.0 || rect.height() < 60.0 {
        return;
    }
    let mut x = rect.left() + 8.0;
    let top = rect.top() + 8.0;
    let kind = view.kind;
    let r = chip_button(
        ui,
        v,
        pos2(x, top),
        kind_name(kind),
        &format!("View kind: {}", kind_name(kind)),
        (pane, "kind"),
    );
    x = r.rect.right() + 4.0;
    egui::Popup::menu(&r).width(200.0).show(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (choice, keys) in [
            (ViewKind::Perspective, ""),
            (ViewKind::Top, "Shift+F2"),
            (ViewKind::Front, "Shift+F3"),
            (ViewKind::Side, "Shift+F4"),
        ] {
            let tick = (choice == kind).then_some(icons::CHECK);
            if widgets::menu_item(ui, tick, kind_name(choice), keys, None).clicked() {
                actions.push(Action::SetKind(pane, choice));
            }
        }
        menu::separator(ui);
        shown_rows(ui, editor, pane, actions);
    });
    if !view.is_2d() {
        let mode = view.mode;
        let r = chip_button(
            ui,
            v,
            pos2(x, top),
            mode_name(mode),
            &format!("Render mode: {}", mode_name(mode)),
            (pane, "mode"),
        );
        egui::Popup::menu(&r).width(200.0).show(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (choice, keys) in [
                (RenderMode::Lit, "F2"),
                (RenderMode::Textured, "F3"),
                (RenderMode::Flat, "F4"),
                (RenderMode::Wire, "Shift+F5"),
            ] {
                let tick = (choice == mode).then_some(icons::CHECK);
                if widgets::menu_item(ui, tick, mode_name(choice), keys, None).clicked() {
                    actions.push(Action::SetMode(pane, choice));
                }
            }
        });
    }
    let full = editor.layout.maximised == Some(pane);
    let (icon, name) = if full {
        (icons::RESTORE, "Show all views")
    } else {
        (icons::MAXIMISE, "Fill with this view")
    };
    let square = Rect::from_min_size(
        pos2(rect.right() - 32.0, top),
        vec2(size::VIEW_CHIP, size::VIEW_CHIP),
    );
    let r = ui.interact(
        square,
        Id::unique(("pane chip", pane, "size")),
        Sense::click(),
    );
    r.widget_info(|| {
        egui::WidgetInfo::labeled(
            egui::Role::Button,
            true,
            format!("{name} ({})", kind_name(kind)),
        )
    });
    ui.painter().rect_filled(square, 4.0, v.chip);
    let ink = if r.hovered() {
        v.chip_text
    } else {
        v.chip_text.gamma_multiply(0.8)
    };
    icons::paint(ui.painter(), square.center(), icon, size::ICON_SMALL, ink);
    if r.clicked() {
        actions.push(Action::Maximise(if full { None } else { Some(pane) }));
    }
    r.on_hover_text(name);
}

/// VIEW-2: what else the view shows.
fn shown_rows(ui: &mut Ui, editor: &Editor, pane: usize, actions: &mut Vec<Action>) {
    let mut group = None;
    for what in Toggle::ALL {
        let Some(command) = Command::find(what.command()) else {
            continue;
        };
        if what.is_of_3d() && editor.views[pane].is_2d() {
            continue;
        }
        if group.is_some_and(|group| group != command.menu.group) {
            menu::separator(ui);
        }
        group = Some(command.menu.group);
        let tick = editor.shows(pane, what).then_some(icons::CHECK);
        let refusal = editor.can_show(what).err();
        let row = widgets::menu_item(ui, tick, command.label, "", refusal);
        if row.clicked() {
            // A refused one says why in the status line.
            actions.push(match refusal {
                None => Action::Turn(pane, what),
                Some(_) => Action::Run(command),
            });
        }
        if refusal.is_none() {
            row.on_hover_text(command.help);
        }
    }
}

fn chip_button(
    ui: &mut Ui,
    v: &ViewPalette,
    at: Pos2,
    words: &str,
    name: &str,
    id: (usize, &str),
) -> Response {
    let galley = ui
        .painter()
        .layout_no_wrap(words.to_owned(), medium(text::SMALL), v.chip_text);
    let rect = Rect::from_min_size(at, vec2(galley.size().x + 30.0, size::VIEW_CHIP));
    let r = ui.interact(rect, Id::unique(("pane chip", id)), Sense::click());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, name));
    ui.painter().rect_filled(rect, 4.0, v.chip);
    if r.hovered() {
        ui.painter()
            .rect_filled(rect, 4.0, v.chip_text.gamma_multiply(0.08));
    }
    let y = (rect.center().y - galley.size().y / 2.0).round();
    ui.painter()
        .galley(pos2(rect.left() + 8.0, y), galley, v.chip_text);
    icons::paint(
        ui.painter(),
        rect.right_center() - vec2(12.0, 0.0),
        icons::CARET_DOWN,
        10.0,
        v.chip_text.gamma_multiply(0.8),
    );
    r
}
