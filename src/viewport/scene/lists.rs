//! Index lists beside those of the chunks: faces drawn from the document while the build is old, the sky, and grounds of
//! selected objects and faces. Made when a view first needs them after a change.

use std::collections::BTreeMap;

use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::viewport::Gpu;
use crate::viewport::arena::Mirror;
use crate::viewport::arena::Span;
use crate::viewport::scene::Stale;
use crate::viewport::scene::Store;
use crate::viewport::scene::cpu::push_run;
use crate::viewport::scene::surface::ListKey;
use crate::viewport::scene::surface::Pass;

/// Indices of one draw's extra lists.
pub(crate) struct Lists {
    pub buffer: Mirror,
    /// Faces drawn from the document in the lit mode.
    pub stale: Vec<(ListKey, Span)>,
    /// Inner faces of the sky.
    pub sky: Vec<(ListKey, Span)>,
    /// Without faces of the sky.
    pub selected: Span,
    pub selected_sky: Span,
    pub selected_faces: Span,
    pub hovered: Span,
    /// What all but `hovered` were made for: generations of places and of the sky.
    made_for: Option<(u64, u64)>,
    indices: Vec<u32>,
    /// Length of the part that does not depend on the hover.
    kept: usize,
    sent_hover: Option<Pick>,
}

impl Lists {
    pub(crate) fn new() -> Self {
        Self {
            buffer: Mirror::new("list indices", wgpu::BufferUsages::INDEX),
            stale: Vec::new(),
            sky: Vec::new(),
            selected: Span::default(),
            selected_sky: Span::default(),
            selected_faces: Span::default(),
            hovered: Span::default(),
            made_for: None,
            indices: Vec::new(),
            kept: 0,
            sent_hover: None,
        }
    }

    /// What they were made for is gone.
    pub(crate) fn forget(&mut self) {
        self.made_for = None;
    }

    /// Brings the lists up to date. `stale`: what a lit view takes from the document. Hidden objects may be among them; their
    /// rows keep them from being drawn.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        store: &Store,
        stale: Option<&Stale>,
        hover: Option<Pick>,
    ) {
        let wanted = Some((store.topology(), store.sky_generation()));
        let same = self.made_for == wanted;
        if same && self.sent_hover == hover {
            return;
        }
        if !same {
            self.made_for = wanted;
            self.indices.clear();
            self.stale.clear();
            if let Some(stale) = stale {
                self.add_stale(store, stale);
            }
            self.sky.clear();
            for (key, indices) in &store.sky().faces {
                let start = self.indices.len() as u32;
                self.indices.extend_from_slice(indices);
                self.sky.push((*key, self.since(start)));
            }
            self.selected = self.add_selected(store, false);
            self.selected_sky = self.add_selected(store, true);
            let start = self.indices.len() as u32;
            for (id, face) in store.selection().faces() {
                store
                    .runs(id, Some(face))
                    .for_each(|(slot, run)| push_run(slot, run, &mut self.indices));
            }
            self.selected_faces = self.since(start);
            self.kept = self.indices.len();
        }
        self.indices.truncate(self.kept);
        if let Some(Pick::Face(id, face)) = hover {
            store
                .runs(id, Some(face))
                .for_each(|(slot, run)| push_run(slot, run, &mut self.indices));
        }
        self.hovered = Span {
            start: self.kept as u32,
            len: (self.indices.len() - self.kept) as u32,
        };
        self.sent_hover = hover;
        self.buffer.replace(gpu, &self.indices);
    }

    /// What was added after there were `start` indices.
    fn since(&self, start: u32) -> Span {
        Span {
            start,
            len: self.indices.len() as u32 - start,
        }
    }

    /// Faces of selected objects, of the sky or all others.
    fn add_selected(&mut self, store: &Store, of_sky: bool) -> Span {
        let start = self.indices.len() as u32;
        for &id in store.selected() {
            store
                .runs(id, None)
                .filter(|(_, run)| (run.key.pass == Pass::Sky) == of_sky)
                .for_each(|(slot, run)| push_run(slot, run, &mut self.indices));
        }
        self.since(start)
    }

    fn add_stale(&mut self, store: &Store, stale: &Stale) {
        let mut lists: BTreeMap<ListKey, Vec<u32>> = BTreeMap::new();
        let whole = stale.objects.iter().map(|&id| (id, None));
        let single = stale.faces.iter().map(|&(id, face)| (id, Some(face)));
        for (id, face) in whole.chain(single) {
            for (slot, run) in store.runs(id, face) {
                // Tools, entities and the sky are drawn from the document anyway.
                if !matches!(run.key.pass, Pass::Tool | Pass::Entity | Pass::Sky) {
                    push_run(slot, run, lists.entry(run.key).or_default());
                }
            }
        }
        for (key, indices) in lists {
            let start = self.indices.len() as u32;
            self.indices.extend(indices);
            self.stale.push((key, self.since(start)));
        }
    }
}
