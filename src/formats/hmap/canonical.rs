//! The canonical encoding of the extension chunks that the document, the view and the extras give (`hmap.md` 6, X5, X8).

use super::container::Chunk;
use super::extensions;
use super::extensions::EXTENSION_VERSION;
use super::layers_write;
use super::rules::finite_or;
use super::source::plane_guard;
use super::write::put_uv;
use super::write::stored_plane;
use super::write::stored_uv;
use crate::document::Camera;
use crate::document::CameraKind;
use crate::document::Document;
use crate::document::ObjectId;
use crate::document::PathKind;
use crate::document::ViewState;
use crate::formats::Extras;
use crate::formats::writer::Writer;

/// What extension chunks are made of.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    pub doc: &'a Document,
    pub view: &'a ViewState,
    pub extras: &'a Extras,
    /// Ids of the containers of `LAYR` in the order of the file.
    pub container_order: &'a [u32],
}

/// The canonical payload of an extension chunk that is not tied to `CMPL`; `None` when there is nothing to say (X5).
pub(super) fn canonical(tag: [u8; 4], state: State<'_>) -> Option<Vec<u8>> {
    match &tag {
        b"PRVW" => thumbnail(state.extras),
        b"LAYR" => layers_write::write(state.doc, state.view, state.container_order),
        b"VIEW" => view(state.view),
        b"PATH" => paths(state.doc),
        b"UVAX" => axes(state.doc),
        b"BVTX" => corners(state.doc),
        b"TEXS" => textures(state.extras),
        b"ORIG" => origin(state.extras),
        _ => None,
    }
}

/// Ids of the containers of a `LAYR` payload, in its order; none when it cannot be read.
pub(super) fn container_order(payload: &[u8]) -> Vec<u32> {
    let mut fields = Chunk {
        tag: *b"LAYR",
        at: 0,
        payload,
    }
    .fields(false);
    let records = fields
        .u32("version")
        .and_then(|_| extensions::layers(&mut fields));
    records
        .map(|records| records.containers.iter().map(|record| record.id).collect())
        .unwrap_or_default()
}

fn begin() -> Writer {
    let mut w = Writer::new();
    w.u32(EXTENSION_VERSION);
    w
}

fn thumbnail(extras: &Extras) -> Option<Vec<u8>> {
    let thumbnail = extras.thumbnail.as_ref()?;
    let mut w = begin();
    w.u32(thumbnail.width);
    w.u32(thumbnail.height);
    w.u8(0);
    w.count(thumbnail.png.len());
    w.raw(&thumbnail.png);
    Some(w.into_bytes())
}

fn view(view: &ViewState) -> Option<Vec<u8>> {
    if view.cameras.is_empty() {
        return None;
    }
    let active = view
        .active_camera
        .filter(|&active| (active as usize) < view.cameras.len());
    let mut w = begin();
    w.i32(
        active
            .and_then(|active| i32::try_from(active).ok())
            .unwrap_or(-1),
    );
    w.count(view.cameras.len());
    for camera in &view.cameras {
        put_camera(&mut w, camera);
    }
    Some(w.into_bytes())
}

fn put_camera(w: &mut Writer, camera: &Camera) {
    let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
    w.text(&camera.name);
    w.u8(match camera.kind {
        CameraKind::Perspective => 0,
        CameraKind::Top => 1,
        CameraKind::Front => 2,
        CameraKind::Side => 3,
    });
    w.u32(camera.flags);
    w.vec3(finite_or(camera.eye, 0.0));
    w.vec3(finite_or(camera.angles_deg, 0.0));
    // A camera has one of the two; the other is written as 0 (6.3).
    let perspective = camera.kind == CameraKind::Perspective;
    w.f32(if perspective {
        finite(camera.fov_y_deg)
    } else {
        0.0
    });
    w.f32(if perspective {
        0.0
    } else {
        finite(camera.ortho_height)
    });
}

fn paths(doc: &Document) -> Option<Vec<u8>> {
    let count = doc.paths().count();
    if count == 0 {
        return None;
    }
    let mut w = begin();
    w.count(count);
    for (id, path) in doc.paths() {
        w.u32(id.get());
        w.text(&path.name);
        w.u8(match path.kind {
            PathKind::OneWay => 0,
            PathKind::Circular => 1,
            PathKind::PingPong => 2,
        });
        w.u32(path.flags);
        // X3: ids that died are dropped.
        let nodes: Vec<ObjectId> = path
            .nodes
            .iter()
            .copied()
            .filter(|&node| doc.entity(node).is_some())
            .collect();
        w.count(nodes.len());
        for node in nodes {
            w.u32(node.get());
        }
    }
    Some(w.into_bytes())
}

fn axes(doc: &Document) -> Option<Vec<u8>> {
    let mut body = Writer::new();
    let mut count = 0;
    for (id, object) in doc.objects_in_order() {
        let Some(brush) = object.brush() else {
            continue;
        };
        for (index, face) in brush.faces().iter().enumerate() {
            let Some(axes) = face.axes.as_ref().filter(|axes| axes.is_storable()) else {
                continue;
            };
            count += 1;
            body.u32(id.get());
            body.count(index);
            body.count(brush.faces().len());
            put_uv(&mut body, stored_uv(&face.uv));
            body.vec3(axes.u.as_vec3());
            body.f32(axes.u_offset as f32);
            body.vec3(axes.v.as_vec3());
            body.f32(axes.v_offset as f32);
        }
    }
    counted(count, &body)
}

fn corners(doc: &Document) -> Option<Vec<u8>> {
    let mut body = Writer::new();
    let mut count = 0;
    for (id, object) in doc.objects_in_order() {
        let Some(brush) = object.brush() else {
            continue;
        };
        let Some(exact) = brush.exact() else { continue };
        count += 1;
        body.u32(id.get());
        body.u32(plane_guard(
            brush.faces().iter().map(|face| stored_plane(&face.plane)),
        ));
        body.count(exact.len());
        exact.iter().for_each(|&corner| body.vec3(corner));
    }
    counted(count, &body)
}

fn counted(count: usize, body: &Writer) -> Option<Vec<u8>> {
    if count == 0 {
        return None;
    }
    let mut w = begin();
    w.count(count);
    w.raw(body.bytes());
    Some(w.into_bytes())
}

fn textures(extras: &Extras) -> Option<Vec<u8>> {
    if extras.textures.is_empty() {
        return None;
    }
    let mut w = begin();
    w.count(extras.textures.len());
    for texture in extras.textures.iter() {
        w.text(&texture.name);
        w.u8(texture.encoding);
        w.u32(texture.width);
        w.u32(texture.height);
        w.count(texture.bytes.len());
        w.raw(&texture.bytes);
    }
    Some(w.into_bytes())
}

fn origin(extras: &Extras) -> Option<Vec<u8>> {
    let origin = extras.origin.as_ref()?;
    let mut w = begin();
    w.text(&origin.format);
    w.text(&origin.file_name);
    w.u64(origin.file_size);
    w.u32(origin.crc32);
    w.text(&origin.tool);
    w.count(origin.settings.len());
    for (key, value) in &origin.settings {
        w.text(key);
        w.text(value);
    }
    Some(w.into_bytes())
}
