//! Scenes drawn off screen and looked at: by the pixel where the numbers say what must be there, and against kept pictures.
//!
//! Needs an adapter (lavapipe will do); without one the tests say so and pass. `UPDATE_PICTURES=1` rewrites the kept pictures;
//! a picture that differs is written beside the kept one as `NAME.new.png`.

#[path = "pictures/carving.rs"]
mod carving;
#[path = "pictures/sky.rs"]
mod sky;
#[path = "pictures/toggles.rs"]
mod toggles;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::OnceLock;

use glam::DAffine3;
use glam::DVec2;
use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use mapwright::assets::Library;
use mapwright::assets::Resolver;
use mapwright::assets::Source;
use mapwright::compiler::Batch;
use mapwright::compiler::BatchSource;
use mapwright::compiler::Box3;
use mapwright::compiler::Bsp;
use mapwright::compiler::Cmpl;
use mapwright::compiler::Compiled;
use mapwright::compiler::OriginRun;
use mapwright::compiler::Stats;
use mapwright::compiler::Vertex;
use mapwright::document::Brush;
use mapwright::document::Contents;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Entity;
use mapwright::document::Face;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::State;
use mapwright::document::SurfaceFlags;
use mapwright::document::UvLock;
use mapwright::document::ViewState;
use mapwright::editor::overlay::Area;
use mapwright::editor::overlay::Line;
use mapwright::editor::overlay::Overlay;
use mapwright::editor::overlay::Role;
use mapwright::editor::view::RenderMode;
use mapwright::editor::view::View;
use mapwright::editor::view::ViewKind;
use mapwright::geometry::Aabb;
use mapwright::viewport::Colors;
use mapwright::viewport::DrawKey;
use mapwright::viewport::DrawOptions;
use mapwright::viewport::Edges;
use mapwright::viewport::Gpu;
use mapwright::viewport::Rendered;
use mapwright::viewport::Scene;
use mapwright::viewport::Target;
use mapwright::viewport::read_back;
use mapwright::viewport::render_picture;

const WIDTH: u32 = 160;
const HEIGHT: u32 = 120;

/// One device for all tests, used by one at a time: software drivers are slow in parallel.
fn gpu() -> Option<MutexGuard<'static, Gpu>> {
    static GPU: OnceLock<Option<Mutex<Gpu>>> = OnceLock::new();
    let gpu = GPU.get_or_init(|| match Gpu::headless() {
        Ok(gpu) => {
            eprintln!("drawing with {}", gpu.summary());
            Some(Mutex::new(gpu))
        }
        Err(error) => {
            eprintln!("not drawn: {error}");
            None
        }
    });
    gpu.as_ref().map(|gpu| {
        gpu.lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    })
}

/// A scene with what it shows; each draw ends with a device wait.
struct Stage<'a> {
    gpu: &'a Gpu,
    scene: Scene,
    target: Target,
    state: State,
    look: ViewState,
    library: Library,
    view: View,
    options: DrawOptions,
    overlay: Overlay,
}

impl<'a> Stage<'a> {
    fn new(gpu: &'a Gpu, doc: Document) -> Self {
        Self {
            gpu,
            scene: Scene::new(gpu),
            target: Target::new(gpu, WIDTH, HEIGHT),
            state: State {
                doc,
                selection: Selection::new(),
            },
            look: ViewState::default(),
            library: Library::default(),
            view: View {
                size: DVec2::new(f64::from(WIDTH), f64::from(HEIGHT)),
                eye: DVec3::new(96.0, 96.0, 128.0),
                yaw_deg: 37.0,
                pitch_deg: -30.0,
                ..View::default()
            },
            options: DrawOptions::default(),
            overlay: Overlay::default(),
        }
    }

    fn mode(mut self, mode: RenderMode) -> Self {
        self.view.mode = mode;
        self
    }

    fn draw(&mut self) -> Rendered {
        self.library.poll();
        self.scene
            .sync(self.gpu, &self.state, &self.look, &mut self.library);
        self.scene.draw(
            self.gpu,
            &self.view,
            &self.options,
            &self.overlay,
            &self.target,
        );
        let picture = read_back(self.gpu, &self.target).expect("the device lives");
        assert_eq!(
            self.gpu.error_count(),
            0,
            "the device complained; see the log"
        );
        picture
    }

    /// The pixel that shows a point of the map.
    fn at(&self, picture: &Rendered, point: DVec3) -> [u8; 4] {
        let (at, _) = self.view.project(point).expect("in front of the eye");
        picture.pixel(at.x as u32, at.y as u32)
    }
}

fn cuboid(min: [f64; 3], max: [f64; 3], material: Option<u32>) -> Object {
    Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(DVec3::from(min), DVec3::from(max)),
        material.map(MaterialId),
    )))
}

fn material(name: &str, color: [f32; 3], flags: SurfaceFlags) -> Material {
    Material {
        color: Vec3::from(color),
        flags,
        ..Material::new(name, "")
    }
}

fn id(number: u32) -> ObjectId {
    ObjectId::new(number).expect("not 0")
}

/// A cube of 64 units on the origin's corner with one plain material.
fn cube() -> Document {
    let mut draft = Document::default().edit();
    draft.insert_material(material("plain", [0.8, 0.5, 0.2], SurfaceFlags::default()));
    draft.insert(cuboid([0.0; 3], [64.0; 3], Some(0)));
    draft.peek()
}

fn shift(draft: &mut Draft, object: ObjectId, by: DVec3) {
    draft.update(object, |object| {
        if let Kind::Brush(brush) = &object.kind {
            object.kind = Kind::Brush(brush.transformed(
                &DAffine3::from_translation(by),
                UvLock::World,
                &|_| Vec2::splat(64.0),
            ));
        }
    });
}

fn assert_near(actual: [u8; 4], expected: [u8; 3], tolerance: u8, what: &str) {
    let near = (0..3).all(|channel| actual[channel].abs_diff(expected[channel]) <= tolerance);
    assert!(
        near && actual[3] == 255,
        "{what}: {actual:?}, expected {expected:?}"
    );
}

fn decode(encoded: f32) -> f32 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Against the kept picture: no more than 1 % of the pixels may differ by more than 6 (edges do between driver versions).
fn check_kept(name: &str, picture: &Rendered) {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pictures"));
    let kept = folder.join(format!("{name}.png"));
    let save = |path: &PathBuf| {
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        image::save_buffer(
            path,
            &picture.rgba,
            picture.width,
            picture.height,
            image::ExtendedColorType::Rgba8,
        )
        .expect("picture saved");
    };
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        save(&kept);
        return;
    }
    let new = folder.join(format!("{name}.new.png"));
    let expected = match image::open(&kept) {
        Ok(expected) => expected.to_rgba8(),
        Err(error) => {
            save(&new);
            panic!("no kept picture {}: {error}", kept.display());
        }
    };
    let same_size = expected.dimensions() == (picture.width, picture.height);
    let differ = expected
        .as_raw()
        .chunks(4)
        .zip(picture.rgba.chunks(4))
        .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 6));
    let differ = differ.count();
    if !same_size || differ > (picture.width * picture.height / 100) as usize {
        save(&new);
        panic!("{name}: {differ} pixels differ, see {}", new.display());
    }
}

#[test]
fn a_cube_in_every_mode() {
    let Some(gpu) = gpu() else { return };
    for (name, mode) in [
        ("textured", RenderMode::Textured),
        ("flat", RenderMode::Flat),
        ("wire", RenderMode::Wire),
        ("lit_unbuilt", RenderMode::Lit),
    ] {
        let mut stage = Stage::new(&gpu, cube()).mode(mode);
        let picture = stage.draw();
        check_kept(&format!("cube_{name}"), &picture);
        let top = stage.at(&picture, DVec3::new(32.0, 64.0, 32.0));
        match mode {
            // The top is as bright as the colour itself.
            RenderMode::Textured | RenderMode::Flat | RenderMode::Lit => {
                assert_near(top, [204, 128, 51], 2, name);
            }
            RenderMode::Wire => assert_near(top, Colors::DARK.background_3d, 1, name),
        }
        assert_near(
            picture.pixel(1, 1),
            Colors::DARK.background_3d,
            1,
            "background",
        );
    }
}

#[test]
fn grid_1_lines_run_through_the_origin_of_the_grid() {
    let Some(gpu) = gpu() else { return };
    // Off the axes and off the map's own lines.
    let origin = DVec3::new(5.0, 3.0, 7.0);
    let brightness =
        |pixel: [u8; 4]| u32::from(pixel[0]) + u32::from(pixel[1]) + u32::from(pixel[2]);
    for kind in [ViewKind::Top, ViewKind::Front, ViewKind::Side] {
        let mut stage = Stage::new(&gpu, cube());
        stage.view = View {
            kind,
            eye: DVec3::new(-60.5, -60.5, -60.5),
            points_per_unit: 2.0,
            ..stage.view
        };
        stage.options.grid_origin = origin;
        let picture = stage.draw();
        // Walks along the view's right between two lines that run the same way.
        let right = stage.view.right().abs();
        let between = origin - DVec3::splat(64.0) + (DVec3::ONE - right) * 6.0;
        let at = |along: f64| stage.at(&picture, between + right * along);
        for line in [0.0, 16.0, 32.0] {
            let (on, off) = (at(line), at(line + 6.0));
            assert!(brightness(on) > brightness(off), "{kind:?} {on:?} {off:?}");
            assert_near(off, Colors::DARK.background_2d, 1, "between lines");
        }
    }
}

#[test]
fn two_d_views_show_edges_grid_and_axes() {
    let Some(gpu) = gpu() else { return };
    for kind in [ViewKind::Top, ViewKind::Front, ViewKind::Side] {
        let mut stage = Stage::new(&gpu, cube());
        stage.view = View {
            kind,
            eye: DVec3::new(20.5, 20.5, 20.5),
            points_per_unit: 1.0,
            ..stage.view
        };
        let picture = stage.draw();
        check_kept(&format!("cube_{kind:?}").to_lowercase(), &picture);
        let axis = match kind {
            ViewKind::Side => 1,
            _ => 0,
        };
        // In the top view z is 0 along the line that x runs on; it has the colour of x at 60 %.
        let along =
            [DVec3::X, DVec3::NEG_Z][axis] * if kind == ViewKind::Side { -1.0 } else { 1.0 };
        let on_axis = stage.at(&picture, -along * 20.0);
        let color = if kind == ViewKind::Side {
            Colors::DARK.axis[2]
        } else {
            Colors::DARK.axis[0]
        };
        let strongest = (0..3)
            .max_by_key(|&channel| color[channel])
            .expect("three channels");
        let is_strongest = (0..3).all(|channel| on_axis[strongest] >= on_axis[channel]);
        assert!(
            is_strongest && on_axis[strongest] > 100,
            "{kind:?} {on_axis:?}"
        );
    }
}

#[test]
fn selection_and_hover_show() {
    let Some(gpu) = gpu() else { return };
    let mut draft = cube().edit();
    draft.insert(cuboid([-32.0, 0.0, 80.0], [48.0, 40.0, 90.0], Some(0)));
    let mut stage = Stage::new(&gpu, draft.peek());
    let plain = stage.draw();
    stage.state.selection.insert(Pick::Object(id(1)));
    let selected = stage.draw();
    check_kept("cube_selected", &selected);
    let top = DVec3::new(32.0, 64.0, 32.0);
    let tinted = stage.at(&selected, top);
    assert!(tinted[0] > stage.at(&plain, top)[0], "the ground is tinted");
    let corner = DVec3::new(64.0, 64.0, 64.0);
    assert_near(
        stage.at(&selected, corner),
        Colors::DARK.selected,
        12,
        "edges",
    );
    // The other one stays as it is.
    let other = DVec3::new(-20.0, 40.0, 85.0);
    assert_eq!(stage.at(&selected, other), stage.at(&plain, other));
    stage.state.selection.clear();
    assert_eq!(stage.draw(), plain, "deselecting undoes it");
    stage.options.hover = Some(Pick::Object(id(1)));
    let hovered = stage.draw();
    check_kept("cube_hovered", &hovered);
    assert_near(stage.at(&hovered, corner), Colors::DARK.hover, 12, "hover");
    stage.options.hover = None;
    stage.state.selection.insert(Pick::Face(id(1), 2));
    let face = stage.draw();
    assert_ne!(
        stage.at(&face, top),
        stage.at(&plain, top),
        "a selected face has a ground"
    );
    stage.look.hidden.insert(id(1));
    let hidden = stage.draw();
    assert_near(
        stage.at(&hidden, top),
        Colors::DARK.background_3d,
        1,
        "hidden",
    );
}

#[test]
fn following_a_move_equals_starting_anew() {
    let Some(gpu) = gpu() else { return };
    let mut draft = cube().edit();
    for n in 0..70 {
        let at = f64::from(n % 10) * 16.0 - 80.0;
        draft.insert(cuboid(
            [at, -32.0, f64::from(n / 10) * 16.0],
            [at + 12.0, -20.0, f64::from(n / 10) * 16.0 + 12.0],
            Some(0),
        ));
    }
    for mode in [RenderMode::Textured, RenderMode::Wire] {
        let mut followed = Stage::new(&gpu, draft.clone_doc()).mode(mode);
        followed.draw();
        for step in 1..4 {
            let mut next = followed.state.doc.edit();
            shift(&mut next, id(1), DVec3::new(8.0, 0.0, 3.0));
            next.remove(id(10 + step));
            next.insert(cuboid(
                [-90.0, 0.0, f64::from(step) * 20.0],
                [-70.0, 10.0, f64::from(step) * 20.0 + 10.0],
                None,
            ));
            followed.state.doc = next.peek();
            followed.draw();
        }
        let mut fresh = Stage::new(&gpu, followed.state.doc.clone()).mode(mode);
        let (a, b) = (followed.draw(), fresh.draw());
        let differ = a
            .rgba
            .chunks(4)
            .zip(b.rgba.chunks(4))
            .filter(|(a, b)| a != b)
            .count();
        assert!(differ <= 4, "{mode:?}: {differ} pixels differ");
    }
}

/// A draft's state without ending it.
trait CloneDoc {
    fn clone_doc(&self) -> Document;
}

impl CloneDoc for Draft {
    fn clone_doc(&self) -> Document {
        (**self).clone()
    }
}

/// A floor of two triangles, 128 x 128 at y 0, with these vertex colours; `faces` as origins.
fn baked_floor(source: Option<&Document>, colors: [[u8; 4]; 4], faces: &[(u32, u32)]) -> Compiled {
    let corner = |x: f32, z: f32, rgba: [u8; 4]| Vertex {
        position: Vec3::new(x, 0.0, z),
        normal: Vec3::Y,
        uv: Vec2::new(x, z) / 64.0,
        rgba,
    };
    let batch = Batch {
        material: 0,
        source: BatchSource::BrushFaces,
        model: 0,
        vertices: vec![
            corner(0.0, 0.0, colors[0]),
            corner(0.0, 128.0, colors[1]),
            corner(128.0, 128.0, colors[2]),
            corner(128.0, 0.0, colors[3]),
        ],
        indices: vec![0, 1, 2, 0, 2, 3],
    };
    let cmpl = Cmpl {
        ambient: Vec3::ZERO,
        units_per_meter: 32.0,
        baked: 1,
        bounds: Box3::default(),
        batches: vec![batch],
        models: vec![],
        bsp: Bsp::default(),
        mesh_collisions: vec![],
        lights: vec![],
    };
    let origin = OriginRun {
        first_triangle: 0,
        triangle_count: 2,
        faces: faces
            .iter()
            .map(|&(object, face)| (id(object), face))
            .collect(),
    };
    Compiled {
        source: source.cloned(),
        cmpl: Arc::new(cmpl),
        mesh_model: vec![],
        lightmaps: None,
        visibility: None,
        origins: vec![vec![origin]],
        sealed: None,
        leak: None,
        issues: vec![],
        stats: Stats::default(),
    }
}

fn floor(color: [f32; 3]) -> Document {
    let mut draft = Document::default().edit();
    draft.insert_material(material("floor", color, SurfaceFlags::default()));
    draft.insert(cuboid([0.0, -16.0, 0.0], [128.0, 0.0, 128.0], Some(0)));
    draft.peek()
}

/// Looks straight down on the floor.
fn from_above(stage: &mut Stage<'_>) {
    stage.view.eye = DVec3::new(64.0, 100.0, 64.0);
    stage.view.pitch_deg = -90.0;
    stage.view.yaw_deg = 0.0;
    stage.view.mode = RenderMode::Lit;
}

#[test]
fn light_is_shown_twice_as_bright_where_a_game_does_so_but_not_on_what_is_unlit() {
    let Some(gpu) = gpu() else { return };
    let plain = SurfaceFlags::default();
    let color = |of_material: SurfaceFlags, texture: &str, of_face: SurfaceFlags, double: bool| {
        let mut draft = floor([1.0; 3]).edit();
        draft.update_material(MaterialId(0), |material| {
            material.flags = of_material;
            texture.clone_into(&mut material.texture);
        });
        draft.update(id(1), |object| {
            if let Kind::Brush(brush) = &object.kind {
                let faces = brush.faces().iter().map(|face| Face {
                    flags: of_face,
                    ..face.clone()
                });
                let contents = brush.contents();
                object.kind = Kind::Brush(Brush::solid(contents, faces.collect()).expect("a box"));
            }
        });
        let doc = draft.peek();
        let mut stage = Stage::new(&gpu, doc.clone());
        let dir = tempfile::tempdir().expect("temp dir");
        for name in ["white.png", "!white.png"] {
            image::RgbaImage::from_pixel(4, 4, image::Rgba([255; 4]))
                .save(dir.path().join(name))
                .expect("a picture");
        }
        stage
            .library
            .set_resolver(Arc::new(Resolver::new(vec![Source::Folder(
                dir.path().to_owned(),
            )])));
        from_above(&mut stage);
        // Nothing behind what one looks through.
        stage.options = DrawOptions::picture();
        stage.options.colors.background_3d = [0; 3];
        stage.options.double_light = double;
        let light = [[100, 50, 200, 255]; 4];
        let build = baked_floor(Some(&doc), light, &[(1, 2)]);
        stage.scene.set_compiled(Some(Arc::new(build)));
        stage.draw();
        stage.library.wait();
        let picture = stage.draw();
        stage.at(&picture, DVec3::new(40.0, 0.0, 90.0))
    };
    let (unlit, see_through) = (SurfaceFlags::UNLIT, SurfaceFlags::TRANSLUCENT);
    let doubled = [200, 100, 255];
    for (of_material, texture, of_face, expected, what) in [
        (plain, "", plain, doubled, "lit"),
        (plain, "white", plain, doubled, "lit picture"),
        (unlit, "", plain, [100, 50, 200], "unlit material"),
        (plain, "", unlit, [100, 50, 200], "unlit face"),
    ] {
        let once = color(of_material, texture, of_face, false);
        assert_near(once, [100, 50, 200], 2, &format!("{what}, as built"));
        let seen = color(of_material, texture, of_face, true);
        assert_near(seen, expected, 2, what);
    }
    for (texture, is_doubled) in [("", false), ("!white", false), ("white", true)] {
        let [once, twice] = [false, true].map(|double| color(see_through, texture, plain, double));
        assert!(once[0] > 50, "{texture}: {once:?}");
        assert_eq!(twice != once, is_doubled, "{texture}: {once:?} {twice:?}");
    }
}

#[test]
fn baked_light_is_decoded_before_it_is_interpolated() {
    let Some(gpu) = gpu() else { return };
    let tint = [0.9, 0.6, 0.3];
    let doc = floor(tint);
    let shown = |linear: [f32; 3]| -> [u8; 3] {
        std::array::from_fn(|channel| {
            (encode((linear[channel] * decode(tint[channel])).min(1.0)) * 255.0).round() as u8
        })
    };
    // The same light everywhere: the byte itself times the tint, in linear light.
    for light in [
        [255, 255, 255, 255],
        [188, 128, 64, 255],
        [13, 40, 200, 255],
    ] {
        let mut stage = Stage::new(&gpu, doc.clone());
        from_above(&mut stage);
        stage.scene.set_compiled(Some(Arc::new(baked_floor(
            Some(&doc),
            [light; 4],
            &[(1, 2)],
        ))));
        let picture = stage.draw();
        assert!(!stage.scene.is_stale());
        let linear = [0, 1, 2].map(|channel| decode(f32::from(light[channel]) / 255.0));
        assert_near(
            stage.at(&picture, DVec3::new(40.0, 0.0, 90.0)),
            shown(linear),
            2,
            "even light",
        );
    }
    // Dark at one end, bright at the other: the middle is half the light, not half the byte.
    let (dark, bright) = ([0, 0, 0, 255], [255, 255, 255, 255]);
    let mut stage = Stage::new(&gpu, doc.clone());
    from_above(&mut stage);
    stage.scene.set_compiled(Some(Arc::new(baked_floor(
        Some(&doc),
        [dark, dark, bright, bright],
        &[(1, 2)],
    ))));
    let picture = stage.draw();
    for x in [32.0, 64.0, 100.0] {
        let (at, _) = stage
            .view
            .project(DVec3::new(x, 0.0, 64.0))
            .expect("in front");
        // The pixel's centre, back in the map.
        let center = stage
            .view
            .ray(DVec2::new(at.x.floor() + 0.5, at.y.floor() + 0.5));
        let share = (center.at(100.0).x / 128.0) as f32;
        assert_near(
            picture.pixel(at.x as u32, at.y as u32),
            shown([share; 3]),
            2,
            "half way",
        );
    }
}

#[test]
fn what_changed_since_the_build_is_drawn_from_the_document() {
    let Some(gpu) = gpu() else { return };
    let mut draft = floor([1.0; 3]).edit();
    draft.insert(cuboid([96.0, 0.0, 96.0], [120.0, 24.0, 120.0], Some(0)));
    let doc = draft.peek();
    let mut stage = Stage::new(&gpu, doc.clone());
    from_above(&mut stage);
    let red = [200, 20, 20, 255];
    stage
        .scene
        .set_compiled(Some(Arc::new(baked_floor(Some(&doc), [red; 4], &[(1, 2)]))));
    let built = stage.draw();
    let middle = DVec3::new(40.0, 0.0, 40.0);
    assert_near(stage.at(&built, middle), [200, 20, 20], 2, "built");
    // Another object changed: the floor keeps its light, the object appears.
    let box_top = DVec3::new(108.0, 24.0, 108.0);
    assert_near(
        stage.at(&built, box_top),
        [200, 20, 20],
        2,
        "the build has no box",
    );
    let mut next = doc.edit();
    shift(&mut next, id(2), DVec3::new(-1.0, 0.0, 0.0));
    stage.state.doc = next.peek();
    let moved = stage.draw();
    assert!(stage.scene.is_stale());
    assert_near(
        stage.at(&moved, middle),
        [200, 20, 20],
        2,
        "not its business",
    );
    assert_near(
        stage.at(&moved, box_top),
        [255, 255, 255],
        2,
        "drawn from the document",
    );
    // The floor itself changed.
    let mut next = doc.edit();
    shift(&mut next, id(1), DVec3::new(0.0, -1.0, 0.0));
    stage.state.doc = next.peek();
    let sunk = stage.draw();
    assert_near(
        stage.at(&sunk, middle),
        [255, 255, 255],
        2,
        "the build's floor is gone",
    );
    // And back: the very same state is current again.
    stage.state.doc = doc.clone();
    assert_eq!(stage.draw(), built);
    assert!(!stage.scene.is_stale());
    stage.look.hidden.insert(id(1));
    let hidden = stage.draw();
    assert_near(
        stage.at(&hidden, middle),
        Colors::DARK.background_3d,
        1,
        "hidden",
    );
}

#[test]
fn entities_overlays_and_tools_show() {
    let Some(gpu) = gpu() else { return };
    let mut draft = cube().edit();
    draft.insert_material(material("clip", [0.2, 0.9, 0.2], SurfaceFlags::NODRAW));
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "light",
        DVec3::new(90.0, 8.0, 60.0),
    ))));
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "info_player_start",
        DVec3::new(20.0, 72.0, 30.0),
    ))));
    draft.insert(cuboid([-60.0, 0.0, 20.0], [-20.0, 40.0, 60.0], Some(1)));
    let mut stage = Stage::new(&gpu, draft.peek());
    stage.overlay.lines = vec![Line {
        from: DVec3::new(-20.0, 70.0, 0.0),
        to: DVec3::new(80.0, 70.0, 0.0),
        role: Role::Link,
        width: 2.0,
        through: true,
        arrow: true,
        dashed: false,
    }];
    stage.overlay.areas = vec![Area {
        corners: vec![
            DVec3::new(0.0, 10.0, 70.0),
            DVec3::new(60.0, 10.0, 70.0),
            DVec3::new(60.0, 50.0, 70.0),
        ],
        role: Role::Refused,
        alpha: 0.5,
    }];
    let all = stage.draw();
    check_kept("entities_and_overlay", &all);
    let clip = DVec3::new(-40.0, 20.0, 60.0);
    let shown = stage.at(&all, clip);
    assert!(
        shown[1] > 60 && shown[1] > shown[0],
        "half a green clip brush: {shown:?}"
    );
    assert_near(
        stage.at(&all, DVec3::new(30.0, 70.0, 0.0)),
        Colors::DARK.link,
        8,
        "a link",
    );
    stage.options = DrawOptions::picture();
    stage.overlay = Overlay::default();
    let bare = stage.draw();
    assert_near(
        stage.at(&bare, clip),
        Colors::DARK.background_3d,
        1,
        "no tools in pictures",
    );
    assert_near(
        stage.at(&bare, DVec3::new(90.0, 8.0, 60.0)),
        Colors::DARK.background_3d,
        1,
        "no entities in pictures",
    );
}

#[test]
fn the_grid_lies_on_faces_near_the_pointer() {
    let Some(gpu) = gpu() else { return };
    let mut stage = Stage::new(&gpu, floor([0.3; 3]));
    from_above(&mut stage);
    let without = stage.draw();
    stage.options.pointer_in_map = Some(DVec3::new(64.0, 0.0, 64.0));
    let with = stage.draw();
    let on_line = DVec3::new(64.0, 0.0, 72.0);
    let between = DVec3::new(72.0, 0.0, 72.0);
    assert!(stage.at(&with, on_line)[2] > stage.at(&without, on_line)[2] + 10);
    assert_eq!(stage.at(&with, between), stage.at(&without, between));
    // Whole steps away are the same lines; half a step away those between them.
    stage.options.grid_origin = DVec3::new(-48.0, 5.0, 160.0);
    assert_eq!(stage.draw(), with);
    stage.options.grid_origin = DVec3::new(8.0, 5.0, 8.0);
    let moved = stage.draw();
    let (on_line, between) = (DVec3::new(72.0, 0.0, 80.0), DVec3::new(64.0, 0.0, 80.0));
    assert!(stage.at(&moved, on_line)[2] > stage.at(&without, on_line)[2] + 10);
    assert_eq!(stage.at(&moved, between), stage.at(&without, between));
}

#[test]
fn sizes_of_nothing_and_empty_maps_are_drawn() {
    let Some(gpu) = gpu() else { return };
    for kind in [ViewKind::Perspective, ViewKind::Top] {
        let mut stage = Stage::new(&gpu, Document::default());
        stage.view.kind = kind;
        stage.draw();
        assert!(stage.target.resize(&gpu, 0, 0));
        assert_eq!(stage.target.size(), (1, 1));
        assert!(!stage.target.resize(&gpu, 1, 1));
        stage.view.size = DVec2::ZERO;
        stage.draw();
        assert!(stage.target.resize(&gpu, 333, 77));
        assert_eq!(stage.draw().rgba.len(), 333 * 77 * 4);
    }
}

#[test]
fn keys_change_with_what_is_seen_and_with_nothing_else() {
    let Some(gpu) = gpu() else { return };
    let mut stage = Stage::new(&gpu, cube());
    stage.draw();
    let key = |stage: &Stage<'_>| {
        DrawKey::new(
            &stage.scene,
            &stage.view,
            &stage.options,
            &stage.overlay,
            &stage.target,
        )
    };
    let first = key(&stage);
    stage.draw();
    assert_eq!(first, key(&stage));
    stage.state.selection.insert(Pick::Object(id(1)));
    stage.draw();
    assert_ne!(first, key(&stage));
    let second = key(&stage);
    stage.target.resize(&gpu, 50, 50);
    assert_ne!(second, key(&stage));
    let third = key(&stage);
    stage.view.yaw_deg += 1.0;
    assert_ne!(third, key(&stage));
}

#[test]
fn pictures_wait_for_textures_and_are_alike() {
    let Some(gpu) = gpu() else { return };
    let mut draft = cube().edit();
    draft.update_material(MaterialId(0), |material| {
        material.texture = "no/such/texture.png".into();
    });
    let state = State {
        doc: draft.peek(),
        selection: Selection::new(),
    };
    let view = View {
        eye: DVec3::new(96.0, 96.0, 128.0),
        yaw_deg: 37.0,
        ..View::default()
    };
    let mut seen: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    for _ in 0..2 {
        let mut library = Library::default();
        let options = DrawOptions::picture();
        let picture = render_picture(
            &gpu,
            &state,
            &ViewState::default(),
            &mut library,
            None,
            &view,
            &options,
            &Overlay::default(),
            100,
            75,
        )
        .expect("the device lives");
        assert_eq!((picture.width, picture.height), (100, 75));
        *seen.entry(picture.rgba).or_default() += 1;
    }
    assert_eq!(seen.len(), 1, "the same call gives the same bytes");
    assert_eq!(gpu.error_count(), 0);
}

/// A room of sky, with walls so far from the origin, around a box of the first material. Material 1 is the sky.
fn sky_room(texture: &str, near: f64) -> Document {
    let mut draft = Document::default().edit();
    draft.insert_material(material("plain", [0.8, 0.5, 0.2], SurfaceFlags::default()));
    draft.insert_material(Material {
        texture: texture.to_owned(),
        ..material("sky", [1.0; 3], SurfaceFlags::SKY)
    });
    let far = near + 16.0;
    for axis in 0..3 {
        for (low, high) in [(-far, -near), (near, far)] {
            let (mut min, mut max) = ([-far; 3], [far; 3]);
            (min[axis], max[axis]) = (low, high);
            draft.insert(cuboid(min, max, Some(1)));
        }
    }
    draft.insert(cuboid([-64.0; 3], [64.0; 3], Some(0)));
    draft.peek()
}

#[test]
fn the_sky_has_no_seams() {
    let Some(gpu) = gpu() else { return };
    // A corner of the room where the lid and two walls meet, and one where the floor does.
    for (name, texture, pitch_deg, mode) in [
        ("sky_clouds", "sky", 30.0, RenderMode::Textured),
        ("sky_plain", "", 30.0, RenderMode::Textured),
        ("sky_missing", "no/such/firmament", -50.0, RenderMode::Lit),
        ("sky_flat", "sky", 30.0, RenderMode::Flat),
    ] {
        let draw = |near: f64| {
            let mut stage = Stage::new(&gpu, sky_room(texture, near)).mode(mode);
            let resolver = Resolver::new(vec![Source::Builtin]);
            stage.library.set_resolver(Arc::new(resolver));
            stage.options = DrawOptions::picture();
            stage.options.edges = Edges::Never;
            stage.view.eye = DVec3::new(100.0, 30.0, -120.0);
            stage.view.yaw_deg = -45.0;
            stage.view.pitch_deg = pitch_deg;
            stage.draw();
            stage.library.wait();
            let picture = stage.draw();
            (stage, picture)
        };
        let (stage, picture) = draw(256.0);
        // Only the direction counts: a room whose edges run elsewhere looks the same.
        let (_, other) = draw(333.0);
        let pixels = picture.rgba.chunks(4).zip(other.rgba.chunks(4));
        let differ = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 4));
        let differ = differ.count();
        assert!(differ < 20, "{name}: {differ} pixels depend on the room");
        if name != "sky_missing" {
            check_kept(name, &picture);
        }
        // Along the edges that meet at a corner: both sides of each, two pixels apart.
        let y = 256.0 * pitch_deg.signum();
        let corner = DVec3::new(256.0, y, -256.0);
        for (dir, across) in [
            (DVec3::NEG_X, [DVec3::Z, DVec3::Y * -y.signum()]),
            (DVec3::Z, [DVec3::NEG_X, DVec3::Y * -y.signum()]),
            (DVec3::Y * -y.signum(), [DVec3::NEG_X, DVec3::Z]),
        ] {
            for step in 1..8 {
                let on_edge = corner + dir * f64::from(step) * 16.0;
                let [a, b] = across.map(|side| stage.at(&picture, on_edge + side * 4.0));
                // Clouds differ between any two places.
                let most = if name == "sky_clouds" { 60 } else { 7 };
                assert_near(a, [b[0], b[1], b[2]], most, &format!("{name} {on_edge}"));
                assert!(a[2] > 60, "{name} {on_edge}: {a:?} is no sky");
            }
        }
    }
}

#[test]
fn the_sky_does_not_hide_the_map_from_outside() {
    let Some(gpu) = gpu() else { return };
    for mode in [RenderMode::Textured, RenderMode::Flat, RenderMode::Lit] {
        let mut stage = Stage::new(&gpu, sky_room("sky", 256.0)).mode(mode);
        stage.options = DrawOptions::picture();
        stage.options.edges = Edges::Never;
        stage.view.eye = DVec3::new(400.0, 500.0, 600.0);
        stage.view.pitch_deg = -34.0;
        stage.view.yaw_deg = 34.0;
        let picture = stage.draw();
        let top = DVec3::new(0.0, 64.0, 0.0);
        assert_near(
            stage.at(&picture, top),
            [204, 128, 51],
            2,
            &format!("{mode:?}"),
        );
        let lid = DVec3::new(-200.0, 272.0, -200.0);
        assert_near(
            stage.at(&picture, lid),
            Colors::DARK.background_3d,
            1,
            "the lid",
        );
        // Selected sky shows all the same.
        stage.options.selection = true;
        stage.state.selection.insert(Pick::Object(id(4)));
        let selected = stage.draw();
        let tinted = stage.at(&selected, DVec3::new(-100.0, 272.0, -100.0));
        assert!(
            tinted[0] > tinted[2] + 20,
            "{mode:?}: the lid is tinted: {tinted:?}"
        );
        let corner = DVec3::new(272.0, 272.0, 272.0);
        assert_near(
            stage.at(&selected, corner),
            Colors::DARK.selected,
            12,
            "edges",
        );
        // In 2D its edges are there as ever.
        stage.options = DrawOptions::default();
        stage.options.grid = None;
        stage.state.selection.clear();
        stage.view.kind = ViewKind::Top;
        stage.view.points_per_unit = 0.2;
        stage.view.eye = DVec3::ZERO;
        let flat = stage.draw();
        check_kept("sky_top", &flat);
        let on_edge = (0..3).any(|off| {
            let (at, _) = stage
                .view
                .project(DVec3::new(-272.0, 0.0, 40.0))
                .expect("in 2D");
            flat.pixel(at.x as u32 + off - 1, at.y as u32)[0] > 60
        });
        assert!(on_edge, "edges of the sky in 2D");
    }
}

#[test]
fn missing_textures_differ_by_name_and_keep_the_light() {
    let Some(gpu) = gpu() else { return };
    let doc = |texture: &str| {
        let mut draft = floor([1.0; 3]).edit();
        draft.update_material(MaterialId(0), |material| material.texture = texture.into());
        draft.peek()
    };
    let mean = |doc: &Document, light: [u8; 4]| -> [f32; 3] {
        let mut stage = Stage::new(&gpu, doc.clone());
        from_above(&mut stage);
        stage.scene.set_compiled(Some(Arc::new(baked_floor(
            Some(doc),
            [light; 4],
            &[(1, 2)],
        ))));
        stage.draw();
        stage.library.wait();
        let picture = stage.draw();
        let mut sum = [0.0; 3];
        for y in 20..100 {
            for x in 40..120 {
                let pixel = picture.pixel(x, y);
                (0..3).for_each(|c| sum[c] += f32::from(pixel[c]) / 6400.0);
            }
        }
        sum
    };
    let (a, b) = (doc("halflife/c1a0_w1"), doc("halflife/out_rk1"));
    let white = [255; 4];
    let (lit, other, dark) = (
        mean(&a, white),
        mean(&b, white),
        mean(&a, [60, 60, 60, 255]),
    );
    let apart: f32 = (0..3).map(|c| (lit[c] - other[c]).abs()).sum();
    assert!(apart > 15.0, "{lit:?} {other:?}");
    assert!((0..3).all(|c| dark[c] < lit[c] * 0.5), "{lit:?} {dark:?}");
}

#[test]
fn one_sees_through_water_from_both_sides() {
    let Some(gpu) = gpu() else { return };
    let mut draft = floor([1.0, 0.1, 0.1]).edit();
    draft.insert_material(Material {
        texture: "!water".into(),
        ..material("!water", [0.1, 0.1, 1.0], SurfaceFlags::default())
    });
    let water = Aabb::new(DVec3::new(0.0, 0.0, 0.0), DVec3::new(128.0, 64.0, 128.0));
    draft.insert(Object::new(Kind::Brush(
        Brush::cuboid(water, Some(MaterialId(1))).with_contents(Contents::WATER),
    )));
    draft.insert(cuboid([0.0, 200.0, 0.0], [128.0, 216.0, 128.0], Some(0)));
    let mut stage = Stage::new(&gpu, draft.peek());
    stage.options = DrawOptions::picture();
    from_above(&mut stage);
    stage.view.mode = RenderMode::Flat;
    stage.draw();
    stage.library.wait();
    let seen = |stage: &mut Stage<'_>, pitch_deg: f64, y: f64| {
        stage.view.eye.y = y;
        stage.view.pitch_deg = pitch_deg;
        let picture = stage.draw();
        picture.pixel(WIDTH / 2 + 9, HEIGHT / 2 + 7)
    };
    let from_above = seen(&mut stage, -90.0, 150.0);
    let from_below = seen(&mut stage, 90.0, 32.0);
    for (what, pixel) in [("above", from_above), ("below", from_below)] {
        assert!(
            pixel[0] > 60 && pixel[2] > 60,
            "red through blue from {what}: {pixel:?}"
        );
    }
}
