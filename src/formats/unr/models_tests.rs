use super::*;
use crate::document::Document;
use crate::formats::unr::entities;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Property;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::vertex_mesh::tests::SHAPE;
use crate::formats::unr::vertex_mesh::tests::made;
use crate::formats::unr::visgroups::Visgroups;
use crate::geometry::polygon;

/// A package `Deco.u` with the mesh of a box.
struct Deco;

impl Siblings for Deco {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        name.eq_ignore_ascii_case("deco.u").then(|| made(SHAPE))
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        None
    }
}

fn path(package: &str, name: &str) -> Arc<ObjectPath> {
    Arc::new(ObjectPath {
        package: package.to_owned(),
        name: name.to_owned(),
        ..ObjectPath::default()
    })
}

fn actor(name: &str, properties: Vec<(&str, Value)>) -> RawActor {
    let properties = properties.into_iter().map(|(name, value)| Property {
        name: name.into(),
        index: 0,
        value,
    });
    RawActor {
        name: name.to_owned(),
        class: path("Deco", "Crate"),
        properties: Properties(properties.collect()),
        ..RawActor::default()
    }
}

fn mesh(package: &str, name: &str) -> (&'static str, Value) {
    ("Mesh", Value::Object(Some(path(package, name))))
}

/// The document of a map with these actors, and the report.
fn document(actors: Vec<RawActor>) -> (Document, Report, RawMap) {
    let mut map = RawMap {
        actors,
        ..RawMap::default()
    };
    let models = find(&mut map, b"", &Deco, &Progress::new()).expect("not cancelled");
    let draft = Document::default().edit();
    let mut emission = Emission::new(&map, Looks::new(&map, &Deco), draft);
    emission.looks.insert(looks(&models), &mut emission.draft);
    let mut report = Report::default();
    let inserted = entities::insert(
        &map,
        &mut emission.draft,
        &mut emission.layers,
        &mut Visgroups::default(),
        &mut report,
    );
    insert(&models, &mut emission, &inserted, &mut report);
    let doc = emission.draft.as_read();
    (doc, report, map)
}

fn meshes(doc: &Document) -> Vec<(&Object, &Mesh)> {
    doc.objects()
        .filter_map(|(_, object)| match &object.kind {
            Kind::Mesh(mesh) => Some((object, mesh)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_model_stands_where_its_actor_is_and_belongs_to_it() {
    let turn = Rotator {
        yaw: 16_384,
        ..Rotator::default()
    };
    let (doc, report, map) = document(vec![actor(
        "Crate3",
        vec![
            ("DrawType", Value::Byte(2)),
            mesh("DECO", "box"),
            ("Location", Value::Vector(DVec3::new(100.0, 0.0, 50.0))),
            ("Rotation", Value::Rotator(turn)),
            ("DrawScale", Value::Float(2.0)),
            ("Style", Value::Byte(3)),
        ],
    )]);
    let found = meshes(&doc);
    let [(object, mesh)] = found.as_slice() else {
        panic!("{} meshes", found.len());
    };
    assert_eq!(mesh.name, "Crate3");
    assert_eq!((mesh.points.len(), mesh.polygons.len()), (8, 12));
    let owner = object.parent.and_then(|id| doc.object(id));
    assert!(matches!(&owner.expect("owned").kind, Kind::Entity(entity) if entity.class == "Crate"));
    assert!(object.flags.has(ObjectFlags::NO_COLLIDE));
    // The mesh's own numbers: X -20 to 20, Y -7 to 3, Z -10 to 10; twice as large, a quarter turn, and at its place.
    let bounds = mesh.bounds();
    let corners = [DVec3::new(86.0, -40.0, 30.0), DVec3::new(106.0, 40.0, 70.0)];
    let wanted = crate::geometry::Aabb::of_points(corners.into_iter().map(|corner| {
        let about = corner - DVec3::new(100.0, 0.0, 0.0);
        to_map(DVec3::new(100.0 - about.x, about.y, about.z))
    }));
    assert!(
        bounds.min.abs_diff_eq(wanted.min, 1e-3),
        "{bounds:?} {wanted:?}"
    );
    assert!(
        bounds.max.abs_diff_eq(wanted.max, 1e-3),
        "{bounds:?} {wanted:?}"
    );
    // Seen from outside.
    let middle = (bounds.min + bounds.max) * 0.5;
    for polygon in &mesh.polygons {
        let corners = mesh.positions(polygon).expect("in range");
        let normal = polygon::normal(&corners).expect("it has area");
        assert!(normal.dot(corners[0] - middle) > 0.0);
        let material = polygon.material.and_then(|id| doc.material(id));
        let material = material.expect("a material");
        assert_eq!(material.texture, "Skins.Crate:translucent");
        assert!(!material.flags.has(SurfaceFlags::SIZE_GUESSED));
    }
    assert_eq!(map.textures.len(), 1);
    assert_eq!(report.counts().get("I-MODEL-DRAWN"), Some(&1));
}

#[test]
fn what_is_not_there_or_not_drawn_stays_a_box() {
    let sprite = ("DrawType", Value::Byte(1));
    let hidden = ("bHidden", Value::Bool(true));
    let (doc, report, _) = document(vec![
        actor("A", vec![mesh("Deco", "Other")]),
        actor("B", vec![mesh("Gone", "Box")]),
        actor("C", vec![mesh("Deco", "Box"), sprite]),
        actor("D", vec![mesh("Deco", "Box"), hidden]),
        actor("E", Vec::new()),
        actor("F", vec![mesh("", "Box")]),
    ]);
    assert!(meshes(&doc).is_empty());
    let told = report
        .warnings
        .iter()
        .find(|warning| warning.kind.code == "I-MODEL");
    let told = told.expect("told");
    assert_eq!(told.objects().count(), 3);
    assert!(
        told.kind.text.contains("the map, Deco, Gone"),
        "{}",
        told.kind.text
    );
}

#[test]
fn skins_of_the_actor_replace_those_of_the_mesh() {
    let skin = |name: &str| Value::Object(Some(path("Paint", name)));
    for (property, expected) in [
        ("MultiSkins", "Paint.Red"),
        ("Skin", "Paint.Red"),
        ("Texture", "Skins.Crate"),
    ] {
        let (doc, ..) = document(vec![actor(
            "A",
            vec![mesh("Deco", "Box"), (property, skin("Red"))],
        )]);
        let found = meshes(&doc);
        let material = found[0].1.polygons[0]
            .material
            .and_then(|id| doc.material(id));
        let material = material.expect("a material");
        assert_eq!(material.texture, format!("{expected}:masked"), "{property}");
    }
}
