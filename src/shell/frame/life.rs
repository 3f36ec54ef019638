//! How the window begins and ends: settings read and stored, unsaved work kept.

use std::path::PathBuf;
use std::sync::Arc;

use egui_wgpu::RenderState;

use crate::assets::Library;
use crate::editor::Editor;
use crate::editor::EventSink;
use crate::editor::Settings;
use crate::editor::recovery;
use crate::shell::ShellOptions;
use crate::shell::file_dialog;
use crate::shell::frame::After;
use crate::shell::frame::Classes;
use crate::shell::frame::Opened;
use crate::shell::frame::Shell;
use crate::shell::frame::textures::TextureFacts;
use crate::shell::frame::textures::TextureWatch;
use crate::shell::layout::Layout;
use crate::shell::layout::Panel;
use crate::shell::panels;
use crate::shell::thumbs::Thumbs;
use crate::shell::toasts::Toasts;

/// A change of the settings waits so long for the next one before it is stored.
const STORE_AFTER_S: f64 = 2.0;

impl Shell {
    /// Reads the settings and starts opening what the options name. `wake` makes the loop run a frame.
    #[must_use]
    pub fn new(
        ctx: &egui::Context,
        render_state: Option<RenderState>,
        options: &ShellOptions,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let (config, state_folder) = folders(options);
        let (settings, warnings) = config
            .as_deref()
            .map_or_else(|| (Settings::default(), Vec::new()), Settings::load);
        for warning in warnings {
            tracing::warn!("{warning}");
        }
        let (sender, event_queue) = crossbeam_channel::unbounded();
        let events: EventSink = {
            let wake = wake.clone();
            Arc::new(move |event| {
                // The shell may be gone; then nobody needs the answer.
                let _ = sender.send(event);
                wake();
            })
        };
        let layout = Layout::load(&settings.docks);
        let offers = state_folder
            .as_deref()
            .map(|folder| {
                recovery::offers(folder, &|path| {
                    std::fs::metadata(path).is_ok_and(|info| info.len() > 0)
                })
            })
            .unwrap_or_default();
        let editor = Editor::new(settings.clone(), events.clone());
        let mut shell = Self {
            library: Library::new(wake.clone()),
            gpu: None,
            window: None,
            events,
            event_queue,
            picks: crossbeam_channel::unbounded(),
            layout,
            panels: panels::Panels::default(),
            thumbs: Thumbs::default(),
            toasts: Toasts::default(),
            palette: None,
            help: None,
            shortcuts: None,
            replace: None,
            file_dialog: None,
            question: None,
            changed: None,
            prompt: None,
            chooser: None,
            report: None,
            context_menu: None,
            under_list: None,
            offers,
            opening: None,
            after_save: None,
            start_screen: options.file.is_none(),
            frame_views: false,
            keyboard: Panel::Views,
            pasted: None,
            pending_paste: None,
            facts: TextureFacts::default(),
            watch: TextureWatch::default(),
            extra_assets: options.assets.clone(),
            config,
            state_folder,
            stored: settings,
            unstored_since_s: None,
            said_s: f64::NEG_INFINITY,
            classes: Classes::default(),
            native_dialogs: file_dialog::has_native() && options.home.is_none(),
            ended: false,
            closed_down: false,
            editor,
            wake,
        };
        shell.set_render_state(render_state);
        shell.apply_look(ctx);
        if let Some(folder) = shell.state_folder.clone() {
            shell.editor.set_state_folder(&folder);
        }
        if let Some(path) = &options.file {
            shell.open(path.clone(), Opened::Map);
        }
        shell
    }

    /// The close button: asks about unsaved work.
    pub fn request_close(&mut self) {
        self.guard(After::Quit);
    }

    /// Stores the settings and ends what runs. Safe to call more than once.
    pub fn close_down(&mut self) {
        if self.closed_down {
            return;
        }
        self.closed_down = true;
        if let Some(opening) = &self.opening {
            opening.progress.cancel();
        }
        if self.editor.is_dirty()
            && !self.ended
            && let Err(error) = self.editor.autosave_now()
        {
            tracing::error!("The last changes could not be put into the recovery folder: {error}");
        }
        if self.ended {
            self.editor.close();
        }
        self.store_settings();
    }

    /// After a fault of the program: the last committed state goes into the recovery folder.
    pub fn rescue(&mut self) {
        if !self.editor.is_dirty() {
            return;
        }
        match self.editor.autosave_now() {
            Ok(path) => tracing::error!("The map was kept in {}", path.display()),
            Err(error) => tracing::error!("The map could not be kept: {error}"),
        }
        self.closed_down = true;
    }

    pub(super) fn store_settings(&mut self) {
        self.editor.settings.docks = self.layout.store();
        self.editor.settings.layout = self.editor.layout.clone();
        if self.editor.settings == self.stored {
            return;
        }
        if let Some(path) = &self.config
            && let Err(error) = self.editor.settings.save(path)
        {
            tracing::warn!("The settings could not be stored: {error}");
        }
        // Also after a fault: the next change tries again, not the next frame.
        self.stored = self.editor.settings.clone();
    }

    /// What tools keep in the settings (lines of the measure tool, the grid's origin) is on disk soon after it changed, not only
    /// when the window closes.
    pub(super) fn keep_settings(&mut self, ctx: &egui::Context) {
        if self.editor.settings == self.stored {
            self.unstored_since_s = None;
            return;
        }
        let now_s = self.editor.now_s();
        let since_s = *self.unstored_since_s.get_or_insert(now_s);
        if now_s - since_s < STORE_AFTER_S || self.editor.is_dragging() {
            ctx.request_repaint_after_secs(STORE_AFTER_S as f32);
        } else {
            self.unstored_since_s = None;
            self.store_settings();
        }
    }
}

/// Settings file and state folder: the user's, or those below the options' home.
fn folders(options: &ShellOptions) -> (Option<PathBuf>, Option<PathBuf>) {
    if let Some(home) = &options.home {
        return (Some(home.join("settings.toml")), Some(home.join("state")));
    }
    match directories::ProjectDirs::from("", "", "mapwright") {
        Some(dirs) => {
            let state = dirs
                .state_dir()
                .unwrap_or_else(|| dirs.data_local_dir())
                .to_owned();
            (Some(dirs.config_dir().join("settings.toml")), Some(state))
        }
        None => (None, None),
    }
}
