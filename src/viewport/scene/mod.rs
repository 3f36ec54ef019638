//! The scene of one map: follows the document by differences and serves every view of it.

mod ask;
mod boxes;
mod built;
mod carved;
mod changes;
mod cpu;
mod in_place;
mod lists;
mod preview;
pub(crate) mod shape;
mod sky;
pub(crate) mod surface;

use std::sync::Arc;

use crate::assets::Library;
use crate::compiler::Compiled;
use crate::document::Entity;
use crate::document::State;
use crate::document::ViewState;
use crate::editor::overlay::Overlay;
use crate::editor::view::View;
use crate::viewport::DrawOptions;
use crate::viewport::EntityLook;
use crate::viewport::Gpu;
use crate::viewport::Target;
use crate::viewport::arena::Mirror;
use crate::viewport::materials::Materials;
use crate::viewport::passes;
use crate::viewport::passes::Frame;
use crate::viewport::passes::Pipelines;

pub(crate) use self::boxes::BOX_VERTICES;
pub(crate) use self::boxes::Boxes;
pub(crate) use self::built::Built;
pub use self::cpu::Store;
pub(crate) use self::lists::Lists;
pub(crate) use self::preview::Preview;
pub(crate) use self::preview::Stale;
pub(crate) use self::sky::Sky;

/// The last build on the device.
pub(crate) struct GpuPreview {
    pub preview: Preview,
    pub vertices: Mirror,
    pub indices: Mirror,
    /// `None`: the document is drawn alone.
    pub stale: Option<Stale>,
    vertices_sent: bool,
    seen: u64,
}

/// One map on one device, for all views of it. After a lost device make another one.
pub struct Scene {
    pub(crate) store: Store,
    pub(crate) materials: Materials,
    pub(crate) pipelines: Pipelines,
    pub(crate) vertices: Mirror,
    pub(crate) indices: Mirror,
    segments: Mirror,
    rows: Mirror,
    pub(crate) frame: wgpu::Buffer,
    /// Frame, rows and segments; `None` while there is nothing to draw.
    pub(crate) frame_group: Option<wgpu::BindGroup>,
    /// Frame alone, with stand-ins for the arrays: grid and overlays of an empty map.
    pub(crate) bare_group: wgpu::BindGroup,
    pub(crate) lines: Mirror,
    pub(crate) areas: Mirror,
    pub(crate) lines_group: Option<wgpu::BindGroup>,
    pub(crate) lists: Lists,
    /// Around what is selected, and around everything.
    pub(crate) boxes: [Boxes; 2],
    pub(crate) preview: Option<GpuPreview>,
    pub(crate) portals: Built,
    pub(crate) collision: Built,
    materials_generation: u64,
    preview_generation: u64,
}

impl Scene {
    /// Makes the pipelines; 0.1 to 0.5 s on a software adapter.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        let materials = Materials::new(gpu);
        let pipelines = Pipelines::new(gpu, materials.layout(), materials.box_layout());
        let frame = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let empty = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("nothing"),
            size: 256,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let bare_group = frame_group(gpu, &pipelines.frame_layout, &frame, &empty, &empty);
        let storage = wgpu::BufferUsages::STORAGE;
        let vertex = wgpu::BufferUsages::VERTEX;
        Self {
            store: Store::default(),
            materials,
            pipelines,
            vertices: Mirror::new("vertices", vertex),
            indices: Mirror::new("indices", wgpu::BufferUsages::INDEX),
            segments: Mirror::new("edges", storage),
            rows: Mirror::new("rows", storage),
            frame,
            frame_group: None,
            bare_group,
            lines: Mirror::new("overlay lines", storage),
            areas: Mirror::new("overlay areas", vertex),
            lines_group: None,
            lists: Lists::new(),
            boxes: [Boxes::new(), Boxes::new()],
            preview: None,
            portals: Built::new(),
            collision: Built::new(),
            materials_generation: 0,
            preview_generation: 0,
        }
    }

    /// Catches up with a state, the ways of looking at it and the library: by differences, so it costs little when little
    /// changed. Call it before drawing, with the preview of a gesture as well as with what is committed. Does not poll the
    /// library.
    pub fn sync(&mut self, gpu: &Gpu, state: &State, look: &ViewState, library: &mut Library) {
        self.sync_within(gpu, state, look, library, false);
    }

    /// As [`Scene::sync`], but sends every texture that is ready, however long it takes.
    pub fn sync_all(&mut self, gpu: &Gpu, state: &State, look: &ViewState, library: &mut Library) {
        self.sync_within(gpu, state, look, library, true);
    }

    fn sync_within(
        &mut self,
        gpu: &Gpu,
        state: &State,
        look: &ViewState,
        library: &mut Library,
        all: bool,
    ) {
        self.store.sync(state, look);
        if self.materials.sync(gpu, &state.doc, library, all) {
            self.materials_generation += 1;
        }
        self.upload(gpu);
        self.follow_preview(gpu);
    }

    /// How point entities look; asked once per entity that changed. The default goes by class.
    pub fn set_entity_look(&mut self, look: Arc<dyn Fn(&Entity) -> EntityLook + Send + Sync>) {
        self.store.set_entity_look(look);
    }

    /// The result of the last build, for the lit mode. Takes effect with the next `sync`.
    pub fn set_compiled(&mut self, compiled: Option<Arc<Compiled>>) {
        self.preview = compiled.map(|compiled| GpuPreview {
            preview: Preview::new(compiled),
            vertices: Mirror::new("preview vertices", wgpu::BufferUsages::VERTEX),
            indices: Mirror::new("preview indices", wgpu::BufferUsages::INDEX),
            stale: None,
            vertices_sent: false,
            seen: u64::MAX,
        });
        self.portals = Built::new();
        self.collision = Built::new();
        self.preview_generation += 1;
    }

    /// Raised by everything that changes a picture.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.store.generation() + self.materials_generation + self.preview_generation
    }

    /// Textures wait for the next `sync`: ask for another frame.
    #[must_use]
    pub fn uploads_pending(&self) -> bool {
        self.materials.pending()
    }

    /// True when the lit mode shows something without its light: there is no build, or objects changed since.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        let Some(preview) = &self.preview else {
            return true;
        };
        preview
            .stale
            .as_ref()
            .is_none_or(|stale| stale.objects.iter().any(|&id| !self.store.is_hidden(id)))
    }

    /// True when the lit mode shows something of the build at all.
    #[must_use]
    pub fn shows_build(&self) -> bool {
        let preview = self.preview.as_ref();
        preview.is_some_and(|preview| preview.stale.is_some())
    }

    /// Draws a view. An empty map, a target of one pixel and an empty overlay are all right.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        view: &View,
        options: &DrawOptions,
        overlay: &Overlay,
        target: &Target,
    ) {
        passes::draw(self, gpu, view, options, overlay, target);
    }

    /// As [`Scene::draw`] without handing the commands to the device: what the processor does for a frame before the driver.
    /// For benches; submit them from time to time.
    pub fn encode(
        &mut self,
        gpu: &Gpu,
        view: &View,
        options: &DrawOptions,
        overlay: &Overlay,
        target: &Target,
    ) -> wgpu::CommandBuffer {
        passes::encode(self, gpu, view, options, overlay, target)
    }

    fn upload(&mut self, gpu: &Gpu) {
        self.vertices.follow(gpu, &mut self.store.vertices);
        self.indices.follow(gpu, &mut self.store.indices);
        let rows = self.rows.follow(gpu, &mut self.store.rows);
        let segments = self.segments.follow(gpu, &mut self.store.segments);
        if (rows || segments)
            && let (Some(rows), Some(segments)) = (self.rows.buffer(), self.segments.buffer())
        {
            self.frame_group = Some(frame_group(
                gpu,
                &self.pipelines.frame_layout,
                &self.frame,
                rows,
                segments,
            ));
        }
    }

    /// Leaves out of the build what the document knows better.
    fn follow_preview(&mut self, gpu: &Gpu) {
        let Some(entry) = &mut self.preview else {
            return;
        };
        if entry.seen == self.store.generation() {
            return;
        }
        entry.seen = self.store.generation();
        let stale =
            entry
                .preview
                .stale(self.store.doc(), self.store.carving(), &self.store.hidden());
        if !entry.vertices_sent {
            entry.vertices.replace(gpu, &entry.preview.vertices);
            entry.vertices_sent = true;
        } else if stale == entry.stale {
            return;
        }
        if let Some(stale) = &stale {
            entry.preview.fill(stale);
            entry.indices.replace(gpu, &entry.preview.indices);
        }
        entry.stale = stale;
        self.preview_generation += 1;
        self.lists.forget();
    }
}

fn frame_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    frame: &wgpu::Buffer,
    rows: &wgpu::Buffer,
    segments: &wgpu::Buffer,
) -> wgpu::BindGroup {
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("frame"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: frame.as_entire_binding(),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: rows.as_entire_binding(),
            },
            wgpu::BindGroupEntry {
                binding: 2,
                resource: segments.as_entire_binding(),
            },
        ],
    })
}
