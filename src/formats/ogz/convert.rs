//! [`RawMap`] to a document: cubes, entities, light and the report of what became of them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::ogz::classes::Word;
use crate::formats::ogz::classes::class_of;
use crate::formats::ogz::classes::kind;
use crate::formats::ogz::config::Config;
use crate::formats::ogz::emit::emit;
use crate::formats::ogz::entities;
use crate::formats::ogz::entities::Names;
use crate::formats::ogz::lighting;
use crate::formats::ogz::materials::Materials;
use crate::formats::ogz::models::ModelSizes;
use crate::formats::ogz::pieces::pieces;
use crate::formats::ogz::raw::RawEntity;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::slots::Slots;
use crate::task::Cancelled;
use crate::task::Progress;

/// A player is 15 units tall.
pub const UNITS_PER_METER: f32 = 8.0;

/// What became of a map.
pub struct Converted {
    pub doc: Document,
    pub view: ViewState,
    /// What `ORIG` keeps of the materials, sounds and models.
    pub settings: Vec<(String, String)>,
}

/// `path`: of the map, whose configuration lies beside it.
///
/// # Errors
/// Only when cancelled.
pub fn convert(
    map: &RawMap,
    path: &Path,
    siblings: &dyn Siblings,
    progress: &Progress,
    report: &mut Report,
) -> Result<Converted, Cancelled> {
    let config = Config::read(path, &map.variables, siblings, progress)?;
    let slots = Slots::new(map, &config, siblings);
    let mut draft = Document::default().edit();
    let mut view = ViewState::default();
    settings(&mut draft, &config);
    let world = lighting::world(&config.variables);
    draft.insert(Object::new(Kind::Entity(world)));
    progress.stage("Joining cubes", 0.4);
    let pieces = pieces(map, progress)?;
    progress.stage("Making brushes", 0.4);
    let mut materials = Materials::new(&slots, &config);
    let emitted = emit(
        &pieces,
        &slots,
        &mut materials,
        &mut draft,
        report,
        progress,
    )?;
    drop(pieces);
    view.locked_layers.extend(emitted.shell_layer);
    report.gather("I-HIDDEN-BRUSH", |count| {
        let have = many(count, "brush has", "brushes have");
        format!("{have} no side that can be seen and fill the inside of walls")
    });
    report.gather("I-GAME-CLIP", |count| {
        let stop = many(count, "brush stops", "brushes stop");
        format!("{stop} what the game's rules say, not players: without collision here")
    });
    materials.report(&draft, report);
    if map.facts.degenerate_leaves > 0 {
        let text = format!(
            "{} cubes whose edges enclose nothing were left out, as in the game",
            map.facts.degenerate_leaves
        );
        report.warn("I-FLAT-CUBE", None, None, text);
    }
    let mut settings = materials.settings();
    settings.extend(insert_entities(map, &config, siblings, &mut draft, report));
    Ok(Converted {
        doc: draft.as_read(),
        view,
        settings,
    })
}

fn settings(draft: &mut Draft, config: &Config) {
    let settings = draft.settings_mut();
    settings.units_per_meter = UNITS_PER_METER;
    settings.ambient = lighting::ambient(&config.variables);
    if let Some(Value::Text(title)) = config.variables.get("maptitle") {
        settings.name.clone_from(title);
    }
}

/// Gives what `ORIG` keeps of the models.
fn insert_entities(
    map: &RawMap,
    config: &Config,
    siblings: &dyn Siblings,
    draft: &mut Draft,
    report: &mut Report,
) -> Vec<(String, String)> {
    let mut layers = BTreeMap::new();
    if let Some(sun) = lighting::sun(&config.variables, map.world_size) {
        let id = insert(draft, &mut layers, "Lights", Kind::Entity(sun));
        report.warn(
            "I-NEW-SUN",
            None,
            Some(id),
            "the sun of the map's variables became an entity",
        );
    }
    let names = Names {
        models: &config.models,
        sounds: &config.sounds,
    };
    let mut sizes = ModelSizes::new(config, siblings);
    let spots = lighting::spots(&map.entities);
    let mut models = Vec::new();
    let mut unnamed = Vec::new();
    let mut lonely = Vec::new();
    let mut foreign = Vec::new();
    let mut foreign_kinds = BTreeSet::new();
    let mut dropped = 0;
    for (index, raw) in map.entities.iter().enumerate() {
        let Some(mut entity) = entities::entity(map, raw, names) else {
            dropped += 1;
            continue;
        };
        let layer = match raw.kind {
            kind::LIGHT => {
                let spot = spots.get(&index).map(|&spot| &map.entities[spot]);
                lighting::light(&mut entity, raw, spot);
                "Lights"
            }
            kind::SPOTLIGHT => "Lights",
            kind::MAPMODEL => {
                sizes.put(&mut entity);
                "Models"
            }
            _ => "Entities",
        };
        let is_finite = raw.position.iter().all(|number| number.is_finite());
        let id = insert(draft, &mut layers, layer, Kind::Entity(entity));
        if !is_finite {
            let text = "its place is not a number; 0 was taken";
            report.warn("I-NOT-FINITE", Some(raw.offset), Some(id), text);
        }
        if has_unnamed_model(map, raw, names) {
            unnamed.push(id);
        }
        match raw.kind {
            kind::MAPMODEL => models.push(id),
            kind::SPOTLIGHT if !spots.values().any(|&spot| spot == index) => lonely.push(id),
            other if class_of(map, other).is_none() => {
                foreign.push(id);
                foreign_kinds.insert(other);
            }
            _ => {}
        }
    }
    if !models.is_empty() {
        let text = format!(
            "{} shown as boxes with their names",
            many(models.len(), "map model is", "map models are")
        );
        report.warn_of("I-MODEL", models, text);
    }
    if !unnamed.is_empty() && !config.missing_models.is_empty() {
        let text = format!(
            "{} not there; {} in the list of models that it may have had, and no name",
            many_files(&config.missing_models),
            many(
                unnamed.len(),
                "entity has a number",
                "entities have numbers"
            )
        );
        report.warn_of("I-MISSING-CONFIG", unnamed, text);
    }
    if !lonely.is_empty() {
        let text = format!(
            "{} no light near enough to aim",
            many(lonely.len(), "spotlight has", "spotlights have")
        );
        report.warn_of("I-LONELY-SPOT", lonely, text);
    }
    if !foreign.is_empty() {
        let text = format!(
            "{} of types that are not known in the game \"{}\" ({}); kept with all numbers",
            many(foreign.len(), "entity is", "entities are"),
            map.game,
            listed(&foreign_kinds)
        );
        report.warn_of("I-UNKNOWN-ENTITY", foreign, text);
    }
    if dropped > 0 {
        let text = format!(
            "{} left out",
            many(dropped, "empty entity was", "empty entities were")
        );
        report.warn("I-EMPTY-ENTITY", None, None, text);
    }
    sizes.settings()
}

/// True for an entity with a number in the list of models that has no name.
fn has_unnamed_model(map: &RawMap, raw: &RawEntity, names: Names<'_>) -> bool {
    let Some(class) = class_of(map, raw.kind) else {
        return false;
    };
    let mut words = class.words.iter().zip(&raw.attributes);
    words.any(|(&word, &number)| {
        word == Word::Model && usize::try_from(number).is_ok_and(|at| at >= names.models.len())
    })
}

fn listed(kinds: &BTreeSet<u8>) -> String {
    let words: Vec<String> = kinds.iter().map(u8::to_string).collect();
    words.join(", ")
}

fn many_files(files: &[String]) -> String {
    let verb = if files.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", files.join(", "))
}

fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Into the layer of this name, made when it is first needed.
fn insert(
    draft: &mut Draft,
    layers: &mut BTreeMap<&'static str, LayerId>,
    name: &'static str,
    kind: Kind,
) -> ObjectId {
    let layer = *layers
        .entry(name)
        .or_insert_with(|| draft.insert_layer(Layer::new(LayerKind::Layer, name)));
    draft.insert(Object {
        layer: Some(layer),
        ..Object::new(kind)
    })
}
