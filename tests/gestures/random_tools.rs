//! A random walk over all tools of shaping: whatever is done in whatever order, every brush stays valid, what is saved comes
//! back byte for byte, Esc in the middle of a drag leaves the map untouched, and undo leads back to the very start.
//!
//! By hand: `MAPWRIGHT_SEED=7 MAPWRIGHT_STEPS=5000 cargo test --test gestures random_tools`.

use std::path::Path;

use mapwright::document::ops::texture::Align;
use mapwright::document::ops::texture::Cycle;
use mapwright::editor::texturing::ReplaceScope;
use mapwright::editor::tools::options::OptionKind;
use mapwright::editor::tools::options::OptionValue;
use mapwright::editor::uv_view::UvInput;
use mapwright::formats::Extras;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::geometry::Grid;
use mapwright::task::Progress;

use super::*;

/// More objects than this only cost time: half of them go.
const MOST_OBJECTS: usize = 24;

/// Faces of all brushes; as above.
const MOST_FACES: usize = 400;

/// Steps between two savings.
const SAVE_EVERY: usize = 25;

/// Commands by id: what keys and menus run.
const COMMANDS: &[&str] = &[
    "csg.merge",
    "csg.join",
    "csg.subtract",
    "csg.subtract_keep",
    "csg.intersect",
    "csg.hollow",
    "csg.toggle_subtractive",
    "csg.carve_first",
    "csg.carve_last",
    "mesh.make",
    "mesh.to_brushes",
    "mesh.flip",
    "transform.flip",
    "transform.flip_vertical",
    "transform.yaw_clockwise",
    "transform.roll_counter",
    "transform.pitch_clockwise",
    "transform.drop",
    "transform.drop_up",
    "transform.drop_aligned",
    "transform.gizmo",
    "transform.local_axes",
    "transform.keep_lettering",
    "vertex.snap_integer",
    "vertex.snap_grid",
    "object.nudge_left",
    "object.nudge_far_up",
    "object.duplicate_right",
    "object.duplicate_near",
    "object.hide",
    "object.isolate",
    "object.show_all",
    "object.lock",
    "object.unlock_all",
    "object.repeat",
    "object.repeat_mark",
    "edit.duplicate",
    "edit.alignment_lock",
    "edit.uv_lock",
    "group.make",
    "group.dissolve",
    "group.open",
    "group.close",
    "layer.new",
    "layer.new_visgroup",
    "layer.show_all",
    "select.all",
    "select.invert",
    "select.siblings",
    "select.faces_to_objects",
    "select.objects_to_faces",
    "select.back",
    "select.forward",
    "select.touching",
    "select.same_material",
    "entity.light",
    "face.reset_to_face",
    "face.reset_to_world",
    "face.fit",
    "face.as_one",
    "face.flip",
    "face.turn",
    "face.turn_degree",
    "face.turn_quarter",
    "face.scale_up",
    "face.scale_down_little",
    "face.justify_left",
    "face.center",
    "face.align_edge",
    "face.fit_width",
    "face.shift_left",
    "face.shift_up_texel",
];

const TOOL_KEYS: [&str; 12] = [
    "V", "E", "F", "R", "T", "G", "C", "B", "M", "Y", "Shift+T", "J",
];

/// Numbers without a pattern, the same for the same seed (layout: SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// 0 .. count - 1.
    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.between(-reach, reach)))
    }

    fn modifiers(&mut self) -> Modifiers {
        if self.chance(40) {
            return Modifiers::NONE;
        }
        let bits = self.below(8);
        Modifiers {
            ctrl: bits & 1 != 0,
            shift: bits & 2 != 0,
            alt: bits & 4 != 0,
        }
    }
}

/// Says where it was when a check fails.
struct Walk {
    s: Session,
    dice: Dice,
    seed: u64,
    step: usize,
    /// What was done last, newest at the end.
    done: Vec<String>,
    /// Around which the map lies.
    middle: DVec3,
}

impl Drop for Walk {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}, step {}: {:#?}", self.seed, self.step, self.done);
        }
    }
}

fn save(doc: &Document) -> Vec<u8> {
    let view = ViewState::default();
    hmap::write(doc, &view, &Extras::default(), None, Path::new("walk.hmap")).expect("saves")
}

impl Walk {
    fn new(seed: u64, middle: DVec3) -> Self {
        let mut s = Session::new(|draft| {
            draft.insert_material(Material::new("brick", "brick.png"));
            draft.insert_material(Material {
                tile_size: glam::Vec2::new(128.0, 32.0),
                ..Material::new("plank", "plank.png")
            });
            let mut at = |min: [f64; 3], max: [f64; 3], material: u32| {
                let (min, max) = (DVec3::from(min) + middle, DVec3::from(max) + middle);
                cube_of(
                    draft,
                    min.to_array(),
                    max.to_array(),
                    Some(MaterialId(material)),
                );
            };
            at([-256.0, -16.0, -256.0], [256.0, 0.0, 256.0], 0);
            at([-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], 1);
        });
        for view in s.editor.views.iter_mut().filter(|view| view.is_2d()) {
            view.eye = middle;
        }
        s.look_from(middle + DVec3::new(0.0, 200.0, 300.0), -30.0, 0.0);
        Self {
            s,
            dice: Dice(seed),
            seed,
            step: 0,
            done: Vec::new(),
            middle,
        }
    }

    fn say(&mut self, text: String) {
        self.done.push(text);
        if self.done.len() > 12 {
            self.done.remove(0);
        }
    }

    fn objects(&self) -> Vec<ObjectId> {
        self.s.doc().objects().map(|(id, _)| id).collect()
    }

    /// A corner, the middle of an edge or of a face of something, or any place on the grid.
    fn spot(&mut self) -> DVec3 {
        let mut selected = self.s.selected();
        // What a tool shows before it is made is selected already.
        selected.retain(|&id| self.s.doc().object(id).is_some());
        let all = if self.dice.chance(70) && !selected.is_empty() {
            selected
        } else {
            self.objects()
        };
        if all.is_empty() || self.dice.chance(25) {
            let cells = self.dice.vector(14.0).round();
            return self.middle + cells * 16.0;
        }
        let id = *self.dice.of(&all);
        let object = self.s.doc().object(id).expect("alive");
        let Some(brush) = object.brush() else {
            let bounds = object.bounds();
            return if bounds.is_empty() {
                self.middle
            } else {
                let part = self.dice.vector(0.5) + 0.5;
                bounds.min + bounds.size() * part
            };
        };
        let hull = brush.hull().clone();
        let corners = self.dice.of(hull.loops());
        let at = |index: usize| hull.points()[corners[index % corners.len()] as usize];
        if corners.is_empty() {
            return self.middle;
        }
        let first = self.dice.below(corners.len());
        match self.dice.below(3) {
            0 => at(first),
            1 => at(first).midpoint(at(first + 1)),
            _ => (0..corners.len()).map(at).sum::<DVec3>() / corners.len() as f64,
        }
    }

    fn pane(&mut self) -> usize {
        self.dice.below(4)
    }

    /// Where a place of the map appears, or the middle of the pane.
    fn screen(&self, pane: usize, at: DVec3) -> DVec2 {
        self.s.editor.views[pane]
            .project(at)
            .map_or(SIZE * 0.5, |(at, _)| at)
            .clamp(DVec2::ZERO, SIZE)
    }

    /// A drag with everything that may happen in one; the result of one that Esc ended is the map as it was.
    fn drag(&mut self) {
        let (pane, from, by) = (self.pane(), self.spot(), self.dice.vector(160.0));
        let (modifiers, then) = (self.dice.modifiers(), self.dice.modifiers());
        let (esc, typed) = (self.dice.chance(20), self.dice.chance(12));
        self.say(format!(
            "drag in {pane} from {from} by {by}, {modifiers:?} then {then:?}, Esc {esc}, typed {typed}"
        ));
        let (from, to) = (self.screen(pane, from), self.screen(pane, from + by));
        let before = self.s.doc().clone();
        let steps = self.s.labels().len();
        self.s.hold(modifiers);
        self.s.press(pane, from);
        for step in 1..=3 {
            self.s.move_to(pane, from.lerp(to, f64::from(step) / 3.0));
            if step == 2 && then != modifiers {
                self.s.hold(then);
            }
        }
        if esc {
            if self.s.editor.is_dragging() {
                self.s.key("Esc");
                assert!(self.s.doc().same(&before), "Esc leaves the map as it was");
                assert_eq!(self.s.labels().len(), steps, "and makes no step");
                assert!(!self.s.editor.is_dragging());
            }
        } else if typed && self.s.editor.is_dragging() {
            for key in *self.dice.of(&[
                &["4", "8"][..],
                &["-", "3", "2"],
                &["1", ".", "5"],
                &["1", "6", ",", "2", "4"],
                &["0"],
                &["9", "9", "9", "9", "9", "9"],
            ]) {
                self.s.key(key);
            }
            self.s.key("Enter");
        }
        self.s.release(pane, to);
        self.s.hold(Modifiers::NONE);
        assert!(!self.s.editor.is_dragging());
    }

    fn click(&mut self) {
        let (pane, at, modifiers) = (self.pane(), self.spot(), self.dice.modifiers());
        let double = self.dice.chance(15);
        self.say(format!(
            "click in {pane} at {at}, {modifiers:?}, double {double}"
        ));
        if self.s.editor.views[pane].project(at).is_none() {
            return;
        }
        if double {
            self.s.double_click(pane, at, modifiers);
        } else {
            self.s.click_with(pane, at, modifiers);
        }
    }

    /// The texture dragged with the right button.
    fn slide(&mut self) {
        let (from, by) = (self.spot(), self.dice.vector(90.0));
        let held = Modifiers {
            shift: true,
            ..self.dice.modifiers()
        };
        self.say(format!("right drag from {from} by {by}, {held:?}"));
        let view = self.s.editor.views[VIEW_3D].clone();
        let (from, to) = (self.screen(VIEW_3D, from), self.screen(VIEW_3D, from + by));
        self.s.hold(held);
        self.s.move_to(VIEW_3D, from);
        let button = Button::Right;
        self.s.input(VIEW_3D, Input::Press { button, at: from });
        self.s.move_to(VIEW_3D, from.lerp(to, 0.5));
        self.s.move_to(VIEW_3D, to);
        self.s.input(VIEW_3D, Input::Release { button, at: to });
        self.s.hold(Modifiers::NONE);
        self.s.editor.views[VIEW_3D] = view;
    }

    fn select(&mut self) {
        let all = self.objects();
        if all.is_empty() {
            return;
        }
        let count = 1 + self.dice.below(3);
        let mut picks = Selection::new();
        let faces = self.dice.chance(35);
        for _ in 0..count {
            let id = *self.dice.of(&all);
            let brush = self.s.doc().object(id).and_then(Object::brush);
            match brush.filter(|_| faces) {
                Some(brush) => {
                    let face = self.dice.below(brush.faces().len()) as u32;
                    picks.insert(Pick::Face(id, face));
                }
                None if faces => {}
                None => {
                    picks.insert(Pick::Object(id));
                }
            }
        }
        self.say(format!("select {picks:?}"));
        let tool = self.s.editor.tool();
        if faces && tool.knows_components() {
            self.s.key("Shift+Esc");
        }
        self.s.editor.select(picks);
        self.s.check();
    }

    /// Vertices, edges or faces of what is selected.
    fn pick_components(&mut self) {
        let key = *self.dice.of(&["V", "E", "F"]);
        let kind = [ToolKind::Vertex, ToolKind::Edge, ToolKind::Face][["V", "E", "F"]
            .iter()
            .position(|known| *known == key)
            .expect("one of them")];
        self.say(format!("tool {key}"));
        if self.s.editor.tool() != kind {
            self.s.key("Shift+Esc");
            self.s.key(key);
        }
        self.click();
        if self.dice.chance(30) {
            self.click();
        }
        let key = *self.dice.of(&[
            "",
            "",
            "",
            "Del",
            "K",
            "Alt+B",
            "Ctrl+Del",
            "N",
            "I",
            "Left",
            "PgUp",
            "Shift+Up",
            "Ctrl+Shift+V",
            "R",
            "T",
            "G",
        ]);
        if key.is_empty() {
            return;
        }
        self.say(format!("key {key}"));
        self.s.now_s += 2.0;
        self.s.key(key);
    }

    /// Any option of the tool in hand, at any value it takes.
    fn option(&mut self) {
        let options = self.s.editor.tool_options();
        if options.is_empty() {
            return;
        }
        let option = self.dice.of(&options).clone();
        if option.disabled.is_some() {
            return;
        }
        let value = match option.kind {
            OptionKind::Number { min, max, step, .. } => {
                let most = match option.id {
                    "count" | "steps" | "repeats" | "segments" => 4.0,
                    "shape.sides" => 14.0,
                    "shape.tube_sides" => 6.0,
                    _ => 400.0,
                };
                let value = self.dice.between(min.max(-most), max.min(most));
                OptionValue::Number((value / step).round() * step)
            }
            OptionKind::Toggle => OptionValue::Flag(self.dice.chance(50)),
            OptionKind::Choice(names) => OptionValue::Index(self.dice.below(names.len())),
            OptionKind::Vector => self.some_vector(),
            OptionKind::Button => OptionValue::Press,
            OptionKind::Text => return,
        };
        self.say(format!("option {} = {value:?}", option.id));
        self.s.editor.set_tool_option(option.id, value);
        self.s.check();
    }

    fn some_vector(&mut self) -> OptionValue {
        match self.dice.below(4) {
            0 => OptionValue::Vector((self.dice.vector(8.0)).round() * 16.0),
            1 => OptionValue::Vector(self.dice.vector(2.0)),
            2 => OptionValue::Vector(DVec3::splat(self.dice.between(0.3, 3.0))),
            _ => {
                let text = *self
                    .dice
                    .of(&["+8", "*2", "/3", "-17.3", "1.5", "64", "*-1"]);
                OptionValue::Typed(self.dice.below(3), text.to_owned())
            }
        }
    }

    fn draw(&mut self) {
        self.s.key("Shift+Esc");
        self.s.key("Esc");
        self.s.key("Esc");
        self.s.editor.select(Selection::new());
        for _ in 0..self.dice.below(4) {
            self.option();
        }
        self.drag();
        if self.dice.chance(40) {
            self.option();
        }
    }

    fn tool(&mut self) {
        let key = *self.dice.of(&TOOL_KEYS);
        self.say(format!("key {key}"));
        self.s.key(key);
        for _ in 0..self.dice.below(4) {
            match self.dice.below(3) {
                0 => self.option(),
                1 => self.drag(),
                _ => self.click(),
            }
        }
        if self.dice.chance(50) {
            let key = *self.dice.of(&["Enter", "Enter", "Tab", "Esc"]);
            self.say(format!("key {key}"));
            self.s.key(key);
        }
        if self.dice.chance(40) {
            self.s.key("Shift+Esc");
        }
    }

    /// Tools that show what they would make until Enter.
    fn prepared(&mut self) {
        let key = *self.dice.of(&[
            "Ctrl+Alt+M",
            "Ctrl+Shift+M",
            "Y",
            "I",
            "Ctrl+Shift+B",
            "R",
            "T",
        ]);
        self.say(format!("key {key}"));
        self.s.key(key);
        for _ in 0..1 + self.dice.below(3) {
            self.option();
        }
        let key = *self.dice.of(&["Enter", "Enter", "Enter", "Esc"]);
        self.say(format!("key {key}"));
        self.s.key(key);
        self.s.key("Shift+Esc");
    }

    fn command(&mut self) {
        let id = *self.dice.of(COMMANDS);
        self.say(format!("command {id}"));
        // A refusal is fine.
        let _ = self.s.editor.run(id);
        self.s.editor.take_requests();
        self.s.check();
    }

    fn clipboard(&mut self) {
        let cut = self.dice.chance(50);
        let place = if self.dice.chance(50) {
            Place::UnderPointer
        } else {
            Place::Original
        };
        self.say(format!("copy, cut {cut}, paste {place:?}"));
        self.s.editor.take_requests();
        self.s.key(if cut { "Ctrl+X" } else { "Ctrl+C" });
        let text = self.s.editor.take_requests().pop();
        let Some(Request::CopyText(text)) = text else {
            return;
        };
        let (pane, at) = (self.pane(), self.spot());
        let at = self.screen(pane, at);
        self.s.move_to(pane, at);
        let _ = self.s.editor.paste(&text, place);
        self.s.check();
    }

    fn textures(&mut self) {
        let materials = [
            Material::new("brick", "brick.png"),
            Material::new("plank", "plank.png"),
            Material::new("door", "door.png"),
        ];
        let material = self.dice.of(&materials).clone();
        match self.dice.below(5) {
            0 => {
                self.say(format!("apply {}", material.name));
                let _ = self.s.editor.apply_material(material);
            }
            1 => {
                let from = Some(MaterialId(self.dice.below(2) as u32));
                self.say(format!("replace {from:?} by {}", material.name));
                let _ = self
                    .s
                    .editor
                    .replace_material(from, material, ReplaceScope::Map);
            }
            2 => {
                self.s.editor.current_material = Some(material);
            }
            3 => {
                let how = *self.dice.of(&[
                    Align::Fit,
                    Align::FitWidth,
                    Align::FitHeight,
                    Align::Edge,
                    Align::Right,
                    Align::Top,
                ]);
                let cycle = *self.dice.of(&[Cycle::Next, Cycle::Back, Cycle::Fraction]);
                self.say(format!("align {how:?} {cycle:?}"));
                let _ = self.s.editor.align_textures(how, cycle);
            }
            _ => {
                let place = |dice: &mut Dice| {
                    DVec2::new(dice.between(0.0, 300.0), dice.between(0.0, 300.0))
                };
                let (from, to) = (place(&mut self.dice), place(&mut self.dice));
                let (ctrl, alt) = (self.dice.chance(30), self.dice.chance(30));
                self.say(format!("uv view {from} to {to}, ctrl {ctrl}, alt {alt}"));
                let editor = &mut self.s.editor;
                editor.uv_input(UvInput::Resized {
                    size: DVec2::splat(300.0),
                });
                editor.uv_input(UvInput::Press {
                    at: from,
                    ctrl,
                    alt,
                });
                editor.uv_input(UvInput::Moved { at: to, ctrl });
                editor.uv_input(UvInput::Release);
            }
        }
        self.s.check();
    }

    fn surroundings(&mut self) {
        match self.dice.below(3) {
            0 => {
                let size = *self.dice.of(&[0.5, 1.0, 4.0, 8.0, 16.0, 16.0, 32.0]);
                self.say(format!("grid {size}"));
                self.s.editor.grid = Grid::new(size);
            }
            1 => {
                let eye = self.middle + DVec3::new(0.0, 160.0, 0.0) + self.dice.vector(240.0);
                let yaw_deg = self.dice.between(-180.0, 180.0);
                self.say(format!("look from {eye}, {yaw_deg}"));
                self.s.look_from(eye, -35.0, yaw_deg);
            }
            _ => {
                self.say("select nothing".to_owned());
                self.s.key("Shift+Esc");
                self.s.editor.select(Selection::new());
            }
        }
    }

    /// Keeps the map small, by a step of its own.
    fn thin_out(&mut self) {
        let faces: usize = self
            .s
            .doc()
            .objects()
            .filter_map(|(_, object)| object.brush())
            .map(|brush| brush.faces().len())
            .sum();
        let mut all = self.objects();
        if all.len() <= MOST_OBJECTS && faces <= MOST_FACES {
            return;
        }
        self.say("thin out".to_owned());
        self.s.key("Shift+Esc");
        let keep = all.len() / 2;
        while all.len() > keep {
            let index = self.dice.below(all.len());
            all.swap_remove(index);
        }
        self.s.select(&all);
        self.s.key("Del");
    }

    fn act(&mut self) {
        // Far enough apart for clicks and nudges to be ones of their own.
        self.s.now_s += 2.0;
        match self.dice.below(100) {
            0..14 => self.draw(),
            14..26 => self.select(),
            26..44 => self.drag(),
            44..50 => self.click(),
            50..62 => self.pick_components(),
            62..70 => self.tool(),
            70..76 => self.prepared(),
            76..88 => self.command(),
            88..90 => self.clipboard(),
            90..93 => self.textures(),
            93..94 => self.slide(),
            94..96 => self.surroundings(),
            96..98 => {
                self.say("undo".to_owned());
                self.s.key("Ctrl+Z");
            }
            _ => {
                self.say("redo".to_owned());
                self.s.key("Ctrl+Shift+Z");
            }
        }
        self.thin_out();
        self.check_loops();
    }

    /// Each face has corners of its own; the rest is checked after every event.
    fn check_loops(&self) {
        for (id, object) in self.s.doc().objects() {
            let Some(brush) = object.brush() else {
                continue;
            };
            for (index, corners) in brush.hull().loops().iter().enumerate() {
                let unique: BTreeSet<u32> = corners.iter().copied().collect();
                assert!(
                    unique.len() >= 3 && unique.len() == corners.len(),
                    "{id} face {index}: {corners:?}"
                );
            }
        }
    }

    fn check_saving(&self) {
        let bytes = save(self.s.doc());
        let read = hmap::Hmap
            .import(
                &bytes,
                Path::new("walk.hmap"),
                &NoSiblings,
                &Progress::new(),
            )
            .unwrap_or_else(|error| panic!("{error}"));
        for (id, object) in self.s.doc().objects() {
            // A reader numbers the order anew.
            let back = read.doc.object(id).map(|back| Object {
                order: object.order,
                ..back.clone()
            });
            assert!(
                back.as_ref() == Some(object),
                "{id} comes back as it was: {:?}\n{object:?}\n{back:?}",
                read.report,
            );
        }
        assert!(save(&read.doc) == bytes, "saved again it is the same");
    }

    fn run(&mut self, steps: usize) {
        let first = self.s.doc().clone();
        for step in 0..steps {
            self.step = step;
            self.act();
            if step % SAVE_EVERY == SAVE_EVERY - 1 {
                self.check_saving();
            }
        }
        self.check_saving();
        self.s.key("Shift+Esc");
        while self.s.editor.escape() {}
        while self.s.editor.redo() {}
        let last = self.s.doc().clone();
        while self.s.editor.undo() {}
        assert!(self.s.doc().same(&first), "undo leads to the start itself");
        self.s.check();
        while self.s.editor.redo() {}
        assert!(self.s.doc().same(&last), "and redo to the end");
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn walk(seeds: std::ops::Range<u64>, middle: DVec3) {
    let steps = number("MAPWRIGHT_STEPS").unwrap_or(600) as usize;
    let seeds = match number("MAPWRIGHT_SEED") {
        Some(seed) => seed..seed + number("MAPWRIGHT_SEEDS").unwrap_or(1),
        None => seeds,
    };
    for seed in seeds {
        Walk::new(seed, middle).run(steps);
    }
}

#[test]
fn vtx_all_random_tools_about_the_origin() {
    walk(1..11, DVec3::ZERO);
}

#[test]
fn vtx_all_random_tools_far_out() {
    walk(11..15, DVec3::new(20_000.0, 4096.0, -30_000.0));
}

#[test]
fn vtx_all_random_tools_at_the_bounds() {
    walk(21..25, DVec3::new(130_000.0, 0.0, -130_800.0));
}
