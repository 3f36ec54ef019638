//! [`RawMap`] to bytes of version 33. Layout: Sauerbraten.

use std::io::Write as _;

use flate2::Compression;
use flate2::GzBuilder;

use crate::formats::ogz::header::bytes_of;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::RawEntity;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::writer::Writer;

/// The version that is written, and the length of its header.
const VERSION: u32 = 33;
const HEADER: u32 = 40;

/// Entities that the game reads.
pub const MOST_ENTITIES: usize = 10_000;

/// The whole file, packed. Nothing that is baked is in it: the game does that on request. Entities past
/// [`MOST_ENTITIES`] are left out, as are attributes past five; texts are cut where their length does not fit.
#[must_use]
pub fn encode(map: &RawMap) -> Vec<u8> {
    let mut out = Writer::with_capacity(64 + map.entities.len() * 24 + map.tree.leaves.len() * 16);
    let entities = &map.entities[..map.entities.len().min(MOST_ENTITIES)];
    out.raw(b"OCTA");
    let header = [
        VERSION,
        HEADER,
        map.world_size,
        entities.len() as u32,
        // Visibility, light maps, blend map.
        0,
        0,
        0,
        map.variables.len() as u32,
        map.slots.len() as u32,
    ];
    for field in header {
        out.u32(field);
    }
    for (name, value) in &map.variables {
        variable(&mut out, name, value);
    }
    let game = cut(&map.game, 255);
    out.u8(game.len() as u8);
    out.raw(&game);
    out.u8(0);
    // All entities have the same number of bytes of another game behind them; there are none here, and no textures of late.
    let longest = entities.iter().map(|entity| entity.extra.len()).max();
    let extra = u16::try_from(longest.unwrap_or(0)).unwrap_or(u16::MAX);
    for field in [extra, 0, 0] {
        out.u16(field);
    }
    for one in entities {
        entity(&mut out, one, usize::from(extra));
    }
    slots(&mut out, &map.slots);
    if let Some(root) = map.tree.splits.first() {
        for &child in root {
            node(&mut out, map, child);
        }
    } else {
        for _ in 0..8 {
            leaf(&mut out, &EMPTY);
        }
    }
    packed(out.bytes())
}

/// A cube with nothing in it.
const EMPTY: Leaf = Leaf {
    origin: [0; 3],
    size: 0,
    fill: Fill::Empty,
    edges: [0; 12],
    textures: [1; 6],
    material: 0,
};

fn packed(bytes: &[u8]) -> Vec<u8> {
    // No name and no time: the same map gives the same file.
    let mut packer = GzBuilder::new().write(Vec::new(), Compression::best());
    let done = packer.write_all(bytes).and_then(|()| packer.finish());
    // A vector takes everything.
    done.unwrap_or_default()
}

fn cut(text: &str, most: usize) -> Vec<u8> {
    let mut bytes = bytes_of(text);
    bytes.truncate(most);
    bytes
}

fn text(out: &mut Writer, text: &str) {
    let bytes = cut(text, usize::from(u16::MAX));
    out.u16(bytes.len() as u16);
    out.raw(&bytes);
}

fn variable(out: &mut Writer, name: &str, value: &Value) {
    out.u8(match value {
        Value::Int(_) => 0,
        Value::Float(_) => 1,
        Value::Text(_) => 2,
    });
    text(out, name);
    match value {
        Value::Int(value) => out.u32(value.cast_unsigned()),
        Value::Float(value) => out.u32(value.to_bits()),
        Value::Text(value) => text(out, value),
    }
}

fn entity(out: &mut Writer, entity: &RawEntity, extra: usize) {
    for part in entity.position {
        out.u32(part.to_bits());
    }
    for index in 0..5 {
        let attribute = entity.attributes.get(index).copied().unwrap_or(0);
        let attribute = attribute.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        out.u16(attribute.cast_unsigned());
    }
    out.u8(entity.kind);
    out.u8(0);
    let bytes = entity.extra.iter().copied().chain(std::iter::repeat(0));
    for byte in bytes.take(extra) {
        out.u8(byte);
    }
}

fn slots(out: &mut Writer, slots: &[VirtualSlot]) {
    for run in slots.chunk_by(|a, b| a.unmodified && b.unmodified) {
        if run[0].unmodified {
            out.u32((-(run.len() as i32)).cast_unsigned());
        } else {
            slot(out, &run[0]);
        }
    }
}

fn slot(out: &mut Writer, slot: &VirtualSlot) {
    let parts = [
        !slot.shader_parameters.is_empty(),
        slot.scale.is_some(),
        slot.rotation.is_some(),
        slot.offset.is_some(),
        slot.scroll.is_some(),
        slot.layer.is_some(),
        slot.alpha.is_some(),
        slot.color.is_some(),
    ];
    let changed = (0..)
        .zip(parts)
        .fold(0, |bits, (bit, has)| bits | u32::from(has) << bit);
    out.u32(changed);
    out.u32(slot.previous.cast_unsigned());
    if !slot.shader_parameters.is_empty() {
        let parameters = &slot.shader_parameters[..slot.shader_parameters.len().min(65_535)];
        out.u16(parameters.len() as u16);
        for (name, values) in parameters {
            text(out, name);
            floats(out, values);
        }
    }
    if let Some(scale) = slot.scale {
        floats(out, &[scale]);
    }
    if let Some(rotation) = slot.rotation {
        out.u32(u32::from(rotation));
    }
    for part in slot.offset.into_iter().flatten() {
        out.u32(part.cast_unsigned());
    }
    floats(out, slot.scroll.as_ref().map_or(&[], |scroll| &scroll[..]));
    if let Some(layer) = slot.layer {
        out.u32(layer.cast_unsigned());
    }
    floats(out, slot.alpha.as_ref().map_or(&[], |alpha| &alpha[..]));
    floats(out, slot.color.as_ref().map_or(&[], |color| &color[..]));
}

fn floats(out: &mut Writer, values: &[f32]) {
    for value in values {
        out.u32(value.to_bits());
    }
}

/// A tree that was read is at most 32 deep.
fn node(out: &mut Writer, map: &RawMap, at: Node) {
    match at {
        Node::Split(index) => {
            out.u8(0);
            for child in map.tree.splits[index as usize] {
                node(out, map, child);
            }
        }
        Node::Leaf(index) => leaf(out, &map.tree.leaves[index as usize]),
    }
}

fn leaf(out: &mut Writer, leaf: &Leaf) {
    const HAS_MATERIAL: u8 = 0x40;
    let tag = match leaf.fill {
        Fill::Empty => 1,
        Fill::Solid => 2,
        Fill::Deformed => 3,
    };
    out.u8(if leaf.material != 0 {
        tag | HAS_MATERIAL
    } else {
        tag
    });
    if leaf.fill == Fill::Deformed {
        out.raw(&leaf.edges);
    }
    for texture in leaf.textures {
        out.u16(texture);
    }
    if leaf.material != 0 {
        out.u16(leaf.material);
    }
}
