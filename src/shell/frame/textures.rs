//! What follows from textures: mean colours for builds, problems for missing ones, sizes that were guessed, and files that
//! change on disk.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::assets::Library;
use crate::assets::TextureState;
use crate::assets::Watcher;
use crate::document::Document;
use crate::document::Issue;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::Severity;
use crate::document::SurfaceFlags;
use crate::editor::ArrivedPicture;
use crate::formats::unr::texture::TextureInfo;
use crate::shell::frame::Shell;
use crate::shell::say;

/// What is found out about textures once for each state of map and library.
#[derive(Default)]
pub(super) struct TextureFacts {
    generation: u64,
    document: Option<Document>,
}

/// Follows texture files on disk: what is saved by a painting program shows at once.
#[derive(Default)]
pub(super) struct TextureWatch {
    watcher: Option<Watcher>,
    /// Folders that are watched now.
    folders: Vec<PathBuf>,
    changed: Option<Receiver<Vec<PathBuf>>>,
    /// It cannot be had on this system; said once.
    refused: bool,
}

impl TextureWatch {
    /// Watches the folders of what textures come from now, and hands on what changed.
    pub(super) fn follow(&mut self, library: &mut Library, wake: &Arc<dyn Fn() + Send + Sync>) {
        let Some(resolver) = library.resolver().cloned() else {
            return;
        };
        if resolver.folders() != self.folders.as_slice() {
            self.folders = resolver.folders().to_vec();
            self.start(wake);
        }
        let changed: Vec<PathBuf> = self
            .changed
            .iter()
            .flat_map(Receiver::try_iter)
            .flatten()
            .collect();
        if !changed.is_empty() {
            library.files_changed(&changed);
        }
    }

    fn start(&mut self, wake: &Arc<dyn Fn() + Send + Sync>) {
        if self.watcher.is_none() && !self.refused && !self.folders.is_empty() {
            let (sender, receiver) = crossbeam_channel::unbounded();
            let wake = wake.clone();
            let made = Watcher::new(Arc::new(move |paths| {
                // The shell may be gone; then nobody needs the answer.
                let _ = sender.send(paths);
                wake();
            }));
            match made {
                Ok(watcher) => {
                    self.watcher = Some(watcher);
                    self.changed = Some(receiver);
                }
                Err(error) => {
                    self.refused = true;
                    tracing::warn!("Texture files are not watched: {error}");
                }
            }
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.set_folders(&self.folders);
        }
    }
}

impl Shell {
    /// What follows from the textures: mean colours for builds, problems for missing ones.
    pub(super) fn follow_textures(&mut self) {
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
        let guessed: BTreeSet<MaterialId> = doc
            .materials()
            .filter(|(_, material)| material.flags.has(SurfaceFlags::SIZE_GUESSED))
            .map(|(id, _)| id)
            .collect();
        let mut pictures = Vec::new();
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
            match self.library.state(texture_id) {
                TextureState::Missing | TextureState::Failed(_) => {
                    missing.insert(id, texture);
                }
                TextureState::Ready(picture) if guessed.contains(&id) => {
                    let resolver = self.library.resolver();
                    let told = resolver.and_then(|known| known.packaged_info(&texture));
                    let drawn = told.and_then(TextureInfo::drawn_size);
                    pictures.push(ArrivedPicture {
                        material: id,
                        size: drawn.unwrap_or([picture.width, picture.height]),
                        polygon_flags: told.map_or(0, |told| told.flags),
                    });
                }
                _ => {}
            }
        }
        self.facts.generation = self.library.generation();
        self.editor.compile_options.albedo = Arc::new(albedo);
        self.editor
            .set_missing_materials(missing.keys().copied().collect());
        let issues = missing_issues(self.editor.doc(), &missing);
        self.editor.set_outside_problems(issues);
        self.editor.textures_arrived(&pictures);
    }
}

/// One row for each missing texture, with the first object that shows it.
fn missing_issues(doc: &Document, missing: &BTreeMap<MaterialId, String>) -> Vec<Issue> {
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
            Kind::Brush(brush) => {
                brush
                    .faces()
                    .iter()
                    .enumerate()
                    .for_each(|(index, face)| note(face.material, index));
            }
            Kind::Mesh(mesh) => {
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
