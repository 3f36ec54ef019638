//! What the editor asks its window for.

use crate::editor::Place;
use crate::editor::Request;
use crate::editor::StatusKind;
use crate::shell::dialogs::Chooser;
use crate::shell::dialogs::Prompt;
use crate::shell::file_dialog::Purpose;
use crate::shell::frame::After;
use crate::shell::frame::Choosing;
use crate::shell::frame::Naming;
use crate::shell::frame::Shell;
use crate::shell::help;
use crate::shell::import_report::ImportReport;
use crate::shell::layout::Layout;
use crate::shell::layout::Panel;
use crate::shell::palette::Palette as CommandPalette;
use crate::shell::panels;
use crate::shell::replace::Replace;
use crate::shell::shortcuts::Shortcuts;

impl Shell {
    pub(super) fn paste(&mut self, text: &str, place: Place) {
        // A refusal stands in the status line.
        let _ = self.editor.paste(text, place);
    }

    pub(super) fn serve_requests(&mut self, ctx: &egui::Context) {
        for request in self.editor.take_requests() {
            self.serve(ctx, request);
        }
    }

    pub(super) fn serve(&mut self, ctx: &egui::Context, request: Request) {
        match request {
            Request::New => self.guard(After::New),
            Request::Open => self.guard(After::AskOpen),
            Request::OpenPath(path) => self.guard(After::Open(path)),
            Request::ImportPath(path, options) => self.guard(After::Import(path, options)),
            Request::SaveAs { suggested } => self.ask_file(Purpose::SaveMap, Some(&suggested)),
            Request::Export { suggested } => self.ask_file(Purpose::Export, Some(&suggested)),
            Request::ConfirmOverwrite { path } => self.ask_overwrite(path),
            Request::FileChanged { path } => self.ask_changed(path),
            Request::Close => self.guard(After::CloseMap),
            Request::Quit => self.guard(After::Quit),
            Request::CopyText(text) => ctx.copy_text(text),
            Request::PasteText(place) => match self.pasted.take() {
                Some(text) => self.paste(&text, place),
                None => {
                    self.pending_paste = Some(place);
                    ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
                }
            },
            Request::ContextMenu { pane, at } => {
                if let Some(place) = self.panels.views.in_window(pane, at) {
                    self.context_menu = Some(panels::context::ContextMenu::new(place));
                }
            }
            Request::ListUnder { pane, at } => {
                let rows = self.editor.under(pane, at);
                if rows.is_empty() {
                    self.editor
                        .say(StatusKind::Refused, "There is nothing under the pointer");
                } else if let Some(place) = self.panels.views.in_window(pane, at) {
                    self.under_list = Some(panels::under::UnderList::new(place, rows));
                }
            }
            Request::NameGroup { group, now } => {
                self.prompt = Some((
                    Prompt::new("Name of the group", now, "Name"),
                    Naming::Group(group),
                ));
            }
            Request::ChooseBrushClass => {
                let rows = self
                    .classes
                    .brush
                    .iter()
                    .map(|class| {
                        let known = self.editor.definitions().find(class);
                        let about =
                            known.map_or_else(String::new, |known| known.description.clone());
                        (class.clone(), about)
                    })
                    .collect();
                self.chooser = Some((
                    Chooser::new("Tie to entity", rows, true),
                    Choosing::BrushClass,
                ));
            }
            Request::ChooseLayer => self.choose_layer(),
            Request::ReplaceMaterial => self.replace = Some(Replace::new(&self.editor, None)),
            Request::CommandPalette => self.palette = Some(CommandPalette::new()),
            Request::Help => self.help = Some(help::Help::new(help::Kind::Keys)),
            Request::Shortcuts => self.shortcuts = Some(Shortcuts::new()),
            Request::About => self.help = Some(help::Help::new(help::Kind::About)),
            Request::ShowPanel(panel) => self.show_panel(panel),
            Request::NextDock => self.step_dock(true),
            Request::PreviousDock => self.step_dock(false),
            Request::ReloadMaterials => {
                self.refresh_sources();
                self.editor
                    .say(StatusKind::Info, "Looking for textures again");
            }
            // The editor has read them and said so; lists follow in the next frame.
            Request::ReloadDefinitions => ctx.request_repaint(),
        }
    }

    pub(super) fn show_panel(&mut self, panel: crate::editor::Panel) {
        use crate::editor::Panel as Wanted;
        let panel = match panel {
            Wanted::Outliner => Panel::Outliner,
            Wanted::Find => {
                self.panels.find.take_keyboard();
                Panel::Find
            }
            Wanted::History => Panel::History,
            Wanted::Cameras => Panel::Cameras,
            Wanted::Layers => Panel::Layers,
            Wanted::Map => Panel::Map,
            Wanted::Entity => Panel::Entity,
            Wanted::Face => Panel::Face,
            Wanted::Materials => Panel::Materials,
            Wanted::Problems => Panel::Problems,
            Wanted::Log => Panel::Log,
            Wanted::ImportReport => {
                self.report = ImportReport::of_editor(&self.editor);
                if self.report.is_none() {
                    self.editor.say(
                        StatusKind::Info,
                        "This map was not imported, so there is no report",
                    );
                }
                return;
            }
            Wanted::All => {
                self.layout = Layout::default();
                return;
            }
        };
        self.layout.show(panel);
        self.keyboard = panel;
    }

    pub(super) fn step_dock(&mut self, forth: bool) {
        let ring = [
            Panel::Outliner,
            Panel::Views,
            Panel::Entity,
            Panel::Face,
            Panel::Materials,
        ];
        let at = ring
            .iter()
            .position(|panel| *panel == self.keyboard)
            .unwrap_or(1);
        let next = if forth {
            (at + 1) % ring.len()
        } else {
            (at + ring.len() - 1) % ring.len()
        };
        self.keyboard = ring[next];
        self.panels.views.tab_walks = self.keyboard != Panel::Views;
        self.layout.show(self.keyboard);
    }

    pub(super) fn choose_layer(&mut self) {
        let mut layers = vec![("Default layer".to_owned(), None)];
        for (id, layer) in self.editor.doc().layers() {
            if layer.kind == crate::document::LayerKind::Layer {
                layers.push((layer.name.clone(), Some(id)));
            }
        }
        let rows = layers
            .iter()
            .map(|(name, _)| (name.clone(), String::new()))
            .collect();
        self.chooser = Some((
            Chooser::new("Move to layer", rows, false),
            Choosing::Layer(layers),
        ));
    }
}
