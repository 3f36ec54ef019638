//! The outliner: layers, groups, entities, brushes as a tree, only the visible rows of it drawn.

mod carrying;

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use egui::Color32;
use egui::Id;
use egui::Ui;
use egui::vec2;

use crate::assets::Definitions;
use crate::document::Change;
use crate::document::Document;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::outlining::RowTarget;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::panels::views::class_color;
use crate::shell::panels::views::class_glyph;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::size;
use crate::shell::widgets;
use crate::shell::widgets::TreeRow;

/// A place of the tree that can be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Place {
    /// `None`: the default layer.
    Layer(Option<LayerId>),
    Object(ObjectId),
}

#[derive(Default)]
pub struct OutlinerState {
    search: String,
    open: BTreeSet<Place>,
    /// Layers start open; those that were closed.
    closed: BTreeSet<Option<LayerId>>,
    rows: Vec<Row>,
    built: Option<(Document, String, BTreeSet<Place>, BTreeSet<Option<LayerId>>)>,
    /// The selection that was last brought into view.
    shown: Selection,
    /// Where a range selection starts.
    anchor: Option<ObjectId>,
}

#[derive(Clone, Copy)]
struct Row {
    place: Place,
    depth: usize,
    has_children: bool,
    children: usize,
}

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut OutlinerState, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let doc = cx.editor.doc();
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| {
            let width = ui.available_width();
            widgets::search_field(ui, &mut state.search, "Find in map", width);
        });
    if doc.object_count() == 0 {
        widgets::empty_state(
            ui,
            icons::TREE,
            "Nothing here yet",
            "Drag in a view to draw a box",
        );
        return;
    }
    reveal(state, cx);
    rebuild(state, cx);
    if state.rows.is_empty() {
        let title = format!("Nothing matches \"{}\"", state.search);
        widgets::empty_state(
            ui,
            icons::SEARCH,
            &title,
            "Names, classes and numbers are looked at",
        );
        return;
    }
    let scroll_to = scroll_target(state, cx);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("outliner rows");
    if let Some(row) = scroll_to {
        let height = ui.available_height();
        let middle = row as f32 * size::ROW - height / 2.0;
        area = area.vertical_scroll_offset(middle.max(0.0));
    }
    let mut toggled = None;
    let rows = std::mem::take(&mut state.rows);
    area.show_rows(ui, size::ROW, rows.len(), |ui, range| {
        carrying::scroll(ui);
        for row in &rows[range] {
            let reply = match row.place {
                Place::Layer(layer) => layer_row(ui, state, cx, *row, layer, &p, actions),
                Place::Object(id) => object_row(ui, state, cx, *row, id, &p, &rows, actions),
            };
            if reply {
                toggled = Some(row.place);
            }
        }
    });
    state.rows = rows;
    if let Some(place) = toggled {
        toggle(state, place);
    }
}

fn toggle(state: &mut OutlinerState, place: Place) {
    match place {
        Place::Layer(layer) => {
            if !state.closed.remove(&layer) {
                state.closed.insert(layer);
            }
        }
        Place::Object(_) => {
            if !state.open.remove(&place) {
                state.open.insert(place);
            }
        }
    }
}

/// A selection made elsewhere is shown: its containers open.
fn reveal(state: &mut OutlinerState, cx: &Cx<'_>) {
    let selection = cx.editor.selection();
    if *selection == state.shown {
        return;
    }
    let doc = cx.editor.doc();
    for pick in selection.iter().take(64) {
        let id = pick.object();
        for ancestor in doc.ancestors(id) {
            state.open.insert(Place::Object(ancestor));
        }
        let root = doc.ancestors(id).last().unwrap_or(id);
        if let Some(object) = doc.object(root) {
            state.closed.remove(&object.layer);
        }
    }
}

fn scroll_target(state: &mut OutlinerState, cx: &Cx<'_>) -> Option<usize> {
    let selection = cx.editor.selection();
    if *selection == state.shown {
        return None;
    }
    state.shown.clone_from(selection);
    let wanted = selection.iter().next_back()?.object();
    // Rows clicked here are in sight already.
    if state.anchor == Some(wanted) {
        return None;
    }
    state
        .rows
        .iter()
        .position(|row| row.place == Place::Object(wanted))
}

/// The rows that the open places give, made anew when something they depend on has changed.
fn rebuild(state: &mut OutlinerState, cx: &Cx<'_>) {
    let doc = cx.editor.doc();
    if let Some((old, search, open, closed)) = &mut state.built
        && *search == state.search
        && *open == state.open
        && *closed == state.closed
        && is_same_tree(old, doc, !search.is_empty())
    {
        // What a drag moves has no other place in the tree.
        old.clone_from(doc);
        return;
    }
    let wanted = state.search.trim().to_lowercase();
    let mut rows = Vec::new();
    if wanted.is_empty() {
        tree(state, doc, &mut rows);
    } else {
        for (id, object) in doc.objects() {
            let mut text = cx.editor.object_name(id).to_lowercase();
            if let Kind::Entity(entity) = &object.kind {
                text.push(' ');
                text.push_str(&entity.class.to_lowercase());
            }
            if text.contains(&wanted) {
                let row = Row {
                    place: Place::Object(id),
                    depth: 0,
                    has_children: false,
                    children: 0,
                };
                rows.push(row);
            }
        }
    }
    state.rows = rows;
    state.built = Some((
        doc.clone(),
        state.search.clone(),
        state.open.clone(),
        state.closed.clone(),
    ));
}

/// True when both documents give the same rows. `named`: rows depend on names and classes, too.
fn is_same_tree(old: &Document, new: &Document, named: bool) -> bool {
    if old.same(new) {
        return true;
    }
    old.layers().eq(new.layers())
        && new.changes_since(old).all(|change| {
            let Change::Changed(_, now, before) = change else {
                return false;
            };
            let is_named = matches!(now.kind, Kind::Entity(_) | Kind::Group(_) | Kind::Mesh(_));
            now.parent == before.parent
                && now.layer == before.layer
                && std::mem::discriminant(&now.kind) == std::mem::discriminant(&before.kind)
                && (!named || !is_named || now.kind == before.kind)
        })
}

fn tree(state: &OutlinerState, doc: &Document, rows: &mut Vec<Row>) {
    let mut by_layer: BTreeMap<Option<LayerId>, Vec<(Rank, ObjectId)>> = BTreeMap::new();
    by_layer.entry(None).or_default();
    for (id, layer) in doc.layers() {
        if layer.kind == LayerKind::Layer {
            by_layer.entry(Some(id)).or_default();
        }
    }
    // One pass over all objects: looking each up takes most of the time in a large map.
    let mut below: BTreeMap<ObjectId, Vec<(Rank, ObjectId)>> = BTreeMap::new();
    for (id, object) in doc.objects() {
        let member = (Rank::of(object), id);
        match object.parent {
            Some(parent) if state.open.contains(&Place::Object(parent)) => {
                below.entry(parent).or_default().push(member);
            }
            Some(_) => {}
            None => {
                let known = object.layer.filter(|&layer| doc.layer(layer).is_some());
                by_layer.entry(known).or_default().push(member);
            }
        }
    }
    for (layer, mut members) in by_layer {
        rows.push(Row {
            place: Place::Layer(layer),
            depth: 0,
            has_children: !members.is_empty(),
            children: members.len(),
        });
        if state.closed.contains(&layer) {
            continue;
        }
        // Depth first with a stack of our own: files may nest deeper than the call stack.
        members.sort_unstable_by(|a, b| b.cmp(a));
        let mut stack: Vec<(Rank, ObjectId, usize)> = members
            .into_iter()
            .map(|(rank, id)| (rank, id, 1))
            .collect();
        while let Some((rank, id, depth)) = stack.pop() {
            let inside = below.remove(&id);
            let children = match (&inside, rank) {
                (Some(inside), _) => inside.len(),
                (None, Rank::Geometry) => 0,
                (None, Rank::Group | Rank::Entity) => doc.children(Some(id)).count(),
            };
            rows.push(Row {
                place: Place::Object(id),
                depth,
                has_children: children > 0,
                children,
            });
            if let Some(mut inside) = inside {
                inside.sort_unstable_by(|a, b| b.cmp(a));
                stack.extend(
                    inside
                        .into_iter()
                        .map(|(rank, child)| (rank, child, depth + 1)),
                );
            }
        }
    }
}

/// What comes first among those that stand side by side, then by id; geometry has nothing below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Group,
    Entity,
    Geometry,
}

impl Rank {
    fn of(object: &Object) -> Self {
        match object.kind {
            Kind::Group(_) => Self::Group,
            Kind::Entity(_) => Self::Entity,
            Kind::Brush(_) | Kind::Mesh(_) => Self::Geometry,
        }
    }
}

fn layer_row(
    ui: &mut Ui,
    state: &OutlinerState,
    cx: &Cx<'_>,
    row: Row,
    layer: Option<LayerId>,
    p: &Palette,
    actions: &mut Vec<Action>,
) -> bool {
    let doc = cx.editor.doc();
    let look = &cx.editor.look;
    let name = layer
        .and_then(|id| doc.layer(id))
        .map_or("Default layer", |layer| layer.name.as_str());
    let count = say::count(row.children);
    let reply = widgets::tree_row(
        ui,
        Id::unique(("outliner", row.place)),
        &TreeRow {
            depth: 0,
            open: Some(!state.closed.contains(&layer)).filter(|_| row.has_children),
            icon: icons::LAYERS,
            icon_color: p.text_dim,
            name,
            note: &count,
            selected: false,
            hidden: layer.is_some_and(|id| look.hidden_layers.contains(&id)),
            locked: layer.is_some_and(|id| look.locked_layers.contains(&id)),
            focused: cx.has_keyboard,
            marks: layer.is_some(),
        },
    );
    carrying::let_go(ui, cx, RowTarget::Layer(layer), reply.row.rect, actions);
    if let Some(id) = layer {
        if reply.eye {
            actions.push(Action::HideLayer(id, !look.hidden_layers.contains(&id)));
        }
        if reply.lock {
            actions.push(Action::LockLayer(id, !look.locked_layers.contains(&id)));
        }
    }
    reply.toggled || reply.row.double_clicked()
}

/// Glyph and colour of an object.
#[must_use]
pub fn object_look(
    definitions: &Definitions,
    object: &Object,
    has_children: bool,
    p: &Palette,
) -> (char, Color32) {
    match &object.kind {
        Kind::Brush(_) => (icons::BRUSH, p.text_dim),
        Kind::Mesh(_) => (icons::TEXTURE, p.view.mesh),
        Kind::Group(_) => (icons::GROUP, p.text_dim),
        Kind::Entity(entity) if has_children && class_glyph(&entity.class) == icons::DOT => {
            (icons::PREFAB, p.view.brush_entity)
        }
        Kind::Entity(entity) => (
            class_glyph(&entity.class),
            class_color(&p.view, definitions, &entity.class),
        ),
    }
}

fn object_row(
    ui: &mut Ui,
    state: &mut OutlinerState,
    cx: &Cx<'_>,
    row: Row,
    id: ObjectId,
    p: &Palette,
    rows: &[Row],
    actions: &mut Vec<Action>,
) -> bool {
    let editor = cx.editor;
    let doc = editor.doc();
    let Some(object) = doc.object(id) else {
        ui.allocate_space(vec2(ui.available_width(), size::ROW));
        return false;
    };
    let selected = is_picked(editor.selection(), id);
    let (icon, color) = object_look(editor.definitions(), object, row.has_children, p);
    let (name, note) = match &object.kind {
        Kind::Entity(entity) => match entity.key("targetname").filter(|name| !name.is_empty()) {
            Some(name) => (name.to_owned(), entity.class.clone()),
            None => (
                entity.class.clone(),
                entity.key("model").unwrap_or_default().to_owned(),
            ),
        },
        Kind::Group(_) => (editor.object_name(id), say::count(row.children)),
        _ => (editor.object_name(id), String::new()),
    };
    let hidden = editor.look.is_hidden(doc, id);
    let locked = editor.look.locked.contains(&id);
    let reply = widgets::tree_row(
        ui,
        Id::unique(("outliner", row.place)),
        &TreeRow {
            depth: row.depth,
            open: row.has_children.then(|| state.open.contains(&row.place)),
            icon,
            icon_color: color,
            name: &name,
            note: &note,
            selected,
            hidden,
            locked,
            focused: cx.has_keyboard,
            marks: true,
        },
    );
    if reply.row.drag_started_by(egui::PointerButton::Primary) {
        carrying::begin(ui, cx, id);
    }
    carrying::let_go(ui, cx, RowTarget::Object(id), reply.row.rect, actions);
    if reply.eye {
        actions.push(Action::Hide(id, !editor.look.hidden.contains(&id)));
    } else if reply.lock {
        actions.push(Action::Lock(id, !locked));
    } else if reply.row.double_clicked() {
        actions.push(Action::Focus(vec![id]));
    } else if reply.row.clicked() {
        let held = ui.input(|i| i.modifiers);
        actions.push(Action::Select(clicked(
            state,
            editor.selection(),
            id,
            held,
            rows,
        )));
        if !held.shift {
            state.anchor = Some(id);
        }
    }
    reply.toggled
}

/// True when the object, or any part of it, is selected.
fn is_picked(selection: &Selection, id: ObjectId) -> bool {
    let any = |from: Pick, to: Pick| selection.range(from..=to).next().is_some();
    selection.contains(&Pick::Object(id))
        || any(Pick::Face(id, 0), Pick::Face(id, u32::MAX))
        || any(Pick::Edge(id, 0), Pick::Edge(id, u32::MAX))
        || any(Pick::Vertex(id, 0), Pick::Vertex(id, u32::MAX))
}

/// What a click selects: the row alone, `Ctrl` adds or takes away, `Shift` all from the last clicked row.
fn clicked(
    state: &OutlinerState,
    now: &Selection,
    id: ObjectId,
    held: egui::Modifiers,
    rows: &[Row],
) -> Selection {
    let pick = Pick::Object(id);
    if held.command {
        let mut selection: Selection = now
            .iter()
            .copied()
            .filter(|pick| matches!(pick, Pick::Object(_)))
            .collect();
        if !selection.remove(&pick) {
            selection.insert(pick);
        }
        return selection;
    }
    let place = |id: ObjectId| rows.iter().position(|row| row.place == Place::Object(id));
    if held.shift
        && let (Some(from), Some(to)) = (state.anchor.and_then(place), place(id))
    {
        let picked = rows[from.min(to)..=from.max(to)]
            .iter()
            .filter_map(|row| match row.place {
                Place::Object(id) => Some(Pick::Object(id)),
                Place::Layer(_) => None,
            });
        return picked.collect();
    }
    Selection::from([pick])
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Brush;
    use crate::document::Entity;
    use crate::document::Group;
    use crate::geometry::Aabb;

    fn brush() -> Kind {
        Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
            None,
        ))
    }

    #[test]
    fn sel_11_groups_come_before_entities_before_geometry_and_only_open_ones_show_what_they_hold() {
        let mut draft = Document::default().edit();
        let loose = draft.insert(Object::new(brush()));
        let light = draft.insert(Object::new(Kind::Entity(Entity::new("light", DVec3::ZERO))));
        let group = draft.insert(Object::new(Kind::Group(Group::new("crates"))));
        let within = |parent| Object {
            parent: Some(parent),
            ..Object::new(brush())
        };
        let inner = [draft.insert(within(group)), draft.insert(within(group))];
        let door = draft.insert(Object::new(Kind::Entity(Entity::new(
            "func_door",
            DVec3::ZERO,
        ))));
        draft.insert(within(door));
        let doc = draft.finish().expect("sound");
        let rows_of = |state: &OutlinerState| {
            let mut rows = Vec::new();
            tree(state, &doc, &mut rows);
            rows.iter()
                .map(|row| (row.place, row.depth, row.children))
                .collect::<Vec<_>>()
        };
        let mut state = OutlinerState::default();
        let closed = [
            (Place::Layer(None), 0, 4),
            (Place::Object(group), 1, 2),
            (Place::Object(light), 1, 0),
            (Place::Object(door), 1, 1),
            (Place::Object(loose), 1, 0),
        ];
        assert_eq!(rows_of(&state), closed);
        state.open.insert(Place::Object(group));
        let mut open = closed.to_vec();
        open.splice(2..2, inner.map(|id| (Place::Object(id), 2, 0)));
        assert_eq!(rows_of(&state), open);
        state.closed.insert(None);
        assert_eq!(rows_of(&state), [(Place::Layer(None), 0, 4)]);
    }
}
