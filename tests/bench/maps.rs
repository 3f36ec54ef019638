//! Maps to measure with.

use std::path::Path;
use std::path::PathBuf;

use glam::DVec3;
use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::Object;
use mapwright::geometry::Aabb;

/// A real map that is not ours to copy; `None` (and a word) when it is not there.
pub fn corpus(file: &str) -> Option<PathBuf> {
    let root = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    let path = root.join(file);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

/// `count` boxes of different sizes on a grid, in 24 materials.
pub fn field_of_boxes(count: u32) -> Document {
    let mut draft = Document::default().edit();
    let materials: Vec<_> = (0..24)
        .map(|i| draft.insert_material(Material::new(format!("m{i}"), String::new())))
        .collect();
    let side = f64::from(count).sqrt().ceil() as u32;
    for i in 0..count {
        let min = DVec3::new(f64::from(i % side) * 96.0, 0.0, f64::from(i / side) * 96.0);
        let size = DVec3::new(
            32.0 + f64::from(i % 3) * 16.0,
            16.0 + f64::from(i % 7) * 16.0,
            48.0,
        );
        let material = materials[(i as usize * 7) % materials.len()];
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            Aabb::new(min, min + size),
            Some(material),
        ))));
    }
    draft.finish().expect("boxes are sound")
}
