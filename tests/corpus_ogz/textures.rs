//! Configurations of real maps, and the pictures that they name.

use mapwright::assets::MapFiles;
use mapwright::formats::Siblings as _;
use mapwright::formats::ogz::config::Config;
use mapwright::formats::ogz::raw::Value;
use mapwright::formats::ogz::slots::sky_sides;
use mapwright::task::Progress;

use crate::corpus;

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
    assert!(!picture.has_alpha, "an alpha that is 0 everywhere is none");
    let off: u64 = picture
        .rgba
        .iter()
        .zip(&jpeg.rgba)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    let mean = off as f64 / picture.rgba.len() as f64;
    assert!(
        mean > 0.0 && mean < 2.0,
        "two files of one picture, {mean} apart"
    );
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
