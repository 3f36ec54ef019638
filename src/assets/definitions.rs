//! Entity classes: those that ship inside the program, and those of the files that the user named (`.fgd`).

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::assets::paths::find_in;
use crate::document::Entity;
use crate::document::ops::links::LinkKeys;
use crate::document::ops::transform::Angles;
use crate::formats::fgd;
use crate::formats::fgd::Class;
use crate::formats::fgd::ClassKind;
use crate::formats::fgd::Problem;
use crate::formats::fgd::Property;
use crate::formats::fgd::PropertyKind;
use crate::formats::ogz::models;
use crate::formats::unr::classes;
use crate::geometry::Aabb;

/// Our own classes.
const BUILTIN: &[u8] = include_bytes!("../../assets/entities/mapwright.fgd");
const BUILTIN_NAME: &str = "mapwright.fgd";

/// Classes of games whose maps name none of their own, by the format of these maps.
const GAMES: &[(&str, &str, &[u8])] = &[
    (
        "ogz",
        "cube2.fgd",
        include_bytes!("../../assets/entities/cube2.fgd"),
    ),
    ("unr", classes::DEFINITIONS_NAME, classes::DEFINITIONS),
    ("t3d", classes::DEFINITIONS_NAME, classes::DEFINITIONS),
];

/// Larger files are no definitions; they are not read.
const MAX_BYTES: u64 = 64 << 20;

/// Half the side of an entity's box where no definition says otherwise.
const HALF_SIDE: f64 = 8.0;

/// Radius and half height of an actor of Unreal that does not tell its own, and the most that is shown of one.
const USUAL_MEASURE: f64 = 22.0;
const MAX_MEASURE: f64 = 4096.0;

/// Classes by name. Of a class that several files define the last file's counts, whatever its letters' case.
#[derive(Clone, Debug)]
pub struct Definitions {
    /// By lower-case name, which is also the order of lists.
    classes: BTreeMap<String, Class>,
    /// Names (lower-case) of the classes that the user's files define.
    own: BTreeSet<String>,
    /// Files beyond the built-in one that were read.
    files: Vec<PathBuf>,
    problems: Vec<Problem>,
}

impl Default for Definitions {
    fn default() -> Self {
        Self::builtin()
    }
}

impl Definitions {
    /// The classes that ship inside the program.
    #[must_use]
    pub fn builtin() -> Self {
        let mut definitions = Self {
            classes: BTreeMap::new(),
            own: BTreeSet::new(),
            files: Vec::new(),
            problems: Vec::new(),
        };
        definitions.add(fgd::Definitions::read(BUILTIN, BUILTIN_NAME, &|_| None));
        definitions
    }

    /// The built-in classes and those of the files, later ones over earlier ones. A file that cannot be read is a problem, not an
    /// error.
    #[must_use]
    pub fn load(files: &[PathBuf]) -> Self {
        Self::for_map(None, files)
    }

    /// As [`Definitions::load`], for a map that came from another format: between the two stand the classes of its game.
    #[must_use]
    pub fn for_map(format: Option<&str>, files: &[PathBuf]) -> Self {
        let mut definitions = Self::builtin();
        for (_, name, bytes) in GAMES.iter().filter(|(game, ..)| Some(*game) == format) {
            definitions.add(fgd::Definitions::read(bytes, name, &|_| None));
        }
        for path in files {
            match read(path) {
                Ok(bytes) => definitions.read_file(path, &bytes),
                Err(error) => definitions.problems.push(Problem {
                    file: path.display().to_string(),
                    line: 0,
                    text: format!("could not be read: {error}"),
                }),
            }
        }
        for problem in &definitions.problems {
            tracing::warn!("{} line {}: {}", problem.file, problem.line, problem.text);
        }
        definitions
    }

    fn read_file(&mut self, path: &Path, bytes: &[u8]) {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Whatever the case of its letters: these files come from systems that do not tell it apart.
        let include = |relative: &str| read(&find_in(&folder, relative)?).ok();
        let read = fgd::Definitions::read(bytes, &name, &include);
        self.own
            .extend(read.classes().iter().map(|class| class.name.to_lowercase()));
        self.add(read);
        self.files.push(path.to_owned());
    }

    fn add(&mut self, read: fgd::Definitions) {
        for class in read.classes() {
            if class.kind != ClassKind::Base {
                self.classes
                    .insert(class.name.to_lowercase(), class.clone());
            }
        }
        self.problems.extend(read.problems);
    }

    /// True when the user's files say what classes there are: then an unknown class is worth a note.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.files.is_empty()
    }

    /// Files beyond the built-in one that were read.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What could not be used, in the order of the files.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// By name, without regard to case.
    #[must_use]
    pub fn find(&self, class: &str) -> Option<&Class> {
        self.classes.get(&class.to_lowercase())
    }

    /// Every class that an entity may have, by name.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.values()
    }

    /// Classes to place in a view, by name.
    pub fn point_classes(&self) -> impl Iterator<Item = &Class> {
        self.classes()
            .filter(|class| class.kind == ClassKind::Point)
    }

    /// Classes that own brushes, by name; the world itself is none of them.
    pub fn solid_classes(&self) -> impl Iterator<Item = &Class> {
        self.classes()
            .filter(|class| class.kind == ClassKind::Solid && class.name != "worldspawn")
    }

    /// What is known of a key of a class, without regard to case.
    #[must_use]
    pub fn property(&self, class: &str, key: &str) -> Option<&Property> {
        self.find(class)?
            .properties
            .iter()
            .find(|property| property.key.eq_ignore_ascii_case(key))
            .map(Arc::as_ref)
    }

    /// Keys that hold names and keys that hold the names of others: the usual ones, and those that classes say so of.
    #[must_use]
    pub fn link_keys(&self) -> LinkKeys {
        let mut links = LinkKeys::default();
        for property in self.classes.values().flat_map(|class| &class.properties) {
            let keys = match property.kind {
                PropertyKind::TargetSource => &mut links.names,
                PropertyKind::TargetDestination => &mut links.targets,
                _ => continue,
            };
            if !keys.contains(&property.key) {
                keys.insert(property.key.clone());
            }
        }
        links
    }

    /// The box of a class around its origin, in map units; a cube of 16 where no definition says otherwise.
    #[must_use]
    pub fn class_box(&self, class: &str) -> Aabb {
        self.find(class)
            .and_then(|class| class.size)
            .filter(|size| !size.is_empty() && size.min.is_finite() && size.max.is_finite())
            .unwrap_or_else(|| Aabb::around(glam::DVec3::ZERO, glam::DVec3::splat(HALF_SIDE)))
    }

    /// The box of an entity around its origin: of its own measures where it has them (actors of Unreal, models of Cube 2), else
    /// of its class.
    #[must_use]
    pub fn own_box(&self, entity: &Entity) -> Aabb {
        if let Some(shape) = models::own_box(entity) {
            return shape;
        }
        let measure = |wanted: &str| {
            let mut keys = entity.keys.iter();
            let (_, value) = keys.find(|(key, _)| key.eq_ignore_ascii_case(wanted))?;
            let value: f64 = value.trim().parse().ok()?;
            (value > 0.0 && value <= MAX_MEASURE).then_some(value)
        };
        let [radius, height] = ["CollisionRadius", "CollisionHeight"].map(measure);
        if radius.is_none() && height.is_none() {
            return self.class_box(&entity.class);
        }
        let [radius, height] = [radius, height].map(|own| own.unwrap_or(USUAL_MEASURE));
        Aabb::around(glam::DVec3::ZERO, glam::DVec3::new(radius, height, radius))
    }

    /// The box that stands for a point entity, in the map; it does not turn with the entity.
    #[must_use]
    pub fn entity_box(&self, entity: &Entity) -> Aabb {
        let shape = self.own_box(entity);
        Aabb::new(entity.origin + shape.min, entity.origin + shape.max)
    }

    /// Which angles entities of a class have (ROT-3): all of them, unless a file of the user's defines the class with only
    /// `angle`, or with no direction at all.
    #[must_use]
    pub fn angles_of(&self, class: &str) -> Angles {
        if !self.own.contains(&class.to_lowercase()) {
            return Angles::All;
        }
        let has = |key: &str| self.property(class, key).is_some();
        if has("angles") || has("mangle") {
            Angles::All
        } else if has("angle") {
            Angles::Yaw
        } else {
            Angles::None
        }
    }

    /// The colour of a class (sRGB), where its definition has one.
    #[must_use]
    pub fn color(&self, class: &str) -> Option<[u8; 3]> {
        self.find(class)?.color
    }
}

/// A file of at most [`MAX_BYTES`].
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read as _;
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() > MAX_BYTES {
        return Err(std::io::Error::new(
            std::io::ErrorKind::FileTooLarge,
            "it is larger than 64 MiB",
        ));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::formats::fgd::PropertyKind;

    #[test]
    fn a_map_of_a_game_has_its_classes() {
        let plain = Definitions::for_map(Some("rmf"), &[]);
        assert!(plain.find("jumppad").is_none());
        let definitions = Definitions::for_map(Some("ogz"), &[]);
        assert_eq!(definitions.problems(), []);
        assert!(!definitions.is_complete());
        let push = definitions.property("jumppad", "push").expect("it pushes");
        assert_eq!(push.kind, PropertyKind::Vector);
        // Our own lights are those of the map too.
        assert!(definitions.find("light_spot").is_some());
        let body = definitions.class_box("playerstart");
        assert_eq!((body.min.y, body.max.y), (-7.5, 7.5));
    }

    #[test]
    fn unreal_maps_have_their_classes() {
        for format in ["unr", "t3d"] {
            let definitions = Definitions::for_map(Some(format), &[]);
            assert_eq!(definitions.problems(), []);
            let kind =
                |class: &str, key: &str| definitions.property(class, key).map(|key| key.kind);
            assert_eq!(kind("Trigger", "Tag"), Some(PropertyKind::TargetSource));
            assert_eq!(
                kind("Teleporter", "url"),
                Some(PropertyKind::TargetDestination)
            );
            assert_eq!(
                kind("Dispatcher", "OutEvents(7)"),
                Some(PropertyKind::TargetDestination)
            );
            let effect = definitions
                .property("light", "LightEffect")
                .expect("a key of lights");
            assert_eq!(effect.choices.len(), 20);
            assert!(
                definitions
                    .solid_classes()
                    .any(|class| class.name == "Mover")
            );
            let body = definitions.class_box("playerstart");
            assert_eq!((body.min.y, body.max.y), (-40.0, 40.0));
        }
    }

    #[test]
    fn the_shipped_classes_are_sound() {
        let definitions = Definitions::builtin();
        assert_eq!(definitions.problems(), []);
        assert!(!definitions.is_complete());
        let names: Vec<&str> = definitions
            .classes()
            .map(|class| class.name.as_str())
            .collect();
        assert!(names.is_sorted() && names.len() > 10, "{names:?}");
        assert!(definitions.find("LIGHT").is_some());
        assert!(
            definitions
                .solid_classes()
                .any(|class| class.name == "func_door")
        );
        assert!(
            definitions
                .solid_classes()
                .all(|class| class.name != "worldspawn")
        );
        assert!(
            definitions
                .point_classes()
                .any(|class| class.name == "info_player_start")
        );
        let shadows = definitions
            .property("light", "shadows")
            .expect("a key of lights");
        assert_eq!(
            (
                shadows.kind,
                shadows.default.as_str(),
                shadows.choices.len()
            ),
            (PropertyKind::Choices, "1", 2)
        );
        // Quake's z up is our y up.
        assert_eq!(
            definitions.class_box("info_player_start"),
            Aabb::new(
                DVec3::new(-13.0, -32.0, -13.0),
                DVec3::new(13.0, 26.0, 13.0)
            )
        );
        let unknown = Entity::new("never_heard_of", DVec3::new(100.0, 0.0, 0.0));
        assert_eq!(
            definitions.entity_box(&unknown),
            Aabb::around(unknown.origin, DVec3::splat(8.0))
        );
        // Actors tell their own measures.
        let mut crate_ = unknown.clone();
        crate_.set_key("CollisionRadius", "30");
        let own = |entity: &Entity| definitions.own_box(entity).max;
        assert_eq!(own(&crate_), DVec3::new(30.0, 22.0, 30.0));
        crate_.set_key("collisionheight", "12.5");
        assert_eq!(own(&crate_), DVec3::new(30.0, 12.5, 30.0));
        for (key, value) in [("CollisionRadius", "-1"), ("collisionheight", "NaN")] {
            crate_.set_key(key, value);
        }
        assert_eq!(own(&crate_), DVec3::splat(8.0));
    }

    #[test]
    fn the_users_files_come_on_top() {
        let folder = tempfile::tempdir().expect("folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        };
        write(
            "Base.FGD",
            "@BaseClass color(1 2 3) = Thing [ health(integer) : \"Health\" : 50 ]",
        );
        let game = write(
            "game.fgd",
            "@include \"base.fgd\"\n@PointClass base(Thing) size(-4 -4 0, 4 4 64) = monster : \"A monster\" []\n\
             @PointClass = Light : \"Theirs\" []",
        );
        let missing = folder.path().join("missing.fgd");
        let definitions = Definitions::load(&[game.clone(), missing]);
        assert!(definitions.is_complete());
        assert_eq!(definitions.files(), [game]);
        assert_eq!(
            definitions.problems().len(),
            1,
            "{:?}",
            definitions.problems()
        );
        assert_eq!(definitions.color("monster"), Some([1, 2, 3]));
        assert_eq!(
            definitions
                .property("monster", "Health")
                .map(|property| property.default.as_str()),
            Some("50")
        );
        assert!(
            definitions.find("thing").is_none(),
            "nothing can be a base class"
        );
        assert_eq!(
            definitions
                .find("light")
                .map(|class| class.description.as_str()),
            Some("Theirs")
        );
        assert!(definitions.find("light_spot").is_some(), "ours stay");
        assert_eq!(
            definitions.class_box("monster").max,
            DVec3::new(4.0, 64.0, 4.0)
        );
    }
}
