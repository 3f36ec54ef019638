//! What can be reached: only what a view draws (PICK-1), what is not hidden (VIEW-3), and selections that were there before (0.5).

use mapwright::document::Contents;
use mapwright::editor::RenderMode;
use mapwright::editor::Toggle;

use super::*;

const LID: u32 = 3;

fn named(name: &str, flags: SurfaceFlags) -> Material {
    Material {
        flags,
        ..Material::new(name, name)
    }
}

/// A floor and a crate in a shell of sky, as in imported maps; a hidden wall beside the crate.
fn shell(draft: &mut Draft) {
    draft.set_materials(vec![
        named("wall", SurfaceFlags::default()),
        named("sky", SurfaceFlags::SKY),
        named("hidden", SurfaceFlags::NODRAW),
    ]);
    let of = |material| Some(MaterialId(material));
    cube_of(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0], of(0));
    cube_of(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], of(0));
    cube_of(draft, [-512.0, 512.0, -512.0], [512.0, 528.0, 512.0], of(1));
    cube_of(draft, [-528.0, 0.0, -512.0], [-512.0, 512.0, 512.0], of(1));
    cube_of(draft, [512.0, 0.0, -512.0], [528.0, 512.0, 512.0], of(1));
    cube_of(draft, [-512.0, 0.0, -528.0], [512.0, 512.0, -512.0], of(1));
    cube_of(draft, [-512.0, 0.0, 512.0], [512.0, 512.0, 528.0], of(1));
    cube_of(draft, [-64.0, 0.0, 48.0], [64.0, 96.0, 64.0], of(2));
}

const NODRAW_WALL: u32 = 8;

fn without_tools(s: &mut Session, pane: usize) {
    s.editor.turn_shown(pane, Toggle::Tools);
    assert!(!s.editor.shows(pane, Toggle::Tools));
}

#[test]
fn pick_1_the_sky_is_no_obstacle_from_outside() {
    let mut s = Session::new(shell);
    without_tools(&mut s, VIEW_3D);
    // Above the lid, looking down at the crate.
    s.look_from(DVec3::new(0.0, 1600.0, 0.0), -89.0, 0.0);
    let top = DVec3::new(0.0, 64.0, 0.0);
    s.click(VIEW_3D, top);
    assert_eq!(s.selected(), [id(CRATE)]);
    let at = s.at(VIEW_3D, top);
    assert_eq!(
        s.editor.hover.as_ref().map(|hit| hit.object),
        Some(id(CRATE))
    );
    let under: Vec<ObjectId> = s
        .editor
        .under(VIEW_3D, at)
        .iter()
        .map(|row| row.id)
        .collect();
    assert_eq!(under, [id(CRATE), id(FLOOR)]);
    s.click_with(VIEW_3D, top, Modifiers::SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 1);
    assert_eq!(s.editor.selection().faces()[0].0, id(CRATE));
    // A material dropped there lands on the crate too.
    let dropped = s
        .editor
        .drop_material(Material::new("new", "new"), VIEW_3D, at, DropScope::Face);
    assert!(dropped.is_ok());
    let materials_of = |s: &Session, number| {
        let brush = s.doc().object(id(number)).and_then(Object::brush);
        let faces = brush.expect("a brush").faces();
        let named = faces
            .iter()
            .filter_map(|face| s.doc().material(face.material?));
        named.map(|row| row.name.clone()).collect::<BTreeSet<_>>()
    };
    assert!(materials_of(&s, CRATE).contains("new"));
    assert!(!materials_of(&s, LID).contains("new"));
    // 2D views show edges of everything and hit by them: the lid has the floor's size, and is nearer.
    let near_its_side = DVec3::new(300.0, 0.0, 300.0);
    s.click(TOP, near_its_side);
    assert_eq!(s.selected(), [id(LID)]);
}

#[test]
fn pick_1_from_within_the_sky_is_hit() {
    let mut s = Session::new(shell);
    s.look_from(DVec3::new(0.0, 100.0, 300.0), 60.0, 0.0);
    s.click(VIEW_3D, DVec3::new(0.0, 512.0, 60.0));
    assert_eq!(s.selected(), [id(LID)]);
}

#[test]
fn pick_1_tools_are_hit_while_they_are_drawn() {
    let mut s = Session::new(shell);
    s.look_from(DVec3::new(0.0, 40.0, 400.0), 0.0, 0.0);
    let at = DVec3::new(0.0, 40.0, 64.0);
    s.click(VIEW_3D, at);
    assert_eq!(s.selected(), [id(NODRAW_WALL)]);
    without_tools(&mut s, VIEW_3D);
    s.click(VIEW_3D, at);
    assert_eq!(s.selected(), [id(CRATE)]);
    // In wireframe its edges are drawn as all others.
    s.editor.views[VIEW_3D].mode = RenderMode::Wire;
    s.click(VIEW_3D, at);
    assert_eq!(s.selected(), [id(NODRAW_WALL)]);
    // A brush of which the game draws nothing is not drawn at all then, in no view.
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let bounds = Aabb::new(DVec3::new(-64.0, 0.0, 48.0), DVec3::new(64.0, 96.0, 64.0));
        draft.insert(Object::new(Kind::Brush(
            Brush::cuboid(bounds, None).with_contents(Contents::CLIP),
        )));
    });
    s.look_from(DVec3::new(0.0, 40.0, 400.0), 0.0, 0.0);
    // Not where the front view shows the eye.
    let at = DVec3::new(-20.0, 20.0, 64.0);
    for (pane, shown) in [
        (VIEW_3D, true),
        (FRONT, true),
        (VIEW_3D, false),
        (FRONT, false),
    ] {
        if !shown {
            without_tools(&mut s, pane);
        }
        s.click(pane, at);
        // In front of the crate; smaller than it, seen from above, it is not.
        let expected = if shown && pane == VIEW_3D { 3 } else { CRATE };
        assert_eq!(s.selected(), [id(expected)], "{pane} {shown}");
        let under = s.editor.under(pane, s.at(pane, at));
        assert_eq!(under.iter().any(|row| row.id == id(3)), shown);
    }
    s.hold(Modifiers::ALT);
    s.editor.settings.marquee_visible_only = false;
    for pane in [VIEW_3D, FRONT] {
        s.press(pane, DVec2::new(2.0, 2.0));
        s.move_to(pane, DVec2::new(798.0, 598.0));
        s.release(pane, DVec2::new(798.0, 598.0));
        assert!(!s.selected().contains(&id(3)), "{pane}");
    }
}

#[test]
fn sel_4_a_hole_is_looked_through() {
    let mut s = Session::new(|draft| {
        cube(draft, [-128.0, -128.0, 0.0], [128.0, 128.0, 16.0]);
        let carver = cube(draft, [-32.0, -32.0, -16.0], [32.0, 32.0, 32.0]);
        draft.update(carver, |object| {
            object.flags = mapwright::document::ObjectFlags::SUBTRACT;
        });
        cube(draft, [-16.0, -16.0, -200.0], [16.0, 16.0, -180.0]);
    });
    s.look_from(DVec3::new(0.0, 0.0, 300.0), 0.0, 0.0);
    let under = |s: &Session, point: DVec3| -> Vec<ObjectId> {
        let rows = s.editor.under(VIEW_3D, s.at(VIEW_3D, point));
        rows.iter().map(|row| row.id).collect()
    };
    assert_eq!(under(&s, DVec3::new(2.0, 2.0, 16.0)), [id(3)]);
    assert_eq!(under(&s, DVec3::new(100.0, 2.0, 16.0)), [id(1)]);
}

#[test]
fn sel_5_rays_go_to_what_is_large_not_to_low_ids() {
    // Thousands of pebbles behind a wall come first by their ids; the last brush stands in sight beside it.
    let mut s = Session::new(|draft| {
        for index in 0..2500 {
            let (x, y) = (f64::from(index % 50) * 8.0, f64::from(index / 50) * 8.0);
            let min = [x - 200.0, y - 200.0, -300.0];
            cube(draft, min, [min[0] + 1.0, min[1] + 1.0, -299.0]);
        }
        cube(draft, [-400.0, -400.0, -16.0], [400.0, 400.0, 0.0]);
        // Between the rays of the grid, two points wide.
        cube(draft, [-6.2, -6.2, 100.0], [-4.8, -4.8, 101.4]);
    });
    s.look_from(DVec3::new(0.0, 0.0, 400.0), 0.0, 0.0);
    let (wall, small) = (id(2501), id(2502));
    s.hold(Modifiers::ALT);
    let (from, to) = (DVec2::new(0.0, 0.0), DVec2::new(800.0, 600.0));
    s.press(VIEW_3D, to);
    s.move_to(VIEW_3D, from);
    s.release(VIEW_3D, from);
    s.hold(Modifiers::NONE);
    assert_eq!(s.selected(), [wall, small]);
}

#[test]
fn sel_1_ignored_groups_are_ignored_by_every_way_to_select() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let group = draft.insert(Object::new(Kind::Group(Group::new("pair"))));
        draft.update(id(CRATE), |object| object.parent = Some(group));
    });
    for (ignored, expected) in [(false, id(3)), (true, id(CRATE))] {
        s.editor.settings.ignore_groups = ignored;
        s.click(VIEW_3D, ON_CRATE);
        assert_eq!(s.selected(), [expected]);
        let at = s.at(VIEW_3D, ON_CRATE);
        assert_eq!(s.editor.under(VIEW_3D, at)[0].id, expected);
        s.key("Ctrl+Shift+A");
        s.hold(Modifiers::ALT);
        s.press(VIEW_3D, at + DVec2::splat(3.0));
        s.move_to(VIEW_3D, at - DVec2::splat(3.0));
        s.release(VIEW_3D, at - DVec2::splat(3.0));
        s.hold(Modifiers::NONE);
        assert_eq!(s.selected(), [expected]);
    }
}

#[test]
fn sel_7_invert_leaves_what_a_selected_entity_owns() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let door = Entity::new("func_door", DVec3::ZERO);
        let door = draft.insert(Object::new(Kind::Entity(door)));
        let leaf = cube(draft, [200.0, 0.0, 0.0], [232.0, 64.0, 8.0]);
        draft.update(leaf, |object| object.parent = Some(door));
    });
    s.select(&[id(3)]);
    s.key("Ctrl+Alt+A");
    assert_eq!(s.selected(), [id(FLOOR), id(CRATE)]);
}

#[test]
fn view_3_hidden_objects_are_out_of_reach_and_come_back() {
    let mut s = Session::new(floor_and_crate);
    s.click(VIEW_3D, ON_CRATE);
    s.key("Ctrl+Alt+I");
    assert!(s.selected().is_empty());
    let hover = s.editor.hover.as_ref().map(|hit| hit.object);
    assert_ne!(hover, Some(id(CRATE)));
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(FLOOR)]);
    s.click(TOP, ON_CRATE);
    assert_eq!(s.selected(), [id(FLOOR)]);
    s.key("Ctrl+A");
    assert_eq!(s.selected(), [id(FLOOR)]);
    s.key("Ctrl+Shift+I");
    s.key("Ctrl+A");
    assert_eq!(s.selected(), [id(FLOOR), id(CRATE)]);
    // Hiding is no step, and the objects are there still.
    assert!(s.labels().is_empty() && s.doc().object_count() == 2);

    s.select(&[id(CRATE)]);
    s.key("Ctrl+I");
    assert_eq!(s.selected(), [id(CRATE)]);
    s.click(VIEW_3D, ON_FLOOR);
    assert!(s.selected().is_empty());
    // What an undone step changed is shown.
    s.key("Ctrl+Shift+I");
    s.select(&[id(CRATE)]);
    s.key("Right");
    s.key("Ctrl+Alt+I");
    s.key("Ctrl+Z");
    assert!(s.editor.look.hidden.is_empty());
    assert_eq!(s.selected(), [id(CRATE)]);
}

#[test]
fn conventions_0_5_steps_restore_the_selection_of_both_sides() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Right");
    s.select(&[id(FLOOR)]);
    s.key("Ctrl+Z");
    assert_eq!(s.selected(), [id(CRATE)]);
    // What was selected between undo and redo is part of neither side.
    s.select(&[]);
    s.key("Ctrl+Y");
    assert_eq!(s.selected(), [id(CRATE)]);
    s.key("Ctrl+Z");
    assert_eq!(s.selected(), [id(CRATE)]);
}

#[test]
fn conventions_0_5_the_selection_has_its_own_history() {
    let mut s = Session::new(|draft| {
        for index in 0..130 {
            let x = f64::from(index) * 32.0;
            cube(draft, [x, 0.0, 0.0], [x + 16.0, 16.0, 16.0]);
        }
    });
    for number in 1..=130 {
        s.select(&[id(number)]);
    }
    assert!(s.labels().is_empty());
    let mut back = 0;
    while s.editor.run("select.back").is_ok() {
        back += 1;
        assert_eq!(s.selected(), [id(130 - back)]);
    }
    assert_eq!(back, 100);
    let mut forth = 0;
    while s.editor.run("select.forward").is_ok() {
        forth += 1;
    }
    assert_eq!((forth, s.selected()), (100, vec![id(130)]));
    // A new selection ends the way forth.
    s.key("Ctrl+[");
    s.select(&[id(5)]);
    assert!(s.editor.run("select.forward").is_err());
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(129)]);
}

#[test]
fn conventions_0_5_what_is_gone_is_left_out_of_earlier_selections() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(FLOOR)]);
    s.select(&[id(FLOOR), id(CRATE)]);
    s.select(&[id(CRATE)]);
    s.key("Del");
    assert!(s.selected().is_empty());
    // The crate alone would be nothing, as now: that entry is passed over.
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(FLOOR)]);
    s.key("Ctrl+Z");
    assert_eq!(s.selected(), [id(CRATE)]);
    // What undo changed is an entry too. The crate is back in the one before.
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(FLOOR), id(CRATE)]);
    // Hidden and locked objects are not selected by going back.
    s.select(&[id(FLOOR)]);
    s.editor.set_hidden(id(CRATE), true);
    s.select(&[]);
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(FLOOR)]);
    s.editor.set_hidden(id(CRATE), false);
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(FLOOR), id(CRATE)]);
}

#[test]
fn conventions_0_5_picked_handles_come_back_with_their_tool() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(200.0, 200.0, 200.0), -30.0, 45.0);
    s.select(&[id(CRATE)]);
    s.editor.set_tool(ToolKind::Vertex);
    s.click(VIEW_3D, DVec3::new(32.0, 64.0, 32.0));
    let vertices = |s: &Session| {
        let picks = s.editor.selection().iter();
        picks
            .filter(|pick| matches!(pick, Pick::Vertex(..)))
            .count()
    };
    assert_eq!(vertices(&s), 1);
    s.editor.set_tool(ToolKind::Select);
    assert_eq!((vertices(&s), s.selected()), (0, vec![id(CRATE)]));
    s.editor.set_tool(ToolKind::Vertex);
    s.key("Ctrl+[");
    assert_eq!(vertices(&s), 1);
}
