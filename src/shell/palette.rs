//! The command palette: every row of the command table, found by a few letters.

use egui::Align;
use egui::Align2;
use egui::Area;
use egui::Color32;
use egui::Frame;
use egui::Id;
use egui::Key;
use egui::Order;
use egui::Rect;
use egui::Sense;
use egui::Stroke;
use egui::TextEdit;
use egui::Ui;
use egui::pos2;
use egui::vec2;

use crate::editor::Command;
use crate::editor::Editor;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::theme::Palette as Colors;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// The open palette.
#[derive(Default)]
pub struct Palette {
    query: String,
    at: usize,
    fresh: bool,
    /// First point of the list that is shown.
    offset: f32,
    /// The list goes to the current row in this frame.
    follow: bool,
}

const ROW: f32 = 32.0;
/// Rows that are seen at once.
const ROWS: f32 = 8.0;

/// A command that fits, with the letters that matched.
struct Found {
    command: &'static Command,
    score: i32,
    letters: Vec<usize>,
}

/// How well `query` fits `label`: all letters in order; starts of words and neighbours count more. `None` = not at all.
fn fit(query: &str, label: &str) -> Option<(i32, Vec<usize>)> {
    let label: Vec<char> = label.to_lowercase().chars().collect();
    let wanted: Vec<char> = query
        .to_lowercase()
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    if wanted.is_empty() {
        return Some((0, Vec::new()));
    }
    // From every place the first letter may stand: the best of them.
    let starts = label
        .iter()
        .enumerate()
        .filter(|(_, c)| **c == wanted[0])
        .map(|(i, _)| i);
    let mut best: Option<(i32, Vec<usize>)> = None;
    for start in starts {
        let mut letters = Vec::new();
        let mut next = start;
        for &want in &wanted {
            let Some(found) = label[next..].iter().position(|&c| c == want) else {
                break;
            };
            letters.push(next + found);
            next += found + 1;
        }
        if letters.len() < wanted.len() {
            continue;
        }
        let mut score = 0;
        for (n, &place) in letters.iter().enumerate() {
            if place == 0 || !label[place - 1].is_alphanumeric() {
                score += 8;
            }
            if n > 0 && letters[n - 1] + 1 == place {
                score += 5;
            }
        }
        score -= (letters[0] as i32).min(10) + (label.len() as i32) / 8;
        if best.as_ref().is_none_or(|(old, _)| score > *old) {
            best = Some((score, letters));
        }
    }
    best
}

/// By the label alone, else together with its menu: "select all" finds All of the Select menu.
fn fit_command(query: &str, command: &Command) -> Option<(i32, Vec<usize>)> {
    if let Some(found) = fit(query, command.label) {
        return Some(found);
    }
    let menu = command.menu.title.label();
    let (score, letters) = fit(query, &format!("{menu} {}", command.label))?;
    let before = menu.chars().count() + 1;
    let letters = letters
        .into_iter()
        .filter_map(|place| place.checked_sub(before))
        .collect();
    Some((score - 4, letters))
}

impl Palette {
    #[must_use]
    pub fn new() -> Self {
        Self {
            fresh: true,
            ..Self::default()
        }
    }

    fn found(&self, editor: &Editor) -> Vec<Found> {
        let mut list: Vec<Found> = Command::all()
            .filter(|command| command.id != "help.palette")
            .filter_map(|command| {
                let (score, letters) = fit_command(&self.query, command)?;
                Some(Found {
                    command,
                    score,
                    letters,
                })
            })
            .collect();
        // What can run stands above what cannot; then the better fit; then the order of the table.
        list.sort_by_key(|found| ((found.command.enabled)(editor).is_err(), -found.score));
        list
    }

    /// Draws it; false when it closes.
    pub fn ui(&mut self, ctx: &egui::Context, editor: &Editor, actions: &mut Vec<Action>) -> bool {
        let p = Colors::of(ctx);
        let found = self.found(editor);
        let whole = Command::all().count();
        // What was held with the key, not what is held now: both may come and go within one frame.
        let change_keys = ctx.input(|i| {
            i.events.iter().any(|event| {
                matches!(event, egui::Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if modifiers.alt)
            })
        });
        let (down, up, enter, escape) = ctx.input(|i| {
            (
                i.num_presses(Key::ArrowDown),
                i.num_presses(Key::ArrowUp),
                i.key_pressed(Key::Enter),
                i.key_pressed(Key::Escape),
            )
        });
        self.at = (self.at + down)
            .saturating_sub(up)
            .min(found.len().saturating_sub(1));
        let mut open = !escape;
        if change_keys && let Some(found) = found.get(self.at) {
            open = false;
            actions.push(Action::AskKeys(found.command));
        } else if enter && let Some(found) = found.get(self.at) {
            // One that cannot run says why in its row, so the list stays.
            open = (found.command.enabled)(editor).is_err();
            actions.push(Action::Run(found.command));
        }
        let style = ctx.global_style();
        let area = Area::new(Id::unique("command palette"))
            .order(Order::Foreground)
            .anchor(Align2::CENTER_TOP, vec2(0.0, 92.0))
            .show(ctx, |ui| {
                Frame::new()
                    .fill(p.popup)
                    .stroke(Stroke::new(1.0, p.line_strong))
                    .corner_radius(8)
                    .shadow(style.visuals.window_shadow)
                    .show(ui, |ui| {
                        ui.set_width(560.0);
                        ui.spacing_mut().item_spacing.y = 0.0;
                        self.input_ui(ui, found.len(), whole);
                        self.follow |= down + up > 0;
                        if let Some(command) = self.rows_ui(ui, editor, &found) {
                            open = (command.enabled)(editor).is_err();
                            actions.push(Action::Run(command));
                        }
                        foot_ui(ui);
                    });
            });
        let beside = ctx.input(|i| {
            i.pointer.any_pressed()
                && i.pointer
                    .interact_pos()
                    .is_some_and(|at| !area.response.rect.contains(at))
        });
        // The press that opened it is not one beside it.
        if beside && !self.fresh {
            open = false;
        }
        self.fresh = false;
        open
    }

    fn input_ui(&mut self, ui: &mut Ui, found: usize, whole: usize) {
        let p = Colors::of(ui.ctx());
        let (rect, _) = ui.allocate_exact_size(vec2(560.0, 44.0), Sense::hover());
        icons::paint(
            ui.painter(),
            rect.left_center() + vec2(20.0, 0.0),
            icons::SEARCH,
            size::ICON,
            p.text_dim,
        );
        let field = Rect::from_min_max(
            pos2(rect.left() + 36.0, rect.top() + 8.0),
            pos2(rect.right() - 100.0, rect.bottom() - 8.0),
        );
        let edit = TextEdit::singleline(&mut self.query)
            .hint_text("Type a command")
            .font(regular(text::TITLE))
            .frame(Frame::NONE)
            .align(Align2::LEFT_CENTER)
            .desired_width(field.width());
        let r = ui.put(field, edit.min_size(field.size()));
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Command"));
        if self.fresh {
            r.request_focus();
        }
        if r.changed() {
            self.at = 0;
            self.follow = true;
        }
        let words = format!("{found} of {whole}");
        widgets::line(
            ui,
            rect.with_max_x(rect.right() - 16.0),
            Align::Max,
            &words,
            regular(text::SMALL),
            p.text_faint,
        );
    }

    fn rows_ui(
        &mut self,
        ui: &mut Ui,
        editor: &Editor,
        found: &[Found],
    ) -> Option<&'static Command> {
        let mut chosen = None;
        if found.is_empty() {
            ui.add_space(12.0);
            widgets::empty_state(
                ui,
                icons::SEARCH,
                &format!("Nothing matches \"{}\"", self.query),
                "Try fewer letters",
            );
            ui.add_space(24.0);
            return None;
        }
        let mut area = egui::ScrollArea::vertical()
            .max_height(ROW * ROWS)
            .auto_shrink([false, true]);
        if std::mem::take(&mut self.follow) {
            let top = self.at as f32 * ROW;
            let wanted = self.offset.clamp((top - ROW * (ROWS - 1.0)).max(0.0), top);
            area = area.vertical_scroll_offset(wanted);
        }
        let shown = area.show_rows(ui, ROW, found.len(), |ui, range| {
            for index in range {
                let r = row(ui, editor, &found[index], index == self.at);
                if r.clicked() {
                    self.at = index;
                    chosen = Some(found[index].command);
                }
            }
        });
        self.offset = shown.state.clamped_offset().y;
        chosen
    }
}

fn row(ui: &mut Ui, editor: &Editor, found: &Found, lit: bool) -> egui::Response {
    let p = Colors::of(ui.ctx());
    let command = found.command;
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    r.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, lit, command.label)
    });
    let inner = rect.shrink2(vec2(4.0, 0.0));
    if lit || r.hovered() {
        ui.painter()
            .rect_filled(inner, 4.0, if lit { p.accent_soft } else { p.row_hover });
    }
    let refusal = (command.enabled)(editor).err();
    let ink = match (refusal.is_some(), lit) {
        (true, _) => p.text_disabled,
        (_, true) => p.on_soft,
        _ => p.text,
    };
    let icon = crate::shell::command_icon::command_icon(command);
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(20.0, 0.0),
        icon,
        size::ICON,
        if refusal.is_some() {
            p.text_disabled
        } else {
            p.text_dim
        },
    );
    let job = label_job(
        command.label,
        &found.letters,
        ink,
        if refusal.is_some() {
            ink
        } else {
            p.accent_hover
        },
    );
    let galley = ui.painter().layout_job(job);
    let (w, h) = (galley.size().x, galley.size().y);
    ui.painter().galley(
        pos2(rect.left() + 42.0, (rect.center().y - h / 2.0).round()),
        galley,
        ink,
    );
    // The reason has the place of the keys, which would do nothing.
    let end = if refusal.is_some() { 14.0 } else { 150.0 };
    let after = rect
        .with_min_x(rect.left() + 42.0 + w + 10.0)
        .with_max_x(rect.right() - end);
    let note = refusal.unwrap_or(command.menu.title.label());
    widgets::line(
        ui,
        after,
        Align::Min,
        note,
        regular(text::SMALL),
        if lit {
            p.on_soft.gamma_multiply(0.75)
        } else {
            p.text_faint
        },
    );
    let keys = editor.keymap.text(command.id);
    match refusal {
        Some(reason) => r.on_hover_text(reason),
        None => {
            if !keys.is_empty() {
                caps(ui, rect, &keys);
            }
            r
        }
    }
}

/// The label with the letters that matched set off.
fn label_job(
    label: &str,
    letters: &[usize],
    ink: Color32,
    strong: Color32,
) -> egui::text::LayoutJob {
    let mut job = egui::text::LayoutJob::default();
    for (index, c) in label.chars().enumerate() {
        let (font, color) = if letters.contains(&index) {
            (semibold(text::BODY), strong)
        } else {
            (medium(text::BODY), ink)
        };
        job.append(&c.to_string(), 0.0, egui::TextFormat::simple(font, color));
    }
    job
}

/// Keys as caps at the right end of a row.
fn caps(ui: &Ui, rect: Rect, keys: &str) {
    let p = Colors::of(ui.ctx());
    let mut right = rect.right() - 14.0;
    let mut parts: Vec<&str> = keys.split('+').collect();
    // "Ctrl++" splits into an empty end: the plus key itself.
    if keys.ends_with('+') {
        parts.retain(|part| !part.is_empty());
        parts.push("+");
    }
    for key in parts.into_iter().rev() {
        let galley = ui
            .painter()
            .layout_no_wrap(key.to_owned(), medium(text::CAPTION), p.text_dim);
        let width = (galley.size().x + 8.0).max(18.0);
        let cap = Rect::from_min_max(
            pos2(right - width, rect.center().y - 9.0),
            pos2(right, rect.center().y + 9.0),
        );
        ui.painter().rect(
            cap,
            3.0,
            p.section,
            Stroke::new(1.0, p.line_strong),
            egui::StrokeKind::Inside,
        );
        ui.painter().galley(
            (cap.center() - galley.size() / 2.0).round(),
            galley,
            p.text_dim,
        );
        right = cap.left() - 4.0;
    }
}

fn foot_ui(ui: &mut Ui) {
    let p = Colors::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(560.0, 33.0), Sense::hover());
    ui.painter().hline(
        rect.x_range(),
        rect.top() + 0.5,
        Stroke::new(1.0, p.line_strong),
    );
    let inner = rect.shrink2(vec2(14.0, 4.0));
    let mut foot = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(inner)
            .layout(egui::Layout::left_to_right(Align::Center)),
    );
    widgets::hint(&mut foot, None, "Enter", "Run");
    widgets::hint(&mut foot, None, "Alt+Enter", "Change its keys");
    widgets::hint(&mut foot, None, "Up Down", "Choose");
    widgets::hint(&mut foot, None, "Esc", "Close");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_at_the_starts_of_words_fit_best() {
        let better = |query: &str, good: &str, bad: &str| {
            let good = fit(query, good).expect("fits").0;
            let bad = fit(query, bad).map_or(i32::MIN, |(score, _)| score);
            assert!(good > bad, "{query}: {good} {bad}");
        };
        better("ho", "Hollow", "Choose shape");
        better("sa", "Save as", "Isolate");
        better("ss", "Show selection", "Close possible");
        assert_eq!(fit("xyz", "Hollow"), None);
        assert_eq!(
            fit("hw", "Hollow").map(|(_, letters)| letters),
            Some(vec![0, 5])
        );
    }
}
