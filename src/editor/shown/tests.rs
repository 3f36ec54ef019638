//! Which faces are seen from where.

use glam::DVec3;

use super::*;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Material;
use crate::editor::toggles::EdgeDisplay;
use crate::geometry::Aabb;

const WALL: MaterialId = MaterialId(0);
const SKY: MaterialId = MaterialId(1);
const NODRAW: MaterialId = MaterialId(2);
const CLIP: MaterialId = MaterialId(3);

fn materials(draft: &mut Draft) {
    let mut sky = Material::new("sky", "sky");
    sky.flags = SurfaceFlags::SKY;
    let mut nodraw = Material::new("hidden", "hidden");
    nodraw.flags = SurfaceFlags::NODRAW;
    let clip = Material::new("clip", "textures/clip");
    draft.set_materials(vec![Material::new("wall", "wall"), sky, nodraw, clip]);
}

fn block(draft: &mut Draft, min: [f64; 3], max: [f64; 3], material: MaterialId) -> ObjectId {
    let bounds = Aabb::new(DVec3::from(min), DVec3::from(max));
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(
        bounds,
        Some(material),
    ))))
}

fn spatial_of(doc: &Document) -> Spatial {
    let mut spatial = Spatial::default();
    spatial.sync(doc);
    spatial
}

/// Outward normals of the faces that are seen from their front.
fn seen(spatial: &Spatial, doc: &Document, view: &View, id: ObjectId) -> Vec<DVec3> {
    let shown = Shown::new(view, ViewToggles::default(), false, false, spatial).expect("3D");
    let brush = doc.object(id).and_then(Object::brush).expect("a brush");
    let sides = |index| shown.face_sides(id, brush, index, BrushUse::default());
    (0..brush.faces().len())
        .filter(|&index| sides(index).front)
        .map(|index| brush.faces()[index].plane.normal)
        .collect()
}

fn from(eye: [f64; 3]) -> View {
    View {
        eye: DVec3::from(eye),
        ..View::default()
    }
}

#[test]
fn pick_1_of_a_lid_of_sky_only_the_under_side_is_seen_and_from_within() {
    let mut draft = Document::default().edit();
    materials(&mut draft);
    block(
        &mut draft,
        [-512.0, -16.0, -512.0],
        [512.0, 0.0, 512.0],
        WALL,
    );
    let lid = block(
        &mut draft,
        [-512.0, 512.0, -512.0],
        [512.0, 528.0, 512.0],
        SKY,
    );
    let doc = draft.peek();
    let mut spatial = spatial_of(&doc);
    assert_eq!(
        seen(&spatial, &doc, &from([0.0, 100.0, 0.0]), lid),
        [DVec3::NEG_Y]
    );
    assert!(seen(&spatial, &doc, &from([0.0, 900.0, 0.0]), lid).is_empty());

    // A tower over the lid gives its upper side something to look at; a clip brush would not.
    let mut draft = doc.edit();
    let tower = block(&mut draft, [0.0, 600.0, 0.0], [64.0, 900.0, 64.0], WALL);
    let doc = draft.peek();
    spatial.sync(&doc);
    let inside = from([0.0, 100.0, 0.0]);
    assert_eq!(seen(&spatial, &doc, &inside, lid).len(), 2);
    let mut draft = doc.edit();
    draft.update(tower, |object| {
        if let Kind::Brush(brush) = &object.kind {
            object.kind = Kind::Brush(brush.with_contents(Contents::CLIP));
        }
    });
    let doc = draft.peek();
    spatial.sync(&doc);
    assert_eq!(seen(&spatial, &doc, &inside, lid), [DVec3::NEG_Y]);

    // The sky becomes a wall: all of it is seen, from anywhere.
    let mut draft = doc.edit();
    let mut table: Vec<Material> = doc.materials().map(|(_, row)| row.clone()).collect();
    table[1].flags = SurfaceFlags::default();
    draft.set_materials(table);
    let doc = draft.peek();
    spatial.sync(&doc);
    assert_eq!(
        seen(&spatial, &doc, &from([0.0, 9000.0, 0.0]), lid).len(),
        6
    );
}

#[test]
fn pick_1_what_is_drawn_follows_mode_toggles_and_x_ray() {
    let by = Showing {
        mode: RenderMode::Textured,
        edges: false,
        tools: true,
        sky: true,
        overdraw: false,
        xray: false,
        is_baked: false,
        is_inside: true,
    };
    let kinds = |by: Showing| {
        let shows = Shows::new(by);
        [
            shows.kind(FaceKind::Solid, false),
            shows.kind(FaceKind::Sky, false),
            shows.kind(FaceKind::Tool, false),
            shows.kind(FaceKind::Tool, true),
        ]
    };
    assert_eq!(kinds(by), [true; 4]);
    let outside = Showing {
        is_inside: false,
        ..by
    };
    assert_eq!(kinds(outside), [true, false, true, true]);
    assert!(Shows::new(outside).sky_edges && !Shows::new(by).sky_edges);
    let skyless = Showing { sky: false, ..by };
    assert_eq!(Shows::new(skyless), Shows::new(outside));
    let bare = Showing { tools: false, ..by };
    assert_eq!(kinds(bare), [true, true, false, false]);
    let baked = Showing {
        mode: RenderMode::Lit,
        is_baked: true,
        ..by
    };
    assert_eq!(kinds(baked), [true, true, true, false]);
    let xray = Showing { xray: true, ..by };
    assert_eq!(kinds(xray), [true, false, false, false]);
    assert!(Shows::new(xray).both_sides && Shows::new(xray).edges);
    let wire = Showing {
        mode: RenderMode::Wire,
        tools: false,
        is_inside: false,
        ..by
    };
    assert_eq!(kinds(wire), [true, false, true, true]);
    assert!(!Shows::new(wire).faces && Shows::new(wire).edges);
    let counted = Showing {
        overdraw: true,
        edges: true,
        ..wire
    };
    assert_eq!(kinds(counted), [true, false, false, false]);
    let shows = Shows::new(counted);
    assert!(shows.faces && !shows.edges && !shows.sky_edges && !shows.both_sides);
    let both = Showing {
        overdraw: true,
        ..xray
    };
    assert_eq!(Shows::new(both), Shows::new(xray), "X-ray goes first");
}

#[test]
fn pick_1_objects_of_which_nothing_is_drawn_are_known() {
    let mut draft = Document::default().edit();
    materials(&mut draft);
    let ids = [WALL, SKY, NODRAW, CLIP].map(|material| {
        let at = f64::from(material.0) * 100.0;
        block(
            &mut draft,
            [at, 0.0, 0.0],
            [at + 64.0, 64.0, 64.0],
            material,
        )
    });
    let doc = draft.peek();
    let spatial = spatial_of(&doc);
    let drawn = |toggles: ViewToggles| {
        let view = from([0.0, 9000.0, 0.0]);
        let shown = Shown::new(&view, toggles, false, false, &spatial).expect("3D");
        ids.map(|id| shown.draws_any(doc.object(id).expect("there")))
    };
    let bare = ViewToggles {
        tools: false,
        ..ViewToggles::default()
    };
    assert_eq!(drawn(ViewToggles::default()), [true; 4]);
    assert_eq!(drawn(bare), [true, false, false, false]);
    let edged = ViewToggles {
        edges: EdgeDisplay::Always,
        ..bare
    };
    assert_eq!(drawn(edged), [true; 4]);
    let flat = View {
        kind: crate::editor::view::ViewKind::Top,
        ..View::default()
    };
    assert!(Shown::new(&flat, bare, false, false, &spatial).is_none());
}
