//! The keys that work right now (HELP-1), all keys, and the about box.

use std::collections::BTreeMap;

use egui::Align;
use egui::Color32;
use egui::RichText;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::editor::Command;
use crate::editor::Editor;
use crate::shell::dialogs;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::text;
use crate::shell::widgets;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Keys,
    AllKeys,
    About,
}

/// The open box.
pub struct Help {
    kind: Kind,
    /// The press that opened it must not close it.
    fresh: bool,
}

impl Help {
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self { kind, fresh: true }
    }

    /// Draws the box; false when it closes.
    pub fn ui(&mut self, ctx: &egui::Context, editor: &Editor, adapter: Option<&str>) -> bool {
        let mut open = true;
        let width = if self.kind == Kind::About {
            440.0
        } else {
            760.0
        };
        let modal = dialogs::modal(ctx, "help", width, |ui| {
            match self.kind {
                Kind::Keys => keys(ui, editor, "Keys that work now", &editor.working_commands()),
                Kind::AllKeys => {
                    let bound =
                        |command: &&'static Command| !editor.keymap.chords(command.id).is_empty();
                    let all: Vec<&'static Command> = Command::all().filter(bound).collect();
                    keys(ui, editor, "All keys", &all);
                }
                Kind::About => about(ui, adapter),
            }
            ui.add_space(12.0);
            let foot = vec2(ui.available_width(), 28.0);
            ui.allocate_ui_with_layout(foot, egui::Layout::right_to_left(Align::Center), |ui| {
                if widgets::button(ui, None, "Close", widgets::Weight::Primary).clicked() {
                    open = false;
                }
            });
        });
        let again = ctx.input(|i| i.key_pressed(egui::Key::F1)) && !self.fresh;
        self.fresh = false;
        open && !modal.closed && !again
    }
}

fn keys(ui: &mut Ui, editor: &Editor, title: &str, commands: &[&'static Command]) {
    let p = Palette::of(ui.ctx());
    dialogs::title(ui, title);
    let hints = editor.hints();
    if title == "Keys that work now" && !hints.is_empty() {
        ui.horizontal_wrapped(|ui| {
            for hint in hints {
                widgets::hint(ui, None, hint.keys, hint.text);
            }
        });
        ui.add_space(8.0);
    }
    let mut groups: BTreeMap<_, Vec<&'static Command>> = BTreeMap::new();
    for command in commands {
        groups.entry(command.menu.title).or_default().push(command);
    }
    egui::ScrollArea::vertical()
        .max_height(420.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (title, commands) in groups {
                let words = if title.label().is_empty() {
                    "Other"
                } else {
                    title.label()
                };
                ui.label(
                    RichText::new(words)
                        .font(semibold(text::SMALL))
                        .color(p.text_dim),
                );
                for pair in commands.chunks(2) {
                    ui.horizontal(|ui| {
                        let column = (ui.available_width() / 2.0).floor();
                        for command in pair {
                            row(ui, editor, command, column, &p);
                        }
                    });
                }
                ui.add_space(8.0);
            }
        });
}

fn row(ui: &mut Ui, editor: &Editor, command: &Command, width: f32, p: &Palette) {
    let (rect, r) = ui.allocate_exact_size(vec2(width - 4.0, 20.0), Sense::hover());
    let keys = editor
        .keymap
        .chords(command.id)
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    r.widget_info(|| {
        egui::WidgetInfo::labeled(
            egui::Role::Label,
            true,
            format!("{}: {keys}", command.label),
        )
    });
    widgets::line(
        ui,
        rect.with_max_x(rect.left() + 130.0),
        Align::Min,
        &keys,
        medium(text::SMALL),
        p.text,
    );
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 136.0),
        Align::Min,
        command.label,
        regular(text::SMALL),
        p.text_dim,
    );
    r.on_hover_text(command.help);
}

fn about(ui: &mut Ui, adapter: Option<&str>) {
    let p = Palette::of(ui.ctx());
    dialogs::title(ui, concat!("Mapwright ", env!("CARGO_PKG_VERSION")));
    let line = |ui: &mut Ui, words: &str, ink: Color32| {
        ui.label(RichText::new(words).font(regular(text::SMALL)).color(ink));
    };
    line(
        ui,
        "A level editor. Free software under the MIT or the Apache 2.0 licence.",
        p.text,
    );
    if let Some(adapter) = adapter {
        line(ui, &format!("Draws with {adapter}"), p.text_dim);
    }
    ui.add_space(8.0);
    line(
        ui,
        "Fonts: Inter and JetBrains Mono (SIL Open Font Licence 1.1)",
        p.text_dim,
    );
    line(ui, "Icons: Phosphor (MIT licence)", p.text_dim);
}
