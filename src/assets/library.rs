//! The texture library: always an id, never a wait. Consumers keep the last generation they saw and ask.

use std::collections::HashMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use crossbeam_channel::Sender;
use glam::Vec3;

use crate::assets::Picture;
use crate::assets::Resolver;
use crate::assets::Source;
use crate::assets::package_folders::is_package;
use crate::assets::source::folded;
use crate::assets::source::is_container;
use crate::assets::source::is_picture;

/// Names a texture of this library; dense from 0, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextureId(pub u32);

/// Where a texture stands.
#[derive(Clone, Debug)]
pub enum TextureState {
    /// No source has it: consumers draw the placeholder.
    Missing,
    Loading,
    Ready(Arc<Picture>),
    /// It exists but cannot be decoded; the sentence says why.
    Failed(Arc<str>),
}

struct Entry {
    name: String,
    state: TextureState,
    /// Value of the library's generation when the state last changed.
    changed: u64,
    mean: Option<Vec3>,
    /// A newer request is under way; an answer to an older one is dropped.
    request: u64,
}

enum Answer {
    Resolver(u64, Arc<Resolver>),
    Texture {
        id: TextureId,
        request: u64,
        state: TextureState,
        mean: Option<Vec3>,
    },
}

/// Names compare without regard to case, `/` against `\`, or extension.
pub struct Library {
    entries: Vec<Entry>,
    by_name: HashMap<String, TextureId>,
    generation: u64,
    requests: u64,
    /// `None` while the index is being made.
    resolver: Option<Arc<Resolver>>,
    resolver_request: u64,
    sender: Sender<Answer>,
    receiver: Receiver<Answer>,
    /// Called from workers when there is something to poll.
    wake: Arc<dyn Fn() + Send + Sync>,
    /// Answers that are still to come.
    pending: usize,
}

impl Default for Library {
    fn default() -> Self {
        Self::new(Arc::new(|| {}))
    }
}

impl Library {
    /// A library with the program's own textures; `wake` is called from workers when [`Library::poll`] has work.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = crossbeam_channel::unbounded();
        Self {
            entries: Vec::new(),
            by_name: HashMap::new(),
            generation: 1,
            requests: 0,
            resolver: Some(Arc::new(Resolver::new(vec![Source::Builtin]))),
            resolver_request: 0,
            sender,
            receiver,
            wake,
            pending: 0,
        }
    }

    /// Replaces the sources. The index is made on a worker; every texture is looked up again when it is there.
    pub fn set_sources(&mut self, sources: Vec<Source>) {
        self.requests += 1;
        self.resolver_request = self.requests;
        self.resolver = None;
        self.pending += 1;
        let (sender, wake, request) = (self.sender.clone(), Arc::clone(&self.wake), self.requests);
        rayon::spawn(move || {
            let resolver = Arc::new(Resolver::new(sources));
            // The library may be gone; then nobody needs the answer.
            let _ = sender.send(Answer::Resolver(request, resolver));
            wake();
        });
    }

    /// Takes an index that is already there (windowless commands make it before they import).
    pub fn set_resolver(&mut self, resolver: Arc<Resolver>) {
        self.requests += 1;
        self.resolver_request = self.requests;
        self.resolver = Some(resolver);
        self.reload_all();
    }

    /// The index in force; `None` while one is being made.
    #[must_use]
    pub fn resolver(&self) -> Option<&Arc<Resolver>> {
        self.resolver.as_ref()
    }

    /// The id of a texture name; asked for the first time, decoding starts on a worker.
    pub fn texture(&mut self, name: &str) -> TextureId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let key = folded(name);
        if let Some(&id) = self.by_name.get(&key) {
            self.by_name.insert(name.to_owned(), id);
            return id;
        }
        let id = TextureId(self.entries.len() as u32);
        self.generation += 1;
        self.entries.push(Entry {
            name: name.to_owned(),
            state: TextureState::Loading,
            changed: self.generation,
            mean: None,
            request: 0,
        });
        self.by_name.insert(name.to_owned(), id);
        self.by_name.insert(key, id);
        self.start(id);
        id
    }

    /// The id of a name that was asked for before.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<TextureId> {
        self.by_name
            .get(name)
            .or_else(|| self.by_name.get(&folded(name)))
            .copied()
    }

    #[must_use]
    pub fn state(&self, id: TextureId) -> &TextureState {
        &self.entries[id.0 as usize].state
    }

    /// The name as it was first asked for.
    #[must_use]
    pub fn name(&self, id: TextureId) -> &str {
        &self.entries[id.0 as usize].name
    }

    /// Mean linear colour of a ready texture.
    #[must_use]
    pub fn mean_color(&self, id: TextureId) -> Option<Vec3> {
        self.entries[id.0 as usize].mean
    }

    /// Raised by every change of a state.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Textures whose state changed after `generation`, by id.
    pub fn changed_since(&self, generation: u64) -> impl Iterator<Item = TextureId> + '_ {
        self.entries
            .iter()
            .zip(0..)
            .filter(move |(entry, _)| entry.changed > generation)
            .map(|(_, id)| TextureId(id))
    }

    /// Every texture that was asked for.
    pub fn ids(&self) -> impl Iterator<Item = TextureId> + use<> {
        (0..self.entries.len() as u32).map(TextureId)
    }

    /// True while something is being looked up or decoded.
    #[must_use]
    pub fn is_loading(&self) -> bool {
        self.pending > 0
    }

    /// Takes what workers have finished; true when something changed.
    pub fn poll(&mut self) -> bool {
        let before = self.generation;
        while let Ok(answer) = self.receiver.try_recv() {
            self.take(answer);
        }
        self.generation != before
    }

    /// Waits until nothing is loading (windowless commands and tests).
    pub fn wait(&mut self) {
        while self.pending > 0 {
            match self.receiver.recv() {
                Ok(answer) => self.take(answer),
                Err(_) => return,
            }
        }
    }

    /// Files changed on disk: textures that lie in them are decoded again; the old picture stays until then.
    /// A file that is new may hold a missing texture, so the sources are looked through again.
    pub fn files_changed(&mut self, paths: &[PathBuf]) {
        let Some(resolver) = self.resolver.clone() else {
            return;
        };
        // Maps are saved beside textures: whatever else changes in their folders is none of ours.
        let paths: Vec<&PathBuf> = paths
            .iter()
            .filter(|path| may_hold_textures(path) || resolver.uses(path))
            .collect();
        let known = |path: &Path| {
            self.entries
                .iter()
                .any(|entry| resolver.file_of(&entry.name) == Some(path))
        };
        if paths.iter().any(|path| !known(path) || is_container(path)) {
            self.set_sources(resolver.sources().to_vec());
            return;
        }
        let ids: Vec<TextureId> = self
            .ids()
            .filter(|&id| {
                resolver
                    .file_of(self.name(id))
                    .is_some_and(|file| paths.iter().any(|path| path.as_path() == file))
            })
            .collect();
        for id in ids {
            self.start(id);
        }
    }

    /// Looks every texture up again.
    pub fn reload_all(&mut self) {
        for id in self.ids() {
            self.start(id);
        }
    }

    fn start(&mut self, id: TextureId) {
        let Some(resolver) = self.resolver.clone() else {
            return;
        };
        self.requests += 1;
        let request = self.requests;
        let entry = &mut self.entries[id.0 as usize];
        entry.request = request;
        let name = entry.name.clone();
        self.pending += 1;
        let (sender, wake) = (self.sender.clone(), Arc::clone(&self.wake));
        rayon::spawn(move || {
            let state = match crate::task::caught(|| resolver.load(&name)) {
                Ok(None) => TextureState::Missing,
                Ok(Some(Ok(picture))) => TextureState::Ready(Arc::new(picture)),
                Ok(Some(Err(fault))) | Err(fault) => TextureState::Failed(fault.into()),
            };
            let mean = if let TextureState::Ready(picture) = &state {
                Some(mean_of(picture))
            } else {
                None
            };
            let _ = sender.send(Answer::Texture {
                id,
                request,
                state,
                mean,
            });
            wake();
        });
    }

    fn take(&mut self, answer: Answer) {
        self.pending -= 1;
        match answer {
            Answer::Resolver(request, resolver) => {
                if request == self.resolver_request {
                    self.resolver = Some(resolver);
                    self.reload_all();
                }
            }
            Answer::Texture {
                id,
                request,
                state,
                mean,
            } => {
                let entry = &mut self.entries[id.0 as usize];
                if entry.request != request {
                    return;
                }
                // A half-written file fails and is tried again at the next event: the old picture stays.
                if matches!(state, TextureState::Failed(_))
                    && matches!(entry.state, TextureState::Ready(_))
                {
                    return;
                }
                let same = match (&entry.state, &state) {
                    (TextureState::Ready(a), TextureState::Ready(b)) => a == b,
                    (TextureState::Missing, TextureState::Missing) => true,
                    _ => false,
                };
                if !same {
                    self.generation += 1;
                    entry.state = state;
                    entry.mean = mean;
                    entry.changed = self.generation;
                }
            }
        }
    }
}

/// A picture, a container, or a folder that may be new. Maps of Unreal Engine 1 are packages too: of them only those count that
/// textures come from already.
fn may_hold_textures(path: &Path) -> bool {
    let is_map = is_package(path)
        && !path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("utx"));
    is_picture(path) || is_container(path) && !is_map || path.is_dir()
}

/// Mean of the opaque pixels in linear light; of a large picture every n-th pixel.
fn mean_of(picture: &Picture) -> Vec3 {
    let decode = |byte: u8| {
        let c = f32::from(byte) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    let table: Vec<f32> = (0..=255).map(decode).collect();
    let step = (picture.rgba.len() / 4 / 16_384).max(1);
    let mut sum = Vec3::ZERO;
    let mut count = 0_u32;
    for pixel in picture
        .rgba
        .chunks_exact(4)
        .step_by(step)
        .filter(|pixel| pixel[3] >= 128)
    {
        sum += Vec3::new(
            table[usize::from(pixel[0])],
            table[usize::from(pixel[1])],
            table[usize::from(pixel[2])],
        );
        count += 1;
    }
    if count == 0 {
        Vec3::splat(0.2)
    } else {
        sum / count as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(path: &Path, red: u8) {
        ::image::RgbaImage::from_pixel(4, 4, ::image::Rgba([red, 0, 0, 255]))
            .save(path)
            .expect("save");
    }

    fn red(library: &Library, id: TextureId) -> Option<u8> {
        if let TextureState::Ready(picture) = library.state(id) {
            Some(picture.rgba[0])
        } else {
            None
        }
    }

    #[test]
    fn a_texture_appears_changes_and_keeps_its_picture_while_half_written() {
        let dir = tempfile::tempdir().expect("temp dir");
        let file = dir.path().join("wall.png");
        let mut library = Library::default();
        library.set_sources(vec![Source::Folder(dir.path().to_owned())]);
        let id = library.texture("Wall");
        assert_eq!(library.texture("WALL.tga"), id);
        library.wait();
        assert!(matches!(library.state(id), TextureState::Missing));

        let seen = library.generation();
        save(&file, 200);
        library.files_changed(std::slice::from_ref(&file));
        library.wait();
        assert_eq!(red(&library, id), Some(200));
        assert_eq!(library.changed_since(seen).collect::<Vec<_>>(), [id]);

        let seen = library.generation();
        std::fs::write(&file, b"\x89PNG half").expect("write");
        library.files_changed(std::slice::from_ref(&file));
        library.wait();
        assert_eq!(red(&library, id), Some(200), "the old picture stays");
        assert_eq!(library.changed_since(seen).count(), 0);

        save(&file, 10);
        library.files_changed(&[file]);
        library.wait();
        assert_eq!(red(&library, id), Some(10));
        assert!(library.mean_color(id).expect("ready").x < 0.01);

        let map = dir.path().join("tower.hmap");
        std::fs::write(&map, b"saved beside the textures").expect("write");
        library.files_changed(&[map]);
        assert!(!library.is_loading(), "a saved map looks nothing up again");
    }
}
