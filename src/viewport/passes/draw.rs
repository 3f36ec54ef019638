//! One view, from the first clear to the last line.

use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::editor::overlay::Overlay;
use crate::editor::shown::Showing;
use crate::editor::shown::Shows;
use crate::editor::toggles::ShownOf;
use crate::editor::view::RenderMode;
use crate::editor::view::View;
use crate::viewport::DrawOptions;
use crate::viewport::Edges;
use crate::viewport::Gpu;
use crate::viewport::Scene;
use crate::viewport::Target;
use crate::viewport::colors::linear;
use crate::viewport::passes::Frame;
use crate::viewport::passes::Gathered;
use crate::viewport::passes::LineData;
use crate::viewport::passes::frame::background;
use crate::viewport::passes::frustum::Frustum;
use crate::viewport::scene::GpuPreview;
use crate::viewport::scene::surface::Pass;

/// Instance numbers that tell the shaders what a draw is for: `edges.wgsl`, `world.wgsl` (`fs_tint`) and `preview.wgsl`.
pub(super) mod style {
    pub const PLAIN: u32 = 0;
    pub const SELECTED: u32 = 1;
    pub const BEHIND: u32 = 2;
    pub const HOVER: u32 = 3;
    pub const TINT_OBJECT: u32 = 0;
    pub const TINT_FACE: u32 = 1;
    pub const TINT_HOVER: u32 = 2;
    pub const TINT_2D: u32 = 3;
    pub const LIT: u32 = 0;
    pub const UNLIT: u32 = 1;
}

/// A view being drawn.
pub(super) struct Painter<'a> {
    pub(super) scene: &'a Scene,
    pub(super) view: &'a View,
    pub(super) options: &'a DrawOptions,
    pub(super) frustum: Frustum,
    /// By number of chunk.
    pub(super) chunks: Vec<bool>,
    pub(super) pass: wgpu::RenderPass<'a>,
}

pub(crate) fn draw(
    scene: &mut Scene,
    gpu: &Gpu,
    view: &View,
    options: &DrawOptions,
    overlay: &Overlay,
    target: &Target,
) {
    if !gpu.is_lost() {
        let commands = encode(scene, gpu, view, options, overlay, target);
        gpu.queue.submit([commands]);
    }
}

/// The commands of one view, and what they need on its way to the device.
pub(crate) fn encode(
    scene: &mut Scene,
    gpu: &Gpu,
    view: &View,
    options: &DrawOptions,
    overlay: &Overlay,
    target: &Target,
) -> wgpu::CommandBuffer {
    let stale = scene
        .preview
        .as_ref()
        .and_then(|entry| entry.stale.as_ref());
    let frame = Frame::new(view, options, target.size(), stale.is_some());
    gpu.queue
        .write_buffer(&scene.frame, 0, bytemuck::bytes_of(&frame));
    scene.lists.update(gpu, &scene.store, stale, options.hover);
    let gathered = Gathered::new(
        overlay,
        view,
        &options.colors,
        face_outlines(scene, options),
    );
    if scene.lines.replace(gpu, &gathered.lines)
        && let Some(lines) = scene.lines.buffer()
    {
        scene.lines_group = Some(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("overlay lines"),
            layout: &scene.pipelines.lines_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: lines.as_entire_binding(),
            }],
        }));
    }
    scene.areas.replace(gpu, &gathered.areas);
    make_extras(scene, gpu, options);

    let scene = &*scene;
    let mut encoder = gpu
        .device
        .create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("view"),
        });
    let [r, g, b, _] = linear(background(view, options), 1.0).map(f64::from);
    let pass = encoder
        .begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("view"),
            color_attachments: &[Some(target.color_attachment(wgpu::Color {
                r,
                g,
                b,
                a: 1.0,
            }))],
            depth_stencil_attachment: Some(target.depth_attachment()),
            ..Default::default()
        })
        .forget_lifetime();
    let frustum = Frustum::of(view);
    let sees = |chunk| {
        scene
            .store
            .chunk_bounds(chunk)
            .is_some_and(|bounds| frustum.sees(bounds))
    };
    let chunks = (0..scene.store.chunk_count()).map(sees).collect();
    let mut painter = Painter {
        scene,
        view,
        options,
        frustum,
        chunks,
        pass,
    };
    painter.pass.set_bind_group(
        0,
        scene.frame_group.as_ref().unwrap_or(&scene.bare_group),
        &[],
    );
    if view.is_2d() {
        painter.flat_view();
    } else {
        painter.perspective(&frame);
    }
    painter.overlay(&gathered);
    drop(painter);
    encoder.finish()
}

/// What only some views show.
fn make_extras(scene: &mut Scene, gpu: &Gpu, options: &DrawOptions) {
    let layout = &scene.pipelines.lines_layout;
    let boxes = match options.bounds_of {
        ShownOf::Nothing => None,
        ShownOf::Selection => Some(&mut scene.boxes[0]),
        ShownOf::Everything => Some(&mut scene.boxes[1]),
    };
    if let Some(boxes) = boxes {
        boxes.update(gpu, layout, &scene.store, options.bounds_of);
    }
    if let Some(entry) = &scene.preview {
        let compiled = entry.preview.compiled();
        if options.portals {
            scene.portals.make_portals(gpu, layout, compiled);
        }
        if options.collision {
            scene.collision.make_collision(gpu, layout, compiled);
        }
    }
}

/// Edges of selected faces (and of the one under the pointer), 2 points wide.
fn face_outlines(scene: &Scene, options: &DrawOptions) -> Vec<LineData> {
    let mut lines = Vec::new();
    let mut add = |id, face, color: [f32; 4]| {
        for (slot, run) in scene.store.runs(id, Some(face)) {
            let corners = &scene.store.vertices.get(slot.vertices)
                [run.first as usize..(run.first + run.count) as usize];
            for (at, corner) in corners.iter().enumerate() {
                let ([ax, ay, az], [bx, by, bz]) =
                    (corner.position, corners[(at + 1) % corners.len()].position);
                lines.push(LineData {
                    a: [ax, ay, az, 2.0],
                    b: [bx, by, bz, 0.0],
                    color,
                });
            }
        }
    };
    if options.selection {
        let color = linear(options.colors.selected, 1.0);
        scene
            .store
            .selection()
            .faces()
            .into_iter()
            .filter(|(id, _)| !scene.store.is_hidden(*id))
            .for_each(|(id, face)| add(id, face, color));
    }
    if let Some(Pick::Face(id, face)) = options.hover {
        add(id, face, linear(options.colors.hover, 1.0));
    }
    lines
}

impl Painter<'_> {
    fn perspective(&mut self, frame: &Frame) {
        let pipelines = &self.scene.pipelines;
        let mode = frame.mode();
        let wire = mode == RenderMode::Wire as u32;
        if self.options.xray && !wire {
            return self.looked_through();
        }
        let baked = if mode == RenderMode::Lit as u32 {
            self.scene.preview.as_ref()
        } else {
            None
        };
        let shows = Shows::new(Showing {
            mode: self.view.mode,
            edges: match self.options.edges {
                Edges::ByMode => mode == RenderMode::Flat as u32,
                Edges::Always => true,
                Edges::Never => false,
            },
            tools: self.options.tools,
            xray: self.options.xray,
            is_baked: baked.is_some(),
            sky: self.options.sky,
            overdraw: self.options.overdraw,
            is_inside: self.scene.store.sky().is_around(self.view.eye),
        });
        if shows.overdraw {
            return self.heat(baked, shows);
        }
        if shows.faces {
            match baked {
                Some(preview) => self.baked_opaque(preview),
                None => {
                    self.chunk_lists(Pass::Opaque, &pipelines.opaque);
                    self.chunk_lists(Pass::OpaqueTwoSided, &pipelines.opaque_two_sided);
                }
            }
        }
        if shows.faces && shows.sky {
            self.sky();
        }
        if shows.edges {
            self.edges(false, false);
        } else if shows.sky_edges {
            self.edge_spans(&self.scene.store.sky().segments, false);
        }
        if !shows.edges && shows.tools {
            self.edge_spans(self.scene.store.outlines(), false);
        }
        if self.options.entities {
            self.edges(true, false);
        }
        if shows.faces {
            self.blended(baked);
            if shows.tools {
                self.tools(shows, &pipelines.tool);
            }
        }
        if self.options.entities {
            self.chunk_lists(Pass::Entity, &pipelines.entity);
        }
        self.of_build();
        self.boxes();
        self.marks(baked.is_some());
    }

    /// Every face as much as any other, whatever is in front of it; over them the edges of what is selected.
    fn heat(&mut self, baked: Option<&GpuPreview>, shows: Shows) {
        let pipelines = &self.scene.pipelines;
        let passes = [
            (Pass::Opaque, &pipelines.heat),
            (Pass::OpaqueTwoSided, &pipelines.heat_two_sided),
            (Pass::Blend, &pipelines.heat),
            (Pass::BlendTwoSided, &pipelines.heat_two_sided),
        ];
        if let Some(preview) = baked {
            self.baked(preview, &pipelines.heat_preview, false);
            self.baked(preview, &pipelines.heat_preview, true);
        }
        for (pass, pipeline) in passes {
            if baked.is_some() {
                self.stale_lists(pass, pipeline);
            } else {
                self.chunk_lists(pass, pipeline);
            }
        }
        if shows.sky {
            self.sky_heat(&pipelines.heat);
        }
        if shows.tools {
            self.tools(shows, &pipelines.heat);
        }
        self.boxes();
        if self.options.selection {
            let spans = self.scene.store.selected_segments();
            self.segments(&pipelines.wide, spans, style::SELECTED);
        }
        self.hover(&pipelines.wide);
    }

    /// Every face a quarter opaque, from both sides, and all edges.
    fn looked_through(&mut self) {
        let pipelines = &self.scene.pipelines;
        for pass in [
            Pass::Opaque,
            Pass::OpaqueTwoSided,
            Pass::Blend,
            Pass::BlendTwoSided,
        ] {
            self.chunk_lists(pass, &pipelines.blend_two_sided);
        }
        self.edges(false, false);
        if self.options.entities {
            self.edges(true, false);
            self.chunk_lists(Pass::Entity, &pipelines.entity);
        }
        self.of_build();
        self.boxes();
        self.marks(false);
    }

    fn flat_view(&mut self) {
        if self.options.grid.is_some() {
            self.pass.set_pipeline(&self.scene.pipelines.grid);
            self.pass.draw(0..3, 0..1);
        }
        let lists = &self.scene.lists;
        if self.options.selection {
            let pipeline = &self.scene.pipelines.tint_always;
            self.tint(pipeline, lists.selected, style::TINT_2D);
            self.tint(pipeline, lists.selected_sky, style::TINT_2D);
            self.tint(pipeline, lists.selected_faces, style::TINT_FACE);
        }
        self.edges(false, true);
        if self.options.entities {
            self.edges(true, true);
        }
        self.of_build();
        self.boxes();
        let wide = &self.scene.pipelines.wide_always;
        if self.options.selection {
            self.segments(wide, self.scene.store.selected_segments(), style::SELECTED);
        }
        self.hover(wide);
    }

    /// Selection and hover in 3D.
    fn marks(&mut self, baked: bool) {
        let pipelines = &self.scene.pipelines;
        let lists = &self.scene.lists;
        if self.options.selection {
            // Faces of the document are tinted where they are drawn.
            if baked {
                self.tint(&pipelines.tint, lists.selected, style::TINT_OBJECT);
            }
            self.tint(&pipelines.tint, lists.selected_sky, style::TINT_OBJECT);
            self.tint(&pipelines.tint, lists.selected_faces, style::TINT_FACE);
            let spans = self.scene.store.selected_segments();
            self.segments(&pipelines.wide_behind, spans, style::BEHIND);
            self.segments(&pipelines.wide, spans, style::SELECTED);
        }
        self.tint(&pipelines.tint, lists.hovered, style::TINT_HOVER);
        self.hover(&pipelines.wide);
    }

    fn hover(&mut self, pipeline: &wgpu::RenderPipeline) {
        let Some(Pick::Object(id)) = self.options.hover else {
            return;
        };
        let objects = self.scene.store.doc().subtree(id);
        let spans = self.scene.store.segment_spans(objects.into_iter());
        self.segments(pipeline, &spans, style::HOVER);
    }
}
