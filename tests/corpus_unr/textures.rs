//! Texture packages and how their names are found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use glam::DVec2;
use glam::Vec2;
use mapwright::assets::Opened;
use mapwright::assets::Origin;
use mapwright::assets::open_map;
use mapwright::document::Document;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::SurfaceFlags;
use mapwright::document::ops::materials::apply_texture_sizes;
use mapwright::formats::hmap;
use mapwright::formats::image::Image;
use mapwright::formats::image::decode;
use mapwright::formats::unr::own_textures::embedded;
use mapwright::formats::unr::package::Package;
use mapwright::formats::unr::raw::flag;
use mapwright::formats::unr::read;
use mapwright::formats::unr::texture::PixelFormat;
use mapwright::formats::unr::texture_name::Look;
use mapwright::formats::unr::texture_package::PaletteRef;
use mapwright::formats::unr::texture_package::TexturePackage;
use mapwright::task::Progress;

use crate::corpus;

/// A package of the corpus with its bytes.
fn package(folder: &Path, file: &str) -> (TexturePackage, Vec<u8>) {
    let bytes = std::fs::read(folder.join(file)).expect(file);
    let package = Package::read(&bytes).expect(file);
    let (name, _) = file.split_once('.').expect("an ending");
    let textures = TexturePackage::read(&package, name);
    (textures, bytes)
}

fn picture(of: &TexturePackage, bytes: &[u8], index: usize, look: Look) -> Result<Image, String> {
    let part = |range: &Range<u64>| {
        let range = range.start as usize..range.end as usize;
        let part = bytes.get(range).ok_or("outside of the file")?;
        Ok(Cow::Borrowed(part))
    };
    of.picture(index, look, &part, None)
}

#[test]
fn packages_are_read_to_the_last_byte() {
    let Some(folder) = corpus() else { return };
    // Version, textures, of these masked, of these computed, sizes in the file, sizes of second lists, sparks.
    let expected = [
        ("BloodyPuff.utx", [61, 29, 18, 0, 174, 0, 0]),
        ("STShield.utx", [61, 1, 0, 1, 1, 0, 60]),
        ("XC_Orb.utx", [69, 8, 0, 8, 8, 0, 303]),
        ("Checkers.utx", [69, 5, 0, 0, 44, 7, 0]),
        ("M212Menu.utx", [107, 4, 4, 2, 16, 14, 0]),
    ];
    for (file, numbers) in expected {
        let (package, bytes) = package(&folder, file);
        // The compressed format of the last is known to nobody; its palettes serve.
        let is_patched = file == "M212Menu.utx";
        assert_eq!(
            package.problems.len(),
            if is_patched { 2 } else { 0 },
            "{file}: {:?}",
            package.problems
        );
        let sum = |of: fn(&mapwright::formats::unr::texture_package::PackagedTexture) -> usize| {
            package.textures.iter().map(of).sum::<usize>()
        };
        let found = [
            usize::from(package.version),
            package.textures.len(),
            sum(|texture| usize::from(texture.info.flags & flag::MASKED != 0)),
            sum(|texture| usize::from(texture.info.is_procedural)),
            sum(|texture| texture.data.mips),
            sum(|texture| texture.data.compressed_mips),
            sum(|texture| texture.data.sparks),
        ];
        assert_eq!(found, numbers, "{file}");
        assert_eq!(sum(|texture| texture.data.left), 0, "{file}");
        for (index, texture) in package.textures.iter().enumerate() {
            let shown = picture(&package, &bytes, index, Look::Plain);
            let shown = shown.unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!([shown.width, shown.height], texture.info.size, "{file}");
            assert_eq!(texture.info.draw_scale, 1.0);
        }
    }
}

#[test]
fn masks_take_the_first_color_away_where_the_texture_or_the_surface_says_so() {
    let Some(folder) = corpus() else { return };
    let (package, bytes) = package(&folder, "BloodyPuff.utx");
    let mut with_holes = 0;
    for (index, texture) in package.textures.iter().enumerate() {
        assert_eq!(texture.info.size, [32, 32]);
        let pixels = &texture.data.pixels[0];
        assert_eq!(pixels.format, PixelFormat::Palette);
        let range = pixels.range.start as usize..pixels.range.end as usize;
        let zeros = bytes[range].split(|index| *index == 0).count() - 1;
        let holes = |look| {
            let shown = picture(&package, &bytes, index, look).expect("sound");
            shown
                .rgba
                .iter()
                .skip(3)
                .step_by(4)
                .filter(|alpha| **alpha == 0)
                .count()
        };
        assert_eq!(holes(Look::Masked), zeros, "{}", texture.info.name);
        let is_masked = texture.info.flags & flag::MASKED != 0;
        let own = if is_masked { zeros } else { 0 };
        assert_eq!(holes(Look::Plain), own, "{}", texture.info.name);
        with_holes += usize::from(own > 0);
    }
    assert_eq!(with_holes, 18, "every masked one has holes");
}

#[test]
fn palettes_give_the_colors_that_the_package_calls_their_mean() {
    let Some(folder) = corpus() else { return };
    let (package, bytes) = package(&folder, "Checkers.utx");
    for (index, texture) in package.textures.iter().enumerate() {
        let shown = picture(&package, &bytes, index, Look::Plain).expect("sound");
        let told = texture
            .info
            .mip_zero
            .expect("every one tells its mean colour");
        let texels = (shown.rgba.len() / 4) as f64;
        for (channel, told) in told.into_iter().enumerate() {
            let values = shown.rgba.iter().skip(channel).step_by(4);
            let mean = values.map(|value| f64::from(*value)).sum::<f64>() / texels;
            // The game's own sizes round to colours of the palette on the way down.
            assert!(
                (mean - f64::from(told)).abs() < 16.0,
                "{} {mean} {told}",
                texture.info.name
            );
        }
    }
}

#[test]
fn what_is_computed_tells_what_it_is_computed_from() {
    let Some(folder) = corpus() else { return };
    let (package, bytes) = package(&folder, "XC_Orb.utx");
    let metal = package.find("xc_orb", "ORBMETAL").expect("there");
    let texture = &package.textures[metal];
    assert_eq!(texture.class, "IceTexture");
    assert_eq!(texture.source.as_deref(), Some("genfluid.sky.Skytst8"));
    assert_eq!(
        texture.palette,
        Some(PaletteRef::Foreign("genfluid.Palette87".to_owned()))
    );
    let shown = picture(&package, &bytes, metal, Look::Plain).expect("one colour");
    assert_eq!(shown.rgba[..4], [128, 128, 128, 255]);
    let green = package.find("XC_Orb", "OrbGreen").expect("there");
    let shown = picture(&package, &bytes, green, Look::Plain).expect("one colour");
    assert_eq!(shown.rgba[..4], [47, 128, 10, 255]);
    let (menu, _) = self::package(&folder, "M212Menu.utx");
    let wet = menu.find("BindPage", "M212KeyboardROTex").expect("there");
    let source = menu.textures[wet].source.as_deref();
    assert_eq!(source, Some("M212Menu.BindPage.M212KeyboardTexture"));
}

#[test]
fn cut_packages_are_read_or_refused() {
    let Some(folder) = corpus() else { return };
    for file in [
        "STShield.utx",
        "XC_Orb.utx",
        "M212Menu.utx",
        "BloodyPuff.utx",
    ] {
        let bytes = std::fs::read(folder.join(file)).expect(file);
        let step = (bytes.len() / 97).max(1);
        for start in (0..bytes.len()).step_by(step) {
            let mut gap = bytes.clone();
            gap.drain(start..(start + step / 2 + 1).min(bytes.len()));
            for damaged in [&bytes[..start], &gap] {
                let Ok(package) = Package::read(damaged) else {
                    continue;
                };
                let textures = TexturePackage::read(&package, "Damaged");
                for index in 0..textures.textures.len() {
                    let _ = picture(&textures, damaged, index, Look::Masked);
                }
            }
        }
    }
}

#[test]
fn maps_hold_textures_of_their_own() {
    let Some(folder) = corpus() else { return };
    for map in crate::expected(&folder) {
        let name = map["file"].as_str().expect("each row names its file");
        let bytes = std::fs::read(folder.join(name)).expect(name);
        let (map, _) = read(&bytes, &Progress::new()).expect(name);
        assert!(map.own_textures.problems.is_empty(), "{name}");
        let has_screenshot = ["MA-Queens", "MA-RocketArena", "MH-Canyon", "MH-Forbidden"]
            .iter()
            .any(|known| name.starts_with(known));
        let names: Vec<&str> = map
            .own_textures
            .textures
            .iter()
            .map(|texture| texture.info.name.as_str())
            .collect();
        let expected: &[&str] = if has_screenshot {
            &["MyLevel.Screenshot"]
        } else {
            &[]
        };
        assert_eq!(names, expected, "{name}");
        let (textures, faults) = embedded(&map.own_textures, &bytes, &Document::default());
        assert!(faults.is_empty(), "{name}: {faults:?}");
        for texture in textures {
            let picture = decode(&texture.bytes, Path::new("a.png")).expect(name);
            assert_eq!((picture.width, picture.height), (256, 256), "{name}");
            assert!(!picture.has_alpha, "{name}");
        }
    }
}

/// Materials whose pictures cannot be had.
fn lost(opened: &Opened) -> Vec<String> {
    let doc = &opened.imported.doc;
    let named = doc
        .materials()
        .filter(|(_, material)| !material.texture.is_empty());
    let lost = named.filter(|(_, material)| {
        let picture = opened.resolver.load(&material.texture);
        picture.is_none_or(|picture| picture.is_err())
    });
    lost.map(|(_, material)| material.texture.clone()).collect()
}

/// Saved in a folder of its own and opened from there.
fn saved_elsewhere(opened: &Opened) -> Opened {
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let path = elsewhere.path().join("m.hmap");
    let imported = &opened.imported;
    let bytes = hmap::write(&imported.doc, &imported.view, &imported.extras, None, &path);
    std::fs::write(&path, bytes.expect("a map")).expect("write");
    open_map(&path, &[], &Progress::new()).expect("it opens")
}

#[test]
fn a_map_shows_the_package_beside_it_wherever_it_is_saved() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("checkers_test_map.unr");
    let opened = open_map(&path, &[], &Progress::new()).expect("it opens");
    let shown: Vec<&Material> = opened
        .imported
        .doc
        .materials()
        .map(|(_, material)| material)
        .filter(|material| material.texture.starts_with("Checkers."))
        .collect();
    assert!(shown.len() >= 4, "{shown:?}");
    for material in &shown {
        assert!(
            !material.flags.has(SurfaceFlags::SIZE_GUESSED),
            "{material:?}"
        );
        let (sides, name) = (material.tile_size.to_array(), &material.texture);
        let is_flat = name.contains("rectangle_128x64");
        let expected = if is_flat {
            [128.0, 64.0]
        } else {
            [256.0, 256.0]
        };
        assert_eq!(sides, expected, "{name}");
        let origin = opened.resolver.origin(name);
        assert_eq!(origin, Some(Origin::Container("Checkers.utx".to_owned())));
    }
    // A picture of the game's editor itself.
    assert_eq!(lost(&opened), ["Editor.Bkgnd"]);
    let again = saved_elsewhere(&opened);
    assert_eq!(lost(&again), ["Editor.Bkgnd"]);
}

#[test]
fn textures_of_a_map_go_with_it() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("MA-RocketArena.unr");
    let opened = open_map(&path, &[], &Progress::new()).expect("it opens");
    let again = saved_elsewhere(&opened);
    for opened in [&opened, &again] {
        let name = "MyLevel.Screenshot";
        assert_eq!(opened.imported.extras.textures.len(), 1);
        assert_eq!(opened.resolver.origin(name), Some(Origin::Embedded));
        let picture = opened.resolver.load(name).expect("found").expect("decodes");
        assert_eq!((picture.width, picture.height), (256, 256));
    }
}

#[test]
fn a_text_finds_its_textures_by_their_last_names() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("t3d/checkers_test_map.t3d");
    let opened = open_map(&path, std::slice::from_ref(&folder), &Progress::new());
    let opened = opened.expect("it opens");
    let found = opened
        .imported
        .doc
        .materials()
        .filter(|(_, material)| material.texture.starts_with("Checkers."));
    let mut count = 0;
    for (_, material) in found {
        assert!(
            !material.flags.has(SurfaceFlags::SIZE_GUESSED),
            "{material:?}"
        );
        assert!(opened.resolver.has(&material.texture), "{material:?}");
        count += 1;
    }
    assert!(count >= 4, "{count}");
}

/// Pictures of faces and polygons by name, in texels at their corners.
fn placed(doc: &Document) -> Vec<(String, Vec<DVec2>)> {
    let mut placed = Vec::new();
    for (_, object) in doc.objects() {
        let mut put = |material: Option<MaterialId>, uvs: &dyn Fn(Vec2) -> Vec<DVec2>| {
            if let Some(material) = material.and_then(|id| doc.material(id)) {
                let size = material.tile_size;
                let texels = uvs(size).into_iter().map(|uv| uv * size.as_dvec2());
                placed.push((material.texture.clone(), texels.collect()));
            }
        };
        match &object.kind {
            Kind::Brush(brush) => {
                for (index, face) in brush.faces().iter().enumerate() {
                    put(face.material, &|size| {
                        let frame = face.frame(size);
                        let corners = brush.hull().face_points(index);
                        corners.map(|corner| frame.at(corner)).collect()
                    });
                }
            }
            Kind::Mesh(mesh) => {
                for polygon in &mesh.polygons {
                    let uvs = &polygon.uvs;
                    put(polygon.material, &|_| {
                        uvs.iter().map(|uv| uv.as_dvec2()).collect()
                    });
                }
            }
            Kind::Entity(_) | Kind::Group(_) => {}
        }
    }
    placed
}

#[test]
fn a_package_that_turns_up_later_puts_the_pictures_where_they_belong() {
    let Some(folder) = corpus() else { return };
    let name = "checkers_test_map.unr";
    let known = open_map(&folder.join(name), &[], &Progress::new()).expect("it opens");
    let alone = tempfile::tempdir().expect("temp dir");
    let copy = alone.path().join(name);
    std::fs::copy(folder.join(name), &copy).expect("copy");
    let guessed = open_map(&copy, &[], &Progress::new()).expect("it opens");
    let is_lost = |lost: &String| lost.starts_with("Checkers.");
    assert!(lost(&guessed).iter().filter(|lost| is_lost(lost)).count() >= 4);
    // What the editor does when somebody names the place of the package.
    let mut draft = guessed.imported.doc.edit();
    let materials = guessed.imported.doc.materials();
    let sizes = materials.filter_map(|(id, material)| {
        let [width, height] = known.resolver.size(&material.texture)?;
        Some((id, (width, height)))
    });
    let sizes: BTreeMap<MaterialId, (u32, u32)> = sizes.collect();
    assert!(sizes.len() >= 4);
    apply_texture_sizes(&mut draft, &sizes);
    let (now, wanted) = (placed(&draft.as_read()), placed(&known.imported.doc));
    assert_eq!(now.len(), wanted.len());
    let mut compared = 0;
    for ((name, now), (wanted_name, wanted)) in now.iter().zip(&wanted) {
        assert_eq!(name, wanted_name);
        for (now, wanted) in now.iter().zip(wanted) {
            assert!(now.abs_diff_eq(*wanted, 0.01), "{name}: {now} {wanted}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}
