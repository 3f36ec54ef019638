//! What the tool bar shows of the component tools: where the picked handles are (VTX-2).

use crate::document::ops::components;
use crate::editor::numbers;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::components::ComponentTool;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;

/// Parameters of the step that was just made.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {}

const POSITION: &str = "position";

impl ComponentTool {
    pub(super) fn list_options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let mut list = Vec::new();
        list.push(
            ToolOption::vector(
                POSITION,
                "Position",
                "Coordinates of the picked handles; +8 moves each from where it is.",
                OptionValue::Mixed(self.position(cx)),
            )
            .unless((!self.has_picked(&cx.base.selection)).then_some("Pick a handle first")),
        );
        list
    }

    /// Each coordinate that all picked handles have in common.
    fn position(&self, cx: &ToolCx<'_>) -> [Option<f64>; 3] {
        let kind = self.component();
        let mut common: Option<[Option<f64>; 3]> = None;
        for (id, index) in components::of_kind(&cx.base.selection, kind) {
            let Some(shape) = self.handles.shape(id) else {
                continue;
            };
            let corners = shape.positions(kind, index);
            if corners.is_empty() {
                continue;
            }
            let at = corners.iter().sum::<glam::DVec3>() / corners.len() as f64;
            let own = at.to_array().map(Some);
            common = Some(match common {
                None => own,
                Some(known) => std::array::from_fn(|axis| {
                    known[axis].filter(|known| (known - at[axis]).abs() < 1e-6)
                }),
            });
        }
        common.unwrap_or([None; 3])
    }

    pub(super) fn change_option(
        &mut self,
        cx: &ToolCx<'_>,
        id: &'static str,
        value: OptionValue,
    ) -> Outcome {
        self.sync(cx);
        match (id, value) {
            (POSITION, OptionValue::Typed(axis, text)) if axis < 3 => {
                if !self.has_picked(&cx.base.selection) {
                    return Outcome::refused("Pick a handle first");
                }
                match numbers::parse(&text) {
                    Ok(value) => Outcome::Commit(components::place(axis, value, cx.uv_lock)),
                    Err(error) => Outcome::refused(error.to_string()),
                }
            }
            _ => Outcome::Ignored,
        }
    }
}
