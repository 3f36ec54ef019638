//! Shaping meshes (MSH-1).

use mapwright::document::Mesh;
use mapwright::document::ops::components::Shape;
use mapwright::editor::tools::options::OptionValue;
use mapwright::formats::Extras;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::task::Progress;

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
fn msh_1_smoothing_groups_of_several_polygons_are_common_or_mixed() {
    let mut s = session("F");
    let pick = |s: &mut Session, faces: &[u32]| {
        let faces = faces.iter().map(|&face| Pick::Face(id(CRATE), face));
        let picks: Selection = faces.chain([Pick::Object(id(CRATE))]).collect();
        s.editor.select(picks);
    };
    let shown = |s: &Session| -> Option<String> {
        let options = s.editor.tool_options();
        let option = options
            .into_iter()
            .find(|option| option.id == "smoothing")?;
        match option.value {
            OptionValue::Text(text) => Some(text),
            _ => None,
        }
    };
    let set = |s: &mut Session, text: &str| {
        s.editor
            .set_tool_option("smoothing", OptionValue::Text(text.to_owned()));
    };
    let groups =
        |s: &Session| -> Vec<u32> { mesh(s, CRATE).polygons.iter().map(|p| p.smooth).collect() };
    assert_eq!(shown(&s), None, "no polygon is picked");
    pick(&mut s, &[0]);
    set(&mut s, "1, 4");
    pick(&mut s, &[1]);
    set(&mut s, "4, 7");
    pick(&mut s, &[0, 1]);
    assert_eq!(shown(&s).as_deref(), Some("4 (1, 7)"));
    // What is in brackets stays each one's own.
    set(&mut s, "4, 9 (1, 7)");
    assert_eq!(shown(&s).as_deref(), Some("4, 9 (1, 7)"));
    assert_eq!(groups(&s)[..2], [0b1_0000_1001, 0b1_0100_1000]);
    set(&mut s, "9 (7)");
    assert_eq!(groups(&s)[..2], [0b1_0000_0000, 0b1_0100_0000]);
    assert_eq!(shown(&s).as_deref(), Some("9 (7)"));
    let labels = s.labels().len();
    for text in ["9 (0)", "9 ((7))", "9)"] {
        set(&mut s, text);
        assert_eq!(s.labels().len(), labels, "{text}");
    }
    pick(&mut s, &[1, 2]);
    assert_eq!(shown(&s).as_deref(), Some("(7, 9)"), "the third is flat");
    set(&mut s, "2");
    assert_eq!(shown(&s).as_deref(), Some("2"));
    assert_eq!(groups(&s)[1..3], [2, 2]);
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
    // Anywhere on the edge, not only at its handle in the middle.
    s.click(super::TOP, DVec3::new(200.0, 0.0, 200.0));
    assert_eq!(picks(&s), 0);
    s.double_click(super::TOP, DVec3::new(27.0, 0.0, 0.0), Modifiers::ALT);
    assert_eq!(picks(&s), 4, "beside the handle too");
    // It can be lifted as one.
    s.key("PgUp");
    let shape = Shape::of_object(s.doc(), id(1)).expect("shape");
    let lifted = shape.points.iter().filter(|point| point.y != 0.0).count();
    assert_eq!(lifted, 5);
}

#[test]
fn msh_1_edges_are_pulled_where_the_pointer_goes() {
    let mut s = session("E");
    let right = DVec3::new(32.0, 64.0, 0.0);
    let way = DVec3::new(31.0, 0.0, 15.0);
    s.drag(VIEW_3D, right, right + way, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["To mesh", "Extrude edges"]);
    let points = &mesh(&s, CRATE).points;
    assert!(points.contains(&DVec3::new(64.0, 64.0, 48.0)), "{points:?}");
}

#[test]
fn msh_1_typed_numbers_pull_faces_along_their_normal() {
    let mut s = session("F");
    s.hold(Modifiers::SHIFT);
    let (from, to) = (s.at(VIEW_3D, TOP), s.at(VIEW_3D, TOP + DVec3::Y * 20.0));
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.key("2");
    s.key("4");
    // A change of the modifiers does not drop it.
    s.hold(Modifiers::SHIFT);
    s.hold(Modifiers::NONE);
    s.key("Enter");
    s.release(VIEW_3D, to);
    assert_eq!(s.labels(), ["To mesh", "Extrude faces"]);
    assert_eq!(
        s.bounds(id(CRATE)),
        Aabb::new(DVec3::new(-32.0, 0.0, -32.0), DVec3::new(32.0, 88.0, 32.0))
    );
}

/// A square of 64 with coordinates of its own at its corners.
fn placed_square(draft: &mut Draft) {
    let points = [(0.0, 0.0), (0.0, 64.0), (64.0, 64.0), (64.0, 0.0)];
    draft.insert(Object::new(Kind::Mesh(Mesh {
        name: String::new(),
        points: points.map(|(x, z)| DVec3::new(x, 0.0, z)).to_vec(),
        polygons: vec![mapwright::document::Polygon {
            material: None,
            smooth: 0,
            proj: mapwright::geometry::Uv::default(),
            corners: vec![0, 1, 2, 3],
            uvs: points
                .map(|(x, z)| glam::DVec2::new(0.5 + x / 32.0, z / 64.0).as_vec2())
                .to_vec(),
        }],
    })));
}

#[test]
fn msh_1_new_walls_go_on_with_the_texture() {
    for (key, count) in [("", 4), ("I", 4)] {
        let mut s = Session::new(placed_square);
        s.select(&[id(1)]);
        s.key("F");
        let middle = DVec3::new(32.0, 0.0, 32.0);
        if key.is_empty() {
            s.look_from(DVec3::new(32.0, 170.0, 200.0), -45.0, 0.0);
            s.drag(VIEW_3D, middle, middle + DVec3::Y * 31.0, Modifiers::SHIFT);
            assert_eq!(s.labels(), ["Extrude faces"]);
        } else {
            s.click(super::TOP, middle);
            s.key(key);
            assert_eq!(s.labels(), ["Inset"]);
        }
        let made = mesh(&s, 1);
        let walls: Vec<_> = made.polygons.iter().skip(1).collect();
        assert_eq!(walls.len(), count);
        for wall in walls {
            let corners = made.positions(wall).expect("corners");
            assert_eq!(wall.uvs.len(), 4, "{wall:?}");
            for (corner, uv) in corners.iter().zip(&wall.uvs) {
                // Along the old outline both have the same coordinates.
                let on_rim = corner.y == 0.0;
                let wanted = glam::Vec2::new(0.5 + corner.x as f32 / 32.0, corner.z as f32 / 64.0);
                assert!(
                    !on_rim || uv.distance(wanted) < 1e-5,
                    "{corner} {uv} {wanted}"
                );
            }
            // As many repeats per unit as beside it.
            let length =
                |i: usize, j: usize| (wall.uvs[i] - wall.uvs[j]) * glam::Vec2::new(32.0, 64.0);
            for (i, j) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
                let wanted = corners[i].distance(corners[j]) as f32;
                assert!((length(i, j).length() - wanted).abs() < 1e-3);
            }
        }
    }
}

#[test]
fn msh_1_there_and_back_keeps_the_placement() {
    use mapwright::geometry::Uv;
    use mapwright::geometry::UvAxes;
    let tile = glam::Vec2::splat(64.0);
    let mut s = Session::new(|draft| {
        cube(draft, [0.0; 3], [64.0; 3]);
        draft.update(id(1), |object| {
            let brush = object.brush().expect("brush").clone();
            let mut faces = brush.faces().to_vec();
            for face in &mut faces[..3] {
                face.uv = Uv {
                    offset: glam::Vec2::new(0.25, 0.125),
                    scale: glam::Vec2::new(0.5, 2.0),
                    rotation_deg: 30.0,
                };
            }
            faces[0].flags = SurfaceFlags::FACE_ALIGNED;
            faces[1].axes = Some(UvAxes {
                u: DVec3::new(0.0, 0.03, 0.01),
                u_offset: 0.1,
                v: DVec3::new(0.0, 0.0, 0.02),
                v_offset: 0.2,
            });
            object.kind = Kind::Brush(brush.with_surfaces(faces));
        });
    });
    let brush = |s: &Session| {
        let brush = s.doc().object(id(1)).and_then(Object::brush);
        brush.expect("a brush").clone()
    };
    let before = brush(&s);
    s.select(&[id(1)]);
    s.key("Ctrl+Shift+T");
    assert!(s.editor.status().is_none(), "nothing is lost");
    assert!(s.editor.run("mesh.to_brushes").is_ok());
    let after = brush(&s);
    for old in before.faces() {
        let new = after.faces().iter().find(|face| {
            face.plane
                .normal
                .normalize()
                .dot(old.plane.normal.normalize())
                > 0.999
        });
        let new = new.expect("the same side");
        for &corner in before.hull().points() {
            if (old.plane.distance(corner)).abs() > 1e-6 {
                continue;
            }
            let off = new
                .frame(tile)
                .at(corner)
                .distance(old.frame(tile).at(corner));
            assert!(off < 1e-5, "{:?} is off by {off}", old.plane);
        }
        assert_eq!(new.flags, old.flags);
        assert_eq!(new.axes.is_some(), old.axes.is_some());
    }
}

#[test]
fn msh_1_contents_come_back_with_the_brushes() {
    use mapwright::document::Contents;
    use mapwright::document::ObjectFlags;
    let none = Contents::default();
    for (contents, flags) in [
        (Contents::WATER, ObjectFlags::DETAIL),
        (Contents::CLIP | Contents::TRIGGER, ObjectFlags::default()),
        (Contents::SOLID | Contents::SKY, ObjectFlags::NO_SHADOW),
        (none, ObjectFlags::SUBTRACT),
        (none, ObjectFlags::default()),
        (Contents::SOLID, ObjectFlags::default()),
        (Contents(0x40 | Contents::WATER.0), ObjectFlags(0x1_0000)),
    ] {
        let mut s = Session::new(|draft| {
            let cube = Brush::cuboid(Aabb::new(DVec3::ZERO, DVec3::splat(64.0)), None);
            draft.insert(Object {
                flags,
                ..Object::new(Kind::Brush(cube.with_contents(contents)))
            });
        });
        s.select(&[id(1)]);
        s.key("Ctrl+Shift+T");
        assert_eq!(mesh(&s, 1).polygons.len(), 6);
        // A mesh acts as none of it, which is said.
        let said = s.editor.status().map(|status| status.text.clone());
        assert_eq!(said.is_some(), contents != Contents::SOLID, "{said:?}");
        // Saved and loaded in between: the mesh is what holds it.
        let object = s.doc().object(id(1)).expect("there").clone();
        let path = std::path::Path::new("made.hmap");
        let (view, extras) = (ViewState::default(), Extras::default());
        let bytes = hmap::write(s.doc(), &view, &extras, None, path).expect("written");
        let read = hmap::Hmap
            .import(&bytes, path, &NoSiblings, &Progress::new())
            .expect("read");
        assert_eq!(read.doc.object(id(1)), Some(&object));
        assert!(s.editor.run("mesh.to_brushes").is_ok());
        let object = s.doc().object(id(1)).expect("there");
        let brush = object.brush().expect("a brush");
        // What has no name is gone, as was said.
        let known = contents.without(Contents(!Contents::KNOWN.0));
        assert_eq!((brush.contents(), object.flags), (known, flags));
        if known != contents {
            assert!(said.expect("said").contains("gone"));
        }
    }
}

#[test]
fn msh_1_what_meshes_cannot_hold_is_said() {
    let mut s = Session::new(|draft| {
        let hidden = draft.insert_material(Material {
            flags: SurfaceFlags::NODRAW,
            ..Material::new("hidden", "")
        });
        for (x, material) in [(0.0, None), (100.0, Some(hidden))] {
            let made = cube_of(draft, [x, 0.0, 0.0], [x + 64.0, 64.0, 64.0], material);
            draft.update(made, |object| {
                let brush = object.brush().expect("brush").clone();
                let mut faces = brush.faces().to_vec();
                faces[0].flags = SurfaceFlags::NODRAW;
                object.kind = Kind::Brush(brush.with_surfaces(faces));
            });
        }
    });
    s.select(&[id(2)]);
    s.key("Ctrl+Shift+T");
    assert!(s.editor.status().is_none(), "the material has the bit, too");
    s.select(&[id(1)]);
    s.key("Ctrl+Shift+T");
    let said = &s.editor.status().expect("said").text;
    assert!(said.contains("bits of single faces"), "{said}");
}

#[test]
fn msh_1_faces_and_vertices_are_dissolved() {
    // The top in four triangles about a vertex in its middle.
    let split = || {
        let mut s = session("V");
        s.drag(VIEW_3D, TOP, TOP + DVec3::Y * 30.0, Modifiers::SHIFT);
        assert_eq!(s.labels(), ["To mesh", "Add vertex"]);
        let made = mesh(&s, CRATE);
        assert_eq!((made.polygons.len(), made.points.len()), (9, 9));
        s
    };
    // Without the vertex it is one square again.
    let mut s = split();
    assert_eq!(picks(&s), 1, "the new vertex");
    s.key("Ctrl+Del");
    assert_eq!(s.labels().last(), Some(&"Dissolve"));
    let made = mesh(&s, CRATE);
    assert_eq!((made.polygons.len(), made.points.len()), (6, 8));
    assert_eq!(s.bounds(id(CRATE)).max, CORNER);
    // Two faces that are no plane together stay two.
    let mut s = split();
    let before = s.doc().clone();
    s.key("F");
    s.select(&[id(CRATE)]);
    let made = mesh(&s, CRATE);
    let slanted: Vec<Pick> = (0..)
        .zip(&made.polygons)
        .filter(|(_, polygon)| polygon.corners.len() == 3)
        .map(|(index, _)| Pick::Face(id(CRATE), index))
        .collect();
    assert_eq!(slanted.len(), 4);
    let picked = |s: &mut Session, faces: &[Pick]| {
        let all = faces.iter().copied().chain([Pick::Object(id(CRATE))]);
        s.editor.select(all.collect());
    };
    picked(&mut s, &slanted[..2]);
    s.key("Ctrl+Del");
    assert!(s.doc().same(&before));
    let said = &s.editor.status().expect("said").text;
    assert!(said.contains("flat"), "{said}");
    // Halves of a face are one again.
    let mut s = session("F");
    s.click(VIEW_3D, TOP);
    s.key("K");
    assert_eq!(mesh(&s, CRATE).polygons.len(), 7);
    let made = mesh(&s, CRATE);
    let halves: Vec<Pick> = (0..)
        .zip(&made.polygons)
        .filter(|(_, polygon)| {
            let corners = made.positions(polygon).expect("sound");
            corners.iter().all(|corner| corner.y == 64.0)
        })
        .map(|(index, _)| Pick::Face(id(CRATE), index))
        .collect();
    assert_eq!(halves.len(), 2);
    picked(&mut s, &halves);
    s.key("Ctrl+Del");
    assert_eq!(mesh(&s, CRATE).polygons.len(), 6);
    assert_eq!(s.labels(), ["To mesh", "Split", "Dissolve"]);
}

#[test]
fn msh_1_bent_polygons_are_dashed_while_dragged() {
    let mut s = session("V");
    let (from, to) = (
        s.at(VIEW_3D, CORNER),
        s.at(VIEW_3D, CORNER - DVec3::Y * 40.0),
    );
    let dashes = |s: &Session| {
        let lines = s.editor.overlay(VIEW_3D).lines;
        lines.iter().filter(|line| line.dashed).count()
    };
    s.press(VIEW_3D, from);
    s.hold(Modifiers::ALT);
    assert_eq!(dashes(&s), 0);
    s.move_to(VIEW_3D, from.lerp(to, 0.5));
    s.move_to(VIEW_3D, to);
    // Its sides stay flat, the top does not.
    assert_eq!(dashes(&s), 1);
    assert_eq!(
        mesh(&s, CRATE).polygons.len(),
        6,
        "nothing is cut before the release"
    );
    s.release(VIEW_3D, to);
    s.hold(Modifiers::NONE);
    assert_eq!(mesh(&s, CRATE).polygons.len(), 7);
    assert_eq!(dashes(&s), 0);
}
