//! Texture packages and how their names are found.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use mapwright::formats::image::Image;
use mapwright::formats::unr::package::Package;
use mapwright::formats::unr::raw::flag;
use mapwright::formats::unr::texture::PixelFormat;
use mapwright::formats::unr::texture_name::Look;
use mapwright::formats::unr::texture_package::PaletteRef;
use mapwright::formats::unr::texture_package::TexturePackage;

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
        let zeros = bytes[range].iter().filter(|index| **index == 0).count();
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
    use mapwright::document::Document;
    use mapwright::formats::image::decode;
    use mapwright::formats::unr::own_textures::embedded;
    use mapwright::formats::unr::read;
    use mapwright::task::Progress;

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
