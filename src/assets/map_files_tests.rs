//! Pictures and files of a game around a map, and of the map that was made of it.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::assets::MapFiles;
use crate::assets::Resolver;
use crate::assets::Source;
use crate::assets::archive::tests::pack;
use crate::assets::game_root;
use crate::assets::paths::ROOT_SETTING;
use crate::assets::sources_for;
use crate::formats::Extras;
use crate::formats::Origin;
use crate::formats::Siblings as _;

fn png(red: u8) -> Vec<u8> {
    let picture = ::image::RgbaImage::from_pixel(2, 1, ::image::Rgba([red, 0, 0, 255]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ::image::ImageFormat::Png)
        .expect("a small picture");
    bytes.into_inner()
}

fn put(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().expect("in a folder")).expect("mkdir");
    std::fs::write(path, bytes).expect("write");
}

/// A game's folder with a map, a picture and a configuration.
fn game(root: &Path) -> PathBuf {
    put(&root.join("Packages/Wall/Stone.png"), &png(1));
    put(
        &root.join("Packages/wall/package.cfg"),
        b"texture 0 wall/stone.png",
    );
    put(&root.join("data/default_map_settings.cfg"), b"texturereset");
    let map = root.join("Packages/base/m.ogz");
    put(&map, b"map");
    map
}

fn red(resolver: &Resolver, name: &str) -> Option<u8> {
    resolver
        .load(name)
        .map(|picture| picture.expect("decodes").rgba[0])
}

#[test]
fn the_game_around_a_map_is_searched_from_its_root() {
    let dir = tempfile::tempdir().expect("temp dir");
    let root = dir.path().join("game");
    let map = game(&root);
    assert_eq!(game_root(&map), Some(root.clone()));
    assert_eq!(game_root(&dir.path().join("m.ogz")), None);
    // A folder of this name without anything of the game in it is another program's.
    put(&dir.path().join("work/packages/a.txt"), b"x");
    assert_eq!(game_root(&dir.path().join("work/m.ogz")), None);
    // Pictures beside the map are its own; farther up they may be anyone's.
    put(&dir.path().join("work/packages/own/a.png"), &png(1));
    let work = Some(dir.path().join("work"));
    assert_eq!(game_root(&dir.path().join("work/m.ogz")), work);
    assert_eq!(game_root(&dir.path().join("work/maps/m.ogz")), None);
    put(&dir.path().join("work/packages/Textures/b.png"), &png(1));
    assert_eq!(game_root(&dir.path().join("work/maps/m.ogz")), work);
    let files = MapFiles::new(&map, &[]);
    assert!(files.read("packages/wall/PACKAGE.cfg").is_some());
    assert!(files.read("data\\default_map_settings.cfg").is_some());
    assert_eq!(
        files.read("packages/../data/default_map_settings.cfg"),
        None
    );
    assert_eq!(
        files.texture_size("packages/wall/stone.jpg", &[]),
        Some([2, 1])
    );
    assert!(files.has("packages/WALL/stone.png") && !files.has("packages/wall/stone.jpg"));
    assert!(files.has("data/default_map_settings.cfg") && !files.has("data/other.cfg"));
    // A path is a path: neither the last part alone nor the program's own pictures stand for it.
    assert_eq!(files.texture_size("packages/other/stone.png", &[]), None);
    assert_eq!(files.texture_size("packages/textures/sky.png", &[]), None);
}

#[test]
fn a_map_saved_elsewhere_remembers_the_game() {
    let dir = tempfile::tempdir().expect("temp dir");
    let root = dir.path().join("game");
    game(&root);
    let saved = dir.path().join("mine/m.hmap");
    put(&saved, b"map");
    let extras = |settings| Extras {
        origin: Some(Origin {
            settings,
            ..Origin::default()
        }),
        ..Extras::default()
    };
    let with = |extras: &Extras, user: &[PathBuf]| {
        red(
            &Resolver::new(sources_for(Some(&saved), &[], user, extras)),
            "packages/wall/stone.png",
        )
    };
    let kept = vec![(ROOT_SETTING.to_owned(), root.to_string_lossy().into_owned())];
    assert_eq!(with(&extras(kept), &[]), Some(1));
    assert_eq!(with(&extras(Vec::new()), &[]), None);
    assert_eq!(
        with(&extras(Vec::new()), std::slice::from_ref(&root)),
        Some(1)
    );
    assert_eq!(with(&extras(Vec::new()), &[root.join("Packages")]), Some(1));
    let gone = vec![(
        ROOT_SETTING.to_owned(),
        dir.path().join("gone").to_string_lossy().into_owned(),
    )];
    assert_eq!(with(&extras(gone), &[]), None);
}

#[test]
fn pictures_and_lists_are_found_in_packages() {
    let dir = tempfile::tempdir().expect("temp dir");
    let map = dir.path().join("m.ogz");
    put(&map, b"map");
    pack(
        &dir.path().join("m.zip"),
        &[
            ("m/packages/zipped/wall.png", &png(7)),
            (
                "m/packages/zipped/package.cfg",
                b"texture 0 zipped/wall.png",
            ),
        ],
    );
    pack(&dir.path().join("holiday.zip"), &[("beach.png", &png(9))]);
    std::fs::write(dir.path().join("broken.zip"), b"no package").expect("write");
    let files = MapFiles::new(&map, &[]);
    assert_eq!(
        files.read("PACKAGES/zipped/package.cfg").as_deref(),
        Some(&b"texture 0 zipped/wall.png"[..])
    );
    assert_eq!(
        files.texture_size("packages/zipped/WALL.jpg", &[]),
        Some([2, 1])
    );
    assert!(files.has("packages/zipped/wall.png") && !files.has("packages/zipped/wall.dds"));
    let resolver = files.into_resolver().expect("asked for");
    assert_eq!(red(&resolver, "packages/zipped/wall.png"), Some(7));
    assert!(resolver.faults().is_empty(), "{:?}", resolver.faults());
    assert!(!resolver.has("beach"), "a package that is no game's");
    assert_eq!(
        resolver.file_of("packages/zipped/wall.png"),
        Some(dir.path().join("m.zip").as_path())
    );
    // One that the user names counts whatever is in it, and says what is wrong with it.
    let named = [
        dir.path().join("holiday.zip"),
        dir.path().join("broken.zip"),
    ];
    let sources = sources_for(None, &[], &named, &Extras::default());
    assert_eq!(sources[0], Source::Zip(named[0].clone()));
    let resolver = Resolver::new(sources);
    assert_eq!(red(&resolver, "beach"), Some(9));
    assert_eq!(resolver.faults().len(), 1);
}

#[test]
fn a_broken_picture_gives_way_to_one_with_another_ending() {
    let dir = tempfile::tempdir().expect("temp dir");
    put(&dir.path().join("a.dds"), b"DDS but no more");
    put(&dir.path().join("a.png"), &png(5));
    put(&dir.path().join("b.dds"), b"DDS but no more");
    put(&dir.path().join("c.png"), &png(3));
    put(&dir.path().join("c.tga"), b"no picture");
    let resolver = Resolver::new(vec![Source::Folder(dir.path().to_owned())]);
    assert_eq!(red(&resolver, "a"), Some(5));
    assert_eq!(red(&resolver, "a.dds"), Some(5));
    assert_eq!(resolver.size("a.dds"), Some([2, 1]));
    assert!(
        resolver.load("b.png").expect("found").is_err(),
        "every candidate failed"
    );
    assert_eq!(resolver.size("b"), None);
    assert_eq!(red(&resolver, "c.tga"), Some(3));
    assert!(Arc::new(resolver).has_file("c.TGA"));
}

#[test]
fn the_folder_of_packages_stands_for_its_game() {
    let dir = tempfile::tempdir().expect("temp dir");
    let root = dir.path().join("game");
    game(&root);
    let map = dir.path().join("maps/m.ogz");
    put(&map, b"map");
    let files = MapFiles::new(&map, &[root.join("Packages")]);
    assert!(files.read("packages/wall/package.cfg").is_some());
    assert_eq!(
        files.texture_size("packages/wall/stone.png", &[]),
        Some([2, 1])
    );
}
