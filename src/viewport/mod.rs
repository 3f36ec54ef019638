//! Draws maps with `wgpu`: the scene that follows the document, its passes, targets and read-back.
//!
//! Must not know egui, files or the history.
//!
//! ```ignore
//! // Once per device (egui's, or one of our own for work without a window):
//! let gpu = Gpu::from_parts(render_state.device.clone(), render_state.queue.clone(), render_state.adapter.get_info());
//! let mut scene = Scene::new(&gpu);
//! // Once per view:
//! let mut target = Target::new(&gpu, 640, 480);
//! let mut drawn: Option<DrawKey> = None;
//! // Each frame:
//! scene.sync(&gpu, history.state(), &look, &mut library);      // cheap when nothing changed
//! if scene.uploads_pending() { /* ask for another frame */ }
//! if target.resize(&gpu, width_px, height_px) { /* register target.egui_view() again under the same egui id */ }
//! let key = DrawKey::new(&scene, &view, &options, &overlay, &target);
//! if drawn.as_ref() != Some(&key) {
//!     scene.draw(&gpu, &view, &options, &overlay, &target);
//!     drawn = Some(key);
//! }
//! // After a lost device (gpu.is_lost()): new Gpu, new Scene, new Targets, `sync`, `set_compiled`. No special path.
//! ```

mod arena;
mod colors;
mod entity_look;
mod gpu;
mod materials;
mod options;
mod passes;
mod readback;
mod scene;
mod shaders;
mod sky_box;
mod target;
mod textures;

pub use self::colors::Colors;
pub use self::entity_look::EntityLook;
pub use self::entity_look::Family;
pub use self::entity_look::family_of;
pub use self::gpu::Gpu;
pub use self::gpu::GpuError;
pub use self::options::DrawKey;
pub use self::options::DrawOptions;
pub use self::options::Edges;
pub use self::readback::Rendered;
pub use self::readback::read_back;
pub use self::readback::render_picture;
pub use self::scene::Scene;
pub use self::scene::Store;
pub use self::target::Target;
