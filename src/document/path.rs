//! Paths: which corner entities belong together, and in what order.

use crate::document::ObjectId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    OneWay,
    Circular,
    PingPong,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MapPath {
    pub name: String,
    pub kind: PathKind,
    pub flags: u32,
    /// Entities, in order.
    pub nodes: Vec<ObjectId>,
}
