//! Shapes with circles in them.

use std::collections::HashMap;
use std::f64::consts::TAU;

use glam::DVec2;
use glam::DVec3;

use super::BandFace;
use super::Pieces;
use super::Shape;
use super::circle::Circle;
use super::circle::filled;
use super::circle::unit;
use super::straight::step_count;
use super::straight::step_top;

/// Spheres of more sides are too slow to be drawn live, and nobody builds with them.
const MOST_SPHERE_SIDES: u32 = 48;

/// Shorter edges are not worth having, and none that planes in a file could hold.
pub(super) const LEAST_EDGE: f64 = 0.125;

const TOO_SMALL_AN_ARC: &str =
    "The pieces would be too thin to be seen; make the arc larger or the sides fewer";

const TOO_THICK: &str = "The wall is as thick as the shape; make it thinner";

/// A corner of the unit circle on the ellipse that fills the box.
fn on_ellipse(size: DVec3, at: DVec2, inset: f64) -> DVec2 {
    let half = DVec2::new(size.x, size.y) * 0.5;
    half + at * (half - inset)
}

fn next(index: usize, count: usize) -> usize {
    (index + 1) % count
}

/// Sides of a prism or a frustum, for textures that run around it. `low` and `high` go round in the same order.
fn band(piece: usize, low: &[DVec3], high: &[DVec3]) -> Vec<BandFace> {
    (0..low.len())
        .map(|i| BandFace {
            piece,
            from: low[i],
            to: low[next(i, low.len())],
            up: high[i],
        })
        .collect()
}

/// A cylinder whose upper end is `top` times as large; 0 makes a cone.
pub(super) fn cylinder(size: DVec3, shape: &Shape, top: f64) -> Result<Pieces, &'static str> {
    // An upper end whose edges nobody could see is a point.
    let edge = top * size.x.min(size.y) * 3.0 / f64::from(shape.circle.sides(shape.sides));
    let top = if edge < LEAST_EDGE { 0.0 } else { top.min(1.0) };
    let circle = shape.circle.corners(shape.sides);
    let ring = |z: f64, part: f64| -> Vec<DVec3> {
        circle
            .iter()
            .map(|&at| on_ellipse(size, at * part, 0.0).extend(z))
            .collect()
    };
    let (low, high) = (ring(0.0, 1.0), ring(size.z, top));
    let sides = band(0, &low, &high);
    let mut corners = low;
    if top > 0.0 {
        corners.extend(high);
    } else {
        corners.push(DVec3::new(size.x * 0.5, size.y * 0.5, size.z));
    }
    Ok(Pieces {
        corners: vec![corners],
        bands: vec![sides],
    })
}

/// A piece between two walls, from one direction to the next, and its outer and inner band faces.
fn wall_piece(
    out: &mut Pieces,
    outer: [DVec2; 2],
    inner: [DVec2; 2],
    (bottom, top): (f64, f64),
) -> (BandFace, BandFace) {
    let piece = out.corners.len();
    let mut corners = Vec::with_capacity(8);
    for z in [bottom, top] {
        corners.extend([outer[0], outer[1], inner[1], inner[0]].map(|at| at.extend(z)));
    }
    out.corners.push(corners);
    let face = |from: DVec2, to: DVec2| BandFace {
        piece,
        from: from.extend(bottom),
        to: to.extend(bottom),
        up: from.extend(top),
    };
    (face(outer[0], outer[1]), face(inner[0], inner[1]))
}

/// A four-sided piece must keep all its corners, or pieces would overlap.
fn is_convex(outer: [DVec2; 2], inner: [DVec2; 2]) -> bool {
    let loop_of = [outer[0], outer[1], inner[1], inner[0]];
    (0..4).all(|i| {
        let (a, b, c) = (loop_of[i], loop_of[(i + 1) % 4], loop_of[(i + 2) % 4]);
        (b - a).perp_dot(c - b) > 0.0
    })
}

pub(super) fn tube(size: DVec3, shape: &Shape) -> Result<Pieces, &'static str> {
    let circle = shape.circle.corners(shape.sides);
    check_wall(size, shape.thickness)?;
    let outer: Vec<DVec2> = circle.iter().map(|&at| on_ellipse(size, at, 0.0)).collect();
    let inner: Vec<DVec2> = circle
        .iter()
        .map(|&at| on_ellipse(size, at, shape.thickness))
        .collect();
    let closed: Vec<usize> = (0..=circle.len()).map(|i| i % circle.len()).collect();
    walls(&outer, &inner, &closed, size.z)
}

fn check_wall(size: DVec3, thickness: f64) -> Result<(), &'static str> {
    if thickness <= 0.0 {
        Err("Walls need a thickness above 0")
    } else if thickness >= size.x.min(size.y) * 0.5 {
        Err(TOO_THICK)
    } else {
        Ok(())
    }
}

fn walls(
    outer: &[DVec2],
    inner: &[DVec2],
    order: &[usize],
    height: f64,
) -> Result<Pieces, &'static str> {
    let mut out = Pieces::default();
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for pair in order.windows(2) {
        let (o, i) = (
            [outer[pair[0]], outer[pair[1]]],
            [inner[pair[0]], inner[pair[1]]],
        );
        if !is_convex(o, i) {
            return Err(
                "So few sides leave no convex pieces here; make more sides or thinner walls",
            );
        }
        let (a, b) = wall_piece(&mut out, o, i, (0.0, height));
        outside.push(a);
        inside.push(b);
    }
    out.bands = vec![outside, inside];
    Ok(out)
}

/// An arch that stands in the plane of X and Y, open downwards, and fills the box.
pub(super) fn arch(size: DVec3, shape: &Shape) -> Result<Pieces, &'static str> {
    let arc_deg = shape.arc_deg.abs().clamp(1.0, 360.0);
    if arc_deg >= 360.0 {
        return tube(size, shape);
    }
    let arc = shape.circle.arc(shape.sides, arc_deg)?;
    let t = shape.thickness;
    if t <= 0.0 {
        return Err("Walls need a thickness above 0");
    }
    let reach =
        |value: &dyn Fn(DVec2) -> f64| arc.iter().map(|&at| value(at)).fold(f64::MIN, f64::max);
    let (wide, top, bottom) = (
        reach(&|at| at.x.abs()),
        reach(&|at| at.y),
        -reach(&|at| -at.y),
    );
    // The lowest corner is one of the inner wall while the arc ends above its centre.
    let high = if bottom > 0.0 {
        (size.y - t * bottom) / (top - bottom)
    } else {
        size.y / (top - bottom)
    };
    let radius = DVec2::new(size.x * 0.5 / wide, high);
    if radius.min_element() <= t {
        return Err(TOO_THICK);
    }
    let center = DVec2::new(size.x * 0.5, size.y - radius.y * top);
    let outer: Vec<DVec2> = arc.iter().map(|&at| center + at * radius).collect();
    let inner: Vec<DVec2> = arc.iter().map(|&at| center + at * (radius - t)).collect();
    let order: Vec<usize> = (0..arc.len()).collect();
    walls(&outer, &inner, &order, size.z)
}

/// A sphere of rings; half as many of them as it has sides.
pub(super) fn sphere(size: DVec3, shape: &Shape) -> Result<Pieces, &'static str> {
    let sides = shape.circle.sides(shape.sides.clamp(4, MOST_SPHERE_SIDES));
    let circle = shape.circle.corners(sides.min(MOST_SPHERE_SIDES));
    let rings = (circle.len() / 2).max(2);
    let angle = |ring: usize| TAU / 4.0 * (2.0 * ring as f64 / rings as f64 - 1.0);
    let ring = |index: usize| -> Vec<DVec3> {
        let at = unit(angle(index));
        circle
            .iter()
            .map(|&corner| on_ellipse(size, corner * at.x, 0.0).extend(size.z * 0.5 * (1.0 + at.y)))
            .collect()
    };
    let middle = DVec3::new(size.x * 0.5, size.y * 0.5, 0.0);
    let mut corners = vec![middle, middle.with_z(size.z)];
    let inner: Vec<Vec<DVec3>> = (1..rings).map(ring).collect();
    // A belt of the full width, so that an odd number of rings fills the box too.
    let widest = inner
        .iter()
        .flatten()
        .map(|corner| corner.x)
        .fold(0.0, f64::max);
    let spread = if widest > 0.0 {
        size.x * 0.5 / (widest - size.x * 0.5)
    } else {
        1.0
    };
    let spread_one = |corner: DVec3| {
        let flat = middle.truncate() + (corner.truncate() - middle.truncate()) * spread;
        flat.extend(corner.z)
    };
    let inner: Vec<Vec<DVec3>> = inner
        .into_iter()
        .map(|ring| ring.into_iter().map(spread_one).collect())
        .collect();
    let mut bands = Vec::new();
    for pair in inner.windows(2) {
        bands.push(band(0, &pair[0], &pair[1]));
    }
    corners.extend(inner.into_iter().flatten());
    Ok(Pieces {
        corners: vec![corners],
        bands,
    })
}

/// A sphere of triangles: an icosahedron whose faces are cut in four as often as so many sides ask for.
pub(super) fn icosahedron(size: DVec3, sides: u32) -> Pieces {
    let levels = match sides {
        0..=7 => 0,
        8..=15 => 1,
        _ => 2,
    };
    let long = f64::midpoint(1.0, 5.0f64.sqrt());
    let mut points = Vec::new();
    for (a, b) in [(1.0, long), (-1.0, long), (1.0, -long), (-1.0, -long)] {
        points.extend([
            DVec3::new(0.0, a, b),
            DVec3::new(a, b, 0.0),
            DVec3::new(b, 0.0, a),
        ]);
    }
    let mut faces = triangles(&points);
    for _ in 0..levels {
        faces = cut_in_four(&mut points, &faces);
    }
    let unit: Vec<DVec3> = points.iter().map(|point| point.normalize()).collect();
    let high = unit
        .iter()
        .fold(DVec3::ZERO, |high, point| high.max(point.abs()));
    let corners = unit
        .into_iter()
        .map(|point| size * 0.5 * (1.0 + point / high))
        .collect();
    Pieces {
        corners: vec![corners],
        bands: Vec::new(),
    }
}

/// Triples of points that are neighbours: edges of an icosahedron are 2 long.
fn triangles(points: &[DVec3]) -> Vec<[usize; 3]> {
    let near = |a: usize, b: usize| points[a].distance(points[b]) < 2.1;
    let mut faces = Vec::new();
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            for c in b + 1..points.len() {
                if near(a, b) && near(b, c) && near(a, c) {
                    faces.push([a, b, c]);
                }
            }
        }
    }
    faces
}

fn cut_in_four(points: &mut Vec<DVec3>, faces: &[[usize; 3]]) -> Vec<[usize; 3]> {
    let mut middles: HashMap<(usize, usize), usize> = HashMap::new();
    let length = points[0].length();
    let mut out = Vec::with_capacity(faces.len() * 4);
    for &[a, b, c] in faces {
        let mut middle = |a: usize, b: usize| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a] + points[b]).normalize() * length);
                points.len() - 1
            })
        };
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    out
}

/// Steps around the middle; the last one takes what is left of the height.
pub(super) fn spiral(size: DVec3, shape: &Shape) -> Result<Pieces, &'static str> {
    let count = step_count(size.z, shape.step_height)?;
    let arc = shape.arc_deg.clamp(-3600.0, 3600.0).to_radians();
    let step = arc / count as f64;
    if arc == 0.0 {
        return Err("Spiral stairs need an arc");
    }
    if step.abs() * size.x.min(size.y) * 0.5 < LEAST_EDGE {
        return Err(
            "The steps would be too thin to be seen; make the arc larger or the steps higher",
        );
    }
    if step.abs() > TAU / 4.0 + 1e-9 {
        return Err(
            "A step would turn by more than 90 degrees; make steps lower or the arc smaller",
        );
    }
    if arc.abs() > TAU + 1e-9 && !shape.open {
        return Err("More than one turn needs open steps");
    }
    if shape.thickness <= 0.0 {
        return Err("Steps need a width above 0");
    }
    let to_middle = shape.thickness >= size.x.min(size.y) * 0.5;
    let mut out = Pieces::default();
    for index in 0..count {
        let bottom = if shape.open {
            shape.step_height * index as f64
        } else {
            0.0
        };
        let top = step_top(index, count, size.z, shape.step_height);
        let mut ends = [index, index + 1].map(|i| unit(step * i as f64));
        if step < 0.0 {
            ends.reverse();
        }
        let outer = ends.map(|at| on_ellipse(size, at, 0.0));
        if to_middle {
            let middle = DVec2::new(size.x, size.y) * 0.5;
            let flat = [outer[0], outer[1], middle];
            let corners = [bottom, top]
                .into_iter()
                .flat_map(|z| flat.map(|at| at.extend(z)))
                .collect();
            out.corners.push(corners);
            continue;
        }
        let inner = ends.map(|at| on_ellipse(size, at, shape.thickness));
        if !is_convex(outer, inner) {
            return Err("The steps are too wide for so few of them; make them narrower or lower");
        }
        wall_piece(&mut out, outer, inner, (bottom, top));
    }
    Ok(out)
}

/// A ring of straight pieces of tube. It is made round and then stretched with the box, so that its faces stay flat.
pub(super) fn torus(size: DVec3, shape: &Shape) -> Result<Pieces, &'static str> {
    let radius = size.x.min(size.y) * 0.5;
    check_wall(size, shape.thickness)?;
    let half = shape.thickness * 0.5;
    let arc_deg = shape.arc_deg.abs().min(360.0);
    let ring: Vec<DVec2> = if arc_deg >= 360.0 {
        let mut ring = shape.circle.corners(shape.sides);
        ring.push(ring[0]);
        ring
    } else {
        let count = shape.sides.clamp(1, 96);
        let step = arc_deg.to_radians() / f64::from(count);
        if step > TAU / 4.0 {
            return Err("A piece would turn by more than 90 degrees; make more sides");
        }
        if step * radius < LEAST_EDGE {
            return Err(TOO_SMALL_AN_ARC);
        }
        let corners: Vec<DVec2> = (0..=count).map(|i| unit(step * f64::from(i))).collect();
        corners
    };
    let profile = filled(&Circle::Edge.corners(shape.tube_sides.clamp(3, 48)));
    let stretch = DVec2::new(size.x, size.y) * 0.5 / radius;
    let section = |direction: DVec2| -> Vec<DVec3> {
        profile
            .iter()
            .map(|corner| {
                let out = radius - half + half * corner.x;
                let flat = stretch * (DVec2::splat(radius) + direction * out);
                flat.extend(size.z * 0.5 * (1.0 + corner.y))
            })
            .collect()
    };
    let mut out = Pieces {
        bands: vec![Vec::new(); profile.len()],
        ..Pieces::default()
    };
    for pair in ring.windows(2) {
        let (from, to) = (section(pair[0]), section(pair[1]));
        let piece = out.corners.len();
        for (i, band) in out.bands.iter_mut().enumerate() {
            band.push(BandFace {
                piece,
                from: from[i],
                to: to[i],
                up: from[next(i, from.len())],
            });
        }
        out.corners.push(from.into_iter().chain(to).collect());
    }
    Ok(out)
}
