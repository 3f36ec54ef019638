use glam::DVec3;
use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::document::Object;
use crate::formats::NoSiblings;
use crate::geometry::Aabb;

/// A box of 64 x 32 x 16 (Z up), its texture shifted on top.
const STANDARD: &str = r#"// Game: Quake
{
"classname" "worldspawn"
"wad" "\sierra\half-life\valve\halflife.wad"
{
( 0 0 16 ) ( 0 1 16 ) ( 1 0 16 ) {GRATE2A 8 4 0 1 2
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) wall 0 0 0 1 1
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) wall 0 0 0 1 1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) wall 0 0 0 1 1 0 0 0
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) wall 0 0 0 1 1
( 0 32 0 ) ( 1 32 0 ) ( 0 32 1 ) wall 0 0 0 1 1
}
}
"#;

const VALVE: &str = r#"{
( 0 0 16 ) ( 0 1 16 ) ( 1 0 16 ) "my floor" [ 1 0 0 8 ] [ 0 -1 0 4 ] 0 0.5 2
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) wall [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) wall [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) wall [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) wall [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 0 32 0 ) ( 1 32 0 ) ( 0 32 1 ) wall [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1
}
"#;

fn brush_of(doc: &Document) -> crate::document::Brush {
    let brushes: Vec<_> = doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .collect();
    assert_eq!(brushes.len(), 1);
    brushes[0].clone()
}

#[test]
fn a_standard_brush_comes_y_up_with_its_texture() {
    assert!(is_map_text(STANDARD) && is_map_text(VALVE) && !is_map_text("hello {"));
    let (doc, _) = read(STANDARD, &NoSiblings).expect("a brush");
    assert_eq!(doc.object_count(), 1, "no entity of the world");
    let brush = brush_of(&doc);
    assert_eq!(brush.fault(), None);
    assert_eq!(
        brush.hull().bounds(),
        Aabb::new(DVec3::new(0.0, 0.0, -32.0), DVec3::new(64.0, 16.0, 0.0))
    );
    let top = brush
        .faces()
        .iter()
        .find(|face| face.plane.normal.y > 0.5)
        .expect("a top");
    let material = doc
        .material(top.material.expect("a material"))
        .expect("row");
    assert_eq!(material.name, "{GRATE2A");
    // u = (x / 1 + 8) / 64, v = (-y / 2 + 4) / 64 in the text's axes; its y is -z here.
    let at = top
        .frame(Vec2::splat(64.0))
        .at(DVec3::new(24.0, 16.0, -10.0));
    assert!((at.x - 32.0 / 64.0).abs() < 1e-6, "{at}");
    assert!((at.y - (-10.0 / 2.0 + 4.0) / 64.0).abs() < 1e-6, "{at}");
}

#[test]
fn a_bare_valve_brush_keeps_its_axes() {
    let (doc, _) = read(VALVE, &NoSiblings).expect("a brush");
    let brush = brush_of(&doc);
    assert_eq!(brush.hull().bounds().size(), DVec3::new(64.0, 16.0, 32.0));
    let top = brush
        .faces()
        .iter()
        .find(|face| face.plane.normal.y > 0.5)
        .expect("a top");
    let at = top
        .frame(Vec2::splat(64.0))
        .at(DVec3::new(24.0, 16.0, -10.0));
    assert!((at.x - (48.0 + 8.0) / 64.0).abs() < 1e-6, "{at}");
    assert!((at.y - (-5.0 + 4.0) / 64.0).abs() < 1e-6, "{at}");
}

#[test]
fn entities_groups_and_layers() {
    let text = format!(
        r#"{{ "classname" "light" "origin" "8 16 24" "note" "a \"b\" c" "_tb_group" "7" }}
{{ "classname" "func_group" "_tb_type" "_tb_group" "_tb_id" "7" "_tb_name" "g" {VALVE} }}
{{ "classname" "func_group" "_tb_type" "_tb_layer" "_tb_id" "1" {VALVE} }}
{{ "classname" "func_door" "angle" "90" "targetname" "d" {VALVE} {{ ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) x 0 0 0 1 1 }} }}"#
    );
    let (doc, report) = read(&text, &NoSiblings).expect("a map");
    let named = |class: &str| {
        doc.objects()
            .find(|(_, object)| object.entity().is_some_and(|entity| entity.class == class))
            .unwrap_or_else(|| panic!("no {class}"))
    };
    let (_, light) = named("light");
    let entity = light.entity().expect("entity");
    assert_eq!(entity.origin, DVec3::new(8.0, 24.0, -16.0));
    assert_eq!(entity.key("note"), Some(r#"a \"b\" c"#));
    let group = light.parent.expect("in the group");
    assert!(
        doc.object(group)
            .is_some_and(|object| object.group().is_some())
    );
    assert_eq!(doc.children(Some(group)).count(), 2);
    let (door, _) = named("func_door");
    assert_eq!(doc.children(Some(door)).count(), 1);
    let in_world = doc
        .children(None)
        .filter(|&id| doc.object(id).and_then(Object::brush).is_some());
    assert_eq!(in_world.count(), 1);
    assert!(
        report
            .warnings
            .iter()
            .any(|warning| warning.kind.text.contains("fewer than 4 faces"))
    );
}

#[test]
fn errors_name_the_line() {
    #[track_caller]
    fn check(text: &str, line: usize, part: &str) {
        let error = read(text, &NoSiblings).expect_err(text);
        assert_eq!(error.line, line, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    check(
        "{\n( 0 0 0 ) ( 1 0 x ) ( 0 1 0 ) a 0 0 0 1 1 }",
        2,
        "not \"x\"",
    );
    check("{\r\n\r\n( 0 0 0", 3, "ends");
    check("{\n\"a\" }", 2, "value");
    check("{ \"a\" \"b", 1, "quote");
    check("{ \"classname\" \"light\" }\nx", 2, "begins with");
    check("{\n{\npatchDef2\n{ } } }", 3, "Valve 220");
    check("{\n{\nbrushDef\n{ } } }", 3, "Valve 220");
    check("{ }", 1, "no brushes or entities");
    check("", 1, "no brushes or entities");
    check(
        "{ ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a [ 1 0 0 0 ) }",
        1,
        "\"]\"",
    );
    check(
        "{ ( 0 0 0 ) ( 1 0 0 ) ( 0 nan 0 ) a 0 0 0 1 1 }",
        1,
        "number",
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// No text panics, and whatever is read is sound.
    #[test]
    fn texts_with_damage(at in 0usize..2000, junk in "[ -~\n]{0,6}", cut in 0usize..40, valve in any::<bool>()) {
        let mut text = if valve { VALVE } else { STANDARD }.to_owned();
        let from = at % text.len();
        let to = (from + cut).min(text.len());
        text.replace_range(from..to, &junk);
        if let Ok((doc, _)) = read(&text, &NoSiblings) {
            for (_, object) in doc.objects() {
                prop_assert!(object.brush().is_none_or(|brush| brush.fault().is_none()));
            }
        }
    }
}
