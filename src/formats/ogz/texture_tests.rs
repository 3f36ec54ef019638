//! Slots, where their pictures lie, and the materials made of them.

use std::path::Path;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use proptest::prelude::*;

use crate::document::Document;
use crate::document::SurfaceFlags;
use crate::formats::NoSiblings;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::ogz::config::Config;
use crate::formats::ogz::config::TextureSlot;
use crate::formats::ogz::mapping::fit;
use crate::formats::ogz::mapping::frame;
use crate::formats::ogz::mapping::tile_size;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::materials::Materials;
use crate::formats::ogz::raw::Facts;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::ogz::slots::Resolved;
use crate::formats::ogz::slots::Slots;
use crate::geometry::Plane;
use crate::geometry::Uv;

/// Pictures that exist, with their sizes.
struct Pictures(&'static [(&'static str, [u32; 2])]);

impl Siblings for Pictures {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        let found = self.0.iter().find(|(name, _)| *name == texture);
        found.map(|&(_, size)| size)
    }
}

/// A map of which only slots and used textures matter.
fn map(slots: Vec<VirtualSlot>, textures: [u16; 6]) -> RawMap {
    RawMap {
        family: Family::Sauerbraten,
        version: 33,
        world_size: 1024,
        game: "fps".to_owned(),
        variables: Vec::new(),
        entities: Vec::new(),
        slots,
        tree: Octree {
            leaves: vec![Leaf {
                origin: [0; 3],
                size: 512,
                fill: Fill::Solid,
                edges: [0x80; 12],
                textures,
                material: 0,
            }],
            ..Octree::default()
        },
        facts: Facts::default(),
    }
}

fn unmodified(count: usize) -> Vec<VirtualSlot> {
    let slot = VirtualSlot {
        unmodified: true,
        previous: -1,
        ..VirtualSlot::default()
    };
    vec![slot; count]
}

fn config(pictures: &[&str]) -> Config {
    Config {
        slots: pictures
            .iter()
            .map(|&name| TextureSlot::new(name))
            .collect(),
        has_own: true,
        ..Config::default()
    }
}

#[test]
fn variants_take_what_they_do_not_change_from_the_texture_slot() {
    // As the hand-made `vslots.ogz`: 4 is a variant of 2, 5 one of 4.
    let mut slots = unmodified(4);
    slots.push(VirtualSlot {
        previous: 2,
        scale: Some(2.0),
        rotation: Some(1),
        ..VirtualSlot::default()
    });
    slots.push(VirtualSlot {
        previous: 4,
        offset: Some([16, 32]),
        ..VirtualSlot::default()
    });
    let mut config = config(&["a", "b", "c", "d"]);
    config.slots[2].rotation = 3;
    config.slots[2].scale = 0.5;
    let pictures = Pictures(&[("c", [256, 128])]);
    let slots = Slots::new(&map(slots, [4, 4, 4, 4, 5, 3]), &config, &pictures);
    let four = slots.resolve(4);
    assert_eq!(
        (four.number, four.scale, four.rotation, four.offset),
        (2, 2.0, 1, [0, 0])
    );
    let five = slots.resolve(5);
    assert_eq!(
        (five.number, five.scale, five.rotation, five.offset),
        (2, 0.5, 3, [16, 32])
    );
    assert_eq!(
        (five.size, five.was_found, five.is_unresolved),
        ([256, 128], true, false)
    );
    assert_eq!(slots.resolve(3).number, 3);
    assert_eq!(
        slots.iter().map(|slot| slot.index).collect::<Vec<_>>(),
        [0, 1, 3, 4, 5]
    );
}

#[test]
fn indices_that_lead_nowhere_show_the_second_slot() {
    let mut slots = unmodified(3);
    slots.push(VirtualSlot {
        previous: 4,
        ..VirtualSlot::default()
    });
    slots.push(VirtualSlot {
        previous: 3,
        scale: Some(9.0),
        ..VirtualSlot::default()
    });
    slots.push(VirtualSlot {
        previous: -1,
        ..VirtualSlot::default()
    });
    slots.push(VirtualSlot {
        previous: 2,
        scale: Some(3.0),
        ..VirtualSlot::default()
    });
    let map = map(slots, [3, 4, 5, 6, 16_160, 2]);
    let config = config(&["sky", "wall"]);
    let slots = Slots::new(&map, &config, &NoSiblings);
    for index in [3, 4, 5, 16_160] {
        let slot = slots.resolve(index);
        assert_eq!(slot.picture.as_deref(), Some("wall"), "{index}");
        assert_eq!((slot.scale, slot.is_unresolved), (1.0, true), "{index}");
    }
    // The list is shorter than the map says: what is missing looks like the second, without changes of its own.
    let slot = slots.resolve(6);
    assert_eq!(
        (slot.picture.as_deref(), slot.scale, slot.number),
        (Some("wall"), 1.0, 2)
    );
    // Nobody knows what a missing list held.
    let unknown = Config {
        gaps: vec![0, 1],
        ..config
    };
    let slots = Slots::new(&map, &unknown, &NoSiblings);
    assert_eq!(slots.resolve(2).picture, None);
    assert_eq!(slots.resolve(16_160).size, [64, 64]);
}

#[test]
fn before_version_30_the_index_is_the_number() {
    let slots = Slots::new(
        &map(Vec::new(), [2, 1, 0, 3, 7, 7]),
        &config(&["a", "b", "c", "d"]),
        &NoSiblings,
    );
    assert_eq!(slots.resolve(3).picture.as_deref(), Some("d"));
    assert_eq!(slots.resolve(7).picture.as_deref(), Some("b"));
}

#[test]
fn a_sky_goes_by_the_names_of_its_sides() {
    const SIDES: &[(&str, [u32; 2])] = &[
        ("packages/env/day_lf", [64; 2]),
        ("packages/env/day_rt", [64; 2]),
        ("packages/env/day_ft", [64; 2]),
        ("packages/env/day_bk", [64; 2]),
        ("packages/env/day_dn", [64; 2]),
        ("packages/env/day_up", [64; 2]),
    ];
    let config = config(&["packages/env/day", "packages/wall.jpg"]);
    let map = map(Vec::new(), [0, 1, 1, 1, 1, 1]);
    let slots = Slots::new(&map, &config, &Pictures(SIDES));
    assert!(slots.resolve(0).is_sky_box && !slots.resolve(0).was_found);
    assert!(
        !Slots::new(&map, &config, &Pictures(&SIDES[1..]))
            .resolve(0)
            .is_sky_box
    );
    let mut draft = Document::default().edit();
    let mut materials = Materials::new(&slots, &config);
    let sky = materials.of(0, false, &mut draft);
    assert_eq!(materials.sky(&mut draft), sky);
    let mut report = Report::default();
    materials.report(&draft, &mut report);
    assert!(report.counts().is_empty(), "{:?}", report.warnings);
    let doc = draft.peek();
    let sky = doc.material(sky).expect("made");
    assert_eq!(
        (sky.name.as_str(), sky.texture.as_str()),
        ("sky", "packages/env/day_up")
    );
    assert!(sky.flags.has(SurfaceFlags::SKY));
}

#[test]
fn materials_are_shared_by_picture_color_and_alpha() {
    let mut slots = unmodified(5);
    let red = VirtualSlot {
        previous: 2,
        color: Some([1.5, 0.5, 0.5]),
        ..VirtualSlot::default()
    };
    slots.extend([
        VirtualSlot {
            previous: 2,
            scale: Some(2.0),
            ..VirtualSlot::default()
        },
        red.clone(),
        VirtualSlot {
            rotation: Some(1),
            ..red
        },
        VirtualSlot {
            previous: 2,
            scroll: Some([1.0, 0.0]),
            layer: Some(1),
            alpha: Some([0.25, 0.0]),
            shader_parameters: vec![("glow".to_owned(), [1.0, 0.5, 0.0, 0.0])],
            ..VirtualSlot::default()
        },
    ]);
    let all = map(slots, [2, 3, 5, 6, 7, 900]);
    let mut map = all;
    map.tree.leaves.push(Leaf {
        textures: [8; 6],
        ..map.tree.leaves[0]
    });
    let mut config = config(&[
        "sky.png",
        "packages/x/wall.png",
        "packages/x/Brick.jpg",
        "packages/x/brick.jpg",
    ]);
    config.gaps = vec![4];
    config.slots[2].others = 3;
    config.missing = vec!["packages/y/package.cfg".to_owned()];
    let slots = Slots::new(
        &map,
        &config,
        &Pictures(&[("packages/x/Brick.jpg", [512, 256])]),
    );
    let mut draft = Document::default().edit();
    let mut materials = Materials::new(&slots, &config);
    let plain = materials.of(2, false, &mut draft);
    assert_eq!(materials.of(5, false, &mut draft), plain);
    let glassy = materials.of(2, true, &mut draft);
    let red = materials.of(6, false, &mut draft);
    assert_eq!(materials.of(7, false, &mut draft), red);
    let other = materials.of(3, false, &mut draft);
    let unknown = materials.of(900, false, &mut draft);
    let moving = materials.of(8, false, &mut draft);
    let settings = materials.settings();
    let mut report = Report::default();
    materials.report(&draft, &mut report);
    let doc = draft.peek();
    let material = |id| doc.material(id).expect("made");
    assert_eq!(material(plain).name, "x/Brick");
    assert_eq!(material(plain).texture, "packages/x/Brick.jpg");
    assert_eq!(material(plain).tile_size, Vec2::new(64.0, 32.0));
    assert!(!material(plain).flags.has(SurfaceFlags::SIZE_GUESSED));
    assert_eq!(material(glassy).name, "x/Brick#2");
    assert!(material(glassy).flags.has(SurfaceFlags::TRANSLUCENT));
    assert_eq!(
        (material(red).name.as_str(), material(red).color),
        ("x/Brick#3", Vec3::new(1.0, 0.5, 0.5))
    );
    assert_eq!(material(other).name, "x/brick");
    assert!(material(other).flags.has(SurfaceFlags::SIZE_GUESSED));
    assert_eq!(
        (material(unknown).name.as_str(), material(unknown).tile_size),
        ("slot900", Vec2::splat(8.0))
    );
    assert_eq!(material(moving).name, "x/Brick#4");
    assert_eq!(doc.material_count(), 6);
    let setting = |key: &str| {
        let found = settings.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    };
    assert_eq!(setting("material/x/Brick/slot"), Some("2 5"));
    assert_eq!(setting("material/x/Brick/scroll"), None);
    assert_eq!(setting("material/x/Brick#4/scroll"), Some("1 0"));
    assert_eq!(setting("material/x/Brick#4/layer"), Some("\"x/wall.png\""));
    assert_eq!(setting("material/x/Brick#4/alpha"), Some("0.25 0"));
    assert_eq!(
        setting("material/x/Brick#4/parameters"),
        Some("\"glow\" 1 0.5 0 0")
    );
    assert_eq!(setting("material/x/Brick#3/color"), Some("1.5 0.5 0.5"));
    assert_eq!(setting("material/x/Brick#3/slot"), Some("6 7"));
    let counts = report.counts();
    let codes: Vec<(&str, usize)> = counts.into_iter().collect();
    assert_eq!(
        codes,
        [
            ("I-MISSING-CONFIG", 1),
            ("I-MISSING-TEXTURE", 1),
            ("I-PLAIN-TEXTURES", 1),
            ("I-UNRESOLVED-SLOT", 1)
        ],
        "{:?}",
        report.warnings
    );
}

#[test]
fn volumes_have_names_and_the_colors_of_the_map() {
    let mut config = config(&["sky", "wall"]);
    config
        .variables
        .insert("water2colour".to_owned(), Value::Int(0x00FF_0080));
    config
        .materials
        .insert("lava".to_owned(), TextureSlot::new("packages/lava.png"));
    let slots = Slots::new(&map(Vec::new(), [1; 6]), &config, &NoSiblings);
    let mut draft = Document::default().edit();
    let mut materials = Materials::new(&slots, &config);
    let mut made: Vec<_> = [0x05, 0x08, 0x0F, 0x04]
        .into_iter()
        .map(|bits| materials.volume(bits, &mut draft).expect("a volume"))
        .collect();
    assert_eq!(materials.volume(0x04, &mut draft), made.pop());
    assert_eq!(materials.volume(0x40, &mut draft), None);
    assert_eq!(materials.clip(0x04, &mut draft), None);
    let clips = [0x40, 0x60].map(|bits| materials.clip(bits, &mut draft).expect("a clip"));
    let others = [materials.hidden(&mut draft), materials.death(&mut draft)];
    let doc = draft.peek();
    let names: Vec<&str> = made
        .iter()
        .chain(&clips)
        .chain(&others)
        .map(|&id| doc.material(id).expect("made").name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "water2", "lava", "glass4", "clip", "gameclip", "hidden", "death"
        ]
    );
    let lava = doc.material(made[1]).expect("made");
    assert_eq!(lava.texture, "packages/lava.png");
    assert_eq!(
        doc.material(made[0]).expect("made").color,
        Vec3::new(1.0, 0.0, 128.0 / 255.0)
    );
}

/// A slot of which only the placing matters.
fn placed(size: [u32; 2], scale: f32, rotation: u8, offset: [i32; 2]) -> Resolved {
    let mut config = config(&["sky", "wall"]);
    config.slots[1] = TextureSlot {
        rotation,
        offset,
        scale,
        ..TextureSlot::new("wall")
    };
    let slots = Slots::new(&map(Vec::new(), [1; 6]), &config, &NoSiblings);
    let mut slot = slots.resolve(1).clone();
    slot.size = size;
    slot
}

/// Texels at a point of the file, by the rule as it is written down: table, mirrors, then exchange.
fn texels(face: u8, slot: &Resolved, p: DVec3) -> DVec2 {
    let (a, b) = match face {
        0 | 1 => (p.y, -p.z),
        2 | 3 => (p.x, -p.z),
        _ => (p.x, p.y),
    };
    let (flip_x, flip_y, swap) = [
        (false, false, false),
        (false, true, true),
        (true, true, false),
        (true, false, true),
        (true, false, false),
        (false, true, false),
        (false, false, true),
        (true, true, true),
    ][usize::from(slot.rotation)];
    let k = 8.0 / f64::from(slot.scale);
    let [width, height] = slot.size.map(f64::from);
    let x = if flip_x { -width } else { width };
    let y = if flip_y { -height } else { height };
    let [ox, oy] = slot.offset.map(f64::from);
    let uv = if swap {
        DVec2::new(k * b / x - oy / x, k * a / y - ox / y)
    } else {
        DVec2::new(k * a / x - ox / x, k * b / y - oy / y)
    };
    uv * DVec2::new(width, height)
}

fn normal(face: u8) -> DVec3 {
    let axis = DVec3::AXES[usize::from(face / 2)];
    if face.is_multiple_of(2) { -axis } else { axis }
}

#[test]
fn the_examples_of_the_format_text() {
    let slot = placed([256, 128], 2.0, 1, [16, 32]);
    let axes = frame(5, &slot);
    assert_eq!(
        (axes.u, axes.u_offset),
        (DVec3::new(0.0, 0.0, 1.0 / 64.0), -0.125)
    );
    assert_eq!(
        (axes.v, axes.v_offset),
        (DVec3::new(-1.0 / 32.0, 0.0, 0.0), 0.125)
    );
    let point = to_map(DVec3::new(100.0, 40.0, 512.0));
    assert_eq!(axes.at(point), DVec2::new(0.5, -3.0));
    assert_eq!(tile_size(&slot), Vec2::new(32.0, 16.0));
    let found = fit(5, &slot, Plane::new(DVec3::Y, 512.0), &[point]);
    let expected = Uv {
        offset: Vec2::new(-0.125, 0.125),
        scale: Vec2::splat(-2.0),
        rotation_deg: 90.0,
    };
    assert_eq!(
        (found.uv, found.aligned, found.axes),
        (expected, false, None)
    );

    // A slope that is nearer to another axis than its face number.
    let slot = placed([256, 128], 1.0, 0, [0, 0]);
    let point = to_map(DVec3::new(10.0, 20.0, 30.0));
    let slope = to_map(DVec3::new(2.0, 0.0, 1.0)).normalize();
    let found = fit(5, &slot, Plane::new(slope, slope.dot(point)), &[point]);
    assert_eq!(found.axes, None);
    assert!((found.uv.rotation_deg - 90.0).abs() < 1e-5);
    assert!(
        found.uv.scale.abs_diff_eq(Vec2::new(-2.0, -1.0), 1e-6),
        "{found:?}"
    );
    assert!(
        found.uv.offset.abs_diff_eq(Vec2::new(0.78125, 0.0), 1e-6),
        "{found:?}"
    );
    let skewed = to_map(DVec3::new(2.0, 1.0, 1.0)).normalize();
    let corners = [point, point + skewed.any_orthonormal_vector() * 50.0];
    let found = fit(5, &slot, Plane::new(skewed, skewed.dot(point)), &corners);
    assert_eq!(found.axes, Some(frame(5, &slot).rounded()));
}

#[test]
fn straight_faces_have_the_numbers_of_the_table() {
    // Rotation, and the signs of the scales, by slot rotation.
    const TABLE: [(&[u8], [&str; 8]); 3] = [
        (
            &[0, 3, 5],
            ["0++", "90--", "0--", "90++", "0-+", "0+-", "90-+", "90+-"],
        ),
        (
            &[1, 2],
            ["0-+", "90-+", "0+-", "90+-", "0++", "0--", "90--", "90++"],
        ),
        (
            &[4],
            ["0+-", "90+-", "0-+", "90-+", "0--", "0++", "90++", "90--"],
        ),
    ];
    for (faces, row) in TABLE {
        for &face in faces {
            for (rotation, cell) in (0..).zip(row) {
                let slot = placed([256, 128], 2.0, rotation, [48, 16]);
                let plane = Plane::new(to_map(normal(face)), 40.0);
                let found = fit(
                    face,
                    &slot,
                    plane,
                    &[plane.normal * 40.0, DVec3::splat(40.0)],
                );
                let sign = |value: f32| if value > 0.0 { '+' } else { '-' };
                let scale = found.uv.scale;
                let written = format!(
                    "{}{}{}",
                    found.uv.rotation_deg,
                    sign(scale.x),
                    sign(scale.y)
                );
                assert_eq!(written, cell, "face {face}, rotation {rotation}");
                assert_eq!(scale.abs(), Vec2::splat(2.0));
                let axes = frame(face, &slot);
                assert_eq!(
                    found.uv.offset.as_dvec2(),
                    DVec2::new(axes.u_offset, axes.v_offset)
                );
                assert_eq!((found.aligned, found.axes), (false, None));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// As stored, a corner of any face is within 0.002 texel of the rule.
    #[test]
    fn pictures_lie_where_the_rule_puts_them(
        face in 0..6u8,
        rotation in 0..8u8,
        size in prop::array::uniform2(prop::sample::select(vec![64u32, 96, 128, 256, 300, 512])),
        scale in prop::sample::select(vec![0.125f32, 0.25, 0.3, 0.5, 1.0, 2.0, 4.0]),
        offset in prop::array::uniform2(-1024..1024i32),
        corners in prop::array::uniform3(prop::array::uniform3(0..8 * 1024i32)),
    ) {
        let corners = corners.map(|corner| DVec3::from(corner.map(f64::from)) / 8.0);
        let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        prop_assume!(across.length() > 1.0);
        let slot = placed(size, scale, rotation, offset);
        let normal = to_map(across).normalize();
        let in_map = corners.map(to_map);
        let plane = Plane::new(normal, normal.dot(in_map[0]));
        let found = fit(face, &slot, plane, &in_map);
        let pixels = DVec2::from(size.map(f64::from));
        let frame = match found.axes {
            Some(axes) => axes,
            None => found.uv.frame(normal, found.aligned, tile_size(&slot)),
        };
        for (corner, point) in corners.into_iter().zip(in_map) {
            let off = frame.at(point) * pixels - texels(face, &slot, corner);
            // Four steps of a stored number is what no file can be better than.
            let steps = texels(face, &slot, corner).abs().max_element() * 4.0 * f64::from(f32::EPSILON);
            prop_assert!(off.abs().max_element() < steps.max(0.002), "{off} {found:?}");
        }
    }
}

#[test]
fn a_map_without_configuration_says_so() {
    let config = Config::read(
        Path::new("a/b.ogz"),
        &[],
        &NoSiblings,
        &crate::task::Progress::new(),
    )
    .expect("not cancelled");
    assert_eq!(config.gaps, [0]);
    let slots = Slots::new(&map(unmodified(9), [3; 6]), &config, &NoSiblings);
    let mut draft = Document::default().edit();
    let mut materials = Materials::new(&slots, &config);
    let id = materials.of(3, false, &mut draft);
    let mut report = Report::default();
    materials.report(&draft, &mut report);
    assert_eq!(report.counts().get("I-MISSING-CONFIG"), Some(&2));
    assert_eq!(draft.peek().material(id).expect("made").name, "slot3");
}

#[test]
fn what_glows_in_full_is_shown_without_light() {
    let mut config = config(&["sky", "full", "part", "dim", "dull", "full"]);
    for (slot, shader, glow) in [
        (1, "bumpGlowworld", "full"),
        (2, "glowworld", "part_g"),
        (3, "glowworld", "dim"),
        (4, "bumpworld", "dull"),
    ] {
        config.slots[slot].shader = shader.to_owned();
        config.slots[slot].glow = Some(glow.to_owned());
    }
    config.slots[3].glow_color = Some([0.2; 3]);
    let mut slots = unmodified(6);
    // Its own strength goes before that of the list.
    slots.push(VirtualSlot {
        previous: 3,
        shader_parameters: vec![("glowcolor".to_owned(), [1.0, 1.0, 1.0, 0.0])],
        ..VirtualSlot::default()
    });
    let slots = Slots::new(&map(slots, [1, 2, 3, 4, 5, 6]), &config, &NoSiblings);
    let mut draft = Document::default().edit();
    let mut materials = Materials::new(&slots, &config);
    let made = [1, 2, 3, 4, 5, 6].map(|index| materials.of(index, false, &mut draft));
    let settings = materials.settings();
    let mut report = Report::default();
    materials.report(&draft, &mut report);
    let doc = draft.peek();
    let unlit = made.map(|id| {
        let material = doc.material(id).expect("made");
        material.flags.has(SurfaceFlags::UNLIT)
    });
    assert_eq!(unlit, [true, false, false, false, false, true]);
    assert_ne!(made[0], made[4], "the same picture, lit");
    let counts = report.counts();
    assert_eq!(
        (counts.get("I-GLOW"), counts.get("I-GLOW-PART")),
        (Some(&1), Some(&1))
    );
    let text = |code: &str| {
        let found = report
            .warnings
            .iter()
            .find(|warning| warning.kind.code == code);
        found.map_or("", |warning| warning.kind.text.as_str())
    };
    assert!(
        text("I-GLOW").starts_with("2 texture slots glow"),
        "{report:?}"
    );
    assert!(text("I-GLOW-PART").starts_with("2 texture slots glow"));
    let glow = ("material/part/glow".to_owned(), "2: part_g".to_owned());
    assert!(settings.contains(&glow), "{settings:?}");
}
