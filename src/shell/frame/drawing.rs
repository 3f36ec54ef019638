//! What stands in the window: bars, docks and toasts.

use egui::Align;
use egui::Rect;
use egui::Sense;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use crate::editor::StatusKind;
use crate::shell::frame::Action;
use crate::shell::frame::Opened;
use crate::shell::frame::Shell;
use crate::shell::frame::split_sentence;
use crate::shell::layout::DockCx;
use crate::shell::layout::Layout;
use crate::shell::layout::Panel;
use crate::shell::menu;
use crate::shell::panels;
use crate::shell::say;
use crate::shell::start;
use crate::shell::status;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::toasts::Tone;
use crate::shell::toolbar;
use crate::shell::widgets;

impl Shell {
    pub(super) fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let p = Palette::of(ui.ctx());
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, 0.0, p.base);
        let cut = |from: f32, to: f32| {
            Rect::from_min_max(pos2(whole.left(), from), pos2(whole.right(), to))
        };
        let menu_bar = cut(whole.top(), whole.top() + size::MENU_BAR);
        let status_bar = cut(whole.bottom() - size::STATUS_BAR, whole.bottom());
        let part = |ui: &mut Ui, rect: Rect, name: &str| {
            ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name))
        };
        menu::ui(
            &mut part(ui, menu_bar, "menu bar"),
            &self.editor,
            self.start_screen,
            actions,
        );
        if self.start_screen {
            let middle = cut(menu_bar.bottom(), status_bar.top());
            let opening = self
                .opening
                .as_ref()
                .map(|opening| (opening.path.as_path(), opening.progress.get()));
            start::ui(
                &mut part(ui, middle, "start"),
                &mut self.panels.start,
                &self.editor.settings.recent,
                &self.offers,
                opening,
                actions,
            );
            start::status_ui(&mut part(ui, status_bar, "status bar"));
            return;
        }
        let tool_bar = cut(menu_bar.bottom(), menu_bar.bottom() + size::TOOL_BAR);
        let dock = cut(tool_bar.bottom(), status_bar.top());
        let toolbar_cx = toolbar::ToolbarCx {
            editor: &self.editor,
            library: &self.library,
            thumbs: &mut self.thumbs,
            classes: &self.classes.point,
        };
        toolbar::ui(&mut part(ui, tool_bar, "tool bar"), toolbar_cx, actions);
        let opening = self
            .opening
            .as_ref()
            .map(|opening| (say::file_name(&opening.path), opening.progress.get().1));
        status::ui(
            &mut part(ui, status_bar, "status bar"),
            &self.editor,
            opening,
            actions,
        );
        self.draw_dock(&mut part(ui, dock, "dock"), actions);
        self.draw_opening(ui);
    }

    /// While a map is read: its name and how far it is, in the middle of the views.
    fn draw_opening(&self, ui: &mut Ui) {
        let Some(opening) = &self.opening else {
            return;
        };
        if !matches!(opening.how, Opened::Map | Opened::Recovered(_)) {
            return;
        }
        let p = Palette::of(ui.ctx());
        let (stage, share) = opening.progress.get();
        let title = format!("Opening {}\u{2026}", say::file_name(&opening.path));
        let area = self.panels.views.area.unwrap_or(ui.max_rect());
        let card = Rect::from_center_size(area.center().round(), vec2(304.0, 84.0));
        let mut ui = ui.new_child(UiBuilder::new().max_rect(card).id_salt("opening"));
        let stroke = Stroke::new(1.0, p.line_strong);
        ui.painter()
            .rect(card, 6.0, p.popup, stroke, StrokeKind::Inside);
        let row =
            |y: f32| Rect::from_min_size(card.min + vec2(16.0, y), vec2(card.width() - 32.0, 18.0));
        let font = semibold(text::BODY);
        widgets::line(&ui, row(12.0), Align::Min, &title, font, p.text);
        let font = regular(text::SMALL);
        widgets::line(&ui, row(31.0), Align::Min, stage, font, p.text_dim);
        let mut bar = ui.new_child(UiBuilder::new().max_rect(row(54.0)));
        widgets::progress(&mut bar, Some(share), card.width() - 32.0);
        let r = ui.interact(card, ui.scope_id().with("opening"), Sense::hover());
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &title));
    }

    pub(super) fn draw_dock(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let p = Palette::of(ui.ctx());
        let problems = self.editor.problem_count();
        let count = |panel: Panel| {
            (panel == Panel::Problems && problems > 0).then_some((problems, p.warning))
        };
        let keyboard = self.keyboard;
        let reply = {
            let (editor, library) = (&self.editor, &mut self.library);
            let (panels, thumbs, gpu) = (&mut self.panels, &mut self.thumbs, &mut self.gpu);
            let classes = &self.classes;
            let mut draw = |ui: &mut Ui, panel: Panel| {
                let mut cx = panels::Cx {
                    editor,
                    library,
                    thumbs,
                    classes,
                    has_keyboard: keyboard == panel,
                };
                match panel {
                    Panel::Views => {
                        let gpu = gpu.as_mut();
                        panels::views::ui(
                            ui,
                            &mut panels.views,
                            panels::views::ViewsCx {
                                editor,
                                gpu,
                                has_keyboard: keyboard == Panel::Views,
                            },
                            actions,
                        );
                    }
                    Panel::Outliner => panels::outliner::ui(ui, &mut panels.outliner, &cx, actions),
                    Panel::Find => panels::find::ui(ui, &mut panels.find, &cx, actions),
                    Panel::Cameras => panels::cameras::ui(ui, &cx, actions),
                    Panel::Layers => panels::layers::ui(ui, &cx, actions),
                    Panel::Entity => panels::inspector::ui(ui, &mut panels.inspector, &cx, actions),
                    Panel::Map => panels::map::ui(ui, &cx, actions),
                    Panel::History => panels::history::ui(ui, &cx, actions),
                    Panel::Face => panels::face::ui(ui, &mut panels.uv, &mut cx, actions),
                    Panel::Materials => {
                        panels::materials::ui(ui, &mut panels.materials, &mut cx, actions);
                    }
                    Panel::Entities => panels::entities::ui(ui, &mut panels.entities, &cx, actions),
                    Panel::Problems => panels::problems::ui(ui, &mut panels.problems, &cx, actions),
                    Panel::Log => panels::log::ui(ui, &mut panels.log),
                }
            };
            self.layout.ui(
                ui,
                DockCx {
                    draw: &mut draw,
                    count: &count,
                    keyboard,
                },
            )
        };
        if let Some(panel) = reply.pressed {
            self.keyboard = panel;
        }
        if reply.reset {
            self.layout = Layout::default();
        }
        if reply.changed || reply.reset {
            self.editor.settings.docks = self.layout.store();
        }
    }

    pub(super) fn toasts(&mut self, ui: &mut Ui) {
        // Sentences about failures are toasts as well; the status line forgets them.
        if let Some(said) = self.editor.status()
            && said.since_s != self.said_s
        {
            self.said_s = said.since_s;
            if said.kind == StatusKind::Error {
                tracing::error!("{}", said.text);
                let (title, detail) = split_sentence(&said.text);
                self.toasts.add(Tone::Error, title, detail);
            }
        }
        let over = self.panels.views.area.unwrap_or(ui.max_rect());
        self.toasts.ui(ui, over);
    }
}
