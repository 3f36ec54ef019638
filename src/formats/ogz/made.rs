//! What became of the cubes, for the report.

use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::ogz::convex::Convex;
use crate::formats::ogz::pieces::Pieces;

/// Objects that rows of the report speak of.
#[derive(Default)]
pub struct Made {
    pub solids: Vec<ObjectId>,
    pub bent: Vec<ObjectId>,
    pub mixed: Vec<ObjectId>,
    /// Meshes for want of thickness, and of cubes that no solids can be made of.
    pub thin: Vec<ObjectId>,
    pub meshes: Vec<ObjectId>,
}

impl Made {
    /// Of a solid that became this object.
    pub fn note(&mut self, solid: &Convex, id: ObjectId) {
        self.solids.push(id);
        if solid.is_bent {
            self.bent.push(id);
        }
        if solid.is_mixed {
            self.mixed.push(id);
        }
    }

    /// Says how many cubes became what, and of which objects.
    pub fn report(self, pieces: &Pieces, report: &mut Report) {
        let facts = pieces.facts;
        let text = format!(
            "{} solid cubes became {} brushes: {} boxes of {} cubes, {} with slopes of {}",
            facts.leaves,
            pieces.solids.len(),
            facts.boxes,
            facts.box_leaves,
            facts.slopes,
            facts.sloped_leaves + facts.bent_leaves
        );
        report.warn_of("I-CUBES", self.solids, text);
        if facts.tetrahedra > 0 {
            let text = format!(
                "{} cubes that are bent inwards were split into {} solids",
                facts.bent_leaves - pieces.meshes.len(),
                facts.tetrahedra
            );
            report.warn_of("I-BENT-CUBE", self.bent, text);
        }
        for (ids, one, more) in [
            (
                self.meshes,
                "cube that is bent inwards became a mesh",
                "cubes that are bent inwards became meshes",
            ),
            (
                self.thin,
                "solid is too thin for a brush and became a mesh",
                "solids are too thin for brushes and became meshes",
            ),
        ] {
            if !ids.is_empty() {
                let text = format!("{} {}", ids.len(), if ids.len() == 1 { one } else { more });
                report.warn_of("I-BENT-CUBE", ids, text);
            }
        }
        if facts.flat_leaves > 0 {
            let text = format!("{} cubes without volume were left out", facts.flat_leaves);
            report.warn("I-FLAT-CUBE", None, None, text);
        }
        if facts.mixed_planes > 0 {
            let text = format!(
                "{} cubes show two textures in one plane; the larger covers both",
                facts.mixed_planes
            );
            report.warn_of("I-MIXED-FACE", self.mixed, text);
        }
    }
}
