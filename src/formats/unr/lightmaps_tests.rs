//! A floor with a light above it.

use std::sync::Arc;

use super::*;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Property;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawActor;

/// A floor of 4 x 2 texels of 32 units from (10, 20, 5) on, and a white light 100 units above the middle of the first texel, with
/// these shadow bits.
fn floor(bits: [u8; 2]) -> (RawMap, Surface) {
    let property = |name: &str, value: Value| Property {
        name: Arc::from(name),
        index: 0,
        value,
    };
    let light = RawActor {
        class: Arc::new(ObjectPath {
            name: "Light".to_owned(),
            ..ObjectPath::default()
        }),
        properties: Properties(vec![
            property("Location", Value::Vector(DVec3::new(26.0, 36.0, 105.0))),
            property("LightBrightness", Value::Byte(255)),
        ]),
        ..RawActor::default()
    };
    let model = RawModel {
        vectors: vec![Vec3::X, Vec3::Y, Vec3::Z],
        points: vec![Vec3::new(10.0, 20.0, 5.0)],
        lightmaps: vec![Lightmap {
            offset: 0,
            pan: Vec3::new(16.0, 16.0, 0.0),
            size: [4, 2],
            scale: [32.0, 32.0],
            first_light: Some(0),
        }],
        light_bits: bits.to_vec(),
        lights: vec![LightEntry::Actor(0), LightEntry::End],
        ..RawModel::default()
    };
    let surface = Surface {
        texture: None,
        flags: 0,
        base: 0,
        normal: 2,
        u: 0,
        v: 1,
        lightmap: Some(0),
        polygon: 0,
        pan: [0, 0],
        actor: None,
    };
    let map = RawMap {
        actors: vec![light],
        world: Some(model),
        ..RawMap::default()
    };
    (map, surface)
}

#[test]
fn texels_lie_where_the_formula_says() {
    let (map, surface) = floor([0, 0]);
    let model = map.world.as_ref().expect("a world");
    let frame = Frame::of(model, &surface).expect("sound");
    assert_eq!(frame.at(DVec3::new(10.0, 20.0, 5.0)), DVec2::ZERO);
    assert_eq!(frame.at(DVec3::new(138.0, 84.0, 5.0)), DVec2::new(4.0, 2.0));
    let middle = DVec3::new(26.0, 36.0, 5.0);
    assert!(frame.place(DVec2::splat(0.5)).distance(middle) < 1e-9);
    let (normal, distance) = frame.line(0, 2.0);
    assert!((normal.dot(DVec3::new(74.0, 0.0, 0.0)) - distance).abs() < 1e-9);
}

#[test]
fn bits_of_texels_let_the_light_in() {
    // Row 0: texels 0 and 2; row 1: texel 3.
    let (map, surface) = floor([0b0101, 0b1000]);
    let model = map.world.as_ref().expect("a world");
    let frame = Frame::of(model, &surface).expect("sound");
    let field = Field::of(model, &surface, &frame, &lamps(&map)).expect("a light reaches it");
    let at = |x: f64, y: f64| field.at(DVec2::new(x + 0.5, y + 0.5)).x;
    // Straight below it nothing but the falloff takes light away.
    let v = 100.0_f64 / 1625.0;
    let expected = 104.0 / 255.0 * ((1.0 + 2.0 * v * v * v - 3.0 * v * v) / v).min(1.0);
    assert!(
        (f64::from(at(0.0, 0.0)) - expected).abs() < 1e-3,
        "{}",
        at(0.0, 0.0)
    );
    assert!(at(2.0, 0.0) > 0.1 && at(2.0, 0.0) < at(0.0, 0.0));
    assert!(at(3.0, 1.0) > 0.1);
    for (x, y) in [(1.0, 0.0), (3.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0)] {
        assert!(at(x, y) == 0.0, "{x} {y}");
    }
    let half = at(0.5, 0.0);
    assert!((half - at(0.0, 0.0) / 2.0).abs() < 1e-6);
    assert!(
        (at(-3.0, 0.0) - at(0.0, 0.0)).abs() < 1e-6,
        "it ends as it is"
    );
}

#[test]
fn zones_have_their_own_ambient_light_or_the_levels() {
    let actor = |class: &str, brightness: u8| RawActor {
        class: Arc::new(ObjectPath {
            name: class.to_owned(),
            ..ObjectPath::default()
        }),
        properties: Properties(vec![Property {
            name: "AmbientBrightness".into(),
            index: 0,
            value: Value::Byte(brightness),
        }]),
        ..RawActor::default()
    };
    let zone = |actor: Option<u32>| crate::formats::unr::raw::Zone {
        actor,
        ..crate::formats::unr::raw::Zone::default()
    };
    let map = RawMap {
        actors: vec![actor("LevelInfo", 64), actor("ZoneInfo", 0)],
        world: Some(RawModel {
            zones: vec![zone(None), zone(Some(1)), zone(Some(0))],
            ..RawModel::default()
        }),
        ..RawMap::default()
    };
    let ambient = zone_ambient(&map);
    assert!((ambient[0].x - 0.2043).abs() < 1e-3 && ambient[0] == ambient[2]);
    assert_eq!(ambient[1], DVec3::ZERO);
}

#[test]
fn places_far_off_or_nowhere_have_the_light_of_the_rim() {
    let field = Field {
        size: [2, 1],
        light: vec![Vec3::ONE, Vec3::ZERO],
    };
    assert_eq!(field.at(DVec2::new(0.5, 0.5)), Vec3::ONE);
    assert_eq!(field.at(DVec2::new(1.0, 0.5)), Vec3::splat(0.5));
    assert_eq!(field.at(DVec2::new(-1e30, 9.0)), Vec3::ONE);
    assert_eq!(field.at(DVec2::new(1e30, -9.0)), Vec3::ZERO);
    assert_eq!(field.at(DVec2::new(f64::INFINITY, 0.0)), Vec3::ZERO);
    assert!(field.at(DVec2::NAN).is_finite());
    let empty = Field {
        size: [3, 0],
        light: Vec::new(),
    };
    assert_eq!(empty.at(DVec2::ONE), Vec3::ZERO);
}
