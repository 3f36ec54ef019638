//! Slow work beside the editor: open, save, compile, autosave, watching the file. A job gets a snapshot, runs on its own thread
//! and sends one [`JobEvent`]; a panic in it becomes [`JobEvent::Failed`].

mod autosave;
mod export;
mod save;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Instant;

use crate::assets::Opened;
use crate::assets::Watcher;
use crate::assets::export::Exported;
use crate::assets::save::FileStamp;
use crate::compiler;
use crate::compiler::Cache;
use crate::compiler::Compiled;
use crate::compiler::GivenLight;
use crate::compiler::Options;
use crate::compiler::trace::Tracer;
use crate::document::Document;
use crate::document::EditError;
use crate::document::ViewState;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::file::FileState;
use crate::editor::recovery::Recovery;
use crate::editor::request::StatusKind;
use crate::editor::settings::Settings;
use crate::formats::Extras;
use crate::formats::ImportOptions;
use crate::task;
use crate::task::Cancelled;
use crate::task::Progress;
use crate::task::Slot;

/// Called on job threads; must only hand the event on.
pub type EventSink = Arc<dyn Fn(JobEvent) + Send + Sync>;

/// Names one open map, so that events of a map that is closed find nobody.
#[derive(Clone, Debug, Default)]
pub struct MapToken(Arc<()>);

impl PartialEq for MapToken {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    Open,
    Save,
    Compile,
    Autosave,
    Walk,
    Export,
}

/// A map that was read, ready for [`Editor::from_opened`].
pub struct OpenedMap {
    pub path: PathBuf,
    pub opened: Opened,
    pub stamp: Option<FileStamp>,
}

/// What a job came to.
pub enum JobEvent {
    Opened(Box<OpenedMap>),
    Saved {
        map: MapToken,
        path: PathBuf,
        stamp: FileStamp,
        snapshot: Box<Snapshot>,
    },
    /// The file on disk is not the one last read or written; nothing was touched.
    Conflict {
        map: MapToken,
        path: PathBuf,
    },
    /// `None`: it was cancelled.
    Compiled {
        map: MapToken,
        compiled: Option<Arc<Compiled>>,
        seconds: f64,
    },
    /// The build was added to the saved file, or not (the file is another one by now).
    CompileAdded {
        map: MapToken,
        stamp: Option<FileStamp>,
    },
    Autosaved {
        map: MapToken,
        path: PathBuf,
    },
    /// The map's file may have changed on disk: how it is now; `None` = gone.
    FileChanged {
        map: MapToken,
        path: PathBuf,
        now: Option<FileStamp>,
    },
    /// The map was written in another format.
    Exported {
        map: MapToken,
        exported: Box<Exported>,
    },
    /// The collision of the present brushes, for walking.
    WalkReady {
        map: MapToken,
        ready: WalkReady,
    },
    Failed {
        map: Option<MapToken>,
        job: JobKind,
        text: String,
    },
}

/// See [`JobEvent::WalkReady`].
pub struct WalkReady {
    pub(crate) tracer: Arc<Tracer>,
    pub(crate) from_start: bool,
}

impl std::fmt::Debug for JobEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Opened(opened) => write!(f, "Opened({})", opened.path.display()),
            Self::Saved { path, .. } => write!(f, "Saved({})", path.display()),
            Self::Conflict { path, .. } => write!(f, "Conflict({})", path.display()),
            Self::Compiled {
                compiled, seconds, ..
            } => write!(
                f,
                "Compiled({}, {seconds:.3} s)",
                if compiled.is_some() {
                    "done"
                } else {
                    "cancelled"
                }
            ),
            Self::CompileAdded { stamp, .. } => write!(f, "CompileAdded({})", stamp.is_some()),
            Self::Autosaved { path, .. } => write!(f, "Autosaved({})", path.display()),
            Self::FileChanged { path, .. } => write!(f, "FileChanged({})", path.display()),
            Self::Exported { exported, .. } => write!(f, "Exported({:?})", exported.files),
            Self::WalkReady { .. } => write!(f, "WalkReady"),
            Self::Failed { job, text, .. } => write!(f, "Failed({job:?}, {text})"),
        }
    }
}

/// What a save wrote.
pub struct Snapshot {
    pub doc: Document,
    pub look: ViewState,
    pub extras: Extras,
    compiled: bool,
}

/// Opens a map on a thread of its own; ends in `Opened` or `Failed`. `roots`: folders and files with textures.
///
/// # Errors
/// When the system has no thread to give.
pub fn open(path: PathBuf, roots: Vec<PathBuf>, events: &EventSink) -> std::io::Result<Progress> {
    open_with(path, roots, ImportOptions::default(), events)
}

/// As [`open`], the way that the user asked for.
///
/// # Errors
/// When the system has no thread to give.
pub fn open_with(
    path: PathBuf,
    roots: Vec<PathBuf>,
    options: ImportOptions,
    events: &EventSink,
) -> std::io::Result<Progress> {
    let progress = Progress::new();
    let (shared, events) = (progress.clone(), Arc::clone(events));
    // There are views to show it.
    let options = ImportOptions {
        original_light: true,
        ..options
    };
    let work = move || {
        let opened = crate::assets::open_map_with(&path, &roots, options, &shared)
            .map_err(|error| error.to_string())?;
        let stamp = FileStamp::read(&path).ok();
        shared.check().map_err(|error| error.to_string())?;
        Ok(OpenedMap {
            path,
            opened,
            stamp,
        })
    };
    spawn("open", JobKind::Open, None, events, work, |opened| {
        JobEvent::Opened(Box::new(opened))
    })?;
    Ok(progress)
}

/// Starts a named thread; its result, its error or the message of its panic is sent as one event.
fn spawn<T: Send + 'static>(
    name: &str,
    job: JobKind,
    map: Option<MapToken>,
    events: EventSink,
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
    event: impl FnOnce(T) -> JobEvent + Send + 'static,
) -> std::io::Result<()> {
    let done = move |result: Result<Result<T, String>, String>| {
        events(match result {
            Ok(Ok(value)) => event(value),
            Ok(Err(text)) => JobEvent::Failed { map, job, text },
            Err(panic) => JobEvent::Failed {
                map,
                job,
                text: format!("A fault in Mapwright stopped this ({panic}); the map is unharmed"),
            },
        });
    };
    task::spawn(name, work, done).map(drop)
}

/// Jobs of one map.
pub(crate) struct Jobs {
    events: EventSink,
    token: MapToken,
    compile: Slot<Document>,
    cache: Arc<Mutex<Cache>>,
    saving: bool,
    /// A save was asked for while one ran.
    save_again: bool,
    adding: bool,
    walk_starting: bool,
    watcher: Option<Watcher>,
    autosave: Autosave,
}

/// When to autosave, by the clock of the editor.
#[derive(Default)]
struct Autosave {
    recovery: Option<Recovery>,
    state_folder: Option<PathBuf>,
    seen: Document,
    /// The first change that no autosave or save holds.
    changed_s: Option<f64>,
    last_change_s: f64,
    running: bool,
}

impl Jobs {
    pub fn new(events: EventSink) -> Self {
        Self {
            events,
            token: MapToken::default(),
            compile: Slot::default(),
            cache: Arc::default(),
            saving: false,
            save_again: false,
            adding: false,
            walk_starting: false,
            watcher: None,
            autosave: Autosave::default(),
        }
    }
}

impl Editor {
    /// A map that a job has opened.
    #[must_use]
    pub fn from_opened(map: OpenedMap, settings: Settings, events: EventSink) -> Self {
        let OpenedMap {
            path,
            opened,
            stamp,
        } = map;
        let imported = opened.imported;
        let mut editor = Self::with_document(imported.doc, imported.view, settings, events);
        editor.extras = imported.extras;
        editor.take_game_definitions();
        editor.report = imported.report;
        editor.settings.remember(&path);
        let is_own = opened.format == "hmap";
        editor.file = FileState {
            path: is_own.then(|| path.clone()),
            imported_from: (!is_own).then_some(path.clone()),
            is_import: !is_own,
            stamp: if is_own { stamp } else { None },
            ..FileState::default()
        };
        let kept = editor.settings.map(&path);
        if let Some(origin) = kept.grid_origin {
            editor.grid.origin = glam::DVec3::from_array(origin);
        }
        editor.tools.measure.set_lines(&kept.measures);
        editor.ignore_problems(kept.ignored_problems);
        editor.compiled = imported.compiled.map(Arc::new);
        editor.watch_file();
        if editor.is_runtime_only() {
            editor.say(
                StatusKind::Info,
                "This file is a build without its source: look at it and walk in it; \"Recover brushes\" makes it editable",
            );
        }
        editor
    }

    /// A map from an autosave: unsaved work that belongs to `map` (or has no name).
    #[must_use]
    pub fn from_recovered(
        map: OpenedMap,
        own: Option<PathBuf>,
        settings: Settings,
        events: EventSink,
    ) -> Self {
        let mut editor = Self::from_opened(map, settings, events);
        let recovered = editor.file.path.clone();
        editor
            .settings
            .recent
            .retain(|path| Some(path) != recovered.as_ref());
        editor.file = FileState {
            stamp: own.as_deref().and_then(|path| FileStamp::read(path).ok()),
            path: own,
            ..FileState::default()
        };
        // Nothing on disk under its own name holds this state.
        editor.saved = Document::default();
        editor.watch_file();
        editor
    }

    /// The map is closed in order: running jobs are cancelled, nothing is offered at the next start.
    pub fn close(&mut self) {
        self.jobs.compile.cancel();
        if let Some(recovery) = self.jobs.autosave.recovery.take() {
            recovery.finish();
        }
        if let Some(path) = self.file.path.clone() {
            let origin = self.grid.origin;
            let measures = self.tools.measure.lines();
            self.settings.update_map(&path, |entry| {
                entry.grid_origin = (origin != glam::DVec3::ZERO).then(|| origin.to_array());
                entry.measures = measures;
            });
        }
    }

    /// RUN-1: builds the present state; a running build of an older one is cancelled.
    pub fn build(&mut self) {
        let doc = self.document_to_build();
        self.jobs.compile.request(doc);
        self.start_compile();
    }

    pub(crate) fn cancel_build(&mut self) {
        self.jobs.compile.cancel();
    }

    fn start_compile(&mut self) {
        let Some((doc, progress)) = self.jobs.compile.start() else {
            return;
        };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let wanted = if self.settings.build_threads == 0 {
            cores.saturating_sub(1).max(1)
        } else {
            self.settings.build_threads
        };
        let options = Options {
            threads: Some(wanted),
            ..self.compile_options.clone()
        };
        let original = self.light_to_keep();
        let cache = Arc::clone(&self.jobs.cache);
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            let started = Instant::now();
            let given_light = original.map(|original| Arc::new(GivenLight::of(&original.cmpl)));
            let options = Options {
                given_light,
                ..options
            };
            // A build that panicked leaves a cache that is only a cache.
            let mut cache = cache
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let compiled = match compiler::compile(&doc, &options, &mut cache, &progress) {
                Ok(compiled) => Some(Arc::new(compiled)),
                Err(Cancelled) => None,
            };
            Ok((compiled, started.elapsed().as_secs_f64()))
        };
        let event = move |(compiled, seconds)| JobEvent::Compiled {
            map: token,
            compiled,
            seconds,
        };
        if let Err(error) = spawn(
            "compile",
            JobKind::Compile,
            Some(map),
            Arc::clone(&self.jobs.events),
            work,
            event,
        ) {
            self.jobs.compile.finished();
            self.say(StatusKind::Error, format!("Could not build: {error}"));
        }
    }

    /// Makes collision on a thread; walking starts when it is there.
    pub(crate) fn start_walk_job(
        &mut self,
        work: impl FnOnce() -> Result<WalkReady, String> + Send + 'static,
    ) -> Result<(), EditError> {
        if self.jobs.walk_starting {
            return Ok(());
        }
        let map = self.jobs.token.clone();
        let token = map.clone();
        let event = move |ready| JobEvent::WalkReady { map: token, ready };
        spawn(
            "walk",
            JobKind::Walk,
            Some(map),
            Arc::clone(&self.jobs.events),
            work,
            event,
        )
        .map_err(|error| EditError::refused(error.to_string()))?;
        self.jobs.walk_starting = true;
        Ok(())
    }

    /// Stage and fraction of a running build.
    #[must_use]
    pub fn build_progress(&self) -> Option<(&'static str, f32)> {
        self.jobs.compile.progress()
    }

    /// True when the build on screen is not of the shown state: the "stale" badge.
    #[must_use]
    pub fn is_build_stale(&self) -> bool {
        self.compiled
            .as_ref()
            .is_some_and(|compiled| !compiled.is_current(&self.history.state().doc))
    }

    /// Every [`JobEvent`] but `Opened` goes here. Events of another map are dropped.
    pub fn job_event(&mut self, event: JobEvent) {
        let token = match &event {
            JobEvent::Opened(_) => None,
            JobEvent::Saved { map, .. }
            | JobEvent::Conflict { map, .. }
            | JobEvent::Compiled { map, .. }
            | JobEvent::CompileAdded { map, .. }
            | JobEvent::Autosaved { map, .. }
            | JobEvent::FileChanged { map, .. }
            | JobEvent::Exported { map, .. }
            | JobEvent::WalkReady { map, .. } => Some(map),
            JobEvent::Failed { map, .. } => map.as_ref(),
        };
        if token != Some(&self.jobs.token) {
            return;
        }
        match event {
            JobEvent::Opened(_) => {}
            JobEvent::Saved {
                path,
                stamp,
                snapshot,
                ..
            } => self.saved(path, stamp, *snapshot),
            JobEvent::Conflict { path, .. } => {
                self.jobs.saving = false;
                self.jobs.save_again = false;
                self.request(Request::ConfirmOverwrite { path });
            }
            JobEvent::Compiled {
                compiled, seconds, ..
            } => self.compile_finished(compiled, seconds),
            JobEvent::CompileAdded { stamp, .. } => {
                self.jobs.adding = false;
                if stamp.is_some() {
                    self.file.stamp = stamp;
                }
                self.save_if_asked_again();
            }
            JobEvent::Autosaved { path, .. } => {
                self.jobs.autosave.running = false;
                tracing::debug!("autosaved to {}", path.display());
            }
            JobEvent::FileChanged { path, now, .. } => self.file_changed(path, now),
            JobEvent::Exported { exported, .. } => self.exported(*exported),
            JobEvent::WalkReady { ready, .. } => {
                self.jobs.walk_starting = false;
                self.start_walking(ready);
            }
            JobEvent::Failed { job, text, .. } => self.job_failed(job, text),
        }
    }

    fn compile_finished(&mut self, compiled: Option<Arc<Compiled>>, seconds: f64) {
        self.jobs.compile.finished();
        self.start_compile();
        let Some(compiled) = compiled else { return };
        let issues = compiled.issues.len();
        let problems = if issues == 0 {
            String::new()
        } else {
            format!(", {issues} problems")
        };
        self.say(
            StatusKind::Info,
            format!("Built in {seconds:.1} s{problems}"),
        );
        self.problems.set_compile_issues(compiled.issues.clone());
        self.compiled = Some(compiled);
        self.original_light_wanted = None;
        self.add_compile();
    }

    fn job_failed(&mut self, job: JobKind, text: String) {
        match job {
            JobKind::Save => {
                self.jobs.saving = false;
                self.jobs.adding = false;
                self.jobs.save_again = false;
            }
            JobKind::Compile => {
                self.jobs.compile.finished();
                self.start_compile();
            }
            JobKind::Autosave => self.jobs.autosave.running = false,
            JobKind::Walk => self.jobs.walk_starting = false,
            JobKind::Open | JobKind::Export => {}
        }
        self.say(StatusKind::Error, text);
    }
}
