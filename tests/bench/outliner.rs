//! The outliner of a large map (SEL-11): its rows made, and frames of it, without a window.

use std::sync::Arc;

use egui::Context;
use egui::Event;
use egui::Pos2;
use egui::RawInput;
use egui::Rect;
use egui::Vec2;
use egui::vec2;
use glam::DVec3;
use mapwright::assets::Library;
use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Group;
use mapwright::document::Kind;
use mapwright::document::Layer;
use mapwright::document::LayerKind;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::ViewState;
use mapwright::editor::Editor;
use mapwright::editor::Settings;
use mapwright::geometry::Aabb;
use mapwright::shell::frame::Classes;
use mapwright::shell::panels::Cx;
use mapwright::shell::panels::outliner;
use mapwright::shell::panels::outliner::OutlinerState;
use mapwright::shell::theme;
use mapwright::shell::thumbs::Thumbs;

use crate::table::Table;

/// As many rows as SEL-11 asks for; a build for debugging only shows that it runs.
const OBJECTS: usize = if cfg!(debug_assertions) {
    2_000
} else {
    100_000
};
const LAYERS: usize = 8;
/// All of them are opened, by a selection in each.
const GROUPS: usize = 60;

/// The panel's size in points.
const SIZE: Vec2 = vec2(320.0, 900.0);

/// What a screen of 60 frames a second gives the whole window.
const FRAME_MS: f64 = 1000.0 / 60.0;

/// Half of the objects in groups, all over a few layers; and one object of each group.
fn large_map() -> (Document, Vec<ObjectId>) {
    let mut draft = Document::default().edit();
    let layers: Vec<_> = (0..LAYERS)
        .map(|i| draft.insert_layer(Layer::new(LayerKind::Layer, format!("layer {i}"))))
        .collect();
    let groups: Vec<ObjectId> = (0..GROUPS)
        .map(|i| {
            draft.insert(Object {
                layer: Some(layers[i % LAYERS]),
                ..Object::new(Kind::Group(Group::new(format!("group {i}"))))
            })
        })
        .collect();
    let mut in_groups = Vec::new();
    for i in 0..OBJECTS - GROUPS {
        let min = DVec3::new((i % 320) as f64, 0.0, (i / 320) as f64) * 32.0;
        let parent = (i % 2 == 0).then(|| groups[i / 2 % GROUPS]);
        let made = draft.insert(Object {
            parent,
            layer: Some(layers[i % LAYERS]),
            ..Object::new(Kind::Brush(Brush::cuboid(
                Aabb::new(min, min + DVec3::splat(16.0)),
                None,
            )))
        });
        if parent.is_some() && in_groups.len() < GROUPS {
            in_groups.push(made);
        }
    }
    (draft.finish().expect("boxes are sound"), in_groups)
}

/// A panel with nothing else in the window.
struct Panel {
    ctx: Context,
    editor: Editor,
    state: OutlinerState,
    library: Library,
    thumbs: Thumbs,
    classes: Classes,
    time_s: f64,
}

impl Panel {
    fn new(doc: Document) -> Self {
        let ctx = Context::default();
        theme::install(&ctx, &theme::FONTS);
        let (look, settings) = (ViewState::default(), Settings::default());
        Self {
            ctx,
            editor: Editor::with_document(doc, look, settings, Arc::new(|_| {})),
            state: OutlinerState::default(),
            library: Library::default(),
            thumbs: Thumbs::default(),
            classes: Classes::default(),
            time_s: 0.0,
        }
    }

    /// One frame, up to the triangles that a GPU would draw; their number.
    fn frame(&mut self, events: Vec<Event>) -> usize {
        self.time_s += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.time_s),
            events,
            ..RawInput::default()
        };
        let mut actions = Vec::new();
        let mut output = self.ctx.run_ui(input, |ui| {
            let cx = Cx {
                editor: &self.editor,
                library: &mut self.library,
                thumbs: &mut self.thumbs,
                classes: &self.classes,
                has_keyboard: false,
            };
            outliner::ui(ui, &mut self.state, &cx, &mut actions);
        });
        // Nobody draws it, so nobody keeps its letters.
        output.textures_delta.clear();
        let drawn = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        drawn.len()
    }

    fn select(&mut self, ids: &[ObjectId]) {
        let picks: Selection = ids.iter().map(|&id| Pick::Object(id)).collect();
        self.editor.select(picks);
    }
}

pub fn measure(table: &mut Table) {
    let rows = format!("outliner of {OBJECTS} objects");
    if !table.wants(&rows) {
        return;
    }
    let (doc, in_groups) = large_map();
    let last = ObjectId::new(OBJECTS as u32).expect("not 0");
    let mut panel = Panel::new(doc);
    panel.select(&in_groups);
    table.measure(
        &format!("{rows}: all rows made, and a frame"),
        2.0 * FRAME_MS,
        || {
            panel.state = OutlinerState::default();
            panel.frame(Vec::new())
        },
    );
    table.measure_p95(
        &format!("{rows}: a frame that changes nothing"),
        2.0,
        || panel.frame(Vec::new()),
    );
    panel.frame(vec![Event::PointerMoved(SIZE.to_pos2() * 0.5)]);
    let mut down = true;
    let mut count = 0;
    table.measure_p95(&format!("{rows}: a frame while it scrolls"), 4.0, || {
        // Some thousand points down, and up again.
        count += 1;
        if count % 100 == 0 {
            down = !down;
        }
        let way = if down { -120.0 } else { 120.0 };
        panel.frame(vec![Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, way),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        }])
    });
    let mut far = false;
    table.measure_p95(
        &format!("{rows}: a frame after a selection elsewhere"),
        FRAME_MS,
        || {
            far = !far;
            let id = if far { last } else { in_groups[0] };
            panel.select(&[id]);
            panel.frame(Vec::new())
        },
    );
    let everything: Vec<ObjectId> = panel.editor.doc().objects().map(|(id, _)| id).collect();
    panel.select(&everything);
    table.measure_p95(
        &format!("{rows}: a frame with all of them selected"),
        4.0,
        || panel.frame(Vec::new()),
    );
}
