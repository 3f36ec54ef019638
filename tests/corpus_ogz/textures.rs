//! Configurations of real maps, and the pictures that they name.

use glam::DVec2;
use glam::DVec3;
use mapwright::assets::MapFiles;
use mapwright::assets::open_map;
use mapwright::document::SurfaceFlags;
use mapwright::formats::Siblings as _;
use mapwright::formats::hmap;
use mapwright::formats::ogz::config::Config;
use mapwright::formats::ogz::mapping::fit;
use mapwright::formats::ogz::mapping::tile_size;
use mapwright::formats::ogz::mapping::to_map;
use mapwright::formats::ogz::pieces::pieces;
use mapwright::formats::ogz::raw::Value;
use mapwright::formats::ogz::slots::Resolved;
use mapwright::formats::ogz::slots::SKY;
use mapwright::formats::ogz::slots::Slots;
use mapwright::formats::ogz::slots::sky_sides;
use mapwright::geometry::Plane;
use mapwright::task::Progress;

use crate::corpus;
use crate::map;

/// The map's configuration, run among the files of the corpus.
fn config(name: &str) -> Option<(Config, MapFiles)> {
    let map = corpus()?.join(name);
    let files = MapFiles::new(&map, &[]);
    let config = Config::read(&map, &[], &files, &Progress::new()).expect("not cancelled");
    Some((config, files))
}

#[test]
fn lists_have_as_many_slots_as_the_maps_were_saved_with() {
    for (name, count) in [("colos", 23), ("tt", 13), ("cb", 12)] {
        let Some((config, files)) = config(&format!("packages/base/{name}.ogz")) else {
            return;
        };
        assert_eq!(config.slots.len(), count, "{name}");
        assert!(
            config.is_whole() && config.missing.is_empty(),
            "{name}: {:?}",
            config.missing
        );
        assert!(config.has_own && config.passed_over == 0, "{name}");
        let found = |picture: &str| files.texture_size(picture, &[]).is_some();
        let missing: Vec<&str> = config
            .slots
            .iter()
            .map(|slot| slot.picture.as_str())
            .filter(|picture| !found(picture))
            .collect();
        // The first is the name of a sky, and only its sides are pictures.
        assert_eq!(missing, [config.slots[0].picture.as_str()], "{name}");
        assert!(
            sky_sides(missing[0]).iter().all(|side| found(side)),
            "{name}"
        );
    }
}

#[test]
fn pictures_of_one_list_differ_only_in_size() {
    let Some((config, files)) = config("packages/base/tt.ogz") else {
        return;
    };
    for slot in &config.slots[1..] {
        assert!(slot.prefers_dds, "{}", slot.picture);
        let [width, height] = files.texture_size(&slot.picture, &[]).expect("found");
        assert_eq!(width, height);
        // The scale makes up for the size.
        assert_eq!(width as f32 * slot.scale, 128.0, "{}", slot.picture);
    }
    assert!(files.has("packages/gk/dds/GK_ground_m_01_cc_128.DDS"));
    assert!(!files.has("packages/gk/dds/gk_ground_m_01_cc_256.dds"));
    assert!(!files.has("packages/gk/dds/gk_ground_m_01_cc_64.jpg"));
    let dds = files.into_resolver().expect("asked for");
    let picture = dds
        .load("packages/gk/dds/gk_ground_m_01_cc_128.dds")
        .expect("found")
        .expect("decodes");
    assert_eq!((picture.width, picture.height), (128, 128));
    let jpeg = dds
        .load("packages/gk/dds/gk_ground_m_01_cc_128.jpg")
        .expect("found")
        .expect("decodes");
    assert!(!picture.has_alpha, "what is nowhere opaque is no alpha");
    // One was packed from a sharper version of the other: they agree in their colour, not in each pixel.
    let mean = |rgba: &[u8], channel: usize| {
        let values = rgba.iter().skip(channel).step_by(4);
        values.map(|&value| f64::from(value)).sum::<f64>() / (rgba.len() / 4) as f64
    };
    for channel in 0..3 {
        let off = mean(&picture.rgba, channel) - mean(&jpeg.rgba, channel);
        assert!(off.abs() < 3.0, "channel {channel} is {off} apart");
    }
}

#[test]
fn other_lists_give_models_skies_and_gaps() {
    let Some((config, _)) = config("nmp8.ogz") else {
        return;
    };
    assert_eq!(config.models.len(), 14);
    assert_eq!(config.models[3], "vegetation/tree04");
    assert_eq!(
        config.variables["skybox"],
        Value::Text("skyboxes/morning".to_owned())
    );
    assert_eq!(config.variables["fogcolour"], Value::Int(0x00EE_EEEE));
    let Some((config, _)) = self::config("aard3c.ogz") else {
        return;
    };
    assert_eq!(
        config.gaps,
        [2, 5],
        "lists of textures that are not in the corpus"
    );
    assert_eq!(config.numbered(None).len(), 2);
    assert_eq!(config.variables["yawsky"], Value::Int(100));
    // The default list is there, and the map has nothing of its own.
    let Some((config, _)) = self::config("box_demo.ogz") else {
        return;
    };
    assert!(!config.has_own);
    assert_eq!(config.slots.len(), 2);
    assert_eq!(
        config.variables["skybox"],
        Value::Text("skyboxes/philo/sky3".to_owned())
    );
    assert_eq!(
        config.materials["lava"].picture,
        "packages/gk/lava/lava_cc.png"
    );
}

/// Texels at a point of the file by the rule as it is written down.
fn texels(face: u8, slot: &Resolved, p: DVec3) -> DVec2 {
    let (a, b) = match face {
        0 | 1 => (p.y, -p.z),
        2 | 3 => (p.x, -p.z),
        _ => (p.x, p.y),
    };
    let (flip_x, flip_y, swap) = [
        (false, false, false),
        (false, true, true),
        (true, true, false),
        (true, false, true),
        (true, false, false),
        (false, true, false),
        (false, false, true),
        (true, true, true),
    ][usize::from(slot.rotation)];
    let k = 8.0 / f64::from(slot.scale);
    let [ox, oy] = slot.offset.map(f64::from);
    let x = if flip_x { -1.0 } else { 1.0 };
    let y = if flip_y { -1.0 } else { 1.0 };
    if swap {
        DVec2::new((k * b - oy) * x, (k * a - ox) * y)
    } else {
        DVec2::new((k * a - ox) * x, (k * b - oy) * y)
    }
}

/// Every visible face of five maps: what is stored puts each corner within 0.002 texel of the rule.
#[test]
fn pictures_of_real_maps_lie_where_the_rule_puts_them() {
    // Faces whose frame five numbers cannot hold.
    for (name, most_axes) in [
        ("packages/base/tt.ogz", 0),
        ("packages/base/colos.ogz", 0),
        ("packages/base/cb.ogz", 1),
        ("ot.ogz", 128),
        ("asteroids.ogz", 884),
    ] {
        let Some(folder) = corpus() else { return };
        let (raw, _) = map(&folder, name);
        let path = folder.join(name);
        let files = MapFiles::new(&path, &[]);
        let config =
            Config::read(&path, &raw.variables, &files, &Progress::new()).expect("not cancelled");
        let slots = Slots::new(raw, &config, &files);
        let pieces = pieces(raw, &Progress::new()).expect("not cancelled");
        let (mut worst, mut faces, mut axes) = (0.0_f64, 0, 0);
        for solid in &pieces.solids {
            for facet in &solid.facets {
                let Some(index) = facet.surface.slot.filter(|&slot| slot != SKY) else {
                    continue;
                };
                let slot = slots.resolve(index);
                let corners: Vec<DVec3> = solid
                    .corners
                    .iter()
                    .enumerate()
                    .filter(|(number, _)| facet.corners >> number & 1 == 1)
                    .map(|(_, corner)| DVec3::from(corner.map(|at| at as f64)) / 8.0)
                    .collect();
                let in_map: Vec<DVec3> = corners.iter().copied().map(to_map).collect();
                let normal = facet.plane.normal.map(|part| part as f64);
                let normal = to_map(DVec3::from(normal)).normalize();
                let plane = Plane::new(normal, normal.dot(in_map[0]));
                let found = fit(facet.surface.face, slot, plane, &in_map);
                let frame = found
                    .axes
                    .unwrap_or_else(|| found.uv.frame(normal, found.aligned, tile_size(slot)));
                let pixels = DVec2::from(slot.size.map(f64::from));
                for (corner, point) in corners.into_iter().zip(in_map) {
                    let off = frame.at(point) * pixels - texels(facet.surface.face, slot, corner);
                    worst = worst.max(off.abs().max_element());
                }
                faces += 1;
                axes += usize::from(found.axes.is_some());
            }
        }
        eprintln!("{name}: {faces} faces, {axes} with axes of their own, worst {worst:.5} texel");
        assert!(faces > 100, "{name}");
        assert!(worst < 0.002, "{name}: {worst}");
        assert!(axes <= most_axes, "{name}: {axes}");
    }
}

#[test]
fn shown_slots_are_those_of_the_lists() {
    for (name, missing) in [
        ("packages/base/tt.ogz", 0),
        ("packages/base/colos.ogz", 0),
        ("packages/base/cb.ogz", 0),
    ] {
        let Some(folder) = corpus() else { return };
        let (raw, _) = map(&folder, name);
        let path = folder.join(name);
        let files = MapFiles::new(&path, &[]);
        let config =
            Config::read(&path, &raw.variables, &files, &Progress::new()).expect("not cancelled");
        let slots = Slots::new(raw, &config, &files);
        assert!(slots.resolve(SKY).is_sky_box, "{name}");
        let lost = slots
            .iter()
            .filter(|slot| slot.index != SKY && !slot.was_found);
        assert_eq!(lost.count(), missing, "{name}");
        assert!(slots.iter().all(|slot| !slot.is_unresolved), "{name}");
    }
}

#[test]
fn edited_slots_of_real_maps_lead_to_the_list() {
    for (name, edited) in [
        ("ot.ogz", 3),
        ("nmp8.ogz", 13),
        ("Garden-Parkour01_LostRaces-05.ogz", 195),
    ] {
        let Some(folder) = corpus() else { return };
        let (raw, _) = map(&folder, name);
        let changed: Vec<usize> = (0..raw.slots.len())
            .filter(|&index| !raw.slots[index].unmodified)
            .collect();
        assert_eq!(changed.len(), edited, "{name}");
        let own = raw.slots.len() - edited;
        // A list as long as the map says.
        let config = Config {
            slots: (0..own)
                .map(|number| {
                    mapwright::formats::ogz::config::TextureSlot::new(format!("packages/{number}"))
                })
                .collect(),
            has_own: true,
            ..Config::default()
        };
        let slots = Slots::new(raw, &config, &mapwright::formats::NoSiblings);
        for slot in slots
            .iter()
            .filter(|slot| usize::from(slot.index) < raw.slots.len())
        {
            assert!(!slot.is_unresolved, "{name}: {}", slot.index);
            assert_eq!(slot.picture, Some(format!("packages/{}", slot.number)));
            assert!(slot.number < own);
        }
    }
}

/// Pictures of the open map's materials that are not found.
fn lost(opened: &mapwright::assets::Opened) -> Vec<String> {
    let doc = &opened.imported.doc;
    let textures = doc
        .materials()
        .map(|(_, material)| material.texture.clone());
    textures
        .filter(|texture| !texture.is_empty() && !opened.resolver.has(texture))
        .collect()
}

#[test]
fn opened_maps_have_all_their_pictures_and_find_them_again() {
    for name in ["tt", "cb", "colos"] {
        let Some(folder) = corpus() else { return };
        let path = folder.join(format!("packages/base/{name}.ogz"));
        let opened = open_map(&path, &[], &Progress::new()).expect("it opens");
        assert!(lost(&opened).is_empty(), "{name}: {:?}", lost(&opened));
        let counts = opened.imported.report.counts();
        assert!(
            !counts.contains_key("I-MISSING-TEXTURE"),
            "{name}: {counts:?}"
        );
        let guessed = opened.imported.doc.materials().filter(|(_, material)| {
            material.flags.has(SurfaceFlags::SIZE_GUESSED) && !material.flags.has(SurfaceFlags::SKY)
        });
        assert_eq!(guessed.count(), 0, "{name}");
        // Saved far from the game.
        let elsewhere = tempfile::tempdir().expect("temp dir");
        let saved = elsewhere.path().join("m.hmap");
        let imported = &opened.imported;
        let bytes = hmap::write(
            &imported.doc,
            &imported.view,
            &imported.extras,
            None,
            &saved,
        )
        .expect("a map");
        std::fs::write(&saved, bytes).expect("write");
        let again = open_map(&saved, &[], &Progress::new()).expect("it opens");
        assert!(again.imported.doc.material_count() > 3);
        assert!(lost(&again).is_empty(), "{name}: {:?}", lost(&again));
    }
}
