//! Marks that some views show besides the map: portals and collision of the build, boxes around objects.

use crate::editor::toggles::ShownOf;
use crate::viewport::passes::draw::Painter;
use crate::viewport::scene::BOX_VERTICES;
use crate::viewport::scene::Built;

impl Painter<'_> {
    pub(super) fn of_build(&mut self) {
        let scene = self.scene;
        let pipelines = &scene.pipelines;
        if self.options.collision {
            self.built(&scene.collision, &pipelines.area_front);
        }
        if self.options.portals {
            self.built(&scene.portals, &pipelines.area);
        }
    }

    /// Areas in 3D, outlines everywhere.
    fn built(&mut self, built: &Built, areas: &wgpu::RenderPipeline) {
        let flat = self.view.is_2d();
        if let Some(buffer) = built.areas.buffer().filter(|_| !flat) {
            self.pass.set_pipeline(areas);
            self.pass.set_vertex_buffer(0, buffer.slice(..));
            self.pass.draw(0..built.area_vertices, 0..1);
        }
        if let Some(group) = &built.lines_group {
            let pipelines = &self.scene.pipelines;
            self.pass.set_pipeline(if flat {
                &pipelines.line_always
            } else {
                &pipelines.line
            });
            self.pass.set_bind_group(1, group, &[]);
            self.pass.draw(0..built.line_count * 6, 0..1);
        }
    }

    /// Boxes along the axes.
    pub(super) fn boxes(&mut self) {
        let scene = self.scene;
        let boxes = match self.options.bounds_of {
            ShownOf::Nothing => return,
            ShownOf::Selection => &scene.boxes[0],
            ShownOf::Everything => &scene.boxes[1],
        };
        let Some(group) = boxes.group.as_ref().filter(|_| boxes.count > 0) else {
            return;
        };
        self.pass.set_pipeline(if self.view.is_2d() {
            &scene.pipelines.boxes_always
        } else {
            &scene.pipelines.boxes
        });
        self.pass.set_bind_group(1, group, &[]);
        self.pass.draw(0..boxes.count * BOX_VERTICES, 0..1);
    }
}
