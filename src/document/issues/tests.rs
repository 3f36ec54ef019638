//! Tests of the rules.

use super::*;
use crate::document::Face;
use crate::document::Group;
use crate::document::History;
use crate::document::Polygon;
use crate::geometry::Plane;

fn codes(doc: &Document, id: ObjectId) -> Vec<&'static str> {
    let mut problems = Problems::new();
    problems.sync(doc);
    problems.of(id).map(|issue| issue.code).collect()
}

fn cube(half: f64) -> Brush {
    Brush::cuboid(Aabb::around(DVec3::ZERO, DVec3::splat(half)), None)
}

fn put(objects: Vec<Kind>) -> (Document, Vec<ObjectId>) {
    let mut draft = Document::default().edit();
    let ids = objects
        .into_iter()
        .map(|kind| draft.insert(Object::new(kind)))
        .collect();
    (draft.as_read(), ids)
}

fn with_face(change: impl Fn(&mut Face)) -> Kind {
    let brush = cube(8.0);
    let mut faces = brush.faces().to_vec();
    change(&mut faces[3]);
    Kind::Brush(Brush::as_stored(brush.contents(), faces))
}

#[test]
fn each_rule_finds_its_case() {
    let entity = |keys: &[(&str, &str)]| {
        let mut entity = Entity::new("trigger", DVec3::ZERO);
        entity.keys = keys
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect();
        Kind::Entity(entity)
    };
    let bent = Mesh {
        name: String::new(),
        points: vec![
            DVec3::ZERO,
            DVec3::X * 9.0,
            DVec3::new(9.0, 9.0, 4.0),
            DVec3::Y * 9.0,
        ],
        polygons: vec![
            Polygon {
                material: Some(MaterialId(3)),
                smooth: 0,
                proj: Uv::default(),
                corners: vec![0, 1, 2, 3],
                uvs: vec![],
            },
            Polygon {
                material: None,
                smooth: 0,
                proj: Uv::default(),
                corners: vec![0, 1, 7],
                uvs: vec![],
            },
        ],
    };
    let cases: Vec<(&str, Kind, &[&str])> = vec![
        ("a sound brush", Kind::Brush(cube(8.0)), &[]),
        (
            "a missing face",
            Kind::Brush(Brush::as_stored(
                crate::document::Contents::SOLID,
                cube(8.0).faces()[..5].to_vec(),
            )),
            &["C-OPEN-BRUSH"],
        ),
        (
            "three faces",
            Kind::Brush(Brush::as_stored(
                crate::document::Contents::SOLID,
                cube(8.0).faces()[..3].to_vec(),
            )),
            &["C-FEW-FACES"],
        ),
        (
            "no volume",
            with_face(|face| face.plane.dist = -99.0),
            &["C-EMPTY-BRUSH"],
        ),
        (
            "not a number",
            with_face(|face| face.plane.dist = f64::NAN),
            &["C-NOT-FINITE"],
        ),
        (
            "no direction",
            with_face(|face| face.plane = Plane::new(DVec3::ZERO, 1.0)),
            &["C-BAD-PLANE"],
        ),
        (
            "a dead material",
            with_face(|face| face.material = Some(MaterialId(0))),
            &["C-MATERIAL"],
        ),
        (
            "scale zero",
            with_face(|face| face.uv.scale.x = 0.0),
            &["C-UV-SCALE"],
        ),
        ("far away", Kind::Brush(cube(140_000.0)), &["C-FAR"]),
        (
            "a bent mesh",
            Kind::Mesh(bent),
            &["C-MATERIAL", "C-NON-PLANAR", "C-POLYGON"],
        ),
        (
            "an empty group",
            Kind::Group(Group::new("g")),
            &["C-EMPTY-GROUP"],
        ),
        (
            "a target nobody has",
            entity(&[("target", "x")]),
            &["C-DANGLING-TARGET"],
        ),
        (
            "itself as target",
            entity(&[("target", "x"), ("targetname", "x")]),
            &[],
        ),
        (
            "a key twice",
            entity(&[("a", "1"), ("a", "2")]),
            &["C-KEY-TWICE"],
        ),
        (
            "no class",
            Kind::Entity(Entity::new("", DVec3::ZERO)),
            &["C-CLASS"],
        ),
    ];
    for (name, kind, expected) in cases {
        let (doc, ids) = put(vec![kind]);
        assert_eq!(codes(&doc, ids[0]), expected, "{name}");
    }
}

#[test]
fn doubles_and_shared_names() {
    let brush = cube(8.0);
    let mut turned = brush.faces().to_vec();
    turned.rotate_left(2);
    let turned = Kind::Brush(Brush::as_stored(brush.contents(), turned));
    let mut named = Entity::new("a", DVec3::ZERO);
    named.set_key("targetname", "n");
    let (doc, ids) = put(vec![
        Kind::Brush(brush),
        turned,
        Kind::Entity(named.clone()),
        Kind::Entity(named),
    ]);
    assert_eq!(
        codes(&doc, ids[0]),
        Vec::<&str>::new(),
        "the first one stays"
    );
    assert_eq!(codes(&doc, ids[1]), ["C-DUPLICATE"]);
    assert_eq!(codes(&doc, ids[2]), ["C-SHARED-NAME"]);
    let mut orphan = doc.edit();
    orphan.update(ids[0], |object| object.parent = ObjectId::new(77));
    assert_eq!(codes(&orphan.as_read(), ids[0]), ["C-OWNER"]);
}

#[test]
fn fixes_are_one_step_and_mend() {
    let (doc, ids) = put(vec![
        with_face(|face| face.uv.scale.x = 0.0),
        Kind::Brush(cube(8.0)),
        Kind::Group(Group::new("g")),
    ]);
    let mut history = History::new(doc);
    let mut problems = Problems::new();
    problems.sync(&history.committed().doc);
    assert_eq!(
        problems.iter().map(|issue| issue.code).collect::<Vec<_>>(),
        ["C-UV-SCALE", "C-DUPLICATE", "C-EMPTY-GROUP"]
    );
    let first_fix = |problems: &Problems| problems.iter().find_map(|issue| issue.fix.clone());
    while let Some(fix) = first_fix(&problems) {
        history.commit(&fix).expect("a fix works");
        problems.sync(&history.committed().doc);
    }
    assert!(problems.is_empty());
    assert_eq!(history.undo_labels().count(), 3);
    assert!(history.committed().doc.object(ids[1]).is_none());
}

#[test]
fn following_finds_what_looking_finds() {
    let mut problems = Problems::new();
    let mut doc = Document::default();
    let name = |text: &str, key: &str| {
        let mut entity = Entity::new("e", DVec3::ZERO);
        entity.set_key(key, text);
        Kind::Entity(entity)
    };
    let id = |n: u32| ObjectId::new(n).expect("not 0");
    let steps: Vec<Box<dyn Fn(&mut crate::document::Draft)>> = vec![
        Box::new(|draft| {
            draft.insert(Object::new(Kind::Group(Group::new("g"))));
        }),
        Box::new(|draft| {
            draft.insert(Object {
                parent: Some(id(1)),
                ..Object::new(Kind::Brush(cube(8.0)))
            });
        }),
        Box::new(|draft| {
            draft.insert(Object::new(Kind::Brush(cube(8.0))));
        }),
        Box::new(move |draft| {
            draft.insert(Object::new(name("a", "target")));
        }),
        Box::new(move |draft| {
            draft.insert(Object::new(name("a", "targetname")));
        }),
        Box::new(move |draft| {
            draft.update(id(5), |object| object.kind = name("b", "targetname"));
        }),
        Box::new(|draft| draft.remove(id(2))),
        Box::new(move |draft| {
            draft.update(id(3), |object| object.kind = name("b", "targetname"));
        }),
        Box::new(|draft| draft.remove(id(1))),
        Box::new(|draft| draft.remove(id(5))),
    ];
    for step in steps {
        let mut draft = doc.edit();
        step(&mut draft);
        doc = draft.as_read();
        problems.sync(&doc);
        let expected: Vec<(ObjectId, &str)> = doc
            .objects()
            .flat_map(|(id, _)| codes(&doc, id).into_iter().map(move |code| (id, code)))
            .collect();
        let found: Vec<(ObjectId, &str)> = problems
            .iter()
            .map(|issue| (issue.object.expect("an object"), issue.code))
            .collect();
        assert_eq!(found, expected);
    }
}
