//! Benchmarks: medians, or the slowest twentieth, beside the budgets they guard, as ratios. `./dev bench [FILTER]`.
//!
//! Never a test: the figures depend on the machine and on what else it does. Compare ratios within one run.

mod cubes;
mod editing;
mod maps;
mod outliner;
mod table;
mod unreal;

use std::hint::black_box;

use glam::DVec2;
use glam::DVec3;
use mapwright::assets::Library;
use mapwright::assets::open_map;
use mapwright::compiler;
use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::History;
use mapwright::document::Kind;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::State;
use mapwright::document::UvLock;
use mapwright::document::ViewState;
use mapwright::document::ops;
use mapwright::document::ops::components::Handles;
use mapwright::editor::RenderMode;
use mapwright::editor::View;
use mapwright::editor::overlay::Overlay;
use mapwright::geometry::Aabb;
use mapwright::task::Progress;
use mapwright::viewport::DrawKey;
use mapwright::viewport::DrawOptions;
use mapwright::viewport::Gpu;
use mapwright::viewport::Scene;
use mapwright::viewport::Target;

use crate::maps::corpus;
use crate::maps::field_of_boxes;
use crate::table::Table;

fn main() {
    let mut table = Table::from_arguments();
    // First: it prints the peak of memory.
    cubes::measure(&mut table);
    unreal::measure(&mut table);
    files(&mut table);
    editing::measure(&mut table);
    vertices(&mut table);
    combining(&mut table);
    outliner::measure(&mut table);
    frames(&mut table);
    table.print();
}

/// The real map of the issue: reading, opening, compiling.
fn files(table: &mut Table) {
    let Some(map) = corpus("rmf/lodagond-4.rmf") else {
        return;
    };
    let bytes = std::fs::read(&map).expect("it is there");
    table.measure("info: read lodagond-4.rmf and count", 150.0, || {
        mapwright::formats::rmf::source_counts(black_box(&bytes), &map).expect("a sound file")
    });
    table.measure("open lodagond-4.rmf to a document", 250.0, || {
        open_map(&map, &[], &Progress::new()).map_err(|error| error.to_string())
    });
    if !table.wants("compile") {
        return;
    }
    let doc = open_map(&map, &[], &Progress::new())
        .expect("a sound file")
        .imported
        .doc;
    let compile = |light, threads| {
        let options = compiler::Options {
            light,
            threads: Some(threads),
            ..Default::default()
        };
        compiler::compile(
            &doc,
            &options,
            &mut compiler::Cache::default(),
            &Progress::new(),
        )
        .expect("not cancelled")
    };
    table.measure("compile it without light, 2 threads", 300.0, || {
        compile(false, 2)
    });
    table.measure("compile it with light, 2 threads", 1500.0, || {
        compile(true, 2)
    });
    table.measure("compile it with light, 1 thread", f64::INFINITY, || {
        compile(true, 1)
    });
}

/// Dragging one vertex of a ball of 100 triangles (VTX-3), and all of them.
fn vertices(table: &mut Table) {
    if !table.wants("vertex drag") {
        return;
    }
    let points: Vec<DVec3> = (0..52)
        .map(|i| {
            let height = 1.0 - 2.0 * (f64::from(i) + 0.5) / 52.0;
            let (sin, cos) = (f64::from(i) * 2.399_963_229_728_653).sin_cos();
            let width = (1.0 - height * height).sqrt();
            (DVec3::new(cos * width, height, sin * width) * 256.0).round()
        })
        .collect();
    let ball = ops::brushes::hull_brush(&points, None).expect("a ball has volume");
    let (faces, corners) = (ball.faces().len(), ball.hull().points().len());
    let mut draft = Document::default().edit();
    let id = draft.insert(Object::new(Kind::Brush(ball)));
    let mut history = History::new(draft.finish().expect("a ball is sound"));
    for (name, count) in [("one vertex", 1), ("every vertex", corners)] {
        let picked: Selection = (0..count as u32).map(|v| Pick::Vertex(id, v)).collect();
        let doc = history.committed().doc.clone();
        let handles = Handles::of(&doc, &picked).expect("picked");
        let mut turn = 0;
        let row = format!("vertex drag: {name} of a brush of {faces} faces");
        table.measure(&row, 2.0, || {
            turn += 1;
            let delta = DVec3::Y * f64::from(turn % 2 + 1);
            let made = handles
                .mapped(&doc, &|point| point + delta, turn % 4 < 2)
                .expect("it stays convex");
            history
                .preview(&made.preview(handles.move_label()))
                .expect("a preview");
        });
        history.cancel();
    }
}

/// A leaning slab through 500 boxes.
fn combining(table: &mut Table) {
    if !table.wants("CSG") {
        return;
    }
    let mut draft = field_of_boxes(500).edit();
    let bounds = draft.bounds();
    let slab = Brush::cuboid(
        Aabb::new(
            DVec3::new(bounds.min.x - 64.0, 10.0, bounds.min.z - 64.0),
            DVec3::new(bounds.max.x + 64.0, 14.0, bounds.max.z + 64.0),
        ),
        None,
    )
    .transformed(
        &glam::DAffine3::from_rotation_z(0.002),
        UvLock::World,
        &|_| glam::Vec2::splat(64.0),
    );
    let slab = draft.insert(Object::new(Kind::Brush(slab)));
    let doc = draft.finish().expect("sound");
    let all: Vec<ObjectId> = doc.objects().map(|(id, _)| id).collect();
    let edit = ops::csg::subtract(vec![slab], all.clone(), false);
    table.measure("CSG: subtract one brush from 500", 20.0, || {
        let mut history = History::new(doc.clone());
        history.commit(&edit).expect("they are touched");
        history.committed().doc.object_count()
    });
    let block = ops::csg::merge(all);
    table.measure("CSG: convex merge of 500", 100.0, || {
        let mut history = History::new(doc.clone());
        history.commit(&block).expect("they have a hull");
    });
}

/// A million triangles in view: what the processor does for a frame before the driver has it.
fn frames(table: &mut Table) {
    if !table.wants("1 M triangles") {
        return;
    }
    let gpu = match Gpu::headless() {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: 1 M triangles: {error}");
            return;
        }
    };
    let doc = field_of_boxes(84_000);
    let center = doc
        .objects()
        .map(|(_, object)| object.bounds())
        .fold(Aabb::EMPTY, Aabb::union)
        .center();
    let state = State {
        doc,
        selection: Selection::new(),
    };
    let (look, mut library) = (ViewState::default(), Library::default());
    let mut view = View {
        eye: center + DVec3::Y * 24_000.0,
        pitch_deg: -89.0,
        yaw_deg: 0.0,
        size: DVec2::new(1280.0, 800.0),
        ..View::default()
    };
    let target = Target::new(&gpu, 1280, 800);
    let (options, overlay) = (DrawOptions::default(), Overlay::default());
    let mut scene = Scene::new(&gpu);
    scene.sync_all(&gpu, &state, &look, &mut library);
    let drawn = DrawKey::new(&scene, &view, &options, &overlay, &target);
    table.measure_p95(
        "1 M triangles: a frame in which nothing changed",
        1.0,
        || {
            scene.sync(&gpu, &state, &look, &mut library);
            drawn == DrawKey::new(&scene, &view, &options, &overlay, &target)
        },
    );
    for (mode, name) in [
        (RenderMode::Textured, "textured"),
        (RenderMode::Flat, "flat with edges"),
    ] {
        view.mode = mode;
        table.measure_p95_then(
            &format!("1 M triangles: sync and encode a view of all, {name}"),
            1.0,
            || {
                scene.sync(&gpu, &state, &look, &mut library);
                scene.encode(&gpu, &view, &options, &overlay, &target)
            },
            // Drawn by nobody: a software driver would take a second for each. What waits to be sent must not pile up.
            |commands| {
                drop(commands);
                gpu.queue.submit([]);
            },
        );
    }
}
