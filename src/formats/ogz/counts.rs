//! The file's own numbers, under the names that `info` documents.

use serde_json::Value;
use serde_json::json;

use crate::formats::ogz::measure::Figures;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::visible::visible_triangles;
use crate::task::Cancelled;
use crate::task::Progress;

/// Leaves are counted as the file has them: cubes that the engine empties are deformed ones.
#[must_use]
pub fn counts(map: &RawMap) -> Value {
    let facts = &map.facts;
    let tree = &map.tree;
    let leaves = &tree.leaves[..tree.leaves.len() - facts.missing_leaves];
    let of = |fill: Fill| leaves.iter().filter(|leaf| leaf.fill == fill).count();
    let smallest = leaves.iter().map(|leaf| leaf.size).min().unwrap_or(0);
    let edited = map.slots.iter().filter(|slot| !slot.unmodified).count();
    json!({
        "version": map.version,
        "worldsize": map.world_size,
        "numents": map.entities.len() + facts.entities_over,
        "numvars": facts.variable_count,
        "numvslots": facts.slot_count,
        "vslots_edited": edited,
        "leaves": leaves.len(),
        "empty": of(Fill::Empty) - facts.degenerate_leaves,
        "solid": of(Fill::Solid),
        "deformed": of(Fill::Deformed) + facts.degenerate_leaves,
        "split": tree.splits.len().saturating_sub(1),
        "smallest_cube": smallest,
        "tex_slots_used": facts.slots_used,
    })
}

/// Areas of the cubes' triangles and their volume, in the file's units.
///
/// # Errors
/// Only when cancelled.
pub fn geometry_counts(map: &RawMap, progress: &Progress) -> Result<Value, Cancelled> {
    let figures = Figures::of(map, &visible_triangles(map, progress)?);
    Ok(json!({
        "area_all": figures.all.area,
        "area_visible": figures.visible.area,
        "area_sky": figures.sky.area,
        "tris_visible": figures.visible.count,
        "volume": figures.volume,
    }))
}
