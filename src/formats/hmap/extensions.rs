//! The extension chunks as structs that mirror the file (`hmap.md` 6), except those tied to `CMPL`.

use std::sync::Arc;

use glam::Vec3;

use super::compiled::CompileNote;
use super::compiled::LightmapRecord;
use super::compiled::VisibilityRecord;
use super::container::Container;
use super::container::EXTENSIONS;
use super::container::Fields;
use super::container::tag_text;
use super::findings::Findings;
use crate::document::Camera;
use crate::document::CameraKind;
use crate::document::PathKind;
use crate::formats::AsRead;
use crate::formats::EmbeddedTexture;
use crate::formats::Origin;
use crate::formats::Read;
use crate::formats::Thumbnail;
use crate::geometry::Uv;
use crate::geometry::UvAxes;

/// Version that every extension chunk begins with (X1).
pub(super) const EXTENSION_VERSION: u32 = 1;

/// Largest side and size of a thumbnail.
const THUMBNAIL_SIDE: u32 = 512;
const THUMBNAIL_BYTES: usize = 256 * 1024;
/// Largest side of an embedded texture.
const TEXTURE_SIDE: u32 = 16_384;

/// A layer, visgroup or group of `LAYR`.
#[derive(Clone, Debug)]
pub(super) struct ContainerRecord {
    pub id: u32,
    pub parent: u32,
    /// 0 layer, 1 visgroup, 2 group.
    pub kind: u8,
    pub flags: u32,
    pub rank: u32,
    pub color: [u8; 4],
    pub name: String,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LayerRecords {
    pub containers: Vec<ContainerRecord>,
    /// (object, container).
    pub members: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub(super) struct ViewRecord {
    pub active: i32,
    pub cameras: Vec<Camera>,
}

#[derive(Clone, Debug)]
pub(super) struct PathRecord {
    pub id: u32,
    pub name: String,
    pub kind: PathKind,
    pub flags: u32,
    pub nodes: Vec<u32>,
}

/// An entry of `UVAX`.
#[derive(Clone, Debug)]
pub(super) struct AxesRecord {
    pub brush: u32,
    pub face: u32,
    pub face_count: u32,
    pub guard: Uv,
    pub axes: UvAxes,
}

/// An entry of `BVTX`.
#[derive(Clone, Debug)]
pub(super) struct CornersRecord {
    pub brush: u32,
    pub plane_guard: u32,
    pub corners: Vec<Vec3>,
}

/// A row of `SUMS`: tag, size, CRC-32.
pub(super) type SumRecord = ([u8; 4], u32, u32);

/// Everything the extension chunks of a file say.
#[derive(Debug, Default)]
pub(super) struct Extensions {
    pub thumbnail: Option<Thumbnail>,
    pub layers: Option<LayerRecords>,
    pub view: Option<ViewRecord>,
    pub paths: Option<Vec<PathRecord>>,
    pub axes: Option<Vec<AxesRecord>>,
    pub corners: Option<Vec<CornersRecord>>,
    pub textures: Option<Vec<EmbeddedTexture>>,
    pub origin: Option<Origin>,
    pub compile_note: Option<CompileNote>,
    pub lightmaps: Option<LightmapRecord>,
    pub visibility: Option<VisibilityRecord>,
    pub sums: Option<Vec<SumRecord>>,
    /// Tags that raised a finding: their bytes are not worth keeping (X8).
    pub noisy: Vec<[u8; 4]>,
    /// Chunks that stay as they are: another version, unreadable, repeated.
    pub opaque: Vec<AsRead>,
}

impl Extensions {
    fn has(&self, tag: [u8; 4]) -> bool {
        match &tag {
            b"PRVW" => self.thumbnail.is_some(),
            b"LAYR" => self.layers.is_some(),
            b"VIEW" => self.view.is_some(),
            b"PATH" => self.paths.is_some(),
            b"UVAX" => self.axes.is_some(),
            b"BVTX" => self.corners.is_some(),
            b"TEXS" => self.textures.is_some(),
            b"ORIG" => self.origin.is_some(),
            b"CMPX" => self.compile_note.is_some(),
            b"LMAP" => self.lightmaps.is_some(),
            b"PVS " => self.visibility.is_some(),
            b"SUMS" => self.sums.is_some(),
            _ => false,
        }
    }

    fn decode(&mut self, tag: [u8; 4], fields: &mut Fields<'_>) -> Read<()> {
        match &tag {
            b"PRVW" => self.thumbnail = Some(thumbnail(fields)?),
            b"LAYR" => self.layers = Some(layers(fields)?),
            b"VIEW" => self.view = Some(view(fields)?),
            b"PATH" => self.paths = Some(fields.list("path count", 17, path)?),
            b"UVAX" => self.axes = Some(fields.list("uv axes count", 64, axes)?),
            b"BVTX" => self.corners = Some(fields.list("corner set count", 12, corners)?),
            b"TEXS" => self.textures = Some(fields.list("texture count", 17, texture)?),
            b"ORIG" => self.origin = Some(origin(fields)?),
            b"CMPX" => self.compile_note = Some(CompileNote::read(fields)?),
            b"LMAP" => self.lightmaps = Some(LightmapRecord::read(fields)?),
            b"PVS " => self.visibility = Some(VisibilityRecord::read(fields)?),
            b"SUMS" => self.sums = Some(fields.list("checksum count", 12, sum)?),
            _ => return Err(fields.bad("tag", "no extension")),
        }
        Ok(())
    }
}

/// Decodes all extension chunks (X1, D7, W-XVER, W-XBAD, W-XDUP). None of them can make a file unreadable.
pub(super) fn read(container: &Container<'_>, findings: &mut Findings) -> Extensions {
    let mut all = Extensions::default();
    for chunk in container
        .chunks
        .iter()
        .filter(|chunk| EXTENSIONS.contains(&chunk.tag))
    {
        let tag = chunk.tag;
        let name = tag_text(tag);
        let mut fields = chunk.fields(false);
        let problem = match fields.u32("version") {
            Err(_) => Some((
                "W-XBAD",
                format!("{name} has no version; it is kept as it is, but not used"),
            )),
            Ok(version) if version != EXTENSION_VERSION => Some((
                "W-XVER",
                format!("{name} version {version} is not known; it is kept as it is, but not used"),
            )),
            Ok(_) if all.has(tag) => Some((
                "W-XDUP",
                format!("A second {name} is kept as it is, but not used"),
            )),
            Ok(_) => all.decode(tag, &mut fields).err().map(|error| {
                let text = format!(
                    "{name} is kept as it is, but not used: {} ({}, byte {:#x})",
                    error.kind, error.field, error.offset
                );
                ("W-XBAD", text)
            }),
        };
        if let Some((code, text)) = problem {
            findings.add(code, None, Some(chunk.at), text);
            all.opaque.push(AsRead {
                tag,
                payload: Arc::from(chunk.payload),
                canonical: None,
            });
            continue;
        }
        for &at in &fields.bad_texts {
            findings.add(
                "W-UTF8",
                None,
                Some(at),
                format_args!("A text in {name} is not UTF-8"),
            );
            all.noisy.push(tag);
        }
        if fields.left() > 0 {
            let text = format!(
                "{} unread bytes at the end of {name} are dropped",
                fields.left()
            );
            findings.add("W-TAIL", None, Some(fields.offset()), text);
            all.noisy.push(tag);
        }
    }
    all
}

fn thumbnail(fields: &mut Fields<'_>) -> Read<Thumbnail> {
    let (width, height) = (fields.u32("width")?, fields.u32("height")?);
    let encoding = fields.u8("encoding")?;
    let length = fields.count("thumbnail length", 1)?;
    if encoding != 0 || width.max(height) > THUMBNAIL_SIDE || length > THUMBNAIL_BYTES {
        return Err(fields.bad(
            "thumbnail",
            format!("{width} x {height}, encoding {encoding}, {length} bytes is no thumbnail"),
        ));
    }
    Ok(Thumbnail {
        width,
        height,
        png: Arc::from(fields.bytes("thumbnail", length)?),
    })
}

pub(super) fn layers(fields: &mut Fields<'_>) -> Read<LayerRecords> {
    let containers = fields.list("container count", 25, |fields| {
        Ok(ContainerRecord {
            id: fields.u32("container id")?,
            parent: fields.u32("container parent")?,
            kind: fields.u8("container kind")?,
            flags: fields.u32("container flags")?,
            rank: fields.u32("container order")?,
            color: fields.u32("container colour")?.to_le_bytes(),
            name: fields.text("container name")?,
        })
    })?;
    let members = fields.list("member count", 8, |fields| {
        Ok((fields.u32("member")?, fields.u32("member's container")?))
    })?;
    Ok(LayerRecords {
        containers,
        members,
    })
}

fn view(fields: &mut Fields<'_>) -> Read<ViewRecord> {
    let active = fields.i32("active camera")?;
    let cameras = fields.list("camera count", 41, |fields| {
        let name = fields.text("camera name")?;
        let kind = match fields.u8("camera kind")? {
            0 => CameraKind::Perspective,
            1 => CameraKind::Top,
            2 => CameraKind::Front,
            3 => CameraKind::Side,
            other => return Err(fields.bad("camera kind", format!("kind {other} is not known"))),
        };
        let camera = Camera {
            name,
            kind,
            flags: fields.u32("camera flags")?,
            eye: fields.vec3("eye")?,
            angles_deg: fields.vec3("camera angles")?,
            fov_y_deg: fields.f32("field of view")?,
            ortho_height: fields.f32("visible height")?,
        };
        if !(camera.eye.is_finite()
            && camera.angles_deg.is_finite()
            && camera.fov_y_deg.is_finite()
            && camera.ortho_height.is_finite())
        {
            return Err(fields.bad("camera", "a number is not finite"));
        }
        Ok(camera)
    })?;
    Ok(ViewRecord { active, cameras })
}

fn path(fields: &mut Fields<'_>) -> Read<PathRecord> {
    let id = fields.u32("path id")?;
    let name = fields.text("path name")?;
    let kind = match fields.u8("path kind")? {
        0 => PathKind::OneWay,
        1 => PathKind::Circular,
        2 => PathKind::PingPong,
        other => return Err(fields.bad("path kind", format!("kind {other} is not known"))),
    };
    let flags = fields.u32("path flags")?;
    let nodes = fields.list("node count", 4, |fields| fields.u32("node"))?;
    Ok(PathRecord {
        id,
        name,
        kind,
        flags,
        nodes,
    })
}

fn axes(fields: &mut Fields<'_>) -> Read<AxesRecord> {
    Ok(AxesRecord {
        brush: fields.u32("brush id")?,
        face: fields.u32("face index")?,
        face_count: fields.u32("face count")?,
        guard: fields.uv("guard")?,
        axes: UvAxes {
            u: fields.vec3("U")?.as_dvec3(),
            u_offset: f64::from(fields.f32("offU")?),
            v: fields.vec3("V")?.as_dvec3(),
            v_offset: f64::from(fields.f32("offV")?),
        },
    })
}

fn corners(fields: &mut Fields<'_>) -> Read<CornersRecord> {
    Ok(CornersRecord {
        brush: fields.u32("brush id")?,
        plane_guard: fields.u32("plane guard")?,
        corners: fields.list("corner count", 12, |fields| fields.vec3("corner"))?,
    })
}

fn texture(fields: &mut Fields<'_>) -> Read<EmbeddedTexture> {
    let name = fields.text("texture name")?;
    let encoding = fields.u8("texture encoding")?;
    let (width, height) = (fields.u32("texture width")?, fields.u32("texture height")?);
    let length = fields.count("texture length", 1)?;
    let raw_size = u64::from(width) * u64::from(height) * 4;
    if encoding > 1
        || width.max(height) > TEXTURE_SIDE
        || (encoding == 1 && raw_size != length as u64)
    {
        return Err(fields.bad(
            "texture",
            format!("{width} x {height}, encoding {encoding}, {length} bytes is no picture"),
        ));
    }
    Ok(EmbeddedTexture {
        name,
        encoding,
        width,
        height,
        bytes: Arc::from(fields.bytes("texture", length)?),
    })
}

fn origin(fields: &mut Fields<'_>) -> Read<Origin> {
    Ok(Origin {
        format: fields.text("origin format")?,
        file_name: fields.text("origin file")?,
        file_size: fields.u64("origin size")?,
        crc32: fields.u32("origin checksum")?,
        tool: fields.text("origin tool")?,
        settings: fields.list("setting count", 8, |fields| {
            Ok((fields.text("setting")?, fields.text("setting value")?))
        })?,
    })
}

fn sum(fields: &mut Fields<'_>) -> Read<SumRecord> {
    let tag = fields
        .bytes("checksum tag", 4)?
        .try_into()
        .expect("four bytes were asked for");
    Ok((tag, fields.u32("checksum size")?, fields.u32("checksum")?))
}
