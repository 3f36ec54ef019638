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

    fn point_at(&mut self, pane: usize) {
        self.s.move_to(pane, SIZE * 0.5);
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

#[test]
fn a_room_from_nothing() {
    let mut m = Mapper {
        s: Session::new(|_| {}),
        gestures: 0,
    };
    let none = Modifiers::NONE;
    // Four walls, floor and ceiling: one box, made high, made hollow.
    m.drag(TOP, [-256.0, 0.0, -256.0], [256.0, 0.0, 256.0], none);
    m.did("Draw box");
    m.drag(FRONT, [0.0, 70.0, 0.0], [0.0, 198.0, 0.0], Modifiers::SHIFT);
    m.did("Extrude");
    m.key("Ctrl+Shift+K");
    m.did("Hollow");
    assert_eq!(m.selected_brushes().len(), 6);
    m.key("Esc");
    assert!(m.s.editor.selection().is_empty());
    eprintln!("room {}", m.gestures);
    // A doorway and a window, drawn where they are seen, made as deep as the wall, and cut.
    m.drag(FRONT, [-32.0, 16.0, 0.0], [32.0, 112.0, 0.0], none);
    m.drag(TOP, [0.0, 0.0, -262.0], [0.0, 0.0, 218.0], Modifiers::SHIFT);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.key("Ctrl+K");
    eprintln!("{:?} {:?}", m.s.labels(), m.s.editor.selection().len());
    m.key("Esc");
    m.drag(FRONT, [80.0, 64.0, 0.0], [160.0, 128.0, 0.0], none);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.drag(TOP, [120.0, 0.0, -262.0], [120.0, 0.0, 218.0], Modifiers::SHIFT);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.key("Ctrl+K");
    m.key("Esc");
    eprintln!("holes {}: {} brushes {:?}", m.gestures, m.s.doc().object_count(), m.s.labels());
    // A stair of 12 steps along the left wall, drawn on the floor.
    m.s.look_from(DVec3::new(0.0, 170.0, 230.0), -45.0, 0.0);
    m.shape("Stairs");
    m.drag_typed(VIEW_3D, [-176.0, 16.0, 40.0], [-236.0, 16.0, -148.0], ",144");
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.option("shape.step", OptionValue::Number(12.0));
    m.did("Draw stairs");
    eprintln!("stair {}: {} pieces", m.gestures, m.selected_brushes().len());
    // A pillar with 12 sides and a tapered top.
    m.key("Esc");
    m.material("brick");
    m.shape("Cylinder");
    m.drag_typed(VIEW_3D, [-64.0, 16.0, -64.0], [-2.0, 16.0, -2.0], ",112");
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.option("shape.sides", OptionValue::Number(12.0));
    m.option("shape.top", OptionValue::Number(75.0));
    eprintln!("pillar {}: {} pieces {:?}", m.gestures, m.selected_brushes().len(), m.s.labels().last());
    let pillar = m.selected_brushes()[0].clone();
    // A block beside it, clipped by the plane of the pillar's side.
    m.key("Esc");
    m.shape("Box");
    m.drag_typed(VIEW_3D, [36.0, 16.0, -28.0], [62.0, 16.0, 12.0], ",48");
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.key("C");
    m.double_click(VIEW_3D, [-32.0, 72.0, -4.0], none);
    m.key("Enter");
    eprintln!("clip {} {:?} {:?}", m.gestures, m.s.labels().last(), m.s.editor.status());
    m.key("Esc");
    m.key("Esc");
    // Its brick goes round the pillar from one side, without a seam.
    m.click(VIEW_3D, [-32.0, 72.0, -4.0], Modifiers::SHIFT);
    eprintln!("{:?}", m.s.editor.selection());
    m.double_click(VIEW_3D, [-18.0, 72.0, -7.75], Modifiers { alt: true, shift: true, ctrl: false });
    eprintln!("wrap {} {:?} {:?}", m.gestures, m.s.labels().last(), m.s.editor.status());
    m.key("Esc");
    // A door that fits its frame, and its picture that fits the door.
    m.drag(FRONT, [-32.0, 16.0, 0.0], [32.0, 112.0, 0.0], none);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.drag(TOP, [0.0, 0.0, -10.0], [0.0, 0.0, 246.0], none);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.click(FRONT, [20.0, 100.0, 0.0], Modifiers::SHIFT);
    eprintln!("{:?}", m.s.editor.selection());
    m.material("door");
    m.key("Ctrl+Shift+H");
    m.key("Ctrl+Shift+Y");
    eprintln!("door {} {:?} {:?}", m.gestures, m.s.labels().last(), m.s.editor.status());
    // A sill under the window, its outer edge bevelled.
    m.key("Esc");
    m.drag(FRONT, [80.0, 48.0, 0.0], [160.0, 64.0, 0.0], none);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.drag(TOP, [120.0, 0.0, 280.0], [120.0, 0.0, 296.0], Modifiers::SHIFT);
    eprintln!("{:?}", m.s.editor.selection_bounds());
    m.key("3");
    m.key("E");
    m.click(FRONT, [120.0, 64.0, 0.0], none);
    m.key("Alt+B");
    m.key("5");
    eprintln!("sill {} {:?} {:?}", m.gestures, m.s.labels().last(), m.s.editor.status());
    m.key("Shift+Esc");
    m.key("Esc");
    // An arch through the right wall.
    m.shape("Arch");
    m.drag(SIDE, [0.0, 16.0, -64.0], [0.0, 112.0, 64.0], none);
    m.drag(FRONT, [120.0, 20.0, 0.0], [280.0, 20.0, 0.0], none);
    eprintln!("{:?} {:?}", m.s.editor.selection_bounds(), m.s.editor.status());
    m.key("Ctrl+K");
    eprintln!("arch {} {:?} {:?}", m.gestures, m.s.labels().last(), m.s.editor.status());
    m.key("Esc");
    let done = m.s.doc().clone();
    let steps = m.s.labels().len();
    while m.s.editor.undo() {}
    while m.s.editor.redo() {}
    eprintln!("{} {:?}", m.s.labels().len()==steps, m.s.doc().same(&done));
    eprintln!("{:?}", m.s.labels());
}
