//! The file's own numbers, under the names that `info` documents.

use glam::DVec3;
use serde_json::Value;
use serde_json::json;

use crate::formats::unr::properties;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::flag;

/// Names of the operations by their numbers, as text files have them.
const OPERATIONS: [&str; 5] = [
    "CSG_Active",
    "CSG_Add",
    "CSG_Subtract",
    "CSG_Intersect",
    "CSG_Deintersect",
];

/// Areas are in square units. A text has no world: what belongs to it is 0.
#[must_use]
pub fn counts(map: &RawMap) -> Value {
    let facts = &map.facts;
    let empty = RawModel::default();
    let world = map.world.as_ref().unwrap_or(&empty);
    let drawn = Drawn::of(world);
    let of_class = |is_meant: &dyn Fn(&str) -> bool| {
        let classes = map.actors.iter().map(|actor| actor.class.name.as_str());
        classes.filter(|class| is_meant(class)).count()
    };
    let is_brush = |actor: &&RawActor| is(&actor.class.name, "Brush");
    let shaped = || map.actors.iter().filter(|actor| actor.polygons.is_some());
    let brushes = |operation: usize| {
        let brushes = shaped().filter(is_brush);
        brushes
            .filter(|actor| csg_operation(actor) == operation)
            .count()
    };
    json!({
        "version": map.version,
        "licensee": map.licensee,
        "actor_slots": facts.slots,
        "actors": facts.slots - facts.empty_slots,
        "vectors": world.vectors.len(),
        "points": world.points.len(),
        "nodes": world.nodes.len(),
        "surfs": world.surfaces.len(),
        "verts": world.vertices.len(),
        "shared_sides": world.shared_sides,
        "zones": world.zones.len(),
        "lightmaps": world.lightmaps.len(),
        "lightbits": world.light_bits.len(),
        "leaf_hulls": world.leaf_hulls.len(),
        "leaves": world.leaves.len(),
        "polygons": drawn.polygons,
        "triangles": drawn.triangles,
        "total_area": drawn.area,
        "visible_area": drawn.visible_area,
        "brush_add": brushes(1),
        "brush_subtract": brushes(2),
        "brush_intersect": brushes(3),
        "brush_deintersect": brushes(4),
        "movers": shaped().filter(|actor| !is_brush(actor)).count(),
        "lights": of_class(&|class| ends_with(class, "light")),
        "player_starts": of_class(&|class| is(class, "PlayerStart")),
    })
}

fn is(class: &str, name: &str) -> bool {
    class.eq_ignore_ascii_case(name)
}

fn ends_with(class: &str, ending: &str) -> bool {
    class.to_ascii_lowercase().ends_with(ending)
}

/// Number of a brush's operation; one that is not stored is the builder brush's.
fn csg_operation(actor: &RawActor) -> usize {
    match actor.properties.get("CsgOper") {
        Some(properties::Value::Byte(number)) => usize::from(*number),
        Some(_) => {
            let name = actor.properties.text("CsgOper").unwrap_or_default();
            let found = OPERATIONS.iter().position(|operation| is(operation, name));
            found.unwrap_or(OPERATIONS.len())
        }
        None => 0,
    }
}

/// Polygons of the world's nodes.
#[derive(Default)]
struct Drawn {
    polygons: usize,
    triangles: usize,
    area: f64,
    visible_area: f64,
}

impl Drawn {
    fn of(world: &RawModel) -> Self {
        let mut drawn = Self::default();
        for node in world.nodes.iter().filter(|node| node.vertex_count > 0) {
            let polygon = world.polygon(node);
            let area = area(&polygon);
            drawn.polygons += 1;
            drawn.triangles += polygon.len().saturating_sub(2);
            drawn.area += area;
            let surface = world.surfaces.get(node.surface as usize);
            if surface.is_some_and(|surface| surface.flags & flag::INVISIBLE == 0) {
                drawn.visible_area += area;
            }
        }
        drawn
    }
}

fn area(polygon: &[DVec3]) -> f64 {
    let Some((&first, rest)) = polygon.split_first() else {
        return 0.0;
    };
    let twice = |pair: &[DVec3]| (pair[0] - first).cross(pair[1] - first);
    rest.windows(2).map(twice).sum::<DVec3>().length() / 2.0
}
