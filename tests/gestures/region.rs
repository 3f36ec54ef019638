//! The region of work (VIEW-4), looking through solids (VIEW-5), and picking through holes (CSG-2).

use super::*;
use mapwright::compiler;
use mapwright::compiler::Cache;
use mapwright::compiler::Options;
use mapwright::compiler::Quality;
use mapwright::compiler::trace::MOVEMENT_MASK;
use mapwright::compiler::trace::Tracer;
use mapwright::document::Contents;
use mapwright::document::ObjectFlags;
use mapwright::editor::StatusKind;
use mapwright::task::Progress;

/// Two crates, one behind the other as seen from the front, and a light outside.
fn two_crates(draft: &mut Draft) {
    cube(draft, [-32.0, 0.0, 0.0], [32.0, 64.0, 64.0]);
    cube(draft, [-32.0, 0.0, -200.0], [32.0, 64.0, -136.0]);
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "light",
        DVec3::new(0.0, 300.0, -400.0),
    ))));
}

fn tab(session: &mut Session, pressed: bool) {
    session.input(
        VIEW_3D,
        Input::Key {
            key: Key::Tab,
            physical: Key::Tab,
            pressed,
            repeat: false,
        },
    );
}

#[test]
fn view_5_x_ray_takes_what_is_behind() {
    let mut session = Session::new(two_crates);
    session.look_from(DVec3::new(0.0, 32.0, 300.0), 0.0, 0.0);
    let front = DVec3::new(0.0, 32.0, 64.0);
    session.click(VIEW_3D, front);
    assert_eq!(session.selected(), vec![id(1)]);
    session.move_to(VIEW_3D, SIZE * 0.5);
    tab(&mut session, true);
    assert_eq!(session.editor.xray(), Some(VIEW_3D));
    session.click(VIEW_3D, front);
    assert_eq!(session.selected(), vec![id(2)]);
    tab(&mut session, false);
    assert_eq!(session.editor.xray(), None);
    session.click(VIEW_3D, front);
    assert_eq!(session.selected(), vec![id(1)]);
    // The focus goes, and so does x-ray; 2D views have none.
    tab(&mut session, true);
    session.input(VIEW_3D, Input::FocusLost);
    assert_eq!(session.editor.xray(), None);
    session.move_to(TOP, SIZE * 0.5);
    session.input(
        TOP,
        Input::Key {
            key: Key::Tab,
            physical: Key::Tab,
            pressed: true,
            repeat: false,
        },
    );
    assert_eq!(session.editor.xray(), None);
    assert!(session.labels().is_empty());
}

#[test]
fn view_5_backs_count_when_the_eye_is_inside() {
    let mut session = Session::new(|draft| {
        cube(draft, [-400.0; 3], [400.0; 3]);
        cube(draft, [-32.0, -32.0, -800.0], [32.0, 32.0, -700.0]);
    });
    session.look_from(DVec3::ZERO, 0.0, 0.0);
    session.move_to(VIEW_3D, SIZE * 0.5);
    // Backs are not hit: the crate outside is seen through the block the eye is in.
    assert_eq!(
        session
            .editor
            .pick(VIEW_3D, SIZE * 0.5)
            .map(|hit| hit.object),
        Some(id(2))
    );
    tab(&mut session, true);
    // Now its back is the nearest solid, and what is behind that is taken.
    assert_eq!(
        session
            .editor
            .pick(VIEW_3D, SIZE * 0.5)
            .map(|hit| hit.object),
        Some(id(2))
    );
    session.look_from(DVec3::ZERO, 0.0, 90.0);
    assert_eq!(session.editor.pick(VIEW_3D, SIZE * 0.5), None);
}

#[test]
fn view_4_the_rest_is_out_of_reach() {
    let mut session = Session::new(two_crates);
    session.look_from(DVec3::new(0.0, 200.0, 300.0), -30.0, 0.0);
    assert!(
        session.editor.run("view.cordon").is_err(),
        "nothing selected"
    );
    assert_eq!(
        session.editor.status().map(|status| status.kind),
        Some(StatusKind::Refused)
    );
    session.select(&[id(1)]);
    session.key("Ctrl+Alt+B");
    let bounds = session.bounds(id(1));
    assert_eq!(session.editor.cordon(), Some(bounds));
    session.click(VIEW_3D, DVec3::new(0.0, 64.0, -160.0));
    assert!(session.selected().is_empty(), "outside");
    session.click(TOP, DVec3::new(0.0, 0.0, -160.0));
    assert!(session.selected().is_empty(), "outside");
    session.click(VIEW_3D, DVec3::new(0.0, 64.0, 32.0));
    assert_eq!(session.selected(), vec![id(1)]);
    session.key("Ctrl+A");
    assert_eq!(session.selected(), vec![id(1)]);
    session.key("Ctrl+Alt+B");
    assert_eq!(session.editor.cordon(), None);
    session.click(VIEW_3D, DVec3::new(0.0, 64.0, -160.0));
    assert_eq!(session.selected(), vec![id(2)]);
    assert!(session.labels().is_empty(), "no step of its own");
    assert!(!session.editor.is_dirty(), "and not part of the map");
}

#[test]
fn view_4_builds_are_of_the_inside_and_sealed() {
    // A hall that is open at the top, a light in it and one outside, a crate far away.
    let mut session = Session::new(|draft| {
        cube(draft, [0.0, -16.0, 0.0], [256.0, 0.0, 256.0]);
        cube(draft, [0.0, 0.0, 0.0], [16.0, 128.0, 256.0]);
        cube(draft, [240.0, 0.0, 0.0], [256.0, 128.0, 256.0]);
        cube(draft, [900.0, 0.0, 0.0], [964.0, 64.0, 64.0]);
        for at in [[128.0, 64.0, 128.0], [1000.0, 200.0, 0.0]] {
            draft.insert(Object::new(Kind::Entity(Entity::new(
                "info_player_start",
                DVec3::from(at),
            ))));
        }
    });
    let before = session.doc().clone();
    session.select(&[id(1), id(2), id(3)]);
    session.key("Ctrl+Alt+B");
    let built = session.editor.document_to_build();
    assert!(session.doc().same(&before), "the map itself is as it was");
    assert!(built.object(id(4)).is_none() && built.object(id(6)).is_none());
    assert!(built.object(id(1)).is_some() && built.object(id(5)).is_some());
    let walls: Vec<&Object> = built
        .objects()
        .filter(|(id, _)| before.object(*id).is_none())
        .map(|(_, object)| object)
        .collect();
    assert_eq!(walls.len(), 6);
    let options = Options {
        quality: Quality::Fast,
        light: false,
        ..Options::default()
    };
    let compiled = compiler::compile(&built, &options, &mut Cache::default(), &Progress::new())
        .expect("built");
    let open = |compiled: &compiler::Compiled| {
        let tracer = Tracer::new(compiled);
        let from = DVec3::new(128.0, 64.0, 128.0);
        let mut random = 0.0f64;
        let ways = (0..200).map(|_| {
            random += 1.0;
            DVec3::new(random.sin(), (random * 1.7).sin(), (random * 2.3).cos())
                .normalize_or(DVec3::Y)
        });
        ways.filter(|way| {
            tracer
                .sweep(from, from + *way * 4096.0, DVec3::splat(1.0), MOVEMENT_MASK)
                .is_none()
        })
        .count()
    };
    assert_eq!(open(&compiled), 0, "closed all round");
    let whole = compiler::compile(&before, &options, &mut Cache::default(), &Progress::new())
        .expect("built");
    assert!(open(&whole) > 0);
    // The editor builds just this; a save still holds the whole map and no build of a part of it.
    session.editor.build();
    session.wait(|editor| editor.compiled.is_some());
    assert!(session.editor.is_build_stale(), "it is no build of the map");
    session.key("Ctrl+Alt+B");
    assert!(session.editor.document_to_build().same(&before));
    session.editor.build();
    session.wait(|editor| !editor.is_build_stale());
}

#[test]
fn view_4_every_way_to_select_stays_inside() {
    // Two crates that touch, and one that hangs over from outside into neither.
    let mut session = Session::new(|draft| {
        cube(draft, [-64.0, 0.0, -64.0], [0.0, 64.0, 0.0]);
        cube(draft, [0.0, 0.0, -64.0], [64.0, 64.0, 0.0]);
        cube(draft, [64.0, 0.0, -64.0], [128.0, 64.0, 0.0]);
    });
    session.select(&[id(1), id(2)]);
    session.key("Ctrl+Alt+B");
    session.editor.select(Selection::new());
    // By rectangle, over all of them; by painting across them; inverted; by faces.
    session.editor.settings.marquee_visible_only = false;
    session.drag(
        TOP,
        DVec3::new(-100.0, 0.0, -100.0),
        DVec3::new(200.0, 0.0, 50.0),
        Modifiers::ALT,
    );
    assert_eq!(session.selected(), vec![id(1), id(2)]);
    session.editor.select(Selection::new());
    session.drag(
        TOP,
        DVec3::new(-32.0, 0.0, -32.0),
        DVec3::new(96.0, 0.0, -32.0),
        Modifiers::CTRL,
    );
    assert_eq!(session.selected(), vec![id(1), id(2)]);
    session.select(&[id(1)]);
    session.key("Ctrl+Alt+A");
    assert_eq!(session.selected(), vec![id(2)]);
    session.look_from(DVec3::new(32.0, 200.0, 100.0), -45.0, 0.0);
    session.editor.select(Selection::new());
    session.click_with(VIEW_3D, DVec3::new(96.0, 64.0, -32.0), Modifiers::SHIFT);
    assert!(session.editor.selection().is_empty());
    session.click_with(VIEW_3D, DVec3::new(32.0, 64.0, -32.0), Modifiers::SHIFT);
    assert_eq!(
        *session.editor.selection(),
        Selection::from([Pick::Face(id(2), 2)])
    );
    // Nor is it cut: the middle one goes, the one outside touches it and stays whole.
    let outside = session.doc().object_shared(id(3)).cloned().expect("there");
    session.select(&[id(2)]);
    session.key("Ctrl+K");
    session.key("Ctrl+A");
    assert!(!session.selected().contains(&id(3)));
    assert!(Arc::ptr_eq(
        &outside,
        session.doc().object_shared(id(3)).expect("there")
    ));
}

#[test]
fn view_4_walking_ends_at_the_region() {
    // A long floor; the region is a stretch of it.
    let mut session = Session::new(|draft| {
        cube(draft, [-128.0, -16.0, -1024.0], [128.0, 0.0, 1024.0]);
        cube(draft, [-128.0, 0.0, -160.0], [-112.0, 128.0, 160.0]);
        cube(draft, [-128.0, -16.0, -160.0], [128.0, -8.0, 160.0]);
    });
    let walked_to = |session: &mut Session| {
        session.look_from(DVec3::new(0.0, 60.0, 0.0), 0.0, 0.0);
        session.move_to(VIEW_3D, DVec2::ONE);
        session.key("F8");
        session.wait(Editor::is_walking);
        assert!(!session.editor.walker().expect("walks").is_noclip());
        session.hold_key('W', true);
        for _ in 0..400 {
            session.tick(1.0 / 60.0);
        }
        session.hold_key('W', false);
        let eye = session.editor.views[VIEW_3D].eye;
        session.key("Esc");
        eye.z
    };
    assert!(walked_to(&mut session) < -400.0, "there is no wall");
    session.select(&[id(2), id(3)]);
    session.key("Ctrl+Alt+B");
    let end = walked_to(&mut session);
    assert!(
        (-160.0..-130.0).contains(&end),
        "stopped by the wall that closes the region: {end}"
    );
    session.key("Ctrl+Alt+B");
    assert!(walked_to(&mut session) < -400.0, "the whole map again");
    assert!(session.labels().is_empty());
}

/// A wall with a subtractive bar through it, and a crate behind the hole.
fn wall_with_hole(draft: &mut Draft) {
    cube(draft, [-128.0, 0.0, 0.0], [128.0, 128.0, 16.0]);
    cube(draft, [-16.0, 48.0, -200.0], [16.0, 80.0, -168.0]);
    let bar = Brush::cuboid(
        Aabb::new(DVec3::new(-32.0, 32.0, -16.0), DVec3::new(32.0, 96.0, 32.0)),
        None,
    );
    draft.insert(Object {
        flags: ObjectFlags::SUBTRACT,
        ..Object::new(Kind::Brush(bar.with_contents(Contents::default())))
    });
}

#[test]
fn csg_2_picking_works_through_the_hole() {
    let mut session = Session::new(wall_with_hole);
    session.look_from(DVec3::new(0.0, 64.0, 300.0), 0.0, 0.0);
    let pick = |session: &Session, point: [f64; 3]| {
        let at = session.at(VIEW_3D, DVec3::from(point));
        session.editor.pick(VIEW_3D, at)
    };
    assert_eq!(
        pick(&session, [0.0, 64.0, 16.0]).map(|hit| hit.object),
        Some(id(2)),
        "through it"
    );
    assert_eq!(
        pick(&session, [100.0, 64.0, 16.0]).map(|hit| hit.object),
        Some(id(1)),
        "beside it"
    );
    // From above the middle the floor of the hole is seen; it is the bar's.
    session.look_from(DVec3::new(0.0, 150.0, 150.0), -30.0, 0.0);
    let hit = pick(&session, [0.0, 32.0, 4.0]).expect("the floor of the hole");
    assert_eq!((hit.object, hit.normal), (id(3), DVec3::Y));
    assert!((hit.point.y - 32.0).abs() < 1e-6);
    // By its outline, out in the air.
    let hit = pick(&session, [0.0, 96.0, 32.0]).expect("an edge");
    assert_eq!(hit.object, id(3));
    session.click(VIEW_3D, DVec3::new(0.0, 96.0, 32.0));
    assert_eq!(session.selected(), vec![id(3)]);
    // In 2D it is an object like any other.
    session.click(FRONT, DVec3::new(25.0, 88.0, 0.0));
    assert_eq!(session.selected(), vec![id(3)]);
    // Solid again: the wall is whole.
    session.key("Ctrl+Alt+K");
    session.look_from(DVec3::new(0.0, 64.0, 300.0), 0.0, 0.0);
    assert_eq!(
        pick(&session, [0.0, 64.0, 32.0]).map(|hit| hit.object),
        Some(id(3))
    );
    session.key("Ctrl+Z");
    assert_eq!(
        pick(&session, [0.0, 64.0, 16.0]).map(|hit| hit.object),
        Some(id(2))
    );
}

#[test]
fn csg_2_a_room_carved_out_of_a_block_is_seen_from_inside() {
    let mut session = Session::new(|draft| {
        cube(draft, [-512.0; 3], [512.0; 3]);
        let room = Brush::cuboid(Aabb::new(DVec3::splat(-128.0), DVec3::splat(128.0)), None);
        draft.insert(Object {
            flags: ObjectFlags::SUBTRACT,
            ..Object::new(Kind::Brush(room.with_contents(Contents::default())))
        });
        cube(draft, [-16.0, -128.0, -64.0], [16.0, -96.0, -32.0]);
    });
    session.look_from(DVec3::ZERO, 0.0, 0.0);
    let hit = session
        .editor
        .pick(VIEW_3D, SIZE * 0.5)
        .expect("the far side");
    assert_eq!((hit.object, hit.normal), (id(2), DVec3::Z));
    assert_eq!(hit.point.z, -128.0);
    let crate_top = session.at(VIEW_3D, DVec3::new(0.0, -96.0, -48.0));
    let hit = session.editor.pick(VIEW_3D, crate_top).expect("the crate");
    assert_eq!(hit.object, id(3));
}
