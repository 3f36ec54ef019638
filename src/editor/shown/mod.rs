//! Which faces a view shows, by the kind of their material and brush, the view's toggles and its mode. One rule for all: views
//! draw by it, and what it leaves out is not hit (PICK-1).

mod materials;
mod sky;
#[cfg(test)]
mod tests;

pub(crate) use self::materials::Surface;
pub(crate) use self::materials::ToolMaterial;
pub(crate) use self::materials::is_liquid;
pub(crate) use self::materials::last_name;
pub(crate) use self::materials::surface_of;
pub(crate) use self::materials::tool_material;
pub(crate) use self::materials::update_surfaces;
pub(crate) use self::sky::Column;
pub(crate) use self::sky::MOST_LOOKED_AT;
pub(crate) use self::sky::SkySides;
pub(crate) use self::sky::is_around;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::editor::spatial::Spatial;
use crate::editor::toggles::ViewToggles;
use crate::editor::view::RenderMode;
use crate::editor::view::View;

/// What a face is to a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaceKind {
    Solid,
    /// Seen through.
    Blended,
    /// Stands for the sky.
    Sky,
    /// What the game does not draw.
    Tool,
}

/// Kind of a face, and whether it is seen from behind as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FaceLook {
    pub kind: FaceKind,
    pub two_sided: bool,
}

impl FaceLook {
    pub fn of(
        surface: Surface,
        face: SurfaceFlags,
        material: Option<MaterialId>,
        brush: BrushUse,
    ) -> Self {
        // A face that has SKY without its material is not drawn by the compiler (hmap.md 2.4).
        let lone_sky = face.has(SurfaceFlags::SKY)
            && !surface.flags.has(SurfaceFlags::SKY)
            && material.is_some();
        let kind = if brush.is_tool || surface.tool || face.has(SurfaceFlags::NODRAW) || lone_sky {
            FaceKind::Tool
        } else if surface.flags.has(SurfaceFlags::SKY) {
            FaceKind::Sky
        } else if surface.blended {
            FaceKind::Blended
        } else {
            FaceKind::Solid
        };
        let both = brush.is_water || (surface.flags | face).has(SurfaceFlags::TWO_SIDED);
        Self {
            kind,
            two_sided: both && matches!(kind, FaceKind::Solid | FaceKind::Blended),
        }
    }
}

/// What contents and flags make of a brush; of a mesh nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BrushUse {
    /// Nothing of it is drawn in the game.
    pub is_tool: bool,
    pub is_water: bool,
}

impl BrushUse {
    pub fn of(brush: &Brush, flags: ObjectFlags) -> Self {
        let contents = brush.contents();
        let drawn = contents.has(Contents::SOLID | Contents::WATER | Contents::SKY)
            || contents.without(Contents::KNOWN) == contents;
        Self {
            is_tool: !drawn || flags.has(ObjectFlags::SUBTRACT),
            is_water: contents.has(Contents::WATER) && !contents.has(Contents::SOLID),
        }
    }

    pub fn of_object(object: &Object) -> Self {
        object
            .brush()
            .map_or_else(Self::default, |brush| Self::of(brush, object.flags))
    }
}

/// What a 3D view draws of the map's surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shows {
    /// Faces at all; in wireframe edges stand for them.
    pub faces: bool,
    /// Inner faces of the sky.
    pub sky: bool,
    /// What the game does not draw.
    pub tools: bool,
    /// Of that, faces of materials with NODRAW.
    pub nodraw: bool,
    /// Edges of everything.
    pub edges: bool,
    /// Edges of objects with sky.
    pub sky_edges: bool,
    /// Backs of faces too.
    pub both_sides: bool,
    /// How many faces lie over each other, in every mode; neither edges nor entities.
    pub overdraw: bool,
}

/// What [`Shows`] follows from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Showing {
    pub mode: RenderMode,
    /// The mode, or the view's toggle, asks for edges.
    pub edges: bool,
    pub tools: bool,
    /// The view's toggle asks for the sky.
    pub sky: bool,
    pub overdraw: bool,
    pub xray: bool,
    /// The light of a build is shown.
    pub is_baked: bool,
    /// The eye is among what the map consists of.
    pub is_inside: bool,
}

impl Shows {
    pub fn new(by: Showing) -> Self {
        let xray = by.xray && by.mode != RenderMode::Wire;
        let overdraw = by.overdraw && !xray;
        let faces = by.mode != RenderMode::Wire || overdraw;
        let edges = !overdraw && (!faces || by.edges || xray);
        let sky = by.sky && by.is_inside;
        Self {
            faces,
            sky: sky && !xray,
            tools: by.tools && !xray,
            nodraw: !by.is_baked,
            edges,
            sky_edges: edges || (by.tools && !sky && !overdraw),
            overdraw,
            both_sides: xray,
        }
    }

    /// Whether faces of a kind are drawn from any side. In wireframe: whether their edges stand for them.
    pub fn kind(self, kind: FaceKind, has_nodraw: bool) -> bool {
        match kind {
            FaceKind::Solid | FaceKind::Blended => true,
            FaceKind::Sky => self.sky,
            FaceKind::Tool => !self.faces || (self.tools && (self.nodraw || !has_nodraw)),
        }
    }
}

/// From where a face is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    pub front: bool,
    pub back: bool,
}

impl Sides {
    pub const FRONT: Self = Self {
        front: true,
        back: false,
    };
    const NONE: Self = Self {
        front: false,
        back: false,
    };
}

/// What a 3D view shows of the committed map.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub shows: Shows,
    spatial: &'a Spatial,
}

impl<'a> Shown<'a> {
    /// `None` for 2D views: these show the edges of everything. `is_baked`: there is light of a build.
    pub fn new(
        view: &View,
        toggles: ViewToggles,
        xray: bool,
        is_baked: bool,
        spatial: &'a Spatial,
    ) -> Option<Self> {
        if view.is_2d() {
            return None;
        }
        let shows = Shows::new(Showing {
            mode: view.mode,
            edges: toggles.edges.shows_in(view.mode),
            tools: toggles.tools,
            sky: toggles.sky,
            overdraw: toggles.overdraw,
            xray,
            is_baked: is_baked && view.mode == RenderMode::Lit && !xray,
            is_inside: spatial.sky().is_around(view.eye),
        });
        Some(Self { shows, spatial })
    }

    fn surface(self, material: Option<MaterialId>) -> Surface {
        surface_of(self.spatial.surfaces(), material)
    }

    fn sides(
        self,
        (id, index): (ObjectId, u32),
        (flags, material): (SurfaceFlags, Option<MaterialId>),
        brush: BrushUse,
    ) -> Sides {
        let surface = self.surface(material);
        let look = FaceLook::of(surface, flags, material, brush);
        let has_nodraw = surface.flags.has(SurfaceFlags::NODRAW);
        if !self.shows.kind(look.kind, has_nodraw)
            || (look.kind == FaceKind::Sky && self.spatial.sky().is_outer(id, index))
        {
            return Sides::NONE;
        }
        Sides {
            front: true,
            back: self.shows.faces && (look.two_sided || self.shows.both_sides),
        }
    }

    /// Of a face of a brush, which may bound a hole in another one that is used as `brush_use` says.
    pub fn face_sides(
        self,
        id: ObjectId,
        brush: &Brush,
        index: usize,
        brush_use: BrushUse,
    ) -> Sides {
        brush.faces().get(index).map_or(Sides::NONE, |face| {
            self.sides((id, index as u32), (face.flags, face.material), brush_use)
        })
    }

    /// Of a polygon of a mesh.
    pub fn polygon_sides(self, id: ObjectId, index: usize, material: Option<MaterialId>) -> Sides {
        let plain = SurfaceFlags::default();
        self.sides((id, index as u32), (plain, material), BrushUse::default())
    }

    /// True when any face of a brush or mesh is of a kind that the view draws, from wherever it is looked at.
    pub fn draws_any(self, object: &Object) -> bool {
        let brush = BrushUse::of_object(object);
        any_face(object, |flags, material| {
            let surface = self.surface(material);
            let look = FaceLook::of(surface, flags, material, brush);
            let has_nodraw = surface.flags.has(SurfaceFlags::NODRAW);
            self.shows.kind(look.kind, has_nodraw)
        }) || self.draws_edges(object)
    }

    /// True when point entities are drawn, if the view's toggle asks for them, and the outlines of what carves.
    pub fn draws_entities(self) -> bool {
        !self.shows.overdraw
    }

    /// True when the edges of a brush or mesh are drawn.
    pub fn draws_edges(self, object: &Object) -> bool {
        self.shows.edges || (self.shows.sky_edges && has_sky(self.spatial.surfaces(), object))
    }
}

/// True when `test` accepts flags and material of any face of a brush or mesh.
fn any_face(
    object: &Object,
    mut test: impl FnMut(SurfaceFlags, Option<MaterialId>) -> bool,
) -> bool {
    match &object.kind {
        Kind::Brush(brush) => brush
            .faces()
            .iter()
            .any(|face| test(face.flags, face.material)),
        Kind::Mesh(mesh) => mesh
            .polygons
            .iter()
            .any(|polygon| test(SurfaceFlags::default(), polygon.material)),
        _ => false,
    }
}

/// True when any face of an object stands for the sky.
pub(crate) fn has_sky(surfaces: &[Surface], object: &Object) -> bool {
    let brush = BrushUse::of_object(object);
    any_face(object, |flags, material| {
        let surface = surface_of(surfaces, material);
        FaceLook::of(surface, flags, material, brush).kind == FaceKind::Sky
    })
}
