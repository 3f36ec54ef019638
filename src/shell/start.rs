//! The start screen: new, open, the sample map, work that a crash left, and recent maps.

use std::path::Path;
use std::path::PathBuf;
use std::time::SystemTime;

use egui::Align;
use egui::Frame;
use egui::Layout;
use egui::Margin;
use egui::Rect;
use egui::RichText;
use egui::Sense;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::editor::recovery::Offer;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::menu;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

#[derive(Default)]
pub struct StartState {
    search: String,
}

const BLOCK: egui::Vec2 = vec2(912.0, 456.0);
const LEFT: f32 = 232.0;

/// Draws the screen into all of `ui`.
pub fn ui(
    ui: &mut Ui,
    state: &mut StartState,
    recent: &[PathBuf],
    offers: &[Offer],
    opening: Option<(&Path, (&'static str, f32))>,
    actions: &mut Vec<Action>,
) {
    let p = Palette::of(ui.ctx());
    let area = ui.max_rect();
    ui.painter().rect_filled(area, 0.0, p.panel);
    let block = BLOCK.min(area.size() - vec2(48.0, 32.0));
    let block = Rect::from_center_size(area.center() - vec2(0.0, 12.0), block);
    let left = Rect::from_min_size(block.min, vec2(LEFT, block.height()));
    let right = Rect::from_min_max(pos2(left.right() + 48.0, block.top()), block.max);
    let part = |ui: &mut Ui, rect: Rect, name: &str| {
        ui.new_child(
            UiBuilder::new()
                .max_rect(rect)
                .id_salt(name)
                .layout(Layout::top_down(Align::Min)),
        )
    };
    left_ui(&mut part(ui, left, "start left"), offers, opening, actions);
    recent_ui(&mut part(ui, right, "start right"), state, recent, actions);
}

/// The bar at the bottom while no map is open.
pub fn status_ui(ui: &mut Ui) {
    let p = Palette::of(ui.ctx());
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0.0, p.bar);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let version = concat!("Mapwright ", env!("CARGO_PKG_VERSION"));
    widgets::line(
        ui,
        inner,
        Align::Max,
        version,
        regular(text::SMALL),
        p.text_dim,
    );
    let mut left = ui.new_child(
        UiBuilder::new()
            .max_rect(inner)
            .layout(Layout::left_to_right(Align::Center)),
    );
    widgets::hint(&mut left, None, "Ctrl+N", "New map");
    widgets::hint(&mut left, None, "Ctrl+O", "Open");
    left.label(
        RichText::new("or drop a map file on this window")
            .font(regular(text::SMALL))
            .color(p.text_dim),
    );
}

fn left_ui(
    ui: &mut Ui,
    offers: &[Offer],
    opening: Option<(&Path, (&'static str, f32))>,
    actions: &mut Vec<Action>,
) {
    let p = Palette::of(ui.ctx());
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 64.0), Sense::hover());
    menu::mark(
        ui,
        Rect::from_min_size(head.min + vec2(0.0, 4.0), vec2(36.0, 36.0)),
    );
    let name = Rect::from_min_size(head.min + vec2(48.0, 0.0), vec2(180.0, 34.0));
    widgets::line(
        ui,
        name,
        Align::Min,
        "Mapwright",
        semibold(text::DISPLAY),
        p.text,
    );
    widgets::line(
        ui,
        name.translate(vec2(1.0, 26.0)),
        Align::Min,
        "Level editor",
        regular(text::SMALL),
        p.text_faint,
    );
    ui.add_space(12.0);
    ui.spacing_mut().item_spacing.y = 4.0;
    for (icon, label, keys, primary, action) in [
        (icons::FILE_NEW, "New map", "Ctrl+N", true, Action::NewMap),
        (
            icons::FOLDER_OPEN,
            "Open\u{2026}",
            "Ctrl+O",
            false,
            Action::AskOpen,
        ),
        (
            icons::MAP,
            "Open the sample map",
            "",
            false,
            Action::OpenSample,
        ),
    ] {
        if wide_button(ui, icon, label, keys, primary).clicked() {
            actions.push(action);
        }
    }
    if let Some((path, (_, share))) = opening {
        ui.add_space(12.0);
        ui.label(
            RichText::new(format!("Reading {}", say::file_name(path)))
                .font(regular(text::SMALL))
                .color(p.text_dim),
        );
        widgets::progress(ui, Some(share), LEFT);
    }
    for offer in offers.iter().take(2) {
        ui.add_space(20.0);
        offer_ui(ui, offer, actions);
    }
}

fn wide_button(ui: &mut Ui, icon: char, label: &str, keys: &str, primary: bool) -> egui::Response {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label));
    let (over, down) = (r.hovered(), r.is_pointer_button_down_on());
    let (fill, ink) = match (primary, down, over) {
        (true, true, _) => (p.accent_down, p.on_accent),
        (true, _, true) => (p.accent_hover, p.on_accent),
        (true, ..) => (p.accent, p.on_accent),
        (_, true, _) => (p.button_down, p.text),
        (_, _, true) => (p.button_hover, p.text),
        _ => (p.button, p.text),
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(18.0, 0.0),
        icon,
        18.0,
        ink,
    );
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 38.0),
        Align::Min,
        label,
        medium(text::BODY),
        ink,
    );
    let faint = if primary { p.on_accent } else { p.text_faint };
    widgets::line(
        ui,
        rect.with_max_x(rect.right() - 12.0),
        Align::Max,
        keys,
        regular(text::CAPTION),
        faint,
    );
    widgets::focus_ring(ui, &r, &p);
    r
}

fn offer_ui(ui: &mut Ui, offer: &Offer, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let frame = Frame::new()
        .fill(p.section)
        .stroke(Stroke::new(1.0, p.line_strong))
        .corner_radius(6)
        .inner_margin(Margin::same(12));
    frame.show(ui, |ui| {
        ui.set_width(LEFT - 26.0);
        ui.horizontal(|ui| {
            ui.label(
                RichText::new(icons::HISTORY)
                    .font(icons::font(16.0))
                    .color(p.warning),
            );
            ui.label(
                RichText::new("Unsaved work found")
                    .font(semibold(text::BODY))
                    .color(p.text),
            );
        });
        let small = |words: String| {
            RichText::new(words)
                .font(regular(text::SMALL))
                .color(p.text_dim)
        };
        ui.label(small(offer.name.clone()));
        let newer = if offer.newer_by.is_some() {
            ", newer than the file"
        } else {
            ""
        };
        let when = say::when(offer.saved, SystemTime::now());
        ui.label(small(format!(
            "Kept {when}{newer}, {}",
            say::bytes(offer.bytes)
        )));
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if widgets::button(ui, None, "Recover", Weight::Normal).clicked() {
                actions.push(Action::Recover(offer.clone()));
            }
            if widgets::button(ui, None, "Discard", Weight::Quiet).clicked() {
                actions.push(Action::Discard(offer.clone()));
            }
        });
    });
}

fn recent_ui(ui: &mut Ui, state: &mut StartState, recent: &[PathBuf], actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    widgets::line(
        ui,
        head,
        Align::Min,
        "Recent",
        semibold(text::TITLE),
        p.text,
    );
    let field = Rect::from_min_max(
        pos2(head.right() - 200.0, head.center().y - 12.0),
        pos2(head.right(), head.center().y + 12.0),
    );
    let mut corner = ui.new_child(UiBuilder::new().max_rect(field));
    widgets::search_field(&mut corner, &mut state.search, "Find recent map", 200.0);
    if recent.is_empty() {
        widgets::empty_state(
            ui,
            icons::MAP,
            "No maps yet",
            "Start a new one or open the sample map",
        );
        return;
    }
    let wanted = state.search.to_lowercase();
    let shown: Vec<&PathBuf> = recent
        .iter()
        .filter(|path| say::file_name(path).to_lowercase().contains(&wanted))
        .collect();
    let now = SystemTime::now();
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("recent")
        .show(ui, |ui| {
            for path in shown {
                if recent_row(ui, path, now).clicked() {
                    actions.push(Action::OpenPath(path.clone()));
                }
            }
        });
}

/// Name, folder, format, when.
fn recent_row(ui: &mut Ui, path: &Path, now: SystemTime) -> egui::Response {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::click());
    let name = say::file_name(path);
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ListBoxOption, true, &name));
    let inner = rect.shrink2(vec2(0.0, 2.0));
    if r.hovered() {
        ui.painter().rect(
            inner,
            4.0,
            p.row_hover,
            Stroke::new(1.0, p.line_strong),
            StrokeKind::Inside,
        );
    }
    let info = std::fs::metadata(path).ok();
    let missing = info.is_none();
    let ink = if missing { p.text_disabled } else { p.text };
    icons::paint(
        ui.painter(),
        inner.left_center() + vec2(20.0, 0.0),
        icons::MAP,
        18.0,
        if missing { ink } else { p.text_dim },
    );
    let upper = Rect::from_min_max(
        inner.min + vec2(42.0, 3.0),
        pos2(inner.right() - 10.0, inner.top() + 20.0),
    );
    let lower = upper.translate(vec2(0.0, 16.0));
    widgets::line(ui, upper, Align::Min, &name, medium(text::BODY), ink);
    let folder = path
        .parent()
        .map(|folder| folder.to_string_lossy().into_owned())
        .unwrap_or_default();
    widgets::line(
        ui,
        lower.with_max_x(lower.right() - 150.0),
        Align::Min,
        &folder,
        regular(text::SMALL),
        p.text_faint,
    );
    let format = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_uppercase();
    widgets::line(
        ui,
        upper,
        Align::Max,
        &format,
        regular(text::CAPTION),
        p.text_faint,
    );
    let when = info
        .and_then(|info| info.modified().ok())
        .map_or_else(|| "Missing".to_owned(), |time| say::when(time, now));
    widgets::line(
        ui,
        lower,
        Align::Max,
        &when,
        regular(text::SMALL),
        if missing { p.warning } else { p.text_faint },
    );
    r
}
