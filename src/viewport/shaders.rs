//! The shader texts, embedded.

/// Shared by all of them.
const COMMON: &str = include_str!("../../shaders/common.wgsl");

/// The shaders of the views.
pub(crate) const WORLD: &str = include_str!("../../shaders/world.wgsl");
pub(crate) const PREVIEW: &str = include_str!("../../shaders/preview.wgsl");
pub(crate) const EDGES: &str = include_str!("../../shaders/edges.wgsl");
pub(crate) const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");
pub(crate) const GRID: &str = include_str!("../../shaders/grid.wgsl");

/// A module of the shared text and this one.
pub(crate) fn module(device: &wgpu::Device, label: &str, text: &str) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(format!("{COMMON}\n{text}").into()),
    })
}
