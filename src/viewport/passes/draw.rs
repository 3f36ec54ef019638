//! One view, from the first clear to the last line.

use std::ops::Range;

use glam::DVec3;
use glam::DVec4;

use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::document::SurfaceFlags;
use crate::editor::overlay::Overlay;
use crate::editor::shown::FaceKind;
use crate::editor::shown::Showing;
use crate::editor::shown::Shows;
use crate::editor::view::RenderMode;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::viewport::DrawOptions;
use crate::viewport::Edges;
use crate::viewport::Gpu;
use crate::viewport::Scene;
use crate::viewport::Target;
use crate::viewport::arena::Span;
use crate::viewport::arena::joined;
use crate::viewport::colors::linear;
use crate::viewport::passes::Frame;
use crate::viewport::passes::Gathered;
use crate::viewport::passes::LineData;
use crate::viewport::passes::frame::background;
use crate::viewport::scene::GpuPreview;
use crate::viewport::scene::surface::ListKey;
use crate::viewport::scene::surface::Pass;

/// Instance numbers that tell the shaders what a draw is for: `edges.wgsl` and `world.wgsl` (`fs_tint`).
mod style {
    pub const PLAIN: u32 = 0;
    pub const SELECTED: u32 = 1;
    pub const BEHIND: u32 = 2;
    pub const HOVER: u32 = 3;
    pub const TINT_OBJECT: u32 = 0;
    pub const TINT_FACE: u32 = 1;
    pub const TINT_HOVER: u32 = 2;
    pub const TINT_2D: u32 = 3;
}

/// From here on a point is more than a pixel, and lines of the device, which are one pixel wide, would be too thin.
const WIDE_FROM: f64 = 1.5;

/// What a view can see.
struct Frustum {
    /// Inside where `dot(plane.xyz, p) + plane.w >= 0`.
    planes: [DVec4; 5],
}

impl Frustum {
    fn of(view: &View) -> Self {
        let rows = view.clip_from_map().as_dmat4().transpose();
        let [x, y, z, w] = [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis];
        // No far plane: depth is infinite.
        Self {
            planes: [w + x, w - x, w + y, w - y, w - z],
        }
    }

    fn sees(&self, bounds: Aabb) -> bool {
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let farthest = DVec3::select(normal.cmpge(DVec3::ZERO), bounds.max, bounds.min);
            normal.dot(farthest) + plane.w >= 0.0
        })
    }
}

/// A view being drawn.
struct Painter<'a> {
    scene: &'a Scene,
    view: &'a View,
    options: &'a DrawOptions,
    frustum: Frustum,
    /// By number of chunk.
    chunks: Vec<bool>,
    pass: wgpu::RenderPass<'a>,
}

pub(crate) fn draw(
    scene: &mut Scene,
    gpu: &Gpu,
    view: &View,
    options: &DrawOptions,
    overlay: &Overlay,
    target: &Target,
) {
    if gpu.is_lost() {
        return;
    }
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
    gpu.queue.submit([encoder.finish()]);
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
            is_inside: self.scene.store.sky().is_around(self.view.eye),
        });
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
                self.tools(shows);
            }
        }
        if self.options.entities {
            self.chunk_lists(Pass::Entity, &pipelines.entity);
        }
        self.marks(baked.is_some());
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

    fn baked_opaque(&mut self, preview: &GpuPreview) {
        let pipelines = &self.scene.pipelines;
        self.baked(preview, &pipelines.preview, false);
        self.stale_lists(Pass::Opaque, &pipelines.opaque);
        self.stale_lists(Pass::OpaqueTwoSided, &pipelines.opaque_two_sided);
    }

    /// Batches of the build, opaque or translucent ones; the latter from far to near.
    fn baked(&mut self, preview: &GpuPreview, pipeline: &wgpu::RenderPipeline, translucent: bool) {
        let (Some(vertices), Some(indices)) = (preview.vertices.buffer(), preview.indices.buffer())
        else {
            return;
        };
        self.pass.set_pipeline(pipeline);
        self.pass.set_vertex_buffer(0, vertices.slice(..));
        self.pass
            .set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        let mut batches: Vec<_> = preview.preview.batches.iter().collect();
        if translucent {
            batches.sort_by(|a, b| self.distance(b.bounds).total_cmp(&self.distance(a.bounds)));
        }
        for batch in batches {
            let Some(material) = self.scene.materials.get(batch.material) else {
                continue;
            };
            // The sky is drawn from the document, which knows its inner sides.
            if material.is_blended != translucent
                || material.flags.has(SurfaceFlags::SKY)
                || batch.bounds.is_empty()
            {
                continue;
            }
            self.pass.set_bind_group(1, &material.group, &[]);
            for span in batch.visible(|bounds| self.frustum.sees(bounds)) {
                self.pass
                    .draw_indexed(span.start..span.end(), batch.base_vertex, 0..1);
            }
        }
    }

    /// Inner faces of the sky. After the opaque ones: where both lie on one plane, these win.
    fn sky(&mut self) {
        let lists = &self.scene.lists;
        let Some(indices) = lists.buffer.buffer() else {
            return;
        };
        for (key, span) in &lists.sky {
            self.faces(&self.scene.pipelines.sky, indices, *key, &[*span]);
        }
    }

    /// What the game does not draw. Where built light is shown, NODRAW is left out.
    fn tools(&mut self, shows: Shows) {
        let pipeline = &self.scene.pipelines.tool;
        let materials = &self.scene.materials;
        self.chunk_lists_if(Pass::Tool, pipeline, |key| {
            let flags = materials.get(key.material).map(|material| material.flags);
            let has_nodraw = flags.is_some_and(|flags| flags.has(SurfaceFlags::NODRAW));
            shows.kind(FaceKind::Tool, has_nodraw)
        });
    }

    fn stale_lists(&mut self, pass: Pass, pipeline: &wgpu::RenderPipeline) {
        let lists = &self.scene.lists;
        let Some(indices) = lists.buffer.buffer() else {
            return;
        };
        for (key, span) in lists.stale.iter().filter(|(key, _)| key.pass == pass) {
            self.faces(pipeline, indices, *key, &[*span]);
        }
    }

    /// Everything translucent, from far to near by chunk.
    fn blended(&mut self, baked: Option<&GpuPreview>) {
        let pipelines = &self.scene.pipelines;
        if let Some(preview) = baked {
            self.baked(preview, &pipelines.preview_blend, true);
            self.stale_lists(Pass::Blend, &pipelines.blend);
            self.stale_lists(Pass::BlendTwoSided, &pipelines.blend_two_sided);
            return;
        }
        let Some(indices) = self.scene.indices.buffer() else {
            return;
        };
        let mut list: Vec<(f64, ListKey, Span)> = Vec::new();
        for (key, spans) in self
            .scene
            .store
            .lists()
            .iter()
            .filter(|(key, _)| matches!(key.pass, Pass::Blend | Pass::BlendTwoSided))
        {
            for (chunk, span) in spans
                .iter()
                .filter(|(chunk, _)| self.chunks[*chunk as usize])
            {
                let bounds = self.scene.store.chunk_bounds(*chunk).unwrap_or(Aabb::EMPTY);
                list.push((self.distance(bounds), *key, *span));
            }
        }
        list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, key, span) in list {
            let pipeline = if key.pass == Pass::Blend {
                &pipelines.blend
            } else {
                &pipelines.blend_two_sided
            };
            self.faces(pipeline, indices, key, &[span]);
        }
    }

    fn distance(&self, bounds: Aabb) -> f64 {
        if bounds.is_empty() {
            0.0
        } else {
            (bounds.center() - self.view.eye).length()
        }
    }

    /// Faces of the document of one pass, in the chunks that are seen.
    fn chunk_lists(&mut self, pass: Pass, pipeline: &wgpu::RenderPipeline) {
        self.chunk_lists_if(pass, pipeline, |_| true);
    }

    fn chunk_lists_if(
        &mut self,
        pass: Pass,
        pipeline: &wgpu::RenderPipeline,
        wanted: impl Fn(ListKey) -> bool,
    ) {
        let Some(indices) = self.scene.indices.buffer() else {
            return;
        };
        for (key, spans) in self
            .scene
            .store
            .lists()
            .iter()
            .filter(|(key, _)| key.pass == pass && wanted(**key))
        {
            let seen = joined(
                spans
                    .iter()
                    .filter(|(chunk, _)| self.chunks[*chunk as usize])
                    .map(|(_, span)| *span),
            );
            self.faces(pipeline, indices, *key, &seen);
        }
    }

    fn faces(
        &mut self,
        pipeline: &wgpu::RenderPipeline,
        indices: &wgpu::Buffer,
        key: ListKey,
        spans: &[Span],
    ) {
        let (Some(vertices), Some(material)) = (
            self.scene.vertices.buffer(),
            self.scene.materials.get(key.material),
        ) else {
            return;
        };
        if spans.is_empty() || self.scene.frame_group.is_none() {
            return;
        }
        self.pass.set_pipeline(pipeline);
        self.pass.set_vertex_buffer(0, vertices.slice(..));
        self.pass
            .set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        self.pass.set_bind_group(1, &material.group, &[]);
        for span in spans {
            self.pass
                .draw_indexed(span.start..span.end(), 0, style::PLAIN..style::PLAIN + 1);
        }
    }

    fn tint(&mut self, pipeline: &wgpu::RenderPipeline, span: Span, style: u32) {
        let (Some(vertices), Some(indices)) = (
            self.scene.vertices.buffer(),
            self.scene.lists.buffer.buffer(),
        ) else {
            return;
        };
        // The material does not show; the layout wants one.
        let Some(material) = self.scene.materials.get(None) else {
            return;
        };
        if span.len == 0 || self.scene.frame_group.is_none() {
            return;
        }
        self.pass.set_pipeline(pipeline);
        self.pass.set_vertex_buffer(0, vertices.slice(..));
        self.pass
            .set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        self.pass.set_bind_group(1, &material.group, &[]);
        self.pass
            .draw_indexed(span.start..span.end(), 0, style..style + 1);
    }

    /// Edges of the chunks that are seen, one point wide.
    fn edges(&mut self, of_entities: bool, always: bool) {
        let spans = self
            .scene
            .store
            .chunk_segments(of_entities, |chunk| self.chunks[chunk as usize]);
        self.edge_spans(&spans, always);
    }

    fn edge_spans(&mut self, spans: &[Span], always: bool) {
        let pipelines = &self.scene.pipelines;
        if self.view.pixels_per_point >= WIDE_FROM {
            let pipeline = if always {
                &pipelines.wide_always
            } else {
                &pipelines.wide
            };
            self.segments(pipeline, spans, style::PLAIN);
            return;
        }
        if self.scene.frame_group.is_none() {
            return;
        }
        self.pass.set_pipeline(if always {
            &pipelines.thin_always
        } else {
            &pipelines.thin
        });
        for &span in spans {
            self.pass
                .draw(corners(span, 2), style::PLAIN..style::PLAIN + 1);
        }
    }

    /// Edges as quads.
    fn segments(&mut self, pipeline: &wgpu::RenderPipeline, spans: &[Span], style: u32) {
        if spans.is_empty() || self.scene.frame_group.is_none() {
            return;
        }
        self.pass.set_pipeline(pipeline);
        for &span in spans {
            self.pass.draw(corners(span, 6), style..style + 1);
        }
    }

    fn overlay(&mut self, gathered: &Gathered) {
        let pipelines = &self.scene.pipelines;
        let flat = self.view.is_2d();
        if let Some(areas) = self.scene.areas.buffer()
            && !gathered.areas.is_empty()
        {
            self.pass.set_pipeline(if flat {
                &pipelines.area_always
            } else {
                &pipelines.area
            });
            self.pass.set_vertex_buffer(0, areas.slice(..));
            self.pass.draw(0..gathered.areas.len() as u32, 0..1);
        }
        let Some(group) = &self.scene.lines_group else {
            return;
        };
        let all = gathered.lines.len() as u32;
        let through = if flat { 0 } else { gathered.tested_lines };
        for (pipeline, range) in [
            (&pipelines.line, 0..through),
            (&pipelines.line_always, through..all),
        ] {
            if !range.is_empty() {
                self.pass.set_pipeline(pipeline);
                self.pass.set_bind_group(1, group, &[]);
                self.pass.draw(range.start * 6..range.end * 6, 0..1);
            }
        }
    }
}

/// Vertex numbers of segments that have so many each.
fn corners(span: Span, each: u32) -> Range<u32> {
    span.start * each..span.end() * each
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::view::ViewKind;

    #[test]
    fn frustums_see_what_is_in_front_however_far() {
        let view = View {
            eye: DVec3::ZERO,
            pitch_deg: 0.0,
            yaw_deg: 0.0,
            ..View::default()
        };
        let check = |view: &View, center: [f64; 3], expected: bool| {
            let bounds = Aabb::around(DVec3::from(center), DVec3::splat(8.0));
            assert_eq!(Frustum::of(view).sees(bounds), expected, "{center:?}");
        };
        check(&view, [0.0, 0.0, -100.0], true);
        check(&view, [0.0, 0.0, -1e6], true);
        check(&view, [0.0, 0.0, 100.0], false);
        check(&view, [500.0, 0.0, -100.0], false);
        check(&view, [0.0, 500.0, -100.0], false);
        check(&view, [0.0, 0.0, 4.0], true);
        let top = View {
            kind: ViewKind::Top,
            eye: DVec3::ZERO,
            points_per_unit: 1.0,
            ..View::default()
        };
        check(&top, [300.0, 90_000.0, 200.0], true);
        check(&top, [340.0, 0.0, 0.0], false);
    }
}
