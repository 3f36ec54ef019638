//! Faults that users of other programs met with Cube 2 maps, each with the behaviour that is right here.

use std::collections::BTreeSet;
use std::path::Path;

use mapwright::assets::Opened;
use mapwright::assets::open_map;
use mapwright::document::Contents;
use mapwright::document::SurfaceFlags;
use mapwright::task::Progress;

use crate::corpus;

fn open(path: &Path) -> Opened {
    open_map(path, &[], &Progress::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// Texts of the rows of a code.
fn rows<'a>(opened: &'a Opened, code: &str) -> Vec<&'a str> {
    let rows = opened.imported.report.warnings.iter();
    rows.filter(|row| row.kind.code == code)
        .map(|row| row.kind.text.as_str())
        .collect()
}

/// Fault 7: packages that are not there are told once per folder, and numbers of slots stay.
#[test]
fn a_map_without_its_packages_opens_with_one_row_per_folder() {
    let Some(folder) = corpus() else { return };
    let dir = tempfile::tempdir().expect("temp dir");
    for name in ["metl3.ogz", "metl3.cfg"] {
        std::fs::copy(folder.join(name), dir.path().join(name)).expect("copy");
    }
    let opened = open(&dir.path().join("metl3.ogz"));
    let missing = rows(&opened, "I-MISSING-TEXTURE");
    let folders: BTreeSet<&str> = missing
        .iter()
        .filter_map(|text| text.split_once(':'))
        .map(|(folder, _)| folder)
        .collect();
    assert_eq!((missing.len(), folders.len()), (5, 5), "{missing:?}");
    // The configuration drops the default list, which is not there.
    assert!(rows(&opened, "I-MISSING-CONFIG").is_empty());
    let origin = opened.imported.extras.origin.as_ref().expect("imported");
    let slot = |name: &str| {
        let key = format!("material/{name}/slot");
        let mut settings = origin.settings.iter();
        settings.find_map(|(known, slot)| (*known == key).then_some(slot.as_str()))
    };
    // Lines 4 and 6 of the list, counted from 0.
    assert_eq!(slot("ik2k/ik_floor_brick128a"), Some("3"));
    assert_eq!(slot("ik2k/ik_brickwall_gry"), Some("5"));
}

/// Fault 9: nothing is said to be missing that was found in the end.
#[test]
fn a_map_that_finds_everything_complains_of_nothing() {
    let Some(folder) = corpus() else { return };
    for name in ["cb", "tt", "colos"] {
        let opened = open(&folder.join(format!("packages/base/{name}.ogz")));
        let counts = opened.imported.report.counts();
        let complaints: Vec<_> = counts
            .keys()
            .filter(|code| code.contains("MISSING"))
            .collect();
        assert!(complaints.is_empty(), "{name}: {complaints:?}");
        assert!(opened.resolver.faults().is_empty(), "{name}");
    }
}

/// Fault 17: faces show pictures by the names of their files.
#[test]
fn materials_are_named_after_their_pictures() {
    let Some(folder) = corpus() else { return };
    let opened = open(&folder.join("packages/base/cb.ogz"));
    let mut named = 0;
    for (_, material) in opened.imported.doc.materials() {
        let own = material.texture.strip_prefix("packages/");
        if let Some(picture) = own.filter(|_| !material.flags.has(SurfaceFlags::SKY)) {
            let base = material.name.split('#').next().unwrap_or("");
            assert!(picture.starts_with(base), "{material:?}");
            named += 1;
        }
    }
    assert!(named > 5);
}

/// Fault 15: glass is boxes that stop players; see-through cubes are brushes of their own material.
#[test]
fn glass_and_see_through_cubes_are_brushes() {
    let Some(folder) = corpus() else { return };
    let opened = open(&folder.join("made/materials.ogz"));
    let doc = &opened.imported.doc;
    let mut kinds = BTreeSet::new();
    for (_, object) in doc.objects() {
        let Some(brush) = object.brush() else {
            continue;
        };
        assert_eq!(brush.fault(), None);
        let faces = brush.faces().iter();
        let materials = faces.filter_map(|face| doc.material(face.material?));
        kinds.extend(
            materials
                .filter(|material| material.flags.has(SurfaceFlags::TRANSLUCENT))
                .filter(|_| brush.contents() == Contents::SOLID)
                .map(|material| material.name.starts_with("glass")),
        );
    }
    assert_eq!(kinds, BTreeSet::from([false, true]));
}
