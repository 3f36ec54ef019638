//! What goes along with the cubes, and what is listed because it cannot.

use super::*;

#[test]
fn worlds_without_anything_are_written_too() {
    let mut draft = Document::default().edit();
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "worldspawn",
        DVec3::ZERO,
    ))));
    let written = written(&draft.finish().expect("a document"));
    let map = read_back(&written);
    assert_eq!(map.tree.leaves.len(), 8);
    assert!(map.tree.leaves.iter().all(|leaf| leaf.fill == Fill::Empty));
}

#[test]
fn entities_and_light_go_along() {
    let mut draft = document(vec![cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0])]).edit();
    let mut put = |class: &str, at: [f64; 3], keys: &[(&str, &str)], angles: DVec3| {
        let mut entity = Entity::new(class, DVec3::from(at));
        for (key, value) in keys {
            entity.set_key(key, *value);
        }
        entity.angles_deg = angles;
        draft.insert(Object::new(Kind::Entity(entity)))
    };
    put(
        "worldspawn",
        [0.0; 3],
        &[
            ("fog", "1200"),
            ("skybox", "env/day"),
            ("sunlight", "0xff8000"),
        ],
        DVec3::ZERO,
    );
    put(
        "light",
        [1.0, 2.0, 3.0],
        &[
            ("radius", "192"),
            ("color", "1 0.5 0"),
            ("intensity", "1"),
            ("falloff", "linear"),
        ],
        DVec3::ZERO,
    );
    put(
        "mapmodel",
        [8.0, 0.0, 8.0],
        &[("model", "tree")],
        DVec3::new(0.0, 90.0, 0.0),
    );
    put(
        "light_sun",
        [0.0; 3],
        &[("color", "2 1 0"), ("intensity", "1")],
        DVec3::new(-60.0, 270.0, 0.0),
    );
    let door = put("func_door", [0.0; 3], &[], DVec3::ZERO);
    let written = written(&draft.finish().expect("a document"));
    assert_eq!(
        codes(&written.report),
        [("X-ENTITY", 1)],
        "{:?}",
        written.report.warnings
    );
    assert_eq!(written.report.warnings[0].object, Some(door));
    let map = read_back(&written);
    let [light, tree] = map.entities.as_slice() else {
        panic!("{:?}", map.entities);
    };
    assert_eq!((light.kind, light.position), (1, [1.0, 3.0, 2.0]));
    assert_eq!(light.attributes, [192, 255, 128, 0, 0]);
    assert_eq!(
        (
            tree.kind,
            tree.position,
            tree.attributes[0],
            tree.attributes[1]
        ),
        (2, [8.0, 8.0, 0.0], 90, 0)
    );
    assert!(
        written
            .config
            .contains("mapmodelreset\nmmodel \"tree\" // 0"),
        "{}",
        written.config
    );
    let value = |name: &str| {
        let found = map.variables.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    assert_eq!(value("fog"), Some(Value::Int(1200)));
    assert_eq!(value("skybox"), Some(Value::Text("env/day".to_owned())));
    assert_eq!(value("sunlight"), Some(Value::Int(0x00FF_8000)));
    assert_eq!(value("sunlightscale"), Some(Value::Float(2.0)));
    assert_eq!(value("sunlightyaw"), Some(Value::Int(90)));
    assert_eq!(value("sunlightpitch"), Some(Value::Int(60)));
}

/// A map as a file, with the configuration beside it.
struct Beside(&'static str);

impl crate::formats::Siblings for Beside {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        (name == "m.cfg").then(|| self.0.as_bytes().to_vec())
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        Some([64; 2])
    }
}

#[test]
fn what_the_editor_does_not_show_goes_back() {
    use crate::formats::Importer as _;
    const CONFIG: &str = "texturereset\nsetshader stdworld\ntexture 0 sky\ntexture 0 a.jpg\n\
        setshader bumpspecworld\nsetshaderparam specscale 2 1 1\ntexture 0 b.jpg\ntexture n b_n.jpg\nautograss grass\n\
        texscroll 0.5 0\nsetshader stdworld\ntexture 0 b.jpg\ntexture 0 layer.jpg\n\
        materialreset\ntexture water w.png\ntexture n w_n.png\nmapsound wind.ogg 60 2";
    let plain = VirtualSlot {
        unmodified: true,
        previous: -1,
        ..VirtualSlot::default()
    };
    let mut slots = vec![plain; 5];
    slots.push(VirtualSlot {
        previous: 1,
        scale: Some(2.0),
        scroll: Some([0.0, -1.0]),
        layer: Some(4),
        alpha: Some([0.25, 0.75]),
        color: Some([1.5, 0.5, 0.0]),
        shader_parameters: vec![("glowcolor".to_owned(), [1.0, 0.5, 0.25, 0.0])],
        ..VirtualSlot::default()
    });
    let cell = |textures| Leaf {
        origin: [0; 3],
        size: 32,
        fill: Fill::Solid,
        edges: [0x80; 12],
        textures,
        material: 0,
    };
    let cells = [1, 2, 3, 5, 2, 3, 5, 1].map(|slot| cell([slot; 6]));
    let mut map = map_of(cells, slots);
    map.entities.push(crate::formats::ogz::raw::RawEntity {
        offset: 0,
        position: [8.0, 8.0, 100.0],
        attributes: vec![0, 100, 0, 0, 0],
        kind: 6,
        extra: Vec::new(),
    });
    let beside = Beside(CONFIG);
    let progress = Progress::new();
    let path = std::path::Path::new("m.ogz");
    let imported = crate::formats::ogz::Ogz
        .import(&encode(&map), path, &beside, &progress)
        .expect("our own file");
    let origin = imported.extras.origin.as_ref();
    let written =
        write(&imported.doc, origin, &|_| Some([64; 2]), &progress).expect("not cancelled");
    let back = read_back(&written);
    assert_eq!(
        codes(&written.report),
        [("X-TEXTURE", 1)],
        "{:?}",
        written.report.warnings
    );
    assert!(written.report.warnings[0].kind.text.contains("layer"));

    let text: &'static str = Box::leak(written.config.clone().into_boxed_str());
    let read = |map: &RawMap, beside: &Beside| {
        let config = Config::read(path, &[], beside, &progress).expect("not cancelled");
        let slots = Slots::new(map, &config, beside);
        let mut looks: Vec<String> = map
            .tree
            .leaves
            .iter()
            .filter(|leaf| leaf.fill == Fill::Solid)
            .flat_map(|leaf| {
                (0..6).map(move |face| (leaf.origin, leaf.size, face, leaf.textures[face]))
            })
            .filter(|(origin, size, face, _)| {
                // Those on the outside of the eight that are not the world's border.
                face % 2 == 1 && origin[face / 2] + size == 64
            })
            .flat_map(|(.., slot)| {
                let slot = slots.resolve(slot);
                let effects = crate::formats::ogz::effects::Effects::of(slot);
                [format!(
                    "{:?} {} {} {effects:?}",
                    slot.picture, slot.scale, slot.others
                )]
            })
            .collect();
        looks.sort();
        looks.dedup();
        (looks, config.materials, config.sounds, config.sound_words)
    };
    let before = read(&map, &beside);
    assert_eq!(before.0.len(), 4, "{:?}", before.0);
    assert_eq!(before, read(&back, &Beside(text)));
}

#[test]
fn what_entities_and_surfaces_lose_is_listed() {
    let mut draft = document(vec![cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0])]).edit();
    let mut odd = Material::new("odd", "");
    odd.flags = SurfaceFlags::UNLIT | SurfaceFlags::MASKED;
    let odd = draft.insert_material(odd);
    let brush = Brush::cuboid(
        Aabb::new(DVec3::new(128.0, 0.0, 0.0), DVec3::new(192.0, 64.0, 64.0)),
        Some(odd),
    );
    let brush = draft.insert(Object::new(Kind::Brush(brush)));
    let mut lamp = Entity::new("light", DVec3::new(32.0, 100.0, 32.0));
    lamp.set_key("style", "a");
    let lamp = draft.insert(Object::new(Kind::Entity(lamp)));
    let mut spot = Entity::new("light_spot", DVec3::new(232.0, 100.0, 32.0));
    for (key, value) in [
        ("radius", "200"),
        ("color", "1 1 1"),
        ("intensity", "1"),
        ("falloff", "linear"),
        ("inner", "0"),
        ("outer", "30"),
    ] {
        spot.set_key(key, value);
    }
    spot.angles_deg = DVec3::new(-90.0, 0.0, 0.0);
    let mut spot_beside = spot.clone();
    spot_beside.origin.x += 400.0;
    spot_beside.set_key("inner", "20");
    draft.insert(Object::new(Kind::Entity(spot)));
    let spot_beside = draft.insert(Object::new(Kind::Entity(spot_beside)));
    let written = written(&draft.finish().expect("a document"));
    let rows: Vec<(&str, Option<ObjectId>, &str)> = written
        .report
        .warnings
        .iter()
        .map(|row| (row.kind.code, row.object, row.kind.text.as_str()))
        .collect();
    let find = |code: &str, word: &str| {
        let found = rows
            .iter()
            .find(|row| row.0 == code && row.2.contains(word));
        found.unwrap_or_else(|| panic!("{code} {word}: {rows:?}")).1
    };
    assert_eq!(
        find("X-SURFACE", "6 faces that no light changes"),
        Some(brush)
    );
    assert_eq!(find("X-SURFACE", "6 faces with holes"), Some(brush));
    assert_eq!(find("X-TEXTURE", "1 material has no picture"), Some(brush));
    assert_eq!(find("X-KEYS", "style, its falloff"), Some(lamp));
    assert_eq!(
        find("X-KEYS", "1 light_spot: the game has no place for inner"),
        Some(spot_beside)
    );
    assert_eq!(rows.len(), 5, "{rows:?}");
    // A light without a reach has the usual one, and a cone is a spotlight's.
    let map = read_back(&written);
    let kinds: Vec<u8> = map.entities.iter().map(|raw| raw.kind).collect();
    assert_eq!(kinds, [1, 1, 1, 7, 7]);
    assert_eq!(map.entities[0].attributes[0], 320);
    assert_eq!(map.entities[3].position, [232.0, 32.0, 84.0]);
}

/// A brush that is one bent cube, whose bent side is two planes, with a material for each of these.
fn bent_in_two(heights: [u8; 4]) -> Option<Document> {
    let mut edges = [0x80; 12];
    for (edge, height) in edges[4..8].iter_mut().zip(heights) {
        *edge = height << 4;
    }
    if heights == [0; 4] || !Shape::new(&edges).is_convex() {
        return None;
    }
    let leaf = |fill, edges| Leaf {
        origin: [0; 3],
        size: 32,
        fill,
        edges,
        textures: [1; 6],
        material: 0,
    };
    let mut cells = [leaf(Fill::Empty, [0; 12]); 8];
    cells[0] = leaf(Fill::Deformed, edges);
    let map = map_of(cells, slots_of_tests());
    let mut draft = document_of(&map, &test_config()).edit();
    let other = draft.insert_material(Material::new("other", "packages/other.jpg"));
    let (id, brush) = draft
        .objects()
        .find_map(|(id, object)| Some((id, object.brush()?.clone())))?;
    let is_bent = |face: &Face| face.plane.normal.abs().max_element() < 0.999;
    let mut faces = brush.faces().to_vec();
    let bent = faces.iter().filter(|face| is_bent(face)).count();
    if bent != 2 {
        return None;
    }
    let last = faces.iter().rposition(is_bent)?;
    faces[last].material = Some(other);
    draft.update(id, |object| {
        object.kind = Kind::Brush(brush.with_surfaces(faces));
    });
    draft.finish().ok()
}

/// No face of a cube shows two pictures: the smaller part gives way, once, and the brush is written all the same.
#[test]
fn where_one_face_of_a_cube_is_two_of_the_brush_the_smaller_gives_way() {
    // Seven planes on six faces.
    let heights = [8, 4, 4, 2];
    let doc = bent_in_two(heights).expect("bent along two planes");
    let volume: f64 = doc
        .objects()
        .filter_map(|(_, object)| Some(object.brush()?.hull().volume()))
        .sum();
    let written = written(&doc);
    let [row] = written.report.warnings.as_slice() else {
        panic!("{heights:?} {:?}", written.report.warnings);
    };
    assert_eq!(row.kind.code, "X-PICTURE");
    assert!(row.face.is_some() && row.kind.text.contains("the face beside it"));
    assert_eq!(written.brushes, 1);
    assert!((figures(&read_back(&written)).0 - volume).abs() < 1e-6);
}

#[test]
fn what_keeps_a_document_in_order_is_listed_once_for_each_kind() {
    use crate::document::Layer;
    use crate::document::LayerKind;
    let mut draft = document(vec![
        cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0]),
        cuboid([64.0, 0.0, -64.0], [128.0, 64.0, 0.0]),
    ])
    .edit();
    let roof = draft.insert_layer(Layer::new(LayerKind::Layer, "Roof"));
    let water = draft.insert_layer(Layer::new(LayerKind::Layer, "Water"));
    let seen = draft.insert_layer(Layer::new(LayerKind::Visgroup, "Seen"));
    draft.insert_layer(Layer::new(LayerKind::Layer, "nobody's"));
    let group = draft.insert(Object::new(Kind::Group(Group::new("pair"))));
    let ids: Vec<ObjectId> = draft
        .objects()
        .filter(|(_, object)| object.brush().is_some())
        .map(|(id, _)| id)
        .collect();
    draft.update(ids[0], |object| {
        object.layer = Some(roof);
        object.visgroups = [seen].into();
        object.parent = Some(group);
    });
    draft.update(ids[1], |object| object.layer = Some(water));
    let doc = draft.finish().expect("a document");
    let rows = |origin: Option<&Origin>| -> Vec<(String, Vec<ObjectId>)> {
        let written = write(&doc, origin, &size_of, &Progress::new()).expect("not cancelled");
        let warnings = written.report.warnings.iter();
        warnings
            .inspect(|warning| assert_eq!(warning.kind.code, "X-ORDER"))
            .map(|warning| (warning.kind.text.clone(), warning.objects().collect()))
            .collect()
    };
    let text = |start: &str, end: &str| format!("{start}: the game has none, and what is in {end}");
    let alone = [
        (text("1 visgroup", "it stays without (Seen)"), vec![ids[0]]),
        (text("1 group", "it stays without (pair)"), vec![ids[0]]),
    ];
    let both = (
        text("2 layers", "them stays without (Roof, Water)"),
        vec![ids[0], ids[1]],
    );
    assert_eq!(rows(None), [&[both][..], &alone].concat());
    // Opening a map makes its own layers.
    let one = (text("1 layer", "it stays without (Roof)"), vec![ids[0]]);
    let origin = Origin {
        format: "ogz".to_owned(),
        ..Origin::default()
    };
    assert_eq!(rows(Some(&origin)), [&[one][..], &alone].concat());
}

#[test]
fn many_rows_of_one_reason_are_one() {
    let off = |at: f64| cuboid([at, 0.0, -8.0], [at + 7.3, 8.0, 0.0]);
    let few = document((0..40).map(|index| off(8.0 * f64::from(index))).collect());
    assert_eq!(codes(&written(&few).report), [("X-LEFT-OUT", 40)]);
    let many = document((0..41).map(|index| off(8.0 * f64::from(index))).collect());
    let written = written(&many);
    let [row] = written.report.warnings.as_slice() else {
        panic!("{:?}", written.report.warnings);
    };
    assert_eq!(row.objects().count(), 41);
    assert_eq!(
        row.kind.text,
        "41 brushes were left out, each because its corners are not on eighths of a unit"
    );
}

#[test]
fn a_map_of_another_game_goes_back_to_that() {
    use crate::formats::Importer as _;
    let raw = |kind: u8, extra: &[u8]| crate::formats::ogz::raw::RawEntity {
        offset: 0,
        position: [8.0; 3],
        attributes: vec![1, 2, 3, 4, 5],
        kind,
        extra: extra.to_vec(),
    };
    let mut map = map_of(
        [Leaf {
            origin: [0; 3],
            size: 32,
            fill: Fill::Empty,
            edges: [0; 12],
            textures: [1; 6],
            material: 0,
        }; 8],
        slots_of_tests(),
    );
    "rpg".clone_into(&mut map.game);
    map.entities = vec![raw(1, &[7, 0, 9]), raw(12, &[1, 2, 3])];
    let bytes = encode(&map);
    let path = std::path::Path::new("m.ogz");
    let imported = crate::formats::ogz::Ogz
        .import(&bytes, path, &NoSiblings, &Progress::new())
        .expect("a map");
    let origin = imported.extras.origin.as_ref();
    let written = write(&imported.doc, origin, &size_of, &Progress::new()).expect("not cancelled");
    assert!(
        written.report.warnings.is_empty(),
        "{:?}",
        written.report.warnings
    );
    let back = read_back(&written);
    let plain = |map: &RawMap| -> Vec<(u8, Vec<i32>, Vec<u8>)> {
        let entities = map.entities.iter();
        entities
            .map(|raw| (raw.kind, raw.attributes.clone(), raw.extra.clone()))
            .collect()
    };
    assert_eq!(back.game, "rpg");
    assert_eq!(plain(&back), plain(&map));
}

#[test]
fn entities_of_a_class_that_lack_many_things_are_one_row() {
    let mut draft = Document::default().edit();
    for index in 0..5 {
        let mut entity = Entity::new("health", DVec3::splat(8.0));
        entity.set_key("own", "1");
        entity.set_key(&format!("own{index}"), "1");
        draft.insert(Object::new(Kind::Entity(entity)));
    }
    let written = written(&draft.finish().expect("a document"));
    let [row] = written.report.warnings.as_slice() else {
        panic!("{:?}", written.report.warnings);
    };
    assert_eq!(
        row.kind.text,
        "5 health: the game has no place for some of own, own0, own1, own2, own3, own4"
    );
    assert_eq!(row.objects().count(), 5);
}
