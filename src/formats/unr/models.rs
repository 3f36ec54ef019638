//! Models of actors: vertex meshes with their skins, where the packages that hold them are there. What is not there stays a box
//! with a name.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;

use crate::document::Kind;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::SurfaceFlags;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::unr::classes::Family;
use crate::formats::unr::defaults::Known;
use crate::formats::unr::emit::Emission;
use crate::formats::unr::entities::Inserted;
use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Tables;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::flag;
use crate::formats::unr::space::to_map;
use crate::formats::unr::vertex_mesh::VertexMesh;
use crate::formats::unr::vertex_mesh::vertex_mesh;
use crate::geometry::Uv;
use crate::task::Cancelled;
use crate::task::Progress;

/// Names of `DrawType`, as texts give them.
const DRAW_TYPES: [&str; 8] = [
    "DT_None",
    "DT_Sprite",
    "DT_Mesh",
    "DT_Brush",
    "DT_RopeSprite",
    "DT_VerticalSprite",
    "DT_Terraform",
    "DT_SpriteAnimOnce",
];
const DRAWN_AS_MESH: usize = 2;

/// Names of `Style`.
const STYLES: [&str; 5] = [
    "STY_None",
    "STY_Normal",
    "STY_Masked",
    "STY_Translucent",
    "STY_Modulated",
];

/// Triangles of all models of a map together; actors beyond keep their boxes.
const MAX_TRIANGLES: usize = 200_000;

/// Packages that are opened for their meshes.
const MAX_PACKAGES: usize = 32;

/// Twice the area of a triangle that is not worth drawing, in square units.
const NO_AREA: f64 = 1e-3;

/// Names that one line of the report tells.
const NAMES: usize = 12;

/// A model in its place.
#[derive(Clone, Debug)]
pub struct PlacedMesh {
    /// Index in the map's actors.
    pub actor: u32,
    pub mesh: Arc<VertexMesh>,
    /// What each skin of the mesh looks like; only texture and flags count.
    pub skins: Vec<Mapping>,
}

/// The models of a map.
#[derive(Clone, Debug, Default)]
pub struct Models {
    pub placed: Vec<PlacedMesh>,
    /// Textures of the map from this index on are on models alone.
    first_texture: u32,
    /// Actors whose models are not there, by the name of the package.
    pub missing: BTreeMap<String, Vec<u32>>,
    /// Actors whose models would be too much.
    pub beyond: Vec<u32>,
}

/// An actor that is drawn as a mesh.
struct Wanted {
    actor: u32,
    mesh: Arc<ObjectPath>,
    /// Put in the place of the mesh's own.
    skins: Vec<Option<Arc<ObjectPath>>>,
    skin: Option<Arc<ObjectPath>>,
    flags: u32,
}

/// Finds the models of all actors, and adds their textures to those of the map. `bytes`: of the map's file.
///
/// # Errors
/// Only when cancelled.
pub fn find(
    map: &mut RawMap,
    bytes: &[u8],
    siblings: &dyn Siblings,
    progress: &Progress,
) -> Result<Models, Cancelled> {
    let wanted: Vec<Wanted> = (0..)
        .zip(&map.actors)
        .filter_map(|(index, actor)| wanted(&Known::new(map, actor), index))
        .collect();
    let mut models = Models {
        first_texture: map.textures.len() as u32,
        ..Models::default()
    };
    if wanted.is_empty() {
        return Ok(models);
    }
    let mut meshes = Meshes {
        own: Package::read(bytes).ok(),
        siblings,
        packages: HashMap::new(),
        meshes: HashMap::new(),
    };
    let mut textures: HashMap<Arc<ObjectPath>, u32> =
        map.textures.iter().cloned().zip(0..).collect();
    let mut triangles = 0;
    for wanted in wanted {
        progress.check()?;
        let Some(mesh) = meshes.mesh(&wanted.mesh) else {
            let package = wanted.mesh.package.clone();
            models
                .missing
                .entry(package)
                .or_default()
                .push(wanted.actor);
            continue;
        };
        triangles += mesh.triangles.len();
        if triangles > MAX_TRIANGLES {
            models.beyond.push(wanted.actor);
            continue;
        }
        let skins = mesh.skins.iter().map(|skin| {
            let texture = wanted.texture(&mesh, skin.texture as usize);
            let texture = texture.map(|path| {
                let next = textures.len() as u32;
                *textures.entry(Arc::clone(&path)).or_insert_with(|| {
                    map.textures.push(path);
                    next
                })
            });
            Mapping {
                texture,
                flags: skin.flags | wanted.flags,
                base: DVec3::ZERO,
                u: DVec3::X,
                v: DVec3::Y,
                pan: DVec2::ZERO,
            }
        });
        models.placed.push(PlacedMesh {
            actor: wanted.actor,
            skins: skins.collect(),
            mesh: Arc::clone(&mesh),
        });
    }
    Ok(models)
}

fn wanted(known: &Known<'_>, actor: u32) -> Option<Wanted> {
    if matches!(
        known.family,
        Family::Brush | Family::Camera | Family::Mover | Family::Level
    ) {
        return None;
    }
    // Where the class is not known, an actor that names a mesh is drawn with it.
    let is_drawn = match known.choice("DrawType", &DRAW_TYPES) {
        Some(kind) => kind == DRAWN_AS_MESH,
        None => known.actor.properties.object("Mesh").is_some(),
    };
    if !is_drawn || known.bool("bHidden") {
        return None;
    }
    let object = |name: &str, index: u32| match known.element(name, index)?.as_ref() {
        Value::Object(path) => path.clone(),
        _ => None,
    };
    let style = match known.choice("Style", &STYLES) {
        Some(2) => flag::MASKED,
        Some(3) => flag::TRANSLUCENT,
        Some(4) => flag::MODULATED,
        _ => 0,
    };
    let unlit = if known.bool("bUnlit") { flag::UNLIT } else { 0 };
    Some(Wanted {
        actor,
        mesh: object("Mesh", 0)?,
        skins: (0..8).map(|index| object("MultiSkins", index)).collect(),
        skin: object("Skin", 0),
        flags: style | unlit,
    })
}

impl Wanted {
    /// The picture of a number: the actor's, else the mesh's; the actor's only skin goes where a mesh has one picture or none.
    fn texture(&self, mesh: &VertexMesh, number: usize) -> Option<Arc<ObjectPath>> {
        let of_actor = self.skins.get(number).cloned().flatten();
        let of_mesh = mesh.textures.get(number).cloned().flatten();
        let is_only = mesh.textures.iter().flatten().count() <= 1;
        let skin = self.skin.clone();
        let skin = skin.filter(|_| is_only || of_mesh.is_none());
        of_actor.or(skin).or(of_mesh)
    }
}

/// A package that was opened.
type Opened = Option<(Vec<u8>, Arc<Tables>)>;

/// Meshes read so far.
struct Meshes<'a> {
    own: Option<Package<'a>>,
    siblings: &'a dyn Siblings,
    packages: HashMap<String, Opened>,
    meshes: HashMap<Arc<ObjectPath>, Option<Arc<VertexMesh>>>,
}

impl Meshes<'_> {
    fn mesh(&mut self, path: &Arc<ObjectPath>) -> Option<Arc<VertexMesh>> {
        if let Some(known) = self.meshes.get(path) {
            return known.clone();
        }
        let mesh = self.read(path).map(Arc::new);
        self.meshes.insert(Arc::clone(path), mesh.clone());
        mesh
    }

    fn read(&mut self, path: &ObjectPath) -> Option<VertexMesh> {
        if path.package.is_empty() {
            let export = path.export? as usize;
            let mesh = vertex_mesh(self.own.as_ref()?, export).ok()?;
            return is_worth_drawing(&mesh).then_some(mesh);
        }
        let name = path.package.to_lowercase();
        if !self.packages.contains_key(&name) && self.packages.len() < MAX_PACKAGES {
            let endings = ["u", "utx", "unr"].iter();
            let mut files = endings.map(|ending| format!("{}.{ending}", path.package));
            let opened = files
                .find_map(|file| self.siblings.read(&file))
                .and_then(|bytes| {
                    let tables = Package::read(&bytes).ok()?.tables;
                    Some((bytes, tables))
                });
            self.packages.insert(name.clone(), opened);
        }
        let (bytes, tables) = self.packages.get(&name)?.as_ref()?;
        let package = Package {
            bytes,
            tables: Arc::clone(tables),
        };
        let is_meant = |export: &usize| {
            let class = tables.class_name(*export);
            (class.eq_ignore_ascii_case("LodMesh") || class.eq_ignore_ascii_case("Mesh"))
                && tables.export_name(*export).eq_ignore_ascii_case(&path.name)
        };
        let export = (0..tables.exports.len()).find(is_meant)?;
        let mut mesh = vertex_mesh(&package, export).ok()?;
        for texture in mesh.textures.iter_mut().flatten() {
            if texture.package.is_empty() {
                *texture = Arc::new(ObjectPath {
                    package: path.package.clone(),
                    export: None,
                    ..ObjectPath::clone(texture)
                });
            }
        }
        is_worth_drawing(&mesh).then_some(mesh)
    }
}

fn is_worth_drawing(mesh: &VertexMesh) -> bool {
    !mesh.triangles.is_empty()
}

/// Puts each model where its actor is; it belongs to the actor's entity and goes where that goes. Their looks are made already.
pub fn insert(
    models: &Models,
    emission: &mut Emission<'_>,
    inserted: &Inserted,
    report: &mut Report,
) {
    let mut made: Vec<ObjectId> = Vec::new();
    for placed in &models.placed {
        let Some(parent) = inserted.entity(placed.actor) else {
            continue;
        };
        let mesh = document_mesh(placed, emission);
        if mesh.polygons.is_empty() {
            continue;
        }
        let layer = emission
            .draft
            .object(parent)
            .and_then(|object| object.layer);
        emission.draft.insert(Object {
            parent: Some(parent),
            layer,
            flags: ObjectFlags::NO_COLLIDE | ObjectFlags::NO_SHADOW,
            ..Object::new(Kind::Mesh(mesh))
        });
        made.push(parent);
    }
    // Their coordinates count in repeats: a picture that turns up later has nothing to put right.
    for skin in looks(models).filter(|skin| skin.texture >= Some(models.first_texture)) {
        if let Some(material) = emission.looks.of(skin) {
            emission.draft.update_material(material, |material| {
                material.flags = material.flags.without(SurfaceFlags::SIZE_GUESSED);
            });
        }
    }
    if !made.is_empty() {
        let text = format!(
            "{} drawn as in the game, in one pose",
            many(made.len(), "model is", "models are")
        );
        report.warn_of("I-MODEL-DRAWN", made, text);
    }
    let entities = |actors: &[u32]| -> Vec<ObjectId> {
        let found = actors.iter().filter_map(|&actor| inserted.entity(actor));
        found.collect()
    };
    let missing = models.missing.values().flatten().copied();
    let missing = entities(&missing.collect::<Vec<u32>>());
    if !missing.is_empty() {
        let names: Vec<&str> = models
            .missing
            .keys()
            .map(|name| if name.is_empty() { "the map" } else { name })
            .collect();
        let more = if names.len() > NAMES { ", ..." } else { "" };
        let text = format!(
            "{} shown as boxes with their names; their models are in packages that are not there: {}{more}",
            many(missing.len(), "actor is", "actors are"),
            names[..names.len().min(NAMES)].join(", ")
        );
        report.warn_of("I-MODEL", missing, text);
    }
    let beyond = entities(&models.beyond);
    if !beyond.is_empty() {
        let text = format!(
            "{} shown as boxes: all models together would have more than {MAX_TRIANGLES} triangles",
            many(beyond.len(), "actor is", "actors are")
        );
        report.warn_of("I-MODEL-MANY", beyond, text);
    }
}

fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// In map space.
fn document_mesh(placed: &PlacedMesh, emission: &Emission<'_>) -> Mesh {
    let mut mesh = Mesh {
        name: String::new(),
        points: Vec::new(),
        polygons: Vec::new(),
    };
    let Some(actor) = emission.map.actors.get(placed.actor as usize) else {
        return mesh;
    };
    mesh.name.clone_from(&actor.name);
    let known = Known::new(emission.map, actor);
    let turn = known.rotator("Rotation", 0).unwrap_or_default().matrix();
    let scale = known.float("DrawScale").unwrap_or(1.0);
    let place = known.vector("Location", 0).unwrap_or_default()
        + known.vector("PrePivot", 0).unwrap_or_default();
    let points: Vec<DVec3> = placed
        .mesh
        .points
        .iter()
        .map(|&point| to_map(place + turn * (point * scale)).as_vec3().as_dvec3())
        .collect();
    if !points.iter().all(|point| point.is_finite()) {
        return mesh;
    }
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    for triangle in &placed.mesh.triangles {
        // The change of space turns handedness round.
        let order = if scale < 0.0 { [0, 1, 2] } else { [2, 1, 0] };
        let corners = order.map(|place| triangle.corners[place]);
        let Some(material) = placed
            .skins
            .get(triangle.skin as usize)
            .map(|skin| emission.looks.of(skin))
        else {
            continue;
        };
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        if (b - a).cross(c - a).length() < NO_AREA {
            continue;
        }
        let corners = corners.map(|corner| {
            *numbers.entry(corner).or_insert_with(|| {
                mesh.points.push(points[corner as usize]);
                mesh.points.len() as u32 - 1
            })
        });
        let uvs = order.map(|place| {
            let [u, v] = triangle.uv[place];
            Vec2::new(u as f32, v as f32)
        });
        mesh.polygons.push(Polygon {
            material,
            smooth: 1,
            proj: Uv::default(),
            corners: corners.to_vec(),
            uvs: uvs.to_vec(),
        });
    }
    mesh
}

/// Looks that the models need.
pub fn looks(models: &Models) -> impl Iterator<Item = &Mapping> {
    models.placed.iter().flat_map(|placed| &placed.skins)
}

#[cfg(test)]
#[path = "models_tests.rs"]
mod tests;
