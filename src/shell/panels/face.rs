//! The face panel: material, offset, scale, rotation and bits of the faces that the selection means (TEX-9).

use std::collections::BTreeSet;

use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::pos2;
use egui::vec2;

use crate::document::Document;
use crate::document::Edit;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Selection;
use crate::document::SurfaceFlags;
use crate::document::ops;
use crate::document::ops::faces::UvField;
use crate::document::ops::faces::Value;
use crate::document::ops::texture::Align;
use crate::document::ops::texture::Cycle;
use crate::editor::Command;
use crate::geometry::Uv;
use crate::shell::fields;
use crate::shell::fields::Look;
use crate::shell::fields::Reply;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::panels::uv;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Faces beyond this many are not compared one by one: the panel says "mixed".
const COMPARED: usize = 20_000;

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut uv::UvState, cx: &mut Cx<'_>, actions: &mut Vec<Action>) {
    let editor = cx.editor;
    let doc = editor.doc();
    let selection = editor.selection();
    let picked = ops::faces::faces_of(doc, selection);
    let count: usize = picked.values().map(BTreeSet::len).sum();
    if count == 0 {
        widgets::empty_state(
            ui,
            icons::TEXTURE,
            "No face selected",
            "Shift+click a face, or select a brush",
        );
        return;
    }
    let shown: Vec<Shown> = picked
        .iter()
        .filter_map(|(id, faces)| Some((&doc.object(*id)?.kind, faces)))
        .flat_map(|(kind, faces)| faces.iter().filter_map(|&face| Shown::of(kind, face)))
        .take(COMPARED)
        .collect();
    material_row(ui, cx, doc, &shown, count);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("face")
        .show(ui, |ui| {
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(8, 4))
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = size::GAP;
                    if shown.iter().any(|shown| shown.uv.is_some()) {
                        numbers(ui, cx, &shown, actions);
                    } else {
                        let p = Palette::of(ui.ctx());
                        let words = "These polygons keep a texture coordinate for each corner";
                        ui.label(
                            egui::RichText::new(words)
                                .font(regular(text::SMALL))
                                .color(p.text_dim),
                        );
                    }
                    uv::ui(ui, state, cx, actions);
                    alignment(ui, cx, actions);
                    reset(ui, cx, actions);
                    bits(ui, selection, &shown, actions);
                });
        });
}

/// What the panel shows of a face of a brush or a polygon of a mesh.
struct Shown {
    material: Option<MaterialId>,
    /// `None`: a coordinate for each corner.
    uv: Option<Uv>,
    /// `None`: polygons have no bits of their own.
    flags: Option<SurfaceFlags>,
    has_axes: bool,
}

impl Shown {
    fn of(kind: &Kind, index: u32) -> Option<Self> {
        let index = index as usize;
        match kind {
            Kind::Brush(brush) => brush.faces().get(index).map(|face| Self {
                material: face.material,
                uv: Some(face.uv),
                flags: Some(face.flags),
                has_axes: face.axes.is_some(),
            }),
            Kind::Mesh(mesh) => mesh.polygons.get(index).map(|polygon| Self {
                material: polygon.material,
                uv: polygon.uvs.is_empty().then_some(polygon.proj),
                flags: None,
                has_axes: false,
            }),
            _ => None,
        }
    }
}

fn material_row(ui: &mut Ui, cx: &mut Cx<'_>, doc: &Document, faces: &[Shown], count: usize) {
    let p = Palette::of(ui.ctx());
    let materials: BTreeSet<Option<MaterialId>> = faces.iter().map(|face| face.material).collect();
    let only = if materials.len() == 1 {
        materials.first().copied().flatten()
    } else {
        None
    };
    let material = only.and_then(|id| doc.material(id));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 56.0), Sense::hover());
    let square = Rect::from_min_size(rect.min + vec2(8.0, 8.0), vec2(40.0, 40.0));
    ui.painter().rect_filled(square, 4.0, p.button);
    if let Some(material) = material {
        let id = cx.library.texture(&material.texture);
        let picture = cx.thumbs.get(ui.ctx(), cx.library, id);
        egui::Image::new((picture, square.size()))
            .corner_radius(4)
            .paint_at(ui, square);
    }
    let name = match (material, materials.len()) {
        (Some(material), _) => material.name.clone(),
        (None, 0 | 1) => "No material".to_owned(),
        (None, n) => format!("{n} materials"),
    };
    let words = Rect::from_min_max(
        pos2(square.right() + 10.0, rect.top() + 11.0),
        pos2(rect.right() - 8.0, rect.top() + 28.0),
    );
    widgets::line(
        ui,
        words,
        egui::Align::Min,
        &name,
        semibold(text::BODY),
        p.text,
    );
    let tile = only.map(|id| doc.tile_size(Some(id)));
    let size = tile.map_or_else(String::new, |tile| {
        format!(
            ", {} \u{d7} {} u",
            widgets::shortest(f64::from(tile.x)),
            widgets::shortest(f64::from(tile.y))
        )
    });
    let exact = faces.iter().filter(|face| face.has_axes).count();
    let axes = if exact == 0 {
        String::new()
    } else {
        format!(", {} by exact axes", say::count(exact))
    };
    let note = format!("{}{size}{axes}", say::counted(count, "face", "faces"));
    widgets::line(
        ui,
        words.translate(vec2(0.0, 17.0)),
        egui::Align::Min,
        &note,
        regular(text::SMALL),
        p.text_faint,
    );
}

/// The value that all faces with numbers share.
fn common(doc: &Document, faces: &[Shown], field: UvField) -> Option<f64> {
    let mut values = faces.iter().filter_map(|face| {
        let tile_size = doc.tile_size(face.material);
        face.uv.map(|uv| field.get(&uv, tile_size))
    });
    let first = values.next()?;
    values
        .all(|value| value == first)
        .then_some(f64::from(first))
}

fn numbers(ui: &mut Ui, cx: &Cx<'_>, faces: &[Shown], actions: &mut Vec<Action>) {
    let (doc, selection) = (cx.editor.doc(), cx.editor.selection());
    let p = Palette::of(ui.ctx());
    let mut field =
        |ui: &mut Ui, name: &str, which: UvField, tag, unit: &str, speed: f64, width: f32| {
            let value = common(doc, faces, which);
            let edit =
                |value: Value| -> Edit { ops::faces::set_uv(selection.clone(), which, value) };
            match fields::number_of_each(
                ui,
                value,
                Look {
                    name,
                    tag,
                    unit,
                    speed,
                    width,
                },
            ) {
                Reply::Nothing => {}
                Reply::Preview(value) => actions.push(Action::Preview(edit(value))),
                Reply::Commit(typed) => actions.push(Action::Commit(edit(typed))),
                Reply::Cancel => actions.push(Action::Cancel),
            }
        };
    let (u, v) = (Some(("U", p.view.axis[0])), Some(("V", p.view.axis[1])));
    widgets::property(ui, "Offset", false, |ui| {
        let width = ((ui.available_width() - size::GAP) / 2.0).floor();
        field(ui, "Offset U", UvField::TexelsX, u, "px", 1.0, width);
        field(ui, "Offset V", UvField::TexelsY, v, "px", 1.0, width);
    });
    widgets::property(ui, "Scale", false, |ui| {
        let width = ((ui.available_width() - size::GAP) / 2.0).floor();
        field(ui, "Scale U", UvField::ScaleX, u, "", 0.01, width);
        field(ui, "Scale V", UvField::ScaleY, v, "", 0.01, width);
    });
    widgets::property(ui, "Rotation", false, |ui| {
        let width = ui.available_width();
        field(
            ui,
            "Rotation",
            UvField::Rotation,
            None,
            "\u{b0}",
            1.0,
            width,
        );
    });
}

/// Buttons of TEX-6: again for the next edge or one repeat more, with Shift back, with Ctrl in fractions.
fn alignment(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let mut row = |ui: &mut Ui, name: &str, buttons: &[(&str, Align, &str)]| {
        widgets::property(ui, name, false, |ui| {
            for &(words, how, id) in buttons {
                let Some(command) = Command::find(id) else {
                    continue;
                };
                let refusal = (command.enabled)(cx.editor).err();
                ui.add_enabled_ui(refusal.is_none(), |ui| {
                    let r = widgets::button(ui, None, words, widgets::Weight::Normal);
                    let keys = cx.editor.keymap.text(id);
                    let r = r
                        .on_hover_text(format!("{} ({keys})\n{CYCLES}", command.help))
                        .on_disabled_hover_text(refusal.unwrap_or_default());
                    if r.clicked() {
                        actions.push(Action::Align(how, cycle(ui)));
                    }
                });
            }
        });
    };
    row(
        ui,
        "Justify",
        &[
            ("L", Align::Left, "face.justify_left"),
            ("R", Align::Right, "face.justify_right"),
            ("T", Align::Top, "face.justify_top"),
            ("B", Align::Bottom, "face.justify_bottom"),
            ("C", Align::Center, "face.center"),
        ],
    );
    row(
        ui,
        "Fit",
        &[
            ("Width", Align::FitWidth, "face.fit_width"),
            ("Height", Align::FitHeight, "face.fit_height"),
            ("Both", Align::Fit, "face.fit"),
        ],
    );
    row(ui, "Align to", &[("Edge", Align::Edge, "face.align_edge")]);
    let was = cx.editor.aligns_as_one();
    let mut on = was;
    widgets::checkbox(ui, &mut on, "All faces as one surface");
    if on != was
        && let Some(command) = Command::find("face.as_one")
    {
        actions.push(Action::Run(command));
    }
}

const CYCLES: &str = "Again: the next. Shift: back. Ctrl: fractions of the picture";

fn cycle(ui: &Ui) -> Cycle {
    match ui.input(|i| (i.modifiers.command, i.modifiers.shift)) {
        (true, true) => Cycle::FractionBack,
        (true, false) => Cycle::Fraction,
        (false, true) => Cycle::Back,
        (false, false) => Cycle::Next,
    }
}

fn reset(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    widgets::property(ui, "Reset to", false, |ui| {
        for (id, words) in [
            ("face.reset_to_face", "Face"),
            ("face.reset_to_world", "World"),
        ] {
            let Some(command) = Command::find(id) else {
                continue;
            };
            let refusal = (command.enabled)(cx.editor).err();
            ui.add_enabled_ui(refusal.is_none(), |ui| {
                let r = widgets::button(ui, None, words, widgets::Weight::Normal);
                let r = r
                    .on_hover_text(command.help)
                    .on_disabled_hover_text(refusal.unwrap_or_default());
                if r.clicked() {
                    actions.push(Action::Run(command));
                }
            });
        }
    });
}

fn bits(ui: &mut Ui, selection: &Selection, faces: &[Shown], actions: &mut Vec<Action>) {
    let flags: Vec<SurfaceFlags> = faces.iter().filter_map(|face| face.flags).collect();
    if flags.is_empty() {
        return;
    }
    ui.add_space(4.0);
    for pair in [
        [
            (SurfaceFlags::NODRAW, "Not drawn"),
            (SurfaceFlags::UNLIT, "Unlit"),
        ],
        [
            (SurfaceFlags::NO_SHADOW, "No shadow"),
            (SurfaceFlags::SKY, "Sky"),
        ],
    ] {
        ui.horizontal(|ui| {
            let column = (ui.available_width() / 2.0).floor() - size::GAP;
            for (bit, label) in pair {
                let was = flags.iter().all(|flags| flags.has(bit));
                let mut on = was;
                ui.allocate_ui(vec2(column, size::ROW), |ui| {
                    ui.set_min_width(column);
                    widgets::checkbox(ui, &mut on, label);
                });
                if on != was {
                    let none = SurfaceFlags::default();
                    let (set, clear) = if on { (bit, none) } else { (none, bit) };
                    actions.push(Action::Commit(ops::faces::set_flags(
                        selection.clone(),
                        set,
                        clear,
                    )));
                }
            }
        });
    }
}
