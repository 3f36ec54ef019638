//! Pictures from the device.

use std::sync::Arc;

use crate::assets::Library;
use crate::compiler::Compiled;
use crate::document::State;
use crate::document::ViewState;
use crate::editor::overlay::Overlay;
use crate::editor::view::View;
use crate::viewport::DrawOptions;
use crate::viewport::Gpu;
use crate::viewport::GpuError;
use crate::viewport::Target;

/// RGBA8, sRGB-encoded, rows top first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

pub fn read_back(_gpu: &Gpu, _target: &Target) -> Result<Rendered, GpuError> { Err(GpuError::Lost) }

pub fn render_picture(
    _gpu: &Gpu, _state: &State, _look: &ViewState, _library: &mut Library, _compiled: Option<Arc<Compiled>>,
    _view: &View, _options: &DrawOptions, _overlay: &Overlay, _width: u32, _height: u32,
) -> Result<Rendered, GpuError> { Err(GpuError::Lost) }
