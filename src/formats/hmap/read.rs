//! Bytes -> everything a file holds, with all findings: the one way in for opening, checking and salvaging.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::canonical::State;
use super::canonical::canonical;
use super::canonical::container_order;
use super::compiled;
use super::container;
use super::container::Container;
use super::container::guard64;
use super::container::source_guard;
use super::container::tag_text;
use super::convert;
use super::convert::Converted;
use super::extensions;
use super::extensions::Extensions;
use super::findings::Findings;
use super::source;
use super::verify;
use super::verify::Surroundings;
use super::verify_tree::SourceSolid;
use crate::compiler::Cmpl;
use crate::compiler::Compiled;
use crate::compiler::Stats;
use crate::document::Document;
use crate::document::ObjectFlags;
use crate::document::ViewState;
use crate::formats::AsRead;
use crate::formats::ErrorKind;
use crate::formats::Extras;
use crate::formats::FileShape;
use crate::formats::ReadError;
use crate::task::Progress;

/// What came out of a file.
pub(super) struct Loaded {
    pub doc: Document,
    pub view: ViewState,
    pub extras: Extras,
    pub compiled: Option<Compiled>,
    pub findings: Findings,
    /// Why a runtime-only file cannot be used: its `CMPL` is bad (D30), and it has nothing else.
    pub refused: Option<ReadError>,
}

/// Reads a file. With `salvage` what makes a file unreadable only costs the part behind it.
///
/// # Errors
/// The fatal fault with the lowest offset; or that it was cancelled.
pub(super) fn load(
    bytes: &[u8],
    path: &Path,
    salvage: bool,
    progress: &Progress,
) -> Result<Loaded, ReadError> {
    let cancelled = |cancelled| ReadError {
        offset: 0,
        field: "file",
        kind: ErrorKind::Cancelled(cancelled),
    };
    progress.stage("Reading", 0.3);
    let mut findings = Findings::default();
    let mut container = match container::index(bytes, salvage, &mut findings) {
        Ok(container) => container,
        Err(error) if !salvage => return Err(error),
        Err(_) => Container {
            flags: 0,
            chunks: Vec::new(),
            fault: None,
        },
    };
    let source = source::read(&mut container, salvage, &mut findings);
    if let Some(fault) = container.fault.take()
        && !salvage
    {
        return Err(fault);
    }
    container::index_rules(&container, &mut findings);
    let mut extensions = extensions::read(&container, &mut findings);
    progress.check().map_err(cancelled)?;

    progress.stage("Building", 0.5);
    let solid_flags: Vec<u32> = source.brushes.iter().map(|record| record.flags).collect();
    let entities: BTreeSet<u32> = source.entities.iter().map(|record| record.id).collect();
    let errors_before = findings.errors();
    let converted = convert::convert(
        &container,
        source,
        &mut extensions,
        path,
        &mut findings,
        progress,
    )
    .map_err(cancelled)?;
    let repaired = findings.errors() > errors_before;
    let Converted { doc, view } = converted;
    check_sums(&container, &extensions, &mut findings);

    progress.stage("Checking", 0.2);
    let mut extras = extras(&container, &mut extensions, &doc, &view);
    let has_source =
        container.position(*b"BRSH").is_some() || container.position(*b"MESH").is_some();
    let context = CompiledContext {
        container: &container,
        doc: &doc,
        solid_flags: &solid_flags,
        entities: &entities,
        has_source,
        repaired,
    };
    let compiled = read_compiled(&context, &mut extensions, &mut extras, &mut findings);
    let mut refused = None;
    if compiled.is_none()
        && !has_source
        && let Some(chunk) = container.first(*b"CMPL")
    {
        let last = findings.last_error();
        let code = last.map_or("E-CMPL", |finding| finding.code);
        let text = format!(
            "the compiled data cannot be used: {}",
            last.map_or("it cannot be read", |finding| &finding.text)
        );
        refused = Some(ReadError {
            offset: chunk.at,
            field: "CMPL",
            kind: ErrorKind::Rule { code, text },
        });
    }
    let opaque = std::mem::take(&mut extensions.opaque);
    extras.as_read = Arc::new(extras.as_read.iter().cloned().chain(opaque).collect());
    Ok(Loaded {
        doc,
        view,
        extras,
        compiled,
        findings,
        refused,
    })
}

/// `SUMS` against the chunks (W-SUM).
fn check_sums(container: &Container<'_>, extensions: &Extensions, findings: &mut Findings) {
    let Some(sums) = &extensions.sums else { return };
    let body = || {
        container
            .chunks
            .iter()
            .filter(|chunk| &chunk.tag != b"SUMS")
    };
    let differs = |(index, chunk): (usize, &container::Chunk<'_>)| {
        sums.get(index)
            != Some(&(
                chunk.tag,
                chunk.payload.len() as u32,
                crc32fast::hash(chunk.payload),
            ))
    };
    let differing = body()
        .enumerate()
        .find(|&(index, chunk)| differs((index, chunk)))
        .map(|(_, chunk)| chunk);
    let at = container.first(*b"SUMS").map(|chunk| chunk.at);
    if let Some(chunk) = differing {
        let text = format!(
            "The checksum of {} differs: damaged, or changed by another program",
            tag_text(chunk.tag)
        );
        findings.add("W-SUM", None, Some(chunk.at), text);
    } else if sums.len() != body().count() {
        findings.add(
            "W-SUM",
            None,
            at,
            "Checksums of chunks that are gone: damaged, or changed by another program",
        );
    }
}

/// Thumbnail, textures, origin and the chunks as read (X8).
fn extras(
    container: &Container<'_>,
    extensions: &mut Extensions,
    doc: &Document,
    view: &ViewState,
) -> Extras {
    let has = |tag| container.position(tag).is_some();
    let mut extras = Extras {
        header_bits: container.flags & !(container::HAS_SOURCE | container::HAS_COMPILED),
        thumbnail: extensions.thumbnail.take(),
        textures: Arc::new(extensions.textures.take().unwrap_or_default()),
        origin: extensions.origin.take(),
        original_light: None,
        sums: extensions.sums.is_some(),
        as_read: Arc::default(),
        shape: FileShape {
            compiled_guard: container
                .first(*b"CMPL")
                .map(|chunk| guard64([chunk.payload])),
            has_cmpx: false,
            runtime_only: has(*b"CMPL") && !has(*b"BRSH") && !has(*b"MESH"),
            has_meta: has(*b"META"),
        },
    };
    let mut as_read = Vec::new();
    for tag in [
        *b"PRVW", *b"LAYR", *b"VIEW", *b"PATH", *b"UVAX", *b"BVTX", *b"TEXS", *b"ORIG",
    ] {
        let is_opaque = |payload: &[u8]| {
            extensions
                .opaque
                .iter()
                .any(|chunk| chunk.tag == tag && *chunk.payload == *payload)
        };
        let mut chunks = container.chunks.iter().filter(|chunk| chunk.tag == tag);
        let Some(chunk) = chunks.find(|chunk| !is_opaque(chunk.payload)) else {
            continue;
        };
        if extensions.noisy.contains(&tag) {
            continue;
        }
        let order = if &tag == b"LAYR" {
            container_order(chunk.payload)
        } else {
            Vec::new()
        };
        let canonical = canonical(
            tag,
            State {
                doc,
                view,
                extras: &extras,
                container_order: &order,
            },
        )
        .unwrap_or_default();
        // Bytes that are canonical themselves need no keeping, except for the order of containers.
        if canonical == chunk.payload && &tag != b"LAYR" {
            continue;
        }
        as_read.push(AsRead {
            tag,
            payload: Arc::from(chunk.payload),
            canonical: Some(Arc::from(canonical)),
        });
    }
    extras.as_read = Arc::new(as_read);
    extras
}

struct CompiledContext<'a> {
    container: &'a Container<'a>,
    doc: &'a Document,
    /// Flags of `BRSH` as the file has them, in its order.
    solid_flags: &'a [u32],
    /// Ids in `ENTS`.
    entities: &'a BTreeSet<u32>,
    has_source: bool,
    /// An error in the source was repaired: what is shown is not what was compiled.
    repaired: bool,
}

/// `CMPL` with what is tied to it; `None` when there is none or an error was found (D30).
fn read_compiled(
    context: &CompiledContext<'_>,
    extensions: &mut Extensions,
    extras: &mut Extras,
    findings: &mut Findings,
) -> Option<Compiled> {
    let container = context.container;
    let guard = extras.shape.compiled_guard.unwrap_or_else(|| guard64([]));
    let stale = |tag: [u8; 4], findings: &mut Findings| {
        let at = container.first(tag).map(|chunk| chunk.at);
        findings.add(
            "W-STALE",
            None,
            at,
            format_args!(
                "{} does not belong to this CMPL and is ignored",
                tag_text(tag)
            ),
        );
    };
    let note = extensions.compile_note.take().filter(|note| {
        note.cmpl_guard == guard || {
            stale(*b"CMPX", findings);
            false
        }
    });
    let lightmaps = extensions.lightmaps.take().filter(|record| {
        record.cmpl_guard == guard || {
            stale(*b"LMAP", findings);
            false
        }
    });
    let visibility = extensions.visibility.take().filter(|record| {
        record.cmpl_guard == guard || {
            stale(*b"PVS ", findings);
            false
        }
    });
    let chunk = container.first(*b"CMPL")?;
    let old = note.as_ref().is_some_and(|note| {
        context.has_source && note.source_guard != source_guard(|tag| container.payload(tag))
    });
    if old {
        let at = container.first(*b"CMPX").map(|chunk| chunk.at);
        findings.add(
            "W-OLD",
            None,
            at,
            "The compiled data was made of another source; it is rebuilt at the next save",
        );
    }
    let errors_before = findings.errors();
    let cmpl = decode(context, chunk, findings)?;
    if findings.errors() > errors_before {
        return None;
    }
    let note = note.filter(|note| {
        let models = cmpl.models.len();
        let fits = note.mesh_model.len() == cmpl.mesh_collisions.len()
            && note
                .mesh_model
                .iter()
                .all(|&model| usize::try_from(model).is_ok_and(|model| model < models));
        fits || unusable(*b"CMPX", container, extensions, findings)
    });
    let lightmaps = lightmaps
        .filter(|record| record.fits(&cmpl) || unusable(*b"LMAP", container, extensions, findings));
    let visibility = visibility
        .filter(|record| record.fits(&cmpl) || unusable(*b"PVS ", container, extensions, findings));
    extras.shape.has_cmpx = note.is_some();
    let meshes = cmpl.mesh_collisions.len();
    Some(Compiled {
        source: (!old && !context.repaired).then(|| context.doc.clone()),
        cmpl: Arc::new(cmpl),
        mesh_model: note.map_or_else(|| vec![0; meshes], |note| note.mesh_model),
        lightmaps: lightmaps.map(|record| Arc::new(record.lightmaps)),
        visibility: visibility.map(|record| Arc::new(record.visibility)),
        origins: Vec::new(),
        sealed: None,
        leak: None,
        issues: Vec::new(),
        stats: Stats::default(),
    })
}

/// W-XBAD for a chunk that belongs to `CMPL` but does not fit it: kept as it is. Always false.
fn unusable(
    tag: [u8; 4],
    container: &Container<'_>,
    extensions: &mut Extensions,
    findings: &mut Findings,
) -> bool {
    if let Some(chunk) = container.first(tag) {
        findings.add(
            "W-XBAD",
            None,
            Some(chunk.at),
            format_args!(
                "{} does not fit CMPL; it is kept, but not used",
                tag_text(tag)
            ),
        );
        extensions.opaque.push(AsRead {
            tag,
            payload: Arc::from(chunk.payload),
            canonical: None,
        });
    }
    false
}

fn decode(
    context: &CompiledContext<'_>,
    chunk: &container::Chunk<'_>,
    findings: &mut Findings,
) -> Option<Cmpl> {
    let mut fields = chunk.fields(false);
    let mut cmpl = match compiled::read(&mut fields, findings) {
        Ok(cmpl) => cmpl,
        Err(error) => {
            let text = format!(
                "CMPL cannot be read: {} ({}, byte {:#x})",
                error.kind, error.field, error.offset
            );
            findings.add("E-CMPL", None, Some(error.offset), text);
            return None;
        }
    };
    if fields.left() > 0 {
        findings.add(
            "W-TAIL",
            None,
            Some(fields.offset()),
            format_args!("{} unread bytes at the end of CMPL", fields.left()),
        );
    }
    let world = context
        .container
        .position(*b"BRSH")
        .and_then(|_| source_solids(context));
    let around = Surroundings {
        materials: context.doc.material_count(),
        entities: context.entities,
        world: world.as_deref(),
        at: chunk.at,
    };
    verify::verify(&mut cmpl, &around, findings);
    Some(cmpl)
}

/// The world's solids as the compiler would take them; `None` when brushes carve, which only the compiler can follow.
fn source_solids(context: &CompiledContext<'_>) -> Option<Vec<SourceSolid>> {
    if context
        .solid_flags
        .iter()
        .any(|flags| flags & ObjectFlags::SUBTRACT.0 != 0)
    {
        return None;
    }
    let skip = ObjectFlags::NO_COMPILE | ObjectFlags::NO_COLLIDE;
    let mut solids = Vec::new();
    for (id, object) in context.doc.objects() {
        let Some(brush) = object.brush() else {
            continue;
        };
        let out = object.flags.has(skip)
            || context.doc.is_left_out(id)
            || context.doc.owner(id).is_some();
        if out || brush.contents().0 == 0 || brush.hull().fault().is_some() {
            continue;
        }
        let planes = brush
            .faces()
            .iter()
            .filter_map(|face| face.plane.unit())
            .collect();
        solids.push(SourceSolid {
            contents: brush.contents().0,
            planes,
            bounds: brush.hull().bounds(),
        });
    }
    Some(solids)
}
