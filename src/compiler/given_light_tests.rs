//! Light found again on surfaces, and builds that keep it.

use std::sync::Arc;

use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::compiler::Batch;
use crate::compiler::BatchSource;
use crate::compiler::Cache;
use crate::compiler::Compiled;
use crate::compiler::Options;
use crate::compiler::Vertex;
use crate::compiler::compile;
use crate::document::Brush;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Object;
use crate::task::Progress;

/// A floor at height 0 of cells with this side, from -256 to 256; `light` gives the encoded red of a place, in shares of white.
fn floor(side: i32, light: impl Fn(DVec3) -> f64) -> Cmpl {
    let mut batch = Batch {
        material: -1,
        source: BatchSource::MeshPolygons,
        model: 0,
        vertices: Vec::new(),
        indices: Vec::new(),
    };
    let cells = 512 / side;
    for z in 0..=cells {
        for x in 0..=cells {
            let place = DVec3::new(f64::from(x * side - 256), 0.0, f64::from(z * side - 256));
            let red = (255.0 * light(place)).round() as u8;
            batch.vertices.push(Vertex {
                position: place.as_vec3(),
                normal: Vec3::Y,
                uv: Vec2::ZERO,
                rgba: [red, 0, 0, 255],
            });
        }
    }
    let row = cells as u32 + 1;
    for z in 0..cells as u32 {
        for x in 0..cells as u32 {
            let at = z * row + x;
            batch.indices.extend([at, at + row, at + 1]);
            batch.indices.extend([at + 1, at + row, at + row + 1]);
        }
    }
    Cmpl {
        batches: vec![batch],
        ..Cmpl::default()
    }
}

/// A light spot, smaller than what builds cut surfaces into at first.
fn spot(place: DVec3) -> f64 {
    let middle = DVec3::new(-90.0, 0.0, 70.0);
    (1.0 - place.distance(middle) / 48.0).max(0.1)
}

proptest! {
    #[test]
    fn a_place_has_the_light_of_its_triangle(x in -256.0..256.0f64, z in -256.0..256.0f64, y in -1.9..1.9f64) {
        // Linear along x: what lies between the corners is known.
        let given = GivenLight::of(&floor(64, |place| (place.x + 256.0) / 512.0));
        let found = given.at(DVec3::new(x, y, z), DVec3::Y).expect("there is a floor");
        let column = (x + 256.0) / 64.0;
        let corner = |column: f64| {
            let byte = (255.0 * (column * 64.0 / 512.0)).round();
            display::decode(byte / 255.0)
        };
        let share = column - column.floor();
        let expected = corner(column.floor()) * (1.0 - share) + corner(column.floor() + 1.0) * share;
        prop_assert!((f64::from(found.x) - expected).abs() < 1e-5, "{found} {expected}");
    }

    /// The nearest place of a triangle is where no other place of it is nearer.
    #[test]
    fn shares_are_those_of_the_nearest_place(
        corners in prop::array::uniform3(prop::array::uniform3(-10.0..10.0f64)),
        point in prop::array::uniform3(-20.0..20.0f64),
        others in prop::collection::vec(prop::array::uniform3(0.0..1.0f64), 20),
    ) {
        let corners = corners.map(DVec3::from);
        let point = DVec3::from(point);
        prop_assume!((corners[1] - corners[0]).cross(corners[2] - corners[0]).length() > 0.1);
        let at = |shares: [f64; 3]| -> DVec3 { (0..3).map(|k| corners[k] * shares[k]).sum() };
        let shares = nearest_shares(corners, point);
        prop_assert!(shares.iter().all(|&share| share > -1e-9), "{shares:?}");
        prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        let distance = at(shares).distance(point);
        let whole = |other: [f64; 3]| other.map(|share| share / other.iter().sum::<f64>().max(1e-9));
        let ends = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for other in others.into_iter().map(whole).chain(ends) {
            prop_assert!(distance <= at(other).distance(point) + 1e-9, "{other:?}");
        }
    }
}

#[test]
fn other_surfaces_have_no_given_light() {
    let given = GivenLight::of(&floor(64, |_| 1.0));
    let at = |x: f64, y: f64, normal: DVec3| given.at(DVec3::new(x, y, 0.0), normal);
    assert!(at(0.0, 0.0, DVec3::Y).is_some());
    assert!(at(257.0, 0.0, DVec3::Y).is_some(), "on its rim");
    assert_eq!(at(300.0, 0.0, DVec3::Y), None);
    assert_eq!(at(0.0, 4.0, DVec3::Y), None);
    assert_eq!(at(0.0, 0.0, DVec3::NEG_Y), None);
    assert_eq!(at(0.0, 0.0, DVec3::X), None);
    assert!(GivenLight::default().at(DVec3::ZERO, DVec3::Y).is_none());
}

#[test]
fn damaged_batches_light_nothing() {
    let mut cmpl = floor(256, |_| 1.0);
    let batch = &mut cmpl.batches[0];
    batch.indices = vec![0, 1, 99, 0, 0, 1, 0, 3, 1, 2];
    batch.vertices[3].position.x = f32::NAN;
    let given = GivenLight::of(&cmpl);
    assert!(given.is_empty());
    assert_eq!(given.at(DVec3::NAN, DVec3::Y), None);
}

/// A slab below the floor, a box beside it, and a lamp.
fn map() -> Document {
    let mut draft = Document::default().edit();
    let slab = Aabb::new(
        DVec3::new(-256.0, -32.0, -256.0),
        DVec3::new(256.0, 0.0, 256.0),
    );
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(slab, None))));
    let beside = Aabb::new(DVec3::new(320.0, 0.0, -64.0), DVec3::new(448.0, 64.0, 64.0));
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(beside, None))));
    let mut lamp = Entity::new("light", DVec3::new(380.0, 200.0, 0.0));
    lamp.set_key("color", "0 1 0");
    lamp.set_key("radius", "0");
    draft.insert(Object::new(Kind::Entity(lamp)));
    draft.as_read()
}

fn built(given: Option<GivenLight>, threads: usize) -> Compiled {
    let options = Options {
        given_light: given.map(Arc::new),
        threads: Some(threads),
        ..Options::default()
    };
    compile(&map(), &options, &mut Cache::default(), &Progress::new()).expect("nobody cancels")
}

fn upward(compiled: &Compiled, height: f32) -> impl Iterator<Item = &Vertex> {
    let vertices = compiled
        .cmpl
        .batches
        .iter()
        .flat_map(|batch| &batch.vertices);
    vertices.filter(move |vertex| vertex.normal == Vec3::Y && vertex.position.y == height)
}

#[test]
fn a_build_keeps_given_light_and_lights_the_rest() {
    let cmpl = floor(16, spot);
    let compiled = built(Some(GivenLight::of(&cmpl)), 1);
    let own = built(None, 1);
    assert_eq!(compiled.cmpl.baked, 1);
    assert_eq!(compiled.cmpl.lights, own.cmpl.lights);
    assert_eq!(compiled.cmpl.bsp, own.cmpl.bsp);
    let mut brightest = 0;
    for vertex in upward(&compiled, 0.0) {
        assert_eq!(vertex.rgba[1], 0, "the lamp does not shine here");
        brightest = brightest.max(vertex.rgba[0]);
    }
    assert!(brightest > 170, "the spot is there: {brightest}");
    let lamp = |compiled: &Compiled| {
        let greens = upward(compiled, 64.0)
            .map(|vertex| (vertex.position.to_array().map(f32::to_bits), vertex.rgba));
        let mut greens: Vec<_> = greens.collect();
        greens.sort_unstable();
        greens
    };
    assert!(lamp(&compiled).iter().all(|(_, rgba)| rgba[1] > 100));
    assert_eq!(lamp(&compiled), lamp(&own));
}

/// What the build draws is what was given, also between its vertices.
#[test]
fn the_build_is_cut_where_given_light_needs_it() {
    let cmpl = floor(16, spot);
    let given = GivenLight::of(&cmpl);
    let drawn = GivenLight::of(&built(Some(GivenLight::of(&cmpl)), 1).cmpl);
    let encoded = |light: Option<Vec3>| display::encode(f64::from(light.expect("lit").x));
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    let places = (-50..=50).flat_map(|x| (-50..=50).map(move |z| (x, z)));
    for (x, z) in places.clone() {
        let place = DVec3::new(5.0 * f64::from(x), 0.0, 5.0 * f64::from(z));
        let off = (encoded(given.at(place, DVec3::Y)) - encoded(drawn.at(place, DVec3::Y))).abs();
        sum += off;
        worst = worst.max(off);
    }
    let mean = sum / places.count() as f64;
    assert!(mean < 1.0 / 255.0 && worst < 0.1, "{mean} {worst}");
}

#[test]
fn given_light_gives_the_same_bytes_on_any_number_of_threads() {
    let cmpl = floor(16, spot);
    let one = built(Some(GivenLight::of(&cmpl)), 1);
    let three = built(Some(GivenLight::of(&cmpl)), 3);
    assert_eq!(one.cmpl, three.cmpl);
}
