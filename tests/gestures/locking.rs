//! Textures that travel with what is transformed (LOCK-1, LOCK-3).

use std::path::Path;

use glam::DAffine3;
use glam::DMat3;
use glam::Vec2;
use mapwright::document::Face;
use mapwright::document::History;
use mapwright::document::UvLock;
use mapwright::document::ops;
use mapwright::document::ops::transform::Orientation;
use mapwright::editor::tools::options::OptionValue;
use mapwright::formats::Extras;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::geometry::Plane;
use mapwright::geometry::Uv;
use mapwright::task::Progress;
use proptest::prelude::*;

use super::*;

const TILE: Vec2 = Vec2::splat(64.0);
/// Texels of one repeat.
const TEXELS: f64 = 64.0;

/// A box with one corner cut off and textures that are turned, stretched and shifted.
fn textured(at: DVec3) -> Brush {
    let planes = [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
        DVec3::new(1.0, 2.0, 2.0) / 3.0,
    ];
    let faces = planes
        .iter()
        .enumerate()
        .map(|(index, &normal)| {
            let reach = if index == 6 { 70.0 } else { 48.0 };
            let mut face = Face::new(Plane::new(normal, normal.dot(at) + reach), None);
            face.uv = Uv {
                offset: Vec2::new(0.25 * index as f32, -0.125),
                scale: Vec2::new(0.5, 0.5 + 0.25 * index as f32),
                rotation_deg: 15.0 * index as f32,
            };
            face
        })
        .collect();
    Brush::solid(mapwright::document::Contents::SOLID, faces).expect("solid")
}

fn history_of(brush: Brush) -> History {
    let mut draft = Document::default().edit();
    draft.insert(Object::new(Kind::Brush(brush)));
    History::new(draft.finish().expect("sound"))
}

fn brush(doc: &Document) -> Brush {
    doc.object(id(1))
        .and_then(Object::brush)
        .expect("brush")
        .clone()
}

/// The largest difference in texels between the textures of a brush and of what a map made of it, at the corners of its faces.
fn error(old: &Brush, new: &Brush, map: &DAffine3) -> f64 {
    let mut largest: f64 = 0.0;
    for (index, (a, b)) in old.faces().iter().zip(new.faces()).enumerate() {
        for corner in old.hull().face_points(index) {
            let there = map.transform_point3(corner);
            let off = a.frame(TILE).at(corner).distance(b.frame(TILE).at(there));
            largest = largest.max(off * TEXELS);
        }
    }
    largest
}

fn turned(map: DAffine3) -> mapwright::document::Edit {
    let ids = vec![id(1)];
    ops::transform::transform("Rotate", ids, map, UvLock::Carried, Orientation::Turned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn lock_3_previews_keep_coordinates(
        columns in prop::array::uniform3(prop::array::uniform3(-2.0..2.0f64)),
        shift in prop::array::uniform3(-4096.0..4096.0f64),
        at in prop::array::uniform3(-4096.0..4096.0f64),
    ) {
        let matrix = DMat3::from_cols(DVec3::from(columns[0]), DVec3::from(columns[1]), DVec3::from(columns[2]));
        prop_assume!(matrix.determinant().abs() > 0.05);
        let at = DVec3::from(at);
        let map = DAffine3::from_translation(at + DVec3::from(shift))
            * DAffine3::from_mat3(matrix)
            * DAffine3::from_translation(-at);
        let mut history = history_of(textured(at.round()));
        let old = brush(&history.committed().doc);
        history.preview(&turned(map)).expect("a map that flattens nothing");
        let off = error(&old, &brush(&history.state().doc), &map);
        prop_assert!(off < 1e-6, "{} texels", off);
    }
}

#[test]
fn lock_3_a_thousand_rigid_transforms_and_back_at_4096() {
    let mut history = history_of(textured(DVec3::new(3968.0, -3968.0, 4032.0)));
    let start = brush(&history.committed().doc);
    let mut seed = 7u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 40) as f64 / f64::from(1 << 24) * 2.0 - 1.0
    };
    let mut maps: Vec<DAffine3> = Vec::new();
    for _ in 0..1000 {
        let axis = DVec3::new(random(), random(), random()).normalize_or(DVec3::Y);
        let center = history.committed().doc.bounds().center();
        let to = DVec3::new(random(), random(), random()) * 4096.0;
        let turn = DMat3::from_axis_angle(axis, random() * 3.0);
        let map = DAffine3::from_translation(to)
            * DAffine3::from_mat3(turn)
            * DAffine3::from_translation(-center);
        history.commit(&turned(map)).expect("rigid");
        maps.push(map);
    }
    for map in maps.iter().rev() {
        history.commit(&turned(map.inverse())).expect("rigid");
    }
    let off = error(
        &start,
        &brush(&history.committed().doc),
        &DAffine3::IDENTITY,
    );
    assert!(off < 0.05, "{off} texels");
}

#[test]
fn lock_3_a_shear_is_saved_and_loaded() {
    let mut s = Session::new(|draft| {
        draft.insert(Object::new(Kind::Brush(textured(DVec3::new(
            1024.0, 512.0, -768.0,
        )))));
    });
    assert!(s.editor.settings.alignment_lock, "on at first");
    let old = brush(s.doc());
    s.select(&[id(1)]);
    let bounds = s.bounds(id(1));
    let shift = DVec3::X * 40.0;
    s.editor.views[FRONT].eye = bounds.center();
    s.move_to(FRONT, DVec2::splat(5.0));
    s.key("G");
    let top = DVec3::new(bounds.center().x, bounds.max.y, bounds.center().z);
    s.press(FRONT, s.at(FRONT, top));
    let to = s.at(FRONT, top + shift);
    s.move_to(FRONT, to);
    for key in ["4", "0", "Enter"] {
        s.key(key);
    }
    s.release(FRONT, to);
    assert_eq!(s.labels(), ["Shear"]);
    let map = mapwright::geometry::transform::sheared(1, bounds.min.y, bounds.max.y, shift);
    let off = error(&old, &brush(s.doc()), &map);
    assert!(off < 0.01, "{off} texels after the commit");
    let extras = Extras::default();
    let path = Path::new("sheared.hmap");
    let bytes = hmap::write(s.doc(), &ViewState::default(), &extras, None, path).expect("written");
    let read = hmap::Hmap
        .import(&bytes, path, &NoSiblings, &Progress::new())
        .expect("read");
    let off = error(&old, &brush(&read.doc), &map);
    assert!(off < 0.01, "{off} texels after loading");
}

#[test]
fn lock_1_switch() {
    for lock in [true, false] {
        let mut s = Session::new(|draft| {
            draft.insert(Object::new(Kind::Brush(textured(DVec3::ZERO))));
        });
        if !lock {
            s.key("Shift+U");
        }
        let old = brush(s.doc());
        s.select(&[id(1)]);
        s.move_to(TOP, DVec2::splat(5.0));
        s.drag(
            TOP,
            DVec3::new(5.0, 0.0, 5.0),
            DVec3::new(42.0, 0.0, 5.0),
            Modifiers::NONE,
        );
        assert_eq!(s.labels(), ["Move"]);
        let moved = brush(s.doc());
        let map = DAffine3::from_translation(DVec3::X * 32.0);
        if lock {
            assert!(error(&old, &moved, &map) < 0.01);
        } else {
            assert_eq!(
                old.faces()[0].uv,
                moved.faces()[0].uv,
                "the world's texture stays"
            );
            assert!(error(&old, &moved, &map) > 1.0);
        }
        // Turning, flipping and scaling obey it too.
        for (index, key) in ["Alt+Left", "Ctrl+F"].into_iter().enumerate() {
            let before = brush(s.doc());
            s.key(key);
            let after = brush(s.doc());
            let kept = before
                .faces()
                .iter()
                .zip(after.faces())
                .all(|(a, b)| a.uv == b.uv);
            assert_eq!(kept, !lock, "{key} {index}");
        }
        s.key("T");
        s.editor
            .set_tool_option("factor", OptionValue::Vector(DVec3::new(2.0, 1.0, 1.0)));
        assert_eq!(s.labels().last(), Some(&"Scale"));
    }
}

#[test]
fn lock_1_off_corners_of_meshes_stay_in_world_space() {
    use mapwright::document::Mesh;
    use mapwright::document::Polygon;
    let at = |x: f64, y: f64| Vec2::new((x / 64.0 + y / 256.0) as f32, (0.25 - y / 32.0) as f32);
    let corners = [(0.0, 0.0), (64.0, 0.0), (64.0, 64.0), (0.0, 64.0)];
    let made = |lock: UvLock, map: DAffine3| {
        let mut draft = Document::default().edit();
        draft.insert(Object::new(Kind::Mesh(Mesh {
            name: String::new(),
            points: corners.map(|(x, y)| DVec3::new(x, y, 8.0)).to_vec(),
            polygons: vec![Polygon {
                material: None,
                smooth: 0,
                proj: Uv::default(),
                corners: vec![0, 1, 2, 3],
                uvs: corners.map(|(x, y)| at(x, y)).to_vec(),
            }],
        })));
        let mut history = History::new(draft.finish().expect("sound"));
        let ids = vec![id(1)];
        history
            .commit(&ops::transform::transform(
                "Move",
                ids,
                map,
                lock,
                Orientation::Kept,
            ))
            .expect("moves");
        let mesh = history.committed().doc.object(id(1)).and_then(Object::mesh);
        mesh.expect("a mesh").clone()
    };
    let maps = [
        DAffine3::from_translation(DVec3::new(16.0, -8.0, 40.0)),
        DAffine3::from_scale(DVec3::new(2.0, 0.5, 1.0)),
        DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0)),
        DAffine3::from_mat3(DMat3::from_cols(
            DVec3::X,
            DVec3::new(0.5, 1.0, 0.0),
            DVec3::Z,
        )),
        DAffine3::from_rotation_z(0.5),
    ];
    for map in maps {
        let moved = made(UvLock::World, map);
        let polygon = &moved.polygons[0];
        for (corner, uv) in polygon.corners.iter().zip(&polygon.uvs) {
            let place = moved.points[*corner as usize];
            assert!(
                uv.distance(at(place.x, place.y)) < 1e-5,
                "{map:?} {place} {uv}"
            );
        }
        let carried = made(UvLock::Carried, map);
        let mut uvs = carried.polygons[0].uvs.clone();
        if map.matrix3.determinant() < 0.0 {
            uvs.reverse();
        }
        assert_eq!(uvs, corners.map(|(x, y)| at(x, y)).to_vec());
    }
    // Turned until the frame is seen edge-on, it goes along: else the picture would be a smear.
    let turned = made(
        UvLock::World,
        DAffine3::from_rotation_y(std::f64::consts::FRAC_PI_2),
    );
    assert_eq!(
        turned.polygons[0].uvs,
        corners.map(|(x, y)| at(x, y)).to_vec()
    );
}

#[test]
fn lock_1_off_a_shear_leaves_textures_in_the_world() {
    let shear = DAffine3::from_mat3(DMat3::from_cols(
        DVec3::X,
        DVec3::new(0.25, 1.0, 0.0),
        DVec3::Z,
    ));
    for lock in [UvLock::World, UvLock::Carried] {
        let mut history = history_of(textured(DVec3::ZERO));
        let old = brush(&history.committed().doc);
        let ids = vec![id(1)];
        history
            .commit(&ops::transform::transform(
                "Shear",
                ids,
                shear,
                lock,
                Orientation::Kept,
            ))
            .expect("shears");
        let new = brush(&history.committed().doc);
        let stays = old.faces()[..6].iter().zip(new.faces()).all(|(old, new)| {
            let place = DVec3::new(13.0, -7.0, 29.0);
            old.frame(TILE)
                .at(place)
                .distance(new.frame(TILE).at(place))
                * TEXELS
                < 1e-6
        });
        assert_eq!(stays, lock == UvLock::World);
        assert_eq!(error(&old, &new, &shear) < 0.01, lock == UvLock::Carried);
        assert!(new.faces().iter().all(|face| face.axes.is_none()) || lock == UvLock::Carried);
    }
}
