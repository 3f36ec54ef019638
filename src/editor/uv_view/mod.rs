//! The UV view (TEX-8): the selected faces over the tiled texture, and what dragging in it does. It knows points of its own
//! area and the map, nothing of how it is drawn.
//!
//! The plane of the face that was picked last lies in the view as it is seen from its front; the texture moves under it. Other
//! selected faces lie where their coordinates are, and follow every change.

mod dragging;

use glam::DVec2;
use glam::DVec3;

use self::dragging::edit_of;
use crate::document::Document;
use crate::document::Edit;
use crate::document::MaterialId;
use crate::document::Selection;
use crate::document::ops::faces::faces_of;
use crate::document::ops::surfaces::FaceRef;
use crate::document::ops::surfaces::Surface;
use crate::geometry::UvAxes;
use crate::geometry::base_axes;

/// Lines are hit from this far, things snap from this far; points.
const LINE_NEAR: f64 = 4.0;
const SNAP_NEAR: f64 = 8.0;

/// The ring about the origin, and the origin itself; points.
const RING: f64 = 40.0;
const RING_NEAR: f64 = 5.0;
const ORIGIN_NEAR: f64 = 7.0;

/// Lines closer together than this are not drawn; points.
const LINES_APART: f64 = 6.0;
const MOST_LINES: i64 = 200;

/// More selected faces than this are not drawn.
const MOST_FACES: usize = 500;

/// What is under the pointer, or dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grab {
    Texture,
    /// A side of a repeat: axis (0 = u) and coordinate.
    Line(usize, f64),
    Ring,
    Origin,
}

/// Events of the view. Positions are points from its upper left corner, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UvInput {
    Resized {
        size: DVec2,
    },
    Moved {
        at: DVec2,
        ctrl: bool,
    },
    Press {
        at: DVec2,
        ctrl: bool,
        alt: bool,
    },
    Release,
    Cancel,
    Pan {
        delta: DVec2,
    },
    /// About a point; 2 = twice as large.
    Zoom {
        at: DVec2,
        factor: f64,
    },
    /// The whole face, in the middle.
    Frame,
    Left,
}

/// What an event leads to.
#[derive(Clone, Debug)]
pub(crate) enum UvReply {
    Nothing,
    Preview(Edit),
    /// The result would be what there is.
    Unchanged,
    Commit(Edit),
    Cancel,
}

/// Everything to draw; points of the view.
#[derive(Clone, Debug, PartialEq)]
pub struct UvScene {
    pub material: Option<MaterialId>,
    /// Texture coordinates at the upper left, upper right, lower right and lower left corner, in repeats.
    pub corners_uv: [DVec2; 4],
    /// Sides of repeats, with what dragging each would grab.
    pub lines: Vec<UvLine>,
    /// The face picked last comes last.
    pub faces: Vec<Vec<DVec2>>,
    pub origin: DVec2,
    pub ring: f64,
    pub hovered: Option<Grab>,
    /// Live numbers of a drag.
    pub readout: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvLine {
    pub from: DVec2,
    pub to: DVec2,
    pub grab: Grab,
}

/// A drag under way: everything counts from the surface as it was at the press.
struct Drag {
    grab: Grab,
    shear: bool,
    surface: Surface,
    picks: Selection,
    /// Where it was pressed, on the plane.
    from: DVec3,
    origin: DVec3,
    now: UvAxes,
    label: &'static str,
    readout: String,
    /// `Ctrl` was down at the press and has not been let go since: it chose turning and does not suspend snaps.
    ctrl_chose: bool,
}

/// See the module's text.
pub struct UvView {
    size: DVec2,
    /// The face that the place of the view belongs to.
    shown: Option<FaceRef>,
    /// Middle of the view, in units of the plane's own axes, and points per unit.
    center: DVec2,
    zoom: f64,
    /// Scaling and turning go about this point of the plane.
    origin: DVec3,
    hovered: Option<Grab>,
    drag: Option<Drag>,
}

impl Default for UvView {
    fn default() -> Self {
        Self {
            size: DVec2::splat(256.0),
            shown: None,
            center: DVec2::ZERO,
            zoom: 1.0,
            origin: DVec3::ZERO,
            hovered: None,
            drag: None,
        }
    }
}

/// The plane's axes in the view: right and down, seen from the front.
fn axes(normal: DVec3) -> (DVec3, DVec3) {
    base_axes(normal, true)
}

impl UvView {
    #[must_use]
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Forgets a drag: the map has changed under it.
    pub(crate) fn drop_drag(&mut self) {
        self.drag = None;
    }

    /// Another face was picked: it is shown whole, with the origin in its middle.
    pub(crate) fn show(&mut self, doc: &Document, face: Option<FaceRef>) {
        let surface = face.and_then(|face| Surface::of(doc, face));
        if face == self.shown && surface.is_some() {
            return;
        }
        self.shown = face.filter(|_| surface.is_some());
        self.hovered = None;
        if let Some(surface) = surface {
            self.origin = surface.center();
            self.frame(&surface);
        }
    }

    fn frame(&mut self, surface: &Surface) {
        let flat = surface
            .corners
            .iter()
            .map(|&corner| in_plane(surface, corner));
        let (min, max) = flat.fold(
            (DVec2::INFINITY, DVec2::NEG_INFINITY),
            |(min, max), point| (min.min(point), max.max(point)),
        );
        self.center = (min + max) / 2.0;
        let extent = (max - min).max(DVec2::splat(1e-3));
        self.zoom = (self.size * 0.7 / extent).min_element().clamp(1e-3, 256.0);
    }

    fn to_view(&self, surface: &Surface, point: DVec3) -> DVec2 {
        (in_plane(surface, point) - self.center) * self.zoom + self.size / 2.0
    }

    fn to_map(&self, surface: &Surface, at: DVec2) -> DVec3 {
        let flat = (at - self.size / 2.0) / self.zoom + self.center;
        let (right, down) = axes(surface.plane.normal);
        surface.plane.normal * surface.plane.dist + right * flat.x + down * flat.y
    }

    /// What is drawn of a face of the state that is shown, in a view of this size.
    pub(crate) fn scene(
        &self,
        doc: &Document,
        picks: &Selection,
        face: FaceRef,
        size: DVec2,
    ) -> Option<UvScene> {
        if self.shown == Some(face) && self.size == size {
            return self.drawn(doc, picks);
        }
        // No event has come since the face was picked or the view got another size.
        let mut fresh = Self {
            size,
            ..Self::default()
        };
        fresh.show(doc, Some(face));
        fresh.drawn(doc, picks)
    }

    fn drawn(&self, doc: &Document, picks: &Selection) -> Option<UvScene> {
        let surface = Surface::of(doc, self.shown?)?;
        let uv_at = |at: DVec2| surface.frame.at(self.to_map(&surface, at));
        let corners_uv = [
            DVec2::ZERO,
            DVec2::new(self.size.x, 0.0),
            self.size,
            DVec2::new(0.0, self.size.y),
        ]
        .map(uv_at);
        let mut lines = Vec::new();
        for axis in 0..2 {
            self.lines_of(&surface, axis, &corners_uv, &mut lines);
        }
        Some(UvScene {
            material: surface.material,
            corners_uv,
            lines,
            faces: self.outlines(doc, picks, &surface),
            origin: self.to_view(&surface, self.origin),
            ring: RING,
            hovered: self.drag.as_ref().map(|drag| drag.grab).or(self.hovered),
            readout: self.drag.as_ref().map(|drag| drag.readout.clone()),
        })
    }

    /// Faces where their coordinates are; that of the plane lies as it is.
    fn outlines(&self, doc: &Document, picks: &Selection, own: &Surface) -> Vec<Vec<DVec2>> {
        let ring = |surface: &Surface| -> Option<Vec<DVec2>> {
            surface
                .corners
                .iter()
                .map(|&corner| {
                    let uv = surface.frame.at(corner);
                    Some(self.to_view(own, own.frame.point_at(own.plane, uv)?))
                })
                .collect()
        };
        let mut outlines: Vec<Vec<DVec2>> = faces_of(doc, picks)
            .into_iter()
            .flat_map(|(id, faces)| faces.into_iter().map(move |face| (id, face)))
            .filter(|face| Some(*face) != self.shown)
            .take(MOST_FACES)
            .filter_map(|face| ring(&Surface::of(doc, face)?))
            .collect();
        outlines.push(
            own.corners
                .iter()
                .map(|&corner| self.to_view(own, corner))
                .collect(),
        );
        outlines
    }

    /// Sides of repeats that cross the view.
    fn lines_of(
        &self,
        surface: &Surface,
        axis: usize,
        corners_uv: &[DVec2; 4],
        out: &mut Vec<UvLine>,
    ) {
        let values = corners_uv.map(|uv| uv[axis]);
        let least = values.into_iter().fold(f64::INFINITY, f64::min).ceil();
        let most = values.into_iter().fold(f64::NEG_INFINITY, f64::max).floor();
        let Some((along_u, along_v)) = surface.frame.tangents(surface.plane.normal) else {
            return;
        };
        let (across, along) = if axis == 0 {
            (along_u, along_v)
        } else {
            (along_v, along_u)
        };
        let apart = across.reject_from(along).length() * self.zoom;
        if apart < LINES_APART || !(least..=least + MOST_LINES as f64).contains(&most) {
            return;
        }
        let middle = surface.frame.at(self.to_map(surface, self.size / 2.0));
        let way = self.way(surface, along);
        for value in (least as i64)..=(most as i64) {
            let mut uv = middle;
            uv[axis] = value as f64;
            let Some(point) = surface.frame.point_at(surface.plane, uv) else {
                return;
            };
            let at = self.to_view(surface, point);
            let reach = way * (self.size.length() + at.distance(self.size / 2.0));
            out.push(UvLine {
                from: at - reach,
                to: at + reach,
                grab: Grab::Line(axis, value as f64),
            });
        }
    }

    /// A direction of the plane in the view, of length 1.
    fn way(&self, surface: &Surface, along: DVec3) -> DVec2 {
        let (right, down) = axes(surface.plane.normal);
        DVec2::new(along.dot(right), along.dot(down)).normalize_or_zero()
    }

    fn grab_at(&self, surface: &Surface, at: DVec2) -> Grab {
        let origin = self.to_view(surface, self.origin);
        let from_origin = at.distance(origin);
        if from_origin <= ORIGIN_NEAR {
            return Grab::Origin;
        }
        if (from_origin - RING).abs() <= RING_NEAR {
            return Grab::Ring;
        }
        let held = surface.frame.at(self.origin);
        let here = surface.frame.at(self.to_map(surface, at));
        let Some((along_u, along_v)) = surface.frame.tangents(surface.plane.normal) else {
            return Grab::Texture;
        };
        let near = |axis: usize, across: DVec3, along: DVec3| {
            let line = here[axis].round();
            let points = (here[axis] - line).abs() * across.reject_from(along).length() * self.zoom;
            let is_apart = across.reject_from(along).length() * self.zoom >= LINES_APART * 2.0;
            // A line through the origin cannot be scaled about it.
            let can_scale = (line - held[axis]).abs() > 1e-6;
            (points <= LINE_NEAR && is_apart && can_scale)
                .then_some((points, Grab::Line(axis, line)))
        };
        let (u, v) = (near(0, along_u, along_v), near(1, along_v, along_u));
        u.into_iter()
            .chain(v)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(Grab::Texture, |(_, grab)| grab)
    }

    /// One event over the committed map.
    pub(crate) fn input(&mut self, doc: &Document, picks: &Selection, input: UvInput) -> UvReply {
        let Some(surface) = self.shown.and_then(|face| Surface::of(doc, face)) else {
            self.drag = None;
            return UvReply::Nothing;
        };
        match input {
            UvInput::Resized { size } => {
                let is_new = self.size != size && self.drag.is_none();
                self.size = size.max(DVec2::ONE);
                if is_new {
                    self.frame(&surface);
                }
            }
            UvInput::Pan { delta } => self.center -= delta / self.zoom,
            UvInput::Zoom { at, factor } => {
                let zoom = (self.zoom * factor).clamp(1e-3, 256.0);
                let off = at - self.size / 2.0;
                self.center += off / self.zoom - off / zoom;
                self.zoom = zoom;
            }
            UvInput::Frame => self.frame(&surface),
            UvInput::Left => self.hovered = None,
            UvInput::Moved { at, ctrl } => return self.moved(&surface, at, ctrl),
            UvInput::Press { at, ctrl, alt } => self.press(surface, picks, at, ctrl, alt),
            UvInput::Release => return self.release(),
            UvInput::Cancel => {
                if let Some(drag) = self.drag.take() {
                    self.origin = drag.origin;
                    return UvReply::Cancel;
                }
            }
        }
        UvReply::Nothing
    }

    fn press(&mut self, surface: Surface, picks: &Selection, at: DVec2, ctrl: bool, alt: bool) {
        let under = self.grab_at(&surface, at);
        let grab = if ctrl { Grab::Ring } else { under };
        let shear = alt && matches!(grab, Grab::Line(..));
        let label = match grab {
            Grab::Texture | Grab::Origin => "Shift texture",
            Grab::Line(..) if shear => "Shear texture",
            Grab::Line(..) => "Scale texture",
            Grab::Ring => "Rotate texture",
        };
        self.drag = Some(Drag {
            grab,
            shear,
            from: self.to_map(&surface, at),
            origin: self.origin,
            now: surface.frame,
            picks: picks.clone(),
            surface,
            label,
            readout: String::new(),
            ctrl_chose: ctrl,
        });
    }

    fn moved(&mut self, surface: &Surface, at: DVec2, ctrl: bool) -> UvReply {
        let Some(mut drag) = self.drag.take() else {
            self.hovered = Some(self.grab_at(surface, at));
            return UvReply::Nothing;
        };
        drag.ctrl_chose &= ctrl;
        let is_free = ctrl && !drag.ctrl_chose;
        let to = self.to_map(&drag.surface, at);
        let reply = match drag.grab {
            Grab::Origin => {
                self.origin = self.snapped_origin(&drag.surface, to, is_free);
                UvReply::Nothing
            }
            Grab::Texture => self.shift(&mut drag, to, is_free),
            Grab::Line(axis, line) if drag.shear => self.shear(&mut drag, axis, line, to, is_free),
            Grab::Line(axis, line) => self.scale(&mut drag, axis, line, to, is_free),
            Grab::Ring => self.turn(&mut drag, to, is_free),
        };
        self.drag = Some(drag);
        reply
    }

    fn release(&mut self) -> UvReply {
        match self.drag.take() {
            Some(drag) if drag.grab != Grab::Origin => match edit_of(&drag) {
                Some(edit) => UvReply::Commit(edit),
                None => UvReply::Unchanged,
            },
            _ => UvReply::Nothing,
        }
    }
}

/// A point of the map along the axes of the face's plane.
fn in_plane(surface: &Surface, point: DVec3) -> DVec2 {
    let (right, down) = axes(surface.plane.normal);
    DVec2::new(point.dot(right), point.dot(down))
}
