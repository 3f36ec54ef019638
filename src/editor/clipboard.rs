//! Copy, cut, paste and duplicate (CLIP-BOARD, DUP-1). The clipboard holds text, so that it works between windows: a `.hmap`
//! of the copied objects in base 64 behind a line that names it. A single face is copied with its object: pasted onto faces it
//! gives them its material and alignment.

use std::path::Path;

use glam::DVec3;

use crate::document::Document;
use crate::document::EditError;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SelectionExt as _;
use crate::document::ViewState;
use crate::document::ops;
use crate::document::ops::clipboard::Clip;
use crate::document::ops::surfaces::Surface;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::ToolAction;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::request::StatusKind;
use crate::formats;
use crate::formats::Extras;
use crate::formats::NoSiblings;
use crate::formats::hmap;
use crate::task::Progress;

/// First line of a clipboard text.
const HEAD: &str = "mapwright clipboard 1";

/// What follows it where a single face was copied, before the number of the face.
const FACE: &str = " face ";

const TOO_MUCH: &str = "There is too much on the clipboard";

/// Larger texts are not objects of ours.
const MOST_BYTES: usize = 256 << 20;

/// Where pasted objects go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the surface under the pointer, else 256 ahead.
    UnderPointer,
    /// Where they were.
    Original,
}

impl Editor {
    /// The selected objects as text.
    pub(crate) fn copy_selection(&mut self) -> Result<(), EditError> {
        let state = self.history.committed();
        let clip = ops::clipboard::copy(&state.doc, &state.selection)
            .ok_or_else(|| EditError::refused("Nothing is selected"))?;
        let count = clip.len();
        let face = match state.selection.faces().as_slice() {
            [(_, face)] => Some(*face),
            _ => None,
        };
        let text = to_text(clip.document(), face).map_err(EditError::refused)?;
        self.request(Request::CopyText(text));
        if face.is_some() {
            self.say(
                StatusKind::Info,
                "Copied the texture of the face, and its object",
            );
            return Ok(());
        }
        self.say(
            StatusKind::Info,
            format!("Copied {count} object{}", if count == 1 { "" } else { "s" }),
        );
        Ok(())
    }

    /// The document of a text: one of ours, or brushes and entities in `.map` syntax.
    fn pasted_document(&mut self, text: &str) -> Result<(Document, Option<u32>), String> {
        if !formats::map::is_map_text(text) {
            return from_text(text);
        }
        if text.len() > MOST_BYTES {
            return Err(TOO_MUCH.to_owned());
        }
        let known = KnownSizes(self.doc());
        let (doc, report) = formats::map::read(text, &known).map_err(|error| error.to_string())?;
        let doc = with_known_materials(&doc, self.doc());
        let losses: Vec<&str> = report
            .warnings
            .iter()
            .filter(|warning| warning.kind.code != "I-MISSING-TEXTURE")
            .map(|warning| warning.kind.text.as_str())
            .collect();
        if let Some(first) = losses.first() {
            let more = match losses.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            self.say(StatusKind::Info, format!("Pasted, but: {first}{more}"));
        }
        Ok((doc, None))
    }

    pub(crate) fn cut_selection(&mut self) -> Result<(), EditError> {
        self.copy_selection()?;
        let ids = edits::roots(self.doc(), self.selection());
        let delete = ops::objects::delete(ids);
        self.commit(&crate::document::Edit::new(
            "Cut",
            move |draft, selection| delete.apply(draft, selection),
        ))
    }

    /// The text of the clipboard, after [`Request::PasteText`].
    ///
    /// # Errors
    /// When it holds no objects; the status line says so too.
    pub fn paste(&mut self, text: &str, place: Place) -> Result<(), EditError> {
        let result = self
            .pasted_document(text)
            .map_err(EditError::refused)
            .and_then(|(doc, face)| {
                if let Some(face) = face
                    && self.selection_class() == SelectionClass::Faces
                {
                    return self.paste_texture(doc, face);
                }
                let clip = Clip::of_document(doc);
                let delta = match place {
                    Place::Original => DVec3::ZERO,
                    Place::UnderPointer => self.paste_delta(&clip),
                };
                self.commit(&self.home().of(ops::clipboard::paste(
                    clip,
                    delta,
                    self.look.current_layer,
                )))
            });
        if let Err(error) = &result {
            self.say(StatusKind::Refused, format!("Paste: {error}"));
        }
        result
    }

    /// The material and the alignment of a copied face go onto the selected ones.
    fn paste_texture(&mut self, doc: Document, face: u32) -> Result<(), EditError> {
        let from = doc.objects().next().map(|(id, _)| (id, face));
        let source = from
            .and_then(|from| Surface::of(&doc, from))
            .ok_or_else(|| EditError::refused("The face on the clipboard is damaged"))?;
        let material = source.material.and_then(|id| doc.material(id)).cloned();
        let picks = self.selection().clone();
        self.commit(&ops::texture::paste(source, material, picks))
    }

    /// The open group and the current layer.
    pub(crate) fn home(&self) -> edits::Home {
        edits::Home {
            parent: self.open_group,
            layer: self.look.current_layer,
        }
    }

    fn paste_delta(&self, clip: &Clip) -> DVec3 {
        let bounds = clip.bounds();
        let grid = self.grid;
        let (pane, at) = self.pointer_at().unwrap_or_else(|| {
            let pane = self.active_pane();
            (pane, self.views[pane].size * 0.5)
        });
        let view = &self.views[pane];
        if bounds.is_empty() {
            return DVec3::ZERO;
        }
        if view.is_2d() {
            // Across the view the place is the pointer's; along it things stay where they were.
            let ray = view.ray(at);
            let axis = ray.dir.abs();
            let free = ray.origin - bounds.center();
            return grid.snap_delta(free - axis * free.dot(axis));
        }
        match self.pick(pane, at) {
            Some(hit) => {
                ops::clipboard::resting(bounds, hit.point, hit.normal, |point| grid.snap(point))
            }
            None => grid.snap_delta(view.ray(at).at(256.0) - bounds.center()),
        }
    }

    /// DUP-1: copies in place, which flash.
    pub(crate) fn duplicate(&mut self) -> Result<(), EditError> {
        self.duplicate_by(DVec3::ZERO)?;
        let copies = self.selected_objects();
        self.flash(copies);
        Ok(())
    }

    /// Copies moved by a difference.
    pub(crate) fn duplicate_by(&mut self, delta: DVec3) -> Result<(), EditError> {
        let ids = edits::roots(self.doc(), self.selection());
        let lock = self.uv_lock();
        let links = self.definitions.link_keys();
        self.commit(&ops::objects::duplicate_linked(ids, delta, lock, links))
    }

    /// The tool in hand may have something smaller to delete.
    pub(crate) fn delete_selection(&mut self) -> Result<(), EditError> {
        if self.offer_action(ToolAction::Delete) {
            return Ok(());
        }
        let ids = edits::roots(self.doc(), self.selection());
        if ids.is_empty() {
            return Err(EditError::refused("Select objects first"));
        }
        self.commit(&ops::objects::delete(ids))
    }
}

/// `face`: the face of the only object that was copied.
/// Pictures of a map's own materials: texts of other editors tell no sizes.
struct KnownSizes<'a>(&'a Document);

impl formats::Siblings for KnownSizes<'_> {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        let (_, material) = same_material(self.0, texture)?;
        let size = material.sound_tile_size();
        Some([size.x.round() as u32, size.y.round() as u32])
    }
}

/// The material of this name, in whatever case; with folders before it if need be.
fn same_material<'a>(doc: &'a Document, name: &str) -> Option<(MaterialId, &'a Material)> {
    let last = |name: &'a str| name.rsplit('/').next().unwrap_or(name);
    doc.materials()
        .find(|(_, material)| material.name.eq_ignore_ascii_case(name))
        .or_else(|| {
            doc.materials()
                .find(|(_, material)| last(&material.name).eq_ignore_ascii_case(name))
        })
}

/// Materials that the map has already, under its names for them.
fn with_known_materials(pasted: &Document, doc: &Document) -> Document {
    let mut draft = pasted.edit();
    for (id, material) in pasted.materials() {
        if let Some((_, known)) = same_material(doc, &material.name) {
            draft.update_material(id, |material| material.clone_from(known));
        }
    }
    draft.as_read()
}

fn to_text(doc: &Document, face: Option<u32>) -> Result<String, String> {
    let bytes = hmap::write(
        doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new("clipboard"),
    )
    .map_err(|error| error.to_string())?;
    let face = face.map_or_else(String::new, |face| format!("{FACE}{face}"));
    Ok(format!("{HEAD}{face}\n{}\n", encode(&bytes)))
}

fn from_text(text: &str) -> Result<(Document, Option<u32>), String> {
    use crate::formats::Importer as _;
    const NOTHING: &str = "There are no objects on the clipboard";
    const DAMAGED: &str = "The objects on the clipboard are damaged";
    let body = text.trim_start().strip_prefix(HEAD).ok_or(NOTHING)?;
    if body.len() > MOST_BYTES {
        return Err(TOO_MUCH.to_owned());
    }
    let (face, body) = match body.strip_prefix(FACE) {
        Some(rest) => {
            let (number, body) = rest.split_once('\n').ok_or(DAMAGED)?;
            (Some(number.trim().parse().map_err(|_| DAMAGED)?), body)
        }
        None => (None, body),
    };
    let bytes = decode(body).ok_or(DAMAGED)?;
    let imported = hmap::Hmap
        .import(
            &bytes,
            Path::new("clipboard"),
            &NoSiblings,
            &Progress::new(),
        )
        .map_err(|error| error.to_string())?;
    if imported.doc.object_count() == 0 {
        Err(NOTHING.to_owned())
    } else {
        Ok((imported.doc, face))
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base 64 (RFC 4648), lines of 76.
fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + bytes.len() / 57 + 8);
    for (index, triple) in bytes.chunks(3).enumerate() {
        if index > 0 && index % 19 == 0 {
            text.push('\n');
        }
        let word = (u32::from(triple[0]) << 16)
            | (u32::from(*triple.get(1).unwrap_or(&0)) << 8)
            | u32::from(*triple.get(2).unwrap_or(&0));
        for place in 0..4 {
            text.push(if place <= triple.len() {
                ALPHABET[(word >> (18 - 6 * place) & 63) as usize] as char
            } else {
                '='
            });
        }
    }
    text
}

/// `None` when there is anything but base 64 and white space.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    let mut ended = false;
    for character in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        if character == b'=' {
            ended = true;
            continue;
        }
        if ended {
            return None;
        }
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = (word << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
            word &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_round_trips() {
        assert_eq!(encode(b"Man"), "TWFu");
        assert_eq!(encode(b"Ma"), "TWE=");
        assert_eq!(encode(b"M"), "TQ==");
        for length in 0..200u8 {
            let bytes: Vec<u8> = (0..length).map(|i| i.wrapping_mul(37)).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert_eq!(decode("TW*u"), None);
        assert_eq!(decode("T=Wu"), None);
    }

    #[test]
    fn foreign_text_is_no_map() {
        for text in [
            "",
            "hello",
            "mapwright clipboard 1\nTWFu",
            "mapwright clipboard 1\n!!!",
            "mapwright clipboard 1 face 3",
            "mapwright clipboard 1 face x\nTWFu",
        ] {
            assert!(from_text(text).is_err(), "{text}");
        }
    }
}
