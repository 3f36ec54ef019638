//! What lies behind what (SEL-4): stepping through the objects under the pointer, and a list of them.

use glam::DVec2;

use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::Hit;
use crate::editor::pick;
use crate::editor::request::StatusKind;

/// An object under the pointer. Closed groups are one.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderRow {
    pub id: ObjectId,
    /// What the list shows.
    pub name: String,
    /// From the eye, or from the nearest thing in 2D; map units.
    pub distance: f64,
    pub is_selected: bool,
}

impl Editor {
    /// Everything under a point of a pane, nearest first.
    #[must_use]
    pub fn under(&self, pane: usize, at: DVec2) -> Vec<UnderRow> {
        let Some(view) = self.views.get(pane) else {
            return Vec::new();
        };
        let scope = self.scope_in(pane);
        let ray = view.ray(at);
        let mut found: Vec<(f64, ObjectId)> = pick::all_under(scope, &self.spatial, view, at)
            .into_iter()
            .filter_map(|(id, exact)| {
                let object = scope.doc.object(id)?;
                let distance = exact.unwrap_or_else(|| {
                    // Hit by an edge or as an icon: the middle of it.
                    let bounds = object.entity().map_or_else(
                        || object.bounds(),
                        |entity| scope.definitions.entity_box(entity),
                    );
                    (bounds.center() - ray.origin).dot(ray.dir)
                });
                Some((distance, self.taken(id)))
            })
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let nearest = found.first().map_or(0.0, |(distance, _)| *distance);
        let mut rows: Vec<UnderRow> = Vec::new();
        for (distance, id) in found {
            if rows.iter().any(|row| row.id == id) {
                continue;
            }
            rows.push(UnderRow {
                id,
                name: self.object_name(id),
                distance: if view.is_2d() {
                    distance - nearest
                } else {
                    distance
                },
                is_selected: self.selection().contains(&Pick::Object(id)),
            });
        }
        rows
    }

    /// `Ctrl`+wheel: selects the next object behind the selected one along the ray, or in front of it, and round again.
    pub(crate) fn dig(&mut self, pane: usize, at: DVec2, deeper: bool) {
        let rows = self.under(pane, at);
        let count = rows.len();
        let Some(first) = rows.first() else {
            self.say(StatusKind::Refused, "There is nothing under the pointer");
            return;
        };
        let next = match rows.iter().position(|row| row.is_selected) {
            Some(now) if deeper => (now + 1) % count,
            Some(now) => (now + count - 1) % count,
            None => 0,
        };
        let row = rows.get(next).unwrap_or(first);
        let words = format!("{} ({} of {count} under the pointer)", row.name, next + 1);
        self.select(Selection::from([Pick::Object(row.id)]));
        self.say(StatusKind::Info, words);
    }

    /// A row of the list is under the pointer: its object is outlined.
    pub fn point_out(&mut self, id: Option<ObjectId>) {
        self.hover = id.map(|object| Hit {
            object,
            face: None,
            point: glam::DVec3::ZERO,
            normal: glam::DVec3::ZERO,
            distance: 0.0,
        });
    }

    /// A row of the list was clicked; `toggle` with `Ctrl`.
    pub fn take_row(&mut self, id: ObjectId, toggle: bool) {
        let pick = Pick::Object(id);
        let mut selection = Selection::from([pick]);
        if toggle {
            let now = self.selection().iter().copied();
            let mut objects: Selection =
                now.filter(|pick| matches!(pick, Pick::Object(_))).collect();
            if !objects.remove(&pick) {
                objects.insert(pick);
            }
            selection = objects;
        }
        self.select(selection);
    }
}
