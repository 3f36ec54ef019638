//! What is drawn in which order with which pipeline.

mod build;
mod draw;
mod edges;
mod faces;
mod frame;
mod frustum;
mod overlay;
mod pipelines;

pub(crate) use self::draw::draw;
pub(crate) use self::draw::encode;
pub(crate) use self::frame::Frame;
pub(crate) use self::overlay::AreaVertex;
pub(crate) use self::overlay::Gathered;
pub(crate) use self::overlay::LineData;
pub(crate) use self::pipelines::Pipelines;
