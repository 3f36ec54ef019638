//! The search field (SEL-10) and what is like the selection (SEL-9).

use mapwright::editor::find::FindFlag;
use mapwright::editor::find::FindKind;

use super::*;

const BIG: u32 = 1;
const SMALL: u32 = 2;
const DOOR: u32 = 3;
const LEAF: u32 = 4;
const LIGHT: u32 = 5;
const BUTTON: u32 = 6;
const TWIN: u32 = 7;
const GROUP: u32 = 8;
const MEMBER: u32 = 9;

fn entity(draft: &mut Draft, class: &str, keys: &[(&str, &str)]) -> ObjectId {
    let mut entity = Entity::new(class, DVec3::new(0.0, 300.0, 0.0));
    for (key, value) in keys {
        entity.set_key(key, *value);
    }
    draft.insert(Object::new(Kind::Entity(entity)))
}

fn little_town(draft: &mut Draft) {
    let brick = draft.insert_material(Material::new("walls/Brick_01", "walls/brick_01.png"));
    cube_of(
        draft,
        [-512.0, -16.0, -512.0],
        [512.0, 0.0, 512.0],
        Some(brick),
    );
    cube(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0]);
    let door = entity(
        draft,
        "func_door",
        &[("targetname", "door1"), ("speed", "100")],
    );
    let leaf = cube(draft, [100.0, 0.0, 0.0], [132.0, 96.0, 8.0]);
    draft.update(leaf, |object| object.parent = Some(door));
    entity(draft, "light", &[("intensity", "4")]);
    entity(
        draft,
        "func_button",
        &[("target", "nobody"), ("note", "to the Cellar")],
    );
    entity(draft, "info_target", &[("targetname", "door1")]);
    let group = draft.insert(Object::new(Kind::Group(Group::new("Tower"))));
    let member = cube(draft, [200.0, 0.0, 0.0], [264.0, 64.0, 64.0]);
    draft.update(member, |object| object.parent = Some(group));
}

#[test]
fn sel_10_find() {
    let s = Session::new(little_town);
    let check = |query: &str, expected: &[u32]| {
        let found = s.editor.find(query);
        let rows: Vec<u32> = found
            .rows
            .iter()
            .map(|row| row.pick.object().get())
            .collect();
        assert_eq!(rows, expected, "{query} {:?}", found.error);
    };
    check("light", &[LIGHT]);
    check("LIGHT", &[LIGHT]);
    check("targetname=door*", &[DOOR, TWIN]);
    check("targetname=door", &[]);
    check("targetname=door1 func", &[DOOR]);
    check("mat:brick", &[BIG]);
    check("brick", &[BIG]);
    check("id:4", &[LEAF]);
    check("id:8-", &[GROUP, MEMBER]);
    check("size>512", &[BIG]);
    check("size=64 is:brush", &[SMALL, MEMBER]);
    check("height<10 is:brush", &[]);
    check("depth<=8", &[DOOR, LEAF]);
    check("group:tow", &[GROUP, MEMBER]);
    check("tower -is:group", &[MEMBER]);
    check("cellar", &[BUTTON]);
    check("key:note", &[BUTTON]);
    check("speed>50", &[DOOR]);
    check("speed>100", &[]);
    check("class:func_*", &[DOOR, BUTTON]);
    check("entity:1", &[DOOR]);
    check("brush:1.0", &[LEAF]);
    check("brush:2", &[MEMBER]);
    check("is:undefined", &[BUTTON]);
    check("is:duplicate", &[DOOR, TWIN]);
    check("", &[]);
    check("no such thing", &[]);
    assert!(s.editor.find("size>x").error.is_some());

    let rows = s.editor.find("func_").rows;
    assert_eq!(
        rows.iter()
            .map(|row| (row.kind, row.flag))
            .collect::<Vec<_>>(),
        [
            (FindKind::BrushEntity, Some(FindFlag::DuplicateName)),
            (FindKind::PointEntity, Some(FindFlag::UndefinedTarget)),
        ]
    );
    assert_eq!(rows[0].label, s.editor.object_name(id(DOOR)));
    assert_eq!(
        s.editor.find("cellar").rows[0].detail,
        "note = to the Cellar"
    );
    assert_eq!(
        s.editor.find("mat:brick").rows[0].detail,
        "6 faces of walls/Brick_01"
    );
}

#[test]
fn sel_10_found_objects_are_framed_and_selected() {
    let mut s = Session::new(little_town);
    s.key("Ctrl+Shift+F");
    assert_eq!(
        s.editor.take_requests(),
        [Request::ShowPanel(mapwright::editor::Panel::Find)]
    );
    let light = s.editor.find("light").rows[0].pick;
    let before = s.editor.views[VIEW_3D].eye;
    s.editor.frame_found(light);
    s.tick(0.1);
    s.tick(0.3);
    assert_ne!(s.editor.views[VIEW_3D].eye, before);
    assert!(s.selected().is_empty(), "looking selects nothing");
    s.editor.select_found(&[light]);
    assert_eq!(s.selected(), [id(LIGHT)]);
    // A hidden one is shown when it is asked for; among several it is left out, and the status line says so.
    s.editor.set_hidden(id(DOOR), true);
    let doors: Vec<Pick> = s
        .editor
        .find("targetname=door1")
        .rows
        .iter()
        .map(|row| row.pick)
        .collect();
    s.editor.select_found(&doors);
    assert_eq!(s.selected(), [id(TWIN)]);
    let said = s.editor.status().expect("said").text.clone();
    assert!(said.contains("1 selected; 1 hidden"), "{said}");
    s.editor.select_found(&doors[..1]);
    assert_eq!(s.selected(), [id(DOOR)]);
    assert!(s.editor.look.hidden.is_empty());
    s.editor.set_locked(id(DOOR), true);
    s.editor.select_found(&doors[..1]);
    assert!(s.selected().is_empty());
    assert!(s.labels().is_empty());
}
