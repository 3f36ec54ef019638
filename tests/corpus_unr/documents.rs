//! Documents that maps become: what is compiled, where pictures lie, what the report says.

use std::collections::BTreeMap;
use std::path::Path;

use glam::DVec3;
use glam::Vec2;
use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Face;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::Object;
use mapwright::document::ObjectFlags;
use mapwright::document::SurfaceFlags;
use mapwright::document::ops;
use mapwright::formats::ImportOptions;
use mapwright::formats::Imported;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::Report;
use mapwright::formats::Siblings;
use mapwright::formats::unr::Unr;
use mapwright::formats::unr::brushes;
use mapwright::formats::unr::looks::GUESSED;
use mapwright::formats::unr::looks::Looks;
use mapwright::formats::unr::pieces::Piece;
use mapwright::formats::unr::solid::solids;
use mapwright::formats::unr::solidity::is_solid;
use mapwright::formats::unr::space::from_map;
use mapwright::formats::unr::space::to_map;
use mapwright::geometry::Aabb;
use mapwright::geometry::Hull;
use mapwright::task::Progress;

use crate::corpus;
use crate::map;

/// Maps of every kind that do not take long.
const MAPS: [&str; 6] = [
    "DM-DuckingZone.unr",
    "checkers_test_map.unr",
    "MA-Queens.unr",
    "RotationTest.dx",
    "MA-RocketArena.unr",
    "Gothic_Detail_room.unr",
];

fn imported(folder: &Path, name: &str, siblings: &dyn Siblings, keeps_carving: bool) -> Imported {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).expect("readable");
    let options = ImportOptions {
        keeps_carving,
        ..ImportOptions::default()
    };
    Unr.import_with(&bytes, &path, siblings, options, &Progress::new())
        .expect("it opens")
}

fn layer_of<'a>(doc: &'a Document, object: &Object) -> &'a str {
    let layer = object.layer.and_then(|layer| doc.layer(layer));
    layer.map_or("", |layer| layer.name.as_str())
}

#[test]
fn what_is_compiled_exists_once() {
    let Some(folder) = corpus() else { return };
    for name in MAPS {
        let Imported { doc, view, .. } = imported(&folder, name, &NoSiblings, false);
        assert_eq!(doc.settings().units_per_meter, 52.5);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, object) in doc.objects() {
            let layer = layer_of(&doc, object);
            *counts.entry(layer).or_default() += 1;
            let is_mesh = matches!(object.kind, Kind::Mesh(_));
            match layer {
                "Rock" | "Brushes" => assert_eq!(object.flags, ObjectFlags::default()),
                "Details" if object.brush().is_some() => {
                    assert_eq!(object.flags, ObjectFlags::DETAIL);
                }
                "Sheets" => assert!(is_mesh && object.flags.has(ObjectFlags::NO_COLLIDE)),
                "Original surfaces" => assert!(is_mesh),
                _ => {}
            }
        }
        assert!(counts.contains_key("Rock"), "{name}: {counts:?}");
        assert!(
            !counts.contains_key("Collision hulls"),
            "{name}: {counts:?}"
        );
        let (original, layer) = doc
            .layers()
            .find(|(_, layer)| layer.name == "Original surfaces")
            .expect("it is made");
        assert!(layer.no_compile);
        assert!(view.hidden_layers.contains(&original) && view.locked_layers.contains(&original));
    }
}

#[test]
fn brushes_show_the_texels_of_their_pieces() {
    let Some(folder) = corpus() else { return };
    for name in MAPS.into_iter().chain(["MH-Forbidden.unr"]) {
        let map = map(&folder, name);
        let solids = solids(map, &Progress::new()).expect("not cancelled");
        let mut draft = Document::default().edit();
        let mut looks = Looks::new(map, &NoSiblings);
        let faces = solids.pieces.iter().flat_map(|piece| &piece.faces);
        let mappings = faces.filter_map(|face| face.mapping.as_ref());
        looks.insert(mappings, &mut draft);
        let hidden = looks.hidden(&mut draft);
        let mut faces = 0;
        for piece in &solids.pieces {
            let brush = brushes::brush(piece, &looks, hidden).expect("pieces have volume");
            faces += compare(name, piece, &brush, hidden);
        }
        assert!(faces >= 20, "{name}: {faces}");
    }
}

/// Faces in the order of those of the piece, without those that vanish by rounding. How many were looked at.
fn compare(name: &str, piece: &Piece, brush: &Brush, hidden: MaterialId) -> usize {
    let mut looked_at = 0;
    for of in &piece.faces {
        let normal = to_map(of.normal).as_vec3().as_dvec3();
        let mut faces = brush.faces().iter();
        let found = faces.find(|face| {
            face.plane.normal == normal && face.plane.dist == f64::from(of.distance as f32)
        });
        let Some(face) = found else { continue };
        let Some(mapping) = &of.mapping else {
            assert_eq!(face.material, Some(hidden));
            continue;
        };
        looked_at += 1;
        // What is no frame on the face cannot be told by one.
        let across = mapping.u.cross(mapping.v).dot(of.normal).abs();
        if across < 1e-6 * mapping.u.length() * mapping.v.length() {
            continue;
        }
        let frame = face.frame(Vec2::splat(GUESSED));
        for &corner in &of.corners {
            let texels = frame.at(to_map(corner)) * f64::from(GUESSED);
            let off = (texels - mapping.at(corner)).abs().max_element();
            // Four steps of a number as large as those that are added.
            let far = frame.at(to_map(corner)).abs().max_element();
            let far = far.max(frame.u_offset.abs()).max(frame.v_offset.abs());
            let coarse = 4.0 * f64::from(f32::EPSILON) * far * f64::from(GUESSED);
            let limit = coarse.max(0.002);
            assert!(off <= limit, "{name}: {off} texels in {face:?}");
        }
    }
    looked_at
}

/// Every picture of this size.
struct Size([u32; 2]);

impl Siblings for Size {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        Some(self.0)
    }
}

/// Repeats at a corner of each face and polygon, by object.
fn repeats(doc: &Document) -> Vec<Vec2> {
    let material = |id: Option<MaterialId>| id.and_then(|id| doc.material(id));
    let tile = |id| material(id).map_or(Vec2::splat(64.0), Material::sound_tile_size);
    let mut repeats = Vec::new();
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                let point = brush.hull().points()[0];
                let at = |face: &Face| face.frame(tile(face.material)).at(point).as_vec2();
                repeats.extend(brush.faces().iter().map(at));
            }
            Kind::Mesh(mesh) => repeats.extend(mesh.polygons.iter().map(|polygon| polygon.uvs[0])),
            Kind::Entity(_) | Kind::Group(_) => {}
        }
    }
    repeats
}

#[test]
fn sizes_that_are_found_later_put_pictures_right() {
    let Some(folder) = corpus() else { return };
    let size = Size([256, 32]);
    for name in ["checkers_test_map.unr", "RotationTest.dx"] {
        let known = imported(&folder, name, &size, false).doc;
        let mut draft = imported(&folder, name, &NoSiblings, false).doc.edit();
        let guessed: Vec<MaterialId> = draft
            .materials()
            .filter(|(_, material)| material.flags.has(SurfaceFlags::SIZE_GUESSED))
            .map(|(id, _)| id)
            .collect();
        assert!(!guessed.is_empty());
        let sizes = guessed.into_iter().map(|id| (id, (256, 32))).collect();
        ops::materials::apply_texture_sizes(&mut draft, &sizes);
        let later = draft.as_read();
        for ((_, later), (_, known)) in later.materials().zip(known.materials()) {
            assert_eq!(later, known, "{name}");
        }
        let (later, known) = (repeats(&later), repeats(&known));
        assert_eq!(later.len(), known.len(), "{name}");
        for (later, known) in later.into_iter().zip(known) {
            assert!(
                later.abs_diff_eq(known, 0.004 / 32.0),
                "{name}: {later} {known}"
            );
        }
    }
}

/// Whether a point of a map is solid by the brushes one after the other.
fn is_solid_by_brushes(brushes: &[(bool, Vec<(DVec3, f64)>, Aabb)], point: DVec3) -> bool {
    let mut solid = false;
    for (carves, planes, bounds) in brushes {
        if bounds.contains(point) && planes.iter().all(|(n, d)| n.dot(point) <= *d) {
            solid = !carves;
        }
    }
    solid
}

#[test]
fn brushes_that_carve_can_be_kept() {
    let Some(folder) = corpus() else { return };
    for name in ["checkers_test_map.unr", "RotationTest.dx", "MA-Queens.unr"] {
        let doc = imported(&folder, name, &NoSiblings, true).doc;
        let objects = doc.objects_in_order().into_iter();
        let of_world = objects.filter(|(_, object)| {
            let owner = object.parent.and_then(|parent| doc.object(parent));
            owner.is_none_or(|owner| owner.entity().is_none())
        });
        let brushes: Vec<(bool, Vec<(DVec3, f64)>, Aabb)> = of_world
            .filter_map(|(_, object)| {
                let brush = object.brush()?;
                let carves = object.flags.has(ObjectFlags::SUBTRACT);
                if carves {
                    assert_eq!(brush.contents().0, 0);
                } else if brush.contents().0 != 1 {
                    return None;
                }
                let planes = brush.faces().iter();
                let planes = planes.map(|face| (face.plane.normal, face.plane.dist));
                Some((carves, planes.collect(), brush.hull().bounds()))
            })
            .collect();
        let carving = brushes.iter().filter(|(carves, _, _)| *carves).count();
        assert!(carving >= 9, "{name}: {carving}");
        assert!(!brushes[0].0, "{name}: rock comes first");
        let model = map(&folder, name).world.as_ref().expect("a world");
        let rock = brushes[0].2;
        let mut wrong = 0;
        for number in 0..2000u32 {
            // Points that fill the box evenly.
            let part = [0.754_877_666, 0.569_840_29, 0.417_022_005]
                .map(|step: f64| (step * f64::from(number) + 0.37).fract());
            let point = rock.min + rock.size() * DVec3::from(part);
            let by_brushes = is_solid_by_brushes(&brushes, point);
            wrong += usize::from(by_brushes != is_solid(model, from_map(point)));
        }
        assert_eq!(wrong, 0, "{name}");
    }
}

#[test]
fn missing_packages_are_told_with_their_faces() {
    let Some(folder) = corpus() else { return };
    let Imported { doc, report, .. } = imported(&folder, "MA-Queens.unr", &NoSiblings, false);
    let missing = report.warnings.iter();
    let missing: Vec<_> = missing
        .filter(|warning| warning.kind.code == "I-MISSING-TEXTURE")
        .collect();
    let texts = missing.iter().map(|warning| warning.kind.text.as_str());
    let packages: Vec<&str> = texts.filter_map(|text| text.split(':').next()).collect();
    assert_eq!(packages, ["Ancient", "GenEarth", "ShaneSky"]);
    assert!(missing[1].kind.text.starts_with("GenEarth: 1 face has"));
    for warning in missing {
        assert!(warning.objects().count() > 0);
        assert!(warning.objects().all(|id| doc.object(id).is_some()));
    }
    for code in [
        "I-BRUSHES",
        "I-AGREEMENT",
        "I-CONCAVE-BRUSH",
        "I-SHEET",
        "I-UNITS",
    ] {
        let rows = report.warnings.iter();
        let rows = rows.filter(|warning| warning.kind.code == code);
        assert_eq!(rows.count(), 1, "one row of {code}");
    }
}

#[test]
fn text_and_package_of_a_map_give_the_same_brushes() {
    let Some(folder) = corpus() else { return };
    // The text of the first was written after one more brush, sheared and added, was put into the map.
    for (name, package, layers) in [
        (
            "t3d/checkers_test_map.t3d",
            "checkers_test_map.unr",
            &["Rock", "Details"][..],
        ),
        (
            "t3d/RotationTest.t3d",
            "RotationTest.dx",
            &["Rock", "Brushes", "Details"],
        ),
    ] {
        let text = imported(&folder, name, &NoSiblings, false);
        let package = imported(&folder, package, &NoSiblings, false);
        let rows = |report: &Report, wanted: &str| {
            let rows = report.warnings.iter();
            rows.filter(|row| row.kind.code == wanted).count()
        };
        let is_sheared = name.contains("checkers");
        assert_eq!(
            rows(&text.report, "I-SHEARED-BRUSH"),
            usize::from(is_sheared)
        );
        assert_eq!(rows(&text.report, "I-AGREEMENT"), 0, "there is no BSP");
        let (text, package) = (text.doc, package.doc);
        let volume = |doc: &Document, wanted: &str| -> f64 {
            let objects = doc
                .objects()
                .filter(|(_, object)| layer_of(doc, object) == wanted);
            let brushes = objects.filter_map(|(_, object)| object.brush().map(Brush::hull));
            brushes.map(Hull::volume).sum()
        };
        for layer in layers {
            let (text, package) = (volume(&text, layer), volume(&package, layer));
            let off = (text - package).abs();
            assert!(
                off <= 1e-4 * package.max(1.0),
                "{name} {layer}: {text} {package}"
            );
        }
    }
}

#[test]
fn a_brush_by_itself_shows_its_polygons() {
    let Some(folder) = corpus() else { return };
    let doc = imported(&folder, "t3d/window1.t3d", &NoSiblings, false).doc;
    let mut brushes = doc.objects().filter_map(|(_, object)| object.brush());
    let brush = brushes.next().expect("it is solid");
    let name = |face: &Face| {
        let material = face.material.and_then(|id| doc.material(id));
        material.map_or_else(String::new, |material| material.name.clone())
    };
    assert!(brush.faces().iter().all(|face| name(face) == "guide2"));
    assert!(brushes.next().is_none());
}
