//! The command table: everything the user can trigger without arguments is one row. Menus, keys, the palette, the manual and
//! the tests are views of it. A row names the function; the work stands in the module of its subject.

mod camera;
mod clip;
mod compile;
mod csg;
mod edit;
mod entity;
mod extrude;
mod face;
mod file;
mod find;
mod grid;
mod group;
mod habit;
mod help;
mod layer;
mod object;
mod select;
mod shape;
mod texture;
mod toggle;
mod tool;
mod transform;
mod vertex;
mod view;

use crate::document::EditError;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::request::StatusKind;
use crate::editor::tools::ToolKind;

/// One row.
pub struct Command {
    /// Stable: settings and tests use it.
    pub id: &'static str,
    pub label: &'static str,
    /// One sentence, for tooltip and manual.
    pub help: &'static str,
    pub menu: Menu,
    /// Defaults; see [`crate::editor::Keymap`].
    pub keys: &'static [Chord],
    pub when: Context,
    /// Why it cannot run now.
    pub enabled: fn(&Editor) -> Result<(), &'static str>,
    /// Label of the undo step it makes; `None` = not a step.
    pub step: Option<&'static str>,
    /// For rows with a tick.
    pub checked: Option<fn(&Editor) -> bool>,
    /// A held key runs it again and again (nudges, grid, undo).
    pub repeats: bool,
    pub run: fn(&mut Editor) -> Result<(), EditError>,
}

/// A menu of the menu bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MenuTitle {
    File,
    Edit,
    Select,
    Brush,
    Face,
    View,
    Map,
    Help,
    /// Under View: what the view under the pointer shows.
    Shown,
    /// Keys and palette only.
    Hidden,
}

impl MenuTitle {
    /// In the order of the bar.
    pub const BAR: [Self; 8] = [
        Self::File,
        Self::Edit,
        Self::Select,
        Self::Brush,
        Self::Face,
        Self::View,
        Self::Map,
        Self::Help,
    ];

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Select => "Select",
            Self::Brush => "Brush",
            Self::Face => "Face",
            Self::View => "View",
            Self::Map => "Map",
            Self::Help => "Help",
            Self::Shown => "Show",
            Self::Hidden => "",
        }
    }
}

/// Where a command stands: rows of one menu in the order of the table, a line between groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Menu {
    pub title: MenuTitle,
    pub group: u8,
}

impl Menu {
    #[must_use]
    pub const fn new(title: MenuTitle, group: u8) -> Self {
        Self { title, group }
    }

    pub const HIDDEN: Self = Self::new(MenuTitle::Hidden, 0);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewClass {
    Perspective,
    Flat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionClass {
    Nothing,
    Objects,
    Faces,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walking {
    Never,
    Also,
    Only,
}

/// When the keys of a command count (`interactions.md` 0.4). `None` = everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    pub view: Option<ViewClass>,
    pub selection: Option<SelectionClass>,
    pub tool: Option<ToolKind>,
    pub walking: Walking,
    /// Works while a drag runs.
    pub in_drag: bool,
    /// Works while a text field has the keyboard.
    pub in_field: bool,
}

impl Context {
    pub const GLOBAL: Self = Self {
        view: None,
        selection: None,
        tool: None,
        walking: Walking::Never,
        in_drag: false,
        in_field: false,
    };
    /// Also while typing and walking: files, function keys.
    pub const ALWAYS: Self = Self {
        walking: Walking::Also,
        in_field: true,
        ..Self::GLOBAL
    };
    pub const OBJECTS: Self = Self {
        selection: Some(SelectionClass::Objects),
        ..Self::GLOBAL
    };
    pub const FACES: Self = Self {
        selection: Some(SelectionClass::Faces),
        ..Self::GLOBAL
    };

    /// While this tool is in hand.
    #[must_use]
    pub const fn of_tool(tool: ToolKind) -> Self {
        Self {
            tool: Some(tool),
            ..Self::GLOBAL
        }
    }

    /// True when both could be meant at once.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        fn disjoint<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
            matches!((a, b), (Some(a), Some(b)) if a != b)
        }
        let walking = matches!(
            (self.walking, other.walking),
            (Walking::Never, Walking::Only) | (Walking::Only, Walking::Never)
        );
        !(disjoint(self.view, other.view)
            || disjoint(self.selection, other.selection)
            || disjoint(self.tool, other.tool)
            || walking)
    }

    /// Higher is narrower: tool, then kind of view, then selection.
    fn narrowness(&self) -> u8 {
        u8::from(self.tool.is_some()) * 4
            + u8::from(self.view.is_some()) * 2
            + u8::from(self.selection.is_some())
    }

    /// Does it hold now? `pane`: the view that has the keyboard.
    fn holds(&self, editor: &Editor, pane: usize, in_field: bool) -> bool {
        let view = editor.views.get(pane).map(|view| {
            if view.is_2d() {
                ViewClass::Flat
            } else {
                ViewClass::Perspective
            }
        });
        let walking = match self.walking {
            Walking::Never => !editor.is_walking(),
            Walking::Also => true,
            Walking::Only => editor.is_walking(),
        };
        (!in_field || self.in_field)
            && walking
            && (self.in_drag || !editor.is_dragging())
            && self.view.is_none_or(|class| Some(class) == view)
            && self
                .selection
                .is_none_or(|class| class == editor.selection_class())
            && self.tool.is_none_or(|tool| tool == editor.tool())
    }
}

/// One slice per subject.
pub static COMMANDS: &[&[Command]] = &[
    file::COMMANDS,
    edit::COMMANDS,
    tool::COMMANDS,
    find::COMMANDS,
    select::COMMANDS,
    object::COMMANDS,
    transform::COMMANDS,
    shape::COMMANDS,
    csg::COMMANDS,
    clip::COMMANDS,
    extrude::COMMANDS,
    vertex::COMMANDS,
    group::COMMANDS,
    layer::COMMANDS,
    face::COMMANDS,
    texture::COMMANDS,
    entity::COMMANDS,
    view::COMMANDS,
    grid::COMMANDS,
    toggle::COMMANDS,
    camera::COMMANDS,
    camera::BOOKMARKS,
    compile::COMMANDS,
    help::COMMANDS,
    habit::COMMANDS,
];

impl Command {
    /// The row with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::all().find(|command| command.id == id)
    }

    /// Every row, in the order of menus.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        COMMANDS.iter().copied().flatten()
    }

    /// Rows of one menu.
    pub fn of_menu(title: MenuTitle) -> impl Iterator<Item = &'static Self> {
        Self::all().filter(move |command| command.menu.title == title)
    }
}

pub(crate) const FINISH_DRAG: &str = "Finish the drag first, or cancel it with Esc";

/// Always.
fn always(_: &Editor) -> Result<(), &'static str> {
    Ok(())
}

/// Base of every row: `Command { id, label, help, .., ..ROW }`.
const ROW: Command = Command {
    id: "",
    label: "",
    help: "",
    menu: Menu::HIDDEN,
    keys: &[],
    when: Context::GLOBAL,
    enabled: always,
    step: None,
    checked: None,
    repeats: false,
    run: |_| Ok(()),
};

fn has_objects(editor: &Editor) -> Result<(), &'static str> {
    if editor.selection_class() == SelectionClass::Objects {
        Ok(())
    } else {
        Err("Select objects first")
    }
}

fn has_faces(editor: &Editor) -> Result<(), &'static str> {
    if editor.selection_class() == SelectionClass::Faces {
        Ok(())
    } else {
        Err("Select faces first (Shift+click)")
    }
}

fn has_selection(editor: &Editor) -> Result<(), &'static str> {
    if editor.selection().is_empty() {
        Err("Nothing is selected")
    } else {
        Ok(())
    }
}

impl Editor {
    /// Runs a command by id. A refusal goes to the status line.
    ///
    /// # Errors
    /// Why it cannot run; also for an unknown id.
    pub fn run(&mut self, id: &str) -> Result<(), EditError> {
        match Command::find(id) {
            Some(command) => self.run_command(command),
            None => Err(EditError::refused(format!("There is no command \"{id}\""))),
        }
    }

    /// Runs a row of the table: menus, palette, buttons.
    ///
    /// # Errors
    /// Why it cannot run; the status line says it too.
    pub fn run_command(&mut self, command: &'static Command) -> Result<(), EditError> {
        tracing::debug!(id = command.id, "command");
        let result = (command.enabled)(self)
            .map_err(EditError::refused)
            .and_then(|()| (command.run)(self));
        if let Err(error) = &result {
            self.say(StatusKind::Refused, format!("{}: {error}", command.label));
        }
        result
    }

    /// What a chord means now: the narrowest command that can run, else the narrowest that cannot (it will say why).
    #[must_use]
    pub fn command_for(
        &self,
        chord: Chord,
        pane: usize,
        in_field: bool,
    ) -> Option<&'static Command> {
        let mut fitting: Vec<_> = self
            .keymap
            .commands(chord)
            .iter()
            .copied()
            .filter(|command| command.when.holds(self, pane, in_field))
            .collect();
        fitting.sort_by_key(|command| std::cmp::Reverse(command.when.narrowness()));
        fitting
            .iter()
            .copied()
            .find(|command| (command.enabled)(self).is_ok())
            .or(fitting.first().copied())
    }

    /// Why a chord means nothing now that would mean something with another selection, or after the drag (0.7).
    #[must_use]
    pub(crate) fn why_not(&self, chord: Chord, pane: usize) -> Option<String> {
        let mut near = self.keymap.commands(chord).iter().filter(|command| {
            let otherwise = Context {
                selection: None,
                in_drag: true,
                ..command.when
            };
            otherwise.holds(self, pane, false)
        });
        if self.is_dragging() {
            return near.next().map(|_| FINISH_DRAG.to_owned());
        }
        near.find_map(|command| {
            let reason = (command.enabled)(self).err()?;
            Some(format!("{}: {reason}", command.label))
        })
    }

    /// A key while a text field has the keyboard; true when it was a command (Ctrl+S, F9 ...).
    pub fn field_key(&mut self, chord: Chord) -> bool {
        let Some(command) = self.command_for(chord, self.pointer.pane(), true) else {
            return false;
        };
        // The status line has the reason if it could not run.
        let _ = self.run_command(command);
        true
    }

    /// The commands that have keys and could run right now (HELP-1).
    #[must_use]
    pub fn working_commands(&self) -> Vec<&'static Command> {
        let pane = self.pointer.pane();
        Command::all()
            .filter(|command| {
                !self.keymap.chords(command.id).is_empty()
                    && command.when.holds(self, pane, false)
                    && (command.enabled)(self).is_ok()
            })
            .collect()
    }
}
