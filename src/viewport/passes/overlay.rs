//! Lines and areas of tools as the device takes them.

use glam::DVec3;

use crate::editor::overlay::Overlay;
use crate::editor::view::View;
use crate::viewport::Colors;
use crate::viewport::colors::linear;

/// `Line` of `shaders/overlay.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct LineData {
    /// w: width in points.
    pub a: [f32; 4],
    /// w: 1 = dashed.
    pub b: [f32; 4],
    /// Linear.
    pub color: [f32; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct AreaVertex {
    position: [f32; 3],
    /// Linear.
    color: [f32; 4],
}

impl AreaVertex {
    /// `color`: linear.
    pub(crate) fn new(position_in_map: DVec3, color: [f32; 4]) -> Self {
        Self {
            position: position_in_map.as_vec3().to_array(),
            color,
        }
    }
}

/// Length of an arrow's head in points.
const HEAD_POINTS: f64 = 10.0;

/// All that one draw adds to the scene: first what depth hides, then what it does not.
#[derive(Default)]
pub(crate) struct Gathered {
    pub lines: Vec<LineData>,
    /// The first so many are hidden by what is in front.
    pub tested_lines: u32,
    pub areas: Vec<AreaVertex>,
}

impl Gathered {
    /// `more`: lines of the selection, tested.
    pub(crate) fn new(
        overlay: &Overlay,
        view: &View,
        colors: &Colors,
        more: Vec<LineData>,
    ) -> Self {
        let mut gathered = Self {
            lines: more,
            ..Self::default()
        };
        for through in [false, true] {
            for line in overlay.lines.iter().filter(|line| line.through == through) {
                let color = linear(colors.of_role(line.role), 1.0);
                let mut add = |from: DVec3, to: DVec3, dashed: bool| {
                    if from.is_finite() && to.is_finite() {
                        let a = from.as_vec3().extend(line.width).to_array();
                        gathered.lines.push(LineData {
                            a,
                            b: to.as_vec3().extend(f32::from(u8::from(dashed))).to_array(),
                            color,
                        });
                    }
                };
                add(line.from, line.to, line.dashed);
                if line.arrow {
                    for wing in arrow_head(view, line.from, line.to) {
                        add(line.to, wing, false);
                    }
                }
            }
            if !through {
                gathered.tested_lines = gathered.lines.len() as u32;
            }
        }
        for area in &overlay.areas {
            let color = linear(colors.of_role(area.role), area.alpha.clamp(0.0, 1.0));
            let corner = |at: usize| AreaVertex {
                position: area.corners[at].as_vec3().to_array(),
                color,
            };
            if area.corners.iter().all(|corner| corner.is_finite()) {
                for at in 2..area.corners.len() {
                    gathered
                        .areas
                        .extend([corner(0), corner(at - 1), corner(at)]);
                }
            }
        }
        gathered
    }
}

/// Ends of the two strokes of a head at `to`, of constant size on screen.
fn arrow_head(view: &View, from: DVec3, to: DVec3) -> Vec<DVec3> {
    let Some(dir) = (to - from).try_normalize() else {
        return Vec::new();
    };
    let towards = if view.is_2d() {
        view.forward()
    } else {
        (to - view.eye).normalize_or(view.forward())
    };
    let Some(side) = dir.cross(towards).try_normalize() else {
        return Vec::new();
    };
    let size = view.units_per_point(to) * HEAD_POINTS;
    [1.0, -1.0]
        .map(|sign| to + (side * sign * 0.5 - dir) * size)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::overlay::Area;
    use crate::editor::overlay::Line;
    use crate::editor::overlay::Role;

    #[test]
    fn lines_are_ordered_by_depth_and_arrows_have_heads() {
        let line = Line {
            from: DVec3::ZERO,
            to: DVec3::X * 64.0,
            role: Role::Leak,
            width: 3.0,
            through: true,
            arrow: true,
            dashed: true,
        };
        let overlay = Overlay {
            lines: vec![
                line,
                Line {
                    through: false,
                    arrow: false,
                    ..line
                },
                Line {
                    from: DVec3::NAN,
                    ..line
                },
            ],
            areas: vec![Area {
                corners: vec![DVec3::ZERO, DVec3::X, DVec3::ONE, DVec3::Y],
                role: Role::Refused,
                alpha: 0.5,
            }],
            ..Overlay::default()
        };
        let gathered = Gathered::new(&overlay, &View::default(), &Colors::DARK, Vec::new());
        assert_eq!(
            (
                gathered.lines.len(),
                gathered.tested_lines,
                gathered.areas.len()
            ),
            (1 + 3, 1, 6)
        );
        assert_eq!(gathered.lines[1].b[3], 1.0, "dashed");
        assert_eq!(gathered.lines[2].b[3], 0.0, "heads are not dashed");
    }
}
