//! What the tool bar shows of the component tools: where the picked handles are (VTX-2), smoothing groups (MSH-1), and the
//! numbers of the bevel or inset that was just made.

use crate::document::Document;
use crate::document::Edit;
use crate::document::Object;
use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::document::ops::meshes;
use crate::editor::numbers;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::components::ComponentTool;
use crate::editor::tools::options::OptionKind;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;

/// A step whose numbers can still be changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parameters {
    Bevel { width: f64, segments: usize },
    Inset { width: f64 },
}

/// The step that was just made, until another one is.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    /// With the state that it left.
    made: Option<(Parameters, Document)>,
    /// Asked for, with the state it was asked in: it may be refused.
    wanted: Option<(Parameters, Document)>,
}

const POSITION: &str = "position";
const WIDTH: &str = "width";
const SEGMENTS: &str = "segments";
const SMOOTHING: &str = "smoothing";

/// A bevel rounder than this is a sphere.
const MOST_SEGMENTS: f64 = 32.0;

impl Parameters {
    fn edit(self, cx: &ToolCx<'_>) -> Edit {
        match self {
            Self::Bevel { width, segments } => {
                components::bevel(width, segments, cx.material.cloned())
            }
            Self::Inset { width } => components::inset(width),
        }
    }
}

impl Live {
    /// Makes it a step.
    pub fn begin(&mut self, cx: &ToolCx<'_>, parameters: Parameters) -> Outcome {
        self.wanted = Some((parameters, cx.doc().clone()));
        Outcome::Commit(parameters.edit(cx))
    }

    fn change(&mut self, cx: &ToolCx<'_>, parameters: Parameters) -> Outcome {
        self.wanted = Some((parameters, cx.doc().clone()));
        Outcome::Amend(parameters.edit(cx))
    }

    /// A step was made or refused: its own, or another one, which ends it.
    pub fn follow(&mut self, doc: &Document) {
        if let Some((parameters, before)) = self.wanted.take()
            && !before.same(doc)
        {
            self.made = Some((parameters, doc.clone()));
        } else if self.made.as_ref().is_some_and(|(_, left)| !left.same(doc)) {
            self.made = None;
        }
    }

    fn parameters(&self) -> Option<Parameters> {
        self.made.as_ref().map(|(parameters, _)| *parameters)
    }
}

impl ComponentTool {
    pub(super) fn list_options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let mut list = vec![
            ToolOption::vector(
                POSITION,
                "Position",
                "Coordinates of the picked handles; +8 moves each from where it is.",
                OptionValue::Mixed(self.position(cx)),
            )
            .unless((!self.has_picked(&cx.base.selection)).then_some("Pick a handle first")),
        ];
        if let Some(made) = self.live.parameters() {
            let number = |id, label, help, value, range, unit| {
                ToolOption::number(id, label, help, value, range, unit)
            };
            match made {
                Parameters::Bevel { width, segments } => {
                    list.push(number(
                        WIDTH,
                        "Bevel",
                        "How far from the edge it begins, on both faces.",
                        width,
                        (0.125, 4096.0, 0.125),
                        "",
                    ));
                    list.push(number(
                        SEGMENTS,
                        "Segments",
                        "Steps round the edge.",
                        segments as f64,
                        (1.0, MOST_SEGMENTS, 1.0),
                        "",
                    ));
                }
                Parameters::Inset { width } => list.push(number(
                    WIDTH,
                    "Inset",
                    "Width of the frame round the inner face.",
                    width,
                    (0.125, 4096.0, 0.125),
                    "",
                )),
            }
        }
        if self.component() == ComponentKind::Face
            && let Some(groups) = smoothing(cx)
        {
            list.push(ToolOption {
                id: SMOOTHING,
                label: "Smoothing",
                help: "Groups 1 to 32 of the picked polygons, such as 1, 4; none is flat. In brackets: mixed, only some are in these.",
                kind: OptionKind::Text,
                value: OptionValue::Text(groups),
                disabled: None,
            });
        }
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
            (SMOOTHING, OptionValue::Text(text)) => match groups_of(&text) {
                Ok((groups, kept)) => Outcome::Commit(meshes::set_smoothing(groups, kept)),
                Err(reason) => Outcome::refused(reason),
            },
            (id, OptionValue::Number(number)) => self.change_live(cx, id, number),
            _ => Outcome::Ignored,
        }
    }

    /// The step that was just made, again with another number.
    fn change_live(&mut self, cx: &ToolCx<'_>, id: &'static str, number: f64) -> Outcome {
        let changed = match (id, self.live.parameters()) {
            (WIDTH, Some(Parameters::Bevel { segments, .. })) => Parameters::Bevel {
                width: number,
                segments,
            },
            (SEGMENTS, Some(Parameters::Bevel { width, .. })) => Parameters::Bevel {
                width,
                segments: number.clamp(1.0, MOST_SEGMENTS) as usize,
            },
            (WIDTH, Some(Parameters::Inset { .. })) => Parameters::Inset { width: number },
            _ => return Outcome::Ignored,
        };
        self.live.change(cx, changed)
    }
}

/// Smoothing groups of the picked polygons: those that all are in, then in brackets those that only some are in; `None` when no
/// polygon of a mesh is picked.
fn smoothing(cx: &ToolCx<'_>) -> Option<String> {
    let (mut of_all, mut of_any, mut has_polygon) = (u32::MAX, 0, false);
    for (id, face) in components::of_kind(&cx.base.selection, ComponentKind::Face) {
        let mesh = cx.doc().object(id).and_then(Object::mesh);
        if let Some(polygon) = mesh.and_then(|mesh| mesh.polygons.get(face as usize)) {
            of_all &= polygon.smooth;
            of_any |= polygon.smooth;
            has_polygon = true;
        }
    }
    has_polygon.then(|| names_of(of_all, of_any & !of_all))
}

/// Text for groups that all are in and groups that are mixed; [`groups_of`] reads it.
fn names_of(of_all: u32, mixed: u32) -> String {
    let names = |groups: u32| -> String {
        let names: Vec<String> = (0..32)
            .filter(|bit| groups & (1 << bit) != 0)
            .map(|bit| (bit + 1).to_string())
            .collect();
        names.join(", ")
    };
    match (of_all, mixed) {
        (_, 0) => names(of_all),
        (0, _) => format!("({})", names(mixed)),
        _ => format!("{} ({})", names(of_all), names(mixed)),
    }
}

/// Groups to be in, and groups in brackets: those that each polygon keeps as it is.
fn groups_of(text: &str) -> Result<(u32, u32), &'static str> {
    const NUMBERS: &str = "Smoothing groups are numbers from 1 to 32";
    let (mut groups, mut kept, mut in_brackets) = (0, 0, false);
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for name in spaced.split([',', ' ']).filter(|name| !name.is_empty()) {
        match (name, in_brackets) {
            ("(", false) => in_brackets = true,
            (")", true) => in_brackets = false,
            _ => match name.parse::<u32>() {
                Ok(group @ 1..=32) if in_brackets => kept |= 1 << (group - 1),
                Ok(group @ 1..=32) => groups |= 1 << (group - 1),
                _ => return Err(NUMBERS),
            },
        }
    }
    Ok((groups, kept))
}
