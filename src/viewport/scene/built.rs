//! What the last build holds besides its faces, to be looked at: portals and collision (VIEW-2).

use glam::DVec3;

use crate::compiler::Compiled;
use crate::compiler::collision_faces;
use crate::compiler::portals;
use crate::document::Contents;
use crate::geometry::polygon;
use crate::viewport::Gpu;
use crate::viewport::arena::Mirror;
use crate::viewport::colors::linear;
use crate::viewport::passes::AreaVertex;
use crate::viewport::passes::LineData;

/// Colours that show on dark and light grounds, and how opaque the areas are.
const PORTAL: [u8; 3] = [0x2f, 0xb4, 0xe0];
const PORTAL_ALPHA: f32 = 0.2;
const COLLISION_ALPHA: f32 = 0.35;

/// Points.
const LINE_WIDTH: f32 = 1.0;

/// Polygons on the device: areas and their outlines.
pub(crate) struct Built {
    pub areas: Mirror,
    pub area_vertices: u32,
    lines: Mirror,
    pub lines_group: Option<wgpu::BindGroup>,
    pub line_count: u32,
    is_made: bool,
}

impl Built {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            areas: Mirror::new("areas of the build", wgpu::BufferUsages::VERTEX),
            area_vertices: 0,
            lines: Mirror::new("lines of the build", wgpu::BufferUsages::STORAGE),
            lines_group: None,
            line_count: 0,
            is_made: false,
        }
    }

    pub(crate) fn make_portals(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        compiled: &Compiled,
    ) {
        if !self.is_made {
            let mut shapes = Shapes::default();
            for corners in portals(&compiled.cmpl.bsp) {
                shapes.add(&corners, PORTAL, PORTAL_ALPHA);
            }
            self.send(gpu, layout, &shapes);
        }
    }

    pub(crate) fn make_collision(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        compiled: &Compiled,
    ) {
        if !self.is_made {
            let mut shapes = Shapes::default();
            for face in collision_faces(&compiled.cmpl) {
                let color = color_of(Contents(face.contents));
                shapes.add(&face.corners, color, COLLISION_ALPHA);
            }
            self.send(gpu, layout, &shapes);
        }
    }

    fn send(&mut self, gpu: &Gpu, layout: &wgpu::BindGroupLayout, shapes: &Shapes) {
        self.is_made = true;
        self.areas.replace(gpu, &shapes.areas);
        self.area_vertices = shapes.areas.len() as u32;
        self.lines.replace(gpu, &shapes.lines);
        self.line_count = shapes.lines.len() as u32;
        self.lines_group = self.lines.buffer().map(|buffer| {
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("lines of the build"),
                layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: buffer.as_entire_binding(),
                }],
            })
        });
    }
}

/// By what it does to a player.
fn color_of(contents: Contents) -> [u8; 3] {
    if contents.has(Contents::SOLID) {
        [0xe0, 0x90, 0x30]
    } else if contents.has(Contents::WATER) {
        [0x3a, 0x78, 0xe0]
    } else if contents.has(Contents::SKY) {
        [0x7a, 0x9c, 0xb4]
    } else {
        [0xc8, 0x50, 0xc0]
    }
}

#[derive(Default)]
struct Shapes {
    areas: Vec<AreaVertex>,
    lines: Vec<LineData>,
}

impl Shapes {
    /// A convex polygon, the darker the less it looks up, so that the sides of a solid are told apart.
    fn add(&mut self, corners: &[DVec3], color: [u8; 3], alpha: f32) {
        let Some(normal) = polygon::normal(corners) else {
            return;
        };
        let bright = (0.7 + 0.3 * normal.y - 0.1 * normal.x.abs()) as f32;
        let line = linear(color, 1.0);
        let [red, green, blue, _] = line;
        let shaded = [red * bright, green * bright, blue * bright, alpha];
        let corner = |at: u32| AreaVertex::new(corners[at as usize], shaded);
        for triangle in polygon::fan(corners.len()) {
            self.areas.extend(triangle.map(corner));
        }
        for (at, a) in corners.iter().enumerate() {
            let b = corners[(at + 1) % corners.len()];
            self.lines.push(LineData {
                a: a.as_vec3().extend(LINE_WIDTH).to_array(),
                b: b.as_vec3().extend(0.0).to_array(),
                color: line,
            });
        }
    }
}
