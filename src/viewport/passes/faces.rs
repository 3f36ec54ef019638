//! Faces: of the build, of the document, of the sky, and grounds over them.

use crate::document::SurfaceFlags;
use crate::editor::shown::FaceKind;
use crate::editor::shown::Shows;
use crate::geometry::Aabb;
use crate::viewport::arena::Span;
use crate::viewport::arena::joined;
use crate::viewport::passes::draw::Painter;
use crate::viewport::passes::draw::style;
use crate::viewport::scene::GpuPreview;
use crate::viewport::scene::surface::ListKey;
use crate::viewport::scene::surface::Pass;

impl Painter<'_> {
    pub(super) fn baked_opaque(&mut self, preview: &GpuPreview) {
        let pipelines = &self.scene.pipelines;
        self.baked(preview, &pipelines.preview, false);
        self.stale_lists(Pass::Opaque, &pipelines.opaque);
        self.stale_lists(Pass::OpaqueTwoSided, &pipelines.opaque_two_sided);
    }

    /// Batches of the build, opaque or translucent ones; the latter from far to near.
    pub(super) fn baked(
        &mut self,
        preview: &GpuPreview,
        pipeline: &wgpu::RenderPipeline,
        translucent: bool,
    ) {
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
            for (is_unlit, style) in [(false, style::LIT), (true, style::UNLIT)] {
                for span in batch.visible(is_unlit, |bounds| self.frustum.sees(bounds)) {
                    self.pass.draw_indexed(
                        span.start..span.end(),
                        batch.base_vertex,
                        style..style + 1,
                    );
                }
            }
        }
    }

    /// Inner faces of the sky. After the opaque ones: where both lie on one plane, these win.
    pub(super) fn sky(&mut self) {
        let scene = self.scene;
        let Some(indices) = scene.lists.buffer.buffer() else {
            return;
        };
        for (key, span) in &scene.lists.sky {
            let material = scene.materials.get(key.material);
            let pipeline = match material.and_then(|material| material.sky_box.as_ref()) {
                Some(pictures) => {
                    self.pass.set_bind_group(2, pictures, &[]);
                    &scene.pipelines.sky_box
                }
                None => &scene.pipelines.sky,
            };
            self.faces(pipeline, indices, *key, &[*span]);
        }
    }

    /// The same faces, whatever they show.
    pub(super) fn sky_heat(&mut self, pipeline: &wgpu::RenderPipeline) {
        let lists = &self.scene.lists;
        let Some(indices) = lists.buffer.buffer() else {
            return;
        };
        for (key, span) in &lists.sky {
            self.faces(pipeline, indices, *key, &[*span]);
        }
    }

    /// What the game does not draw. Where built light is shown, NODRAW is left out.
    pub(super) fn tools(&mut self, shows: Shows, pipeline: &wgpu::RenderPipeline) {
        let materials = &self.scene.materials;
        self.chunk_lists_if(Pass::Tool, pipeline, |key| {
            let flags = materials.get(key.material).map(|material| material.flags);
            let has_nodraw = flags.is_some_and(|flags| flags.has(SurfaceFlags::NODRAW));
            shows.kind(FaceKind::Tool, has_nodraw)
        });
    }

    pub(super) fn stale_lists(&mut self, pass: Pass, pipeline: &wgpu::RenderPipeline) {
        let lists = &self.scene.lists;
        let Some(indices) = lists.buffer.buffer() else {
            return;
        };
        for (key, span) in lists.stale.iter().filter(|(key, _)| key.pass == pass) {
            self.faces(pipeline, indices, *key, &[*span]);
        }
    }

    /// Everything translucent, from far to near by chunk.
    pub(super) fn blended(&mut self, baked: Option<&GpuPreview>) {
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

    pub(super) fn distance(&self, bounds: Aabb) -> f64 {
        if bounds.is_empty() {
            0.0
        } else {
            (bounds.center() - self.view.eye).length()
        }
    }

    /// Faces of the document of one pass, in the chunks that are seen.
    pub(super) fn chunk_lists(&mut self, pass: Pass, pipeline: &wgpu::RenderPipeline) {
        self.chunk_lists_if(pass, pipeline, |_| true);
    }

    pub(super) fn chunk_lists_if(
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

    pub(super) fn faces(
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

    pub(super) fn tint(&mut self, pipeline: &wgpu::RenderPipeline, span: Span, style: u32) {
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
}
