//! Entity classes that can be placed: a click takes the entity tool, a drag into a view places one (ENT-1).

use egui::Align;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::editor::ToolKind;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::panels::views::class_color;
use crate::shell::panels::views::class_glyph;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

#[derive(Default)]
pub struct EntitiesState {
    search: String,
}

const COLUMN: f32 = 208.0;

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut EntitiesState, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| {
            let width = 200.0_f32.min(ui.available_width());
            widgets::search_field(ui, &mut state.search, "Find class", width);
        });
    let wanted = state.search.trim().to_lowercase();
    let shown: Vec<&String> = cx
        .classes
        .point
        .iter()
        .filter(|class| class.to_lowercase().contains(&wanted))
        .collect();
    if shown.is_empty() {
        let title = format!("Nothing matches \"{}\"", state.search);
        widgets::empty_state(
            ui,
            icons::SEARCH,
            &title,
            "Classes of the definitions and of this map are listed",
        );
        return;
    }
    let columns = ((ui.available_width() / COLUMN).floor() as usize).max(1);
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("classes")
        .show_rows(ui, size::ROW, shown.len().div_ceil(columns), |ui, range| {
            for row in range {
                ui.horizontal(|ui| {
                    for class in &shown[row * columns..((row + 1) * columns).min(shown.len())] {
                        entry(ui, cx, class, actions);
                    }
                });
            }
        });
}

fn entry(ui: &mut Ui, cx: &Cx<'_>, class: &str, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(COLUMN, size::ROW), Sense::click_and_drag());
    let selected = cx.editor.tool() == ToolKind::Entity && cx.editor.entity_class() == class;
    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, selected, class));
    if selected || r.hovered() {
        let inner = rect.shrink2(vec2(4.0, 0.0));
        ui.painter().rect_filled(
            inner,
            4.0,
            if selected { p.accent_soft } else { p.row_hover },
        );
    }
    let glyph = class_glyph(class);
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(20.0, 0.0),
        glyph,
        size::ICON_SMALL,
        class_color(&p.view, cx.editor.definitions(), class),
    );
    let ink = if selected { p.on_soft } else { p.text };
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 34.0),
        Align::Min,
        class,
        regular(text::BODY),
        ink,
    );
    let known = cx.editor.definitions().find(class);
    let r = match known.map(|known| known.description.as_str()) {
        Some(about) if !about.is_empty() => r.on_hover_text(about),
        _ => r,
    };
    if r.clicked() {
        actions.push(Action::EntityClass(class.to_owned()));
    }
    if r.drag_stopped()
        && let Some(at) = ui.ctx().pointer_latest_pos()
    {
        actions.push(Action::DropEntity(class.to_owned(), at));
    }
}
