//! Pictures from the device.

use std::sync::Arc;

use crate::assets::Library;
use crate::compiler::Compiled;
use crate::document::State;
use crate::document::ViewState;
use crate::editor::overlay::Overlay;
use crate::editor::view::View;
use crate::viewport::DrawOptions;
use crate::viewport::Gpu;
use crate::viewport::GpuError;
use crate::viewport::Scene;
use crate::viewport::Target;

/// A picture: RGBA8, sRGB-encoded, rows top first, alpha 255.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

impl Rendered {
    /// The pixel's RGBA; black outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        let inside = x < self.width && y < self.height;
        if inside {
            std::array::from_fn(|channel| self.rgba[at + channel])
        } else {
            [0; 4]
        }
    }
}

/// Waits for what was drawn and copies it.
///
/// # Errors
/// [`GpuError::ReadBack`] and [`GpuError::Lost`].
pub fn read_back(gpu: &Gpu, target: &Target) -> Result<Rendered, GpuError> {
    let (width, height) = target.size();
    // Rows of a copy are padded.
    let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: u64::from(row) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu
        .device
        .create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("read back"),
        });
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            texture: target.texture(),
            mip_level: 0,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        },
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: Some(height),
            },
        },
        wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
    );
    gpu.queue.submit([encoder.finish()]);
    let (sender, receiver) = crossbeam_channel::bounded(1);
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // Nobody waits any more only when the wait below failed.
        let _ = sender.send(result);
    });
    gpu.wait()?;
    match receiver.try_recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(GpuError::ReadBack(error.to_string())),
        Err(error) => return Err(GpuError::ReadBack(error.to_string())),
    }
    let bytes = buffer
        .get_mapped_range(..)
        .map_err(|error| GpuError::ReadBack(error.to_string()))?;
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for line in bytes.chunks(row as usize) {
        rgba.extend_from_slice(&line[..width as usize * 4]);
    }
    Ok(Rendered {
        width,
        height,
        rgba,
    })
}

/// A picture of a map for `render` and thumbnails: waits for the textures, makes a scene, draws, reads back. `width` and
/// `height` are pixels; the view's size is set to them at one pixel per point.
///
/// # Errors
/// [`GpuError::ReadBack`] and [`GpuError::Lost`].
pub fn render_picture(
    gpu: &Gpu,
    state: &State,
    look: &ViewState,
    library: &mut Library,
    compiled: Option<Arc<Compiled>>,
    view: &View,
    options: &DrawOptions,
    overlay: &Overlay,
    width: u32,
    height: u32,
) -> Result<Rendered, GpuError> {
    let mut scene = Scene::new(gpu);
    let target = Target::new(gpu, width, height);
    for (_, material) in state
        .doc
        .materials()
        .filter(|(_, material)| !material.texture.is_empty())
    {
        library.texture(&material.texture);
    }
    library.wait();
    scene.set_compiled(compiled);
    scene.sync_all(gpu, state, look, library);
    // The sides of a sky box are asked for when it is drawn.
    if library.is_loading() {
        library.wait();
        scene.sync_all(gpu, state, look, library);
    }
    let (width, height) = target.size();
    let view = View {
        size: glam::DVec2::new(f64::from(width), f64::from(height)),
        pixels_per_point: 1.0,
        ..view.clone()
    };
    scene.draw(gpu, &view, options, overlay, &target);
    read_back(gpu, &target)
}
