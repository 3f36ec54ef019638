//! Brushes and entities as text in `.map` syntax, as other editors put them on the clipboard (`map-wad-fgd.md` 1): Standard and
//! Valve 220 faces, mixed as they come. Everything else goes the way of the RMF importer, whose space and textures are the same.

mod lexer;
mod read;
#[cfg(test)]
mod tests;

use crate::document::Document;
use crate::document::Kind;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::rmf;
use crate::task::Progress;

/// Why a text cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Line {line}: {what}")]
pub struct MapTextError {
    /// From 1.
    pub line: usize,
    pub what: String,
}

/// True when a text begins as a map does: with a brace, perhaps after comments.
#[must_use]
pub fn is_map_text(text: &str) -> bool {
    lexer::Lexer::new(text.as_bytes()).peek() == Some(b'{')
}

/// What the text describes, without an entity for the world itself; the report holds what could not come along.
///
/// # Errors
/// The first thing that is not as it should be, with its line.
pub fn read(text: &str, siblings: &dyn Siblings) -> Result<(Document, Report), MapTextError> {
    // Names of this family are Windows-1252.
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(text);
    let (map, skipped) = read::read(&bytes)?;
    let mut report = Report::default();
    if skipped > 0 {
        let text = format!("{skipped} brushes have fewer than 4 faces and were left out");
        report.warn("I-EMPTY-SOLID", None, None, text);
    }
    let doc = rmf::document_of(&map, siblings, &Progress::new(), &mut report)
        .map_err(|_| end_error(text, "reading was cancelled"))?;
    let doc = pasteable(&doc);
    if doc.object_count() == 0 {
        return Err(end_error(
            text,
            "there are no brushes or entities in this text",
        ));
    }
    Ok((doc, report))
}

fn end_error(text: &str, what: &str) -> MapTextError {
    MapTextError {
        line: text.lines().count().max(1),
        what: what.to_owned(),
    }
}

/// Without the world's entity, and without solids of which no brush could be made: the text has no corners to keep a mesh of.
fn pasteable(doc: &Document) -> Document {
    let mut draft = doc.edit();
    for (id, object) in doc.objects() {
        let goes = match &object.kind {
            Kind::Entity(entity) => entity.class == "worldspawn",
            Kind::Mesh(mesh) => mesh.polygons.is_empty(),
            Kind::Brush(_) | Kind::Group(_) => false,
        };
        if goes {
            draft.remove(id);
        }
    }
    draft.as_read()
}
