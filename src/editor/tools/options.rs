//! What can be set about a tool, as plain data: the tool bar draws it without knowing the tool.

use glam::DVec3;

/// One thing to set.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOption {
    /// Unique within the tool.
    pub id: &'static str,
    pub label: &'static str,
    /// One sentence, for the tooltip.
    pub help: &'static str,
    pub kind: OptionKind,
    pub value: OptionValue,
    /// Why it cannot be used now.
    pub disabled: Option<&'static str>,
}

/// How it is shown and what it may be.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// `unit`: "" or such as "deg". Whole numbers when `step` is whole and `decimals` is 0.
    Number {
        min: f64,
        max: f64,
        step: f64,
        decimals: usize,
        unit: &'static str,
    },
    Toggle,
    Choice(&'static [&'static str]),
    /// Three numbers; what differs among several things is `None` in [`OptionValue::Mixed`].
    Vector,
    Button,
    /// Free text, such as an expression or a list of numbers.
    Text,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    Number(f64),
    Flag(bool),
    /// Index of the choice.
    Index(usize),
    Vector(DVec3),
    /// Shown: `None` = differs among the selected. Set: `None` = leave that one.
    Mixed([Option<f64>; 3]),
    /// What was typed into one field of a vector as it stands, so that `+8` is relative to each: (axis, text).
    Typed(usize, String),
    Text(String),
    /// The button was pressed.
    Press,
}

impl ToolOption {
    #[must_use]
    pub fn number(
        id: &'static str,
        label: &'static str,
        help: &'static str,
        value: f64,
        (min, max, step): (f64, f64, f64),
        unit: &'static str,
    ) -> Self {
        let decimals = if step.fract() == 0.0 { 0 } else { 3 };
        Self {
            id,
            label,
            help,
            kind: OptionKind::Number {
                min,
                max,
                step,
                decimals,
                unit,
            },
            value: OptionValue::Number(value),
            disabled: None,
        }
    }

    #[must_use]
    pub fn toggle(id: &'static str, label: &'static str, help: &'static str, on: bool) -> Self {
        Self {
            id,
            label,
            help,
            kind: OptionKind::Toggle,
            value: OptionValue::Flag(on),
            disabled: None,
        }
    }

    #[must_use]
    pub fn choice(
        id: &'static str,
        label: &'static str,
        help: &'static str,
        names: &'static [&'static str],
        index: usize,
    ) -> Self {
        Self {
            id,
            label,
            help,
            kind: OptionKind::Choice(names),
            value: OptionValue::Index(index),
            disabled: None,
        }
    }

    #[must_use]
    pub fn vector(
        id: &'static str,
        label: &'static str,
        help: &'static str,
        value: OptionValue,
    ) -> Self {
        Self {
            id,
            label,
            help,
            kind: OptionKind::Vector,
            value,
            disabled: None,
        }
    }

    #[must_use]
    pub fn button(id: &'static str, label: &'static str, help: &'static str) -> Self {
        Self {
            id,
            label,
            help,
            kind: OptionKind::Button,
            value: OptionValue::Press,
            disabled: None,
        }
    }

    /// Greyed, with the reason.
    #[must_use]
    pub fn unless(self, disabled: Option<&'static str>) -> Self {
        Self { disabled, ..self }
    }
}

/// The vector that a change of an [`OptionKind::Vector`] makes of `now`; `None` when it is none.
#[must_use]
pub fn vector_set(now: DVec3, change: &OptionValue) -> Option<DVec3> {
    let set = match change {
        OptionValue::Vector(vector) => *vector,
        OptionValue::Mixed(parts) => {
            DVec3::from_array(std::array::from_fn(|axis| parts[axis].unwrap_or(now[axis])))
        }
        OptionValue::Typed(axis, text) if *axis < 3 => {
            let value = crate::editor::numbers::parse(text).ok()?;
            let mut vector = now;
            vector[*axis] = value.of(now[*axis]);
            vector
        }
        _ => return None,
    };
    set.is_finite().then_some(set)
}
