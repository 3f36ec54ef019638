//! The tools by name.

/// The tools of the tool bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKind {
    /// Click, move, push faces; draws boxes while nothing is selected.
    #[default]
    Select,
    /// Selects by dragging a rectangle.
    Marquee,
    /// Draws shapes whatever is selected.
    Box,
    /// Makes a brush from points.
    Hull,
    /// Places entities of one class.
    Entity,
    /// Cuts brushes with a plane.
    Clip,
    /// Handles on the vertices of the selected brushes and meshes.
    Vertex,
    /// Handles on their edges.
    Edge,
    /// Handles on their faces.
    Face,
    /// Turns the selection about a pivot.
    Rotate,
    /// Scales it by handles on its bounds.
    Scale,
    /// Shears it by the sides of its bounds.
    Shear,
    /// Moves, turns and scales it by typed numbers.
    Exact,
    /// Carries selected faces through space and fills what they pass.
    Sweep,
    /// Paints the current material over faces.
    Paint,
    /// Measures distances and angles.
    Measure,
    /// Makes many copies at once.
    Array,
}

impl ToolKind {
    /// In the order of the tool bar; [`ToolKind::Exact`] is taken by its key only.
    pub const ALL: [Self; 16] = [
        Self::Select,
        Self::Marquee,
        Self::Box,
        Self::Hull,
        Self::Entity,
        Self::Clip,
        Self::Vertex,
        Self::Edge,
        Self::Face,
        Self::Rotate,
        Self::Scale,
        Self::Shear,
        Self::Sweep,
        Self::Paint,
        Self::Measure,
        Self::Array,
    ];

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Marquee => "Marquee",
            Self::Box => "Box",
            Self::Hull => "Hull",
            Self::Entity => "Entity",
            Self::Clip => "Clip",
            Self::Vertex => "Vertices",
            Self::Edge => "Edges",
            Self::Face => "Faces",
            Self::Rotate => "Rotate",
            Self::Scale => "Scale",
            Self::Shear => "Shear",
            Self::Exact => "Move exactly",
            Self::Sweep => "Sweep",
            Self::Paint => "Paint",
            Self::Measure => "Measure",
            Self::Array => "Array",
        }
    }

    /// True for tools that do something with picked vertices, edges and faces of selected objects (VTX-1, VTX-5).
    #[must_use]
    pub fn knows_components(self) -> bool {
        matches!(
            self,
            Self::Vertex
                | Self::Edge
                | Self::Face
                | Self::Rotate
                | Self::Scale
                | Self::Shear
                | Self::Exact
        )
    }

    /// Id of the command that takes it.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Self::Select => "tool.select",
            Self::Marquee => "tool.marquee",
            Self::Box => "tool.box",
            Self::Hull => "tool.hull",
            Self::Entity => "tool.entity",
            Self::Clip => "tool.clip",
            Self::Vertex => "tool.vertex",
            Self::Edge => "tool.edge",
            Self::Face => "tool.face",
            Self::Rotate => "tool.rotate",
            Self::Scale => "tool.scale",
            Self::Shear => "tool.shear",
            Self::Exact => "transform.exact",
            Self::Sweep => "tool.sweep",
            Self::Paint => "tool.paint",
            Self::Measure => "tool.measure",
            Self::Array => "tool.array",
        }
    }
}
