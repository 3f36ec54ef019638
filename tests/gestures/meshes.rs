//! Shaping meshes (MSH-1).

use mapwright::document::Mesh;
use mapwright::document::ops::components::Shape;
use mapwright::editor::tools::options::OptionValue;

use super::*;

fn mesh(s: &Session, number: u32) -> &Mesh {
    s.doc()
        .object(id(number))
        .and_then(Object::mesh)
        .expect("a mesh")
}

fn picks(s: &Session) -> usize {
    s.editor
        .selection()
        .iter()
        .filter(|pick| !matches!(pick, Pick::Object(_)))
        .count()
}

/// A crate that is a mesh, seen from the front right above.
fn session(tool: &str) -> Session {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(60.0, 170.0, 200.0), -35.0, 12.0);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Shift+T");
    assert_eq!(s.labels(), ["To mesh"]);
    s.key(tool);
    s
}

const CORNER: DVec3 = DVec3::new(32.0, 64.0, 32.0);
const TOP: DVec3 = DVec3::new(0.0, 64.0, 0.0);

#[test]
fn msh_1_brushes_to_meshes_and_back() {
    let mut s = session("V");
    assert_eq!(mesh(&s, CRATE).polygons.len(), 6);
    assert!(s.editor.run("mesh.to_brushes").is_ok());
    assert_eq!(s.labels(), ["To mesh", "To brushes"]);
    let brush = s
        .doc()
        .object(id(CRATE))
        .and_then(Object::brush)
        .expect("brush");
    assert_eq!(brush.faces().len(), 6);
    assert_eq!(
        s.bounds(id(CRATE)),
        Aabb::new(DVec3::new(-32.0, 0.0, -32.0), CORNER)
    );
    let all: usize = s.doc().objects().count();
    assert_eq!(all, 2, "one convex piece");
}

#[test]
fn msh_1_vertices_move_without_convexity() {
    let mut s = session("V");
    // Deep into the crate; the quads round it are no longer flat.
    s.drag(VIEW_3D, CORNER, CORNER - DVec3::Y * 48.0, Modifiers::ALT);
    let made = mesh(&s, CRATE);
    assert_eq!(made.polygons.len(), 7, "the top is two triangles");
    assert!(made.points.contains(&DVec3::new(32.0, 16.0, 32.0)));
    assert!(made.polygons.iter().all(|polygon| made.is_sound(polygon)));
    assert_eq!(picks(&s), 1);
    // What is concave falls into several brushes of the same volume.
    assert!(s.editor.run("mesh.to_brushes").is_ok());
    let volume: f64 = s
        .doc()
        .objects()
        .filter(|(number, _)| *number != id(FLOOR))
        .filter_map(|(_, object)| object.brush())
        .map(|brush| brush.hull().volume())
        .sum();
    let cut = 64.0 * 64.0 * 48.0 / 6.0;
    let either = [64.0f64.powi(3) - cut, 64.0f64.powi(3) - 2.0 * cut];
    assert!(
        either.iter().any(|whole| (volume - whole).abs() < 1.0),
        "{volume} {either:?}"
    );
}

#[test]
fn msh_1_faces_are_extruded_and_inset() {
    let mut s = session("F");
    s.click(VIEW_3D, TOP);
    s.key("I");
    assert_eq!(mesh(&s, CRATE).polygons.len(), 10);
    assert!(
        mesh(&s, CRATE)
            .points
            .contains(&DVec3::new(16.0, 64.0, 16.0))
    );
    s.editor.set_tool_option("width", OptionValue::Number(8.0));
    assert!(
        mesh(&s, CRATE)
            .points
            .contains(&DVec3::new(24.0, 64.0, 24.0))
    );
    assert_eq!(s.labels(), ["To mesh", "Inset"]);
    s.drag(VIEW_3D, TOP, TOP + DVec3::Y * 31.0, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["To mesh", "Inset", "Extrude faces"]);
    let made = mesh(&s, CRATE);
    assert_eq!(made.polygons.len(), 14);
    assert!(
        made.points.contains(&DVec3::new(24.0, 96.0, 24.0)),
        "{:?}",
        made.points
    );
    assert_eq!(picks(&s), 1, "the moved one is picked");
    // It is closed, so it can become brushes: the crate and the block on it.
    assert!(s.editor.run("mesh.to_brushes").is_ok());
    let brushes = s
        .doc()
        .objects()
        .filter(|(_, o)| o.brush().is_some())
        .count();
    assert_eq!(brushes, 3);
}

#[test]
fn msh_1_edges_are_extruded_split_and_dissolved() {
    let mut s = session("E");
    let right = DVec3::new(32.0, 64.0, 0.0);
    let left = DVec3::new(-32.0, 64.0, 0.0);
    s.click(VIEW_3D, right);
    s.click_with(VIEW_3D, left, Modifiers::CTRL);
    s.key("K");
    let made = mesh(&s, CRATE);
    assert_eq!(made.polygons.len(), 7);
    assert!(made.points.contains(&right) && made.points.contains(&left));
    // The new edge, away again.
    s.click(VIEW_3D, TOP);
    assert_eq!(picks(&s), 1);
    s.key("Ctrl+Del");
    assert_eq!(mesh(&s, CRATE).polygons.len(), 6);
    assert_eq!(s.labels(), ["To mesh", "Split", "Dissolve"]);
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert_eq!(picks(&s), 2, "as before the split");
    s.click(VIEW_3D, right);
    s.drag(VIEW_3D, right, right + DVec3::X * 31.0, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["To mesh", "Extrude edges"]);
    let made = mesh(&s, CRATE);
    assert_eq!(made.polygons.len(), 7);
    assert!(made.points.contains(&DVec3::new(64.0, 64.0, 32.0)));
    assert!(
        s.editor.run("mesh.to_brushes").is_err(),
        "it is no longer closed"
    );
}

#[test]
fn msh_1_normals_and_smoothing_groups() {
    let mut s = session("F");
    s.click(VIEW_3D, TOP);
    s.editor
        .set_tool_option("smoothing", OptionValue::Text("1, 32".to_owned()));
    let smooth = |s: &Session| mesh(s, CRATE).polygons.iter().map(|p| p.smooth).max();
    assert_eq!(smooth(&s), Some(1 | 1 << 31));
    s.editor
        .set_tool_option("smoothing", OptionValue::Text("33".to_owned()));
    assert_eq!(smooth(&s), Some(1 | 1 << 31));
    let before = mesh(&s, CRATE).clone();
    s.key("N");
    let turned = before
        .polygons
        .iter()
        .zip(&mesh(&s, CRATE).polygons)
        .filter(|(old, new)| old.corners != new.corners)
        .count();
    assert_eq!(turned, 1, "only the picked one");
    s.key("N");
    assert_eq!(*mesh(&s, CRATE), before, "twice is nothing");
}

#[test]
fn msh_1_edge_loops() {
    let mut s = Session::new(|draft| {
        // A grid of four by four squares.
        let points = (0..25)
            .map(|i| {
                DVec3::new(
                    f64::from(i % 5) * 32.0 - 64.0,
                    0.0,
                    f64::from(i / 5) * 32.0 - 64.0,
                )
            })
            .collect();
        let polygons = (0..16u32)
            .map(|i| {
                let first = i / 4 * 5 + i % 4;
                mapwright::document::Polygon {
                    material: None,
                    smooth: 0,
                    proj: mapwright::geometry::Uv::default(),
                    corners: vec![first, first + 5, first + 6, first + 1],
                    uvs: Vec::new(),
                }
            })
            .collect();
        draft.insert(Object::new(Kind::Mesh(Mesh {
            name: String::new(),
            points,
            polygons,
        })));
    });
    s.select(&[id(1)]);
    s.key("E");
    s.double_click(super::TOP, DVec3::new(16.0, 0.0, 0.0), Modifiers::ALT);
    assert_eq!(picks(&s), 4, "all along the row");
    // It can be lifted as one.
    s.key("PgUp");
    let shape = Shape::of_object(s.doc(), id(1)).expect("shape");
    let lifted = shape.points.iter().filter(|point| point.y != 0.0).count();
    assert_eq!(lifted, 5);
}
