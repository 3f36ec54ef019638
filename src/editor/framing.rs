//! Where the cameras of a map stand that has no views of ours (CAM-12): at a player start, else at the active camera of an
//! imported map, else so that what is built fills the view.

use glam::DVec3;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::SurfaceFlags;
use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::playable::Playable;
use crate::editor::view::View;
use crate::editor::view::ViewKind;
use crate::editor::views;
use crate::geometry::Aabb;

/// How a class name must begin, or what it must hold, to be a place where players begin, in any game.
const START_HEADS: [&str; 2] = ["info_player", "playerstart"];
const START_PARTS: [&str; 2] = ["player_start", "player_spawn"];

impl Editor {
    /// Every view of a map that was saved without views; again in its true size as soon as that is known.
    pub(crate) fn frame_fresh(&mut self) {
        let panes: Vec<usize> = (0..self.views.len()).collect();
        self.frame_fresh_panes(&panes);
        let views = self.views.iter().cloned().enumerate();
        self.camera.fresh = views.map(|(pane, view)| (pane, (view, false))).collect();
    }

    /// A pane learned its size: if nobody has moved its camera yet it is framed for that, and with it the 2D views that share
    /// its zoom.
    pub(crate) fn frame_at_true_size(&mut self, pane: usize) {
        match self.camera.fresh.get_mut(&pane) {
            Some((_, sized @ false)) => *sized = true,
            _ => return,
        }
        let is_untouched = |pane: usize| {
            let Some((framed, _)) = self.camera.fresh.get(&pane) else {
                return false;
            };
            let now = &self.views[pane];
            (framed.kind, framed.eye, framed.pitch_deg, framed.yaw_deg)
                == (now.kind, now.eye, now.pitch_deg, now.yaw_deg)
                && framed.points_per_unit == now.points_per_unit
        };
        if is_untouched(pane) {
            let flat = self.views[pane].is_2d();
            let panes: Vec<usize> = (0..self.views.len())
                .filter(|&other| other == pane || (flat && self.views[other].is_2d()))
                .filter(|&other| is_untouched(other))
                .collect();
            self.frame_fresh_panes(&panes);
            for pane in panes {
                if let Some((framed, _)) = self.camera.fresh.get_mut(&pane) {
                    framed.clone_from(&self.views[pane]);
                }
            }
        }
        if self.camera.fresh.values().all(|(_, sized)| *sized) {
            self.camera.fresh.clear();
        }
    }

    fn frame_fresh_panes(&mut self, panes: &[usize]) {
        for &pane in panes {
            self.frame_fresh_pane(pane);
        }
        let placed = self.panes_with_a_place();
        let counted: Vec<usize> = panes
            .iter()
            .copied()
            .filter(|pane| placed.contains(pane))
            .collect();
        camera::share_zoom(&mut self.views, &counted);
    }

    fn frame_fresh_pane(&mut self, pane: usize) {
        let doc = &self.history.committed().doc;
        let view = &self.views[pane];
        if view.kind == ViewKind::Perspective
            && let Some(start) = player_start(doc)
        {
            let view = &mut self.views[pane];
            view.eye = start.origin;
            view.yaw_deg = start.angles_deg.y;
            view.pitch_deg = 0.0;
            return;
        }
        let points = self.fresh_points();
        self.views[pane] = self
            .imported_view(view, &points)
            .unwrap_or_else(|| camera::framed_points(view, &points));
    }

    /// A 3D view as the active camera of an imported map has it, when that looks from somewhere near what is built.
    fn imported_view(&self, view: &View, points: &[DVec3]) -> Option<View> {
        let camera = self.look.cameras.get(self.look.active_camera? as usize)?;
        let imported = views::view_of(camera)?;
        let bounds = Aabb::of_points(points.iter().copied());
        let is_near = bounds.grown(bounds.size().length()).contains(imported.eye);
        (view.kind == ViewKind::Perspective && imported.kind == view.kind && is_near).then(|| {
            View {
                eye: imported.eye,
                pitch_deg: imported.pitch_deg,
                yaw_deg: imported.yaw_deg,
                ..view.clone()
            }
        })
    }

    /// [`Editor::built_points`] as far as an importer saw players; later on what is built since counts too.
    fn fresh_points(&self) -> Vec<DVec3> {
        let mut points = self.built_points();
        if let Some(focus) = self.look.focus
            && points.iter().any(|&point| focus.contains(point))
        {
            for point in &mut points {
                *point = point.clamp(focus.min, focus.max);
            }
        }
        points
    }

    /// Corners of what is built and shown; of everything when that is nothing.
    pub(crate) fn built_points(&self) -> Vec<DVec3> {
        let doc = &self.history.committed().doc;
        let playable = Playable::of(doc);
        let mut points = Vec::new();
        for (id, object) in doc.objects() {
            if self.look.is_hidden(doc, id) || !playable.has(doc, id, object) {
                continue;
            }
            let is_trigger = || {
                doc.owner(id)
                    .and_then(|owner| doc.entity(owner))
                    .is_some_and(|entity| starts_with(&entity.class, "trigger"))
            };
            match &object.kind {
                Kind::Brush(brush) if is_seen(doc, brush) && !is_trigger() => {
                    points.extend_from_slice(brush.hull().points());
                }
                Kind::Mesh(mesh) => {
                    points.extend(&mesh.points);
                }
                _ => {}
            }
        }
        points.retain(|point| point.is_finite());
        let bounds = doc.bounds();
        if points.is_empty() && !bounds.is_empty() && bounds.size().is_finite() {
            points.extend(bounds.corners());
        }
        // A build without its source: the world is what was built.
        if points.is_empty()
            && let Some(world) = self
                .compiled
                .as_ref()
                .and_then(|compiled| compiled.cmpl.models.first())
                .map(|model| model.bounds)
            && world.min != world.max
        {
            points.extend(Aabb::new(world.min.as_dvec3(), world.max.as_dvec3()).corners());
        }
        points
    }
}

/// Neither sky nor only there for the game: what a player sees of the map.
fn is_seen(doc: &Document, brush: &Brush) -> bool {
    let contents = brush.contents();
    if [Contents::SKY, Contents::CLIP, Contents::TRIGGER]
        .into_iter()
        .any(|unseen| contents.has(unseen))
    {
        return false;
    }
    brush.faces().iter().any(|face| {
        let material = face
            .material
            .and_then(|id| doc.material(id))
            .map_or(SurfaceFlags::default(), |material| material.flags);
        let flags = face.flags | material;
        !flags.has(SurfaceFlags::SKY) && !flags.has(SurfaceFlags::NODRAW)
    })
}

fn starts_with(class: &str, head: &str) -> bool {
    class
        .get(..head.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(head))
}

/// The place where a player begins: the one of the usual class, else the first in document order.
#[must_use]
pub(crate) fn player_start(doc: &Document) -> Option<Entity> {
    let is_start = |class: &str| {
        let class = class.to_ascii_lowercase();
        START_HEADS.iter().any(|head| class.starts_with(head))
            || START_PARTS.iter().any(|part| class.contains(part))
    };
    let starts: Vec<Entity> = doc
        .objects_in_order()
        .into_iter()
        .filter_map(|(_, object)| object.entity())
        .filter(|entity| is_start(&entity.class) && entity.origin.is_finite())
        .cloned()
        .collect();
    let usual = ["info_player_start", "info_player_deathmatch"];
    usual
        .into_iter()
        .find_map(|class| starts.iter().find(|start| start.class == class))
        .or(starts.first())
        .cloned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec2;

    use super::*;
    use crate::document::Layer;
    use crate::document::LayerKind;
    use crate::document::Material;
    use crate::document::Object;
    use crate::document::ViewState;
    use crate::editor::Settings;

    fn editor(doc: Document) -> Editor {
        Editor::with_document(
            doc,
            ViewState::default(),
            Settings::default(),
            Arc::new(|_| ()),
        )
    }

    /// How far the built points reach from the middle of the view: 1 = its edge.
    fn reach(editor: &Editor, pane: usize) -> DVec2 {
        let view = &editor.views[pane];
        editor
            .built_points()
            .into_iter()
            .fold(DVec2::ZERO, |reach, point| {
                let (at, _) = view.project(point).expect("in front of the eye");
                reach.max(((at - view.size * 0.5) / (view.size * 0.5)).abs())
            })
    }

    /// The built points fill four fifths of 3D views, and of the 2D view that has the least room; the others share its zoom
    /// (CAM-7).
    fn fills_its_views(editor: &Editor, panes: std::ops::Range<usize>) {
        let mut flat: f64 = 0.0;
        for pane in panes {
            let reach = reach(editor, pane).max_element();
            if editor.views[pane].is_2d() {
                flat = flat.max(reach);
                let shared = editor.views[1].points_per_unit;
                assert_eq!(editor.views[pane].points_per_unit, shared, "{pane}");
            } else {
                assert!((reach - 0.8).abs() < 1e-6, "{pane}: {reach}");
            }
        }
        assert!((flat - 0.8).abs() < 1e-6, "{flat}");
    }

    fn house_under_a_far_sky(draft: &mut crate::document::Draft) {
        let sky = draft.insert_material(Material {
            flags: SurfaceFlags::SKY,
            ..Material::new("sky", "sky")
        });
        let cube = |min: [f64; 3], max: [f64; 3], material| {
            let bounds = Aabb::new(DVec3::from_array(min), DVec3::from_array(max));
            Brush::cuboid(bounds, material)
        };
        let mut put = |brush| draft.insert(Object::new(Kind::Brush(brush)));
        put(cube([0.0, 0.0, 0.0], [640.0, 128.0, 320.0], None));
        put(cube(
            [-9000.0, 4000.0, -9000.0],
            [9000.0, 4100.0, 9000.0],
            Some(sky),
        ));
        put(cube([9000.0, 0.0, 0.0], [9100.0, 10.0, 10.0], None).with_contents(Contents::CLIP));
    }

    #[test]
    fn a_fresh_map_fills_its_views_and_the_sky_does_not_count() {
        let mut draft = Document::default().edit();
        house_under_a_far_sky(&mut draft);
        let mut editor = editor(draft.finish().expect("sound"));
        for pane in 0..editor.views.len() {
            editor.set_pane_size(pane, DVec2::new(1400.0, 500.0), 1.0);
        }
        fills_its_views(&editor, 0..4);
        // Moved by the user, or sized again: left alone.
        let before = editor.views[0].clone();
        editor.set_pane_size(0, DVec2::new(300.0, 500.0), 1.0);
        assert_eq!(editor.views[0].eye, before.eye);
    }

    #[test]
    fn rock_counts_as_far_as_an_importer_saw_players() {
        let focus = Aabb::new(DVec3::ZERO, DVec3::new(640.0, 128.0, 320.0));
        let built = |focus: Option<Aabb>| {
            let mut draft = Document::default().edit();
            for (min, max) in [
                ([-4000.0, -64.0, -4000.0], [4000.0, 0.0, 4000.0]),
                ([640.0, 0.0, 0.0], [700.0, 128.0, 320.0]),
                ([100.0, 0.0, 100.0], [140.0, 128.0, 160.0]),
            ] {
                let bounds = Aabb::new(DVec3::from_array(min), DVec3::from_array(max));
                draft.insert(Object::new(Kind::Brush(Brush::cuboid(bounds, None))));
            }
            let look = ViewState {
                focus,
                ..ViewState::default()
            };
            let doc = draft.finish().expect("sound");
            let editor = Editor::with_document(doc, look, Settings::default(), Arc::new(|_| ()));
            Aabb::of_points(editor.fresh_points())
        };
        assert_eq!(built(Some(focus)), focus);
        assert_eq!(built(None).max, DVec3::new(4000.0, 128.0, 4000.0));
        // Nothing of it is where it was.
        let elsewhere = Aabb::new(DVec3::splat(9000.0), DVec3::splat(9100.0));
        assert_eq!(built(Some(elsewhere)), built(None));
    }

    #[test]
    fn a_sky_in_a_layer_of_its_own_does_not_count() {
        let cube = |min: [f64; 3], max: [f64; 3]| {
            let bounds = Aabb::new(DVec3::from_array(min), DVec3::from_array(max));
            Object::new(Kind::Brush(Brush::cuboid(bounds, None)))
        };
        let light = |at: [f64; 3]| {
            let entity = Entity::new("light", DVec3::from_array(at));
            Object::new(Kind::Entity(entity))
        };
        let bounds_of = |has_house: bool, name: &str| {
            let mut draft = Document::default().edit();
            let layer = draft.insert_layer(Layer::new(LayerKind::Layer, name));
            if has_house {
                draft.insert(cube([0.0; 3], [640.0, 128.0, 320.0]));
                draft.insert(light([320.0, 64.0, 160.0]));
            }
            draft.insert(Object {
                layer: Some(layer),
                ..cube([9000.0, 0.0, 0.0], [9512.0, 512.0, 512.0])
            });
            draft.insert(light([9100.0, 100.0, 100.0]));
            let editor = editor(draft.finish().expect("sound"));
            let built = Aabb::of_points(editor.built_points());
            (built, editor.visible_bounds())
        };
        let house = Aabb::new(DVec3::ZERO, DVec3::new(640.0, 128.0, 320.0));
        assert_eq!(bounds_of(true, "Sky zone"), (house, house));
        let (built, visible) = bounds_of(true, "Annex");
        assert_eq!((built.max.x, visible.max.x), (9512.0, 9512.0));
        // A map that is all sky is a map.
        let (built, visible) = bounds_of(false, "Sky zone");
        assert_eq!((built.max.x, visible.max.x), (9512.0, 9512.0));
    }

    #[test]
    fn player_starts_of_any_game_are_known() {
        let check = |classes: &[&str], expected: Option<&str>| {
            let mut draft = Document::default().edit();
            house_under_a_far_sky(&mut draft);
            for (index, class) in classes.iter().enumerate() {
                let at = DVec3::new(index as f64, 40.0, 7.0);
                let entity = Entity {
                    angles_deg: DVec3::new(0.0, 90.0, 0.0),
                    ..Entity::new(*class, at)
                };
                draft.insert(Object::new(Kind::Entity(entity)));
            }
            let doc = draft.finish().expect("sound");
            let start = player_start(&doc);
            assert_eq!(start.as_ref().map(|start| start.class.as_str()), expected);
            let mut editor = editor(doc);
            editor.set_pane_size(0, DVec2::new(800.0, 600.0), 1.0);
            if let Some(start) = start {
                assert_eq!(
                    (editor.views[0].eye, editor.views[0].yaw_deg),
                    (start.origin, 90.0)
                );
            }
        };
        check(&[], None);
        check(&["light", "monster_player"], None);
        check(&["ms_player_spawn"], Some("ms_player_spawn"));
        check(&["PlayerStart"], Some("PlayerStart"));
        check(
            &["info_player_coop", "info_player_start"],
            Some("info_player_start"),
        );
        check(&["info_player_team1"], Some("info_player_team1"));
        check(&["testplayer_start"], Some("testplayer_start"));
    }

    #[test]
    fn an_imported_camera_counts_where_no_player_begins() {
        let check = |eye: [f32; 3], has_start: bool, is_used: bool| {
            let mut draft = Document::default().edit();
            house_under_a_far_sky(&mut draft);
            if has_start {
                let start = Entity::new("info_player_start", DVec3::new(5.0, 6.0, 7.0));
                draft.insert(Object::new(Kind::Entity(start)));
            }
            let mut look = ViewState::default();
            let mut camera = views::camera_of(&View::default(), "1".to_owned());
            camera.eye = glam::Vec3::from_array(eye);
            look.cameras.push(camera);
            look.active_camera = Some(0);
            let mut editor = Editor::with_document(
                draft.finish().expect("sound"),
                look,
                Settings::default(),
                Arc::new(|_| ()),
            );
            editor.set_pane_size(0, DVec2::new(800.0, 600.0), 1.0);
            let eye = DVec3::from_array(eye.map(f64::from));
            assert_eq!(editor.views[0].eye == eye, is_used, "{eye} {has_start}");
        };
        check([100.0, 60.0, 900.0], false, true);
        check([100.0, 60.0, 900.0], true, false);
        check([100.0, 60.0, 90_000.0], false, false);
    }

    #[test]
    fn a_large_imported_map_opens_well() {
        let folder = std::env::var("MAPWRIGHT_CORPUS").unwrap_or_else(|_| {
            concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus").to_owned()
        });
        let path = std::path::Path::new(&folder).join("rmf/lodagond-4.rmf");
        if !path.exists() {
            eprintln!("skipped: {} is missing", path.display());
            return;
        }
        let opened =
            crate::assets::open_map(&path, &[], &crate::task::Progress::new()).expect("opens");
        let mut editor = editor(opened.imported.doc);
        let start = player_start(editor.doc()).expect("a start of this game");
        assert!(start.class.contains("player"), "{}", start.class);
        for pane in 0..editor.views.len() {
            editor.set_pane_size(pane, DVec2::new(900.0, 700.0), 1.0);
        }
        assert_eq!(editor.views[0].eye, start.origin);
        fills_its_views(&editor, 1..4);
    }
}
