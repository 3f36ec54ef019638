use std::collections::HashMap;

use super::*;

/// Files by their whole path.
struct Files(HashMap<&'static str, String>);

impl Siblings for Files {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).map(|text| text.clone().into_bytes())
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        None
    }
}

fn run(files: &[(&'static str, &str)], variables: &[(String, Value)]) -> Config {
    let files = files
        .iter()
        .map(|&(name, text)| (name, text.to_owned()))
        .collect();
    Config::read(
        Path::new("maps/m.ogz"),
        variables,
        &Files(files),
        &Progress::new(),
    )
    .expect("not cancelled")
}

/// Only the map's own file.
fn own(text: &str) -> Config {
    run(&[("m.cfg", text)], &[])
}

fn pictures(config: &Config) -> Vec<&str> {
    config
        .slots
        .iter()
        .map(|slot| slot.picture.as_str())
        .collect()
}

#[test]
fn textures_open_slots_and_take_their_numbers() {
    let config = own(
        "texturereset\nsetshader stdworld\ntexture 0 \"a\\b.jpg\"\ntexture n b_n.jpg; texture 5 b_s.jpg\n\
         setshader glow\ntexture c \"<dds><mad:2,1/1/1>c.png\" 3 -4 5 .5\ntexscroll 1 2\ntexcolor 2 .5 0\n\
         texalpha .25 2\ntexlayer -1\ntexture strange d.tga 9 1 2 -3",
    );
    assert_eq!(
        pictures(&config),
        ["packages/a/b.jpg", "packages/c.png", "packages/d.tga"]
    );
    let [first, second, third] = config.slots.as_slice() else {
        panic!("{config:?}")
    };
    assert_eq!((first.others, first.shader.as_str()), (2, "stdworld"));
    let expected = TextureSlot {
        prefers_dds: true,
        rotation: 3,
        offset: [0, 5],
        scale: 0.5,
        shader: "glow".to_owned(),
        scroll: [1.0, 2.0],
        layer: 0,
        alpha: [0.25, 1.0],
        color: [1.0, 0.5, 0.0],
        ..TextureSlot::new("packages/c.png")
    };
    assert_eq!(second, &expected);
    assert_eq!(
        (third.rotation, third.scale, third.offset),
        (7, 1.0, [1, 2])
    );
    assert!(config.gaps.is_empty() && config.has_own);
}

#[test]
fn materials_take_no_number() {
    let config = own(
        "texturereset\ntexture 0 sky\ntexture water w.jpg\ntexture 1 fall.jpg\ntexture water2 w2.jpg\n\
         texture lava \"<dds>l.png\" 0 0 0 2\ntexture 1 l_n.png\ntexture 0 wall.jpg",
    );
    assert_eq!(pictures(&config), ["packages/sky", "packages/wall.jpg"]);
    let names: Vec<&str> = config.materials.keys().map(String::as_str).collect();
    assert_eq!(names, ["lava", "water", "water2"]);
    assert_eq!(config.materials["water"].others, 1);
    assert_eq!(config.materials["lava"].scale, 2.0);
    assert_eq!(config.slots[0].others, 0);
    assert!(own("texture water w\nmaterialreset").materials.is_empty());
}

#[test]
fn the_default_list_comes_first_and_a_reset_drops_it() {
    let defaults = "if (strcmp $skybox \"\") [ skybox \"day\" ]\ntexturereset\ntexture 0 sky.png\ntexture 0 default.png";
    let files = [
        ("data/default_map_settings.cfg", defaults),
        ("m.cfg", "texture 0 own.jpg\nfogcolour 1 2 3"),
    ];
    let config = run(&files, &[]);
    assert_eq!(
        pictures(&config),
        [
            "packages/sky.png",
            "packages/default.png",
            "packages/own.jpg"
        ]
    );
    assert_eq!(
        config.variables["skybox"],
        Value::Text("day".to_owned()),
        "the default"
    );
    assert_eq!(config.variables["fogcolour"], Value::Int(0x01_0203));
    let own = [
        ("skybox".to_owned(), Value::Text("night".to_owned())),
        ("fog".to_owned(), Value::Int(9)),
    ];
    let files = [files[0], ("m.cfg", "texturereset 1; texture 0 own.jpg")];
    let config = run(&files, &own);
    assert_eq!(pictures(&config), ["packages/sky.png", "packages/own.jpg"]);
    assert_eq!(config.variables["skybox"], Value::Text("night".to_owned()));
    assert_eq!(config.variables["fog"], Value::Int(9));
    assert!(run(&[("data/default_map_settings.cfg", "")], &[]).is_whole());
}

#[test]
fn missing_files_shift_no_number() {
    let config =
        own("texturereset\ntexture 0 a\nexec \"packages/x/package.cfg\"\ntexture 0 b\ntexture 0 c");
    assert_eq!(config.gaps, [1]);
    assert_eq!(config.missing, ["packages/x/package.cfg"]);
    let numbers = |count| -> Vec<Option<&str>> {
        let slots = config.numbered(count);
        slots
            .into_iter()
            .map(|slot| slot.map(|slot| slot.picture.as_str()))
            .collect()
    };
    let [a, b, c] = ["packages/a", "packages/b", "packages/c"].map(Some);
    assert_eq!(numbers(None), [a], "nothing is known behind the gap");
    assert_eq!(numbers(Some(3)), [a, b, c], "the file held no textures");
    assert_eq!(numbers(Some(5)), [a, None, None, b, c]);
    assert_eq!(numbers(Some(2)), [a], "another list than the map's");
    // Two gaps in one place are one; two places cannot be told apart.
    let config = own("texturereset\ntexture 0 a\nexec x.cfg; exec y.cfg\ntexture 0 b");
    assert_eq!(config.numbered(Some(9)).len(), 9);
    let config = own("texturereset\nexec x.cfg\ntexture 0 a\nexec y.cfg\ntexture 0 b");
    assert_eq!(config.numbered(Some(9)).len(), 0);
    // A whole list is what it is, whatever the map says.
    assert_eq!(
        own("texturereset\ntexture 0 a").numbered(Some(9)),
        [Some(&TextureSlot::new("packages/a"))]
    );
}

#[test]
fn lists_of_models_and_sounds_are_indexed() {
    let config = own(
        "mapmodel 4 32 0 \"tree1\"\nmapmodelreset\nmmodel \"dcp\\mushroom\"\nmapmodel 24 48 0 \"dcp/tree2\"\n\
         mapsound \"amb/wind.ogg\" 100 2\nloadsky \"socksky/mars\" 0.5\nyawsky 100\nalias base_1 \"the gate\"\nmapmsg \"A title\"",
    );
    assert_eq!(config.models, ["dcp/mushroom", "dcp/tree2"]);
    assert_eq!(config.model_sizes, [[0.0, 0.0], [24.0, 48.0]]);
    assert_eq!(config.model_words["dcp/tree2"], "24 48 0");
    assert_eq!(config.sounds, ["amb/wind.ogg"]);
    assert_eq!(
        config.variables["skybox"],
        Value::Text("socksky/mars".to_owned())
    );
    assert_eq!(config.variables["spinsky"], Value::Float(0.5));
    assert_eq!(config.variables["yawsky"], Value::Int(100));
    assert_eq!(
        config.variables["maptitle"],
        Value::Text("A title".to_owned())
    );
}

#[test]
fn aliases_loops_and_conditions_run() {
    let config = own(
        "texturereset\ntwo = [ texture 0 $arg1; texture 0 (concatword $arg1 2) ]\ntwo wall\n\
         loop i 2 [ if (= $i 1) [ texture 0 odd ] [ texture 0 (concatword even $i) ] ]\n\
         if (&& 1 (! 0)) [ do [ texture 0 done ] ]\nif 0 [ texture 0 never ]",
    );
    assert_eq!(
        pictures(&config),
        [
            "packages/wall",
            "packages/wall2",
            "packages/even0",
            "packages/odd",
            "packages/done"
        ]
    );
}

#[test]
fn no_script_runs_forever_or_fills_the_memory() {
    for script in [
        "f = [ f ]; f",
        "f = [ f; f; f ]; f",
        "exec m.cfg; exec m.cfg",
        "loop i 2000000000 [ loop j 2000000000 [ texture 0 a ] ]",
        "loop i 2000000000 []",
        "loop i 2000000000 [ exec nothing.cfg ]",
        "a = aaaaaaaaaaaaaaaa; loop i 100000 [ a = (concatword $a $a) ]; loop i 100000 [ x $a $a $a $a ]",
        "x = (x (x (x)))",
        &"[".repeat(100_000),
        &"(".repeat(100_000),
        &"]".repeat(100_000),
    ] {
        let config = own(script);
        assert!(config.slots.len() <= 1 << 16);
    }
    assert!(own("f = [ f ]; f").passed_over > 0);
}

#[test]
fn a_cancelled_run_ends() {
    let progress = Progress::new();
    progress.cancel();
    let files = Files(HashMap::from([("m.cfg", "texture 0 a".to_owned())]));
    let run = Config::read(Path::new("m.ogz"), &[], &files, &progress);
    assert_eq!(run, Err(Cancelled));
}

#[test]
fn glow_belongs_to_the_slot_before_it_and_its_strength_to_the_shader() {
    let config = own(
        "setshader glowworld\nsetshaderparam glowcolor .5 1 2\ntexture 0 a.png\ntexture g a_g.png\n\
         setshader bumpglow\ntexture 0 b.png\ntexture 4 \"<dds>b.png\"\ntexture n b_n.png",
    );
    let [first, second] = config.slots.as_slice() else {
        panic!("{config:?}")
    };
    assert_eq!(first.glow.as_deref(), Some("packages/a_g.png"));
    assert_eq!(first.glow_color, Some([0.5, 1.0, 2.0]));
    assert_eq!(second.glow.as_deref(), Some("packages/b.png"));
    assert_eq!((second.glow_color, second.others), (None, 2));
}

#[test]
fn every_name_of_a_material_takes_no_number() {
    let config = own(
        "texturereset\ntexture water1 w\ntexture glass1 g\ntexture lava4 l\ntexture clip c\ntexture death x\ntexture air x\n\
         texture 0 wall\ntexture 9 other\ntexture 12 other\ntexture water5 odd",
    );
    let names: Vec<&str> = config.materials.keys().map(String::as_str).collect();
    assert_eq!(names, ["air", "clip", "death", "glass", "lava4", "water"]);
    assert_eq!(pictures(&config), ["packages/wall", "packages/odd"]);
    assert_eq!(config.slots[0].others, 2, "numbers above the last kind");
}

#[test]
fn paths_lead_no_way_round() {
    let config = run(
        &[
            (
                "m.cfg",
                "texturereset\nexec \"packages\\a/../b\\package.cfg\"",
            ),
            (
                "packages/b/package.cfg",
                "texture 0 \"a/../b/./c.png\"\ntexture 0 \"../../../etc/x.png\"",
            ),
        ],
        &[],
    );
    assert_eq!(pictures(&config), ["packages/b/c.png", "etc/x.png"]);
}

/// The map's own file in bytes.
struct Own(&'static [u8]);

impl Siblings for Own {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        (name == "m.cfg").then(|| self.0.to_vec())
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        None
    }
}

#[test]
fn letters_of_any_editor_are_read() {
    #[track_caller]
    fn check(bytes: &'static [u8]) {
        let read = Config::read(Path::new("m.ogz"), &[], &Own(bytes), &Progress::new());
        let config = read.expect("not cancelled");
        assert_eq!(pictures(&config), ["packages/t\u{e9}.png"]);
        assert!(config.is_whole());
    }
    check("texturereset\ntexture 0 t\u{e9}.png".as_bytes());
    check("\u{feff}texturereset\r\ntexture 0 t\u{e9}.png\r\n".as_bytes());
    check(b"texturereset\r\ntexture 0 \"t\xE9.png\"\r\n");
}

#[test]
fn a_list_that_is_dropped_is_not_missed() {
    let config = own("exec x.cfg\ntexturereset\nmapmodelreset\ntexture 0 a\nmmodel b");
    assert!(config.is_whole() && config.missing.is_empty());
    assert!(config.missing_models.is_empty());
    assert_eq!(config.models, ["b"]);
    // What stands before the place to which a list is dropped stays unknown.
    let config =
        own("texturereset\ntexture 0 a\nexec x.cfg\ntexture 0 b\ntexture 0 c\ntexturereset 2");
    assert_eq!(
        (&config.gaps[..], &config.missing[..]),
        (&[1][..], &["x.cfg".to_owned()][..])
    );
}

#[test]
fn missing_files_shift_no_model() {
    let config = own(
        "mapmodelreset\nmmodel a\nexec packages/x/package.cfg\nmmodel c\nexec data/models.cfg\nmapmodel 4 8 0 d",
    );
    // Lists of textures have no models.
    assert_eq!(config.models, ["a", "c"]);
    assert_eq!(config.model_sizes.len(), 2);
    assert_eq!(config.missing_models, ["data/models.cfg"]);
}
