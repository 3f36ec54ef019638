//! Virtual slots as the file stores them: runs of untouched ones, and changes to others.

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::header::text;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::VirtualSlot;

/// Faces tell no more than these apart.
const MAX_SLOTS: i32 = 1 << 16;

/// The length of an empty name and four numbers.
const PARAMETER_BYTES: usize = 18;

/// Bits of a change: what follows, in this order.
mod changed {
    pub const SHADER_PARAMETERS: i32 = 1;
    pub const SCALE: i32 = 2;
    pub const ROTATION: i32 = 4;
    pub const OFFSET: i32 = 8;
    pub const SCROLL: i32 = 16;
    pub const LAYER: i32 = 32;
    pub const ALPHA: i32 = 64;
    pub const COLOR: i32 = 128;
    /// Only in maps of Tesseract.
    pub const REFRACTION: i32 = 512;
    pub const DETAIL: i32 = 1024;
}

/// # Errors
/// A count or a run that cannot be true, before anything is allocated for it.
pub fn virtual_slots(
    cursor: &mut Cursor<'_>,
    count: i32,
    family: Family,
) -> Read<Vec<VirtualSlot>> {
    if count > MAX_SLOTS {
        return Err(cursor.error(
            "virtual slot count",
            ErrorKind::CountTooLarge {
                count: u64::from(count.unsigned_abs()),
            },
        ));
    }
    let mut left = count;
    let mut slots = Vec::new();
    while left > 0 {
        let offset = cursor.offset();
        let bits = cursor.i32("virtual slot")?;
        if bits >= 0 {
            slots.push(changed_slot(cursor, bits, family)?);
            left -= 1;
            continue;
        }
        let run = bits.unsigned_abs();
        if run > left.unsigned_abs() {
            let text = format!("a run of {run} virtual slots where {left} are left");
            return Err(ReadError {
                offset,
                field: "virtual slot",
                kind: ErrorKind::Bad(text),
            });
        }
        let untouched = VirtualSlot {
            unmodified: true,
            previous: -1,
            ..VirtualSlot::default()
        };
        slots.resize(slots.len() + run as usize, untouched);
        left -= run.cast_signed();
    }
    Ok(slots)
}

fn changed_slot(cursor: &mut Cursor<'_>, bits: i32, family: Family) -> Read<VirtualSlot> {
    let mut slot = VirtualSlot {
        previous: cursor.i32("virtual slot base")?,
        ..VirtualSlot::default()
    };
    let has = |bit: i32| bits & bit != 0;
    if has(changed::SHADER_PARAMETERS) {
        let offset = cursor.offset();
        let count = usize::from(cursor.u16("shader parameters")?);
        if count * PARAMETER_BYTES > cursor.left() {
            return Err(ReadError {
                offset,
                field: "shader parameters",
                kind: ErrorKind::CountTooLarge {
                    count: count as u64,
                },
            });
        }
        slot.shader_parameters.reserve_exact(count);
        for _ in 0..count {
            let length = cursor.u16("shader parameter")?;
            let name = text(cursor.bytes("shader parameter", usize::from(length))?);
            slot.shader_parameters
                .push((name, numbers(cursor, "shader parameter")?));
        }
    }
    if has(changed::SCALE) {
        slot.scale = Some(cursor.f32("slot scale")?);
    }
    if has(changed::ROTATION) {
        slot.rotation = Some(cursor.i32("slot rotation")?.clamp(0, 7) as u8);
    }
    if has(changed::OFFSET) {
        slot.offset = Some([cursor.i32("slot offset")?, cursor.i32("slot offset")?]);
    }
    if has(changed::SCROLL) {
        slot.scroll = Some(numbers(cursor, "slot scroll")?);
    }
    if has(changed::LAYER) {
        slot.layer = Some(cursor.i32("slot layer")?);
    }
    if has(changed::ALPHA) {
        slot.alpha = Some(numbers(cursor, "slot alpha")?);
    }
    if has(changed::COLOR) {
        slot.color = Some(numbers(cursor, "slot colour")?);
    }
    if family == Family::Tesseract {
        if has(changed::REFRACTION) {
            cursor.skip("slot refraction", 16)?;
        }
        if has(changed::DETAIL) {
            cursor.skip("slot detail", 4)?;
        }
    }
    Ok(slot)
}

fn numbers<const N: usize>(cursor: &mut Cursor<'_>, field: &'static str) -> Read<[f32; N]> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = cursor.f32(field)?;
    }
    Ok(numbers)
}
