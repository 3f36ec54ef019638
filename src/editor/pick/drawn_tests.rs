//! What is not drawn is not hit (PICK-1), and the order of 2D views (PICK-2), on random scenes.

use glam::DVec2;
use proptest::prelude::*;

use super::*;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Draft;
use crate::document::Face;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::ObjectFlags;
use crate::document::Polygon;
use crate::document::SurfaceFlags;
use crate::document::UvLock;
use crate::editor::toggles::EdgeDisplay;
use crate::editor::toggles::ViewToggles;
use crate::editor::view::RenderMode;
use crate::editor::view::View;
use crate::editor::view::ViewKind;
use crate::geometry::Uv;

const WALL: u32 = 0;
const SKY: u32 = 1;
const NODRAW: u32 = 2;
const CLIP: u32 = 3;
const FENCE: u32 = 4;
const GLASS: u32 = 5;
const MATERIALS: u32 = 6;

fn materials() -> Vec<Material> {
    let flagged = |name: &str, flags: SurfaceFlags| Material {
        flags,
        ..Material::new(name, name)
    };
    vec![
        Material::new("wall", "wall"),
        flagged("sky", SurfaceFlags::SKY),
        flagged("hidden", SurfaceFlags::NODRAW),
        Material::new("clip", "clip"),
        flagged("fence", SurfaceFlags::TWO_SIDED),
        flagged("glass", SurfaceFlags::TRANSLUCENT),
    ]
}

/// A box turned at will: middle, half size, angle, material of each face, kind of brush, whether a face is missing.
type Block = ([f64; 3], [f64; 3], f64, [u32; 6], u8, bool);

fn block(reach: f64) -> impl Strategy<Value = Block> {
    (
        prop::array::uniform3(-reach..reach),
        prop::array::uniform3(4.0..90.0f64),
        0.0..6.0f64,
        prop::array::uniform6(0..MATERIALS),
        0..5u8,
        prop::bool::weighted(0.1),
    )
}

fn brush_of(&(middle, half, angle, faces, kind, open): &Block) -> Brush {
    let contents = match kind {
        0 => Contents::CLIP,
        1 => Contents::WATER,
        _ => Contents::SOLID,
    };
    let map = glam::DAffine3::from_rotation_translation(
        glam::DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), angle),
        DVec3::from_array(middle),
    );
    let brush = Brush::cuboid(Aabb::around(DVec3::ZERO, DVec3::from_array(half)), None)
        .with_contents(contents)
        .transformed(&map, UvLock::World, &|_| glam::Vec2::splat(64.0));
    let mut faces: Vec<Face> = std::iter::zip(brush.faces(), faces)
        .map(|(face, material)| Face {
            material: Some(MaterialId(material)),
            ..face.clone()
        })
        .collect();
    if open {
        faces.pop();
        return Brush::as_stored(contents, faces);
    }
    brush.with_surfaces(faces)
}

/// Two triangles that share an edge.
fn sheet(corners: [[f64; 3]; 4], materials: [u32; 2]) -> Mesh {
    let polygon = |material, corners: &[u32]| Polygon {
        material: Some(MaterialId(material)),
        smooth: 0,
        proj: Uv::default(),
        corners: corners.to_vec(),
        uvs: Vec::new(),
    };
    Mesh {
        name: String::new(),
        points: corners.map(DVec3::from_array).to_vec(),
        polygons: vec![
            polygon(materials[0], &[0, 1, 2]),
            polygon(materials[1], &[2, 1, 3]),
        ],
    }
}

#[derive(Clone, Copy, Debug)]
struct Look {
    mode: RenderMode,
    tools: bool,
    is_built: bool,
    xray: bool,
}

fn look() -> impl Strategy<Value = Look> {
    let modes = [
        RenderMode::Lit,
        RenderMode::Textured,
        RenderMode::Flat,
        RenderMode::Wire,
    ];
    (
        prop::sample::select(modes.to_vec()),
        any::<bool>(),
        any::<bool>(),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(mode, tools, is_built, xray)| Look {
            mode,
            tools,
            is_built,
            xray: xray && mode != RenderMode::Wire,
        })
}

/// Told plainly: is a face of this material seen from its front, from its back?
fn is_seen(look: Look, material: u32, is_tool: bool, is_water: bool, sky: bool) -> (bool, bool) {
    let is_drawn = |tool: bool| -> bool {
        if look.xray {
            !tool && material != SKY
        } else if look.mode == RenderMode::Wire {
            (!is_tool || look.tools) && (tool || material != SKY || sky)
        } else if tool {
            let is_baked = look.mode == RenderMode::Lit && look.is_built;
            look.tools && !(is_baked && material == NODRAW)
        } else {
            material != SKY || sky
        }
    };
    let tool = is_tool || material == NODRAW || material == CLIP;
    let front = is_drawn(tool);
    let two_sided = look.xray || (!tool && material != SKY && (material == FENCE || is_water));
    (front, front && two_sided && look.mode != RenderMode::Wire)
}

/// The nearest seen face of every object, triangle by triangle.
fn brute_force(
    doc: &Document,
    spatial: &Spatial,
    look: Look,
    ray: Ray,
) -> Vec<(ObjectId, u32, f64)> {
    let inside = spatial.sky().is_around(ray.origin);
    let mut nearest = Vec::new();
    for (id, object) in doc.objects() {
        let mut faces: Vec<(u32, Vec<DVec3>)> = Vec::new();
        let (mut is_tool, mut is_water) = (false, false);
        match &object.kind {
            Kind::Brush(brush) => {
                is_tool = brush.contents() == Contents::CLIP;
                is_water = brush.contents() == Contents::WATER;
                for (index, face) in brush.faces().iter().enumerate() {
                    let material = face.material.map_or(WALL, |id| id.0);
                    faces.push((material, brush.hull().face_points(index).collect()));
                }
            }
            Kind::Mesh(mesh) => {
                for polygon in &mesh.polygons {
                    let material = polygon.material.map_or(WALL, |id| id.0);
                    faces.push((material, mesh.positions(polygon).expect("sound")));
                }
            }
            _ => {}
        }
        let mut best: Option<(ObjectId, u32, f64)> = None;
        for (index, (material, corners)) in (0..).zip(&faces) {
            let sky = inside && !spatial.sky().is_outer(id, index);
            let (front, back) = is_seen(look, *material, is_tool, is_water, sky);
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                let met = [
                    ray.triangle_front(corners[0], pair[0], pair[1])
                        .filter(|_| front),
                    ray.triangle_front(corners[0], pair[1], pair[0])
                        .filter(|_| back),
                ];
                for distance in met.into_iter().flatten() {
                    if best.is_none_or(|best| distance < best.2) {
                        best = Some((id, index, distance));
                    }
                }
            }
        }
        nearest.extend(best);
    }
    nearest.sort_by(|a, b| a.2.total_cmp(&b.2));
    nearest
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn pick_1_only_what_is_drawn_is_hit_against_brute_force(
        blocks in prop::collection::vec(block(300.0), 1..20),
        sheets in prop::collection::vec((prop::array::uniform4(prop::array::uniform3(-300.0..300.0f64)), prop::array::uniform2(0..MATERIALS)), 0..4),
        look in look(),
        eyes in prop::collection::vec(prop::array::uniform3(-600.0..600.0f64), 4),
        targets in prop::collection::vec(prop::array::uniform3(-200.0..200.0f64), 12),
    ) {
        let mut draft: Draft = Document::default().edit();
        draft.set_materials(materials());
        for block in &blocks {
            draft.insert(Object::new(Kind::Brush(brush_of(block))));
        }
        for &(corners, materials) in &sheets {
            draft.insert(Object::new(Kind::Mesh(sheet(corners, materials))));
        }
        let doc = draft.peek();
        let mut spatial = Spatial::default();
        spatial.sync(&doc);
        let toggles = ViewToggles { tools: look.tools, ..ViewToggles::default() };
        for eye in eyes {
            let view = View { eye: DVec3::from_array(eye), mode: look.mode, ..View::default() };
            let scope = Scope {
                doc: &doc,
                look: &ViewState::default(),
                definitions: &Definitions::builtin(),
                open_group: None,
                entities: true,
                tools: look.tools,
                shown: Shown::new(&view, toggles, look.xray, look.is_built, &spatial),
                carving: &Carving::default(),
                cordon: None,
                xray: look.xray,
            };
            for &target in &targets {
                let ray = Ray::new(view.eye, DVec3::from_array(target) - view.eye);
                // No edges: points of the screen have no size.
                let found = nearest(scope, &spatial, ray, 0.0);
                let all = brute_force(&doc, &spatial, look, ray);
                let expected = all.get(usize::from(look.xray));
                match (found, expected) {
                    (None, None) => {}
                    (Some(hit), Some(&(_, _, distance))) => {
                        // Corners of brushes that do not close come from far away and are 1e-4 off.
                        prop_assert!((hit.distance - distance).abs() < 1e-3, "{hit:?} {all:?}");
                    }
                    (hit, all) => prop_assert!(false, "{hit:?} {all:?}"),
                }
            }
        }
    }

    #[test]
    fn pick_2_order_against_brute_force(
        blocks in prop::collection::vec(block(120.0), 1..24),
        kind in prop::sample::select(vec![ViewKind::Top, ViewKind::Front, ViewKind::Side]),
        zoom in 0.2..4.0f64,
        points in prop::collection::vec(prop::array::uniform2(-150.0..150.0f64), 24),
    ) {
        let mut draft: Draft = Document::default().edit();
        draft.set_materials(materials());
        for block in &blocks {
            draft.insert(Object::new(Kind::Brush(brush_of(&(block.0, block.1, block.2, block.3, block.4, false)))));
        }
        let doc = draft.peek();
        let mut spatial = Spatial::default();
        spatial.sync(&doc);
        let view = View { kind, eye: DVec3::ZERO, points_per_unit: zoom, ..View::default() };
        let scope = Scope {
            doc: &doc,
            look: &ViewState::default(),
            definitions: &Definitions::builtin(),
            open_group: None,
            entities: true,
            tools: true,
            shown: None,
            carving: &Carving::default(),
            cordon: None,
            xray: false,
        };
        for point in points {
            let at = view.size * 0.5 + DVec2::from_array(point) * zoom;
            let found = flat(scope, &spatial, &view, at).map(|hit| hit.object);
            let mut all: Vec<(bool, f64, f64, ObjectId)> = Vec::new();
            for (id, object) in doc.objects() {
                let brush = object.brush().expect("only brushes");
                all.extend(flat_by_hand(&view, brush, at).map(|(line, area, depth)| (!line, area, depth, id)));
            }
            all.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
            // What is a hair from being hit, or equal to the winner, may be taken as well.
            let best = all.first().copied();
            let equal = |other: &(bool, f64, f64, ObjectId)| best.is_some_and(|best| other.0 == best.0 && (other.1 / best.1 - 1.0).abs() < 1e-5);
            match (found, best) {
                (None, None) => {}
                (Some(id), Some(_)) => prop_assert!(all.iter().any(|other| other.3 == id && equal(other)), "{id:?} {all:?}"),
                (found, best) => prop_assert!(false, "{found:?} {best:?}"),
            }
        }
    }
}

/// The outline of a brush in a view and its edges: is a line hit, the area, the depth; `None` when nothing is hit.
fn flat_by_hand(view: &View, brush: &Brush, at: DVec2) -> Option<(bool, f64, f64)> {
    let place = |point: DVec3| view.project(point).expect("flat").0;
    let mut points: Vec<DVec2> = brush.hull().points().iter().map(|&p| place(p)).collect();
    let far = |a: DVec2, b: DVec2| {
        let t = ((at - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
        (a + (b - a) * t).distance(at)
    };
    let corners = brush.hull().points();
    let near_edge = brush
        .hull()
        .edges()
        .into_iter()
        .any(|[a, b]| far(place(corners[a as usize]), place(corners[b as usize])) <= 5.0);
    let bounds = Aabb::of_points(corners.iter().copied());
    let size = (place(bounds.max) - place(bounds.min)).abs();
    let on_cross = size.max_element() > 24.0 && place(bounds.center()).distance(at) <= 5.0;
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut ring: Vec<DVec2> = Vec::new();
    for half in [points.clone(), points.iter().rev().copied().collect()] {
        let start = ring.len();
        for point in half {
            while ring.len() >= start + 2
                && (ring[ring.len() - 1] - ring[ring.len() - 2])
                    .perp_dot(point - ring[ring.len() - 1])
                    <= 0.0
            {
                ring.pop();
            }
            ring.push(point);
        }
        ring.pop();
    }
    let sides = || ring.iter().zip(ring.iter().cycle().skip(1));
    let inside = sides().all(|(a, b)| (*b - *a).perp_dot(at - *a) >= 0.0);
    let area = sides().map(|(a, b)| a.perp_dot(*b)).sum::<f64>() * 0.5;
    let depth = corners
        .iter()
        .map(|corner| corner.dot(view.forward()))
        .fold(f64::INFINITY, f64::min);
    (near_edge || on_cross || inside).then_some((near_edge || on_cross, area, depth))
}

/// A room in a shell of sky, as imported maps have it, and a crate in the room.
fn shell() -> (Document, [ObjectId; 2]) {
    let mut draft: Draft = Document::default().edit();
    draft.set_materials(materials());
    let mut add = |min: [f64; 3], max: [f64; 3], material: u32| {
        let bounds = Aabb::new(DVec3::from(min), DVec3::from(max));
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            bounds,
            Some(MaterialId(material)),
        ))))
    };
    let crate_ = add([-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], WALL);
    add([-512.0, -16.0, -512.0], [512.0, 0.0, 512.0], WALL);
    let lid = add([-512.0, 512.0, -512.0], [512.0, 528.0, 512.0], SKY);
    add([-528.0, 0.0, -512.0], [-512.0, 512.0, 512.0], SKY);
    add([512.0, 0.0, -512.0], [528.0, 512.0, 512.0], SKY);
    add([-512.0, 0.0, -528.0], [512.0, 512.0, -512.0], SKY);
    add([-512.0, 0.0, 512.0], [512.0, 512.0, 528.0], SKY);
    (draft.peek(), [crate_, lid])
}

#[test]
fn pick_1_the_shell_of_the_sky_is_not_in_the_way_from_outside() {
    let (doc, [crate_, lid]) = shell();
    let mut spatial = Spatial::default();
    spatial.sync(&doc);
    let hit = |eye: [f64; 3], to: [f64; 3], toggles: ViewToggles| {
        let view = View {
            eye: DVec3::from(eye),
            ..View::default()
        };
        let scope = Scope {
            doc: &doc,
            look: &ViewState::default(),
            definitions: &Definitions::builtin(),
            open_group: None,
            entities: true,
            tools: toggles.tools,
            shown: Shown::new(&view, toggles, false, false, &spatial),
            carving: &Carving::default(),
            cordon: None,
            xray: false,
        };
        let ray = Ray::new(view.eye, DVec3::from(to) - view.eye);
        nearest(scope, &spatial, ray, 0.001).map(|hit| hit.object)
    };
    let plain = ViewToggles::default();
    let bare = ViewToggles {
        tools: false,
        ..plain
    };
    let above = [300.0, 1500.0, 200.0];
    assert_eq!(hit(above, [0.0, 64.0, 0.0], plain), Some(crate_));
    // Its edges are drawn with the tools, or when edges are asked for; there it is hit.
    let on_edge = [511.0, 528.0, 100.0];
    assert_eq!(hit(above, on_edge, plain), Some(lid));
    assert_ne!(hit(above, on_edge, bare), Some(lid));
    let edged = ViewToggles {
        edges: EdgeDisplay::Always,
        ..bare
    };
    assert_eq!(hit(above, on_edge, edged), Some(lid));
    // From within the sky is drawn and hit.
    assert_eq!(hit([0.0, 200.0, 0.0], [0.0, 600.0, 10.0], bare), Some(lid));
    // Not where the view hides it, except for edges; from there a wall above it would be hit.
    let (under, up) = ([0.0, 200.0, 0.0], [0.0, 600.0, 10.0]);
    let skyless = ViewToggles { sky: false, ..bare };
    assert_eq!(hit(under, up, skyless), None);
    let edge = [511.5, 512.0, 100.0];
    let with_tools = ViewToggles {
        sky: false,
        ..plain
    };
    assert_eq!(hit(under, edge, with_tools), Some(lid));
    assert_eq!(hit(under, edge, skyless), None);
    // Where overdraw is counted every mode draws faces, and no edges.
    let counted = ViewToggles {
        overdraw: true,
        ..edged
    };
    assert_eq!(hit(under, up, counted), Some(lid));
    assert_ne!(hit(above, on_edge, counted), Some(lid));
}

#[test]
fn pick_1_brushes_of_tools_are_out_of_reach_while_they_are_not_drawn() {
    let mut draft: Draft = Document::default().edit();
    let bounds = Aabb::around(DVec3::ZERO, DVec3::splat(32.0));
    let trigger = draft.insert(Object::new(Kind::Brush(
        Brush::cuboid(bounds, None).with_contents(Contents::CLIP),
    )));
    let mut carver = Object::new(Kind::Brush(Brush::cuboid(bounds.grown(8.0), None)));
    carver.flags = ObjectFlags::SUBTRACT;
    let carver = draft.insert(carver);
    let doc = draft.peek();
    let mut spatial = Spatial::default();
    spatial.sync(&doc);
    for tools in [true, false] {
        let scope = Scope {
            doc: &doc,
            look: &ViewState::default(),
            definitions: &Definitions::builtin(),
            open_group: None,
            entities: true,
            tools,
            shown: None,
            carving: spatial.carving(),
            cordon: None,
            xray: false,
        };
        assert_eq!(scope.allows(trigger), tools);
        assert_eq!(scope.allows(carver), tools);
        let view = View {
            kind: ViewKind::Top,
            eye: DVec3::ZERO,
            ..View::default()
        };
        assert_eq!(
            flat(scope, &spatial, &view, view.size * 0.5).is_some(),
            tools
        );
    }
}

#[test]
fn pick_1_holes_show_their_sides_and_what_is_behind_faces_that_are_not_drawn() {
    let wall = |draft: &mut Draft, material| {
        let bounds = Aabb::new(DVec3::new(-64.0, -64.0, 0.0), DVec3::new(64.0, 64.0, 16.0));
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            bounds,
            Some(MaterialId(material)),
        ))))
    };
    for (material, drawn) in [(WALL, true), (GLASS, true), (NODRAW, false)] {
        let mut draft: Draft = Document::default().edit();
        draft.set_materials(materials());
        let wall = wall(&mut draft, material);
        let hole = Aabb::around(DVec3::new(0.0, 0.0, 8.0), DVec3::new(16.0, 16.0, 32.0));
        let mut carver = Object::new(Kind::Brush(Brush::cuboid(hole, Some(MaterialId(WALL)))));
        carver.flags = ObjectFlags::SUBTRACT;
        let carver = draft.insert(carver);
        let doc = draft.peek();
        let mut spatial = Spatial::default();
        spatial.sync(&doc);
        let view = View {
            eye: DVec3::new(0.0, 0.0, 200.0),
            ..View::default()
        };
        let toggles = ViewToggles {
            tools: false,
            ..ViewToggles::default()
        };
        let scope = Scope {
            doc: &doc,
            look: &ViewState::default(),
            definitions: &Definitions::builtin(),
            open_group: None,
            entities: true,
            tools: true,
            shown: Shown::new(&view, toggles, false, false, &spatial),
            carving: spatial.carving(),
            cordon: None,
            xray: false,
        };
        let hit = |origin: DVec3, to: DVec3| {
            let ray = Ray::new(origin, to - origin);
            let object = doc.object(wall).expect("there");
            scope.hit_object(wall, object, ray).map(|hit| hit.object)
        };
        let eye = view.eye;
        assert_eq!(hit(eye, DVec3::new(40.0, 0.0, 16.0)), drawn.then_some(wall));
        assert_eq!(hit(eye, DVec3::new(0.0, 0.0, 0.0)), None);
        let slant = DVec3::new(-100.0, 0.0, 116.0);
        assert_eq!(hit(slant, DVec3::new(16.0, 0.0, 8.0)), Some(carver));
    }
}
