//! Cubes to pieces: areas, volumes and counts of the index, and what joining must keep.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::Mutex;

use mapwright::formats::ogz::measure::Figures;
use mapwright::formats::ogz::measure::Surfaces;
use mapwright::formats::ogz::measure::is_convex;
use mapwright::formats::ogz::pieces::Pieces;
use mapwright::formats::ogz::pieces::pieces;
use mapwright::formats::ogz::raw::RawMap;
use mapwright::formats::ogz::raw::material;
use mapwright::formats::ogz::read;
use mapwright::formats::ogz::visible::VisibleTriangles;
use mapwright::formats::ogz::visible::visible_triangles;
use mapwright::formats::ogz::volumes::VolumeKind;
use mapwright::task::Progress;

use crate::Row;
use crate::corpus;
use crate::index;
use crate::map;

/// Measuring what faces share takes long on maps with more leaves than this.
const LEAVES_MEASURED: usize = 60_000;

/// Sloped leaves to pieces that a plain merger reaches, by map.
const SLOPES: &[(&str, usize)] = &[
    ("packages/base/cb.ogz", 183),
    ("packages/base/colos.ogz", 836),
    ("ot.ogz", 1163),
    ("nmp8.ogz", 870),
    ("island.ogz", 811),
    ("metl3.ogz", 824),
    ("aard3c.ogz", 509),
    ("curvedm.ogz", 908),
    ("ksauer1.ogz", 819),
    ("asteroids.ogz", 2692),
    ("canyon.ogz", 3050),
    ("cave.ogz", 12338),
    ("akaritori.ogz", 3475),
    ("k_rpg1.ogz", 34786),
    ("berlin_wall.ogz", 6793),
    ("firstevermap.ogz", 2748),
];

/// Area of visible triangles that a neighbour covers in part.
const COVERED: &[(&str, f64)] = &[
    ("packages/base/colos.ogz", 121649.0),
    ("packages/base/cb.ogz", 34386.0),
    ("ot.ogz", 163083.5),
];

fn visible_of(raw: &RawMap) -> Vec<VisibleTriangles> {
    visible_triangles(raw, &Progress::new()).expect("not cancelled")
}

/// Pieces of each map, made once for all tests.
fn pieces_of(folder: &Path, file: &str) -> &'static Pieces {
    static MADE: LazyLock<Mutex<BTreeMap<String, &'static Pieces>>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().expect("no test panics while it holds this");
    made.entry(file.to_owned()).or_insert_with(|| {
        let (raw, _) = map(folder, file);
        Box::leak(Box::new(
            pieces(raw, &Progress::new()).expect("not cancelled"),
        ))
    })
}

#[track_caller]
fn check_area(row: &Row, column: &str, value: f64) {
    let wanted: f64 = row[column].parse().expect("a number");
    assert!(
        (value - wanted).abs() <= 1e-6 * wanted.abs() + 0.001,
        "{column} of {}: {value} instead of {wanted}",
        row["file"]
    );
}

#[test]
fn figures_equal_the_index() {
    let Some(folder) = corpus() else { return };
    let rows = index(&folder, "tris all");
    assert_eq!(rows.len(), 23, "the index has changed");
    for row in rows {
        let (raw, _) = map(&folder, &row["file"]);
        let figures = Figures::of(raw, &visible_of(raw));
        for (column, count) in [
            ("tris all", figures.all.count),
            ("tris visible", figures.visible.count),
            ("tris sky", figures.sky.count),
            ("non-planar faces", figures.bent_faces),
            ("concave-diagonal faces", figures.inward_faces),
            ("deformed that are boxes", figures.boxes),
            ("non-convex leaves", figures.non_convex),
        ] {
            assert_eq!(
                count.to_string(),
                row[column],
                "{column} of {}",
                row["file"]
            );
        }
        check_area(&row, "area all", figures.all.area);
        check_area(&row, "area visible", figures.visible.area);
        check_area(&row, "area sky", figures.sky.area);
        check_area(&row, "volume", figures.volume);
        let bounds = figures.bounds.expect("all have something to see");
        let [min, max] = bounds.map(|corner| {
            corner
                .map(|at| (at as f64 / 8.0).round().to_string())
                .join(" ")
        });
        assert_eq!(
            format!("{min} … {max}"),
            row["bbox of visible"],
            "{}",
            row["file"]
        );
    }
}

#[test]
fn boxes_and_slopes_are_as_few_as_the_yardstick() {
    let Some(folder) = corpus() else { return };
    let rows = index(&folder, "after, visible rule");
    assert_eq!(rows.len(), 23, "the index has changed");
    for row in rows {
        let file = row["file"].as_str();
        let facts = pieces_of(&folder, file).facts;
        assert_eq!(facts.box_leaves.to_string(), row["boxes before"], "{file}");
        let wanted: usize = row["after, visible rule"].parse().expect("a number");
        assert!(
            facts.boxes <= wanted,
            "{file}: {} boxes for {wanted}",
            facts.boxes
        );
        let Some((_, wanted)) = SLOPES.iter().find(|(name, _)| *name == file) else {
            continue;
        };
        let most = wanted + wanted / 10;
        assert!(
            facts.slopes <= most,
            "{file}: {} slopes for {wanted}",
            facts.slopes
        );
    }
}

#[test]
fn joining_keeps_volume_area_and_pictures() {
    let Some(folder) = corpus() else { return };
    let mut covered = 0;
    for row in index(&folder, "tris all") {
        let file = row["file"].as_str();
        let (raw, _) = map(&folder, file);
        let made = pieces_of(&folder, file);
        for solid in &made.solids {
            let planes = solid.facets.iter().map(|facet| facet.plane);
            assert!(is_convex(&solid.corners, planes), "{file}");
        }
        let after = Surfaces::of_pieces(made);
        check_area(&row, "volume", after.volume());
        if raw.tree.leaves.len() > LEAVES_MEASURED {
            continue;
        }
        let before = Surfaces::of_leaves(raw, &visible_of(raw)).exposed_by_slot();
        let after = after.exposed_by_slot();
        let all: f64 = before.values().sum();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * all;
        assert!(near(all, after.values().sum()), "{file}");
        if made.facts.mixed_planes == 0 {
            for (slot, area) in &before {
                let now = after.get(slot).copied().unwrap_or(0.0);
                assert!(
                    near(*area, now),
                    "slot {slot:?} of {file}: {area} became {now}"
                );
            }
        }
        if let Some((_, area)) = COVERED.iter().find(|(name, _)| *name == file) {
            let seen: f64 = before
                .iter()
                .filter(|(slot, _)| slot.is_some())
                .map(|(_, area)| area)
                .sum();
            let visible: f64 = row["area visible"].parse().expect("a number");
            assert!((visible - seen - area).abs() < 0.1, "{file}: {seen}");
            covered += 1;
        }
    }
    assert_eq!(covered, COVERED.len());
}

#[test]
fn one_thread_and_many_make_the_same() {
    let Some(folder) = corpus() else { return };
    for file in ["packages/base/colos.ogz", "asteroids.ogz"] {
        let (raw, _) = map(&folder, file);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .expect("a pool of one thread");
        let alone = pool
            .install(|| pieces(raw, &Progress::new()))
            .expect("not cancelled");
        let made = pieces_of(&folder, file);
        assert!(made.solids == alone.solids, "{file}");
        assert!(made.volumes == alone.volumes, "{file}");
    }
}

#[test]
fn cancelling_stops_the_work() {
    let Some(folder) = corpus() else { return };
    let (raw, _) = map(&folder, "packages/base/tt.ogz");
    let progress = Progress::new();
    progress.cancel();
    assert!(pieces(raw, &progress).is_err());
}

fn made_map(folder: &Path, name: &str) -> RawMap {
    let bytes = std::fs::read(folder.join("made").join(name)).expect("the index names it");
    read(&bytes, &Progress::new())
        .unwrap_or_else(|error| panic!("{name}: {error:?}"))
        .0
}

#[test]
fn made_files_give_what_the_index_says() {
    let Some(folder) = corpus() else { return };
    let volume = |name: &str| {
        let raw = made_map(&folder, name);
        let made = pieces(&raw, &Progress::new()).expect("not cancelled");
        (Surfaces::of_pieces(&made).volume(), made)
    };
    for name in ["floor.ogz", "floor-badcrc.ogz", "degenerate.ogz"] {
        let (volume, made) = volume(name);
        assert_eq!(volume, 536_870_912.0, "{name}");
        assert_eq!(made.facts.boxes, 1, "{name}");
    }
    let raw = made_map(&folder, "floor.ogz");
    let figures = Figures::of(&raw, &visible_of(&raw));
    assert_eq!(
        (figures.visible.count, figures.visible.area),
        (8, 1_048_576.0)
    );

    let (deformed, made) = volume("deformed.ogz");
    assert!((deformed - 894_784_853.333).abs() < 0.01);
    assert_eq!((made.facts.slopes, made.meshes.len()), (3, 0));

    let (_, made) = volume("materials.ogz");
    let kinds: Vec<VolumeKind> = made.volumes.iter().map(|volume| volume.kind).collect();
    assert_eq!(kinds, [VolumeKind::Water(0), VolumeKind::Glass(1)]);
    assert!(made.volumes[0].is_open);
    let bits = |bits: u16| {
        made.solids
            .iter()
            .filter(|solid| solid.material == bits)
            .count()
    };
    assert_eq!((bits(material::ALPHA), bits(material::NO_CLIP)), (1, 1));
}
