//! The file's own numbers, taken from the raw reader before anything is converted (`cli.md`, `source_counts`).

use std::collections::BTreeSet;

use serde_json::Value;
use serde_json::json;

use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::RawMap;

/// One document's counts, with the keys of the command line's contract.
#[must_use]
pub fn counts(map: &RawMap<'_>) -> Value {
    let mut textures: BTreeSet<Vec<u8>> = BTreeSet::new();
    // Whether an object is an entity or lies below one; parents come before children.
    let mut in_entity: Vec<bool> = Vec::with_capacity(map.objects.len());
    let (mut solids, mut world_solids, mut faces, mut vertices) = (0usize, 0usize, 0usize, 0usize);
    let (mut point_entities, mut brush_entities, mut groups, mut max_depth) =
        (0usize, 0usize, 0usize, 0u32);
    for object in &map.objects {
        let below = object
            .parent
            .is_some_and(|parent| in_entity[parent as usize]);
        in_entity.push(below || matches!(object.kind, RawKind::Entity(_)));
        max_depth = max_depth.max(object.depth);
        match &object.kind {
            RawKind::Group => groups += 1,
            RawKind::Entity(_) if object.base.child_count == 0 => point_entities += 1,
            RawKind::Entity(_) => brush_entities += 1,
            RawKind::Solid(sides) => {
                solids += 1;
                world_solids += usize::from(!below);
                faces += sides.len();
                for face in sides {
                    vertices += face.vertices.len();
                    let name = face.texture.bytes();
                    if !textures.contains(name) {
                        textures.insert(name.to_vec());
                    }
                }
            }
        }
    }
    let names: BTreeSet<String> = textures
        .iter()
        .map(|name| {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(name)
                .0
                .to_lowercase()
        })
        .collect();
    json!({
        "solids": solids,
        "world_solids": world_solids,
        "faces": faces,
        "vertices": vertices,
        "point_entities": point_entities,
        "brush_entities": brush_entities,
        "groups": groups,
        "visgroups": map.visgroups.len(),
        "visgroups_hidden": map.visgroups.iter().filter(|visgroup| map.is_hidden(visgroup)).count(),
        "paths": map.paths.len(),
        "path_nodes": map.paths.iter().map(|path| path.nodes.len()).sum::<usize>(),
        "cameras": map.doc_info.as_ref().map_or(0, |info| info.cameras.len()),
        "max_depth": max_depth,
        "textures": names.len(),
    })
}
