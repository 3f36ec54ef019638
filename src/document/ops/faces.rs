//! Material, texture placement and flags of brush faces and mesh polygons.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Polygon;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::SurfaceFlags;
use crate::document::ops::surfaces::Changes;
use crate::document::ops::surfaces::Surface;
use crate::document::ops::surfaces::surfaces_of;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;

/// One of the file's five numbers, or an offset in texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UvField {
    OffsetX,
    OffsetY,
    /// Offsets in texels: repeats times tile size.
    TexelsX,
    TexelsY,
    ScaleX,
    ScaleY,
    Rotation,
}

impl UvField {
    #[must_use]
    pub fn get(self, uv: &Uv, tile_size: Vec2) -> f32 {
        match self {
            Self::OffsetX => uv.offset.x,
            Self::OffsetY => uv.offset.y,
            Self::TexelsX => uv.offset.x * tile_size.x,
            Self::TexelsY => uv.offset.y * tile_size.y,
            Self::ScaleX => uv.scale.x,
            Self::ScaleY => uv.scale.y,
            Self::Rotation => uv.rotation_deg,
        }
    }

    fn set(self, uv: &mut Uv, tile_size: Vec2, value: f32) {
        match self {
            Self::OffsetX => uv.offset.x = value,
            Self::OffsetY => uv.offset.y = value,
            Self::TexelsX => uv.offset.x = value / tile_size.x,
            Self::TexelsY => uv.offset.y = value / tile_size.y,
            Self::ScaleX => uv.scale.x = value,
            Self::ScaleY => uv.scale.y = value,
            Self::Rotation => uv.rotation_deg = value,
        }
    }
}

/// A number as it is typed into a field: `12` sets, `+8`, `-=8`, `*2`, `/2` count from each face's own value (TEX-9).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Set(f64),
    Add(f64),
    Multiply(f64),
}

impl Value {
    /// `None` when the text is no finite number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = |rest: &str| {
            rest.trim()
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
        };
        if let Some(rest) = text.strip_prefix("-=") {
            return Some(Self::Add(-number(rest)?));
        }
        if let Some(rest) = text.strip_prefix("+=").or_else(|| text.strip_prefix('+')) {
            return Some(Self::Add(number(rest)?));
        }
        if let Some(rest) = text.strip_prefix('*') {
            return Some(Self::Multiply(number(rest)?));
        }
        if let Some(rest) = text.strip_prefix('/') {
            return Some(Self::Multiply(
                1.0 / number(rest).filter(|&number| number != 0.0)?,
            ));
        }
        Some(Self::Set(number(text)?))
    }

    #[must_use]
    pub fn of(self, old: f64) -> f64 {
        match self {
            Self::Set(value) => value,
            Self::Add(value) => old + value,
            Self::Multiply(factor) => old * factor,
        }
    }
}

/// Faces that a selection means, by object: the picked ones, and all of picked objects and what is below them.
#[must_use]
pub fn faces_of(doc: &Document, selection: &Selection) -> BTreeMap<ObjectId, BTreeSet<u32>> {
    let mut faces: BTreeMap<ObjectId, BTreeSet<u32>> = BTreeMap::new();
    for id in selection.with_children(doc) {
        let count = match doc.object(id).map(|object| &object.kind) {
            Some(Kind::Brush(brush)) => brush.faces().len(),
            Some(Kind::Mesh(mesh)) => mesh.polygons.len(),
            _ => continue,
        };
        faces.insert(id, (0..count as u32).collect());
    }
    for pick in selection {
        if let Pick::Face(id, face) = pick {
            faces.entry(*id).or_default().insert(*face);
        }
    }
    faces
}

/// Puts a material on faces or whole objects (TEX-2).
#[must_use]
pub fn set_material(picks: Selection, material: Option<MaterialId>) -> Edit {
    Edit::new("Apply material", move |draft, _| {
        let tiles = Tiles::of(draft);
        let face = |face: &mut Face, _: Plane, _: &[DVec3]| tiles.repaint(face, material);
        let polygon = |polygon: &mut Polygon, _: &Mesh| polygon.material = material;
        apply(draft, &picks, &face, &polygon);
        Ok(())
    })
}

/// Tile sizes of all materials, for what runs while the draft is being changed.
struct Tiles(BTreeMap<Option<MaterialId>, Vec2>);

impl Tiles {
    fn of(doc: &Document) -> Self {
        let ids = doc.materials().map(|(id, _)| Some(id)).chain([None]);
        Self(ids.map(|id| (id, doc.tile_size(id))).collect())
    }

    fn get(&self, material: Option<MaterialId>) -> Vec2 {
        self.0.get(&material).copied().unwrap_or(Vec2::splat(64.0))
    }

    /// Gives a face another material. Exact axes count repeats, the five numbers tiles: what is kept as axes goes along with
    /// the tile, so that both forms look alike afterwards.
    fn repaint(&self, face: &mut Face, material: Option<MaterialId>) {
        if let Some(axes) = face.axes {
            let ratio = (self.get(face.material) / self.get(material)).as_dvec2();
            face.axes = Some(UvAxes {
                u: axes.u * ratio.x,
                v: axes.v * ratio.y,
                ..axes
            });
        }
        face.material = material;
    }
}

/// Sets and clears surface bits of brush faces. Meshes have none of their own.
#[must_use]
pub fn set_flags(picks: Selection, set: SurfaceFlags, clear: SurfaceFlags) -> Edit {
    change(
        "Face flags",
        picks,
        move |face, _, _| face.flags = face.flags.without(clear).with(set),
        |_, _| {},
    )
}

/// Changes one number of the texture placement, per face. A face with exact axes changes those by as much.
#[must_use]
pub fn set_uv(picks: Selection, field: UvField, value: Value) -> Edit {
    Edit::new("Texture alignment", move |draft, _| {
        let tiles = Tiles::of(draft);
        let face = |face: &mut Face, unit: Plane, _: &[DVec3]| {
            let old = face.uv;
            change_field(&mut face.uv, tiles.get(face.material), field, value);
            face.axes = face
                .axes
                .map(|axes| follow_numbers(&axes, &old, &face.uv, unit.normal));
        };
        let polygon = |polygon: &mut Polygon, _: &Mesh| {
            let tile_size = tiles.get(polygon.material);
            change_field(&mut polygon.proj, tile_size, field, value);
        };
        apply(draft, &picks, &face, &polygon);
        Ok(())
    })
}

/// Exact axes changed by as much as the five numbers were.
fn follow_numbers(axes: &UvAxes, old: &Uv, new: &Uv, normal: DVec3) -> UvAxes {
    let ratio = |new: f32, old: f32| {
        if old == 0.0 {
            1.0
        } else {
            f64::from(new) / f64::from(old)
        }
    };
    let factor = DVec2::new(
        ratio(new.scale.x, old.scale.x),
        ratio(new.scale.y, old.scale.y),
    );
    let angle_deg = f64::from(new.rotation_deg) - f64::from(old.rotation_deg);
    axes.scaled(DVec3::ZERO, factor)
        .rotated(normal, DVec3::ZERO, angle_deg)
        .shifted(new.offset.as_dvec2() - old.offset.as_dvec2())
}

fn change_field(uv: &mut Uv, tile_size: Vec2, field: UvField, value: Value) {
    let new = value.of(f64::from(field.get(uv, tile_size))) as f32;
    let is_scale = matches!(field, UvField::ScaleX | UvField::ScaleY);
    if new.is_finite() && !(is_scale && new == 0.0) {
        field.set(uv, tile_size, new);
    }
}

/// Default placement: from the world, or in the plane of each face.
#[must_use]
pub fn reset_uv(picks: Selection, aligned: bool) -> Edit {
    let face = move |face: &mut Face, _: Plane, _: &[DVec3]| {
        face.uv = Uv::default();
        face.axes = None;
        face.flags = if aligned {
            face.flags.with(SurfaceFlags::FACE_ALIGNED)
        } else {
            face.flags.without(SurfaceFlags::FACE_ALIGNED)
        };
    };
    let polygon = |polygon: &mut Polygon, _: &Mesh| {
        polygon.proj = Uv::default();
        polygon.uvs.clear();
    };
    change("Reset texture", picks, face, polygon)
}

/// Gives each face and polygon the frame that `new` makes of its own, its unit plane and its corners: the way of every
/// alignment tool (slide, turn about a point, flip). The commit finds the form to store it in.
#[must_use]
pub fn change_frames(
    label: &'static str,
    picks: Selection,
    new: impl Fn(&UvAxes, Plane, &[DVec3]) -> UvAxes + Send + Sync + 'static,
) -> Edit {
    change_surfaces(label, picks, move |surface| {
        new(&surface.frame, surface.plane, &surface.corners)
    })
}

/// As [`change_frames`], with all that is known of the face.
#[must_use]
pub fn change_surfaces(
    label: &'static str,
    picks: Selection,
    new: impl Fn(&Surface) -> UvAxes + Send + Sync + 'static,
) -> Edit {
    Edit::new(label, move |draft, _| {
        let mut changes = Changes::default();
        for (face, surface) in surfaces_of(draft, &picks) {
            let frame = new(&surface);
            if frame != surface.frame {
                changes.set(face, surface.with_frame(frame));
            }
        }
        changes.write(draft);
        Ok(())
    })
}

/// Every face and polygon with the first material gets the second (TEX-10); in `scope`, or the whole map.
#[must_use]
pub fn replace_material(
    from: Option<MaterialId>,
    to: Option<MaterialId>,
    scope: Option<Selection>,
) -> Edit {
    Edit::new("Replace material", move |draft, _| {
        let tiles = Tiles::of(draft);
        let scope = scope
            .clone()
            .unwrap_or_else(|| draft.objects().map(|(id, _)| Pick::Object(id)).collect());
        let face = |face: &mut Face, _: Plane, _: &[DVec3]| {
            if face.material == from {
                tiles.repaint(face, to);
            }
        };
        let polygon = |polygon: &mut Polygon, _: &Mesh| {
            if polygon.material == from {
                polygon.material = to;
            }
        };
        apply(draft, &scope, &face, &polygon);
        Ok(())
    })
}

fn change(
    label: &'static str,
    picks: Selection,
    face: impl Fn(&mut Face, Plane, &[DVec3]) + Send + Sync + 'static,
    polygon: impl Fn(&mut Polygon, &Mesh) + Send + Sync + 'static,
) -> Edit {
    Edit::new(label, move |draft, _| {
        apply(draft, &picks, &face, &polygon);
        Ok::<(), EditError>(())
    })
}

fn apply(
    draft: &mut Draft,
    picks: &Selection,
    face: &dyn Fn(&mut Face, Plane, &[DVec3]),
    polygon: &dyn Fn(&mut Polygon, &Mesh),
) {
    for (id, indices) in faces_of(draft, picks) {
        let kind = match draft.object(id).map(|object: &Object| &object.kind) {
            Some(Kind::Brush(brush)) => changed_brush(brush, &indices, face).map(Kind::Brush),
            Some(Kind::Mesh(mesh)) => changed_mesh(mesh, &indices, polygon).map(Kind::Mesh),
            _ => None,
        };
        if let Some(kind) = kind {
            draft.update(id, |object| object.kind = kind);
        }
    }
}

fn changed_brush(
    brush: &Brush,
    indices: &BTreeSet<u32>,
    change: &dyn Fn(&mut Face, Plane, &[DVec3]),
) -> Option<Brush> {
    let mut faces = brush.faces().to_vec();
    for &index in indices {
        let Some(face) = faces.get_mut(index as usize) else {
            continue;
        };
        let corners: Vec<DVec3> = brush.hull().face_points(index as usize).collect();
        let unit = face.plane.unit().unwrap_or(Plane::new(DVec3::Y, 0.0));
        change(face, unit, &corners);
    }
    (faces != brush.faces()).then(|| brush.with_surfaces(faces))
}

fn changed_mesh(
    mesh: &Mesh,
    indices: &BTreeSet<u32>,
    change: &dyn Fn(&mut Polygon, &Mesh),
) -> Option<Mesh> {
    let mut changed = mesh.clone();
    for &index in indices {
        if let Some(polygon) = changed.polygons.get_mut(index as usize) {
            change(polygon, mesh);
        }
    }
    (changed != *mesh).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::History;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;

    fn face(history: &History, number: u32, index: usize) -> Face {
        history
            .committed()
            .doc
            .object(id(number))
            .and_then(Object::brush)
            .expect("brush")
            .faces()[index]
            .clone()
    }

    #[test]
    fn materials_go_on_faces_and_whole_groups() {
        let mut history = map();
        commit(
            &mut history,
            &set_material(
                Selection::from([Pick::Face(id(1), 2), Pick::Face(id(1), 77)]),
                None,
            ),
        );
        assert_eq!(
            (face(&history, 1, 2).material, face(&history, 1, 1).material),
            (None, Some(MaterialId(0)))
        );
        commit(
            &mut history,
            &set_material(Selection::from([Pick::Object(id(2))]), None),
        );
        assert_eq!(
            (face(&history, 3, 0).material, face(&history, 5, 5).material),
            (None, None)
        );
        commit(
            &mut history,
            &replace_material(None, Some(MaterialId(0)), None),
        );
        assert_eq!(face(&history, 5, 5).material, Some(MaterialId(0)));
        assert_eq!(history.undo_labels().count(), 3);
    }

    #[test]
    fn tex_9_typed_values() {
        for (text, expected) in [
            ("12", Some(Value::Set(12.0))),
            ("-3", Some(Value::Set(-3.0))),
            (" +8 ", Some(Value::Add(8.0))),
            ("-= 2", Some(Value::Add(-2.0))),
            ("*2", Some(Value::Multiply(2.0))),
            ("/4", Some(Value::Multiply(0.25))),
            ("/0", None),
            ("nan", None),
            ("", None),
        ] {
            assert_eq!(Value::parse(text), expected, "{text}");
        }
        let mut history = map();
        let picks = Selection::from([Pick::Face(id(1), 0)]);
        commit(
            &mut history,
            &set_uv(picks.clone(), UvField::ScaleX, Value::Set(2.0)),
        );
        commit(
            &mut history,
            &set_uv(picks.clone(), UvField::ScaleX, Value::Multiply(2.0)),
        );
        commit(
            &mut history,
            &set_uv(picks.clone(), UvField::ScaleX, Value::Set(0.0)),
        );
        commit(
            &mut history,
            &set_uv(picks.clone(), UvField::OffsetY, Value::Add(0.25)),
        );
        // The brick's tile is 64 units: 16 texels are a quarter of it.
        commit(
            &mut history,
            &set_uv(picks, UvField::TexelsY, Value::Add(16.0)),
        );
        assert_eq!(
            face(&history, 1, 0).uv,
            Uv {
                scale: Vec2::new(4.0, 1.0),
                offset: Vec2::new(0.0, 0.5),
                rotation_deg: 0.0
            }
        );
    }

    #[test]
    fn frames_come_back_as_five_numbers_or_stay_axes() {
        let mut history = map();
        let picks = Selection::from([Pick::Face(id(1), 4)]);
        commit(
            &mut history,
            &change_frames("Slide texture", picks.clone(), |frame, _, _| {
                frame.shifted(DVec2::new(0.25, 0.0))
            }),
        );
        assert_eq!(face(&history, 1, 4).uv.offset, Vec2::new(0.25, 0.0));
        assert!(face(&history, 1, 4).axes.is_none());
        let shear = |frame: &UvAxes, _: Plane, _: &[DVec3]| UvAxes {
            u: frame.u + frame.v * 0.5,
            ..*frame
        };
        commit(
            &mut history,
            &change_frames("Shear texture", picks.clone(), shear),
        );
        let axes = face(&history, 1, 4).axes.expect("skewed");
        assert_eq!(axes, axes.rounded());
        commit(
            &mut history,
            &set_uv(picks.clone(), UvField::OffsetX, Value::Add(0.5)),
        );
        assert!(
            (face(&history, 1, 4).axes.expect("still skewed").u_offset - axes.u_offset - 0.5).abs()
                < 1e-6
        );
        commit(
            &mut history,
            &set_flags(picks.clone(), SurfaceFlags::UNLIT, SurfaceFlags::NODRAW),
        );
        assert!(face(&history, 1, 4).flags.has(SurfaceFlags::UNLIT));
        commit(&mut history, &reset_uv(picks, true));
        let reset = face(&history, 1, 4);
        assert!(
            reset.axes.is_none()
                && reset.uv == Uv::default()
                && reset.flags.has(SurfaceFlags::FACE_ALIGNED)
        );
    }
}
