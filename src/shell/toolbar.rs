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
use crate::editor::Command;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::icons::ToolIcon;
use crate::shell::options;
use crate::shell::theme::Palette;
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
        ToolKind::Array => ToolIcon::Array,
    }
}

/// Tools before which a new group begins.
const GROUPS: [ToolKind; 4] = [
    ToolKind::Box,
    ToolKind::Clip,
    ToolKind::Rotate,
    ToolKind::Paint,
];

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
    let wide = rect.width() >= WORDS_FROM;
    right_block(&mut right, cx.editor, wide, actions);
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
        if GROUPS.contains(&tool) {
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
    options(&mut left, cx, actions);
}

fn divider(ui: &mut Ui) {
    let p = Palette::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, size::TOOL_BUTTON), Sense::hover());
    ui.painter().vline(
        rect.center().x.round() + 0.5,
        rect.y_range().shrink(6.0),
        Stroke::new(1.0, p.line_strong),
    );
}

/// Least room for options before the picture of the material; below it only the button for the others stays.
const MATERIAL: f32 = 32.0;
const MATERIAL_NAMED: f32 = 140.0;

/// Makes faces, so the material they get belongs beside it.
fn makes_faces(tool: ToolKind) -> bool {
    !matches!(
        tool,
        ToolKind::Marquee | ToolKind::Entity | ToolKind::Measure | ToolKind::Rotate
    )
}

fn options(ui: &mut Ui, cx: ToolbarCx<'_>, actions: &mut Vec<Action>) {
    let tool = cx.editor.tool();
    let list = cx.editor.tool_options();
    if ui.available_width() > 260.0 {
        let name = if tool == ToolKind::Select {
            "Move"
        } else {
            tool.label()
        };
        options::title(ui, name);
    }
    if tool == ToolKind::Entity {
        entity_class(ui, &cx, actions);
    }
    let beside = match (&cx.editor.current_material, makes_faces(tool)) {
        (Some(_), true) if ui.available_width() >= MATERIAL + 34.0 => MATERIAL,
        _ => 0.0,
    };
    let room = (ui.available_width() - beside).max(0.0);
    let mut fields = ui.new_child(
        UiBuilder::new()
            .max_rect(
                ui.available_rect_before_wrap()
                    .with_max_x(ui.cursor().left() + room),
            )
            .layout(Layout::left_to_right(Align::Center)),
    );
    options::row(&mut fields, &list, actions);
    let used = fields.min_rect();
    ui.advance_cursor_after_rect(used);
    if !makes_faces(tool) {
        return;
    }
    if beside > 0.0 {
        material(ui, cx, actions);
    } else if cx.editor.current_material.is_none() && ui.available_width() > 280.0 {
        let p = Palette::of(ui.ctx());
        let words = "New brushes have no material yet; pick one below";
        ui.label(
            RichText::new(words)
                .font(regular(text::SMALL))
                .color(p.text_faint),
        );
    }
}

/// What the entity tool places.
fn entity_class(ui: &mut Ui, cx: &ToolbarCx<'_>, actions: &mut Vec<Action>) {
    let now = cx.editor.entity_class().to_owned();
    let width = 200.0_f32.min(ui.available_width() - 34.0).max(60.0);
    widgets::choice(ui, "Class", &now, width, |ui| {
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
    ui.add_space(8.0);
}

/// The material of new faces: its picture, and its name where there is room.
fn material(ui: &mut Ui, cx: ToolbarCx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let Some(material) = &cx.editor.current_material else {
        return;
    };
    let room = ui.available_width().min(220.0);
    let named = room >= MATERIAL_NAMED;
    let width = if named { room } else { 28.0 };
    let (rect, r) = ui.allocate_exact_size(vec2(width, 28.0), Sense::click());
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
    if named {
        let words = rect.with_min_x(square.right() + 8.0);
        let font = regular(text::BODY);
        widgets::line(ui, words, Align::Min, &material.name, font, p.text);
    }
    let tip = format!(
        "{}: material of new faces; click to choose another",
        material.name
    );
    if r.on_hover_text(tip).clicked() {
        actions.push(Action::Show(crate::shell::layout::Panel::Materials));
    }
}

/// Windows narrower than this show Build and Walk without words.
const WORDS_FROM: f32 = 1200.0;

fn right_block(ui: &mut Ui, editor: &Editor, wide: bool, actions: &mut Vec<Action>) {
    let walking = editor.is_walking();
    let (icon, words) = if walking {
        (icons::STOP, "Return")
    } else {
        (icons::PLAY, "Walk")
    };
    let keys = editor.keymap.text("map.walk");
    let r = if wide || walking {
        let weight = if walking {
            Weight::Normal
        } else {
            Weight::Primary
        };
        widgets::button(ui, Some(icon), words, weight)
    } else {
        square(ui, icon, words, false)
    };
    if r.on_hover_text(with_keys("Walk through the map", &keys))
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
    let r = if wide {
        widgets::button(ui, Some(icon), words, Weight::Normal)
    } else {
        square(ui, icon, words, false)
    };
    let keys = editor.keymap.text("map.build");
    let tip = with_keys(
        "Build geometry, collision and light in the background",
        &keys,
    );
    if r.on_hover_text(tip).clicked() {
        actions.push(if building {
            Action::StopBuild
        } else {
            Action::Build
        });
    }
    divider(ui);
    // From the right: what is drawn last stands first.
    for id in TOGGLES.iter().rev() {
        toggle(ui, editor, id, actions);
    }
    let mut step = editor.grid.size;
    let field = widgets::number(ui, &mut step, "Grid size", None, "", 1.0, 56.0);
    if step != editor.grid.size && step > 0.0 {
        actions.push(Action::Grid(step));
    }
    field.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    toggle(ui, editor, "grid.snap", actions);
}

/// Switches that hold for all tools: rows of the command table.
const TOGGLES: [&str; 3] = ["edit.alignment_lock", "edit.uv_lock", "transform.gizmo"];

/// A switch of the command table as a button; one that the table does not have is not there.
fn toggle(ui: &mut Ui, editor: &Editor, id: &str, actions: &mut Vec<Action>) {
    let Some(command) = Command::find(id) else {
        return;
    };
    let on = command.checked.is_some_and(|checked| checked(editor));
    let keys = editor.keymap.text(id);
    let r = match id {
        "edit.alignment_lock" => {
            widgets::tool_button(ui, ToolIcon::LockAlignment, command.label, &keys, on)
        }
        "edit.uv_lock" => widgets::tool_button(ui, ToolIcon::LockUv, command.label, &keys, on),
        "grid.snap" => square(ui, icons::SNAP, &with_keys(command.label, &keys), on),
        _ => square(ui, icons::MOVE, &with_keys(command.label, &keys), on),
    };
    if r.clicked() {
        actions.push(Action::Run(command));
    }
}

fn square(ui: &mut Ui, icon: char, name: &str, on: bool) -> egui::Response {
    widgets::icon_button_sized(ui, icon, name, on, size::TOOL_BUTTON, size::ICON)
}

fn with_keys(words: &str, keys: &str) -> String {
    if keys.is_empty() {
        words.to_owned()
    } else {
        format!("{words} ({keys})")
    }
}
