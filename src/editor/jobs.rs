//! Slow work beside the editor: open, save, compile, autosave, watching the file. A job gets a snapshot, runs on its own thread
//! and sends one [`JobEvent`]; a panic in it becomes [`JobEvent::Failed`].

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;
use std::time::Instant;
use std::time::SystemTime;

use crate::assets::Opened;
use crate::assets::Watcher;
use crate::compiler;
use crate::compiler::Cache;
use crate::compiler::Compiled;
use crate::compiler::Options;
use crate::compiler::trace::Tracer;
use crate::document::Document;
use crate::document::EditError;
use crate::document::ViewState;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::file;
use crate::editor::file::Backup;
use crate::editor::file::FileState;
use crate::editor::file::FileStamp;
use crate::editor::file::Written;
use crate::editor::recovery;
use crate::editor::recovery::Recovery;
use crate::editor::request::StatusKind;
use crate::editor::settings::Settings;
use crate::formats::Extras;
use crate::formats::hmap;
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
    Saved { map: MapToken, path: PathBuf, stamp: FileStamp, snapshot: Box<Snapshot> },
    /// The file on disk is not the one last read or written; nothing was touched.
    Conflict { map: MapToken, path: PathBuf },
    /// `None`: it was cancelled.
    Compiled { map: MapToken, compiled: Option<Arc<Compiled>>, seconds: f64 },
    /// The build was added to the saved file, or not (the file is another one by now).
    CompileAdded { map: MapToken, stamp: Option<FileStamp> },
    Autosaved { map: MapToken, path: PathBuf },
    /// The map's file may have changed on disk: how it is now; `None` = gone.
    FileChanged { map: MapToken, path: PathBuf, now: Option<FileStamp> },
    /// The collision of the present brushes, for walking.
    WalkReady { map: MapToken, ready: WalkReady },
    Failed { map: Option<MapToken>, job: JobKind, text: String },
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
            Self::Compiled { compiled, seconds, .. } => write!(f, "Compiled({}, {seconds:.3} s)", if compiled.is_some() { "done" } else { "cancelled" }),
            Self::CompileAdded { stamp, .. } => write!(f, "CompileAdded({})", stamp.is_some()),
            Self::Autosaved { path, .. } => write!(f, "Autosaved({})", path.display()),
            Self::FileChanged { path, .. } => write!(f, "FileChanged({})", path.display()),
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
    let progress = Progress::new();
    let (shared, events) = (progress.clone(), Arc::clone(events));
    let work = move || {
        let opened = crate::assets::open_map(&path, &roots, &shared).map_err(|error| error.to_string())?;
        let stamp = FileStamp::read(&path).ok();
        shared.check().map_err(|error| error.to_string())?;
        Ok(OpenedMap { path, opened, stamp })
    };
    spawn("open", JobKind::Open, None, events, work, |opened| JobEvent::Opened(Box::new(opened)))?;
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
            Err(panic) => JobEvent::Failed { map, job, text: format!("A fault in Mapwright stopped this ({panic}); the map is unharmed") },
        });
    };
    task::spawn(name, work, done).map(drop)
}

/// Seconds without input before an autosave.
const IDLE_S: f64 = 2.0;

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
        let OpenedMap { path, opened, stamp } = map;
        let imported = opened.imported;
        let mut editor = Self::with_document(imported.doc, imported.view, settings, events);
        editor.extras = imported.extras;
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
        editor.ignore_problems(kept.ignored_problems);
        editor.compiled = imported.compiled.map(Arc::new);
        editor.watch_file();
        editor
    }

    /// A map from an autosave: unsaved work that belongs to `map` (or has no name).
    #[must_use]
    pub fn from_recovered(map: OpenedMap, own: Option<PathBuf>, settings: Settings, events: EventSink) -> Self {
        let mut editor = Self::from_opened(map, settings, events);
        let recovered = editor.file.path.clone();
        editor.settings.recent.retain(|path| Some(path) != recovered.as_ref());
        editor.file = FileState { stamp: own.as_deref().and_then(|path| FileStamp::read(path).ok()), path: own, ..FileState::default() };
        // Nothing on disk under its own name holds this state.
        editor.saved = Document::default();
        editor.watch_file();
        editor
    }

    /// Where autosaves go; without it there are none. Call once after making the editor.
    pub fn set_state_folder(&mut self, folder: &Path) {
        self.jobs.autosave.state_folder = Some(folder.to_owned());
        self.jobs.autosave.seen = self.history.committed().doc.clone();
        self.begin_recovery();
    }

    fn begin_recovery(&mut self) {
        let Some(folder) = self.jobs.autosave.state_folder.clone() else { return };
        if let Some(old) = self.jobs.autosave.recovery.take() {
            old.finish();
        }
        match Recovery::begin(&folder, self.file.path.as_deref(), &self.name()) {
            Ok(recovery) => self.jobs.autosave.recovery = Some(recovery),
            Err(error) => {
                tracing::warn!("No autosaves: {error}");
                self.say(StatusKind::Error, format!("There will be no autosaves: {error}"));
            }
        }
    }

    /// The map is closed in order: running jobs are cancelled, nothing is offered at the next start.
    pub fn close(&mut self) {
        self.jobs.compile.cancel();
        if let Some(recovery) = self.jobs.autosave.recovery.take() {
            recovery.finish();
        }
        if let Some(path) = self.file.path.clone() {
            let origin = self.grid.origin;
            self.settings.update_map(&path, |entry| entry.grid_origin = (origin != glam::DVec3::ZERO).then(|| origin.to_array()));
        }
    }

    /// DOC-1: saves under its name, or asks for one once.
    pub fn save(&mut self) {
        match self.file.path.clone() {
            Some(path) => self.start_save(path, self.file.stamp),
            None => self.ask_for_name(),
        }
    }

    pub(crate) fn ask_for_name(&mut self) {
        let from = self.file.path.clone().or_else(|| self.file.imported_from.clone());
        let suggested = from.map_or_else(|| PathBuf::from("untitled.hmap"), |path| path.with_extension("hmap"));
        self.request(Request::SaveAs { suggested });
    }

    /// The name asked for. Always ends in `.hmap`, so that no foreign file is overwritten; the dialog has asked before
    /// replacing another map.
    pub fn save_to(&mut self, path: &Path) {
        let is_own = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("hmap"));
        let path = if is_own {
            path.to_owned()
        } else {
            let mut name = path.as_os_str().to_owned();
            name.push(".hmap");
            PathBuf::from(name)
        };
        self.start_save(path, None);
    }

    /// After [`Request::ConfirmOverwrite`]: saves whatever is on disk.
    pub fn save_over(&mut self) {
        if let Some(path) = self.file.path.clone() {
            self.start_save(path, None);
        }
    }

    /// `expected`: what must be on disk; `None` = anything.
    fn start_save(&mut self, path: PathBuf, expected: Option<FileStamp>) {
        if self.jobs.saving || self.jobs.adding {
            self.jobs.save_again = true;
            self.file.path = Some(path);
            return;
        }
        self.jobs.saving = true;
        let doc = self.history.committed().doc.clone();
        let compiled = self.compiled.clone().filter(|compiled| compiled.is_current(&doc));
        let snapshot = Snapshot { doc, look: self.look_to_save(), extras: self.extras.clone(), compiled: compiled.is_some() };
        let map = self.jobs.token.clone();
        let (token, target) = (map.clone(), path.clone());
        let work = move || -> Result<Option<(FileStamp, Snapshot)>, String> {
            if expected.is_some_and(|stamp| path.exists() && !stamp.is_still(&path)) {
                return Ok(None);
            }
            let fail = |reason: String| format!("Could not save {}: {reason}. The file is as it was", path.display());
            let content = hmap::write(&snapshot.doc, &snapshot.look, &snapshot.extras, compiled.as_deref(), &path).map_err(|error| fail(error.to_string()))?;
            let stamp = file::replace(&path, &content, Backup::Keep).map_err(|error| fail(error.to_string()))?;
            Ok(Some((stamp, snapshot)))
        };
        let event = move |done: Option<(FileStamp, Snapshot)>| match done {
            Some((stamp, snapshot)) => JobEvent::Saved { map: token, path: target, stamp, snapshot: Box::new(snapshot) },
            None => JobEvent::Conflict { map: token, path: target },
        };
        if let Err(error) = spawn("save", JobKind::Save, Some(map), Arc::clone(&self.jobs.events), work, event) {
            self.jobs.saving = false;
            self.say(StatusKind::Error, format!("Could not save: {error}"));
        }
    }

    /// RUN-1: builds the present state; a running build of an older one is cancelled.
    pub fn build(&mut self) {
        let doc = self.history.committed().doc.clone();
        self.jobs.compile.request(doc);
        self.start_compile();
    }

    pub(crate) fn cancel_build(&mut self) {
        self.jobs.compile.cancel();
    }

    fn start_compile(&mut self) {
        let Some((doc, progress)) = self.jobs.compile.start() else { return };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let wanted = if self.settings.build_threads == 0 { cores.saturating_sub(1).max(1) } else { self.settings.build_threads };
        let options = Options { threads: Some(wanted), ..self.compile_options.clone() };
        let cache = Arc::clone(&self.jobs.cache);
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            let started = Instant::now();
            // A build that panicked leaves a cache that is only a cache.
            let mut cache = cache.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let compiled = match compiler::compile(&doc, &options, &mut cache, &progress) {
                Ok(compiled) => Some(Arc::new(compiled)),
                Err(Cancelled) => None,
            };
            Ok((compiled, started.elapsed().as_secs_f64()))
        };
        let event = move |(compiled, seconds)| JobEvent::Compiled { map: token, compiled, seconds };
        if let Err(error) = spawn("compile", JobKind::Compile, Some(map), Arc::clone(&self.jobs.events), work, event) {
            self.jobs.compile.finished();
            self.say(StatusKind::Error, format!("Could not build: {error}"));
        }
    }

    /// Makes collision on a thread; walking starts when it is there.
    pub(crate) fn start_walk_job(&mut self, work: impl FnOnce() -> Result<WalkReady, String> + Send + 'static) -> Result<(), EditError> {
        if self.jobs.walk_starting {
            return Ok(());
        }
        let map = self.jobs.token.clone();
        let token = map.clone();
        let event = move |ready| JobEvent::WalkReady { map: token, ready };
        spawn("walk", JobKind::Walk, Some(map), Arc::clone(&self.jobs.events), work, event).map_err(|error| EditError::refused(error.to_string()))?;
        self.jobs.walk_starting = true;
        Ok(())
    }

    /// Stage and fraction of a running build.
    #[must_use]
    pub fn build_progress(&self) -> Option<(&'static str, f32)> {
        self.jobs.compile.progress()
    }

    /// True while a save is under way.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        self.jobs.saving
    }

    /// True when the build on screen is not of the shown state: the "stale" badge.
    #[must_use]
    pub fn is_build_stale(&self) -> bool {
        self.compiled.as_ref().is_some_and(|compiled| !compiled.is_current(&self.history.state().doc))
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
            | JobEvent::WalkReady { map, .. } => Some(map),
            JobEvent::Failed { map, .. } => map.as_ref(),
        };
        if token != Some(&self.jobs.token) {
            return;
        }
        match event {
            JobEvent::Opened(_) => {}
            JobEvent::Saved { path, stamp, snapshot, .. } => self.saved(path, stamp, *snapshot),
            JobEvent::Conflict { path, .. } => {
                self.jobs.saving = false;
                self.jobs.save_again = false;
                self.request(Request::ConfirmOverwrite { path });
            }
            JobEvent::Compiled { compiled, seconds, .. } => self.compile_finished(compiled, seconds),
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
            JobEvent::WalkReady { ready, .. } => {
                self.jobs.walk_starting = false;
                self.start_walking(ready);
            }
            JobEvent::Failed { job, text, .. } => self.job_failed(job, text),
        }
    }

    fn saved(&mut self, path: PathBuf, stamp: FileStamp, snapshot: Snapshot) {
        self.jobs.saving = false;
        let renamed = self.file.path.as_ref() != Some(&path);
        self.say(StatusKind::Info, format!("Saved {}", path.display()));
        self.settings.remember(&path);
        self.file.path = Some(path);
        self.file.is_import = false;
        self.file.stamp = Some(stamp);
        self.file.kept = None;
        self.saved = snapshot.doc.clone();
        self.jobs.autosave.changed_s = None;
        if renamed || self.jobs.watcher.is_none() {
            self.watch_file();
            self.begin_recovery();
            if let (Some(speed), Some(path)) = (self.file.fly_speed, self.file.path.clone()) {
                self.settings.update_map(&path, |entry| entry.fly_speed = Some(speed));
            }
        }
        let needs_build = !snapshot.compiled && self.settings.build_on_save;
        let doc = snapshot.doc.clone();
        self.file.written = Some(Written { doc: snapshot.doc, look: snapshot.look, extras: snapshot.extras });
        if needs_build {
            self.jobs.compile.request(doc);
            self.start_compile();
        }
        self.save_if_asked_again();
    }

    fn save_if_asked_again(&mut self) {
        if std::mem::take(&mut self.jobs.save_again) {
            self.save();
        }
    }

    fn compile_finished(&mut self, compiled: Option<Arc<Compiled>>, seconds: f64) {
        self.jobs.compile.finished();
        self.start_compile();
        let Some(compiled) = compiled else { return };
        let issues = compiled.issues.len();
        let problems = if issues == 0 { String::new() } else { format!(", {issues} problems") };
        self.say(StatusKind::Info, format!("Built in {seconds:.1} s{problems}"));
        self.problems.set_compile_issues(compiled.issues.clone());
        self.compiled = Some(compiled);
        self.add_compile();
    }

    /// D31: the build goes into the file when that still is the one we wrote, of this very state, and no save is under way.
    fn add_compile(&mut self) {
        let (Some(path), Some(stamp), Some(written), Some(compiled)) = (&self.file.path, self.file.stamp, &self.file.written, &self.compiled) else {
            return;
        };
        if self.jobs.saving || self.jobs.adding || !compiled.is_current(&written.doc) {
            return;
        }
        self.jobs.adding = true;
        let (path, written, compiled) = (path.clone(), written.clone(), Arc::clone(compiled));
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            if !stamp.is_still(&path) {
                return Ok(None);
            }
            let fail = |reason: String| format!("Could not add the build to {}: {reason}. The saved map is unharmed", path.display());
            let content = hmap::write(&written.doc, &written.look, &written.extras, Some(&compiled), &path).map_err(|error| fail(error.to_string()))?;
            file::replace(&path, &content, Backup::None).map(Some).map_err(|error| fail(error.to_string()))
        };
        let event = move |stamp| JobEvent::CompileAdded { map: token, stamp };
        if let Err(error) = spawn("add build", JobKind::Save, Some(map), Arc::clone(&self.jobs.events), work, event) {
            self.jobs.adding = false;
            tracing::warn!("the build was not added to the file: {error}");
        }
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
            JobKind::Open => {}
        }
        self.say(StatusKind::Error, text);
    }

    /// DOC-3: follows the file on disk from now on.
    fn watch_file(&mut self) {
        self.jobs.watcher = None;
        let Some(path) = self.file.path.clone() else { return };
        let Some(folder) = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.to_owned()) else { return };
        let (events, map, watched) = (Arc::clone(&self.jobs.events), self.jobs.token.clone(), path.clone());
        let changed = move |paths: Vec<PathBuf>| {
            if paths.iter().any(|path| path.file_name() == watched.file_name()) {
                events(JobEvent::FileChanged { map: map.clone(), path: watched.clone(), now: FileStamp::read(&watched).ok() });
            }
        };
        match Watcher::new(Arc::new(changed)) {
            Ok(mut watcher) => {
                watcher.set_folders(&[folder]);
                self.jobs.watcher = Some(watcher);
            }
            Err(error) => tracing::warn!("the map's folder is not watched: {error}"),
        }
    }

    fn file_changed(&mut self, path: PathBuf, now: Option<FileStamp>) {
        // Our own writing is under way, or the file is gone: the next save makes it anew.
        let Some(now) = now.filter(|_| !self.jobs.saving && !self.jobs.adding) else { return };
        let is = |known: Option<FileStamp>| known.is_some_and(|known| (known.bytes, known.crc32) == (now.bytes, now.crc32));
        if self.file.path.as_ref() != Some(&path) || is(self.file.stamp) || is(self.file.kept) {
            return;
        }
        self.file.kept = Some(now);
        self.request(Request::FileChanged { path });
    }

    /// DOC-3: the map as it is on disk now, with camera and selection (by id) kept.
    pub fn reload(&mut self, map: OpenedMap) {
        let imported = map.opened.imported;
        let selection = self.history.committed().selection.clone();
        self.cancel_drag();
        self.history = crate::document::History::new(imported.doc.clone());
        self.saved = imported.doc;
        self.history.select(selection);
        self.look = ViewState { cameras: std::mem::take(&mut self.look.cameras), ..imported.view };
        self.extras = imported.extras;
        self.report = imported.report;
        self.compiled = imported.compiled.map(Arc::new);
        self.file.stamp = map.stamp;
        self.file.kept = None;
        self.file.written = None;
        self.follow();
    }

    /// Autosave when it is due: enough changes long enough ago, nothing going on.
    pub(crate) fn jobs_tick(&mut self) {
        let doc = &self.history.committed().doc;
        let autosave = &mut self.jobs.autosave;
        if !doc.same(&autosave.seen) {
            autosave.seen = doc.clone();
            autosave.changed_s.get_or_insert(self.now_s);
            autosave.last_change_s = self.now_s;
        }
        let Some(changed_s) = autosave.changed_s else { return };
        let due = self.settings.autosave && self.now_s - changed_s >= self.settings.autosave_s;
        let idle = self.now_s - self.jobs.autosave.last_change_s >= IDLE_S && !self.has_capture() && !self.camera.is_flying() && !self.is_walking();
        if due && idle && !self.jobs.autosave.running && self.is_dirty() {
            self.start_autosave();
        }
    }

    /// Seconds until [`Editor::tick`] should run again for an autosave, when nothing else happens.
    #[must_use]
    pub fn next_tick_in(&self) -> Option<Duration> {
        let changed_s = self.jobs.autosave.changed_s.filter(|_| self.settings.autosave && self.jobs.autosave.recovery.is_some())?;
        let due_s = (changed_s + self.settings.autosave_s).max(self.jobs.autosave.last_change_s + IDLE_S);
        Some(Duration::from_secs_f64((due_s - self.now_s).max(0.1)))
    }

    fn start_autosave(&mut self) {
        let Some(folder) = self.jobs.autosave.recovery.as_ref().map(|recovery| recovery.folder().to_owned()) else { return };
        self.jobs.autosave.running = true;
        self.jobs.autosave.changed_s = None;
        let doc = self.history.committed().doc.clone();
        let (look, extras) = (self.look_to_save(), self.extras.clone());
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            let fail = |reason: String| format!("The autosave failed: {reason}");
            let content = hmap::write(&doc, &look, &extras, None, &folder).map_err(|error| fail(error.to_string()))?;
            recovery::write(&folder, &content, SystemTime::now()).map_err(|error| fail(error.to_string()))
        };
        let event = move |path| JobEvent::Autosaved { map: token, path };
        if let Err(error) = spawn("autosave", JobKind::Autosave, Some(map), Arc::clone(&self.jobs.events), work, event) {
            self.jobs.autosave.running = false;
            tracing::warn!("no autosave: {error}");
        }
    }

    /// Writes the present state at once, on this thread: for the panic hook and the end of a session.
    ///
    /// # Errors
    /// One sentence.
    pub fn autosave_now(&self) -> Result<PathBuf, String> {
        let recovery = self.jobs.autosave.recovery.as_ref().ok_or("There is no folder for autosaves")?;
        let doc = &self.history.committed().doc;
        let content = hmap::write(doc, &self.look_to_save(), &self.extras, None, recovery.folder()).map_err(|error| error.to_string())?;
        recovery::write(recovery.folder(), &content, SystemTime::now()).map_err(|error| error.to_string())
    }
}
