//! How brushes that others carve look, and those that carve (CSG-2).

use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::carving::Carving;
use crate::document::carving::carved;
use crate::viewport::scene::shape::BrushLook;
use crate::viewport::scene::shape::Shape;
use crate::viewport::scene::shape::ShapeCx;
use crate::viewport::scene::shape::make_shape;

/// Length of a dash and the gap behind it, in map units; long edges have longer ones.
const DASH: f64 = 8.0;

/// Most dashes of one edge.
const MOST_DASHES: f64 = 32.0;

/// As [`make_shape`], with what the object loses to SUBTRACT brushes. `shape` is empty.
pub(super) fn make_object(
    shape: &mut Shape,
    (doc, carving): (&Document, &Carving),
    (id, object): (ObjectId, &Object),
    has_children: bool,
    cx: &ShapeCx<'_>,
) {
    if !carving.is_empty()
        && let Some(brush) = object.brush()
    {
        let carvers = carving.carvers_of(id);
        if !carvers.is_empty() {
            return make_carved(shape, doc, (brush, object), &carvers, cx);
        }
    }
    make_shape(shape, object, has_children, cx);
}

fn make_carved(
    shape: &mut Shape,
    doc: &Document,
    (brush, object): (&Brush, &Object),
    carvers: &[ObjectId],
    cx: &ShapeCx<'_>,
) {
    let look = BrushLook::of(brush, object.flags);
    shape.bits = look.bits;
    let surface = carved(doc, brush, carvers);
    for piece in &surface.faces {
        let from = piece
            .of
            .and_then(|id| doc.object(id))
            .and_then(Object::brush)
            .unwrap_or(brush);
        let Some(face) = from.faces().get(piece.face as usize) else {
            continue;
        };
        let outward = face.plane.normal.normalize_or_zero();
        let normal = if piece.of.is_some() {
            -outward
        } else {
            outward
        };
        let (key, frame) = look.face(face, cx);
        shape.add_face_of(
            (key, piece.of, piece.face),
            normal,
            piece.corners.iter().copied(),
            &frame,
        );
    }
    for [a, b] in surface.edges {
        shape.add_segment(a, b);
    }
    shape.bounds = Some(brush.hull().bounds()).filter(|bounds| !bounds.is_empty());
}

/// A carving brush: its edges, dashed.
pub(super) fn dashed_outline(shape: &mut Shape, brush: &Brush) {
    let points = brush.hull().points();
    for [a, b] in brush.hull().edges() {
        add_dashes(shape, points[a as usize], points[b as usize]);
    }
    shape.bounds = Some(brush.hull().bounds()).filter(|bounds| !bounds.is_empty());
}

/// Begins and ends with a dash, so that corners show.
fn add_dashes(shape: &mut Shape, a: DVec3, b: DVec3) {
    let count = (a.distance(b) / (2.0 * DASH))
        .round()
        .clamp(1.0, MOST_DASHES);
    let parts = 2.0 * count + 1.0;
    for dash in 0..=count as u32 {
        let start = 2.0 * f64::from(dash) / parts;
        shape.add_segment(a.lerp(b, start), a.lerp(b, start + 1.0 / parts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Contents;
    use crate::document::Kind;
    use crate::document::ObjectFlags;
    use crate::document::Selection;
    use crate::document::State;
    use crate::document::ViewState;
    use crate::geometry::Aabb;
    use crate::viewport::Store;

    fn id(number: u32) -> ObjectId {
        ObjectId::new(number).expect("not 0")
    }

    /// A wall with a carver through it, and a far wall.
    fn map() -> Document {
        let mut draft = Document::default().edit();
        let cuboid = |min: [f64; 3], max: [f64; 3]| {
            Brush::cuboid(Aabb::new(DVec3::from(min), DVec3::from(max)), None)
        };
        draft.insert(Object::new(Kind::Brush(cuboid(
            [0.0; 3],
            [256.0, 128.0, 16.0],
        ))));
        draft.insert(Object::new(Kind::Brush(cuboid(
            [0.0, 0.0, 500.0],
            [256.0, 128.0, 516.0],
        ))));
        draft.insert(Object {
            flags: ObjectFlags::SUBTRACT,
            ..Object::new(Kind::Brush(
                cuboid([96.0, 32.0, -8.0], [160.0, 96.0, 24.0]).with_contents(Contents::default()),
            ))
        });
        draft.finish().expect("sound")
    }

    fn state(doc: Document) -> State {
        State {
            doc,
            selection: Selection::new(),
        }
    }

    #[test]
    fn csg_2_the_wall_is_drawn_with_its_hole_and_follows_the_carver() {
        let mut store = Store::default();
        let look = ViewState::default();
        let doc = map();
        store.sync(&state(doc.clone()), &look);
        let runs = |store: &Store, number: u32| store.runs(id(number), None).count();
        // Front and back in four pieces each; the four sides of the hole are the carver's.
        assert_eq!(
            (runs(&store, 1), runs(&store, 2), runs(&store, 3)),
            (12, 6, 4)
        );
        let own = store.slot(id(3)).expect("drawn");
        assert!(own.faces.is_empty() && own.segments.len > 24, "an outline");
        let mut draft = doc.edit();
        draft.update(id(3), |object| {
            if let Kind::Brush(brush) = &object.kind {
                object.kind = Kind::Brush(brush.transformed(
                    &glam::DAffine3::from_translation(DVec3::Z * 500.0),
                    crate::document::UvLock::World,
                    &|_| glam::Vec2::splat(64.0),
                ));
            }
        });
        store.sync(&state(draft.peek()), &look);
        assert_eq!(
            (runs(&store, 1), runs(&store, 2), runs(&store, 3)),
            (6, 12, 4)
        );
        let mut draft = doc.edit();
        draft.remove(id(3));
        store.sync(&state(draft.peek()), &look);
        assert_eq!((runs(&store, 1), runs(&store, 2)), (6, 6));
    }
}
