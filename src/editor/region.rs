//! The region of work (VIEW-4), and looking through solids (VIEW-5).

use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::pick;
use crate::editor::tools::shortest;
use crate::geometry::Aabb;

/// Thickness of the walls that close a region for a build.
const WALL: f64 = 16.0;

/// A box thinner than this is no region.
const THINNEST: f64 = 1.0;

impl Editor {
    /// The region of work: what is outside is dimmed, not picked, and not built by hand.
    #[must_use]
    pub fn cordon(&self) -> Option<Aabb> {
        self.cordon
    }

    /// Sets the region to the bounds of the selection, or lifts it.
    pub(crate) fn toggle_cordon(&mut self) -> Result<(), EditError> {
        if self.cordon.take().is_some() {
            self.say(StatusKind::Info, "The whole map again");
            return Ok(());
        }
        let bounds = self.selection_bounds();
        if bounds.is_empty() {
            return Err(EditError::refused(
                "Select what to work on first: its bounds become the region",
            ));
        }
        if bounds.size().min_element() < THINNEST {
            return Err(EditError::refused(
                "The selection is too flat for a region of work",
            ));
        }
        self.cordon = Some(bounds);
        self.hover = None;
        let size = bounds.size();
        self.say(
            StatusKind::Info,
            format!(
                "Working on {} x {} x {}; Build and Walk use only this",
                shortest(size.x),
                shortest(size.y),
                shortest(size.z)
            ),
        );
        Ok(())
    }

    /// What Build and Walk work on: the map, or what of it lies in the region, closed by walls that exist only there.
    #[must_use]
    pub fn document_to_build(&self) -> Document {
        let doc = &self.history.committed().doc;
        match self.cordon {
            None => doc.clone(),
            Some(cordon) => inside(doc, cordon),
        }
    }

    /// `Tab` went down over a 3D view.
    pub(crate) fn begin_xray(&mut self) {
        let pane = self.pointer.pane();
        if self.is_walking() || self.views.get(pane).is_none_or(|view| view.is_2d()) {
            return;
        }
        self.xray = Some(pane);
        self.say(
            StatusKind::Info,
            "Looking through the nearest solid while Tab is held",
        );
    }

    pub(crate) fn end_xray(&mut self) {
        self.xray = None;
    }

    /// The pane whose solids are looked through.
    #[must_use]
    pub fn xray(&self) -> Option<usize> {
        self.xray
    }

    /// The edges of the region.
    pub(crate) fn outline_cordon(&self, out: &mut Overlay) {
        let Some(cordon) = self.cordon else { return };
        let corners = cordon.corners();
        for a in 0..8usize {
            for bit in [1, 2, 4] {
                if a & bit == 0 {
                    out.lines.push(Line {
                        from: corners[a],
                        to: corners[a | bit],
                        role: Role::Guide,
                        width: 1.5,
                        through: true,
                        arrow: false,
                        dashed: true,
                    });
                }
            }
        }
    }
}

/// The part of a map in a box with six walls around it. Ids stay.
fn inside(doc: &Document, cordon: Aabb) -> Document {
    let mut draft = doc.edit();
    let kept: BTreeSet<ObjectId> = doc
        .objects()
        .filter(|(id, object)| match &object.kind {
            Kind::Brush(_) | Kind::Mesh(_) => pick::is_within(object, cordon),
            Kind::Entity(entity) => {
                !pick::is_point_entity(doc, *id, entity) || pick::is_within(object, cordon)
            }
            Kind::Group(_) => true,
        })
        .map(|(id, _)| id)
        .collect();
    let gone: Vec<ObjectId> = doc
        .objects()
        .map(|(id, _)| id)
        .filter(|id| !kept.contains(id))
        .collect();
    for id in gone {
        draft.remove(id);
    }
    // Owners that lost all they owned would turn into points.
    let owners: Vec<ObjectId> = doc
        .objects()
        .filter(|(id, object)| {
            object.entity().is_some_and(|entity| {
                !pick::is_point_entity(doc, *id, entity) && entity.class != "worldspawn"
            }) && draft.children(Some(*id)).next().is_none()
        })
        .map(|(id, _)| id)
        .collect();
    for id in owners {
        draft.remove(id);
    }
    for (axis, outwards) in [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .flat_map(|axis| [(axis, true), (axis, false)])
    {
        let around = cordon.grown(WALL);
        // Each wall covers its whole side, corners included.
        let wall = if outwards {
            Aabb::new(
                DVec3::select(axis.cmpgt(DVec3::ZERO), cordon.max, around.min),
                around.max,
            )
        } else {
            Aabb::new(
                around.min,
                DVec3::select(axis.cmpgt(DVec3::ZERO), cordon.min, around.max),
            )
        };
        let brush = Brush::cuboid(wall, None);
        let faces = brush
            .faces()
            .iter()
            .map(|face| crate::document::Face {
                flags: face.flags | SurfaceFlags::NODRAW,
                ..face.clone()
            })
            .collect();
        draft.insert(Object {
            // The sun shines in as it does in the whole map.
            flags: ObjectFlags::NO_SHADOW,
            ..Object::new(Kind::Brush(brush.with_surfaces(faces)))
        });
    }
    draft.as_read()
}
