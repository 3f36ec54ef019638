//! The whole window above the event loop: what is open, what is shown, and the one place where what panels and commands
//! ask for is carried out.

mod actions;
mod asking;
mod classes;
mod drawing;
mod files;
mod life;
mod requests;
mod textures;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use crossbeam_channel::Sender;
use egui::Ui;
use egui_wgpu::RenderState;

pub use self::actions::Action;
pub use self::actions::SettingChange;
pub use self::classes::Classes;
use self::textures::TextureFacts;
use self::textures::TextureWatch;
use crate::assets::Library;
use crate::document::LayerId;
use crate::document::ObjectId;
use crate::editor::Editor;
use crate::editor::EventSink;
use crate::editor::JobEvent;
use crate::editor::Place;
use crate::editor::Settings;
use crate::editor::recovery::Offer;
use crate::formats::ImportOptions;
use crate::shell::changed::Changed;
use crate::shell::dialogs::Chooser;
use crate::shell::dialogs::Prompt;
use crate::shell::dialogs::Question;
use crate::shell::file_dialog::FileDialog;
use crate::shell::file_dialog::Purpose;
use crate::shell::gpu::GpuSide;
use crate::shell::help;
use crate::shell::import_report::ImportReport;
use crate::shell::layout::Layout;
use crate::shell::layout::Panel;
use crate::shell::palette::Palette as CommandPalette;
use crate::shell::panels;
use crate::shell::replace::Replace;
use crate::shell::shortcuts::Shortcuts;
use crate::shell::thumbs::Thumbs;
use crate::shell::toasts::Toasts;

/// What happens once unsaved work is dealt with.
#[derive(Clone, Debug, PartialEq)]
enum After {
    Quit,
    CloseMap,
    New,
    AskOpen,
    Open(PathBuf),
    Import(PathBuf, ImportOptions),
}

/// What an open question is about.
enum Asked {
    Unsaved(After),
    Overwrite(PathBuf),
}

enum Naming {
    Group(ObjectId),
    Layer(LayerId),
    Camera(usize),
}

enum Choosing {
    BrushClass,
    Layer(Vec<(String, Option<LayerId>)>),
}

/// A map that is being read.
struct Opening {
    path: PathBuf,
    progress: crate::task::Progress,
    how: Opened,
}

/// What an opened file becomes.
#[derive(Clone, Debug, PartialEq)]
enum Opened {
    Map,
    Reload,
    /// Only looked at: what differs from the open map (DOC-3).
    Compared,
    /// An autosave of this map.
    Recovered(Option<PathBuf>),
}

/// The window's contents and everything behind them.
pub struct Shell {
    pub(crate) editor: Editor,
    library: Library,
    gpu: Option<GpuSide>,
    window: Option<Arc<winit::window::Window>>,
    wake: Arc<dyn Fn() + Send + Sync>,
    events: EventSink,
    event_queue: Receiver<JobEvent>,
    picks: (
        Sender<(Purpose, Option<PathBuf>)>,
        Receiver<(Purpose, Option<PathBuf>)>,
    ),
    layout: Layout,
    panels: panels::Panels,
    thumbs: Thumbs,
    toasts: Toasts,
    palette: Option<CommandPalette>,
    help: Option<help::Help>,
    shortcuts: Option<Shortcuts>,
    replace: Option<Replace>,
    file_dialog: Option<FileDialog>,
    question: Option<(Question, Asked)>,
    changed: Option<Changed>,
    prompt: Option<(Prompt, Naming)>,
    chooser: Option<(Chooser, Choosing)>,
    report: Option<ImportReport>,
    context_menu: Option<panels::context::ContextMenu>,
    under_list: Option<panels::under::UnderList>,
    offers: Vec<Offer>,
    opening: Option<Opening>,
    after_save: Option<After>,
    start_screen: bool,
    /// A map without views of its own is framed once the sizes of the panes are known.
    frame_views: bool,
    keyboard: Panel,
    pasted: Option<String>,
    pending_paste: Option<Place>,
    facts: TextureFacts,
    watch: TextureWatch,
    extra_assets: Vec<PathBuf>,
    config: Option<PathBuf>,
    state_folder: Option<PathBuf>,
    stored: Settings,
    /// Since when the settings differ from what is stored.
    unstored_since_s: Option<f64>,
    said_s: f64,
    classes: Classes,
    native_dialogs: bool,
    ended: bool,
    closed_down: bool,
}

impl Shell {
    /// The native window, for dialogs of the desktop.
    pub fn set_window(&mut self, window: Arc<winit::window::Window>) {
        self.window = Some(window);
    }

    /// Another device, or none while there is none.
    pub fn set_render_state(&mut self, state: Option<RenderState>) {
        self.gpu = state.map(GpuSide::new);
        self.thumbs.clear();
    }

    #[must_use]
    pub fn is_device_lost(&self) -> bool {
        self.gpu.as_ref().is_some_and(GpuSide::is_lost)
    }

    #[must_use]
    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    /// For tests and tools that bring a document of their own instead of a file.
    pub fn set_editor(&mut self, editor: Editor) {
        self.take_editor(editor);
        self.start_screen = false;
    }

    /// The channel that jobs of an editor made elsewhere must send to.
    #[must_use]
    pub fn events(&self) -> EventSink {
        self.events.clone()
    }

    /// Pictures of views drawn since the start: an idle window draws none.
    #[must_use]
    pub fn pictures_drawn(&self) -> u64 {
        self.gpu.as_ref().map_or(0, GpuSide::pictures_drawn)
    }

    #[must_use]
    pub fn title(&self) -> String {
        if self.start_screen {
            "Mapwright".to_owned()
        } else {
            self.editor.title()
        }
    }

    #[must_use]
    pub fn wants_pointer_lock(&self) -> bool {
        self.editor.wants_pointer_lock()
    }

    /// True when the window may go.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Theme and scale as the settings say.
    fn apply_look(&self, ctx: &egui::Context) {
        ctx.set_theme(match self.editor.settings.theme.as_str() {
            "light" => egui::ThemePreference::Light,
            "system" => egui::ThemePreference::System,
            _ => egui::ThemePreference::Dark,
        });
        let scale = self.editor.settings.ui_scale as f32;
        if (ctx.zoom_factor() - scale).abs() > 1e-3 {
            ctx.set_zoom_factor(scale);
        }
    }

    /// One frame of the whole window.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let now_s = ctx.input(|i| i.time);
        let mut actions = Vec::new();
        // A frame that is drawn again for its layout has the same events, which count once.
        if ctx.current_pass_index() == 0 {
            self.take_events(&ctx);
            if !self.start_screen {
                self.feed(&ctx, &mut actions);
            }
            self.carry_out(&ctx, now_s, std::mem::take(&mut actions));
        }
        if self.panels.views.took_tab {
            // egui has seen the key, too, and would walk on to the next widget.
            ctx.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
        }
        if self.frame_views && self.panels.views.are_sized(&self.editor) {
            self.frame_views = false;
            // An empty map has nothing to frame; then the views stay as they are.
            let _ = self.editor.run("view.reset_flat");
        }
        self.editor.tick(now_s);
        self.serve_requests(&ctx);
        self.library.poll();
        self.watch.follow(&mut self.library, &self.wake);
        self.follow_textures();
        self.classes.follow(&self.editor);
        let more_thumbs = self.thumbs.begin(&ctx, &self.library);
        let more_uploads = match &mut self.gpu {
            Some(gpu) if !self.start_screen => gpu.sync(&self.editor, &mut self.library),
            _ => false,
        };
        self.draw(ui, &mut actions);
        self.dialogs(&ctx, &mut actions);
        self.toasts(ui);
        let acted = !actions.is_empty();
        self.carry_out(&ctx, now_s, actions);
        self.serve_requests(&ctx);
        if acted || more_thumbs || more_uploads || self.editor.wants_frames() {
            ctx.request_repaint();
        }
        self.keep_settings(&ctx);
        self.sleep(&ctx);
    }

    /// How long nothing needs to be drawn, when nothing happens.
    fn sleep(&self, ctx: &egui::Context) {
        if let Some(after) = self.editor.next_tick_in() {
            ctx.request_repaint_after(after);
        }
        if self.editor.build_progress().is_some()
            || self.opening.is_some()
            || self.editor.is_saving()
        {
            ctx.request_repaint_after(Duration::from_millis(120));
        }
        if let Some(said) = self.editor.status() {
            let left = crate::editor::Status::SHOWN_S - (self.editor.now_s() - said.since_s);
            ctx.request_repaint_after_secs(left.max(0.05) as f32);
        }
    }

    fn keys_taken(&self, ctx: &egui::Context) -> bool {
        let dialog = self.palette.is_some()
            || self.help.is_some()
            || self.shortcuts.is_some()
            || self.replace.is_some()
            || self.file_dialog.is_some()
            || self.question.is_some()
            || self.changed.is_some()
            || self.prompt.is_some()
            || self.chooser.is_some()
            || self.report.is_some();
        dialog
            || self.context_menu.is_some()
            || self.under_list.is_some()
            || ctx.egui_wants_keyboard_input()
            || egui::Popup::is_any_open(ctx)
    }

    fn feed(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        // A material that is only tried on must not stand in the way of a key, nor be taken for a change.
        let materials = &mut self.panels.materials;
        if materials.is_trying()
            && ctx.input(|i| {
                i.events.iter().any(|event| {
                    matches!(event, egui::Event::Key { pressed: true, .. })
                        || matches!(
                            event,
                            egui::Event::Copy | egui::Event::Cut | egui::Event::Paste(_)
                        )
                })
            })
        {
            materials.give_up();
            self.editor.preview_material(None);
        }
        let taken = self.keys_taken(ctx);
        panels::views::feed(ctx, &mut self.panels.views, &self.editor, taken, actions);
    }
}

/// The first sentence as a title, the rest as detail: `Could not open x: why` is cut at the colon.
fn split_sentence(text: &str) -> (String, String) {
    match text.split_once(": ") {
        Some((title, detail)) => {
            let mut detail = detail.to_owned();
            if let Some(first) = detail.get(..1) {
                let upper = first.to_uppercase();
                detail.replace_range(..1, &upper);
            }
            (title.to_owned(), detail)
        }
        None => (text.to_owned(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_cut_at_its_reason() {
        let cut = split_sentence("Could not open a.rmf: face count 9 is too large");
        assert_eq!(
            cut,
            (
                "Could not open a.rmf".to_owned(),
                "Face count 9 is too large".to_owned()
            )
        );
        assert_eq!(split_sentence("Done"), ("Done".to_owned(), String::new()));
    }
}
