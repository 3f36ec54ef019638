//! The tool bar: tools, the options of the one in hand, then what holds for all of them.

use egui::Align;
use egui::Layout;
use egui::Rect;
use egui::RichText;
use egui::Sense;
use egui::Stroke;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::assets::Library;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::icons::ToolIcon;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::thumbs::Thumbs;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

fn icon_of(tool: ToolKind) -> ToolIcon {
    match tool {
        ToolKind::Select => ToolIcon::Select,
        ToolKind::Marquee => ToolIcon::Marquee,
        ToolKind::Box => ToolIcon::Box,
        ToolKind::Hull => ToolIcon::Hull,
        ToolKind::Entity => ToolIcon::Entity,
        ToolKind::Clip => ToolIcon::Clip,
        ToolKind::Vertex => ToolIcon::Vertex,
        ToolKind::Edge => ToolIcon::Edge,
        ToolKind::Face => ToolIcon::Face,
        ToolKind::Rotate => ToolIcon::Rotate,
        ToolKind::Scale => ToolIcon::Scale,
        ToolKind::Shear => ToolIcon::Shear,
        ToolKind::Exact => ToolIcon::Select,
        ToolKind::Sweep => ToolIcon::Sweep,
        ToolKind::Paint => ToolIcon::Texture,
        ToolKind::Measure => ToolIcon::Measure,
    }
}

/// What the bar needs to know.
pub struct ToolbarCx<'a> {
    pub editor: &'a Editor,
    pub library: &'a Library,
    pub thumbs: &'a mut Thumbs,
    /// Entity classes that can be placed.
    pub classes: &'a [String],
}

/// Draws the bar into all of `ui`.
pub fn ui(ui: &mut Ui, cx: ToolbarCx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0.0, p.panel);
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.base),
    );
    let inner = rect.shrink2(vec2(8.0, 4.0));
    let mut right = ui.new_child(
        UiBuilder::new()
            .max_rect(inner)
            .layout(Layout::right_to_left(Align::Center)),
    );
    right.spacing_mut().item_spacing.x = 4.0;
    right_block(&mut right, cx.editor, actions);
    let end = right.min_rect().left() - 12.0;
    let mut left = ui.new_child(
        UiBuilder::new()
            .max_rect(inner.with_max_x(end.max(inner.left())))
            .layout(Layout::left_to_right(Align::Center)),
    );
    if cx.editor.is_walking() {
        left.disable();
    }
    left.spacing_mut().item_spacing.x = 2.0;
    for tool in ToolKind::ALL {
        if tool == ToolKind::Box || tool == ToolKind::Entity {
            divider(&mut left);
        }
        let keys = cx.editor.keymap.text(tool.command());
        if widgets::tool_button(
            &mut left,
            icon_of(tool),
            tool.label(),
            &keys,
            cx.editor.tool() == tool,
        )
        .clicked()
        {
            actions.push(Action::Tool(tool));
        }
    }
    divider(&mut left);
    if left.available_width() > 130.0 {
        options(&mut left, cx, actions);
    }
}

fn divider(ui: &mut Ui) {
    let p = Palette::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(13.0, size::TOOL_BUTTON), Sense::hover());
    ui.painter().vline(
        rect.center().x.round() + 0.5,
        rect.y_range().shrink(6.0),
        Stroke::new(1.0, p.line_strong),
    );
}

fn options(ui: &mut Ui, cx: ToolbarCx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let tool = cx.editor.tool();
    let name = if tool == ToolKind::Select {
        "Move"
    } else {
        tool.label()
    };
    ui.add_space(4.0);
    ui.label(RichText::new(name).font(medium(text::BODY)).color(p.text));
    ui.add_space(8.0);
    if tool == ToolKind::Entity {
        let now = cx.editor.entity_class().to_owned();
        widgets::choice(ui, "Class", &now, 200.0, |ui| {
            egui::ScrollArea::vertical()
                .max_height(360.0)
                .show(ui, |ui| {
                    for class in cx.classes {
                        let tick = (*class == now).then_some(icons::CHECK);
                        if widgets::menu_item(ui, tick, class, "", None).clicked() {
                            actions.push(Action::EntityClass(class.clone()));
                            ui.close();
                        }
                    }
                });
        });
        return;
    }
    // New faces get this material.
    let Some(material) = &cx.editor.current_material else {
        ui.label(
            RichText::new("New brushes have no material yet; pick one below")
                .font(regular(text::SMALL))
                .color(p.text_faint),
        );
        return;
    };
    let (rect, r) =
        ui.allocate_exact_size(vec2(ui.available_width().min(220.0), 28.0), Sense::click());
    r.widget_info(|| {
        egui::WidgetInfo::labeled(
            egui::Role::Button,
            true,
            format!("Current material: {}", material.name),
        )
    });
    if r.hovered() {
        ui.painter().rect_filled(rect, 4.0, p.button_hover);
    }
    let square = Rect::from_min_size(pos2(rect.left() + 2.0, rect.top() + 2.0), vec2(24.0, 24.0));
    if let Some(id) = cx.library.find(&material.texture) {
        let picture = cx.thumbs.get(ui.ctx(), cx.library, id);
        egui::Image::new((picture, square.size()))
            .corner_radius(3)
            .paint_at(ui, square);
    } else {
        ui.painter().rect_filled(square, 3.0, p.button);
    }
    let words = rect.with_min_x(square.right() + 8.0);
    widgets::line(
        ui,
        words,
        Align::Min,
        &material.name,
        regular(text::BODY),
        p.text,
    );
    if r.on_hover_text("Material of new faces; click to choose another")
        .clicked()
    {
        actions.push(Action::Show(crate::shell::layout::Panel::Materials));
    }
}

fn right_block(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let walking = editor.is_walking();
    let (icon, words) = if walking {
        (icons::STOP, "Return")
    } else {
        (icons::PLAY, "Walk")
    };
    let weight = if walking {
        Weight::Normal
    } else {
        Weight::Primary
    };
    let keys = editor.keymap.text("map.walk");
    let r = widgets::button(ui, Some(icon), words, weight);
    if r.on_hover_text(format!(
        "Walk through the map ({})",
        if keys.is_empty() { "F8" } else { &keys }
    ))
    .clicked()
    {
        actions.push(Action::Walk);
    }
    let building = editor.build_progress().is_some();
    let (icon, words) = if building {
        (icons::STOP, "Stop")
    } else {
        (icons::BUILD, "Build")
    };
    if widgets::button(ui, Some(icon), words, Weight::Normal)
        .on_hover_text("Build geometry, collision and light in the background (F9)")
        .clicked()
    {
        actions.push(if building {
            Action::StopBuild
        } else {
            Action::Build
        });
    }
    divider(ui);
    let lock = editor.settings.alignment_lock;
    if lock_button(ui, lock).clicked() {
        actions.push(Action::AlignmentLock(!lock));
    }
    let mut step = editor.grid.size;
    let field = widgets::number(ui, &mut step, "Grid size", None, "", 1.0, 64.0);
    if step != editor.grid.size && step > 0.0 {
        actions.push(Action::Grid(step));
    }
    field.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    let snap = editor.grid.enabled;
    if widgets::icon_button_sized(
        ui,
        icons::SNAP,
        "Snap to the grid (Alt+0)",
        snap,
        size::TOOL_BUTTON,
        size::ICON,
    )
    .clicked()
    {
        actions.push(Action::Snap(!snap));
    }
}

fn lock_button(ui: &mut Ui, on: bool) -> egui::Response {
    widgets::tool_button(ui, ToolIcon::LockAlignment, "Alignment lock", "Shift+U", on)
}
