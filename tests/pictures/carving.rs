//! Holes that SUBTRACT brushes make (CSG-2), the region of work (VIEW-4), looking through solids (VIEW-5).

use super::*;
use mapwright::compiler;
use mapwright::compiler::Cache;
use mapwright::compiler::Options;
use mapwright::compiler::Quality;
use mapwright::document::ObjectFlags;
use mapwright::task::Progress;

const RED: [f32; 3] = [0.8, 0.1, 0.1];
const GREEN: [f32; 3] = [0.1, 0.8, 0.1];
const BLUE: [f32; 3] = [0.1, 0.1, 0.8];

/// A red wall, a green block behind it, and a blue bar that carves the wall.
fn wall_with_hole() -> Document {
    let mut draft = Document::default().edit();
    for (name, color) in [("red", RED), ("green", GREEN), ("blue", BLUE)] {
        draft.insert_material(material(name, color, SurfaceFlags::default()));
    }
    draft.insert(cuboid([-96.0, 0.0, 0.0], [96.0, 128.0, 32.0], Some(0)));
    draft.insert(cuboid(
        [-300.0, -100.0, -80.0],
        [300.0, 300.0, -64.0],
        Some(1),
    ));
    let mut bar = cuboid([-32.0, 32.0, -16.0], [32.0, 96.0, 48.0], Some(2));
    bar.flags = ObjectFlags::SUBTRACT;
    if let Kind::Brush(brush) = &bar.kind {
        bar.kind = Kind::Brush(brush.with_contents(Contents::default()));
    }
    draft.insert(bar);
    draft.finish().expect("sound")
}

fn in_front(gpu: &Gpu, doc: Document, mode: RenderMode) -> Stage<'_> {
    let mut stage = Stage::new(gpu, doc).mode(mode);
    stage.options.grid = None;
    stage.view.eye = DVec3::new(30.0, 110.0, 180.0);
    (stage.view.yaw_deg, stage.view.pitch_deg) = (9.0, -18.0);
    stage
}

/// Which of the three colours a pixel has.
fn hue(pixel: [u8; 4]) -> usize {
    (0..3).max_by_key(|&channel| pixel[channel]).expect("three")
}

const THROUGH: DVec3 = DVec3::new(0.0, 64.0, 30.0);
const BESIDE: DVec3 = DVec3::new(-70.0, 64.0, 32.0);
/// On the floor of the hole.
const SILL: DVec3 = DVec3::new(0.0, 32.0, 20.0);

#[test]
fn csg_2_a_carved_wall_shows_its_hole() {
    let Some(gpu) = gpu() else { return };
    let mut stage = in_front(&gpu, wall_with_hole(), RenderMode::Textured);
    let picture = stage.draw();
    let hues = |stage: &Stage<'_>, picture: &Rendered| {
        [THROUGH, BESIDE, SILL].map(|point| hue(stage.at(picture, point)))
    };
    assert_eq!(hues(&stage, &picture), [1, 0, 2]);
    check_kept("carved_wall", &picture);
    stage.state.selection = Selection::from([Pick::Object(id(3))]);
    check_kept("carved_wall_selected", &stage.draw());
    stage.state.selection.clear();
    // The wall moves away under it, as in a drag: the hole stays where the bar is.
    let doc = stage.state.doc.clone();
    let mut draft = doc.edit();
    shift(&mut draft, id(3), DVec3::X * -60.0);
    stage.state.doc = draft.peek();
    let moved = stage.draw();
    assert_eq!(
        hue(stage.at(&moved, DVec3::new(20.0, 64.0, 32.0))),
        0,
        "closed again"
    );
    assert_eq!(hue(stage.at(&moved, DVec3::new(-60.0, 64.0, 30.0))), 1);
    let anew = in_front(&gpu, stage.state.doc.clone(), RenderMode::Textured).draw();
    assert_eq!(moved.rgba, anew.rgba, "following equals starting anew");
    stage.state.doc = doc;
    assert_eq!(stage.draw().rgba, picture.rgba, "and back");
}

#[test]
fn csg_2_a_build_and_its_changes_show_one_hole() {
    let Some(gpu) = gpu() else { return };
    let doc = wall_with_hole();
    let options = Options {
        quality: Quality::Fast,
        light: true,
        ..Options::default()
    };
    let compiled =
        compiler::compile(&doc, &options, &mut Cache::default(), &Progress::new()).expect("built");
    let mut stage = in_front(&gpu, doc.clone(), RenderMode::Lit);
    stage.scene.set_compiled(Some(Arc::new(compiled)));
    let drawn = |stage: &mut Stage<'_>| {
        let picture = stage.draw();
        [THROUGH, BESIDE, SILL].map(|point| stage.at(&picture, point))
    };
    let [through, beside, sill] = drawn(&mut stage).map(hue);
    assert_eq!([through, beside, sill], [1, 0, 2]);
    // A build has no light here, so what the document draws is told from it by being bright.
    let mut draft = doc.edit();
    shift(&mut draft, id(3), DVec3::Y * 20.0);
    stage.state.doc = draft.peek();
    let [through, beside, below] = drawn(&mut stage).map(hue);
    assert_eq!([through, beside], [1, 0]);
    assert_eq!(below, 0, "the sill has moved up, the wall is there again");
    let mut draft = doc.edit();
    draft.remove(id(3));
    stage.state.doc = draft.peek();
    assert_eq!(drawn(&mut stage).map(hue), [0, 0, 0]);
    // The wall goes, and the sides of its hole with it.
    let mut draft = doc.edit();
    draft.remove(id(1));
    stage.state.doc = draft.peek();
    assert_eq!(drawn(&mut stage).map(hue), [1, 1, 1]);
    // Hidden, it takes them along as well; the bar alone hidden leaves the hole.
    stage.state.doc = doc;
    stage.look.hidden.insert(id(1));
    assert_eq!(drawn(&mut stage).map(hue), [1, 1, 1]);
    stage.look.hidden.clear();
    stage.look.hidden.insert(id(3));
    assert_eq!(drawn(&mut stage).map(hue), [1, 0, 2]);
}

#[test]
fn view_5_solids_are_looked_through() {
    let Some(gpu) = gpu() else { return };
    let mut stage = in_front(&gpu, wall_with_hole(), RenderMode::Textured);
    stage.options.xray = true;
    let picture = stage.draw();
    let beside = stage.at(&picture, BESIDE);
    assert!(beside[0] > 60 && beside[1] > 60, "both show: {beside:?}");
    check_kept("x_ray", &picture);
}

#[test]
fn view_4_the_outside_is_dimmed() {
    let Some(gpu) = gpu() else { return };
    let mut stage = in_front(&gpu, wall_with_hole(), RenderMode::Textured);
    let bright = stage.draw();
    stage.options.region = Some(Aabb::new(
        DVec3::new(-96.0, 0.0, 0.0),
        DVec3::new(96.0, 128.0, 32.0),
    ));
    let picture = stage.draw();
    assert_eq!(
        stage.at(&picture, BESIDE),
        stage.at(&bright, BESIDE),
        "inside"
    );
    let (before, after) = (stage.at(&bright, THROUGH), stage.at(&picture, THROUGH));
    assert!(after[1] < before[1] / 2 + 40, "{before:?} {after:?}");
    check_kept("region", &picture);
}
