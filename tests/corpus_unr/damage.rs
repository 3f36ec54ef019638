//! Maps cut short and with changed bytes, through the whole importer.

use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use mapwright::document::Kind;
use mapwright::formats::FormatError;
use mapwright::formats::ImportOptions;
use mapwright::formats::Imported;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::unr;
use mapwright::formats::unr::Unr;
use mapwright::task::Progress;

use crate::corpus;

/// Small, so that many variants take little time.
const MAPS: [&str; 6] = [
    "DM-DuckingZone.unr",
    "GnomeholeMasterTemplate.unr",
    "Gothic_Detail_room.unr",
    "synthetic_v61_duckingzone.unr",
    "t3d/GnomeHome.t3d",
    "t3d/window1.t3d",
];

/// Much more than any of them takes when it is whole.
const LONGEST: Duration = Duration::from_secs(20);

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn import(name: &str, bytes: &[u8]) -> Result<Imported, FormatError> {
    let start = Instant::now();
    // With all that an import can do.
    let options = ImportOptions {
        original_light: true,
        ..ImportOptions::default()
    };
    let path = Path::new(name);
    let imported = Unr.import_with(bytes, path, &NoSiblings, options, &Progress::new());
    let seconds = start.elapsed();
    assert!(seconds < LONGEST, "{name}: {seconds:?}");
    imported
}

/// Opened as a sound document, or refused in one sentence.
fn check(name: &str, bytes: &[u8]) {
    let imported = match import(name, bytes) {
        Ok(imported) => imported,
        Err(error) => {
            let text = error.to_string();
            assert!(
                text.starts_with(name) && text.lines().count() == 1,
                "{text}"
            );
            return;
        }
    };
    for (_, object) in imported.doc.objects() {
        match &object.kind {
            Kind::Entity(entity) => {
                assert!(entity.origin.is_finite(), "{name}: {entity:?}");
                assert!(
                    entity.angles_deg.is_finite() && entity.scale.is_finite(),
                    "{name}: {entity:?}"
                );
            }
            Kind::Brush(brush) => assert_eq!(brush.fault(), None, "{name}"),
            Kind::Mesh(mesh) => {
                for polygon in &mesh.polygons {
                    let corners = mesh.positions(polygon).expect("corners are there");
                    assert!(corners.iter().all(|corner| corner.is_finite()), "{name}");
                }
            }
            Kind::Group(_) => {}
        }
    }
}

#[test]
fn maps_cut_short() {
    let Some(folder) = corpus() else { return };
    for name in MAPS {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        let is_text = name.ends_with("t3d");
        // The tables stand at the end of a package: what is cut is refused before anything of it is read.
        let step = if is_text { 997 } else { 1 };
        for end in (0..bytes.len()).step_by(step) {
            check(name, &bytes[..end]);
        }
    }
}

#[test]
fn maps_with_changed_bytes() {
    let Some(folder) = corpus() else { return };
    let mut random = Random(2009);
    for name in MAPS {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        for round in 0..40 {
            let mut changed = bytes.clone();
            for _ in 0..=round % 8 {
                let place = random.below(changed.len());
                changed[place] = [0, 0x7F, 0x80, 0xFF, random.below(256) as u8][random.below(5)];
            }
            check(name, &changed);
        }
    }
}

/// What is no number in many places, one at a time.
#[test]
fn maps_with_numbers_that_are_none() {
    let Some(folder) = corpus() else { return };
    for number in [f32::NAN, f32::INFINITY, 1e30] {
        for name in ["DM-DuckingZone.unr", "Gothic_Detail_room.unr"] {
            let bytes = std::fs::read(folder.join(name)).expect("readable");
            for place in (0..bytes.len() - 4).step_by(211) {
                let mut changed = bytes.clone();
                changed[place..place + 4].copy_from_slice(&number.to_le_bytes());
                check(name, &changed);
            }
        }
    }
}

/// The largest ones are only read: what becomes of them is tried with the small ones.
#[test]
fn large_maps_with_changed_bytes_are_read() {
    let Some(folder) = corpus() else { return };
    let mut random = Random(1998);
    for name in ["Early_Potions.unr", "RotationTest.dx", "MA-Queens.unr"] {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        for _ in 0..8 {
            let mut changed = bytes.clone();
            for _ in 0..200 {
                let place = random.below(changed.len());
                changed[place] = random.below(256) as u8;
            }
            let _ = unr::read(&changed, &Progress::new());
        }
    }
}
