//! What the reader finds in the samples against what an independent reader wrote down.

use mapwright::document::Document;
use mapwright::document::ObjectId;
use mapwright::formats::Imported;
use serde_json::Value;

use super::corpus;
use super::import;

/// Every sample's content by its JSON, which an independent reader wrote.
#[test]
fn contents_are_those_of_the_expectations() {
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    for (name, entry) in manifest["valid"].as_object().expect("valid") {
        let path = folder.join(entry["file"].as_str().expect("file"));
        let expected = std::fs::read(path.with_extension("json")).expect("expectation");
        let expected: Value = serde_json::from_slice(&expected).expect("JSON");
        let imported = import(&std::fs::read(&path).expect("sample"), &path);
        compare_source(name, &imported, &expected);
        compare_compiled(name, &imported, &expected);
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn id(value: &Value) -> ObjectId {
    ObjectId::new(value.as_u64().expect("an id") as u32).expect("not 0")
}

fn number(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

fn numbers(value: &Value) -> Vec<f32> {
    value
        .as_array()
        .expect("numbers")
        .iter()
        .map(number)
        .collect()
}

fn owner(doc: &Document, id: ObjectId) -> u64 {
    doc.owner(id).map_or(0, |owner| u64::from(owner.get()))
}

fn compare_source(name: &str, imported: &Imported, expected: &Value) {
    let doc = &imported.doc;
    if let Some(meta) = expected.get("META") {
        assert_eq!(
            doc.settings().name,
            meta["name"].as_str().expect("name"),
            "{name}"
        );
        assert_eq!(
            doc.settings().ambient.to_array().to_vec(),
            numbers(&meta["ambient"]),
            "{name}"
        );
        assert_eq!(
            doc.settings().units_per_meter,
            number(&meta["unitsPerMeter"]),
            "{name}"
        );
        assert_eq!(imported.view.grid, number(&meta["gridSize"]), "{name}");
        assert_eq!(
            u64::from(doc.next_id()),
            meta["nextId"].as_u64().expect("nextId"),
            "{name}"
        );
    }
    assert_eq!(doc.material_count(), list(expected, "MATS").len(), "{name}");
    for ((_, material), expected) in doc.materials().zip(list(expected, "MATS")) {
        assert_eq!(material.name, expected["name"].as_str().expect("name"));
        assert_eq!(
            material.texture,
            expected["texture"].as_str().expect("texture")
        );
        assert_eq!(
            material.tile_size.to_array().to_vec(),
            numbers(&expected["tileSize"])
        );
        assert_eq!(
            material.color.to_array().to_vec(),
            numbers(&expected["color"])
        );
        assert_eq!(
            u64::from(material.flags.0),
            expected["flags"].as_u64().expect("flags")
        );
    }
    let mut count = 0;
    for expected in list(expected, "BRSH") {
        let object = doc.object(id(&expected["id"])).expect("brush");
        let brush = object.brush().expect("a brush");
        assert_eq!(
            owner(doc, id(&expected["id"])),
            expected["owner"].as_u64().expect("owner")
        );
        assert_eq!(
            u64::from(brush.contents().0),
            expected["contents"].as_u64().expect("contents")
        );
        assert_eq!(brush.faces().len(), list(expected, "faces").len());
        for (face, expected) in brush.faces().iter().zip(list(expected, "faces")) {
            let plane = face
                .plane
                .normal
                .as_vec3()
                .to_array()
                .into_iter()
                .chain([face.plane.dist as f32]);
            assert_eq!(plane.collect::<Vec<_>>(), numbers(&expected["plane"]));
            assert_eq!(
                face.material.map_or(-1, |id| i64::from(id.0)),
                expected["material"].as_i64().expect("material")
            );
            let uv = face.uv;
            assert_eq!(
                vec![
                    uv.offset.x,
                    uv.offset.y,
                    uv.scale.x,
                    uv.scale.y,
                    uv.rotation_deg
                ],
                numbers(&expected["uv"])
            );
            assert_eq!(
                u64::from(face.flags.0),
                expected["flags"].as_u64().expect("flags")
            );
        }
        count += 1;
    }
    for expected in list(expected, "MESH") {
        let mesh = doc
            .object(id(&expected["id"]))
            .expect("mesh")
            .mesh()
            .expect("a mesh");
        assert_eq!(
            owner(doc, id(&expected["id"])),
            expected["owner"].as_u64().expect("owner")
        );
        assert_eq!(mesh.name, expected["name"].as_str().expect("name"));
        let points: Vec<Vec<f32>> = mesh
            .points
            .iter()
            .map(|point| point.as_vec3().to_array().to_vec())
            .collect();
        assert_eq!(
            points,
            list(expected, "verts")
                .iter()
                .map(numbers)
                .collect::<Vec<_>>()
        );
        assert_eq!(mesh.polygons.len(), list(expected, "polys").len());
        for (polygon, expected) in mesh.polygons.iter().zip(list(expected, "polys")) {
            let corners: Vec<u64> = list(expected, "idx")
                .iter()
                .map(|index| index.as_u64().expect("index"))
                .collect();
            assert_eq!(
                polygon
                    .corners
                    .iter()
                    .map(|&corner| u64::from(corner))
                    .collect::<Vec<_>>(),
                corners
            );
            assert_eq!(
                u64::from(polygon.smooth),
                expected["smooth"].as_u64().expect("smooth")
            );
            let uvs: Vec<Vec<f32>> = polygon
                .uvs
                .iter()
                .map(|uv| uv.to_array().to_vec())
                .collect();
            assert_eq!(
                uvs,
                list(expected, "uv").iter().map(numbers).collect::<Vec<_>>()
            );
        }
        count += 1;
    }
    for expected in list(expected, "ENTS") {
        let entity = doc.entity(id(&expected["id"])).expect("entity");
        assert_eq!(entity.class, expected["classname"].as_str().expect("class"));
        assert_eq!(
            entity.origin.as_vec3().to_array().to_vec(),
            numbers(&expected["origin"])
        );
        assert_eq!(
            entity.angles_deg.as_vec3().to_array().to_vec(),
            numbers(&expected["angles"])
        );
        assert_eq!(
            entity.scale.as_vec3().to_array().to_vec(),
            numbers(&expected["scale"])
        );
        let keys: Vec<(&str, &str)> = list(expected, "kv")
            .iter()
            .map(|pair| {
                (
                    pair[0].as_str().expect("key"),
                    pair[1].as_str().expect("value"),
                )
            })
            .collect();
        assert_eq!(
            entity
                .keys
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect::<Vec<_>>(),
            keys
        );
        count += 1;
    }
    let groups = list(&expected["LAYR"], "containers")
        .iter()
        .filter(|container| container["kind"] == 2)
        .count();
    assert_eq!(doc.object_count(), count + groups, "{name}");
    assert_eq!(
        doc.layers().count() + groups,
        list(&expected["LAYR"], "containers").len(),
        "{name}"
    );
    assert_eq!(
        doc.paths().count(),
        list(&expected["PATH"], "paths").len(),
        "{name}"
    );
    assert_eq!(
        imported.view.cameras.len(),
        list(&expected["VIEW"], "cameras").len(),
        "{name}"
    );
    assert_eq!(
        imported.extras.textures.len(),
        list(&expected["TEXS"], "textures").len(),
        "{name}"
    );
    let exact = doc
        .objects()
        .filter(|(_, object)| object.brush().is_some_and(|brush| brush.exact().is_some()))
        .count();
    assert_eq!(exact, list(&expected["BVTX"], "brushes").len(), "{name}");
    let faces = doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .flat_map(|brush| brush.faces());
    assert_eq!(
        faces.filter(|face| face.axes.is_some()).count(),
        list(&expected["UVAX"], "faces").len(),
        "{name}"
    );
}

fn compare_compiled(name: &str, imported: &Imported, expected: &Value) {
    let Some(expected_cmpl) = expected.get("CMPL") else {
        assert!(imported.compiled.is_none(), "{name}");
        return;
    };
    let compiled = imported.compiled.as_ref().expect("compiled");
    assert!(compiled.is_current(&imported.doc), "{name}");
    let cmpl = &compiled.cmpl;
    assert_eq!(cmpl.batches.len(), list(expected_cmpl, "batches").len());
    for (batch, expected) in cmpl.batches.iter().zip(list(expected_cmpl, "batches")) {
        assert_eq!(
            i64::from(batch.material),
            expected["material"].as_i64().expect("material")
        );
        assert_eq!(batch.vertices.len(), list(expected, "verts").len());
        assert_eq!(batch.indices.len(), list(expected, "idx").len());
    }
    let bsp = &expected_cmpl["bsp"];
    assert_eq!(cmpl.bsp.nodes.len(), list(bsp, "nodes").len());
    assert_eq!(cmpl.bsp.leaves.len(), list(bsp, "leaves").len());
    assert_eq!(
        u64::from(cmpl.bsp.depth),
        bsp["depth"].as_u64().expect("depth")
    );
    assert_eq!(cmpl.models.len(), list(expected_cmpl, "models").len());
    assert_eq!(cmpl.lights.len(), list(expected_cmpl, "lights").len());
    assert_eq!(
        compiled.lightmaps.is_some(),
        expected.get("LMAP").is_some(),
        "{name}"
    );
    assert_eq!(
        compiled.visibility.is_some(),
        expected.get("PVS ").is_some(),
        "{name}"
    );
}
