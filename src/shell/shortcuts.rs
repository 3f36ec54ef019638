//! The keys of all commands: which set of keys, what has been changed, and what shares a key. A conflict is shown and never
//! in the way.

use egui::Align;
use egui::Color32;
use egui::Event;
use egui::Key;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::editor::Chord;
use crate::editor::Command;
use crate::editor::Editor;
use crate::editor::KeyPreset;
use crate::editor::Modifiers;
use crate::shell::dialogs;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::input;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// The open dialog.
#[derive(Default)]
pub struct Shortcuts {
    search: String,
    /// Only what differs from the set.
    changed_only: bool,
    /// The command that gets the next keys that are pressed.
    capturing: Option<&'static str>,
}

const ROW: f32 = 28.0;
const WIDTH: f32 = 680.0;

impl Shortcuts {
    /// All commands.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One command, waiting for its keys.
    #[must_use]
    pub fn of(command: &'static Command) -> Self {
        Self {
            search: command.label.to_owned(),
            capturing: Some(command.id),
            ..Self::default()
        }
    }

    /// Draws it; false when it closes.
    pub fn ui(&mut self, ctx: &egui::Context, editor: &Editor, actions: &mut Vec<Action>) -> bool {
        self.capture(ctx, editor, actions);
        let mut open = true;
        let modal = dialogs::modal(ctx, "shortcuts", WIDTH, |ui| {
            dialogs::title(ui, "Shortcuts");
            self.head(ui, editor, actions);
            ui.add_space(8.0);
            self.list(ui, editor, actions);
            ui.add_space(12.0);
            let foot = vec2(ui.available_width(), 28.0);
            ui.allocate_ui_with_layout(foot, Layout::right_to_left(Align::Center), |ui| {
                if widgets::button(ui, None, "Close", Weight::Primary).clicked() {
                    open = false;
                }
                let changed = editor.settings.keys.len();
                if changed > 0 {
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let words = format!("Reset all {changed} changes");
                        if widgets::button(ui, None, &words, Weight::Danger).clicked() {
                            actions.push(Action::ResetKeys);
                        }
                    });
                }
            });
        });
        open && !modal.closed
    }

    /// While a command waits, keys are its own; `Esc` gives up.
    fn capture(&mut self, ctx: &egui::Context, editor: &Editor, actions: &mut Vec<Action>) {
        let Some(id) = self.capturing else { return };
        if ctx.current_pass_index() > 0 {
            return;
        }
        let mut pressed = None;
        let mut given_up = false;
        ctx.input_mut(|i| {
            let held = input::modifiers(i.modifiers);
            i.events.retain(|event| {
                let chord = match event {
                    Event::Key {
                        key: Key::Escape,
                        pressed: true,
                        ..
                    } => {
                        given_up = true;
                        return false;
                    }
                    Event::Copy => Some(Chord::new(Modifiers::CTRL, letter('C'))),
                    Event::Cut => Some(Chord::new(Modifiers::CTRL, letter('X'))),
                    Event::Paste(_) => {
                        Some(Chord::new(Modifiers { ctrl: true, ..held }, letter('V')))
                    }
                    Event::Key { pressed: true, .. } => {
                        input::key_event(event).and_then(|(event, held)| match event {
                            crate::editor::Input::Key { key, .. } => Some(Chord::new(held, key)),
                            _ => None,
                        })
                    }
                    Event::Key { .. } | Event::Text(_) => return false,
                    _ => return true,
                };
                pressed = pressed.or(chord);
                false
            });
        });
        if given_up {
            self.capturing = None;
        } else if let Some(chord) = pressed {
            let mut chords = editor.keymap.chords(id).to_vec();
            if !chords.contains(&chord) {
                chords.push(chord);
            }
            actions.push(Action::SetKeys(id, Some(chords)));
            self.capturing = None;
        }
    }

    fn head(&mut self, ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
        let room = vec2(ui.available_width(), size::FIELD);
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
            let r = widgets::search_field(ui, &mut self.search, "Find command or key", 260.0);
            if r.has_focus() {
                self.capturing = None;
            }
            let mut only = usize::from(self.changed_only);
            widgets::segmented(ui, "Show", &["All", "Changed"], &mut only);
            self.changed_only = only == 1;
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let names = KeyPreset::ALL.map(KeyPreset::label);
                let now = editor.settings.key_preset;
                let mut index = KeyPreset::ALL
                    .iter()
                    .position(|preset| *preset == now)
                    .unwrap_or(0);
                widgets::segmented(ui, "Keys and mouse as in", &names, &mut index)
                    .on_hover_text("A set of keys, and what the mouse does in views");
                if KeyPreset::ALL[index] != now {
                    actions.push(Action::KeyPreset(KeyPreset::ALL[index]));
                }
                let p = Palette::of(ui.ctx());
                let words = egui::RichText::new("Keys as in")
                    .font(regular(text::SMALL))
                    .color(p.text_dim);
                ui.label(words);
            });
        });
    }

    fn list(&mut self, ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
        let wanted: Vec<String> = self
            .search
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let found: Vec<&'static Command> = Command::all()
            .filter(|command| !self.changed_only || editor.settings.keys.contains_key(command.id))
            .filter(|command| {
                let keys = key_words(editor, command);
                let menu = command.menu.title.label();
                let all = format!("{menu} {} {keys} {}", command.label, command.id).to_lowercase();
                wanted.iter().all(|word| all.contains(word.as_str()))
            })
            .collect();
        if found.is_empty() {
            let (title, advice) = if self.changed_only && self.search.is_empty() {
                (
                    "Nothing is changed".to_owned(),
                    "Keys that you set are listed here",
                )
            } else {
                (
                    format!("Nothing matches \"{}\"", self.search),
                    "Names of commands, menus and keys are looked at",
                )
            };
            widgets::empty_state(ui, icons::KEYBOARD, &title, advice);
            return;
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::ScrollArea::vertical()
            .max_height(ROW * 14.0)
            .auto_shrink([false, true])
            .show_rows(ui, ROW, found.len(), |ui, range| {
                for command in &found[range] {
                    self.row(ui, editor, command, actions);
                }
            });
    }

    fn row(
        &mut self,
        ui: &mut Ui,
        editor: &Editor,
        command: &'static Command,
        actions: &mut Vec<Action>,
    ) {
        let p = Palette::of(ui.ctx());
        let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let waiting = self.capturing == Some(command.id);
        if waiting || ui.rect_contains_pointer(rect) {
            let fill = if waiting { p.accent_soft } else { p.row_hover };
            ui.painter().rect_filled(rect, 4.0, fill);
        }
        let name = rect
            .with_min_x(rect.left() + 8.0)
            .with_max_x(rect.left() + 250.0);
        let used = widgets::line(
            ui,
            name,
            Align::Min,
            command.label,
            regular(text::BODY),
            p.text,
        );
        let menu = name.with_min_x(name.left() + used + 8.0);
        let title = command.menu.title.label();
        widgets::line(
            ui,
            menu,
            Align::Min,
            title,
            regular(text::SMALL),
            p.text_faint,
        );
        r.on_hover_text(command.help);
        let keys = rect
            .with_min_x(rect.left() + 258.0)
            .with_max_x(rect.right() - 8.0);
        let mut ui = ui.new_child(
            UiBuilder::new()
                .max_rect(keys)
                .id_salt(command.id)
                .layout(Layout::left_to_right(Align::Center)),
        );
        ui.spacing_mut().item_spacing.x = 4.0;
        let chords = editor.keymap.chords(command.id).to_vec();
        for &chord in &chords {
            if chip(&mut ui, &chord.to_string(), command.label, &p) {
                let rest = chords
                    .iter()
                    .copied()
                    .filter(|other| *other != chord)
                    .collect();
                actions.push(Action::SetKeys(command.id, Some(rest)));
            }
        }
        if waiting {
            let words = "Press the keys, Esc to leave it";
            ui.label(
                egui::RichText::new(words)
                    .font(medium(text::SMALL))
                    .color(p.on_soft),
            );
            return;
        }
        let add = format!("Add keys for {}", command.label);
        if widgets::icon_button(&mut ui, icons::PLUS, &add, false).clicked() {
            self.capturing = Some(command.id);
            ui.memory_mut(egui::Memory::stop_text_input);
        }
        if editor.settings.keys.contains_key(command.id) {
            let reset = format!("Reset the keys of {}", command.label);
            if widgets::icon_button(&mut ui, icons::TURN_LEFT, &reset, false).clicked() {
                actions.push(Action::SetKeys(command.id, None));
            }
        }
        conflict(&mut ui, editor, command, &chords, &p);
    }
}

/// What else would be meant by one of the keys.
fn conflict(ui: &mut Ui, editor: &Editor, command: &Command, chords: &[Chord], p: &Palette) {
    let rivals = chords
        .iter()
        .flat_map(|&chord| editor.keymap.rivals(command, chord));
    let names: Vec<&str> = rivals.map(|rival| rival.label).collect();
    if names.is_empty() {
        return;
    }
    let words = format!("also {}", names.join(", "));
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    icons::paint(
        ui.painter(),
        pos2(rect.left() + 8.0, rect.center().y),
        icons::WARNING,
        size::ICON_SMALL,
        p.warning,
    );
    let after = rect.with_min_x(rect.left() + 20.0);
    widgets::line(
        ui,
        after,
        Align::Min,
        &words,
        regular(text::SMALL),
        p.warning,
    );
    r.on_hover_text(words);
}

/// One combination with a cross; true when that was clicked.
fn chip(ui: &mut Ui, keys: &str, label: &str, p: &Palette) -> bool {
    let galley = ui
        .painter()
        .layout_no_wrap(keys.to_owned(), medium(text::CAPTION), p.text_dim);
    let size = vec2(galley.size().x + 28.0, 20.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect(
        rect,
        3.0,
        p.section,
        egui::Stroke::new(1.0, p.line_strong),
        egui::StrokeKind::Inside,
    );
    let at = pos2(rect.left() + 6.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at.round(), galley, p.text_dim);
    let cross = Rect::from_min_max(
        pos2(rect.right() - 20.0, rect.top() - 2.0),
        rect.max + vec2(2.0, 2.0),
    );
    let name = format!("Take {keys} from {label}");
    let r = ui.interact(cross, ui.scope_id().with(("chip", keys)), Sense::click());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let ink: Color32 = if r.hovered() { p.text } else { p.text_faint };
    let middle = pos2(rect.right() - 10.0, rect.center().y);
    icons::paint(ui.painter(), middle, icons::CLOSE, 10.0, ink);
    r.on_hover_text(name).clicked()
}

fn letter(letter: char) -> crate::editor::Key {
    crate::editor::Key::Letter(letter)
}

fn key_words(editor: &Editor, command: &Command) -> String {
    let chords = editor.keymap.chords(command.id);
    chords
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
