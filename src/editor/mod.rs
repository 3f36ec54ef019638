//! The editor without a face: tools, commands, selection, picking, cameras, settings, jobs.
//!
//! Must not know egui, winit or wgpu. One [`Editor`] is one open map. Whoever gives it a face (the shell, a test) does this:
//!
//! ```text
//! let (settings, warnings) = Settings::load(&config_path);           // never fails; warnings go to the log
//! let events: EventSink = Arc::new(move |event| proxy.send(event));  // called on job threads
//! let mut editor = Editor::new(settings, events);                    // an empty, untitled map
//! let progress = jobs::open(path, texture_roots, &events)?;          // -> JobEvent::Opened -> Editor::from_opened
//!
//! // per window event, with one rising clock in seconds for everything; positions in points of the pane
//! editor.set_pane_size(pane, size, pixels_per_point);
//! editor.input(now_s, pane, Input::PointerMoved { at });
//! editor.input(now_s, pane, Input::Press { button: Button::Left, at });
//! editor.input(now_s, pane, Input::Key { key, physical, pressed: true, repeat: false });
//! editor.field_key(chord);                                           // keys while a text field has the keyboard
//!
//! // per frame
//! editor.tick(now_s);                                                // flying, easing, walking, autosave, checks
//! for request in editor.take_requests() { .. }                       // dialogs, clipboard, quitting: see Request
//! scene.sync(gpu, editor.state(), &editor.look, library);            // the preview if there is one
//! for pane in editor.layout.visible() { draw(&editor.views[pane], &editor.overlay(pane)); }
//! if editor.wants_frames() { request_redraw(); }                     // else sleep
//!
//! // panels
//! editor.run("edit.undo");                  // or run_command(&'static Command); says why it cannot in status()
//! for option in editor.tool_options() { .. } // the tool bar: numbers, choices, buttons as plain data
//! editor.set_tool_option(id, value);        // may amend the last step
//! editor.preview(&edit); editor.commit(&edit); editor.cancel(); editor.select(selection);
//! editor.job_event(event);                  // every JobEvent but Opened
//! ```

pub mod bookmarks;
pub mod camera;
mod clipboard;
mod combining;
pub mod commands;
mod defining;
pub mod digging;
mod drawn;
mod edits;
mod eye;
mod falling;
mod file;
pub mod find;
pub mod fog;
mod framing;
pub mod input;
mod issues;
pub mod jobs;
pub mod keymap;
pub mod lighting;
mod links;
mod looking;
mod naming;
mod nudge;
pub mod numbers;
pub mod outlining;
pub mod overlay;
pub mod pick;
pub mod placing;
pub(crate) mod playable;
mod pointer;
pub mod properties;
mod recovering;
pub mod recovery;
mod region;
mod repeat;
mod request;
mod saying;
mod selecting;
pub mod settings;
pub mod shaping;
pub(crate) mod shown;
pub mod similar;
mod sizes;
pub mod snapping;
mod spatial;
mod stepping;
pub mod texturing;
pub mod toggles;
pub mod tools;
mod transforming;
pub mod uv_view;
pub mod view;
pub mod views;
mod volume;
mod walk;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

pub use self::clipboard::Place;
pub use self::commands::COMMANDS;
pub use self::commands::Command;
pub use self::file::FileState;
pub(crate) use self::framing::player_start;
pub use self::input::Button;
pub use self::input::Chord;
pub use self::input::Input;
pub use self::input::Key;
pub use self::input::Modifiers;
pub use self::issues::Problem;
pub use self::jobs::EventSink;
pub use self::jobs::JobEvent;
pub use self::keymap::KeyPreset;
pub use self::keymap::Keymap;
pub use self::pick::Hit;
pub use self::request::Panel;
pub use self::request::Request;
pub use self::request::Status;
pub use self::request::StatusKind;
pub use self::settings::Settings;
pub use self::sizes::ArrivedPicture;
pub use self::toggles::EdgeDisplay;
pub use self::toggles::ShownOf;
pub use self::toggles::Toggle;
pub use self::toggles::ViewToggles;
pub use self::tools::CursorShape;
pub use self::tools::Hint;
pub use self::tools::ToolAction;
pub use self::tools::ToolKind;
pub use self::view::RenderMode;
pub use self::view::View;
pub use self::view::ViewKind;
pub use self::views::Layout;
use glam::DVec3;

use crate::assets::Definitions;
use crate::assets::export::Exported;
use crate::compiler::Compiled;
use crate::compiler::Options;
use crate::document::Document;
use crate::document::History;
use crate::document::Material;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::ViewState;
use crate::formats::Extras;
use crate::formats::Report;
use crate::geometry::Aabb;
pub use crate::geometry::Grid;

/// One open map and everything that hangs on it. See the module's text for how to drive it.
pub struct Editor {
    history: History,
    /// What is on disk; the title star is `!state().doc.same(&saved)`.
    saved: Document,
    /// Hidden, locked, current layer: ways of looking, saved with the map. Grid and panes are put into it at save.
    pub look: ViewState,
    /// What the file carries beside map and view.
    pub extras: Extras,
    /// What the import had to say.
    pub report: Report,
    /// What an export came to, until somebody takes it.
    pub last_export: Option<Exported>,
    /// Where the map lives on disk.
    pub file: FileState,
    pub settings: Settings,
    pub keymap: Keymap,
    /// Four panes in the order 3D, Top, Front, Side at first; [`Layout::visible`] says which are shown.
    pub views: Vec<View>,
    pub layout: Layout,
    pub grid: Grid,
    pub grid_shown: bool,
    /// What is under the pointer, resolved to what a click would take.
    pub hover: Option<Hit>,
    /// The last finished build, or what the file held of one.
    pub compiled: Option<Arc<Compiled>>,
    /// Whether lit views show the light that the map came with; `None`: as long as there is no build.
    original_light_wanted: Option<bool>,
    /// Builds take the light that the map came with for the surfaces that had it.
    keeps_original_light: bool,
    /// Whether lit views show light twice as bright as it is built; `None`: as the game does that the map came from.
    double_light_wanted: Option<bool>,
    /// What builds are made with; the shell puts mean colours of textures in.
    pub compile_options: Options,
    /// Used by tools that make faces.
    pub current_material: Option<Material>,
    /// About which things turn and scale, where the user put it (MOV-9); `None` = the middle of the selection.
    pub pivot: Option<DVec3>,
    /// What the last turn or flip went about, and the state it left: the next one goes about the same, so that four quarter
    /// turns are nothing wherever the middle is.
    kept_pivot: Option<(Document, DVec3)>,
    /// MOV-8: arms, rings and knobs at the pivot are shown.
    pub gizmo: bool,
    /// The gizmo follows the last selected object's axes, not the world's.
    pub gizmo_is_local: bool,
    /// The group that is open for editing.
    pub open_group: Option<ObjectId>,
    definitions: Arc<Definitions>,
    spatial: spatial::Spatial,
    tools: tools::Tools,
    shaping: shaping::Shaping,
    repeats: repeat::RepeatLog,
    pointer: pointer::Pointer,
    camera: camera::CameraState,
    selections: selecting::SelectionLog,
    /// Bounds of the last selection that had any: the depth of boxes drawn in 2D.
    last_bounds: Aabb,
    problems: issues::Problems,
    /// Who fires or follows whom.
    links: links::Links,
    fog: fog::WorldFog,
    jobs: jobs::Jobs,
    /// Sizes of pictures that turned up after the import guessed them.
    sizes: sizes::Sizes,
    texturing: texturing::Texturing,
    uv_view: uv_view::UvView,
    walk: Option<walk::Walk>,
    combining: combining::Combining,
    /// The region of work; the rest is out of reach and of builds by hand (VIEW-4).
    cordon: Option<Aabb>,
    /// The pane whose solids are looked through while `Tab` is held (VIEW-5).
    xray: Option<usize>,
    requests: Vec<Request>,
    saying: saying::Saying,
    fold: Option<stepping::Fold>,
    flash: Option<Flash>,
    now_s: f64,
}

/// Objects that blink white for a moment, as after duplicating in place.
struct Flash {
    objects: BTreeSet<ObjectId>,
    until_s: f64,
}

/// How long a flash lasts.
const FLASH_S: f64 = 0.25;

impl Editor {
    /// An empty map without a name.
    #[must_use]
    pub fn new(settings: Settings, events: EventSink) -> Self {
        Self::with_document(Document::default(), ViewState::default(), settings, events)
    }

    /// A map that was made in the program, unsaved only when it is edited.
    #[must_use]
    pub fn with_document(
        doc: Document,
        look: ViewState,
        settings: Settings,
        events: EventSink,
    ) -> Self {
        let keymap = Keymap::of(settings.key_preset, &settings.keys);
        let definitions = Arc::new(Definitions::load(&settings.definitions));
        let mut editor = Self {
            saved: doc.clone(),
            history: History::new(doc),
            look,
            extras: Extras::default(),
            report: Report::default(),
            last_export: None,
            file: FileState::default(),
            keymap,
            views: views::default_panes(),
            layout: settings.layout.clone(),
            grid: Grid::default(),
            grid_shown: settings.grid_shown,
            hover: None,
            compiled: None,
            original_light_wanted: None,
            keeps_original_light: false,
            double_light_wanted: None,
            compile_options: Options::default(),
            current_material: None,
            pivot: None,
            kept_pivot: None,
            gizmo: false,
            gizmo_is_local: false,
            open_group: None,
            spatial: spatial::Spatial::new(Arc::clone(&definitions)),
            tools: tools::Tools::default(),
            shaping: shaping::Shaping::default(),
            repeats: repeat::RepeatLog::default(),
            pointer: pointer::Pointer::default(),
            camera: camera::CameraState::default(),
            selections: selecting::SelectionLog::default(),
            last_bounds: Aabb::EMPTY,
            problems: issues::Problems::new(Arc::clone(&definitions)),
            links: links::Links::default(),
            fog: fog::WorldFog::default(),
            jobs: jobs::Jobs::new(events),
            definitions,
            sizes: sizes::Sizes::default(),
            texturing: texturing::Texturing::default(),
            uv_view: uv_view::UvView::default(),
            walk: None,
            combining: combining::Combining::default(),
            cordon: None,
            xray: None,
            requests: Vec::new(),
            saying: saying::Saying::default(),
            fold: None,
            flash: None,
            now_s: 0.0,
            settings,
        };
        editor.restore_views();
        editor.follow();
        editor
    }

    /// The steps, for the history panel and labels of undo and redo.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What everybody shows: the preview if there is one.
    #[must_use]
    pub fn state(&self) -> &State {
        self.history.state()
    }

    #[must_use]
    pub fn doc(&self) -> &Document {
        &self.history.state().doc
    }

    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.history.state().selection
    }

    /// True when there is something that Save would write. Undoing back to the saved state is clean.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.history.committed().doc.same(&self.saved)
            || (self.file.is_import && self.file.path.is_none())
    }

    /// File name, or "untitled", without any mark for unsaved changes.
    #[must_use]
    pub fn name(&self) -> String {
        let path = self
            .file
            .path
            .as_deref()
            .or(self.file.imported_from.as_deref());
        path.and_then(Path::file_name).map_or_else(
            || "untitled".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// `name.hmap (unsaved) - Mapwright`
    #[must_use]
    pub fn title(&self) -> String {
        format!(
            "{}{} - Mapwright",
            self.name(),
            if self.is_dirty() { " (unsaved)" } else { "" }
        )
    }

    /// The clock of the last input or tick, in seconds.
    #[must_use]
    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    /// What the shell has to do, in order. Takes them away.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    pub(crate) fn request(&mut self, request: Request) {
        self.requests.push(request);
    }

    /// Makes objects blink white for a moment.
    pub(crate) fn flash(&mut self, objects: impl IntoIterator<Item = ObjectId>) {
        self.flash = Some(Flash {
            objects: objects.into_iter().collect(),
            until_s: self.now_s + FLASH_S,
        });
    }

    /// Objects that blink white right now.
    #[must_use]
    pub fn flashing(&self) -> Option<&BTreeSet<ObjectId>> {
        self.flash
            .as_ref()
            .filter(|flash| self.now_s < flash.until_s)
            .map(|flash| &flash.objects)
    }

    /// Bounds of everything selected; empty without a selection.
    #[must_use]
    pub fn selection_bounds(&self) -> Aabb {
        selecting::bounds(self.state(), &self.definitions)
    }

    /// What is derived catches up with the committed state.
    fn follow(&mut self) {
        self.settle_components();
        let state = self.history.committed();
        self.spatial.sync(&state.doc);
        self.problems.sync(&state.doc);
        self.links.sync(&state.doc, &self.definitions);
        self.fog.sync(&state.doc);
        self.look.prune(&state.doc);
        if self.open_group.is_some_and(|id| {
            state
                .doc
                .object(id)
                .is_none_or(|object| object.group().is_none())
        }) {
            self.open_group = None;
        }
        let bounds = selecting::bounds(state, &self.definitions);
        if !bounds.is_empty() {
            self.last_bounds = bounds;
        }
        self.uv_view.drop_drag();
        // Only picking a face chooses its material; what was chosen since stays.
        if self.texturing.follow(&state.selection)
            && let Some((id, face)) = self.texturing.last_face()
        {
            self.current_material =
                selecting::face_material(&state.doc, id, face).or(self.current_material.take());
        }
        if self
            .hover
            .as_ref()
            .is_some_and(|hit| self.history.committed().doc.object(hit.object).is_none())
        {
            self.hover = None;
        }
        self.tool_follows();
    }

    /// Whole objects of the selection with all below them.
    pub(crate) fn selected_objects(&self) -> Vec<ObjectId> {
        let state = self.history.committed();
        state.selection.with_children(&state.doc)
    }
}
