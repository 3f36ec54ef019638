//! Figures of `unr.md` 8.4.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::compiler::Law;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Property;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::to_map;

fn light(class: &str, values: &[(&str, u8)]) -> RawActor {
    let property = |&(name, value): &(&str, u8)| Property {
        name: Arc::from(name),
        index: 0,
        value: Value::Byte(value),
    };
    RawActor {
        class: Arc::new(ObjectPath {
            name: class.to_owned(),
            ..ObjectPath::default()
        }),
        properties: Properties(values.iter().map(property).collect()),
        ..RawActor::default()
    }
}

fn shine(class: &str, values: &[(&str, u8)]) -> Option<Shine> {
    let map = RawMap::default();
    let actor = light(class, values);
    Shine::of(&Known::new(&map, &actor))
}

fn entity(values: &[(&str, u8)]) -> Entity {
    let mut entity = Entity::new("Light", DVec3::ZERO);
    shine("Light", values).expect("it shines").put(&mut entity);
    entity
}

#[test]
fn a_light_with_nothing_stored_is_white_and_not_black() {
    let shine = shine("Light", &[]).expect("it shines");
    assert!((shine.rgb.x - 52.1).abs() < 0.01, "{}", shine.rgb);
    let entity = entity(&[]);
    assert_eq!(
        (entity.class.as_str(), entity.key("_class")),
        ("light", Some("Light"))
    );
    assert_eq!(entity.key("color"), Some("1 1 1"));
    assert!((entity.number("intensity").expect("a number") - 0.4086).abs() < 5e-5);
    assert_eq!(entity.key("radius"), Some("1625"));
    assert_eq!(entity.key("falloff"), Some("unreal"));
}

#[test]
fn a_full_red_and_a_cone_have_the_figures_of_the_text() {
    let red = entity(&[
        ("LightHue", 0),
        ("LightSaturation", 0),
        ("LightBrightness", 255),
    ]);
    assert_eq!(red.key("color"), Some("1 0 0"));
    assert!((red.number("intensity").expect("a number") - 0.8157).abs() < 5e-5);
    let spot = entity(&[("LightEffect", 12)]);
    assert_eq!(
        (spot.class.as_str(), spot.key("inner")),
        ("light_spot", Some("0"))
    );
    assert!((spot.number("outer").expect("a number") - 60.13).abs() < 5e-3);
    let law = |effect: u8| {
        entity(&[("LightEffect", effect)])
            .key("falloff")
            .map(str::to_owned)
    };
    assert_eq!(law(13).as_deref(), Some("unreal_flat"));
    assert_eq!(law(17).as_deref(), Some("unreal_cylinder"));
}

#[test]
fn only_what_has_a_kind_of_light_shines() {
    assert_eq!(shine("Light", &[("LightType", 0)]), None);
    assert_eq!(shine("LavaTitan", &[]), None);
    let titan = shine("LavaTitan", &[("LightType", 1), ("LightBrightness", 64)]).expect("shines");
    // What is no Light has no defaults of one: full colour, and 25 units.
    assert_eq!((titan.radius, titan.rgb.z), (25.0, 0.0));
    let pulse = shine("Light", &[("LightType", 2), ("LightEffect", 10)]).expect("shines");
    assert!(!pulse.is_exact());
    assert_eq!(pulse.named(), "LT_Pulse LE_Disco");
}

#[test]
fn hues_go_round_from_red_over_green_to_blue() {
    let at = |hue: u8| rgb(hue, 0, 255);
    let brightest = |hue: u8| at(hue).to_array().map(|part| part > 100.0);
    assert_eq!(brightest(0), [true, false, false]);
    assert_eq!(brightest(85), [false, true, false]);
    assert_eq!(brightest(170), [false, false, true]);
    assert_eq!(brightest(255), [true, false, false]);
}

proptest! {
    #[test]
    fn channels_stay_in_their_range(hue: u8, saturation: u8, brightness: u8) {
        let rgb = rgb(hue, saturation, brightness);
        prop_assert!(rgb.min_element() >= 0.0 && rgb.max_element() <= FULL + 0.01, "{rgb}");
    }

    /// The engine's formula here and the compiler's law say the same of the entity that is made of the light, for a surface that
    /// looks at it.
    #[test]
    fn the_compilers_law_gives_what_the_engine_gives(
        effect in prop::sample::select(vec![0u8, 8, 12, 13, 17]),
        hue: u8,
        saturation: u8,
        brightness in 1u8..,
        reach: u8,
        cone in 1u8..,
        turn in any::<[i16; 2]>(),
        place in prop::array::uniform3(-900.0f64..900.0),
        normal in prop::array::uniform3(-1.0f64..1.0),
    ) {
        let values = [
            ("LightEffect", effect),
            ("LightHue", hue),
            ("LightSaturation", saturation),
            ("LightBrightness", brightness),
            ("LightRadius", reach),
            ("LightCone", cone),
        ];
        let shine = shine("Light", &values).expect("it shines");
        let rotator = Rotator { pitch: i32::from(turn[0]), yaw: i32::from(turn[1]), roll: 0 };
        let mut entity = Entity::new("Light", DVec3::ZERO);
        entity.angles_deg = rotator.angles_deg();
        shine.put(&mut entity);
        let place = DVec3::from(place);
        let normal = DVec3::from(normal).try_normalize().unwrap_or(DVec3::Z);
        let normal = if normal.dot(-place) < 0.0 { -normal } else { normal };
        let axis = rotator.matrix() * DVec3::X;
        let engine = 2.0 * shine.at(DVec3::ZERO, axis, place, normal);
        let law = Law::of_word(entity.key("falloff").expect("a law")).expect("known");
        let mut draft = crate::document::Document::default().edit();
        draft.insert(crate::document::Object::new(crate::document::Kind::Entity(entity)));
        let lights = crate::compiler::lights_of(&draft.as_read(), &mut Vec::new());
        prop_assert_eq!(lights[0].law, law);
        let normal = to_map(normal);
        let ours = lights[0].at(to_map(place), 52.5, |to_light| normal.dot(to_light));
        prop_assert!((ours - engine).abs().max_element() < 1e-4, "{ours} {engine}");
    }
}
