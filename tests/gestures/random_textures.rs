//! Random sequences of everything that places textures: shapes never change, frames stay frames, undo leads back to the very
//! start, and what comes out survives saving.

use std::path::Path;

use proptest::prelude::*;

use mapwright::document::Contents;
use mapwright::document::Face;
use mapwright::document::ops::surfaces::Surface;
use mapwright::document::ops::texture::Align;
use mapwright::document::ops::texture::Cycle;
use mapwright::editor::uv_view::UvInput;
use mapwright::formats::Extras;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::geometry::Plane;
use mapwright::task::Progress;

use super::*;

const KEYS: [&str; 24] = [
    "Left",
    "Right",
    "Up",
    "Down",
    "Shift+Up",
    "Ctrl+Left",
    "PgUp",
    "PgDn",
    "Shift+PgUp",
    "Ctrl+PgDn",
    "Ctrl+F",
    "Ctrl+Alt+F",
    "Ctrl++",
    "Ctrl+-",
    "Ctrl+Shift++",
    "Ctrl+Shift+-",
    "Ctrl+Shift+Left",
    "Ctrl+Shift+Down",
    "Ctrl+Shift+C",
    "Ctrl+Shift+H",
    "Ctrl+Shift+Y",
    "Ctrl+Shift+L",
    "Shift+R",
    "Alt+Shift+R",
];

const ALIGNS: [(Align, Cycle); 6] = [
    (Align::FitWidth, Cycle::Fraction),
    (Align::FitHeight, Cycle::Back),
    (Align::Fit, Cycle::FractionBack),
    (Align::Edge, Cycle::Back),
    (Align::Right, Cycle::Next),
    (Align::Top, Cycle::Next),
];

#[derive(Clone, Debug)]
enum Step {
    Key(usize),
    Align(usize),
    AsOne,
    Pick(Vec<usize>),
    /// Left or right button between two points of the view, with modifiers.
    Drag {
        right: bool,
        from: DVec2,
        to: DVec2,
        modifiers: Modifiers,
        esc: bool,
    },
    DoubleClick {
        at: DVec2,
        modifiers: Modifiers,
    },
    Uv {
        from: DVec2,
        to: DVec2,
        alt: bool,
        ctrl: bool,
        esc: bool,
    },
    Paint {
        from: DVec2,
        to: DVec2,
        shift: bool,
    },
    Undo,
    Redo,
}

fn at() -> impl Strategy<Value = DVec2> {
    (150.0..650.0, 100.0..500.0).prop_map(|(x, y)| DVec2::new(x, y))
}

fn in_uv_view() -> impl Strategy<Value = DVec2> {
    (0.0..300.0, 0.0..300.0).prop_map(|(x, y)| DVec2::new(x, y))
}

fn step() -> impl Strategy<Value = Step> {
    let modifiers = (any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(ctrl, shift, alt)| Modifiers { ctrl, shift, alt });
    // All three at once belong to another tool.
    let alt = modifiers.clone().prop_map(|held| Modifiers {
        alt: true,
        shift: held.shift && !held.ctrl,
        ..held
    });
    let shift = modifiers.prop_map(|held| Modifiers {
        shift: true,
        ..held
    });
    prop_oneof![
        6 => (0..KEYS.len()).prop_map(Step::Key),
        2 => (0..ALIGNS.len()).prop_map(Step::Align),
        1 => Just(Step::AsOne),
        3 => prop::collection::vec(0..20usize, 1..4).prop_map(Step::Pick),
        2 => (at(), at(), alt.clone(), prop::bool::weighted(0.2))
            .prop_map(|(from, to, modifiers, esc)| Step::Drag { right: false, from, to, modifiers, esc }),
        2 => (at(), at(), shift, prop::bool::weighted(0.2))
            .prop_map(|(from, to, modifiers, esc)| Step::Drag { right: true, from, to, modifiers, esc }),
        1 => (at(), alt).prop_map(|(at, modifiers)| Step::DoubleClick { at, modifiers }),
        3 => (in_uv_view(), in_uv_view(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2))
            .prop_map(|(from, to, alt, ctrl, esc)| Step::Uv { from, to, alt, ctrl, esc }),
        1 => (at(), at(), any::<bool>()).prop_map(|(from, to, shift)| Step::Paint { from, to, shift }),
        2 => Just(Step::Undo),
        1 => Just(Step::Redo),
    ]
}

/// A prism askew, a crate and a floor.
fn build(draft: &mut Draft) {
    let brick = draft.insert_material(Material::new("brick", "brick.png"));
    draft.insert_material(Material {
        tile_size: glam::Vec2::new(128.0, 32.0),
        ..Material::new("plank", "plank.png")
    });
    let up = DVec3::new(0.2, 1.0, 0.1).normalize();
    let sides = (0..8).map(|side| {
        let (sin, cos) = (f64::from(side) * 45f64.to_radians()).sin_cos();
        Plane::new(DVec3::new(cos, 0.1, sin).normalize(), 64.0)
    });
    let caps = [Plane::new(up, 96.0), Plane::new(DVec3::NEG_Y, 0.0)];
    let faces = sides
        .chain(caps)
        .map(|plane| Face::new(plane.rounded(), Some(brick)));
    let prism = Brush::solid(Contents::SOLID, faces.collect()).expect("convex");
    draft.insert(Object::new(Kind::Brush(prism)));
    cube_of(
        draft,
        [96.0, 0.0, -32.0],
        [160.0, 64.0, 32.0],
        Some(MaterialId(1)),
    );
    cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
}

fn pick_of(number: usize) -> Pick {
    match number {
        0..10 => Pick::Face(id(1), number as u32),
        10..16 => Pick::Face(id(2), number as u32 - 10),
        _ => Pick::Face(id(3), 2),
    }
}

fn drag(s: &mut Session, button: Button, from: DVec2, to: DVec2, modifiers: Modifiers, esc: bool) {
    s.hold(modifiers);
    s.move_to(VIEW_3D, from);
    s.input(VIEW_3D, Input::Press { button, at: from });
    s.move_to(VIEW_3D, from.lerp(to, 0.5));
    s.move_to(VIEW_3D, to);
    if esc {
        let before = s.doc().clone();
        s.editor.escape();
        assert!(s.editor.doc().same(&before), "Esc leaves the committed map");
    }
    s.input(VIEW_3D, Input::Release { button, at: to });
    s.hold(Modifiers::NONE);
}

fn has_faces(s: &Session) -> bool {
    let selection = s.editor.selection();
    !selection.is_empty() && selection.iter().all(|pick| matches!(pick, Pick::Face(..)))
}

fn run(s: &mut Session, step: &Step) {
    s.now_s += 2.0;
    match step {
        // With objects selected these keys move and copy them.
        Step::Key(index) if has_faces(s) => s.key(KEYS[*index]),
        Step::Key(_) => {}
        Step::Align(index) => {
            // A refusal is fine.
            let _ = s.editor.align_textures(ALIGNS[*index].0, ALIGNS[*index].1);
        }
        Step::AsOne => s.editor.set_aligns_as_one(!s.editor.aligns_as_one()),
        Step::Pick(numbers) => s
            .editor
            .select(numbers.iter().map(|&number| pick_of(number)).collect()),
        Step::Drag {
            right,
            from,
            to,
            modifiers,
            esc,
        } => {
            // Without a face under it the right button is the camera's.
            let view = s.editor.views[VIEW_3D].clone();
            let button = if *right { Button::Right } else { Button::Left };
            if *right || has_faces(s) {
                drag(s, button, *from, *to, *modifiers, *esc);
            }
            s.editor.views[VIEW_3D] = view;
        }
        Step::DoubleClick { .. } if !has_faces(s) => {}
        Step::DoubleClick { at, modifiers } => {
            s.hold(*modifiers);
            for _ in 0..2 {
                s.press(VIEW_3D, *at);
                s.release(VIEW_3D, *at);
            }
            s.hold(Modifiers::NONE);
        }
        Step::Uv {
            from,
            to,
            alt,
            ctrl,
            esc,
        } => {
            let (alt, ctrl) = (*alt, *ctrl);
            s.editor.uv_input(UvInput::Resized {
                size: DVec2::splat(300.0),
            });
            s.editor.uv_input(UvInput::Press {
                at: *from,
                ctrl,
                alt,
            });
            s.editor.uv_input(UvInput::Moved {
                at: from.lerp(*to, 0.5),
                ctrl,
            });
            s.editor.uv_input(UvInput::Moved {
                at: *to,
                ctrl: false,
            });
            s.editor.uv_input(if *esc {
                UvInput::Cancel
            } else {
                UvInput::Release
            });
        }
        Step::Paint { from, to, shift } => {
            s.editor.current_material = Some(Material::new("plank", "plank.png"));
            s.editor.set_tool(ToolKind::Paint);
            let modifiers = if *shift {
                Modifiers::SHIFT
            } else {
                Modifiers::NONE
            };
            drag(s, Button::Left, *from, *to, modifiers, false);
            s.editor.set_tool(ToolKind::Select);
        }
        Step::Undo => {
            s.editor.undo();
        }
        Step::Redo => {
            s.editor.redo();
        }
    }
    s.check();
    assert!(
        !s.editor.history().is_previewing(),
        "{step:?} leaves a preview"
    );
}

fn check_frames(s: &Session, shapes: &Document) {
    for (id, object) in s.doc().objects() {
        let Some(brush) = object.brush() else {
            continue;
        };
        let old = shapes
            .object(id)
            .and_then(Object::brush)
            .expect("no object comes or goes");
        for (index, (new, old)) in brush.faces().iter().zip(old.faces()).enumerate() {
            assert_eq!(new.plane, old.plane, "the shape stays bit for bit");
            let surface = Surface::of(s.doc(), (id, index as u32)).expect("a face");
            assert!(surface.frame.is_finite());
            assert!(
                surface.frame.tangents(surface.plane.normal).is_some(),
                "{id} face {index} has no frame: {:?}",
                surface.frame
            );
        }
    }
}

fn save(doc: &Document) -> Vec<u8> {
    hmap::write(
        doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new("random"),
    )
    .expect("written")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn tex_random_sequences_keep_shapes_and_frames(steps in prop::collection::vec(step(), 1..60)) {
        let mut s = Session::new(build);
        let start = s.doc().clone();
        s.look_from(DVec3::new(60.0, 140.0, 260.0), -25.0, 0.0);
        for step in &steps {
            run(&mut s, step);
        }
        check_frames(&s, &start);
        let bytes = save(s.doc());
        let read = hmap::Hmap.import(&bytes, Path::new("random"), &NoSiblings, &Progress::new()).expect("read");
        prop_assert_eq!(save(&read.doc), bytes, "saved, loaded, saved");
        while s.editor.undo() {}
        prop_assert!(s.doc().same(&start), "undo leads to the start itself");
    }
}

#[test]
fn lock_3_a_sheared_brush_keeps_its_texture_through_saving() {
    use glam::DAffine3;
    use glam::DMat3;
    use mapwright::document::UvLock;
    use mapwright::document::ops::transform::Orientation;
    use mapwright::document::ops::transform::transform;
    let mut s = Session::new(build);
    s.editor.select(Selection::from([Pick::Face(id(1), 2)]));
    s.key("PgUp");
    let before = s.doc().clone();
    let shear = DAffine3::from_mat3(DMat3::from_cols(
        DVec3::X,
        DVec3::new(0.5, 1.0, 0.25),
        DVec3::Z,
    ));
    let ids = vec![id(1), id(2)];
    let edit = transform("Shear", ids, shear, UvLock::Carried, Orientation::Kept);
    s.editor.commit(&edit).expect("sheared");
    let bytes = save(s.doc());
    let read = hmap::Hmap
        .import(&bytes, Path::new("sheared"), &NoSiblings, &Progress::new())
        .expect("read");
    let mut largest: f64 = 0.0;
    for (object, faces) in [(1, 10), (2, 6)] {
        for face in 0..faces {
            let old = Surface::of(&before, (id(object), face)).expect("a face");
            let new = Surface::of(&read.doc, (id(object), face)).expect("a face");
            for &corner in &old.corners {
                let off = new.frame.at(shear.transform_point3(corner)) - old.frame.at(corner);
                largest = largest.max((off * old.tile_size.as_dvec2()).length());
            }
        }
    }
    assert!(largest < 0.01, "{largest} texels");
}
