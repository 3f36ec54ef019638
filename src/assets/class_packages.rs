//! Which package holds a class of Unreal Engine 1: texts name classes without their packages.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use crate::assets::packages::VERSIONS;
use crate::assets::packages::read_parts;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::sparse::Parts;

/// Packages that are looked into.
const MAX_PACKAGES: usize = 512;

/// Names of packages by those of their classes, all in lower case; `None` for a class that several have.
pub(super) type ClassPackages = HashMap<String, Option<String>>;

/// What some packages hold; files that are none hold nothing.
pub(super) fn class_packages(paths: &[&Path]) -> ClassPackages {
    let found: Vec<(String, Vec<String>)> = paths[..paths.len().min(MAX_PACKAGES)]
        .par_iter()
        .filter_map(|path| Some((stem(path)?, classes(path)?)))
        .collect();
    let mut packages = ClassPackages::new();
    for (package, classes) in found {
        for class in classes {
            packages
                .entry(class)
                .and_modify(|known| {
                    if known.as_ref() != Some(&package) {
                        *known = None;
                    }
                })
                .or_insert_with(|| Some(package.clone()));
        }
    }
    packages
}

fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().to_lowercase())
}

fn classes(path: &Path) -> Option<Vec<String>> {
    let bytes = read_parts(path, Parts::Tables).ok()?;
    let package = Package::read(&bytes).ok()?;
    if !VERSIONS.contains(&package.version()) {
        return None;
    }
    let exports = (0..).zip(&package.tables.exports);
    let classes = exports.filter(|(_, record)| record.class == Reference(0));
    let name = |export| package.tables.export_name(export).to_lowercase();
    Some(classes.map(|(export, _)| name(export)).collect())
}
