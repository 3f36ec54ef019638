//! What stands behind the cubes: baked light, visible sets, the blend map. Passed over by length.

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::header::Header;
use crate::formats::ogz::header::Kind;

const LIGHTMAP_SIDE: usize = 512;
const BLEND_TILE_SIDE: usize = 64;

/// Moves to the end of the last section.
///
/// # Errors
/// Where it is damaged; nothing of it is needed.
pub fn skip(cursor: &mut Cursor<'_>, kind: Kind, header: &Header) -> Read<()> {
    if kind.layout >= 7 {
        lightmaps(cursor, kind.layout, header.lightmaps)?;
    }
    // Older headers hold leftovers in these words.
    if kind.layout >= 25 && header.pvs > 0 {
        visible_sets(cursor, header.pvs.unsigned_abs())?;
    }
    if kind.layout >= 28 && header.blend_map != 0 {
        blend_map(cursor)?;
    }
    Ok(())
}

fn lightmaps(cursor: &mut Cursor<'_>, layout: u32, count: i32) -> Read<()> {
    for _ in 0..count {
        let mut kind = 0;
        if layout >= 17 {
            kind = cursor.u8("lightmap type")?;
            if layout >= 20 && kind & 0x80 != 0 {
                cursor.skip("lightmap", 4)?;
            }
        }
        let has_alpha = kind & 0x10 != 0 && kind & 0x0F != 2;
        let bytes = if has_alpha { 4 } else { 3 };
        cursor.skip("lightmap", LIGHTMAP_SIDE * LIGHTMAP_SIDE * bytes)?;
    }
    Ok(())
}

fn visible_sets(cursor: &mut Cursor<'_>, count: u32) -> Read<()> {
    const HAS_WATER: u32 = 1 << 31;
    let mut length = cursor.u32("visible sets")?;
    if length & HAS_WATER != 0 {
        length &= !HAS_WATER;
        let planes = cursor.count("water planes", 4)?;
        cursor.skip("water planes", planes * 4)?;
    }
    cursor.skip("visible sets", count as usize * 2)?;
    cursor.skip("visible sets", length as usize)?;
    // Per open node of the tree its mask and the next child: a bit that is set is a number, else a node follows.
    let mut open = vec![(cursor.u8("view cells")?, 0)];
    while let Some((mask, child)) = open.last_mut() {
        if *child == 8 {
            open.pop();
            continue;
        }
        let is_number = *mask >> *child & 1 != 0;
        *child += 1;
        if is_number {
            cursor.skip("view cells", 4)?;
        } else {
            open.push((cursor.u8("view cells")?, 0));
        }
    }
    Ok(())
}

fn blend_map(cursor: &mut Cursor<'_>) -> Read<()> {
    let mut nodes: u64 = 1;
    while nodes > 0 {
        nodes -= 1;
        let offset = cursor.offset();
        match cursor.u8("blend map")? {
            0 => nodes += 4,
            1 => cursor.skip("blend map", 1)?,
            2 => cursor.skip("blend map", BLEND_TILE_SIDE * BLEND_TILE_SIDE)?,
            other => {
                return Err(ReadError {
                    offset,
                    field: "blend map",
                    kind: ErrorKind::Bad(format!("its nodes have no kind {other}")),
                });
            }
        }
    }
    Ok(())
}
