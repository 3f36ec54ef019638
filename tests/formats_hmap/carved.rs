//! CSG-2: a map with carving brushes, compiled and written, before the independent checker.

use glam::DAffine3;
use glam::DQuat;
use glam::DVec3;
use glam::Vec2;
use mapwright::compiler::Cache;
use mapwright::compiler::Options;
use mapwright::compiler::compile;
use mapwright::document::Brush;
use mapwright::document::Contents;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Kind;
use mapwright::document::Object;
use mapwright::document::ObjectFlags;
use mapwright::document::UvLock;
use mapwright::document::ViewState;
use mapwright::formats::Extras;
use mapwright::formats::hmap;
use mapwright::geometry::Aabb;
use mapwright::task::Progress;

fn add(draft: &mut Draft, brush: Brush, flags: ObjectFlags) {
    let mut object = Object::new(Kind::Brush(brush));
    object.flags = flags;
    draft.insert(object);
}

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Brush {
    Brush::cuboid(Aabb::new(DVec3::from(min), DVec3::from(max)), None)
}

/// Rooms, a passage between them, a shaft that leans and a post that fills a part again.
fn rooms_in_rock() -> Document {
    let mut draft = Document::default().edit();
    add(
        &mut draft,
        cuboid([-512.0, -256.0, -512.0], [512.0, 256.0, 512.0]),
        ObjectFlags::default(),
    );
    let leaning = cuboid([-40.0, -400.0, -40.0], [40.0, 400.0, 40.0]).transformed(
        &DAffine3::from_rotation_translation(
            DQuat::from_rotation_z(0.4),
            DVec3::new(200.0, 0.0, 100.0),
        ),
        UvLock::World,
        &|_| Vec2::splat(64.0),
    );
    for carver in [
        cuboid([-400.0, -128.0, -400.0], [-100.0, 128.0, 0.0]),
        cuboid([-100.0, -128.0, -200.0], [100.0, 0.0, -120.0]),
        cuboid([100.0, -160.0, -300.0], [400.0, 200.0, 300.0]),
        leaning,
    ] {
        add(
            &mut draft,
            carver.with_contents(Contents::default()),
            ObjectFlags::SUBTRACT,
        );
    }
    add(
        &mut draft,
        cuboid([-300.0, -128.0, -300.0], [-260.0, 128.0, -260.0]),
        ObjectFlags::default(),
    );
    draft.finish().expect("sound")
}

#[test]
fn csg_2_the_independent_checker_accepts_a_carved_map() {
    let Some(tool) = super::checker() else { return };
    let doc = rooms_in_rock();
    let options = Options {
        light: false,
        ..Options::default()
    };
    let compiled =
        compile(&doc, &options, &mut Cache::default(), &Progress::new()).expect("compiles");
    let out = tempfile::tempdir().expect("folder");
    let path = out.path().join("carved.hmap");
    let bytes = hmap::write(
        &doc,
        &ViewState::default(),
        &Extras::default(),
        Some(&compiled),
        &path,
    )
    .expect("saves");
    std::fs::write(&path, bytes).expect("written");
    let check = std::process::Command::new("python3")
        .arg(&tool)
        .args(["check", "--strict", "--cover"])
        .arg(&path)
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{said}");
    for code in ["S-", "W-HOLE", "W-DOUBLE", "W-TJUNC"] {
        assert!(!said.contains(code), "{said}");
    }
}
