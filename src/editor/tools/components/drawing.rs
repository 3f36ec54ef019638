//! What the component tools draw besides handles: picked edges and faces.

use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::editor::tools::ToolCx;
use crate::editor::tools::components::ComponentTool;

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
