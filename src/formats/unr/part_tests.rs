use super::*;

fn unit() -> Part {
    Part::cuboid(Aabb::new(DVec3::ZERO, DVec3::splat(10.0)))
}

#[test]
fn both_sides_of_a_cut_are_closed() {
    let plane = Plane::through(DVec3::splat(5.0), DVec3::new(1.0, 2.0, 3.0)).expect("a direction");
    let (front, back) = unit().split(plane);
    let (front, back) = (front.expect("a part"), back.expect("a part"));
    assert!((front.volume() + back.volume() - 1000.0).abs() < 1e-9);
    assert!((front.volume() - 500.0).abs() < 1e-9);
    assert!(back.sides().contains(&plane) && front.sides().contains(&plane.flipped()));
}

#[test]
fn a_touch_is_no_cut() {
    let touching = Part::cuboid(Aabb::new(DVec3::new(9.99, 0.0, 0.0), DVec3::splat(20.0)));
    assert!(matches!(unit().without(&touching), Remains::Untouched(_)));
    let inside = Part::cuboid(Aabb::new(DVec3::splat(-1.0), DVec3::splat(20.0)));
    assert!(matches!(unit().without(&inside), Remains::Cut(parts) if parts.is_empty()));
}

#[test]
fn only_planes_that_bound_the_shared_part_cut() {
    let corner = Part::cuboid(Aabb::new(DVec3::splat(6.0), DVec3::splat(20.0)));
    let Remains::Cut(parts) = unit().without(&corner) else {
        panic!("they share a corner");
    };
    assert_eq!(parts.len(), 3);
    let volume: f64 = parts.iter().map(Part::volume).sum();
    assert!((volume - (1000.0 - 64.0)).abs() < 1e-9);
}

#[test]
fn slivers_are_dropped() {
    let thin = Aabb::new(DVec3::ZERO, DVec3::new(100.0, 100.0, 0.04));
    assert!(Part::cuboid(thin).checked().is_none());
    let small = Aabb::new(DVec3::ZERO, DVec3::splat(0.9));
    assert!(Part::cuboid(small).checked().is_none());
    assert!(unit().checked().is_some());
}

#[test]
fn an_open_outline_ends_at_its_box() {
    let bounds = Aabb::new(DVec3::ZERO, DVec3::splat(8.0));
    let planes = [Plane::new(DVec3::X, 4.0), Plane::new(-DVec3::X, 0.0)];
    let part = Part::of_planes(&planes, bounds).expect("a slab");
    assert!((part.volume() - 256.0).abs() < 1e-9);
}
