//! Texts in all the forms that editors have written.

use glam::DVec3;
use glam::Vec3;
use proptest::prelude::*;

use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::read::Note;
use crate::formats::unr::text::is_text;
use crate::formats::unr::text::read_text;
use crate::task::Progress;

const MAP: &str = "Begin Map
Begin Actor Class=LevelInfo Name=LevelInfo0
    Title=\"A place\"
    AIProfile(1)=7
    Name=LevelInfo0
End Actor
Begin Actor Class=Brush Name=Brush1
    CsgOper=CSG_Subtract
    PolyFlags=32
    Location=(X=16.000000,Y=-608.000000)
    Begin Brush Name=Model2
       Begin PolyList
          Begin Polygon Item=OUTSIDE Texture=Carpet Flags=4294967295 Link=0
             Origin   -00512.000000,+00256.000000,-00128.000000
             Normal   +00000.000000,+00000.000000,-00001.000000
             TextureU -00000.000000,-00001.000000,-00000.000000
             TextureV -00001.000000,+00000.000000,+00000.000000
             Pan      U=-3 V=58
             Vertex   -00512.000000,+00256.000000,-00128.000000
             Vertex   +00512.000000,+00256.000000,-00128.000000
             Vertex   +00512.000000,-00256.000000,-00128.000000
          End Polygon
          Begin Polygon
             Vertex   0,0,0
             Vertex   4,0,0
             Vertex   0,4,0
          End Polygon
       End PolyList
    End Brush
    Brush=Model'MyLevel.Model2'
    Name=Brush1
End Actor
End Map
";

fn read(text: &[u8]) -> (RawMap, Vec<Note>) {
    read_text(text, &Progress::new()).expect("readable")
}

fn check(map: &RawMap) {
    assert!(map.is_text && map.world.is_none());
    assert_eq!(map.actors.len(), 2);
    let [level, brush] = &map.actors[..] else {
        unreachable!("two actors")
    };
    assert_eq!(
        (&*level.name, &*level.class.name),
        ("LevelInfo0", "LevelInfo")
    );
    assert_eq!(level.properties.text("Title"), Some("A place"));
    assert_eq!(
        level.properties.element("AIProfile", 1),
        Some(&Value::Int(7))
    );
    assert_eq!(level.properties.0.len(), 2);
    assert_eq!((&*brush.name, &*brush.class.name), ("Brush1", "Brush"));
    assert_eq!(brush.properties.byte("CsgOper"), Some(2));
    assert_eq!(brush.properties.int("PolyFlags"), Some(32));
    let location = brush.properties.vector("Location");
    assert_eq!(location, Some(DVec3::new(16.0, -608.0, 0.0)));
    let polygons = brush.polygons.as_ref().expect("a shape");
    assert_eq!(polygons.len(), 2);
    let first = &polygons[0];
    assert_eq!(
        (first.flags, first.link, first.pan),
        (u32::MAX, 0, [-3, 58])
    );
    assert_eq!(first.base, Vec3::new(-512.0, 256.0, -128.0));
    assert_eq!(first.v, Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!((first.vertices.len(), &*first.item), (3, "OUTSIDE"));
    assert_eq!(
        map.textures[first.texture.expect("a texture") as usize].name,
        "Carpet"
    );
    // What is absent.
    let second = &polygons[1];
    assert_eq!((second.flags, second.link, second.pan), (0, -1, [0, 0]));
    assert_eq!((second.texture, &*second.item), (None, ""));
    assert_eq!((second.base, second.normal), (Vec3::ZERO, Vec3::Z));
}

#[test]
fn a_map_in_every_encoding_and_line_ending() {
    let crlf = MAP.replace('\n', "\r\n");
    let trimmed: Vec<&str> = MAP.lines().map(str::trim).collect();
    let flat = trimmed.join("\n");
    let bytes = |units: Vec<u16>, turn: fn(u16) -> [u8; 2]| -> Vec<u8> {
        units.into_iter().flat_map(turn).collect()
    };
    let wide = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let marked = format!("\u{feff}{MAP}");
    for text in [
        MAP.as_bytes().to_vec(),
        crlf.into_bytes(),
        flat.into_bytes(),
        marked.clone().into_bytes(),
        bytes(wide(MAP), u16::to_le_bytes),
        bytes(wide(MAP), u16::to_be_bytes),
        bytes(wide(&marked), u16::to_le_bytes),
        bytes(wide(&marked), u16::to_be_bytes),
    ] {
        assert!(is_text(&text[..text.len().min(1024)]));
        let (map, notes) = read(&text);
        check(&map);
        // The first letters of the line, in whatever encoding.
        let line = &text[map.actors[1].offset as usize..];
        let letters = line.iter().filter(|byte| byte.is_ascii_graphic());
        let letters: Vec<u8> = letters.copied().take(22).collect();
        assert_eq!(letters, b"BeginActorClass=BrushN");
        assert_eq!(notes, []);
    }
}

#[test]
fn keywords_in_any_case_and_attributes_in_any_order() {
    let text = MAP
        .replace("Begin", "BEGIN")
        .replace("End ", "end ")
        .replace(
            "Class=Brush Name=Brush1",
            "name=Brush1 Archetype=x class=engine.Brush",
        )
        .replace(
            "Item=OUTSIDE Texture=Carpet",
            "texture=\"Carpet\" item=OUTSIDE",
        )
        .replace("CsgOper=CSG_", "csgoper=csg_")
        .replace("Vertex ", "VERTEX ");
    let (map, notes) = read(text.as_bytes());
    check(&map);
    assert_eq!(map.actors[1].class.package, "engine");
    assert_eq!(notes, []);
}

#[test]
fn latin_letters_and_unknown_blocks() {
    let text = MAP.replace("A place", "Caf\u{e9}").replace(
        "    PolyFlags",
        "  Begin Object Name=x\nBegin Polygon\nTag=7\nEnd Polygon\n  End Object\n    PolyFlags",
    );
    let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    let (map, notes) = read(&bytes);
    assert_eq!(map.actors[0].properties.text("Title"), Some("Caf\u{e9}"));
    assert_eq!(
        map.actors[1]
            .polygons
            .as_ref()
            .map(|polygons| polygons.len()),
        Some(2)
    );
    assert_eq!(map.actors[1].properties.get("Tag"), None);
    assert_eq!(notes, []);
}

#[test]
fn a_brush_without_a_map() {
    let from = MAP.find("Begin PolyList").expect("a list");
    let to = MAP.find("    End Brush").expect("its end");
    for (before, after) in [("", ""), ("Begin Brush Name=x\n", "End Brush\n")] {
        let text = format!("{before}{}{after}", &MAP[from..to]);
        assert!(is_text(text.as_bytes()));
        let (map, notes) = read(text.as_bytes());
        assert_eq!(map.actors.len(), 1);
        assert_eq!(map.actors[0].class.name, "Brush");
        assert_eq!(map.actors[0].properties.byte("CsgOper"), Some(1));
        assert_eq!(
            map.actors[0]
                .polygons
                .as_ref()
                .map(|polygons| polygons.len()),
            Some(2)
        );
        assert_eq!(notes, []);
    }
}

#[test]
fn what_is_wrong_is_told_by_its_line() {
    let text = MAP
        .replace("Vertex   0,0,0", "Vertex   -1.#IND00,0,0")
        .replace("Normal ", "Norm ");
    let (map, notes) = read(text.as_bytes());
    let polygons = map.actors[1].polygons.as_ref().expect("a shape");
    assert_eq!((polygons.len(), polygons[1].vertices.len()), (2, 0));
    assert_eq!(map.facts.bad_polygons, 1);
    let told: Vec<(&str, u64)> = notes.iter().map(|note| (note.code, note.offset)).collect();
    let line = |number: usize| {
        let lines = text.split_inclusive('\n').take(number - 1);
        lines.map(str::len).sum::<usize>() as u64
    };
    assert_eq!(told, [("I-LINE", line(15)), ("I-BAD-POLYGON", line(27))]);
    assert!(notes[0].text.starts_with("line 15 "), "{}", notes[0].text);
}

#[test]
fn a_text_that_ends_early_keeps_what_is_there() {
    let end = MAP.find("TextureV").expect("a line");
    let (map, notes) = read(&MAP.as_bytes()[..end]);
    assert_eq!(map.actors.len(), 2);
    assert!(notes.iter().any(|note| note.code == "I-CUT-SHORT"));
    for text in [&b""[..], b"Begin Map\nEnd Map\n", b"MZ\0\0"] {
        let error = read_text(text, &Progress::new()).expect_err("nothing");
        assert!(
            error.kind.to_string().contains("neither an actor"),
            "{error:?}"
        );
    }
    assert!(!is_text(b"{\n\"classname\" \"worldspawn\"\n"));
    assert!(!is_text(b"Begin Object"));
}

proptest! {
    #[test]
    fn any_lines_are_read_or_refused(lines in prop::collection::vec(0..40_usize, 0..60), cut in 0..20_usize) {
        let all: Vec<&str> = MAP.lines().collect();
        let mut text = String::new();
        for line in lines {
            text += all[line % all.len()];
            text.push('\n');
        }
        text.truncate(text.len().saturating_sub(cut));
        if let Ok((map, _)) = read_text(text.as_bytes(), &Progress::new()) {
            for polygon in map.actors.iter().filter_map(|actor| actor.polygons.as_ref()).flat_map(|list| list.iter()) {
                prop_assert!(polygon.vertices.is_empty() || polygon.vertices.len() >= 3);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = is_text(&bytes);
        let _ = read_text(&bytes, &Progress::new());
    }
}
