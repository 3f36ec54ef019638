//! Problems, builds, walking (ISS, RUN).

use super::*;

#[test]
fn iss_1_problems() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let mut relay = Entity::new("trigger_relay", DVec3::new(100.0, 40.0, 0.0));
        relay.set_key("target", "nobody");
        draft.insert(Object::new(Kind::Entity(relay)));
    });
    s.editor.check_all();
    let problems = s.editor.problems();
    assert!(
        problems
            .iter()
            .any(|problem| problem.issue.object == Some(id(3))),
        "a dangling target is a problem: {problems:?}"
    );
    s.key("F7");
    assert!(!s.editor.selection().is_empty());
    let issue = problems
        .iter()
        .find(|problem| problem.issue.object == Some(id(3)))
        .expect("there")
        .issue
        .clone();
    let count = s.editor.problem_count();
    s.editor.set_ignored(&issue, true);
    assert_eq!(s.editor.problem_count(), count - 1);
    s.select(&[id(3)]);
    s.key("Del");
    s.editor.check_all();
    assert!(
        s.editor
            .problems()
            .iter()
            .all(|problem| problem.issue.object != Some(id(3)))
    );
}

#[test]
fn view_2_a_build_without_lights_is_shown_without_light() {
    let mut s = Session::new(floor_and_crate);
    let said = |s: &Session| s.editor.status().map(|said| said.text.clone());
    s.move_to(VIEW_3D, DVec2::ONE);
    s.key("F2");
    assert!(said(&s).is_some_and(|text| text.contains("no build")));
    s.key("F9");
    s.wait(|editor| editor.compiled.is_some());
    assert!(!s.editor.has_baked_light());
    s.now_s += 20.0;
    s.key("F2");
    assert!(
        said(&s).is_some_and(|text| text.contains("No lights")),
        "{:?}",
        said(&s)
    );
    s.key("Esc");
    s.click(VIEW_3D, ON_FLOOR);
    s.key("L");
    let is_light = |object: &Object| object.entity().is_some_and(|own| own.class == "light");
    let lights = s.doc().objects().filter(|(_, object)| is_light(object));
    assert_eq!(lights.count(), 1);
    assert!(!s.editor.has_baked_light(), "not before the next build");
    s.now_s += 20.0;
    let newest = s.doc().clone();
    s.key("F9");
    s.wait(|editor| {
        editor
            .compiled
            .as_ref()
            .is_some_and(|compiled| compiled.is_current(&newest))
    });
    assert!(s.editor.has_baked_light());
    s.now_s += 20.0;
    s.tick(20.0);
    s.key("F2");
    assert!(said(&s).is_none_or(|text| !text.contains("No lights")));
}

#[test]
fn run_1_a_newer_build_wins() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("F9");
    s.key("Right");
    s.key("F9");
    let newest = s.doc().clone();
    s.wait(|editor| {
        editor
            .compiled
            .as_ref()
            .is_some_and(|compiled| compiled.is_current(&newest))
    });
    assert!(!s.editor.is_build_stale());
    s.now_s += 2.0;
    s.key("Right");
    assert!(s.editor.is_build_stale());
}

#[test]
fn run_5_walk() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [-512.0, 0.0, -160.0], [512.0, 256.0, -128.0]);
    });
    s.look_from(DVec3::new(0.0, 100.0, 100.0), 0.0, 0.0);
    s.move_to(VIEW_3D, DVec2::ONE);
    let before = s.editor.views[VIEW_3D].clone();
    s.key("F8");
    s.wait(Editor::is_walking);
    assert!(s.editor.wants_frames() && s.editor.wants_pointer_lock());
    for _ in 0..120 {
        s.tick(1.0 / 60.0);
    }
    let eye_m = 1.65 * 32.0;
    let eye = s.editor.views[VIEW_3D].eye;
    assert!((eye.y - eye_m).abs() < 0.5, "stands on the floor: {eye}");
    s.hold_key('W', true);
    for _ in 0..300 {
        s.tick(1.0 / 60.0);
    }
    let eye = s.editor.views[VIEW_3D].eye;
    assert!(
        eye.z > -128.0 && eye.z < -100.0,
        "stopped by the wall: {eye}"
    );
    s.hold_key('W', false);
    assert!(s.editor.run("edit.duplicate").is_err());
    s.key("Esc");
    assert!(!s.editor.is_walking());
    assert_eq!(s.editor.views[VIEW_3D].eye, before.eye);
    s.key("F8");
    s.wait(Editor::is_walking);
    s.tick(0.1);
    s.key("Enter");
    assert!(!s.editor.is_walking());
    assert_ne!(
        s.editor.views[VIEW_3D].eye, before.eye,
        "the camera stays where one stood"
    );
    assert!(s.labels().is_empty());
}

#[test]
fn run_5_without_ground_it_begins_in_flight() {
    let check = |eye: DVec3, flies: bool| {
        let mut s = Session::new(floor_and_crate);
        s.look_from(eye, 0.0, 0.0);
        s.move_to(VIEW_3D, DVec2::ONE);
        s.key("F8");
        s.wait(Editor::is_walking);
        let walker = s.editor.walker().expect("walks");
        assert_eq!(walker.is_noclip(), flies, "{eye}");
        let text = s.editor.status().expect("a sentence").text.clone();
        assert_eq!(text.starts_with("No ground below"), flies, "{eye}: {text}");
        for _ in 0..60 {
            s.tick(1.0 / 60.0);
        }
        let now = s.editor.views[VIEW_3D].eye;
        if flies {
            assert!(now.distance(eye) < 1e-6, "{eye} -> {now}");
        } else {
            assert!(now.y < eye.y, "{eye} -> {now}");
        }
        s.key("Esc");
        assert_eq!(s.editor.views[VIEW_3D].eye, eye);
    };
    check(DVec3::new(100.0, 120.0, 60.0), false);
    // Beside the floor; high above it; below it.
    check(DVec3::new(5000.0, 120.0, 60.0), true);
    check(DVec3::new(0.0, 30_000.0, 0.0), true);
    check(DVec3::new(0.0, -500.0, 0.0), true);
}

#[test]
fn iss_1_unknown_classes_are_notes_once_definitions_are_loaded() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("game.fgd");
    std::fs::write(
        &path,
        "@PointClass size(-16 -16 -24, 16 16 24) = monster []",
    )
    .expect("written");
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        for class in ["monster", "ghost"] {
            let at = DVec3::new(100.0, 40.0, 0.0);
            draft.insert(Object::new(Kind::Entity(Entity::new(class, at))));
        }
    });
    let unknown = |s: &mut Session| -> Vec<ObjectId> {
        s.editor.check_all();
        let problems = s.editor.problems();
        let unknown = problems
            .iter()
            .filter(|problem| problem.issue.code == "E-UNKNOWN-CLASS");
        unknown.filter_map(|problem| problem.issue.object).collect()
    };
    assert_eq!(unknown(&mut s), []);
    let ghosts = s.editor.point_classes();
    assert!(ghosts.contains(&"ghost".to_owned()) && !ghosts.contains(&"func_door".to_owned()));
    s.editor.settings.definitions.push(path);
    s.key("F6");
    assert_eq!(s.editor.take_requests(), [Request::ReloadDefinitions]);
    assert_eq!(unknown(&mut s), [id(4)]);
    let monster = s.doc().entity(id(3)).expect("there").clone();
    assert_eq!(
        s.editor.entity_box(&monster).size(),
        DVec3::new(32.0, 48.0, 32.0)
    );
    s.editor.settings.definitions.clear();
    s.key("F6");
    assert_eq!(unknown(&mut s), []);
}
