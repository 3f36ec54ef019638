//! Pieces to brushes: all are sound, keep every corner of the grid and lie in few layers.

use std::path::Path;

use glam::DVec3;
use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Kind;
use mapwright::formats::NoSiblings;
use mapwright::formats::Report;
use mapwright::formats::ogz::config::Config;
use mapwright::formats::ogz::convex::Convex;
use mapwright::formats::ogz::emit::emit;
use mapwright::formats::ogz::mapping::to_map;
use mapwright::formats::ogz::materials::Materials;
use mapwright::formats::ogz::pieces::pieces;
use mapwright::formats::ogz::slots::Slots;
use mapwright::task::Progress;

use crate::corpus;
use crate::index;
use crate::map;

/// Small, steep, bent, and far from the origin.
const MAPS: &[&str] = &[
    "packages/base/tt.ogz",
    "packages/base/colos.ogz",
    "firstevermap.ogz",
    "ColossuRace.ogz",
    "asteroids.ogz",
];

fn volume(brush: &Brush) -> f64 {
    let hull = brush.hull();
    (0..brush.faces().len())
        .map(|face| {
            let corners: Vec<DVec3> = hull.face_points(face).collect();
            (2..corners.len())
                .map(|index| corners[0].dot(corners[index - 1].cross(corners[index])) / 6.0)
                .sum::<f64>()
        })
        .sum()
}

/// How far the corner that is farthest from where it should be lies; `None` when all are where they should be.
fn farthest(brush: &Brush, solid: &Convex) -> Option<f64> {
    let wanted: Vec<DVec3> = solid
        .corners
        .iter()
        .map(|corner| to_map(DVec3::from(corner.map(|at| at as f64))) / 8.0)
        .collect();
    let off = |point: &DVec3| {
        let distances = wanted.iter().map(|corner| corner.distance(*point));
        distances.fold(f64::INFINITY, f64::min)
    };
    let most = brush.hull().points().iter().map(off).fold(0.0, f64::max);
    (most > 0.0).then_some(most)
}

#[test]
fn brushes_are_sound_and_exact() {
    let Some(folder) = corpus() else { return };
    let rows = index(&folder, "tris all");
    for file in MAPS {
        let (raw, _) = map(&folder, file);
        let progress = Progress::new();
        let made = pieces(raw, &progress).expect("not cancelled");
        let config = Config::read(Path::new(file), &raw.variables, &NoSiblings, &progress)
            .expect("not cancelled");
        let slots = Slots::new(raw, &config, &NoSiblings);
        let mut materials = Materials::new(&slots, &config);
        let mut draft = Document::default().edit();
        let mut report = Report::default();
        let emitted = emit(
            &made,
            &slots,
            &mut materials,
            &mut draft,
            &mut report,
            &progress,
        )
        .expect("not cancelled");
        let doc = draft.as_read();
        let mut sum = 0.0;
        let mut solids = 0;
        // Brushes whose planes, as a file can hold them, meet beside a corner of the grid.
        let mut off: Vec<f64> = Vec::new();
        for (id, object) in doc.objects() {
            let Kind::Brush(brush) = &object.kind else {
                continue;
            };
            assert_eq!(brush.fault(), None, "{file}: {id}");
            assert!(object.layer.is_some(), "{file}: {id}");
            if solids < made.solids.len() {
                sum += volume(brush);
                off.extend(farthest(brush, &made.solids[solids]));
                solids += 1;
            }
        }
        assert_eq!(solids, made.solids.len(), "{file}");
        let most = off.iter().copied().fold(0.0, f64::max);
        assert!(100 * off.len() <= solids, "{file}: {} are off", off.len());
        assert!(most < 0.125, "{file}: {most}");
        let row = rows
            .iter()
            .find(|row| row["file"] == *file)
            .expect("in the index");
        let wanted: f64 = row["volume"].parse().expect("a number");
        assert!((sum - wanted).abs() <= 1e-6 * wanted, "{file}: {sum}");
        assert!(doc.layers().count() <= 24, "{file}");
        assert_eq!(
            emitted.shell_layer.is_some(),
            !made.shell.is_empty(),
            "{file}"
        );
    }
}
