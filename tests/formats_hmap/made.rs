//! Random maps as the editor could hold them.

use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
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
use mapwright::formats::Origin;
use mapwright::formats::Thumbnail;
use mapwright::geometry::Aabb;
use mapwright::geometry::Uv;
use mapwright::geometry::UvAxes;

/// A source of choices (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
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

pub struct Made {
    pub doc: Document,
    pub view: ViewState,
    pub extras: Extras,
}

/// A map as the editor could hold it: members of groups lie in the layer of the outermost one, owned geometry in that of its entity.
pub struct Maker {
    dice: Dice,
    draft: Draft,
    layers: Vec<LayerId>,
    visgroups: Vec<LayerId>,
    materials: usize,
}

impl Maker {
    pub fn new(seed: u64) -> Self {
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

    pub fn geometry(&mut self, parent: Option<ObjectId>) {
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
                face.axes = Some(axes);
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

    pub fn entity(&mut self, parent: Option<ObjectId>) -> ObjectId {
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

    pub fn finish(mut self) -> Made {
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
