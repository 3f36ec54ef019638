//! Walking (RUN-5): gaps, steps, jumps, crouching, and that nobody leaves a sealed room.

use glam::DVec3;
use mapwright::compiler::Box3;
use mapwright::compiler::Bsp;
use mapwright::compiler::Cmpl;
use mapwright::compiler::CollisionBrush;
use mapwright::compiler::Compiled;
use mapwright::compiler::MeshCollision;
use mapwright::compiler::Plane3;
use mapwright::compiler::trace::MOVEMENT_MASK;
use mapwright::compiler::trace::Tracer;
use mapwright::compiler::walk::Player;
use mapwright::compiler::walk::WalkInput;
use mapwright::compiler::walk::Walker;
use mapwright::geometry::Aabb;
use mapwright::geometry::Plane;

const SOLID: u32 = 1;
const WATER: u32 = 2;

/// Planes of a box, turned about its middle.
fn block(min: [f64; 3], max: [f64; 3], turn: glam::DQuat) -> Vec<Plane> {
    let (min, max) = (DVec3::from(min), DVec3::from(max));
    let (center, half) = ((min + max) * 0.5, (max - min) * 0.5);
    let side = |axis: usize, sign: f64| {
        let normal = turn * (DVec3::AXES[axis] * sign);
        Plane::new(normal, normal.dot(center) + half[axis])
    };
    (0..3)
        .flat_map(|axis| [side(axis, 1.0), side(axis, -1.0)])
        .collect()
}

fn straight(min: [f64; 3], max: [f64; 3]) -> (u32, Vec<Plane>) {
    (SOLID, block(min, max, glam::DQuat::IDENTITY))
}

fn tracer(brushes: &[(u32, Vec<Plane>)], triangles: &[[DVec3; 3]]) -> Tracer {
    let brush = |(contents, planes): &(u32, Vec<Plane>)| CollisionBrush {
        contents: *contents,
        source_id: 1,
        bounds: Box3::default(),
        planes: planes
            .iter()
            .map(|plane| Plane3 {
                normal: plane.normal.as_vec3(),
                dist: plane.dist as f32,
            })
            .collect(),
    };
    let vertices = triangles
        .iter()
        .flatten()
        .map(|corner| corner.as_vec3())
        .collect();
    let cmpl = Cmpl {
        ambient: glam::Vec3::ZERO,
        units_per_meter: 32.0,
        baked: 0,
        bounds: Box3::default(),
        batches: Vec::new(),
        models: Vec::new(),
        bsp: Bsp {
            brushes: brushes.iter().map(brush).collect(),
            ..Bsp::default()
        },
        mesh_collisions: vec![MeshCollision {
            object_id: 2,
            bounds: Box3::default(),
            vertices,
        }],
        lights: Vec::new(),
    };
    Tracer::new(&Compiled::of(cmpl, None))
}

fn quake() -> Player {
    Player::of_format("quake", 32.0)
}

/// Feet of a walker that has stood still long enough.
fn settle(walker: &mut Walker, tracer: &Tracer) -> DVec3 {
    for _ in 0..120 {
        walker.advance(
            tracer,
            &WalkInput {
                dt_s: 1.0 / 60.0,
                ..WalkInput::default()
            },
        );
    }
    feet(walker)
}

fn feet(walker: &Walker) -> DVec3 {
    let body = walker.body();
    DVec3::new(body.center().x, body.min.y, body.center().z)
}

/// Walks along -Z for some seconds.
fn walk(walker: &mut Walker, tracer: &Tracer, seconds: f64, input: WalkInput) -> DVec3 {
    for _ in 0..(seconds * 60.0) as usize {
        walker.advance(
            tracer,
            &WalkInput {
                dt_s: 1.0 / 60.0,
                ..input
            },
        );
    }
    feet(walker)
}

const FORWARD: WalkInput = WalkInput {
    forward: 1.0,
    right: 0.0,
    jump: false,
    crouch: false,
    run: false,
    toggle_noclip: false,
    turn_yaw_deg: 0.0,
    turn_pitch_deg: 0.0,
    dt_s: 0.0,
};

fn start(tracer: &Tracer, feet: DVec3, player: Player) -> Walker {
    let mut walker = Walker::start(
        tracer,
        feet + DVec3::Y * (player.eye + 4.0),
        0.0,
        0.0,
        player,
    );
    settle(&mut walker, tracer);
    walker
}

#[test]
fn passes_a_gap_one_unit_wider_and_not_one_narrower() {
    for player in [
        quake(),
        Player::of_format("rmf", 39.37),
        Player::of_format("unr", 52.5),
        Player::of_scale(32.0),
    ] {
        for (more, passes) in [(-1.0, false), (1.0, true)] {
            let half = (player.width + more) * 0.5;
            let map = tracer(
                &[
                    straight([-500.0, -16.0, -500.0], [500.0, 0.0, 500.0]),
                    straight([-500.0, 0.0, -200.0], [-half, 300.0, -100.0]),
                    straight([half, 0.0, -200.0], [500.0, 300.0, -100.0]),
                ],
                &[],
            );
            let mut walker = start(&map, DVec3::new(0.0, 0.0, 100.0), player);
            let end = walk(&mut walker, &map, 4.0, FORWARD);
            assert_eq!(end.z < -250.0, passes, "{player:?} {more}: {end}");
            // The same upright: a lintel.
            let map = tracer(
                &[
                    straight([-500.0, -16.0, -500.0], [500.0, 0.0, 500.0]),
                    straight(
                        [-500.0, player.height + more, -200.0],
                        [500.0, 300.0, -100.0],
                    ),
                ],
                &[],
            );
            let mut walker = start(&map, DVec3::new(0.0, 0.0, 100.0), player);
            let end = walk(&mut walker, &map, 4.0, FORWARD);
            assert_eq!(end.z < -250.0, passes, "{player:?} {more}: {end}");
        }
    }
}

#[test]
fn climbs_a_step_of_its_height_and_none_higher() {
    for player in [
        quake(),
        Player::of_format("unr", 52.5),
        Player::of_format("ogz", 8.0),
    ] {
        for (more, climbs) in [(0.0, true), (1.0, false)] {
            let top = player.step + more;
            let map = tracer(
                &[
                    straight([-500.0, -16.0, -900.0], [500.0, 0.0, 500.0]),
                    straight([-500.0, 0.0, -900.0], [500.0, top, -50.0]),
                ],
                &[],
            );
            let mut walker = start(&map, DVec3::new(0.0, 0.0, 20.0), player);
            let end = walk(&mut walker, &map, 4.0, FORWARD);
            assert_eq!(end.z < -70.0, climbs, "{player:?} {more}: {end}");
            let ground = if climbs { top } else { 0.0 };
            assert!((end.y - ground).abs() < 0.1, "{player:?} {more}: {end}");
        }
    }
}

#[test]
fn climbs_stairs_and_slopes_and_slides_off_steep_ones() {
    let mut stairs = vec![straight([-500.0, -16.0, -2000.0], [500.0, 0.0, 500.0])];
    for k in 0..10 {
        let z = -50.0 - f64::from(k) * 16.0;
        stairs.push(straight(
            [-100.0, 0.0, -700.0],
            [100.0, f64::from(k + 1) * 16.0, z],
        ));
    }
    let map = tracer(&stairs, &[]);
    let mut walker = start(&map, DVec3::ZERO, quake());
    let end = walk(&mut walker, &map, 3.0, FORWARD);
    assert!((end.y - 160.0).abs() < 0.1, "{end}");
    // And down again without leaving the ground.
    for _ in 0..180 {
        walker.advance(
            &map,
            &WalkInput {
                forward: -1.0,
                dt_s: 1.0 / 60.0,
                ..WalkInput::default()
            },
        );
        assert!(walker.is_on_ground());
    }
    assert!(feet(&walker).y < 0.1);
    for (degrees, climbs) in [(40.0_f64, true), (50.0, false)] {
        let slope = block(
            [-400.0, -300.0, -800.0],
            [400.0, 0.0, 0.0],
            glam::DQuat::from_rotation_x(degrees.to_radians()),
        );
        let map = tracer(
            &[
                straight([-500.0, -16.0, -900.0], [500.0, 0.0, 500.0]),
                (SOLID, slope),
            ],
            &[],
        );
        let mut walker = start(&map, DVec3::new(0.0, 0.0, 480.0), quake());
        let end = walk(
            &mut walker,
            &map,
            4.0,
            WalkInput {
                run: true,
                ..FORWARD
            },
        );
        assert_eq!(end.y > 100.0, climbs, "{degrees}: {end}");
        // Dropped onto the slope: stays on the one, slides down the other.
        let mut walker = Walker::start(&map, DVec3::new(0.0, 400.0, -450.0), 0.0, 0.0, quake());
        walk(&mut walker, &map, 2.0, WalkInput::default());
        let landed = feet(&walker);
        let rested = settle(&mut walker, &map);
        assert!(rested.distance(landed) < 1e-6, "{landed} {rested}");
        assert_eq!(rested.y > 50.0, climbs, "{degrees}: {rested}");
    }
}

#[test]
fn a_walkable_mesh_carries_like_a_brush() {
    let (a, b) = (
        DVec3::new(-300.0, 0.0, 300.0),
        DVec3::new(300.0, 0.0, 300.0),
    );
    let (c, d) = (
        DVec3::new(300.0, 100.0, -300.0),
        DVec3::new(-300.0, 100.0, -300.0),
    );
    let map = tracer(&[], &[[a, b, c], [a, c, d]]);
    let mut walker = Walker::start(&map, DVec3::new(10.0, 200.0, 100.0), 0.0, 0.0, quake());
    settle(&mut walker, &map);
    for _ in 0..90 {
        walker.advance(
            &map,
            &WalkInput {
                dt_s: 1.0 / 60.0,
                ..FORWARD
            },
        );
        assert!(walker.is_on_ground(), "no gap at the shared edge");
    }
    assert!(
        feet(&walker).z < -50.0 && feet(&walker).y > 50.0,
        "{}",
        feet(&walker)
    );
}

#[test]
fn jumps_crouches_and_flies() {
    let roof = straight([-100.0, 40.0, -300.0], [100.0, 80.0, -100.0]);
    let map = tracer(
        &[straight([-500.0, -16.0, -900.0], [500.0, 0.0, 500.0]), roof],
        &[],
    );
    let mut walker = start(&map, DVec3::ZERO, quake());
    let mut highest = 0.0_f64;
    walker.advance(
        &map,
        &WalkInput {
            jump: true,
            dt_s: 1.0 / 120.0,
            ..WalkInput::default()
        },
    );
    for _ in 0..240 {
        walker.advance(
            &map,
            &WalkInput {
                dt_s: 1.0 / 120.0,
                ..WalkInput::default()
            },
        );
        highest = highest.max(feet(&walker).y);
    }
    assert!((highest - 1.15 * 32.0).abs() < 0.1, "{highest}");
    // Under the roof only crouched, and up again only behind it.
    let crouch = WalkInput {
        crouch: true,
        ..FORWARD
    };
    let under = walk(&mut walker, &map, 3.0, crouch);
    assert!(
        under.z < -110.0 && under.z > -290.0 && walker.is_crouched(),
        "{under}"
    );
    walk(&mut walker, &map, 0.2, FORWARD);
    assert!(walker.is_crouched(), "no room to stand up");
    assert!((walker.eye().y - (46.0 - 28.0)).abs() < 0.1);
    let out = walk(&mut walker, &map, 4.0, FORWARD);
    assert!(out.z < -320.0 && !walker.is_crouched(), "{out}");
    // Flying goes through the roof and back; inside it there is no way to walk but out.
    walker.advance(
        &map,
        &WalkInput {
            toggle_noclip: true,
            turn_yaw_deg: 180.0,
            ..WalkInput::default()
        },
    );
    assert!(walker.is_noclip());
    walk(&mut walker, &map, 0.5, FORWARD);
    walk(
        &mut walker,
        &map,
        0.15,
        WalkInput {
            jump: true,
            ..WalkInput::default()
        },
    );
    walker.advance(
        &map,
        &WalkInput {
            toggle_noclip: true,
            ..WalkInput::default()
        },
    );
    assert!(!walker.is_noclip());
    let half = walker.body().size() * 0.5;
    assert!(map.is_free(walker.body().center(), half, MOVEMENT_MASK));
}

#[test]
fn starts_where_there_is_room() {
    let map = tracer(
        &[
            straight([-500.0, -16.0, -500.0], [500.0, 0.0, 500.0]),
            straight([20.0, 0.0, -500.0], [28.0, 300.0, 500.0]),
            (
                WATER,
                block(
                    [-500.0, 0.0, 100.0],
                    [20.0, 200.0, 500.0],
                    glam::DQuat::IDENTITY,
                ),
            ),
        ],
        &[],
    );
    // Close to a wall: on the same side of it. In the floor: on top. In the air: falls. In water: passes.
    let mut near_wall = Walker::start(&map, DVec3::new(16.0, 60.0, 0.0), 90.0, 0.0, quake());
    assert!(settle(&mut near_wall, &map).x <= 4.1);
    let mut in_floor = Walker::start(&map, DVec3::new(-200.0, -8.0, 0.0), 0.0, 0.0, quake());
    assert!(settle(&mut in_floor, &map).y.abs() < 0.1);
    let mut high = Walker::start(&map, DVec3::new(-200.0, 300.0, 300.0), 0.0, 0.0, quake());
    assert!(settle(&mut high, &map).y.abs() < 0.1);
    let mut at_start = Walker::start_at(&map, DVec3::new(-200.0, 28.5, 0.0), 0.0, quake());
    assert!(settle(&mut at_start, &map).y.abs() < 0.1);
    // Deep inside a solid there is no room: flies.
    let solid = tracer(&[straight([-900.0; 3], [900.0; 3])], &[]);
    assert!(Walker::start(&solid, DVec3::ZERO, 0.0, 0.0, quake()).is_noclip());
    // Beside the world it comes back.
    let mut beside = Walker::start(&map, DVec3::new(-499.0, 100.0, 0.0), 90.0, 0.0, quake());
    let fallen = walk(&mut beside, &map, 12.0, FORWARD);
    assert!(fallen.y > -700.0, "{fallen}");
}

/// A room of slabs, with pillars, ramps, a low ceiling and mesh rubble in it.
fn room() -> (Tracer, Aabb) {
    let size = 300.0;
    let (low, high) = (-size - 16.0, size + 16.0);
    let mut brushes = vec![
        straight([low, -16.0, low], [high, 0.0, high]),
        straight([low, 200.0, low], [high, 216.0, high]),
        straight([low, 0.0, low], [-size, 200.0, high]),
        straight([size, 0.0, low], [high, 200.0, high]),
        straight([-size, 0.0, low], [size, 200.0, -size]),
        straight([-size, 0.0, size], [size, 200.0, high]),
    ];
    for k in 0..8 {
        let at = f64::from(k) * 60.0 - 220.0;
        let turn = glam::DQuat::from_euler(
            glam::EulerRot::YXZ,
            f64::from(k) * 0.7,
            f64::from(k % 4) * 0.35,
            f64::from(k % 3) * 0.3,
        );
        brushes.push((
            SOLID,
            block(
                [at - 20.0, -10.0, at * 0.5 - 60.0],
                [at + 20.0, 40.0 + at.abs() * 0.3, at * 0.5 + 10.0],
                turn,
            ),
        ));
    }
    brushes.push(straight([100.0, 30.0, 100.0], [300.0, 60.0, 300.0]));
    let peak = DVec3::new(-150.0, 60.0, 180.0);
    let rim: Vec<DVec3> = (0..6)
        .map(|k| {
            DVec3::new(-150.0, 0.0, 180.0)
                + glam::DQuat::from_rotation_y(f64::from(k) * 1.047) * (DVec3::X * 90.0)
        })
        .collect();
    let rubble: Vec<[DVec3; 3]> = (0..6).map(|k| [rim[k], rim[(k + 1) % 6], peak]).collect();
    (
        tracer(&brushes, &rubble),
        Aabb::new(DVec3::new(-size, 0.0, -size), DVec3::new(size, 200.0, size)),
    )
}

#[test]
fn never_leaves_a_sealed_room() {
    let (map, inside) = room();
    // Ten minutes of random input, at changing frame rates, with four players.
    let mut random = 12345_u64;
    let mut next = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut visited = Aabb::EMPTY;
    for player in [
        quake(),
        Player::of_format("rmf", 39.37),
        Player::of_format("ogz", 8.0),
        Player::of_scale(32.0),
    ] {
        let mut walker = Walker::start(&map, DVec3::new(0.0, 120.0, -250.0), 0.0, 0.0, player);
        assert!(!walker.is_noclip());
        let (mut time_s, mut input) = (0.0, WalkInput::default());
        while time_s < 150.0 {
            if next() < 0.05 {
                input = WalkInput {
                    forward: (next() * 3.0).floor() - 0.8,
                    right: (next() * 3.0).floor() - 1.0,
                    jump: next() < 0.4,
                    crouch: next() < 0.3,
                    run: next() < 0.6,
                    toggle_noclip: false,
                    turn_yaw_deg: (next() - 0.5) * 12.0,
                    turn_pitch_deg: next() - 0.5,
                    dt_s: 0.005 + next() * 0.05,
                };
            }
            walker.advance(&map, &input);
            time_s += input.dt_s;
            let body = walker.body();
            assert!(
                inside.encloses(body),
                "{player:?} at {body:?} after {time_s} s"
            );
            assert!(
                map.is_free(body.center(), body.size() * 0.5, MOVEMENT_MASK),
                "{player:?} stuck at {body:?} after {time_s} s"
            );
            visited = visited.union(body);
        }
    }
    assert!(
        visited.size().x > 500.0 && visited.size().z > 500.0,
        "it does walk about: {visited:?}"
    );
}
