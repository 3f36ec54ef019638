//! What views show besides surfaces (VIEW-2): each toggle changes the pixels it should, and no others.

use mapwright::compiler::Cache;
use mapwright::compiler::Options;
use mapwright::compiler::compile;
use mapwright::editor::ShownOf;
use mapwright::editor::fog::Fog;
use mapwright::editor::fog::FogLaw;
use mapwright::task::Progress;

use super::*;

pub(super) fn built(doc: &Document) -> Arc<Compiled> {
    let options = Options {
        light: false,
        ..Options::default()
    };
    let compiled = compile(doc, &options, &mut Cache::default(), &Progress::new());
    Arc::new(compiled.expect("not cancelled"))
}

/// A wedge: its box has edges where it has none itself.
fn wedge() -> Document {
    let mut draft = cube().edit();
    let points: Vec<DVec3> = [
        [0.0, 0.0, 0.0],
        [64.0, 0.0, 0.0],
        [0.0, 64.0, 0.0],
        [0.0, 0.0, 64.0],
        [64.0, 0.0, 64.0],
        [0.0, 64.0, 64.0],
    ]
    .map(DVec3::from)
    .into();
    let wedge = mapwright::document::ops::brushes::hull_brush(&points, Some(MaterialId(0)));
    draft.update(id(1), |object| {
        object.kind = Kind::Brush(wedge.clone().expect("it has volume"));
    });
    draft.peek()
}

/// Pixels near the line between two points that a second picture has changed.
fn changed_along(
    stage: &Stage<'_>,
    (a, b): (&Rendered, &Rendered),
    (from, to): (DVec3, DVec3),
) -> usize {
    let differs = |at: DVec2| {
        (-1i32..=1).any(|dy| {
            (-1i32..=1).any(|dx| {
                let (x, y) = (at.x as i32 + dx, at.y as i32 + dy);
                let pixel = |picture: &Rendered| picture.pixel(x as u32, y as u32);
                pixel(a) != pixel(b)
            })
        })
    };
    (1..20)
        .filter_map(|step| stage.view.project(from.lerp(to, f64::from(step) / 20.0)))
        .filter(|(at, _)| differs(*at))
        .count()
}

#[test]
fn view_2_bounds_are_boxes_around_the_selection_or_everything() {
    let Some(gpu) = gpu() else { return };
    for kind in [ViewKind::Perspective, ViewKind::Front] {
        let mut stage = Stage::new(&gpu, wedge());
        stage.options.grid = None;
        stage.view.kind = kind;
        stage.view.points_per_unit = 1.0;
        if stage.view.is_2d() {
            stage.view.eye = DVec3::splat(32.0);
        }
        let plain = stage.draw();
        // An edge of the box that the wedge does not have.
        let edge = (DVec3::new(64.0, 64.0, 64.0), DVec3::new(64.0, 0.0, 64.0));
        stage.options.bounds_of = ShownOf::Selection;
        assert_eq!(stage.draw(), plain, "{kind:?}: nothing is selected");
        stage.options.bounds_of = ShownOf::Everything;
        let all = stage.draw();
        let seen = changed_along(&stage, (&plain, &all), edge);
        // Dashes of 6 points and gaps of 4.
        assert!((8..=19).contains(&seen), "{kind:?}: {seen} of 19");
        stage.state.selection.insert(Pick::Object(id(1)));
        stage.options.bounds_of = ShownOf::Nothing;
        let selected = stage.draw();
        stage.options.bounds_of = ShownOf::Selection;
        let boxed = stage.draw();
        assert!(
            changed_along(&stage, (&selected, &boxed), edge) >= 8,
            "{kind:?}"
        );
        stage.look.hidden.insert(id(1));
        let hidden = stage.draw();
        stage.options.bounds_of = ShownOf::Nothing;
        assert_eq!(stage.draw(), hidden, "{kind:?}: hidden");
    }
}

#[test]
fn view_2_fog_takes_the_share_of_its_law() {
    let Some(gpu) = gpu() else { return };
    let doc = floor([1.0; 3]);
    let color = [40, 80, 160];
    let point = DVec3::new(40.0, 0.0, 90.0);
    for mode in [RenderMode::Textured, RenderMode::Lit, RenderMode::Flat] {
        let mut stage = Stage::new(&gpu, doc.clone());
        from_above(&mut stage);
        stage.view.mode = mode;
        stage.options.grid = None;
        stage.scene.set_compiled(Some(Arc::new(baked_floor(
            Some(&doc),
            [[255; 4]; 4],
            &[(1, 2)],
        ))));
        let clear = stage.draw();
        for law in [
            FogLaw::Linear {
                start: 20.0,
                end: 220.0,
            },
            FogLaw::Squared { density: 0.006 },
        ] {
            stage.options.fog = Some(Fog { color, law });
            let picture = stage.draw();
            if mode == RenderMode::Flat {
                assert_eq!(picture, clear, "flat faces have no fog");
                continue;
            }
            // The pixel's centre on the floor.
            let (at, _) = stage.view.project(point).expect("in front");
            let ray = stage
                .view
                .ray(DVec2::new(at.x.floor() + 0.5, at.y.floor() + 0.5));
            let away = (100.0 / -ray.dir.y) as f32;
            let share = match law {
                FogLaw::Linear { start, end } => (away - start) / (end - start),
                FogLaw::Squared { density } => 1.0 - (-(away * density).powi(2)).exp(),
            };
            let before = stage.at(&clear, point);
            let expected = [0, 1, 2].map(|channel| {
                let from = decode(f32::from(before[channel]) / 255.0);
                let to = decode(f32::from(color[channel]) / 255.0);
                (encode(from + (to - from) * share) * 255.0).round() as u8
            });
            assert_near(
                stage.at(&picture, point),
                expected,
                3,
                &format!("{mode:?} {law:?}"),
            );
        }
    }
}

#[test]
fn view_2_without_the_sky_one_sees_through_it() {
    let Some(gpu) = gpu() else { return };
    let mut stage = Stage::new(&gpu, sky_room("", 256.0));
    stage.options = DrawOptions::picture();
    stage.view.eye = DVec3::new(100.0, 100.0, 120.0);
    stage.view.pitch_deg = 30.0;
    let with = stage.draw();
    let pixel = (WIDTH / 2 + 3, HEIGHT / 2 + 3);
    let above = |picture: &Rendered| picture.pixel(pixel.0, pixel.1);
    assert!(above(&with)[2] > 60, "{:?}", above(&with));
    stage.options.sky = false;
    let without = stage.draw();
    assert_near(
        above(&without),
        Colors::DARK.background_3d,
        1,
        "the sky is hidden",
    );
    // What is no sky stays.
    stage.view.pitch_deg = -40.0;
    stage.view.yaw_deg = 40.0;
    let box_top = DVec3::new(20.0, 64.0, 20.0);
    let below = stage.draw();
    assert_near(stage.at(&below, box_top), [204, 128, 51], 2, "the box");
}

#[test]
fn view_2_collision_shows_what_one_bumps_into() {
    let Some(gpu) = gpu() else { return };
    let mut draft = cube().edit();
    draft.insert_material(material("clip", [0.2, 0.9, 0.2], SurfaceFlags::NODRAW));
    // A clip brush, which is not drawn, and a solid that one passes through.
    let clip = Aabb::new(DVec3::new(-60.0, 0.0, 20.0), DVec3::new(-20.0, 40.0, 60.0));
    draft.insert(Object::new(Kind::Brush(
        Brush::cuboid(clip, Some(MaterialId(1))).with_contents(Contents::CLIP),
    )));
    let ghost = cuboid([0.0, 0.0, 80.0], [40.0, 20.0, 100.0], Some(0));
    draft.insert(Object {
        flags: mapwright::document::ObjectFlags::NO_COLLIDE,
        ..ghost
    });
    let doc = draft.peek();
    let mut stage = Stage::new(&gpu, doc.clone());
    stage.options = DrawOptions::picture();
    let plain = stage.draw();
    stage.options.collision = true;
    assert_eq!(stage.draw(), plain, "there is no build");
    stage.scene.set_compiled(Some(built(&doc)));
    let shown = stage.draw();
    let clip = DVec3::new(-40.0, 20.0, 60.0);
    assert_near(
        stage.at(&plain, clip),
        Colors::DARK.background_3d,
        1,
        "clips are not drawn",
    );
    let pink = stage.at(&shown, clip);
    assert!(
        pink[0] > 60 && pink[2] > 60 && pink[1] < pink[0],
        "{pink:?}"
    );
    let top = DVec3::new(32.0, 64.0, 32.0);
    assert_ne!(stage.at(&shown, top), stage.at(&plain, top), "a solid");
    let ghost = DVec3::new(20.0, 20.0, 90.0);
    assert_eq!(
        stage.at(&shown, ghost),
        stage.at(&plain, ghost),
        "passed through"
    );
    // The document moves, the build does not.
    let mut next = doc.edit();
    shift(&mut next, id(2), DVec3::new(0.0, 500.0, 0.0));
    stage.state.doc = next.peek();
    let after = stage.draw();
    assert_eq!(stage.at(&after, clip), pink);
    // In plans as outlines.
    stage.view.kind = ViewKind::Top;
    stage.view.points_per_unit = 0.5;
    stage.view.eye = DVec3::ZERO;
    let with = stage.draw();
    stage.options.collision = false;
    let without = stage.draw();
    let edge = (DVec3::new(-60.0, 40.0, 20.0), DVec3::new(-20.0, 40.0, 20.0));
    assert_eq!(changed_along(&stage, (&without, &with), edge), 19);
}

#[test]
fn view_2_portals_stand_in_doorways() {
    let Some(gpu) = gpu() else { return };
    let mut draft = Document::default().edit();
    draft.insert_material(material("plain", [0.8, 0.5, 0.2], SurfaceFlags::default()));
    // A wall with a doorway, a floor, and a back wall.
    for (min, max) in [
        ([-128.0, -16.0, -128.0], [128.0, 0.0, 128.0]),
        ([-128.0, 0.0, -8.0], [-16.0, 96.0, 8.0]),
        ([16.0, 0.0, -8.0], [128.0, 96.0, 8.0]),
        ([-16.0, 64.0, -8.0], [16.0, 96.0, 8.0]),
        ([-128.0, 0.0, -128.0], [128.0, 96.0, -112.0]),
    ] {
        draft.insert(cuboid(min, max, Some(0)));
    }
    let doc = draft.peek();
    let mut stage = Stage::new(&gpu, doc.clone());
    stage.options = DrawOptions::picture();
    stage.view.eye = DVec3::new(40.0, 50.0, 120.0);
    stage.view.yaw_deg = 20.0;
    stage.view.pitch_deg = -10.0;
    let plain = stage.draw();
    stage.options.portals = true;
    assert_eq!(stage.draw(), plain, "there is no build");
    stage.scene.set_compiled(Some(built(&doc)));
    let shown = stage.draw();
    // The way round the jambs leads through some, which tint what is behind them.
    let pixels = plain.rgba.chunks(4).zip(shown.rgba.chunks(4));
    let tinted = pixels
        .filter(|(before, after)| after[2] > before[2].saturating_add(15))
        .count();
    assert!(tinted > 300, "{tinted} pixels");
    stage.options.portals = false;
    assert_eq!(stage.draw(), plain);
}

#[test]
fn view_2_overdraw_counts_faces() {
    let Some(gpu) = gpu() else { return };
    let mut draft = Document::default().edit();
    draft.insert_material(material("plain", [0.8, 0.5, 0.2], SurfaceFlags::default()));
    // Three walls behind each other, each narrower than the one behind it.
    for n in 0..3 {
        let (half, z) = (60.0 - f64::from(n) * 20.0, f64::from(n) * 16.0);
        draft.insert(cuboid([-half, -half, z], [half, half, z + 4.0], Some(0)));
    }
    let doc = draft.peek();
    for mode in [RenderMode::Textured, RenderMode::Flat, RenderMode::Lit] {
        let mut stage = Stage::new(&gpu, doc.clone()).mode(mode);
        stage.options = DrawOptions::picture();
        stage.options.overdraw = true;
        stage.scene.set_compiled(Some(built(&doc)));
        stage.view.eye = DVec3::new(0.0, 0.0, 200.0);
        stage.view.yaw_deg = 0.0;
        stage.view.pitch_deg = 0.0;
        let picture = stage.draw();
        let heat = |count: f32| {
            [0.13, 0.035, 0.008].map(|step: f32| {
                let sum = (count * step).min(1.0);
                (encode(sum) * 255.0).round() as u8
            })
        };
        for (x, z, count) in [(56.0, 4.0, 1.0), (35.0, 20.0, 2.0), (0.0, 36.0, 3.0)] {
            let pixel = stage.at(&picture, DVec3::new(x, 1.0, z));
            // Sums are rounded to bytes at each step.
            assert_near(pixel, heat(count), 6, &format!("{mode:?}: {count} faces"));
        }
        assert_near(picture.pixel(2, 2), [0; 3], 0, "nothing");
        stage.options.selection = true;
        stage.state.selection.insert(Pick::Object(id(1)));
        let selected = stage.draw();
        let corner = stage.at(&selected, DVec3::new(60.0, 60.0, 4.0));
        assert_near(corner, Colors::DARK.selected, 12, "edges of the selection");
    }
}
