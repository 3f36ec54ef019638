//! What an object looks like: its vertices, its edges and the lists its faces belong to. Pure functions.

use glam::DVec3;
use glam::Vec2;
use smallvec::SmallVec;

use crate::document::Brush;
use crate::document::Entity;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::editor::shown::BrushUse;
use crate::editor::shown::FaceLook;
use crate::editor::shown::Surface;
use crate::editor::shown::surface_of;
use crate::geometry::Aabb;
use crate::geometry::UvAxes;
use crate::viewport::EntityLook;
use crate::viewport::scene::carved::dashed_outline;
use crate::viewport::scene::surface::ListKey;
use crate::viewport::scene::surface::Pass;
use crate::viewport::scene::surface::pass_of;

/// A corner of a face, 28 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    pub position: [f32; 3],
    /// Signed bytes of a unit vector; the fourth is 0.
    pub normal: [i8; 4],
    /// In repeats, whole repeats taken off.
    pub uv: [f32; 2],
    pub slot: u32,
}

/// An edge, 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Segment {
    pub a: [f32; 3],
    pub slot: u32,
    pub b: [f32; 3],
    pub spare: u32,
}

/// A fan of vertices: a face of a brush or a polygon of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FaceRun {
    pub key: ListKey,
    /// The carver whose face it is; `None` = of the object itself.
    pub of: Option<ObjectId>,
    /// Index of the face or polygon in its object.
    pub face: u32,
    /// Into the object's vertices.
    pub first: u32,
    pub count: u32,
}

/// Bits of a slot's row; `shaders/common.wgsl` has the same numbers.
pub(crate) mod row {
    pub const SELECTED: u32 = 1;
    pub const HIDDEN: u32 = 2;
    pub const LOCKED: u32 = 4;
    pub const DETAIL: u32 = 0x100;
    /// The row's own colour instead of the role's.
    pub const OWN_COLOR: u32 = 0x200;
    pub const ENTITY: u32 = 0x400;
    pub const TOOL: u32 = 0x800;
    /// Bits 4 to 7: index into the colours of the frame.
    pub const ROLE_SHIFT: u32 = 4;
    pub const ROLE_BRUSH: u32 = 0;
    pub const ROLE_BRUSH_ENTITY: u32 = 1;
    pub const ROLE_MESH: u32 = 2;
    pub const ROLE_FAMILY: u32 = 3;
}

/// What shapes are made with.
pub(crate) struct ShapeCx<'a> {
    /// By material number.
    pub surfaces: &'a [Surface],
    pub entity_look: &'a (dyn Fn(&Entity) -> EntityLook + Send + Sync),
}

impl ShapeCx<'_> {
    fn surface(&self, material: Option<MaterialId>) -> Surface {
        surface_of(self.surfaces, material)
    }
}

/// An object ready to be put into the arenas. Vertices and segments have no slot yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub vertices: Vec<Vertex>,
    pub segments: Vec<Segment>,
    pub faces: SmallVec<[FaceRun; 6]>,
    /// Empty for what is not drawn.
    pub bounds: Option<Aabb>,
    /// See [`row`].
    pub bits: u32,
    /// RGBA8, used with [`row::OWN_COLOR`].
    pub color: u32,
}

/// Makes the picture of an object, without what others carve off it, in an empty shape, whose buffers are used.
/// `has_children`: it owns something, then an entity has no box.
pub(crate) fn make_shape(shape: &mut Shape, object: &Object, has_children: bool, cx: &ShapeCx<'_>) {
    match &object.kind {
        Kind::Brush(brush) => brush_shape(shape, brush, object.flags, cx),
        Kind::Mesh(mesh) => mesh_shape(shape, mesh, cx),
        Kind::Entity(entity)
            if !has_children && entity.class != "worldspawn" && entity.origin.is_finite() =>
        {
            entity_shape(shape, entity, cx);
        }
        Kind::Entity(_) | Kind::Group(_) => {}
    }
}

fn role(number: u32) -> u32 {
    number << row::ROLE_SHIFT
}

/// How all faces of a brush are drawn.
pub(super) struct BrushLook {
    pub bits: u32,
    brush_use: BrushUse,
}

impl BrushLook {
    pub(super) fn of(brush: &Brush, flags: ObjectFlags) -> Self {
        let brush_use = BrushUse::of(brush, flags);
        let mut bits = role(row::ROLE_BRUSH);
        if flags.has(ObjectFlags::DETAIL) {
            bits |= row::DETAIL;
        }
        if brush_use.is_tool {
            bits |= row::TOOL;
        }
        Self { bits, brush_use }
    }

    /// The list of a face, and its texture frame.
    pub(super) fn face(&self, face: &Face, cx: &ShapeCx<'_>) -> (ListKey, UvAxes) {
        let surface = cx.surface(face.material);
        let look = FaceLook::of(surface, face.flags, face.material, self.brush_use);
        let key = ListKey {
            pass: pass_of(look),
            material: face.material,
        };
        (key, face.frame(surface.tile_size))
    }
}

fn brush_shape(shape: &mut Shape, brush: &Brush, flags: ObjectFlags, cx: &ShapeCx<'_>) {
    let hull = brush.hull();
    let points = hull.points();
    let look = BrushLook::of(brush, flags);
    shape.bits = look.bits;
    if flags.has(ObjectFlags::SUBTRACT) && hull.fault().is_none() {
        return dashed_outline(shape, brush);
    }
    let corners = hull.loops().iter().map(Vec::len).sum();
    shape.vertices.reserve_exact(corners);
    shape.segments.reserve_exact(corners / 2);
    let broken = hull.fault().is_some();
    for (index, (face, corners)) in brush.faces().iter().zip(hull.loops()).enumerate() {
        if corners.len() < 3 {
            continue;
        }
        let (key, frame) = look.face(face, cx);
        let normal = face.plane.normal.normalize_or_zero();
        shape.add_face(
            key,
            index as u32,
            normal,
            corners.iter().map(|&at| points[at as usize]),
            &frame,
        );
        if !broken {
            // Every edge of a closed hull runs once each way.
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if a < b {
                    shape.add_segment(points[a as usize], points[b as usize]);
                }
            }
        }
    }
    if broken {
        for [a, b] in hull.edges() {
            shape.add_segment(points[a as usize], points[b as usize]);
        }
    }
    shape.bounds = Some(hull.bounds()).filter(|bounds| !bounds.is_empty());
}

fn mesh_shape(shape: &mut Shape, mesh: &Mesh, cx: &ShapeCx<'_>) {
    shape.bits = role(row::ROLE_MESH);
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        if !mesh.is_sound(polygon) {
            continue;
        }
        let corner = |at: usize| mesh.points[polygon.corners[at] as usize];
        let count = polygon.corners.len();
        let normal = newell((0..count).map(corner));
        let surface = cx.surface(polygon.material);
        let key = ListKey {
            pass: pass_of(FaceLook::of(
                surface,
                SurfaceFlags::default(),
                polygon.material,
                BrushUse::default(),
            )),
            material: polygon.material,
        };
        if polygon.uvs.len() == count {
            let first = shape.vertices.len() as u32;
            for (at, uv) in polygon.uvs.iter().enumerate() {
                shape.vertices.push(vertex(corner(at), normal, *uv));
            }
            shape.faces.push(FaceRun {
                key,
                of: None,
                face: index as u32,
                first,
                count: count as u32,
            });
        } else {
            let frame = polygon
                .proj
                .frame(normal.normalize_or(DVec3::Y), false, surface.tile_size);
            shape.add_face(key, index as u32, normal, (0..count).map(corner), &frame);
        }
        for (at, &a) in polygon.corners.iter().enumerate() {
            let b = polygon.corners[(at + 1) % count];
            edges.push((a.min(b), a.max(b)));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    for (a, b) in edges {
        shape.add_segment(mesh.points[a as usize], mesh.points[b as usize]);
    }
    shape.bounds = Some(mesh.bounds()).filter(|bounds| !bounds.is_empty());
}

/// Arrow of an entity, in map units.
const ARROW: f64 = 32.0;
const ARROW_HEAD: f64 = 8.0;

fn entity_shape(shape: &mut Shape, entity: &Entity, cx: &ShapeCx<'_>) {
    let look = (cx.entity_look)(entity);
    shape.bits = role(row::ROLE_FAMILY + look.family as u32) | row::ENTITY;
    if let Some([r, g, b]) = look.color {
        shape.bits |= row::OWN_COLOR;
        shape.color = u32::from_le_bytes([r, g, b, 255]);
    }
    let bounds = Aabb::new(
        look.bounds.min + entity.origin,
        look.bounds.max + entity.origin,
    );
    let corners = bounds.corners();
    // Bits of a corner's number are x, y, z; loops run counter-clockwise seen from outside.
    const SIDES: [([usize; 4], DVec3); 6] = [
        ([1, 3, 7, 5], DVec3::X),
        ([0, 4, 6, 2], DVec3::NEG_X),
        ([2, 6, 7, 3], DVec3::Y),
        ([0, 1, 5, 4], DVec3::NEG_Y),
        ([4, 5, 7, 6], DVec3::Z),
        ([0, 2, 3, 1], DVec3::NEG_Z),
    ];
    let key = ListKey {
        pass: Pass::Entity,
        material: None,
    };
    for (index, (side, normal)) in SIDES.into_iter().enumerate() {
        let first = shape.vertices.len() as u32;
        shape
            .vertices
            .extend(side.map(|at| vertex(corners[at], normal, Vec2::ZERO)));
        shape.faces.push(FaceRun {
            key,
            of: None,
            face: index as u32,
            first,
            count: 4,
        });
    }
    for a in 0..8usize {
        for bit in [1, 2, 4] {
            if a & bit == 0 {
                shape.add_segment(corners[a], corners[a | bit]);
            }
        }
    }
    if look.arrow {
        let turn = entity.rotation();
        let tip = entity.origin + turn * (DVec3::NEG_Z * ARROW);
        shape.add_segment(entity.origin, tip);
        for side in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
            shape.add_segment(
                tip,
                tip + turn * (side * (ARROW_HEAD * 0.5) + DVec3::Z * ARROW_HEAD),
            );
        }
    }
    shape.bounds = Some(bounds.grown(if look.arrow { ARROW } else { 0.0 }));
}

impl Shape {
    /// Empty, with the room it had.
    pub(crate) fn clear(&mut self) {
        let Self {
            vertices,
            segments,
            faces,
            bounds,
            bits,
            color,
        } = self;
        vertices.clear();
        segments.clear();
        faces.clear();
        (*bounds, *bits, *color) = (None, 0, 0);
    }

    fn add_face(
        &mut self,
        key: ListKey,
        face: u32,
        normal: DVec3,
        corners: impl Iterator<Item = DVec3>,
        frame: &UvAxes,
    ) {
        self.add_face_of((key, None, face), normal, corners, frame);
    }

    /// As `add_face`, of a carver: (list, carver, face).
    pub(super) fn add_face_of(
        &mut self,
        (key, of, face): (ListKey, Option<ObjectId>, u32),
        normal: DVec3,
        corners: impl Iterator<Item = DVec3>,
        frame: &UvAxes,
    ) {
        let first = self.vertices.len() as u32;
        // Whole repeats do not show and cost f32 digits far from the origin.
        let mut whole = None;
        for corner in corners {
            let uv = frame.at(corner);
            let whole = *whole.get_or_insert_with(|| uv.floor());
            self.vertices
                .push(vertex(corner, normal, (uv - whole).as_vec2()));
        }
        let count = self.vertices.len() as u32 - first;
        self.faces.push(FaceRun {
            key,
            of,
            face,
            first,
            count,
        });
    }

    pub(super) fn add_segment(&mut self, a: DVec3, b: DVec3) {
        self.segments.push(Segment {
            a: a.as_vec3().to_array(),
            slot: 0,
            b: b.as_vec3().to_array(),
            spare: 0,
        });
    }
}

fn vertex(position: DVec3, normal: DVec3, uv: Vec2) -> Vertex {
    let [x, y, z] = (normal * 127.0).round().to_array().map(|value| value as i8);
    Vertex {
        position: position.as_vec3().to_array(),
        normal: [x, y, z, 0],
        uv: uv.to_array(),
        slot: 0,
    }
}

/// Unit normal of a polygon by Newell's sum; zero for one without area.
fn newell(mut corners: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let Some(origin) = corners.next() else {
        return DVec3::ZERO;
    };
    let mut sum = DVec3::ZERO;
    let mut last = DVec3::ZERO;
    for corner in corners {
        let corner = corner - origin;
        sum += last.cross(corner);
        last = corner;
    }
    sum.normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Contents;
    use crate::document::Material;

    fn shape_of(object: &Object, has_children: bool, cx: &ShapeCx<'_>) -> Shape {
        let mut shape = Shape::default();
        make_shape(&mut shape, object, has_children, cx);
        shape
    }

    fn cx(surfaces: &[Surface]) -> ShapeCx<'_> {
        ShapeCx {
            surfaces,
            entity_look: &EntityLook::by_class,
        }
    }

    fn cube() -> Brush {
        Brush::cuboid(
            Aabb::new(DVec3::ZERO, DVec3::splat(64.0)),
            Some(MaterialId(0)),
        )
    }

    #[test]
    fn a_cube_has_six_fans_and_twelve_edges() {
        let surfaces = [Surface::default()];
        let shape = shape_of(&Object::new(Kind::Brush(cube())), false, &cx(&surfaces));
        assert_eq!(
            (
                shape.vertices.len(),
                shape.segments.len(),
                shape.faces.len()
            ),
            (24, 12, 6)
        );
        assert_eq!(
            shape.bounds,
            Some(Aabb::new(DVec3::ZERO, DVec3::splat(64.0)))
        );
        assert!(shape.faces.iter().all(|run| run.key
            == ListKey {
                pass: Pass::Opaque,
                material: Some(MaterialId(0))
            }));
        assert!(shape.vertices.iter().all(|v| {
            v.uv.iter()
                .all(|c| (0.0..=1.0).contains(c) || (-1.0..=2.0).contains(c))
        }));
    }

    #[test]
    fn passes_follow_flags_contents_and_names() {
        let check = |what: &str,
                     flags: SurfaceFlags,
                     contents: Contents,
                     object: ObjectFlags,
                     expected: Pass| {
            let mut material = Material::new(what, "");
            material.flags = flags;
            let surfaces = [Surface::of(&material)];
            let mut object_ = Object::new(Kind::Brush(cube().with_contents(contents)));
            object_.flags = object;
            let shape = shape_of(&object_, false, &cx(&surfaces));
            assert_eq!(shape.faces[0].key.pass, expected, "{what}");
        };
        let (none, solid) = (ObjectFlags::default(), Contents::SOLID);
        check("wall", SurfaceFlags::default(), solid, none, Pass::Opaque);
        check("glass", SurfaceFlags::TRANSLUCENT, solid, none, Pass::Blend);
        check(
            "fence",
            SurfaceFlags::TWO_SIDED | SurfaceFlags::MASKED,
            solid,
            none,
            Pass::OpaqueTwoSided,
        );
        check(
            "sea",
            SurfaceFlags::TRANSLUCENT,
            Contents::WATER,
            none,
            Pass::BlendTwoSided,
        );
        check("hidden", SurfaceFlags::NODRAW, solid, none, Pass::Tool);
        check(
            "halflife/AAATRIGGER",
            SurfaceFlags::default(),
            solid,
            none,
            Pass::Tool,
        );
        check(
            "wall",
            SurfaceFlags::default(),
            Contents::CLIP,
            none,
            Pass::Tool,
        );
        check(
            "wall",
            SurfaceFlags::default(),
            Contents::default(),
            none,
            Pass::Opaque,
        );
        check("sky", SurfaceFlags::SKY, Contents::SKY, none, Pass::Sky);
    }

    #[test]
    fn entities_are_boxes_and_owners_are_nothing() {
        let light = Object::new(Kind::Entity(Entity::new(
            "light_spot",
            DVec3::new(8.0, 8.0, 8.0),
        )));
        let shape = shape_of(&light, false, &cx(&[]));
        assert_eq!((shape.vertices.len(), shape.segments.len()), (24, 12 + 5));
        // The arrow of angles zero points along -Z.
        assert_eq!(shape.segments[12].b, [8.0, 8.0, -24.0]);
        let front = &shape.faces[4];
        let corner =
            |at: u32| glam::Vec3::from(shape.vertices[(front.first + at) as usize].position);
        assert!(
            (corner(1) - corner(0)).cross(corner(2) - corner(0)).z > 0.0,
            "fronts are counter-clockwise"
        );
        assert!(shape_of(&light, true, &cx(&[])).vertices.is_empty());
        let world = Object::new(Kind::Entity(Entity::new("worldspawn", DVec3::ZERO)));
        assert!(shape_of(&world, false, &cx(&[])).vertices.is_empty());
    }

    #[test]
    fn broken_brushes_and_polygons_are_drawn_as_far_as_they_go() {
        let mut faces = cube().faces().to_vec();
        faces[2].plane.normal = DVec3::new(f64::NAN, 0.0, 0.0);
        let shape = shape_of(
            &Object::new(Kind::Brush(Brush::as_stored(Contents::SOLID, faces))),
            false,
            &cx(&[]),
        );
        assert!(
            shape
                .vertices
                .iter()
                .all(|v| v.position.iter().all(|c| c.is_finite()))
        );
        let polygon = |corners: &[u32]| crate::document::Polygon {
            material: None,
            smooth: 0,
            proj: crate::geometry::Uv::default(),
            corners: corners.to_vec(),
            uvs: vec![],
        };
        let mesh = Mesh {
            name: String::new(),
            points: vec![DVec3::ZERO, DVec3::X, DVec3::Y],
            polygons: vec![polygon(&[0, 1, 2]), polygon(&[0, 1, 9])],
        };
        let shape = shape_of(&Object::new(Kind::Mesh(mesh)), false, &cx(&[]));
        assert_eq!(
            (
                shape.faces.len(),
                shape.vertices.len(),
                shape.segments.len()
            ),
            (1, 3, 3)
        );
        assert_eq!(shape.vertices[0].normal, [0, 0, 127, 0]);
    }
}
