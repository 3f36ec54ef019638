//! Unreal maps: from the file to a document, and what is solid alone.

use mapwright::assets::open_map_with;
use mapwright::formats::ImportOptions;
use mapwright::formats::unr;
use mapwright::formats::unr::solid::solids;
use mapwright::task::Progress;

use crate::maps::corpus;
use crate::table::Table;

/// The largest of the corpus.
const MAPS: [&str; 2] = ["Early_Potions.unr", "MH-Canyon.unr"];

/// Milliseconds to a document, and of that to the convex pieces.
const OPEN_MS: f64 = 500.0;
const SOLID_MS: f64 = 350.0;

pub fn measure(table: &mut Table) {
    let Some(folder) = corpus("unr") else { return };
    for file in MAPS {
        let path = folder.join(file);
        let bytes = std::fs::read(&path).expect("the index names files that exist");
        let (map, _) = unr::read(&bytes, &Progress::new()).expect("a sound file");
        table.measure(&format!("read {file}"), f64::INFINITY, || {
            unr::read(&bytes, &Progress::new()).expect("a sound file")
        });
        table.measure(&format!("solids of {file}"), SOLID_MS, || {
            solids(&map, &Progress::new()).expect("not cancelled")
        });
        let open = |original_light| {
            let options = ImportOptions {
                original_light,
                ..ImportOptions::default()
            };
            open_map_with(&path, &[], options, &Progress::new()).expect("a sound file")
        };
        table.measure(&format!("open {file} to a document"), OPEN_MS, || {
            open(false)
        });
        let lit = format!("open {file} with its original light");
        table.measure(&lit, OPEN_MS, || open(true));
    }
}
