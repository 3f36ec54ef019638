//! Glyphs and names of point entities over the pictures.

use egui::Align2;
use egui::Color32;
use egui::Painter;
use egui::Pos2;
use egui::Rect;
use egui::Stroke;
use egui::StrokeKind;
use egui::vec2;

use crate::assets::Definitions;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::editor::Editor;
use crate::shell::icons;
use crate::shell::overlay as paint;
use crate::shell::panels::views::Covered;
use crate::shell::panels::views::Space;
use crate::shell::panels::views::ViewsState;
use crate::shell::theme::ViewPalette;

/// The glyph of an entity's class (`look.md` 5).
#[must_use]
pub fn class_glyph(class: &str) -> char {
    let class = class.to_ascii_lowercase();
    let starts = |heads: &[&str]| heads.iter().any(|head| class.starts_with(head));
    if class.contains("sun") || class == "light_environment" {
        icons::SUN
    } else if starts(&["light"]) {
        icons::LIGHT
    } else if starts(&["info_player", "player"]) {
        icons::PLAYER
    } else if starts(&["item_", "weapon_", "ammo_"]) {
        icons::FLAG
    } else if starts(&["trigger"]) {
        icons::TRIGGER
    } else if starts(&["ambient", "env_sound", "sound"]) {
        icons::SOUND
    } else if starts(&[
        "func_door",
        "func_plat",
        "func_rotating",
        "func_train",
        "func_tracktrain",
        "momentary",
    ]) {
        icons::DOOR
    } else if starts(&["path_"]) {
        icons::PATH
    } else if class.contains("camera") {
        icons::CAMERA
    } else if starts(&["func_"]) {
        icons::PREFAB
    } else {
        icons::DOT
    }
}

/// The colour of a class: its definition's own, as far as it can be seen on the ground, or that of its family.
#[must_use]
pub fn class_color(v: &ViewPalette, definitions: &Definitions, class: &str) -> Color32 {
    let Some([r, g, b]) = definitions.color(class) else {
        return v.entity[crate::viewport::family_of(class) as usize];
    };
    let own = Color32::from_rgb(r, g, b);
    let is_seen = |color: Color32| {
        let (a, b) = (luminance(color), luminance(v.background_2d));
        (a.max(b) + 0.05) / (a.min(b) + 0.05) >= 3.0
    };
    // One that is hard to tell from the ground is half grey (`look.md` 8), and gives way where that is not enough.
    let mixed = own.lerp_to_gamma(v.brush, 0.5);
    let family = v.entity[crate::viewport::family_of(class) as usize];
    [own, mixed]
        .into_iter()
        .find(|color| is_seen(*color))
        .unwrap_or(family)
}

/// Relative luminance of an opaque colour (WCAG 2).
fn luminance(color: Color32) -> f32 {
    let linear = egui::Rgba::from(color);
    0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
}

/// More entities than this in one view show their boxes only.
const MOST_ICONS: usize = 600;

pub(super) fn entity_icons(
    painter: &Painter,
    v: &ViewPalette,
    space: &Space<'_>,
    editor: &Editor,
    state: &mut ViewsState,
    pane: usize,
) {
    if !editor.toggles(pane).entities {
        return;
    }
    let doc = editor.doc();
    let flat = space.view.is_2d();
    let mut seen: Vec<(f64, ObjectId, Pos2, &str)> = Vec::new();
    for (id, object) in doc.objects() {
        let Kind::Entity(entity) = &object.kind else {
            continue;
        };
        if doc.children(Some(id)).next().is_some()
            || entity.class.eq_ignore_ascii_case("worldspawn")
        {
            continue;
        }
        let Some((at, depth)) = space.view.project(entity.origin) else {
            continue;
        };
        let at = space.rect.min + vec2(at.x as f32, at.y as f32);
        if !space.rect.expand(12.0).contains(at) || editor.look.is_hidden(doc, id) {
            continue;
        }
        seen.push((depth, id, at, &entity.class));
    }
    // The farthest first, so that near ones stand over them.
    seen.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    if seen.len() > MOST_ICONS {
        seen.drain(..seen.len() - MOST_ICONS);
    }
    if !flat {
        if state.covered.len() <= pane {
            state.covered.resize_with(pane + 1, Covered::default);
        }
        let covered = &mut state.covered[pane];
        let fresh = covered.view.as_ref() == Some(space.view)
            && covered.document.as_ref().is_some_and(|old| old.same(doc));
        if !fresh {
            covered.view = Some(space.view.clone());
            covered.document = Some(doc.clone());
            covered.hidden = seen
                .iter()
                .filter(|(_, id, ..)| is_covered(editor, pane, *id))
                .map(|(_, id, ..)| *id)
                .collect();
        }
        seen.retain(|(_, id, ..)| !covered.hidden.contains(id));
    }
    let definitions = editor.definitions();
    let selected = editor.selection();
    for (depth, id, at, class) in seen {
        // Far away in 3D an icon would hide more than it says.
        if !flat && depth > 6000.0 {
            continue;
        }
        let color = class_color(v, definitions, class);
        let small = if flat {
            space.view.points_per_unit < FULL_FROM
        } else {
            depth > FULL_WITHIN
        };
        if selected.contains(&Pick::Object(id)) {
            let side = match (small, flat) {
                (true, _) => 10.0,
                (_, true) => 22.0,
                _ => 26.0,
            };
            let radius = if flat && !small { 4.0 } else { side / 2.0 };
            let ring = Rect::from_center_size(at.round(), vec2(side, side));
            let stroke = Stroke::new(2.0, v.selected);
            painter.rect_stroke(ring, radius, stroke, StrokeKind::Middle);
        }
        if small {
            let stroke = Stroke::new(1.0, v.handle_rim);
            painter.circle(at, 3.0, color, stroke);
        } else {
            paint::entity(painter, v, at.round(), class_glyph(class), color, flat);
        }
    }
    if !editor.toggles(pane).names {
        few_names(painter, v, space, editor);
    }
}

/// More names than this would hide what they belong to.
const MOST_NAMES: usize = 12;

/// Names of the entity under the pointer and of selected ones, where not all names are shown anyway.
fn few_names(painter: &Painter, v: &ViewPalette, space: &Space<'_>, editor: &Editor) {
    let doc = editor.doc();
    let hovered = editor.hover.as_ref().map(|hit| hit.object);
    let mut wanted: Vec<ObjectId> = editor.selection_ids();
    wanted.truncate(MOST_NAMES);
    wanted.extend(hovered.filter(|id| !wanted.contains(id)));
    for id in wanted {
        let Some(entity) = doc.entity(id) else {
            continue;
        };
        if doc.children(Some(id)).next().is_some() || editor.look.is_hidden(doc, id) {
            continue;
        }
        if let Some(at) = space.at(entity.origin)
            && space.rect.contains(at)
        {
            let name = editor.object_name(id);
            let place = at.round() - vec2(0.0, 15.0);
            paint::chip(painter, v, place, Align2::CENTER_BOTTOM, &name, v.chip_text);
        }
    }
}

/// In 2D views smaller than this many points per unit, and farther than this in 3D, icons would cover the map: dots stand
/// for them.
const FULL_FROM: f64 = 0.2;
const FULL_WITHIN: f64 = 3000.0;

/// True when something solid stands between the eye and the entity.
fn is_covered(editor: &Editor, pane: usize, id: ObjectId) -> bool {
    let Some(entity) = editor.doc().entity(id) else {
        return true;
    };
    let view = &editor.views[pane];
    let Some((at, _)) = view.project(entity.origin) else {
        return true;
    };
    let distance = (entity.origin - view.eye).length();
    let Some(hit) = editor.pick(pane, at) else {
        return false;
    };
    let is_icon = editor.doc().entity(hit.object).is_some();
    hit.object != id && !is_icon && hit.distance < distance - 8.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::theme::Palette;

    #[test]
    fn glyphs_and_colours_go_by_class() {
        assert_eq!(class_glyph("light_environment"), icons::SUN);
        assert_eq!(class_glyph("func_door_rotating"), icons::DOOR);
        assert_eq!(class_glyph("anything"), icons::DOT);
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("game.fgd");
        let text = "@PointClass color(255 200 0) = bright []\n@PointClass color(0 0 40) = dark []";
        std::fs::write(&path, text).expect("written");
        let definitions = Definitions::load(&[path]);
        let v = &Palette::dark().view;
        let bright = class_color(v, &definitions, "bright");
        assert_eq!(bright, Color32::from_rgb(255, 200, 0));
        let dark = class_color(v, &definitions, "dark");
        assert!(luminance(dark) > luminance(Color32::from_rgb(0, 0, 40)) + 0.02);
        let light = &Palette::light().view;
        assert_ne!(class_color(light, &definitions, "bright"), bright);
        assert_eq!(class_color(v, &definitions, "weapon_crowbar"), v.entity[2]);
    }
}
