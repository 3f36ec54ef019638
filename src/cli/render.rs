//! `mapwright render`: a picture of a map, drawn without a window.

use std::io::Cursor;
use std::sync::Arc;

use glam::DVec2;
use glam::DVec3;

use crate::assets::Library;
use crate::assets::open_map;
use crate::cli::Direction;
use crate::cli::Mode;
use crate::cli::Refused;
use crate::cli::Render;
use crate::cli::Status;
use crate::cli::output;
use crate::compiler;
use crate::compiler::Compiled;
use crate::document::Document;
use crate::document::State;
use crate::editor::RenderMode;
use crate::editor::View;
use crate::editor::ViewKind;
use crate::editor::overlay::Overlay;
use crate::editor::playable::Playable;
use crate::editor::player_start;
use crate::formats::ogz;
use crate::geometry::Aabb;
use crate::task::Progress;
use crate::viewport::DrawOptions;
use crate::viewport::Gpu;
use crate::viewport::render_picture;

pub fn run(arguments: &Render) -> Result<Status, Refused> {
    let opened = open_map(&arguments.input, &arguments.assets, &Progress::new())?;
    let imported = opened.imported;
    let mode = match arguments.mode {
        Mode::Lit => RenderMode::Lit,
        Mode::Textured => RenderMode::Textured,
        Mode::Flat => RenderMode::Flat,
        Mode::Wire => RenderMode::Wire,
    };
    let compiled = if mode == RenderMode::Lit {
        Some(lit(&imported.doc, imported.compiled)?)
    } else {
        None
    };
    // As in the window: a map without lights is shown without light, not as a black room.
    let compiled = compiled.filter(|compiled| compiled.cmpl.has_light());
    let mode = if mode == RenderMode::Lit && compiled.is_none() {
        RenderMode::Textured
    } else {
        mode
    };
    let gpu = Gpu::headless().map_err(|error| {
        Refused(format!(
            "Could not draw {}: {error}",
            arguments.input.display()
        ))
    })?;
    let mut library = Library::default();
    library.set_resolver(opened.resolver);
    let [width, height] = arguments.size;
    let view = view_of(arguments, &imported.doc, mode);
    let state = State {
        doc: imported.doc,
        selection: Default::default(),
    };
    let options = DrawOptions {
        grid: view.is_2d().then(|| f64::from(imported.view.grid)),
        double_light: ogz::doubles_light(imported.extras.origin.as_ref()),
        ..DrawOptions::picture()
    };
    let picture = render_picture(
        &gpu,
        &state,
        &imported.view,
        &mut library,
        compiled,
        &view,
        &options,
        &Overlay::default(),
        width,
        height,
    )
    .map_err(|error| {
        Refused(format!(
            "Could not draw {}: {error}",
            arguments.input.display()
        ))
    })?;
    let mut png = Cursor::new(Vec::new());
    image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba)
        .ok_or_else(|| Refused("The picture that was drawn has the wrong size".to_owned()))?
        .write_to(&mut png, image::ImageFormat::Png)
        .map_err(|error| Refused(format!("Could not encode the picture: {error}")))?;
    output::file(&arguments.output, &png.into_inner())?;
    Ok(Status::Done)
}

/// The file's own compile when it is up to date, else a new one of normal quality.
fn lit(doc: &Document, compiled: Option<Compiled>) -> Result<Arc<Compiled>, Refused> {
    if let Some(compiled) =
        compiled.filter(|compiled| compiled.is_current(doc) && compiled.cmpl.baked == 1)
    {
        return Ok(Arc::new(compiled));
    }
    compiler::compile(
        doc,
        &compiler::Options::default(),
        &mut compiler::Cache::default(),
        &Progress::new(),
    )
    .map(Arc::new)
    .map_err(|cancelled| Refused(format!("Could not compile the map: {cancelled}")))
}

fn view_of(arguments: &Render, doc: &Document, mode: RenderMode) -> View {
    let [width, height] = arguments.size.map(f64::from);
    let base = View {
        mode,
        size: DVec2::new(width, height),
        ..View::default()
    };
    if let Some([x, y, z, pitch_deg, yaw_deg]) = arguments.camera {
        return View {
            eye: DVec3::new(x, y, z),
            pitch_deg,
            yaw_deg,
            ..base
        };
    }
    let bounds = playable_bounds(doc);
    let flat = |kind| {
        flat_view(
            View {
                kind,
                ..base.clone()
            },
            bounds,
        )
    };
    match arguments.view {
        Some(Direction::Top) => flat(ViewKind::Top),
        Some(Direction::Front) => flat(ViewKind::Front),
        Some(Direction::Side) => flat(ViewKind::Side),
        Some(Direction::Overview) => overview(base, bounds),
        None => player_view(&base, doc).unwrap_or_else(|| overview(base.clone(), bounds)),
    }
}

/// Bounds of what is seen; skies, shells and rooms apart, would push the camera far away.
fn playable_bounds(doc: &Document) -> Aabb {
    let playable = Playable::of(doc);
    let is_shell = |object: &crate::document::Object| {
        object
            .brush()
            .is_some_and(|brush| brush.contents().has(crate::document::Contents::SKY))
    };
    let bounds = doc
        .objects()
        .filter(|(id, object)| !is_shell(object) && playable.has(doc, *id, object))
        .map(|(_, object)| object.bounds())
        .filter(|b| !b.is_empty())
        .fold(Aabb::EMPTY, Aabb::union);
    if bounds.is_empty() {
        Aabb::around(DVec3::ZERO, DVec3::splat(256.0))
    } else {
        bounds
    }
}

/// Looks from the eyes of the player start, whatever game it belongs to.
fn player_view(base: &View, doc: &Document) -> Option<View> {
    let start = player_start(doc)?;
    let eye_above_m = 0.75;
    let up = DVec3::Y * eye_above_m * f64::from(doc.settings().units_per_meter);
    Some(View {
        eye: start.origin + up,
        pitch_deg: 0.0,
        yaw_deg: start.angles_deg.y,
        ..base.clone()
    })
}

/// The whole map from above at an angle, from the south-east.
fn overview(base: View, bounds: Aabb) -> View {
    let view = View {
        pitch_deg: -38.0,
        yaw_deg: 32.0,
        fov_y_deg: 50.0,
        ..base
    };
    let axes = view.map_from_view();
    let half_tan_y = (view.fov_y_deg.to_radians() * 0.5).tan();
    let half_tan_x = half_tan_y * view.size.x / view.size.y.max(1.0);
    // Far enough back that every corner lies inside the four sides of the view.
    let back = bounds
        .corners()
        .into_iter()
        .map(|corner| axes.transpose() * (corner - bounds.center()))
        .map(|local| local.z + (local.x.abs() / half_tan_x).max(local.y.abs() / half_tan_y))
        .fold(1.0, f64::max);
    View {
        eye: bounds.center() + axes.z_axis * back * 1.04,
        ..view
    }
}

fn flat_view(view: View, bounds: Aabb) -> View {
    let size = bounds.size();
    let extent =
        DVec2::new(size.dot(view.right().abs()), size.dot(view.up().abs())).max(DVec2::ONE);
    let scale = (view.size / extent).min_element() * 0.9;
    View {
        eye: bounds.center(),
        points_per_unit: scale,
        ..view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overview_holds_the_whole_map() {
        let bounds = Aabb::new(
            DVec3::new(-900.0, -30.0, -50.0),
            DVec3::new(4000.0, 700.0, 2000.0),
        );
        let view = overview(
            View {
                size: DVec2::new(1280.0, 720.0),
                ..View::default()
            },
            bounds,
        );
        for corner in bounds.corners() {
            let (at, _) = view.project(corner).expect("in front");
            assert!(
                at.x >= 0.0 && at.y >= 0.0 && at.x <= 1280.0 && at.y <= 720.0,
                "{corner} at {at}"
            );
        }
    }
}
