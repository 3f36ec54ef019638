//! All tools, and which is in hand.

use crate::editor::tools::Tool;
use crate::editor::tools::ToolKind;
use crate::editor::tools::array;
use crate::editor::tools::clip;
use crate::editor::tools::components;
use crate::editor::tools::draw;
use crate::editor::tools::entity;
use crate::editor::tools::exact;
use crate::editor::tools::hull;
use crate::editor::tools::marquee;
use crate::editor::tools::measure;
use crate::editor::tools::paint;
use crate::editor::tools::rotate;
use crate::editor::tools::scale;
use crate::editor::tools::select;
use crate::editor::tools::shear;
use crate::editor::tools::slide;
use crate::editor::tools::sweep;

/// All tools with the state they keep, and the one in hand.
#[derive(Default)]
pub(crate) struct Tools {
    active: ToolKind,
    select: select::SelectTool,
    marquee: marquee::MarqueeTool,
    boxes: draw::BoxTool,
    hull: hull::HullTool,
    pub entity: entity::EntityTool,
    clip: clip::ClipTool,
    components: components::ComponentTool,
    pub rotate: rotate::RotateTool,
    scale: scale::ScaleTool,
    shear: shear::ShearTool,
    exact: exact::ExactTool,
    sweep: sweep::SweepTool,
    paint: paint::PaintTool,
    pub measure: measure::MeasureTool,
    array: array::ArrayTool,
    /// A texture that is dragged with the right button stands in for the tool in hand (TEX-5).
    slide: Option<Box<slide::Slide>>,
}

impl Tools {
    pub fn active(&self) -> &dyn Tool {
        if let Some(slide) = &self.slide {
            return slide.as_ref();
        }
        match self.active {
            ToolKind::Select => &self.select,
            ToolKind::Marquee => &self.marquee,
            ToolKind::Box => &self.boxes,
            ToolKind::Hull => &self.hull,
            ToolKind::Entity => &self.entity,
            ToolKind::Clip => &self.clip,
            ToolKind::Vertex | ToolKind::Edge | ToolKind::Face => &self.components,
            ToolKind::Rotate => &self.rotate,
            ToolKind::Scale => &self.scale,
            ToolKind::Shear => &self.shear,
            ToolKind::Exact => &self.exact,
            ToolKind::Sweep => &self.sweep,
            ToolKind::Paint => &self.paint,
            ToolKind::Measure => &self.measure,
            ToolKind::Array => &self.array,
        }
    }

    pub fn active_mut(&mut self) -> &mut dyn Tool {
        if let Some(slide) = &mut self.slide {
            return slide.as_mut();
        }
        match self.active {
            ToolKind::Select => &mut self.select,
            ToolKind::Marquee => &mut self.marquee,
            ToolKind::Box => &mut self.boxes,
            ToolKind::Hull => &mut self.hull,
            ToolKind::Entity => &mut self.entity,
            ToolKind::Clip => &mut self.clip,
            ToolKind::Vertex | ToolKind::Edge | ToolKind::Face => &mut self.components,
            ToolKind::Rotate => &mut self.rotate,
            ToolKind::Scale => &mut self.scale,
            ToolKind::Shear => &mut self.shear,
            ToolKind::Exact => &mut self.exact,
            ToolKind::Sweep => &mut self.sweep,
            ToolKind::Paint => &mut self.paint,
            ToolKind::Measure => &mut self.measure,
            ToolKind::Array => &mut self.array,
        }
    }

    /// The kind in hand.
    pub fn kind(&self) -> ToolKind {
        self.active
    }

    pub fn is_sliding(&self) -> bool {
        self.slide.is_some()
    }

    pub fn set_slide(&mut self, slide: Option<slide::Slide>) {
        self.slide = slide.map(Box::new);
    }

    pub fn take(&mut self, kind: ToolKind) {
        self.slide = None;
        self.active_mut().reset();
        self.active = kind;
        if matches!(kind, ToolKind::Vertex | ToolKind::Edge | ToolKind::Face) {
            self.components.take(kind);
        }
    }
}
