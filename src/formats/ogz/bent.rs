//! Cubes that are not convex, as tetrahedra round a point that sees all of their triangles.

use crate::formats::ogz::convex::Convex;
use crate::formats::ogz::convex::Surface;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::dot;
use crate::formats::ogz::shape::sub;
use crate::formats::ogz::shape::triangle_normal;

/// A triangle of a cube with what it shows.
pub type Side = ([Point; 3], Surface);

/// The tetrahedra that fill a closed surface, inner facets unseen; `None` when no point of the cube's own grid sees the whole surface.
///
/// `grid`: the cube's lowest corner and an eighth of its size, both in eighths of a unit.
#[must_use]
pub fn tetrahedra(
    sides: &[Side],
    grid: (Point, i64),
    spare: u16,
    material: u16,
) -> Option<Vec<Convex>> {
    let apex = apex(sides, grid)?;
    let solids = sides
        .iter()
        .map(|&([a, b, c], surface)| {
            let inner = Surface {
                slot: None,
                ..surface
            };
            let triangles = [
                ([a, b, c], surface),
                ([a, apex, b], inner),
                ([b, apex, c], inner),
                ([c, apex, a], inner),
            ];
            Convex::new(&triangles, spare, material).0
        })
        .collect();
    Some(solids)
}

/// The point of the cube's grid nearest to the middle that lies behind all triangles.
fn apex(sides: &[Side], (origin, step): (Point, i64)) -> Option<Point> {
    let count = 3 * sides.len() as i64;
    let corners = || sides.iter().flat_map(|(triangle, _)| triangle);
    let middle =
        [0, 1, 2].map(|axis| corners().map(|corner| corner[axis]).sum::<i64>() / count.max(1));
    let points = (0..9 * 9 * 9).map(|number| {
        let at = [number % 9, number / 9 % 9, number / 81];
        [0, 1, 2].map(|axis| origin[axis] + step * at[axis])
    });
    points
        .filter(|&point| {
            sides
                .iter()
                .all(|&(triangle, _)| dot(triangle_normal(triangle), sub(point, triangle[0])) < 0)
        })
        .min_by_key(|&point| {
            let off = sub(point, middle);
            (dot(off, off), point)
        })
}
