//! What keeps a document in order and has no place in a map of the game: layers, visgroups, groups, paths.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::ogz::emit::is_made_on_import;

/// Most names that one line lists.
const MOST_LISTED: usize = 12;

/// One row for each kind that is in use. `is_from_game`: opening the written map makes the layers of an import again.
pub fn report(doc: &Document, is_from_game: bool, report: &mut Report) {
    let mut members: BTreeMap<LayerId, Vec<ObjectId>> = BTreeMap::new();
    let mut groups: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
    for (id, object) in doc.objects_in_order() {
        if doc.is_left_out(id) {
            continue;
        }
        for &layer in object.layer.iter().chain(object.visgroups.iter()) {
            members.entry(layer).or_default().push(id);
        }
        let parent = object.parent;
        let group = parent.filter(|&parent| {
            doc.object(parent)
                .is_some_and(|parent| matches!(parent.kind, Kind::Group(_)))
        });
        if let Some(group) = group {
            groups.entry(group).or_default().push(id);
        }
    }
    for (kind, one, more) in [
        (LayerKind::Layer, "layer", "layers"),
        (LayerKind::Visgroup, "visgroup", "visgroups"),
    ] {
        let used = members.iter().filter_map(|(&id, objects)| {
            let layer = doc.layer(id).filter(|layer| layer.kind == kind)?;
            let comes_back =
                is_from_game && kind == LayerKind::Layer && is_made_on_import(&layer.name);
            (!comes_back).then_some((layer.name.as_str(), objects))
        });
        tell(report, (one, more), used);
    }
    let named = groups.iter().map(|(&group, objects)| {
        let name = match doc.object(group).map(|object| &object.kind) {
            Some(Kind::Group(group)) => group.name.as_str(),
            _ => "",
        };
        (name, objects)
    });
    tell(report, ("group", "groups"), named);
    let paths: Vec<(&str, &Vec<ObjectId>)> = doc
        .paths()
        .map(|(_, path)| (path.name.as_str(), &path.nodes))
        .collect();
    tell(report, ("path", "paths"), paths.into_iter());
}

fn tell<'a>(
    report: &mut Report,
    (one, more): (&str, &str),
    used: impl Iterator<Item = (&'a str, &'a Vec<ObjectId>)>,
) {
    let mut names = Vec::new();
    let mut ids = BTreeSet::new();
    for (name, objects) in used {
        names.push(name);
        ids.extend(objects.iter().copied());
    }
    if names.is_empty() {
        return;
    }
    let count = names.len();
    let kind = if count == 1 { one } else { more };
    let mut listed: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let has_more = listed.len() > MOST_LISTED;
    listed.truncate(MOST_LISTED);
    let mut text = format!(
        "{count} {kind}: the game has none, and what is in {} stays without",
        if count == 1 { "it" } else { "them" }
    );
    if !listed.is_empty() {
        text = format!(
            "{text} ({}{})",
            listed.join(", "),
            if has_more { ", ..." } else { "" }
        );
    }
    report.warn_of("X-ORDER", ids.into_iter().collect(), text);
}
