//! Actors made by hand; those of real maps are in `tests/corpus_unr`.

use std::sync::Arc;

use super::*;
use crate::compiler::trace::Tracer;
use crate::compiler::walk::Player;
use crate::compiler::walk::Walker;
use crate::document::Brush;
use crate::document::Document;
use crate::document::Object;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Property;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::space::Rotator;
use crate::geometry::Aabb;
use crate::task::Progress;

fn actor(name: &str, class: &str, values: Vec<(&str, Value)>) -> RawActor {
    let property = |(name, value): (&str, Value)| Property {
        name: Arc::from(name),
        index: 0,
        value,
    };
    RawActor {
        name: name.to_owned(),
        class: Arc::new(ObjectPath {
            name: class.to_owned(),
            ..ObjectPath::default()
        }),
        properties: Properties(values.into_iter().map(property).collect()),
        ..RawActor::default()
    }
}

fn inserted(actors: Vec<RawActor>) -> (Document, Inserted, Report) {
    let map = RawMap {
        actors,
        ..RawMap::default()
    };
    let mut draft = Document::default().edit();
    let mut report = Report::default();
    let inserted = insert(
        &map,
        &mut draft,
        &mut Layers::default(),
        &mut Visgroups::default(),
        &mut report,
    );
    (draft.as_read(), inserted, report)
}

fn place(x: f64, y: f64, z: f64) -> Value {
    Value::Vector(DVec3::new(x, y, z))
}

#[test]
fn an_actor_keeps_place_angles_scale_name_and_properties() {
    let turn = Rotator {
        pitch: 8192,
        yaw: 16_384,
        roll: 0,
    };
    let (doc, inserted, report) = inserted(vec![actor(
        "Trigger7",
        "Trigger",
        vec![
            ("Event", Value::Name("door1".into())),
            ("Location", place(100.0, 20.0, -3.0)),
            ("Rotation", Value::Rotator(turn)),
            ("DrawScale", Value::Float(1.5)),
            ("Group", Value::Name("Hall,Doors".into())),
            ("CollisionRadius", Value::Float(64.0)),
        ],
    )]);
    let id = inserted.entity(0).expect("an entity");
    let object = doc.object(id).expect("it is there");
    let entity = object.entity().expect("an entity");
    assert_eq!(entity.class, "Trigger");
    assert_eq!(entity.origin, DVec3::new(20.0, -3.0, -100.0));
    assert_eq!(entity.angles_deg, DVec3::new(45.0, 270.0, 0.0));
    assert_eq!(entity.scale, DVec3::splat(1.5));
    let keys = [
        ("name", "Trigger7"),
        ("Event", "door1"),
        ("Group", "Hall,Doors"),
        ("CollisionRadius", "64"),
    ];
    assert_eq!(
        entity.keys,
        keys.map(|(key, value)| (key.to_owned(), value.to_owned()))
    );
    assert_eq!(object.visgroups.len(), 2);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn brushes_and_cameras_are_no_entities_and_everything_is_counted() {
    let mut door = actor("Mover0", "DoorOfMine", Vec::new());
    door.polygons = Some(Arc::default());
    let actors = vec![
        actor(
            "LevelInfo0",
            "LevelInfo",
            vec![
                ("Title", Value::Text("The Vault".to_owned())),
                ("AmbientBrightness", Value::Byte(64)),
            ],
        ),
        actor("Brush0", "Brush", Vec::new()),
        actor("Camera3", "Camera", Vec::new()),
        door,
        actor("Light0", "Light", Vec::new()),
        actor(
            "LavaTitan0",
            "LavaTitan",
            vec![("LightType", Value::Byte(1))],
        ),
        actor("WaterZone0", "WaterZone", Vec::new()),
        actor("PlayerStart0", "PlayerStart", Vec::new()),
        actor("PathNode0", "PathNode", Vec::new()),
    ];
    let count = actors.len();
    let (doc, inserted, report) = inserted(actors);
    let expected = Counts {
        lights: 1,
        lights_beside: 1,
        movers: 1,
        zones: 1,
        starts: 1,
        navigation: 1,
        levels: 1,
        others: 1,
        brushes: 1,
        cameras: 1,
    };
    assert_eq!(inserted.counts, expected);
    assert_eq!(
        expected.entities() + expected.brushes + expected.cameras,
        count
    );
    assert_eq!(
        doc.objects().count(),
        expected.entities() + expected.lights_beside
    );
    assert_eq!(
        inserted
            .entities
            .iter()
            .filter(|entity| entity.is_none())
            .count(),
        2
    );
    let settings = doc.settings();
    assert_eq!(settings.name, "The Vault");
    assert!(
        (settings.ambient.x - 0.4086).abs() < 1e-4,
        "{}",
        settings.ambient
    );
    let (_, world) = doc.worldspawn().expect("the settings are the world's");
    assert_eq!(
        (world.key("_class"), world.key("Title")),
        (Some("LevelInfo"), Some("The Vault"))
    );
    let titan = doc
        .entity(inserted.entity(5).expect("an entity"))
        .expect("it");
    assert_eq!(
        (titan.class.as_str(), titan.key("LightType")),
        ("LavaTitan", Some("1"))
    );
    let codes: Vec<&str> = report.counts().into_keys().collect();
    assert_eq!(codes, ["I-EDITOR-CAMERA", "I-UNKNOWN-CLASS"]);
}

/// Bright 64 by default, so that its strength would be 0.4086.
#[test]
fn lights_that_take_light_away_shine_with_nothing_and_are_told() {
    let dark = |class: &str| {
        let values = vec![
            ("LightType", Value::Byte(1)),
            ("LightBrightness", Value::Byte(64)),
            ("bDarkLight", Value::Bool(true)),
        ];
        actor(class, class, values)
    };
    let (doc, inserted, report) = inserted(vec![dark("Light"), dark("Candle")]);
    let told = report.warnings.iter();
    let mut told = told.filter(|warning| warning.kind.code == "I-LIGHT-DARK");
    let warning = told.next().expect("it is told");
    let lights: Vec<ObjectId> = warning.objects().collect();
    assert_eq!(lights.len(), 2, "the one beside the candle too");
    assert_eq!(lights[0], inserted.entity(0).expect("an entity"));
    let built = crate::compiler::lights_of(&doc, &mut Vec::new());
    assert_eq!(built.len(), 2);
    for light in built {
        assert!(lights.contains(&light.entity));
        assert_eq!(light.intensity, 0.0);
    }
    let light = doc.entity(lights[0]).expect("it is there");
    assert_eq!(light.key("bDarkLight"), Some("True"));
    assert_eq!(light.key("LightBrightness"), Some("64"));
}

#[test]
fn lights_of_special_kinds_are_steady_and_told() {
    let kind = |name: &str, value: u8| actor("Light1", "Light", vec![(name, Value::Byte(value))]);
    let special = actor("Light2", "Light", vec![("bSpecialLit", Value::Bool(true))]);
    let (doc, inserted, report) = inserted(vec![
        kind("LightType", 4),
        kind("LightEffect", 10),
        special,
        kind("LightType", 0),
    ]);
    assert_eq!(report.counts()["I-LIGHT-STEADY"], 1);
    assert_eq!(report.warnings[0].objects().count(), 2);
    let is_left_out = |index: u32| doc.is_left_out(inserted.entity(index).expect("an entity"));
    assert_eq!([0, 1, 2].map(is_left_out), [false, false, true]);
    let class = |index: u32| {
        &doc.entity(inserted.entity(index).expect("it"))
            .expect("it")
            .class
    };
    assert_eq!((class(0).as_str(), class(3).as_str()), ("light", "Light"));
}

#[test]
fn a_place_that_is_none_is_told() {
    let (doc, inserted, report) = inserted(vec![
        actor(
            "A",
            "Trigger",
            vec![("Location", place(f64::NAN, 0.0, 0.0))],
        ),
        actor("B", "Trigger", vec![("Location", place(0.0, 3e7, 0.0))]),
    ]);
    for index in [0, 1] {
        let entity = doc.entity(inserted.entity(index).expect("an entity"));
        assert_eq!(entity.expect("it").origin, DVec3::ZERO);
    }
    assert_eq!(report.warnings[0].objects().count(), 2);
}

/// The middle of a start is 40 units above the floor; whoever walks begins there, on his feet.
#[test]
fn a_walk_begins_at_a_player_start() {
    let start = actor(
        "PlayerStart0",
        "PlayerStart",
        vec![("Location", place(64.0, 32.0, 140.0))],
    );
    let (doc, inserted, _) = inserted(vec![start]);
    let mut draft = doc.edit();
    let floor = Aabb::around(DVec3::new(0.0, 50.0, 0.0), DVec3::new(500.0, 50.0, 500.0));
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(floor, None))));
    let doc = draft.as_read();
    let options = crate::compiler::Options {
        light: false,
        ..crate::compiler::Options::default()
    };
    let compiled = crate::compiler::compile(
        &doc,
        &options,
        &mut crate::compiler::Cache::default(),
        &Progress::new(),
    )
    .expect("not cancelled");
    let entity = doc
        .entity(inserted.entity(0).expect("an entity"))
        .expect("it");
    let feet = entity.origin.y - 40.0;
    assert!((feet - floor.max.y).abs() < 1e-9);
    let player = Player::of_format("unr", 52.5);
    let tracer = Tracer::new(&compiled);
    let walker = Walker::start_at(&tracer, entity.origin, entity.angles_deg.y, player);
    assert!(!walker.is_noclip());
    let body = walker.body();
    assert!((body.min.y - feet).abs() < 1.1, "{body:?}");
    assert!((body.center().x - 32.0).abs() < 1e-6, "{body:?}");
}
