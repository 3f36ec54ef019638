//! Maps made for tests: slots, broken objects, hostile numbers.

use proptest::prelude::*;

use crate::formats::Read;
use crate::formats::unr::made_package::MadeObject;
use crate::formats::unr::made_package::MadePackage;
use crate::formats::unr::made_package::MadeValue as V;
use crate::formats::unr::made_package::compact;
use crate::formats::unr::raw::LightEntry;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::read::Note;
use crate::formats::unr::read::read;
use crate::task::Progress;

const VERSION: u16 = 69;

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn compacts(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| compact(number)).collect()
}

/// What the tests change in a node; the others are sound.
#[derive(Clone, Copy)]
struct MadeNode {
    first_vertex: i32,
    surface: i32,
    back: i32,
    front: i32,
    coplanar: i32,
    hull: i32,
    zone: i32,
    leaf: i32,
}

const NODE: MadeNode = MadeNode {
    first_vertex: 0,
    surface: 0,
    back: -1,
    front: -1,
    coplanar: -1,
    hull: 0,
    zone: 1,
    leaf: 0,
};

/// A world as it is written.
struct MadeWorld {
    points: Vec<[f32; 3]>,
    nodes: Vec<MadeNode>,
    /// Base and lightmap of each surface.
    surfaces: Vec<(i32, i32)>,
    vertices: Vec<i32>,
    hulls: Vec<i32>,
    /// Size, and first of its lights.
    lightmaps: Vec<(i32, i32)>,
    bits: usize,
    lights: Vec<i32>,
}

impl Default for MadeWorld {
    /// Two nodes with a triangle each, the second behind the first, and a lightmap with two lights.
    fn default() -> Self {
        Self {
            points: vec![[0.0; 3], [64.0, 0.0, 0.0], [0.0, 64.0, 0.0]],
            nodes: vec![MadeNode { back: 1, ..NODE }, NODE],
            surfaces: vec![(0, 0)],
            vertices: vec![0, 1, 2],
            hulls: vec![0, -1, 0, 0, 0, 0, 0, 0],
            lightmaps: vec![(8, 0)],
            bits: 16,
            lights: vec![1, 1, 0],
        }
    }
}

impl MadeWorld {
    fn bytes(&self, brush: i32) -> Vec<u8> {
        let mut data = compact(0);
        data.extend([0; 25 + 16]);
        data.extend(compact(2));
        data.extend(floats(&[0.0, 0.0, 1.0, 1.0, 0.0, 0.0]));
        data.extend(compact(self.points.len() as i32));
        data.extend(self.points.iter().flat_map(|point| floats(point)));
        data.extend(compact(self.nodes.len() as i32));
        for node in &self.nodes {
            data.extend(floats(&[0.0, 0.0, 1.0, 0.0]));
            data.extend([0; 9]);
            data.extend(compacts(&[
                node.first_vertex,
                node.surface,
                node.back,
                node.front,
            ]));
            data.extend(compacts(&[
                node.coplanar,
                node.hull,
                -1,
                node.zone,
                node.zone,
            ]));
            data.push(3);
            data.extend([(-1_i32).to_le_bytes(), node.leaf.to_le_bytes()].concat());
        }
        data.extend(compact(self.surfaces.len() as i32));
        for &(base, lightmap) in &self.surfaces {
            data.extend([0, 8, 0, 0, 0]);
            data.extend(compacts(&[base, 0, 1, 1, lightmap, 0]));
            data.extend([5, 0, 0xFE, 0xFF]);
            data.extend(compact(brush));
        }
        data.extend(compact(self.vertices.len() as i32));
        data.extend(
            self.vertices
                .iter()
                .flat_map(|&point| compacts(&[point, -1])),
        );
        data.extend([0; 4]);
        data.extend(2_i32.to_le_bytes());
        data.extend([0; 2 * 17]);
        data.extend(compact(0));
        data.extend(compact(self.lightmaps.len() as i32));
        for &(size, first_light) in &self.lightmaps {
            data.extend([0; 16]);
            data.extend(compacts(&[size, size]));
            data.extend(floats(&[32.0, 32.0]));
            data.extend(first_light.to_le_bytes());
        }
        data.extend(compact(self.bits as i32));
        data.extend(vec![0xFF; self.bits]);
        data.extend(compact(0));
        data.extend(compact(self.hulls.len() as i32));
        data.extend(self.hulls.iter().flat_map(|number| number.to_le_bytes()));
        data.extend(compact(1));
        data.extend(compacts(&[1, -1, 0]));
        data.extend([0; 8]);
        data.extend(compact(self.lights.len() as i32));
        data.extend(compacts(&self.lights));
        data.extend([0; 8]);
        data
    }
}

fn object(data: Vec<u8>) -> MadeObject {
    MadeObject {
        data,
        ..MadeObject::default()
    }
}

fn level(slots: &[i32], model: i32) -> Vec<u8> {
    let mut data = compact(0);
    data.extend((slots.len() as i32).to_le_bytes());
    data.extend([0; 4]);
    data.extend(compacts(slots));
    // Four texts, no options, port and validity.
    data.extend([0; 4 + 1 + 8]);
    data.extend(compact(model));
    // No reach specs, the time, the first deleted actor, text blocks, no travel info.
    data.extend([0; 1 + 4 + 1 + 16 + 1]);
    data
}

/// A brush with one triangle, of which every second one may be no place.
fn polys(package: &mut MadePackage, corners: &[[f32; 3]]) -> i32 {
    let mut data = compact(0);
    data.extend([2, 0, 0, 0, 2, 0, 0, 0]);
    for corner in corners {
        data.extend(compact(3));
        data.extend(floats(&[0.0; 12]));
        data.extend(floats(corner));
        data.extend(floats(&[64.0, 0.0, 0.0, 0.0, 64.0, 0.0]));
        data.extend([8, 0, 0, 0, 0, 0, 0, 0x81, 0, 3, 0, 0xFD, 0xFF]);
    }
    package.export("Polys", 0, "Polys0", object(data))
}

/// LevelInfo, a brush, a light with broken data, an empty slot, the brush again, and something that is not there.
fn map(world: &MadeWorld, corner: [f32; 3]) -> Vec<u8> {
    let mut package = MadePackage::new(VERSION);
    package.import("Package", 0, "Engine");
    let info = package.properties(&[("Health", V::Int(7))]);
    let info = package.export("LevelInfo", 0, "LevelInfo0", object(info));
    let polys = polys(&mut package, &[[0.0; 3], corner]);
    let mut data = compact(0);
    data.extend([0; 25 + 16]);
    data.extend([0; 5 + 4 + 4]);
    data.extend(compact(polys));
    data.extend([0; 6 + 8]);
    let shape = package.export("Model", 0, "Model1", object(data));
    let brush = package.properties(&[("Brush", V::Object(shape)), ("CsgOper", V::Byte(2))]);
    let brush = package.export("Brush", 0, "Brush0", object(brush));
    let broken = package.export("Light", 0, "Light0", object(compact(99)));
    let model = package.export("Model", 0, "Model0", object(world.bytes(brush)));
    let data = level(&[info, brush, broken, 0, brush, -1, 4000], model);
    package.export("Level", 0, "MyLevel", object(data));
    package.bytes()
}

fn open(bytes: &[u8]) -> Read<(RawMap, Vec<Note>)> {
    let found = read(bytes, &Progress::new());
    if let Ok((map, _)) = &found {
        map.world.iter().for_each(assert_sound);
    }
    found
}

/// What readers of a model rely on.
fn assert_sound(world: &RawModel) {
    let below = |index: u32, count: usize| assert!((index as usize) < count);
    let mut reached = vec![0_usize; world.nodes.len()];
    for node in &world.nodes {
        for link in [node.back, node.front, node.coplanar].into_iter().flatten() {
            reached[link as usize] += 1;
        }
        node.leaves
            .into_iter()
            .flatten()
            .for_each(|leaf| below(leaf, world.leaves.len()));
        if let Some(hull) = node.hull {
            let record = &world.leaf_hulls[hull as usize..];
            let end = record
                .iter()
                .position(|&number| number == -1)
                .expect("it ends");
            assert!(record.len() >= end + 7);
        }
        if node.vertex_count > 0 {
            below(node.surface, world.surfaces.len());
            assert_eq!(world.polygon(node).len(), usize::from(node.vertex_count));
        }
    }
    assert!(reached.iter().all(|&links| links <= 1));
    let mut open: Vec<u32> = (!world.nodes.is_empty()).then_some(0).into_iter().collect();
    let mut steps = 0;
    while let Some(node) = open.pop() {
        steps += 1;
        assert!(steps <= world.nodes.len(), "a ring");
        let node = &world.nodes[node as usize];
        open.extend([node.back, node.front, node.coplanar].into_iter().flatten());
    }
    for surface in &world.surfaces {
        below(surface.base, world.points.len());
        for vector in [surface.normal, surface.u, surface.v] {
            below(vector, world.vectors.len());
        }
        surface
            .lightmap
            .into_iter()
            .for_each(|lightmap| below(lightmap, world.lightmaps.len()));
    }
    for lightmap in &world.lightmaps {
        let Some(first) = lightmap.first_light else {
            continue;
        };
        let list = &world.lights[first as usize..];
        let lights = list
            .iter()
            .position(|entry| *entry == LightEntry::End)
            .expect("it ends");
        let [width, height] = lightmap.size.map(|texels| texels as usize);
        let end = lightmap.offset as usize + lights * height * width.div_ceil(8);
        assert!(end <= world.light_bits.len() && width <= 1024 && height <= 1024);
    }
}

fn codes(notes: &[Note]) -> Vec<&str> {
    notes.iter().map(|note| note.code).collect()
}

#[test]
fn slots_and_what_is_broken() {
    let (map, notes) = open(&map(&MadeWorld::default(), [1.0; 3])).expect("readable");
    let names: Vec<&str> = map.actors.iter().map(|actor| actor.name.as_str()).collect();
    assert_eq!(names, ["LevelInfo0", "Brush0"]);
    assert_eq!(map.actors[0].properties.int("health"), Some(7));
    let facts = &map.facts;
    assert_eq!(
        (facts.slots, facts.empty_slots, facts.repeated_slots),
        (7, 1, 1)
    );
    assert_eq!(facts.bad_actors, 3);
    assert_eq!(codes(&notes), ["I-BAD-ACTOR"; 3]);
    assert_eq!(facts.packages, ["Engine"]);
    let polygons = map.actors[1].polygons.as_ref().expect("a shape");
    assert_eq!(polygons.len(), 2);
    assert_eq!(
        (polygons[0].link, polygons[0].pan, polygons[0].flags),
        (-1, [3, -3], 8)
    );
    let world = map.world.as_ref().expect("a world");
    assert_eq!(world.surfaces[0].actor, Some(1));
    assert_eq!(world.surfaces[0].pan, [5, -2]);
    assert_eq!(world.nodes[0].back, Some(1));
    assert_eq!(
        world.lights,
        [LightEntry::Actor(0), LightEntry::Actor(0), LightEntry::End]
    );
    assert_eq!(world.lightmaps[0].first_light, Some(0));
    assert_eq!(
        (facts.bad_nodes, facts.bad_polygons, facts.bad_lightmaps),
        (0, 0, 0)
    );
}

#[test]
fn polygons_at_impossible_places_keep_their_number() {
    for corner in [
        [f32::NAN, 0.0, 0.0],
        [0.0, f32::INFINITY, 0.0],
        [0.0, 0.0, 2e6],
    ] {
        let (map, notes) = open(&map(&MadeWorld::default(), corner)).expect("readable");
        let polygons = map.actors[1].polygons.as_ref().expect("a shape");
        let corners: Vec<usize> = polygons
            .iter()
            .map(|polygon| polygon.vertices.len())
            .collect();
        assert_eq!((corners, map.facts.bad_polygons), (vec![3, 0], 1));
        assert!(codes(&notes).contains(&"I-BAD-POLYGON"));
    }
}

#[test]
fn an_empty_world_is_legal() {
    let world = MadeWorld {
        points: Vec::new(),
        nodes: Vec::new(),
        surfaces: Vec::new(),
        vertices: Vec::new(),
        hulls: Vec::new(),
        lightmaps: Vec::new(),
        bits: 0,
        lights: Vec::new(),
    };
    let (map, notes) = open(&map(&world, [1.0; 3])).expect("readable");
    assert_eq!(map.world.map(|world| world.nodes.len()), Some(0));
    assert_eq!(codes(&notes), ["I-BAD-ACTOR"; 3]);
}

/// What is wrong in a world is counted, and the rest of it stays.
#[test]
fn numbers_of_a_world_that_cannot_be() {
    let node = |node: MadeNode| MadeWorld {
        nodes: vec![MadeNode { back: 1, ..NODE }, node],
        ..MadeWorld::default()
    };
    let worlds = [
        (node(MadeNode { back: 7, ..NODE }), [1, 0, 0]),
        (node(MadeNode { front: -3, ..NODE }), [1, 0, 0]),
        // Rings: to the node itself, to the root.
        (node(MadeNode { front: 1, ..NODE }), [1, 0, 0]),
        (
            node(MadeNode {
                coplanar: 0,
                ..NODE
            }),
            [1, 0, 0],
        ),
        (node(MadeNode { surface: 1, ..NODE }), [1, 0, 0]),
        (
            node(MadeNode {
                first_vertex: 1,
                ..NODE
            }),
            [1, 0, 0],
        ),
        (
            node(MadeNode {
                first_vertex: -1,
                ..NODE
            }),
            [1, 0, 0],
        ),
        (node(MadeNode { hull: 2, ..NODE }), [1, 0, 0]),
        (
            node(MadeNode {
                leaf: 5,
                zone: 70,
                ..NODE
            }),
            [0, 0, 0],
        ),
        (
            MadeWorld {
                points: vec![[0.0; 3], [f32::NAN, 0.0, 0.0], [0.0, 64.0, 0.0]],
                ..MadeWorld::default()
            },
            [0, 2, 0],
        ),
        (
            MadeWorld {
                vertices: vec![0, 1, 9],
                ..MadeWorld::default()
            },
            [2, 0, 0],
        ),
        (
            MadeWorld {
                surfaces: vec![(9, 0)],
                ..MadeWorld::default()
            },
            [2, 0, 0],
        ),
        (
            MadeWorld {
                bits: 15,
                ..MadeWorld::default()
            },
            [0, 0, 1],
        ),
        (
            MadeWorld {
                lightmaps: vec![(-8, 3), (1 << 30, 2)],
                ..MadeWorld::default()
            },
            [0, 0, 2],
        ),
        (
            MadeWorld {
                lights: vec![1, 1],
                ..MadeWorld::default()
            },
            [0, 0, 0],
        ),
    ];
    for (number, (world, wanted)) in worlds.into_iter().enumerate() {
        let (map, notes) = open(&map(&world, [1.0; 3])).expect("readable");
        let facts = &map.facts;
        let found = [facts.bad_nodes, facts.bad_polygons, facts.bad_lightmaps];
        assert_eq!(found, wanted, "world {number}");
        let told = codes(&notes)
            .iter()
            .filter(|code| **code != "I-BAD-ACTOR")
            .count();
        assert_eq!(told, usize::from(found != [0; 3]), "world {number}");
    }
}

#[test]
fn bytes_that_are_left_are_told() {
    let mut world = MadeWorld::default().bytes(0);
    world.push(0);
    let mut package = MadePackage::new(VERSION);
    let model = package.export("Model", 0, "Model0", object(world));
    package.export("Level", 0, "MyLevel", object(level(&[], model)));
    let (_, notes) = open(&package.bytes()).expect("readable");
    assert_eq!(codes(&notes), ["I-LEFTOVER"]);
    assert!(
        notes[0].text.contains("1 bytes at the end of Model Model0"),
        "{}",
        notes[0].text
    );
}

#[test]
fn worlds_that_cannot_be_read_leave_the_brushes() {
    for model in [0, 1, -1, 4000] {
        let mut package = MadePackage::new(VERSION);
        let info = package.properties(&[]);
        let info = package.export("LevelInfo", 0, "LevelInfo0", object(info));
        package.export("Level", 0, "MyLevel", object(level(&[info], model)));
        let (map, notes) = open(&package.bytes()).expect("readable");
        assert!(map.world.is_none() && map.actors.len() == 1);
        assert_eq!(codes(&notes), ["I-NO-WORLD"]);
    }
}

#[test]
fn objects_that_stand_in_each_other_have_names() {
    let mut package = MadePackage::new(VERSION);
    let ring = package.import("Package", -2, "Ring");
    let other = package.import("Package", ring, "Other");
    let info = package.properties(&[("Texture", V::Object(other))]);
    let info = package.export("LevelInfo", 1, "LevelInfo0", object(info));
    package.export("Level", 0, "MyLevel", object(level(&[info], 0)));
    let (map, _) = open(&package.bytes()).expect("readable");
    let texture = map.actors[0]
        .properties
        .object("Texture")
        .expect("a texture");
    assert_eq!(texture.name, "Other");
    assert!(texture.group.len() < 1024 && texture.group.contains("Ring.Other."));
}

/// Thousands of actors whose data is the same large part of the file.
#[test]
fn objects_that_share_their_bytes_do_not_fill_the_memory() {
    const ACTORS: i32 = 2000;
    const PROPERTIES: usize = 20_000;
    let mut file = [0xC1, 0x83, 0x2A, 0x9E, 69, 0, 0, 0, 0, 0, 0, 0].to_vec();
    let counts = file.len();
    file.extend([0; 24 + 16 + 4]);
    let names = file.len();
    for name in ["None", "Light", "Level"] {
        file.push(name.len() as u8 + 1);
        file.extend(name.bytes().chain([0; 5]));
    }
    let actor = file.len();
    file.extend([1, 3].repeat(PROPERTIES));
    file.push(0);
    let actor_size = file.len() - actor;
    let level_at = file.len();
    let slots: Vec<i32> = (1..=ACTORS).collect();
    file.extend(level(&slots, 0));
    let level_size = file.len() - level_at;
    let imports = file.len();
    for name in [1, 2] {
        file.extend([0, 1, 0, 0, 0, 0, name]);
    }
    let exports = file.len();
    for export in 0..=ACTORS {
        let is_level = export == ACTORS;
        let (class, size, offset) = if is_level {
            (-2, level_size, level_at)
        } else {
            (-1, actor_size, actor)
        };
        file.extend(compact(class));
        file.extend([0; 1 + 4]);
        file.push(1);
        file.extend([0; 4]);
        file.extend(compacts(&[size as i32, offset as i32]));
    }
    let header = [3, names, ACTORS as usize + 1, exports, 2, imports];
    for (place, number) in header.into_iter().enumerate() {
        let at = counts + 4 * place;
        file[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
    }
    let (map, notes) = open(&file).expect("readable");
    assert!((1..10).contains(&map.actors.len()), "{}", map.actors.len());
    assert_eq!(map.actors[0].properties.0.len(), PROPERTIES);
    assert_eq!(map.actors.len() + map.facts.bad_actors, ACTORS as usize);
    assert!(notes.len() < 40, "told {} times", notes.len());
}

#[test]
fn every_cut_is_refused_in_one_sentence() {
    let bytes = map(&MadeWorld::default(), [1.0; 3]);
    for end in 0..bytes.len() {
        let error = open(&bytes[..end]).expect_err("the tables stand at the end");
        let text = error.at(std::path::Path::new("a.unr")).to_string();
        assert!(
            text.starts_with("a.unr: ") && text.lines().count() == 1,
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn changed_bytes_never_break_the_reader(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = map(&MadeWorld::default(), [1.0; 3]);
        for (place, byte) in changes {
            let place = place % bytes.len();
            bytes[place] = byte;
        }
        let _ = open(&bytes);
    }

    #[test]
    fn other_numbers_in_the_world_never_break_it(
        nodes in prop::collection::vec((-2..6, -2..6, -2..6, -2..9), 1..6),
    ) {
        let made = |&(back, front, coplanar, hull): &(i32, i32, i32, i32)| MadeNode {
            back,
            front,
            coplanar,
            hull,
            ..NODE
        };
        let world = MadeWorld {
            nodes: nodes.iter().map(made).collect(),
            ..MadeWorld::default()
        };
        open(&map(&world, [1.0; 3])).expect("readable");
    }
}
