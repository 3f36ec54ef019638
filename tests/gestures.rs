//! The editor driven without a window: real input in, the document out. Each test is named after the item of the interaction
//! design whose *Check* it is. All document invariants are checked after every event.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use glam::DVec2;
use glam::DVec3;

use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Entity;
use mapwright::document::Group;
use mapwright::document::Kind;
use mapwright::document::Layer;
use mapwright::document::LayerKind;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::SelectionExt as _;
use mapwright::document::ViewState;
use mapwright::editor::Button;
use mapwright::editor::Chord;
use mapwright::editor::Editor;
use mapwright::editor::Input;
use mapwright::editor::JobEvent;
use mapwright::editor::Key;
use mapwright::editor::Modifiers;
use mapwright::editor::Place;
use mapwright::editor::Request;
use mapwright::editor::Settings;
use mapwright::editor::ToolKind;
use mapwright::editor::ViewKind;
use mapwright::editor::placing::DropScope;
use mapwright::geometry::Aabb;

const SIZE: DVec2 = DVec2::new(800.0, 600.0);
const VIEW_3D: usize = 0;
const TOP: usize = 1;
const FRONT: usize = 2;

/// An editor with a clock, four panes and a mailbox for its jobs.
struct Session {
    editor: Editor,
    events: Receiver<JobEvent>,
    now_s: f64,
}

impl Session {
    fn new(build: impl FnOnce(&mut Draft)) -> Self {
        Self::with_settings(Settings::default(), build)
    }

    fn with_settings(settings: Settings, build: impl FnOnce(&mut Draft)) -> Self {
        let mut draft = Document::default().edit();
        build(&mut draft);
        let doc = draft.finish().expect("sound map");
        let (sender, events) = std::sync::mpsc::channel();
        let sink = Arc::new(move |event| {
            // The mailbox may be gone when a test ends before its jobs.
            let _ = sender.send(event);
        });
        let mut editor = Editor::with_document(doc, ViewState::default(), settings, sink);
        for pane in 0..4 {
            editor.set_pane_size(pane, SIZE, 1.0);
        }
        let mut session = Self {
            editor,
            events,
            now_s: 1.0,
        };
        session.look_from(DVec3::new(0.0, 200.0, 300.0), -30.0, 0.0);
        for view in session.editor.views.iter_mut().filter(|view| view.is_2d()) {
            view.eye = DVec3::ZERO;
            view.points_per_unit = 1.0;
        }
        session
    }

    fn look_from(&mut self, eye: DVec3, pitch_deg: f64, yaw_deg: f64) {
        let view = &mut self.editor.views[VIEW_3D];
        (view.eye, view.pitch_deg, view.yaw_deg, view.fov_y_deg) = (eye, pitch_deg, yaw_deg, 75.0);
    }

    /// Where a point of the map appears.
    fn at(&self, pane: usize, point: DVec3) -> DVec2 {
        self.editor.views[pane]
            .project(point)
            .expect("in front of the eye")
            .0
    }

    fn input(&mut self, pane: usize, input: Input) {
        self.now_s += 0.01;
        self.editor.input(self.now_s, pane, input);
        self.check();
    }

    fn hold(&mut self, modifiers: Modifiers) {
        self.input(VIEW_3D, Input::Modifiers(modifiers));
    }

    fn move_to(&mut self, pane: usize, at: DVec2) {
        self.input(pane, Input::PointerMoved { at });
        self.tick(0.01);
    }

    fn press(&mut self, pane: usize, at: DVec2) {
        self.move_to(pane, at);
        self.input(
            pane,
            Input::Press {
                button: Button::Left,
                at,
            },
        );
    }

    fn release(&mut self, pane: usize, at: DVec2) {
        self.input(
            pane,
            Input::Release {
                button: Button::Left,
                at,
            },
        );
    }

    fn click(&mut self, pane: usize, point: DVec3) {
        self.click_with(pane, point, Modifiers::NONE);
    }

    fn click_with(&mut self, pane: usize, point: DVec3, modifiers: Modifiers) {
        let at = self.at(pane, point);
        self.now_s += 1.0;
        self.hold(modifiers);
        self.press(pane, at);
        self.release(pane, at);
        self.hold(Modifiers::NONE);
    }

    fn double_click(&mut self, pane: usize, point: DVec3, modifiers: Modifiers) {
        let at = self.at(pane, point);
        self.now_s += 1.0;
        self.hold(modifiers);
        for _ in 0..2 {
            self.press(pane, at);
            self.release(pane, at);
        }
        self.hold(Modifiers::NONE);
    }

    /// Press, several moves, release, between points of the map.
    fn drag(&mut self, pane: usize, from: DVec3, to: DVec3, modifiers: Modifiers) {
        let (from, to) = (self.at(pane, from), self.at(pane, to));
        self.hold(modifiers);
        self.press(pane, from);
        for step in 1..=5 {
            self.move_to(pane, from.lerp(to, f64::from(step) / 5.0));
        }
        self.release(pane, to);
        self.hold(Modifiers::NONE);
    }

    fn key(&mut self, text: &str) {
        let chord: Chord = text.parse().expect(text);
        let pane = self.editor.active_pane();
        self.hold(chord.modifiers);
        for pressed in [true, false] {
            self.input(
                pane,
                Input::Key {
                    key: chord.key,
                    physical: chord.key,
                    pressed,
                    repeat: false,
                },
            );
        }
        self.hold(Modifiers::NONE);
    }

    fn hold_key(&mut self, letter: char, pressed: bool) {
        let key = Key::Letter(letter);
        let pane = self.editor.active_pane();
        self.input(
            pane,
            Input::Key {
                key,
                physical: key,
                pressed,
                repeat: false,
            },
        );
    }

    fn tick(&mut self, dt_s: f64) {
        self.now_s += dt_s;
        self.editor.tick(self.now_s);
    }

    fn select(&mut self, ids: &[ObjectId]) {
        self.editor
            .select(ids.iter().map(|&id| Pick::Object(id)).collect());
        self.check();
    }

    fn doc(&self) -> &Document {
        &self.editor.history().committed().doc
    }

    fn bounds(&self, id: ObjectId) -> Aabb {
        self.doc().object(id).expect("alive").bounds()
    }

    fn selected(&self) -> Vec<ObjectId> {
        self.editor.selection().objects()
    }

    fn labels(&self) -> Vec<&'static str> {
        self.editor.history().undo_labels().collect()
    }

    /// Waits for jobs until `done`; every event goes into the editor.
    fn wait(&mut self, done: impl Fn(&Editor) -> bool) {
        for _ in 0..200 {
            if done(&self.editor) {
                return;
            }
            match self.events.recv_timeout(Duration::from_millis(500)) {
                Ok(event) => self.editor.job_event(event),
                Err(_) => break,
            }
        }
        assert!(
            done(&self.editor),
            "the jobs did not come to this: {:?}",
            self.editor.status()
        );
    }

    /// What must hold in every state.
    fn check(&self) {
        let state = self.editor.history().committed();
        check_document(&state.doc);
        for pick in &state.selection {
            assert!(
                state.doc.object(pick.object()).is_some(),
                "{pick:?} names a dead object"
            );
        }
        let kinds: BTreeSet<bool> = state
            .selection
            .iter()
            .map(|pick| matches!(pick, Pick::Object(_)))
            .collect();
        assert!(kinds.len() <= 1, "objects and faces exclude each other");
        assert!(
            self.editor
                .look
                .hidden
                .iter()
                .all(|&id| state.doc.object(id).is_some()),
            "a dead object is hidden"
        );
    }
}

fn check_document(doc: &Document) {
    let is_f32 = |value: f64| value.is_finite() && f64::from(value as f32) == value;
    for (id, object) in doc.objects() {
        assert!(id.get() < doc.next_id(), "{id} is not below next_id");
        if let Some(parent) = object.parent {
            assert!(doc.object(parent).is_some(), "{id} has a dead parent");
            assert!(
                doc.children(Some(parent)).any(|child| child == id),
                "{id} is missing among its parent's children"
            );
            assert!(
                doc.ancestors(id).take(1000).all(|ancestor| ancestor != id),
                "{id} is its own ancestor"
            );
        }
        match &object.kind {
            Kind::Brush(brush) => check_brush(id, brush),
            Kind::Entity(entity) => assert!(
                entity.origin.to_array().into_iter().all(is_f32),
                "{id}: {}",
                entity.origin
            ),
            Kind::Mesh(_) | Kind::Group(_) => {}
        }
        for layer in object.layer.iter().chain(object.visgroups.iter()) {
            assert!(doc.layer(*layer).is_some(), "{id} is in a dead layer");
        }
    }
}

fn check_brush(id: ObjectId, brush: &Brush) {
    assert_eq!(brush.fault(), None, "{id}");
    assert!(
        brush.faces().len() >= 4 && brush.hull().volume() > 0.0,
        "{id}"
    );
    for (index, face) in brush.faces().iter().enumerate() {
        let plane = face.plane;
        let stored = [plane.normal.x, plane.normal.y, plane.normal.z, plane.dist];
        assert!(
            stored
                .into_iter()
                .all(|value| f64::from(value as f32) == value),
            "{id} face {index}: {stored:?} is no f32"
        );
        let unit = plane.unit().expect("a direction");
        assert!(
            brush
                .hull()
                .points()
                .iter()
                .all(|&point| unit.distance(point) <= 0.01),
            "{id}: a corner is outside of face {index}"
        );
    }
}

fn cube(draft: &mut Draft, min: [f64; 3], max: [f64; 3]) -> ObjectId {
    cube_of(draft, min, max, None)
}

fn cube_of(
    draft: &mut Draft,
    min: [f64; 3],
    max: [f64; 3],
    material: Option<MaterialId>,
) -> ObjectId {
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(DVec3::from_array(min), DVec3::from_array(max)),
        material,
    ))))
}

/// A floor whose top is y = 0, and a crate on it.
fn floor_and_crate(draft: &mut Draft) {
    cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
    cube(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0]);
}

fn id(number: u32) -> ObjectId {
    ObjectId::new(number).expect("not 0")
}

const FLOOR: u32 = 1;
const CRATE: u32 = 2;

/// On the top of the crate, nearer to the front.
const ON_CRATE: DVec3 = DVec3::new(0.0, 64.0, 16.0);
const ON_FLOOR: DVec3 = DVec3::new(120.0, 0.0, 60.0);

#[test]
fn cam_1_look() {
    let mut s = Session::new(floor_and_crate);
    let at = DVec2::new(400.0, 300.0);
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    s.input(
        VIEW_3D,
        Input::PointerMoved {
            at: at + DVec2::X * 100.0,
        },
    );
    assert!(
        (s.editor.views[VIEW_3D].yaw_deg - -15.0).abs() < 1e-9,
        "{}",
        s.editor.views[VIEW_3D].yaw_deg
    );
    assert!(s.editor.wants_pointer_lock());
    s.input(
        VIEW_3D,
        Input::PointerDelta {
            delta: DVec2::new(0.0, -10_000.0),
        },
    );
    assert!((s.editor.views[VIEW_3D].pitch_deg - 89.0).abs() < 1e-9);
    s.now_s += 1.0;
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
    assert!(s.editor.take_requests().is_empty(), "a drag opens no menu");
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
    assert_eq!(
        s.editor.take_requests(),
        [Request::ContextMenu { pane: VIEW_3D, at }]
    );
    assert!(s.labels().is_empty());
}

#[test]
fn cam_2_fly() {
    for frames_per_second in [30.0, 240.0] {
        let mut s = Session::new(|_| {});
        s.look_from(DVec3::ZERO, 0.0, 0.0);
        s.move_to(VIEW_3D, SIZE * 0.5);
        s.hold_key('W', true);
        let ease_in_s = 0.12;
        let frames = (frames_per_second * (1.0 + ease_in_s)) as usize;
        for _ in 0..frames {
            s.tick(1.0 / frames_per_second);
        }
        let seconds = frames as f64 / frames_per_second;
        let expected = 512.0 * (seconds - ease_in_s / 2.0);
        let moved = -s.editor.views[VIEW_3D].eye.z;
        assert!(
            (moved / expected - 1.0).abs() < 0.01,
            "{frames_per_second}: {moved}, not {expected}"
        );
        assert!(s.editor.wants_frames());
        s.hold_key('W', false);
        assert!(!s.editor.wants_frames() || s.editor.problem_count() == 0);
        let before = s.editor.views[VIEW_3D].eye;
        s.tick(1.0);
        assert_eq!(
            s.editor.views[VIEW_3D].eye, before,
            "released keys do not fly"
        );
    }
}

#[test]
fn cam_2_fly_letters_are_no_shortcuts_and_ctrl_makes_none_of_a_held_one() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.hold_key('D', true);
    s.hold(Modifiers::CTRL);
    s.input(
        VIEW_3D,
        Input::Key {
            key: Key::Letter('D'),
            physical: Key::Letter('D'),
            pressed: true,
            repeat: true,
        },
    );
    assert_eq!(
        s.doc().object_count(),
        2,
        "Ctrl+D did not fire from a repeat"
    );
    s.hold(Modifiers::NONE);
    s.hold_key('D', false);
    s.key("Ctrl+D");
    assert_eq!(s.doc().object_count(), 3);
}

#[test]
fn cam_3_fly_speed() {
    let mut s = Session::new(|_| {});
    let at = SIZE * 0.5;
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
    assert!((s.editor.fly_speed() - 640.0).abs() < 1e-9);
    s.input(
        VIEW_3D,
        Input::Wheel {
            notches: -100.0,
            at,
        },
    );
    assert_eq!(s.editor.fly_speed(), 16.0);
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
    assert!(
        s.editor.take_requests().is_empty(),
        "the button was held for the wheel"
    );
}

#[test]
fn cam_4_dolly() {
    let mut s = Session::new(|_| {});
    s.look_from(DVec3::new(0.0, 100.0, 0.0), 40.0, 0.0);
    let at = DVec2::new(250.0, 120.0);
    let start = s.editor.views[VIEW_3D].eye;
    for notches in [1.0, 1.0, 1.0, -1.0, -1.0, -1.0] {
        s.input(VIEW_3D, Input::Wheel { notches, at });
    }
    assert!(s.editor.views[VIEW_3D].eye.distance(start) < 1e-9);
    let mut s = Session::new(floor_and_crate);
    let at = s.at(VIEW_3D, ON_CRATE);
    let (eye, distance) = (
        s.editor.views[VIEW_3D].eye,
        s.editor.views[VIEW_3D].eye.distance(ON_CRATE),
    );
    s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
    let moved = s.editor.views[VIEW_3D].eye.distance(eye);
    assert!(
        (moved - distance * 0.15).abs() < 1e-6,
        "{moved} of {distance}"
    );
    assert!(
        s.at(VIEW_3D, ON_CRATE).distance(at) < 1e-6,
        "towards the point under the pointer"
    );
}

#[test]
fn cam_5_pan() {
    for (pane, button) in [
        (VIEW_3D, Button::Middle),
        (TOP, Button::Middle),
        (TOP, Button::Right),
    ] {
        let mut s = Session::new(floor_and_crate);
        let from = s.at(pane, ON_CRATE);
        let to = from + DVec2::new(70.0, -40.0);
        s.move_to(pane, from);
        s.input(pane, Input::Press { button, at: from });
        s.input(
            pane,
            Input::PointerMoved {
                at: from.lerp(to, 0.5),
            },
        );
        s.input(pane, Input::PointerMoved { at: to });
        s.now_s += 1.0;
        s.input(pane, Input::Release { button, at: to });
        assert!(
            s.at(pane, ON_CRATE).distance(to) < 1e-6,
            "{pane} {button:?}"
        );
    }
}

#[test]
fn cam_6_orbit() {
    let mut s = Session::new(floor_and_crate);
    let at = s.at(VIEW_3D, ON_CRATE);
    let distance = s.editor.views[VIEW_3D].eye.distance(ON_CRATE);
    s.hold(Modifiers::ALT);
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    let pivot = s.editor.orbit_pivot().expect("orbiting");
    assert!(pivot.distance(ON_CRATE) < 1e-6);
    s.input(
        VIEW_3D,
        Input::PointerDelta {
            delta: DVec2::new(200.0, 50.0),
        },
    );
    assert!((s.editor.views[VIEW_3D].eye.distance(pivot) - distance).abs() < 1e-6);
    assert!(s.at(VIEW_3D, pivot).distance(at) < 1e-6);
    assert!(
        !s.editor.overlay(VIEW_3D).lines.is_empty(),
        "a ring marks the pivot"
    );
    s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
    assert!((s.editor.views[VIEW_3D].eye.distance(pivot) - distance / 1.25).abs() < 1e-6);
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
}

#[test]
fn cam_7_zoom_2d() {
    let mut s = Session::new(floor_and_crate);
    let at = DVec2::new(123.0, 456.0);
    let flatten = |point: DVec3| DVec3::new(point.x, 0.0, point.z);
    let under = flatten(s.editor.views[TOP].ray(at).origin);
    s.input(TOP, Input::Wheel { notches: 2.0, at });
    assert!((s.editor.views[TOP].points_per_unit - 1.5625).abs() < 1e-12);
    assert!(flatten(s.editor.views[TOP].ray(at).origin).distance(under) < 1e-6);
    assert_eq!(
        s.editor.views[FRONT].points_per_unit,
        s.editor.views[TOP].points_per_unit
    );
    assert_eq!(
        s.editor.views[FRONT].eye.x, s.editor.views[TOP].eye.x,
        "linked along x"
    );
    s.input(
        TOP,
        Input::Wheel {
            notches: 1000.0,
            at,
        },
    );
    assert_eq!(s.editor.views[TOP].points_per_unit, 64.0);
    s.input(
        TOP,
        Input::Wheel {
            notches: -1000.0,
            at,
        },
    );
    assert_eq!(s.editor.views[TOP].points_per_unit, 1.0 / 256.0);
}

#[test]
fn cam_10_frame() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, DVec2::ONE);
    let before = s.editor.views[VIEW_3D].clone();
    s.key("Home");
    s.tick(0.1);
    assert_ne!(s.editor.views[VIEW_3D].eye, before.eye, "on its way");
    s.tick(0.2);
    let view = &s.editor.views[VIEW_3D];
    assert_eq!(
        (view.pitch_deg, view.yaw_deg),
        (before.pitch_deg, before.yaw_deg)
    );
    let reach = s
        .bounds(id(CRATE))
        .corners()
        .into_iter()
        .fold(0.0f64, |reach, corner| {
            let (at, _) = view.project(corner).expect("in front");
            reach.max(((at - SIZE * 0.5) / (SIZE * 0.5)).abs().max_element())
        });
    assert!((reach - 0.8).abs() < 1e-6, "{reach}");
    assert!(!s.editor.wants_frames());
    // A second press within half a second frames the others, too.
    let top = s.editor.views[TOP].points_per_unit;
    s.now_s += 2.0;
    s.key("Home");
    s.key("Home");
    s.tick(0.1);
    s.tick(0.2);
    assert_ne!(s.editor.views[TOP].points_per_unit, top);
}

#[test]
fn cam_12_reopen() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let mut start = Entity::new("info_player_start", DVec3::new(100.0, 40.0, 100.0));
        start.angles_deg.y = 90.0;
        draft.insert(Object::new(Kind::Entity(start)));
    });
    let fresh = Editor::with_document(
        s.doc().clone(),
        ViewState::default(),
        Settings::default(),
        Arc::new(|_| {}),
    );
    assert_eq!(
        (fresh.views[VIEW_3D].eye, fresh.views[VIEW_3D].yaw_deg),
        (DVec3::new(100.0, 40.0, 100.0), 90.0),
        "on the player start"
    );
    s.editor.set_grid(4.0);
    s.look_from(DVec3::new(1.0, 2.0, 3.0), 10.0, 20.0);
    s.editor.views[TOP].points_per_unit = 2.5;
    let look = s.editor.look_to_save();
    let mut again =
        Editor::with_document(s.doc().clone(), look, Settings::default(), Arc::new(|_| {}));
    for pane in 0..4 {
        again.set_pane_size(pane, SIZE, 1.0);
    }
    let view = &again.views[VIEW_3D];
    assert_eq!(
        (view.eye, view.pitch_deg, view.yaw_deg),
        (DVec3::new(1.0, 2.0, 3.0), 10.0, 20.0)
    );
    assert!((again.views[TOP].points_per_unit - 2.5).abs() < 1e-6);
    assert_eq!(again.grid.size, 4.0);
}

#[test]
fn view_1_layout() {
    let mut s = Session::new(|_| {});
    s.move_to(FRONT, DVec2::ONE);
    s.key("Ctrl+Space");
    assert_eq!(s.editor.layout.visible(), [FRONT]);
    s.key("Ctrl+Space");
    assert_eq!(s.editor.layout.visible().len(), 4);
    s.key("Space");
    assert_eq!(s.editor.views[FRONT].kind, ViewKind::Side);
    s.key("Space");
    assert_eq!(s.editor.views[FRONT].kind, ViewKind::Perspective);
}

#[test]
fn view_3_hide_and_isolate() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Alt+I");
    assert!(s.selected().is_empty());
    let through = s
        .editor
        .pick(VIEW_3D, s.at(VIEW_3D, ON_CRATE))
        .expect("the floor behind");
    assert_eq!(through.object, id(FLOOR));
    s.key("Ctrl+Shift+I");
    s.select(&[id(CRATE)]);
    s.key("Ctrl+I");
    assert!(s.editor.pick(VIEW_3D, s.at(VIEW_3D, ON_FLOOR)).is_none());
    assert!(s.labels().is_empty(), "hiding is no step");
    assert!(!s.editor.is_dirty());
}

#[test]
fn sel_1_click() {
    let mut s = Session::new(floor_and_crate);
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(CRATE)]);
    s.click(VIEW_3D, ON_FLOOR);
    assert_eq!(s.selected(), [id(FLOOR)]);
    let sky = DVec2::new(400.0, 2.0);
    s.look_from(DVec3::new(0.0, 200.0, 300.0), 60.0, 0.0);
    s.press(VIEW_3D, sky);
    s.release(VIEW_3D, sky);
    assert!(s.selected().is_empty());
    assert!(s.labels().is_empty());
}

#[test]
fn sel_1_a_closed_group_is_one_object() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let group = draft.insert(Object::new(Kind::Group(Group::new("pair"))));
        draft.update(id(CRATE), |object| object.parent = Some(group));
    });
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(3)]);
}

#[test]
fn sel_2_toggle() {
    let mut s = Session::new(floor_and_crate);
    s.click(VIEW_3D, ON_CRATE);
    s.click_with(VIEW_3D, ON_FLOOR, Modifiers::CTRL);
    assert_eq!(s.selected(), [id(FLOOR), id(CRATE)]);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::CTRL);
    assert_eq!(s.selected(), [id(FLOOR)]);
}

#[test]
fn sel_6_faces() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        // Beside the crate and as high: their tops are one patch.
        cube(draft, [32.0, 0.0, -32.0], [96.0, 64.0, 32.0]);
    });
    s.click(VIEW_3D, ON_FLOOR);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    let faces = s.editor.selection().faces();
    assert_eq!(faces.len(), 1);
    let (object, face) = faces[0];
    assert_eq!(object, id(CRATE));
    let normal = s
        .doc()
        .object(object)
        .and_then(Object::brush)
        .expect("brush")
        .faces()[face as usize]
        .plane
        .normal;
    assert_eq!(normal, DVec3::Y);
    s.click_with(VIEW_3D, DVec3::new(60.0, 64.0, 10.0), Modifiers::CTRL_SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 2);
    s.click_with(VIEW_3D, DVec3::new(60.0, 64.0, 10.0), Modifiers::CTRL_SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 1);
    s.double_click(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 6);
    s.key("Ctrl+Shift+O");
    assert_eq!(s.selected(), [id(CRATE)]);
    s.key("Ctrl+Alt+O");
    assert_eq!(s.editor.selection().faces().len(), 6);
    s.key("Ctrl+Shift+A");
    s.double_click(
        VIEW_3D,
        ON_CRATE,
        Modifiers {
            shift: true,
            alt: true,
            ctrl: false,
        },
    );
    let patch: BTreeSet<ObjectId> = s
        .editor
        .selection()
        .faces()
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(patch, BTreeSet::from([id(CRATE), id(3)]));
}

#[test]
fn sel_7_whole_set() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let door = draft.insert(Object::new(Kind::Entity(Entity::new(
            "func_door",
            DVec3::ZERO,
        ))));
        for x in [200.0, 300.0] {
            let leaf = cube(draft, [x, 0.0, 0.0], [x + 32.0, 64.0, 8.0]);
            draft.update(leaf, |object| object.parent = Some(door));
        }
    });
    s.key("Ctrl+A");
    assert_eq!(s.selected(), [id(1), id(2), id(4), id(5)]);
    s.key("Ctrl+Shift+A");
    assert!(s.selected().is_empty());
    s.select(&[id(FLOOR)]);
    s.key("Ctrl+Alt+A");
    assert_eq!(s.selected(), [id(2), id(4), id(5)]);
    s.select(&[id(4)]);
    s.key("Ctrl+B");
    assert_eq!(s.selected(), [id(4), id(5)]);
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(4)]);
    s.key("Ctrl+]");
    assert_eq!(s.selected(), [id(4), id(5)]);
}

#[test]
fn bru_1_draw() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
    });
    s.look_from(DVec3::new(30.0, 200.0, 200.0), -50.0, 0.0);
    s.drag(
        VIEW_3D,
        DVec3::new(3.0, 0.0, 5.0),
        DVec3::new(60.0, 0.0, 40.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box"]);
    assert_eq!(s.selected(), [id(2)]);
    assert_eq!(
        s.bounds(id(2)),
        Aabb::new(DVec3::ZERO, DVec3::new(64.0, 16.0, 48.0))
    );
    // Only the result is selected, and the press is not on it: box after box.
    s.drag(
        VIEW_3D,
        DVec3::new(100.0, 0.0, 5.0),
        DVec3::new(130.0, 0.0, 30.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box", "Draw box"]);
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert_eq!(s.doc().object_count(), 1);
}

#[test]
fn bru_1_square_and_height() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
    });
    s.look_from(DVec3::new(30.0, 200.0, 300.0), -35.0, 0.0);
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(3.0, 0.0, 5.0)),
        s.at(VIEW_3D, DVec3::new(60.0, 0.0, 20.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.hold(Modifiers::SHIFT);
    let preview = |s: &Session| {
        s.editor
            .state()
            .doc
            .object(id(2))
            .expect("preview")
            .bounds()
    };
    assert_eq!(preview(&s).size(), DVec3::new(64.0, 16.0, 64.0));
    s.hold(Modifiers {
        shift: true,
        alt: true,
        ctrl: false,
    });
    assert_eq!(preview(&s).size(), DVec3::splat(64.0));
    s.hold(Modifiers::NONE);
    assert_eq!(preview(&s).size(), DVec3::new(64.0, 16.0, 32.0));
    s.hold(Modifiers::ALT);
    // From the end of the base upwards.
    let up = s.at(VIEW_3D, DVec3::new(60.0, 100.0, 20.0));
    s.move_to(VIEW_3D, up);
    let size = preview(&s).size();
    assert_eq!((size.x, size.z), (64.0, 32.0), "the base is frozen");
    assert!(size.y >= 96.0 && size.y <= 128.0, "{size}");
    assert!(
        s.editor
            .overlay(VIEW_3D)
            .readout
            .expect("readout")
            .text
            .contains(" x ")
    );
    s.release(VIEW_3D, up);
    assert_eq!(s.bounds(id(2)).size(), size);
}

#[test]
fn bru_2_draw_2d() {
    let mut s = Session::new(|_| {});
    s.drag(
        TOP,
        DVec3::new(3.0, 0.0, 5.0),
        DVec3::new(60.0, 0.0, 40.0),
        Modifiers::NONE,
    );
    assert_eq!(
        s.bounds(id(1)),
        Aabb::new(DVec3::ZERO, DVec3::new(64.0, 64.0, 48.0))
    );
    // Depth is that of the last selected object.
    s.key("Ctrl+Shift+A");
    s.drag(
        FRONT,
        DVec3::new(100.0, 5.0, 0.0),
        DVec3::new(130.0, 30.0, 0.0),
        Modifiers::NONE,
    );
    assert_eq!(
        s.bounds(id(2)),
        Aabb::new(DVec3::new(96.0, 0.0, 0.0), DVec3::new(144.0, 32.0, 48.0))
    );
}

#[test]
fn bru_1_esc_gives_back_the_same_map_and_keeps_redo() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Del");
    s.key("Ctrl+Z");
    s.key("Ctrl+Shift+A");
    let before = s.doc().clone();
    let (from, to) = (
        s.at(VIEW_3D, ON_FLOOR),
        s.at(VIEW_3D, ON_FLOOR + DVec3::X * 60.0),
    );
    for cancel in ["Esc", "right"] {
        s.press(VIEW_3D, from);
        s.move_to(VIEW_3D, to);
        assert!(!s.editor.state().doc.same(&before), "a preview is shown");
        if cancel == "Esc" {
            s.key("Esc");
        } else {
            s.input(
                VIEW_3D,
                Input::Press {
                    button: Button::Right,
                    at: to,
                },
            );
        }
        assert!(s.editor.state().doc.same(&before), "{cancel}");
        s.release(VIEW_3D, to);
        assert!(s.doc().same(&before));
        s.input(
            VIEW_3D,
            Input::Release {
                button: Button::Right,
                at: to,
            },
        );
    }
    assert_eq!(s.editor.history().redo_label(), Some("Delete"));
}

#[test]
fn mov_1_move() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        // An oblique face.
        let planes = [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
        ];
        let mut faces: Vec<_> = planes
            .map(|normal| {
                mapwright::document::Face::new(mapwright::geometry::Plane::new(normal, 32.0), None)
            })
            .into();
        faces.push(mapwright::document::Face::new(
            mapwright::geometry::Plane::new(DVec3::new(1.0, 1.0, 1.0).normalize(), 40.0),
            None,
        ));
        let brush = Brush::solid(mapwright::document::Contents::SOLID, faces).expect("solid");
        draft.insert(Object::new(Kind::Brush(brush)));
    });
    let before = s.doc().clone();
    s.select(&[id(3)]);
    s.key("Ctrl+I");
    let on_top = DVec3::new(-20.0, 32.0, 0.0);
    s.drag(VIEW_3D, on_top, on_top + DVec3::X * 16.0, Modifiers::NONE);
    assert_eq!(s.labels(), ["Move"]);
    assert_eq!(s.bounds(id(3)).min.x, -16.0);
    s.drag(VIEW_3D, on_top + DVec3::X * 16.0, on_top, Modifiers::NONE);
    let planes = |doc: &Document| -> Vec<_> {
        doc.object(id(3))
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .iter()
            .map(|face| face.plane)
            .collect()
    };
    for (now, then) in planes(s.doc()).into_iter().zip(planes(&before)) {
        assert_eq!(now.normal, then.normal);
        let ulp = f64::from((then.dist as f32).next_up()) - then.dist;
        let allowed = if then.normal.abs().max_element() == 1.0 {
            0.0
        } else {
            ulp
        };
        assert!((now.dist - then.dist).abs() <= allowed, "{now:?} {then:?}");
    }
    // There and back in one drag: no step at all.
    let steps = s.labels().len();
    let now = s.doc().clone();
    let (from, to) = (
        s.at(VIEW_3D, on_top),
        s.at(VIEW_3D, on_top + DVec3::X * 60.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.move_to(VIEW_3D, from);
    s.release(VIEW_3D, from);
    assert!(s.doc().same(&now));
    assert_eq!(s.labels().len(), steps);
}

#[test]
fn mov_1_thousand_moves_add_no_error() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let before = s.doc().clone();
    let from = s.at(VIEW_3D, ON_CRATE);
    s.press(VIEW_3D, from);
    for i in 0..1000 {
        let at = from + DVec2::new(f64::from(i % 37) * 5.0, f64::from(i % 11) * -3.0);
        s.now_s += 0.001;
        s.editor.input(s.now_s, VIEW_3D, Input::PointerMoved { at });
    }
    s.key("Esc");
    assert!(s.doc().same(&before) && s.editor.state().doc.same(&before));
}

#[test]
fn mov_2_vertical() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, side) = (
        s.at(VIEW_3D, ON_CRATE),
        s.at(VIEW_3D, ON_CRATE + DVec3::X * 32.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, side);
    s.hold(Modifiers::ALT);
    let up = s.at(VIEW_3D, ON_CRATE + DVec3::new(32.0, 48.0, 0.0));
    s.move_to(VIEW_3D, up + DVec2::X * 30.0);
    let delta = s
        .editor
        .state()
        .doc
        .object(id(CRATE))
        .expect("crate")
        .bounds()
        .min
        - DVec3::new(-32.0, 0.0, -32.0);
    assert_eq!((delta.x, delta.z), (32.0, 0.0), "the delta so far stays");
    assert_eq!(delta.y, 48.0);
    s.hold(Modifiers::NONE);
    s.release(VIEW_3D, up + DVec2::X * 30.0);
    assert_eq!(s.bounds(id(CRATE)).min, DVec3::new(0.0, 48.0, -32.0));
}

#[test]
fn mov_2_no_jump_to_infinity() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.look_from(DVec3::new(0.0, 80.0, 300.0), 0.0, 0.0);
    let from = s.at(VIEW_3D, DVec3::new(0.0, 40.0, 32.0));
    s.press(VIEW_3D, from);
    for y in [320.0, 305.0, 300.0, 295.0, 200.0] {
        s.move_to(VIEW_3D, DVec2::new(from.x, y));
        let bounds = s
            .editor
            .state()
            .doc
            .object(id(CRATE))
            .expect("crate")
            .bounds();
        assert!(bounds.min.abs().max_element() < 20_000.0, "{bounds:?}");
    }
    s.key("Esc");
}

#[test]
fn mov_3_one_axis() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, to) = (
        s.at(TOP, DVec3::ZERO),
        s.at(TOP, DVec3::new(64.0, 0.0, 32.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    let min = |s: &Session| {
        s.editor
            .state()
            .doc
            .object(id(CRATE))
            .expect("crate")
            .bounds()
            .min
    };
    assert_eq!(min(&s), DVec3::new(32.0, 0.0, 0.0));
    s.hold(Modifiers::SHIFT);
    assert_eq!(min(&s), DVec3::new(32.0, 0.0, -32.0));
    s.hold(Modifiers::NONE);
    assert_eq!(
        min(&s),
        DVec3::new(32.0, 0.0, 0.0),
        "back to the free position"
    );
    s.release(TOP, to);
    assert_eq!(s.labels(), ["Move"]);
}

#[test]
fn mov_1_absolute_snap() {
    let mut s = Session::new(|draft| {
        cube(draft, [3.0, 0.0, 5.0], [35.0, 32.0, 37.0]);
    });
    s.select(&[id(1)]);
    let (from, to) = (
        s.at(TOP, DVec3::new(5.0, 0.0, 8.0)),
        s.at(TOP, DVec3::new(25.0, 0.0, 8.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    assert_eq!(
        s.editor
            .state()
            .doc
            .object(id(1))
            .expect("cube")
            .bounds()
            .min,
        DVec3::new(19.0, 0.0, 5.0),
        "relative"
    );
    s.key("C");
    assert_eq!(
        s.editor
            .state()
            .doc
            .object(id(1))
            .expect("cube")
            .bounds()
            .min,
        DVec3::new(16.0, 0.0, 5.0),
        "the corner nearest the grab"
    );
    s.release(TOP, to);
}

#[test]
fn mov_4_copy_drag() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.drag(
        TOP,
        DVec3::ZERO,
        DVec3::new(96.0, 0.0, 0.0),
        Modifiers::CTRL,
    );
    assert_eq!(s.labels(), ["Duplicate"]);
    assert_eq!(s.selected(), [id(3)]);
    assert_eq!(s.bounds(id(CRATE)).min.x, -32.0);
    assert_eq!(s.bounds(id(3)).min.x, 64.0);
    s.key("Ctrl+Z");
    assert_eq!((s.doc().object_count(), s.selected()), (2, vec![id(CRATE)]));
}

#[test]
fn mov_5_nudge() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    for _ in 0..3 {
        s.key("Right");
    }
    assert_eq!(s.labels(), ["Move"], "presses within a second are one step");
    assert_eq!(s.bounds(id(CRATE)).min.x, 16.0);
    s.now_s += 2.0;
    s.key("Shift+Up");
    assert_eq!(s.labels(), ["Move", "Move"]);
    assert_eq!(s.bounds(id(CRATE)).min.z, -32.0 - 128.0);
    s.move_to(VIEW_3D, DVec2::ONE);
    s.key("PgUp");
    assert_eq!(s.bounds(id(CRATE)).min.y, 16.0);
    s.key("Ctrl+Right");
    assert_eq!(
        s.bounds(id(3)).min,
        DVec3::new(32.0, 16.0, -160.0),
        "Ctrl+arrow duplicates and moves"
    );
}

#[test]
fn dup_1_duplicate() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+D");
    assert_eq!(s.selected(), [id(3)]);
    assert_eq!(s.bounds(id(3)), s.bounds(id(CRATE)));
    assert!(s.editor.flashing().is_some_and(|ids| ids.contains(&id(3))));
    s.now_s += 1.0;
    s.tick(0.0);
    assert!(s.editor.flashing().is_none());
    assert_eq!(s.labels(), ["Duplicate"]);
}

#[test]
fn clip_board() {
    let mut s = Session::new(|draft| {
        draft.insert_material(Material::new("brick", "brick.png"));
        floor_and_crate(draft);
        draft.update(id(CRATE), |object| {
            let bounds = object.bounds();
            object.kind = Kind::Brush(Brush::cuboid(bounds, Some(MaterialId(0))));
        });
    });
    s.select(&[id(CRATE)]);
    s.key("Ctrl+C");
    let Some(Request::CopyText(text)) = s.editor.take_requests().pop() else {
        panic!("no text")
    };
    s.move_to(VIEW_3D, s.at(VIEW_3D, ON_FLOOR));
    s.key("Ctrl+V");
    assert_eq!(
        s.editor.take_requests(),
        [Request::PasteText(Place::UnderPointer)]
    );
    s.editor.paste(&text, Place::UnderPointer).expect("pasted");
    let copy = s.selected()[0];
    let bounds = s.bounds(copy);
    assert_eq!(bounds.min.y, 0.0, "resting on the floor");
    assert!(
        bounds.center().distance(ON_FLOOR + DVec3::Y * 32.0) < 24.0,
        "{bounds:?}"
    );
    assert_eq!(bounds.min % 16.0, DVec3::ZERO, "on the grid");
    s.editor.paste(&text, Place::Original).expect("pasted");
    assert_eq!(s.bounds(s.selected()[0]), s.bounds(id(CRATE)));
    // Into another map: the material comes along.
    let mut other = Session::new(|_| {});
    other.editor.paste(&text, Place::Original).expect("pasted");
    let face = other
        .doc()
        .objects()
        .next()
        .and_then(|(_, object)| object.brush()?.faces().first()?.material)
        .expect("material");
    assert_eq!(other.doc().material(face).expect("row").name, "brick");
    assert!(other.editor.paste("not ours", Place::Original).is_err());
    assert_eq!(other.labels(), ["Paste"]);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+X");
    assert!(s.doc().object(id(CRATE)).is_none());
    assert_eq!(s.labels().last(), Some(&"Cut"));
}

#[test]
fn ext_1_push_pull() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let faces = |s: &Session| {
        s.doc()
            .object(id(CRATE))
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .len()
    };
    s.drag(
        VIEW_3D,
        ON_CRATE,
        ON_CRATE + DVec3::Y * 48.0,
        Modifiers::SHIFT,
    );
    assert_eq!(s.labels(), ["Extrude"]);
    assert_eq!(
        s.bounds(id(CRATE)),
        Aabb::new(DVec3::new(-32.0, 0.0, -32.0), DVec3::new(32.0, 112.0, 32.0))
    );
    assert_eq!(faces(&s), 6);
    // In 2D the face behind the nearest silhouette edge, also from beside the brush.
    s.drag(
        TOP,
        DVec3::new(40.0, 0.0, 0.0),
        DVec3::new(72.0, 0.0, 0.0),
        Modifiers::SHIFT,
    );
    assert_eq!(s.bounds(id(CRATE)).max.x, 64.0);
    // It stops before it would vanish.
    s.drag(
        TOP,
        DVec3::new(60.0, 0.0, 0.0),
        DVec3::new(-300.0, 0.0, 0.0),
        Modifiers::SHIFT,
    );
    let bounds = s.bounds(id(CRATE));
    assert_eq!((bounds.min.x, bounds.max.x), (-32.0, -16.0));
    assert_eq!(faces(&s), 6);
}

#[test]
fn ext_1_faces_that_touch_move_together() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        cube(draft, [64.0, 0.0, 0.0], [128.0, 64.0, 64.0]);
        cube(draft, [0.0, 0.0, 64.0], [64.0, 64.0, 128.0]);
    });
    s.select(&[id(1), id(2), id(3)]);
    s.drag(
        TOP,
        DVec3::new(66.0, 0.0, 100.0),
        DVec3::new(82.0, 0.0, 100.0),
        Modifiers::SHIFT,
    );
    assert_eq!(s.bounds(id(1)).max.x, 80.0);
    assert_eq!(s.bounds(id(3)).max.x, 80.0, "on the same plane");
    assert_eq!(s.bounds(id(2)).min.x, 80.0, "back to back");
    assert_eq!(s.labels(), ["Extrude"]);
}

#[test]
fn tex_1_current_material() {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", ""));
        draft.insert_material(Material::new("plaster", ""));
        cube_of(
            draft,
            [-512.0, -16.0, -512.0],
            [512.0, 0.0, 512.0],
            Some(MaterialId(1)),
        );
        cube_of(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], Some(brick));
    });
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    assert_eq!(
        s.editor.current_material.as_ref().expect("picked").name,
        "brick"
    );
    let selection = s.editor.selection().clone();
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.hold(Modifiers::ALT);
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Middle,
            at,
        },
    );
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Middle,
            at,
        },
    );
    s.hold(Modifiers::NONE);
    assert_eq!(
        s.editor.current_material.as_ref().expect("sampled").name,
        "plaster"
    );
    assert_eq!(*s.editor.selection(), selection, "the selection stays");
    s.key("Ctrl+Shift+A");
    s.drag(
        VIEW_3D,
        ON_FLOOR,
        ON_FLOOR + DVec3::new(40.0, 0.0, 20.0),
        Modifiers::NONE,
    );
    let drawn = s
        .doc()
        .object(s.selected()[0])
        .and_then(Object::brush)
        .expect("brush")
        .faces()[0]
        .material;
    assert_eq!(drawn, Some(MaterialId(1)));
}

#[test]
fn tex_2_apply() {
    let mut s = Session::new(floor_and_crate);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    s.editor
        .apply_material(Material::new("brick", "brick.png"))
        .expect("applied");
    assert_eq!(s.labels(), ["Apply material"]);
    let count = |s: &Session, id| {
        s.doc()
            .object(id)
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .iter()
            .filter(|face| face.material.is_some())
            .count()
    };
    assert_eq!(count(&s, id(CRATE)), 1);
    s.editor
        .apply_material(Material::new("brick", "brick.png"))
        .expect("applied");
    assert_eq!(s.labels().len(), 1, "again is no step");
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.editor
        .drop_material(Material::new("brick", ""), VIEW_3D, at, DropScope::Face)
        .expect("dropped");
    assert_eq!(count(&s, id(FLOOR)), 1);
    s.editor
        .drop_material(
            Material::new("stone", ""),
            VIEW_3D,
            at,
            DropScope::SameMaterial,
        )
        .expect("dropped");
    let stone = s.doc().material_named("stone");
    let top = |s: &Session, id| {
        s.doc()
            .object(id)
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .iter()
            .filter(|face| face.material == stone)
            .count()
    };
    assert_eq!(
        (top(&s, id(FLOOR)), top(&s, id(CRATE))),
        (1, 1),
        "every face that had the material"
    );
    s.editor
        .drop_material(Material::new("brick", ""), VIEW_3D, at, DropScope::Object)
        .expect("dropped");
    assert_eq!(count(&s, id(FLOOR)), 6);
}

#[test]
fn lock_1_alignment() {
    let uv_at = |s: &Session, id: ObjectId, point: DVec3| {
        let brush = s.doc().object(id).and_then(Object::brush).expect("brush");
        let face = brush
            .faces()
            .iter()
            .find(|face| face.plane.normal == DVec3::Y)
            .expect("top");
        face.frame(s.doc().tile_size(face.material)).at(point)
    };
    for lock in [true, false] {
        let mut s = Session::with_settings(
            Settings {
                alignment_lock: lock,
                ..Settings::default()
            },
            floor_and_crate,
        );
        s.select(&[id(CRATE)]);
        let before = uv_at(&s, id(CRATE), ON_CRATE);
        s.drag(
            TOP,
            DVec3::ZERO,
            DVec3::new(24.0, 0.0, 0.0),
            Modifiers::NONE,
        );
        let moved = s.bounds(id(CRATE)).min - DVec3::new(-32.0, 0.0, -32.0);
        assert!(moved.x > 0.0);
        let now = uv_at(
            &s,
            id(CRATE),
            if lock { ON_CRATE + moved } else { ON_CRATE },
        );
        assert!((now - before).length() < 1e-6, "{lock}: {now} {before}");
    }
    let mut s = Session::new(|_| {});
    s.key("Shift+U");
    assert!(!s.editor.settings.alignment_lock);
}

#[test]
fn lock_3_exactness_over_a_thousand_moves() {
    let mut s = Session::new(|draft| {
        cube(draft, [4000.0, 0.0, 4000.0], [4064.0, 64.0, 4064.0]);
    });
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::ONE);
    s.editor.set_grid(0.125);
    let before = s
        .doc()
        .object(id(1))
        .and_then(Object::brush)
        .expect("brush")
        .faces()
        .to_vec();
    for key in ["Right", "Up", "PgUp"]
        .into_iter()
        .cycle()
        .take(500)
        .chain(["Left", "Down", "PgDn"].into_iter().cycle().take(500))
    {
        // Each a step of its own.
        s.now_s += 2.0;
        s.key(key);
    }
    let faces = s
        .doc()
        .object(id(1))
        .and_then(Object::brush)
        .expect("brush")
        .faces()
        .to_vec();
    for (now, then) in faces.iter().zip(&before) {
        assert_eq!(now.plane, then.plane);
        let tile = glam::Vec2::splat(64.0);
        for corner in s.bounds(id(1)).corners() {
            let texels = (now.frame(tile).at(corner) - then.frame(tile).at(corner)) * 64.0;
            assert!(texels.length() < 0.05, "{texels}");
        }
    }
}

#[test]
fn ent_1_create() {
    let mut s = Session::new(floor_and_crate);
    s.move_to(VIEW_3D, s.at(VIEW_3D, ON_FLOOR));
    s.key("L");
    assert_eq!(s.labels(), ["Create light"]);
    let light = s.doc().entity(s.selected()[0]).expect("entity").clone();
    assert_eq!(
        (light.class.as_str(), light.key("radius")),
        ("light", Some("320"))
    );
    let bottom = mapwright::editor::entity_box(&light).min;
    assert!(bottom.y.abs() < 1e-6, "resting on the floor: {bottom}");
    let (place, outline) = s.editor.entity_place(VIEW_3D, s.at(VIEW_3D, ON_CRATE));
    assert!(outline.contains(place) && (outline.min.y - 64.0).abs() < 1e-6);
    s.editor.set_tool(ToolKind::Entity);
    s.editor.set_entity_class("info_player_start");
    s.click(VIEW_3D, ON_FLOOR + DVec3::X * 64.0);
    assert_eq!(
        s.doc().entity(s.selected()[0]).expect("entity").class,
        "info_player_start"
    );
}

#[test]
fn ent_2_brush_entity() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Alt+E");
    assert_eq!(s.editor.take_requests(), [Request::ChooseBrushClass]);
    s.editor.tie_to_entity("func_door").expect("tied");
    let owner = s.doc().owner(id(CRATE)).expect("owner");
    assert_eq!(s.doc().entity(owner).expect("entity").class, "func_door");
    s.select(&[id(CRATE)]);
    s.key("Alt+S");
    assert_eq!(s.doc().owner(id(CRATE)), None);
    assert!(s.doc().object(owner).is_none(), "an owner of nothing goes");
    assert_eq!(s.labels(), ["Tie to entity", "Back to world"]);
}

#[test]
fn grp_1_groups() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        cube(draft, [100.0, 0.0, -32.0], [164.0, 64.0, 32.0]);
    });
    let on_second = DVec3::new(132.0, 64.0, 10.0);
    s.select(&[id(CRATE), id(3)]);
    s.key("Ctrl+G");
    let group = s.selected()[0];
    assert_eq!(
        s.editor.take_requests(),
        [Request::NameGroup {
            group,
            now: "Group".to_owned()
        }]
    );
    s.editor.rename_group(group, "crates").expect("renamed");
    s.key("Ctrl+Shift+A");
    s.click(VIEW_3D, on_second);
    assert_eq!(s.selected(), [group]);
    s.double_click(VIEW_3D, on_second, Modifiers::NONE);
    assert_eq!(s.editor.open_group, Some(group));
    s.click(VIEW_3D, on_second);
    assert_eq!(
        s.selected(),
        [id(3)],
        "inside, members are picked one by one"
    );
    assert!(
        s.editor
            .pick(VIEW_3D, s.at(VIEW_3D, DVec3::new(-200.0, 0.0, 50.0)))
            .is_none(),
        "the rest is out of reach"
    );
    s.key("Esc");
    assert_eq!((s.editor.open_group, s.selected()), (None, vec![group]));
    s.key("Ctrl+Shift+G");
    assert_eq!(s.selected(), [id(CRATE), id(3)]);
    assert_eq!(s.labels(), ["Group", "Rename group", "Ungroup"]);
}

#[test]
fn lay_1_layers() {
    let mut s = Session::new(|draft| {
        draft.insert_layer(Layer::new(LayerKind::Layer, "props"));
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0]);
    });
    let layer = s.doc().layers().next().expect("layer").0;
    s.click(VIEW_3D, ON_CRATE);
    let crate_id = s.selected()[0];
    s.key("Ctrl+Alt+L");
    assert_eq!(s.editor.take_requests(), [Request::ChooseLayer]);
    s.editor.move_to_layer(Some(layer)).expect("moved");
    assert_eq!(s.labels(), ["Move to layer"]);
    s.editor.set_layer_hidden(layer, true);
    assert!(s.selected().is_empty(), "what is hidden is not selected");
    assert_ne!(
        s.editor
            .pick(VIEW_3D, s.at(VIEW_3D, ON_CRATE))
            .expect("floor")
            .object,
        crate_id
    );
    s.editor.set_layer_hidden(layer, false);
    s.editor.set_layer_locked(layer, true);
    assert_ne!(
        s.editor
            .pick(VIEW_3D, s.at(VIEW_3D, ON_CRATE))
            .expect("floor")
            .object,
        crate_id
    );
    assert_eq!(s.labels().len(), 1, "eye and lock are no steps");
    s.editor.look.current_layer = Some(layer);
    s.drag(
        TOP,
        DVec3::new(200.0, 0.0, 200.0),
        DVec3::new(250.0, 0.0, 250.0),
        Modifiers::NONE,
    );
    assert_eq!(
        s.doc().object(s.selected()[0]).expect("box").layer,
        Some(layer),
        "new objects go to the current layer"
    );
}

#[test]
fn undo_reveals_what_it_concerns() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    s.key("Ctrl+Alt+I");
    assert!(s.editor.look.hidden.contains(&id(CRATE)));
    s.key("Ctrl+Z");
    assert!(s.editor.look.hidden.is_empty());
    assert_eq!(s.selected(), [id(CRATE)], "undo restores the selection");
}

#[test]
fn undo_is_refused_while_a_drag_runs() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    let at = s.at(TOP, DVec3::ZERO);
    s.press(TOP, at);
    s.move_to(TOP, at + DVec2::X * 40.0);
    s.key("Ctrl+Z");
    assert!(s.editor.is_dragging());
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.contains("drag")),
        "{:?}",
        s.editor.status()
    );
    s.release(TOP, at + DVec2::X * 40.0);
    assert_eq!(s.labels().len(), 2);
}

#[test]
fn losing_the_focus_commits_the_drag() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let at = s.at(TOP, DVec3::ZERO);
    s.press(TOP, at);
    s.move_to(TOP, at + DVec2::X * 48.0);
    s.input(TOP, Input::FocusLost);
    assert_eq!(s.labels(), ["Move"]);
    assert_eq!(s.bounds(id(CRATE)).min.x, 16.0);
    s.release(TOP, at);
    assert_eq!(s.labels().len(), 1);
}

#[test]
fn a_drag_goes_on_while_flying() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let at = s.at(VIEW_3D, ON_CRATE);
    s.press(VIEW_3D, at);
    s.move_to(VIEW_3D, at + DVec2::X * 5.0);
    s.hold_key('D', true);
    for _ in 0..60 {
        s.tick(1.0 / 60.0);
    }
    s.hold_key('D', false);
    let moved = s
        .editor
        .state()
        .doc
        .object(id(CRATE))
        .expect("crate")
        .bounds()
        .min
        .x
        + 32.0;
    assert!(moved > 300.0, "carried along: {moved}");
    s.key("Esc");
}

#[test]
fn esc_ladder() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.editor.set_tool(ToolKind::Box);
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.press(VIEW_3D, at);
    s.move_to(VIEW_3D, at + DVec2::splat(30.0));
    s.key("Esc");
    assert!(!s.editor.is_dragging() && s.editor.tool() == ToolKind::Box);
    s.release(VIEW_3D, at);
    s.key("Esc");
    assert_eq!(
        (s.editor.tool(), s.selected()),
        (ToolKind::Select, vec![id(CRATE)])
    );
    s.key("Esc");
    assert!(s.selected().is_empty());
    assert!(!s.editor.escape());
    assert!(s.labels().is_empty());
}

#[test]
fn grid_1_keys() {
    let mut s = Session::new(|_| {});
    for (key, step) in [
        ("1", 1.0),
        ("9", 256.0),
        ("]", 512.0),
        ("+", 1024.0),
        ("+", 1024.0),
        ("5", 16.0),
        ("[", 8.0),
        ("-", 4.0),
    ] {
        s.key(key);
        assert_eq!(s.editor.grid.size, step, "{key}");
    }
    s.key("0");
    assert!(!s.editor.grid_shown);
    s.key("Alt+0");
    assert!(!s.editor.grid.enabled);
    s.hold(Modifiers::CTRL_ALT);
    s.input(
        VIEW_3D,
        Input::Wheel {
            notches: 1.0,
            at: DVec2::ONE,
        },
    );
    assert_eq!(s.editor.grid.size, 8.0);
}

#[test]
fn dragging_what_is_not_selected_says_what_to_do() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.drag(
        VIEW_3D,
        ON_FLOOR,
        ON_FLOOR + DVec3::X * 50.0,
        Modifiers::NONE,
    );
    assert!(s.labels().is_empty());
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.contains("Esc") && status.text.contains("Alt"))
    );
}

#[test]
fn doc_1_save_asks_for_a_name_once_and_builds() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("room.hmap");
    let mut s = Session::new(floor_and_crate);
    assert!(!s.editor.is_dirty());
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    assert!(s.editor.is_dirty() && s.editor.title().contains("(unsaved)"));
    s.key("Ctrl+S");
    let requests = s.editor.take_requests();
    assert!(
        matches!(requests.as_slice(), [Request::SaveAs { .. }]),
        "{requests:?}"
    );
    s.editor.save_to(&folder.path().join("room"));
    s.wait(|editor| {
        editor.compiled.is_some() && !editor.is_saving() && editor.build_progress().is_none()
    });
    assert_eq!(
        s.editor.file.path.as_deref(),
        Some(path.as_path()),
        "always an .hmap"
    );
    assert!(!s.editor.is_dirty());
    s.wait(|editor| editor.file.stamp.is_some_and(|stamp| stamp.is_still(&path)));
    let bytes = std::fs::read(&path).expect("saved");
    assert!(
        bytes.windows(4).any(|tag| tag == b"CMPL"),
        "the build was added to the file"
    );
    s.key("Ctrl+Z");
    assert!(s.editor.is_dirty());
    s.key("Ctrl+Shift+Z");
    assert!(!s.editor.is_dirty(), "back at what is saved");
    // The second save asks nothing.
    s.now_s += 5.0;
    s.key("Right");
    s.key("Ctrl+S");
    s.wait(|editor| !editor.is_saving() && !editor.is_dirty());
    assert!(s.editor.take_requests().is_empty());
    assert!(folder.path().join("room.hmap.bak").exists());
}

#[test]
fn doc_1_what_was_saved_comes_back() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("room.hmap");
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Alt+I");
    s.look_from(DVec3::new(10.0, 20.0, 30.0), -12.0, 34.0);
    s.editor.save_to(&path);
    s.wait(|editor| editor.compiled.is_some() && !editor.is_saving());
    let (sender, events) = std::sync::mpsc::channel();
    let sink: mapwright::editor::EventSink = Arc::new(move |event| drop(sender.send(event)));
    mapwright::editor::jobs::open(path, Vec::new(), &sink).expect("thread");
    let event = events
        .recv_timeout(Duration::from_secs(20))
        .expect("an event");
    let JobEvent::Opened(opened) = event else {
        panic!("{event:?}")
    };
    let again = Editor::from_opened(*opened, Settings::default(), sink);
    assert!(again.doc().equals(s.doc()));
    assert_eq!(again.look.hidden, BTreeSet::from([id(CRATE)]));
    assert_eq!(again.views[VIEW_3D].eye, DVec3::new(10.0, 20.0, 30.0));
    assert!(!again.is_dirty());
    assert!(
        again
            .settings
            .recent
            .iter()
            .any(|path| path.ends_with("room.hmap"))
    );
}

#[test]
fn doc_1_opening_nonsense_is_one_sentence() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("no.map");
    std::fs::write(&path, b"\x00\x01nothing").expect("written");
    for path in [path, folder.path().join("missing.hmap")] {
        let (sender, events) = std::sync::mpsc::channel();
        let sink: mapwright::editor::EventSink = Arc::new(move |event| drop(sender.send(event)));
        mapwright::editor::jobs::open(path, Vec::new(), &sink).expect("thread");
        let event = events
            .recv_timeout(Duration::from_secs(20))
            .expect("an event");
        assert!(
            matches!(&event, JobEvent::Failed { text, .. } if text.starts_with("Could not")),
            "{event:?}"
        );
    }
}

#[test]
fn doc_2_autosave() {
    let state = tempfile::tempdir().expect("temp dir");
    let mut s = Session::with_settings(
        Settings {
            autosave_s: 60.0,
            ..Settings::default()
        },
        floor_and_crate,
    );
    s.editor.set_state_folder(state.path());
    let saves = || -> Vec<_> {
        let folders = std::fs::read_dir(state.path().join("recovery"))
            .into_iter()
            .flatten()
            .flatten();
        folders
            .flat_map(|folder| {
                std::fs::read_dir(folder.path())
                    .into_iter()
                    .flatten()
                    .flatten()
            })
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ext| ext == "hmap"))
            .collect()
    };
    s.tick(200.0);
    assert!(
        s.events.try_recv().is_err(),
        "nothing changed, nothing to save"
    );
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    s.tick(1.0);
    assert!(s.events.try_recv().is_err(), "not yet");
    let at = s.at(TOP, DVec3::ZERO);
    s.press(TOP, at);
    s.move_to(TOP, at + DVec2::X * 40.0);
    s.tick(100.0);
    assert!(s.events.try_recv().is_err(), "never during a drag");
    s.key("Esc");
    s.release(TOP, at);
    s.tick(5.0);
    s.wait(|_| !saves().is_empty());
    // A crash: the marker stays, but nobody holds it any more.
    let crashed = s.doc().clone();
    drop(s);
    let offers = mapwright::editor::recovery::offers(state.path(), &|path| {
        mapwright::assets::open_map(path, &[], &mapwright::task::Progress::new()).is_ok()
    });
    assert_eq!(offers.len(), 1);
    let opened =
        mapwright::assets::open_map(&offers[0].file, &[], &mapwright::task::Progress::new())
            .expect("opened");
    assert!(opened.imported.doc.equals(&crashed));
}

#[test]
fn doc_3_changed_on_disk() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("room.hmap");
    let mut s = Session::with_settings(
        Settings {
            build_on_save: false,
            ..Settings::default()
        },
        floor_and_crate,
    );
    s.editor.save_to(&path);
    s.wait(|editor| editor.file.stamp.is_some());
    // Another program writes the file: saving asks first and touches nothing.
    std::fs::write(&path, b"theirs").expect("written");
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    s.key("Ctrl+S");
    let mut seen = Vec::new();
    for _ in 0..50 {
        if let Ok(event) = s.events.recv_timeout(Duration::from_millis(200)) {
            s.editor.job_event(event);
        }
        seen.extend(s.editor.take_requests());
        if seen
            .iter()
            .any(|request| matches!(request, Request::ConfirmOverwrite { .. }))
            && seen
                .iter()
                .any(|request| matches!(request, Request::FileChanged { .. }))
        {
            break;
        }
    }
    assert!(
        seen.contains(&Request::ConfirmOverwrite { path: path.clone() }),
        "{seen:?}"
    );
    assert!(
        seen.contains(&Request::FileChanged { path: path.clone() }),
        "{seen:?}"
    );
    assert_eq!(std::fs::read(&path).expect("there"), b"theirs");
    assert!(s.editor.is_dirty());
    s.editor.save_over();
    s.wait(|editor| !editor.is_dirty());
    assert_ne!(std::fs::read(&path).expect("there"), b"theirs");
}

#[test]
fn a_failed_save_says_so_and_stays_unsaved() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    s.editor
        .save_to(&folder.path().join("no/such/folder/room.hmap"));
    s.wait(|editor| !editor.is_saving());
    assert!(s.editor.is_dirty());
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.starts_with("Could not save")),
        "{:?}",
        s.editor.status()
    );
}

#[test]
fn iss_1_problems() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let mut relay = Entity::new("trigger_relay", DVec3::new(100.0, 40.0, 0.0));
        relay.set_key("target", "nobody");
        draft.insert(Object::new(Kind::Entity(relay)));
    });
    s.editor.check_all();
    let problems = s.editor.problems();
    assert!(
        problems
            .iter()
            .any(|problem| problem.issue.object == Some(id(3))),
        "a dangling target is a problem: {problems:?}"
    );
    s.key("F7");
    assert!(!s.editor.selection().is_empty());
    let issue = problems
        .iter()
        .find(|problem| problem.issue.object == Some(id(3)))
        .expect("there")
        .issue
        .clone();
    let count = s.editor.problem_count();
    s.editor.set_ignored(&issue, true);
    assert_eq!(s.editor.problem_count(), count - 1);
    s.select(&[id(3)]);
    s.key("Del");
    s.editor.check_all();
    assert!(
        s.editor
            .problems()
            .iter()
            .all(|problem| problem.issue.object != Some(id(3)))
    );
}

#[test]
fn run_1_a_newer_build_wins() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("F9");
    s.key("Right");
    s.key("F9");
    let newest = s.doc().clone();
    s.wait(|editor| {
        editor
            .compiled
            .as_ref()
            .is_some_and(|compiled| compiled.is_current(&newest))
    });
    assert!(!s.editor.is_build_stale());
    s.now_s += 2.0;
    s.key("Right");
    assert!(s.editor.is_build_stale());
}

#[test]
fn run_5_walk() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [-512.0, 0.0, -160.0], [512.0, 256.0, -128.0]);
    });
    s.look_from(DVec3::new(0.0, 100.0, 100.0), 0.0, 0.0);
    s.move_to(VIEW_3D, DVec2::ONE);
    let before = s.editor.views[VIEW_3D].clone();
    s.key("F8");
    s.wait(Editor::is_walking);
    assert!(s.editor.wants_frames() && s.editor.wants_pointer_lock());
    for _ in 0..120 {
        s.tick(1.0 / 60.0);
    }
    let eye_m = 1.65 * 32.0;
    let eye = s.editor.views[VIEW_3D].eye;
    assert!((eye.y - eye_m).abs() < 0.5, "stands on the floor: {eye}");
    s.hold_key('W', true);
    for _ in 0..300 {
        s.tick(1.0 / 60.0);
    }
    let eye = s.editor.views[VIEW_3D].eye;
    assert!(
        eye.z > -128.0 && eye.z < -100.0,
        "stopped by the wall: {eye}"
    );
    s.hold_key('W', false);
    assert!(s.editor.run("edit.duplicate").is_err());
    s.key("Esc");
    assert!(!s.editor.is_walking());
    assert_eq!(s.editor.views[VIEW_3D].eye, before.eye);
    s.key("F8");
    s.wait(Editor::is_walking);
    s.tick(0.1);
    s.key("Enter");
    assert!(!s.editor.is_walking());
    assert_ne!(
        s.editor.views[VIEW_3D].eye, before.eye,
        "the camera stays where one stood"
    );
    assert!(s.labels().is_empty());
}

#[test]
fn help_1_working_commands() {
    let mut s = Session::new(floor_and_crate);
    let has = |s: &Session, id: &str| {
        s.editor
            .working_commands()
            .iter()
            .any(|command| command.id == id)
    };
    assert!(!has(&s, "edit.duplicate") && !has(&s, "edit.undo"));
    s.select(&[id(CRATE)]);
    assert!(has(&s, "edit.duplicate"));
    assert!(!s.editor.hints().is_empty());
    s.key("Ctrl+Shift+P");
    assert_eq!(s.editor.take_requests(), [Request::CommandPalette]);
    s.key("Ctrl+Z");
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.contains("nothing to undo")),
        "it says why: {:?}",
        s.editor.status()
    );
}

#[test]
fn hidden_and_locked_objects_cannot_be_reached() {
    let mut s = Session::new(floor_and_crate);
    s.editor.set_locked(id(CRATE), true);
    s.click(VIEW_3D, ON_CRATE);
    assert_ne!(s.selected(), [id(CRATE)]);
    s.key("Ctrl+A");
    assert_eq!(s.selected(), [id(FLOOR)]);
    assert!(s.editor.run("object.unlock_all").is_ok());
    s.key("Ctrl+A");
    assert_eq!(s.selected().len(), 2);
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Object(id(1)), Pick::Object(id(2))])
    );
}

/// Recorded streams: JSON lines of time, pane, event; the last line says what must come of them. With an Esc before the last
/// release the map must be what it was.
#[test]
fn replays() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/gestures");
    let folder = std::env::var("MAPWRIGHT_GESTURES").unwrap_or_else(|_| folder.to_owned());
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the recorded gestures")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let (expected, events) = lines.split_last().expect("lines");
        let last_release = events
            .iter()
            .rposition(|line| line["event"] == "release")
            .expect("a release");
        let mut s = Session::new(floor_and_crate);
        for line in events {
            replay(&mut s, line);
        }
        let bounds: Vec<Vec<f64>> = s
            .doc()
            .objects()
            .map(|(id, object)| {
                let bounds = object.bounds();
                let mut row = vec![f64::from(id.get())];
                row.extend(bounds.min.to_array());
                row.extend(bounds.max.to_array());
                row
            })
            .collect();
        assert_eq!(
            serde_json::json!({ "labels": s.labels(), "bounds": bounds }),
            *expected,
            "{}",
            file.display()
        );

        let mut s = Session::new(floor_and_crate);
        let before = s.doc().clone();
        for (index, line) in events.iter().enumerate() {
            if index == last_release {
                s.key("Esc");
            }
            replay(&mut s, line);
        }
        assert!(
            s.doc().same(&before) && s.labels().is_empty(),
            "{} with Esc",
            file.display()
        );
    }
}

fn replay(s: &mut Session, line: &serde_json::Value) {
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    s.now_s = s.now_s.max(1.0 + number(&line["time"]));
    let pane = number(&line["pane"]) as usize;
    let at = || DVec2::new(number(&line["at"][0]), number(&line["at"][1]));
    let held = |name: &str| {
        line["modifiers"]
            .as_array()
            .is_some_and(|list| list.iter().any(|held| held == name))
    };
    s.hold(Modifiers {
        ctrl: held("ctrl"),
        shift: held("shift"),
        alt: held("alt"),
    });
    match line["event"].as_str().expect("an event") {
        "move" => s.move_to(pane, at()),
        "press" => s.input(
            pane,
            Input::Press {
                button: Button::Left,
                at: at(),
            },
        ),
        "release" => s.input(
            pane,
            Input::Release {
                button: Button::Left,
                at: at(),
            },
        ),
        "select" => s.select(&[id(number(&line["object"]) as u32)]),
        other => panic!("unknown event {other}"),
    }
}
