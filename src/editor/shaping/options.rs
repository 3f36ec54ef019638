//! The shape's numbers as options of the tool bar.

use super::Choice;
use super::NAMES;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::geometry::shapes::Circle;
use crate::geometry::shapes::Shape;
use crate::geometry::shapes::ShapeKind;

/// What can be set about the chosen shape.
pub(super) fn options(choice: &Choice) -> Vec<ToolOption> {
    let shape = &choice.shape;
    let mut out = vec![ToolOption::choice(
        "shape.kind",
        "Shape",
        "What a drag draws; right after drawing it changes what was drawn.",
        NAMES,
        choice.index(),
    )];
    match shape.kind {
        ShapeKind::Box => return out,
        ShapeKind::Wedge => {}
        ShapeKind::Pyramid => out.push(top(shape)),
        ShapeKind::Cylinder => {
            out.extend([sides(shape), circle(shape), top(shape)]);
        }
        ShapeKind::Cone => out.extend([sides(shape), circle(shape)]),
        ShapeKind::Tube => out.extend([sides(shape), circle(shape), thickness(shape)]),
        ShapeKind::Sphere => {
            out.extend([sides(shape), form(shape)]);
            if !shape.icosahedral {
                out.push(circle(shape));
            }
        }
        ShapeKind::Arch => {
            out.extend([sides(shape), circle(shape), thickness(shape), arc(shape)]);
        }
        ShapeKind::Stairs => out.extend([step_height(shape), open(shape)]),
        ShapeKind::SpiralStairs => {
            out.extend([
                step_height(shape),
                thickness(shape),
                arc(shape),
                open(shape),
            ]);
        }
        ShapeKind::Torus => {
            out.extend([
                sides(shape),
                circle(shape),
                thickness(shape),
                tube_sides(shape),
                arc(shape),
            ]);
        }
    }
    if shape.kind != ShapeKind::Sphere {
        out.push(ToolOption::choice(
            "shape.axis",
            "Axis",
            "What the shape stands along; Auto takes it from the way it is drawn.",
            &["Auto", "X", "Y", "Z"],
            choice.axis.map_or(0, |axis| axis + 1),
        ));
    }
    if matches!(
        shape.kind,
        ShapeKind::Wedge | ShapeKind::Arch | ShapeKind::Stairs
    ) {
        out.push(ToolOption::choice(
            "shape.turn",
            "Turn",
            "Quarter turns about the axis.",
            &["0", "90", "180", "270"],
            usize::from(shape.turns % 4),
        ));
    }
    if matches!(
        shape.kind,
        ShapeKind::Tube
            | ShapeKind::Arch
            | ShapeKind::Stairs
            | ShapeKind::SpiralStairs
            | ShapeKind::Torus
    ) {
        out.push(ToolOption::toggle(
            "shape.group",
            "Group",
            "Puts the pieces into a group.",
            choice.group,
        ));
    }
    out
}

fn sides(shape: &Shape) -> ToolOption {
    let shown = match shape.kind {
        ShapeKind::Arch | ShapeKind::Torus if shape.arc_deg < 360.0 => shape.sides,
        ShapeKind::Sphere if shape.icosahedral => shape.sides,
        _ => shape.circle.sides(shape.sides),
    };
    ToolOption::number(
        "shape.sides",
        "Sides",
        "Sides of the circle, or pieces of the arch; a circle on the grid has 12, 24, 48 or 96.",
        f64::from(shown),
        (3.0, 96.0, 1.0),
        "",
    )
}

fn circle(shape: &Shape) -> ToolOption {
    ToolOption::choice(
        "shape.circle",
        "Circle",
        "Edges on the bounds, corners on the bounds, or every corner on the grid in sizes of 8 (12 sides), 32, 128, 512 cells.",
        &["Edge", "Corner", "Grid"],
        match shape.circle {
            Circle::Edge => 0,
            Circle::Vertex => 1,
            Circle::Grid => 2,
        },
    )
}

fn form(shape: &Shape) -> ToolOption {
    ToolOption::choice(
        "shape.form",
        "Form",
        "Rings like a globe, or triangles of nearly one size.",
        &["Rings", "Triangles"],
        usize::from(shape.icosahedral),
    )
}

fn top(shape: &Shape) -> ToolOption {
    ToolOption::number(
        "shape.top",
        "Top",
        "Size of the upper end in percent of the lower one.",
        shape.top * 100.0,
        (0.0, 100.0, 5.0),
        "%",
    )
}

fn thickness(shape: &Shape) -> ToolOption {
    let (label, help) = match shape.kind {
        ShapeKind::SpiralStairs => (
            "Width",
            "Width of the steps; as much as the radius closes the middle.",
        ),
        ShapeKind::Torus => ("Tube", "Width of the tube."),
        _ => ("Wall", "Thickness of the wall."),
    };
    ToolOption::number(
        "shape.thickness",
        label,
        help,
        shape.thickness,
        (0.125, 8192.0, 1.0),
        "",
    )
}

fn tube_sides(shape: &Shape) -> ToolOption {
    ToolOption::number(
        "shape.tube_sides",
        "Tube sides",
        "Sides around the tube.",
        f64::from(shape.tube_sides),
        (3.0, 48.0, 1.0),
        "",
    )
}

fn step_height(shape: &Shape) -> ToolOption {
    ToolOption::number(
        "shape.step",
        "Step",
        "Height of a step; the last one takes what is left.",
        shape.step_height,
        (0.125, 1024.0, 1.0),
        "",
    )
}

fn arc(shape: &Shape) -> ToolOption {
    let (min, max) = if shape.kind == ShapeKind::SpiralStairs {
        (-3600.0, 3600.0)
    } else {
        (1.0, 360.0)
    };
    ToolOption::number(
        "shape.arc",
        "Arc",
        "How far it goes round.",
        shape.arc_deg.clamp(min, max),
        (min, max, 15.0),
        "deg",
    )
}

fn open(shape: &Shape) -> ToolOption {
    ToolOption::toggle(
        "shape.open",
        "Open",
        "Steps only as thick as they rise, with nothing below them.",
        shape.open,
    )
}

/// Sets one of them.
pub(super) fn set(choice: &mut Choice, id: &str, value: &OptionValue) {
    let shape = &mut choice.shape;
    match (id, value) {
        ("shape.kind", OptionValue::Index(index)) => {
            if let Some(&kind) = ShapeKind::ALL.get(*index) {
                shape.kind = kind;
                shape.arc_deg = match kind {
                    ShapeKind::SpiralStairs | ShapeKind::Torus => 360.0,
                    _ => 180.0,
                };
                // A pyramid comes to a point, a cylinder does not.
                shape.top = if kind == ShapeKind::Pyramid { 0.0 } else { 1.0 };
            }
        }
        ("shape.axis", OptionValue::Index(index)) => {
            choice.axis = index.checked_sub(1).filter(|&axis| axis < 3);
        }
        ("shape.turn", OptionValue::Index(index)) => shape.turns = (*index % 4) as u8,
        ("shape.circle", OptionValue::Index(index)) => {
            shape.circle = [Circle::Edge, Circle::Vertex, Circle::Grid][(*index).min(2)];
        }
        ("shape.form", OptionValue::Index(index)) => shape.icosahedral = *index == 1,
        ("shape.sides", OptionValue::Number(sides)) => {
            let asked = sides.clamp(3.0, 96.0) as u32;
            shape.sides = if shape.circle == Circle::Grid && shape.kind != ShapeKind::Arch {
                nearest_grid_sides(shape.sides, asked)
            } else {
                asked
            };
        }
        ("shape.top", OptionValue::Number(percent)) => {
            shape.top = (percent / 100.0).clamp(0.0, 1.0);
        }
        ("shape.thickness", OptionValue::Number(units)) => shape.thickness = units.max(0.125),
        ("shape.tube_sides", OptionValue::Number(sides)) => {
            shape.tube_sides = sides.clamp(3.0, 48.0) as u32;
        }
        ("shape.step", OptionValue::Number(units)) => shape.step_height = units.max(0.125),
        ("shape.arc", OptionValue::Number(degrees)) => shape.arc_deg = *degrees,
        ("shape.open", OptionValue::Flag(on)) => shape.open = *on,
        ("shape.group", OptionValue::Flag(on)) => choice.group = *on,
        _ => {}
    }
}

/// One more or one less of a circle on the grid is the next number that it can have.
fn nearest_grid_sides(now: u32, asked: u32) -> u32 {
    let now = Circle::Grid.sides(now);
    let nearest = Circle::Grid.sides(asked);
    if nearest == now && asked > now {
        (now * 2).min(96)
    } else if nearest == now && asked < now {
        (now / 2).max(12)
    } else {
        nearest
    }
}
