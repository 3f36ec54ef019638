//! Edges, and the lines and areas of tools.

use std::ops::Range;

use crate::viewport::arena::Span;
use crate::viewport::passes::Gathered;
use crate::viewport::passes::draw::Painter;
use crate::viewport::passes::draw::style;

/// From here on a point is more than a pixel, and lines of the device, which are one pixel wide, would be too thin.
const WIDE_FROM: f64 = 1.5;

impl Painter<'_> {
    /// Edges of the chunks that are seen, one point wide.
    pub(super) fn edges(&mut self, of_entities: bool, always: bool) {
        let spans = self
            .scene
            .store
            .chunk_segments(of_entities, |chunk| self.chunks[chunk as usize]);
        self.edge_spans(&spans, always);
    }

    pub(super) fn edge_spans(&mut self, spans: &[Span], always: bool) {
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
    pub(super) fn segments(&mut self, pipeline: &wgpu::RenderPipeline, spans: &[Span], style: u32) {
        if spans.is_empty() || self.scene.frame_group.is_none() {
            return;
        }
        self.pass.set_pipeline(pipeline);
        for &span in spans {
            self.pass.draw(corners(span, 6), style..style + 1);
        }
    }

    pub(super) fn overlay(&mut self, gathered: &Gathered) {
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
