//! Sky boxes: six pictures, looked up by the direction of the view alone.

use std::path::Path;

use super::*;

/// -X, +X, -Y, +Y, -Z, +Z of the game's axes: the ending of the name, a colour, and where the picture's right and lower edges lie
/// (`ogz.md` 10.1, as the game draws them).
const SIDES: [(&str, [u8; 3], DVec3, DVec3, DVec3); 6] = [
    ("lf", [200, 0, 0], DVec3::NEG_X, DVec3::Y, DVec3::NEG_Z),
    ("rt", [0, 200, 0], DVec3::X, DVec3::NEG_Y, DVec3::NEG_Z),
    ("ft", [0, 0, 200], DVec3::NEG_Y, DVec3::NEG_X, DVec3::NEG_Z),
    ("bk", [200, 200, 0], DVec3::Y, DVec3::X, DVec3::NEG_Z),
    (
        "dn",
        [0, 200, 200],
        DVec3::NEG_Z,
        DVec3::NEG_Y,
        DVec3::NEG_X,
    ),
    ("up", [200, 0, 200], DVec3::Z, DVec3::NEG_Y, DVec3::X),
];

/// Added to a side's colour in its upper right and its lower left quarter.
const RIGHT: u8 = 55;
const LOWER: u8 = 25;

fn quartered(color: [u8; 3], right: bool, lower: bool) -> [u8; 3] {
    let more = if right { RIGHT } else { 0 } + if lower { LOWER } else { 0 };
    color.map(|channel| if channel == 0 { more } else { channel })
}

fn save_side(folder: &Path, name: &str, color: [u8; 3]) {
    let picture = image::RgbImage::from_fn(64, 64, |x, y| {
        image::Rgb(quartered(color, x >= 32, y >= 32))
    });
    std::fs::create_dir_all(folder).expect("a folder");
    picture.save(folder.join(name)).expect("a picture");
}

fn library_of(folder: &Path) -> Library {
    let mut library = Library::default();
    let resolver = Resolver::new(vec![Source::Folder(folder.to_owned())]);
    library.set_resolver(Arc::new(resolver));
    library
}

fn with_world(doc: &Document, key: &str, value: &str) -> Document {
    let mut draft = doc.edit();
    let mut world = Entity::new("worldspawn", DVec3::ZERO);
    world.set_key(key, value);
    draft.insert(Object::new(Kind::Entity(world)));
    draft.peek()
}

fn settled(stage: &mut Stage<'_>) -> Rendered {
    // What is asked for while drawing is there one draw later.
    for _ in 0..3 {
        stage.draw();
        stage.library.wait();
    }
    stage.draw()
}

/// What is seen in a direction of the map.
fn towards(stage: &mut Stage<'_>, dir: DVec3) -> [u8; 4] {
    let dir = dir.normalize();
    stage.view.yaw_deg = (-dir.x).atan2(-dir.z).to_degrees();
    stage.view.pitch_deg = dir.y.asin().to_degrees();
    let picture = stage.draw();
    picture.pixel(WIDTH / 2, HEIGHT / 2)
}

/// Every quarter of every side where it belongs, for a map whose axes come from the game's by `to_map`.
fn check_sides(stage: &mut Stage<'_>, to_map: fn(DVec3) -> DVec3, what: &str) {
    // Two places: the pictures are infinitely far away.
    for eye in [
        DVec3::new(100.0, 30.0, -120.0),
        DVec3::new(-230.0, 200.0, 90.0),
    ] {
        stage.view.eye = eye;
        for (name, color, out, right, down) in SIDES {
            for (s, t) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                let seen = towards(stage, to_map(out + right * s + down * t));
                let expected = quartered(color, s > 0.0, t > 0.0);
                assert_near(seen, expected, 3, &format!("{what} {name} {s} {t} {eye}"));
            }
        }
    }
}

fn sky_stage(gpu: &Gpu, doc: Document, library: Library, mode: RenderMode) -> Stage<'_> {
    let mut stage = Stage::new(gpu, doc).mode(mode);
    stage.library = library;
    stage.options = DrawOptions::picture();
    stage.options.edges = Edges::Never;
    // The box in the middle.
    stage.look.hidden.insert(id(7));
    stage
}

#[test]
fn a_sky_box_shows_its_six_pictures_the_right_way_round() {
    let Some(gpu) = gpu() else { return };
    let dir = tempfile::tempdir().expect("temp dir");
    for (name, color, ..) in SIDES {
        save_side(&dir.path().join("skies"), &format!("day_{name}.png"), color);
    }
    let cube: fn(DVec3) -> DVec3 = |v| DVec3::new(v.x, v.z, v.y);
    let own = sky_room("skies/day_up.png", 256.0);
    let named = with_world(&sky_room("", 256.0), "skybox", "skies/day");
    for (doc, mode, what) in [
        (&own, RenderMode::Textured, "textured"),
        (&own, RenderMode::Lit, "lit"),
        (&named, RenderMode::Textured, "the world's"),
    ] {
        let mut stage = sky_stage(&gpu, doc.clone(), library_of(dir.path()), mode);
        settled(&mut stage);
        check_sides(&mut stage, cube, what);
    }
    // A picture for a file waits for all of them.
    let mut stage = sky_stage(&gpu, named, library_of(dir.path()), RenderMode::Textured);
    stage.view.yaw_deg = 80.0;
    stage.view.pitch_deg = 0.0;
    stage.view.eye = DVec3::new(-100.0, 0.0, 0.0);
    let picture = render_picture(
        &gpu,
        &stage.state,
        &stage.look,
        &mut stage.library,
        None,
        &stage.view,
        &stage.options,
        &stage.overlay,
        WIDTH,
        HEIGHT,
    )
    .expect("the device lives");
    let [r, g, b, _] = picture.pixel(WIDTH / 2, HEIGHT / 4);
    assert!(
        r > 195 && g == b && g <= RIGHT + 3,
        "{:?} is not lf",
        [r, g, b]
    );
    // With a build the sky is the same.
    let mut stage = sky_stage(&gpu, own.clone(), library_of(dir.path()), RenderMode::Lit);
    stage.scene.set_compiled(Some(toggles::built(&own)));
    settled(&mut stage);
    check_sides(&mut stage, cube, "built");
}

#[test]
fn the_sky_of_half_life_keeps_its_hand() {
    let Some(gpu) = gpu() else { return };
    let dir = tempfile::tempdir().expect("temp dir");
    for (name, color, ..) in SIDES {
        save_side(
            &dir.path().join("gfx/env"),
            &format!("desert{name}.png"),
            color,
        );
    }
    let doc = with_world(&sky_room("sky", 256.0), "skyname", "desert");
    let mut stage = sky_stage(&gpu, doc, library_of(dir.path()), RenderMode::Textured);
    settled(&mut stage);
    check_sides(&mut stage, |v| DVec3::new(v.x, v.z, -v.y), "Half-Life");
}

#[test]
fn a_sky_box_has_no_seams_and_follows_its_files() {
    let Some(gpu) = gpu() else { return };
    let dir = tempfile::tempdir().expect("temp dir");
    let plain = |name: &str, color: [u8; 3]| {
        let path = dir.path().join(format!("day_{name}.png"));
        let picture = image::RgbImage::from_pixel(16, 16, image::Rgb(color));
        picture.save(&path).expect("a picture");
        path
    };
    let doc = sky_room("day_up", 256.0);
    for (name, ..) in SIDES {
        plain(name, [90, 120, 200]);
    }
    let mut stage = sky_stage(&gpu, doc, library_of(dir.path()), RenderMode::Textured);
    stage.view.eye = DVec3::new(100.0, 30.0, -120.0);
    stage.view.yaw_deg = -45.0;
    stage.view.pitch_deg = 35.0;
    let picture = settled(&mut stage);
    let odd = picture
        .rgba
        .chunks(4)
        .filter(|pixel| pixel[0].abs_diff(90) > 2 || pixel[2].abs_diff(200) > 2)
        .count();
    assert_eq!(odd, 0, "pixels that are not the sky's one colour");

    // One side changes.
    let up = plain("up", [10, 200, 10]);
    stage.library.files_changed(&[up]);
    settled(&mut stage);
    assert_near(towards(&mut stage, DVec3::Y), [10, 200, 10], 2, "changed");
    assert_near(towards(&mut stage, DVec3::X), [90, 120, 200], 2, "not this");
}

#[test]
fn a_side_that_is_missing_has_the_materials_colour_until_it_comes() {
    let Some(gpu) = gpu() else { return };
    let dir = tempfile::tempdir().expect("temp dir");
    for (name, color, ..) in SIDES.into_iter().filter(|(name, ..)| *name != "rt") {
        save_side(dir.path(), &format!("day_{name}.png"), color);
    }
    // The material shows no picture: its colour is that of a plain sky.
    let doc = with_world(&sky_room("", 256.0), "skybox", "day");
    let mut stage = sky_stage(&gpu, doc, library_of(dir.path()), RenderMode::Textured);
    settled(&mut stage);
    let plain = [92, 140, 199];
    for aside in [DVec3::ZERO, DVec3::new(0.0, 0.4, 0.3)] {
        assert_near(towards(&mut stage, DVec3::X + aside), plain, 2, "missing");
    }
    let beside = towards(&mut stage, DVec3::NEG_X + DVec3::new(0.0, 0.4, 0.3));
    assert_near(beside, quartered(SIDES[0].1, true, false), 3, "the others");
    let rt = dir.path().join("day_rt.png");
    save_side(dir.path(), "day_rt.png", SIDES[1].1);
    stage.library.files_changed(&[rt]);
    settled(&mut stage);
    let seen = towards(&mut stage, DVec3::X + DVec3::new(0.0, 0.4, 0.3));
    assert_near(seen, quartered(SIDES[1].1, false, false), 3, "it came");
}
