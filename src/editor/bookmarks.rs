//! Views to come back to (CAM-11), kept with the map among its cameras, those of imported maps too. A camera whose name is a
//! number from 1 to 9, or begins with one and a colon ("3: gate"), is the bookmark of that number.

use crate::document::CameraKind;
use crate::document::EditError;
use crate::editor::Editor;
use crate::editor::request::StatusKind;
use crate::editor::view::View;
use crate::editor::views;

/// A camera of the map for lists: its index among all cameras, its name, and its number if it is a bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    pub index: usize,
    pub name: String,
    pub number: Option<u8>,
}

/// The number that a camera's name begins with.
fn number_of(name: &str) -> Option<u8> {
    let (digit, rest) = (name.chars().next()?, name.get(1..)?);
    let number = digit.to_digit(10).filter(|&number| number > 0)?;
    (rest.is_empty() || rest.starts_with(':')).then_some(number as u8)
}

impl Editor {
    /// Cameras of the map, without the editor's own panes.
    #[must_use]
    pub fn bookmarks(&self) -> Vec<Bookmark> {
        self.look
            .cameras
            .iter()
            .enumerate()
            .filter(|(_, camera)| !views::is_pane_camera(camera))
            .map(|(index, camera)| Bookmark {
                index,
                name: camera.name.clone(),
                number: number_of(&camera.name),
            })
            .collect()
    }

    /// The 3D view that bookmarks speak of: the one with the keyboard, else the first that is shown.
    fn bookmarked_pane(&self) -> Option<usize> {
        let is_3d = |&pane: &usize| self.views.get(pane).is_some_and(|view| !view.is_2d());
        let visible = self.layout.visible();
        Some(self.pointer.pane())
            .filter(|pane| visible.contains(pane))
            .filter(is_3d)
            .or_else(|| visible.iter().copied().find(is_3d))
    }

    fn bookmark_index(&self, number: u8) -> Option<usize> {
        self.bookmarks()
            .into_iter()
            .find(|bookmark| bookmark.number == Some(number))
            .map(|bookmark| bookmark.index)
    }

    /// Keeps where the 3D view is under a number from 1 to 9. A name that was given to that number stays.
    ///
    /// # Errors
    /// When no 3D view is shown.
    pub fn store_bookmark(&mut self, number: u8) -> Result<(), EditError> {
        let pane = self
            .bookmarked_pane()
            .ok_or_else(|| EditError::refused("Show a 3D view first"))?;
        let old = self.bookmark_index(number);
        let name = old.map_or_else(
            || number.to_string(),
            |index| self.look.cameras[index].name.clone(),
        );
        let camera = views::camera_of(&self.views[pane], name);
        match old {
            Some(index) => self.look.cameras[index] = camera,
            None => {
                // The editor's own panes stand last.
                let at = self
                    .look
                    .cameras
                    .iter()
                    .position(views::is_pane_camera)
                    .unwrap_or(self.look.cameras.len());
                self.look.cameras.insert(at, camera);
            }
        }
        self.say(StatusKind::Info, format!("This view is bookmark {number}"));
        Ok(())
    }

    /// Flies to a bookmark in 200 ms.
    ///
    /// # Errors
    /// When there is none of that number, or no 3D view.
    pub fn go_to_bookmark(&mut self, number: u8) -> Result<(), EditError> {
        let index = self.bookmark_index(number).ok_or_else(|| {
            EditError::refused(format!(
                "There is no bookmark {number} yet; Ctrl+Shift+{number} makes one"
            ))
        })?;
        self.go_to_camera(index)
    }

    /// Flies to a camera of the map.
    ///
    /// # Errors
    /// When it is gone or makes no view, or when no view of its kind is shown.
    pub fn go_to_camera(&mut self, index: usize) -> Result<(), EditError> {
        let camera = self.look.cameras.get(index);
        let target = camera
            .filter(|camera| camera.kind == CameraKind::Perspective)
            .and_then(views::view_of)
            .ok_or_else(|| EditError::refused("This camera has no place to look from"))?;
        let pane = self
            .bookmarked_pane()
            .ok_or_else(|| EditError::refused("Show a 3D view first"))?;
        let from = self.views[pane].clone();
        let to = View {
            eye: target.eye,
            pitch_deg: target.pitch_deg,
            yaw_deg: target.yaw_deg,
            fov_y_deg: target.fov_y_deg,
            ..from.clone()
        };
        let now_s = self.now_s;
        self.camera.ease(pane, from, to, now_s);
        Ok(())
    }

    /// Gives a camera another name; a bookmark keeps its number.
    pub fn rename_camera(&mut self, index: usize, name: &str) {
        let Some(camera) = self.look.cameras.get_mut(index) else {
            return;
        };
        let name = name.trim().trim_start_matches('~');
        camera.name = match number_of(&camera.name) {
            Some(number) if number_of(name) == Some(number) => name.to_owned(),
            Some(number) if name.is_empty() => number.to_string(),
            Some(number) => format!("{number}: {name}"),
            None => name.to_owned(),
        };
    }

    /// Forgets a camera of the map.
    pub fn remove_camera(&mut self, index: usize) {
        if index >= self.look.cameras.len() || views::is_pane_camera(&self.look.cameras[index]) {
            return;
        }
        self.look.cameras.remove(index);
        let removed = index as u32;
        self.look.active_camera = match self.look.active_camera {
            Some(active) if active == removed => None,
            Some(active) if active > removed => Some(active - 1),
            other => other,
        };
    }
}
