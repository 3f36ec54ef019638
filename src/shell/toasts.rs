//! Short messages at the lower right of the views: they fold repeats, stay while hovered, and leave by themselves.

use egui::Align2;
use egui::Area;
use egui::Color32;
use egui::Id;
use egui::Order;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::shell::icons;
use crate::shell::theme::Palette;
use crate::shell::theme::motion;
use crate::shell::widgets;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Error,
    Warning,
    Success,
    Info,
}

impl Tone {
    #[must_use]
    pub fn icon(self) -> char {
        match self {
            Self::Error => icons::ERROR,
            Self::Warning => icons::WARNING,
            Self::Success => icons::OK,
            Self::Info => icons::INFO,
        }
    }

    #[must_use]
    pub fn color(self, p: &Palette) -> Color32 {
        match self {
            Self::Error => p.error,
            Self::Warning => p.warning,
            Self::Success => p.success,
            Self::Info => p.info,
        }
    }
}

struct Toast {
    tone: Tone,
    title: String,
    detail: String,
    count: u32,
    /// Seconds it still stays; errors stay until closed.
    left: f32,
    id: u64,
}

/// At most this many at once; older ones go first.
const SHOWN: usize = 3;

#[derive(Default)]
pub struct Toasts {
    list: Vec<Toast>,
    made: u64,
}

impl Toasts {
    pub fn add(&mut self, tone: Tone, title: impl Into<String>, detail: impl Into<String>) {
        let (title, detail) = (title.into(), detail.into());
        if let Some(same) = self
            .list
            .iter_mut()
            .find(|toast| toast.title == title && toast.detail == detail)
        {
            same.count += 1;
            same.left = motion::TOAST;
            return;
        }
        if self.list.len() == SHOWN {
            let oldest = self
                .list
                .iter()
                .position(|toast| toast.tone != Tone::Error)
                .unwrap_or(0);
            self.list.remove(oldest);
        }
        self.made += 1;
        self.list.push(Toast {
            tone,
            title,
            detail,
            count: 1,
            left: motion::TOAST,
            id: self.made,
        });
    }

    /// Draws them above the lower right corner of `over`. A press on one closes it.
    pub fn ui(&mut self, ui: &mut Ui, over: Rect) {
        if self.list.is_empty() {
            return;
        }
        let p = Palette::of(ui.ctx());
        let dt = ui.input(|i| i.stable_dt).min(0.5);
        let mut corner = over.right_bottom() - vec2(12.0, 12.0);
        let mut closed = Vec::new();
        let mut next = f32::INFINITY;
        for toast in self.list.iter_mut().rev() {
            let title = if toast.count > 1 {
                format!("{} ({} times)", toast.title, toast.count)
            } else {
                toast.title.clone()
            };
            let area = Area::new(Id::unique(("toast", toast.id)))
                .order(Order::Foreground)
                .pivot(Align2::RIGHT_BOTTOM)
                .fixed_pos(corner)
                .interactable(true)
                .show(ui.ctx(), |ui| {
                    widgets::toast(
                        ui,
                        toast.tone.icon(),
                        toast.tone.color(&p),
                        &title,
                        &toast.detail,
                        None,
                    );
                });
            let response = ui.interact(
                area.response.rect,
                Id::unique(("toast press", toast.id)),
                Sense::click(),
            );
            let hovered = ui
                .input(|i| i.pointer.hover_pos())
                .is_some_and(|at| area.response.rect.contains(at));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Alert, true, &title));
            if hovered && ui.input(|i| i.pointer.any_click()) {
                closed.push(toast.id);
            }
            if toast.tone != Tone::Error && !hovered {
                toast.left -= dt;
                if toast.left <= 0.0 {
                    closed.push(toast.id);
                }
                next = next.min(toast.left.max(0.05));
            }
            corner.y = area.response.rect.top() - 8.0;
        }
        self.list.retain(|toast| !closed.contains(&toast.id));
        if next.is_finite() {
            // Sleeps in between: a message that waits must not keep the program busy.
            ui.ctx().request_repaint_after_secs(next.min(0.45));
        }
    }
}
