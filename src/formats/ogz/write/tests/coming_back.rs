//! What is written comes back, cube by cube.

use super::*;
use crate::formats::ogz::shape::Point;

/// What a face shows. Rotation and offset depend on the cube's face: a slope of 45 degrees has a choice of two.
fn look(slots: &Slots, index: u16) -> (Option<String>, f32) {
    let slot = slots.resolve(index);
    (slot.picture.clone(), slot.scale)
}

/// A visible facet: its plane, its picture, and where that lies.
struct Seen {
    plane: crate::formats::ogz::convex::GridPlane,
    picture: Option<String>,
    frame: crate::geometry::UvAxes,
    corners: Vec<DVec3>,
}

fn seen(map: &RawMap, config: &Config) -> Vec<Seen> {
    let slots = Slots::new(map, config, &NoSiblings);
    let pieces = pieces(map, &Progress::new()).expect("not cancelled");
    let mut seen = Vec::new();
    for solid in &pieces.solids {
        for facet in &solid.facets {
            if let Some(slot) = facet.surface.slot.filter(|&slot| slot != 0) {
                let corners = solid.corners.iter().enumerate();
                let on = corners.filter(|(index, _)| facet.corners >> index & 1 == 1);
                seen.push(Seen {
                    plane: facet.plane,
                    picture: slots.resolve(slot).picture.clone(),
                    frame: mapping::frame(facet.surface.face, slots.resolve(slot)),
                    corners: on
                        .map(|(_, corner)| to_map(DVec3::from(corner.map(|at| at as f64)) / 8.0))
                        .collect(),
                });
            }
        }
    }
    seen
}

/// The picture lies on the facet as it does on one of the others in its plane, but for whole repeats.
fn lies_as_one_of(facet: &Seen, others: &[Seen]) -> bool {
    let alike = |other: &&Seen| other.plane == facet.plane && other.picture == facet.picture;
    others.iter().filter(alike).any(|other| {
        let off = |&corner: &DVec3| facet.frame.at(corner) - other.frame.at(corner);
        let first = off(&facet.corners[0]);
        let repeats = first.round();
        facet
            .corners
            .iter()
            .all(|corner| (off(corner) - repeats).abs().max_element() < 0.002 / 64.0)
    })
}

/// Exposed area by what it shows.
fn shown(map: &RawMap, config: &Config) -> Vec<(String, f64)> {
    let surfaces = Surfaces::of_pieces(&pieces(map, &Progress::new()).expect("not cancelled"));
    let slots = Slots::new(map, config, &NoSiblings);
    let mut shown: Vec<(String, f64)> = Vec::new();
    for (slot, area) in surfaces.exposed_by_slot() {
        let key = slot.map_or_else(
            || "hidden".to_owned(),
            |slot| format!("{:?}", look(&slots, slot)),
        );
        match shown.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => *sum += area,
            None => shown.push((key, area)),
        }
    }
    shown.retain(|(_, area)| *area > 1e-6);
    shown.sort_by(|a, b| a.0.cmp(&b.0));
    shown
}

/// A cube that is empty, solid, or pulled at its corners along one axis.
fn cell() -> impl Strategy<Value = Leaf> {
    let textures = prop::array::uniform6(0..5u16);
    let heights = prop::array::uniform4(prop::sample::select(vec![0u8, 2, 4, 8]));
    (0..4u8, textures, 0..3usize, heights).prop_map(|(kind, textures, axis, heights)| {
        let mut edges = [0x80; 12];
        for (edge, height) in edges[4 * axis..4 * axis + 4].iter_mut().zip(heights) {
            *edge = height << 4;
        }
        let fill = match kind {
            0 => Fill::Empty,
            1 => Fill::Solid,
            _ if heights == [0; 4] || !Shape::new(&edges).is_convex() => Fill::Solid,
            _ => Fill::Deformed,
        };
        Leaf {
            origin: [0; 3],
            size: 32,
            fill,
            edges: match fill {
                Fill::Deformed => edges,
                Fill::Solid => [0x80; 12],
                Fill::Empty => [0; 12],
            },
            textures,
            material: 0,
        }
    })
}

/// Cubes, to brushes, to cubes: the same space is solid, and what can be seen shows the same.
fn come_back(cells: [Leaf; 8]) -> Result<(), TestCaseError> {
    let map = map_of(cells, slots_of_tests());
    let config = test_config();
    let doc = document_of(&map, &config);
    let written = written(&doc);
    prop_assert!(
        !codes(&written.report)
            .iter()
            .any(|(code, _)| *code == "X-LEFT-OUT"),
        "{:?}",
        written.report.warnings
    );
    let back = read_back(&written);
    let (before, after) = (figures(&map), figures(&back));
    prop_assert!(
        (before.0 - after.0).abs() < 1e-6 && (before.1 - after.1).abs() < 1e-6,
        "{before:?} {after:?}"
    );
    if written.report.warnings.is_empty() {
        let mut slots: Vec<TextureSlot> = Vec::new();
        for line in written
            .config
            .lines()
            .filter(|line| line.starts_with("texture 0"))
        {
            let name = line.split('"').nth(1).unwrap_or("");
            slots.push(TextureSlot::new(format!("packages/{name}")));
        }
        slots[0].picture = "sky".to_owned();
        let own = Config {
            slots,
            has_own: true,
            ..Config::default()
        };
        let lying = seen(&map, &config);
        for facet in seen(&back, &own) {
            prop_assert!(
                lies_as_one_of(&facet, &lying),
                "{:?} {:?}",
                facet.plane,
                facet.picture
            );
        }
        let (before, after) = (shown(&map, &config), shown(&back, &own));
        let names = |list: &[(String, f64)]| {
            list.iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(names(&before), names(&after));
        for (a, b) in before.iter().zip(&after) {
            prop_assert!((a.1 - b.1).abs() < 1e-6, "{:?} {:?}", a, b);
        }
    }
    Ok(())
}

/// A cube of 32 units that shows these pictures.
fn leaf(fill: Fill, edges: [u8; 12], textures: [u16; 6]) -> Leaf {
    Leaf {
        origin: [0; 3],
        size: 32,
        fill,
        edges,
        textures,
        material: 0,
    }
}

/// The bent cube's top, pulled down to a corner, must not end up on its underside, where the full cube below hides it.
#[test]
fn a_face_that_shows_something_is_not_laid_on_a_hidden_side() {
    let mut cells = [leaf(Fill::Empty, [0; 12], [0; 6]); 8];
    cells[2] = leaf(Fill::Solid, [0x80; 12], [0; 6]);
    cells[7] = cells[2];
    let bent = [128, 128, 128, 128, 0, 128, 32, 64, 128, 128, 128, 128];
    cells[6] = leaf(Fill::Deformed, bent, [0, 0, 0, 1, 0, 0]);
    come_back(cells).expect("the same space and the same pictures");
}

/// Under the full cube the top of the one below is nobody's to see: it need not show what the rest of that brush's top shows.
#[test]
fn what_another_brush_hides_need_not_show_its_picture() {
    let mut cells = [leaf(Fill::Empty, [0; 12], [0; 6]); 8];
    let bent = [128, 128, 128, 128, 0, 0, 128, 128, 128, 128, 128, 128];
    cells[0] = leaf(Fill::Deformed, bent, [0, 0, 0, 0, 0, 1]);
    let mut bent = [128; 12];
    bent[11] = 32;
    cells[1] = leaf(Fill::Deformed, bent, [0; 6]);
    cells[5] = leaf(Fill::Solid, [0x80; 12], [0; 6]);
    come_back(cells).expect("the same space and the same pictures");
}

/// Cubes that are bent inwards become several brushes, which are one cube again: by itself, beside others, with a picture of its
/// own on each side.
#[test]
fn cubes_that_are_bent_inwards_come_back() {
    let dented = |low: Point, high: Point| {
        let mut shape = Shape::SOLID;
        (shape.corners[0], shape.corners[7]) = (low, high);
        shape
    };
    // Of the arena of a race: no face is flat.
    let mut bent = dented([6, 6, 0], [8, 8, 8]);
    bent.corners[1..7].copy_from_slice(&[
        [8, 3, 0],
        [5, 8, 0],
        [8, 8, 0],
        [6, 6, 8],
        [8, 4, 8],
        [4, 8, 8],
    ]);
    for shape in [
        bent,
        dented([3, 3, 3], [8, 8, 8]),
        dented([5, 2, 5], [6, 6, 6]),
    ] {
        assert!(!shape.is_convex());
        for (textures, beside) in [
            ([1; 6], Fill::Empty),
            ([1, 2, 3, 4, 1, 2], Fill::Empty),
            ([1; 6], Fill::Solid),
            ([2, 1, 4, 3, 2, 1], Fill::Solid),
        ] {
            let edges = if beside == Fill::Solid {
                [0x80; 12]
            } else {
                [0; 12]
            };
            let mut cells = [leaf(Fill::Empty, [0; 12], [0; 6]); 8];
            cells[3] = leaf(Fill::Deformed, shape.edges(), textures);
            cells[7] = leaf(beside, edges, [3; 6]);
            cells[2] = cells[7];
            come_back(cells).unwrap_or_else(|error| panic!("{shape:?} {textures:?}: {error}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Cubes, to brushes, to cubes: the same space is solid, and what can be seen shows the same.
    #[test]
    fn cubes_come_back_as_they_were(cells in prop::array::uniform8(cell())) {
        come_back(cells)?;
    }
}
