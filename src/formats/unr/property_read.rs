//! Tagged properties of an object (`unr.md` 3.1).

use std::sync::Arc;

use glam::DVec3;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::single_bytes;
use crate::formats::unr::compact::text;
use crate::formats::unr::package::Reference;
use crate::formats::unr::package::Tables;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Property;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::Scale;

/// The types of a tag's low bits.
mod kind {
    pub const BYTE: u8 = 1;
    pub const INT: u8 = 2;
    pub const BOOL: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const OBJECT: u8 = 5;
    pub const NAME: u8 = 6;
    pub const OLD_STRING: u8 = 7;
    pub const CLASS: u8 = 8;
    pub const ARRAY: u8 = 9;
    pub const STRUCT: u8 = 10;
    pub const VECTOR: u8 = 11;
    pub const ROTATOR: u8 = 12;
    pub const STR: u8 = 13;
    pub const MAP: u8 = 14;
    pub const FIXED_ARRAY: u8 = 15;
}

const TYPE_BITS: u8 = 0x0F;
/// The value of a bool; of other types: an array index follows.
const ARRAY_BIT: u8 = 0x80;

/// Reads properties up to and including the name `None`.
///
/// # Errors
/// When the list itself is broken. A value that does not fit its type is kept as bytes.
pub fn properties(cursor: &mut Cursor<'_>, tables: &Tables) -> Read<Properties> {
    let mut found = Vec::new();
    loop {
        let name = tables.read_name(cursor, "property name")?;
        if name.eq_ignore_ascii_case("None") {
            return Ok(Properties(found));
        }
        found.push(property(cursor, tables, name)?);
    }
}

fn property(cursor: &mut Cursor<'_>, tables: &Tables, name: Arc<str>) -> Read<Property> {
    let offset_error = cursor.clone();
    let info = cursor.u8("property type")?;
    let kind = info & TYPE_BITS;
    if kind == 0 {
        let text = format!("property {name} has no type");
        return Err(offset_error.error("property type", ErrorKind::Bad(text)));
    }
    let structure = if kind == kind::STRUCT {
        Some(tables.read_name(cursor, "property struct")?)
    } else {
        None
    };
    let size = match (info >> 4) & 7 {
        0 => 1,
        1 => 2,
        2 => 4,
        3 => 12,
        4 => 16,
        5 => usize::from(cursor.u8("property size")?),
        6 => usize::from(cursor.u16("property size")?),
        _ => cursor.u32("property size")? as usize,
    };
    if kind == kind::BOOL {
        return Ok(Property {
            name,
            index: 0,
            value: Value::Bool(info & ARRAY_BIT != 0),
        });
    }
    let index = if info & ARRAY_BIT != 0 {
        array_index(cursor)?
    } else {
        0
    };
    let start = cursor.offset();
    let bytes = cursor.bytes("property value", size)?;
    let mut inside = Cursor::part(bytes, start);
    let value = match value(&mut inside, tables, kind, structure.as_deref()) {
        Ok(Some(value)) => value,
        _ => Value::Raw {
            name: structure.unwrap_or_else(|| type_name(kind).into()),
            bytes: bytes.to_vec(),
        },
    };
    Ok(Property { name, index, value })
}

fn array_index(cursor: &mut Cursor<'_>) -> Read<u32> {
    let first = cursor.u8("property index")?;
    if first & 0x80 == 0 {
        return Ok(u32::from(first));
    }
    let second = cursor.u8("property index")?;
    if first & 0x40 == 0 {
        return Ok(u32::from_be_bytes([0, 0, first & 0x7F, second]));
    }
    let third = cursor.u8("property index")?;
    let fourth = cursor.u8("property index")?;
    Ok(u32::from_be_bytes([first & 0x3F, second, third, fourth]))
}

fn type_name(kind: u8) -> &'static str {
    match kind {
        kind::BYTE => "Byte",
        kind::INT => "Int",
        kind::FLOAT => "Float",
        kind::OBJECT => "Object",
        kind::NAME => "Name",
        kind::CLASS => "Class",
        kind::ARRAY => "Array",
        kind::MAP => "Map",
        kind::FIXED_ARRAY => "FixedArray",
        kind::VECTOR => "Vector",
        kind::ROTATOR => "Rotator",
        _ => "String",
    }
}

/// `None` for what is not known.
fn value(
    cursor: &mut Cursor<'_>,
    tables: &Tables,
    kind: u8,
    structure: Option<&str>,
) -> Read<Option<Value>> {
    let field = "property value";
    let value = match kind {
        kind::BYTE => Value::Byte(cursor.u8(field)?),
        kind::INT => Value::Int(cursor.i32(field)?),
        kind::FLOAT => Value::Float(cursor.f32(field)?),
        kind::OBJECT | kind::CLASS => Value::Object(object(cursor, tables)?),
        kind::NAME => Value::Name(tables.read_name(cursor, field)?),
        kind::OLD_STRING => Value::Text(single_bytes(cursor.bytes(field, cursor.left())?)),
        kind::STR => Value::Text(text(cursor, field, tables.header.version)?),
        kind::VECTOR => Value::Vector(vector(cursor)?),
        kind::ROTATOR => Value::Rotator(rotator(cursor)?),
        kind::STRUCT => match structured(cursor, tables, structure.unwrap_or_default())? {
            Some(value) => value,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(cursor.is_at_end().then_some(value))
}

fn structured(cursor: &mut Cursor<'_>, tables: &Tables, name: &str) -> Read<Option<Value>> {
    let field = "property value";
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    Ok(Some(if is("Vector") {
        Value::Vector(vector(cursor)?)
    } else if is("Rotator") {
        Value::Rotator(rotator(cursor)?)
    } else if is("Scale") {
        Value::Scale(Scale {
            scale: vector(cursor)?,
            sheer_rate: cursor.f32(field)?,
            sheer_axis: cursor.u8(field)?,
        })
    } else if is("Color") {
        let [red, green, blue, alpha] = cursor.u32(field)?.to_le_bytes();
        Value::Color([red, green, blue, alpha])
    } else if is("PointRegion") {
        Value::Region {
            zone: object(cursor, tables)?,
            leaf: cursor.i32(field)?,
            zone_number: cursor.u8(field)?,
        }
    } else if is("Plane") {
        Value::Plane([
            cursor.f32(field)?,
            cursor.f32(field)?,
            cursor.f32(field)?,
            cursor.f32(field)?,
        ])
    } else {
        return Ok(None);
    }))
}

fn object(cursor: &mut Cursor<'_>, tables: &Tables) -> Read<Option<Arc<ObjectPath>>> {
    let reference = Reference(compact(cursor, "property value")?);
    Ok(tables.object_path(reference))
}

fn vector(cursor: &mut Cursor<'_>) -> Read<DVec3> {
    Ok(cursor.vec3("property value")?.as_dvec3())
}

fn rotator(cursor: &mut Cursor<'_>) -> Read<Rotator> {
    Ok(Rotator {
        pitch: cursor.i32("property value")?,
        yaw: cursor.i32("property value")?,
        roll: cursor.i32("property value")?,
    })
}
