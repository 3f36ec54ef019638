//! Classes with everything in them, with faults, in several files; the corpus.

use glam::DVec3;
use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Definitions {
    Definitions::read(text.as_bytes(), "test.fgd", &|_| None)
}

#[test]
fn a_class_gives_all_its_parts() {
    let definitions = read(
        r#"
        @mapsize(-4096, 4096)
        @baseclass = Named [ targetname(target_source) : "Name" ]
        @SolidClass base(Named, Lit) halfgridsnap unknown({ "a": [1] }) color(0 128 255)
            size(-16 -8 -24, 16 8 32) iconsprite("sprites/x.spr") = func_thing : "A thing, " + "it is" : "http://there" // why
        [
            speed(integer) : "Speed" : -5 : "How fast"
            scale(float) readonly : "Scale" : "1.0"
            help(string) : : : "only help"
            bare(color255)
            style(choices) : "Style" : 0 = [ -1 : "Off"  "a" : "On" : "lit" 2.5: "Half" ]
            spawnflags(flags) = [ 1 : "One" : 0  16:"Sixteen" : 1 : "help" ]
            output OnDone(void) : "done"
            odd(nonsense) : "Odd"
        ]
        @baseclass = Lit [ spawnflags(Flags) = [ 1 : "Old" : 1  2 : "Two" : 1 ] speed(string) : "Old speed" ]
        "#,
    );
    assert_eq!(definitions.problems, []);
    let class = definitions.class("FUNC_THING").expect("defined");
    assert_eq!(
        (class.kind, class.description.as_str(), class.color),
        (ClassKind::Solid, "A thing, it is", Some([0, 128, 255]))
    );
    assert_eq!(
        class.size,
        Some(Aabb::new(
            DVec3::new(-16.0, -24.0, -8.0),
            DVec3::new(16.0, 32.0, 8.0)
        ))
    );
    assert_eq!(class.sprite.as_deref(), Some("sprites/x.spr"));
    let keys: Vec<&str> = class
        .properties
        .iter()
        .map(|property| property.key.as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "targetname",
            "spawnflags",
            "speed",
            "scale",
            "help",
            "bare",
            "style",
            "odd"
        ]
    );
    let get = |key: &str| {
        class
            .properties
            .iter()
            .find(|property| property.key == key)
            .expect(key)
    };
    assert_eq!(
        (
            get("speed").kind,
            get("speed").default.as_str(),
            get("speed").help.as_str()
        ),
        (PropertyKind::Integer, "-5", "How fast")
    );
    assert_eq!(
        (get("scale").read_only, get("scale").default.as_str()),
        (true, "1.0")
    );
    assert_eq!(
        (get("help").label.as_str(), get("help").help.as_str()),
        ("", "only help")
    );
    assert_eq!(
        (get("bare").kind, get("odd").kind),
        (PropertyKind::Color255, PropertyKind::Text)
    );
    let choices: Vec<(&str, &str, &str)> = get("style")
        .choices
        .iter()
        .map(|choice| {
            (
                choice.value.as_str(),
                choice.label.as_str(),
                choice.help.as_str(),
            )
        })
        .collect();
    assert_eq!(
        choices,
        [("-1", "Off", ""), ("a", "On", "lit"), ("2.5", "Half", "")]
    );
    let flags: Vec<(u32, &str, bool)> = get("spawnflags")
        .flags
        .iter()
        .map(|flag| (flag.bit, flag.label.as_str(), flag.is_on))
        .collect();
    assert_eq!(
        flags,
        [(1, "One", false), (2, "Two", true), (16, "Sixteen", true)]
    );
}

#[test]
fn one_bad_class_does_not_lose_the_others() {
    #[track_caller]
    fn check(text: &str, classes: &[&str], problems: usize) {
        let definitions = read(text);
        let names: Vec<&str> = definitions
            .classes()
            .iter()
            .map(|class| class.name.as_str())
            .collect();
        assert_eq!(
            (names.as_slice(), definitions.problems.len()),
            (classes, problems),
            "{:?}",
            definitions.problems
        );
    }
    check(
        "@PointClass = a [ key : x ] @PointClass = b []",
        &["a", "b"],
        1,
    );
    check(
        "@PointClass = a [ k(string) : \"open\n ] @PointClass = b []",
        &["a", "b"],
        1,
    );
    check(
        "@PointClass = a [ k(string) @PointClass = b []",
        &["a", "b"],
        1,
    );
    check(
        "@PointClass = a : \"over\n two lines\" [ k(string) : \"and\n on\" ] @PointClass = b []",
        &["a", "b"],
        0,
    );
    check("@PointClass size(1 2 @PointClass = b []", &["b"], 1);
    check("@PointClass [] @PointClass = b", &["b"], 2);
    check("rubbish @PointClass = b []", &["b"], 1);
    check(
        "@PointClass base(b) = a [] @PointClass base(a) = b []",
        &["a", "b"],
        1,
    );
    check("@PointClass base(nothing) = a []", &["a"], 1);
    check("@PointClass = a [] @SolidClass = A []", &["A"], 1);
    check(r#"@PointClass = a : "say \"hi\" now" []"#, &["a"], 0);
    check(
        r#"@PointClass = a [ k(string) : "path" : "dir\" : "help" ]"#,
        &["a"],
        0,
    );
    check("", &[], 0);
}

#[test]
fn includes_stay_in_the_folder_and_end() {
    let files = |path: &str| {
        let text = match path {
            "sub/b.fgd" => {
                "@include \"c.fgd\" @include \"../a.fgd\" @include \"../../x.fgd\" @PointClass = b []"
            }
            "sub/c.fgd" => "@PointClass = c []",
            _ => return None,
        };
        Some(text.as_bytes().to_vec())
    };
    let text = "@include \"sub\\b.fgd\" @include \"gone.fgd\" @include \"C:/x.fgd\" @PointClass base(c) = a []";
    let definitions = Definitions::read(text.as_bytes(), "a.fgd", &files);
    let names: Vec<&str> = definitions
        .classes()
        .iter()
        .map(|class| class.name.as_str())
        .collect();
    assert_eq!(names, ["c", "b", "a"]);
    let problems: Vec<&str> = definitions
        .problems
        .iter()
        .map(|problem| problem.text.as_str())
        .collect();
    assert_eq!(problems.len(), 3, "{problems:?}");
}

/// Declarations of each kind as the index of the corpus counts them.
#[test]
fn corpus_files_give_the_classes_of_their_index() {
    let Some(folder) = corpus() else { return };
    let index = std::fs::read_to_string(folder.join("README.md")).expect("the corpus has an index");
    let mut checked = 0;
    for line in index
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("Class "))
    {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let path = folder.join(cells[0]);
        let bytes = std::fs::read(&path).expect("the index names files that exist");
        let definitions = Definitions::read(&bytes, cells[0], &|_| None);
        let again = definitions
            .problems
            .iter()
            .filter(|problem| problem.text.contains("defined again"))
            .count();
        let wanted = |kind: &str| -> usize {
            let count = cells[4]
                .split(", ")
                .find_map(|part| part.strip_prefix(kind))
                .expect("a count of each kind");
            count.trim().parse().expect("a number")
        };
        let found = |kind: ClassKind| {
            definitions
                .classes()
                .iter()
                .filter(|class| class.kind == kind)
                .count()
        };
        let kinds = [ClassKind::Solid, ClassKind::Point, ClassKind::Base].map(found);
        let all = ["SolidClass", "PointClass", "BaseClass"].map(wanted);
        if again == 0 {
            assert_eq!(kinds, all, "{}", cells[0]);
        }
        assert_eq!(
            kinds.iter().sum::<usize>() + again,
            all.iter().sum::<usize>(),
            "{}: {:?}",
            cells[0],
            definitions.problems
        );
        checked += 1;
    }
    assert!(checked >= 11, "{checked} files");
    let host = std::fs::read(folder.join("include/host.fgd")).expect("in the index");
    let definitions = Definitions::read(&host, "host.fgd", &|path| {
        std::fs::read(folder.join("include").join(path)).ok()
    });
    assert_eq!(definitions.problems, []);
    let player = definitions
        .class("info_player_coop")
        .expect("two files down");
    assert_eq!(
        (player.color, player.properties.len()),
        (Some([0, 255, 0]), 1)
    );
}

fn corpus() -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        std::path::PathBuf::from,
    );
    let folder = folder.join("fgd");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no corpus at {}", folder.display());
    None
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]
    #[test]
    fn any_text_is_survived(parts in proptest::collection::vec(prop_oneof![
        Just("@PointClass"), Just("@baseclass"), Just("@include"), Just("="), Just("["), Just("]"), Just("("), Just(")"), Just(":"),
        Just("\""), Just("+"), Just("name"), Just("spawnflags(flags)"), Just("k(choices)"), Just("base(name)"), Just("\n"), Just("//"), Just("1"), Just("\\\"")
    ], 0..60)) {
        let text = parts.join(" ");
        let definitions = read(&text);
        prop_assert!(definitions.classes().len() <= parts.len());
    }
}
