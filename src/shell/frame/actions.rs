//! Everything that panels, bars and dialogs can ask for, and the one place where it is carried out.

use std::path::Path;
use std::path::PathBuf;

use glam::DVec2;

use crate::document::Edit;
use crate::document::EditError;
use crate::document::Issue;
use crate::document::LayerId;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::texture::Align;
use crate::document::ops::texture::Cycle;
use crate::editor::Command;
use crate::editor::Editor;
use crate::editor::KeyPreset;
use crate::editor::RenderMode;
use crate::editor::StatusKind;
use crate::editor::Toggle;
use crate::editor::ToolKind;
use crate::editor::ViewKind;
use crate::editor::input::Chord;
use crate::editor::input::Input;
use crate::editor::outlining::RowTarget;
use crate::editor::placing::DropScope;
use crate::editor::recovery;
use crate::editor::recovery::Offer;
use crate::editor::texturing::ReplaceScope;
use crate::editor::tools::options::OptionValue;
use crate::editor::uv_view::UvInput;
use crate::geometry::Aabb;
use crate::shell::dialogs::Prompt;
use crate::shell::file_dialog::Purpose;
use crate::shell::frame::After;
use crate::shell::frame::Naming;
use crate::shell::frame::Opened;
use crate::shell::frame::Shell;
use crate::shell::layout::Panel;
use crate::shell::palette::Palette as CommandPalette;
use crate::shell::replace::Replace;
use crate::shell::shortcuts::Shortcuts;
use crate::shell::toasts::Tone;

/// A setting that a panel or menu changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingChange {
    Theme(&'static str),
    Scale(f64),
    BuildOnSave(bool),
    Autosave(bool),
    InvertY(bool),
    Link2d(bool),
}

/// What a panel, bar or dialog asks for.
pub enum Action {
    Run(&'static Command),
    Preview(Edit),
    /// Show a material on the selection while its picture is hovered; `None` takes it off again (TEX-2).
    TryMaterial(Option<Material>),
    Commit(Edit),
    Cancel,
    Select(Selection),
    /// A row of the list under the pointer was clicked, with `Ctrl` or not (SEL-4).
    TakeRow(ObjectId, bool),
    /// Outline this in the views, or nothing.
    PointOut(Option<ObjectId>),
    /// Select and bring into view.
    Focus(Vec<ObjectId>),
    Input(usize, Input),
    FieldKey(Chord),
    PaneSize(usize, DVec2, f64),
    SetKind(usize, ViewKind),
    SetMode(usize, RenderMode),
    Maximise(Option<usize>),
    Split(f64, f64),
    Tool(ToolKind),
    /// An option of the tool in hand.
    ToolOption(&'static str, OptionValue),
    EntityClass(String),
    Grid(f64),
    Build,
    StopBuild,
    Walk,
    Hide(ObjectId, bool),
    Lock(ObjectId, bool),
    HideLayer(LayerId, bool),
    LockLayer(LayerId, bool),
    CurrentLayer(Option<LayerId>),
    RenameLayer(LayerId),
    /// Make it current, and put it onto the selection.
    Material(Material),
    /// Make it current only.
    CurrentMaterial(Material),
    /// Select the faces that show it.
    SelectUsing(MaterialId),
    /// Ask what to put in its place.
    ReplaceMaterial(Option<String>),
    /// TEX-10: every face of the scope with the first gets the second.
    Replace(Option<MaterialId>, Material, ReplaceScope),
    /// Carried over the window: what is there shows it.
    CarryMaterial(Material, egui::Pos2, egui::Modifiers),
    /// Let go over the window: what is there gets it.
    DropMaterial(Material, egui::Pos2, egui::Modifiers),
    DropEntity(String, egui::Pos2),
    SelectFound(Vec<Pick>),
    FrameFound(Pick),
    GoToCamera(usize),
    StoreCamera(u8),
    RenameCamera(usize, String),
    RemoveCamera(usize),
    ShowProblem(Issue),
    Fix(Issue),
    Ignore(Issue, bool),
    /// Brings textures into line (TEX-6).
    Align(Align, Cycle),
    /// What happened in the UV view.
    Uv(UvInput),
    /// Back or forth until so many steps are done (HIST-1).
    GoToStep(usize),
    /// Rows of the outliner were let go on another one (SEL-11).
    MoveRows(Vec<ObjectId>, RowTarget),
    Show(Panel),
    Palette,
    OpenPath(PathBuf),
    OpenSample,
    AskOpen,
    NewMap,
    AddTextures,
    AddDefinitions,
    /// A file of definitions is left out from now on.
    ForgetDefinitions(PathBuf),
    Turn(usize, Toggle),
    Save,
    Recover(Offer),
    Discard(Offer),
    CopyText(String),
    Set(SettingChange),
    /// Which set of keys and of habits of the pointer.
    KeyPreset(KeyPreset),
    /// The keys of one command; `None` = those of the set.
    SetKeys(&'static str, Option<Vec<Chord>>),
    ResetKeys,
    /// Ask for keys of this command.
    AskKeys(&'static Command),
}

impl Shell {
    /// The one place where something happens.
    pub(super) fn carry_out(&mut self, ctx: &egui::Context, now_s: f64, actions: Vec<Action>) {
        for action in actions {
            self.act(ctx, now_s, action);
        }
    }

    fn act(&mut self, ctx: &egui::Context, now_s: f64, action: Action) {
        let editor = &mut self.editor;
        // Refusals of edits and commands stand in the status line already, so their errors are dropped here.
        match action {
            Action::Run(command) => drop(editor.run_command(command)),
            Action::Preview(edit) => drop(editor.preview(&edit)),
            Action::TryMaterial(material) => editor.preview_material(material),
            Action::Commit(edit) => drop(editor.commit(&edit)),
            Action::Cancel => editor.cancel(),
            Action::Select(selection) => editor.select(selection),
            Action::TakeRow(id, toggle) => editor.take_row(id, toggle),
            Action::PointOut(id) => editor.point_out(id),
            Action::Focus(ids) => focus(editor, &ids),
            Action::Input(pane, input) => editor.input(now_s, pane, input),
            Action::FieldKey(chord) => drop(editor.field_key(chord)),
            Action::PaneSize(pane, size, pixels) => editor.set_pane_size(pane, size, pixels),
            Action::SetKind(pane, kind) => editor.set_kind(pane, kind),
            Action::SetMode(pane, mode) => editor.views[pane].mode = mode,
            Action::Maximise(pane) => editor.layout.maximised = pane,
            Action::Split(x, y) => {
                editor.layout.split_x = x.clamp(0.1, 0.9);
                editor.layout.split_y = y.clamp(0.1, 0.9);
            }
            Action::Tool(tool) => editor.set_tool(tool),
            Action::ToolOption(id, value) => editor.set_tool_option(id, value),
            Action::EntityClass(class) => {
                editor.set_entity_class(class);
                editor.set_tool(ToolKind::Entity);
            }
            Action::Grid(step) => editor.set_grid(step),
            Action::Build => editor.build(),
            Action::StopBuild => drop(editor.run("map.cancel_build")),
            Action::Walk => drop(editor.run("map.walk")),
            Action::Hide(id, hidden) => editor.set_hidden(id, hidden),
            Action::Lock(id, locked) => editor.set_locked(id, locked),
            Action::HideLayer(id, hidden) => editor.set_layer_hidden(id, hidden),
            Action::LockLayer(id, locked) => editor.set_layer_locked(id, locked),
            Action::CurrentLayer(layer) => editor.look.current_layer = layer,
            Action::RenameLayer(id) => {
                if let Some(layer) = editor.doc().layer(id) {
                    self.prompt = Some((
                        Prompt::new("Name of the layer", layer.name.clone(), "Rename"),
                        Naming::Layer(id),
                    ));
                }
            }
            Action::Material(material) => drop(editor.apply_material(material)),
            Action::CurrentMaterial(material) => {
                editor.say(
                    StatusKind::Info,
                    format!("{} is now the current material", material.name),
                );
                editor.current_material = Some(material);
            }
            Action::SelectUsing(material) => {
                let faces = editor.faces_showing(material);
                if faces.is_empty() {
                    editor.say(StatusKind::Refused, "No face that can be selected shows it");
                } else {
                    editor.select(faces);
                }
            }
            Action::CarryMaterial(material, at, held) => {
                let shown = self.panels.views.pane_at(at).and_then(|(pane, at)| {
                    editor.drop_edit(material, pane, at, scope_of(held)).ok()
                });
                match shown {
                    Some(edit) => drop(editor.preview(&edit)),
                    None => editor.cancel(),
                }
            }
            Action::DropMaterial(material, at, held) => {
                editor.cancel();
                if let Some((pane, at)) = self.panels.views.pane_at(at)
                    && let Err(error) = editor.drop_material(material, pane, at, scope_of(held))
                {
                    editor.say(StatusKind::Refused, error.to_string());
                }
            }
            Action::DropEntity(class, at) => {
                if let Some((pane, at)) = self.panels.views.pane_at(at) {
                    drop(editor.place_entity(&class, pane, at));
                }
            }
            Action::ReplaceMaterial(name) => {
                self.replace = Some(Replace::new(editor, name.as_deref()));
            }
            Action::Replace(from, to, scope) => drop(editor.replace_material(from, to, scope)),
            Action::SelectFound(picks) => editor.select_found(&picks),
            Action::FrameFound(pick) => editor.frame_found(pick),
            Action::GoToCamera(index) => said(editor, |editor| editor.go_to_camera(index)),
            Action::StoreCamera(number) => said(editor, |editor| editor.store_bookmark(number)),
            Action::RemoveCamera(index) => editor.remove_camera(index),
            Action::RenameCamera(index, name) => {
                let prompt = Prompt::new("Name of the view", name, "Rename");
                self.prompt = Some((prompt, Naming::Camera(index)));
            }
            Action::ShowProblem(issue) => editor.show_problem(&issue),
            Action::Fix(issue) => drop(editor.fix_problem(&issue)),
            Action::Ignore(issue, ignored) => editor.set_ignored(&issue, ignored),
            Action::Align(how, cycle) => drop(editor.align_textures(how, cycle)),
            Action::Uv(input) => editor.uv_input(input),
            Action::GoToStep(done) => {
                editor.go_to_step(done);
            }
            Action::MoveRows(ids, to) => drop(editor.move_rows(&ids, to)),
            Action::Show(panel) => {
                self.layout.show(panel);
                self.keyboard = panel;
            }
            Action::Palette => self.palette = Some(CommandPalette::new()),
            Action::OpenPath(path) => self.guard(After::Open(path)),
            Action::OpenSample => self.open_sample(),
            Action::AskOpen => self.guard(After::AskOpen),
            Action::NewMap => self.guard(After::New),
            Action::AddTextures => self.ask_file(Purpose::AddTextures, None),
            Action::AddDefinitions => self.ask_file(Purpose::AddDefinitions, None),
            Action::ForgetDefinitions(path) => {
                editor.settings.definitions.retain(|old| *old != path);
                self.store_settings();
                self.reload_definitions();
            }
            Action::Turn(pane, what) => editor.turn_shown(pane, what),
            Action::Save => editor.save(),
            Action::Recover(offer) => {
                self.offers.retain(|other| *other != offer);
                self.open(offer.file.clone(), Opened::Recovered(offer.map.clone()));
                recovery::dismiss(&offer);
            }
            Action::Discard(offer) => {
                recovery::dismiss(&offer);
                self.offers.retain(|other| *other != offer);
            }
            Action::CopyText(text) => ctx.copy_text(text),
            Action::KeyPreset(preset) => {
                editor.set_key_preset(preset);
                self.store_settings();
            }
            Action::SetKeys(id, chords) => {
                editor.set_keys(id, chords);
                self.store_settings();
            }
            Action::ResetKeys => {
                editor.reset_keys();
                self.store_settings();
            }
            Action::AskKeys(command) => self.shortcuts = Some(Shortcuts::of(command)),
            Action::Set(change) => self.set(ctx, change),
        }
    }

    fn set(&mut self, ctx: &egui::Context, change: SettingChange) {
        let s = &mut self.editor.settings;
        match change {
            SettingChange::Theme(theme) => theme.clone_into(&mut s.theme),
            SettingChange::Scale(scale) => s.ui_scale = scale,
            SettingChange::BuildOnSave(on) => s.build_on_save = on,
            SettingChange::Autosave(on) => s.autosave = on,
            SettingChange::InvertY(on) => s.invert_y = on,
            SettingChange::Link2d(on) => s.link_2d = on,
        }
        self.apply_look(ctx);
        self.store_settings();
    }

    fn open_sample(&mut self) {
        match sample_map() {
            Some(path) => self.guard(After::Open(path)),
            None => self.toasts.add(
                Tone::Warning,
                "The sample map is not here",
                "It lies in assets/maps beside the program",
            ),
        }
    }
}

/// A refusal goes to the status line.
fn said(editor: &mut Editor, act: impl FnOnce(&mut Editor) -> Result<(), EditError>) {
    if let Err(error) = act(editor) {
        editor.say(StatusKind::Refused, error.to_string());
    }
}

/// TEX-2: what a material that is let go over a view lands on.
fn scope_of(held: egui::Modifiers) -> DropScope {
    match (held.command, held.shift) {
        (true, _) => DropScope::Object,
        (_, true) => DropScope::SameMaterial,
        _ => DropScope::Face,
    }
}

fn focus(editor: &mut Editor, ids: &[ObjectId]) {
    let doc = editor.doc();
    let alive: Vec<ObjectId> = ids
        .iter()
        .copied()
        .filter(|&id| doc.object(id).is_some())
        .collect();
    if alive.is_empty() {
        return;
    }
    let bounds = alive
        .iter()
        .flat_map(|&id| doc.subtree(id))
        .filter_map(|id| doc.object(id))
        .map(Object::bounds)
        .fold(Aabb::EMPTY, Aabb::union);
    editor.select(alive.into_iter().map(Pick::Object).collect::<Selection>());
    if !bounds.is_empty() {
        editor.frame_bounds(bounds);
    }
}

/// The sample map beside the program, or in the project it was built from.
fn sample_map() -> Option<PathBuf> {
    let name = Path::new("assets/maps/courtyard.hmap");
    let program = std::env::current_exe().ok();
    program
        .iter()
        .flat_map(|path| path.ancestors().skip(1))
        .map(|folder| folder.join(name))
        .chain([name.to_owned()])
        .find(|path| path.is_file())
}
