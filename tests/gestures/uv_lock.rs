//! Textures that stay with the corners of what is reshaped (LOCK-2).

use glam::Vec2;
use mapwright::document::Contents;
use mapwright::document::Face;
use mapwright::document::History;
use mapwright::document::ops::components::ComponentKind;
use mapwright::document::ops::components::Handles;
use mapwright::document::ops::components::Shape;
use mapwright::geometry::Plane;
use mapwright::geometry::Uv;
use proptest::prelude::*;

use super::*;

const TILE: Vec2 = Vec2::splat(64.0);
/// Texels that rounding to what a file holds may cost.
const TEXELS: f64 = 0.02;

/// A box with a corner cut off, each face in a material of its own, turned, stretched and shifted.
fn textured(draft: &mut Draft) {
    let planes = [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
        DVec3::new(1.0, 2.0, 2.0) / 3.0,
    ];
    let faces = (0..)
        .zip(planes)
        .map(|(index, normal)| {
            let material = draft.insert_material(Material::new(format!("side {index}"), ""));
            let reach = if index == 6 { 64.0 } else { 48.0 };
            let mut face = Face::new(Plane::new(normal, reach), Some(material));
            face.uv = Uv {
                offset: Vec2::new(0.25 * index as f32, -0.125),
                scale: Vec2::new(0.5, 0.5 + 0.25 * index as f32),
                rotation_deg: 15.0 * index as f32,
            };
            face
        })
        .collect();
    let brush = Brush::solid(Contents::SOLID, faces).expect("solid");
    draft.insert(Object::new(Kind::Brush(brush)));
}

fn brush(doc: &Document) -> &Brush {
    let object = doc.object(id(1)).expect("the box");
    object.brush().expect("a brush")
}

/// How far the three points are from lying on a line: the sine at the first.
fn span([a, b, c]: [DVec3; 3]) -> f64 {
    let (ab, ac) = (b - a, c - a);
    ab.cross(ac).length() / (ab.length() * ac.length()).max(f64::MIN_POSITIVE)
}

fn triples(count: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..count)
        .flat_map(move |i| (i + 1..count).flat_map(move |j| (j + 1..count).map(move |k| [i, j, k])))
}

/// Every face of `new`, whose material tells where it comes from, has the coordinates of its old corners at three corners that
/// are not on one line, and at all that did not move. The result: how many faces were judged.
///
/// # Errors
/// Which face slips.
fn check(old: &Brush, new: &Brush, to: &dyn Fn(usize) -> DVec3) -> Result<usize, String> {
    let before = old.hull().points();
    let mut judged = 0;
    for (index, face) in new.faces().iter().enumerate() {
        let Some(source) = old.faces().iter().position(|f| f.material == face.material) else {
            panic!("face {index} comes from nowhere");
        };
        let corners: Option<Vec<(DVec3, DVec3)>> = new
            .hull()
            .face_points(index)
            .map(|point| {
                let own = &old.hull().loops()[source];
                let from = own
                    .iter()
                    .map(|&corner| corner as usize)
                    .find(|&corner| to(corner).distance(point) < 0.01)?;
                Some((before[from], point))
            })
            .collect();
        // A face with corners of others has no coordinates for them.
        let Some(corners) = corners else { continue };
        let wide = triples(corners.len()).all(|triple| {
            let (was, is) = (triple.map(|i| corners[i].0), triple.map(|i| corners[i].1));
            span(was) > 0.12 && span(is) > 0.12
        });
        if !wide {
            continue;
        }
        judged += 1;
        let (was, is) = (old.faces()[source].frame(TILE), face.frame(TILE));
        let keeps: Vec<bool> = corners
            .iter()
            .map(|(from, at)| was.at(*from).distance(is.at(*at)) * 64.0 < TEXELS)
            .collect();
        if keeps.iter().filter(|keeps| **keeps).count() < 3 {
            return Err(format!("face {index}: {keeps:?} of {corners:?}"));
        }
        for ((from, at), keeps) in corners.iter().zip(&keeps) {
            if !keeps && from == at {
                return Err(format!("face {index} slips at {at}, which rests"));
            }
        }
    }
    Ok(judged)
}

fn kind() -> impl Strategy<Value = ComponentKind> {
    prop_oneof![
        Just(ComponentKind::Vertex),
        Just(ComponentKind::Edge),
        Just(ComponentKind::Face),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lock_2_faces_keep_the_coordinates_of_their_corners(
        kind in kind(),
        picked in prop::collection::vec(0..64u32, 1..4),
        by in prop::array::uniform3(-24.0..24.0f64),
        turn in prop_oneof![2 => Just(0.0), 1 => -0.3..0.3f64],
    ) {
        // What a hair's breadth bends is flat again as the file holds it: its corners are none of those that were moved.
        prop_assume!(by.iter().all(|part| part.abs() > 0.05));
        let mut draft = Document::default().edit();
        textured(&mut draft);
        let mut history = History::new(draft.finish().expect("sound"));
        let old = brush(&history.committed().doc).clone();
        let shape = Shape::of_object(&history.committed().doc, id(1)).expect("a shape");
        let count = shape.count(kind) as u32;
        let picks: Vec<u32> = picked.iter().map(|index| index % count).collect();
        let selection: Selection = std::iter::once(Pick::Object(id(1)))
            .chain(picks.iter().map(|&index| kind.pick(id(1), index)))
            .collect();
        let moving: BTreeSet<u32> = picks
            .iter()
            .flat_map(|&index| shape.vertices(kind, index))
            .collect();
        let map = glam::DAffine3::from_translation(DVec3::from(by))
            * glam::DAffine3::from_rotation_y(turn);
        let handles = Handles::of(&history.committed().doc, &selection).expect("handles");
        let made = handles.mapped(&history.committed().doc, &|point| map.transform_point3(point), true);
        // What would be no convex brush is refused.
        let Ok(made) = made else { return Ok(()) };
        prop_assume!(history.commit(&made.edit("Move")).is_ok());
        let new = brush(&history.committed().doc);
        let points = old.hull().points();
        let judged = check(&old, new, &|corner| {
            if moving.contains(&(corner as u32)) {
                map.transform_point3(points[corner])
            } else {
                points[corner]
            }
        });
        let judged = judged.map_err(TestCaseError::fail)?;
        prop_assert!(judged > 0 || moving.len() == points.len());
    }
}

#[test]
fn lock_2_a_slide_keeps_the_coordinates() {
    const SLIDE: Modifiers = Modifiers {
        alt: true,
        shift: true,
        ctrl: false,
    };
    for locked in [true, false] {
        let mut s = Session::new(textured);
        s.editor.settings.uv_lock = locked;
        s.editor.set_grid(16.0);
        s.select(&[id(1)]);
        let old = brush(s.doc()).clone();
        s.drag(
            FRONT,
            DVec3::new(-10.0, -54.0, 0.0),
            DVec3::new(6.0, -70.0, 0.0),
            SLIDE,
        );
        assert_eq!(s.labels(), ["Slide face"]);
        let points = old.hull().points();
        let new = brush(s.doc()).clone();
        let to = |corner: usize| {
            let rests = points[corner].y > -40.0;
            points[corner]
                + if rests {
                    DVec3::ZERO
                } else {
                    DVec3::new(16.0, -16.0, 0.0)
                }
        };
        let judged = check(&old, &new, &to);
        assert_eq!(judged.is_ok_and(|judged| judged >= 5), locked);
    }
}
