//! What the component tools draw besides handles: picked edges and faces, the rectangle.

use glam::DVec2;

use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::tools::ToolCx;
use crate::editor::tools::components::ComponentTool;
use crate::editor::tools::components::Rectangle;

/// Depth at which the rectangle is drawn in 3D, in units before the eye.
const RECTANGLE_DEPTH: f64 = 16.0;

impl ComponentTool {
    /// Picked edges, and the outlines of picked faces.
    pub(super) fn picked_lines(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        let kind = self.component();
        if kind == ComponentKind::Vertex {
            return;
        }
        for (id, index) in components::of_kind(&cx.base.selection, kind) {
            let Some(shape) = self.handles.shape(id) else {
                continue;
            };
            let corners = shape.positions(kind, index);
            let sides = if kind == ComponentKind::Edge {
                1
            } else {
                corners.len()
            };
            if corners.len() < 2 {
                continue;
            }
            for i in 0..sides {
                out.lines.push(Line {
                    from: corners[i],
                    to: corners[(i + 1) % corners.len()],
                    role: Role::HandleSelected,
                    width: 2.5,
                    through: true,
                    arrow: false,
                    dashed: false,
                });
            }
        }
    }
}

pub(super) fn rectangle_lines(rectangle: &Rectangle, out: &mut Overlay) {
    let (a, b) = (rectangle.from, rectangle.to);
    let view = &rectangle.view;
    let depth = |at: DVec2| {
        let ray = view.ray(at);
        if view.is_2d() {
            (view.eye - ray.origin).dot(ray.dir)
        } else {
            RECTANGLE_DEPTH
        }
    };
    let corners = [a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)]
        .map(|corner| view.ray(corner).at(depth(corner)));
    for (i, &from) in corners.iter().enumerate() {
        out.lines.push(Line {
            from,
            to: corners[(i + 1) % 4],
            role: Role::Guide,
            width: 1.0,
            through: true,
            arrow: false,
            dashed: true,
        });
    }
}
