//! What of a map players can be in: a sky that is built as a room apart from it is no part of that.

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::Kind;
use crate::document::LayerKind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::unr::layers::SKY_LAYER;
use crate::geometry::Aabb;

/// Tells what counts when a map is framed. A layer called as imports call that of the sky does not.
pub(crate) struct Playable {
    /// With the layers of the sky as if they were hidden.
    sky: ViewState,
    /// Boxes of what is built of the sky, and of the rest.
    apart: Aabb,
    rest: Aabb,
}

impl Playable {
    #[must_use]
    pub(crate) fn of(doc: &Document) -> Self {
        let layers = doc.layers().filter(|(_, layer)| {
            layer.kind == LayerKind::Layer && layer.name.eq_ignore_ascii_case(SKY_LAYER)
        });
        let hidden_layers: BTreeSet<_> = layers.map(|(id, _)| id).collect();
        let mut this = Self {
            sky: ViewState {
                hidden_layers,
                ..ViewState::default()
            },
            apart: Aabb::EMPTY,
            rest: Aabb::EMPTY,
        };
        if this.is_all() {
            return this;
        }
        for (id, object) in doc.objects() {
            if !matches!(object.kind, Kind::Brush(_) | Kind::Mesh(_)) || doc.is_left_out(id) {
                continue;
            }
            let side = if this.sky.is_hidden(doc, id) {
                &mut this.apart
            } else {
                &mut this.rest
            };
            *side = side.union(object.bounds());
        }
        if this.rest.is_empty() {
            this.sky.hidden_layers.clear();
        }
        this
    }

    fn is_all(&self) -> bool {
        self.sky.hidden_layers.is_empty()
    }

    /// False for the sky's room, and for what only has its place in there: lights, sounds.
    #[must_use]
    pub(crate) fn has(&self, doc: &Document, id: ObjectId, object: &Object) -> bool {
        let stands_apart = || {
            let entity = object.entity();
            entity.is_some_and(|entity| {
                self.apart.contains(entity.origin) && !self.rest.contains(entity.origin)
            })
        };
        self.is_all() || !(self.sky.is_hidden(doc, id) || stands_apart())
    }
}
