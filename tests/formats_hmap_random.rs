//! `.hmap` with random maps and damaged bytes: what is saved comes back, and no bytes make the reader panic.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use mapwright::compiler::Box3;
use mapwright::compiler::Bsp;
use mapwright::compiler::Cmpl;
use mapwright::compiler::Compiled;
use mapwright::compiler::LightKind;
use mapwright::compiler::LightRecord;
use mapwright::compiler::Model;
use mapwright::compiler::Stats;
use mapwright::document::Brush;
use mapwright::document::Camera;
use mapwright::document::CameraKind;
use mapwright::document::Contents;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Entity;
use mapwright::document::Group;
use mapwright::document::Kind;
use mapwright::document::Layer;
use mapwright::document::LayerId;
use mapwright::document::LayerKind;
use mapwright::document::MapPath;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::Mesh;
use mapwright::document::Object;
use mapwright::document::ObjectFlags;
use mapwright::document::ObjectId;
use mapwright::document::PathKind;
use mapwright::document::Polygon;
use mapwright::document::RawChunk;
use mapwright::document::SurfaceFlags;
use mapwright::document::ViewState;
use mapwright::formats::EmbeddedTexture;
use mapwright::formats::Extras;
use mapwright::formats::Imported;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::Origin;
use mapwright::formats::Thumbnail;
use mapwright::formats::hmap;
use mapwright::formats::hmap::Hmap;
use mapwright::formats::hmap::Level;
use mapwright::geometry::Aabb;
use mapwright::geometry::Uv;
use mapwright::geometry::UvAxes;
use mapwright::task::Progress;
use proptest::prelude::*;

const PATH: &str = "made.hmap";

fn import(bytes: &[u8]) -> Imported {
    Hmap.import(bytes, Path::new(PATH), &NoSiblings, &Progress::new())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A source of choices (splitmix64).
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.bits() % 100 < percent
    }

    /// A coordinate that `f32` holds.
    fn coordinate(&mut self) -> f64 {
        f64::from((self.below(4096) as f32 - 2048.0) / 8.0)
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.coordinate(), self.coordinate(), self.coordinate())
    }

    fn one<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() {
            None
        } else {
            Some(list[self.below(list.len())])
        }
    }

    fn text(&mut self) -> String {
        [
            "",
            "a",
            "door_1",
            "größe 日本",
            "with space",
            "line\nbreak",
            "0\0nul",
        ][self.below(7)]
        .to_owned()
    }

    fn uv(&mut self) -> Uv {
        Uv {
            offset: Vec2::new(self.coordinate() as f32, self.coordinate() as f32),
            scale: Vec2::new(1.0, -0.25),
            rotation_deg: self.below(360) as f32,
        }
    }
}

struct Made {
    doc: Document,
    view: ViewState,
    extras: Extras,
}

/// A map as the editor could hold it: members of groups lie in the layer of the outermost one, owned geometry in that of its entity.
struct Maker {
    dice: Dice,
    draft: Draft,
    layers: Vec<LayerId>,
    visgroups: Vec<LayerId>,
    materials: usize,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut maker = Self {
            dice: Dice(seed),
            draft: Document::default().edit(),
            layers: Vec::new(),
            visgroups: Vec::new(),
            materials: 0,
        };
        maker.materials = maker.dice.below(4);
        let materials = (0..maker.materials).map(|index| Material {
            tile_size: Vec2::new(32.0, 64.5),
            color: Vec3::new(0.5, 0.25, 1.0),
            flags: SurfaceFlags(0x8000_0004),
            ..Material::new(format!("m{index}"), "a/b.png")
        });
        maker.draft.set_materials(materials.collect());
        for index in 0..maker.dice.below(6) {
            let kind = if maker.dice.chance(50) {
                LayerKind::Layer
            } else {
                LayerKind::Visgroup
            };
            let mut layer = Layer::new(kind, maker.dice.text());
            let of_kind = if kind == LayerKind::Layer {
                &maker.layers
            } else {
                &maker.visgroups
            };
            layer.parent = maker.dice.one(of_kind).filter(|_| index % 2 == 0);
            layer.no_compile = maker.dice.chance(20);
            layer.flags = if maker.dice.chance(20) { 0x100 } else { 0 };
            layer.rank = maker.dice.below(9) as u32;
            layer.color = [1, 2, 3, maker.dice.below(256) as u8];
            let id = maker.draft.insert_layer(layer);
            if kind == LayerKind::Layer {
                maker.layers.push(id);
            } else {
                maker.visgroups.push(id);
            }
        }
        maker
    }

    fn put(&mut self, kind: Kind, parent: Option<ObjectId>) -> ObjectId {
        let is_group = matches!(kind, Kind::Group(_));
        let mut object = Object::new(kind);
        object.parent = parent;
        object.layer = match parent.and_then(|parent| self.draft.object(parent)) {
            Some(parent) => parent.layer,
            None => self.dice.one(&self.layers).filter(|_| self.dice.chance(60)),
        };
        if !is_group {
            let mut visgroups = self.visgroups.clone();
            visgroups.retain(|_| self.dice.chance(30));
            object.visgroups = Arc::from(visgroups);
            object.flags = ObjectFlags([0, 0x08, 0x30, 0x4000_0000][self.dice.below(4)]);
        }
        // A bit of its own is not told apart from that of a container.
        if is_group || (parent.is_none() && object.layer.is_none() && object.visgroups.is_empty()) {
            object.flags.0 |= if self.dice.chance(15) {
                ObjectFlags::NO_COMPILE.0
            } else {
                0
            };
        }
        self.draft.insert(object)
    }

    fn material(&mut self) -> Option<MaterialId> {
        let choice = self.dice.below(self.materials + 1);
        (choice < self.materials).then_some(MaterialId(choice as u32))
    }

    fn geometry(&mut self, parent: Option<ObjectId>) {
        let kind = if self.dice.chance(75) {
            self.brush()
        } else {
            self.mesh()
        };
        self.put(kind, parent);
    }

    fn brush(&mut self) -> Kind {
        let corner = self.dice.point();
        let size = DVec3::new(8.0, 16.0, 1.0 + self.dice.below(64) as f64);
        let mut faces = Brush::cuboid(Aabb::new(corner, corner + size), None)
            .faces()
            .to_vec();
        for face in &mut faces {
            face.material = self.material();
            face.uv = self.dice.uv();
            face.flags = SurfaceFlags([0, 1, 0x1000, 0x8000_0000][self.dice.below(4)]);
            if self.dice.chance(15) {
                let axes = UvAxes {
                    u: DVec3::new(0.5, 0.25, 0.0),
                    u_offset: 0.125,
                    v: DVec3::new(0.0, -0.5, 0.75),
                    v_offset: -3.0,
                };
                face.axes = Some(Arc::new(axes));
            }
        }
        if self.dice.chance(5) {
            faces.truncate(self.dice.below(5));
            return Kind::Brush(Brush::as_stored(Contents(1), faces));
        }
        let contents = Contents([1, 0, 2, 8, 16][self.dice.below(5)]);
        let plain = Brush::as_stored(contents, faces.clone());
        let exact = self.dice.chance(20).then(|| {
            plain
                .hull()
                .points()
                .iter()
                .map(|point| point.as_vec3())
                .collect()
        });
        Kind::Brush(Brush::with_exact(contents, faces, exact))
    }

    fn mesh(&mut self) -> Kind {
        let corner = self.dice.point();
        let points: Vec<DVec3> = [(0, 0), (32, 0), (32, 32), (0, 32)]
            .map(|(x, y)| corner + DVec3::new(f64::from(x), f64::from(y), 0.0))
            .into();
        let polygon = |corners: Vec<u32>, material, proj| {
            let uvs = if corners.len() == 3 {
                Vec::new()
            } else {
                vec![Vec2::new(0.5, -1.0); corners.len()]
            };
            Polygon {
                material,
                smooth: 3,
                proj,
                corners,
                uvs,
            }
        };
        let polygons = vec![
            polygon(vec![0, 1, 2, 3], self.material(), self.dice.uv()),
            polygon(vec![2, 1, 0], self.material(), self.dice.uv()),
        ];
        Kind::Mesh(Mesh {
            name: self.dice.text(),
            points,
            polygons,
        })
    }

    fn group(&mut self, parent: Option<ObjectId>) -> ObjectId {
        let mut group = Group::new(self.dice.text());
        group.rank = self.dice.below(5) as u32;
        group.color = [9, 8, 7, 6];
        self.put(Kind::Group(group), parent)
    }

    fn entity(&mut self, parent: Option<ObjectId>) -> ObjectId {
        let mut entity = Entity::new(self.dice.text(), self.dice.point());
        entity.angles_deg = self.dice.point();
        for _ in 0..self.dice.below(4) {
            entity.keys.push((self.dice.text(), self.dice.text()));
        }
        let id = self.put(Kind::Entity(entity), parent);
        for _ in 0..self.dice.below(3) {
            self.geometry(Some(id));
        }
        if self.dice.chance(30) {
            // Groups inside an entity, the inner one in the outer one.
            let outer = self.group(Some(id));
            self.geometry(Some(outer));
            let inner = self.group(Some(outer));
            self.geometry(Some(inner));
        }
        id
    }

    fn finish(mut self) -> Made {
        let mut entities = Vec::new();
        for _ in 0..self.dice.below(5) {
            self.geometry(None);
        }
        for _ in 0..self.dice.below(4) {
            entities.push(self.entity(None));
        }
        for _ in 0..self.dice.below(3) {
            let outer = self.group(None);
            let inner = self.dice.chance(50).then(|| self.group(Some(outer)));
            for parent in [Some(outer), inner].into_iter().flatten() {
                for _ in 0..self.dice.below(3) {
                    self.geometry(Some(parent));
                }
                if self.dice.chance(40) {
                    entities.push(self.entity(Some(parent)));
                }
            }
        }
        for index in 0..self.dice.below(3) {
            let nodes = entities
                .iter()
                .copied()
                .filter(|_| self.dice.chance(60))
                .collect();
            let kind = [PathKind::OneWay, PathKind::Circular, PathKind::PingPong][index];
            self.draft.insert_path(MapPath {
                name: self.dice.text(),
                kind,
                flags: 5,
                nodes,
            });
        }
        *self.draft.settings_mut() = mapwright::document::MapSettings {
            name: self.dice.text(),
            ambient: Vec3::new(0.25, 0.0, 1.0),
            units_per_meter: 39.37,
        };
        let chunk = |tag: [u8; 4], bytes: &[u8]| RawChunk {
            tag,
            payload: Arc::from(bytes),
            after_compiled: false,
        };
        self.draft.set_extra(vec![
            chunk(*b"zzzz", b"one"),
            chunk(*b"abcd", b""),
            chunk(*b"zzzz", b"two"),
        ]);
        let next = self.draft.next_id() + self.dice.below(3) as u32;
        self.draft.set_next_id(next);
        let dice = &mut self.dice;
        let doc = self.draft.as_read();
        let view = view(dice, &doc);
        let extras = extras(dice);
        Made { doc, view, extras }
    }
}

fn view(dice: &mut Dice, doc: &Document) -> ViewState {
    let mut view = ViewState {
        grid: 0.125,
        ..ViewState::default()
    };
    view.hidden = doc
        .objects()
        .map(|(id, _)| id)
        .filter(|_| dice.chance(10))
        .collect();
    view.locked = doc
        .objects()
        .map(|(id, _)| id)
        .filter(|_| dice.chance(10))
        .collect();
    view.hidden_layers = doc
        .layers()
        .map(|(id, _)| id)
        .filter(|_| dice.chance(30))
        .collect();
    view.locked_layers = doc
        .layers()
        .map(|(id, _)| id)
        .filter(|_| dice.chance(30))
        .collect();
    for _ in 0..dice.below(3) {
        let kind = [
            CameraKind::Perspective,
            CameraKind::Top,
            CameraKind::Front,
            CameraKind::Side,
        ][dice.below(4)];
        let perspective = kind == CameraKind::Perspective;
        view.cameras.push(Camera {
            name: dice.text(),
            kind,
            flags: dice.below(4) as u32,
            eye: dice.point().as_vec3(),
            angles_deg: dice.point().as_vec3(),
            fov_y_deg: if perspective { 75.0 } else { 0.0 },
            ortho_height: if perspective { 0.0 } else { 512.0 },
        });
    }
    view.active_camera = (!view.cameras.is_empty() && dice.chance(70)).then_some(0);
    view
}

fn extras(dice: &mut Dice) -> Extras {
    let picture = |width| Thumbnail {
        width,
        height: 3,
        png: Arc::from([1, 2, 3].as_slice()),
    };
    let texture = EmbeddedTexture {
        name: "a/b.png".into(),
        encoding: 1,
        width: 1,
        height: 2,
        bytes: Arc::from([7; 8].as_slice()),
    };
    let origin = Origin {
        format: "rmf 2.2".into(),
        file_name: "ü.rmf".into(),
        file_size: 1 << 33,
        crc32: 5,
        tool: "t".into(),
        settings: vec![("a".into(), "b".into())],
    };
    Extras {
        header_bits: if dice.chance(20) { 0x100 } else { 0 },
        thumbnail: dice.chance(50).then(|| picture(4)),
        textures: Arc::new(if dice.chance(50) {
            vec![texture]
        } else {
            Vec::new()
        }),
        origin: dice.chance(50).then_some(origin),
        sums: dice.chance(50),
        ..Extras::default()
    }
}

fn check_round_trip(made: &Made) -> Result<(), TestCaseError> {
    let bytes =
        hmap::write(&made.doc, &made.view, &made.extras, None, Path::new(PATH)).expect("saves");
    let again = import(&bytes);
    for (id, object) in made.doc.objects() {
        prop_assert_eq!(again.doc.object(id), Some(object));
    }
    prop_assert!(
        again.doc.equals(&made.doc),
        "{:?}\n{:?}",
        again.doc,
        made.doc
    );
    prop_assert_eq!(&again.view, &made.view);
    prop_assert_eq!(&again.extras.origin, &made.extras.origin);
    prop_assert_eq!(&again.extras.thumbnail, &made.extras.thumbnail);
    prop_assert_eq!(&again.extras.textures, &made.extras.textures);
    prop_assert_eq!(
        (again.extras.sums, again.extras.header_bits),
        (made.extras.sums, made.extras.header_bits)
    );
    let saved = hmap::write(
        &again.doc,
        &again.view,
        &again.extras,
        None,
        Path::new(PATH),
    )
    .expect("saves");
    prop_assert!(saved == bytes, "saved twice, other bytes");
    let fine = [
        "W-KEY",
        "W-CLASS",
        "W-NUL",
        "W-HDRFLAGS",
        "E-OPEN",
        "E-FACES",
    ];
    let findings = hmap::check(&bytes, Path::new(PATH));
    prop_assert!(
        findings.iter().all(|finding| fine.contains(&finding.code)),
        "{:?}",
        findings
    );
    for (id, object) in made.doc.objects() {
        // What is left out of builds is so for a reader that knows no layers, too.
        if object.group().is_none() {
            prop_assert_eq!(again.doc.is_left_out(id), made.doc.is_left_out(id));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_is_saved_comes_back(seed in any::<u64>()) {
        check_round_trip(&Maker::new(seed).finish())?;
    }
}

/// The base chunks alone say what is compiled: NO_COMPILE of a layer stands on the records of its members.
#[test]
fn layers_that_are_left_out_mark_their_members() {
    let mut draft = Document::default().edit();
    let mut layer = Layer::new(LayerKind::Layer, "off");
    layer.no_compile = true;
    let layer = draft.insert_layer(layer);
    let mut object = Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
        None,
    )));
    object.layer = Some(layer);
    let brush = draft.insert(object);
    let doc = draft.as_read();
    let bytes = hmap::write(
        &doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new(PATH),
    )
    .expect("saves");
    let brsh = bytes
        .windows(4)
        .position(|window| window == b"BRSH")
        .expect("chunk")
        + 12;
    let flags = u32::from_le_bytes(bytes[brsh + 12..brsh + 16].try_into().expect("four"));
    assert_eq!(flags, ObjectFlags::NO_COMPILE.0);
    let again = import(&bytes).doc;
    assert_eq!(
        again.object(brush).expect("there").flags,
        ObjectFlags::default()
    );
    assert!(again.is_left_out(brush));
}

#[test]
fn document_order_is_kept() {
    let mut draft = Document::default().edit();
    for (number, order) in [(5, 0), (3, 1), (4, 2)] {
        let mut object = Object::new(Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
            None,
        )));
        object.order = order;
        draft.put(ObjectId::new(number).expect("not 0"), object);
    }
    let doc = draft.as_read();
    let bytes = hmap::write(
        &doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new(PATH),
    )
    .expect("saves");
    let again = import(&bytes);
    assert!(again.doc.equals(&doc));
    let ids: Vec<u32> = again
        .doc
        .objects_in_order()
        .iter()
        .map(|(id, _)| id.get())
        .collect();
    assert_eq!(ids, [5, 3, 4]);
}

#[test]
fn used_up_numbers_begin_again() {
    let id = |number| ObjectId::new(number).expect("not 0");
    let mut draft = Document::default().edit();
    draft.put(
        id(u32::MAX),
        Object::new(Kind::Entity(Entity::new("func_wall", DVec3::ZERO))),
    );
    let mut owned = Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
        None,
    )));
    owned.parent = Some(id(u32::MAX));
    draft.put(id(7), owned);
    let doc = draft.as_read();
    let view = ViewState {
        hidden: [id(u32::MAX)].into(),
        ..ViewState::default()
    };
    let (fresh, fresh_view) = hmap::renumbered(&doc, &view).expect("is needed");
    assert_eq!(fresh.owner(id(1)), Some(id(2)));
    assert_eq!((fresh.next_id(), fresh_view.hidden), (3, [id(2)].into()));
    let bytes = hmap::write(&doc, &view, &Extras::default(), None, Path::new(PATH)).expect("saves");
    assert!(import(&bytes).doc.equals(&fresh));
    assert!(hmap::check(&bytes, Path::new(PATH)).is_empty());
    assert!(hmap::renumbered(&fresh, &view).is_none());
}

/// The independent checker finds nothing a writer must not do (codes S-...) in random maps.
#[test]
fn the_independent_checker_accepts_random_maps() {
    let corpus = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        std::path::PathBuf::from,
    );
    let tool = corpus.join("../tools/hmap_info.py");
    let python = std::process::Command::new("python3")
        .arg("--version")
        .output();
    if !tool.is_file() || python.is_err() {
        eprintln!("skipped: no checker or no python3");
        return;
    }
    let out = tempfile::tempdir().expect("folder");
    let files: Vec<_> = (0..40)
        .map(|seed| {
            let made = Maker::new(seed).finish();
            let bytes = hmap::write(&made.doc, &made.view, &made.extras, None, Path::new(PATH))
                .expect("saves");
            let path = out.path().join(format!("{seed}.hmap"));
            std::fs::write(&path, bytes).expect("written");
            path
        })
        .collect();
    let check = std::process::Command::new("python3")
        .arg(&tool)
        .args(["check", "--strict", "--json"])
        .args(&files)
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&check.stdout);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), files.len());
    let fine = [
        "W-KEY",
        "W-CLASS",
        "W-NUL",
        "W-HDRFLAGS",
        "E-OPEN",
        "E-FACES",
    ];
    for line in lines {
        let codes = line["codes"].as_array().expect("codes");
        assert!(
            codes
                .iter()
                .all(|code| fine.contains(&code.as_str().expect("a code"))),
            "{line}"
        );
    }
}

/// A map with one of everything, and a compile.
fn everything() -> (Made, Compiled) {
    let mut maker = Maker::new(11);
    let entity = maker.entity(None);
    maker.geometry(Some(entity));
    let made = maker.finish();
    let light = LightRecord {
        kind: LightKind::Spot,
        position: Vec3::ZERO,
        direction: Vec3::NEG_Y,
        color: Vec3::ONE,
        intensity: 4.0,
        radius: 320.0,
        inner_deg: 20.0,
        outer_deg: 40.0,
        entity_id: entity.get(),
    };
    let cmpl = Cmpl {
        ambient: Vec3::splat(0.1),
        units_per_meter: 32.0,
        baked: 0,
        bounds: Box3::default(),
        batches: Vec::new(),
        models: vec![Model {
            entity_id: 0,
            bounds: Box3::default(),
            brushes: Vec::new(),
        }],
        bsp: Bsp::default(),
        mesh_collisions: Vec::new(),
        lights: vec![light],
    };
    let compiled = Compiled {
        source: Some(made.doc.clone()),
        cmpl: Arc::new(cmpl),
        mesh_model: Vec::new(),
        lightmaps: None,
        visibility: None,
        origins: Vec::new(),
        sealed: None,
        leak: None,
        issues: Vec::new(),
        stats: Stats::default(),
    };
    (made, compiled)
}

/// Opening, checking and salvaging end, whatever the bytes are.
fn survives(bytes: &[u8]) -> Level {
    let findings = hmap::check(bytes, Path::new(PATH));
    let _ = hmap::salvage(bytes, Path::new(PATH));
    if let Ok(imported) = Hmap.import(bytes, Path::new(PATH), &NoSiblings, &Progress::new()) {
        let saved = hmap::write(
            &imported.doc,
            &imported.view,
            &imported.extras,
            imported.compiled.as_ref(),
            Path::new(PATH),
        );
        let again = hmap::check(&saved.expect("saves"), Path::new(PATH));
        assert!(
            again.iter().all(|finding| finding.level < Level::Fatal),
            "{again:?}"
        );
    }
    findings
        .iter()
        .map(|finding| finding.level)
        .max()
        .unwrap_or(Level::Note)
}

#[test]
fn every_cut_and_every_changed_byte_is_survived() {
    let (made, compiled) = everything();
    let extras = Extras {
        sums: true,
        ..made.extras
    };
    let bytes = hmap::write(
        &made.doc,
        &made.view,
        &extras,
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    assert_eq!(&bytes[..4], b"HMAP");
    assert!(survives(&bytes) < Level::Fatal);
    for length in 0..bytes.len() {
        let level = survives(&bytes[..length]);
        assert!(length >= 12 || level == Level::Fatal);
    }
    for place in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            survives(&changed);
        }
    }
}

#[test]
fn mutated_samples_are_survived() {
    let corpus = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        std::path::PathBuf::from,
    );
    let Ok(folder) = std::fs::read_dir(corpus.join("hmap/valid")) else {
        eprintln!("skipped: no sample set at {}", corpus.display());
        return;
    };
    let mut files: Vec<_> = folder
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "hmap"))
        .collect();
    files.sort();
    let samples: Vec<Vec<u8>> = files
        .iter()
        .map(|path| std::fs::read(path).expect("sample"))
        .collect();
    let mut dice = Dice(7);
    let mut levels = std::collections::BTreeMap::new();
    for _ in 0..1500 {
        let mut bytes = samples[dice.below(samples.len())].clone();
        for _ in 0..[1, 1, 2, 5][dice.below(4)] {
            let place = dice.below(bytes.len());
            let end = |length: usize| (place + length).min(bytes.len());
            match dice.below(4) {
                0 => bytes[place] = dice.bits() as u8,
                1 => {
                    let words = [
                        [0xff; 4],
                        [0; 4],
                        [0xff, 0xff, 0xff, 0x7f],
                        [0, 0, 0xc0, 0x7f],
                    ];
                    let (word, end) = (words[dice.below(4)], end(4));
                    bytes[place..end].copy_from_slice(&word[..end - place]);
                }
                2 => {
                    let end = end(1 + dice.below(8));
                    bytes.drain(place..end);
                }
                _ => {
                    let inserted = dice.bits().to_le_bytes();
                    let count = 1 + dice.below(8);
                    bytes.splice(place..place, inserted.into_iter().take(count));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        *levels.entry(survives(&bytes)).or_insert(0) += 1;
    }
    assert!(levels.len() >= 3, "mutations do something: {levels:?}");
}

/// Hiding something changes the file, but not what the compile was made of.
#[test]
fn a_view_change_keeps_the_compile() {
    let (made, compiled) = everything();
    let mut view = made.view.clone();
    view.hidden = made.doc.objects().map(|(id, _)| id).take(3).collect();
    let bytes = hmap::write(
        &made.doc,
        &view,
        &made.extras,
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    let imported = import(&bytes);
    let again = imported.compiled.expect("kept");
    assert!(again.is_current(&imported.doc));
    assert!(
        imported
            .report
            .warnings
            .iter()
            .all(|warning| warning.kind.code != "W-OLD")
    );
    let mut draft = made.doc.edit();
    draft.settings_mut().units_per_meter = 8.0;
    let other = draft.finish().expect("fine");
    let bytes = hmap::write(
        &other,
        &view,
        &made.extras,
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    assert!(
        import(&bytes).compiled.is_none(),
        "an edited map is written without the compile"
    );
}
