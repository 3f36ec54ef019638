//! The editor driven without a window: real input in, the document out. Each test is named after the item of the interaction
//! design whose *Check* it is. All document invariants are checked after every event.

mod camera;
mod clip_meshes;
mod clipping;
mod combining;
mod components;
mod drawing;
mod entering;
mod extruding;
mod files;
mod finding;
mod habits;
mod locking;
mod meshes;
mod moving;
mod random_components;
mod random_textures;
mod random_tools;
mod reaching;
mod region;
mod replays;
mod room;
mod running;
mod selection;
mod shaping;
mod structure;
mod sweeping;
mod textures;
mod texturing;
mod transforming;
mod uv_lock;
mod uv_view;

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
use mapwright::document::SurfaceFlags;
use mapwright::document::ViewState;
use mapwright::editor::ArrivedPicture;
use mapwright::editor::Button;
use mapwright::editor::Chord;
use mapwright::editor::EdgeDisplay;
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
use mapwright::editor::properties::Mixed;
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
        // Component tools pick handles beside the objects.
        let handles = self.editor.tool().knows_components();
        assert!(
            handles || kinds.len() <= 1,
            "objects and faces exclude each other"
        );
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
