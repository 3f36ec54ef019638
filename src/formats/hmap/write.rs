//! Document, view, extras and compile -> the bytes of a file, in the writing order of D5.

use std::path::Path;

use glam::DVec3;
use glam::Vec3;

use super::canonical::State;
use super::canonical::canonical;
use super::canonical::container_order;
use super::compiled;
use super::compiled::CompileNote;
use super::compiled::put_plane;
use super::container::HAS_COMPILED;
use super::container::HAS_SOURCE;
use super::container::MAGIC;
use super::container::VERSION;
use super::container::guard64;
use super::container::source_guard;
use super::container::tag_text;
use super::extensions::EXTENSION_VERSION;
use super::layers_write::container_leaves_out;
use super::renumber::renumbered;
use super::rules::finite_or;
use crate::compiler::Compiled;
use crate::compiler::Plane3;
use crate::document::Document;
use crate::document::Entity;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::ViewState;
use crate::formats::AsRead;
use crate::formats::ErrorKind;
use crate::formats::Extras;
use crate::formats::FormatError;
use crate::formats::writer::Writer;
use crate::geometry::Plane;
use crate::geometry::Uv;

/// The bytes of a file: a pure function of what it is given (D15). Writes `CMPL` only when `compiled` is current.
/// `path` only names the file in errors.
///
/// A map that has used up its numbers is renumbered from 1 in what is written (D17); ask [`renumbered`] beforehand to say so.
///
/// # Errors
/// A chunk over 4 GiB (D11); nothing has been written then.
pub fn write(
    doc: &Document,
    view: &ViewState,
    extras: &Extras,
    compiled: Option<&Compiled>,
    path: &Path,
) -> Result<Vec<u8>, FormatError> {
    if let Some((doc, view)) = renumbered(doc, view) {
        tracing::warn!("the map had used up its object numbers and is saved with new ones");
        return encode(&doc, &view, extras, None, path);
    }
    encode(
        doc,
        view,
        extras,
        compiled.filter(|compiled| compiled.is_current(doc)),
        path,
    )
}

fn encode(
    doc: &Document,
    view: &ViewState,
    extras: &Extras,
    compiled: Option<&Compiled>,
    path: &Path,
) -> Result<Vec<u8>, FormatError> {
    let order = doc.objects_in_order();
    let has_geometry = order
        .iter()
        .any(|(_, object)| object.brush().is_some() || object.mesh().is_some());
    // A runtime-only file that was opened and not changed stays one.
    let runtime = extras.shape.runtime_only && compiled.is_some() && !has_geometry;
    let came = extras
        .as_read
        .iter()
        .find(|chunk| &chunk.tag == b"LAYR" && chunk.canonical.is_some());
    let container_order = came
        .map(|chunk| container_order(&chunk.payload))
        .unwrap_or_default();
    let state = State {
        doc,
        view,
        extras,
        container_order: &container_order,
    };
    let mut chunks = Chunks::default();
    if !runtime || extras.shape.has_meta {
        chunks.add(*b"META", meta(doc, view));
    }
    chunks.extension(*b"PRVW", state);
    chunks.add(*b"MATS", materials(doc));
    if !runtime {
        chunks.add(*b"BRSH", brushes(doc, view, &order));
        chunks.add(*b"MESH", meshes(doc, view, &order));
    }
    let entities = order
        .iter()
        .filter_map(|&(id, object)| Some((id, object, object.entity()?)));
    chunks.add(
        *b"ENTS",
        put_entities(
            entities.map(|(id, object, entity)| (id, flags(doc, view, id, object), entity)),
        ),
    );
    for tag in [
        *b"LAYR", *b"VIEW", *b"PATH", *b"UVAX", *b"BVTX", *b"TEXS", *b"ORIG",
    ] {
        chunks.extension(tag, state);
    }
    chunks.unknown(doc, false);
    if let Some(compiled) = compiled {
        chunks.compiled(compiled, extras);
    }
    chunks.unknown(doc, true);
    chunks.opaque(*b"SUMS", &extras.as_read);
    chunks.finish(extras, path)
}

/// `MATS`, `ENTS` and `CMPL` with what belongs to them: embedded textures, `CMPX`, `LMAP`, `PVS ` (D2). `compiled` must have been
/// made of `doc`. Entities that are left out of builds are left out.
///
/// # Errors
/// As [`write()`].
pub fn write_runtime(
    doc: &Document,
    extras: &Extras,
    compiled: &Compiled,
    path: &Path,
) -> Result<Vec<u8>, FormatError> {
    let view = ViewState::default();
    let state = State {
        doc,
        view: &view,
        extras,
        container_order: &[],
    };
    let mut chunks = Chunks::default();
    chunks.add(*b"MATS", materials(doc));
    let order = doc.objects_in_order();
    let entities = order
        .iter()
        .filter_map(|&(id, object)| Some((id, object, object.entity()?)));
    let entities = entities.filter(|(id, ..)| !doc.is_left_out(*id));
    chunks.add(
        *b"ENTS",
        put_entities(
            entities.map(|(id, object, entity)| (id, flags(doc, &view, id, object), entity)),
        ),
    );
    chunks.extension(*b"TEXS", state);
    chunks.compiled(compiled, extras);
    chunks.finish(extras, path)
}

/// Chunks in writing order.
#[derive(Default)]
struct Chunks {
    list: Vec<([u8; 4], Vec<u8>)>,
}

impl Chunks {
    fn add(&mut self, tag: [u8; 4], payload: Vec<u8>) {
        self.list.push((tag, payload));
    }

    fn payload(&self, tag: [u8; 4]) -> &[u8] {
        self.list
            .iter()
            .find(|(known, _)| *known == tag)
            .map_or(&[], |(_, payload)| payload)
    }

    fn has(&self, tag: [u8; 4]) -> bool {
        self.list.iter().any(|(known, _)| *known == tag)
    }

    /// The canonical form of the present state, or the bytes as read while it still says the same (X8); then what stayed opaque.
    fn extension(&mut self, tag: [u8; 4], state: State<'_>) {
        let payload = canonical(tag, state);
        let came = state
            .extras
            .as_read
            .iter()
            .find(|chunk| chunk.tag == tag && chunk.canonical.is_some());
        let untouched = came.filter(|chunk| {
            chunk.canonical.as_deref() == Some(payload.as_deref().unwrap_or_default())
        });
        if let Some(payload) = untouched.map(|chunk| chunk.payload.to_vec()).or(payload) {
            self.add(tag, payload);
        }
        self.opaque(tag, &state.extras.as_read);
    }

    fn opaque(&mut self, tag: [u8; 4], as_read: &[AsRead]) {
        for chunk in as_read
            .iter()
            .filter(|chunk| chunk.tag == tag && chunk.canonical.is_none())
        {
            self.add(tag, chunk.payload.to_vec());
        }
    }

    fn unknown(&mut self, doc: &Document, after_compiled: bool) {
        for chunk in doc
            .extra()
            .iter()
            .filter(|chunk| chunk.after_compiled == after_compiled)
        {
            self.add(chunk.tag, chunk.payload.to_vec());
        }
    }

    /// `CMPL`, `CMPX`, `LMAP`, `PVS `. A `CMPL` that came from a file without `CMPX` gets none: nobody knows what it was made of.
    fn compiled(&mut self, compiled: &Compiled, extras: &Extras) {
        let payload = compiled::write(&compiled.cmpl);
        let guard = guard64([payload.as_slice()]);
        let as_it_came = extras.shape.compiled_guard == Some(guard) && compiled.origins.is_empty();
        self.add(*b"CMPL", payload);
        if !as_it_came || extras.shape.has_cmpx {
            let mut mesh_model = compiled.mesh_model.clone();
            mesh_model.resize(compiled.cmpl.mesh_collisions.len(), 0);
            let source_guard = source_guard(|tag| self.payload(tag));
            self.add(
                *b"CMPX",
                CompileNote {
                    source_guard,
                    cmpl_guard: guard,
                    mesh_model,
                }
                .write(),
            );
        }
        // Opaque ones belong to the very bytes they came with (X7).
        let kept: &[AsRead] = if as_it_came { &extras.as_read } else { &[] };
        self.opaque(*b"CMPX", kept);
        if let Some(lightmaps) = &compiled.lightmaps {
            self.add(*b"LMAP", compiled::write_lightmaps(lightmaps, guard));
        }
        self.opaque(*b"LMAP", kept);
        if let Some(visibility) = &compiled.visibility {
            self.add(*b"PVS ", compiled::write_visibility(visibility, guard));
        }
        self.opaque(*b"PVS ", kept);
    }

    fn finish(mut self, extras: &Extras, path: &Path) -> Result<Vec<u8>, FormatError> {
        if extras.sums {
            let sums = sums(&self.list);
            self.add(*b"SUMS", sums);
        }
        let mut size = 12;
        for (tag, payload) in &self.list {
            chunk_size(*tag, payload.len() as u64, path)?;
            size += 8 + payload.len();
        }
        let source = self.has(*b"BRSH") || self.has(*b"MESH");
        let bits =
            (u32::from(source) * HAS_SOURCE) | (u32::from(self.has(*b"CMPL")) * HAS_COMPILED);
        let mut w = Writer::with_capacity(size);
        w.raw(MAGIC);
        w.u32(VERSION);
        w.u32(extras.header_bits & !(HAS_SOURCE | HAS_COMPILED) | bits);
        for (tag, payload) in self.list {
            w.raw(&tag);
            w.u32(chunk_size(tag, payload.len() as u64, path)?);
            w.raw(&payload);
        }
        Ok(w.into_bytes())
    }
}

/// D11: the size field of a chunk.
///
/// # Errors
/// When it does not fit into 32 bits.
fn chunk_size(tag: [u8; 4], size: u64, path: &Path) -> Result<u32, FormatError> {
    u32::try_from(size).map_err(|_| {
        let text = format!("The chunk {} would take {size} bytes; the format holds 4294967295. Nothing was written", tag_text(tag));
        FormatError::new(path, 0, "payloadSize", ErrorKind::Bad(text))
    })
}

fn sums(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let body = || chunks.iter().filter(|(tag, _)| tag != b"SUMS");
    let mut w = Writer::new();
    w.u32(EXTENSION_VERSION);
    w.count(body().count());
    for (tag, payload) in body() {
        w.raw(tag);
        w.count(payload.len());
        w.u32(crc32fast::hash(payload));
    }
    w.into_bytes()
}

/// A number as the file holds it; not finite becomes `other` (D14).
fn stored(numbers: DVec3, other: f32) -> Vec3 {
    finite_or(numbers.as_vec3(), other)
}

fn positive_or(number: f32, other: f32) -> f32 {
    if number.is_finite() && number > 0.0 {
        number
    } else {
        other
    }
}

/// A plane as the file holds it. One that came broken goes back as it came (D23).
pub(super) fn stored_plane(plane: &Plane) -> Plane3 {
    Plane3 {
        normal: plane.normal.as_vec3(),
        dist: plane.dist as f32,
    }
}

pub(super) fn stored_uv(uv: &Uv) -> Uv {
    let finite = uv.offset.is_finite() && uv.scale.is_finite() && uv.rotation_deg.is_finite();
    if finite { *uv } else { Uv::default() }
}

pub(super) fn put_uv(w: &mut Writer, uv: Uv) {
    w.vec2(uv.offset);
    w.vec2(uv.scale);
    w.f32(uv.rotation_deg);
}

fn material_index(material: Option<MaterialId>) -> i32 {
    material
        .and_then(|id| i32::try_from(id.0).ok())
        .unwrap_or(-1)
}

/// Object bits with what the view and the containers add.
fn flags(doc: &Document, view: &ViewState, id: ObjectId, object: &Object) -> u32 {
    let mut flags = object
        .flags
        .without(ObjectFlags::HIDDEN)
        .without(ObjectFlags::LOCKED);
    if view.hidden.contains(&id) {
        flags = flags | ObjectFlags::HIDDEN;
    }
    if view.locked.contains(&id) {
        flags = flags | ObjectFlags::LOCKED;
    }
    if container_leaves_out(doc, id) {
        flags = flags | ObjectFlags::NO_COMPILE;
    }
    flags.0
}

fn owner(doc: &Document, id: ObjectId) -> u32 {
    doc.owner(id).map_or(0, ObjectId::get)
}

fn meta(doc: &Document, view: &ViewState) -> Vec<u8> {
    let settings = doc.settings();
    let mut w = Writer::new();
    w.text(&settings.name);
    w.vec3(finite_or(settings.ambient, 0.1));
    w.f32(positive_or(view.grid, ViewState::default().grid));
    w.f32(positive_or(settings.units_per_meter, 32.0));
    w.u32(doc.next_id());
    w.into_bytes()
}

fn materials(doc: &Document) -> Vec<u8> {
    let mut w = Writer::new();
    w.count(doc.material_count());
    for (_, material) in doc.materials() {
        w.text(&material.name);
        w.text(&material.texture);
        w.vec2(if material.tile_size.is_finite() {
            material.tile_size
        } else {
            material.sound_tile_size()
        });
        w.vec3(finite_or(material.color, 1.0));
        w.u32(material.flags.0);
    }
    w.into_bytes()
}

fn brushes(doc: &Document, view: &ViewState, order: &[(ObjectId, &Object)]) -> Vec<u8> {
    let brushes = || {
        order
            .iter()
            .filter_map(|&(id, object)| Some((id, object, object.brush()?)))
    };
    let mut w = Writer::with_capacity(
        4 + brushes()
            .map(|(.., brush)| 20 + 44 * brush.faces().len())
            .sum::<usize>(),
    );
    w.count(brushes().count());
    for (id, object, brush) in brushes() {
        w.u32(id.get());
        w.u32(owner(doc, id));
        w.u32(brush.contents().0);
        w.u32(flags(doc, view, id, object));
        w.count(brush.faces().len());
        for face in brush.faces() {
            put_plane(&mut w, &stored_plane(&face.plane));
            w.i32(material_index(face.material));
            put_uv(&mut w, stored_uv(&face.uv));
            w.u32(face.flags.0);
        }
    }
    w.into_bytes()
}

fn meshes(doc: &Document, view: &ViewState, order: &[(ObjectId, &Object)]) -> Vec<u8> {
    let meshes = || {
        order
            .iter()
            .filter_map(|&(id, object)| Some((id, object, object.mesh()?)))
    };
    let mut w = Writer::new();
    w.count(meshes().count());
    for (id, object, mesh) in meshes() {
        w.u32(id.get());
        w.u32(owner(doc, id));
        w.u32(flags(doc, view, id, object));
        w.text(&mesh.name);
        w.count(mesh.points.len());
        mesh.points.iter().for_each(|point| w.vec3(point.as_vec3()));
        w.count(mesh.polygons.len());
        mesh.polygons
            .iter()
            .for_each(|polygon| put_polygon(&mut w, polygon));
    }
    w.into_bytes()
}

fn put_polygon(w: &mut Writer, polygon: &Polygon) {
    w.i32(material_index(polygon.material));
    w.u32(polygon.smooth);
    put_uv(w, stored_uv(&polygon.proj));
    w.count(polygon.corners.len());
    polygon.corners.iter().for_each(|&corner| w.u32(corner));
    let usable =
        polygon.uvs.len() == polygon.corners.len() && polygon.uvs.iter().all(|uv| uv.is_finite());
    let uvs = if usable { polygon.uvs.as_slice() } else { &[] };
    w.count(uvs.len());
    for &uv in uvs {
        w.vec2(uv);
    }
}

fn put_entities<'a>(entities: impl Iterator<Item = (ObjectId, u32, &'a Entity)>) -> Vec<u8> {
    let mut body = Writer::new();
    let mut count = 0;
    for (id, flags, entity) in entities {
        count += 1;
        body.u32(id.get());
        body.u32(flags);
        body.text(&entity.class);
        body.vec3(stored(entity.origin, 0.0));
        body.vec3(stored(entity.angles_deg, 0.0));
        body.vec3(stored(entity.scale, 1.0));
        body.count(entity.keys.len());
        for (key, value) in &entity.keys {
            body.text(key);
            body.text(value);
        }
    }
    let mut w = Writer::with_capacity(4 + body.len());
    w.count(count);
    w.raw(body.bytes());
    w.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_over_four_gigabytes_is_named_and_refused() {
        let path = Path::new("big.hmap");
        assert_eq!(
            chunk_size(*b"BRSH", u64::from(u32::MAX), path).ok(),
            Some(u32::MAX)
        );
        let error = chunk_size(*b"BRSH", 1 << 32, path).expect_err("does not fit");
        let text = error.to_string();
        assert!(
            text.contains("BRSH") && text.contains("4294967296") && text.contains("big.hmap"),
            "{text}"
        );
    }
}
