//! Index lists beside those of the chunks: faces drawn from the document while the build is old, and grounds of selected
//! objects and faces. Made when a view first needs them after a change.

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
    pub selected: Span,
    pub selected_faces: Span,
    pub hovered: Span,
    /// What `stale`, `selected` and `selected_faces` were made for.
    made_for: Option<u64>,
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
            selected: Span::default(),
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
        let same = self.made_for == Some(store.topology());
        if same && self.sent_hover == hover {
            return;
        }
        if !same {
            self.made_for = Some(store.topology());
            self.indices.clear();
            self.stale.clear();
            if let Some(stale) = stale {
                self.add_stale(store, stale);
            }
            let start = self.indices.len() as u32;
            for &id in store.selected() {
                store
                    .runs(id, None)
                    .for_each(|(slot, run)| push_run(slot, run, &mut self.indices));
            }
            self.selected = Span {
                start,
                len: self.indices.len() as u32 - start,
            };
            let start = self.indices.len() as u32;
            for (id, face) in store.selection().faces() {
                store
                    .runs(id, Some(face))
                    .for_each(|(slot, run)| push_run(slot, run, &mut self.indices));
            }
            self.selected_faces = Span {
                start,
                len: self.indices.len() as u32 - start,
            };
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

    fn add_stale(&mut self, store: &Store, stale: &Stale) {
        let mut lists: BTreeMap<ListKey, Vec<u32>> = BTreeMap::new();
        let whole = stale.objects.iter().map(|&id| (id, None));
        let single = stale.faces.iter().map(|&(id, face)| (id, Some(face)));
        for (id, face) in whole.chain(single) {
            for (slot, run) in store.runs(id, face) {
                // Tools and entities are drawn from the document anyway.
                if !matches!(run.key.pass, Pass::Tool | Pass::Entity) {
                    push_run(slot, run, lists.entry(run.key).or_default());
                }
            }
        }
        for (key, indices) in lists {
            let start = self.indices.len() as u32;
            self.indices.extend(indices);
            self.stale.push((
                key,
                Span {
                    start,
                    len: self.indices.len() as u32 - start,
                },
            ));
        }
    }
}
