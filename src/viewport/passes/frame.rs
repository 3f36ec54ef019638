//! The uniform of a view: camera, mode, grid, colours.

use glam::DVec2;
use glam::DVec3;
use glam::Mat4;

use crate::editor::fog::Fog;
use crate::editor::fog::FogLaw;
use crate::editor::view::RenderMode;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::viewport::DrawOptions;
use crate::viewport::colors::linear;

const FLAG_ENTITIES: u32 = 1;
const FLAG_TOOLS: u32 = 2;
const FLAG_SELECTION: u32 = 4;
const FLAG_XRAY: u32 = 8;
const FLAG_DOUBLE_LIGHT: u32 = 16;

/// Kinds of fog, as the shaders know them.
const FOG_LINEAR: f32 = 1.0;
const FOG_SQUARED: f32 = 2.0;

/// Faces on the region's sides belong to it, whatever rounding makes of them.
const REGION_MARGIN: f64 = 0.05;

/// Lines of a power that would be closer than this are left out (`look.md` 8).
const CLOSEST_POINTS: f64 = 5.0;

/// Lines are drawn so many pixels' worth nearer than they are.
const LIFT_PIXELS: f64 = 1.5;

/// `Frame` of `shaders/common.wgsl`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Frame {
    clip_from_rel: Mat4,
    anchor: [f32; 4],
    size: [f32; 4],
    pointer: [f32; 4],
    grid_origin: [f32; 4],
    mode: [u32; 4],
    cell: [f32; 4],
    line_x: [f32; 4],
    line_y: [f32; 4],
    axis: [f32; 4],
    region_min: [f32; 4],
    region_max: [f32; 4],
    fog: [f32; 4],
    fog_range: [f32; 4],
    colors: [[f32; 4]; 24],
}

impl Frame {
    /// `size_px`: of the target; its relation to the view's points is the scale of line widths.
    pub(crate) fn new(
        view: &View,
        options: &DrawOptions,
        size_px: (u32, u32),
        lit_is_there: bool,
    ) -> Self {
        let anchor = view.eye.as_vec3();
        let relative = View {
            eye: view.eye - anchor.as_dvec3(),
            ..view.clone()
        };
        let (width, height) = (size_px.0 as f32, size_px.1 as f32);
        let scale = view.pixels_per_point.max(0.01);
        let grid = options.grid.filter(|step| step.is_finite() && *step > 0.0);
        let pointer = options.pointer_in_map.filter(|point| point.is_finite());
        let pointer = match (pointer, grid) {
            (Some(point), Some(step)) if !view.is_2d() => point.as_vec3().extend(step as f32),
            _ => glam::Vec4::ZERO,
        };
        let mode = if view.is_2d() {
            RenderMode::Wire
        } else {
            view.mode
        };
        let mode = if mode == RenderMode::Lit && (!lit_is_there || options.xray) {
            RenderMode::Textured
        } else {
            mode
        };
        let mut flags = 0;
        for (on, bit) in [
            (options.entities, FLAG_ENTITIES),
            (options.tools, FLAG_TOOLS),
            (options.selection, FLAG_SELECTION),
            (options.xray && !view.is_2d(), FLAG_XRAY),
            (options.double_light, FLAG_DOUBLE_LIGHT),
        ] {
            flags |= if on { bit } else { 0 };
        }
        let region = options
            .region
            .map_or(Aabb::new(DVec3::ZERO, DVec3::ZERO), |region| {
                region.grown(REGION_MARGIN)
            });
        let textured = matches!(mode, RenderMode::Lit | RenderMode::Textured);
        let fog = options.fog.filter(|_| textured && !options.xray);
        let (fog, fog_range) = fog.map_or(([0.0; 4], [0.0; 4]), fog_data);
        let mut lines = GridLines::new(view, grid, options.grid_origin, size_px);
        if !view.is_2d() {
            let pixel = 2.0 * (view.fov_y_deg.to_radians() * 0.5).tan() / f64::from(size_px.1);
            lines.axis[2] = (pixel * LIFT_PIXELS) as f32;
        }
        Self {
            clip_from_rel: relative.clip_from_map(),
            anchor: anchor.extend(scale as f32).to_array(),
            size: [width, height, 1.0 / width, 1.0 / height],
            pointer: pointer.to_array(),
            grid_origin: within_cell(options.grid_origin, grid),
            mode: [mode as u32, u32::from(view.is_2d()), flags, 0],
            cell: lines.cell,
            line_x: lines.x,
            line_y: lines.y,
            axis: lines.axis,
            region_min: region
                .min
                .as_vec3()
                .extend(f32::from(u8::from(options.region.is_some())))
                .to_array(),
            region_max: region.max.as_vec3().extend(0.0).to_array(),
            fog,
            fog_range,
            colors: colors(view, options),
        }
    }

    pub(crate) fn mode(&self) -> u32 {
        self.mode[0]
    }
}

/// The three powers of the 2D grid in pixels.
struct GridLines {
    cell: [f32; 4],
    x: [f32; 4],
    y: [f32; 4],
    axis: [f32; 4],
}

impl GridLines {
    fn new(view: &View, grid: Option<f64>, crossing_in_map: DVec3, size_px: (u32, u32)) -> Self {
        let mut lines = Self {
            cell: [0.0; 4],
            x: [0.0; 4],
            y: [0.0; 4],
            axis: [-1e6, -1e6, 0.0, 0.0],
        };
        let Some(step) = grid.filter(|_| view.is_2d()) else {
            return lines;
        };
        let pixels_per_unit = view.points_per_unit * view.pixels_per_point;
        let center = DVec2::new(f64::from(size_px.0), f64::from(size_px.1)) * 0.5;
        // Where a point appears; a hair off so that rounding does not make lines jump.
        let pixel = |point: DVec3| {
            let from_eye = point - view.eye;
            let along = DVec2::new(from_eye.dot(view.right()), -from_eye.dot(view.up()));
            center + along * pixels_per_unit + 1e-3
        };
        let origin = pixel(DVec3::ZERO);
        let crossing = pixel(crossing_in_map);
        for (level, units) in [step, step * 8.0, 1024.0].into_iter().enumerate() {
            let cell = units * pixels_per_unit;
            if units * view.points_per_unit < CLOSEST_POINTS || (level < 2 && units > 1024.0) {
                continue;
            }
            lines.cell[level] = cell as f32;
            lines.x[level] = crossing.x.rem_euclid(cell) as f32;
            lines.y[level] = crossing.y.rem_euclid(cell) as f32;
        }
        lines.axis = [
            origin.x.clamp(-1e6, 1e6) as f32,
            origin.y.clamp(-1e6, 1e6) as f32,
            0.0,
            0.0,
        ];
        lines
    }
}

/// The crossing of grid lines that follows the map's origin: its coordinates keep their digits as floats.
fn within_cell(crossing_in_map: DVec3, grid: Option<f64>) -> [f32; 4] {
    let step = grid.unwrap_or(1.0);
    let crossing = crossing_in_map.map(|value| value.rem_euclid(step));
    crossing.as_vec3().extend(0.0).to_array()
}

/// `fog` and `fog_range` of the shaders.
fn fog_data(fog: Fog) -> ([f32; 4], [f32; 4]) {
    match fog.law {
        FogLaw::Linear { start, end } => (
            linear(fog.color, FOG_LINEAR),
            [start, 1.0 / (end - start).max(1e-3), 0.0, 0.0],
        ),
        FogLaw::Squared { density } => (linear(fog.color, FOG_SQUARED), [0.0, density, 0.0, 0.0]),
    }
}

fn colors(view: &View, options: &DrawOptions) -> [[f32; 4]; 24] {
    let from = &options.colors;
    let mut list = [[0.0; 4]; 24];
    let mut set = |at: usize, rgb: [u8; 3]| list[at] = linear(rgb, 1.0);
    set(0, from.brush);
    set(1, from.brush_entity);
    set(2, from.mesh);
    for (family, &color) in from.entity.iter().enumerate() {
        set(3 + family, color);
    }
    set(10, from.selected);
    set(11, from.hover);
    set(12, from.locked);
    set(13, from.grid_minor);
    set(14, from.grid_major);
    set(15, from.grid_super);
    set(16, axis_color(from.axis, view.right()));
    set(17, axis_color(from.axis, view.up()));
    set(18, from.grid_3d);
    set(19, background(view, options));
    list
}

/// The colour of the axis that a direction of a 2D view runs along.
fn axis_color(axis: [[u8; 3]; 3], direction: DVec3) -> [u8; 3] {
    let along = direction.abs();
    if along.x >= along.y && along.x >= along.z {
        axis[0]
    } else if along.y >= along.z {
        axis[1]
    } else {
        axis[2]
    }
}

pub(crate) fn background(view: &View, options: &DrawOptions) -> [u8; 3] {
    if view.is_2d() {
        options.colors.background_2d
    } else if options.overdraw {
        [0; 3]
    } else {
        options.colors.background_3d
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::view::ViewKind;

    #[test]
    fn grid_powers_closer_than_five_points_are_left_out() {
        let check = |points_per_unit: f64, expected: [bool; 3]| {
            let view = View {
                kind: ViewKind::Top,
                points_per_unit,
                ..View::default()
            };
            let lines = GridLines::new(&view, Some(16.0), DVec3::ZERO, (640, 480));
            assert_eq!(
                [0, 1, 2].map(|level| lines.cell[level] > 0.0),
                expected,
                "{points_per_unit}"
            );
        };
        check(1.0, [true, true, true]);
        check(0.1, [false, true, true]);
        check(0.01, [false, false, true]);
        check(0.001, [false, false, false]);
        // Lines are not moved where there is no grid either.
        let bare = GridLines::new(
            &View {
                kind: ViewKind::Top,
                ..View::default()
            },
            None,
            DVec3::ZERO,
            (640, 480),
        );
        assert_eq!(bare.axis[2], 0.0);
    }

    #[test]
    fn lines_pass_through_the_origin() {
        let view = View {
            kind: ViewKind::Front,
            eye: DVec3::new(100.0, 40.0, 7.0),
            points_per_unit: 2.0,
            ..View::default()
        };
        let lines = GridLines::new(&view, Some(16.0), DVec3::ZERO, (640, 480));
        assert!((lines.axis[0] - 120.0).abs() < 0.01 && (lines.axis[1] - 320.0).abs() < 0.01);
        assert!((lines.x[0] - 120.0f32.rem_euclid(32.0)).abs() < 0.01);
        assert!((lines.y[0] - 320.0f32.rem_euclid(32.0)).abs() < 0.01);
        // Two units to the right and three up of it, the axes where they were.
        let moved = GridLines::new(&view, Some(16.0), DVec3::new(2.0, 35.0, 9.0), (640, 480));
        assert_eq!(moved.axis, lines.axis);
        assert!((moved.x[0] - 124.0f32.rem_euclid(32.0)).abs() < 0.01);
        assert!((moved.y[0] - 314.0f32.rem_euclid(32.0)).abs() < 0.01);
        assert_eq!(
            within_cell(DVec3::new(-3.0, 35.0, 0.0), Some(16.0)),
            [13.0, 3.0, 0.0, 0.0]
        );
    }
}
