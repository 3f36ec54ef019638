//! Real maps as brushes and back: the same space is solid, and it shows the same.

use std::collections::BTreeMap;
use std::path::Path;

use glam::DVec3;
use mapwright::assets::MapFiles;
use mapwright::assets::export::export;
use mapwright::assets::open_map;
use mapwright::document::Brush;
use mapwright::document::Contents;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Face;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::Object;
use mapwright::document::SurfaceFlags;
use mapwright::formats::Origin;
use mapwright::formats::Siblings as _;
use mapwright::formats::ogz;
use mapwright::formats::ogz::config::Config;
use mapwright::formats::ogz::config::TextureSlot;
use mapwright::formats::ogz::convex::Convex;
use mapwright::formats::ogz::mapping;
use mapwright::formats::ogz::materials::Materials;
use mapwright::formats::ogz::measure::Surfaces;
use mapwright::formats::ogz::pieces::pieces;
use mapwright::formats::ogz::raw::RawMap;
use mapwright::formats::ogz::raw::material;
use mapwright::formats::ogz::slots::Slots;
use mapwright::formats::ogz::write::write;
use mapwright::geometry::Plane;
use mapwright::task::Progress;

use crate::corpus;
use crate::map;

/// A convex piece as a brush, its pictures as an import lays them.
fn brush_of(
    convex: &Convex,
    slots: &Slots,
    materials: &mut Materials<'_>,
    draft: &mut Draft,
) -> Brush {
    let corners: Vec<DVec3> = convex
        .corners
        .iter()
        .map(|corner| mapping::to_map(DVec3::from(corner.map(|at| at as f64)) / 8.0))
        .collect();
    let is_clear = convex.material & material::ALPHA != 0;
    let faces = convex.facets.iter().map(|facet| {
        let normal = facet.plane.normal.map(|part| part as f64);
        let normal = mapping::to_map(DVec3::from(normal)).normalize();
        let on: Vec<DVec3> = corners
            .iter()
            .enumerate()
            .filter(|(index, _)| facet.corners >> index & 1 == 1)
            .map(|(_, &corner)| corner)
            .collect();
        let plane = Plane::new(normal, normal.dot(on[0]));
        let Some(slot) = facet.surface.slot else {
            return Face::new(plane, Some(materials.hidden(draft)));
        };
        let mut face = Face::new(plane, Some(materials.of(slot, is_clear, draft)));
        if slot != 0 {
            let fit = mapping::fit(facet.surface.face, slots.resolve(slot), plane, &on);
            face.uv = fit.uv;
            face.axes = fit.axes;
            if fit.aligned {
                face.flags = face.flags | SurfaceFlags::FACE_ALIGNED;
            }
        }
        face
    });
    let contents = if convex.material & material::CLIP_BITS == material::NO_CLIP {
        Contents(0)
    } else {
        Contents::SOLID
    };
    Brush::as_stored(contents, faces.collect())
}

/// The brushes of a map, and what is kept of it beside them.
fn document_of(map: &RawMap, config: &Config, files: &MapFiles) -> (Document, Origin) {
    let slots = Slots::new(map, config, files);
    let mut materials = Materials::new(&slots, config);
    let mut draft = Document::default().edit();
    for convex in &pieces(map, &Progress::new()).expect("not cancelled").solids {
        let brush = brush_of(convex, &slots, &mut materials, &mut draft);
        draft.insert(Object::new(Kind::Brush(brush)));
    }
    let origin = Origin {
        format: "ogz".to_owned(),
        settings: materials.settings(),
        ..Origin::default()
    };
    (draft.as_read(), origin)
}

/// Volume, exposed area, and exposed area by picture and scale.
fn figures(map: &RawMap, config: &Config) -> (f64, f64, BTreeMap<String, f64>) {
    let surfaces = Surfaces::of_pieces(&pieces(map, &Progress::new()).expect("not cancelled"));
    let slots = Slots::new(map, config, &mapwright::formats::NoSiblings);
    let mut shown = BTreeMap::new();
    for (slot, area) in surfaces.exposed_by_slot() {
        let key = match slot {
            None => "hidden".to_owned(),
            Some(0) => "sky".to_owned(),
            Some(slot) => {
                let slot = slots.resolve(slot);
                let picture = slot.picture.clone().unwrap_or_default();
                let stem = picture
                    .rsplit_once('.')
                    .map_or(picture.as_str(), |(stem, _)| stem);
                format!("{stem} {}", slot.scale)
            }
        };
        *shown.entry(key).or_insert(0.0) += area;
    }
    (surfaces.volume(), surfaces.exposed_area(), shown)
}

/// The list that a written configuration gives.
fn read_config(text: &str) -> Config {
    struct Beside<'a>(&'a str);
    impl mapwright::formats::Siblings for Beside<'_> {
        fn read(&self, name: &str) -> Option<Vec<u8>> {
            (name == "m.cfg").then(|| self.0.as_bytes().to_vec())
        }
        fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
            None
        }
    }
    Config::read(Path::new("m.ogz"), &[], &Beside(text), &Progress::new()).expect("not cancelled")
}

#[test]
fn maps_come_back_from_brushes_as_they_were() {
    for name in [
        "packages/base/tt.ogz",
        "packages/base/cb.ogz",
        "packages/base/colos.ogz",
        "metl3.ogz",
        "aard3c.ogz",
        "ksauer1.ogz",
        "sauerbraten.ogz",
        "made/floor.ogz",
        "made/deformed.ogz",
        "made/vslots.ogz",
        "box_demo.ogz",
        "platform_demo.ogz",
    ] {
        let Some(folder) = corpus() else { return };
        let made;
        let raw = if name.starts_with("made/") {
            let bytes = std::fs::read(folder.join(name)).expect("it is in the index");
            made = ogz::read(&bytes, &Progress::new())
                .expect("it can be read")
                .0;
            &made
        } else {
            &map(&folder, name).0
        };
        let path = folder.join(name);
        let files = MapFiles::new(&path, &[]);
        let mut config =
            Config::read(&path, &raw.variables, &files, &Progress::new()).expect("not cancelled");
        if !name.starts_with("packages/") && !name.ends_with("_demo.ogz") {
            // The game's own list is not there; none is needed to tell the slots apart.
            config.slots = (0..1200)
                .map(|number| TextureSlot::new(format!("packages/{number}.jpg")))
                .collect();
            config.gaps.clear();
        }
        let (doc, origin) = document_of(raw, &config, &files);
        let size_of = |material: &Material| {
            // What stands for the side of a picture that is not there.
            let size = files.texture_size(&material.texture, &[]);
            Some(size.unwrap_or([64; 2]))
        };
        let written =
            write(&doc, Some(&origin), &size_of, &Progress::new()).expect("not cancelled");
        assert!(
            written.report.warnings.is_empty(),
            "{name}: {:?}",
            written.report.warnings
        );
        let bytes = written.bytes();
        let (back, notes) = ogz::read(&bytes, &Progress::new()).expect("our own file");
        assert!(notes.is_empty(), "{name}: {notes:?}");
        assert_eq!(back.tree.leaves, written.map.tree.leaves, "{name}");
        assert_eq!(back.slots, written.map.slots, "{name}");
        let (before, after) = (
            figures(raw, &config),
            figures(&back, &read_config(&written.config)),
        );
        eprintln!(
            "{name}: {} leaves became {} brushes, {} leaves, {} bytes; volume {} {}, exposed {:.3} {:.3}",
            raw.tree.leaves.len(),
            written.brushes,
            back.tree.leaves.len(),
            bytes.len(),
            before.0,
            after.0,
            before.1,
            after.1
        );
        if let Some(folder) = std::env::var_os("MAPWRIGHT_KEEP") {
            let file = name.replace('/', "_");
            std::fs::write(Path::new(&folder).join(file), &bytes).expect("write");
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
        assert!(near(before.0, after.0) && near(before.1, after.1), "{name}");
        let names = |shown: &BTreeMap<String, f64>| shown.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&before.2), names(&after.2), "{name}");
        for (key, area) in &before.2 {
            assert!(
                near(*area, after.2[key]),
                "{name}: {key} {area} {}",
                after.2[key]
            );
        }
    }
}

/// Volume of solid brushes, their number by contents, and entities by class.
fn summary(doc: &Document) -> (f64, BTreeMap<u32, usize>, BTreeMap<String, usize>) {
    let (mut volume, mut contents, mut classes) = (0.0, BTreeMap::new(), BTreeMap::new());
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                if brush.contents() == Contents::SOLID {
                    volume += brush.hull().volume();
                }
                if brush.contents() != Contents::SOLID {
                    *contents.entry(brush.contents().0).or_insert(0) += 1;
                }
            }
            Kind::Entity(entity) => *classes.entry(entity.class.clone()).or_insert(0) += 1,
            Kind::Mesh(_) | Kind::Group(_) => {}
        }
    }
    (volume, contents, classes)
}

/// What a map loses on its way: brushes left out, and faces whose pictures lie otherwise than they should.
type Lost = (usize, usize);

#[test]
fn exported_maps_open_as_what_they_were() {
    let maps: [(&str, Lost); 14] = [
        ("packages/base/tt.ogz", (0, 0)),
        ("packages/base/cb.ogz", (0, 0)),
        ("packages/base/colos.ogz", (0, 0)),
        ("box_demo.ogz", (0, 0)),
        ("platform_demo.ogz", (0, 0)),
        ("sauerbraten.ogz", (0, 0)),
        ("metl3.ogz", (0, 0)),
        ("aard3c.ogz", (0, 0)),
        ("curvedm.ogz", (0, 1)),
        ("ksauer1.ogz", (0, 0)),
        ("WhoNeedTextures.ogz", (0, 0)),
        // Cubes that are bent inwards.
        ("island.ogz", (0, 3)),
        ("ColossuRace.ogz", (0, 40)),
        ("firstevermap.ogz", (0, 0)),
    ];
    let mut wrong = Vec::new();
    for (name, expected) in maps {
        let Some(folder) = corpus() else { return };
        let lost = comes_back(&folder, name);
        if lost != expected {
            wrong.push((name, lost, expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Opens, exports and opens a map again: what was not left out is there.
fn comes_back(folder: &Path, name: &str) -> Lost {
    let opened = open_map(&folder.join(name), &[], &Progress::new()).expect("it opens");
    let doc = &opened.imported.doc;
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let out = elsewhere.path().join("m.ogz");
    let exported = export(
        doc,
        opened.imported.extras.origin.as_ref(),
        Some(&opened.resolver),
        &out,
        &Progress::new(),
    )
    .expect("written");
    if let Some(folder) = std::env::var_os("MAPWRIGHT_KEEP") {
        let file = format!("exported_{}", name.replace('/', "_"));
        std::fs::copy(&out, Path::new(&folder).join(file)).expect("write");
    }
    let mut counts = exported.report.counts();
    let mut count = |code: &str| counts.remove(code).unwrap_or(0);
    // The game's own list of textures is not there, or none of its pictures.
    count("X-TEXTURE");
    let lost = (count("X-LEFT-OUT"), count("X-PICTURE"));
    eprintln!(
        "{name}: {} brushes of {} materials, lost {lost:?}",
        exported.brushes,
        doc.material_count()
    );
    for warning in &exported.report.warnings {
        eprintln!("  {}: {}", warning.kind.code, warning.kind.text);
    }
    assert!(counts.is_empty(), "{name}: {counts:?}");

    let again = open_map(&out, &[folder.to_owned()], &Progress::new()).expect("it opens");
    let left_out = exported.report.warnings.iter();
    let left_out: f64 = left_out
        .filter(|warning| warning.kind.code == "X-LEFT-OUT")
        .filter_map(|warning| doc.object(warning.object?)?.brush())
        .map(|brush| brush.hull().volume())
        .sum();
    let (before, after) = (summary(doc), summary(&again.imported.doc));
    assert!(
        (before.0 - left_out - after.0).abs() <= 1e-6 * before.0,
        "{name}: {} {left_out} {}",
        before.0,
        after.0
    );
    assert_eq!((&before.1, &before.2), (&after.1, &after.2), "{name}");
    let world = |doc: &Document| {
        doc.worldspawn()
            .map(|(_, world)| world.keys.iter().cloned().collect::<BTreeMap<_, _>>())
    };
    assert_eq!(world(doc), world(&again.imported.doc), "{name}");
    let entities = |doc: &Document| {
        let mut entities: Vec<String> = doc
            .objects()
            .filter_map(|(_, object)| object.entity())
            .filter(|entity| entity.class != "worldspawn")
            .map(|entity| {
                format!(
                    "{} {} {} {:?}",
                    entity.class, entity.origin, entity.angles_deg, entity.keys
                )
            })
            .collect();
        entities.sort();
        entities
    };
    assert_eq!(entities(doc), entities(&again.imported.doc), "{name}");
    lost
}
