//! SUBTRACT brushes: each replaces the solids of its owner before it by their convex pieces outside it (S1).

use rayon::prelude::*;

use crate::compiler::colliders;
use crate::compiler::planes::PlaneId;
use crate::compiler::planes::Planes;
use crate::compiler::solids::Side;
use crate::compiler::solids::Solid;
use crate::compiler::solids::Solids;
use crate::compiler::solids::linked;
use crate::document::ObjectFlags;
use crate::geometry::Aabb;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::task::Cancelled;
use crate::task::Progress;

/// A side of a piece: its number and whose face it was; `turned`: made by the carving brush `from`, seen from inside.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) plane: PlaneId,
    /// Solid and face in the list before carving.
    pub(super) from: (u32, u32),
    pub(super) turned: bool,
}

#[derive(Clone)]
pub(super) struct Piece {
    pub(super) sides: Vec<Cut>,
    pub(super) bounds: Aabb,
}

/// Uses up the SUBTRACT brushes of the list: what comes back holds the pieces that they leave, in the order of the list.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn carve(solids: Solids, progress: &Progress) -> Result<Solids, Cancelled> {
    if !solids
        .list
        .iter()
        .any(|solid| solid.flags.has(ObjectFlags::SUBTRACT))
    {
        return Ok(solids);
    }
    let Solids {
        mut planes,
        list,
        brushes,
        ..
    } = solids;
    let carvers: Vec<u32> = (0..list.len() as u32)
        .filter(|&i| list[i as usize].flags.has(ObjectFlags::SUBTRACT))
        .collect();
    // Solids do not change each other, so each goes through the carvers after it by itself.
    let pieces: Vec<Option<(Vec<Piece>, Option<Vec<Piece>>)>> = list
        .par_iter()
        .zip(0..list.len() as u32)
        .map(|(solid, index)| {
            progress.check()?;
            if solid.flags.has(ObjectFlags::SUBTRACT) {
                return Ok(Some((Vec::new(), None)));
            }
            let later = &carvers[carvers.partition_point(|&carver| carver < index)..];
            let Some(pieces) = carved(index, &list, later, &planes, progress)? else {
                return Ok(None);
            };
            let grown = colliders::grown(index, &pieces, &list, later, &planes, progress)?;
            Ok(Some((pieces, grown)))
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut out = Vec::with_capacity(list.len());
    let mut colliders = Vec::with_capacity(list.len());
    for (solid, pieces) in list.iter().zip(pieces) {
        progress.check()?;
        let Some((pieces, grown)) = pieces else {
            out.push(solid.clone());
            colliders.push(solid.clone());
            continue;
        };
        let mut all_rebuilt = |pieces: Vec<Piece>| -> Vec<Solid> {
            pieces
                .iter()
                .filter_map(|piece| rebuilt(solid, piece, &list, &mut planes))
                .collect()
        };
        let left = all_rebuilt(pieces);
        match grown {
            Some(grown) => colliders.extend(all_rebuilt(grown)),
            None => colliders.extend(left.iter().cloned()),
        }
        out.extend(left);
    }
    Ok(Solids {
        planes,
        list: out,
        colliders: Some(colliders),
        brushes,
    })
}

/// The pieces that `later` leave of solid `index`; `None` when none of them reaches its inside.
fn carved(
    index: u32,
    list: &[Solid],
    later: &[u32],
    planes: &Planes,
    progress: &Progress,
) -> Result<Option<Vec<Piece>>, Cancelled> {
    let solid = &list[index as usize];
    let mut pieces = vec![Piece {
        sides: sides_of(index, solid),
        bounds: solid.bounds,
    }];
    let mut changed = false;
    for &carver in later {
        progress.check()?;
        let with = &list[carver as usize];
        if with.model != solid.model {
            continue;
        }
        let mut left = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match outside(&piece, carver, with, planes) {
                None => left.push(piece),
                Some(outside) => {
                    changed = true;
                    left.extend(outside);
                }
            }
        }
        pieces = left;
        if pieces.is_empty() {
            break;
        }
    }
    Ok(changed.then_some(pieces))
}

/// The sides of a solid of the list, in face order.
pub(super) fn sides_of(index: u32, solid: &Solid) -> Vec<Cut> {
    (0..)
        .zip(&solid.faces)
        .map(|(face, side)| Cut {
            plane: side.plane,
            from: (index, face),
            turned: false,
        })
        .collect()
}

/// The parts of `piece` outside `with`, cut by its planes one after another, axial ones first; `None` when they do not meet.
fn outside(piece: &Piece, carver: u32, with: &Solid, planes: &Planes) -> Option<Vec<Piece>> {
    if !piece.bounds.touches(with.bounds) {
        return None;
    }
    let is_axial = |plane: PlaneId| planes.get(plane).normal.abs().max_element() == 1.0;
    let mut order: Vec<(bool, u32)> = (0..)
        .zip(&with.faces)
        .map(|(face, side)| (!is_axial(side.plane), face))
        .collect();
    order.sort_unstable();
    let mut rest = Piece {
        sides: piece.sides.clone(),
        bounds: piece.bounds,
    };
    let mut out = Vec::new();
    for (_, face) in order {
        let plane = with.faces[face as usize].plane;
        if rest.sides.iter().any(|side| side.plane == plane) {
            continue;
        }
        if rest.sides.iter().any(|side| side.plane == plane.flipped()) {
            return None;
        }
        let cut = |turned| Cut {
            plane: if turned { plane.flipped() } else { plane },
            from: (carver, face),
            turned,
        };
        let back = cut_off(&rest, cut(false), planes)?;
        if let Some(front) = cut_off(&rest, cut(true), planes) {
            out.push(front);
            rest = back;
        }
    }
    Some(out)
}

/// The part of a piece behind one more plane; `None` when nothing is left.
pub(super) fn cut_off(piece: &Piece, cut: Cut, planes: &Planes) -> Option<Piece> {
    let plane = planes.get(cut.plane);
    if piece
        .bounds
        .corners()
        .iter()
        .all(|&corner| plane.distance(corner) > -1e-3)
    {
        return None;
    }
    let mut sides = piece.sides.clone();
    sides.push(cut);
    let (hull, _) = hull_of(&sides, planes);
    if hull.fault().is_some() {
        return None;
    }
    let mut touched = hull.loops().iter().map(|corners| corners.len() >= 3);
    sides.retain(|_| touched.next() == Some(true));
    Some(Piece {
        sides,
        bounds: hull.bounds(),
    })
}

pub(super) fn hull_of(sides: &[Cut], planes: &Planes) -> (Hull, Vec<Plane>) {
    let list: Vec<Plane> = sides.iter().map(|side| planes.get(side.plane)).collect();
    (Hull::from_planes(&list).restored(None), list)
}

/// The piece as a solid like any other. Its sides: those of the source in face order, then the cutting planes turned round.
fn rebuilt(solid: &Solid, piece: &Piece, list: &[Solid], planes: &mut Planes) -> Option<Solid> {
    let (hull, _) = hull_of(&piece.sides, planes);
    if hull.fault().is_some() {
        return None;
    }
    let sides: Vec<Side<'_>> = piece
        .sides
        .iter()
        .zip(hull.loops())
        .filter(|(_, corners)| corners.len() >= 3)
        .map(|(cut, corners)| {
            let face = &list[cut.from.0 as usize].faces[cut.from.1 as usize];
            let stored = if cut.turned {
                face.stored.flipped()
            } else {
                face.stored
            };
            Side {
                plane: cut.plane,
                stored,
                surface: face.surface.clone(),
                corners,
            }
        })
        .collect();
    let faces = linked(planes, hull.points(), sides);
    Some(Solid {
        bounds: hull.bounds(),
        faces,
        ..solid.clone()
    })
}
