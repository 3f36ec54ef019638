//! The report as a dialog.

use egui::Align;
use egui::Color32;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Stroke;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::document::Issue;
use crate::document::ObjectId;
use crate::document::Severity;
use crate::editor::Editor;
use crate::shell::dialogs;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::import_report::Group;
use crate::shell::import_report::ImportReport;
use crate::shell::import_report::Item;
use crate::shell::import_report::heading;
use crate::shell::import_report::tone;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// Items of one kind that are listed before "and 17 more".
const LISTED: usize = 5;

impl ImportReport {
    /// Draws it; false when it closes.
    pub fn ui(&mut self, ctx: &egui::Context, editor: &Editor, actions: &mut Vec<Action>) -> bool {
        let mut open = true;
        let modal = dialogs::modal(ctx, "import report", 632.0, |ui| {
            ui.set_height(444.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            let whole = ui.max_rect();
            let head = Rect::from_min_size(whole.min, vec2(whole.width(), 44.0));
            let band = Rect::from_min_size(
                pos2(whole.left() - 16.0, head.bottom() + 4.0),
                vec2(whole.width() + 32.0, 64.0),
            );
            let foot = Rect::from_min_max(pos2(whole.left(), whole.bottom() - 28.0), whole.max);
            let list = Rect::from_min_max(
                pos2(whole.left(), band.bottom() + 8.0),
                pos2(whole.right(), foot.top() - 17.0),
            );
            self.head_ui(ui, head, &mut open);
            self.band_ui(ui, band);
            let mut body = ui.new_child(
                UiBuilder::new()
                    .max_rect(list)
                    .layout(Layout::top_down(Align::Min)),
            );
            self.list_ui(&mut body, editor, actions, &mut open);
            let p = Palette::of(ui.ctx());
            let line = Stroke::new(1.0, p.line_strong);
            ui.painter()
                .hline(whole.x_range().expand(16.0), foot.top() - 16.0, line);
            let mut foot = ui.new_child(
                UiBuilder::new()
                    .max_rect(foot)
                    .layout(Layout::right_to_left(Align::Center)),
            );
            self.foot_ui(&mut foot, actions, &mut open);
            ui.expand_to_include_rect(whole);
        });
        open && !modal.closed
    }

    fn head_ui(&self, ui: &mut Ui, rect: Rect, open: &mut bool) {
        let p = Palette::of(ui.ctx());
        icons::paint(
            ui.painter(),
            rect.left_center() + vec2(14.0, 0.0),
            icons::IMPORT,
            22.0,
            p.accent,
        );
        let words = Rect::from_min_max(
            pos2(rect.left() + 44.0, rect.top()),
            pos2(rect.right() - 32.0, rect.top() + 22.0),
        );
        let verb = self.verb;
        widgets::line(
            ui,
            words,
            Align::Min,
            &format!("{verb} {}", self.name),
            semibold(text::TITLE),
            p.text,
        );
        widgets::line(
            ui,
            words.translate(vec2(0.0, 21.0)),
            Align::Min,
            &self.sentence,
            regular(text::SMALL),
            p.text_dim,
        );
        let close = Rect::from_min_size(pos2(rect.right() - 24.0, rect.top()), vec2(24.0, 24.0));
        if widgets::icon_button(
            &mut ui.new_child(UiBuilder::new().max_rect(close)),
            icons::CLOSE,
            "Close the report",
            false,
        )
        .clicked()
        {
            *open = false;
        }
    }

    fn band_ui(&self, ui: &Ui, rect: Rect) {
        let p = Palette::of(ui.ctx());
        ui.painter().rect_filled(rect, 0.0, p.section);
        let width = (rect.width() - 40.0) / 4.0;
        for (index, (number, what, note)) in self.counts.iter().enumerate() {
            let left = rect.left() + 20.0 + index as f32 * width;
            let at = Rect::from_min_max(
                pos2(left, rect.top() + 10.0),
                pos2(left + width - 8.0, rect.top() + 34.0),
            );
            let used = widgets::line(
                ui,
                at,
                Align::Min,
                &say::count(*number),
                semibold(text::HEADING),
                p.text,
            );
            let beside = at.with_min_x(left + used + 6.0).translate(vec2(0.0, 3.0));
            widgets::line(
                ui,
                beside,
                Align::Min,
                what,
                regular(text::SMALL),
                p.text_faint,
            );
            let warns = note.contains("not found");
            let ink = if warns { p.warning } else { p.text_dim };
            widgets::line(
                ui,
                at.translate(vec2(0.0, 23.0)),
                Align::Min,
                note,
                regular(text::SMALL),
                ink,
            );
        }
    }

    fn list_ui(
        &mut self,
        ui: &mut Ui,
        editor: &Editor,
        actions: &mut Vec<Action>,
        open: &mut bool,
    ) {
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("report")
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                if self.groups.is_empty() {
                    widgets::empty_state(
                        ui,
                        icons::OK,
                        "Nothing to report",
                        "Every object, face and key was carried over",
                    );
                }
                for group in &mut self.groups {
                    group_ui(ui, group, editor, actions, open);
                }
            });
    }

    fn foot_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>, open: &mut bool) {
        let p = Palette::of(ui.ctx());
        if widgets::button(ui, None, "Start editing", Weight::Primary).clicked() {
            *open = false;
        }
        if self.is_foreign
            && widgets::button(ui, None, "Save as .hmap\u{2026}", Weight::Normal).clicked()
        {
            actions.push(Action::Save);
            *open = false;
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if widgets::button(ui, Some(icons::COPY), "Copy report", Weight::Quiet).clicked() {
                actions.push(Action::CopyText(format!(
                    "{}\n{}\n{}",
                    self.name, self.sentence, self.text
                )));
            }
            ui.label(
                egui::RichText::new("Opens again from the Map menu")
                    .font(regular(text::SMALL))
                    .color(p.text_faint),
            );
        });
    }
}

fn group_ui(
    ui: &mut Ui,
    group: &mut Group,
    editor: &Editor,
    actions: &mut Vec<Action>,
    open: &mut bool,
) {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click());
    let words = heading(group.code);
    r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, group.open, &words));
    if r.hovered() {
        ui.painter().rect_filled(rect, 4.0, p.row_hover);
    }
    if r.clicked() {
        group.open = !group.open;
    }
    let caret = if group.open {
        icons::CARET_DOWN
    } else {
        icons::CARET_RIGHT
    };
    let y = rect.center().y;
    icons::paint(
        ui.painter(),
        pos2(rect.left() + 10.0, y),
        caret,
        12.0,
        p.text_faint,
    );
    let tone = tone(group.code);
    icons::paint(
        ui.painter(),
        pos2(rect.left() + 32.0, y),
        tone.icon(),
        16.0,
        tone.color(&p),
    );
    let used = widgets::line(
        ui,
        rect.with_min_x(rect.left() + 52.0),
        Align::Min,
        &words,
        semibold(text::BODY),
        p.text,
    );
    let at = pos2(rect.left() + 52.0 + used + 8.0, y);
    let count = ui.painter().layout_no_wrap(
        say::count(group.items.len()),
        regular(text::CAPTION),
        p.text_dim,
    );
    let pill = Rect::from_min_size(
        pos2(at.x, y - 9.0),
        vec2((count.size().x + 12.0).max(18.0), 18.0),
    );
    ui.painter().rect_filled(pill, 9.0, p.button);
    ui.painter().galley(
        (pill.center() - count.size() / 2.0).round(),
        count,
        p.text_dim,
    );
    if group.code == "I-MISSING-TEXTURE" {
        let corner = Rect::from_min_max(
            pos2(rect.right() - 180.0, rect.top() + 4.0),
            rect.max - vec2(0.0, 4.0),
        );
        let mut corner = ui.new_child(
            UiBuilder::new()
                .max_rect(corner)
                .layout(Layout::right_to_left(Align::Center)),
        );
        if widgets::button(&mut corner, None, "Add textures\u{2026}", Weight::Normal).clicked() {
            actions.push(Action::AddTextures);
            *open = false;
        }
    }
    if !group.open {
        return;
    }
    let listed = if group.whole {
        group.items.len()
    } else {
        LISTED.min(group.items.len())
    };
    for item in &group.items[..listed] {
        item_ui(ui, group.code, item, editor, actions, open);
    }
    if listed < group.items.len() {
        let words = format!("and {} more", say::count(group.items.len() - listed));
        if link(ui, &words, p.accent).clicked() {
            group.whole = true;
        }
    }
}

fn link(ui: &mut Ui, words: &str, ink: Color32) -> egui::Response {
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, words));
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 52.0),
        Align::Min,
        words,
        regular(text::SMALL),
        ink,
    );
    r
}

/// One warning; a press selects and frames its objects, or its face.
fn item_ui(
    ui: &mut Ui,
    code: &'static str,
    item: &Item,
    editor: &Editor,
    actions: &mut Vec<Action>,
    open: &mut bool,
) {
    let p = Palette::of(ui.ctx());
    let (objects, words) = (&item.objects, item.words.as_str());
    let is_alive = |id: &ObjectId| editor.doc().object(*id).is_some();
    let alive = objects.iter().copied().find(is_alive);
    let (rect, r) = ui.allocate_exact_size(
        vec2(ui.available_width(), 24.0),
        if alive.is_some() {
            Sense::click()
        } else {
            Sense::hover()
        },
    );
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, words));
    let mut at = rect.with_min_x(rect.left() + 52.0);
    if let Some(id) = alive {
        if r.hovered() {
            ui.painter().rect_filled(rect, 4.0, p.row_hover);
        }
        let name = match objects.len() {
            1 => editor.object_name(id),
            count => format!("{} objects", say::count(count)),
        };
        let used = widgets::line(ui, at, Align::Min, &name, regular(text::SMALL), p.accent);
        at.min.x += used + 10.0;
    }
    widgets::line(ui, at, Align::Min, words, regular(text::SMALL), p.text_dim);
    let r = r.on_hover_text(words);
    if alive.is_some() && r.clicked() {
        actions.push(match item.face {
            Some(face) => Action::ShowProblem(Issue {
                code,
                severity: Severity::Warning,
                object: alive,
                face: Some(face),
                place: None,
                text: words.to_owned(),
                fix: None,
            }),
            None => Action::Focus(objects.iter().copied().filter(is_alive).collect()),
        });
        *open = false;
    }
}
