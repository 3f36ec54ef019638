//! The entity panel: what is selected, where it is, its class and the table of its keys (ENT-3).

mod rows;

use egui::Align;
use egui::Rect;
use egui::RichText;
use egui::Sense;
use egui::Ui;
use egui::pos2;
use egui::vec2;
use glam::DVec3;

use self::rows::new_row;
use self::rows::row_ui;
use crate::document::Edit;
use crate::document::Kind;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SelectionExt as _;
use crate::document::UvLock;
use crate::document::ops;
use crate::editor::commands::SelectionClass;
use crate::editor::properties::Mixed;
use crate::editor::properties::PropertyTable;
use crate::shell::fields;
use crate::shell::fields::Look;
use crate::shell::fields::Reply;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::panels::outliner::object_look;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

#[derive(Default)]
pub struct InspectorState {
    /// The key that is being typed in for a new row.
    new_key: String,
    new_value: String,
}

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut InspectorState, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let editor = cx.editor;
    let table = editor.property_table();
    if editor.selection().is_empty() {
        widgets::empty_state(
            ui,
            icons::CURSOR,
            "Nothing selected",
            "Click an object; the map's own properties are under Map",
        );
        return;
    }
    head(ui, cx, table.as_ref(), actions);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("inspector")
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if editor.selection_class() == SelectionClass::Objects {
                widgets::section(
                    ui,
                    "Transform",
                    "",
                    true,
                    |_| {},
                    |ui| transform(ui, cx, table.as_ref(), actions),
                );
            }
            if let Some(table) = &table {
                let note = say::counted(table.rows.len(), "key", "keys");
                widgets::section(
                    ui,
                    "Properties",
                    &note,
                    true,
                    |_| {},
                    |ui| properties_ui(ui, state, cx, table, actions),
                );
            }
            if editor.selection_class() == SelectionClass::Objects {
                flags(ui, cx, actions);
            }
        });
}

/// What is selected, with its glyph.
fn head(ui: &mut Ui, cx: &Cx<'_>, table: Option<&PropertyTable>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let editor = cx.editor;
    let doc = editor.doc();
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::hover());
    let ids = editor.selection_ids();
    let first = ids
        .first()
        .copied()
        .or_else(|| editor.selection().iter().next().map(|pick| pick.object()));
    let (icon, color) = first
        .and_then(|id| {
            Some(object_look(
                editor.definitions(),
                doc.object(id)?,
                doc.children(Some(id)).next().is_some(),
                &p,
            ))
        })
        .unwrap_or((icons::BRUSH, p.text_dim));
    icons::paint(
        ui.painter(),
        pos2(rect.left() + 20.0, rect.center().y),
        icon,
        20.0,
        color,
    );
    let words = Rect::from_min_max(
        pos2(rect.left() + 40.0, rect.top() + 6.0),
        pos2(rect.right() - 40.0, rect.top() + 23.0),
    );
    widgets::line(
        ui,
        words,
        Align::Min,
        &editor.selection_text(),
        semibold(text::BODY),
        p.text,
    );
    let sub = match (table.map(|table| table.entities.len()), first) {
        (Some(n), _) if n > 1 => say::counted(n, "entity", "entities"),
        (Some(_), Some(id)) if doc.entity(id).is_none() && doc.owner(id).is_some() => {
            let owner = doc.owner(id).and_then(|owner| doc.entity(owner));
            owner.map_or_else(String::new, |owner| format!("Part of {}", owner.class))
        }
        (_, Some(id)) => {
            let parts = doc.subtree(id).len() - 1;
            let layer = doc
                .object(id)
                .and_then(|object| object.layer)
                .and_then(|layer| doc.layer(layer));
            let place = layer.map_or("Default layer", |layer| layer.name.as_str());
            if parts > 0 {
                format!("{} in {place}", say::counted(parts, "part", "parts"))
            } else {
                format!("In {place}")
            }
        }
        _ => String::new(),
    };
    widgets::line(
        ui,
        words.translate(vec2(0.0, 16.0)),
        Align::Min,
        &sub,
        regular(text::CAPTION),
        p.text_faint,
    );
    let button =
        Rect::from_center_size(pos2(rect.right() - 20.0, rect.center().y), vec2(24.0, 24.0));
    let mut corner = ui.new_child(egui::UiBuilder::new().max_rect(button));
    if widgets::icon_button(&mut corner, icons::FRAME, "Frame the selection", false).clicked()
        && let Some(command) = crate::editor::Command::find("view.frame")
    {
        actions.push(Action::Run(command));
    }
}

/// Turns the reply of one field of a vector into an action.
fn answer(reply: Reply, old: Option<f64>, edit: impl Fn(f64) -> Edit, actions: &mut Vec<Action>) {
    match reply {
        Reply::Nothing => {}
        Reply::Preview(value) => {
            actions.push(Action::Preview(edit(value.of(old.unwrap_or(0.0)))));
        }
        Reply::Commit(typed) => actions.push(Action::Commit(edit(typed.of(old.unwrap_or(0.0))))),
        Reply::Cancel => actions.push(Action::Cancel),
    }
}

const AXES: [&str; 3] = ["X", "Y", "Z"];

fn vector(
    ui: &mut Ui,
    name: &str,
    values: [Option<f64>; 3],
    speed: f64,
    mut edit: impl FnMut(usize, Reply),
) {
    let p = Palette::of(ui.ctx());
    let width = ((ui.available_width() - 2.0 * size::GAP) / 3.0).floor();
    for (axis, letter) in AXES.into_iter().enumerate() {
        let field = format!("{name} {letter}");
        let look = Look {
            name: &field,
            tag: Some((letter, p.view.axis[axis])),
            unit: "",
            speed,
            width,
        };
        let reply = fields::number(ui, values[axis], look);
        if reply != Reply::Nothing {
            edit(axis, reply);
        }
    }
}

fn transform(ui: &mut Ui, cx: &Cx<'_>, table: Option<&PropertyTable>, actions: &mut Vec<Action>) {
    let editor = cx.editor;
    let doc = editor.doc();
    let ids = editor.selection_ids();
    let only_entities: Vec<ObjectId> = ids
        .iter()
        .copied()
        .filter(|&id| is_point(doc, id))
        .collect();
    let speed = editor.grid.step().clamp(0.125, 16.0);
    // Where the selection began, not where the preview has put it: the move is counted from the committed state.
    let committed = committed_bounds(cx);
    let shown = editor.selection_bounds();
    if only_entities.len() == ids.len() && !ids.is_empty() {
        let origins: Vec<DVec3> = only_entities
            .iter()
            .filter_map(|&id| Some(doc.entity(id)?.origin))
            .collect();
        widgets::property(ui, "Position", false, |ui| {
            vector(ui, "Position", common(&origins), speed, |axis, reply| {
                let old = editor
                    .history()
                    .committed()
                    .doc
                    .entity(only_entities[0])
                    .map_or(0.0, |entity| entity.origin[axis]);
                let ids = only_entities.clone();
                answer(
                    reply,
                    Some(old),
                    |value| set_axis(ids.clone(), axis, value, Part::Origin),
                    actions,
                );
            });
        });
    } else if !shown.is_empty() {
        let lock = if editor.settings.alignment_lock {
            UvLock::Carried
        } else {
            UvLock::World
        };
        widgets::property(ui, "Position", false, |ui| {
            vector(
                ui,
                "Position",
                shown.min.to_array().map(Some),
                speed,
                |axis, reply| {
                    let old = committed.min[axis];
                    let ids = ids.clone();
                    answer(
                        reply,
                        Some(old),
                        |value| {
                            let mut delta = DVec3::ZERO;
                            delta[axis] = value - old;
                            ops::transform::move_by(ids.clone(), delta, lock)
                        },
                        actions,
                    );
                },
            );
        });
    }
    if !shown.is_empty() && only_entities.len() < ids.len() {
        let words = shown
            .size()
            .to_array()
            .map(widgets::shortest)
            .join(" \u{d7} ");
        widgets::property(ui, "Size", false, |ui| {
            let p = Palette::of(ui.ctx());
            ui.label(RichText::new(words).font(regular(text::BODY)).color(p.text));
        });
    }
    if let Some(table) = table
        && only_entities.len() == ids.len()
    {
        let angles: Vec<DVec3> = table
            .entities
            .iter()
            .filter_map(|&id| Some(doc.entity(id)?.angles_deg))
            .collect();
        widgets::property(ui, "Angles", false, |ui| {
            let p = Palette::of(ui.ctx());
            let width = ((ui.available_width() - 2.0 * size::GAP) / 3.0).floor();
            let values = common(&angles);
            for (axis, (letter, name)) in [("P", "Pitch"), ("Y", "Yaw"), ("R", "Roll")]
                .into_iter()
                .enumerate()
            {
                let look = Look {
                    name,
                    tag: Some((letter, p.text_dim)),
                    unit: "",
                    speed: 1.0,
                    width,
                };
                let reply = fields::number(ui, values[axis], look);
                let ids = table.entities.clone();
                answer(
                    reply,
                    values[axis],
                    |value| set_axis(ids.clone(), axis, value, Part::Angles),
                    actions,
                );
            }
        });
    }
}

/// Bounds of the selected objects before any preview.
fn committed_bounds(cx: &Cx<'_>) -> crate::geometry::Aabb {
    let state = cx.editor.history().committed();
    state
        .selection
        .with_children(&state.doc)
        .into_iter()
        .filter_map(|id| state.doc.object(id))
        .map(crate::document::Object::bounds)
        .fold(crate::geometry::Aabb::EMPTY, crate::geometry::Aabb::union)
}

fn is_point(doc: &crate::document::Document, id: ObjectId) -> bool {
    doc.entity(id).is_some() && doc.children(Some(id)).next().is_none()
}

/// Per axis the value that all share.
fn common(values: &[DVec3]) -> [Option<f64>; 3] {
    [0, 1, 2].map(|axis| {
        let first = values.first()?[axis];
        values
            .iter()
            .all(|value| value[axis] == first)
            .then_some(first)
    })
}

#[derive(Clone, Copy)]
enum Part {
    Origin,
    Angles,
}

/// One component of the origin or the angles of every entity.
fn set_axis(ids: Vec<ObjectId>, axis: usize, value: f64, part: Part) -> Edit {
    let label = match part {
        Part::Origin => "Move",
        Part::Angles => "Turn entity",
    };
    Edit::new(label, move |draft, _| {
        for &id in &ids {
            draft.update(id, |object| {
                if let Kind::Entity(entity) = &mut object.kind {
                    match part {
                        Part::Origin => entity.origin[axis] = value,
                        Part::Angles => entity.angles_deg[axis] = value,
                    }
                }
            });
        }
        Ok(())
    })
}

fn same<T>(value: &Mixed<T>) -> Option<&T> {
    match value {
        Mixed::Same(value) => Some(value),
        Mixed::Mixed => None,
    }
}

fn properties_ui(
    ui: &mut Ui,
    state: &mut InspectorState,
    cx: &Cx<'_>,
    table: &PropertyTable,
    actions: &mut Vec<Action>,
) {
    let ids = &table.entities;
    widgets::property(ui, "Class", true, |ui| {
        let width = ui.available_width();
        let now = same(&table.class).map_or("mixed", String::as_str);
        let doc = cx.editor.doc();
        let owns_brushes = ids
            .iter()
            .any(|&id| doc.children(Some(id)).next().is_some());
        let classes = if owns_brushes {
            &cx.classes.brush
        } else {
            &cx.classes.point
        };
        widgets::choice(ui, "Class", now, width, |ui| {
            egui::ScrollArea::vertical()
                .max_height(360.0)
                .show(ui, |ui| {
                    for class in classes {
                        let tick = (class == now).then_some(icons::CHECK);
                        if widgets::menu_item(ui, tick, class, "", None).clicked() {
                            actions.push(Action::Commit(ops::entities::set_class(
                                ids.clone(),
                                class.clone(),
                            )));
                            ui.close();
                        }
                    }
                });
        });
    });
    for row in &table.rows {
        ui.push_id(&row.key, |ui| row_ui(ui, row, ids, actions));
    }
    new_row(ui, state, ids, actions);
}

/// Contents and bits of the selected objects.
fn flags(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let doc = cx.editor.doc();
    let ids = cx.editor.selection().with_children(doc);
    let solids: Vec<ObjectId> = ids
        .iter()
        .copied()
        .filter(|&id| {
            doc.object(id)
                .is_some_and(|object| object.brush().is_some() || object.mesh().is_some())
        })
        .collect();
    if solids.is_empty() {
        return;
    }
    widgets::section(
        ui,
        "Building",
        "",
        true,
        |_| {},
        |ui| {
            let all = |bit: ObjectFlags| {
                solids
                    .iter()
                    .all(|&id| doc.object(id).is_some_and(|object| object.flags.has(bit)))
            };
            for pair in [
                [
                    (ObjectFlags::DETAIL, "Detail"),
                    (ObjectFlags::NO_COMPILE, "Leave out"),
                ],
                [
                    (ObjectFlags::NO_SHADOW, "No shadow"),
                    (ObjectFlags::NO_COLLIDE, "No collision"),
                ],
            ] {
                ui.horizontal(|ui| {
                    let column = (ui.available_width() / 2.0).floor() - size::GAP;
                    for (bit, label) in pair {
                        let was = all(bit);
                        let mut on = was;
                        ui.allocate_ui(vec2(column, size::ROW), |ui| {
                            ui.set_min_width(column);
                            widgets::checkbox(ui, &mut on, label);
                        });
                        if on != was {
                            let none = ObjectFlags::default();
                            let (set, clear) = if on { (bit, none) } else { (none, bit) };
                            actions.push(Action::Commit(ops::objects::set_flags(
                                solids.clone(),
                                set,
                                clear,
                            )));
                        }
                    }
                });
            }
        },
    );
}
