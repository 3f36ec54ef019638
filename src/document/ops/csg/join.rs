//! Joining brushes whose union is convex (CSG-1).

use std::collections::BTreeMap;

use super::Pool;
use super::brush_of;
use super::on_side;
use super::onto;
use super::same_look;
use super::tile_of;
use super::two_or_more;
use crate::document::Brush;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::ops::objects;
use crate::document::ops::order;
use crate::geometry::csg;
use crate::geometry::csg::Convex;
use crate::geometry::polygon;

/// What brushes must have in common to become one.
type Place = (Option<ObjectId>, Option<LayerId>, Vec<LayerId>, u32, u32);

/// Brushes that are to become one each, worked out for one document.
#[derive(Clone, Debug)]
pub struct Joining {
    results: Vec<(Vec<ObjectId>, Brush)>,
    chosen: usize,
}

impl Joining {
    /// Faces of the results that lie where faces of different looks lay: they took the look that covered more of the plane.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// Makes it, over the document it was worked out for.
    #[must_use]
    pub fn edit(self) -> Edit {
        Edit::new("Join", move |draft, selection| {
            self.apply(draft, selection);
            Ok(())
        })
    }

    fn apply(&self, draft: &mut Draft, selection: &mut Selection) {
        for (members, result) in &self.results {
            draft.update(members[0], |object| {
                object.kind = Kind::Brush(result.clone());
            });
            objects::remove(draft, &members[1..]);
        }
        selection.retain(|pick| draft.object(pick.object()).is_some());
    }
}

/// Merges brushes whose union is convex, as far as that goes; the space they fill stays the same. A face keeps the look of the
/// faces that lay on its plane; where these differ, the one that covered more of it. Refused when nothing can be joined.
#[must_use]
pub fn join(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Join", move |draft, selection| {
        joining(draft, &ids)?.apply(draft, selection);
        Ok(())
    })
}

/// What [`join`] would do.
///
/// # Errors
/// When nothing can be joined.
pub fn joining(doc: &Document, ids: &[ObjectId]) -> Result<Joining, EditError> {
    let brushes = two_or_more(doc, ids)?;
    let carvers: Vec<(u32, ObjectId)> = doc
        .objects()
        .filter(|(_, object)| order::is_carver(object))
        .map(|(id, object)| (object.order, id))
        .collect();
    let mut places: BTreeMap<Place, Vec<ObjectId>> = BTreeMap::new();
    for &id in &brushes {
        if let Some(place) = doc.object(id).and_then(place_of) {
            places.entry(place).or_default().push(id);
        }
    }
    let is_one_place = places.len() == 1;
    let mut joining = Joining {
        results: Vec::new(),
        chosen: 0,
    };
    for members in places.into_values() {
        join_in_place(doc, &members, &carvers, &mut joining);
    }
    if joining.results.is_empty() {
        return Err(EditError::refused(if is_one_place {
            "No two of the selected brushes are convex together"
        } else {
            "No two of the selected brushes that share group, layer and contents are convex together"
        }));
    }
    Ok(joining)
}

fn place_of(object: &Object) -> Option<Place> {
    let brush = object.brush()?;
    Some((
        object.parent,
        object.layer,
        object.visgroups.to_vec(),
        object.flags.0,
        brush.contents().0,
    ))
}

/// Joins brushes of one place, in document order.
fn join_in_place(
    doc: &Document,
    members: &[ObjectId],
    carvers: &[(u32, ObjectId)],
    joining: &mut Joining,
) {
    let mut pool = Pool::default();
    let (ids, solids): (Vec<ObjectId>, Vec<Convex>) = members
        .iter()
        .filter_map(|&id| Some((id, pool.add(brush_of(doc, id)?)?)))
        .unzip();
    let is_carving = doc
        .object(members[0])
        .is_some_and(|object| object.flags.has(ObjectFlags::SUBTRACT));
    let place = |at: usize| doc.object(ids[at]).map(|object| (object.order, ids[at]));
    let groups = csg::joined(&solids, |parts, whole| {
        // A carver between two of them carves one and not the other; between carvers nothing else may stand.
        let mut places: Vec<(u32, ObjectId)> = parts.iter().filter_map(|&at| place(at)).collect();
        places.sort_unstable();
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            return false;
        };
        let range = first..last;
        let parted = if is_carving {
            doc.objects().any(|(id, object)| {
                object.brush().is_some()
                    && !ids.contains(&id)
                    && range.contains(&(object.order, id))
                    && object.bounds().touches(whole.bounds())
            })
        } else {
            carvers.iter().any(|&carver| range.contains(&carver))
        };
        !parted
    });
    for (whole, parts) in groups {
        let Some(first) = parts.first().and_then(|&at| brush_of(doc, ids[at])) else {
            continue;
        };
        let all: Vec<&Convex> = parts.iter().map(|&at| &solids[at]).collect();
        let (faces, chosen) = faces_of(doc, &pool, &whole, &all);
        if let Some(result) = pool.brush_of_faces(first.contents(), faces) {
            let members = parts.iter().map(|&at| ids[at]).collect();
            joining.results.push((members, result));
            joining.chosen += chosen;
        }
    }
}

/// Faces of the whole with the looks of the parts' faces, and how many of them had several to choose from.
fn faces_of(doc: &Document, pool: &Pool, whole: &Convex, parts: &[&Convex]) -> (Vec<Face>, usize) {
    let tile = tile_of(doc);
    let mut chosen = 0;
    let mut faces = Vec::with_capacity(whole.sides().len());
    for &side in whole.sides() {
        let kept = pool.face(side, &tile);
        let own = parts.iter().find_map(|part| {
            let at = part.sides().iter().position(|own| *own == side)?;
            Some(part.corners(at))
        });
        let mut looks: Vec<(Face, f64)> = vec![(kept, own.map_or(0.0, |own| polygon::area(&own)))];
        for (other, corners) in on_side(side, parts) {
            let face = pool.face(other, &tile);
            let area = polygon::area(&corners);
            match looks
                .iter_mut()
                .find(|(look, _)| same_look(look, &face, &corners, &tile))
            {
                Some((_, covered)) => *covered += area,
                None => looks.push((face, area)),
            }
        }
        chosen += usize::from(looks.len() > 1);
        let plane = looks[0].0.plane;
        let most = looks
            .iter()
            .fold(0.0_f64, |most, (_, area)| most.max(*area));
        // Of equals the first, whatever rounding says.
        let best = looks
            .into_iter()
            .find(|(_, area)| *area >= most * (1.0 - 1e-9));
        if let Some((face, _)) = best {
            faces.push(if face.plane == plane {
                face
            } else {
                onto(doc, &face, plane)
            });
        }
    }
    (faces, chosen)
}
