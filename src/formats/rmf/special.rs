//! What texture names mean in GoldSrc and Quake maps: tool textures, liquids, holes (`map-wad-fgd.md` 3 and 5).

use crate::document::Contents;
use crate::document::SurfaceFlags;

/// What a texture says about the brush it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing: an ordinary surface.
    Plain,
    /// Nothing either: a face that is not drawn, on a brush of any kind.
    Undrawn,
    /// The brush has these contents.
    Contents(Contents),
    /// The brush only marks the pivot of its entity.
    Origin,
    /// The brush is a hint for a compiler or a tool: kept, not drawn, in nobody's way.
    Hint,
    /// As [`Role::Hint`], unless other faces say otherwise.
    Skip,
    /// Drawn, but passed through: `{` textures of an entity.
    Hole,
    /// The brush only casts shadow.
    ShadowOnly,
}

/// Flags for the material and the role of its brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    pub surface: SurfaceFlags,
    pub role: Role,
}

/// Prefixes in lower case; the first that fits counts, so longer ones come first.
const TABLE: &[(&str, SurfaceFlags, Role)] = &[
    ("sky", SurfaceFlags::SKY, Role::Contents(Contents::SKY)),
    (
        "nullnoclip",
        SurfaceFlags::NODRAW,
        Role::Contents(Contents(0)),
    ),
    ("noclip", SurfaceFlags::NODRAW, Role::Contents(Contents(0))),
    ("null", SurfaceFlags::NODRAW, Role::Undrawn),
    ("clip", SurfaceFlags::NODRAW, Role::Contents(Contents::CLIP)),
    ("origin", SurfaceFlags::NODRAW, Role::Origin),
    (
        "aaatrigger",
        SurfaceFlags::NODRAW,
        Role::Contents(Contents::TRIGGER),
    ),
    ("hint", SurfaceFlags::NODRAW, Role::Hint),
    ("skip", SurfaceFlags::NODRAW, Role::Skip),
    ("boundingbox", SurfaceFlags::NODRAW, Role::Hint),
    ("solidhint", SurfaceFlags::NODRAW, Role::Undrawn),
    ("bevel", SurfaceFlags::NODRAW, Role::Undrawn),
    ("splitface", SurfaceFlags::NODRAW, Role::Undrawn),
    (
        "contentwater",
        SurfaceFlags::NODRAW,
        Role::Contents(Contents::WATER),
    ),
    (
        "contentempty",
        SurfaceFlags::NODRAW,
        Role::Contents(Contents(0)),
    ),
    (
        "contentsky",
        SurfaceFlags::NODRAW,
        Role::Contents(Contents::SKY),
    ),
    (
        "contentsolid",
        SurfaceFlags::NODRAW,
        Role::Contents(Contents::SOLID),
    ),
    ("black_hidden", SurfaceFlags::UNLIT, Role::Plain),
    ("translucent", SurfaceFlags::TRANSLUCENT, Role::Plain),
    ("@", SurfaceFlags::TRANSLUCENT, Role::Plain),
    ("blocklight", SurfaceFlags::NODRAW, Role::ShadowOnly),
    ("opaque", SurfaceFlags::NODRAW, Role::ShadowOnly),
    ("!", SurfaceFlags(0), Role::Contents(Contents::WATER)),
    ("*", SurfaceFlags(0), Role::Contents(Contents::WATER)),
    ("{", SurfaceFlags::MASKED, Role::Hole),
];

/// By prefix, without regard to case.
#[must_use]
pub fn special(texture: &str) -> Special {
    let name = texture.to_lowercase();
    TABLE
        .iter()
        .find(|(prefix, ..)| name.starts_with(prefix))
        .map_or(
            Special {
                surface: SurfaceFlags(0),
                role: Role::Plain,
            },
            |&(_, surface, role)| Special { surface, role },
        )
}

/// The entity that owns a brush, as far as it matters for what the brush does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// `trigger_*`.
    pub is_trigger: bool,
    /// `func_illusionary`, or drawn in a render mode of its own.
    pub is_passable: bool,
}

impl Owner {
    /// `render_mode`: the value of the key `rendermode`.
    #[must_use]
    pub fn of(class: &str, render_mode: Option<&str>) -> Self {
        let class = class.to_ascii_lowercase();
        let has_mode = render_mode
            .and_then(|mode| mode.trim().parse::<f64>().ok())
            .is_some_and(|mode| mode != 0.0);
        Self {
            is_trigger: class.starts_with("trigger_"),
            is_passable: class == "func_illusionary" || has_mode,
        }
    }
}

/// What a brush is, by the roles of its faces in order and its owner; the flag tells that its faces disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub contents: Contents,
    pub is_origin: bool,
    pub is_shadow_only: bool,
    pub is_mixed: bool,
}

/// The first face that is not plain decides, as the games' compilers have it.
#[must_use]
pub fn verdict(roles: &[Role], owner: Option<Owner>) -> Verdict {
    let speaks =
        |role: &Role| !matches!(role, Role::Plain | Role::Undrawn | Role::Hole | Role::Skip);
    let first = roles.iter().find(|role| speaks(role)).copied();
    // SKIP fills the other faces of a hint brush, NULL those that nobody sees: no contradiction.
    let contradicts =
        |role: &Role| !matches!(role, Role::Undrawn | Role::Skip) && Some(*role) != first;
    let is_trigger = owner.is_some_and(|owner| owner.is_trigger);
    let is_mixed = first.is_some() && !is_trigger && roles.iter().any(contradicts);
    let only_skip = !roles.is_empty() && roles.iter().all(|&role| role == Role::Skip);
    let solid = match owner {
        Some(owner) if owner.is_trigger => Contents::TRIGGER,
        Some(owner) if owner.is_passable || roles.contains(&Role::Hole) => Contents(0),
        _ => Contents::SOLID,
    };
    let contents = match first {
        Some(Role::Contents(contents)) if contents == Contents::SOLID => solid,
        Some(Role::Contents(contents)) => contents,
        Some(Role::Hint) => Contents(0),
        Some(Role::ShadowOnly) => Contents::SOLID,
        _ if only_skip => Contents(0),
        _ => solid,
    };
    // What a trigger is made of never matters to the game.
    let contents = if is_trigger {
        Contents::TRIGGER
    } else {
        contents
    };
    Verdict {
        contents,
        is_origin: first == Some(Role::Origin),
        is_shadow_only: first == Some(Role::ShadowOnly),
        is_mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_by_prefix() {
        #[track_caller]
        fn check(name: &str, surface: SurfaceFlags, role: Role) {
            assert_eq!(special(name), Special { surface, role }, "{name}");
        }
        check("SKY", SurfaceFlags::SKY, Role::Contents(Contents::SKY));
        check(
            "ClipHull2",
            SurfaceFlags::NODRAW,
            Role::Contents(Contents::CLIP),
        );
        check("NULL", SurfaceFlags::NODRAW, Role::Undrawn);
        check(
            "nullnoclip",
            SurfaceFlags::NODRAW,
            Role::Contents(Contents(0)),
        );
        check(
            "AAATRIGGER",
            SurfaceFlags::NODRAW,
            Role::Contents(Contents::TRIGGER),
        );
        check("!lava", SurfaceFlags(0), Role::Contents(Contents::WATER));
        check("*slime", SurfaceFlags(0), Role::Contents(Contents::WATER));
        check("{FENCE", SurfaceFlags::MASKED, Role::Hole);
        check("C1A0_LABW1", SurfaceFlags(0), Role::Plain);
        check("", SurfaceFlags(0), Role::Plain);
    }

    #[test]
    fn faces_and_owner_decide_the_contents() {
        #[track_caller]
        fn check(names: &[&str], owner: Option<Owner>, contents: Contents, is_mixed: bool) {
            let roles: Vec<Role> = names.iter().map(|name| special(name).role).collect();
            let verdict = verdict(&roles, owner);
            assert_eq!(
                (verdict.contents, verdict.is_mixed),
                (contents, is_mixed),
                "{names:?} {owner:?}"
            );
        }
        let trigger = Some(Owner::of("trigger_once", None));
        let ghost = Some(Owner::of("func_illusionary", None));
        let glass = Some(Owner::of("func_wall", Some("2")));
        let wall = Some(Owner::of("func_wall", Some("0")));
        check(&["wall", "floor"], None, Contents::SOLID, false);
        check(&["wall"], wall, Contents::SOLID, false);
        check(&["wall"], glass, Contents(0), false);
        check(&["wall"], ghost, Contents(0), false);
        check(&["{grate", "{grate"], wall, Contents(0), false);
        check(&["{grate", "{grate"], None, Contents::SOLID, false);
        check(&["aaatrigger"], trigger, Contents::TRIGGER, false);
        check(&["wall"], trigger, Contents::TRIGGER, false);
        check(&["!water", "!water"], ghost, Contents::WATER, false);
        check(&["wall", "sky"], None, Contents::SKY, true);
        check(&["hint", "skip", "skip"], None, Contents(0), false);
        check(&["skip", "skip"], None, Contents(0), false);
        check(&["skip", "wall"], None, Contents::SOLID, false);
        check(&["null", "wall"], None, Contents::SOLID, false);
        check(&["!lava", "null"], ghost, Contents::WATER, false);
        check(&["aaatrigger", "wall"], trigger, Contents::TRIGGER, false);
        check(&["clip", "clip"], None, Contents::CLIP, false);
        assert!(verdict(&[Role::Origin; 6], wall).is_origin);
        assert!(verdict(&[Role::ShadowOnly; 6], None).is_shadow_only);
    }
}
