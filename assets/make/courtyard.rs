//! The sample map: a yard with a fountain, an arcade to a pillar hall, a guard room behind a door, stairs to a gallery.
//!
//! Map units are 1/32 metre, Y is up, north is -Z.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use mapwright::document::Brush;
use mapwright::document::Contents;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Entity;
use mapwright::document::Face;
use mapwright::document::Group;
use mapwright::document::Kind;
use mapwright::document::Layer;
use mapwright::document::LayerId;
use mapwright::document::LayerKind;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::Object;
use mapwright::document::ObjectFlags;
use mapwright::document::ObjectId;
use mapwright::document::SurfaceFlags;
use mapwright::geometry::Aabb;
use mapwright::geometry::Hull;

/// Texture, units per repeat, flags.
const MATERIALS: &[(&str, f32, f32, SurfaceFlags)] = &[
    ("brick_brown", 64.0, 64.0, SurfaceFlags(0)),
    ("cobble", 128.0, 128.0, SurfaceFlags(0)),
    ("crate_wood", 48.0, 48.0, SurfaceFlags(0)),
    ("dirt", 128.0, 128.0, SurfaceFlags(0)),
    ("door_wood", 96.0, 144.0, SurfaceFlags(0)),
    ("flagstone", 128.0, 128.0, SurfaceFlags(0)),
    ("glass", 64.0, 64.0, SurfaceFlags::TRANSLUCENT),
    ("grass", 160.0, 160.0, SurfaceFlags(0)),
    ("lamp", 16.0, 16.0, SurfaceFlags::UNLIT),
    ("marble_tiles", 128.0, 128.0, SurfaceFlags(0)),
    ("marble_white", 128.0, 128.0, SurfaceFlags(0)),
    ("metal_grate", 64.0, 64.0, SurfaceFlags::MASKED),
    ("metal_rust", 64.0, 64.0, SurfaceFlags(0)),
    ("planks_dark", 64.0, 64.0, SurfaceFlags(0)),
    ("planks_oak", 64.0, 64.0, SurfaceFlags(0)),
    ("plaster_cream", 128.0, 128.0, SurfaceFlags(0)),
    ("plaster_ochre", 128.0, 128.0, SurfaceFlags(0)),
    ("plaster_worn", 128.0, 128.0, SurfaceFlags(0)),
    ("roof_tiles", 128.0, 128.0, SurfaceFlags(0)),
    ("sandstone", 128.0, 128.0, SurfaceFlags(0)),
    ("sky", 1024.0, 1024.0, SurfaceFlags::SKY),
    ("slate", 96.0, 96.0, SurfaceFlags(0)),
    ("stone_blocks", 128.0, 128.0, SurfaceFlags(0)),
    ("stone_rough", 128.0, 128.0, SurfaceFlags(0)),
    ("tool_clip", 64.0, 64.0, SurfaceFlags::NODRAW),
    ("tool_trigger", 64.0, 64.0, SurfaceFlags::NODRAW),
    ("trim_stone", 32.0, 32.0, SurfaceFlags(0)),
    ("water", 96.0, 96.0, SurfaceFlags::TRANSLUCENT),
    ("window_panes", 64.0, 96.0, SurfaceFlags(0)),
];

struct Builder {
    draft: Draft,
    materials: BTreeMap<&'static str, MaterialId>,
    layer: Option<LayerId>,
    parent: Option<ObjectId>,
    flags: ObjectFlags,
}

/// Which way the profile of a prism is pushed out.
#[derive(Clone, Copy)]
enum Axis {
    /// Profile (x, y), from z to z.
    Z,
    /// Profile (z, y), from x to x.
    X,
    /// Profile (x, z), from y to y.
    Y,
}

impl Builder {
    fn material(&self, name: &str) -> MaterialId {
        *self
            .materials
            .get(name)
            .unwrap_or_else(|| panic!("{name} is no material of the sample map"))
    }

    fn put(&mut self, kind: Kind) -> ObjectId {
        let object = Object {
            parent: self.parent,
            layer: self.layer,
            flags: self.flags,
            ..Object::new(kind)
        };
        self.draft.insert(object)
    }

    fn cuboid(&mut self, material: &str, min: [f64; 3], max: [f64; 3]) -> ObjectId {
        let bounds = Aabb::new(DVec3::from(min), DVec3::from(max));
        assert!(!bounds.is_empty(), "box {min:?} {max:?}");
        self.put(Kind::Brush(Brush::cuboid(
            bounds,
            Some(self.material(material)),
        )))
    }

    /// A box with its own material on top.
    fn topped(&mut self, side: &str, top: &str, min: [f64; 3], max: [f64; 3]) {
        let brush = Brush::cuboid(
            Aabb::new(DVec3::from(min), DVec3::from(max)),
            Some(self.material(side)),
        );
        let top = self.material(top);
        let mut faces = brush.faces().to_vec();
        for face in faces.iter_mut().filter(|face| face.plane.normal.y > 0.5) {
            face.material = Some(top);
        }
        let brush = brush.with_surfaces(faces);
        self.put(Kind::Brush(brush));
    }

    fn with_contents(
        &mut self,
        material: &str,
        contents: Contents,
        min: [f64; 3],
        max: [f64; 3],
    ) -> ObjectId {
        let brush = Brush::cuboid(
            Aabb::new(DVec3::from(min), DVec3::from(max)),
            Some(self.material(material)),
        );
        self.put(Kind::Brush(brush.with_contents(contents)))
    }

    /// The convex hull of points.
    fn hull(&mut self, material: &str, contents: Contents, points: &[DVec3]) -> ObjectId {
        let (planes, _) =
            Hull::from_points(points).expect("the sample map's points enclose volume");
        let id = self.material(material);
        let faces = planes
            .into_iter()
            .map(|plane| {
                let slanted = [plane.normal.x, plane.normal.y, plane.normal.z]
                    .iter()
                    .all(|n| n.abs() < 0.999);
                Face {
                    flags: if slanted {
                        SurfaceFlags::FACE_ALIGNED
                    } else {
                        SurfaceFlags::default()
                    },
                    ..Face::new(plane, Some(id))
                }
            })
            .collect();
        let brush = Brush::solid(contents, faces).expect("hull of points is sound");
        self.put(Kind::Brush(brush))
    }

    fn prism(
        &mut self,
        material: &str,
        axis: Axis,
        profile: &[DVec2],
        from: f64,
        to: f64,
    ) -> ObjectId {
        let points: Vec<DVec3> = profile
            .iter()
            .flat_map(|p| {
                [from, to].map(|t| match axis {
                    Axis::Z => DVec3::new(p.x, p.y, t),
                    Axis::X => DVec3::new(t, p.y, p.x),
                    Axis::Y => DVec3::new(p.x, t, p.y),
                })
            })
            .collect();
        self.hull(material, Contents::SOLID, &points)
    }

    /// An upright round body of `sides` sides, from a lower to an upper radius.
    fn round(
        &mut self,
        material: &str,
        contents: Contents,
        center: DVec2,
        sides: u32,
        (r0, r1): (f64, f64),
        (y0, y1): (f64, f64),
    ) -> ObjectId {
        let ring = |radius: f64, y: f64| {
            (0..sides).map(move |i| {
                let angle = (f64::from(i) + 0.5) / f64::from(sides) * TAU;
                DVec3::new(
                    on_grid(center.x + radius * angle.cos()),
                    y,
                    on_grid(center.y + radius * angle.sin()),
                )
            })
        };
        let mut points: Vec<DVec3> = ring(r0, y0).collect();
        if r1 > 0.0 {
            points.extend(ring(r1, y1));
        } else {
            points.push(DVec3::new(center.x, y1, center.y));
        }
        self.hull(material, contents, &points)
    }

    /// The masonry over a round arch: between the curve and a flat top, in convex pieces. `span`: (left, right) of the opening.
    fn arch(
        &mut self,
        material: &str,
        axis: Axis,
        span: (f64, f64),
        spring: f64,
        top: f64,
        from: f64,
        to: f64,
    ) {
        const PIECES: u32 = 12;
        let radius = (span.1 - span.0) * 0.5;
        let center = (span.0 + span.1) * 0.5;
        let at = |i: u32| {
            let angle = TAU * 0.5 * (1.0 - f64::from(i) / f64::from(PIECES));
            DVec2::new(
                on_grid(center + radius * angle.cos()),
                on_grid(spring + radius * angle.sin()),
            )
        };
        for i in 0..PIECES {
            let (a, b) = (at(i), at(i + 1));
            self.prism(
                material,
                axis,
                &[a, b, DVec2::new(b.x, top), DVec2::new(a.x, top)],
                from,
                to,
            );
        }
    }

    fn entity(
        &mut self,
        class: &str,
        origin: [f64; 3],
        angles_deg: [f64; 3],
        keys: &[(&str, &str)],
    ) -> ObjectId {
        let mut entity = Entity::new(class, DVec3::from(origin));
        entity.angles_deg = DVec3::from(angles_deg);
        entity.keys = keys
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        self.put(Kind::Entity(entity))
    }

    fn grouped(&mut self, name: &str, build: impl FnOnce(&mut Self)) {
        let group = self.put(Kind::Group(Group::new(name)));
        let (parent, layer) = (self.parent.replace(group), self.layer.take());
        build(self);
        (self.parent, self.layer) = (parent, layer);
    }

    fn in_layer(&mut self, name: &str, color: [u8; 4], build: impl FnOnce(&mut Self)) {
        let layer = self.draft.insert_layer(Layer {
            color,
            ..Layer::new(LayerKind::Layer, name)
        });
        let outer = self.layer.replace(layer);
        build(self);
        self.layer = outer;
    }

    fn detail(&mut self, build: impl FnOnce(&mut Self)) {
        let outer = self.flags;
        self.flags = outer.with(ObjectFlags::DETAIL);
        build(self);
        self.flags = outer;
    }
}

/// Corners on a quarter of a unit keep planes and files exact.
fn on_grid(x: f64) -> f64 {
    (x * 4.0).round() / 4.0
}

/// The whole map.
pub fn courtyard() -> Document {
    let mut draft = Document::default().edit();
    let mut materials = BTreeMap::new();
    for &(name, width, height, flags) in MATERIALS {
        let mut material = Material::new(name, format!("textures/{name}.png"));
        material.tile_size = Vec2::new(width, height);
        material.flags = flags;
        materials.insert(name, draft.insert_material(material));
    }
    "Courtyard".clone_into(&mut draft.settings_mut().name);
    draft.settings_mut().ambient = Vec3::new(0.36, 0.39, 0.45);
    let mut b = Builder {
        draft,
        materials,
        layer: None,
        parent: None,
        flags: ObjectFlags::default(),
    };
    b.entity(
        "worldspawn",
        [0.0; 3],
        [0.0; 3],
        &[("message", "Courtyard")],
    );
    b.entity(
        "info_player_start",
        [0.0, 32.0, 312.0],
        [0.0, 0.0, 0.0],
        &[],
    );
    b.entity(
        "light_sun",
        [320.0, 448.0, 288.0],
        [-48.0, 38.0, 0.0],
        &[("color", "1 0.93 0.78"), ("intensity", "1.15")],
    );
    b.in_layer("Ground and sky", [96, 150, 90, 255], ground_and_sky);
    b.in_layer("Yard", [220, 190, 120, 255], |b| {
        walls(b);
        arcade(b);
        gate(b);
        fountain(b);
        planters(b);
    });
    b.in_layer("Hall", [200, 200, 220, 255], hall);
    b.in_layer("Guard room", [190, 130, 80, 255], guard_room);
    b.in_layer("Gallery", [150, 170, 210, 255], gallery);
    b.in_layer("Towers", [110, 120, 140, 255], towers);
    b.draft.finish().expect("the sample map is sound")
}

fn ground_and_sky(b: &mut Builder) {
    b.topped(
        "dirt",
        "grass",
        [-1216.0, -64.0, -1344.0],
        [1216.0, -32.0, 960.0],
    );
    let sky = |b: &mut Builder, min, max| {
        b.with_contents("sky", Contents::SKY, min, max);
    };
    sky(b, [-1216.0, 768.0, -1344.0], [1216.0, 784.0, 960.0]);
    sky(b, [-1232.0, -64.0, -1344.0], [-1216.0, 784.0, 960.0]);
    sky(b, [1216.0, -64.0, -1344.0], [1232.0, 784.0, 960.0]);
    sky(b, [-1232.0, -64.0, -1360.0], [1232.0, 784.0, -1344.0]);
    sky(b, [-1232.0, -64.0, 960.0], [1232.0, 784.0, 976.0]);
    // The yard's floor: a path of flagstones in a field of cobbles.
    for (min, max) in [
        ([-512.0, -384.0], [-80.0, 384.0]),
        ([80.0, -384.0], [512.0, 384.0]),
    ] {
        b.topped(
            "stone_blocks",
            "cobble",
            [min[0], -32.0, min[1]],
            [max[0], 0.0, max[1]],
        );
    }
    b.topped(
        "stone_blocks",
        "flagstone",
        [-80.0, -32.0, -384.0],
        [80.0, 0.0, 384.0],
    );
}

/// Outer walls of the yard with a course of trim and a tiled coping.
fn walls(b: &mut Builder) {
    let top = 224.0;
    let wall = |b: &mut Builder, min: [f64; 2], max: [f64; 2], y0: f64, y1: f64| {
        b.cuboid("plaster_ochre", [min[0], y0, min[1]], [max[0], y1, max[1]]);
    };
    // East, with the opening of the door (z -48..48, 144 high) and two windows.
    b.cuboid("plaster_ochre", [512.0, -32.0, -384.0], [544.0, top, -48.0]);
    b.cuboid("plaster_ochre", [512.0, -32.0, 48.0], [544.0, top, 384.0]);
    wall(b, [512.0, -48.0], [544.0, 48.0], 144.0, top);
    b.topped(
        "stone_blocks",
        "flagstone",
        [512.0, -32.0, -48.0],
        [544.0, 0.0, 48.0],
    );
    // West.
    wall(b, [-544.0, -384.0], [-512.0, 384.0], -32.0, top + 64.0);
    // Plinth, string course and coping, as detail.
    b.detail(|b| {
        b.cuboid("stone_rough", [504.0, 0.0, 64.0], [512.0, 40.0, 384.0]);
        b.cuboid("stone_rough", [504.0, 0.0, -376.0], [512.0, 40.0, -64.0]);
        b.cuboid("stone_rough", [-504.0, 0.0, 376.0], [-72.0, 40.0, 384.0]);
        b.cuboid("stone_rough", [72.0, 0.0, 376.0], [504.0, 40.0, 384.0]);
        b.cuboid("trim_stone", [500.0, 192.0, -384.0], [512.0, 208.0, 384.0]);
        for z in [-1.0, 1.0] {
            let (z0, z1) = if z < 0.0 {
                (-64.0, -48.0)
            } else {
                (48.0, 64.0)
            };
            b.cuboid("sandstone", [504.0, 0.0, z0], [512.0, 144.0, z1]);
        }
        b.cuboid("sandstone", [500.0, 144.0, -72.0], [512.0, 164.0, 72.0]);
        b.prism(
            "roof_tiles",
            Axis::Z,
            &[
                DVec2::new(488.0, 220.0),
                DVec2::new(568.0, 220.0),
                DVec2::new(528.0, 252.0),
            ],
            -384.0,
            384.0,
        );
        for z in [-288.0, -176.0, 176.0, 288.0] {
            b.cuboid(
                "sandstone",
                [504.0, 80.0, z - 36.0],
                [512.0, 88.0, z + 36.0],
            );
            b.cuboid(
                "window_panes",
                [508.0, 88.0, z - 28.0],
                [512.0, 168.0, z + 28.0],
            );
            for side in [-36.0, 28.0] {
                b.cuboid(
                    "sandstone",
                    [505.0, 88.0, z + side],
                    [512.0, 168.0, z + side + 8.0],
                );
            }
            b.cuboid(
                "sandstone",
                [504.0, 168.0, z - 36.0],
                [512.0, 180.0, z + 36.0],
            );
        }
    });
}

/// Five arches between yard and hall, with a lean-to roof above.
fn arcade(b: &mut Builder) {
    let (z0, z1) = (-416.0, -384.0);
    let piers = [
        -512.0, -416.0, -352.0, -224.0, -160.0, -64.0, 64.0, 160.0, 224.0, 352.0, 416.0, 512.0,
    ];
    // Piers stand between pairs of these; openings are the gaps.
    for pair in piers.chunks_exact(2) {
        b.cuboid("sandstone", [pair[0], -32.0, z0], [pair[1], 128.0, z1]);
        b.cuboid("sandstone", [pair[0], 128.0, z0], [pair[1], 224.0, z1]);
    }
    for gap in piers[1..piers.len() - 1].chunks_exact(2) {
        b.topped(
            "stone_blocks",
            "flagstone",
            [gap[0], -32.0, z0],
            [gap[1], 0.0, z1],
        );
        b.arch("sandstone", Axis::Z, (gap[0], gap[1]), 128.0, 224.0, z0, z1);
    }
    b.detail(|b| {
        for pair in piers.chunks_exact(2) {
            b.cuboid(
                "trim_stone",
                [pair[0] - 4.0, 120.0, z0 - 4.0],
                [pair[1] + 4.0, 132.0, z1 + 4.0],
            );
            b.cuboid("stone_rough", [pair[0], 0.0, z1], [pair[1], 24.0, z1 + 6.0]);
        }
        b.cuboid(
            "trim_stone",
            [-512.0, 224.0, z0 - 4.0],
            [512.0, 240.0, z1 + 8.0],
        );
    });
    b.cuboid("plaster_ochre", [-544.0, 224.0, z0], [-512.0, 288.0, z1]);
    b.cuboid("plaster_cream", [-512.0, 240.0, z0], [512.0, 288.0, z1]);
    b.cuboid("sandstone", [-544.0, -32.0, z0], [-512.0, 224.0, z1]);
    b.cuboid("sandstone", [512.0, -32.0, z0], [544.0, 288.0, z1]);
    // The hall's roof: two slopes to a ridge.
    b.hull(
        "roof_tiles",
        Contents::SOLID,
        &[
            DVec3::new(-576.0, 288.0, -352.0),
            DVec3::new(576.0, 288.0, -352.0),
            DVec3::new(-576.0, 288.0, -992.0),
            DVec3::new(576.0, 288.0, -992.0),
            DVec3::new(-416.0, 432.0, -672.0),
            DVec3::new(416.0, 432.0, -672.0),
        ],
    );
}

/// The south wall: a gate under an arch, closed by a grate.
fn gate(b: &mut Builder) {
    let (z0, z1) = (384.0, 416.0);
    b.cuboid("plaster_worn", [-544.0, -32.0, z0], [-80.0, 224.0, z1]);
    b.cuboid("plaster_worn", [80.0, -32.0, z0], [544.0, 224.0, z1]);
    b.topped(
        "stone_blocks",
        "flagstone",
        [-80.0, -32.0, z0],
        [80.0, 0.0, 640.0],
    );
    b.arch("plaster_worn", Axis::Z, (-80.0, 80.0), 112.0, 224.0, z0, z1);
    b.detail(|b| {
        b.cuboid("metal_grate", [-80.0, 0.0, 398.0], [80.0, 192.0, 400.0]);
        b.prism(
            "roof_tiles",
            Axis::X,
            &[
                DVec2::new(368.0, 224.0),
                DVec2::new(432.0, 224.0),
                DVec2::new(400.0, 252.0),
            ],
            -544.0,
            -96.0,
        );
        b.prism(
            "roof_tiles",
            Axis::X,
            &[
                DVec2::new(368.0, 224.0),
                DVec2::new(432.0, 224.0),
                DVec2::new(400.0, 252.0),
            ],
            96.0,
            544.0,
        );
        b.prism(
            "sandstone",
            Axis::Z,
            &[
                DVec2::new(-112.0, 224.0),
                DVec2::new(112.0, 224.0),
                DVec2::new(0.0, 288.0),
            ],
            380.0,
            420.0,
        );
        for x in [-96.0, 80.0] {
            b.cuboid("sandstone", [x, 0.0, 376.0], [x + 16.0, 224.0, 384.0]);
        }
    });
    // Buttresses.
    for x in [-320.0, 320.0] {
        b.prism(
            "stone_rough",
            Axis::X,
            &[
                DVec2::new(352.0, -16.0),
                DVec2::new(384.0, -16.0),
                DVec2::new(384.0, 176.0),
            ],
            x - 20.0,
            x + 20.0,
        );
    }
}

fn fountain(b: &mut Builder) {
    let c = DVec2::new(0.0, 0.0);
    b.grouped("Fountain", |b| {
        b.round(
            "stone_blocks",
            Contents::SOLID,
            c,
            8,
            (176.0, 176.0),
            (0.0, 8.0),
        );
        // The rim: eight pieces between two octagons.
        let ring = |radius: f64, i: u32| {
            let angle = (f64::from(i) + 0.5) / 8.0 * TAU;
            DVec2::new(on_grid(radius * angle.cos()), on_grid(radius * angle.sin()))
        };
        for i in 0..8 {
            b.prism(
                "sandstone",
                Axis::Y,
                &[
                    ring(128.0, i),
                    ring(128.0, i + 1),
                    ring(144.0, i + 1),
                    ring(144.0, i),
                ],
                8.0,
                36.0,
            );
            b.prism(
                "trim_stone",
                Axis::Y,
                &[
                    ring(124.0, i),
                    ring(124.0, i + 1),
                    ring(150.0, i + 1),
                    ring(150.0, i),
                ],
                36.0,
                44.0,
            );
        }
        b.round("water", Contents::WATER, c, 8, (128.0, 128.0), (8.0, 30.0));
        b.round(
            "sandstone",
            Contents::SOLID,
            c,
            8,
            (40.0, 24.0),
            (8.0, 40.0),
        );
        b.round(
            "marble_white",
            Contents::SOLID,
            c,
            8,
            (18.0, 14.0),
            (40.0, 96.0),
        );
        b.round(
            "sandstone",
            Contents::SOLID,
            c,
            8,
            (16.0, 60.0),
            (96.0, 120.0),
        );
        b.round(
            "trim_stone",
            Contents::SOLID,
            c,
            8,
            (64.0, 64.0),
            (120.0, 126.0),
        );
        b.round(
            "marble_white",
            Contents::SOLID,
            c,
            8,
            (14.0, 8.0),
            (126.0, 152.0),
        );
        b.round(
            "marble_white",
            Contents::SOLID,
            c,
            8,
            (18.0, 0.0),
            (152.0, 184.0),
        );
    });
}

fn planters(b: &mut Builder) {
    for (x, z) in [(-300.0, 240.0), (300.0, 240.0), (300.0, -240.0)] {
        b.grouped("Planter", |b| {
            b.topped(
                "stone_rough",
                "grass",
                [x - 64.0, 0.0, z - 40.0],
                [x + 64.0, 28.0, z + 40.0],
            );
            b.cuboid(
                "trim_stone",
                [x - 72.0, 16.0, z - 48.0],
                [x + 72.0, 30.0, z - 40.0],
            );
            b.cuboid(
                "trim_stone",
                [x - 72.0, 16.0, z + 40.0],
                [x + 72.0, 30.0, z + 48.0],
            );
            b.cuboid(
                "trim_stone",
                [x - 72.0, 16.0, z - 40.0],
                [x - 64.0, 30.0, z + 40.0],
            );
            b.cuboid(
                "trim_stone",
                [x + 64.0, 16.0, z - 40.0],
                [x + 72.0, 30.0, z + 40.0],
            );
        });
    }
    for (x, z) in [(-168.0, 288.0), (168.0, 288.0)] {
        b.grouped("Lamp post", |b| {
            b.round(
                "metal_rust",
                Contents::SOLID,
                DVec2::new(x, z),
                8,
                (12.0, 6.0),
                (0.0, 16.0),
            );
            b.round(
                "metal_rust",
                Contents::SOLID,
                DVec2::new(x, z),
                8,
                (4.0, 4.0),
                (16.0, 108.0),
            );
            b.cuboid("lamp", [x - 8.0, 108.0, z - 8.0], [x + 8.0, 124.0, z + 8.0]);
            b.round(
                "slate",
                Contents::SOLID,
                DVec2::new(x, z),
                8,
                (16.0, 0.0),
                (124.0, 136.0),
            );
        });
        b.entity(
            "light",
            [x, 116.0, z + 20.0],
            [0.0; 3],
            &[
                ("color", "1 0.82 0.55"),
                ("intensity", "2.5"),
                ("radius", "288"),
            ],
        );
    }
    b.grouped("Crates", |b| {
        b.cuboid("crate_wood", [432.0, 0.0, -352.0], [480.0, 48.0, -304.0]);
        b.cuboid("crate_wood", [424.0, 0.0, -296.0], [472.0, 48.0, -248.0]);
        b.cuboid("crate_wood", [436.0, 48.0, -336.0], [484.0, 96.0, -288.0]);
    });
}

/// A hall of eight pillars with a dais at its end.
fn hall(b: &mut Builder) {
    b.topped(
        "stone_blocks",
        "marble_tiles",
        [-512.0, -32.0, -928.0],
        [512.0, 0.0, -416.0],
    );
    b.cuboid(
        "plaster_cream",
        [-544.0, -32.0, -928.0],
        [-512.0, 288.0, -416.0],
    );
    b.cuboid(
        "plaster_cream",
        [512.0, -32.0, -928.0],
        [544.0, 288.0, -416.0],
    );
    b.cuboid(
        "plaster_cream",
        [-544.0, -32.0, -960.0],
        [544.0, 288.0, -928.0],
    );
    b.cuboid(
        "planks_oak",
        [-512.0, 264.0, -928.0],
        [512.0, 288.0, -416.0],
    );
    b.detail(|b| {
        for x in [-384.0, -128.0, 128.0, 384.0] {
            b.cuboid(
                "planks_dark",
                [x - 12.0, 240.0, -928.0],
                [x + 12.0, 264.0, -416.0],
            );
        }
        for z in [-576.0, -768.0] {
            b.cuboid(
                "planks_dark",
                [-512.0, 248.0, z - 10.0],
                [512.0, 264.0, z + 10.0],
            );
        }
        b.cuboid("trim_stone", [-512.0, 0.0, -928.0], [-504.0, 20.0, -416.0]);
        b.cuboid("trim_stone", [504.0, 0.0, -928.0], [512.0, 20.0, -416.0]);
        b.cuboid("trim_stone", [-504.0, 0.0, -928.0], [504.0, 20.0, -920.0]);
        for x in [-384.0, -128.0, 128.0, 384.0] {
            b.cuboid(
                "sandstone",
                [x - 44.0, 72.0, -928.0],
                [x + 44.0, 80.0, -916.0],
            );
            b.cuboid(
                "window_panes",
                [x - 32.0, 80.0, -928.0],
                [x + 32.0, 176.0, -924.0],
            );
            b.cuboid(
                "sandstone",
                [x - 44.0, 80.0, -928.0],
                [x - 32.0, 176.0, -918.0],
            );
            b.cuboid(
                "sandstone",
                [x + 32.0, 80.0, -928.0],
                [x + 44.0, 176.0, -918.0],
            );
            b.cuboid(
                "sandstone",
                [x - 44.0, 176.0, -928.0],
                [x + 44.0, 188.0, -916.0],
            );
        }
    });
    for x in [-384.0, -128.0, 128.0, 384.0] {
        for z in [-576.0, -768.0] {
            b.grouped("Pillar", |b| {
                let c = DVec2::new(x, z);
                b.cuboid(
                    "stone_blocks",
                    [x - 32.0, 0.0, z - 32.0],
                    [x + 32.0, 16.0, z + 32.0],
                );
                b.round(
                    "trim_stone",
                    Contents::SOLID,
                    c,
                    12,
                    (28.0, 22.0),
                    (16.0, 28.0),
                );
                b.round(
                    "marble_white",
                    Contents::SOLID,
                    c,
                    12,
                    (20.0, 17.0),
                    (28.0, 208.0),
                );
                b.round(
                    "trim_stone",
                    Contents::SOLID,
                    c,
                    12,
                    (20.0, 30.0),
                    (208.0, 228.0),
                );
                b.cuboid(
                    "stone_blocks",
                    [x - 34.0, 228.0, z - 34.0],
                    [x + 34.0, 240.0, z + 34.0],
                );
            });
        }
    }
    b.grouped("Dais", |b| {
        for (step, inset) in [(0.0, 0.0), (1.0, 20.0), (2.0, 40.0)] {
            b.cuboid(
                "marble_white",
                [-144.0 + inset, step * 12.0, -920.0],
                [144.0 - inset, step * 12.0 + 12.0, -792.0 - inset],
            );
        }
        let c = DVec2::new(0.0, -872.0);
        b.round(
            "stone_blocks",
            Contents::SOLID,
            c,
            8,
            (30.0, 22.0),
            (36.0, 72.0),
        );
        b.round(
            "sandstone",
            Contents::SOLID,
            c,
            8,
            (10.0, 24.0),
            (72.0, 100.0),
        );
        b.round(
            "sandstone",
            Contents::SOLID,
            c,
            8,
            (24.0, 16.0),
            (100.0, 120.0),
        );
    });
    b.entity(
        "light_spot",
        [0.0, 236.0, -800.0],
        [-66.0, 0.0, 0.0],
        &[
            ("color", "1 0.95 0.82"),
            ("intensity", "26"),
            ("radius", "480"),
            ("inner", "14"),
            ("outer", "30"),
        ],
    );
    for (x, z) in [
        (-256.0, -672.0),
        (0.0, -640.0),
        (256.0, -672.0),
        (-480.0, -544.0),
        (480.0, -544.0),
    ] {
        b.grouped("Lantern", |b| {
            b.cuboid(
                "metal_rust",
                [x - 2.0, 200.0, z - 2.0],
                [x + 2.0, 264.0, z + 2.0],
            );
            b.cuboid("lamp", [x - 8.0, 184.0, z - 8.0], [x + 8.0, 200.0, z + 8.0]);
        });
        b.entity(
            "light",
            [x, 176.0, z],
            [0.0; 3],
            &[
                ("color", "1 0.80 0.52"),
                ("intensity", "5"),
                ("radius", "400"),
            ],
        );
    }
}

/// A small room behind a door.
fn guard_room(b: &mut Builder) {
    let (x0, x1, z0, z1, top) = (544.0, 800.0, -160.0, 160.0, 176.0);
    b.topped("stone_blocks", "planks_oak", [x0, -32.0, z0], [x1, 0.0, z1]);
    b.cuboid("brick_brown", [x0, -32.0, z0 - 32.0], [x1 + 32.0, top, z0]);
    // South wall with a window (x 640..720, y 64..128).
    b.cuboid("brick_brown", [x0, -32.0, z1], [640.0, top, z1 + 32.0]);
    b.cuboid(
        "brick_brown",
        [720.0, -32.0, z1],
        [x1 + 32.0, top, z1 + 32.0],
    );
    b.cuboid("brick_brown", [640.0, -32.0, z1], [720.0, 64.0, z1 + 32.0]);
    b.cuboid("brick_brown", [640.0, 128.0, z1], [720.0, top, z1 + 32.0]);
    b.cuboid("brick_brown", [x1, -32.0, z0], [x1 + 32.0, top, z1]);
    b.cuboid(
        "planks_dark",
        [x0, top, z0 - 32.0],
        [x1 + 32.0, top + 16.0, z1 + 32.0],
    );
    b.hull(
        "roof_tiles",
        Contents::SOLID,
        &[
            DVec3::new(544.0, 192.0, -208.0),
            DVec3::new(848.0, 192.0, -208.0),
            DVec3::new(544.0, 192.0, 208.0),
            DVec3::new(848.0, 192.0, 208.0),
            DVec3::new(544.0, 272.0, 0.0),
            DVec3::new(760.0, 272.0, 0.0),
        ],
    );
    b.detail(|b| {
        b.cuboid("glass", [640.0, 64.0, 174.0], [720.0, 128.0, 176.0]);
        b.cuboid("sandstone", [632.0, 56.0, 152.0], [728.0, 64.0, 160.0]);
        for x in [608.0, 672.0, 736.0] {
            b.cuboid("planks_dark", [x - 8.0, top - 16.0, z0], [x + 8.0, top, z1]);
        }
        // A table and two crates.
        b.cuboid("planks_oak", [640.0, 40.0, -136.0], [752.0, 46.0, -72.0]);
        for (x, z) in [
            (644.0, -132.0),
            (740.0, -132.0),
            (644.0, -84.0),
            (740.0, -84.0),
        ] {
            b.cuboid("planks_dark", [x, 0.0, z], [x + 8.0, 40.0, z + 8.0]);
        }
        b.cuboid("crate_wood", [744.0, 0.0, 96.0], [792.0, 48.0, 144.0]);
        b.cuboid("crate_wood", [704.0, 0.0, 112.0], [736.0, 32.0, 144.0]);
        b.cuboid("lamp", [664.0, 144.0, -8.0], [680.0, 160.0, 8.0]);
    });
    b.entity(
        "light",
        [672.0, 132.0, 0.0],
        [0.0; 3],
        &[
            ("color", "1 0.72 0.42"),
            ("intensity", "5"),
            ("radius", "320"),
        ],
    );
    // The door: its entity's origin is the hinge.
    let door = b.entity(
        "func_door",
        [528.0, 0.0, -48.0],
        [0.0; 3],
        &[
            ("targetname", "guard_door"),
            ("speed", "100"),
            ("wait", "4"),
            ("lip", "4"),
        ],
    );
    let (parent, layer) = (b.parent.replace(door), b.layer.take());
    b.cuboid("door_wood", [522.0, 0.0, -48.0], [534.0, 144.0, 48.0]);
    (b.parent, b.layer) = (parent, layer);
    let trigger = b.entity(
        "trigger_multiple",
        [528.0, 0.0, 0.0],
        [0.0; 3],
        &[("target", "guard_door"), ("wait", "1")],
    );
    let (parent, layer) = (b.parent.replace(trigger), b.layer.take());
    b.with_contents(
        "tool_trigger",
        Contents::TRIGGER,
        [464.0, 0.0, -48.0],
        [592.0, 96.0, 48.0],
    );
    (b.parent, b.layer) = (parent, layer);
}

/// Stairs to a gallery along the west wall, on arches, with a balustrade.
fn gallery(b: &mut Builder) {
    let floor = 144.0;
    let (x0, x1) = (-512.0, -384.0);
    // Two bays of arches carry it.
    let piers = [(-384.0, -352.0), (-224.0, -192.0), (-64.0, -32.0)];
    for (z0, z1) in piers {
        b.cuboid("stone_blocks", [x1 - 24.0, 0.0, z0], [x1, 72.0, z1]);
        b.cuboid("stone_blocks", [x1 - 24.0, 72.0, z0], [x1, floor - 8.0, z1]);
    }
    for (z0, z1) in [(-352.0, -224.0), (-192.0, -64.0)] {
        b.arch(
            "stone_blocks",
            Axis::X,
            (z0, z1),
            68.0,
            floor - 8.0,
            x1 - 24.0,
            x1,
        );
    }
    b.topped(
        "stone_blocks",
        "flagstone",
        [x0, floor - 8.0, -384.0],
        [x1, floor, -32.0],
    );
    // Nine steps of 16 units; the last is the gallery itself.
    for i in 0..9 {
        let z = 184.0 - 24.0 * f64::from(i);
        b.topped(
            "stone_blocks",
            "sandstone",
            [x0, 0.0, z - 24.0],
            [x1, 16.0 * f64::from(i + 1), z],
        );
    }
    b.cuboid(
        "stone_blocks",
        [x0, 0.0, -32.0],
        [x1 - 24.0, floor - 8.0, -24.0],
    );
    b.detail(|b| {
        b.grouped("Balustrade", |b| {
            for i in 0..15 {
                let z = -372.0 + 24.0 * f64::from(i);
                b.round(
                    "marble_white",
                    Contents::SOLID,
                    DVec2::new(x1 - 8.0, z),
                    6,
                    (4.0, 3.0),
                    (floor, floor + 32.0),
                );
            }
            b.cuboid(
                "trim_stone",
                [x1 - 16.0, floor + 32.0, -384.0],
                [x1, floor + 40.0, -24.0],
            );
            b.cuboid(
                "sandstone",
                [x1 - 18.0, floor, -32.0],
                [x1 + 2.0, floor + 48.0, -12.0],
            );
        });
        // A handrail that follows the stairs.
        b.prism(
            "trim_stone",
            Axis::X,
            &[
                DVec2::new(-12.0, 176.0),
                DVec2::new(-12.0, 184.0),
                DVec2::new(196.0, 45.0),
                DVec2::new(196.0, 37.0),
            ],
            x1 - 12.0,
            x1 - 4.0,
        );
        b.cuboid(
            "sandstone",
            [x1 - 18.0, 0.0, 188.0],
            [x1 + 2.0, 52.0, 208.0],
        );
        b.cuboid(
            "door_wood",
            [x0, floor, -248.0],
            [x0 + 6.0, floor + 112.0, -176.0],
        );
        b.cuboid(
            "sandstone",
            [x0, floor, -256.0],
            [x0 + 8.0, floor + 120.0, -248.0],
        );
        b.cuboid(
            "sandstone",
            [x0, floor, -176.0],
            [x0 + 8.0, floor + 120.0, -168.0],
        );
        b.cuboid(
            "sandstone",
            [x0, floor + 112.0, -248.0],
            [x0 + 8.0, floor + 120.0, -176.0],
        );
    });
    // Players slide along the stairs' side instead of catching on the rail.
    b.with_contents(
        "tool_clip",
        Contents::CLIP,
        [x1 - 16.0, floor + 40.0, -384.0],
        [x1, floor + 96.0, -32.0],
    );
    b.entity(
        "light",
        [-448.0, 88.0, -288.0],
        [0.0; 3],
        &[
            ("color", "0.95 0.80 0.60"),
            ("intensity", "2"),
            ("radius", "256"),
        ],
    );
}

fn towers(b: &mut Builder) {
    for (x, z) in [(-528.0, 400.0), (528.0, 400.0)] {
        b.grouped("Tower", |b| {
            let c = DVec2::new(x, z);
            b.round(
                "stone_rough",
                Contents::SOLID,
                c,
                8,
                (100.0, 88.0),
                (-32.0, 64.0),
            );
            b.round(
                "stone_blocks",
                Contents::SOLID,
                c,
                8,
                (84.0, 84.0),
                (64.0, 320.0),
            );
            b.round(
                "trim_stone",
                Contents::SOLID,
                c,
                8,
                (84.0, 104.0),
                (320.0, 344.0),
            );
            b.round("slate", Contents::SOLID, c, 8, (116.0, 0.0), (344.0, 496.0));
        });
    }
}
