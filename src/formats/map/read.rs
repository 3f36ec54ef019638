//! The text as the raw parts that the RMF importer works on.

use glam::Vec3;

use crate::formats::map::MapTextError;
use crate::formats::map::lexer::Lexer;
use crate::formats::rmf::raw::RawBase;
use crate::formats::rmf::raw::RawEntity;
use crate::formats::rmf::raw::RawEntityData;
use crate::formats::rmf::raw::RawFace;
use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::RawMap;
use crate::formats::rmf::raw::RawObject;
use crate::formats::rmf::raw::Text;
use crate::formats::rmf::raw::Version;

/// The kind word of entities that stand somewhere, and of those that are made of brushes.
const POINT: i16 = 2;
const SOLID: i16 = 0;

/// An entity of the text.
#[derive(Default)]
struct Block<'a> {
    pairs: Vec<(Text<'a>, Text<'a>)>,
    brushes: Vec<(usize, Vec<RawFace<'a>>)>,
    line: usize,
}

impl<'a> Block<'a> {
    fn value(&self, wanted: &[u8]) -> Option<Text<'a>> {
        self.pairs
            .iter()
            .find(|(key, _)| key.bytes().eq_ignore_ascii_case(wanted))
            .map(|&(_, value)| value)
    }

    fn is_class(&self, class: &[u8]) -> bool {
        self.value(b"classname")
            .is_some_and(|value| value.bytes().eq_ignore_ascii_case(class))
    }

    /// A layer of another editor is none of ours: its brushes are the world's.
    fn is_world(&self) -> bool {
        self.value(b"classname").is_none()
            || self.is_class(b"worldspawn")
            || self.is_class(b"func_group")
                && self
                    .value(b"_tb_type")
                    .is_some_and(|kind| kind.bytes() == b"_tb_layer")
    }
}

/// The map, and how many brushes were left out for having too few faces.
pub(super) fn read(bytes: &[u8]) -> Result<(RawMap<'_>, usize), MapTextError> {
    let mut lexer = Lexer::new(bytes);
    let mut blocks = Vec::new();
    let mut loose = Block::default();
    let mut skipped = 0;
    while let Some(sign) = lexer.peek() {
        if sign != b'{' {
            return Err(lexer.error("a brush or an entity begins with \"{\""));
        }
        let line = lexer.line();
        lexer.expect(b'{', "a brush or an entity")?;
        if matches!(lexer.peek(), Some(b'(')) {
            keep(&mut loose, brush(&mut lexer)?, line, &mut skipped);
        } else {
            blocks.push(entity(&mut lexer, line, &mut skipped)?);
        }
    }
    blocks.push(loose);
    Ok((assembled(blocks), skipped))
}

fn keep<'a>(block: &mut Block<'a>, faces: Vec<RawFace<'a>>, line: usize, skipped: &mut usize) {
    if faces.len() < 4 {
        *skipped += 1;
    } else {
        block.brushes.push((line, faces));
    }
}

/// After the opening brace.
fn entity<'a>(
    lexer: &mut Lexer<'a>,
    line: usize,
    skipped: &mut usize,
) -> Result<Block<'a>, MapTextError> {
    let mut block = Block {
        line,
        ..Block::default()
    };
    loop {
        match lexer.peek() {
            Some(b'"') => {
                let key = lexer.string()?;
                if lexer.peek() != Some(b'"') {
                    return Err(lexer.error("a key needs a value in quotes"));
                }
                let value = lexer.string()?;
                block.pairs.push((Text(key), Text(value)));
            }
            Some(b'{') => {
                let line = lexer.line();
                lexer.expect(b'{', "a brush")?;
                let faces = brush(lexer)?;
                keep(&mut block, faces, line, skipped);
            }
            Some(b'}') => {
                lexer.expect(b'}', "an entity")?;
                return Ok(block);
            }
            Some(_) => {
                return Err(lexer.error("an entity holds keys in quotes and brushes in braces"));
            }
            None => return Err(lexer.error("the text ends inside an entity")),
        }
    }
}

/// After the opening brace, over the closing one.
fn brush<'a>(lexer: &mut Lexer<'a>) -> Result<Vec<RawFace<'a>>, MapTextError> {
    let mut faces = Vec::new();
    loop {
        match lexer.peek() {
            Some(b'(') => faces.push(face(lexer)?),
            Some(b'}') => {
                lexer.expect(b'}', "a brush")?;
                return Ok(faces);
            }
            Some(b'p' | b'b') => {
                return Err(lexer.error(
                    "patches and brush primitives cannot be pasted; copy it as Standard or Valve 220",
                ));
            }
            Some(_) => return Err(lexer.error("a face begins with three points in brackets")),
            None => return Err(lexer.error("the text ends inside a brush")),
        }
    }
}

fn face<'a>(lexer: &mut Lexer<'a>) -> Result<RawFace<'a>, MapTextError> {
    let plane = [point(lexer)?, point(lexer)?, point(lexer)?];
    if lexer.peek() == Some(b'(') {
        return Err(
            lexer.error("brush primitives cannot be pasted; copy it as Standard or Valve 220")
        );
    }
    let name = lexer.name()?;
    let texture = if name == b"__TB_empty" {
        Text(b"")
    } else {
        Text(name)
    };
    let (axes, shift) = if lexer.peek() == Some(b'[') {
        let (u, u_shift) = axis(lexer)?;
        let (v, v_shift) = axis(lexer)?;
        (Some([u, v]), [u_shift, v_shift])
    } else {
        (None, [lexer.number()?, lexer.number()?])
    };
    let rotation = lexer.number()?;
    let scale = [lexer.number()?, lexer.number()?];
    lexer.skip_extras();
    Ok(RawFace {
        offset: 0,
        texture,
        word: 0,
        axes,
        rotation,
        shift,
        scale,
        flags: [0; 4],
        vertices: Vec::new(),
        plane,
    })
}

fn point(lexer: &mut Lexer<'_>) -> Result<Vec3, MapTextError> {
    lexer.expect(b'(', "a face")?;
    let point = Vec3::new(lexer.number()?, lexer.number()?, lexer.number()?);
    lexer.expect(b')', "a point")?;
    Ok(point)
}

fn axis(lexer: &mut Lexer<'_>) -> Result<(Vec3, f32), MapTextError> {
    lexer.expect(b'[', "a Valve 220 face")?;
    let axis = Vec3::new(lexer.number()?, lexer.number()?, lexer.number()?);
    let shift = lexer.number()?;
    lexer.expect(b']', "a texture axis")?;
    Ok((axis, shift))
}

/// Objects in order, a parent before its children: groups first, since members may come before them.
fn assembled(blocks: Vec<Block<'_>>) -> RawMap<'_> {
    let mut objects: Vec<RawObject<'_>> = Vec::new();
    let mut groups: Vec<(&[u8], u32)> = Vec::new();
    let is_group = |block: &Block<'_>| !block.is_world() && block.is_class(b"func_group");
    for block in blocks.iter().filter(|block| is_group(block)) {
        let id = block.value(b"_tb_id").map_or(&b""[..], Text::bytes);
        groups.push((id, objects.len() as u32));
        objects.push(object(block.line, None, RawKind::Group));
    }
    let mut next_group = 0;
    for block in blocks {
        if block.is_world() {
            push_brushes(&mut objects, block.brushes, None);
            continue;
        }
        if is_group(&block) {
            push_brushes(&mut objects, block.brushes, Some(next_group));
            next_group += 1;
            continue;
        }
        let parent = block.value(b"_tb_group").and_then(|wanted| {
            let found = groups.iter().find(|(id, _)| *id == wanted.bytes());
            found.map(|&(_, index)| index)
        });
        let index = objects.len() as u32;
        let kind = RawKind::Entity(raw_entity(&block));
        let mut raised = object(block.line, parent, kind);
        raised.base.child_count = block.brushes.len() as u32;
        objects.push(raised);
        push_brushes(&mut objects, block.brushes, Some(index));
    }
    RawMap {
        version: Version::V22,
        visgroups: Vec::new(),
        world: RawBase::default(),
        world_data: RawEntityData::default(),
        objects,
        paths: Vec::new(),
        doc_info: None,
        trailing: 0,
        stopped: None,
    }
}

fn object(line: usize, parent: Option<u32>, kind: RawKind<'_>) -> RawObject<'_> {
    RawObject {
        offset: line as u64,
        parent,
        depth: if parent.is_some() { 2 } else { 1 },
        base: RawBase {
            color: [255; 3],
            ..RawBase::default()
        },
        kind,
    }
}

fn push_brushes<'a>(
    objects: &mut Vec<RawObject<'a>>,
    brushes: Vec<(usize, Vec<RawFace<'a>>)>,
    parent: Option<u32>,
) {
    for (line, faces) in brushes {
        objects.push(object(line, parent, RawKind::Solid(faces)));
    }
}

fn raw_entity<'a>(block: &Block<'a>) -> RawEntity<'a> {
    let class = block.value(b"classname").unwrap_or_default();
    let origin = block.value(b"origin").and_then(|value| {
        let text = value.decoded();
        let mut numbers = text.split_whitespace().map(|word| word.parse::<f32>().ok());
        Some(Vec3::new(
            numbers.next()??,
            numbers.next()??,
            numbers.next()??,
        ))
    });
    let kept = |key: &[u8]| !key.starts_with(b"_tb_");
    RawEntity {
        data: RawEntityData {
            class,
            pairs: block
                .pairs
                .iter()
                .filter(|(key, _)| kept(key.bytes()))
                .copied()
                .collect(),
            ..RawEntityData::default()
        },
        kind: if origin.is_some() || block.brushes.is_empty() {
            POINT
        } else {
            SOLID
        },
        origin: origin.unwrap_or(Vec3::ZERO),
        tail: [0; 4],
    }
}
