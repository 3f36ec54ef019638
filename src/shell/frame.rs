//! The whole window above the event loop: what is open, what is shown, and the one place where what panels and commands
//! ask for is carried out.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use crossbeam_channel::Sender;
use egui::Rect;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui_wgpu::RenderState;
use glam::DVec2;

use crate::assets::Library;
use crate::assets::Source;
use crate::assets::TextureState;
use crate::document::Edit;
use crate::document::Issue;
use crate::document::LayerId;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::Severity;
use crate::editor::Command;
use crate::editor::Editor;
use crate::editor::EventSink;
use crate::editor::JobEvent;
use crate::editor::Place;
use crate::editor::RenderMode;
use crate::editor::Request;
use crate::editor::Settings;
use crate::editor::StatusKind;
use crate::editor::ToolKind;
use crate::editor::ViewKind;
use crate::editor::commands::MenuTitle;
use crate::editor::input::Chord;
use crate::editor::input::Input;
use crate::editor::jobs;
use crate::editor::jobs::JobKind;
use crate::editor::placing::DropScope;
use crate::editor::recovery;
use crate::editor::recovery::Offer;
use crate::shell::ShellOptions;
use crate::shell::dialogs::Answer;
use crate::shell::dialogs::Chooser;
use crate::shell::dialogs::Prompt;
use crate::shell::dialogs::Question;
use crate::shell::file_dialog;
use crate::shell::file_dialog::FileDialog;
use crate::shell::file_dialog::Purpose;
use crate::shell::gpu::GpuSide;
use crate::shell::help;
use crate::shell::icons;
use crate::shell::import_report::ImportReport;
use crate::shell::layout::DockCx;
use crate::shell::layout::Layout;
use crate::shell::layout::Panel;
use crate::shell::menu;
use crate::shell::palette::Palette as CommandPalette;
use crate::shell::panels;
use crate::shell::say;
use crate::shell::start;
use crate::shell::status;
use crate::shell::theme::Palette;
use crate::shell::theme::size;
use crate::shell::thumbs::Thumbs;
use crate::shell::toasts::Toasts;
use crate::shell::toasts::Tone;
use crate::shell::toolbar;

/// A setting that a panel or menu changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingChange {
    Theme(&'static str),
    Scale(f64),
    BuildOnSave(bool),
    Autosave(bool),
    InvertY(bool),
    Link2d(bool),
}

/// What a panel, bar or dialog asks for.
pub enum Action {
    Run(&'static Command),
    Preview(Edit),
    Commit(Edit),
    Cancel,
    Select(Selection),
    /// Select and bring into view.
    Focus(ObjectId),
    Input(usize, Input),
    FieldKey(Chord),
    PaneSize(usize, DVec2, f64),
    SetKind(usize, ViewKind),
    SetMode(usize, RenderMode),
    Maximise(Option<usize>),
    Split(f64, f64),
    Tool(ToolKind),
    EntityClass(String),
    Grid(f64),
    Snap(bool),
    AlignmentLock(bool),
    Build,
    StopBuild,
    Walk,
    Hide(ObjectId, bool),
    Lock(ObjectId, bool),
    HideLayer(LayerId, bool),
    LockLayer(LayerId, bool),
    CurrentLayer(Option<LayerId>),
    RenameLayer(LayerId),
    /// Make it current, and put it onto the selection.
    Material(Material),
    /// Let go over the window: what is there gets it.
    DropMaterial(Material, egui::Pos2, egui::Modifiers),
    DropEntity(String, egui::Pos2),
    ShowProblem(Issue),
    Fix(Issue),
    Ignore(Issue, bool),
    Undo(usize),
    Redo(usize),
    Show(Panel),
    Palette,
    OpenPath(PathBuf),
    OpenSample,
    AskOpen,
    NewMap,
    AddTextures,
    Save,
    Recover(Offer),
    Discard(Offer),
    CopyText(String),
    Set(SettingChange),
}

/// What happens once unsaved work is dealt with.
#[derive(Clone, Debug, PartialEq)]
enum After {
    Quit,
    CloseMap,
    New,
    AskOpen,
    Open(PathBuf),
}

/// What an open question is about.
enum Asked {
    Unsaved(After),
    Overwrite(PathBuf),
    Changed(PathBuf),
}

enum Naming {
    Group(ObjectId),
    Layer(LayerId),
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
    /// An autosave of this map.
    Recovered(Option<PathBuf>),
}

/// What is found out about textures once for each state of map and library.
#[derive(Default)]
struct TextureFacts {
    generation: u64,
    document: Option<crate::document::Document>,
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
    file_dialog: Option<FileDialog>,
    question: Option<(Question, Asked)>,
    prompt: Option<(Prompt, Naming)>,
    chooser: Option<(Chooser, Choosing)>,
    report: Option<ImportReport>,
    context_menu: Option<panels::context::ContextMenu>,
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
    extra_assets: Vec<PathBuf>,
    config: Option<PathBuf>,
    state_folder: Option<PathBuf>,
    stored: Settings,
    said_s: f64,
    classes: Vec<String>,
    native_dialogs: bool,
    ended: bool,
    closed_down: bool,
}

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
            file_dialog: None,
            question: None,
            prompt: None,
            chooser: None,
            report: None,
            context_menu: None,
            offers,
            opening: None,
            after_save: None,
            start_screen: options.file.is_none(),
            frame_views: false,
            keyboard: Panel::Views,
            pasted: None,
            pending_paste: None,
            facts: TextureFacts::default(),
            extra_assets: options.assets.clone(),
            config,
            state_folder,
            stored: settings,
            said_s: f64::NEG_INFINITY,
            classes: builtin_classes(),
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

    fn store_settings(&mut self) {
        self.editor.settings.docks = self.layout.store();
        self.editor.settings.layout = self.editor.layout.clone();
        if self.editor.settings == self.stored {
            return;
        }
        if let Some(path) = &self.config {
            match self.editor.settings.save(path) {
                Ok(()) => self.stored = self.editor.settings.clone(),
                Err(error) => tracing::warn!("The settings could not be stored: {error}"),
            }
        }
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
        if self.frame_views && self.panels.views.are_sized(&self.editor) {
            self.frame_views = false;
            // An empty map has nothing to frame; then the views stay as they are.
            let _ = self.editor.run("view.reset_flat");
        }
        self.editor.tick(now_s);
        self.serve_requests(&ctx);
        self.library.poll();
        self.follow_textures();
        let more_thumbs = self.thumbs.begin(&self.library);
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
            || self.file_dialog.is_some()
            || self.question.is_some()
            || self.prompt.is_some()
            || self.chooser.is_some()
            || self.report.is_some();
        dialog
            || self.context_menu.is_some()
            || ctx.egui_wants_keyboard_input()
            || egui::Popup::is_any_open(ctx)
    }

    fn feed(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        let taken = self.keys_taken(ctx);
        panels::views::feed(ctx, &mut self.panels.views, &self.editor, taken, actions);
    }

    fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let p = Palette::of(ui.ctx());
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, 0.0, p.base);
        let cut = |from: f32, to: f32| {
            Rect::from_min_max(pos2(whole.left(), from), pos2(whole.right(), to))
        };
        let menu_bar = cut(whole.top(), whole.top() + size::MENU_BAR);
        let status_bar = cut(whole.bottom() - size::STATUS_BAR, whole.bottom());
        let part = |ui: &mut Ui, rect: Rect, name: &str| {
            ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name))
        };
        menu::ui(
            &mut part(ui, menu_bar, "menu bar"),
            &self.editor,
            self.start_screen,
            actions,
        );
        if self.start_screen {
            let middle = cut(menu_bar.bottom(), status_bar.top());
            let opening = self
                .opening
                .as_ref()
                .map(|opening| (opening.path.as_path(), opening.progress.get()));
            start::ui(
                &mut part(ui, middle, "start"),
                &mut self.panels.start,
                &self.editor.settings.recent,
                &self.offers,
                opening,
                actions,
            );
            start::status_ui(&mut part(ui, status_bar, "status bar"));
            return;
        }
        let tool_bar = cut(menu_bar.bottom(), menu_bar.bottom() + size::TOOL_BAR);
        let dock = cut(tool_bar.bottom(), status_bar.top());
        let toolbar_cx = toolbar::ToolbarCx {
            editor: &self.editor,
            library: &self.library,
            thumbs: &mut self.thumbs,
            classes: &self.classes,
        };
        toolbar::ui(&mut part(ui, tool_bar, "tool bar"), toolbar_cx, actions);
        let opening = self
            .opening
            .as_ref()
            .map(|opening| (say::file_name(&opening.path), opening.progress.get().1));
        status::ui(
            &mut part(ui, status_bar, "status bar"),
            &self.editor,
            opening,
            actions,
        );
        self.draw_dock(&mut part(ui, dock, "dock"), actions);
    }

    fn draw_dock(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let p = Palette::of(ui.ctx());
        let problems = self.editor.problem_count();
        let count = |panel: Panel| {
            (panel == Panel::Problems && problems > 0).then_some((problems, p.warning))
        };
        let keyboard = self.keyboard;
        let reply = {
            let (editor, library) = (&self.editor, &mut self.library);
            let (panels, thumbs, gpu) = (&mut self.panels, &mut self.thumbs, &mut self.gpu);
            let classes = &self.classes;
            let mut draw = |ui: &mut Ui, panel: Panel| {
                let mut cx = panels::Cx {
                    editor,
                    library,
                    thumbs,
                    classes,
                    has_keyboard: keyboard == panel,
                };
                match panel {
                    Panel::Views => {
                        let gpu = gpu.as_mut();
                        panels::views::ui(
                            ui,
                            &mut panels.views,
                            panels::views::ViewsCx {
                                editor,
                                gpu,
                                has_keyboard: keyboard == Panel::Views,
                            },
                            actions,
                        );
                    }
                    Panel::Outliner => panels::outliner::ui(ui, &mut panels.outliner, &cx, actions),
                    Panel::Layers => panels::layers::ui(ui, &cx, actions),
                    Panel::Entity => panels::inspector::ui(ui, &mut panels.inspector, &cx, actions),
                    Panel::Map => panels::map::ui(ui, &cx, actions),
                    Panel::History => panels::history::ui(ui, &cx, actions),
                    Panel::Face => panels::face::ui(ui, &mut cx, actions),
                    Panel::Materials => {
                        panels::materials::ui(ui, &mut panels.materials, &mut cx, actions);
                    }
                    Panel::Entities => panels::entities::ui(ui, &mut panels.entities, &cx, actions),
                    Panel::Problems => panels::problems::ui(ui, &mut panels.problems, &cx, actions),
                    Panel::Log => panels::log::ui(ui, &mut panels.log),
                }
            };
            self.layout.ui(
                ui,
                DockCx {
                    draw: &mut draw,
                    count: &count,
                    keyboard,
                },
            )
        };
        if let Some(panel) = reply.pressed {
            self.keyboard = panel;
        }
        if reply.reset {
            self.layout = Layout::default();
        }
        if reply.changed || reply.reset {
            self.editor.settings.docks = self.layout.store();
        }
    }

    fn toasts(&mut self, ui: &mut Ui) {
        // Sentences about failures are toasts as well; the status line forgets them.
        if let Some(said) = self.editor.status()
            && said.since_s != self.said_s
        {
            self.said_s = said.since_s;
            if said.kind == StatusKind::Error {
                tracing::error!("{}", said.text);
                let (title, detail) = split_sentence(&said.text);
                self.toasts.add(Tone::Error, title, detail);
            }
        }
        let over = self.panels.views.area.unwrap_or(ui.max_rect());
        self.toasts.ui(ui, over);
    }

    /// Answers of jobs, of native dialogs, and files dropped onto the window.
    fn take_events(&mut self, ctx: &egui::Context) {
        while let Ok(event) = self.event_queue.try_recv() {
            self.take_event(event);
        }
        while let Ok((purpose, path)) = self.picks.1.try_recv() {
            self.picked(purpose, path);
        }
        let dropped = ctx.input(|i| i.raw.dropped_files.clone());
        if let Some(path) = dropped.first().map(|file| file.path().to_owned()) {
            self.guard(After::Open(path));
        }
        let pasted = ctx.input(|i| {
            i.events.iter().find_map(|event| match event {
                egui::Event::Paste(text) => Some(text.clone()),
                _ => None,
            })
        });
        if let Some(text) = pasted {
            match self.pending_paste.take() {
                Some(place) => self.paste(&text, place),
                None => self.pasted = Some(text),
            }
        }
    }

    fn take_event(&mut self, event: JobEvent) {
        match event {
            JobEvent::Opened(map) => self.opened(*map),
            JobEvent::Failed {
                map: None,
                job: JobKind::Open,
                text,
            } => {
                self.opening = None;
                tracing::error!("{text}");
                let (title, detail) = split_sentence(&text);
                self.toasts.add(Tone::Error, title, detail);
            }
            other => {
                let failed_save = matches!(
                    other,
                    JobEvent::Failed {
                        job: JobKind::Save,
                        ..
                    } | JobEvent::Conflict { .. }
                );
                let saved = matches!(other, JobEvent::Saved { .. });
                self.editor.job_event(other);
                if failed_save {
                    self.after_save = None;
                }
                if saved {
                    self.store_settings();
                    if !self.editor.is_dirty()
                        && let Some(after) = self.after_save.take()
                    {
                        self.go_on(after);
                    }
                }
            }
        }
    }

    fn opened(&mut self, map: jobs::OpenedMap) {
        let Some(opening) = self.opening.take() else {
            return;
        };
        self.library.set_resolver(map.opened.resolver.clone());
        let settings = self.editor.settings.clone();
        match opening.how {
            Opened::Reload => {
                self.editor.reload(map);
                self.facts = TextureFacts::default();
                return;
            }
            Opened::Map => {
                let report = ImportReport::new(&map);
                let editor = Editor::from_opened(map, settings, self.events.clone());
                self.take_editor(editor);
                self.report = report.filter(ImportReport::is_worth_a_look);
                if self.report.is_none() && self.editor.file.is_import {
                    self.toasts.add(
                        Tone::Success,
                        format!("Imported {}", self.editor.name()),
                        "Everything was carried over",
                    );
                }
            }
            Opened::Recovered(own) => {
                let editor = Editor::from_recovered(map, own, settings, self.events.clone());
                self.take_editor(editor);
            }
        }
        self.start_screen = false;
        self.store_settings();
    }

    /// Another map takes the place of the open one.
    fn take_editor(&mut self, editor: Editor) {
        self.editor.close();
        self.editor = editor;
        self.frame_views = crate::editor::views::stored_panes(&self.editor.look)
            .iter()
            .all(Option::is_none);
        if let Some(folder) = self.state_folder.clone() {
            self.editor.set_state_folder(&folder);
        }
        self.panels = panels::Panels {
            start: std::mem::take(&mut self.panels.start),
            ..panels::Panels::default()
        };
        self.facts = TextureFacts::default();
        self.report = None;
        if let Some(gpu) = &mut self.gpu {
            gpu.forget_map();
        }
        self.classes = builtin_classes();
        for (_, object) in self.editor.doc().objects() {
            if let Some(entity) = object.entity() {
                self.classes.push(entity.class.clone());
            }
        }
        self.classes.retain(|class| class != "worldspawn");
        self.classes.sort();
        self.classes.dedup();
    }

    fn texture_roots(&self) -> Vec<PathBuf> {
        self.extra_assets
            .iter()
            .chain(&self.editor.settings.texture_paths)
            .cloned()
            .collect()
    }

    fn open(&mut self, path: PathBuf, how: Opened) {
        if let Some(old) = self.opening.take() {
            old.progress.cancel();
        }
        match jobs::open(path.clone(), self.texture_roots(), &self.events) {
            Ok(progress) => {
                self.opening = Some(Opening {
                    path,
                    progress,
                    how,
                });
            }
            Err(error) => self.toasts.add(
                Tone::Error,
                format!("Could not open {}", say::file_name(&path)),
                error.to_string(),
            ),
        }
    }

    /// Does it now, or asks about unsaved work first.
    fn guard(&mut self, after: After) {
        if !self.editor.is_dirty() || self.start_screen {
            return self.go_on(after);
        }
        let question = Question {
            title: format!("Save the changes to {}?", self.editor.name()),
            sentence: "Without saving, everything since the last save is lost.".to_owned(),
            primary: "Save",
            danger: Some("Don't save"),
            other: None,
        };
        self.question = Some((question, Asked::Unsaved(after)));
    }

    fn go_on(&mut self, after: After) {
        match after {
            After::Quit => self.ended = true,
            After::CloseMap => {
                let editor = Editor::new(self.editor.settings.clone(), self.events.clone());
                self.take_editor(editor);
                self.start_screen = true;
            }
            After::New => {
                let editor = Editor::new(self.editor.settings.clone(), self.events.clone());
                self.library.set_sources(vec![Source::Builtin]);
                self.take_editor(editor);
                self.start_screen = false;
            }
            After::AskOpen => self.ask_file(Purpose::OpenMap, None),
            After::Open(path) => self.open(path, Opened::Map),
        }
    }

    /// The desktop's dialog where there is one, else ours.
    fn ask_file(&mut self, purpose: Purpose, start: Option<&Path>) {
        let recent = &self.editor.settings.recent;
        let near = recent
            .first()
            .and_then(|path| path.parent())
            .map_or_else(file_dialog::home, Path::to_owned);
        let start = match start {
            Some(path) if path.parent().is_some_and(|folder| folder.is_dir()) => path.to_owned(),
            Some(path) => near.join(say::file_name(path)),
            None => near,
        };
        if self.native_dialogs
            && let Some(window) = &self.window
        {
            let (sender, wake) = (self.picks.0.clone(), self.wake.clone());
            file_dialog::ask_native(purpose, &start, window, move |path| {
                let _ = sender.send((purpose, path));
                wake();
            });
            return;
        }
        self.file_dialog = Some(FileDialog::new(purpose, &start, recent));
    }

    fn picked(&mut self, purpose: Purpose, path: Option<PathBuf>) {
        let Some(path) = path else {
            if purpose == Purpose::SaveMap {
                self.after_save = None;
            }
            return;
        };
        match purpose {
            Purpose::OpenMap => self.open(path, Opened::Map),
            Purpose::SaveMap => self.editor.save_to(&path),
            Purpose::AddTextures => {
                self.editor
                    .settings
                    .texture_paths
                    .retain(|old| *old != path);
                self.editor.settings.texture_paths.insert(0, path);
                self.refresh_sources();
                self.store_settings();
            }
        }
    }

    /// Textures are looked for again in everything that is set now.
    fn refresh_sources(&mut self) {
        let doc = self.editor.doc();
        let map = self
            .editor
            .file
            .path
            .as_deref()
            .or(self.editor.file.imported_from.as_deref());
        let sources = crate::assets::sources_for(
            map,
            &crate::assets::map_wads(doc),
            &self.texture_roots(),
            &self.editor.extras.textures,
        );
        self.library.set_sources(sources);
    }

    fn paste(&mut self, text: &str, place: Place) {
        // A refusal stands in the status line.
        let _ = self.editor.paste(text, place);
    }

    fn serve_requests(&mut self, ctx: &egui::Context) {
        for request in self.editor.take_requests() {
            self.serve(ctx, request);
        }
    }

    fn serve(&mut self, ctx: &egui::Context, request: Request) {
        match request {
            Request::New => self.guard(After::New),
            Request::Open => self.guard(After::AskOpen),
            Request::OpenPath(path) => self.guard(After::Open(path)),
            Request::SaveAs { suggested } => self.ask_file(Purpose::SaveMap, Some(&suggested)),
            Request::ConfirmOverwrite { path } => self.ask_overwrite(path),
            Request::FileChanged { path } => self.ask_changed(path),
            Request::Close => self.guard(After::CloseMap),
            Request::Quit => self.guard(After::Quit),
            Request::CopyText(text) => ctx.copy_text(text),
            Request::PasteText(place) => match self.pasted.take() {
                Some(text) => self.paste(&text, place),
                None => {
                    self.pending_paste = Some(place);
                    ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
                }
            },
            Request::ContextMenu { pane, at } => {
                if let Some(place) = self.panels.views.in_window(pane, at) {
                    self.context_menu = Some(panels::context::ContextMenu::new(place));
                }
            }
            Request::NameGroup { group, now } => {
                self.prompt = Some((
                    Prompt::new("Name of the group", now, "Name"),
                    Naming::Group(group),
                ));
            }
            Request::ChooseBrushClass => {
                let rows = self
                    .classes
                    .iter()
                    .map(|class| (class.clone(), String::new()))
                    .collect();
                self.chooser = Some((
                    Chooser::new("Tie to entity", rows, true),
                    Choosing::BrushClass,
                ));
            }
            Request::ChooseLayer => self.choose_layer(),
            Request::CommandPalette => self.palette = Some(CommandPalette::new()),
            Request::Help => self.help = Some(help::Help::new(help::Kind::Keys)),
            Request::Shortcuts => self.help = Some(help::Help::new(help::Kind::AllKeys)),
            Request::About => self.help = Some(help::Help::new(help::Kind::About)),
            Request::ShowPanel(panel) => self.show_panel(panel),
            Request::NextDock => self.step_dock(true),
            Request::PreviousDock => self.step_dock(false),
            Request::ReloadMaterials => {
                self.refresh_sources();
                self.editor
                    .say(StatusKind::Info, "Looking for textures again");
            }
            Request::ReloadDefinitions => {
                self.classes = builtin_classes();
                self.editor
                    .say(StatusKind::Info, "Entity classes were read again");
            }
        }
    }

    fn show_panel(&mut self, panel: crate::editor::Panel) {
        use crate::editor::Panel as Wanted;
        let panel = match panel {
            Wanted::Outliner => Panel::Outliner,
            Wanted::Layers => Panel::Layers,
            Wanted::Map => Panel::Map,
            Wanted::Entity => Panel::Entity,
            Wanted::Face => Panel::Face,
            Wanted::Materials => Panel::Materials,
            Wanted::Problems => Panel::Problems,
            Wanted::Log => Panel::Log,
            Wanted::ImportReport => {
                self.report = ImportReport::of_editor(&self.editor);
                if self.report.is_none() {
                    self.editor.say(
                        StatusKind::Info,
                        "This map was not imported, so there is no report",
                    );
                }
                return;
            }
            Wanted::All => {
                self.layout = Layout::default();
                return;
            }
        };
        self.layout.show(panel);
        self.keyboard = panel;
    }

    fn step_dock(&mut self, forth: bool) {
        let ring = [
            Panel::Outliner,
            Panel::Views,
            Panel::Entity,
            Panel::Face,
            Panel::Materials,
        ];
        let at = ring
            .iter()
            .position(|panel| *panel == self.keyboard)
            .unwrap_or(1);
        let next = if forth {
            (at + 1) % ring.len()
        } else {
            (at + ring.len() - 1) % ring.len()
        };
        self.keyboard = ring[next];
        self.layout.show(self.keyboard);
    }

    fn choose_layer(&mut self) {
        let mut layers = vec![("Default layer".to_owned(), None)];
        for (id, layer) in self.editor.doc().layers() {
            if layer.kind == crate::document::LayerKind::Layer {
                layers.push((layer.name.clone(), Some(id)));
            }
        }
        let rows = layers
            .iter()
            .map(|(name, _)| (name.clone(), String::new()))
            .collect();
        self.chooser = Some((
            Chooser::new("Move to layer", rows, false),
            Choosing::Layer(layers),
        ));
    }

    fn ask_overwrite(&mut self, path: PathBuf) {
        let question = Question {
            title: format!("{} was changed by somebody else", say::file_name(&path)),
            sentence: "The file is not the one that was opened. Replacing it loses what is in it now; the version before is kept as .bak."
                .to_owned(),
            primary: "Save as\u{2026}",
            danger: Some("Replace"),
            other: None,
        };
        self.question = Some((question, Asked::Overwrite(path)));
    }

    fn ask_changed(&mut self, path: PathBuf) {
        let sentence = if self.editor.is_dirty() {
            "Reloading loses the changes made here since the last save."
        } else {
            "Nothing was changed here since it was read."
        };
        let question = Question {
            title: format!("{} changed on disk", say::file_name(&path)),
            sentence: sentence.to_owned(),
            primary: "Reload",
            danger: None,
            other: Some("Keep this one"),
        };
        self.question = Some((question, Asked::Changed(path)));
    }

    /// Everything that stands over the window.
    fn dialogs(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        if let Some(menu) = &self.context_menu
            && !menu.ui(ctx, &self.editor, actions)
        {
            self.context_menu = None;
        }
        if let Some(palette) = &mut self.palette
            && !palette.ui(ctx, &self.editor, actions)
        {
            self.palette = None;
        }
        if let Some(help) = &mut self.help {
            let gpu = self.gpu.as_ref().map(GpuSide::summary);
            if !help.ui(ctx, &self.editor, gpu.as_deref()) {
                self.help = None;
            }
        }
        if let Some(report) = &mut self.report
            && !report.ui(ctx, &self.editor, actions)
        {
            self.report = None;
        }
        if let Some((question, asked)) = self.question.take() {
            match question.ui(ctx) {
                None => self.question = Some((question, asked)),
                Some(answer) => self.answered(&asked, answer),
            }
        }
        if let Some((mut prompt, naming)) = self.prompt.take() {
            match prompt.ui(ctx) {
                None => self.prompt = Some((prompt, naming)),
                Some(name) => self.named(&naming, name, actions),
            }
        }
        if let Some((mut chooser, choosing)) = self.chooser.take() {
            match chooser.ui(ctx) {
                None => self.chooser = Some((chooser, choosing)),
                Some(chosen) => self.chosen(&choosing, chosen),
            }
        }
        if let Some(dialog) = &mut self.file_dialog {
            let purpose = dialog.purpose();
            match dialog.ui(ctx) {
                file_dialog::Reply::Open => {}
                file_dialog::Reply::Cancelled => {
                    self.file_dialog = None;
                    self.picked(purpose, None);
                }
                file_dialog::Reply::Picked(path) => {
                    self.file_dialog = None;
                    self.picked(purpose, Some(path));
                    ctx.request_repaint();
                }
            }
        }
    }

    fn answered(&mut self, asked: &Asked, answer: Answer) {
        match (asked, answer) {
            (Asked::Unsaved(after), Answer::Primary) => {
                self.after_save = Some(after.clone());
                self.editor.save();
            }
            (Asked::Unsaved(after), Answer::Danger) => self.go_on(after.clone()),
            (Asked::Overwrite(path), Answer::Primary) => {
                self.ask_file(Purpose::SaveMap, Some(path));
            }
            (Asked::Overwrite(_), Answer::Danger) => self.editor.save_over(),
            (Asked::Changed(path), Answer::Primary) => self.open(path.clone(), Opened::Reload),
            _ => {}
        }
    }

    fn named(&mut self, naming: &Naming, name: Option<String>, actions: &mut Vec<Action>) {
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return;
        };
        match naming {
            Naming::Group(group) => {
                // A refusal stands in the status line.
                let _ = self.editor.rename_group(*group, &name);
            }
            Naming::Layer(layer) => actions.push(Action::Commit(
                crate::document::ops::layers::rename(*layer, name),
            )),
        }
    }

    fn chosen(&mut self, choosing: &Choosing, chosen: Option<String>) {
        let Some(name) = chosen else { return };
        // Refusals stand in the status line.
        let _ = match choosing {
            Choosing::BrushClass => self.editor.tie_to_entity(&name),
            Choosing::Layer(layers) => match layers.iter().find(|(known, _)| *known == name) {
                Some((_, layer)) => self.editor.move_to_layer(*layer),
                None => Ok(()),
            },
        };
    }

    /// The one place where something happens.
    fn carry_out(&mut self, ctx: &egui::Context, now_s: f64, actions: Vec<Action>) {
        for action in actions {
            self.act(ctx, now_s, action);
        }
    }

    fn act(&mut self, ctx: &egui::Context, now_s: f64, action: Action) {
        let editor = &mut self.editor;
        // Refusals of edits and commands stand in the status line already, so their errors are dropped here.
        match action {
            Action::Run(command) => drop(editor.run_command(command)),
            Action::Preview(edit) => drop(editor.preview(&edit)),
            Action::Commit(edit) => drop(editor.commit(&edit)),
            Action::Cancel => editor.cancel(),
            Action::Select(selection) => editor.select(selection),
            Action::Focus(id) => focus(editor, id),
            Action::Input(pane, input) => editor.input(now_s, pane, input),
            Action::FieldKey(chord) => drop(editor.field_key(chord)),
            Action::PaneSize(pane, size, pixels) => editor.set_pane_size(pane, size, pixels),
            Action::SetKind(pane, kind) => editor.set_kind(pane, kind),
            Action::SetMode(pane, mode) => editor.views[pane].mode = mode,
            Action::Maximise(pane) => editor.layout.maximised = pane,
            Action::Split(x, y) => {
                editor.layout.split_x = x.clamp(0.1, 0.9);
                editor.layout.split_y = y.clamp(0.1, 0.9);
            }
            Action::Tool(tool) => editor.set_tool(tool),
            Action::EntityClass(class) => {
                editor.set_entity_class(class);
                editor.set_tool(ToolKind::Entity);
            }
            Action::Grid(step) => editor.set_grid(step),
            Action::Snap(on) => editor.grid.enabled = on,
            Action::AlignmentLock(on) => editor.settings.alignment_lock = on,
            Action::Build => editor.build(),
            Action::StopBuild => drop(editor.run("map.cancel_build")),
            Action::Walk => drop(editor.run("map.walk")),
            Action::Hide(id, hidden) => editor.set_hidden(id, hidden),
            Action::Lock(id, locked) => editor.set_locked(id, locked),
            Action::HideLayer(id, hidden) => editor.set_layer_hidden(id, hidden),
            Action::LockLayer(id, locked) => editor.set_layer_locked(id, locked),
            Action::CurrentLayer(layer) => editor.look.current_layer = layer,
            Action::RenameLayer(id) => {
                if let Some(layer) = editor.doc().layer(id) {
                    self.prompt = Some((
                        Prompt::new("Name of the layer", layer.name.clone(), "Rename"),
                        Naming::Layer(id),
                    ));
                }
            }
            Action::Material(material) => drop(editor.apply_material(material)),
            Action::DropMaterial(material, at, held) => {
                if let Some((pane, at)) = self.panels.views.pane_at(at) {
                    let scope = match (held.command, held.shift) {
                        (true, _) => DropScope::Object,
                        (_, true) => DropScope::SameMaterial,
                        _ => DropScope::Face,
                    };
                    if let Err(error) = editor.drop_material(material, pane, at, scope) {
                        editor.say(StatusKind::Refused, error.to_string());
                    }
                }
            }
            Action::DropEntity(class, at) => {
                if let Some((pane, at)) = self.panels.views.pane_at(at) {
                    drop(editor.place_entity(&class, pane, at));
                }
            }
            Action::ShowProblem(issue) => editor.show_problem(&issue),
            Action::Fix(issue) => drop(editor.fix_problem(&issue)),
            Action::Ignore(issue, ignored) => editor.set_ignored(&issue, ignored),
            Action::Undo(times) => repeat(times, || editor.undo()),
            Action::Redo(times) => repeat(times, || editor.redo()),
            Action::Show(panel) => {
                self.layout.show(panel);
                self.keyboard = panel;
            }
            Action::Palette => self.palette = Some(CommandPalette::new()),
            Action::OpenPath(path) => self.guard(After::Open(path)),
            Action::OpenSample => self.open_sample(),
            Action::AskOpen => self.guard(After::AskOpen),
            Action::NewMap => self.guard(After::New),
            Action::AddTextures => self.ask_file(Purpose::AddTextures, None),
            Action::Save => editor.save(),
            Action::Recover(offer) => {
                self.offers.retain(|other| *other != offer);
                self.open(offer.file.clone(), Opened::Recovered(offer.map.clone()));
                recovery::dismiss(&offer);
            }
            Action::Discard(offer) => {
                recovery::dismiss(&offer);
                self.offers.retain(|other| *other != offer);
            }
            Action::CopyText(text) => ctx.copy_text(text),
            Action::Set(change) => self.set(ctx, change),
        }
    }

    fn set(&mut self, ctx: &egui::Context, change: SettingChange) {
        let s = &mut self.editor.settings;
        match change {
            SettingChange::Theme(theme) => theme.clone_into(&mut s.theme),
            SettingChange::Scale(scale) => s.ui_scale = scale,
            SettingChange::BuildOnSave(on) => s.build_on_save = on,
            SettingChange::Autosave(on) => s.autosave = on,
            SettingChange::InvertY(on) => s.invert_y = on,
            SettingChange::Link2d(on) => s.link_2d = on,
        }
        self.apply_look(ctx);
        self.store_settings();
    }

    fn open_sample(&mut self) {
        match sample_map() {
            Some(path) => self.guard(After::Open(path)),
            None => self.toasts.add(
                Tone::Warning,
                "The sample map is not here",
                "It lies in assets/maps beside the program",
            ),
        }
    }

    /// What follows from the textures: mean colours for builds, problems for missing ones.
    fn follow_textures(&mut self) {
        let doc = self.editor.doc();
        let same_map = self.facts.document.as_ref().is_some_and(|old| {
            doc.material_changes_since(old).next().is_none()
                && old.material_count() == doc.material_count()
        });
        if (same_map && self.facts.generation == self.library.generation())
            || self.library.is_loading()
        {
            return;
        }
        self.facts.document = Some(doc.clone());
        let mut albedo = BTreeMap::new();
        let mut missing: BTreeMap<MaterialId, String> = BTreeMap::new();
        let materials: Vec<(MaterialId, String)> = doc
            .materials()
            .map(|(id, material)| (id, material.texture.clone()))
            .collect();
        for (id, texture) in materials {
            if texture.is_empty() {
                continue;
            }
            let texture_id = self.library.texture(&texture);
            if let Some(mean) = self.library.mean_color(texture_id) {
                albedo.insert(id, mean);
            }
            if let TextureState::Missing | TextureState::Failed(_) = self.library.state(texture_id)
            {
                missing.insert(id, texture);
            }
        }
        self.facts.generation = self.library.generation();
        self.editor.compile_options.albedo = Arc::new(albedo);
        let issues = missing_issues(self.editor.doc(), &missing);
        self.editor.set_outside_problems(issues);
    }
}

/// So often, or until there is nothing more to do.
fn repeat(times: usize, mut step: impl FnMut() -> bool) {
    for _ in 0..times {
        if !step() {
            return;
        }
    }
}

/// One row for each missing texture, with the first object that shows it.
fn missing_issues(
    doc: &crate::document::Document,
    missing: &BTreeMap<MaterialId, String>,
) -> Vec<Issue> {
    let mut uses: BTreeMap<MaterialId, (usize, ObjectId, u32)> = BTreeMap::new();
    if missing.is_empty() {
        return Vec::new();
    }
    for (id, object) in doc.objects() {
        let mut note = |material: Option<MaterialId>, face: usize| {
            if let Some(material) = material.filter(|material| missing.contains_key(material)) {
                uses.entry(material).or_insert((0, id, face as u32)).0 += 1;
            }
        };
        match &object.kind {
            crate::document::Kind::Brush(brush) => {
                brush
                    .faces()
                    .iter()
                    .enumerate()
                    .for_each(|(index, face)| note(face.material, index));
            }
            crate::document::Kind::Mesh(mesh) => {
                mesh.polygons
                    .iter()
                    .enumerate()
                    .for_each(|(index, polygon)| note(polygon.material, index));
            }
            _ => {}
        }
    }
    uses.into_iter()
        .map(|(material, (faces, object, face))| Issue {
            code: "A-MISSING-TEXTURE",
            severity: Severity::Warning,
            object: Some(object),
            face: Some(face),
            place: None,
            text: format!(
                "Texture {} not found; {}",
                missing[&material],
                say::counted(faces, "face uses it", "faces use it")
            ),
            fix: None,
        })
        .collect()
}

fn focus(editor: &mut Editor, id: ObjectId) {
    let doc = editor.doc();
    let bounds = doc
        .subtree(id)
        .into_iter()
        .filter_map(|id| doc.object(id))
        .map(crate::document::Object::bounds)
        .fold(crate::geometry::Aabb::EMPTY, crate::geometry::Aabb::union);
    if doc.object(id).is_none() {
        return;
    }
    editor.select(Selection::from([Pick::Object(id)]));
    if !bounds.is_empty() {
        editor.frame_bounds(bounds);
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

/// The sample map beside the program, or in the project it was built from.
fn sample_map() -> Option<PathBuf> {
    let name = Path::new("assets/maps/courtyard.hmap");
    let program = std::env::current_exe().ok();
    program
        .iter()
        .flat_map(|path| path.ancestors().skip(1))
        .map(|folder| folder.join(name))
        .chain([name.to_owned()])
        .find(|path| path.is_file())
}

/// Classes of the definitions that ship with the program.
fn builtin_classes() -> Vec<String> {
    let mut classes: Vec<String> = include_str!("../../assets/entities/mapwright.fgd")
        .lines()
        .filter(|line| line.starts_with("@PointClass") || line.starts_with("@SolidClass"))
        .filter_map(|line| {
            let name = line.split_once('=')?.1;
            Some(name.split([':', '[']).next()?.trim().to_owned())
        })
        .filter(|name| !name.is_empty() && name != "worldspawn")
        .collect();
    classes.sort();
    classes.dedup();
    classes
}

/// The glyph that stands before a command in lists.
#[must_use]
pub fn command_icon(command: &Command) -> char {
    let id = command.id;
    let has = |part: &str| id.contains(part);
    if has("undo") {
        icons::UNDO
    } else if has("redo") {
        icons::REDO
    } else if has("save") {
        icons::SAVE
    } else if has("open") {
        icons::FOLDER_OPEN
    } else if has("new") {
        icons::FILE_NEW
    } else if has("walk") {
        icons::WALK
    } else if has("build") {
        icons::BUILD
    } else if has("hide") || has("show") || has("isolate") {
        icons::EYE
    } else if has("lock") {
        icons::LOCK
    } else if has("grid") || has("snap") {
        icons::GRID
    } else if has("group") {
        icons::GROUP
    } else if has("layer") {
        icons::LAYERS
    } else if has("delete") {
        icons::TRASH
    } else if has("copy") || has("duplicate") || has("paste") || has("cut") {
        icons::COPY
    } else if has("problem") {
        icons::WARNING
    } else if has("frame") {
        icons::FRAME
    } else {
        match command.menu.title {
            MenuTitle::File => icons::FILE,
            MenuTitle::Edit => icons::CURSOR,
            MenuTitle::Select => icons::MARQUEE,
            MenuTitle::Brush => icons::BRUSH,
            MenuTitle::Face => icons::TEXTURE,
            MenuTitle::View => icons::CAMERA,
            MenuTitle::Map => icons::MAP,
            MenuTitle::Help => icons::HELP,
            MenuTitle::Hidden => icons::COMMAND,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_definitions_give_their_classes() {
        let classes = builtin_classes();
        for class in ["light", "light_spot", "light_sun"] {
            assert!(
                classes.iter().any(|known| known == class),
                "{class} in {classes:?}"
            );
        }
        assert!(
            !classes
                .iter()
                .any(|class| class == "worldspawn" || class.contains(' '))
        );
    }

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
