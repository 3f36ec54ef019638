//! Which faces of the sky are seen.
//!
//! A map stands in a shell of sky, or under a lid of it. Seen from within, the shell shows what is above the clouds; seen from
//! outside it would only hide the map. So the outer faces are never drawn, and none of them while the eye is outside of
//! everything.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Document;
use crate::document::ObjectId;
use crate::editor::shown::BrushUse;
use crate::editor::shown::FaceKind;
use crate::editor::shown::FaceLook;
use crate::editor::shown::Surface;
use crate::editor::shown::surface_of;
use crate::geometry::Aabb;
use crate::geometry::Bvh;

/// With more faces than this all of them count as inner ones: looking at each takes a few microseconds.
pub(crate) const MOST_LOOKED_AT: usize = 4096;

/// How far things must reach over an edge to count, in map units.
const SLACK: f64 = 1.0;

/// True where the eye is among what the map consists of. `bounds`: of all of it.
pub(crate) fn is_around(bounds: Option<Aabb>, eye_in_map: DVec3) -> bool {
    bounds.is_some_and(|bounds| bounds.grown(SLACK).contains(eye_in_map))
}

/// What lies straight in front of a face, along the axis that it looks along most.
pub(crate) struct Column {
    foot: Aabb,
    axis: usize,
    forward: bool,
}

impl Column {
    pub fn new(points: impl IntoIterator<Item = DVec3>, normal: DVec3) -> Self {
        let foot = Aabb::of_points(points);
        let along = normal.abs();
        let axis = if along.x >= along.y && along.x >= along.z {
            0
        } else if along.y >= along.z {
            1
        } else {
            2
        };
        Self {
            foot,
            axis,
            forward: normal[axis] > 0.0,
        }
    }

    pub fn meets(&self, bounds: Aabb) -> bool {
        let Aabb { min, max } = self.foot;
        (0..3).all(|axis| {
            if axis != self.axis {
                let slack = SLACK.min((max[axis] - min[axis]) * 0.25);
                bounds.min[axis] < max[axis] - slack && bounds.max[axis] > min[axis] + slack
            } else if self.forward {
                bounds.max[axis] > max[axis] + SLACK
            } else {
                bounds.min[axis] < min[axis] - SLACK
            }
        })
    }

    /// A box that holds all of it, as far as the map goes.
    fn within(&self, map: Aabb) -> Aabb {
        let mut bounds = self.foot;
        if self.forward {
            bounds.max[self.axis] = map.max[self.axis].max(bounds.max[self.axis]);
        } else {
            bounds.min[self.axis] = map.min[self.axis].min(bounds.min[self.axis]);
        }
        bounds
    }
}

/// The outer faces of the sky of a map, and the bounds of everything in it.
#[derive(Default)]
pub(crate) struct SkySides {
    outer: BTreeSet<(ObjectId, u32)>,
    bounds: Option<Aabb>,
}

impl SkySides {
    /// `sky`: objects that have faces of the sky; `boxes`: of everything in the map; `solids`: of brushes and meshes.
    pub fn of(
        (doc, surfaces): (&Document, &[Surface]),
        sky: &BTreeSet<ObjectId>,
        solids: &Bvh<ObjectId>,
        boxes: impl Iterator<Item = Aabb>,
    ) -> Self {
        let Some(map) = boxes.reduce(Aabb::union) else {
            return Self::default();
        };
        let mut outer = BTreeSet::new();
        let mut count = 0;
        for &id in sky {
            let Some(object) = doc.object(id) else {
                continue;
            };
            let Some(brush) = object.brush() else {
                // Domes are one mesh, whose own far side would have to count.
                count += object.mesh().map_or(0, |mesh| mesh.polygons.len());
                continue;
            };
            let brush_use = BrushUse::of(brush, object.flags);
            for (index, face) in brush.faces().iter().enumerate() {
                let surface = surface_of(surfaces, face.material);
                let look = FaceLook::of(surface, face.flags, face.material, brush_use);
                let corners = brush.hull().loops().get(index).map_or(0, Vec::len);
                if look.kind != FaceKind::Sky || corners < 3 {
                    continue;
                }
                count += 1;
                if count > MOST_LOOKED_AT {
                    break;
                }
                let normal = face.plane.normal.normalize_or_zero();
                let column = Column::new(brush.hull().face_points(index), normal);
                let is_met = solids.any(column.within(map), |other| {
                    other != id
                        && solids.get(other).is_some_and(|bounds| column.meets(bounds))
                        && doc
                            .object(other)
                            .is_some_and(|object| !BrushUse::of_object(object).is_tool)
                });
                if !is_met {
                    outer.insert((id, index as u32));
                }
            }
        }
        if count > MOST_LOOKED_AT {
            outer.clear();
        }
        Self {
            outer,
            bounds: Some(map),
        }
    }

    /// True for a face that looks away from everything: nothing lies straight in front of it. Walls and lids of a shell have
    /// the opposite wall or the ground in front of their inner sides.
    pub fn is_outer(&self, id: ObjectId, face: u32) -> bool {
        self.outer.contains(&(id, face))
    }

    /// True where the eye is among what the map consists of.
    pub fn is_around(&self, eye_in_map: DVec3) -> bool {
        is_around(self.bounds, eye_in_map)
    }
}
