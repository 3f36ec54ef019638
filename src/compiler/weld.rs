//! Corners that are nearly the same become the same, and edges that are nearly nothing collapse (S5).

use glam::DVec3;

use crate::compiler::hash::FastMap;

/// Vertices of one model nearer than this are one.
pub(crate) const EPS_WELD: f64 = 1.0 / 128.0;

/// Edges shorter than this collapse.
pub(crate) const EPS_EDGE: f64 = 1.0 / 64.0;

const CELL: f64 = 4.0 * EPS_WELD;

/// Gives numbers to positions; a position within [`EPS_WELD`] of earlier ones gets the lowest number of those.
#[derive(Default)]
pub(crate) struct Welder {
    points: Vec<DVec3>,
    /// Numbers of positions by their bits.
    exact: FastMap<[u64; 3], u32>,
    /// Newest point of a cell; the others follow through `next`.
    cells: FastMap<[i64; 3], u32>,
    next: Vec<u32>,
}

impl Welder {
    pub(crate) fn add(&mut self, point: DVec3) -> u32 {
        let bits = point.to_array().map(|x| (x + 0.0).to_bits());
        if let Some(&number) = self.exact.get(&bits) {
            return number;
        }
        let number = self.near(point).unwrap_or_else(|| self.push(point));
        self.exact.insert(bits, number);
        number
    }

    /// Numbers of a polygon's corners without repeats; fewer than three when nothing is left of it.
    pub(crate) fn add_loop(&mut self, points: &[DVec3]) -> Vec<u32> {
        let mut corners: Vec<u32> = points.iter().map(|&point| self.add(point)).collect();
        tidy(&mut corners);
        corners
    }

    pub(crate) fn into_points(self) -> Vec<DVec3> {
        self.points
    }

    fn near(&self, point: DVec3) -> Option<u32> {
        let at = (point / CELL).to_array();
        let ranges = at.map(|x| ((x - 0.25).floor() as i64, (x + 0.25).floor() as i64));
        let mut best: Option<u32> = None;
        for x in ranges[0].0..=ranges[0].1 {
            for y in ranges[1].0..=ranges[1].1 {
                for z in ranges[2].0..=ranges[2].1 {
                    let mut entry = self.cells.get(&[x, y, z]).copied().unwrap_or(u32::MAX);
                    while entry != u32::MAX {
                        if self.points[entry as usize].distance_squared(point) < EPS_WELD * EPS_WELD
                        {
                            best = Some(best.map_or(entry, |best| best.min(entry)));
                        }
                        entry = self.next[entry as usize];
                    }
                }
            }
        }
        best
    }

    fn push(&mut self, point: DVec3) -> u32 {
        let number = self.points.len() as u32;
        let cell = (point / CELL).to_array().map(|x| x.floor() as i64);
        self.points.push(point);
        self.next
            .push(self.cells.insert(cell, number).unwrap_or(u32::MAX));
        number
    }
}

/// Numbers of the corners of many polygons. Positions on the grid of 1/8 come first, so that others move onto them.
pub(crate) fn weld<'a>(
    loops: impl Iterator<Item = &'a [DVec3]> + Clone,
) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let mut welder = Welder::default();
    for &point in loops.clone().flatten() {
        if (point * 8.0).fract() == DVec3::ZERO {
            welder.add(point);
        }
    }
    let mut loops: Vec<Vec<u32>> = loops.map(|points| welder.add_loop(points)).collect();
    let points = welder.into_points();
    collapse(&points, &mut loops);
    (points, loops)
}

/// Ends of very short edges become the lower numbered one. A point that took another stays where it is, so nothing drifts.
fn collapse(points: &[DVec3], loops: &mut [Vec<u32>]) {
    let mut into: Vec<u32> = Vec::new();
    let mut short: Vec<(u32, u32)> = Vec::new();
    for corners in loops.iter() {
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            if a < b
                && points[a as usize].distance_squared(points[b as usize]) < EPS_EDGE * EPS_EDGE
            {
                short.push((a, b));
            }
        }
    }
    if short.is_empty() {
        return;
    }
    short.sort_unstable();
    short.dedup();
    into.extend(0..points.len() as u32);
    let mut took = vec![false; points.len()];
    for (a, b) in short {
        if into[a as usize] == a && into[b as usize] == b && !took[b as usize] {
            into[b as usize] = a;
            took[a as usize] = true;
        }
    }
    for corners in loops {
        for corner in corners.iter_mut() {
            *corner = into[*corner as usize];
        }
        tidy(corners);
    }
}

/// Removes repeats and spurs (there and back again) from a closed loop; clears it when less than a triangle is left.
pub(crate) fn tidy(corners: &mut Vec<u32>) {
    loop {
        let n = corners.len();
        let found = (0..n).find(|&i| {
            let (here, next, after) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
            here == next || here == after
        });
        match found {
            _ if n < 3 => {
                corners.clear();
                return;
            }
            None => return,
            Some(i) => {
                let next = (i + 1) % n;
                corners.remove(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_get_the_lowest_number() {
        let mut welder = Welder::default();
        let a = DVec3::new(10.0, -4.0, 3.0);
        assert_eq!(welder.add(a), 0);
        assert_eq!(welder.add(a + 0.004), 0);
        assert_eq!(welder.add(a + 0.01), 1);
        assert_eq!(welder.add(a - DVec3::X * 0.0078), 0, "across a cell border");
        assert_eq!(welder.add(a - DVec3::X * 0.0079), 2);
    }

    #[test]
    fn spurs_and_repeats_go() {
        for (given, wanted) in [
            (vec![1, 2, 3], vec![1, 2, 3]),
            (vec![1, 1, 2, 3, 3], vec![1, 2, 3]),
            (vec![1, 2, 3, 4, 3], vec![1, 2, 3]),
            (vec![1, 2, 1], vec![]),
            (vec![1, 3, 2, 3], vec![]),
            (vec![1, 2], vec![]),
        ] {
            let mut corners: Vec<u32> = given.clone();
            tidy(&mut corners);
            let lowest = corners
                .iter()
                .position(|corner| Some(corner) == corners.iter().min())
                .unwrap_or(0);
            corners.rotate_left(lowest);
            assert_eq!(corners, wanted, "{given:?}");
        }
    }

    #[test]
    fn short_edges_collapse_onto_the_lower_end() {
        let points = [
            DVec3::ZERO,
            DVec3::X * 0.012,
            DVec3::X * 8.0,
            DVec3::Y * 8.0,
        ];
        let (welded, loops) = weld([&points[..]].into_iter());
        assert_eq!(loops.iter().map(Vec::len).collect::<Vec<_>>(), [3]);
        assert!(
            loops[0]
                .iter()
                .all(|&corner| welded[corner as usize] != points[1])
        );
    }
}
