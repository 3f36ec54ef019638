//! Textures dragged on the face itself with the right button: slid, turned, scaled about the point of the press (TEX-5).
//! Stands in for the tool in hand while it runs.

use glam::DVec2;
use glam::DVec3;

use crate::document::Edit;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::faces;
use crate::document::ops::surfaces::FaceRef;
use crate::document::ops::surfaces::Surface;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::meet_drag_plane;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::editor::tools::transfer::face_at;
use crate::editor::view::View;
use crate::geometry::UvAxes;
use crate::geometry::snap::snap;

/// Sides of repeats jump onto vertices of the face from this far; points.
const NEAR: f64 = 8.0;

/// The direction that turning counts from is known once the pointer is this far from the press; points.
const ARM: f64 = 12.0;

/// Turning snaps to this.
const TURN_DEG: f64 = 15.0;

/// The picture doubles over this many points.
const DOUBLES: f64 = 128.0;

/// Scales snap to multiples of this.
const SCALE_STEP: f64 = 0.125;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Slide,
    Turn,
    Scale,
}

/// What the drag has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    /// Texels that the picture has moved along its own axes.
    Slid(DVec2),
    /// Counter-clockwise, seen from the front.
    TurnedDeg(f64),
    /// How much larger the picture is.
    Scaled(f64),
}

/// A drag under way.
pub(crate) struct Slide {
    stands_for: ToolKind,
    way: Way,
    picks: Selection,
    surface: Surface,
    grab: DVec3,
    pressed_at: DVec2,
    at: DVec2,
    /// The direction from the press that turning counts from.
    arm: Option<DVec3>,
    typed: Vec<Option<f64>>,
    change: Change,
}

const SLIDING: &[Hint] = &[
    hint("G", "no snapping"),
    hint("Digits", "texels"),
    hint("Esc", "cancel"),
];
const TURNING: &[Hint] = &[
    hint("Move round the point", "turn"),
    hint("G", "any angle"),
    hint("Esc", "cancel"),
];
const SCALING: &[Hint] = &[
    hint("Right or up", "larger"),
    hint("G", "any scale"),
    hint("Esc", "cancel"),
];

fn way_of(modifiers: Modifiers) -> Option<Way> {
    match modifiers {
        Modifiers::SHIFT => Some(Way::Slide),
        Modifiers::CTRL_SHIFT => Some(Way::Turn),
        Modifiers {
            shift: true,
            alt: true,
            ctrl: false,
        } => Some(Way::Scale),
        _ => None,
    }
}

impl Slide {
    /// `None` when these modifiers mean nothing, or there is no selected face under the pointer.
    pub fn new(
        cx: &ToolCx<'_>,
        at: DVec2,
        modifiers: Modifiers,
        stands_for: ToolKind,
    ) -> Option<Self> {
        let way = way_of(modifiers)?;
        let (id, face): FaceRef = face_at(cx, at)?;
        if !cx.base.selection.contains(&Pick::Face(id, face)) {
            return None;
        }
        let surface = Surface::of(cx.doc(), (id, face))?;
        let grab = (cx.pick)(at)?.point;
        Some(Self {
            stands_for,
            way,
            picks: cx.base.selection.clone(),
            grab: surface.plane.project(grab),
            surface,
            pressed_at: at,
            at,
            arm: None,
            typed: Vec::new(),
            change: Change::Nothing,
        })
    }

    fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.at = at;
        let change = match self.way {
            Way::Slide => self.slid(cx),
            Way::Turn => self.turned(cx),
            Way::Scale => self.scaled(cx),
        };
        if let Some(change) = change {
            self.change = change;
        }
        match self.edit() {
            Some(edit) => Outcome::Preview(edit),
            None => Outcome::Unchanged,
        }
    }

    /// Where the pointer is on the face's plane.
    fn on_plane(&self, cx: &ToolCx<'_>) -> Option<DVec3> {
        meet_drag_plane(
            cx.view,
            cx.ray(self.at),
            self.grab,
            self.surface.plane.normal,
        )
    }

    fn is_free(&self, cx: &ToolCx<'_>) -> bool {
        !cx.grid.enabled
    }

    fn slid(&self, cx: &ToolCx<'_>) -> Option<Change> {
        let moved = self.on_plane(cx)? - self.grab;
        let frame = &self.surface.frame;
        let tile = self.surface.tile_size.as_dvec2();
        let raw = DVec2::new(frame.u.dot(moved), frame.v.dot(moved)) * tile;
        let mut texels = raw;
        for axis in 0..2 {
            texels[axis] = match self.typed.get(axis).copied().flatten() {
                Some(typed) => typed,
                None if self.is_free(cx) => raw[axis],
                None => self
                    .onto_vertex(cx.view, axis, raw[axis])
                    .unwrap_or_else(|| snap(raw[axis], cx.grid.step())),
            };
        }
        Some(Change::Slid(texels))
    }

    /// Texels along an axis that put a side of a repeat onto a vertex of the face, if one is near.
    fn onto_vertex(&self, view: &View, axis: usize, texels: f64) -> Option<f64> {
        let tile = f64::from(self.surface.tile_size[axis]);
        let (along_u, along_v) = self.surface.frame.tangents(self.surface.plane.normal)?;
        let repeat = if axis == 0 { along_u } else { along_v }.length();
        self.surface
            .corners
            .iter()
            .filter_map(|&corner| {
                let here = self.surface.frame.at(corner)[axis] - texels / tile;
                let off = here - here.round();
                let points = off.abs() * repeat / view.units_per_point(corner);
                (points <= NEAR).then_some((points, texels + off * tile))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, texels)| texels)
    }

    fn turned(&mut self, cx: &ToolCx<'_>) -> Option<Change> {
        if let Some(typed) = self.typed.first().copied().flatten() {
            return Some(Change::TurnedDeg(typed));
        }
        let arm = self.on_plane(cx)? - self.grab;
        let Some(from) = self.arm else {
            if self.at.distance(self.pressed_at) >= ARM {
                self.arm = Some(arm);
            }
            return Some(Change::Nothing);
        };
        let normal = self.surface.plane.normal;
        let angle_deg = from
            .cross(arm)
            .dot(normal)
            .atan2(from.dot(arm))
            .to_degrees();
        let angle_deg = if self.is_free(cx) {
            angle_deg
        } else {
            snap(angle_deg, TURN_DEG)
        };
        Some(Change::TurnedDeg(angle_deg))
    }

    fn scaled(&self, cx: &ToolCx<'_>) -> Option<Change> {
        if let Some(typed) = self.typed.first().copied().flatten() {
            return (typed != 0.0).then_some(Change::Scaled(typed));
        }
        let way = self.at - self.pressed_at;
        let raw = ((way.x - way.y) / DOUBLES).clamp(-10.0, 10.0).exp2();
        if self.is_free(cx) {
            return Some(Change::Scaled(raw));
        }
        let scale = 1.0 / (self.surface.frame.u.length() * f64::from(self.surface.tile_size.x));
        let stepped = snap(scale * raw, SCALE_STEP).max(SCALE_STEP) / scale;
        let is_still = way.length() < 1.0;
        Some(Change::Scaled(if is_still {
            1.0
        } else {
            self.scale_onto_vertex(cx.view, raw).unwrap_or(stepped)
        }))
    }

    /// The factor near `raw` that puts a side of a repeat onto a vertex of the face.
    fn scale_onto_vertex(&self, view: &View, raw: f64) -> Option<f64> {
        let frame = &self.surface.frame;
        let held = frame.at(self.grab);
        let (along_u, along_v) = frame.tangents(self.surface.plane.normal)?;
        let mut best: Option<(f64, f64)> = None;
        for &corner in &self.surface.corners {
            for (axis, along) in [along_u, along_v].into_iter().enumerate() {
                let off = frame.at(corner)[axis] - held[axis];
                let whole = (held[axis] + off / raw).round();
                let factor = off / (whole - held[axis]);
                if !factor.is_finite() || factor <= 0.0 {
                    continue;
                }
                let missed = (held[axis] + off / raw - whole).abs() * raw * along.length();
                let points = missed / view.units_per_point(corner);
                if points <= NEAR && best.is_none_or(|(least, _)| points < least) {
                    best = Some((points, factor));
                }
            }
        }
        best.map(|(_, factor)| factor)
    }

    fn edit(&self) -> Option<Edit> {
        let (change, grab) = (self.change, self.grab);
        let label = match change {
            Change::Nothing => return None,
            Change::Slid(texels) if texels == DVec2::ZERO => return None,
            Change::TurnedDeg(0.0) | Change::Scaled(1.0) => return None,
            Change::Slid(_) => "Slide texture",
            Change::TurnedDeg(_) => "Rotate texture",
            Change::Scaled(_) => "Scale texture",
        };
        let new = move |surface: &Surface| changed(surface, change, grab);
        Some(faces::change_surfaces(label, self.picks.clone(), new))
    }
}

/// Other selected faces turn and scale about the same point if they lie on its plane, else about their own middle.
fn changed(surface: &Surface, change: Change, grab: DVec3) -> UvAxes {
    let about = if surface.plane.distance(grab).abs() < 0.1 {
        grab
    } else {
        surface.center()
    };
    match change {
        Change::Nothing => surface.frame,
        Change::Slid(texels) => surface
            .frame
            .shifted(-texels / surface.tile_size.as_dvec2()),
        Change::TurnedDeg(angle_deg) => {
            surface
                .frame
                .rotated(surface.plane.normal, about, angle_deg)
        }
        Change::Scaled(factor) => surface.frame.scaled(about, DVec2::splat(factor)),
    }
}

impl Tool for Slide {
    fn kind(&self) -> ToolKind {
        self.stands_for
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Begin { at, .. } | Gesture::Drag { at } => self.drag(cx, at),
            Gesture::End => match self.edit() {
                Some(edit) => Outcome::Commit(edit),
                None => Outcome::Unchanged,
            },
            Gesture::Cancel => Outcome::Cancel,
            Gesture::Hover { .. } | Gesture::Click { .. } | Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, _cx: &ToolCx<'_>, out: &mut Overlay) {
        let corners = &self.surface.corners;
        let next = corners.iter().copied().cycle().skip(1);
        out.lines
            .extend(corners.iter().copied().zip(next).map(|(from, to)| Line {
                from,
                to,
                role: Role::Guide,
                width: 1.5,
                through: true,
                arrow: false,
                dashed: false,
            }));
        if self.way != Way::Slide {
            out.handles.push(Handle {
                at: self.grab,
                role: Role::HandleSelected,
                hovered: false,
            });
        }
    }

    fn readout(&self) -> Option<Readout> {
        let text = match self.change {
            Change::Nothing => match self.way {
                Way::Slide => "0, 0 texels".to_owned(),
                Way::Turn => "0 deg".to_owned(),
                Way::Scale => "x 1".to_owned(),
            },
            Change::Slid(texels) => format!("{}, {} texels", signed(texels.x), signed(texels.y)),
            Change::TurnedDeg(angle_deg) => format!("{} deg", signed(angle_deg)),
            Change::Scaled(factor) => format!("x {}", shortest(factor)),
        };
        Some(Readout {
            text,
            refused: false,
        })
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        match self.way {
            Way::Slide => SLIDING,
            Way::Turn => TURNING,
            Way::Scale => SCALING,
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Move
    }

    fn reset(&mut self) {
        self.change = Change::Nothing;
    }

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        match self.way {
            Way::Slide => &["U", "V"],
            Way::Turn => &["Angle"],
            Way::Scale => &["Factor"],
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.typed = values.to_vec();
        self.drag(cx, self.at)
    }
}
