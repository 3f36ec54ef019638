//! Textures in the map's own file become pictures in the `.hmap` (`hmap.md` 6.7).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use image::ImageEncoder as _;
use image::codecs::png::CompressionType;
use image::codecs::png::FilterType;
use image::codecs::png::PngEncoder;
use rayon::prelude::*;

use crate::document::Document;
use crate::formats::EmbeddedTexture;
use crate::formats::image::Image;
use crate::formats::unr::texture_name::Look;
use crate::formats::unr::texture_name::OWN_PACKAGE;
use crate::formats::unr::texture_name::split;
use crate::formats::unr::texture_name::with_look;
use crate::formats::unr::texture_package::TexturePackage;

/// Every texture of the map as it is, and once more for each look that a material of the document gives it. `bytes`: the map's
/// file. Also what could not be decoded, one sentence each.
#[must_use]
pub fn embedded(
    own: &TexturePackage,
    bytes: &[u8],
    doc: &Document,
) -> (Vec<EmbeddedTexture>, Vec<String>) {
    let mut wanted: BTreeSet<(usize, Look)> = (0..own.textures.len())
        .map(|index| (index, Look::Plain))
        .collect();
    for (_, material) in doc.materials() {
        let (object, look) = split(&material.texture);
        let parts = object.split_once('.');
        if let Some((package, rest)) = parts
            && package.eq_ignore_ascii_case(OWN_PACKAGE)
        {
            let (group, name) = rest.rsplit_once('.').unwrap_or(("", rest));
            wanted.extend(own.find(group, name).map(|index| (index, look)));
        }
    }
    let part = |range: &Range<u64>| {
        let range = range.start as usize..range.end as usize;
        let part = bytes.get(range).ok_or("its pixels are not all there")?;
        Ok(Cow::Borrowed(part))
    };
    let made: Vec<Result<EmbeddedTexture, String>> = wanted
        .into_par_iter()
        .map(|(index, look)| {
            let name = &own.textures[index].info.name;
            let picture = own.picture(index, look, &part, None)?;
            let png = png(&picture).map_err(|error| format!("{name}: {error}"))?;
            Ok(EmbeddedTexture {
                name: with_look(name, look),
                encoding: 0,
                width: picture.width,
                height: picture.height,
                bytes: png.into(),
            })
        })
        .collect();
    let mut textures = Vec::new();
    let mut faults = Vec::new();
    for made in made {
        match made {
            Ok(texture) => textures.push(texture),
            Err(fault) => faults.push(fault),
        }
    }
    (textures, faults)
}

fn png(picture: &Image) -> Result<Vec<u8>, image::ImageError> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
    let color = image::ExtendedColorType::Rgba8;
    encoder.write_image(&picture.rgba, picture.width, picture.height, color)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::document::Material;
    use crate::formats::image::decode;
    use crate::formats::unr::made_package::MadeObject;
    use crate::formats::unr::made_package::MadePackage;
    use crate::formats::unr::made_package::MadeValue as V;
    use crate::formats::unr::package::Package;

    #[test]
    fn each_look_of_a_texture_is_a_picture() {
        let mut made = MadePackage::new(69);
        let group = made.export("Package", 0, "Signs", MadeObject::default());
        let palette = made.palette(0, "P", 7);
        let palette = [("Palette", V::Object(palette))];
        made.texture("Texture", group, "Exit", [8, 4], &palette);
        made.texture("Texture", 0, "Unused", [4, 4], &palette);
        // Its palette is in another package.
        let far = made.import("Palette", 0, "Far");
        made.texture("Texture", 0, "Lost", [4, 4], &[("Palette", V::Object(far))]);
        let bytes = made.bytes();
        let own = TexturePackage::of_map(&Package::read(&bytes).expect("sound"));
        let mut draft = Document::default().edit();
        for texture in ["mylevel.signs.EXIT:masked", "Other.Exit:translucent", ""] {
            draft.insert_material(Material::new(texture, texture));
        }
        let (textures, faults) = embedded(&own, &bytes, &draft.as_read());
        let names: Vec<&str> = textures
            .iter()
            .map(|texture| texture.name.as_str())
            .collect();
        let expected = [
            "MyLevel.Signs.Exit",
            "MyLevel.Signs.Exit:masked",
            "MyLevel.Unused",
        ];
        assert_eq!(names, expected);
        assert_eq!(faults, ["MyLevel.Lost: its palette is not there"]);
        for (texture, alpha) in textures.iter().zip([255, 0]) {
            let picture = decode(&texture.bytes, Path::new("a.png")).expect("a picture");
            assert_eq!((picture.width, picture.height), (8, 4));
            assert_eq!(picture.rgba[..8], [0, 255, 7, alpha, 1, 254, 7, 255]);
        }
    }
}
