//! The sky zone: a room apart from the map, which the map shows wherever a surface is a window to the sky (`unr.md` 8.2).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::Zone;

/// Class of the actor that looks at the sky.
pub const SKY_CLASS: &str = "SkyZoneInfo";

/// What belongs to the sky and not to where players are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkyPart {
    /// A bit for each zone.
    zones: u64,
    /// Indices of brushes' actors that show nothing outside of the sky's zones.
    actors: BTreeSet<u32>,
}

impl SkyPart {
    /// Nothing for a map without such a zone, for text, and for a map that is all sky.
    #[must_use]
    pub fn of(map: &RawMap) -> Self {
        let Some(model) = &map.world else {
            return Self::default();
        };
        let is_sky = |zone: &Zone| {
            let actor = zone.actor.and_then(|actor| map.actors.get(actor as usize));
            actor.is_some_and(is_sky_zone)
        };
        let zones = model.zones.iter().take(64).enumerate();
        let zones = zones
            .filter(|(_, zone)| is_sky(zone))
            .fold(0, |mask, (number, _)| mask | 1u64 << number);
        let mut part = Self {
            zones,
            actors: BTreeSet::new(),
        };
        // Whether all that a brush shows is sky.
        let mut brushes: BTreeMap<u32, bool> = BTreeMap::new();
        for node in model.nodes.iter().filter(|node| node.vertex_count >= 3) {
            let surface = model.surfaces.get(node.surface as usize);
            if let Some(actor) = surface.and_then(|surface| surface.actor) {
                *brushes.entry(actor).or_insert(true) &= part.has_node(node);
            }
        }
        if brushes.values().all(|&is_sky| is_sky) {
            return Self::default();
        }
        let sky = brushes.into_iter().filter(|&(_, is_sky)| is_sky);
        part.actors = sky.map(|(actor, _)| actor).collect();
        part
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.zones == 0
    }

    /// Whether the polygon of a node is seen from the sky's zone.
    #[must_use]
    pub fn has_node(&self, node: &Node) -> bool {
        self.has_zone(node.zones[1])
    }

    #[must_use]
    pub fn has_zone(&self, zone: u8) -> bool {
        zone < 64 && self.zones >> zone & 1 == 1
    }

    /// Whether a brush belongs to the sky: index of its actor.
    #[must_use]
    pub fn has_brush(&self, actor: u32) -> bool {
        self.actors.contains(&actor)
    }
}

/// Of the class or one below it.
fn is_sky_zone(actor: &RawActor) -> bool {
    let classes = std::iter::once(&actor.class.name).chain(&actor.ancestors);
    classes
        .into_iter()
        .any(|class| class.eq_ignore_ascii_case(SKY_CLASS))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::formats::unr::raw::ObjectPath;
    use crate::formats::unr::raw::RawModel;
    use crate::formats::unr::raw::Surface;

    fn actor(class: &str, above: &[&str]) -> RawActor {
        RawActor {
            class: Arc::new(ObjectPath {
                name: class.to_owned(),
                ..ObjectPath::default()
            }),
            ancestors: above.iter().map(|&name| name.to_owned()).collect(),
            ..RawActor::default()
        }
    }

    fn node(surface: u32, zone: u8) -> Node {
        Node {
            normal: Vec3::Z,
            distance: 0.0,
            flags: 0,
            zone_mask: 0,
            first_vertex: 0,
            vertex_count: 4,
            surface,
            back: None,
            front: None,
            coplanar: None,
            hull: None,
            zones: [0, zone],
            leaves: [None; 2],
        }
    }

    fn surface(actor: u32) -> Surface {
        Surface {
            texture: None,
            flags: 0,
            base: 0,
            normal: 0,
            u: 0,
            v: 0,
            lightmap: None,
            polygon: 0,
            pan: [0; 2],
            actor: Some(actor),
        }
    }

    /// Actors: a zone of this class, and three brushes of which one shows in both zones, one in zone 2 and one in zone 1.
    fn map(class: &str, above: &[&str]) -> RawMap {
        let zone = |actor| Zone {
            actor,
            ..Zone::default()
        };
        RawMap {
            actors: vec![
                actor(class, above),
                actor("Brush", &[]),
                actor("Brush", &[]),
                actor("Brush", &[]),
            ],
            world: Some(RawModel {
                nodes: vec![node(0, 1), node(0, 2), node(1, 2), node(2, 1)],
                surfaces: vec![surface(1), surface(2), surface(3)],
                zones: vec![zone(None), zone(None), zone(Some(0))],
                ..RawModel::default()
            }),
            ..RawMap::default()
        }
    }

    #[test]
    fn brushes_seen_from_the_sky_alone_belong_to_it() {
        for map in [map("skyzoneinfo", &[]), map("MySky", &["SkyZoneInfo"])] {
            let part = SkyPart::of(&map);
            assert!(part.has_zone(2) && !part.has_zone(1) && !part.has_zone(200));
            let brushes: Vec<u32> = (0..4).filter(|&actor| part.has_brush(actor)).collect();
            assert_eq!(brushes, [2]);
        }
        assert!(SkyPart::of(&map("ZoneInfo", &[])).is_empty());
    }

    #[test]
    fn a_map_that_is_all_sky_has_none() {
        let mut map = map("SkyZoneInfo", &[]);
        let model = map.world.as_mut().expect("made above");
        model.nodes = vec![node(0, 2), node(1, 2), node(2, 2)];
        assert!(SkyPart::of(&map).is_empty());
    }
}
