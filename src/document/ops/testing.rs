//! Small maps for the tests of the operations.

use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Edit;
use crate::document::Entity;
use crate::document::Group;
use crate::document::History;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::geometry::Aabb;

/// World > brush 1, group 2 > (brush 3, entity 4 > brush 5), light 6; material 0.
pub(in crate::document) fn map() -> History {
    let mut draft = Document::default().edit();
    let material = draft.insert_material(Material::new("brick", "brick.png"));
    let brush = |at: f64| Object::new(Kind::Brush(cube_at(at, Some(material))));
    draft.insert(brush(0.0));
    let group = draft.insert(Object::new(Kind::Group(Group::new("house"))));
    draft.insert(Object {
        parent: Some(group),
        ..brush(64.0)
    });
    let mut door = Entity::new("func_door", DVec3::new(128.0, 0.0, 0.0));
    door.set_key("targetname", "door1");
    let door = draft.insert(Object {
        parent: Some(group),
        ..Object::new(Kind::Entity(door))
    });
    draft.insert(Object {
        parent: Some(door),
        ..brush(128.0)
    });
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "light",
        DVec3::new(0.0, 64.0, 0.0),
    ))));
    History::new(draft.finish().expect("sound brushes"))
}

pub(in crate::document) fn cube_at(x: f64, material: Option<MaterialId>) -> Brush {
    Brush::cuboid(
        Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 32.0, 32.0, 32.0)),
        material,
    )
}

pub(in crate::document) fn id(number: u32) -> ObjectId {
    ObjectId::new(number).expect("not 0")
}

/// Commits, and checks that undo gives back the same document.
pub(in crate::document) fn commit(history: &mut History, edit: &Edit) {
    let before = history.committed().doc.clone();
    history.commit(edit).expect(edit.label);
    if history.committed().doc.same(&before) {
        return;
    }
    assert_eq!(history.undo(), Some(edit.label));
    assert!(
        history.committed().doc.same(&before),
        "{}: undo gives back the same document",
        edit.label
    );
    history.redo();
}

pub(in crate::document) fn refuses(history: &mut History, edit: &Edit) {
    let before = history.committed().doc.clone();
    assert!(
        history.commit(edit).is_err(),
        "{} must be refused",
        edit.label
    );
    assert!(history.committed().doc.same(&before));
}

pub(in crate::document) fn bounds(history: &History, number: u32) -> Aabb {
    history
        .committed()
        .doc
        .object(id(number))
        .expect("alive")
        .bounds()
}
