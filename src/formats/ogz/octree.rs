//! The tree of cubes, read with a list of open cubes: a file of nothing but splits must not use up the stack.

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::header::Kind;
use crate::formats::ogz::raw::Facts;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape;
use crate::task::Progress;

/// Real maps have up to 16 levels.
const MAX_DEPTH: usize = 32;

/// Leaves between looks at whether the work was cancelled.
const LEAVES_PER_CHECK: usize = 1 << 14;

const SOLID_EDGES: [u8; 12] = [0x80; 12];

/// Bits of a cube's tag from version 32 on.
const HAS_SURFACES: u8 = 0x20;
const HAS_MATERIAL: u8 = 0x40;
const HAS_MERGES: u8 = 0x80;

/// A split cube whose children are being read.
struct Open {
    /// `None` below a cube of one unit, which cannot be split: its children are read and dropped.
    split: Option<u32>,
    origin: [i32; 3],
    child_size: i32,
    next: u8,
}

impl Open {
    fn child_origin(&self, child: u8) -> [i32; 3] {
        let along = |axis: u8| i32::from(child >> axis & 1) * self.child_size;
        [
            self.origin[0] + along(0),
            self.origin[1] + along(1),
            self.origin[2] + along(2),
        ]
    }
}

/// Reads the tree. After an error the part that could not be read stands as empty leaves in the tree, so that it is whole.
///
/// `world_size`: a power of two, at least 2.
pub fn octree(
    cursor: &mut Cursor<'_>,
    kind: Kind,
    world_size: i32,
    facts: &mut Facts,
    progress: &Progress,
) -> (Octree, Read<()>) {
    let mut reader = Reader {
        cursor,
        kind,
        tree: Octree::default(),
        open: Vec::new(),
        facts,
        used: vec![false; 1 << 16],
        bytes: 0,
    };
    reader.bytes = reader.cursor.left();
    reader.begin_split([0; 3], world_size >> 1, true);
    let result = reader.cubes(progress);
    if result.is_err() {
        reader.fill_up();
    }
    reader.facts.slots_used = reader.used.iter().filter(|&&used| used).count();
    (reader.tree, result)
}

struct Reader<'r, 'a> {
    cursor: &'r mut Cursor<'a>,
    kind: Kind,
    tree: Octree,
    open: Vec<Open>,
    facts: &'r mut Facts,
    /// By slot.
    used: Vec<bool>,
    /// From the tree on, for the progress.
    bytes: usize,
}

impl Reader<'_, '_> {
    fn cubes(&mut self, progress: &Progress) -> Read<()> {
        let mut since_check = 0;
        while let Some(open) = self.open.last_mut() {
            if open.next == 8 {
                self.open.pop();
                continue;
            }
            let child = open.next;
            let (origin, size) = (open.child_origin(child), open.child_size);
            self.cube(child, origin, size)?;
            since_check += 1;
            if since_check == LEAVES_PER_CHECK {
                since_check = 0;
                progress.set(1.0 - self.cursor.left() as f32 / self.bytes as f32);
                progress.check().map_err(|cancelled| {
                    self.cursor.error("cubes", ErrorKind::Cancelled(cancelled))
                })?;
            }
        }
        Ok(())
    }

    /// One cube: the next child of the last open one.
    fn cube(&mut self, child: u8, origin: [i32; 3], size: i32) -> Read<()> {
        let parent = self.open.len() - 1;
        let split = self.open[parent].split;
        let offset = self.cursor.offset();
        let tag = self.cursor.u8("cube")?;
        let kind = tag & 7;
        if kind > 4 {
            return Err(ReadError {
                offset,
                field: "cube",
                kind: ErrorKind::Bad(format!("garbage in the tree of cubes (tag {kind})")),
            });
        }
        let degenerate_before = self.facts.degenerate_leaves;
        let leaf = if kind == 0 {
            None
        } else {
            Some(self.leaf(tag, origin, size)?)
        };
        let is_split = matches!(kind, 0 | 4);
        if is_split && self.open.len() >= MAX_DEPTH {
            let text = format!("cubes are split more than {MAX_DEPTH} times");
            return Err(ReadError {
                offset,
                field: "cube",
                kind: ErrorKind::Bad(text),
            });
        }
        self.open[parent].next = child + 1;
        let Some(split) = split else {
            self.facts.degenerate_leaves = degenerate_before;
            self.take_textures(leaf);
            if is_split {
                self.begin_split(origin, 0, false);
            }
            return Ok(());
        };
        let keeps_children = is_split && size > 1;
        let node = match leaf {
            _ if keeps_children => Node::Split(self.tree.splits.len() as u32),
            Some(leaf) if !is_split => self.push_leaf(leaf),
            // A cube of one unit is not split but solid.
            _ => self.push_leaf(Leaf {
                origin,
                size,
                fill: Fill::Solid,
                edges: SOLID_EDGES,
                textures: leaf.map_or([0; 6], |leaf| leaf.textures),
                material: 0,
            }),
        };
        self.tree.splits[split as usize][usize::from(child)] = node;
        if is_split {
            self.begin_split(origin, size >> 1, keeps_children);
        }
        Ok(())
    }

    fn begin_split(&mut self, origin: [i32; 3], child_size: i32, kept: bool) {
        let split = kept.then(|| {
            self.tree.splits.push([Node::Leaf(u32::MAX); 8]);
            self.tree.splits.len() as u32 - 1
        });
        self.open.push(Open {
            split,
            origin,
            child_size,
            next: 0,
        });
    }

    fn push_leaf(&mut self, leaf: Leaf) -> Node {
        let leaves = &mut self.tree.leaves;
        if leaves.len() == leaves.capacity() {
            // Not double: the leaves are most of what a map takes.
            leaves.reserve_exact((leaves.len() / 4).max(1 << 12));
        }
        self.tree.depth = self.tree.depth.max(self.open.len() as u32);
        leaves.push(leaf);
        Node::Leaf(leaves.len() as u32 - 1)
    }

    /// The textures of a unit cube whose children are dropped are those of its first child.
    fn take_textures(&mut self, dropped: Option<Leaf>) {
        if let Some(dropped) = dropped
            && let Some(unit) = self.tree.leaves.last_mut()
            && unit.textures == [0; 6]
        {
            unit.textures = dropped.textures;
        }
    }

    /// The rest of a damaged tree.
    fn fill_up(&mut self) {
        while let Some(open) = self.open.pop() {
            let Some(split) = open.split else {
                // A unit cube in whose children the damage lies is not known to be solid.
                if let Some(unit) = self.tree.leaves.last_mut() {
                    (unit.fill, unit.edges) = (Fill::Empty, [0; 12]);
                }
                continue;
            };
            for child in 0..8 {
                let node = self.tree.splits[split as usize][usize::from(child)];
                if node != Node::Leaf(u32::MAX) {
                    continue;
                }
                let leaf = Leaf {
                    origin: open.child_origin(child),
                    size: open.child_size,
                    fill: Fill::Empty,
                    edges: [0; 12],
                    textures: [0; 6],
                    material: 0,
                };
                self.tree.splits[split as usize][usize::from(child)] = self.push_leaf(leaf);
                self.facts.missing_leaves += 1;
            }
        }
    }

    /// The record of a cube with this tag.
    fn leaf(&mut self, tag: u8, origin: [i32; 3], size: i32) -> Read<Leaf> {
        let layout = self.kind.layout;
        let (mut fill, mut edges) = match tag & 7 {
            2 => (Fill::Solid, SOLID_EDGES),
            3 => (Fill::Deformed, self.array("edges")?),
            _ => (Fill::Empty, [0; 12]),
        };
        let mut textures = self.textures()?;
        let material = match layout {
            ..7 => {
                self.cursor.skip("cube", 3)?;
                0
            }
            7..32 => self.old_surfaces(tag)?,
            _ => self.surfaces(tag)?,
        };
        if fill == Fill::Deformed && layout <= 8 {
            edges = shape::edges_of_spans(edges);
        }
        if layout <= 11 {
            // X and Z were the other way round.
            for edge in 0..4 {
                edges.swap(edge, edge + 8);
            }
            textures.swap(0, 4);
            textures.swap(1, 5);
        }
        if edges != [0; 12] {
            for &slot in &textures {
                self.used[usize::from(slot)] = true;
            }
        }
        if fill == Fill::Deformed && shape::is_degenerate(&edges) {
            self.facts.degenerate_leaves += 1;
            (fill, edges) = (Fill::Empty, [0; 12]);
        }
        Ok(Leaf {
            origin,
            size,
            fill,
            edges,
            textures,
            material,
        })
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Read<[u8; N]> {
        let bytes = self.cursor.bytes(field, N)?;
        Ok(bytes.try_into().expect("exactly N bytes were asked for"))
    }

    /// One slot per face, for empty cubes too.
    fn textures(&mut self) -> Read<[u16; 6]> {
        if self.kind.layout < 14 {
            return Ok(self.array::<6>("textures")?.map(u16::from));
        }
        let bytes = self.array::<12>("textures")?;
        Ok(std::array::from_fn(|face| {
            u16::from_le_bytes([bytes[2 * face], bytes[2 * face + 1]])
        }))
    }

    /// Versions 7 to 31: material, baked light and merged faces. Gives the material.
    fn old_surfaces(&mut self, tag: u8) -> Read<u16> {
        const MASK_MATERIAL: u8 = 0x80;
        const MASK_NORMALS: u8 = 0x40;
        const SURFACE_BYTES: usize = 16;
        let mask = self.cursor.u8("surface mask")?;
        let mut material = 0;
        if mask & MASK_MATERIAL != 0 {
            let byte = self.cursor.u8("material")?;
            material = if self.kind.layout < 27 {
                first_materials(byte)
            } else {
                byte_material(byte)
            };
        }
        let mut blended = 0;
        for _ in 0..(mask & 0x3F).count_ones() {
            let surface = self.array::<SURFACE_BYTES>("surface")?;
            if mask & MASK_NORMALS != 0 {
                self.cursor.skip("surface normals", 12)?;
            }
            blended += usize::from(surface[SURFACE_BYTES - 1] >> 1 & 1);
        }
        self.cursor
            .skip("blended surfaces", SURFACE_BYTES * blended)?;
        if self.kind.layout >= 20 && tag & HAS_MERGES != 0 {
            let merged = self.cursor.u8("merged faces")?;
            if merged & 0x80 != 0 {
                let mask = self.cursor.u8("merged faces")?;
                let count = (mask & 0x3F).count_ones() as usize;
                self.cursor.skip("merged faces", 8 * count)?;
            }
        }
        Ok(material)
    }

    /// Versions 32 and 33: the same.
    fn surfaces(&mut self, tag: u8) -> Read<u16> {
        let mut material = 0;
        if tag & HAS_MATERIAL != 0 {
            material = if self.kind.layout < 33 {
                byte_material(self.cursor.u8("material")?)
            } else {
                self.cursor.u16("material")?
            };
        }
        if tag & HAS_MERGES != 0 {
            self.cursor.skip("merged faces", 1)?;
        }
        if tag & HAS_SURFACES != 0 {
            let mask = self.cursor.u8("surface mask")?;
            self.cursor.skip("surfaces", 1)?;
            for _ in 0..(mask & 0x3F).count_ones() {
                self.surface()?;
            }
        }
        Ok(material)
    }

    /// The lightmap coordinates and merged polygon of a face; what several corners share stands once.
    fn surface(&mut self) -> Read<()> {
        let [vertices, count] = if self.kind.family == Family::Tesseract {
            let [vertices, count] = self.array("surface")?;
            // Without lightmaps, whatever the bit says.
            [vertices & !0x40, count]
        } else {
            let [_, _, vertices, count] = self.array("surface")?;
            [vertices, count]
        };
        let corners = usize::from(count & 0x0F);
        if corners == 0 {
            return Ok(());
        }
        let is_double = count & 0x80 != 0;
        let mut positions = vertices & 0x04 != 0;
        let mut coordinates = vertices & 0x40 != 0;
        let mut normals = vertices & 0x80 != 0;
        let mut bytes = 0;
        if corners == 4 && positions && vertices & 0x01 != 0 {
            bytes += 8;
            positions = false;
        }
        if corners == 4 && coordinates && vertices & 0x02 != 0 {
            bytes += if is_double { 16 } else { 8 };
            coordinates = false;
        }
        if normals && vertices & 0x08 != 0 {
            bytes += 2;
            normals = false;
        }
        let each =
            4 * usize::from(positions) + 4 * usize::from(coordinates) + 2 * usize::from(normals);
        bytes += corners * each;
        if is_double && coordinates {
            bytes += corners * 4;
        }
        self.cursor.skip("surface", bytes)
    }
}

/// Materials of versions before 27.
fn first_materials(byte: u8) -> u16 {
    match byte {
        1 => material::WATER,
        2 => material::CLIP,
        3 => material::GLASS | material::CLIP,
        4 => material::NO_CLIP,
        5 => material::LAVA | material::DEATH,
        6 => material::GAME_CLIP,
        7 => material::DEATH,
        _ => 0,
    }
}

/// Materials of versions 27 to 32.
fn byte_material(byte: u8) -> u16 {
    let byte = u16::from(byte);
    (byte & 7) << 2 | (byte >> 3 & 3) << 5 | (byte >> 5) << 8
}
