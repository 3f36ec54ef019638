//! What tools want drawn over a view: lines, areas, handles, labels, as plain data with roles instead of colours.

use glam::DVec3;

/// What something means; the theme gives it a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Selected,
    Hover,
    Handle,
    HandleSelected,
    Refused,
    Guide,
    AxisX,
    AxisY,
    AxisZ,
    Leak,
    Link,
    Ghost,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub from: DVec3,
    pub to: DVec3,
    pub role: Role,
    /// Points.
    pub width: f32,
    /// Drawn through what is in front.
    pub through: bool,
    pub arrow: bool,
    pub dashed: bool,
}

/// A convex, flat, translucent area.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    pub corners: Vec<DVec3>,
    pub role: Role,
    /// 0..1
    pub alpha: f32,
}

/// A square of constant size on screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    pub at: DVec3,
    pub role: Role,
    pub hovered: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub at: DVec3,
    pub text: String,
    pub role: Role,
}

/// Everything drawn over the map this frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    pub lines: Vec<Line>,
    pub areas: Vec<Area>,
    pub handles: Vec<Handle>,
    pub labels: Vec<Label>,
    /// Live numbers beside the pointer.
    pub readout: Option<Readout>,
}

/// `refused`: shown in the refused colour, with the reason as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readout {
    pub text: String,
    pub refused: bool,
}
