//! The problems panel (ISS-1, RUN-2): what is wrong with the map, where, and how to mend it.

use egui::Align;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::document::Severity;
use crate::editor::Problem;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::toasts::Tone;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

#[derive(Default)]
pub struct ProblemsState {
    search: String,
    /// 0 all, 1 errors, 2 warnings, 3 ignored.
    filter: usize,
    current: Option<String>,
}

const ROW: f32 = 40.0;

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Error,
        Severity::Warning => Tone::Warning,
        Severity::Note => Tone::Info,
    }
}

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut ProblemsState, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let problems = cx.editor.problems();
    let live = |severity: Severity| {
        problems
            .iter()
            .filter(|problem| !problem.ignored && problem.issue.severity == severity)
            .count()
    };
    let (errors, warnings) = (live(Severity::Error), live(Severity::Warning));
    let all = problems.iter().filter(|problem| !problem.ignored).count();
    let ignored = problems.len() - all;
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), size::FIELD),
                Layout::left_to_right(Align::Center),
                |ui| {
                    let names = [
                        format!("All {all}"),
                        format!("Errors {errors}"),
                        format!("Warnings {warnings}"),
                        format!("Ignored {ignored}"),
                    ];
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    widgets::segmented(ui, "Show", &names, &mut state.filter);
                    let width = 180.0_f32.min(ui.available_width());
                    widgets::search_field(ui, &mut state.search, "Find problem", width);
                },
            );
        });
    let wanted = state.search.to_lowercase();
    let shown: Vec<&Problem> = problems
        .iter()
        .filter(|problem| match state.filter {
            1 => !problem.ignored && problem.issue.severity == Severity::Error,
            2 => !problem.ignored && problem.issue.severity == Severity::Warning,
            3 => problem.ignored,
            _ => !problem.ignored,
        })
        .filter(|problem| problem.issue.text.to_lowercase().contains(&wanted))
        .collect();
    if shown.is_empty() {
        if problems.is_empty() {
            let checked =
                crate::shell::say::counted(cx.editor.doc().object_count(), "object", "objects");
            widgets::empty_state(ui, icons::OK, "No problems", &format!("Checked {checked}"));
        } else {
            widgets::empty_state(
                ui,
                icons::FILTER,
                "Nothing to show",
                "Other problems are filtered out",
            );
        }
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("problems")
        .show_rows(ui, ROW, shown.len(), |ui, range| {
            for (index, problem) in range.clone().zip(&shown[range]) {
                row(ui, state, cx, index, problem, actions);
            }
        });
}

fn row(
    ui: &mut Ui,
    state: &mut ProblemsState,
    cx: &Cx<'_>,
    index: usize,
    problem: &Problem,
    actions: &mut Vec<Action>,
) {
    let p = Palette::of(ui.ctx());
    let issue = &problem.issue;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let r = ui.interact(rect, egui::Id::unique(("problem", index)), Sense::click());
    let key = format!("{} {:?}", Problem::key(issue), issue.face);
    let selected = state.current.as_deref() == Some(&*key);
    r.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, selected, &issue.text)
    });
    if selected || ui.rect_contains_pointer(rect) {
        ui.painter().rect_filled(
            rect,
            0.0,
            if selected { p.accent_soft } else { p.row_hover },
        );
    }
    let look = tone(issue.severity);
    icons::paint(
        ui.painter(),
        pos2(rect.left() + 18.0, rect.center().y),
        look.icon(),
        size::ICON,
        look.color(&p),
    );
    let mut tools = ui.new_child(
        UiBuilder::new()
            .max_rect(rect.shrink2(vec2(8.0, 6.0)))
            .layout(Layout::right_to_left(Align::Center))
            .id_salt(index),
    );
    let (icon, words) = if problem.ignored {
        (icons::EYE, "Show again")
    } else {
        (icons::EYE_SLASH, "Ignore")
    };
    if widgets::icon_button(&mut tools, icon, &format!("{words}: {}", issue.text), false).clicked()
    {
        actions.push(Action::Ignore(issue.clone(), !problem.ignored));
    }
    if let Some(fix) = &issue.fix
        && widgets::button(&mut tools, Some(icons::FIX), fix.label, Weight::Normal).clicked()
    {
        actions.push(Action::Fix(issue.clone()));
    }
    let end = tools.min_rect().left() - 8.0;
    let (title, detail) = halves(&issue.text);
    let at = issue
        .object
        .map(|id| cx.editor.object_name(id))
        .unwrap_or_default();
    let place = issue
        .place
        .map(|at| format!("near {}", at.to_array().map(widgets::shortest).join(", ")));
    let note = [detail, at, place.unwrap_or_default()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" \u{b7} ");
    let words = Rect::from_min_max(
        pos2(rect.left() + 36.0, rect.top() + 4.0),
        pos2(end, rect.top() + 20.0),
    );
    let ink = if selected { p.on_soft } else { p.text };
    let faint = if selected {
        p.on_soft.gamma_multiply(0.8)
    } else {
        p.text_dim
    };
    widgets::line(ui, words, Align::Min, &title, regular(text::BODY), ink);
    widgets::line(
        ui,
        words.translate(vec2(0.0, 16.0)),
        Align::Min,
        &note,
        regular(text::SMALL),
        faint,
    );
    if r.clicked() {
        state.current = Some(key);
        actions.push(Action::ShowProblem(issue.clone()));
    }
}

/// What, and the rest of the sentence.
fn halves(sentence: &str) -> (String, String) {
    match sentence
        .split_once("; ")
        .or_else(|| sentence.split_once(": "))
    {
        Some((what, rest)) => (what.to_owned(), rest.to_owned()),
        None => (sentence.to_owned(), String::new()),
    }
}
