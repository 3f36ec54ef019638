//! Pieces and polygons to objects of the document, in layers by kind (`unr.md` 8.1, 8.2).

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Draft;
use crate::document::Group;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::formats::unr::brushes;
use crate::formats::unr::layers::Layers;
use crate::formats::unr::layers::Place;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::meshes;
use crate::formats::unr::pieces::Piece;
use crate::formats::unr::pieces::Source;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::seen::SeenPolygon;
use crate::task::Cancelled;
use crate::task::Progress;

/// A mesh of more polygons is divided by what they show.
const LARGE: usize = 512;

/// Pieces that are worked on at once.
const BLOCK: usize = 64;

/// Name of what no actor claims any more.
const NOBODY: &str = "World";

/// The document in the making.
pub struct Emission<'a> {
    pub map: &'a RawMap,
    pub looks: Looks<'a>,
    pub layers: Layers,
    /// By actor.
    pub visgroups: Vec<Arc<[LayerId]>>,
    pub draft: Draft,
    /// What became of brushes, by actor: groups or single brushes, and meshes.
    pub by_actor: BTreeMap<u32, Vec<ObjectId>>,
    /// Pieces that were nothing with numbers of the file's precision.
    pub lost_pieces: usize,
    /// Polygons without area.
    pub flat_polygons: usize,
}

/// What to make of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    pub place: Place,
    pub flags: ObjectFlags,
}

impl<'a> Emission<'a> {
    #[must_use]
    pub fn new(map: &'a RawMap, looks: Looks<'a>, draft: Draft) -> Self {
        Self {
            map,
            looks,
            layers: Layers::default(),
            visgroups: vec![Arc::from([]); map.actors.len()],
            draft,
            by_actor: BTreeMap::new(),
            lost_pieces: 0,
            flat_polygons: 0,
        }
    }

    fn name(&self, actor: Option<u32>) -> String {
        let actor = actor.and_then(|actor| self.map.actors.get(actor as usize));
        actor.map_or_else(|| NOBODY.to_owned(), |actor| actor.name.clone())
    }

    fn visgroups(&self, actor: Option<u32>) -> Arc<[LayerId]> {
        let groups = actor.and_then(|actor| self.visgroups.get(actor as usize));
        groups.map_or_else(|| Arc::from([]), Arc::clone)
    }

    /// Polygons as meshes, one for each brush, that belong to the world or an entity; their looks are made already.
    ///
    /// # Errors
    /// Only when cancelled.
    pub fn meshes(
        &mut self,
        polygons: &[&SeenPolygon],
        owner: Option<ObjectId>,
        role: impl Fn(&SeenPolygon) -> Role,
        progress: &Progress,
    ) -> Result<Vec<ObjectId>, Cancelled> {
        type Key = (Place, u32, Option<u32>);
        let mut groups: BTreeMap<Key, Vec<&SeenPolygon>> = BTreeMap::new();
        for &polygon in polygons {
            let Role { place, flags } = role(polygon);
            let key = (place, flags.0, polygon.actor);
            groups.entry(key).or_default().push(polygon);
        }
        let mut parts: Vec<(Key, Vec<&SeenPolygon>)> = Vec::with_capacity(groups.len());
        for (key, polygons) in groups {
            if polygons.len() <= LARGE {
                parts.push((key, polygons));
                continue;
            }
            let mut by_look: BTreeMap<_, Vec<&SeenPolygon>> = BTreeMap::new();
            for polygon in polygons {
                let look = self.looks.of(&polygon.mapping);
                by_look.entry(look).or_default().push(polygon);
            }
            parts.extend(by_look.into_values().map(|polygons| (key, polygons)));
        }
        let meshes: Vec<(Mesh, usize)> = parts
            .par_iter()
            .map(|((_, _, actor), polygons)| {
                progress.check()?;
                Ok(meshes::mesh(&self.name(*actor), polygons, &self.looks))
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut made = Vec::with_capacity(meshes.len());
        for (((place, flags, actor), _), (mesh, flat)) in parts.into_iter().zip(meshes) {
            self.flat_polygons += flat;
            if mesh.polygons.is_empty() {
                continue;
            }
            let layer = self.layers.of(place, &mut self.draft);
            let id = self.draft.insert(Object {
                parent: owner,
                layer: Some(layer),
                visgroups: self.visgroups(actor),
                flags: ObjectFlags(flags),
                ..Object::new(Kind::Mesh(mesh))
            });
            if let Some(actor) = actor {
                self.by_actor.entry(actor).or_default().push(id);
            }
            made.push(id);
        }
        Ok(made)
    }

    /// Pieces as brushes; those of one brush make a group that has its name, unless an entity owns them. Their looks are made
    /// already.
    ///
    /// # Errors
    /// Only when cancelled.
    pub fn pieces(
        &mut self,
        pieces: &[Piece],
        owner: Option<ObjectId>,
        role: impl Fn(&Piece) -> Role,
        progress: &Progress,
    ) -> Result<Vec<ObjectId>, Cancelled> {
        let hidden = self.looks.hidden(&mut self.draft);
        let looks = &self.looks;
        let brushes: Vec<Option<Brush>> = pieces
            .par_chunks(BLOCK)
            .map(|block| {
                progress.check()?;
                let brush = |piece| brushes::brush(piece, looks, hidden);
                Ok(block.iter().map(brush).collect::<Vec<_>>())
            })
            .collect::<Result<Vec<_>, Cancelled>>()?
            .concat();
        let roles: Vec<Role> = pieces.iter().map(role).collect();
        let mut counts: BTreeMap<(Source, Place), usize> = BTreeMap::new();
        for ((piece, role), brush) in pieces.iter().zip(&roles).zip(&brushes) {
            let is_there = usize::from(brush.is_some());
            *counts.entry((piece.source, role.place)).or_default() += is_there;
        }
        let mut groups: BTreeMap<(Source, Place), ObjectId> = BTreeMap::new();
        let mut made = Vec::with_capacity(pieces.len());
        for ((piece, role), brush) in pieces.iter().zip(roles).zip(brushes) {
            let Some(brush) = brush else {
                self.lost_pieces += 1;
                continue;
            };
            let key = (piece.source, role.place);
            let layer = self.layers.of(role.place, &mut self.draft);
            let parent = match piece.source {
                Source::Brush(actor)
                    if owner.is_none() && counts.get(&key).is_some_and(|&count| count > 1) =>
                {
                    let name = self.name(Some(actor));
                    let draft = &mut self.draft;
                    let group = groups.entry(key).or_insert_with(|| {
                        draft.insert(Object {
                            layer: Some(layer),
                            ..Object::new(Kind::Group(Group::new(name)))
                        })
                    });
                    Some(*group)
                }
                _ => owner,
            };
            let actor = match piece.source {
                Source::Brush(actor) => Some(actor),
                Source::Rock | Source::Hull(_) => None,
            };
            let visgroups = self.visgroups(actor);
            // A reader that does not know the bit must see no solid (D25).
            let brush = if role.flags.has(ObjectFlags::SUBTRACT) {
                brush.with_contents(Contents::default())
            } else {
                brush
            };
            let id = self.draft.insert(Object {
                parent,
                layer: Some(layer),
                visgroups,
                flags: role.flags,
                ..Object::new(Kind::Brush(brush))
            });
            if let Some(actor) = actor {
                let objects = self.by_actor.entry(actor).or_default();
                let object = if parent == owner { Some(id) } else { parent };
                objects.extend(object.filter(|object| !objects.contains(object)));
            }
            made.push(id);
        }
        Ok(made)
    }
}
