//! The small set of widgets every panel is made of. Each one is a function, has an accessible name and takes its
//! colours from the palette. None of them changes its size with its state.

mod buttons;
mod inputs;
mod notes;
mod rows;

use egui::Align;
use egui::Color32;
use egui::CornerRadius;
use egui::Id;
use egui::Rect;
use egui::Response;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::pos2;

pub use self::buttons::Weight;
pub use self::buttons::button;
pub use self::buttons::icon_button;
pub use self::buttons::icon_button_sized;
pub use self::buttons::key_caps;
pub use self::buttons::segmented;
pub use self::buttons::switch;
pub use self::buttons::tool_button;
pub use self::inputs::checkbox;
pub use self::inputs::choice;
pub use self::inputs::choice_in;
pub use self::inputs::number;
pub use self::inputs::property;
pub use self::inputs::search_field;
pub use self::inputs::section;
pub use self::inputs::shortest;
pub use self::inputs::slider;
pub use self::inputs::text_field;
pub use self::notes::empty_state;
pub use self::notes::hint;
pub use self::notes::progress;
pub use self::notes::tab_look;
pub use self::notes::tab_width;
pub use self::notes::toast;
pub use self::rows::TreeReply;
pub use self::rows::TreeRow;
pub use self::rows::badge;
pub use self::rows::menu_item;
pub use self::rows::tile;
pub use self::rows::tree_row;
use crate::shell::theme::Palette;
use crate::shell::theme::size;

/// For the gallery and its snapshot tests: widgets drawn inside `pretend` look hovered, pressed or focused.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Pretend {
    #[default]
    Nothing,
    Hover,
    Down,
    Focus,
}

pub fn pretend<R>(ui: &mut Ui, state: Pretend, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.data_mut(|d| d.insert_temp(Id::NULL, state));
    let r = add(ui);
    ui.data_mut(|d| d.insert_temp(Id::NULL, Pretend::Nothing));
    r
}
fn pretended(ui: &Ui, state: Pretend) -> bool {
    ui.data(|d| d.get_temp::<Pretend>(Id::NULL)) == Some(state)
}
fn hovered(ui: &Ui, r: &Response) -> bool {
    r.hovered() || pretended(ui, Pretend::Hover)
}
fn down(ui: &Ui, r: &Response) -> bool {
    r.is_pointer_button_down_on() || pretended(ui, Pretend::Down)
}
fn focused(ui: &Ui, r: &Response) -> bool {
    r.has_focus() || pretended(ui, Pretend::Focus)
}

/// Ring around whatever has the keyboard: 2 pt, just inside, so that it is never clipped.
pub fn focus_ring(ui: &Ui, r: &Response, p: &Palette) {
    if focused(ui, r) {
        ui.painter().rect_stroke(
            r.rect,
            CornerRadius::same(size::RADIUS),
            Stroke::new(size::FOCUS, p.focus),
            StrokeKind::Inside,
        );
    }
}

/// Text in one line that ends in an ellipsis when it does not fit. Returns the width used.
pub fn line(
    ui: &Ui,
    at: Rect,
    align: Align,
    what: &str,
    font: egui::FontId,
    color: Color32,
) -> f32 {
    let mut job = egui::text::LayoutJob::simple_singleline(what.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping {
        max_width: at.width().max(0.0),
        max_rows: 1,
        break_anywhere: true,
        ..Default::default()
    };
    let galley = ui.painter().layout_job(job);
    let (w, h) = (galley.size().x, galley.size().y);
    let x = match align {
        Align::Min => at.left(),
        Align::Center => at.center().x - w / 2.0,
        Align::Max => at.right() - w,
    };
    ui.painter().galley(
        pos2(x.round(), (at.center().y - h / 2.0).round()),
        galley,
        color,
    );
    w
}
