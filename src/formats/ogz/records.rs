//! Entity records, brought to the types and angles of version 33.

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::header::Header;
use crate::formats::ogz::header::Kind;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::RawEntity;

/// The engine keeps no more.
pub const MAX_ENTITIES: usize = 10_000;

const MAPMODEL: u8 = 2;
const PLAYERSTART: u8 = 3;
const MONSTER: u8 = 21;
const TELEDEST: u8 = 20;
const BOX: u8 = 26;
const ELEVATOR: u8 = 29;
const FLAG: u8 = 30;
const RESPAWNPOINT: u8 = 25;

/// Attributes of a `PASM` entity before their number was stored.
const OLD_SANDBOX_ATTRIBUTES: usize = 8;

/// `extra`: bytes after each record that belong to another game. Gives the entities and how many were passed over.
///
/// # Errors
/// A count that the file cannot hold, before anything is allocated for it.
pub fn entities(
    cursor: &mut Cursor<'_>,
    kind: Kind,
    header: &Header,
    game: &str,
    extra: u16,
) -> Read<(Vec<RawEntity>, usize)> {
    let count_error = |kind| ReadError {
        offset: header.entity_count_at,
        field: "entity count",
        kind,
    };
    let Ok(count) = u64::try_from(header.entity_count) else {
        return Err(count_error(ErrorKind::Bad(format!(
            "a map cannot have {} entities",
            header.entity_count
        ))));
    };
    let smallest = u64::from(extra)
        + match (kind.family, kind.version) {
            (Family::Sandbox, ..5) => 48,
            (Family::Sandbox, _) => 14,
            _ => 24,
        };
    if count * smallest > cursor.left() as u64 {
        return Err(count_error(ErrorKind::CountTooLarge { count }));
    }
    let kept = (count as usize).min(MAX_ENTITIES);
    let mut entities = Vec::with_capacity(kept);
    for index in 0..count as usize {
        let mut entity = match kind.family {
            Family::Sandbox => sandbox_record(cursor, kind.version)?,
            Family::Sauerbraten | Family::Tesseract => record(cursor)?,
        };
        entity.extra = cursor.bytes("entity extra", usize::from(extra))?.to_vec();
        if index >= MAX_ENTITIES {
            continue;
        }
        if kind.family == Family::Sauerbraten {
            upgrade(&mut entity, kind.version, game);
        }
        entities.push(entity);
    }
    Ok((entities, count as usize - kept))
}

/// The 24 bytes of every version.
fn record(cursor: &mut Cursor<'_>) -> Read<RawEntity> {
    let offset = cursor.offset();
    let position = cursor.vec3("entity position")?.to_array();
    let attributes = (0..5)
        .map(|_| Ok(i32::from(cursor.u16("entity attribute")?.cast_signed())))
        .collect::<Read<_>>()?;
    let kind = cursor.u8("entity type")?;
    cursor.skip("entity", 1)?;
    Ok(RawEntity {
        offset,
        position,
        attributes,
        kind,
        extra: Vec::new(),
    })
}

fn sandbox_record(cursor: &mut Cursor<'_>, version: u32) -> Read<RawEntity> {
    let offset = cursor.offset();
    let position = cursor.vec3("entity position")?.to_array();
    let count = if version >= 5 {
        usize::from(cursor.u8("attribute count")?)
    } else {
        OLD_SANDBOX_ATTRIBUTES
    };
    let attributes = (0..count)
        .map(|_| cursor.i32("entity attribute"))
        .collect::<Read<_>>()?;
    let kind = cursor.u8("entity type")?;
    if version < 5 {
        cursor.skip("entity", 3)?;
    }
    Ok(RawEntity {
        offset,
        position,
        attributes,
        kind,
        extra: Vec::new(),
    })
}

/// Types grew in the middle of the list and angles turned; each step looks at the result of the one before.
fn upgrade(entity: &mut RawEntity, version: u32, game: &str) {
    let mut kind = entity.kind;
    let mut move_up = |last: u32, from: u8| {
        if version <= last && kind >= from {
            kind = kind.saturating_add(1);
        }
    };
    move_up(10, 7);
    move_up(12, 8);
    if version <= 14 {
        kind = match kind {
            16 => MAPMODEL,
            2..=15 => kind + 1,
            other => other,
        };
        if kind == MAPMODEL {
            entity.position[2] += entity.attributes[2] as f32;
            entity.attributes[2..4].fill(0);
        }
    }
    let mut move_up = |last: u32, from: u8| {
        if version <= last && kind >= from {
            kind = kind.saturating_add(1);
        }
    };
    move_up(20, 4);
    move_up(21, 5);
    move_up(22, 6);
    move_up(23, 7);
    entity.kind = kind;
    let is_shooter = game == "fps";
    let turned = matches!(kind, MAPMODEL | PLAYERSTART)
        || is_shooter && matches!(kind, TELEDEST | MONSTER | RESPAWNPOINT..=FLAG);
    let angle = &mut entity.attributes[0];
    if version <= 30 && turned {
        // The remainder keeps the sign.
        *angle = (*angle + 180) % 360;
    }
    let in_steps = kind == MAPMODEL || is_shooter && (BOX..=ELEVATOR).contains(&kind);
    if version <= 31 && in_steps {
        let yaw = angle.rem_euclid(360) + 7;
        *angle = yaw - yaw % 15;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(version: u32, old: (u8, i32), new: (u8, i32)) {
        let mut entity = RawEntity {
            offset: 0,
            position: [0.0; 3],
            attributes: vec![old.1, 0, 0, 0, 0],
            kind: old.0,
            extra: Vec::new(),
        };
        upgrade(&mut entity, version, "fps");
        assert_eq!(
            (entity.kind, entity.attributes[0]),
            new,
            "version {version}"
        );
    }

    #[test]
    fn old_types_become_those_of_today() {
        // The mapmodel was number 16 and moved to 2; all between made room.
        check(14, (16, 90), (2, 270));
        check(14, (2, 90), (3, 270));
        check(14, (1, 90), (1, 90));
        check(33, (7, 90), (7, 90));
        check(23, (7, 30), (8, 30));
        check(22, (6, 30), (8, 30));
        // Old enough for every step: 7, 8, 9, 10, 11, 12, 13, 14.
        check(6, (7, 0), (14, 0));
        check(6, (255, 0), (255, 0));
    }

    #[test]
    fn old_angles_turn_half_round_and_models_keep_to_steps_of_fifteen() {
        check(30, (3, 200), (3, 20));
        check(30, (3, -270), (3, -90));
        check(31, (2, 100), (2, 105));
        check(31, (2, -100), (2, 255));
        check(31, (3, 100), (3, 100));
        check(30, (2, 100), (2, 285));
        check(31, (26, 8), (26, 15));
        check(31, (30, 8), (30, 8));
        check(33, (2, 100), (2, 100));
    }

    #[test]
    fn height_of_an_old_model_goes_into_its_place() {
        let mut entity = RawEntity {
            offset: 0,
            position: [1.0, 2.0, 3.0],
            attributes: vec![0, 5, 12, 7, 9],
            kind: 16,
            extra: Vec::new(),
        };
        upgrade(&mut entity, 14, "fps");
        assert_eq!(entity.position, [1.0, 2.0, 15.0]);
        assert_eq!(entity.attributes[1..], [5, 0, 0, 9]);
    }
}
