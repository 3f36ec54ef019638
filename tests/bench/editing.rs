//! What a mapper waits for while editing a large map: drags, undo, picking, selecting.

use std::sync::Arc;

use glam::DVec2;
use glam::DVec3;
use mapwright::assets::open_map;
use mapwright::document::Document;
use mapwright::document::History;
use mapwright::document::ObjectId;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::UvLock;
use mapwright::document::ViewState;
use mapwright::document::ops;
use mapwright::editor::Button;
use mapwright::editor::Editor;
use mapwright::editor::Input;
use mapwright::editor::Settings;
use mapwright::editor::ToolKind;
use mapwright::task::Progress;
use mapwright::viewport::Store;

use crate::maps::corpus;
use crate::maps::field_of_boxes;
use crate::table::Table;

/// A made map, and the largest of Cube 2 that is at hand (`interactions.md` 0.7).
pub fn measure(table: &mut Table) {
    let made = "20 000 brushes";
    if table.wants(made) {
        // From above one corner, over the whole field.
        let eye = DVec3::new(-400.0, 2400.0, -400.0);
        map(table, made, field_of_boxes(20_000), eye);
    }
    let real = "berlin_wall as a document";
    if table.wants(real)
        && let Some(path) = corpus("ogz/berlin_wall.ogz")
    {
        let doc = open_map(&path, &[], &Progress::new())
            .expect("a sound file")
            .imported
            .doc;
        let bounds = doc.bounds();
        let eye = DVec3::new(bounds.min.x, bounds.max.y, bounds.min.z);
        map(table, real, doc, eye);
    }
}

/// Drags, undo, picking.
fn map(table: &mut Table, map: &str, doc: Document, eye: DVec3) {
    let ids: Vec<ObjectId> = doc
        .objects()
        .filter(|(_, object)| object.brush().is_some())
        .map(|(id, _)| id)
        .collect();
    let look = ViewState::default();
    for (name, count, document_ms, scene_ms) in [
        ("1 brush", 1, 0.1, 0.2),
        ("500 brushes", 500, 3.0, 2.0),
        ("1000 brushes", 1000, f64::INFINITY, f64::INFINITY),
        ("all", ids.len(), 30.0, 15.0),
    ] {
        let step = (ids.len() / count).max(1);
        let picked: Vec<ObjectId> = ids.iter().copied().step_by(step).take(count).collect();
        let edits = [16.0, 32.0].map(|x| {
            ops::transform::move_by(picked.clone(), DVec3::new(x, 0.0, 0.0), UvLock::Carried)
        });
        let mut history = History::new(doc.clone());
        let mut turn = 0;
        table.measure(
            &format!("{map}: preview a drag of {name}"),
            document_ms,
            || {
                turn += 1;
                history
                    .preview(&edits[turn % 2])
                    .expect("brushes can be moved");
            },
        );
        let mut store = Store::default();
        store.sync(history.state(), &look);
        let mut states = Vec::new();
        for edit in &edits {
            history.preview(edit).expect("brushes can be moved");
            states.push(history.state().clone());
        }
        table.measure(
            &format!("{map}: scene sync after a drag of {name}"),
            scene_ms,
            || {
                turn += 1;
                store.sync(&states[turn % 2], &look)
            },
        );
        if count == 500 {
            // What a dragged frame costs before the device (interactions.md 0.7).
            table.measure_p95(
                &format!("{map}: preview and sync of a drag of {name}"),
                5.0,
                || {
                    turn += 1;
                    history
                        .preview(&edits[turn % 2])
                        .expect("brushes can be moved");
                    store.sync(history.state(), &look)
                },
            );
        }
        if count == 1000 {
            history.cancel();
            history.commit(&edits[0]).expect("brushes can be moved");
            let row = format!("{map}: undo of 1000 with scene sync");
            table.measure(&row, 5.0, || {
                if history.undo().is_none() {
                    history.redo();
                }
                store.sync(history.state(), &look)
            });
        }
    }
    picking(table, map, doc, eye);
}

fn picking(table: &mut Table, map: &str, doc: Document, eye: DVec3) {
    let mut editor = Editor::with_document(
        doc,
        ViewState::default(),
        Settings::default(),
        Arc::new(|_| {}),
    );
    editor.set_pane_size(0, DVec2::new(1280.0, 800.0), 1.0);
    editor.views[0].eye = eye;
    editor.views[0].pitch_deg = -30.0;
    editor.views[0].yaw_deg = -135.0;
    let mut turn = 0;
    let mut next = move || {
        turn += 1;
        DVec2::new(
            200.0 + f64::from(turn * 37 % 900),
            100.0 + f64::from(turn * 53 % 600),
        )
    };
    table.measure_p95(&format!("{map}: pick under the pointer"), 0.2, || {
        editor.pick(0, next())
    });
    let some: Selection = editor
        .doc()
        .objects()
        .map(|(id, _)| Pick::Object(id))
        .step_by(40)
        .take(500)
        .collect();
    editor.select(some);
    let mut now_s = 0.0;
    table.measure_p95(&format!("{map}, 500 selected: hover"), 5.0, || {
        now_s += 0.01;
        editor.input(now_s, 0, Input::PointerMoved { at: next() });
        editor.tick(now_s);
        editor.overlay(0)
    });
    let all: Selection = editor
        .doc()
        .objects()
        .map(|(id, _)| Pick::Object(id))
        .take(10_000)
        .collect();
    table.measure(&format!("{map}: select 10 000 of them"), 50.0, || {
        editor.select(Selection::new());
        editor.select(all.clone());
    });
    marquee(table, map, &mut editor, false);
    marquee(table, map, &mut editor, true);
}

/// A rectangle over nearly all of the view, dragged and let go.
fn marquee(table: &mut Table, map: &str, editor: &mut Editor, visible_only: bool) {
    let (name, budget_ms) = if visible_only {
        ("what can be seen in it", f64::INFINITY)
    } else {
        ("all that lies in it", 30.0)
    };
    editor.settings.marquee_visible_only = visible_only;
    editor.set_tool(ToolKind::Marquee);
    let button = Button::Left;
    let (from, to) = (DVec2::new(2.0, 2.0), DVec2::new(1278.0, 798.0));
    table.measure(&format!("{map}: a rectangle, {name}"), budget_ms, || {
        editor.input(0.0, 0, Input::Press { button, at: from });
        editor.input(0.0, 0, Input::PointerMoved { at: to });
        editor.input(0.0, 0, Input::Release { button, at: to });
        editor.selection().len()
    });
    editor.set_tool(ToolKind::Select);
    editor.select(Selection::new());
}
