//! How point entities look: family, box, arrow.

use crate::document::Entity;
use crate::geometry::Aabb;

/// Families of entity classes; the number is the index of their colour in [`crate::viewport::Colors::entity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Light = 0,
    Player = 1,
    Item = 2,
    Trigger = 3,
    Sound = 4,
    Mover = 5,
    Other = 6,
}

/// The family by class name (`look.md` 8, last paragraph).
#[must_use]
pub fn family_of(class: &str) -> Family {
    const STARTS: &[(&str, Family)] = &[
        ("light", Family::Light),
        ("info_player", Family::Player),
        ("playerstart", Family::Player),
        ("item_", Family::Item),
        ("weapon_", Family::Item),
        ("ammo_", Family::Item),
        ("trigger_", Family::Trigger),
        ("ambient", Family::Sound),
        ("env_sound", Family::Sound),
        ("func_", Family::Mover),
    ];
    let starts = |start: &str| {
        class
            .get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    STARTS
        .iter()
        .find(|(start, _)| starts(start))
        .map_or(Family::Other, |(_, family)| *family)
}

/// What the scene draws for a point entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityLook {
    /// Box relative to the origin, not turned.
    pub bounds: Aabb,
    pub family: Family,
    /// A colour of its own (sRGB) instead of the family's.
    pub color: Option<[u8; 3]>,
    /// An arrow along the entity's forward.
    pub arrow: bool,
}

impl EntityLook {
    /// A box of 16 units; an arrow for what has a direction.
    #[must_use]
    pub fn by_class(entity: &Entity) -> Self {
        let family = family_of(&entity.class);
        let aims = ["light_spot", "light_sun", "light_environment"]
            .iter()
            .any(|class| entity.class.eq_ignore_ascii_case(class));
        let arrow = family == Family::Player || aims || entity.angles_deg != glam::DVec3::ZERO;
        Self {
            bounds: Aabb::around(glam::DVec3::ZERO, glam::DVec3::splat(8.0)),
            family,
            color: None,
            arrow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_go_by_the_start_of_the_class() {
        let check = |class: &str, family: Family| assert_eq!(family_of(class), family, "{class}");
        check("light_spot", Family::Light);
        check("LIGHT", Family::Light);
        check("info_player_start", Family::Player);
        check("info_target", Family::Other);
        check("ammo_9mm", Family::Item);
        check("trigger_once", Family::Trigger);
        check("ambient_generic", Family::Sound);
        check("func_door", Family::Mover);
        check("", Family::Other);
        check("li\u{e9}ght", Family::Other);
    }
}
