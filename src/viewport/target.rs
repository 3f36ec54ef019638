//! Off-screen pictures of views.

use crate::viewport::Gpu;

/// What is sampled by egui, which blends encoded colours.
pub(crate) const STORED: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// What is drawn to: shaders give linear light, the hardware encodes it.
pub(crate) const DRAWN: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Reversed: 1 near, 0 infinitely far.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A colour picture with its depth, as large as a view in physical pixels.
pub struct Target {
    width: u32,
    height: u32,
    stamp: u64,
    color: wgpu::Texture,
    /// The same texture as [`DRAWN`], for drawing.
    drawn_view: wgpu::TextureView,
    /// The same texture as [`STORED`], for sampling.
    egui_view: wgpu::TextureView,
    /// Present when there are several samples per pixel.
    multisampled: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

impl Target {
    /// A size of 0 becomes 1, one beyond the device's limit that limit.
    #[must_use]
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Self {
        let (width, height) = clamped(gpu, width, height);
        let size = wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        };
        let texture = |label, samples, format, usage, view_formats: &[wgpu::TextureFormat]| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size,
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats,
            })
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let color = texture(
            "view colour",
            1,
            STORED,
            attachment | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC,
            &[DRAWN],
        );
        let drawn_view = color.create_view(&wgpu::TextureViewDescriptor {
            format: Some(DRAWN),
            usage: Some(attachment),
            ..Default::default()
        });
        let egui_view = color.create_view(&wgpu::TextureViewDescriptor {
            format: Some(STORED),
            usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
            ..Default::default()
        });
        let samples = gpu.samples();
        let multisampled = (samples > 1).then(|| {
            texture("view samples", samples, DRAWN, attachment, &[])
                .create_view(&Default::default())
        });
        let depth =
            texture("view depth", samples, DEPTH, attachment, &[]).create_view(&Default::default());
        Self {
            width,
            height,
            stamp: 0,
            color,
            drawn_view,
            egui_view,
            multisampled,
            depth,
        }
    }

    /// Makes it anew when the size differs; true when it did, and [`Target::egui_view`] is another one now.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) -> bool {
        if clamped(gpu, width, height) == (self.width, self.height) {
            return false;
        }
        let stamp = self.stamp + 1;
        *self = Self {
            stamp,
            ..Self::new(gpu, width, height)
        };
        true
    }

    /// Physical pixels, each at least 1.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Counts how often it was made anew: a new one has no picture yet.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// For `register_native_texture` with nearest filtering: encoded colours, `Rgba8Unorm`.
    #[must_use]
    pub fn egui_view(&self) -> &wgpu::TextureView {
        &self.egui_view
    }

    pub(crate) fn texture(&self) -> &wgpu::Texture {
        &self.color
    }

    pub(crate) fn color_attachment(
        &self,
        clear: wgpu::Color,
    ) -> wgpu::RenderPassColorAttachment<'_> {
        let load = wgpu::LoadOp::Clear(clear);
        match &self.multisampled {
            Some(samples) => wgpu::RenderPassColorAttachment {
                view: samples,
                depth_slice: None,
                resolve_target: Some(&self.drawn_view),
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Discard,
                },
            },
            None => wgpu::RenderPassColorAttachment {
                view: &self.drawn_view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            },
        }
    }

    pub(crate) fn depth_attachment(&self) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }
    }
}

fn clamped(gpu: &Gpu, width: u32, height: u32) -> (u32, u32) {
    let most = gpu.device.limits().max_texture_dimension_2d.max(1);
    (width.clamp(1, most), height.clamp(1, most))
}
