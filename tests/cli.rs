//! The program without a window: results, exit status, and one sentence for what cannot be done.

#[path = "cli/made_map.rs"]
mod made_map;
#[expect(dead_code, reason = "a map needs no textures and classes")]
#[path = "../src/formats/unr/made_package.rs"]
mod made_package;

use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;

use serde_json::Value;

fn mapwright(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapwright"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

fn courtyard() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/assets/maps/courtyard.hmap").to_owned()
}

fn path(dir: &Path, name: &str) -> String {
    dir.join(name).to_string_lossy().into_owned()
}

/// A folder of maps that are not ours to copy; `None` (and a word) when it is not there.
fn corpus(file: &str) -> Option<PathBuf> {
    let root = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    let path = root.join(file);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

/// Nothing done: status 2, nothing on standard output, one sentence without a trace on standard error.
fn check_refused(arguments: &[&str], says: &[&str]) {
    let output = mapwright(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(
        !text.contains("panicked") && !text.contains("backtrace"),
        "{text}"
    );
    for word in says {
        assert!(
            text.contains(word),
            "{arguments:?} says {text:?}, not {word:?}"
        );
    }
}

#[test]
fn info_names_every_key_of_the_contract() {
    let file = courtyard();
    let output = mapwright(&["info", &file, "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let value = json(&output);
    for key in [
        "path",
        "format",
        "version",
        "bytes",
        "counts",
        "source_counts",
        "bounds",
        "face_area",
        "brush_volume",
        "textures",
        "warnings",
    ] {
        assert!(!value[key].is_null(), "{key}");
    }
    for key in [
        "brushes",
        "brush_faces",
        "meshes",
        "mesh_points",
        "mesh_polygons",
        "entities",
        "point_entities",
        "brush_entities",
        "groups",
        "layers",
        "visgroups",
        "paths",
        "cameras",
        "lights",
        "materials",
    ] {
        assert!(value["counts"][key].is_u64(), "{key}");
    }
    assert_eq!(value["format"], "hmap");
    assert_eq!(value["textures"]["missing"], serde_json::json!([]));
    assert!(value["counts"]["brushes"].as_u64() > Some(200));
    assert!(value["counts"]["lights"].as_u64() > Some(5));
    let two = mapwright(&["info", &file, &file, "--json"]);
    assert_eq!(
        String::from_utf8_lossy(&two.stdout).lines().count(),
        2,
        "one object per line"
    );
}

#[test]
fn check_finds_nothing_wrong_with_our_own_map() {
    let output = mapwright(&["check", &courtyard(), "--json"]);
    let value = json(&output);
    let bad: Vec<&Value> = value["findings"]
        .as_array()
        .expect("list")
        .iter()
        .filter(|f| f["level"] != "note")
        .collect();
    assert!(bad.is_empty(), "{bad:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn convert_keeps_every_byte_of_our_own_format() {
    let dir = tempfile::tempdir().expect("temp dir");
    let out = path(dir.path(), "again.hmap");
    let output = mapwright(&["convert", &courtyard(), &out]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(std::fs::read(&out).expect("written") == std::fs::read(courtyard()).expect("sample"));
    let to_stdout = mapwright(&["convert", &courtyard(), "-"]);
    assert!(
        to_stdout.stdout == std::fs::read(&out).expect("written"),
        "the file itself goes to standard output"
    );
    assert!(
        !to_stdout.stderr.is_empty(),
        "and the result to standard error"
    );
}

#[test]
fn convert_writes_cubes_and_lists_what_they_cannot_say() {
    let dir = tempfile::tempdir().expect("temp dir");
    let out = path(dir.path(), "yard.ogz");
    let output = mapwright(&["convert", &courtyard(), &out, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let value = json(&output);
    assert_eq!(value["files"].as_array().map(Vec::len), Some(2));
    let losses = value["losses"].as_array().expect("a list");
    assert!(
        losses
            .iter()
            .all(|loss| loss["code"].is_string() && loss["text"].is_string())
    );
    assert!(value["brushes"].as_u64().is_some_and(|brushes| brushes > 0));
    let bytes = std::fs::read(&out).expect("written");
    assert_eq!(bytes.len() as u64, value["bytes"]);
    assert_eq!(bytes[..2], [0x1F, 0x8B], "packed");
    let config = std::fs::read_to_string(dir.path().join("yard.cfg")).expect("written");
    assert!(config.starts_with("texturereset"));
    let text = mapwright(&["convert", &courtyard(), &out]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert_eq!(
        text.lines().count(),
        1 + losses.len(),
        "a line for each loss: {text}"
    );
    assert!(
        dir.path().join("yard.ogz.bak").exists(),
        "what was there is kept"
    );
}

#[test]
fn compile_writes_the_same_bytes_on_one_and_two_threads() {
    let dir = tempfile::tempdir().expect("temp dir");
    let (one, two, runtime) = (
        path(dir.path(), "1.hmap"),
        path(dir.path(), "2.hmap"),
        path(dir.path(), "r.hmap"),
    );
    let output = mapwright(&[
        "compile",
        &courtyard(),
        "-o",
        &one,
        "--threads",
        "1",
        "--fast",
        "--json",
    ]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let value = json(&output);
    let stages: Vec<&str> = value["stages"]
        .as_array()
        .expect("list")
        .iter()
        .filter_map(|stage| stage["name"].as_str())
        .collect();
    assert_eq!(
        stages,
        [
            "solids",
            "overlap",
            "fragments",
            "merge",
            "weld",
            "bsp",
            "light",
            "package"
        ]
    );
    assert!(value["sealed"].is_null() && value["leak"].is_null());
    assert!(
        value["counts"]["triangles"].as_u64() > Some(1000)
            && value["drawn_area"].as_f64() > Some(1e6)
    );
    mapwright(&[
        "compile",
        &courtyard(),
        "-o",
        &two,
        "--threads",
        "2",
        "--fast",
    ]);
    assert!(std::fs::read(&one).expect("1") == std::fs::read(&two).expect("2"));
    mapwright(&[
        "compile",
        &courtyard(),
        "-o",
        &runtime,
        "--runtime",
        "--fast",
    ]);
    let info = json(&mapwright(&["info", &runtime, "--json"]));
    assert_eq!(info["counts"]["brushes"], 0, "a runtime file has no source");
    let up_to_date = json(&mapwright(&["check", &one, "--json"]));
    assert!(!up_to_date.to_string().contains("W-OLD"));
}

#[test]
fn render_draws_the_same_picture_twice() {
    let dir = tempfile::tempdir().expect("temp dir");
    let (a, b) = (path(dir.path(), "a.png"), path(dir.path(), "b.png"));
    let draw = |out: &str| {
        mapwright(&[
            "render",
            &courtyard(),
            "-o",
            out,
            "--size",
            "160x120",
            "--mode",
            "textured",
        ])
    };
    let output = draw(&a);
    if String::from_utf8_lossy(&output.stderr).contains("adapter") {
        println!("skipped: no graphics adapter");
        return;
    }
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    draw(&b);
    assert!(std::fs::read(&a).expect("a") == std::fs::read(&b).expect("b"));
    let picture = image::open(&a).expect("a PNG").to_rgb8();
    assert_eq!(picture.dimensions(), (160, 120));
    let colors: std::collections::BTreeSet<[u8; 3]> =
        picture.pixels().map(|pixel| pixel.0).collect();
    assert!(
        colors.len() > 500,
        "a textured map has many colours, not {}",
        colors.len()
    );
}

/// A wall with the given entity before it: a map that a lit picture is drawn of, as pixels; `None` without an adapter.
fn wall_lit_by(entity: &str, mode: &str) -> Option<Vec<u8>> {
    use mapwright::document::Brush;
    use mapwright::document::Document;
    use mapwright::document::Entity;
    use mapwright::document::Kind;
    use mapwright::document::Object;
    let mut draft = Document::default().edit();
    let wall = mapwright::geometry::Aabb::new(glam::DVec3::ZERO, glam::DVec3::new(64.0, 64.0, 8.0));
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(wall, None))));
    let at = glam::DVec3::new(32.0, 32.0, 40.0);
    draft.insert(Object::new(Kind::Entity(Entity::new(entity, at))));
    let dir = tempfile::tempdir().expect("temp dir");
    let (map, out) = (path(dir.path(), "wall.hmap"), path(dir.path(), "wall.png"));
    let bytes = mapwright::formats::hmap::write(
        &draft.peek(),
        &Default::default(),
        &Default::default(),
        None,
        Path::new(&map),
    )
    .expect("written");
    std::fs::write(&map, bytes).expect("saved");
    let output = mapwright(&[
        "render",
        &map,
        "-o",
        &out,
        "--size",
        "64x64",
        "--mode",
        mode,
        "--camera",
        "32,32,60,0,0",
    ]);
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("adapter") {
        println!("skipped: no graphics adapter");
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{said}");
    Some(image::open(&out).expect("a PNG").to_rgb8().into_raw())
}

#[test]
fn a_lit_picture_of_a_map_without_lights_is_no_black_room() {
    let Some(textured) = wall_lit_by("info_player_start", "textured") else {
        return;
    };
    assert!(textured.iter().any(|&channel| channel > 120));
    let unlit = wall_lit_by("info_player_start", "lit").expect("an adapter");
    assert!(unlit == textured, "ambient light alone is not shown");
    let lit = wall_lit_by("light", "lit").expect("an adapter");
    assert!(lit != textured, "a light is");
}

#[test]
fn what_cannot_be_done_is_said_in_one_sentence() {
    let dir = tempfile::tempdir().expect("temp dir");
    let none = path(dir.path(), "none.rmf");
    let cut = path(dir.path(), "cut.hmap");
    let sample = std::fs::read(courtyard()).expect("sample");
    std::fs::write(&cut, &sample[..sample.len() / 2]).expect("write");
    let noise = path(dir.path(), "noise.bin");
    std::fs::write(&noise, b"hello, this is no map at all").expect("write");
    let folder = path(dir.path(), "");
    for command in ["info", "compile"] {
        check_refused(&[command, &none], &["none.rmf"]);
        check_refused(&[command, &cut], &["cut.hmap", "byte 0x"]);
        check_refused(&[command, &noise], &["noise.bin", "none of the formats"]);
        check_refused(&[command, &folder], &["folder"]);
    }
    check_refused(
        &["convert", &courtyard(), &path(dir.path(), "x.map")],
        &["x.map", ".hmap"],
    );
    check_refused(
        &[
            "convert",
            &courtyard(),
            &path(dir.path(), "no/such/folder/x.hmap"),
        ],
        &["x.hmap"],
    );
    check_refused(&["compile", &courtyard(), "--threads", "0"], &["0"]);
    check_refused(&["nonsense", "a", "b"], &["error"]);
    let findings = mapwright(&["check", &cut, "--json"]);
    assert_eq!(findings.status.code(), Some(2));
    let value = json(&findings);
    assert_eq!(value["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(value["findings"][0]["level"], "fatal");
    assert!(!dir.path().join("x.map").exists());
}

#[test]
fn without_a_display_the_editor_says_so() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_mapwright"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("XDG_CONFIG_HOME", std::env::temp_dir())
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("display") && !text.contains("panicked"),
        "{text}"
    );
}

#[test]
fn a_real_rmf_goes_all_the_way() {
    let Some(map) = corpus("rmf/entity-test.rmf") else {
        return;
    };
    let dir = tempfile::tempdir().expect("temp dir");
    let out = path(dir.path(), "out.hmap");
    let map = map.to_string_lossy().into_owned();
    let info = json(&mapwright(&["info", &map, "--json"]));
    assert_eq!(info["source_counts"]["solids"], 12);
    assert_eq!(info["counts"]["brushes"], 12);
    let output = mapwright(&["compile", &map, "-o", &out]);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let again = json(&mapwright(&["info", &out, "--json"]));
    assert_eq!(
        again["counts"], info["counts"],
        "saving keeps everything that is counted"
    );
}

#[test]
fn an_unreal_map_goes_all_the_way() {
    let dir = tempfile::tempdir().expect("temp dir");
    let map = path(dir.path(), "Room.unr");
    std::fs::write(&map, made_map::room()).expect("written");
    let info = json(&mapwright(&["info", &map, "--json"]));
    assert_eq!(info["format"], "unr");
    assert_eq!(info["version"], "69");
    let source = &info["source_counts"];
    for (name, expected) in [
        ("actors", 4),
        ("brush_subtract", 1),
        ("brush_add", 1),
        ("nodes", 0),
    ] {
        assert_eq!(source[name], expected, "{name}");
    }
    assert_eq!(
        info["counts"]["brushes"], 7,
        "six pieces of rock, and the pillar"
    );
    assert_eq!(info["counts"]["lights"], 1);
    // As pieces, and as the brushes that they were made with.
    let (pieces, kept) = (path(dir.path(), "p.hmap"), path(dir.path(), "k.hmap"));
    for (out, option, brushes) in [(&pieces, None, 7), (&kept, Some("--keep-carving"), 3)] {
        let arguments: [&str; 4] = ["convert", &map, out, "--json"];
        let output = mapwright(&[&arguments[..], option.as_slice()].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let value = json(&output);
        assert_eq!(value["format"], "unr");
        assert_eq!(&value["source_counts"], source);
        let again = json(&mapwright(&["info", out, "--json"]));
        assert_eq!(again["format"], "hmap");
        assert_eq!(again["counts"]["brushes"], brushes, "{option:?}");
        let findings = json(&mapwright(&["check", out, "--json"]));
        let findings = findings["findings"].as_array().expect("a list");
        let is_bad = |finding: &&Value| finding["level"] == "error" || finding["level"] == "fatal";
        let bad: Vec<&Value> = findings.iter().filter(is_bad).collect();
        assert!(bad.is_empty(), "{option:?}: {bad:?}");
    }
    // Built, both are the same room: its walls, and the pillar with what it hides of them.
    let area = |out: &str| {
        let built = path(dir.path(), "built.hmap");
        let output = mapwright(&["compile", out, "-o", &built, "--no-light", "--json"]);
        json(&output)["drawn_area"].as_f64().expect("a number")
    };
    let [x, y, z] = made_map::ROOM.map(f64::from);
    let [px, py, pz] = made_map::PILLAR.map(f64::from);
    let walls = 8.0 * (x * y + y * z + z * x);
    let expected = walls + 8.0 * (px + py) * pz - 8.0 * px * py;
    for out in [&pieces, &kept] {
        let area = area(out);
        assert!(
            (area - expected).abs() < 1.0,
            "{out}: {area}, not {expected}"
        );
    }
    // A package of something else, and what only has the name.
    let other = path(dir.path(), "Other.unr");
    std::fs::write(&other, b"hello, this is no map at all").expect("write");
    check_refused(
        &["info", &other],
        &["Other.unr", "not an Unreal package file"],
    );
}

#[test]
fn an_unreal_map_keeps_the_light_that_it_came_with() {
    let dir = tempfile::tempdir().expect("a folder");
    let hmap = path(dir.path(), "zone.hmap");
    let Some(map) = corpus("unr/DM-DuckingZone.unr") else {
        return;
    };
    let map = map.to_string_lossy().into_owned();
    let convert = |out: &str, more: &[&str]| {
        let mut arguments = vec!["convert", &map, out];
        arguments.extend(more);
        let output = mapwright(&arguments);
        assert_eq!(output.status.code(), Some(0), "{more:?}");
        std::fs::read(out).expect("written")
    };
    let has_build = |bytes: &[u8]| bytes.windows(4).any(|tag| tag == b"CMPL");
    assert!(!has_build(&convert(&hmap, &[])), "not unless asked for");
    let kept = convert(&hmap, &["--original-light"]);
    assert!(has_build(&kept));
    // Our own format keeps the build; it is no old one.
    let again = path(dir.path(), "again.hmap");
    assert_eq!(
        mapwright(&["convert", &hmap, &again]).status.code(),
        Some(0)
    );
    assert!(std::fs::read(&again).expect("written") == kept);
    // A build with the lights of the map is another one; one that keeps the light is the same.
    let built = path(dir.path(), "built.hmap");
    for (option, is_same) in [("--original-light", true), ("--full", false)] {
        let output = mapwright(&["compile", &map, "-o", &built, option]);
        assert_eq!(output.status.code(), Some(0), "{option}");
        assert_eq!(
            std::fs::read(&built).expect("written") == kept,
            is_same,
            "{option}"
        );
    }
    let ogz = path(dir.path(), "zone.ogz");
    check_refused(
        &["convert", &map, &ogz, "--original-light"],
        &["only .hmap"],
    );
    check_refused(
        &["compile", &map, "--original-light", "--no-light"],
        &["cannot be used with"],
    );
    // A map without such light is converted all the same, and it is said.
    let plain = path(dir.path(), "plain.hmap");
    let output = mapwright(&["convert", &courtyard(), &plain, "--original-light"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("no light that could be kept"), "{told}");
}
