//! Combining brushes: CSG-1, CSG-2, BRU-5.

use super::*;
use mapwright::document::Contents;
use mapwright::document::ObjectFlags;
use mapwright::editor::StatusKind;
use mapwright::editor::tools::options::OptionValue;
use mapwright::formats::NoSiblings;
use mapwright::formats::importer_for;
use mapwright::task::Progress;

/// How deep a point is in the brushes, negative inside; with the distance to the nearest plane of any of them.
fn height(doc: &Document, point: DVec3) -> (f64, f64) {
    let mut deepest = f64::INFINITY;
    let mut nearest = f64::INFINITY;
    for brush in doc.objects().filter_map(|(_, object)| object.brush()) {
        if !brush.hull().bounds().grown(1.0).contains(point) {
            continue;
        }
        let mut most = f64::NEG_INFINITY;
        for plane in brush.faces().iter().filter_map(|face| face.plane.unit()) {
            most = most.max(plane.distance(point));
        }
        nearest = nearest.min(most.abs());
        deepest = deepest.min(most);
    }
    (deepest, nearest)
}

fn is_solid(doc: &Document, point: DVec3) -> bool {
    height(doc, point).0 < 0.0
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, bounds: Aabb) -> DVec3 {
        bounds.min + bounds.size() * DVec3::new(self.next(), self.next(), self.next())
    }
}

/// A wall with a bar through it, beside a wall out of reach.
fn wall_and_bar(draft: &mut Draft) {
    cube(draft, [0.0, 0.0, 0.0], [256.0, 128.0, 16.0]);
    cube(draft, [96.0, 32.0, -8.0], [160.0, 96.0, 24.0]);
    cube(draft, [0.0, 0.0, 200.0], [256.0, 128.0, 216.0]);
}

#[test]
fn csg_1_subtract_by_its_key() {
    let mut session = Session::new(wall_and_bar);
    let far = session.doc().object_shared(id(3)).cloned().expect("alive");
    session.select(&[id(2)]);
    session.key("Ctrl+K");
    assert_eq!(session.labels(), vec!["Subtract"]);
    assert_eq!(
        session.doc().object_count(),
        5,
        "four pieces and the far wall"
    );
    assert!(Arc::ptr_eq(
        &far,
        session.doc().object_shared(id(3)).expect("untouched")
    ));
    assert!(!is_solid(session.doc(), DVec3::new(128.0, 64.0, 8.0)));
    assert!(is_solid(session.doc(), DVec3::new(20.0, 64.0, 8.0)));
    assert!(session.selected().is_empty());
    session.key("Ctrl+Z");
    assert_eq!(session.doc().object_count(), 3);
    assert_eq!(session.selected(), vec![id(2)]);
}

#[test]
fn csg_1_hidden_and_locked_brushes_stay_whole() {
    for hide in [true, false] {
        let mut session = Session::new(wall_and_bar);
        if hide {
            session.editor.look.hidden.insert(id(1));
        } else {
            session.editor.look.locked.insert(id(1));
        }
        session.select(&[id(2)]);
        session.key("Ctrl+K");
        assert!(session.labels().is_empty());
        let status = session.editor.status().expect("a reason");
        assert_eq!(status.kind, StatusKind::Refused);
        assert!(
            status.text.contains("no other visible brush"),
            "{}",
            status.text
        );
    }
}

#[test]
fn csg_1_what_is_no_brush_is_passed_over_and_named() {
    let mut session = Session::new(|draft| {
        wall_and_bar(draft);
        draft.insert(Object::new(Kind::Entity(Entity::new("light", DVec3::ZERO))));
    });
    session.select(&[id(2), id(4)]);
    session.key("Ctrl+K");
    assert_eq!(session.labels(), vec!["Subtract"]);
    assert!(session.doc().object(id(4)).is_some());
    let text = &session.editor.status().expect("said").text;
    assert!(text.contains("1 entity passed over"), "{text}");
    session.select(&[id(4)]);
    session.key("Ctrl+J");
    let text = &session.editor.status().expect("said").text;
    assert!(text.contains("at least two brushes"), "{text}");
}

#[test]
fn csg_1_join_says_how_many_faces_chose() {
    let mut session = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", "brick.png"));
        cube(draft, [0.0; 3], [32.0; 3]);
        cube_of(draft, [32.0, 0.0, 0.0], [128.0, 32.0, 32.0], Some(brick));
    });
    for preview in [false, true] {
        session.editor.settings.preview_csg = preview;
        session.select(&[id(1), id(2)]);
        session.key("Ctrl+Alt+J");
        assert_eq!(session.labels(), vec!["Join"]);
        let said = session.editor.status().expect("said");
        assert_eq!(said.kind, StatusKind::Info);
        assert!(
            said.text.contains("1 gone") && said.text.contains("4 faces had several looks"),
            "{}",
            said.text
        );
        session.key("Ctrl+Z");
        assert_eq!(session.doc().object_count(), 2);
    }
}

#[test]
fn csg_1_join_names_what_keeps_brushes_apart() {
    let mut session = Session::new(|draft| {
        cube(draft, [0.0; 3], [32.0; 3]);
        cube(draft, [32.0, 0.0, 0.0], [64.0, 32.0, 32.0]);
    });
    session.select(&[id(2)]);
    session.key("Ctrl+G");
    session.select(&[id(1), id(2)]);
    session.key("Ctrl+Alt+J");
    let said = session.editor.status().expect("a reason");
    assert_eq!(said.kind, StatusKind::Refused);
    assert!(said.text.contains("share group"), "{}", said.text);
}

#[test]
fn csg_1_merge_intersect_join_by_their_keys() {
    let two = |draft: &mut Draft| {
        cube(draft, [0.0; 3], [32.0; 3]);
        cube(draft, [32.0, 0.0, 0.0], [64.0, 32.0, 32.0]);
        cube(draft, [16.0; 3], [48.0; 3]);
    };
    for (key, ids, label, bounds) in [
        (
            "Ctrl+Alt+J",
            [1, 2],
            "Join",
            Aabb::new(DVec3::ZERO, DVec3::new(64.0, 32.0, 32.0)),
        ),
        (
            "Ctrl+J",
            [1, 3],
            "Convex merge",
            Aabb::new(DVec3::ZERO, DVec3::splat(48.0)),
        ),
        (
            "Ctrl+L",
            [1, 3],
            "Intersect",
            Aabb::new(DVec3::splat(16.0), DVec3::splat(32.0)),
        ),
    ] {
        let mut session = Session::new(two);
        session.select(&ids.map(id));
        session.key(key);
        assert_eq!(session.labels(), vec![label]);
        assert_eq!(session.bounds(id(1)), bounds, "{key}");
        assert_eq!(session.selected(), vec![id(1)], "{key}");
        assert_eq!(session.doc().object_count(), 2);
        session.key("Ctrl+Z");
        assert_eq!(session.selected(), ids.map(id).to_vec());
    }
}

#[test]
fn csg_1_a_held_key_shows_first() {
    let settings = Settings {
        preview_csg: true,
        ..Settings::default()
    };
    let ctrl_k = |session: &mut Session, pressed: bool| {
        let key = Key::Letter('K');
        session.input(
            VIEW_3D,
            Input::Key {
                key,
                physical: key,
                pressed,
                repeat: false,
            },
        );
    };
    let mut session = Session::with_settings(settings, wall_and_bar);
    session.select(&[id(2)]);
    session.hold(Modifiers::CTRL);
    ctrl_k(&mut session, true);
    assert_eq!(session.editor.state().doc.object_count(), 5, "shown");
    assert_eq!(session.doc().object_count(), 3, "not made");
    session.hold(Modifiers::NONE);
    session.key("Esc");
    assert_eq!(session.editor.state().doc.object_count(), 3);
    session.hold(Modifiers::CTRL);
    ctrl_k(&mut session, false);
    assert!(session.labels().is_empty(), "Esc dropped it");
    ctrl_k(&mut session, true);
    ctrl_k(&mut session, false);
    assert_eq!(session.labels(), vec!["Subtract"]);
    session.hold(Modifiers::NONE);
    // From the menu there is no key to hold.
    session.select(&[id(1), id(3)]);
    session.editor.run("csg.merge").expect("runs");
    assert_eq!(session.labels(), vec!["Subtract", "Convex merge"]);
}

#[test]
fn csg_1_points_of_real_maps_are_where_they_were() {
    let folder = std::env::var("MAPWRIGHT_CORPUS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus").to_owned());
    let folder = std::path::Path::new(&folder).join("rmf");
    if !folder.is_dir() {
        println!("no corpus at {}: skipped", folder.display());
        return;
    }
    let mut random = Random(11);
    for name in [
        "tomb2.rmf",
        "castleruins.rmf",
        "vis-test.rmf",
        "cerbera.rmf",
    ] {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("corpus file");
        let importer = importer_for(&bytes[..1024], &path).expect("known format");
        let imported = importer
            .import(&bytes, &path, &NoSiblings, &Progress::new())
            .expect("readable");
        let mut session = Session::new(|draft| *draft = imported.doc.edit());
        let brushes: Vec<ObjectId> = session
            .doc()
            .objects()
            .filter(|(_, object)| object.brush().is_some_and(|brush| brush.fault().is_none()))
            .map(|(id, _)| id)
            .collect();
        for round in 0..6 {
            let target = brushes[(random.next() * brushes.len() as f64) as usize];
            let Some(object) = session.doc().object(target) else {
                continue;
            };
            // A turned block about a corner of a real brush.
            let corner = object.brush().expect("brush").hull().points()[0];
            let half = DVec3::new(random.next(), random.next(), random.next()) * 96.0 + 8.0;
            let turn = glam::DMat3::from_rotation_y(random.next())
                * glam::DMat3::from_rotation_x(random.next());
            let turn = if round % 2 == 0 {
                turn
            } else {
                glam::DMat3::IDENTITY
            };
            let block = Brush::cuboid(Aabb::around(DVec3::ZERO, half), None).transformed(
                &glam::DAffine3::from_mat3_translation(turn, corner.round()),
                mapwright::document::UvLock::World,
                &|_| glam::Vec2::splat(64.0),
            );
            let add = mapwright::document::ops::brushes::add("Add", vec![block.clone()], None);
            session.editor.commit(&add).expect("made");
            let cutter = session.selected()[0];
            let cutter_brush = session
                .doc()
                .object(cutter)
                .and_then(Object::brush)
                .expect("brush")
                .clone();
            let before = {
                let mut draft = session.doc().edit();
                draft.remove(cutter);
                draft.peek()
            };
            if session.editor.run("csg.subtract").is_err() {
                session.editor.undo();
                continue;
            }
            session.check();
            let after = session.doc().clone();
            let bounds = cutter_brush.hull().bounds().grown(4.0);
            for _ in 0..400 {
                let point = random.within(bounds);
                let in_cutter = cutter_brush
                    .faces()
                    .iter()
                    .filter_map(|face| face.plane.unit())
                    .map(|plane| plane.distance(point))
                    .fold(f64::NEG_INFINITY, f64::max);
                let (was, near) = height(&before, point);
                let (is, near_after) = height(&after, point);
                if near.min(near_after).min(in_cutter.abs()) < 0.02 {
                    continue;
                }
                assert_eq!(
                    is < 0.0,
                    was < 0.0 && in_cutter > 0.0,
                    "{name} round {round} at {point}"
                );
            }
        }
    }
}

#[test]
fn bru_5_hollow_by_key_and_field() {
    let mut session = Session::new(|draft| {
        cube(draft, [0.0; 3], [256.0, 128.0, 256.0]);
    });
    session.select(&[id(1)]);
    let wall = |session: &Session| {
        session
            .editor
            .tool_options()
            .into_iter()
            .find(|option| option.id == "hollow.wall")
    };
    assert_eq!(
        wall(&session).map(|option| option.value),
        Some(OptionValue::Number(16.0)),
        "as thick as the grid"
    );
    session.key("Ctrl+Shift+K");
    assert_eq!(session.labels(), vec!["Hollow"]);
    assert_eq!(
        (session.doc().object_count(), session.selected().len()),
        (6, 6)
    );
    assert!(is_solid(session.doc(), DVec3::new(15.0, 64.0, 64.0)));
    assert!(!is_solid(session.doc(), DVec3::new(17.0, 64.0, 64.0)));
    // The field stays live within the same step.
    session
        .editor
        .set_tool_option("hollow.wall", OptionValue::Number(8.0));
    assert_eq!(session.labels(), vec!["Hollow"]);
    assert!(!is_solid(session.doc(), DVec3::new(9.0, 64.0, 64.0)));
    session
        .editor
        .set_tool_option("hollow.wall", OptionValue::Number(-8.0));
    assert!(is_solid(session.doc(), DVec3::new(-7.0, 64.0, 64.0)));
    assert!(!is_solid(session.doc(), DVec3::new(1.0, 64.0, 64.0)));
    session.key("Ctrl+Z");
    assert_eq!(session.doc().object_count(), 1);
    assert!(session.labels().is_empty());
    // Once something else has happened the field is for the next time only.
    session.key("Ctrl+Shift+K");
    session.key("Right");
    session
        .editor
        .set_tool_option("hollow.wall", OptionValue::Number(4.0));
    assert_eq!(session.labels(), vec!["Hollow", "Move"]);
    assert!(!is_solid(session.doc(), DVec3::new(24.0, 64.0, 64.0)));
}

#[test]
fn bru_5_neighbouring_rooms_share_their_wall() {
    let mut session = Session::new(|draft| {
        cube(draft, [0.0; 3], [128.0; 3]);
        cube(draft, [128.0, 0.0, 0.0], [256.0, 128.0, 128.0]);
    });
    session.select(&[id(1)]);
    session.key("Ctrl+Shift+K");
    session.select(&[id(2)]);
    session.key("Ctrl+Shift+K");
    assert_eq!(session.labels(), vec!["Hollow", "Hollow"]);
    // The first one was closed by the block beside it; the wall came when that became a room.
    assert!(!is_solid(session.doc(), DVec3::new(120.0, 64.0, 64.0)));
    assert!(is_solid(session.doc(), DVec3::new(136.0, 64.0, 64.0)));
    assert_eq!(session.doc().object_count(), 5 + 6);
}

#[test]
fn csg_2_toggle_and_order() {
    let mut session = Session::new(wall_and_bar);
    session.select(&[id(2)]);
    session.key("Ctrl+Alt+K");
    let bar = session.doc().object(id(2)).expect("alive").clone();
    assert!(bar.flags.has(ObjectFlags::SUBTRACT));
    assert_eq!(bar.brush().expect("brush").contents(), Contents::default());
    let order = |session: &Session| -> Vec<u32> {
        session
            .doc()
            .objects_in_order()
            .iter()
            .map(|(id, _)| id.get())
            .collect()
    };
    session.editor.run("csg.carve_last").expect("runs");
    assert_eq!(order(&session), vec![1, 3, 2]);
    session.editor.run("csg.carve_first").expect("runs");
    assert_eq!(order(&session), vec![2, 1, 3]);
    session.key("Ctrl+Alt+K");
    assert_eq!(
        session.labels(),
        vec![
            "Toggle subtractive",
            "Carve last",
            "Carve first",
            "Toggle subtractive"
        ]
    );
    assert_eq!(
        session
            .doc()
            .object(id(2))
            .and_then(Object::brush)
            .expect("brush")
            .contents(),
        Contents::SOLID
    );
    assert!(
        session.editor.run("csg.carve_last").is_err(),
        "it carves no longer"
    );
}

#[test]
fn csg_1_every_held_key_shows_first() {
    let two = |draft: &mut Draft| {
        cube(draft, [0.0; 3], [32.0; 3]);
        cube(draft, [32.0, 0.0, 0.0], [64.0, 32.0, 32.0]);
        cube(draft, [16.0; 3], [48.0; 3]);
    };
    let press = |session: &mut Session, letter: char, pressed: bool| {
        let key = Key::Letter(letter);
        session.input(
            VIEW_3D,
            Input::Key {
                key,
                physical: key,
                pressed,
                repeat: false,
            },
        );
    };
    let ctrl_alt = Modifiers {
        ctrl: true,
        alt: true,
        shift: false,
    };
    for (letter, modifiers, ids, label) in [
        ('J', Modifiers::CTRL, [1, 3], "Convex merge"),
        ('J', ctrl_alt, [1, 2], "Join"),
        ('L', Modifiers::CTRL, [1, 3], "Intersect"),
        ('K', Modifiers::CTRL_SHIFT, [1, 3], "Hollow"),
    ] {
        let settings = Settings {
            preview_csg: true,
            ..Settings::default()
        };
        let mut session = Session::with_settings(settings, two);
        session.editor.set_grid(4.0);
        session.select(&ids.map(id));
        let before = session.doc().clone();
        session.hold(modifiers);
        press(&mut session, letter, true);
        assert!(!session.editor.state().doc.same(&before), "{label}: shown");
        assert!(session.doc().same(&before), "{label}: not made");
        // Esc drops it.
        session.hold(Modifiers::NONE);
        session.key("Esc");
        assert!(session.editor.state().doc.same(&before), "{label}: dropped");
        session.hold(modifiers);
        press(&mut session, letter, false);
        assert!(session.labels().is_empty(), "{label}");
        assert_eq!(session.selected(), ids.map(id).to_vec(), "{label}");
        // Letting go applies it.
        press(&mut session, letter, true);
        let shown = session.editor.state().doc.clone();
        press(&mut session, letter, false);
        session.hold(Modifiers::NONE);
        assert_eq!(session.labels(), vec![label]);
        // Rounded to what a file holds it is what was shown.
        let bounds = |doc: &Document| -> Vec<Aabb> {
            doc.objects().map(|(_, object)| object.bounds()).collect()
        };
        assert_eq!(bounds(session.doc()), bounds(&shown), "{label}");
    }
}
