//! Normals at the corners of mesh polygons (D27).

use glam::DVec3;

use crate::document::Mesh;

/// Unit normals per corner of each polygon. `flat` holds the polygons' own normals, `None` for those that do not count.
#[must_use]
pub(crate) fn corner_normals(mesh: &Mesh, flat: &[Option<DVec3>]) -> Vec<Vec<DVec3>> {
    // Per point: polygon, its corner, weighted by the angle there.
    let mut around: Vec<(u32, u32, DVec3)> = Vec::new();
    for ((index, polygon), normal) in (0u32..).zip(&mesh.polygons).zip(flat) {
        if let (Some(normal), true) = (normal, polygon.smooth != 0) {
            for (i, &corner) in polygon.corners.iter().enumerate() {
                around.push((corner, index, *normal * angle(mesh, &polygon.corners, i)));
            }
        }
    }
    around.sort_unstable_by_key(|entry| (entry.0, entry.1));
    mesh.polygons
        .iter()
        .zip(flat)
        .map(|(polygon, normal)| {
            let Some(normal) = *normal else {
                return Vec::new();
            };
            if polygon.smooth == 0 {
                return vec![normal; polygon.corners.len()];
            }
            let smoothed = |&corner: &u32| {
                let from = around.partition_point(|entry| entry.0 < corner);
                let sum: DVec3 = around[from..]
                    .iter()
                    .take_while(|entry| entry.0 == corner)
                    .filter(|entry| mesh.polygons[entry.1 as usize].smooth & polygon.smooth != 0)
                    .map(|entry| entry.2)
                    .sum();
                sum.try_normalize().unwrap_or(normal)
            };
            polygon.corners.iter().map(smoothed).collect()
        })
        .collect()
}

/// Angle at a corner in radians, by a polynomial: results must not depend on the machine's library.
fn angle(mesh: &Mesh, corners: &[u32], i: usize) -> f64 {
    let at = |i: usize| mesh.points[corners[i % corners.len()] as usize];
    let (here, before, after) = (at(i), at(i + corners.len() - 1), at(i + 1));
    let (a, b) = (
        (before - here).normalize_or_zero(),
        (after - here).normalize_or_zero(),
    );
    acos(a.dot(b).clamp(-1.0, 1.0))
}

/// Arc cosine to 2e-8 (Abramowitz and Stegun 4.4.46).
fn acos(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        1.5707963050,
        -0.2145988016,
        0.0889789874,
        -0.0501743046,
        0.0308918810,
        -0.0170881256,
        0.0066700901,
        -0.0012624911,
    ];
    let size = x.abs();
    let sum = TERMS.iter().rev().fold(0.0, |sum, term| sum * size + term);
    let angle = (1.0 - size).sqrt() * sum;
    if x < 0.0 {
        std::f64::consts::PI - angle
    } else {
        angle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Polygon;
    use crate::geometry::Uv;

    #[test]
    fn arc_cosine_is_near_the_library() {
        for i in -1000..=1000 {
            let x = f64::from(i) / 1000.0;
            assert!((acos(x) - x.acos()).abs() < 1e-7, "{x}");
        }
    }

    #[test]
    fn sharing_a_bit_smooths_and_angles_weigh() {
        // A roof of two squares, and an upright triangle at its ridge.
        let points = [
            (0.0, 0.0, 0.0),
            (0.0, 0.0, 1.0),
            (1.0, 1.0, 1.0),
            (1.0, 1.0, 0.0),
            (2.0, 0.0, 1.0),
            (2.0, 0.0, 0.0),
        ];
        let polygon = |smooth, corners: &[u32]| Polygon {
            material: None,
            smooth,
            proj: Uv::default(),
            corners: corners.to_vec(),
            uvs: Vec::new(),
        };
        let mut mesh = Mesh {
            name: String::new(),
            points: points.map(DVec3::from).to_vec(),
            polygons: vec![
                polygon(1, &[0, 1, 2, 3]),
                polygon(3, &[3, 2, 4, 5]),
                polygon(4, &[0, 3, 5]),
            ],
        };
        let flat = |mesh: &Mesh| -> Vec<Option<DVec3>> {
            mesh.polygons
                .iter()
                .map(|p| crate::geometry::polygon::normal(&mesh.positions(p).expect("in range")))
                .collect()
        };
        let normals = corner_normals(&mesh, &flat(&mesh));
        assert!(
            (normals[0][2] - DVec3::Y).length() < 1e-9,
            "ridge of the left side points up: {}",
            normals[0][2]
        );
        assert!(
            (normals[0][0] - DVec3::new(-0.5f64.sqrt(), 0.5f64.sqrt(), 0.0)).length() < 1e-9,
            "eaves stay flat"
        );
        assert!(
            (normals[2][1] - DVec3::NEG_Z).length() < 1e-9,
            "no bit in common"
        );
        mesh.polygons[2].smooth = 1;
        let normals = corner_normals(&mesh, &flat(&mesh));
        // At the ridge's end: both squares with a right angle, the triangle with one too.
        let wanted = (DVec3::new(-0.5f64.sqrt(), 0.5f64.sqrt(), 0.0)
            + DVec3::new(0.5f64.sqrt(), 0.5f64.sqrt(), 0.0)
            + DVec3::NEG_Z)
            .normalize();
        assert!(
            (normals[0][3] - wanted).length() < 1e-6,
            "{} {wanted}",
            normals[0][3]
        );
        assert!((normals[1][1] - DVec3::Y).length() < 1e-9);
    }
}
