//! The pipelines, made once per device.

use crate::viewport::Gpu;
use crate::viewport::passes::AreaVertex;
use crate::viewport::scene::shape::Vertex;
use crate::viewport::shaders;
use crate::viewport::target::DEPTH;
use crate::viewport::target::DRAWN;

/// How a pipeline treats depth.
#[derive(Clone, Copy)]
enum Depth {
    /// Nearest wins and is written.
    Write,
    /// The same, but not on what is there.
    WriteBehind,
    /// In front of or on what is there, not written.
    Test,
    /// Behind what is there only.
    Behind,
    Ignore,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Blend {
    Off,
    On,
    /// Colours are added.
    Add,
}

pub(crate) struct Pipelines {
    pub frame_layout: wgpu::BindGroupLayout,
    pub lines_layout: wgpu::BindGroupLayout,
    pub opaque: wgpu::RenderPipeline,
    pub opaque_two_sided: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    /// Of materials with six pictures, which are its third group.
    pub sky_box: wgpu::RenderPipeline,
    pub blend: wgpu::RenderPipeline,
    pub blend_two_sided: wgpu::RenderPipeline,
    pub tool: wgpu::RenderPipeline,
    pub entity: wgpu::RenderPipeline,
    /// Lies on what is there.
    pub tint: wgpu::RenderPipeline,
    pub tint_always: wgpu::RenderPipeline,
    pub preview: wgpu::RenderPipeline,
    pub preview_blend: wgpu::RenderPipeline,
    pub thin: wgpu::RenderPipeline,
    pub thin_always: wgpu::RenderPipeline,
    pub wide: wgpu::RenderPipeline,
    pub wide_behind: wgpu::RenderPipeline,
    pub wide_always: wgpu::RenderPipeline,
    pub line: wgpu::RenderPipeline,
    pub line_always: wgpu::RenderPipeline,
    pub area: wgpu::RenderPipeline,
    pub area_always: wgpu::RenderPipeline,
    /// Front sides only.
    pub area_front: wgpu::RenderPipeline,
    pub boxes: wgpu::RenderPipeline,
    pub boxes_always: wgpu::RenderPipeline,
    /// Overdraw: every face adds the same.
    pub heat: wgpu::RenderPipeline,
    pub heat_two_sided: wgpu::RenderPipeline,
    pub heat_preview: wgpu::RenderPipeline,
    pub grid: wgpu::RenderPipeline,
}

/// What differs between the pipelines.
struct Kind<'a> {
    layout: &'a wgpu::PipelineLayout,
    module: &'a wgpu::ShaderModule,
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    cull: bool,
    depth: Depth,
    blend: Blend,
    /// Towards the eye, in steps of depth.
    bias: i32,
}

impl Pipelines {
    pub(crate) fn new(
        gpu: &Gpu,
        material_layout: &wgpu::BindGroupLayout,
        box_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let device = &gpu.device;
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let frame_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[
                buffer_entry(0, both, wgpu::BufferBindingType::Uniform),
                buffer_entry(
                    1,
                    wgpu::ShaderStages::VERTEX,
                    wgpu::BufferBindingType::Storage { read_only: true },
                ),
                buffer_entry(
                    2,
                    wgpu::ShaderStages::VERTEX,
                    wgpu::BufferBindingType::Storage { read_only: true },
                ),
            ],
        });
        let lines_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("overlay lines"),
            entries: &[buffer_entry(
                0,
                wgpu::ShaderStages::VERTEX,
                wgpu::BufferBindingType::Storage { read_only: true },
            )],
        });
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let faces = layout("faces", &[Some(&frame_layout), Some(material_layout)]);
        let boxes = layout(
            "sky box",
            &[Some(&frame_layout), Some(material_layout), Some(box_layout)],
        );
        let plain = layout("plain", &[Some(&frame_layout)]);
        let lines = layout("overlay", &[Some(&frame_layout), Some(&lines_layout)]);

        let world = shaders::module(device, "world", shaders::WORLD);
        let compiled = shaders::module(device, "preview", shaders::PREVIEW);
        let edges = shaders::module(device, "edges", shaders::EDGES);
        let overlay = shaders::module(device, "overlay", shaders::OVERLAY);
        let grid = shaders::module(device, "grid", shaders::GRID);

        const WORLD: [wgpu::VertexAttribute; 4] =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm8x4, 2 => Float32x2, 3 => Uint32];
        const PREVIEW: [wgpu::VertexAttribute; 4] =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm8x4];
        const AREA: [wgpu::VertexAttribute; 2] =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x4];
        let world_buffers = [Some(vertices(size_of::<Vertex>(), &WORLD))];
        let preview_buffers = [Some(vertices(
            size_of::<crate::compiler::Vertex>(),
            &PREVIEW,
        ))];
        let area_buffers = [Some(vertices(size_of::<AreaVertex>(), &AREA))];

        let triangles = wgpu::PrimitiveTopology::TriangleList;
        let face_of = |layout, fragment, cull, depth, blend, bias| {
            let kind = Kind {
                layout,
                module: &world,
                vertex: "vs",
                fragment,
                buffers: &world_buffers,
                topology: triangles,
                cull,
                depth,
                blend,
                bias,
            };
            pipeline(gpu, &kind)
        };
        let face = |fragment, cull, depth, blend, bias| {
            face_of(&faces, fragment, cull, depth, blend, bias)
        };
        let baked = |fragment, depth, blend| {
            let kind = Kind {
                layout: &faces,
                module: &compiled,
                vertex: "vs",
                fragment,
                buffers: &preview_buffers,
                topology: triangles,
                cull: true,
                depth,
                blend,
                bias: 0,
            };
            pipeline(gpu, &kind)
        };
        let edge = |vertex, topology, depth| {
            let kind = Kind {
                layout: &plain,
                module: &edges,
                vertex,
                fragment: "fs",
                buffers: &[],
                topology,
                cull: false,
                depth,
                blend: Blend::On,
                bias: 0,
            };
            pipeline(gpu, &kind)
        };
        let over_if = |vertex, fragment, layout, buffers, depth, cull| {
            let kind = Kind {
                layout,
                module: &overlay,
                vertex,
                fragment,
                buffers,
                topology: triangles,
                cull,
                depth,
                blend: Blend::On,
                bias: 0,
            };
            pipeline(gpu, &kind)
        };
        let over = |vertex, fragment, layout, buffers, depth| {
            over_if(vertex, fragment, layout, buffers, depth, false)
        };
        let thin = wgpu::PrimitiveTopology::LineList;
        Self {
            opaque: face("fs_opaque", true, Depth::Write, Blend::Off, 0),
            opaque_two_sided: face("fs_opaque", false, Depth::Write, Blend::Off, 0),
            sky: face("fs_sky", true, Depth::WriteBehind, Blend::Off, 0),
            sky_box: face_of(
                &boxes,
                "fs_sky_box",
                true,
                Depth::WriteBehind,
                Blend::Off,
                0,
            ),
            blend: face("fs_blend", true, Depth::Test, Blend::On, 0),
            blend_two_sided: face("fs_blend", false, Depth::Test, Blend::On, 0),
            tool: face("fs_tool", true, Depth::Test, Blend::On, 0),
            entity: face("fs_entity", true, Depth::Test, Blend::On, 0),
            tint: face("fs_tint", true, Depth::Test, Blend::On, 16),
            tint_always: face("fs_tint", false, Depth::Ignore, Blend::On, 0),
            preview: baked("fs_opaque", Depth::Write, Blend::Off),
            preview_blend: baked("fs_blend", Depth::Test, Blend::On),
            thin: edge("vs_thin", thin, Depth::Test),
            thin_always: edge("vs_thin", thin, Depth::Ignore),
            wide: edge("vs_wide", triangles, Depth::Test),
            wide_behind: edge("vs_wide", triangles, Depth::Behind),
            wide_always: edge("vs_wide", triangles, Depth::Ignore),
            line: over("vs_line", "fs_line", &lines, &[], Depth::Test),
            line_always: over("vs_line", "fs_line", &lines, &[], Depth::Ignore),
            area: over("vs_area", "fs_area", &plain, &area_buffers, Depth::Test),
            area_front: over_if(
                "vs_area",
                "fs_area",
                &plain,
                &area_buffers,
                Depth::Test,
                true,
            ),
            boxes: over("vs_box", "fs_line", &lines, &[], Depth::Test),
            boxes_always: over("vs_box", "fs_line", &lines, &[], Depth::Ignore),
            heat: face("fs_heat", true, Depth::Ignore, Blend::Add, 0),
            heat_two_sided: face("fs_heat", false, Depth::Ignore, Blend::Add, 0),
            heat_preview: baked("fs_heat", Depth::Ignore, Blend::Add),
            area_always: over("vs_area", "fs_area", &plain, &area_buffers, Depth::Ignore),
            grid: pipeline(
                gpu,
                &Kind {
                    layout: &plain,
                    module: &grid,
                    vertex: "vs",
                    fragment: "fs",
                    buffers: &[],
                    topology: triangles,
                    cull: false,
                    depth: Depth::Ignore,
                    blend: Blend::Off,
                    bias: 0,
                },
            ),
            frame_layout,
            lines_layout,
        }
    }
}

fn vertices(size: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: size as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes,
    }
}

fn buffer_entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

fn pipeline(gpu: &Gpu, kind: &Kind<'_>) -> wgpu::RenderPipeline {
    let (write, compare) = match kind.depth {
        Depth::Write => (true, wgpu::CompareFunction::GreaterEqual),
        Depth::WriteBehind => (true, wgpu::CompareFunction::Greater),
        Depth::Test => (false, wgpu::CompareFunction::GreaterEqual),
        Depth::Behind => (false, wgpu::CompareFunction::Less),
        Depth::Ignore => (false, wgpu::CompareFunction::Always),
    };
    let color = match kind.blend {
        Blend::Off => None,
        Blend::On => Some(wgpu::BlendState::ALPHA_BLENDING.color),
        Blend::Add => Some(wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        }),
    };
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(kind.fragment),
            layout: Some(kind.layout),
            vertex: wgpu::VertexState {
                module: kind.module,
                entry_point: Some(kind.vertex),
                compilation_options: Default::default(),
                buffers: kind.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: kind.topology,
                front_face: wgpu::FrontFace::Ccw,
                cull_mode: kind.cull.then_some(wgpu::Face::Back),
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState {
                    constant: kind.bias,
                    slope_scale: if kind.bias == 0 { 0.0 } else { 1.0 },
                    clamp: 0.0,
                },
            }),
            multisample: wgpu::MultisampleState {
                count: gpu.samples(),
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: kind.module,
                entry_point: Some(kind.fragment),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: DRAWN,
                    blend: color.map(|color| wgpu::BlendState {
                        color,
                        // Targets stay opaque: egui blends them by alpha.
                        alpha: wgpu::BlendComponent {
                            src_factor: wgpu::BlendFactor::Zero,
                            dst_factor: wgpu::BlendFactor::One,
                            operation: wgpu::BlendOperation::Add,
                        },
                    }),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
}
