//! Opening, saving, autosaves (DOC).

use std::path::PathBuf;

use glam::Vec2;
use glam::Vec3;
use mapwright::compiler::Batch;
use mapwright::compiler::BatchSource;
use mapwright::compiler::Cmpl;
use mapwright::compiler::Compiled;
use mapwright::compiler::Vertex;
use mapwright::document::Issue;
use mapwright::document::ObjectFlags;
use mapwright::document::ops::faces::UvField;
use mapwright::document::ops::faces::Value;
use mapwright::document::ops::faces::set_uv;
use mapwright::formats::ImportOptions;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap::Hmap;
use mapwright::task::Progress;

use super::*;

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
    s.wait(|editor| {
        editor
            .file
            .stamp
            .is_some_and(|stamp| stamp.is_of(&path).unwrap_or(false))
    });
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

/// The floor of the map as its game lit it: all of it in one dim red.
fn red_floor(doc: &Document) -> Compiled {
    let floor = doc.objects().next().expect("the floor").1.bounds();
    let corner = |x: f64, z: f64| Vertex {
        position: DVec3::new(x, floor.max.y, z).as_vec3(),
        normal: Vec3::Y,
        uv: Vec2::ZERO,
        rgba: [100, 0, 0, 255],
    };
    let (min, max) = (floor.min, floor.max);
    let cmpl = Cmpl {
        baked: 1,
        batches: vec![Batch {
            material: -1,
            source: BatchSource::MeshPolygons,
            model: 0,
            vertices: vec![
                corner(min.x, max.z),
                corner(max.x, max.z),
                corner(max.x, min.z),
                corner(min.x, min.z),
            ],
            indices: vec![0, 1, 2, 0, 2, 3],
        }],
        ..Cmpl::default()
    };
    Compiled::of(cmpl, Some(doc.clone()))
}

#[test]
fn the_light_that_a_map_came_with_is_kept_in_its_file() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("room.hmap");
    let mut s = Session::new(floor_and_crate);
    assert!(
        s.editor.run("map.keep_original_light").is_err(),
        "it has none"
    );
    let original = red_floor(s.doc());
    s.editor.extras.original_light = Some(Arc::new(original));
    let reds = |compiled: &Compiled| {
        let vertices = compiled
            .cmpl
            .batches
            .iter()
            .flat_map(|batch| &batch.vertices);
        vertices
            .filter(|vertex| vertex.rgba == [100, 0, 0, 255])
            .count()
    };
    let idle = |editor: &Editor| {
        editor.compiled.is_some() && !editor.is_saving() && editor.build_progress().is_none()
    };
    s.editor
        .run("map.keep_original_light")
        .expect("it has some");
    assert!(s.editor.keeps_original_light());
    s.editor.save_to(&path);
    s.wait(idle);
    let of_file = || {
        let bytes = std::fs::read(&path).expect("saved");
        let imported = Hmap.import(&bytes, &path, &NoSiblings, &Progress::new());
        let imported = imported.expect("our own file");
        imported.compiled.expect("the build was added")
    };
    assert!(reds(s.editor.compiled.as_ref().expect("built")) > 3);
    assert!(reds(&of_file()) > 3, "it comes back");
    // Off again: the map's own lights.
    s.editor
        .run("map.keep_original_light")
        .expect("it has some");
    assert!(!s.editor.keeps_original_light());
    s.wait(|editor| {
        idle(editor)
            && editor
                .compiled
                .as_deref()
                .is_some_and(|built| reds(built) == 0)
    });
    assert_eq!(reds(&of_file()), 0);
}

#[test]
fn exporting_leaves_the_map_as_it_is() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut s = Session::new(floor_and_crate);
    s.editor.run("file.export").expect("a command");
    let requests = s.editor.take_requests();
    assert!(
        matches!(requests.as_slice(), [Request::Export { suggested }] if suggested.ends_with("untitled.ogz")),
        "{requests:?}"
    );
    s.editor.export_to(&folder.path().join("room"), None);
    s.wait(|editor| editor.last_export.is_some());
    let exported = s.editor.last_export.take().expect("waited for");
    assert_eq!(
        exported.files,
        ["room.ogz", "room.cfg"].map(|name| folder.path().join(name))
    );
    assert_eq!(exported.brushes, 2, "{:?}", exported.report.warnings);
    let bytes = std::fs::read(&exported.files[0]).expect("written");
    let (map, _) = mapwright::formats::ogz::read(&bytes, &mapwright::task::Progress::new())
        .expect("our own file");
    assert!(map.tree.leaves.len() > 8);
    assert!(!s.editor.is_dirty() && s.editor.file.path.is_none());
    // Where there is no folder, one sentence says so.
    s.editor.export_to(&folder.path().join("no/room.ogz"), None);
    s.wait(|editor| {
        editor
            .status()
            .is_some_and(|status| status.text.starts_with("Could not export"))
    });
}

#[test]
fn lock_3_faces_that_an_export_cannot_place_are_problems_until_they_change() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let wall = draft.insert_material(Material::new("wall", "packages/wall.jpg"));
        draft.update(id(CRATE), |object| {
            if let Kind::Brush(brush) = &mut object.kind {
                let mut faces = brush.faces().to_vec();
                for face in &mut faces {
                    face.material = Some(wall);
                }
                *brush = brush.with_surfaces(faces);
            }
        });
    });
    let turned = Pick::Face(id(CRATE), 2);
    let turn = |degrees: f64| set_uv([turned].into(), UvField::Rotation, Value::Set(degrees));
    s.editor.commit(&turn(10.0)).expect("a face");
    s.editor.export_to(&folder.path().join("room"), None);
    s.wait(|editor| editor.last_export.is_some());
    s.editor.check_all();
    let rows = |editor: &Editor| -> Vec<Issue> {
        let all = editor.problems().into_iter().map(|problem| problem.issue);
        all.filter(|issue| issue.code == "X-PICTURE").collect()
    };
    let [row] = rows(&s.editor).try_into().expect("one face is turned");
    assert_eq!((row.object, row.face), (Some(id(CRATE)), Some(2)));
    assert!(row.text.contains("texels off"), "{}", row.text);
    s.editor.show_problem(&row);
    assert_eq!(*s.editor.selection(), Selection::from([turned]));
    s.editor.commit(&turn(90.0)).expect("a face");
    s.editor.check_all();
    assert!(rows(&s.editor).is_empty());
    // Turned by a right angle it can be placed.
    s.editor.last_export = None;
    s.editor.export_to(&folder.path().join("room"), None);
    s.wait(|editor| editor.last_export.is_some());
    assert!(rows(&s.editor).is_empty());
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
fn doc_1_a_build_without_source_says_so_and_can_be_recovered() {
    use mapwright::compiler;
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("built.hmap");
    let s = Session::new(floor_and_crate);
    let options = compiler::Options {
        light: false,
        ..compiler::Options::default()
    };
    let mut cache = compiler::Cache::default();
    let progress = mapwright::task::Progress::new();
    let compiled = compiler::compile(s.doc(), &options, &mut cache, &progress).expect("built");
    let content = mapwright::formats::hmap::write_runtime(
        s.doc(),
        &mapwright::formats::Extras::default(),
        &compiled,
        &path,
    )
    .expect("written");
    std::fs::write(&path, &content).expect("written");

    let (sender, events) = std::sync::mpsc::channel();
    let sink: mapwright::editor::EventSink = Arc::new(move |event| drop(sender.send(event)));
    mapwright::editor::jobs::open(path.clone(), Vec::new(), &sink).expect("thread");
    let event = events
        .recv_timeout(Duration::from_secs(20))
        .expect("an event");
    let JobEvent::Opened(opened) = event else {
        panic!("{event:?}")
    };
    let mut editor = Editor::from_opened(*opened, Settings::default(), sink);
    assert!(editor.is_runtime_only() && !editor.is_dirty());
    editor.set_pane_size(TOP, SIZE, 1.0);
    let (corner, _) = editor.views[TOP]
        .project(s.bounds(id(FLOOR)).max)
        .expect("in view");
    let reach = ((corner - SIZE * 0.5) / (SIZE * 0.5)).abs().max_element();
    assert!(
        (reach - 0.8).abs() < 1e-3,
        "what was built fills the view: {reach}"
    );
    // Said when the clock has begun, however late that is.
    editor.tick(1000.0);
    let text = editor.status().expect("a sentence").text.clone();
    assert!(text.contains("without its source"), "{text}");
    editor.run("map.recover_brushes").expect("runs");
    assert_eq!(
        editor.history().undo_labels().collect::<Vec<_>>(),
        ["Recover brushes"]
    );
    let boxes = |doc: &Document| {
        let mut boxes: Vec<_> = doc
            .objects()
            .filter(|(_, object)| object.brush().is_some())
            .map(|(_, object)| object.bounds())
            .map(|bounds| (bounds.min.round().to_array(), bounds.max.round().to_array()))
            .collect();
        boxes.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        boxes
    };
    assert_eq!(boxes(editor.doc()), boxes(s.doc()));
    assert!(editor.is_dirty() && editor.file.path.is_none());
    assert!(editor.run("map.recover_brushes").is_err());
    editor.run("file.save").expect("runs");
    assert!(matches!(
        &editor.take_requests()[..],
        [Request::SaveAs { .. }]
    ));
    assert_eq!(std::fs::read(&path).expect("there"), content);
}

#[test]
fn doc_1_a_map_that_ran_out_of_numbers_says_so_at_save() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("full.hmap");
    let settings = Settings {
        build_on_save: false,
        ..Settings::default()
    };
    let mut s = Session::with_settings(settings, |draft| {
        floor_and_crate(draft);
        draft.set_next_id(u32::MAX);
    });
    s.editor.save_to(&path);
    s.wait(|editor| editor.file.stamp.is_some());
    let text = s.editor.status().expect("a sentence").text.clone();
    assert!(
        text.contains("full.hmap") && text.contains("new ones"),
        "{text}"
    );
}

/// A map as text: a room, and a pillar in it.
fn room_as_text() -> String {
    let cuboid = |half: [f64; 3]| {
        let mut text = String::new();
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut normal = [0.0; 3];
                normal[axis] = side;
                let mut corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
                if side < 0.0 {
                    corners.reverse();
                }
                let numbers = |at: [f64; 3]| format!("{:.6},{:.6},{:.6}", at[0], at[1], at[2]);
                text += "Begin Polygon\n";
                let unit = |axis: usize| {
                    let mut unit = [0.0; 3];
                    unit[axis] = 1.0;
                    numbers(unit)
                };
                text += &format!("Normal {}\n", numbers(normal));
                text += &format!("TextureU {}\nTextureV {}\n", unit(u), unit(v));
                for [along, up] in corners {
                    let mut at = [0.0; 3];
                    (at[axis], at[u], at[v]) = (side * half[axis], along * half[u], up * half[v]);
                    text += &format!("Vertex {}\n", numbers(at));
                }
                text += "End Polygon\n";
            }
        }
        text
    };
    let brush = |name: &str, operation: &str, half: [f64; 3]| {
        let polygons = cuboid(half);
        format!(
            "Begin Actor Class=Brush Name={name}\nCsgOper={operation}\nBegin Brush Name=M\nBegin PolyList\n{polygons}\
             End PolyList\nEnd Brush\nBrush=Model'MyLevel.M'\nEnd Actor\n"
        )
    };
    let room = brush("Room", "CSG_Subtract", [256.0, 192.0, 128.0]);
    let pillar = brush("Pillar", "CSG_Add", [16.0, 16.0, 128.0]);
    format!("Begin Map\n{room}{pillar}End Map\n")
}

#[test]
fn an_unreal_map_is_imported_again_with_its_carving_brushes() {
    let folder = tempfile::tempdir().expect("temp dir");
    let path = folder.path().join("room.t3d");
    std::fs::write(&path, room_as_text()).expect("written");
    let open = |path: PathBuf, options: ImportOptions| {
        let (sender, events) = std::sync::mpsc::channel();
        let sink: mapwright::editor::EventSink = Arc::new(move |event| drop(sender.send(event)));
        mapwright::editor::jobs::open_with(path, Vec::new(), options, &sink).expect("thread");
        let event = events
            .recv_timeout(Duration::from_secs(20))
            .expect("an event");
        let JobEvent::Opened(opened) = event else {
            panic!("{event:?}")
        };
        Editor::from_opened(*opened, Settings::default(), sink)
    };
    let carving = |editor: &Editor| {
        let brushes = editor
            .doc()
            .objects()
            .filter(|(_, object)| object.brush().is_some());
        let (carving, solid): (Vec<_>, Vec<_>) =
            brushes.partition(|(_, object)| object.flags.has(ObjectFlags::SUBTRACT));
        (carving.len(), solid.len())
    };
    let mut editor = open(path.clone(), ImportOptions::default());
    assert_eq!(
        carving(&editor),
        (0, 7),
        "six pieces of rock, and the pillar"
    );
    editor.run("file.import_carving").expect("a command");
    let requests = editor.take_requests();
    let [Request::ImportPath(asked, options)] = requests.as_slice() else {
        panic!("{requests:?}")
    };
    assert!(asked.ends_with("room.t3d") && options.keeps_carving);
    let mut again = open(asked.clone(), *options);
    assert_eq!(carving(&again), (1, 2), "the room; the rock and the pillar");
    again.run("file.import_carving").expect("once more");
    // A map of our own was not imported.
    let mut own = Session::new(floor_and_crate);
    assert!(own.editor.run("file.import_carving").is_err());
}
