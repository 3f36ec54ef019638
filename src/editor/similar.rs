//! Selecting by what brushes hold (SEL-8) and by what things have in common (SEL-9), and the options of rectangles.

use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::editor::pick;
use crate::editor::request::StatusKind;
use crate::editor::selecting;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::volume;
use crate::editor::volume::Relation;
use crate::geometry::Plane;

/// What two objects may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Class of entities; kind of what is no entity.
    Class,
    /// Any material of any face.
    Material,
    /// The size of the bounds, to a hundredth of a unit.
    Size,
    Layer,
}

const VISIBLE_ONLY: &str = "visible only";

impl Editor {
    /// The brushes of the selection that enclose volume.
    fn selecting_brushes(&self) -> Vec<ObjectId> {
        let doc = self.doc();
        self.selection()
            .with_children(doc)
            .into_iter()
            .filter(|&id| {
                doc.object(id)
                    .and_then(|object| object.brush())
                    .is_some_and(|brush| brush.fault().is_none())
            })
            .collect()
    }

    /// Selects what stands in a relation to the selected brushes; these are deleted in the same step unless `keep`.
    pub(crate) fn select_by_volume(
        &mut self,
        relation: Relation,
        keep: bool,
    ) -> Result<(), EditError> {
        let pane = self.pointer.pane();
        let view = self.views[pane].clone();
        if relation == Relation::Tall && !view.is_2d() {
            return Err(EditError::refused("Point at a 2D view: its outline counts"));
        }
        let brushes = self.selecting_brushes();
        if brushes.is_empty() {
            return Err(EditError::refused(
                "Select brushes that select others first",
            ));
        }
        let scope = self.scope();
        let mut found = Selection::new();
        for &id in &brushes {
            let Some(brush) = scope.doc.object(id).and_then(|object| object.brush()) else {
                continue;
            };
            let planes: Vec<Plane> = brush
                .faces()
                .iter()
                .filter_map(|face| face.plane.unit())
                .collect();
            let related =
                volume::related(scope, &self.spatial, brush.hull(), &planes, relation, &view);
            found.extend(
                related
                    .into_iter()
                    .filter(|id| !brushes.contains(id))
                    .map(|id| Pick::Object(self.taken(id))),
            );
        }
        // A group that holds a selecting brush is no result.
        let doc = self.doc();
        found.retain(|pick| {
            let id = pick.object();
            !brushes
                .iter()
                .any(|&brush| brush == id || doc.ancestors(brush).any(|above| above == id))
        });
        let count = found.len();
        if keep {
            self.select(found);
        } else {
            self.commit(&Edit::new("Select touching", move |draft, selection| {
                ops::objects::remove(draft, &brushes);
                selection.clone_from(&found);
                Ok(())
            }))?;
        }
        self.say(StatusKind::Info, format!("{count} selected"));
        Ok(())
    }

    /// Selects everything that has something in common with the selection. Hidden and locked objects are left out and counted.
    pub(crate) fn select_similar(&mut self, likeness: Likeness) -> Result<(), EditError> {
        let doc = self.doc().clone();
        let mut wanted = std::collections::BTreeSet::new();
        for id in self.selection().with_children(&doc) {
            traits(self, &doc, id, likeness, |part| {
                wanted.insert(part);
            });
        }
        for (id, face) in self.selection().faces() {
            if likeness == Likeness::Material {
                let material = selecting::face_material_id(&doc, id, face);
                wanted.insert(format!("{material:?}"));
            } else {
                traits(self, &doc, id, likeness, |part| {
                    wanted.insert(part);
                });
            }
        }
        if wanted.is_empty() {
            return Err(EditError::refused("The selection has nothing to compare"));
        }
        self.select_where(&doc, |editor, id| {
            let mut is = false;
            traits(editor, &doc, id, likeness, |part| {
                is |= wanted.contains(&part);
            });
            is
        });
        Ok(())
    }

    /// Selects every entity with this value of a property.
    pub fn select_same_value(&mut self, key: &str, value: &str) {
        let doc = self.doc().clone();
        self.select_where(&doc, |_, id| {
            doc.entity(id)
                .is_some_and(|entity| entity.key(key) == Some(value))
        });
    }

    fn select_where(&mut self, doc: &Document, is: impl Fn(&Self, ObjectId) -> bool) {
        let scope = self.scope();
        let mut found = Selection::new();
        let mut skipped = 0;
        for (id, object) in doc.objects() {
            let counts = match &object.kind {
                Kind::Brush(_) | Kind::Mesh(_) => true,
                Kind::Entity(entity) => entity.class != "worldspawn",
                Kind::Group(_) => false,
            };
            if !counts || !is(self, id) {
                continue;
            }
            if scope.allows(id) {
                found.insert(Pick::Object(self.taken(id)));
            } else {
                skipped += 1;
            }
        }
        let count = found.len();
        self.select(found);
        let rest = match skipped {
            0 => String::new(),
            1 => "; 1 hidden or locked was left out".to_owned(),
            n => format!("; {n} hidden or locked were left out"),
        };
        self.say(StatusKind::Info, format!("{count} selected{rest}"));
    }

    /// The rectangle's option, where rectangles are at hand.
    pub(crate) fn marquee_option(&self) -> Option<ToolOption> {
        (self.tool() == ToolKind::Marquee).then(|| {
            ToolOption::toggle(
                VISIBLE_ONLY,
                "Visible only",
                "Rectangles in 3D take only what can be seen.",
                self.settings.marquee_visible_only,
            )
        })
    }

    pub(crate) fn set_marquee_option(&mut self, id: &str, value: &OptionValue) -> bool {
        let (true, OptionValue::Flag(on)) = (id == VISIBLE_ONLY, value) else {
            return false;
        };
        self.settings.marquee_visible_only = *on;
        true
    }
}

/// Calls `found` with what an object has of the kind asked for, as text to compare.
fn traits(
    editor: &Editor,
    doc: &Document,
    id: ObjectId,
    likeness: Likeness,
    mut found: impl FnMut(String),
) {
    let Some(object) = doc.object(id) else { return };
    match likeness {
        Likeness::Class => match &object.kind {
            Kind::Entity(entity) => found(entity.class.clone()),
            Kind::Brush(_) => found(doc.owner(id).map_or_else(
                || "brush".to_owned(),
                |owner| {
                    doc.entity(owner)
                        .map_or_else(String::new, |e| e.class.clone())
                },
            )),
            Kind::Mesh(_) => found("mesh".to_owned()),
            Kind::Group(_) => {}
        },
        Likeness::Material => match &object.kind {
            Kind::Brush(brush) => brush
                .faces()
                .iter()
                .for_each(|face| found(format!("{:?}", face.material))),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .for_each(|polygon| found(format!("{:?}", polygon.material))),
            Kind::Entity(_) | Kind::Group(_) => {}
        },
        Likeness::Size => {
            let bounds = match &object.kind {
                Kind::Entity(entity) if pick::is_point_entity(doc, id, entity) => {
                    editor.definitions.entity_box(entity)
                }
                Kind::Entity(_) | Kind::Group(_) => return,
                _ => object.bounds(),
            };
            let size = (bounds.size() * 100.0).round();
            found(format!("{} {} {}", size.x, size.y, size.z));
        }
        Likeness::Layer => found(format!("{:?}", object.layer)),
    }
}
