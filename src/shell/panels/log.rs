//! The last lines of the log.

use egui::Align;
use egui::Color32;
use egui::RichText;
use egui::Ui;
use egui::vec2;
use tracing::Level;

use crate::shell::icons;
use crate::shell::log;
use crate::shell::log::Line;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::mono;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

#[derive(Default)]
pub struct LogState {
    search: String,
    lines: Vec<Line>,
    seen: u64,
}

const ROW: f32 = 18.0;

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut LogState) {
    let ring = log::buffer();
    if state.seen != ring.written() {
        state.seen = ring.written();
        state.lines = ring.lines();
    }
    let mut copied = None;
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), size::FIELD),
                egui::Layout::left_to_right(Align::Center),
                |ui| {
                    widgets::search_field(ui, &mut state.search, "Find in log", 220.0);
                    if widgets::button(ui, Some(icons::COPY), "Copy all", widgets::Weight::Quiet)
                        .clicked()
                    {
                        copied = Some(
                            state
                                .lines
                                .iter()
                                .map(written)
                                .collect::<Vec<_>>()
                                .join("\n"),
                        );
                    }
                },
            );
        });
    if let Some(words) = copied {
        ui.ctx().copy_text(words);
    }
    if state.lines.is_empty() {
        widgets::empty_state(
            ui,
            icons::LOG,
            "Nothing to report",
            "Warnings and news of the program are listed here",
        );
        return;
    }
    let wanted = state.search.to_lowercase();
    let shown: Vec<&Line> = state
        .lines
        .iter()
        .filter(|line| line.text.to_lowercase().contains(&wanted))
        .collect();
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::both()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .id_salt("log lines")
        .show_rows(ui, ROW, shown.len(), |ui, range| {
            for line in &shown[range] {
                row(ui, line);
            }
        });
}

fn level_look(level: Level, p: &Palette) -> (&'static str, Color32) {
    match level {
        Level::ERROR => ("error", p.error),
        Level::WARN => ("warning", p.warning),
        _ => ("info", p.text_dim),
    }
}

fn written(line: &Line) -> String {
    let word = match line.level {
        Level::ERROR => "error",
        Level::WARN => "warning",
        _ => "info",
    };
    format!("{} {word} {}", say::clock(line.time), line.text)
}

fn row(ui: &mut Ui, line: &Line) {
    let p = Palette::of(ui.ctx());
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        ui.add_space(8.0);
        let (word, color) = level_look(line.level, &p);
        let font = mono(text::SMALL);
        ui.label(
            RichText::new(say::clock(line.time))
                .font(font.clone())
                .color(p.text_faint),
        );
        ui.label(
            RichText::new(format!("{word:<8}"))
                .font(font.clone())
                .color(color),
        );
        let first = line.text.lines().next().unwrap_or_default();
        ui.add(
            egui::Label::new(RichText::new(first).font(font).color(p.text))
                .wrap_mode(egui::TextWrapMode::Extend),
        );
    });
}
