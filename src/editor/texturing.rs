//! Textures from keys, buttons and lists: shifting as seen on screen, turning, scaling, bringing into line, replacing, and the
//! preview of a material on the selection (TEX-2, TEX-4, TEX-6, TEX-10).

use std::collections::BTreeSet;

use glam::DVec2;
use glam::DVec3;

use crate::document::Edit;
use crate::document::EditError;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::document::ops::surfaces::FaceRef;
use crate::document::ops::surfaces::Surface;
use crate::document::ops::texture::Align;
use crate::document::ops::texture::Cycle;
use crate::editor::Editor;
use crate::editor::edits;
use crate::editor::nudge::Direction;
use crate::editor::request::StatusKind;
use crate::editor::uv_view::UvInput;
use crate::editor::uv_view::UvReply;
use crate::editor::uv_view::UvScene;
use crate::editor::view::View;
use crate::geometry::UvAxes;

/// What the editor remembers for textures.
#[derive(Default)]
pub(crate) struct Texturing {
    /// The face that was picked last, and the selection that told.
    last_face: Option<FaceRef>,
    seen: Selection,
    /// The material that is shown on the selection for trial.
    is_trying: bool,
    /// Materials whose picture was not found.
    missing: BTreeSet<MaterialId>,
    /// Faces are brought into line as one surface.
    as_one: bool,
}

impl Texturing {
    /// Finds out which face was picked last: a selection has no order of its own. True when the selection is another one.
    pub fn follow(&mut self, selection: &Selection) -> bool {
        if *selection == self.seen {
            return false;
        }
        let as_face = |pick: &Pick| match pick {
            Pick::Face(id, face) => Some((*id, *face)),
            _ => None,
        };
        let fresh = selection.difference(&self.seen).filter_map(as_face).last();
        let is_kept = |face: &FaceRef| selection.contains(&Pick::Face(face.0, face.1));
        self.last_face = fresh
            .or(self.last_face.filter(is_kept))
            .or_else(|| selection.iter().filter_map(as_face).next_back());
        self.seen.clone_from(selection);
        true
    }

    pub fn last_face(&self) -> Option<FaceRef> {
        self.last_face
    }
}

/// Where a material is replaced (TEX-10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplaceScope {
    Selection,
    #[default]
    Map,
    /// The current layer.
    Layer,
}

/// A material that could be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// `None` = faces without a material.
    pub material: Option<MaterialId>,
    pub name: String,
    pub faces: usize,
    /// Its picture was not found.
    pub missing: bool,
}

/// The axis of the texture (0 = u, 1 = v) that runs along each direction of the screen, with its sign.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OnScreen {
    right: (usize, f64),
    up: (usize, f64),
}

/// How the texture of a face lies on the screen.
fn on_screen(surface: &Surface, view: &View) -> Option<OnScreen> {
    let (along_u, along_v) = surface.frame.tangents(surface.plane.normal)?;
    let center = surface.center();
    let seen = |along: DVec3| -> DVec2 {
        // A short step, so that perspective does not bend it.
        let step = along.normalize_or_zero() * view.units_per_point(center).max(1e-3);
        let ends = view.project(center).zip(view.project(center + step));
        let flat = match ends {
            Some(((from, _), (to, _))) => (to - from) * DVec2::new(1.0, -1.0),
            None => DVec2::new(along.dot(view.right()), along.dot(view.up())),
        };
        flat.normalize_or_zero()
    };
    let (u, v) = (seen(along_u), seen(along_v));
    Some(if (u.x * v.y).abs() >= (u.y * v.x).abs() {
        OnScreen {
            right: (0, u.x.signum()),
            up: (1, v.y.signum()),
        }
    } else {
        OnScreen {
            right: (1, v.x.signum()),
            up: (0, u.y.signum()),
        }
    })
}

/// A vector with one number set.
fn only(axis: usize, value: f64) -> DVec2 {
    let mut vector = DVec2::ZERO;
    vector[axis] = value;
    vector
}

fn shifted_on_screen(surface: &Surface, view: &View, direction: Direction, texels: f64) -> UvAxes {
    let Some(screen) = on_screen(surface, view) else {
        return surface.frame;
    };
    let ((axis, sign), towards) = match direction {
        Direction::Left => (screen.right, -1.0),
        Direction::Right => (screen.right, 1.0),
        Direction::Down | Direction::PageDown => (screen.up, -1.0),
        Direction::Up | Direction::PageUp => (screen.up, 1.0),
    };
    // The picture goes where its coordinates sink.
    let repeats = texels / f64::from(surface.tile_size[axis]);
    surface.frame.shifted(only(axis, -sign * towards * repeats))
}

/// Least scale that the keys leave.
const LEAST_SCALE: f64 = 0.05;

fn scale_raised(surface: &Surface, by: f64) -> UvAxes {
    let tile = surface.tile_size.as_dvec2();
    let now = DVec2::new(
        1.0 / (surface.frame.u.length() * tile.x),
        1.0 / (surface.frame.v.length() * tile.y),
    );
    let factor = (now + by).max(DVec2::splat(LEAST_SCALE)) / now;
    if factor.is_finite() {
        surface.frame.scaled(surface.center(), factor)
    } else {
        surface.frame
    }
}

impl Editor {
    /// The face that was picked last of those that are selected.
    #[must_use]
    pub fn last_face(&self) -> Option<FaceRef> {
        self.texturing.last_face
    }

    /// TEX-4: shifts the textures of the selected faces by texels, as seen on screen.
    pub(crate) fn shift_textures(
        &mut self,
        direction: Direction,
        texels: f64,
    ) -> Result<(), EditError> {
        let view = self.active_view().clone();
        self.change_textures("Shift texture", move |surface| {
            shifted_on_screen(surface, &view, direction, texels)
        })
    }

    /// TEX-4: turns them about the middle of each face; counter-clockwise seen from the front.
    pub(crate) fn turn_textures(&mut self, angle_deg: f64) -> Result<(), EditError> {
        self.change_textures("Rotate texture", move |surface| {
            let normal = surface.plane.normal;
            surface.frame.rotated(normal, surface.center(), angle_deg)
        })
    }

    /// TEX-4: mirrors them about the middle of each face, along what is horizontal (or vertical) on screen.
    pub(crate) fn flip_textures(&mut self, vertically: bool) -> Result<(), EditError> {
        let view = self.active_view().clone();
        self.change_textures("Flip texture", move |surface| {
            let Some(screen) = on_screen(surface, &view) else {
                return surface.frame;
            };
            let (axis, _) = if vertically { screen.up } else { screen.right };
            surface
                .frame
                .scaled(surface.center(), DVec2::ONE - only(axis, 2.0))
        })
    }

    /// TEX-4: makes the pictures larger about the middle of each face.
    pub(crate) fn scale_textures(&mut self, factor: f64) -> Result<(), EditError> {
        self.change_textures("Scale texture", move |surface| {
            surface.frame.scaled(surface.center(), DVec2::splat(factor))
        })
    }

    /// TEX-4: as [`Editor::scale_textures`], by a step of the scale itself.
    pub(crate) fn raise_texture_scale(&mut self, by: f64) -> Result<(), EditError> {
        self.change_textures("Scale texture", move |surface| scale_raised(surface, by))
    }

    fn change_textures(
        &mut self,
        label: &'static str,
        new: impl Fn(&Surface) -> UvAxes + Send + Sync + 'static,
    ) -> Result<(), EditError> {
        let picks = self.selection().clone();
        self.commit_folding(&ops::faces::change_surfaces(label, picks, new))
    }

    /// TEX-6, for keys and buttons.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn align_textures(&mut self, how: Align, cycle: Cycle) -> Result<(), EditError> {
        let before = self.history.committed().doc.clone();
        let one = if self.texturing.as_one {
            self.last_face().or_else(|| self.first_face())
        } else {
            None
        };
        self.commit(&ops::texture::align(
            self.selection().clone(),
            how,
            cycle,
            one,
        ))?;
        if self.doc().same(&before) {
            self.say(StatusKind::Info, "The texture lies like that already");
        }
        Ok(())
    }

    /// The first face of what is selected, which leads the others where none was picked itself.
    fn first_face(&self) -> Option<FaceRef> {
        let state = self.history.committed();
        let faces = ops::faces::faces_of(&state.doc, &state.selection);
        faces
            .into_iter()
            .find_map(|(id, faces)| faces.first().map(|&face| (id, face)))
    }

    /// Whether faces are brought into line as one surface.
    #[must_use]
    pub fn aligns_as_one(&self) -> bool {
        self.texturing.as_one
    }

    pub fn set_aligns_as_one(&mut self, as_one: bool) {
        self.texturing.as_one = as_one;
    }

    /// TEX-1: makes a material the current one, and says so.
    pub(crate) fn pick_material(&mut self, material: Material) {
        let words = format!("{} is now the current material", material.name);
        self.say(StatusKind::Info, words);
        self.current_material = Some(material);
    }

    /// The face that the UV view shows: the one picked last, or the first of a single object.
    fn uv_face(&self) -> Option<FaceRef> {
        let state = self.history.committed();
        self.texturing
            .last_face
            .or_else(|| match state.selection.objects().as_slice() {
                [one] => Some((*one, 0)),
                _ => None,
            })
            .filter(|face| Surface::of(&state.doc, *face).is_some())
    }

    /// What the UV view shows (TEX-8), for a view of this size in points; `None` while no face is selected.
    #[must_use]
    pub fn uv_scene(&self, size: DVec2) -> Option<UvScene> {
        let state = self.history.state();
        let face = self.uv_face()?;
        self.uv_view.scene(&state.doc, &state.selection, face, size)
    }

    /// True while something is dragged in the UV view.
    #[must_use]
    pub fn is_uv_dragging(&self) -> bool {
        self.uv_view.is_dragging()
    }

    /// An event of the UV view.
    pub fn uv_input(&mut self, input: UvInput) {
        if self.is_dragging() || self.is_walking() {
            return;
        }
        self.preview_material(None);
        let face = self.uv_face();
        let state = self.history.committed();
        self.uv_view.show(&state.doc, face);
        match self.uv_view.input(&state.doc, &state.selection, input) {
            UvReply::Nothing => {}
            UvReply::Preview(edit) => {
                if let Err(error) = self.history.preview(&edit) {
                    self.say(StatusKind::Refused, error.to_string());
                }
            }
            UvReply::Unchanged | UvReply::Cancel => self.history.cancel(),
            // A refusal is in the status line already.
            UvReply::Commit(edit) => drop(self.commit(&edit)),
        }
    }

    /// TEX-2: shows a material on the selection while the pointer rests on it in a browser; `None` takes it off again.
    /// Neither a step nor a change of the current material.
    pub fn preview_material(&mut self, material: Option<Material>) {
        if std::mem::take(&mut self.texturing.is_trying) {
            self.history.cancel();
            self.tool_follows();
        }
        let Some(material) = material.filter(|_| !self.is_dragging()) else {
            return;
        };
        if self.selection().is_empty() || self.history.is_previewing() {
            return;
        }
        // A refusal leaves the map as it is shown.
        self.texturing.is_trying = self.preview(&edits::apply_material(material)).is_ok();
    }

    /// True while a material is shown for trial.
    #[must_use]
    pub fn is_trying_material(&self) -> bool {
        self.texturing.is_trying && self.history.is_previewing()
    }

    /// Names the materials whose pictures were not found; they come first where materials are replaced.
    pub fn set_missing_materials(&mut self, missing: BTreeSet<MaterialId>) {
        self.texturing.missing = missing;
    }

    /// TEX-10: what could be replaced in the scope: materials of missing pictures first, then by name.
    #[must_use]
    pub fn replace_candidates(&self, scope: ReplaceScope) -> Vec<Candidate> {
        let state = self.history.committed();
        let doc = &state.doc;
        let picks = self.replace_picks(scope);
        let mut rows: Vec<Candidate> = ops::materials::counts(doc, picks.as_ref())
            .into_iter()
            .map(|(material, faces)| {
                let row = material.and_then(|id| doc.material(id));
                Candidate {
                    material,
                    name: row.map_or_else(|| "No material".to_owned(), |row| row.name.clone()),
                    faces,
                    missing: material.is_some_and(|id| self.texturing.missing.contains(&id)),
                }
            })
            .collect();
        rows.sort_by_cached_key(|row| (!row.missing, row.name.to_lowercase()));
        rows
    }

    fn replace_picks(&self, scope: ReplaceScope) -> Option<Selection> {
        let state = self.history.committed();
        match scope {
            ReplaceScope::Map => None,
            ReplaceScope::Selection => Some(state.selection.clone()),
            ReplaceScope::Layer => Some(ops::materials::surfaces_of_layer(
                &state.doc,
                self.look.current_layer,
            )),
        }
    }

    /// TEX-10: gives every face of the scope with `from` the material `to`; how many there were.
    ///
    /// # Errors
    /// When no face there has it.
    pub fn replace_material(
        &mut self,
        from: Option<MaterialId>,
        to: Material,
        scope: ReplaceScope,
    ) -> Result<usize, EditError> {
        let picks = self.replace_picks(scope);
        let doc = &self.history.committed().doc;
        let count = ops::materials::counts(doc, picks.as_ref())
            .get(&from)
            .copied()
            .unwrap_or(0);
        let name = to.name.clone();
        let edit: Edit = ops::materials::replace(from, to, picks);
        self.commit(&edit)?;
        let faces = if count == 1 { "face has" } else { "faces have" };
        self.say(StatusKind::Info, format!("{count} {faces} {name} now"));
        Ok(count)
    }
}

/// Why alignment cannot run: it needs faces, or objects that have some.
pub(crate) fn has_surfaces(editor: &Editor) -> Result<(), &'static str> {
    let state = editor.state();
    let has_face = !state.selection.faces().is_empty()
        || state
            .selection
            .with_children(&state.doc)
            .into_iter()
            .any(|id| {
                state
                    .doc
                    .object(id)
                    .is_some_and(|object| object.brush().is_some() || object.mesh().is_some())
            });
    if has_face {
        Ok(())
    } else {
        Err("Select faces first (Shift+click)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ObjectId;

    #[test]
    fn the_last_face_is_the_one_picked_last() {
        let id = |n| ObjectId::new(n).expect("not 0");
        let mut texturing = Texturing::default();
        let mut selection = Selection::from([Pick::Face(id(5), 1)]);
        texturing.follow(&selection);
        selection.insert(Pick::Face(id(2), 3));
        texturing.follow(&selection);
        assert_eq!(texturing.last_face, Some((id(2), 3)));
        selection.insert(Pick::Face(id(9), 0));
        selection.remove(&Pick::Face(id(2), 3));
        texturing.follow(&selection);
        assert_eq!(texturing.last_face, Some((id(9), 0)));
        selection.remove(&Pick::Face(id(9), 0));
        texturing.follow(&selection);
        assert_eq!(texturing.last_face, Some((id(5), 1)));
        texturing.follow(&Selection::from([Pick::Object(id(5))]));
        assert_eq!(texturing.last_face, None);
    }
}
