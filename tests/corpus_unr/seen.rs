//! Polygons that are seen: areas, boxes, texture coordinates.

use std::path::Path;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;
use mapwright::document::Document;
use mapwright::document::Mesh;
use mapwright::formats::NoSiblings;
use mapwright::formats::unr::looks::GUESSED;
use mapwright::formats::unr::looks::Looks;
use mapwright::formats::unr::meshes;
use mapwright::formats::unr::raw::RawMap;
use mapwright::formats::unr::raw::flag;
use mapwright::formats::unr::seen::Seen;
use mapwright::formats::unr::seen::SeenPolygon;
use mapwright::formats::unr::sky::SkyPart;
use mapwright::formats::unr::space::from_map;
use mapwright::formats::unr::space::to_map;
use mapwright::geometry::polygon;
use mapwright::task::Progress;
use serde_json::Value;

use crate::corpus;
use crate::expected;
use crate::map;

fn seen(map: &RawMap) -> Seen {
    let model = map.world.as_ref().expect("packages hold a world");
    Seen::of(model, &SkyPart::of(map), &Progress::new()).expect("not cancelled")
}

/// Every map, with what is expected of its world.
fn each(folder: &Path, mut test: impl FnMut(&str, &RawMap, &Value)) {
    for row in expected(folder) {
        let name = row["file"].as_str().expect("a name");
        test(name, map(folder, name), &row["worldModel"]);
    }
}

#[test]
fn areas_and_boxes_are_those_of_the_file() {
    let Some(folder) = corpus() else { return };
    each(&folder, |name, map, world| {
        let seen = seen(map);
        let number = |key: &str| world[key].as_f64().unwrap_or(0.0);
        assert_eq!(seen.polygons.len() as f64, number("polygons"), "{name}");
        let empty = number("nodesWithoutPolygon");
        assert_eq!(seen.empty_nodes as f64, empty, "{name}");
        assert_eq!(seen.bad_polygons, 0, "{name}");
        let area = |is_meant: &dyn Fn(&SeenPolygon) -> bool| -> f64 {
            let meant = seen.polygons.iter().filter(|polygon| is_meant(polygon));
            meant.map(SeenPolygon::area).sum()
        };
        // The numbers have one digit behind the point.
        let same = |found: f64, expected: f64| (found - expected).abs() <= 0.051 + 1e-6 * expected;
        let total = area(&|_| true);
        assert!(same(total, number("totalArea")), "{name}: {total}");
        let visible = area(&|polygon| polygon.mapping.flags & flag::INVISIBLE == 0);
        assert!(same(visible, number("visibleArea")), "{name}: {visible}");
        let count = |bit: u32| {
            let marked = seen.polygons.iter();
            let marked = marked.filter(|polygon| polygon.mapping.flags & bit != 0);
            marked.count() as f64
        };
        assert_eq!(count(flag::PORTAL), number("portalPolygons"), "{name}");
        let backdrop = number("backdropPolygons");
        assert_eq!(count(flag::FAKE_BACKDROP), backdrop, "{name}");
        let bounds = seen.bounds();
        for (found, expected) in [bounds.min, bounds.max].into_iter().zip(0..) {
            for axis in 0..3 {
                let expected = world["bbox"][expected as usize][axis].as_f64();
                let expected = expected.expect("a number");
                assert!((found[axis] - expected).abs() <= 6e-4, "{name}: {bounds:?}");
            }
        }
    });
}

/// A mesh of one polygon.
fn mesh_of(polygon: &SeenPolygon, looks: &Looks<'_>) -> Mesh {
    meshes::mesh("", &[polygon], looks).0
}

/// Each drawn polygon with its mesh.
fn each_mesh(folder: &Path, mut test: impl FnMut(&str, &SeenPolygon, &Mesh)) {
    each(folder, |name, map, _| {
        let seen = seen(map);
        let mut looks = Looks::new(map, &NoSiblings);
        let drawn: Vec<&SeenPolygon> = seen
            .polygons
            .iter()
            .filter(|polygon| polygon.is_drawn())
            .collect();
        let mappings = drawn.iter().map(|polygon| &polygon.mapping);
        looks.insert(mappings, &mut Document::default().edit());
        for polygon in drawn {
            test(name, polygon, &mesh_of(polygon, &looks));
        }
    });
}

#[test]
fn stored_coordinates_are_those_of_the_formula() {
    let Some(folder) = corpus() else { return };
    let mut worst = 0f64;
    each_mesh(&folder, |name, seen, mesh| {
        for polygon in &mesh.polygons {
            let corners = mesh.positions(polygon).expect("in range");
            for (corner, uv) in corners.into_iter().zip(&polygon.uvs) {
                let texels = uv.as_dvec2() * f64::from(GUESSED);
                let off = (texels - seen.mapping.at(from_map(corner))).abs();
                worst = worst.max(off.max_element());
                assert!(
                    off.max_element() <= 0.002,
                    "{name} node {:?}: {off}",
                    seen.node
                );
            }
        }
    });
    assert!(worst > 0.0, "there are polygons");
}

#[test]
fn polygons_look_into_the_rooms_and_stay_as_large() {
    let Some(folder) = corpus() else { return };
    let mut area = (0.0, 0.0);
    each_mesh(&folder, |name, seen, mesh| {
        // The parts of a bent polygon together: one by one they look where its noise makes them.
        let mut newell = DVec3::ZERO;
        for polygon in &mesh.polygons {
            let corners = mesh.positions(polygon).expect("in range");
            newell += polygon::newell(&corners);
        }
        area.0 += newell.length() / 2.0;
        if seen.area() > 1.0 {
            let front = newell.normalize().dot(to_map(seen.normal));
            assert!(front > 0.99, "{name} node {:?}: {front}", seen.node);
        }
        area.1 += polygon::area(&seen.outline);
    });
    assert!((area.0 / area.1 - 1.0).abs() < 1e-6, "{area:?}");
}

/// Of the coordinates going round: a picture that reads from left to right turns the other way, since v grows downwards.
fn turn(uvs: &[Vec2]) -> f64 {
    let from_first = |uv: &Vec2| (*uv - uvs[0]).as_dvec2();
    let pairs = uvs.windows(2);
    pairs
        .map(|pair| from_first(&pair[0]).perp_dot(from_first(&pair[1])))
        .sum()
}

#[test]
fn pictures_that_read_from_left_to_right_still_do() {
    let Some(folder) = corpus() else { return };
    let mut counts = [0usize; 2];
    each_mesh(&folder, |name, seen, mesh| {
        let mapping = &seen.mapping;
        let sense = seen.normal.cross(mapping.u).dot(mapping.v);
        if sense.abs() < 1e-3 * mapping.u.length() * mapping.v.length() || seen.area() < 16.0 {
            return;
        }
        let turns = mesh.polygons.iter().map(|polygon| turn(&polygon.uvs));
        let turned: f64 = turns.sum();
        counts[usize::from(sense > 0.0)] += 1;
        assert_eq!(turned < 0.0, sense > 0.0, "{name} node {:?}", seen.node);
    });
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn a_pan_moves_the_picture_by_texels() {
    let Some(folder) = corpus() else { return };
    let map = map(&folder, "RotationTest.dx");
    let model = map.world.as_ref().expect("a world");
    let mut pans: Vec<[i16; 2]> = Vec::new();
    for polygon in &seen(map).polygons {
        let surface = polygon.surface.expect("of a node");
        let surface = &model.surfaces[surface as usize];
        let base = model.points[surface.base as usize].as_dvec3();
        let at_base = polygon.mapping.at(base);
        assert_eq!(at_base, DVec2::from(surface.pan.map(f64::from)));
        pans.push(surface.pan);
        // The brush's own polygon says the same.
        let actor = surface.actor.expect("brushes are there") as usize;
        let polygons = map.actors[actor].polygons.as_ref().expect("a brush");
        if let Some(own) = polygons.get(surface.polygon as usize)
            && (own.link < 0 || own.link == surface.polygon)
        {
            assert_eq!(own.pan, surface.pan);
        }
    }
    for pan in [[0, -34], [58, 0]] {
        assert!(pans.contains(&pan), "{pan:?}");
    }
}

#[test]
fn the_sky_of_a_map_is_a_part_of_its_own() {
    let Some(folder) = corpus() else { return };
    let map = map(&folder, "MH-Forbidden.unr");
    let sky = SkyPart::of(map);
    assert!(!sky.is_empty());
    let seen = seen(map);
    let (of_sky, playable): (Vec<_>, Vec<_>) =
        seen.polygons.iter().partition(|polygon| polygon.is_sky);
    assert!(!of_sky.is_empty() && of_sky.len() * 4 < playable.len());
    let middle = |polygons: &[&SeenPolygon]| -> DVec3 {
        let corners = polygons.iter().flat_map(|polygon| &polygon.corners);
        polygon::mean(&corners.copied().collect::<Vec<_>>()).expect("corners")
    };
    let camera = map
        .actors
        .iter()
        .find(|actor| actor.class.name == "SkyZoneInfo")
        .and_then(|actor| actor.properties.vector("Location"))
        .expect("it has a place");
    let near = camera.distance(middle(&of_sky));
    assert!(near < camera.distance(middle(&playable)), "{near}");
}
