//! Panes: which views are shown, how they share the space, and how they are kept in the map (VIEW-1, CAM-12).

use serde::Deserialize;
use serde::Serialize;

use glam::Vec3;

use crate::document::Camera;
use crate::document::CameraKind;
use crate::document::ViewState;
use crate::editor::view::RenderMode;
use crate::editor::view::View;
use crate::editor::view::ViewKind;

/// Most panes at once.
pub const MAX_PANES: usize = 4;

/// How many panes are shown and where the splitters are. Kept in the settings for all maps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// 1..=4.
    pub count: usize,
    /// Share of the width that the left column takes, 0.1..=0.9.
    pub split_x: f64,
    /// Share of the height that the upper row takes.
    pub split_y: f64,
    /// The pane that fills everything for a while.
    pub maximised: Option<usize>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            count: MAX_PANES,
            split_x: 0.56,
            split_y: 0.54,
            maximised: None,
        }
    }
}

/// A pane's place as shares of the whole area: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaneRect {
    pub pane: usize,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Layout {
    /// The panes that are shown.
    #[must_use]
    pub fn visible(&self) -> Vec<usize> {
        match self.maximised {
            Some(pane) if pane < MAX_PANES => vec![pane],
            _ => (0..self.count.clamp(1, MAX_PANES)).collect(),
        }
    }

    /// Where the shown panes are: one fills all; two stand side by side; three are one at the left and two at the right;
    /// four are a cross.
    #[must_use]
    pub fn rects(&self) -> Vec<PaneRect> {
        let sound = |share: f64| {
            if share.is_finite() {
                share.clamp(0.1, 0.9)
            } else {
                0.5
            }
        };
        let (x, y) = (sound(self.split_x), sound(self.split_y));
        let rect = |pane, x, y, width, height| PaneRect {
            pane,
            x,
            y,
            width,
            height,
        };
        let visible = self.visible();
        match *visible {
            [pane] => vec![rect(pane, 0.0, 0.0, 1.0, 1.0)],
            [a, b] => vec![rect(a, 0.0, 0.0, x, 1.0), rect(b, x, 0.0, 1.0 - x, 1.0)],
            [a, b, c] => vec![
                rect(a, 0.0, 0.0, x, 1.0),
                rect(b, x, 0.0, 1.0 - x, y),
                rect(c, x, y, 1.0 - x, 1.0 - y),
            ],
            [a, b, c, d] => vec![
                rect(a, 0.0, 0.0, x, y),
                rect(b, x, 0.0, 1.0 - x, y),
                rect(c, 0.0, y, x, 1.0 - y),
                rect(d, x, y, 1.0 - x, 1.0 - y),
            ],
            _ => Vec::new(),
        }
    }

    /// A layout read from a file, with numbers that make no sense replaced.
    #[must_use]
    pub fn sound(mut self) -> Self {
        let default = Self::default();
        let share = |value: f64, default: f64| {
            if value.is_finite() {
                value.clamp(0.1, 0.9)
            } else {
                default
            }
        };
        self.count = self.count.clamp(1, MAX_PANES);
        self.split_x = share(self.split_x, default.split_x);
        self.split_y = share(self.split_y, default.split_y);
        self.maximised = self.maximised.filter(|&pane| pane < MAX_PANES);
        self
    }
}

/// 3D, Top, Front, Side.
#[must_use]
pub fn default_panes() -> Vec<View> {
    [
        ViewKind::Perspective,
        ViewKind::Top,
        ViewKind::Front,
        ViewKind::Side,
    ]
    .map(|kind| View {
        kind,
        // Textured until there is a build, its baked light from then on.
        mode: if kind == ViewKind::Perspective {
            RenderMode::Lit
        } else {
            RenderMode::Wire
        },
        ..View::default()
    })
    .into()
}

/// True for the editor's own viewports (`~1`), which stand after all other cameras (`hmap.md` 6.3).
#[must_use]
pub fn is_pane_camera(camera: &Camera) -> bool {
    camera.name.strip_prefix('~').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Puts the panes behind the other cameras of the view state.
pub fn store_panes(look: &mut ViewState, panes: &[View]) {
    let old: Vec<u32> = look
        .cameras
        .iter()
        .filter(|camera| is_pane_camera(camera))
        .map(|camera| camera.flags)
        .collect();
    look.cameras.retain(|camera| !is_pane_camera(camera));
    let others = look.cameras.len();
    look.active_camera = look
        .active_camera
        .filter(|&index| (index as usize) < others);
    look.cameras
        .extend(panes.iter().enumerate().map(|(index, view)| Camera {
            // Bits beyond the mode are another program's; they stay.
            flags: (old.get(index).copied().unwrap_or(0) & !0xf) | view.mode as u32,
            ..camera_of(view, format!("~{}", index + 1))
        }));
}

/// The panes kept in a view state, by number; missing ones are `None`.
#[must_use]
pub fn stored_panes(look: &ViewState) -> [Option<View>; MAX_PANES] {
    let mut panes = [None, None, None, None];
    for camera in look.cameras.iter().filter(|camera| is_pane_camera(camera)) {
        let number: usize = camera.name[1..].parse().unwrap_or(0);
        if (1..=MAX_PANES).contains(&number)
            && let Some(view) = view_of(camera)
        {
            panes[number - 1] = Some(view);
        }
    }
    panes
}

pub(crate) fn camera_of(view: &View, name: String) -> Camera {
    let perspective = view.kind == ViewKind::Perspective;
    Camera {
        name,
        kind: match view.kind {
            ViewKind::Perspective => CameraKind::Perspective,
            ViewKind::Top => CameraKind::Top,
            ViewKind::Front => CameraKind::Front,
            ViewKind::Side => CameraKind::Side,
        },
        flags: view.mode as u32,
        eye: view.eye.as_vec3(),
        angles_deg: if perspective {
            Vec3::new(view.pitch_deg as f32, view.yaw_deg as f32, 0.0)
        } else {
            Vec3::ZERO
        },
        fov_y_deg: if perspective {
            view.fov_y_deg as f32
        } else {
            0.0
        },
        ortho_height: if perspective {
            0.0
        } else {
            (view.size.y / view.points_per_unit) as f32
        },
    }
}

/// A view from a stored camera; `None` when its numbers make no view.
#[must_use]
pub fn view_of(camera: &Camera) -> Option<View> {
    let finite = camera.eye.is_finite()
        && camera.angles_deg.is_finite()
        && camera.fov_y_deg.is_finite()
        && camera.ortho_height.is_finite();
    if !finite {
        return None;
    }
    let default = View::default();
    let kind = match camera.kind {
        CameraKind::Perspective => ViewKind::Perspective,
        CameraKind::Top => ViewKind::Top,
        CameraKind::Front => ViewKind::Front,
        CameraKind::Side => ViewKind::Side,
    };
    let mode = match camera.flags & 0xf {
        0 => RenderMode::Lit,
        2 => RenderMode::Flat,
        3 => RenderMode::Wire,
        _ => RenderMode::Textured,
    };
    let height = f64::from(camera.ortho_height);
    let points_per_unit = if height > 0.0 {
        (default.size.y / height).clamp(super::camera::MIN_ZOOM, super::camera::MAX_ZOOM)
    } else {
        default.points_per_unit
    };
    let fov = f64::from(camera.fov_y_deg);
    Some(View {
        kind,
        mode,
        eye: camera.eye.as_dvec3(),
        pitch_deg: f64::from(camera.angles_deg.x).clamp(-89.0, 89.0),
        yaw_deg: f64::from(camera.angles_deg.y),
        fov_y_deg: if kind == ViewKind::Perspective && fov > 0.0 {
            fov.clamp(10.0, 110.0)
        } else {
            default.fov_y_deg
        },
        points_per_unit,
        ..default
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_the_area_without_overlap() {
        for count in 1..=4 {
            let rects = Layout {
                count,
                ..Layout::default()
            }
            .rects();
            assert_eq!(rects.len(), count);
            let area: f64 = rects.iter().map(|rect| rect.width * rect.height).sum();
            assert!((area - 1.0).abs() < 1e-12, "{count}: {area}");
        }
        assert_eq!(
            Layout {
                maximised: Some(2),
                ..Layout::default()
            }
            .visible(),
            [2]
        );
    }

    #[test]
    fn panes_come_back_from_the_view_state() {
        let mut look = ViewState::default();
        look.cameras.push(Camera {
            name: "look".into(),
            ..camera_of(&View::default(), String::new())
        });
        let mut panes = default_panes();
        panes[0].mode = RenderMode::Flat;
        panes[1].points_per_unit = 2.0;
        panes[1].eye = glam::DVec3::new(1.0, 2.0, 3.0);
        store_panes(&mut look, &panes);
        store_panes(&mut look, &panes);
        assert_eq!(
            look.cameras
                .iter()
                .map(|camera| camera.name.as_str())
                .collect::<Vec<_>>(),
            ["look", "~1", "~2", "~3", "~4"]
        );
        let stored = stored_panes(&look);
        for (pane, stored) in panes.iter().zip(&stored) {
            let stored = stored.as_ref().expect("stored");
            assert_eq!(
                (stored.kind, stored.mode, stored.eye),
                (pane.kind, pane.mode, pane.eye)
            );
            assert!((stored.points_per_unit - pane.points_per_unit).abs() < 1e-6);
        }
    }
}
