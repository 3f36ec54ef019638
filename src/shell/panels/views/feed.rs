//! The way of input into the views: which pane an event is meant for, and what is held with it.

use egui::Event;
use egui::Pos2;
use egui::Rect;
use glam::DVec2;

use crate::editor::Editor;
use crate::editor::input::Button;
use crate::editor::input::Input;
use crate::editor::input::Modifiers;
use crate::shell::frame::Action;
use crate::shell::input;
use crate::shell::panels::views::ViewsState;
use crate::shell::panels::views::pane_id;

/// Events of this frame go to the pane that is meant. Called before anything is drawn, so that the picture is of this frame;
/// panes are where they were in the last one.
pub fn feed(
    ctx: &egui::Context,
    state: &mut ViewsState,
    editor: &Editor,
    keys_taken: bool,
    actions: &mut Vec<Action>,
) {
    let locked = editor.wants_pointer_lock();
    let (events, held, pointer) =
        ctx.input(|i| (i.events.clone(), i.modifiers, i.pointer.latest_pos()));
    let held = input::modifiers(held);
    let Some(&(first, _)) = state.panes.first() else {
        return;
    };
    if !state.panes.iter().any(|(pane, _)| *pane == state.keyboard) {
        state.keyboard = first;
    }
    let over = state.panes.iter().map(|(pane, _)| *pane).find(|pane| {
        ctx.read_response(pane_id(*pane))
            .is_some_and(|r| r.hovered() || r.is_pointer_button_down_on())
    });
    state.took_tab = false;
    for event in &events {
        if let Event::Key {
            key: egui::Key::Tab,
            pressed: true,
            modifiers,
            ..
        } = event
            && !modifiers.command
            && !keys_taken
        {
            if !state.takes_tab(editor, modifiers.any()) {
                continue;
            }
            state.took_tab = true;
        }
        // Several keys may come and go within one slow frame: each event has what was held with it.
        match event {
            Event::Key { modifiers, .. }
            | Event::PointerButton { modifiers, .. }
            | Event::MouseWheel { modifiers, .. }
            | Event::ModifiersChanged(modifiers) => {
                state.hold(input::modifiers(*modifiers), actions);
            }
            _ => {}
        }
        match event {
            Event::PointerMoved(at) if !locked => state.moved(*at, over, keys_taken, actions),
            Event::MouseMoved(delta) if locked => {
                let delta = DVec2::new(f64::from(delta.x), f64::from(delta.y));
                actions.push(Action::Input(
                    state.captured.unwrap_or(state.keyboard),
                    Input::PointerDelta { delta },
                ));
            }
            Event::PointerButton {
                pos,
                button,
                pressed,
                ..
            } => {
                if let Some(button) = input::button(*button) {
                    state.button(ctx, over, *pos, button, *pressed, actions);
                }
            }
            Event::PointerGone => {
                if let Some(old) = state.hovered.take()
                    && state.captured.is_none()
                {
                    actions.push(Action::Input(old, Input::PointerLeft));
                }
            }
            Event::MouseWheel { .. } => {
                if let (Some(pane), Some(at)) = (state.captured.or(over), pointer)
                    && let Some(wheel) = input::wheel_event(event, state.rect(pane), at)
                {
                    actions.push(Action::Input(pane, wheel));
                }
            }
            Event::Zoom(factor) => {
                if let (Some(pane), Some(at)) = (state.captured.or(over), pointer)
                    && let Some(wheel) = input::pinch(*factor, state.rect(pane), at)
                {
                    actions.push(Action::Input(pane, wheel));
                }
            }
            Event::WindowFocused(false) => {
                state.captured = None;
                state.buttons = 0;
                actions.push(Action::Input(state.keyboard, Input::FocusLost));
            }
            _ => keyboard(event, state, keys_taken, actions),
        }
    }
    state.hold(held, actions);
}

impl ViewsState {
    /// `Tab` is the editor's while a button is held over a view or numbers are typed, and over a view; elsewhere, and after the
    /// keyboard went to a dock, it walks from widget to widget as in any window.
    fn takes_tab(&self, editor: &Editor, modified: bool) -> bool {
        editor.has_capture()
            || editor.is_entering()
            || (!modified && self.hovered.is_some() && !self.tab_walks)
    }

    /// The modifiers that are held from now on.
    fn hold(&mut self, held: Modifiers, actions: &mut Vec<Action>) {
        if held != self.modifiers {
            self.modifiers = held;
            actions.push(Action::Input(self.keyboard, Input::Modifiers(held)));
        }
    }

    fn rect(&self, pane: usize) -> Rect {
        self.panes
            .iter()
            .find(|(other, _)| *other == pane)
            .map_or(Rect::NOTHING, |(_, rect)| *rect)
    }

    fn moved(
        &mut self,
        at: Pos2,
        over: Option<usize>,
        keys_taken: bool,
        actions: &mut Vec<Action>,
    ) {
        let target = self.captured.or(over);
        if self.hovered != target
            && let Some(old) = self.hovered
        {
            actions.push(Action::Input(old, Input::PointerLeft));
        }
        self.hovered = target;
        self.tab_walks = false;
        let Some(pane) = target else { return };
        if !keys_taken {
            self.keyboard = pane;
        }
        let at = input::in_pane(self.rect(pane), at);
        actions.push(Action::Input(pane, Input::PointerMoved { at }));
    }

    fn button(
        &mut self,
        ctx: &egui::Context,
        over: Option<usize>,
        pos: Pos2,
        button: Button,
        pressed: bool,
        actions: &mut Vec<Action>,
    ) {
        let bit = 1 << (button as u32);
        if pressed {
            let Some(pane) = self.captured.or(over) else {
                return;
            };
            // Typing ends where the map is touched.
            ctx.memory_mut(|memory| {
                if let Some(id) = memory.focused() {
                    memory.surrender_focus(id);
                }
            });
            self.captured = Some(pane);
            self.keyboard = pane;
            self.buttons |= bit;
            let at = input::in_pane(self.rect(pane), pos);
            actions.push(Action::Input(pane, Input::Press { button, at }));
        } else if let Some(pane) = self.captured {
            self.buttons &= !bit;
            let at = input::in_pane(self.rect(pane), pos);
            actions.push(Action::Input(pane, Input::Release { button, at }));
            if self.buttons == 0 {
                self.captured = None;
            }
        }
    }
}

fn keyboard(event: &Event, state: &mut ViewsState, keys_taken: bool, actions: &mut Vec<Action>) {
    use crate::editor::input::Chord;
    use crate::editor::input::Key;
    // The window turns these three into events of their own.
    let letter = match event {
        Event::Copy => Some('C'),
        Event::Cut => Some('X'),
        Event::Paste(_) => Some('V'),
        _ => None,
    };
    if let Some(letter) = letter {
        if !keys_taken {
            let key = Key::Letter(letter);
            state.hold(
                Modifiers {
                    ctrl: true,
                    ..state.modifiers
                },
                actions,
            );
            for pressed in [true, false] {
                let input = Input::Key {
                    key,
                    physical: key,
                    pressed,
                    repeat: false,
                };
                actions.push(Action::Input(state.keyboard, input));
            }
        }
        return;
    }
    if let Event::Text(text) = event {
        if !keys_taken {
            let signs = text.chars().filter(|sign| "*/()".contains(*sign));
            actions.extend(signs.map(|sign| Action::Input(state.keyboard, Input::Character(sign))));
        }
        return;
    }
    let Some((input, held)) = input::key_event(event) else {
        return;
    };
    let Input::Key {
        key,
        pressed,
        repeat,
        ..
    } = input
    else {
        return;
    };
    if keys_taken {
        if pressed && !repeat {
            actions.push(Action::FieldKey(Chord::new(held, key)));
        }
        // A key that was pressed before the field took over must not stay down.
        if !pressed {
            actions.push(Action::Input(state.keyboard, input));
        }
        return;
    }
    actions.push(Action::Input(state.keyboard, input));
}
