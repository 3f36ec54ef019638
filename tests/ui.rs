//! The whole window without a window: the same interface code driven through its accessible names, and one picture of it
//! with the 3D view inside.

use std::sync::Arc;

use egui::Key;
use egui::Modifiers;
use egui_kittest::Harness;
use egui_kittest::SnapshotOptions;
use egui_kittest::kittest::NodeT as _;
use egui_kittest::kittest::Queryable as _;
use glam::DVec3;
use mapwright::document::Document;
use mapwright::document::Entity;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::ViewState;
use mapwright::editor::Editor;
use mapwright::editor::Settings;
use mapwright::editor::ToolKind;
use mapwright::geometry::Aabb;
use mapwright::shell::ShellOptions;
use mapwright::shell::frame::Shell;
use mapwright::shell::theme;

/// The shell is made in the first frame, since it wants the context that the harness made.
struct App {
    shell: Option<Shell>,
    render_state: Option<egui_wgpu::RenderState>,
    home: tempfile::TempDir,
    make: fn() -> Document,
    start_screen: bool,
}

impl App {
    fn ui(&mut self, ui: &mut egui::Ui) {
        let shell = self.shell.get_or_insert_with(|| {
            let options = ShellOptions {
                home: Some(self.home.path().to_owned()),
                ..ShellOptions::default()
            };
            let mut shell = Shell::new(
                ui.ctx(),
                self.render_state.take(),
                &options,
                Arc::new(|| {}),
            );
            if !self.start_screen {
                let settings = Settings::default();
                let editor = Editor::with_document(
                    (self.make)(),
                    ViewState::default(),
                    settings,
                    shell.events(),
                );
                shell.set_editor(editor);
            }
            shell
        });
        // The harness leaves a margin; a window has none.
        let whole = egui::UiBuilder::new().max_rect(ui.ctx().content_rect());
        ui.scope_builder(whole, |ui| shell.ui(ui));
    }
}

/// A floor, a wall, a lamp and a player start.
fn small_map() -> Document {
    let mut draft = Document::default().edit();
    let brick = draft.insert_material(Material::new("brick_red", "textures/brick_red.png"));
    let floor = draft.insert_material(Material::new("flagstone", "textures/flagstone.png"));
    let cuboid = |min: [f64; 3], max: [f64; 3], material| {
        let bounds = Aabb::new(DVec3::from_array(min), DVec3::from_array(max));
        Object::new(Kind::Brush(mapwright::document::Brush::cuboid(
            bounds,
            Some(material),
        )))
    };
    draft.insert(cuboid([-256.0, -16.0, -256.0], [256.0, 0.0, 256.0], floor));
    draft.insert(cuboid([-256.0, 0.0, -256.0], [256.0, 128.0, -240.0], brick));
    draft.insert(cuboid([-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], brick));
    let mut lamp = Entity::new("light", DVec3::new(96.0, 96.0, 0.0));
    lamp.set_key("intensity", "4");
    draft.insert(Object::new(Kind::Entity(lamp)));
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "info_player_start",
        DVec3::new(0.0, 32.0, 160.0),
    ))));
    draft.finish().expect("the map is sound")
}

/// A layer `wing`, three brushes, and a group `house` with a fourth.
fn grouped_map() -> Document {
    use mapwright::document::Brush;
    use mapwright::document::Group;
    use mapwright::document::Layer;
    use mapwright::document::LayerKind;
    let mut draft = Document::default().edit();
    let block = |x: f64| {
        let bounds = Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 32.0, 32.0, 32.0));
        Object::new(Kind::Brush(Brush::cuboid(bounds, None)))
    };
    for x in [0.0, 64.0, 128.0] {
        draft.insert(block(x));
    }
    let house = draft.insert(Object::new(Kind::Group(Group::new("house"))));
    draft.insert(Object {
        parent: Some(house),
        ..block(192.0)
    });
    draft.insert_layer(Layer::new(LayerKind::Layer, "wing"));
    draft.finish().expect("the map is sound")
}

fn harness_with(render: bool, start_screen: bool) -> Harness<'static, App> {
    harness_of(render, start_screen, small_map)
}

fn harness_of(render: bool, start_screen: bool, make: fn() -> Document) -> Harness<'static, App> {
    let mut builder = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_max_steps(24)
        .with_context_setup(|ctx| theme::install(ctx, &theme::FONTS));
    let mut render_state = None;
    if render {
        let state = egui_kittest::wgpu::create_render_state(
            egui_kittest::wgpu::default_wgpu_setup(),
            egui_wgpu::RendererOptions::PREDICTABLE,
        );
        let renderer = egui_kittest::wgpu::WgpuTestRenderer::from_render_state(state.clone());
        builder = builder.renderer(renderer);
        render_state = Some(state);
    }
    let app = App {
        shell: None,
        render_state,
        home: tempfile::tempdir().expect("a temporary folder"),
        make,
        start_screen,
    };
    let mut harness = builder.build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    harness.run();
    harness
}

fn harness() -> Harness<'static, App> {
    harness_with(false, false)
}

fn editor<'a>(harness: &'a Harness<'_, App>) -> &'a Editor {
    harness
        .state()
        .shell
        .as_ref()
        .expect("made in the first frame")
        .editor()
}

/// Menus, hints and tools may share a word; this is the button.
fn button<'a>(harness: &'a Harness<'_, App>, label: &'a str) -> egui_kittest::Node<'a> {
    let found: Vec<_> = harness
        .get_all_by_role_and_label(egui::accesskit::Role::Button, label)
        .collect();
    // The tool bar comes after the menu bar.
    found
        .into_iter()
        .next_back()
        .expect("there is such a button")
}

fn first_of(harness: &Harness<'_, App>, class: &str) -> ObjectId {
    let doc = editor(harness).doc();
    doc.objects()
        .find(|(_, object)| object.entity().is_some_and(|entity| entity.class == class))
        .map(|(id, _)| id)
        .expect("in the map")
}

#[test]
fn a_click_in_a_view_selects_and_a_drag_moves() {
    let mut h = harness();
    let view = h.get_by_label("Second view: Top").rect();
    // The middle of the framed map is the crate.
    h.hover_at(view.center());
    h.run();
    h.drag_at(view.center());
    h.drop_at(view.center());
    h.run();
    let selection = editor(&h).selection().clone();
    assert_eq!(selection.len(), 1, "{selection:?}");
    let Some(Pick::Object(id)) = selection.first().copied() else {
        panic!("an object is selected: {selection:?}");
    };
    let before = editor(&h).doc().object(id).expect("alive").bounds();
    h.drag_at(view.center());
    h.step();
    for step in 1..=8 {
        h.hover_at(view.center() + egui::vec2(step as f32 * 8.0, 0.0));
        h.step();
    }
    h.drop_at(view.center() + egui::vec2(64.0, 0.0));
    h.run();
    let after = editor(&h).doc().object(id).expect("alive").bounds();
    assert!(after.min.x > before.min.x, "{before:?} {after:?}");
    assert_eq!(after.min.z, before.min.z);
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    h.run();
    assert_eq!(editor(&h).doc().object(id).expect("alive").bounds(), before);
}

#[test]
fn menus_tools_and_panels_do_what_they_say() {
    let mut h = harness();
    button(&h, "Box").click();
    h.run();
    assert_eq!(editor(&h).tool(), ToolKind::Box);
    button(&h, "Select").click();
    h.run();
    let objects = editor(&h).doc().object_count();
    h.get_by_label("Edit").click();
    h.run();
    h.get_by_label("Undo");
    h.key_press(Key::Escape);
    h.run();
    assert!(h.query_by_label("Undo").is_none());
    h.get_by_label("Log").click();
    h.run();
    h.get_by_label("Find in log");
    assert_eq!(editor(&h).doc().object_count(), objects);
}

#[test]
fn the_outliner_selects_and_the_inspector_sets_a_key() {
    let mut h = harness();
    h.get_by_label("light").click();
    h.run();
    let lamp = first_of(&h, "light");
    assert_eq!(
        *editor(&h).selection(),
        Selection::from([Pick::Object(lamp)])
    );
    let field = h.get_by_label("intensity");
    field.click();
    h.run();
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run();
    h.get_by_label("intensity").type_text("9");
    h.run();
    h.key_press(Key::Enter);
    h.run();
    assert_eq!(
        editor(&h)
            .doc()
            .entity(lamp)
            .expect("alive")
            .key("intensity"),
        Some("9")
    );
    assert!(editor(&h).is_dirty());
}

#[test]
fn a_number_field_takes_relative_values_for_every_face() {
    let mut h = harness();
    let brush = editor(&h)
        .doc()
        .objects()
        .find(|(_, object)| object.brush().is_some())
        .map(|(id, _)| id)
        .expect("in the map");
    h.get_by_label(&format!("Brush {}", brush.get())).click();
    h.run();
    h.get_by_label("Offset U").click();
    h.run();
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.run();
    h.get_by_label("Offset U").type_text("+8");
    h.run();
    h.key_press(Key::Enter);
    h.run();
    let faces = editor(&h)
        .doc()
        .object(brush)
        .and_then(|object| object.brush().cloned())
        .expect("a brush");
    for face in faces.faces() {
        let tile = editor(&h).doc().tile_size(face.material);
        assert_eq!(face.uv.offset.x * tile.x, 8.0, "texels");
    }
}

#[test]
fn a_click_in_the_materials_applies_to_the_selection_and_makes_current() {
    let mut h = harness();
    let brush = editor(&h)
        .doc()
        .objects()
        .find(|(_, object)| object.brush().is_some())
        .map(|(id, _)| id)
        .expect("in the map");
    h.get_by_label(&format!("Brush {}", brush.get())).click();
    h.run();
    h.get_by_label("cobble").click();
    h.run();
    let doc = editor(&h).doc();
    let cobble = doc.material_named("cobble").expect("added to the map");
    let faces = doc
        .object(brush)
        .and_then(|object| object.brush())
        .expect("a brush")
        .faces();
    assert!(faces.iter().all(|face| face.material == Some(cobble)));
    assert_eq!(
        editor(&h)
            .current_material
            .as_ref()
            .map(|material| material.name.as_str()),
        Some("cobble")
    );
}

#[test]
fn the_palette_finds_and_runs_a_command() {
    let mut h = harness();
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    h.run();
    h.get_by_label("Command").type_text("select all");
    h.run();
    h.key_press(Key::Enter);
    h.run();
    assert_eq!(
        editor(&h).selection().len(),
        editor(&h).doc().object_count()
    );
    assert!(h.query_by_label("Command").is_none());
}

#[test]
fn closing_with_unsaved_work_asks_and_cancel_stays() {
    let mut h = harness();
    h.get_by_label("light").click();
    h.run();
    h.key_press(Key::Delete);
    h.run();
    assert!(editor(&h).is_dirty());
    h.state_mut().shell.as_mut().expect("made").request_close();
    h.run();
    h.get_by_label("Don't save");
    h.get_by_label("Cancel").click();
    h.run();
    assert!(!h.state().shell.as_ref().expect("made").has_ended());
    h.state_mut().shell.as_mut().expect("made").request_close();
    h.run();
    h.get_by_label("Don't save").click();
    h.run();
    assert!(h.state().shell.as_ref().expect("made").has_ended());
}

#[test]
fn saving_asks_once_for_a_name_and_writes_the_file() {
    let mut h = harness();
    let folder = h.state().home.path().to_owned();
    h.key_press_modifiers(Modifiers::COMMAND, Key::S);
    h.run();
    h.get_by_label("Folder").click();
    h.run();
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.get_by_label("Folder")
        .type_text(&folder.to_string_lossy());
    h.run();
    h.key_press(Key::Tab);
    h.run();
    let name = h.get_by_label("File name");
    name.click();
    h.run();
    h.key_press_modifiers(Modifiers::COMMAND, Key::A);
    h.get_by_label("File name").type_text("tower");
    h.run();
    h.get_by_label("Save").click();
    let path = folder.join("tower.hmap");
    // The save runs on a thread; the frames in between take its answer.
    for _ in 0..400 {
        h.step();
        if path.is_file() && !editor(&h).is_dirty() && editor(&h).file.path.is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(path.is_file(), "{path:?}");
    assert!(
        editor(&h)
            .file
            .path
            .as_deref()
            .is_some_and(|saved| saved.ends_with("tower.hmap"))
    );
}

#[test]
fn the_start_screen_makes_a_new_map() {
    let mut h = harness_with(false, true);
    button(&h, "New map").click();
    h.run();
    h.get_by_label("First view: 3D");
    assert_eq!(editor(&h).doc().object_count(), 0);
}

#[test]
fn an_idle_window_draws_nothing() {
    let mut h = harness_with(true, false);
    for _ in 0..200 {
        h.step();
        if h.output()
            .viewport_output
            .values()
            .all(|view| view.repaint_delay > std::time::Duration::from_millis(20))
        {
            break;
        }
    }
    let drawn = h.state().shell.as_ref().expect("made").pictures_drawn();
    assert!(drawn > 0);
    h.run_steps(5);
    assert_eq!(
        h.state().shell.as_ref().expect("made").pictures_drawn(),
        drawn
    );
}

#[test]
fn the_main_window_looks_as_it_should() {
    let mut h = harness_with(true, false);
    h.get_by_label("light").click();
    h.run();
    // Textures are decoded by workers; a few frames later they are all there.
    for _ in 0..40 {
        h.step();
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    h.remove_cursor();
    h.run();
    // Edges of the 3D picture and hinting differ a little between drivers.
    let options = SnapshotOptions::new()
        .threshold(2.0)
        .max_failed_pixels(6000);
    h.snapshot_options("main_window", &options);
}

/// Mean brightness of what is in the middle of the first view, 0 to 255.
fn brightness_of_first_view(h: &mut Harness<'_, App>) -> f64 {
    h.remove_cursor();
    h.run_steps(4);
    let rect = h.get_by_label_contains("First view").rect();
    let picture = h.render().expect("a picture");
    let middle = egui::Rect::from_center_size(rect.center(), rect.size() * 0.25);
    let mut sum = 0.0;
    let mut count = 0.0;
    for y in middle.top() as u32..middle.bottom() as u32 {
        for x in middle.left() as u32..middle.right() as u32 {
            let [r, g, b, _] = picture.get_pixel(x, y).0;
            sum += (f64::from(r) + f64::from(g) + f64::from(b)) / 3.0;
            count += 1.0;
        }
    }
    sum / count
}

#[test]
fn view_2_a_build_without_lights_does_not_turn_the_view_black() {
    let mut h = harness_of(true, false, || {
        let doc = small_map();
        let mut draft = doc.edit();
        let lamps: Vec<ObjectId> = doc
            .objects()
            .filter(|(_, object)| object.entity().is_some_and(|own| own.class == "light"))
            .map(|(id, _)| id)
            .collect();
        assert_eq!(lamps.len(), 1);
        for id in lamps {
            draft.remove(id);
        }
        draft.finish().expect("the map is sound")
    });
    // Textures are decoded by workers.
    for _ in 0..40 {
        h.step();
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    let before = brightness_of_first_view(&mut h);
    h.key_press(Key::F9);
    for _ in 0..400 {
        h.step();
        if editor(&h).compiled.is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(editor(&h).compiled.is_some() && !editor(&h).has_baked_light());
    let after = brightness_of_first_view(&mut h);
    assert!(before > 30.0, "{before}");
    assert!((after - before).abs() < 4.0, "{before} {after}");
}

#[test]
fn fingers_that_spread_zoom_the_view_under_the_pointer() {
    let mut h = harness();
    let zoom = |h: &Harness<'_, App>, pane: usize| editor(h).views[pane].points_per_unit;
    let before = zoom(&h, 1);
    let at = h.get_by_label_contains("Second view").rect().center();
    h.hover_at(at);
    h.step();
    h.event(egui::Event::Zoom(1.5));
    h.run_steps(2);
    assert!((zoom(&h, 1) / before - 1.5).abs() < 1e-3, "{}", zoom(&h, 1));
    h.event(egui::Event::Zoom(1.0 / 1.5));
    h.run_steps(2);
    assert!((zoom(&h, 1) / before - 1.0).abs() < 1e-3);
}

/// A turn of the wheel at the pointer, in notches.
fn turn_wheel(harness: &mut Harness<'_, App>, notches: f32) {
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, notches),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
}

#[test]
fn tex_9_the_wheel_steps_a_field_only_after_a_rest() {
    let mut h = harness();
    let brush = editor(&h)
        .doc()
        .objects()
        .find(|(_, object)| object.brush().is_some())
        .map(|(id, _)| id)
        .expect("in the map");
    h.get_by_label(&format!("Brush {}", brush.get())).click();
    h.run();
    let offset = |h: &Harness<'_, App>| {
        let object = editor(h).doc().object(brush).expect("alive");
        let face = &object.brush().expect("a brush").faces()[0];
        face.uv.offset.x * editor(h).doc().tile_size(face.material).x
    };
    let steps = |h: &Harness<'_, App>| editor(h).history().undo_labels().count();
    let (at, before) = (h.get_by_label("Offset U").rect().center(), steps(&h));
    // The pointer comes and the wheel turns at once: that was meant for the panel.
    h.hover_at(at);
    turn_wheel(&mut h, 1.0);
    h.step();
    h.run_steps(1);
    assert_eq!((offset(&h), steps(&h)), (0.0, before));
    h.run_steps(4);
    for _ in 0..3 {
        turn_wheel(&mut h, 1.0);
        h.step();
    }
    assert_eq!(offset(&h), 3.0, "shown while it turns");
    h.run_steps(4);
    assert_eq!((offset(&h), steps(&h)), (3.0, before + 1), "one step");
    turn_wheel(&mut h, -1.0);
    h.step();
    h.hover_at(at + egui::vec2(0.0, -400.0));
    h.run_steps(2);
    assert_eq!((offset(&h), steps(&h)), (2.0, before + 2));
    assert!(!editor(&h).history().is_previewing());
}

/// A brush whose faces differ in their offsets, and a mesh.
fn mixed_map() -> Document {
    use mapwright::document::Brush;
    use mapwright::document::Mesh;
    use mapwright::document::Polygon;
    use mapwright::geometry::Uv;
    let mut draft = Document::default().edit();
    let brush = Brush::cuboid(Aabb::new(DVec3::ZERO, DVec3::splat(64.0)), None);
    let mut faces = brush.faces().to_vec();
    for (number, face) in faces.iter_mut().enumerate() {
        face.uv.offset.x = number as f32 / 8.0;
    }
    draft.insert(Object::new(Kind::Brush(brush.with_surfaces(faces))));
    let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 64.0)];
    draft.insert(Object::new(Kind::Mesh(Mesh {
        name: "sail".to_owned(),
        points: corners
            .iter()
            .map(|&(x, y)| DVec3::new(x, y, 100.0))
            .collect(),
        polygons: vec![Polygon {
            material: None,
            smooth: 0,
            proj: Uv::default(),
            corners: vec![0, 1, 2],
            uvs: Vec::new(),
        }],
    })));
    draft.finish().expect("sound")
}

#[test]
fn tex_9_the_wheel_steps_different_values_each_from_its_own() {
    let mut h = harness_of(false, false, mixed_map);
    h.get_by_label("Brush 1").click();
    h.run();
    let offsets = |h: &Harness<'_, App>| -> Vec<f32> {
        let brush = editor(h)
            .doc()
            .objects()
            .find_map(|(_, object)| object.brush());
        let faces = brush.expect("in the map").faces();
        faces.iter().map(|face| face.uv.offset.x * 64.0).collect()
    };
    let before = offsets(&h);
    h.hover_at(h.get_by_label("Offset U").rect().center());
    h.run_steps(6);
    for _ in 0..2 {
        turn_wheel(&mut h, 1.0);
        h.step();
    }
    h.run_steps(6);
    let expected: Vec<f32> = before.iter().map(|offset| offset + 2.0).collect();
    assert_eq!(offsets(&h), expected);
    assert_eq!(editor(&h).history().undo_labels().count(), 1, "one step");
}

#[test]
fn tex_9_polygons_of_meshes_have_numbers_and_buttons() {
    let mut h = harness_of(false, false, mixed_map);
    h.get_by_label("sail").click();
    h.run();
    assert!(h.query_by_label("Offset U").is_some());
    // It lies below what the panel shows at once.
    button(&h, "Width").scroll_to_me();
    h.run();
    button(&h, "Width").click();
    h.run();
    let doc = editor(&h).doc();
    let mesh = doc
        .objects()
        .find_map(|(_, object)| object.mesh())
        .expect("in the map");
    assert_ne!(
        mesh.polygons[0].proj,
        mapwright::geometry::Uv::default(),
        "it was fitted"
    );
}

#[test]
fn tex_2_a_hovered_thumbnail_is_tried_on_and_taken_back() {
    let mut h = harness();
    let brush = editor(&h)
        .doc()
        .objects()
        .find(|(_, object)| object.brush().is_some())
        .map(|(id, _)| id)
        .expect("in the map");
    h.get_by_label(&format!("Brush {}", brush.get())).click();
    h.run();
    let shown = |h: &Harness<'_, App>| {
        let doc = editor(h).doc();
        let faces = doc.object(brush).and_then(|object| object.brush());
        let material = faces.expect("a brush").faces()[0].material;
        doc.material(material.expect("has one"))
            .expect("alive")
            .name
            .clone()
    };
    let before = shown(&h);
    let tile = h.get_by_label("cobble").rect().center();
    h.hover_at(tile);
    h.step();
    assert_eq!(shown(&h), before, "not at once");
    h.run_steps(4);
    assert_eq!(shown(&h), "cobble");
    assert!(editor(&h).history().is_previewing() && !editor(&h).is_dirty());
    h.hover_at(tile - egui::vec2(0.0, 400.0));
    h.run_steps(3);
    assert_eq!(shown(&h), before);
    assert!(!editor(&h).history().is_previewing());
    // A key ends the trying and does what it always does.
    h.hover_at(tile);
    h.run_steps(5);
    assert_eq!(shown(&h), "cobble");
    h.key_press(Key::Delete);
    h.run();
    assert!(editor(&h).doc().object(brush).is_none());
    assert!(!editor(&h).history().is_previewing());
}

#[test]
fn doc_3_a_file_changed_on_disk_can_be_compared() {
    let mut h = harness();
    let path = h.state().home.path().join("shared.hmap");
    let lamp = first_of(&h, "light");
    // Their version: another lamp, and a brighter one.
    let mut draft = editor(&h).doc().edit();
    draft.update(lamp, |object| {
        if let Kind::Entity(entity) = &mut object.kind {
            entity.set_key("intensity", "99");
        }
    });
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "light",
        DVec3::new(0.0, 96.0, 0.0),
    ))));
    let theirs = draft.finish().expect("sound");
    let bytes = mapwright::formats::hmap::write(
        &theirs,
        &ViewState::default(),
        &mapwright::formats::Extras::default(),
        None,
        &path,
    )
    .expect("encoded");
    std::fs::write(&path, bytes).expect("written");
    h.state_mut()
        .shell
        .as_mut()
        .expect("made")
        .ask_changed(path);
    h.run();
    h.get_by_label("Compare").click();
    for _ in 0..400 {
        h.step();
        if h.query_by_label("Select changed objects").is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    h.run();
    h.get_by_label("1 object changed");
    h.get_by_label("1 object added in the file");
    h.get_by_label("0 objects not in the file");
    h.get_by_label("Select changed objects").click();
    h.run();
    assert_eq!(
        *editor(&h).selection(),
        Selection::from([Pick::Object(lamp)])
    );
    let intensity = |h: &Harness<'_, App>| {
        let entity = editor(h).doc().entity(lamp).expect("alive").clone();
        entity.key("intensity").map(str::to_owned)
    };
    assert_eq!(
        intensity(&h).as_deref(),
        Some("4"),
        "nothing is taken over yet"
    );
    h.get_by_label("Reload").click();
    for _ in 0..400 {
        h.step();
        if intensity(&h).as_deref() == Some("99") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(intensity(&h).as_deref(), Some("99"));
    assert_eq!(
        *editor(&h).selection(),
        Selection::from([Pick::Object(lamp)]),
        "kept by id"
    );
}

#[test]
fn the_palette_follows_the_arrow_keys_and_says_why() {
    let mut h = harness();
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    h.run();
    let first = h.get_by_label("Command").rect().bottom();
    let chosen = |h: &Harness<'_, App>| {
        h.query_all_by_role(egui::accesskit::Role::ListBoxOption)
            .filter(|node| node.rect().width() > 500.0)
            .find(|node| node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True))
            .map(|node| node.rect())
    };
    for _ in 0..20 {
        h.key_press(Key::ArrowDown);
        h.step();
    }
    h.run();
    let row = chosen(&h).expect("the chosen row is drawn");
    assert!(
        row.top() >= first && row.bottom() < first + 32.0 * 9.0,
        "{row:?}"
    );
    for _ in 0..20 {
        h.key_press(Key::ArrowUp);
        h.step();
    }
    h.run();
    let row = chosen(&h).expect("the chosen row is drawn");
    assert!(row.top() >= first && row.bottom() < first + 64.0, "{row:?}");
    // One that cannot run now leaves the list open, since its reason stands there.
    h.get_by_label("Command").type_text("hollow");
    h.run();
    h.key_press(Key::Enter);
    h.run();
    h.get_by_label("Command");
}

#[test]
fn ent_3_defined_keys_show_their_defaults_and_offer_their_choices() {
    let mut h = harness();
    h.get_by_label("light").click();
    h.run();
    let lamp = first_of(&h, "light");
    let shadows = |h: &Harness<'_, App>| {
        let entity = editor(h).doc().entity(lamp).expect("alive").clone();
        entity.key("shadows").map(str::to_owned)
    };
    assert_eq!(shadows(&h), None, "the default stands in no entity");
    h.get_by_label("shadows: Yes").click();
    h.run();
    h.get_by_label("No").click();
    h.run();
    assert_eq!(shadows(&h).as_deref(), Some("0"));
    h.get_by_label("shadows: No");
    h.get_by_label("Reset shadows").click();
    h.run();
    assert_eq!(shadows(&h), None);
    h.get_by_label("shadows: Yes");
    assert!(h.query_by_label("Reset shadows").is_none());
}

#[test]
fn view_2_the_menu_of_a_view_turns_its_entities_off() {
    let mut h = harness();
    assert!(editor(&h).toggles(1).entities);
    h.get_by_label("View kind: Top").click();
    h.run();
    let rows: Vec<_> = h
        .get_all_by_role_and_label(egui::accesskit::Role::MenuItem, "Entities")
        .collect();
    rows.last().expect("in the menu").click();
    h.run();
    assert!(!editor(&h).toggles(1).entities);
    assert!(editor(&h).toggles(0).entities, "of this view only");
}

#[test]
fn tex_8_the_uv_view_of_the_face_panel_drags_the_texture() {
    let mut h = harness_with(true, false);
    h.get_by_label("Brush 3").click();
    h.run();
    for _ in 0..40 {
        h.step();
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    let steps =
        |h: &Harness<'_, App>| -> Vec<&'static str> { editor(h).history().undo_labels().collect() };
    let view = h.get_by_label("UV view").rect();
    let at = view.left_top() + egui::vec2(40.0, 12.0);
    if let Ok(path) = std::env::var("LOOK") {
        h.hover_at(at);
        h.run();
        h.render().expect("a picture").save(&path).expect("written");
    }
    let bytes = |h: &mut Harness<'_, App>| h.render().expect("a picture").into_raw();
    let before = bytes(&mut h);
    h.drag_at(at);
    h.step();
    h.hover_at(at + egui::vec2(30.0, 7.0));
    h.step();
    h.hover_at(at + egui::vec2(50.0, 10.0));
    h.step();
    assert!(editor(&h).history().is_previewing() && editor(&h).is_uv_dragging());
    assert_ne!(bytes(&mut h), before, "the picture moves under the face");
    h.drop_at(at + egui::vec2(50.0, 10.0));
    h.run();
    assert_eq!(steps(&h), ["Shift texture"]);
    assert!(!editor(&h).is_uv_dragging());
    let offset = editor(&h)
        .doc()
        .object(ObjectId::new(3).expect("not 0"))
        .and_then(|object| {
            let face = &object.brush()?.faces()[0];
            Some(face.uv.offset * editor(&h).doc().tile_size(face.material))
        });
    let offset = offset.expect("a face");
    assert!(
        offset.x < -1.0 && offset.x.fract() == 0.0,
        "whole texels: {offset}"
    );
}

#[test]
fn sel_10_the_find_panel_lists_and_selects() {
    let mut h = harness();
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::F);
    h.run();
    h.get_by_label("Find anything").type_text("light");
    h.run();
    h.get_by_label("Found light");
    h.key_press(Key::Enter);
    h.run();
    let lamp = first_of(&h, "light");
    assert_eq!(
        editor(&h).selection(),
        &Selection::from([Pick::Object(lamp)])
    );
}

#[test]
fn shortcuts_are_captured_conflicts_shown_and_reset() {
    let mut h = harness();
    let keys = |h: &Harness<'_, App>| editor(h).keymap.text("object.isolate");
    let before = keys(&h);
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    h.run();
    h.get_by_label("Command").type_text("isolate");
    h.run();
    h.key_press_modifiers(Modifiers::ALT, Key::Enter);
    h.run();
    h.key_press_modifiers(Modifiers::COMMAND, Key::D);
    h.run();
    let chords: Vec<String> = editor(&h)
        .keymap
        .chords("object.isolate")
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(chords, [before.clone(), "Ctrl+D".to_owned()]);
    assert_eq!(
        editor(&h).keymap.conflicts().len(),
        1,
        "it is shown, not refused"
    );
    let label = mapwright::editor::Command::find("object.isolate")
        .expect("is there")
        .label;
    h.get_by_label(&format!("Reset the keys of {label}"))
        .click();
    h.run();
    assert_eq!(editor(&h).keymap.chords("object.isolate").len(), 1);
    h.get_by_label("Keys and mouse as in: Hammer").click();
    h.run();
    assert_eq!(editor(&h).keymap.text("object.hide"), "H");
}

#[test]
fn tex_10_the_dialog_replaces_a_material() {
    let mut h = harness();
    h.key_press_modifiers(Modifiers::COMMAND, Key::H);
    h.run();
    h.get_by_label("Replace brick_red").click();
    h.run();
    h.get_by_label("By flagstone").click();
    h.run();
    h.get_by_label("Replace on 12 faces").click();
    h.run();
    let doc = editor(&h).doc();
    let brick = doc.material_named("brick_red");
    let shows = doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .flat_map(|brush| brush.faces())
        .filter(|face| brick.is_some() && face.material == brick)
        .count();
    assert_eq!(shows, 0);
}

#[test]
fn options_of_a_tool_are_set_in_the_tool_bar() {
    let mut h = harness();
    button(&h, "Box").click();
    h.run();
    let options = editor(&h).tool_options();
    assert!(!options.is_empty(), "the box tool has options");
    for size in [1280.0, 960.0] {
        h.set_size(egui::vec2(size, 700.0));
        h.run();
        // Nothing of the bar leaves the window.
        let bar = h.get_by_label("Grid size").rect();
        assert!(bar.right() < size, "{bar:?}");
        for node in h.get_all_by_role(egui::accesskit::Role::Button) {
            assert!(
                node.rect().right() <= size + 0.5,
                "{:?}",
                node.accesskit_node().label()
            );
        }
    }
}

#[test]
fn sel_11_eyes_are_painted_by_dragging() {
    let mut h = harness();
    let eye = |h: &Harness<'_, App>, n: u32| {
        h.get_by_label(&format!("Show or hide Brush {n}"))
            .rect()
            .center()
    };
    let hidden = |h: &Harness<'_, App>| {
        (1..=3)
            .map(|n| {
                let id = ObjectId::new(n).expect("not 0");
                editor(h).look.is_hidden(editor(h).doc(), id)
            })
            .collect::<Vec<_>>()
    };
    let steps = editor(&h).history().undo_labels().count();
    let (from, to) = (eye(&h, 1), eye(&h, 3));
    h.hover_at(from);
    h.run();
    h.event(egui::Event::PointerButton {
        pos: from,
        button: egui::PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    });
    h.step();
    assert_eq!(hidden(&h), [true, false, false]);
    for share in [0.5, 1.0] {
        h.hover_at(from.lerp(to, share));
        h.step();
        h.step();
    }
    h.event(egui::Event::PointerButton {
        pos: to,
        button: egui::PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    h.run();
    assert_eq!(hidden(&h), [true, true, true]);
    assert_eq!(editor(&h).history().undo_labels().count(), steps, "no step");
}

fn press_key(h: &mut Harness<'_, App>, key: Key, pressed: bool, modifiers: Modifiers) {
    h.event(egui::Event::Key {
        key,
        physical_key: Some(key),
        pressed,
        repeat: false,
        modifiers,
    });
    h.step();
}

fn tap(h: &mut Harness<'_, App>, key: Key) {
    press_key(h, key, true, Modifiers::NONE);
    press_key(h, key, false, Modifiers::NONE);
}

fn has_focus(h: &Harness<'_, App>) -> bool {
    h.ctx.memory(|memory| memory.focused().is_some())
}

fn button_event(h: &mut Harness<'_, App>, pos: egui::Pos2, pressed: bool) {
    h.event(egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    h.step();
}

#[test]
fn view_5_tab_over_a_view_is_x_ray_and_walks_to_no_widget() {
    let mut h = harness();
    let view = h.get_by_label("First view: 3D").rect();
    h.hover_at(view.center());
    h.run();
    press_key(&mut h, Key::Tab, true, Modifiers::NONE);
    assert!(editor(&h).xray().is_some());
    for _ in 0..3 {
        h.step();
        assert!(!has_focus(&h), "no widget has the keyboard");
    }
    press_key(&mut h, Key::Tab, false, Modifiers::NONE);
    assert!(editor(&h).xray().is_none());
    // Over a panel it walks, and the views do not hear of it.
    let row = h.get_by_label("Show or hide Brush 1").rect();
    h.hover_at(row.center());
    h.run();
    press_key(&mut h, Key::Tab, true, Modifiers::NONE);
    h.step();
    assert!(editor(&h).xray().is_none());
    assert!(has_focus(&h));
    press_key(&mut h, Key::Tab, false, Modifiers::NONE);
    press_key(&mut h, Key::Escape, true, Modifiers::NONE);
    press_key(&mut h, Key::Escape, false, Modifiers::NONE);
    assert!(!has_focus(&h));
    // So it does where the pointer rests over a view once the keyboard was sent to a dock.
    h.hover_at(view.center());
    h.run();
    press_key(&mut h, Key::Tab, true, Modifiers::COMMAND);
    press_key(&mut h, Key::Tab, false, Modifiers::COMMAND);
    press_key(&mut h, Key::Tab, true, Modifiers::NONE);
    h.step();
    assert!(has_focus(&h) && editor(&h).xray().is_none());
}

#[test]
fn entry_0_8_tab_in_a_drag_goes_to_the_next_number() {
    let mut h = harness();
    let view = h.get_by_label("Second view: Top").rect();
    let from = view.center();
    h.hover_at(from);
    h.run();
    button_event(&mut h, from, true);
    button_event(&mut h, from, false);
    let Some(Pick::Object(id)) = editor(&h).selection().first().copied() else {
        panic!("an object is selected");
    };
    let before = editor(&h).doc().object(id).expect("alive").bounds();
    button_event(&mut h, from, true);
    for step in 1..=4 {
        h.hover_at(from + egui::vec2(step as f32 * 8.0, 0.0));
        h.step();
    }
    assert!(editor(&h).is_dragging());
    tap(&mut h, Key::Num8);
    assert!(editor(&h).is_entering());
    tap(&mut h, Key::Tab);
    assert!(!has_focus(&h));
    tap(&mut h, Key::Num4);
    tap(&mut h, Key::Enter);
    assert!(!editor(&h).is_dragging());
    button_event(&mut h, from + egui::vec2(32.0, 0.0), false);
    h.run();
    let after = editor(&h).doc().object(id).expect("alive").bounds();
    let moved = after.min - before.min;
    assert_eq!(moved.x, 8.0);
    assert_eq!(moved.y.abs() + moved.z.abs(), 4.0, "{moved}");
}

#[test]
fn clp_2_tab_turns_the_sides_and_f1_shows_it() {
    let mut h = harness();
    let view = h.get_by_label("Second view: Top").rect();
    let from = view.center();
    h.hover_at(from);
    h.run();
    button_event(&mut h, from, true);
    button_event(&mut h, from, false);
    tap(&mut h, Key::C);
    assert_eq!(editor(&h).tool(), ToolKind::Clip);
    // The bar says what the tool does now.
    h.run();
    h.get_by_label("Place a point");
    button_event(&mut h, from + egui::vec2(0.0, -80.0), true);
    for step in 1..=4 {
        h.hover_at(from + egui::vec2(0.0, step as f32 * 40.0 - 80.0));
        h.step();
    }
    let count = |h: &Harness<'_, App>| editor(h).state().doc.object_count();
    let one = editor(&h).history().committed().doc.object_count();
    assert_eq!(count(&h), one, "the front stays");
    // While the points are dragged as well as afterwards.
    tap(&mut h, Key::Tab);
    tap(&mut h, Key::Tab);
    assert_eq!(count(&h), one + 1, "both stay");
    button_event(&mut h, from + egui::vec2(0.0, 80.0), false);
    tap(&mut h, Key::Tab);
    assert_eq!(count(&h), one);
    assert!(!has_focus(&h));
    tap(&mut h, Key::F1);
    h.run();
    h.get_by_label("Sides of the clip: Tab, Ctrl+Enter");
    assert!(h.query_by_label("Loop of edges").is_none());
    tap(&mut h, Key::Escape);
    h.run();
    tap(&mut h, Key::Enter);
    assert_eq!(editor(&h).history().undo_label(), Some("Clip"));
}

/// The outliner's row of an object, found by its name.
fn row_of(h: &Harness<'_, App>, name: &str) -> egui::Pos2 {
    h.get_all_by_role(egui::accesskit::Role::TreeItem)
        .find(|node| node.accesskit_node().label().as_deref() == Some(name))
        .unwrap_or_else(|| panic!("no row {name}"))
        .rect()
        .center()
}

fn carry(h: &mut Harness<'_, App>, from: egui::Pos2, to: egui::Pos2, esc: bool) {
    h.hover_at(from);
    h.run();
    button_event(h, from, true);
    for share in [0.3, 0.6, 1.0] {
        h.hover_at(from.lerp(to, share));
        h.step();
    }
    h.step();
    if esc {
        tap(h, Key::Escape);
    }
    button_event(h, to, false);
    h.run();
}

#[test]
fn sel_11_rows_drag_into_groups_and_layers() {
    let mut h = harness_of(false, false, grouped_map);
    let number = |n| ObjectId::new(n).expect("not 0");
    let object = |h: &Harness<'_, App>, n: u32| {
        let object = editor(h).doc().object(number(n)).expect("alive").clone();
        (object.parent, object.layer)
    };
    let labels = |h: &Harness<'_, App>| editor(h).history().undo_labels().collect::<Vec<_>>();
    let wing = editor(&h).doc().layers().next().expect("a layer").0;

    let (from, to) = (row_of(&h, "Brush 1"), row_of(&h, "wing"));
    carry(&mut h, from, to, true);
    assert!(labels(&h).is_empty(), "Esc dropped it");
    carry(&mut h, from, to, false);
    assert_eq!(object(&h, 1), (None, Some(wing)));
    assert_eq!(labels(&h), ["Move to layer"]);

    // Two that are selected go together.
    let click = |h: &mut Harness<'_, App>, name: &str, modifiers: Modifiers| {
        let at = row_of(h, name);
        h.hover_at(at);
        h.run();
        for pressed in [true, false] {
            h.event(egui::Event::PointerButton {
                pos: at,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers,
            });
        }
        h.run();
    };
    click(&mut h, "Brush 2", Modifiers::NONE);
    h.event(egui::Event::ModifiersChanged(Modifiers::COMMAND));
    click(&mut h, "Brush 3", Modifiers::COMMAND);
    h.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    h.run();
    assert_eq!(editor(&h).selection().len(), 2);
    let (from, to) = (row_of(&h, "Brush 2"), row_of(&h, "house"));
    carry(&mut h, from, to, false);
    assert_eq!(object(&h, 2).0, Some(number(4)));
    assert_eq!(object(&h, 3).0, Some(number(4)));
    assert_eq!(labels(&h), ["Move to layer", "Move to group"]);

    // A group does not go into itself; the bar says so.
    h.get_by_label("Open house").click();
    h.run();
    let (from, to) = (row_of(&h, "house"), row_of(&h, "Brush 2"));
    carry(&mut h, from, to, false);
    assert_eq!(labels(&h).len(), 2);
    let said = editor(&h).status().expect("a reason").text.clone();
    assert!(said.contains("into itself"), "{said}");
}

#[test]
fn sel_11_locks_are_painted_by_dragging_even_in_haste() {
    let mut h = harness();
    let lock = |h: &Harness<'_, App>, n: u32| {
        h.get_by_label(&format!("Lock or unlock Brush {n}"))
            .rect()
            .center()
    };
    let (from, to) = (lock(&h, 1), lock(&h, 3));
    h.hover_at(from);
    h.run();
    button_event(&mut h, from, true);
    // From the first to the last within one frame: the one between counts as well.
    h.hover_at(to);
    h.step();
    h.step();
    button_event(&mut h, to, false);
    h.run();
    let locked: Vec<u32> = editor(&h).look.locked.iter().map(|id| id.get()).collect();
    assert_eq!(locked, [1, 2, 3]);
}

/// Selects from outside of the window.
fn select_in(h: &mut Harness<'_, App>, ids: &[ObjectId]) {
    let shell = h.state_mut().shell.as_mut().expect("made");
    let doc = shell.editor().doc().clone();
    let (look, settings) = (ViewState::default(), Settings::default());
    let mut editor = Editor::with_document(doc, look, settings, shell.events());
    editor.select(ids.iter().map(|&id| Pick::Object(id)).collect());
    shell.set_editor(editor);
}

#[test]
fn sel_11_of_many_rows_only_those_in_sight_are_drawn() {
    let mut h = harness_of(false, false, || {
        let mut draft = Document::default().edit();
        for _ in 0..5_000 {
            let light = Entity::new("light", DVec3::ZERO);
            draft.insert(Object::new(Kind::Entity(light)));
        }
        draft.finish().expect("the map is sound")
    });
    let rows = h.get_all_by_role(egui::accesskit::Role::TreeItem).count();
    assert!((5..100).contains(&rows), "{rows} rows");
    // A selection made elsewhere is brought into sight.
    let far = ObjectId::new(3_000).expect("not 0");
    select_in(&mut h, &[far]);
    h.run();
    let selected = h
        .get_all_by_role(egui::accesskit::Role::TreeItem)
        .filter(|node| node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True))
        .count();
    assert_eq!(selected, 1);
}

#[test]
fn hist_1_any_row_of_the_history_is_gone_to() {
    let mut h = harness();
    h.get_by_label("History").click();
    h.run();
    let view = h.get_by_label("Second view: Top").rect();
    h.hover_at(view.center());
    h.run();
    button_event(&mut h, view.center(), true);
    button_event(&mut h, view.center(), false);
    for _ in 0..4 {
        tap(&mut h, Key::ArrowRight);
        // Nudges within a second would be one step.
        for _ in 0..8 {
            h.step();
        }
    }
    let rows = |h: &Harness<'_, App>| {
        h.get_all_by_role(egui::accesskit::Role::ListBoxOption)
            .filter_map(|node| {
                let node = node.accesskit_node();
                let label = node.label()?;
                label.contains(", step ").then(|| {
                    (
                        label,
                        node.toggled() == Some(egui::accesskit::Toggled::True),
                    )
                })
            })
            .collect::<Vec<_>>()
    };
    let expected = |current: usize| -> Vec<(String, bool)> {
        (0..5)
            .map(|index| {
                let label = if index == 0 { "Start" } else { "Move" };
                (format!("{label}, step {index}"), index == current)
            })
            .collect()
    };
    assert_eq!(rows(&h), expected(4));
    for target in [1, 3, 0, 4] {
        let label = expected(0)[target].0.clone();
        h.get_by_label(&label).click();
        h.run();
        assert_eq!(editor(&h).history().done_count(), target);
        assert_eq!(rows(&h), expected(target), "those undone stay in sight");
    }
}
