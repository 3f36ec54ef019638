//! Convex pieces of what is solid, checked against the file's own BSP.

use std::path::Path;
use std::sync::OnceLock;

use glam::DVec3;
use mapwright::formats::unr;
use mapwright::formats::unr::hulls;
use mapwright::formats::unr::mapping::Mapping;
use mapwright::formats::unr::part::Part;
use mapwright::formats::unr::part::Remains;
use mapwright::formats::unr::patches::Patches;
use mapwright::formats::unr::patches::overlap;
use mapwright::formats::unr::pieces::Piece;
use mapwright::formats::unr::pieces::PieceFace;
use mapwright::formats::unr::pieces::Source;
use mapwright::formats::unr::raw::RawMap;
use mapwright::formats::unr::raw::RawModel;
use mapwright::formats::unr::replay::Operation;
use mapwright::formats::unr::replay::steps;
use mapwright::formats::unr::self_check::Solidity;
use mapwright::formats::unr::self_check::agreement;
use mapwright::formats::unr::sky::SkyPart;
use mapwright::formats::unr::solid::Solids;
use mapwright::formats::unr::solid::cells_of;
use mapwright::formats::unr::solid::kept;
use mapwright::formats::unr::solid::polygons_of;
use mapwright::formats::unr::solid::solids;
use mapwright::formats::unr::solidity::is_solid;
use mapwright::geometry::Aabb;
use mapwright::geometry::Bvh;
use mapwright::geometry::Hull;
use mapwright::geometry::Plane;
use mapwright::geometry::polygon;
use mapwright::task::Progress;

use crate::corpus;
use crate::expected;

/// Texels that a picture may be off its place on a face.
const TEXELS: f64 = 0.002;

/// Pieces that the specification's own measurement came to.
const PIECES: [(&str, usize); 11] = [
    ("DM-DuckingZone.unr", 14),
    ("checkers_test_map.unr", 128),
    ("MA-Queens.unr", 252),
    ("RotationTest.dx", 44),
    ("MA-RocketArena.unr", 205),
    ("Workroom_HP2.unr", 928),
    ("MH-Forbidden.unr", 1315),
    ("Gothic_Detail_room.unr", 36),
    ("GnomeholeMasterTemplate.unr", 15),
    ("MH-Canyon.unr", 2900),
    ("Early_Potions.unr", 4075),
];

struct Solved {
    name: String,
    map: RawMap,
    solids: Solids,
    /// Collision hulls that the index counts.
    hulls: usize,
}

impl Solved {
    fn world(&self) -> &RawModel {
        self.map.world.as_ref().expect("a package has a world")
    }
}

fn read(path: &Path) -> RawMap {
    let bytes = std::fs::read(path).expect("readable");
    unr::read(&bytes, &Progress::new()).expect("a map").0
}

/// Every map of the index with its pieces, made once.
fn solved() -> &'static [Solved] {
    static SOLVED: OnceLock<Vec<Solved>> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let Some(folder) = corpus() else {
            return Vec::new();
        };
        let rows = expected(&folder).into_iter().map(|row| {
            let name = row["file"].as_str().expect("a name").to_owned();
            let map = read(&folder.join(&name));
            let solids = solids(&map, &Progress::new()).expect("not cancelled");
            let hulls = row["worldModel"]["checks"]["collisionHulls"].as_u64();
            Solved {
                name,
                map,
                solids,
                hulls: hulls.expect("a count") as usize,
            }
        });
        rows.collect()
    })
}

#[test]
fn pieces_are_solid_where_the_bsp_is() {
    for Solved { name, solids, .. } in solved() {
        assert!(solids.agreement.is_good(), "{name}: {:?}", solids.agreement);
        assert!(solids.hulls.is_empty(), "{name}");
    }
    for solved in solved() {
        let Solved { name, solids, .. } = solved;
        let found = agreement(solved.world(), &solids.pieces, &solids.rock, 20_000);
        assert_eq!((found.random, found.random_wrong), (20_000, 0), "{name}");
        assert!(found.beside_share() >= 0.975, "{name}: {found:?}");
        assert!(
            found.beside as usize >= 2 * solved.world().nodes.len() - 8,
            "{name}"
        );
    }
}

#[test]
fn there_are_not_many_pieces() {
    for Solved { name, solids, .. } in solved() {
        let known = PIECES.iter().find(|(known, _)| known == name);
        if let Some((_, pieces)) = known {
            let most = pieces + pieces / 10;
            assert!(
                solids.pieces.len() <= most,
                "{name}: {}",
                solids.pieces.len()
            );
        }
    }
}

#[test]
fn planes_alone_tell_the_shape_of_a_piece() {
    for Solved { name, solids, .. } in solved() {
        for piece in &solids.pieces {
            let planes = piece.faces.iter().map(plane);
            let planes: Vec<Plane> = planes.map(Plane::rounded).collect();
            let hull = Hull::from_planes(&planes);
            assert_eq!(hull.fault(), None, "{name}: {piece:?}");
            let over = hull.bounds().max - bounds(piece).max;
            let over = over.max(bounds(piece).min - hull.bounds().min);
            assert!(over.max_element() < 0.25, "{name}: {over} {piece:?}");
        }
    }
}

#[test]
fn world_polygons_lie_on_faces_of_their_own_mapping() {
    for solved in solved() {
        let Solved {
            name, solids, map, ..
        } = solved;
        let patches = Patches::of_world(solved.world(), &SkyPart::of(map));
        let right = covered(&patches, &solids.pieces, TEXELS);
        assert!(right >= 0.999, "{name}: {right}");
    }
}

#[test]
fn added_brushes_that_nothing_cuts_stay_as_they_are() {
    let whole = |name: &str| {
        let solved = solved().iter().find(|solved| solved.name == name);
        solved.map(|solved| solved.solids.whole)
    };
    for (name, expected) in [
        ("checkers_test_map.unr", 22),
        ("RotationTest.dx", 17),
        ("MA-Queens.unr", 40),
        ("MA-RocketArena.unr", 18),
    ] {
        assert!(whole(name).is_none_or(|whole| whole == expected), "{name}");
    }
    for Solved {
        name, map, solids, ..
    } in solved()
    {
        let steps = steps(map);
        for (number, step) in steps.iter().enumerate() {
            let [cell] = &step.cells.parts[..] else {
                continue;
            };
            let is_cut = |later: &Part| {
                cell.bounds().touches(later.bounds())
                    && matches!(cell.clone().without(later), Remains::Cut(_))
            };
            let mut later = steps[number + 1..].iter();
            let cut = later.any(|later| {
                later.operation == Operation::Subtract && later.cells.parts.iter().any(is_cut)
            });
            if step.operation != Operation::Add || cut {
                continue;
            }
            let own = solids.pieces.iter();
            let own = own.filter(|piece| piece.source == Source::Brush(step.actor));
            let own: Vec<&Piece> = own.collect();
            let volume: f64 = own.iter().map(|piece| volume(piece)).sum();
            assert!(
                (volume - cell.volume()).abs() < 1e-3 * cell.volume(),
                "{name} {}",
                step.actor
            );
            let planes = own[0].faces.len();
            assert!(own.len() > 1 || own[0].is_whole, "{name} {}", step.actor);
            // Divided only for its pictures: then it has them, and a division adds a side.
            assert!(own.len() == 1 || planes > 3, "{name} {}", step.actor);
        }
    }
}

#[test]
fn hulls_of_the_file_are_exact() {
    for solved in solved() {
        let Solved {
            name, map, solids, ..
        } = solved;
        let world = solved.world();
        let records = hulls::leaf_hulls(world);
        assert_eq!(records.len(), solved.hulls, "{name}");
        let words: usize = records.iter().map(|record| record.planes.len() + 7).sum();
        assert_eq!(words, world.leaf_hulls.len(), "{name}");
        let patches = Patches::of_world(world, &SkyPart::of(map));
        let pieces = hulls::pieces(world, &solids.rock, &patches);
        let found = agreement(world, &pieces, &solids.rock, 20_000);
        // Three records of MH-Canyon reach into open space.
        if name == "MH-Canyon.unr" {
            assert!(found.random_share() >= 0.999, "{found:?}");
            continue;
        }
        assert_eq!(found.random_wrong, 0, "{name}");
        assert!(found.beside_share() >= 0.999, "{name}: {found:?}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_pieces() {
    for Solved {
        name,
        map,
        solids: expected,
        ..
    } in solved()
    {
        if name == "MH-Forbidden.unr" || name == "Workroom_HP2.unr" {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            let alone = pool
                .expect("a thread")
                .install(|| solids(map, &Progress::new()));
            assert_eq!(
                alone.expect("not cancelled").pieces,
                expected.pieces,
                "{name}"
            );
        }
    }
}

#[test]
fn without_the_bsp_the_same_pieces_come_out() {
    for solved in solved() {
        let Solved { name, map, .. } = solved;
        let least = match name.as_str() {
            "MH-Canyon.unr" | "MH-Forbidden.unr" | "Gothic_Detail_room.unr" => 0.997,
            "Early_Potions.unr" => 0.985,
            _ => 0.9999,
        };
        let text = RawMap {
            world: None,
            is_text: true,
            ..map.clone()
        };
        let found = solids(&text, &Progress::new()).expect("not cancelled");
        assert_eq!(found.agreement.random, 0, "{name}");
        let patches = Patches::of_world(solved.world(), &SkyPart::of(map));
        let right = covered(&patches, &found.pieces, 0.05);
        assert!(right >= least, "{name}: {right}");
    }
}

#[test]
fn text_and_package_of_one_map_give_the_same_pieces() {
    let Some(folder) = corpus() else { return };
    // The text of the first has a brush more, the only sheared one of the corpus.
    for (package, text, more) in [
        (
            "checkers_test_map.unr",
            "t3d/checkers_test_map.t3d",
            &["Brush24"][..],
        ),
        ("RotationTest.dx", "t3d/RotationTest.t3d", &[]),
    ] {
        let bytes = std::fs::read(folder.join(text)).expect("readable");
        let mut map = unr::read_text(&bytes, &Progress::new()).expect("text").0;
        let names = |map: &RawMap, actors: &[u32]| -> Vec<String> {
            let actors = actors.iter();
            actors
                .map(|&actor| map.actors[actor as usize].name.clone())
                .collect()
        };
        let found = solids(&map, &Progress::new()).expect("not cancelled");
        assert_eq!(names(&map, &found.sheared), more, "{text}");
        map.actors
            .retain(|actor| !more.contains(&actor.name.as_str()));
        let found = solids(&map, &Progress::new()).expect("not cancelled");
        let solved = solved().iter().find(|solved| solved.name == package);
        let solved = solved.expect("in the index");
        let expected = (&solved.map, &solved.solids.pieces[..]);
        same_pieces(text, (&map, &found.pieces), expected);
    }
}

#[test]
fn movers_are_pieces_with_their_own_pictures() {
    let mut movers = 0;
    for Solved { name, map, .. } in solved() {
        for (index, actor) in (0..).zip(&map.actors) {
            if actor.polygons.is_none() || actor.class.name.eq_ignore_ascii_case("Brush") {
                continue;
            }
            let pieces = cells_of(actor, index);
            if pieces.is_empty() {
                continue;
            }
            movers += 1;
            let polygons = polygons_of(actor);
            let right = covered(&Patches::of_polygons(&polygons), &pieces, TEXELS);
            // One was cut out of others, with corners a quarter of a unit off their planes.
            let is_noisy = name == "MH-Canyon.unr" && actor.name == "Mover23";
            let least = if is_noisy { 0.995 } else { 0.999 };
            assert!(right >= least, "{name} {}: {right}", actor.name);
            let around = polygons
                .iter()
                .flat_map(|polygon| polygon.corners.iter().copied());
            let all = pieces.iter().map(bounds).fold(Aabb::EMPTY, Aabb::union);
            assert!(
                Aabb::of_points(around).grown(0.1).encloses(all),
                "{name} {}",
                actor.name
            );
        }
    }
    assert!(movers > 100 || solved().is_empty(), "{movers}");
}

#[test]
fn the_last_kept_brush_around_a_point_decides() {
    for solved in solved() {
        let kept = kept(&solved.map);
        let brushes = kept.brushes.iter();
        let brushes: Vec<(Operation, Solidity<'_>)> = brushes
            .map(|brush| (brush.operation, Solidity::new(&brush.cells)))
            .collect();
        let rock = bounds(&kept.rock[0]);
        for number in 0..500 {
            let share = |factor: u32| f64::from(number * factor % 499) / 499.0;
            let along = DVec3::new(share(1), share(23), share(211));
            let point = rock.min + rock.size() * along;
            let last = brushes
                .iter()
                .rev()
                .find(|(_, brush)| brush.is_solid(point));
            let by_brushes = last.is_none_or(|(operation, _)| *operation == Operation::Add);
            let name = &solved.name;
            assert_eq!(
                by_brushes,
                is_solid(solved.world(), point),
                "{name}: {point}"
            );
        }
    }
}

fn plane(face: &PieceFace) -> Plane {
    Plane::new(face.normal, face.distance)
}

fn bounds(piece: &Piece) -> Aabb {
    let corners = piece.faces.iter().flat_map(|face| &face.corners);
    Aabb::of_points(corners.copied())
}

fn volume(piece: &Piece) -> f64 {
    let apex = piece.faces[0].corners[0];
    let pyramid = |face: &PieceFace| {
        let height = -plane(face).distance(apex);
        polygon::area(&face.corners) * height / 3.0
    };
    piece.faces.iter().map(pyramid).sum()
}

/// Same sides with the same pictures, one after the other; actors and textures by their names.
fn same_pieces(
    name: &str,
    (map, found): (&RawMap, &[Piece]),
    (package, expected): (&RawMap, &[Piece]),
) {
    let source = |map: &RawMap, piece: &Piece| match piece.source {
        Source::Brush(actor) => map.actors[actor as usize].name.clone(),
        Source::Rock | Source::Hull(_) => String::new(),
    };
    let texture = |map: &RawMap, mapping: &Mapping| {
        let texture = mapping
            .texture
            .map(|texture| &map.textures[texture as usize]);
        texture.map(|texture| texture.name.to_lowercase())
    };
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(source(map, found), source(package, expected), "{name}");
        assert_eq!(found.is_whole, expected.is_whole, "{name}");
        assert_eq!(found.faces.len(), expected.faces.len(), "{name}");
        for (found, expected) in found.faces.iter().zip(&expected.faces) {
            let what = format!("{name}: {found:?} {expected:?}");
            assert!(found.normal.distance(expected.normal) < 1e-5, "{what}");
            assert!((found.distance - expected.distance).abs() < 0.02, "{what}");
            match (&found.mapping, &expected.mapping) {
                (Some(look), Some(there)) => {
                    assert_eq!(texture(map, look), texture(package, there), "{what}");
                    for &corner in &expected.corners {
                        let apart = (look.at(corner) - there.at(corner)).abs();
                        assert!(apart.max_element() < 0.01, "{what}");
                    }
                }
                (look, there) => assert_eq!(look.is_some(), there.is_some(), "{what}"),
            }
        }
    }
}

/// Share of the polygons' area that lies on faces of their own mapping.
fn covered(patches: &Patches, pieces: &[Piece], texels: f64) -> f64 {
    let faces = pieces.iter().flat_map(|piece| &piece.faces);
    let faces: Vec<(&PieceFace, &Mapping)> = faces
        .filter_map(|face| Some((face, face.mapping.as_ref()?)))
        .collect();
    let boxes = (0..).zip(&faces).map(|(key, (face, _))| {
        let bounds = Aabb::of_points(face.corners.iter().copied());
        (key, bounds.grown(3.0))
    });
    let boxes: Bvh<u32> = Bvh::build(boxes);
    let (mut total, mut right) = (0.0, 0.0);
    for patch in &patches.patches {
        let look = &patches.looks[patch.look as usize];
        let mut left = vec![patch.corners.clone()];
        let mut keys = Vec::new();
        boxes.query(Aabb::of_points(patch.corners.iter().copied()), |key| {
            keys.push(key);
        });
        for key in keys {
            let (face, mapping) = faces[key as usize];
            let on_plane = patch
                .corners
                .iter()
                .all(|&corner| plane(face).distance(corner).abs() <= 0.3 + patch.off_plane);
            if face.normal.dot(patch.normal) < 0.9995 || !on_plane {
                continue;
            }
            let corners = patch.corners.clone();
            let Some(shared) = overlap(0, corners, plane(face), &face.corners, 0.0) else {
                continue;
            };
            if !mapping.is_alike(look, &shared.corners, texels) {
                continue;
            }
            left = left
                .into_iter()
                .flat_map(|part| outside(part, face))
                .collect();
        }
        let area = polygon::area(&patch.corners);
        let missing: f64 = left.iter().map(|part| polygon::area(part)).sum();
        total += area;
        right += area - missing;
    }
    right / total
}

/// What of a polygon lies beside a face, in convex parts.
fn outside(start: Vec<DVec3>, face: &PieceFace) -> Vec<Vec<DVec3>> {
    let mut outside = Vec::new();
    let mut rest = start;
    for (at, &from) in face.corners.iter().enumerate() {
        let to = face.corners[(at + 1) % face.corners.len()];
        let Some(edge) = Plane::through(from, (to - from).cross(face.normal)) else {
            continue;
        };
        if rest.iter().all(|&corner| edge.distance(corner) <= 1e-9) {
            continue;
        }
        let (front, back) = polygon::split(&rest, edge, 1e-9);
        outside.extend(Some(front).filter(|front| !front.is_empty()));
        if back.is_empty() {
            return outside;
        }
        rest = back;
    }
    outside
}
