//! Textures of made packages.

use std::borrow::Cow;
use std::ops::Range;

use proptest::prelude::*;

use crate::formats::image::Image;
use crate::formats::unr::made_package::MadeObject;
use crate::formats::unr::made_package::MadePackage;
use crate::formats::unr::made_package::MadeValue as V;
use crate::formats::unr::made_package::compact;
use crate::formats::unr::package::Package;
use crate::formats::unr::raw::flag;
use crate::formats::unr::texture_name::Look;
use crate::formats::unr::texture_package::Colors;
use crate::formats::unr::texture_package::PaletteRef;
use crate::formats::unr::texture_package::TexturePackage;

fn read(bytes: &[u8]) -> TexturePackage {
    TexturePackage::read(&Package::read(bytes).expect("sound"), "Made")
}

/// The picture of a texture whose package lies in memory.
fn picture(
    package: &TexturePackage,
    bytes: &[u8],
    index: usize,
    look: Look,
    foreign: Option<&Colors>,
) -> Result<Image, String> {
    let part = |range: &Range<u64>| {
        let range = range.start as usize..range.end as usize;
        let part = bytes.get(range).ok_or("outside of the file")?;
        Ok(Cow::Borrowed(part))
    };
    package.picture(index, look, &part, foreign)
}

/// A texture of 8 x 4 texels with a palette, in a group.
fn simple(version: u16, properties: &[(&str, V)]) -> Vec<u8> {
    let mut made = MadePackage::new(version);
    let group = made.export("Package", 0, "Walls", MadeObject::default());
    let palette = made.palette(0, "Palette0", 7);
    let mut all = vec![
        ("Palette", V::Object(palette)),
        ("USize", V::Int(8)),
        ("VSize", V::Int(4)),
    ];
    all.extend(properties);
    made.texture("Texture", group, "Rock", [8, 4], &all);
    made.bytes()
}

#[test]
fn palettes_color_texels_in_every_version() {
    for version in [60, 61, 62, 63, 64, 67, 68, 69, 79, 107] {
        let bytes = simple(version, &[("MipZero", V::Color([1, 2, 3, 4]))]);
        let package = read(&bytes);
        assert!(package.problems.is_empty(), "{:?}", package.problems);
        let texture = &package.textures[0];
        assert_eq!(texture.info.name, "Made.Walls.Rock");
        assert_eq!((texture.info.size, texture.info.draw_scale), ([8, 4], 1.0));
        assert_eq!(texture.info.mip_zero, Some([1, 2, 3]));
        assert_eq!((texture.data.mips, texture.data.left), (2, 0), "{version}");
        assert_eq!(package.find("WALLS", "rock"), Some(0));
        assert_eq!(package.find("", "rock"), None);
        let picture = picture(&package, &bytes, 0, Look::Plain, None).expect("sound");
        assert_eq!((picture.width, picture.height), (8, 4));
        assert!(!picture.has_alpha);
        assert_eq!(picture.rgba[..8], [0, 255, 7, 255, 1, 254, 7, 255]);
    }
}

#[test]
fn version_62_may_have_the_place_behind_each_size_or_not() {
    for has_ends in [false, true] {
        let mut made = MadePackage::new(62);
        let palette = made.palette(0, "P", 7);
        let mut object = MadeObject {
            data: made.properties(&[("Palette", V::Object(palette))]),
            ..MadeObject::default()
        };
        object.mips([16, 16], 1, has_ends);
        made.export("Texture", 0, "T", object);
        let bytes = made.bytes();
        let package = read(&bytes);
        assert!(package.problems.is_empty(), "{:?}", package.problems);
        assert_eq!(package.textures[0].info.size, [16, 16]);
        assert_eq!(package.textures[0].data.left, 0);
        assert!(picture(&package, &bytes, 0, Look::Plain, None).is_ok());
    }
}

#[test]
fn the_first_color_is_a_hole_only_where_something_is_masked() {
    let holes = |properties: &[(&str, V)], look| {
        let bytes = simple(69, properties);
        let package = read(&bytes);
        let picture = picture(&package, &bytes, 0, look, None).expect("sound");
        let alphas = picture.rgba.iter().skip(3).step_by(4);
        let holes: Vec<usize> = (0..)
            .zip(alphas)
            .filter_map(|(place, alpha)| (*alpha == 0).then_some(place))
            .collect();
        assert_eq!(picture.has_alpha, !holes.is_empty());
        // What a hole hides is still there.
        assert_eq!(picture.rgba[..3], [0, 255, 7]);
        holes
    };
    assert!(holes(&[], Look::Plain).is_empty());
    assert_eq!(holes(&[], Look::Masked), [0]);
    assert_eq!(holes(&[("bMasked", V::Bool(true))], Look::Plain), [0]);
    assert!(holes(&[("bMasked", V::Bool(false))], Look::Plain).is_empty());
}

#[test]
fn properties_tell_the_flags_of_surfaces() {
    let flags = |properties: &[(&str, V)]| {
        let package = read(&simple(69, properties));
        package.textures[0].info.flags
    };
    assert_eq!(flags(&[]), 0);
    assert_eq!(
        flags(&[
            ("bMasked", V::Bool(true)),
            ("bTransparent", V::Bool(true)),
            ("bTwoSided", V::Bool(false)),
            ("bUnlit", V::Bool(true)),
            ("bRealtime", V::Bool(true)),
        ]),
        flag::MASKED | flag::TRANSLUCENT | flag::UNLIT
    );
    assert_eq!(
        flags(&[("BFAKEBACKDROP", V::Bool(true)), ("bPortal", V::Bool(true))]),
        flag::FAKE_BACKDROP | flag::PORTAL
    );
    let package = read(&simple(69, &[("DrawScale", V::Float(0.5))]));
    let info = &package.textures[0].info;
    assert_eq!(info.draw_scale, 0.5);
    assert_eq!((info.size, info.drawn_size()), ([8, 4], Some([4, 2])));
    let package = read(&simple(69, &[("DrawScale", V::Float(f32::NAN))]));
    assert_eq!(package.textures[0].info.draw_scale, 1.0);
}

#[test]
fn palettes_go_by_reference_not_by_name() {
    let mut made = MadePackage::new(69);
    let first = made.palette(0, "Palette0", 11);
    let group = made.export("Package", 0, "Other", MadeObject::default());
    let second = made.palette(group, "Palette0", 22);
    made.texture("Texture", 0, "A", [4, 4], &[("Palette", V::Object(second))]);
    made.texture("Texture", 0, "B", [4, 4], &[("Palette", V::Object(first))]);
    let bytes = made.bytes();
    let package = read(&bytes);
    let blue = |index| {
        picture(&package, &bytes, index, Look::Plain, None)
            .expect("sound")
            .rgba[2]
    };
    assert_eq!((blue(0), blue(1)), (22, 11));
    assert_eq!(package.palette_named("palette0").expect("there")[0][2], 11);
    assert_eq!(
        package.palette_named("OTHER.Palette0").expect("there")[0][2],
        22
    );
}

#[test]
fn a_palette_may_be_another_packages() {
    let mut made = MadePackage::new(69);
    let far = made.import("Package", 0, "Far");
    let palette = made.import("Palette", far, "Palette0");
    made.texture(
        "Texture",
        0,
        "A",
        [4, 4],
        &[("Palette", V::Object(palette))],
    );
    let bytes = made.bytes();
    let package = read(&bytes);
    let named = PaletteRef::Foreign("Far.Palette0".to_owned());
    assert_eq!(package.textures[0].palette, Some(named));
    let fault = picture(&package, &bytes, 0, Look::Plain, None).expect_err("no colours");
    assert_eq!(fault, "Made.A: its palette is not there");
    let colors: Colors = Box::new([[5, 6, 7]; 256]);
    let picture = picture(&package, &bytes, 0, Look::Plain, Some(&colors)).expect("sound");
    assert_eq!(picture.rgba[..4], [5, 6, 7, 255]);
}

/// A texture whose first list is empty, as of those that the game computes.
fn empty(class: &str, properties: &[(&str, V)], behind: &[u8]) -> Vec<u8> {
    let mut made = MadePackage::new(69);
    let palette = made.palette(0, "P", 7);
    let source = made.texture("Texture", 0, "Source", [4, 4], &[]);
    let mut all = vec![
        ("Palette", V::Object(palette)),
        ("USize", V::Int(128)),
        ("VSize", V::Int(64)),
        ("SourceTexture", V::Object(source)),
    ];
    all.extend(properties);
    let mut object = MadeObject {
        data: made.properties(&all),
        ..MadeObject::default()
    };
    object.data.push(1);
    object.mip([128, 64], &[], true);
    object.data.extend(behind);
    made.export(class, 0, "Fire", object);
    made.bytes()
}

#[test]
fn what_the_game_computes_is_of_one_color() {
    let mut sparks = compact(3);
    sparks.extend([1; 24]);
    let bytes = empty(
        "FireTexture",
        &[("MipZero", V::Color([9, 8, 7, 0]))],
        &sparks,
    );
    let package = read(&bytes);
    let fire = &package.textures[1];
    assert!(fire.info.is_procedural);
    assert_eq!((fire.data.sparks, fire.data.left), (3, 0));
    assert_eq!(fire.source.as_deref(), Some("Made.Source"));
    let shown = picture(&package, &bytes, 1, Look::Plain, None).expect("one colour");
    assert_eq!((shown.width, shown.height), (128, 64));
    assert_eq!(shown.rgba[..4], [9, 8, 7, 255]);
    // Without a mean colour, the middle of the palette.
    let bytes = empty("WetTexture", &[], &[]);
    let package = read(&bytes);
    let shown = picture(&package, &bytes, 1, Look::Plain, None).expect("one colour");
    assert_eq!(shown.rgba[..4], [128, 127, 7, 255]);
    // A size that only a file could hold takes no memory.
    let huge = [("USize", V::Int(i32::MAX)), ("VSize", V::Int(-1))];
    let bytes = empty("IceTexture", &huge, &[]);
    let package = read(&bytes);
    let shown = picture(&package, &bytes, 1, Look::Plain, None).expect("one colour");
    assert!(shown.width <= 256 && shown.height <= 256);
}

/// A texture with a second list, of 8 x 8 texels in blocks: red but for the last row, which is green.
fn compressed(version: u16, format: u8, has_palette: bool) -> Vec<u8> {
    let block = [0x00, 0xF8, 0xE0, 0x07, 0, 0, 0, 0x55];
    let mut made = MadePackage::new(version);
    let mut properties = vec![("bHasComp", V::Bool(true)), ("CompFormat", V::Byte(format))];
    if has_palette {
        properties.push(("Palette", V::Object(made.palette(0, "P", 7))));
    }
    let mut object = MadeObject {
        data: made.properties(&properties),
        ..MadeObject::default()
    };
    object.mips([8, 8], 1, version >= 63);
    object.data.push(1);
    object.mip([8, 8], &block.repeat(4), version >= 68);
    made.export("Texture", 0, "T", object);
    made.bytes()
}

#[test]
fn a_second_list_helps_where_the_first_has_no_palette() {
    for version in [66, 69] {
        let bytes = compressed(version, 3, true);
        let package = read(&bytes);
        let data = &package.textures[0].data;
        assert_eq!((data.mips, data.compressed_mips, data.left), (2, 1, 0));
        let shown = picture(&package, &bytes, 0, Look::Plain, None).expect("a palette");
        assert_eq!(shown.rgba[..4], [0, 255, 7, 255]);
        let bytes = compressed(version, 3, false);
        let package = read(&bytes);
        let shown = picture(&package, &bytes, 0, Look::Plain, None).expect("blocks");
        assert_eq!((shown.width, shown.height), (8, 8));
        assert_eq!(shown.rgba[..4], [255, 0, 0, 255]);
        assert_eq!(shown.rgba[7 * 32..7 * 32 + 4], [0, 255, 0, 255]);
    }
    // A format that nobody knows does not take the known one away, and alone is refused with its number.
    let bytes = compressed(69, 11, true);
    let package = read(&bytes);
    assert!(picture(&package, &bytes, 0, Look::Plain, None).is_ok());
    let bytes = compressed(69, 11, false);
    let package = read(&bytes);
    assert!(package.problems[0].contains("unknown format 11"));
    let fault = picture(&package, &bytes, 0, Look::Plain, None).expect_err("refused");
    assert!(fault.starts_with("Made.T: "), "{fault}");
}

#[test]
fn other_formats_are_read_by_their_numbers() {
    let shown = |format: u8, bytes_per_texel: usize| {
        let mut made = MadePackage::new(69);
        let mut object = MadeObject {
            data: made.properties(&[("Format", V::Byte(format))]),
            ..MadeObject::default()
        };
        object.mips([4, 2], bytes_per_texel, true);
        made.export("Texture", 0, "T", object);
        let bytes = made.bytes();
        let package = read(&bytes);
        picture(&package, &bytes, 0, Look::Plain, None).map(|picture| picture.rgba[4..8].to_vec())
    };
    assert_eq!(shown(5, 4), Ok(vec![6, 5, 4, 7]));
    assert_eq!(shown(4, 3), Ok(vec![3, 4, 5, 255]));
    // 0x0302: red 0, green 24 of 63, blue 2 of 31.
    assert_eq!(shown(2, 2), Ok(vec![0, 97, 16, 255]));
    assert!(shown(1, 4).is_err());
    assert!(shown(4, 4).expect_err("wrong length").contains("32 bytes"));
}

#[test]
fn looks_of_surfaces_become_colors_that_cover() {
    let bytes = simple(69, &[]);
    let package = read(&bytes);
    let colors: Colors = Box::new(std::array::from_fn(|index| [index.min(31) as u8 * 8; 3]));
    let mut grey = package.clone();
    grey.textures[0].palette = Some(PaletteRef::Foreign(String::new()));
    let of = |look| {
        picture(&grey, &bytes, 0, look, Some(&colors))
            .expect("sound")
            .rgba
    };
    let added = of(Look::Translucent);
    assert_eq!(added[3], 0, "black is clear");
    let bright = &added[31 * 4..];
    assert!(
        bright[3] > 250 && bright[0] > 245,
        "white covers: {bright:?}"
    );
    let multiplied = of(Look::Modulated);
    assert_eq!(multiplied[..4], [0, 0, 0, 255], "black stays black");
    assert_eq!(multiplied[16 * 4 + 3], 0, "grey 128 is clear");
    let veil = &multiplied[31 * 4..];
    assert_eq!(veil[..3], [255; 3], "white brightens");
    assert!((1..=153).contains(&veil[3]));
}

#[test]
fn damage_is_told_and_the_rest_stays() {
    let good = simple(69, &[]);
    // The place behind the first size is wrong.
    let package = read(&good);
    let range = package.textures[0].data.pixels[0].range.clone();
    let mut bad = good.clone();
    bad[range.start as usize - 5] ^= 1;
    let damaged = read(&bad);
    assert!(damaged.textures.is_empty());
    assert_eq!(damaged.problems.len(), 1);
    assert!(
        damaged.problems[0].contains("mip end"),
        "{:?}",
        damaged.problems
    );
    // The picture is wider than its bytes.
    let mut bad = good.clone();
    bad[range.end as usize] = 9;
    let damaged = read(&bad);
    let fault = picture(&damaged, &bad, 0, Look::Plain, None).expect_err("too short");
    assert!(fault.contains("9 x 4"), "{fault}");
}

#[test]
fn every_cut_is_read_or_refused() {
    let mut bytes = compressed(69, 3, true);
    let whole = bytes.clone();
    for end in 0..whole.len() {
        // The tables lie at the end: keep them in sight by cutting out of the middle as well.
        bytes.truncate(end);
        try_all(&bytes);
        let mut gap = whole.clone();
        gap.drain(end..(end + 9).min(whole.len()));
        try_all(&gap);
        bytes.clone_from(&whole);
    }
}

fn try_all(bytes: &[u8]) {
    let Ok(package) = Package::read(bytes) else {
        return;
    };
    let textures = TexturePackage::read(&package, "Made");
    for index in 0..textures.textures.len() {
        for look in [
            Look::Plain,
            Look::Masked,
            Look::Translucent,
            Look::Modulated,
        ] {
            if let Ok(picture) = picture(&textures, bytes, index, look, None) {
                assert!(picture.rgba.len() <= 256 * 256 * 4 + bytes.len() * 8);
            }
        }
    }
}

proptest! {
    #[test]
    fn changed_bytes_never_break_the_reader(
        version in prop::sample::select(vec![61u16, 62, 66, 69, 107]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        for mut bytes in [simple(version, &[("bMasked", V::Bool(true))]), empty("FireTexture", &[], &[1, 2, 3]), compressed(version, 3, false)] {
            for (place, byte) in &changes {
                let at = place.index(bytes.len());
                bytes[at] = *byte;
            }
            try_all(&bytes);
        }
    }
}
