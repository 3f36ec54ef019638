//! What classes the actors of a map come from, as far as the map's package and those beside it tell.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::Arc;

use crate::formats::Siblings;
use crate::formats::unr::class_read::class;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::package::Tables;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawMap;
use crate::task::Cancelled;
use crate::task::Progress;

/// Classes stand above each other; more than this is a ring.
const MAX_ANCESTORS: usize = 64;

/// Packages of classes that are opened for a map.
const MAX_PACKAGES: usize = 32;

/// Fills in the ancestors of all actors, and the defaults of their classes. `bytes`: the map's file; a text holds no classes.
///
/// # Errors
/// Only when cancelled.
pub fn find_ancestors(
    bytes: &[u8],
    map: &mut RawMap,
    siblings: &dyn Siblings,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut search = Search {
        own: Package::read(bytes).ok(),
        siblings,
        packages: HashMap::new(),
        classes: BTreeMap::new(),
    };
    let mut known: HashMap<Arc<ObjectPath>, Vec<String>> = HashMap::new();
    for actor in &mut map.actors {
        if let Some(ancestors) = known.get(&actor.class) {
            actor.ancestors.clone_from(ancestors);
            continue;
        }
        progress.check()?;
        let ancestors = search.ancestors(&actor.class);
        actor.ancestors.clone_from(&ancestors);
        known.insert(Arc::clone(&actor.class), ancestors);
    }
    // In the order of packages: of classes with one name the map's own counts.
    for ((_, name), class) in search.classes {
        if let Some(class) = class {
            map.class_defaults.entry(name).or_insert(class.defaults);
        }
    }
    Ok(())
}

/// A package of classes that was opened.
struct Opened {
    bytes: Vec<u8>,
    tables: Arc<Tables>,
}

/// A class by its package, empty for the map's own, and name, in lower case.
type Key = (String, String);

struct Found {
    above: Option<Arc<ObjectPath>>,
    defaults: Properties,
}

struct Search<'a> {
    own: Option<Package<'a>>,
    siblings: &'a dyn Siblings,
    /// By name in lower case; `None`: it cannot be had.
    packages: HashMap<String, Option<Opened>>,
    classes: BTreeMap<Key, Option<Found>>,
}

impl Search<'_> {
    /// Names of the classes above one, nearest first.
    fn ancestors(&mut self, class: &ObjectPath) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut package = class.package.clone();
        // Texts name classes alone.
        if package.is_empty() && self.own.is_none() {
            let found = self.siblings.package_of_class(&class.name);
            package = found.unwrap_or_default();
        }
        let mut name = class.name.clone();
        while names.len() < MAX_ANCESTORS {
            let Some(above) = self.above(&package, &name) else {
                break;
            };
            // A class of the same package does not name it.
            if !above.package.is_empty() {
                package.clone_from(&above.package);
            }
            name.clone_from(&above.name);
            if name.eq_ignore_ascii_case("Object") {
                break;
            }
            names.push(name.clone());
        }
        names
    }

    /// The class above one.
    fn above(&mut self, package: &str, name: &str) -> Option<Arc<ObjectPath>> {
        let key = (package.to_lowercase(), name.to_lowercase());
        if !self.classes.contains_key(&key) {
            let found = self.find(package, &key);
            self.classes.insert(key.clone(), found);
        }
        self.classes.get(&key)?.as_ref()?.above.clone()
    }

    fn find(&mut self, package: &str, (package_key, name): &Key) -> Option<Found> {
        let opened = if package.is_empty() {
            self.own.clone()?
        } else {
            self.open(package_key);
            let opened = self.packages.get(package_key)?.as_ref()?;
            Package {
                bytes: &opened.bytes,
                tables: Arc::clone(&opened.tables),
            }
        };
        let tables = Arc::clone(&opened.tables);
        let is_meant = |export: &usize| {
            tables.exports[*export].class == Reference(0)
                && tables.export_name(*export).eq_ignore_ascii_case(name)
        };
        let export = (0..tables.exports.len()).find(is_meant)?;
        let record = class(&opened, export);
        let mut defaults = record.defaults.unwrap_or_default();
        if !package.is_empty() {
            qualify(&mut defaults, package);
        }
        Some(Found {
            above: tables.object_path(record.above),
            defaults,
        })
    }

    fn open(&mut self, name: &str) {
        let is_full = self.packages.values().flatten().count() >= MAX_PACKAGES;
        if self.packages.contains_key(name) || is_full {
            return;
        }
        let bytes = self.siblings.read(&format!("{name}.u"));
        let opened = bytes.and_then(|bytes| {
            let tables = Package::read(&bytes).ok()?.tables;
            Some(Opened { bytes, tables })
        });
        self.packages.insert(name.to_owned(), opened);
    }
}

/// What another package names without a package is in that one.
fn qualify(defaults: &mut Properties, package: &str) {
    for property in &mut defaults.0 {
        if let Value::Object(Some(path)) = &mut property.value
            && path.package.is_empty()
        {
            let mut qualified = ObjectPath::clone(path);
            package.clone_into(&mut qualified.package);
            qualified.export = None;
            *path = Arc::new(qualified);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formats::unr::made_package::MadePackage;
    use crate::formats::unr::made_package::MadeValue as V;
    use crate::formats::unr::raw::RawActor;

    /// Packages by their file names in lower case.
    struct Files(HashMap<String, Vec<u8>>);

    impl Siblings for Files {
        fn read(&self, name: &str) -> Option<Vec<u8>> {
            self.0.get(&name.to_lowercase()).cloned()
        }

        fn package_of_class(&self, class: &str) -> Option<String> {
            let holds = |bytes: &Vec<u8>| {
                let tables = Package::read(bytes).ok()?.tables;
                let mut exports = tables.exports_of("Class");
                exports.find(|&export| tables.export_name(export).eq_ignore_ascii_case(class))
            };
            let mut found = self.0.iter().filter(|(_, bytes)| holds(bytes).is_some());
            let (name, _) = found.next().filter(|_| found.next().is_none())?;
            Some(name.trim_end_matches(".u").to_owned())
        }

        fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
            None
        }
    }

    /// A package with Object, Actor and Light, whose code is longer in memory than in the file.
    fn engine(version: u16) -> Vec<u8> {
        let mut package = MadePackage::new(version);
        let object = package.class(0, "Object", (0, &[]), &[]);
        let defaults = [("DrawScale", V::Float(1.0)), ("bMovable", V::Bool(false))];
        let actor = package.class(object, "Actor", (40, &[0x0B; 21]), &defaults);
        let texture = package.texture("Texture", 0, "S_Light", [4, 4], &[]);
        let defaults = [
            ("LightBrightness", V::Byte(64)),
            ("Texture", V::Object(texture)),
        ];
        package.class(actor, "Light", (0, &[]), &defaults);
        package.bytes()
    }

    fn map_package(version: u16) -> Vec<u8> {
        let mut package = MadePackage::new(version);
        let engine = package.import("Package", 0, "Engine");
        let light = package.import("Class", engine, "Light");
        package.class(light, "MyLight", (3, &[1, 2]), &[("LightHue", V::Byte(9))]);
        package.bytes()
    }

    fn actor(package: &str, class: &str) -> RawActor {
        RawActor {
            class: Arc::new(ObjectPath {
                class: "Class".to_owned(),
                package: package.to_owned(),
                name: class.to_owned(),
                ..ObjectPath::default()
            }),
            ..RawActor::default()
        }
    }

    fn found(bytes: &[u8], files: &[(&str, Vec<u8>)]) -> RawMap {
        let mut map = RawMap {
            actors: vec![
                actor("", "MyLight"),
                actor("engine", "LIGHT"),
                actor("", "mylight"),
            ],
            ..RawMap::default()
        };
        let files = files
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), bytes.clone()));
        let files = Files(files.collect());
        find_ancestors(bytes, &mut map, &files, &Progress::new()).expect("not cancelled");
        map
    }

    #[test]
    fn chains_run_through_packages() {
        for version in [61, 63, 69, 79] {
            let map = found(&map_package(version), &[("engine.u", engine(version))]);
            assert_eq!(map.actors[0].ancestors, ["Light", "Actor"]);
            assert_eq!(map.actors[1].ancestors, ["Actor"]);
            assert_eq!(map.actors[2].ancestors, ["Light", "Actor"]);
            let value = |class: &str, name: &str| map.class_defaults[class].get(name);
            assert_eq!(value("mylight", "LightHue"), Some(&Value::Byte(9)));
            assert_eq!(value("light", "LightBrightness"), Some(&Value::Byte(64)));
            assert_eq!(value("actor", "DrawScale"), Some(&Value::Float(1.0)));
            assert_eq!(value("actor", "bMovable"), Some(&Value::Bool(false)));
            let texture = map.class_defaults["light"]
                .object("Texture")
                .expect("a texture");
            assert_eq!(texture.full_name(), "Engine.S_Light");
        }
    }

    #[test]
    fn without_the_packages_the_chain_ends_with_a_name() {
        let map = found(&map_package(69), &[("engine.u", b"no package".to_vec())]);
        assert_eq!(map.actors[0].ancestors, ["Light"]);
        assert_eq!(map.actors[1].ancestors, [""; 0]);
        assert_eq!(map.class_defaults.len(), 1);
        let text = found(b"Begin Map", &[("engine.u", engine(69))]);
        assert_eq!(text.actors[0].ancestors, [""; 0]);
        assert_eq!(text.actors[1].ancestors, ["Actor"]);
    }

    #[test]
    fn bare_names_of_texts_are_looked_for_in_packages() {
        let mut more = MadePackage::new(69);
        let package = more.import("Package", 0, "Engine");
        let light = more.import("Class", package, "Light");
        more.class(light, "MyLight", (0, &[]), &[("LightHue", V::Byte(9))]);
        let more = more.bytes();
        let text = b"Begin Map";
        let files = [("engine.u", engine(69)), ("more.u", more.clone())];
        let map = found(text, &files);
        assert_eq!(map.actors[0].ancestors, ["Light", "Actor"]);
        assert_eq!(map.actors[2].ancestors, ["Light", "Actor"]);
        let hue = map.class_defaults["mylight"].get("LightHue");
        assert_eq!(hue, Some(&Value::Byte(9)));
        // Nobody knows which of two is meant, and what a map holds itself is not looked for elsewhere.
        let twice = [&files[..], &[("other.u", more.clone())]].concat();
        assert_eq!(found(text, &twice).actors[0].ancestors, [""; 0]);
        let empty = MadePackage::new(69).bytes();
        assert_eq!(found(&empty, &files).actors[0].ancestors, [""; 0]);
    }

    #[test]
    fn rings_end() {
        let mut package = MadePackage::new(69);
        package.class(2, "MyLight", (0, &[]), &[]);
        package.class(1, "Other", (0, &[]), &[]);
        let map = found(&package.bytes(), &[]);
        assert_eq!(map.actors[0].ancestors.len(), MAX_ANCESTORS);
    }

    proptest! {
        #[test]
        fn damage_never_breaks_it(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6)) {
            let mut bytes = engine(69);
            for (place, byte) in changes {
                let place = place % bytes.len();
                bytes[place] = byte;
            }
            found(&map_package(69), &[("engine.u", bytes.clone())]);
            found(&bytes, &[]);
        }
    }
}
