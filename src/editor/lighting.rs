//! Which light the lit views show: that of the last build, or the one that an imported map came with.

use std::sync::Arc;

use crate::compiler::Compiled;
use crate::document::EditError;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::formats::ogz;

impl Editor {
    /// What lit views show: a build, or what is seen of an imported map with the light of its game.
    #[must_use]
    pub fn shown_light(&self) -> Option<&Arc<Compiled>> {
        if self.shows_original_light() {
            self.extras.original_light.as_ref()
        } else {
            self.compiled.as_ref()
        }
    }

    /// The light that the map came with is shown: as long as there is no build, and whenever the user wants it.
    #[must_use]
    pub fn shows_original_light(&self) -> bool {
        self.extras.original_light.is_some()
            && self
                .original_light_wanted
                .unwrap_or_else(|| self.compiled.is_none())
    }

    /// The build holds light to show. Without any, lit views and walks show textures as they are, not a black room: ambient light
    /// alone leaves a map of Cube 2 at a fifth of its pictures' brightness.
    #[must_use]
    pub fn has_baked_light(&self) -> bool {
        self.shows_original_light()
            || self
                .compiled
                .as_ref()
                .is_some_and(|compiled| compiled.cmpl.has_light())
    }

    /// Lit views show light twice as bright, as the game does whose maps are lit for that (Cube 2). It changes nothing that is
    /// built or saved.
    #[must_use]
    pub fn doubles_light(&self) -> bool {
        self.double_light_wanted
            .unwrap_or_else(|| ogz::doubles_light(self.extras.origin.as_ref()))
    }

    pub(crate) fn toggle_double_light(&mut self) {
        let is_wanted = !self.doubles_light();
        self.double_light_wanted = Some(is_wanted);
        self.say(
            StatusKind::Info,
            if is_wanted {
                "Lit views show light twice as bright as it is built, as Cube 2 does"
            } else {
                "Lit views show light as it is built"
            },
        );
    }

    pub(crate) fn has_original_light(&self) -> Result<(), &'static str> {
        if self.extras.original_light.is_some() {
            Ok(())
        } else {
            Err("The map did not come with light of its own; maps of Unreal do")
        }
    }

    /// Between the light of the build and the one that the map came with.
    pub(crate) fn toggle_original_light(&mut self) -> Result<(), EditError> {
        self.has_original_light().map_err(EditError::refused)?;
        let is_wanted = !self.shows_original_light();
        self.original_light_wanted = Some(is_wanted);
        self.say(
            StatusKind::Info,
            match (is_wanted, self.compiled.is_some()) {
                (true, _) => "Lit views show the light that the map came with",
                (false, true) => "Lit views show the light of the build",
                (false, false) => "There is no build yet: lit views show textures without light",
            },
        );
        Ok(())
    }

    /// Builds take over the light that the map came with.
    #[must_use]
    pub fn keeps_original_light(&self) -> bool {
        self.keeps_original_light && self.extras.original_light.is_some()
    }

    /// What the next build takes over.
    pub(crate) fn light_to_keep(&self) -> Option<Arc<Compiled>> {
        let original = self.extras.original_light.as_ref();
        original.filter(|_| self.keeps_original_light).cloned()
    }

    /// Whether builds, and so the saved file, keep the light that the map came with; a build that says otherwise is made anew.
    pub(crate) fn toggle_keeping_original_light(&mut self) -> Result<(), EditError> {
        self.has_original_light().map_err(EditError::refused)?;
        self.keeps_original_light = !self.keeps_original_light;
        self.build();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::compiler::Cmpl;
    use crate::compiler::LightKind;
    use crate::compiler::LightRecord;
    use crate::document::Document;
    use crate::document::ViewState;
    use crate::editor::Settings;
    use crate::formats::Origin;

    fn compiled() -> Arc<Compiled> {
        Arc::new(Compiled::of(Cmpl::default(), Some(Document::default())))
    }

    #[test]
    fn the_maps_own_light_is_shown_until_a_build_and_on_demand() {
        let mut editor = Editor::with_document(
            Document::default(),
            ViewState::default(),
            Settings::default(),
            Arc::new(|_| ()),
        );
        assert!(editor.toggle_original_light().is_err());
        assert!(!editor.has_baked_light());
        let original = compiled();
        editor.extras.original_light = Some(Arc::clone(&original));
        let shows = |editor: &Editor, wanted: &Arc<Compiled>| {
            editor
                .shown_light()
                .is_some_and(|shown| Arc::ptr_eq(shown, wanted))
        };
        assert!(shows(&editor, &original) && editor.has_baked_light());
        editor.toggle_original_light().expect("there is light");
        assert!(editor.shown_light().is_none());
        editor.toggle_original_light().expect("there is light");
        assert!(shows(&editor, &original));
        editor.original_light_wanted = None;
        let build = compiled();
        editor.compiled = Some(Arc::clone(&build));
        assert!(shows(&editor, &build) && !editor.has_baked_light());
        editor.toggle_original_light().expect("there is light");
        assert!(shows(&editor, &original) && editor.has_baked_light());
    }

    #[test]
    fn ambient_light_alone_is_no_light_and_nor_are_dark_lamps() {
        let mut editor = Editor::with_document(
            Document::default(),
            ViewState::default(),
            Settings::default(),
            Arc::new(|_| ()),
        );
        let lamp = |color: f32, intensity: f32| LightRecord {
            kind: LightKind::Point,
            position: Vec3::ZERO,
            direction: Vec3::NEG_Y,
            color: Vec3::new(0.0, color, 0.0),
            intensity,
            radius: 0.0,
            inner_deg: 0.0,
            outer_deg: 0.0,
            entity_id: 1,
        };
        for (lights, expected) in [
            (vec![], false),
            (vec![lamp(0.0, 1.0), lamp(1.0, 0.0)], false),
            (vec![lamp(0.0, 1.0), lamp(0.1, 1.0)], true),
        ] {
            let cmpl = Cmpl {
                ambient: Vec3::splat(25.0 / 255.0),
                baked: 1,
                lights,
                ..Cmpl::default()
            };
            editor.compiled = Some(Arc::new(Compiled::of(cmpl, Some(Document::default()))));
            assert_eq!(editor.has_baked_light(), expected);
        }
    }

    #[test]
    fn maps_of_cube_2_show_light_twice_as_bright_until_told_otherwise() {
        let mut editor = Editor::with_document(
            Document::default(),
            ViewState::default(),
            Settings::default(),
            Arc::new(|_| ()),
        );
        assert!(!editor.doubles_light());
        let from = |format: &str| {
            Some(Origin {
                format: format.to_owned(),
                ..Origin::default()
            })
        };
        editor.extras.origin = from("rmf");
        assert!(!editor.doubles_light());
        editor.extras.origin = from("ogz");
        assert!(editor.doubles_light());
        editor.toggle_double_light();
        assert!(!editor.doubles_light());
        editor.toggle_double_light();
        assert!(editor.doubles_light());
    }
}
