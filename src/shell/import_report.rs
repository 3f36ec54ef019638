//! What an import has to say: four numbers, then everything worth a look by kind, each item a link to its object.

use std::collections::BTreeMap;

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

use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::editor::Editor;
use crate::editor::jobs::OpenedMap;
use crate::formats::Report;
use crate::shell::dialogs;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::text;
use crate::shell::toasts::Tone;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// Items of one kind that are listed before "and 17 more".
const LISTED: usize = 5;

/// Warnings of one kind.
struct Group {
    code: &'static str,
    items: Vec<(Option<ObjectId>, String)>,
    open: bool,
    /// All items are listed.
    whole: bool,
}

/// The open report.
pub struct ImportReport {
    name: String,
    sentence: String,
    /// Number, what, what happened to them.
    counts: [(usize, &'static str, String); 4],
    groups: Vec<Group>,
    is_foreign: bool,
    text: String,
}

fn count_kinds(doc: &Document) -> [usize; 3] {
    let mut counts = [0; 3];
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                counts[0] += 1;
                counts[1] += brush.faces().len();
            }
            Kind::Mesh(mesh) => {
                counts[0] += 1;
                counts[1] += mesh.polygons.len();
            }
            Kind::Entity(_) => counts[2] += 1,
            Kind::Group(_) => {}
        }
    }
    counts
}

/// How many faces need axes of their own.
fn exact_axes(doc: &Document) -> String {
    let of = |object: &crate::document::Object| {
        object.brush().map_or(0, |brush| {
            brush
                .faces()
                .iter()
                .filter(|face| face.axes.is_some())
                .count()
        })
    };
    let count: usize = doc.objects().map(|(_, object)| of(object)).sum();
    if count == 0 {
        String::new()
    } else {
        format!("{} aligned by axes", say::count(count))
    }
}

/// Heading and weight of each kind that importers know.
const KINDS: &[(&str, &str, Tone)] = &[
    ("I-MISSING-TEXTURE", "Textures not found", Tone::Warning),
    (
        "I-BROKEN-BRUSH",
        "Broken brushes, kept as they are",
        Tone::Error,
    ),
    (
        "I-BROKEN-PREFAB",
        "Prefabs that cannot be read",
        Tone::Error,
    ),
    ("I-CUT-SHORT", "The file ends too early", Tone::Error),
    ("I-NOT-FINITE", "Numbers that are none", Tone::Warning),
    ("I-BAD-NUMBER", "Numbers that cannot be read", Tone::Warning),
    (
        "I-OFF-CONVEX",
        "Brushes that are not quite convex",
        Tone::Warning,
    ),
    ("I-DEGENERATE-FACE", "Faces without area", Tone::Warning),
    (
        "I-FLIPPED-FACE",
        "Faces turned the right way round",
        Tone::Info,
    ),
    (
        "I-EMPTY-SOLID",
        "Solids without faces, left out",
        Tone::Warning,
    ),
    (
        "I-EMPTY-BRUSH-ENTITY",
        "Brush entities without brushes",
        Tone::Warning,
    ),
    (
        "I-MIXED-CONTENTS",
        "Brushes of mixed contents",
        Tone::Warning,
    ),
    ("I-NESTED-ENTITY", "Entities inside entities", Tone::Warning),
    ("I-DUPLICATE-KEY", "Keys that stand twice", Tone::Warning),
    ("I-EMPTY-KEY", "Keys without a name", Tone::Warning),
    ("I-FIELD-KEY", "Keys taken over as fields", Tone::Info),
    ("I-SPAWNFLAGS", "Spawn flags", Tone::Info),
    (
        "I-ORIGIN-BRUSH",
        "Origin brushes turned into origins",
        Tone::Info,
    ),
    ("I-NEW-SUN", "Suns made from light_environment", Tone::Info),
    ("I-PATH", "Paths", Tone::Info),
    ("I-PREFAB", "Prefabs", Tone::Info),
    ("I-VISGROUP", "Visgroups", Tone::Info),
    (
        "I-DROPPED-COLOR",
        "Colours of objects, not kept",
        Tone::Info,
    ),
    (
        "I-DROPPED-FACE-FLAGS",
        "Flags of faces, not kept",
        Tone::Info,
    ),
    ("I-TRAILING-BYTES", "Bytes behind the end", Tone::Info),
];

/// A heading for a code; codes of rules that have none are shown as they are.
fn heading(code: &str) -> String {
    let found = KINDS.iter().find(|(known, ..)| *known == code);
    found.map_or_else(|| code.to_owned(), |(_, words, _)| (*words).to_owned())
}

fn tone(code: &str) -> Tone {
    if let Some((_, _, tone)) = KINDS.iter().find(|(known, ..)| *known == code) {
        return *tone;
    }
    match code.as_bytes().first() {
        Some(b'E') => Tone::Error,
        Some(b'W') => Tone::Warning,
        _ => Tone::Info,
    }
}

impl ImportReport {
    /// Of a map that was just read; `None` when the file is one of ours without anything to say.
    #[must_use]
    pub fn new(map: &OpenedMap) -> Option<Self> {
        let is_foreign = map.opened.format != "hmap";
        let imported = &map.opened.imported;
        if !is_foreign && imported.report.warnings.is_empty() {
            return None;
        }
        let name = say::file_name(&map.path);
        Some(Self::build(
            name,
            &imported.doc,
            &imported.report,
            is_foreign,
            Some(map.opened.bytes),
        ))
    }

    /// Of the open map, to look at it again; `None` when there was nothing to report.
    #[must_use]
    pub fn of_editor(editor: &Editor) -> Option<Self> {
        let is_foreign = editor.file.imported_from.is_some();
        if !is_foreign && editor.report.warnings.is_empty() {
            return None;
        }
        let name = editor
            .file
            .imported_from
            .as_deref()
            .map_or_else(|| editor.name(), say::file_name);
        Some(Self::build(
            name,
            editor.doc(),
            &editor.report,
            is_foreign,
            None,
        ))
    }

    fn build(
        name: String,
        doc: &Document,
        report: &Report,
        is_foreign: bool,
        bytes: Option<u64>,
    ) -> Self {
        let mut groups: BTreeMap<&'static str, Vec<(Option<ObjectId>, String)>> = BTreeMap::new();
        for warning in &report.warnings {
            groups
                .entry(warning.kind.code)
                .or_default()
                .push((warning.object, warning.kind.text.clone()));
        }
        let many = report.warnings.len();
        let format = match (report.format, report.version.as_str()) {
            ("", _) => String::new(),
            (format, "") => format.to_uppercase(),
            (format, version) => format!("{} {version}", format.to_uppercase()),
        };
        let size = bytes.map(say::bytes);
        let head = [Some(format).filter(|format| !format.is_empty()), size]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ");
        let verdict = if many == 0 {
            "Everything was carried over.".to_owned()
        } else {
            format!(
                "{} worth a look.",
                say::counted(many, "thing is", "things are")
            )
        };
        let [brushes, faces, entities] = count_kinds(doc);
        let note = |parts: &[&str], words: &str| {
            let n: usize = groups
                .iter()
                .filter(|(code, _)| parts.iter().any(|part| code.contains(part)))
                .map(|(_, items)| items.len())
                .sum();
            if n == 0 {
                String::new()
            } else {
                format!("{} {words}", say::count(n))
            }
        };
        let counts = [
            (
                brushes,
                "brushes",
                note(&["CONVEX", "BROKEN-BRUSH", "EMPTY-SOLID"], "worth a look"),
            ),
            (faces, "faces", exact_axes(doc)),
            (
                entities,
                "entities",
                note(
                    &["SUN", "NESTED-ENTITY", "EMPTY-BRUSH-ENTITY"],
                    "worth a look",
                ),
            ),
            (
                doc.material_count(),
                "materials",
                note(&["TEXTURE"], "not found"),
            ),
        ];
        let text = report
            .warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.kind.code, warning.kind.text))
            .collect::<Vec<_>>()
            .join("\n");
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|(code, items)| Group {
                code,
                items,
                open: false,
                whole: false,
            })
            .collect();
        groups.sort_by_key(|group| (tone(group.code) as u8, group.code));
        if let Some(first) = groups.first_mut() {
            first.open = true;
        }
        Self {
            sentence: if head.is_empty() {
                verdict
            } else {
                format!("{head}. {verdict}")
            },
            name,
            counts,
            groups,
            is_foreign,
            text,
        }
    }

    /// False when a short message says it all.
    #[must_use]
    pub fn is_worth_a_look(&self) -> bool {
        !self.groups.is_empty()
    }

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
        let verb = if self.is_foreign { "Imported" } else { "Read" };
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
    if group.code.contains("TEXTURE") {
        let corner = Rect::from_min_max(
            pos2(rect.right() - 180.0, rect.top() + 4.0),
            rect.max - vec2(0.0, 4.0),
        );
        let mut corner = ui.new_child(
            UiBuilder::new()
                .max_rect(corner)
                .layout(Layout::right_to_left(Align::Center)),
        );
        if widgets::button(
            &mut corner,
            None,
            "Add folder or WAD\u{2026}",
            Weight::Normal,
        )
        .clicked()
        {
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
    for (object, words) in &group.items[..listed] {
        item_ui(ui, *object, words, editor, actions, open);
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

/// One warning; a press selects and frames its object.
fn item_ui(
    ui: &mut Ui,
    object: Option<ObjectId>,
    words: &str,
    editor: &Editor,
    actions: &mut Vec<Action>,
    open: &mut bool,
) {
    let p = Palette::of(ui.ctx());
    let alive = object.filter(|&id| editor.doc().object(id).is_some());
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
        let used = widgets::line(
            ui,
            at,
            Align::Min,
            &editor.object_name(id),
            regular(text::SMALL),
            p.accent,
        );
        at.min.x += used + 10.0;
    }
    widgets::line(ui, at, Align::Min, words, regular(text::SMALL), p.text_dim);
    let r = r.on_hover_text(words);
    if let Some(id) = alive
        && r.clicked()
    {
        actions.push(Action::Focus(id));
        *open = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_gathered_by_kind_and_errors_come_first() {
        let mut report = Report {
            format: "rmf",
            version: "2.2".to_owned(),
            ..Report::default()
        };
        report.warn("I-NEW-SUN", None, None, "light became light");
        report.warn(
            "I-MISSING-TEXTURE",
            None,
            ObjectId::new(7),
            "BRICK was not found",
        );
        report.warn("I-MISSING-TEXTURE", None, None, "ROOF was not found");
        let report = ImportReport::build(
            "a.rmf".to_owned(),
            &Document::default(),
            &report,
            true,
            Some(4_100_000),
        );
        assert_eq!(
            report.sentence,
            "RMF 2.2, 4.1 MB. 3 things are worth a look."
        );
        let codes: Vec<_> = report
            .groups
            .iter()
            .map(|group| (group.code, group.items.len()))
            .collect();
        assert_eq!(codes, [("I-MISSING-TEXTURE", 2), ("I-NEW-SUN", 1)]);
        assert_eq!(report.counts[3].2, "2 not found");
        assert!(report.is_worth_a_look());
    }
}
