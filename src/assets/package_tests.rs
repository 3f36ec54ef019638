//! Packages of Unreal Engine 1 as sources, and how they are found around a map.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::assets::Library;
use crate::assets::MapFiles;
use crate::assets::Origin;
use crate::assets::Resolver;
use crate::assets::Source;
use crate::assets::TextureState;
use crate::assets::paths::ROOT_SETTING;
use crate::assets::plain_name;
use crate::assets::sources_for;
use crate::formats::EmbeddedTexture;
use crate::formats::Extras;
use crate::formats::Siblings as _;
use crate::formats::unr::made_package::MadeObject;
use crate::formats::unr::made_package::MadePackage;
use crate::formats::unr::made_package::MadeValue as V;
use crate::formats::unr::raw::flag;
use crate::formats::unr::texture_name::PACKAGES_SETTING;

/// A package with one texture in a group; `blue` tells it from others.
fn package(group: &str, name: &str, blue: u8, properties: &[(&str, V)]) -> Vec<u8> {
    let mut made = MadePackage::new(69);
    let group = made.export("Package", 0, group, MadeObject::default());
    let palette = made.palette(0, "Palette0", blue);
    let mut all = vec![
        ("Palette", V::Object(palette)),
        ("USize", V::Int(8)),
        ("VSize", V::Int(4)),
    ];
    all.extend(properties);
    made.texture("Texture", group, name, [8, 4], &all);
    made.bytes()
}

fn put(path: &Path, bytes: &[u8]) -> PathBuf {
    std::fs::create_dir_all(path.parent().expect("in a folder")).expect("mkdir");
    std::fs::write(path, bytes).expect("write");
    path.to_owned()
}

fn blue(resolver: &Resolver, name: &str) -> Option<u8> {
    resolver
        .load(name)
        .map(|picture| picture.expect("decodes").rgba[2])
}

#[test]
fn a_package_is_a_source_like_a_wad() {
    let dir = tempfile::tempdir().expect("temp dir");
    let walls = put(
        &dir.path().join("Walls.utx"),
        &package("Stone", "Rock", 1, &[("bMasked", V::Bool(true))]),
    );
    let more = put(
        &dir.path().join("More.utx"),
        &package("Stone", "Moss", 2, &[]),
    );
    let resolver = Resolver::new(vec![Source::Package(walls.clone()), Source::Package(more)]);
    assert!(resolver.faults().is_empty(), "{:?}", resolver.faults());
    for name in ["Walls.Stone.Rock", "WALLS.stone.rock", "walls.rock", "Rock"] {
        assert_eq!(blue(&resolver, name), Some(1), "{name}");
        assert_eq!(resolver.size(name), Some([8, 4]), "{name}");
    }
    assert_eq!(blue(&resolver, "Walls.Stone.Moss"), None);
    assert_eq!(blue(&resolver, "Other.Stone.Rock"), None);
    assert_eq!(resolver.file_of("Rock"), Some(walls.as_path()));
    assert!(resolver.uses(&walls) && !resolver.uses(dir.path()));
    assert_eq!(resolver.folders(), [dir.path()]);
    let listed = resolver.listed();
    let names: Vec<(&str, &Origin)> = listed
        .iter()
        .map(|listed| (listed.name, &listed.origin))
        .collect();
    let of = |name: &str| Origin::Container(name.to_owned());
    assert_eq!(
        names,
        [
            ("Walls.Stone.Rock", &of("Walls.utx")),
            ("More.Stone.Moss", &of("More.utx"))
        ]
    );
    // Masked by itself; by the surface; and not at all where light is added.
    let alpha = |name: &str| {
        let picture = resolver.load(name).expect("found").expect("decodes");
        picture.rgba[3]
    };
    assert_eq!(alpha("Walls.Stone.Rock"), 0);
    assert_eq!(alpha("More.Stone.Moss"), 255);
    assert_eq!(alpha("More.Stone.Moss:masked"), 0);
    assert!(alpha("Walls.Stone.Rock:translucent") > 0);
    assert_eq!(plain_name("More.Stone.MOSS:masked"), "more.stone.moss");
    assert_ne!(plain_name("Walls.Rock"), plain_name("Walls.Moss"));
}

#[test]
fn the_last_part_of_a_name_finds_only_what_there_is_once() {
    let dir = tempfile::tempdir().expect("temp dir");
    let files = [
        ("A.utx", "Wall", 1),
        ("B.utx", "Wall", 2),
        ("C.utx", "Sky", 3),
    ];
    let sources = files.map(|(file, name, blue)| {
        let bytes = package("G", name, blue, &[]);
        Source::Package(put(&dir.path().join(file), &bytes))
    });
    let resolver = Resolver::new(sources.to_vec());
    assert_eq!(blue(&resolver, "Wall"), None, "two have it");
    assert_eq!(blue(&resolver, "B.Wall"), Some(2));
    assert_eq!(blue(&resolver, "sky"), Some(3));
}

#[test]
fn palettes_and_sources_in_other_packages_are_followed() {
    let dir = tempfile::tempdir().expect("temp dir");
    let far = put(&dir.path().join("Far.utx"), &package("G", "Waves", 40, &[]));
    let mut made = MadePackage::new(69);
    let import = made.import("Package", 0, "Far");
    let group = made.import("Package", import, "G");
    let palette = made.import("Palette", import, "Palette0");
    let source = made.import("Texture", group, "Waves");
    // Its own palette of the same name is not the one that it means.
    made.palette(0, "Palette0", 3);
    made.texture(
        "Texture",
        0,
        "Plain",
        [4, 4],
        &[("Palette", V::Object(palette))],
    );
    let mut object = MadeObject {
        data: made.properties(&[("SourceTexture", V::Object(source))]),
        ..MadeObject::default()
    };
    object.data.push(1);
    object.mip([4, 4], &[], true);
    made.export("WetTexture", 0, "Wet", object);
    let near = put(&dir.path().join("Near.utx"), &made.bytes());
    let both = Resolver::new(vec![Source::Package(near.clone()), Source::Package(far)]);
    assert_eq!(blue(&both, "Near.Plain"), Some(40));
    assert_eq!(blue(&both, "Near.Wet"), Some(40));
    let alone = Resolver::new(vec![Source::Package(near)]);
    assert!(alone.load("Near.Plain").expect("found").is_err());
    assert_eq!(blue(&alone, "Near.Wet"), Some(128), "one colour");
}

/// A game's folders with a map among them.
fn game(root: &Path) -> PathBuf {
    put(
        &root.join("textures/ANCIENT.UTX"),
        &package("Walls", "Rock", 1, &[]),
    );
    put(
        &root.join("Textures2/Ancient.utx"),
        &package("Walls", "Rock", 99, &[]),
    );
    put(
        &root.join("System/Botpack.u"),
        &package("Skins", "Face", 2, &[]),
    );
    put(
        &root.join("System/Ancient.u"),
        &package("Walls", "Rock", 98, &[]),
    );
    put(
        &root.join("Maps/Other.unr"),
        &package("Signs", "Exit", 3, &[]),
    );
    put(&root.join("Maps/Own.utx"), &package("Own", "Floor", 4, &[]));
    put(&root.join("Maps/Mine.unr"), b"map")
}

#[test]
fn packages_are_found_in_the_folders_of_the_game() {
    let dir = tempfile::tempdir().expect("temp dir");
    let map = game(dir.path());
    let user = dir.path().join("elsewhere");
    put(
        &user.join("Textures/Mine.utx"),
        &package("G", "Own", 5, &[]),
    );
    let files = MapFiles::new(&map, std::slice::from_ref(&user));
    assert!(files.read("ancient.utx").is_some());
    assert!(files.has("botpack.U") && files.has("other.unr") && files.has("Mine.utx"));
    assert!(!files.has("Nothing.utx") && files.read("Nothing.u").is_none());
    let packages = ["Ancient", "Botpack", "Other", "Mine", "Missing"].map(str::to_owned);
    let info = |name: &str| files.texture_info(name, &packages);
    let rock = info("ancient.walls.ROCK").expect("a package of the map");
    assert_eq!(
        (rock.name.as_str(), rock.size),
        ("ANCIENT.Walls.Rock", [8, 4])
    );
    assert_eq!(rock.flags & flag::MASKED, 0);
    assert!(info("Missing.Walls.Rock").is_none());
    for name in [
        "Botpack.Skins.Face",
        "Other.Signs.Exit",
        "Mine.G.Own",
        "Own.Own.Floor",
    ] {
        assert!(info(name).is_some(), "{name}");
    }
    let resolver = files.into_resolver().expect("asked for");
    // Textures come before classes, whatever folder they are in.
    assert_eq!(blue(&resolver, "Ancient.Walls.Rock"), Some(1));
}

#[test]
fn a_map_saved_elsewhere_finds_its_packages_again() {
    let dir = tempfile::tempdir().expect("temp dir");
    let map = game(&dir.path().join("game"));
    let saved = put(&dir.path().join("mine/m.hmap"), b"map");
    let root = map
        .parent()
        .expect("a folder")
        .to_string_lossy()
        .into_owned();
    let settings = vec![
        (
            PACKAGES_SETTING.to_owned(),
            "Botpack;Ancient;Missing".to_owned(),
        ),
        (ROOT_SETTING.to_owned(), root),
    ];
    let extras = Extras {
        origin: Some(crate::formats::Origin {
            settings,
            ..crate::formats::Origin::default()
        }),
        ..Extras::default()
    };
    let resolver = Resolver::new(sources_for(Some(&saved), &[], &[], &extras));
    assert_eq!(blue(&resolver, "Ancient.Walls.Rock"), Some(1));
    assert_eq!(blue(&resolver, "Botpack.Skins.Face"), Some(2));
    let bare = sources_for(Some(&saved), &[], &[], &Extras::default());
    assert_eq!(blue(&Resolver::new(bare), "Ancient.Walls.Rock"), None);
}

#[test]
fn textures_of_the_map_join_what_was_found_before() {
    let dir = tempfile::tempdir().expect("temp dir");
    let walls = put(&dir.path().join("Walls.utx"), &package("G", "Rock", 1, &[]));
    let mut resolver = Resolver::new(vec![Source::Package(walls), Source::Builtin]);
    let texture = |name: &str, blue| EmbeddedTexture {
        name: name.to_owned(),
        encoding: 1,
        width: 1,
        height: 1,
        bytes: [0, 0, blue, 255].into(),
    };
    let own = vec![
        texture("MyLevel.Sign", 7),
        texture("MyLevel.Sign:masked", 8),
    ];
    resolver.embed(Arc::new(own));
    assert_eq!(blue(&resolver, "mylevel.sign"), Some(7));
    assert_eq!(blue(&resolver, "MyLevel.Sign:Masked"), Some(8));
    assert_eq!(blue(&resolver, "MyLevel.Sign:modulated"), Some(7));
    assert_eq!(blue(&resolver, "Walls.G.Rock"), Some(1));
    // In the order in which they would be looked for anew.
    let again = Resolver::new(resolver.sources().to_vec());
    assert_eq!(blue(&again, "MyLevel.Sign"), Some(7));
    assert_eq!(resolver.sources().last(), Some(&Source::Builtin));
}

#[test]
fn what_is_no_package_is_told() {
    let dir = tempfile::tempdir().expect("temp dir");
    let mut other = package("G", "Rock", 1, &[]);
    other[4] = 126;
    let sources = [
        ("a.utx", &b"no package"[..]),
        ("b.utx", b""),
        ("c.utx", &other),
    ];
    let sources = sources.map(|(name, bytes)| Source::Package(put(&dir.path().join(name), bytes)));
    let resolver = Resolver::new(
        sources
            .into_iter()
            .chain([Source::Package(dir.path().join("none.utx"))])
            .collect(),
    );
    assert_eq!(resolver.faults().len(), 4, "{:?}", resolver.faults());
    assert!(resolver.faults()[2].contains("version 126"));
    // A folder gives its packages of textures, not its maps.
    let folder = tempfile::tempdir().expect("temp dir");
    put(
        &folder.path().join("deep/Walls.utx"),
        &package("G", "Rock", 1, &[]),
    );
    put(
        &folder.path().join("Map.unr"),
        &package("G", "Sign", 1, &[]),
    );
    let resolver = Resolver::new(vec![Source::Folder(folder.path().to_owned())]);
    assert!(resolver.has("Walls.G.Rock") && !resolver.has("Map.G.Sign"));
    assert!(resolver.faults().is_empty());
}

#[test]
fn a_changed_package_is_read_again() {
    let dir = tempfile::tempdir().expect("temp dir");
    let walls = dir.path().join("Walls.utx");
    put(&walls, &package("G", "Rock", 1, &[]));
    let mut library = Library::default();
    library.set_sources(vec![Source::Package(walls.clone())]);
    let id = library.texture("Walls.G.Rock");
    library.wait();
    let blue = |library: &Library| match library.state(id) {
        TextureState::Ready(picture) => Some(picture.rgba[2]),
        _ => None,
    };
    assert_eq!(blue(&library), Some(1));
    put(&walls, &package("Group", "Rock", 9, &[]));
    library.files_changed(std::slice::from_ref(&walls));
    library.wait();
    assert_eq!(blue(&library), Some(9));
    // A map beside it is none of ours.
    library.files_changed(&[put(&dir.path().join("Saved.unr"), b"map")]);
    assert!(!library.is_loading());
}

#[test]
fn classes_are_found_by_their_names_where_one_package_has_them() {
    let classes = |names: &[&str]| {
        let mut made = MadePackage::new(69);
        for name in names {
            made.class(0, name, (0, &[]), &[]);
        }
        made.bytes()
    };
    let dir = tempfile::tempdir().expect("temp dir");
    let map = game(dir.path());
    put(
        &dir.path().join("System/Engine.u"),
        &classes(&["Actor", "Light"]),
    );
    put(
        &dir.path().join("System/Mod.U"),
        &classes(&["Torch", "Light"]),
    );
    put(&dir.path().join("System/Torches.utx"), &classes(&["Torch"]));
    put(&dir.path().join("System/Broken.u"), b"no package");
    // The same package in the map's own folder counts before the game's.
    put(
        &dir.path().join("Maps/engine.u"),
        &classes(&["Actor", "Sun"]),
    );
    let files = MapFiles::new(&map, &[]);
    let package = |class: &str| files.package_of_class(class);
    assert_eq!(package("TORCH").as_deref(), Some("mod"));
    assert_eq!(package("sun").as_deref(), Some("engine"));
    assert_eq!(package("Light").as_deref(), Some("mod"));
    assert_eq!(package("Nothing"), None);
    put(&dir.path().join("System/Third.u"), &classes(&["Sun"]));
    let files = MapFiles::new(&map, &[]);
    assert_eq!(files.package_of_class("Sun"), None, "two have it");
}

#[test]
fn a_folder_beside_a_map_with_a_relative_path_is_found() {
    let relative = Path::new("no-such-folder/map.unr");
    let found = sources_for(Some(relative), &[], &[], &Extras::default());
    assert_eq!(found, [Source::Builtin]);
    // The program's own sources have a folder of textures neither beside nor above them, but tests run where `assets` is.
    let relative = Path::new("assets/maps/courtyard.hmap");
    let absolute = std::path::absolute(relative).expect("a place");
    let sources = |map: &Path| sources_for(Some(map), &[], &[], &Extras::default());
    assert_eq!(sources(relative), sources(&absolute));
}
