//! A room from nothing, as a mapper would build it, counting the gestures it takes: drags, clicks, keys, choices in a list and
//! numbers typed each count as one.

use mapwright::document::Brush;
use mapwright::editor::tools::options::OptionValue;

use super::*;

const SIDE: usize = 3;

/// Plays gestures and counts them.
struct Mapper {
    s: Session,
    gestures: usize,
}

impl Mapper {
    fn drag(&mut self, pane: usize, from: [f64; 3], to: [f64; 3], modifiers: Modifiers) {
        self.gestures += 1;
        self.s.drag(pane, from.into(), to.into(), modifiers);
    }

    /// A drag in which numbers are typed; Enter ends it.
    fn drag_typed(&mut self, pane: usize, from: [f64; 3], to: [f64; 3], text: &str) {
        self.gestures += 2;
        let (from, to) = (self.s.at(pane, from.into()), self.s.at(pane, to.into()));
        self.s.press(pane, from);
        for step in 1..=3 {
            self.s.move_to(pane, from.lerp(to, f64::from(step) / 3.0));
        }
        for character in text.chars() {
            let keys = match character {
                ',' => ",".to_owned(),
                '.' => ".".to_owned(),
                other => other.to_string(),
            };
            self.s.key(&keys);
        }
        self.s.key("Enter");
        self.s.release(pane, to);
    }

    fn key(&mut self, keys: &str) {
        self.gestures += 1;
        self.s.key(keys);
    }

    fn click(&mut self, pane: usize, point: [f64; 3], modifiers: Modifiers) {
        self.gestures += 1;
        self.s.click_with(pane, point.into(), modifiers);
    }

    fn double_click(&mut self, pane: usize, point: [f64; 3], modifiers: Modifiers) {
        self.gestures += 1;
        self.s.double_click(pane, point.into(), modifiers);
    }

    /// A number or a choice of the tool bar.
    fn option(&mut self, id: &'static str, value: OptionValue) {
        self.gestures += 1;
        let known = self.s.editor.tool_options();
        assert!(
            known.iter().any(|option| option.id == id),
            "no option {id}: {:?}",
            known.iter().map(|option| option.id).collect::<Vec<_>>()
        );
        self.s.editor.set_tool_option(id, value);
        self.s.check();
    }

    fn shape(&mut self, name: &str) {
        let options = self.s.editor.tool_options();
        let kind = options.iter().find(|option| option.id == "shape.kind");
        let mapwright::editor::tools::options::OptionKind::Choice(names) =
            &kind.expect("drawing is at hand").kind
        else {
            panic!("a choice");
        };
        let index = names.iter().position(|known| *known == name).expect(name);
        self.option("shape.kind", OptionValue::Index(index));
    }

    /// A picture of the browser.
    fn material(&mut self, name: &str) {
        self.gestures += 1;
        let material = Material::new(name, name);
        if self.s.editor.selection().is_empty() {
            self.s.editor.current_material = Some(material);
        } else {
            self.s.editor.apply_material(material).expect("a selection");
        }
        self.s.check();
    }

    fn selected_brushes(&self) -> Vec<Brush> {
        self.s
            .selected()
            .into_iter()
            .filter_map(|id| self.s.doc().object(id)?.brush().cloned())
            .collect()
    }

    fn did(&self, label: &str) {
        assert_eq!(
            self.s.labels().last().copied(),
            Some(label),
            "{:?}",
            self.s.editor.status()
        );
    }
}

/// The step between the texture coordinates of two faces along an edge they share, in repeats, whole ones taken off.
fn seam(brush: &Brush, a: usize, b: usize) -> Option<f64> {
    let hull = brush.hull();
    let points = hull.points();
    let shared: Vec<DVec3> = hull.loops()[a]
        .iter()
        .filter(|corner| hull.loops()[b].contains(corner))
        .map(|&corner| points[corner as usize])
        .collect();
    let tile = glam::Vec2::splat(64.0);
    let (one, two) = (brush.faces()[a].frame(tile), brush.faces()[b].frame(tile));
    (shared.len() == 2).then(|| {
        let step = |point: DVec3| {
            let step = one.at(point) - two.at(point);
            (step - step.round()).abs().max_element()
        };
        shared.into_iter().map(step).fold(0.0, f64::max)
    })
}

#[test]
fn a_room_from_nothing() {
    let mut m = Mapper {
        s: Session::new(|_| {}),
        gestures: 0,
    };
    let none = Modifiers::NONE;
    let empty = m.s.doc().clone();
    // Four walls, floor and ceiling: one box, made high, made hollow.
    m.drag(TOP, [-256.0, 0.0, -256.0], [256.0, 0.0, 256.0], none);
    m.did("Draw box");
    m.drag(FRONT, [0.0, 70.0, 0.0], [0.0, 198.0, 0.0], Modifiers::SHIFT);
    m.did("Extrude");
    m.key("Ctrl+Shift+K");
    m.did("Hollow");
    assert_eq!(m.selected_brushes().len(), 6);
    m.key("Esc");
    // A doorway and a window, drawn where they are seen, made as deep as the wall, and cut.
    m.drag(FRONT, [-32.0, 16.0, 0.0], [32.0, 112.0, 0.0], none);
    m.drag(TOP, [0.0, 0.0, -262.0], [0.0, 0.0, 218.0], Modifiers::SHIFT);
    m.key("Ctrl+K");
    m.did("Subtract");
    m.key("Esc");
    m.drag(FRONT, [80.0, 64.0, 0.0], [160.0, 128.0, 0.0], none);
    m.drag(
        TOP,
        [120.0, 0.0, -262.0],
        [120.0, 0.0, 218.0],
        Modifiers::SHIFT,
    );
    m.key("Ctrl+K");
    m.did("Subtract");
    m.key("Esc");
    let solid = |m: &Mapper, point: DVec3| {
        m.s.doc().objects().any(|(_, object)| {
            object.brush().is_some_and(|brush| {
                brush
                    .faces()
                    .iter()
                    .all(|face| face.plane.distance(point) < 0.0)
            })
        })
    };
    assert!(!solid(&m, DVec3::new(0.0, 60.0, 248.0)), "the doorway");
    assert!(!solid(&m, DVec3::new(120.0, 90.0, 248.0)), "the window");
    assert!(solid(&m, DVec3::new(0.0, 60.0, -248.0)), "the wall behind");
    // A stair of 12 steps along the left wall, drawn on the floor.
    m.s.look_from(DVec3::new(0.0, 170.0, 230.0), -45.0, 0.0);
    m.shape("Stairs");
    m.drag_typed(
        VIEW_3D,
        [-176.0, 16.0, 40.0],
        [-236.0, 16.0, -148.0],
        ",144",
    );
    m.option("shape.step", OptionValue::Number(12.0));
    m.did("Draw stairs");
    assert_eq!(m.selected_brushes().len(), 12);
    m.key("Esc");
    // A pillar with 12 sides and a tapered top.
    m.material("brick");
    m.shape("Cylinder");
    m.drag_typed(VIEW_3D, [-64.0, 16.0, -64.0], [-2.0, 16.0, -2.0], ",112");
    m.option("shape.sides", OptionValue::Number(12.0));
    m.option("shape.top", OptionValue::Number(75.0));
    m.did("Draw cylinder");
    let pillar = m.s.selected()[0];
    m.key("Esc");
    // A block beside it, clipped by the plane of the pillar's side.
    m.shape("Box");
    m.drag_typed(VIEW_3D, [36.0, 16.0, -28.0], [62.0, 16.0, 12.0], ",48");
    let whole = m.selected_brushes()[0].hull().volume();
    m.key("C");
    m.double_click(VIEW_3D, [-32.0, 72.0, -4.0], none);
    m.key("Tab");
    m.key("Enter");
    m.did("Clip");
    let parts: Vec<f64> = m
        .selected_brushes()
        .iter()
        .map(|brush| brush.hull().volume())
        .collect();
    assert_eq!(parts.len(), 1, "{parts:?} of {whole}");
    assert!(parts[0] < whole * 0.9);
    m.key("Shift+Esc");
    m.key("Esc");
    // Its brick goes round the pillar from one side, without a seam.
    m.click(VIEW_3D, [-32.0, 72.0, -4.0], Modifiers::SHIFT);
    let wrap = Modifiers {
        alt: true,
        shift: true,
        ctrl: false,
    };
    m.double_click(VIEW_3D, [-18.0, 72.0, -7.75], wrap);
    m.did("Transfer texture");
    let brush = m.s.doc().object(pillar).and_then(|object| object.brush());
    let brush = brush.expect("the pillar").clone();
    let sides: Vec<usize> = (0..brush.faces().len())
        .filter(|&face| brush.faces()[face].plane.normal.normalize().y.abs() < 0.5)
        .collect();
    let mut seams = Vec::new();
    for (index, &a) in sides.iter().enumerate() {
        seams.extend(
            sides[index + 1..]
                .iter()
                .filter_map(|&b| seam(&brush, a, b)),
        );
    }
    seams.sort_by(f64::total_cmp);
    assert_eq!(seams.len(), 12);
    // Where it began and ended the picture meets itself only if the way round is a whole number of repeats.
    assert!(seams[10] < 1e-4, "{seams:?}");
    m.key("Esc");
    // A door that fits its frame, and its picture that fits the door.
    m.drag(FRONT, [-32.0, 16.0, 0.0], [32.0, 112.0, 0.0], none);
    m.drag(TOP, [0.0, 0.0, -10.0], [0.0, 0.0, 246.0], none);
    let door = m.s.selected()[0];
    m.click(FRONT, [20.0, 100.0, 0.0], Modifiers::SHIFT);
    m.material("door");
    m.key("Ctrl+Shift+H");
    m.key("Ctrl+Shift+Y");
    m.did("Fit texture");
    let brush = m.s.doc().object(door).and_then(|object| object.brush());
    let brush = brush.expect("the door");
    let frame = brush.faces()[4].frame(glam::Vec2::splat(64.0));
    for corner in brush.hull().face_points(4) {
        let uv = frame.at(corner);
        assert!((uv - uv.round()).abs().max_element() < 1e-4, "{uv}");
    }
    // A sill under the window, its outer edge bevelled.
    m.key("Esc");
    m.drag(FRONT, [80.0, 48.0, 0.0], [160.0, 64.0, 0.0], none);
    m.drag(
        TOP,
        [120.0, 0.0, 280.0],
        [120.0, 0.0, 296.0],
        Modifiers::SHIFT,
    );
    m.key("3");
    m.key("E");
    m.click(FRONT, [120.0, 64.0, 0.0], none);
    m.key("Alt+B");
    m.did("Bevel");
    m.key("5");
    m.key("Shift+Esc");
    // In 2D the edges behind each other are picked together.
    assert_eq!(m.selected_brushes()[0].faces().len(), 8);
    m.key("Esc");
    // Six crates in a row, one of them turned, its picture with it.
    m.drag_typed(VIEW_3D, [100.0, 16.0, -200.0], [126.0, 16.0, -174.0], ",32");
    let crates = m.s.doc().object_count();
    m.key("Ctrl+Shift+M");
    m.option("count", OptionValue::Number(5.0));
    m.option("offset", OptionValue::Vector(DVec3::new(0.0, 0.0, 48.0)));
    m.key("Enter");
    m.did("Array");
    assert_eq!(m.s.doc().object_count(), crates + 5);
    m.key("Shift+Esc");
    m.key("Esc");
    m.click(TOP, [112.0, 0.0, -96.0], none);
    let before = m.selected_brushes()[0].clone();
    m.key("R");
    m.option("angle", OptionValue::Number(30.0));
    m.key("Enter");
    m.did("Rotate");
    let after = m.selected_brushes()[0].clone();
    assert!((after.hull().volume() - before.hull().volume()).abs() < 1.0);
    let tile = glam::Vec2::splat(64.0);
    let on_face = |face: &mapwright::document::Face| {
        face.frame(tile)
            .in_plane(face.plane.unit().expect("a plane"))
    };
    for (old, new) in before.faces().iter().zip(after.faces()) {
        let (old, new) = (on_face(old), on_face(new));
        assert!(
            (old.u.length() - new.u.length()).abs() < 1e-5,
            "{old:?} {new:?}"
        );
    }
    m.key("Shift+Esc");
    m.key("Esc");
    // An arch through the right wall.
    m.shape("Arch");
    m.drag(SIDE, [0.0, 16.0, -64.0], [0.0, 112.0, 64.0], none);
    let here = m.s.editor.selection_bounds();
    let x = here.center().x;
    m.drag(FRONT, [x, 20.0, 0.0], [256.0, 20.0, 0.0], none);
    m.key("Ctrl+K");
    m.did("Subtract");
    m.key("Esc");
    // Back to nothing and forth again through the list of steps: two clicks.
    m.gestures += 2;
    let done = m.s.doc().clone();
    while m.s.editor.undo() {}
    assert!(m.s.doc().same(&empty), "the first state itself");
    while m.s.editor.redo() {}
    assert!(m.s.doc().same(&done), "and the last one");
    // Saved and opened: the same map, byte for byte.
    m.gestures += 2;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("room.hmap");
    m.s.editor.save_to(&path);
    m.s.wait(|editor| !editor.is_dirty());
    let opened = mapwright::assets::open_map(&path, &[], &mapwright::task::Progress::new())
        .expect("what was saved can be read");
    assert!(opened.imported.doc.equals(m.s.doc()));
    assert!(m.gestures < 90, "{}", m.gestures);
}
