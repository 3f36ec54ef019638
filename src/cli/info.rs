//! `mapwright info`: what files hold.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::assets::Opened;
use crate::assets::open_map;
use crate::assets::read_map;
use crate::cli::Info;
use crate::cli::Refused;
use crate::cli::Status;
use crate::cli::output;
use crate::document::Document;
use crate::document::Kind;
use crate::document::LayerKind;
use crate::document::MaterialId;
use crate::document::ViewState;
use crate::formats::ogz;
use crate::geometry::polygon;
use crate::task::Progress;

pub fn run(arguments: &Info) -> Result<Status, Refused> {
    let mut worst = Status::Done;
    for path in &arguments.files {
        match open_map(path, &arguments.assets, &Progress::new()) {
            Ok(opened) => {
                let mut value = describe(path, &opened);
                if arguments.geometry && opened.format == "ogz" {
                    add_geometry(path, &mut value);
                }
                let text = if arguments.json {
                    value.to_string()
                } else {
                    in_words(&value)
                };
                output::result(&text, None)?;
            }
            Err(error) => {
                output::complain(&error.to_string());
                worst = Status::Nothing;
            }
        }
    }
    Ok(worst)
}

/// Areas and volume of a Cube 2 map's cubes go beside its other counts.
fn add_geometry(path: &Path, value: &mut Value) {
    let progress = Progress::new();
    let measured = read_map(path)
        .ok()
        .and_then(|bytes| ogz::read(&bytes, &progress).ok())
        .and_then(|(map, _)| ogz::geometry_counts(&map, &progress).ok());
    if let (Some(counts), Some(Value::Object(measured))) =
        (value["source_counts"].as_object_mut(), measured)
    {
        counts.extend(measured);
    }
}

/// The JSON object of `info`.
fn describe(path: &Path, opened: &Opened) -> Value {
    let imported = &opened.imported;
    let used = used_materials(&imported.doc);
    let textures: BTreeSet<&str> = used
        .iter()
        .filter_map(|&id| imported.doc.material(id))
        .map(|material| material.texture.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    let missing: Vec<&str> = textures
        .iter()
        .copied()
        .filter(|name| !opened.resolver.has(name))
        .collect();
    let (face_area, brush_volume) = areas(&imported.doc);
    let bounds = imported.doc.bounds();
    let bounds = if bounds.is_empty() {
        crate::geometry::Aabb::new(glam::DVec3::ZERO, glam::DVec3::ZERO)
    } else {
        bounds
    };
    let source_counts = if imported.report.source_counts.is_null() {
        json!({})
    } else {
        imported.report.source_counts.clone()
    };
    json!({
        "path": path.to_string_lossy(),
        "format": opened.format,
        "version": imported.report.version,
        "bytes": opened.bytes,
        "counts": counts(&imported.doc, &imported.view),
        "source_counts": source_counts,
        "bounds": { "min": bounds.min.to_array(), "max": bounds.max.to_array() },
        "face_area": face_area,
        "brush_volume": brush_volume,
        "textures": { "used": textures.len(), "found": textures.len() - missing.len(), "missing": missing },
        "warnings": imported.report.counts(),
    })
}

fn counts(doc: &Document, view: &ViewState) -> Value {
    let mut counts: BTreeMap<&str, usize> = [
        "brushes",
        "brush_faces",
        "meshes",
        "mesh_points",
        "mesh_polygons",
        "entities",
        "point_entities",
        "brush_entities",
        "groups",
        "lights",
    ]
    .into_iter()
    .map(|name| (name, 0))
    .collect();
    let mut add = |name, number| *counts.entry(name).or_default() += number;
    let owners: BTreeSet<_> = doc
        .objects()
        .filter(|(_, object)| matches!(object.kind, Kind::Brush(_) | Kind::Mesh(_)))
        .filter_map(|(id, _)| doc.owner(id))
        .collect();
    for (id, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                add("brushes", 1);
                add("brush_faces", brush.faces().len());
            }
            Kind::Mesh(mesh) => {
                add("meshes", 1);
                add("mesh_points", mesh.points.len());
                add("mesh_polygons", mesh.polygons.len());
            }
            Kind::Group(_) => add("groups", 1),
            Kind::Entity(entity) if entity.class == "worldspawn" => {}
            Kind::Entity(entity) => {
                add("entities", 1);
                add(
                    if owners.contains(&id) {
                        "brush_entities"
                    } else {
                        "point_entities"
                    },
                    1,
                );
                if matches!(entity.class.as_str(), "light" | "light_spot" | "light_sun") {
                    add("lights", 1);
                }
            }
        }
    }
    add(
        "layers",
        doc.layers()
            .filter(|(_, layer)| layer.kind == LayerKind::Layer)
            .count(),
    );
    add(
        "visgroups",
        doc.layers()
            .filter(|(_, layer)| layer.kind == LayerKind::Visgroup)
            .count(),
    );
    add("paths", doc.paths().count());
    // The editor's own viewports are no cameras of the map.
    add(
        "cameras",
        view.cameras
            .iter()
            .filter(|camera| !camera.name.starts_with('~'))
            .count(),
    );
    add("materials", doc.material_count());
    json!(counts)
}

fn used_materials(doc: &Document) -> BTreeSet<MaterialId> {
    let mut used = BTreeSet::new();
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                used.extend(brush.faces().iter().filter_map(|face| face.material));
            }
            Kind::Mesh(mesh) => {
                used.extend(mesh.polygons.iter().filter_map(|polygon| polygon.material));
            }
            Kind::Entity(_) | Kind::Group(_) => {}
        }
    }
    used
}

/// Area of all faces and polygons, volume of all sound brushes.
fn areas(doc: &Document) -> (f64, f64) {
    let (mut area, mut volume) = (0.0, 0.0);
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) if brush.fault().is_none() => {
                volume += brush.hull().volume();
                area += (0..brush.faces().len())
                    .map(|face| polygon::area(&brush.hull().face_points(face).collect::<Vec<_>>()))
                    .sum::<f64>();
            }
            Kind::Mesh(mesh) => {
                area += mesh
                    .polygons
                    .iter()
                    .filter_map(|polygon| mesh.positions(polygon))
                    .map(|points| polygon::area(&points))
                    .sum::<f64>();
            }
            _ => {}
        }
    }
    (area, volume)
}

/// The same for people.
fn in_words(value: &Value) -> String {
    let mut text = String::new();
    let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let _ = writeln!(
        text,
        "{}: {} {}, {} bytes",
        string(&value["path"]),
        string(&value["format"]),
        string(&value["version"]),
        value["bytes"]
    );
    for group in ["counts", "source_counts"] {
        let objects: Vec<&Value> = match &value[group] {
            Value::Array(list) => list.iter().collect(),
            other => vec![other],
        };
        for object in objects
            .into_iter()
            .filter_map(Value::as_object)
            .filter(|object| !object.is_empty())
        {
            let line: Vec<String> = object
                .iter()
                .filter(|(_, v)| **v != json!(0))
                .map(|(k, v)| format!("{} {v}", k.replace('_', " ")))
                .collect();
            let _ = writeln!(
                text,
                "  {}: {}",
                if group == "counts" { "map" } else { "file" },
                line.join(", ")
            );
        }
    }
    let corner = |value: &Value| {
        value.as_array().map_or(String::new(), |v| {
            v.iter()
                .map(|n| format!("{:.0}", n.as_f64().unwrap_or(0.0)))
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    let _ = writeln!(
        text,
        "  bounds: {} to {}",
        corner(&value["bounds"]["min"]),
        corner(&value["bounds"]["max"])
    );
    let _ = writeln!(
        text,
        "  textures: {} used, {} found",
        value["textures"]["used"], value["textures"]["found"]
    );
    if let Some(missing) = value["textures"]["missing"]
        .as_array()
        .filter(|missing| !missing.is_empty())
    {
        let names: Vec<&str> = missing.iter().filter_map(Value::as_str).take(12).collect();
        let _ = writeln!(
            text,
            "  missing: {}{}",
            names.join(" "),
            if missing.len() > 12 { " ..." } else { "" }
        );
    }
    for (code, count) in value["warnings"].as_object().into_iter().flatten() {
        let _ = writeln!(text, "  {code}: {count}");
    }
    text.trim_end().to_owned()
}
