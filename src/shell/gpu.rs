//! The pictures of the views: one scene for the map, one off-screen target for each pane, drawn again only when what they
//! show has changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui_wgpu::RenderState;
use glam::DVec3;

use crate::assets::Definitions;
use crate::assets::Library;
use crate::compiler::Compiled;
use crate::editor::EdgeDisplay;
use crate::editor::Editor;
use crate::editor::RenderMode;
use crate::editor::ShownOf;
use crate::editor::overlay::Overlay;
use crate::viewport::Colors;
use crate::viewport::DrawKey;
use crate::viewport::DrawOptions;
use crate::viewport::Edges;
use crate::viewport::EntityLook;
use crate::viewport::Gpu;
use crate::viewport::Scene;
use crate::viewport::Target;

/// Everything that lives on the device; made anew after it is lost.
pub struct GpuSide {
    state: RenderState,
    gpu: Gpu,
    scene: Scene,
    panes: BTreeMap<usize, Pane>,
    /// The build the scene shows.
    compiled: Option<Arc<Compiled>>,
    /// What the scene knows of entity classes.
    definitions: Option<Arc<Definitions>>,
    /// Pictures drawn since the start; tests look at it.
    drawn: u64,
}

struct Pane {
    target: Target,
    id: egui::TextureId,
    key: Option<DrawKey>,
}

impl GpuSide {
    #[must_use]
    pub fn new(state: RenderState) -> Self {
        let gpu = Gpu::from_parts(
            state.device.clone(),
            state.queue.clone(),
            state.adapter.get_info(),
        );
        tracing::info!("Drawing with {}", gpu.summary());
        let scene = Scene::new(&gpu);
        Self {
            state,
            gpu,
            scene,
            panes: BTreeMap::new(),
            compiled: None,
            definitions: None,
            drawn: 0,
        }
    }

    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.gpu.is_lost()
    }

    #[must_use]
    pub fn summary(&self) -> String {
        self.gpu.summary()
    }

    /// Another map: the scene starts from nothing.
    pub fn forget_map(&mut self) {
        self.scene = Scene::new(&self.gpu);
        self.compiled = None;
        self.definitions = None;
        for pane in self.panes.values_mut() {
            pane.key = None;
        }
    }

    /// The scene catches up with the map; true when more is to be uploaded in another frame.
    pub fn sync(&mut self, editor: &Editor, library: &mut Library) -> bool {
        let shown = editor.shown_light();
        let same = match (&self.compiled, shown) {
            (None, None) => true,
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        if !same {
            self.compiled = shown.cloned();
            self.scene.set_compiled(self.compiled.clone());
        }
        let definitions = editor.definitions();
        if self
            .definitions
            .as_ref()
            .is_none_or(|old| !Arc::ptr_eq(old, definitions))
        {
            self.definitions = Some(Arc::clone(definitions));
            let known = Arc::clone(definitions);
            self.scene
                .set_entity_look(Arc::new(move |entity| EntityLook {
                    bounds: known.own_box(entity),
                    color: known.color(&entity.class),
                    ..EntityLook::by_class(entity)
                }));
        }
        self.scene
            .sync(&self.gpu, editor.state(), &editor.look, library);
        self.scene.uploads_pending()
    }

    /// The lit mode shows objects without their light.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.scene.is_stale()
    }

    /// The lit mode shows something of the build, or of the light that the map came with.
    #[must_use]
    pub fn shows_build(&self) -> bool {
        self.scene.shows_build()
    }

    #[must_use]
    pub fn pictures_drawn(&self) -> u64 {
        self.drawn
    }

    /// The picture of a pane, drawn now if what it shows has changed. `size_px`: physical pixels.
    pub fn draw(
        &mut self,
        editor: &Editor,
        pane: usize,
        overlay: &Overlay,
        size_px: egui::Vec2,
        dark: bool,
    ) -> egui::TextureId {
        let width = size_px.x.round().max(1.0) as u32;
        let height = size_px.y.round().max(1.0) as u32;
        let filter = wgpu::FilterMode::Nearest;
        let slot = self.panes.entry(pane).or_insert_with(|| {
            let target = Target::new(&self.gpu, width, height);
            let id = self.state.renderer.write().register_native_texture(
                &self.state.device,
                target.egui_view(),
                filter,
            );
            Pane {
                target,
                id,
                key: None,
            }
        });
        if slot.target.resize(&self.gpu, width, height) {
            self.state
                .renderer
                .write()
                .update_egui_texture_from_wgpu_texture(
                    &self.state.device,
                    slot.target.egui_view(),
                    filter,
                    slot.id,
                );
            slot.key = None;
        }
        let walking = editor.is_walking();
        let mut view = editor.views[pane].clone();
        if walking {
            // A walk shows what the build made, whatever the pane showed before.
            view.mode = RenderMode::Lit;
        }
        if view.mode == RenderMode::Lit && !editor.has_baked_light() {
            view.mode = RenderMode::Textured;
        }
        let view = &view;
        let toggles = editor.toggles(pane);
        let options = DrawOptions {
            colors: if view.is_2d() && !dark {
                Colors::LIGHT
            } else {
                Colors::DARK
            },
            grid: (editor.grid_shown && !walking).then_some(editor.grid.size),
            grid_origin: editor.grid.origin,
            pointer_in_map: pointer_in_map(editor, pane),
            hover: if walking { None } else { hover(editor) },
            entities: !walking && toggles.entities,
            tools: !walking && toggles.tools,
            edges: match toggles.edges {
                EdgeDisplay::ByMode => Edges::ByMode,
                EdgeDisplay::Always => Edges::Always,
                EdgeDisplay::Never => Edges::Never,
            },
            selection: !walking,
            bounds_of: if walking {
                ShownOf::Nothing
            } else {
                toggles.bounds_of
            },
            sky: walking || toggles.sky,
            fog: editor.fog_in(pane),
            portals: !walking && toggles.portals,
            collision: !walking && toggles.collision,
            overdraw: !walking && toggles.overdraw,
            region: editor.cordon().filter(|_| !walking),
            xray: editor.xray() == Some(pane),
            double_light: editor.doubles_light(),
        };
        // What is painted over the picture is not part of it.
        let inside = Overlay {
            lines: overlay.lines.clone(),
            areas: overlay.areas.clone(),
            ..Overlay::default()
        };
        let key = DrawKey::new(&self.scene, view, &options, &inside, &slot.target);
        if slot.key.as_ref() != Some(&key) {
            self.scene
                .draw(&self.gpu, view, &options, &inside, &slot.target);
            slot.key = Some(key);
            self.drawn += 1;
        }
        slot.id
    }
}

fn hover(editor: &Editor) -> Option<crate::document::Pick> {
    let hit = editor.hover.as_ref()?;
    Some(crate::document::Pick::Object(hit.object))
}

/// Where the 3D grid shows: around the pointer, on what is under it.
fn pointer_in_map(editor: &Editor, pane: usize) -> Option<DVec3> {
    let (over, _) = editor.pointer_at()?;
    if over != pane || editor.views[pane].is_2d() || editor.is_walking() {
        return None;
    }
    editor.hover.as_ref().map(|hit| hit.point)
}
