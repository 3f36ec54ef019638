use glam::DVec2;
use proptest::prelude::*;

use super::*;
use crate::document::Document;

/// Sizes of the pictures that are there.
struct Sizes(&'static [(&'static str, [u32; 2])]);

impl Siblings for Sizes {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        let mut sizes = self.0.iter();
        sizes
            .find(|(name, _)| *name == texture)
            .map(|&(_, size)| size)
    }
}

const CHECKERS: Sizes = Sizes(&[
    ("Checkers.rectangle_128x64", [128, 64]),
    ("Checkers.checkers_base", [256, 256]),
]);

fn map() -> RawMap {
    let texture = |name: &str| {
        Arc::new(ObjectPath {
            class: "Texture".to_owned(),
            package: "Checkers".to_owned(),
            name: name.to_owned(),
            ..ObjectPath::default()
        })
    };
    RawMap {
        textures: vec![
            texture("rectangle_128x64"),
            texture("checkers_base"),
            texture("missing"),
        ],
        ..RawMap::default()
    }
}

fn mapping(texture: Option<u32>, flags: u32) -> Mapping {
    Mapping {
        texture,
        flags,
        base: DVec3::ZERO,
        u: DVec3::X,
        v: DVec3::Y,
        pan: DVec2::ZERO,
    }
}

fn insert(mappings: &[Mapping]) -> (Vec<Material>, Vec<(String, String)>) {
    let map = map();
    let mut draft = Document::default().edit();
    let mut looks = Looks::new(&map, &CHECKERS);
    looks.insert(mappings.iter(), &mut draft);
    let made = mappings
        .iter()
        .filter_map(|mapping| draft.material(looks.of(mapping)?).cloned());
    (made.collect(), looks.settings())
}

/// Values of the description of the format.
#[test]
fn a_slope_and_a_ceiling_get_their_numbers() {
    let map = map();
    let mut draft = Document::default().edit();
    let mut looks = Looks::new(&map, &CHECKERS);
    let slope = Mapping {
        base: DVec3::new(1044.546143, 127.383644, -32.0),
        u: DVec3::new(-0.098017, -0.995185, 0.0),
        v: DVec3::NEG_Z,
        pan: DVec2::new(48.0, 0.0),
        ..mapping(Some(0), 0)
    };
    let ceiling = Mapping {
        base: DVec3::new(0.0, 0.0, 512.0),
        pan: DVec2::new(128.0, 0.0),
        ..mapping(Some(1), 0)
    };
    looks.insert([&slope, &ceiling].into_iter(), &mut draft);

    let normal = DVec3::new(0.995185, -0.098017, 0.0).normalize();
    let plane = Plane::new(to_map(normal), 1027.0306);
    let corners = [
        DVec3::ZERO,
        DVec3::Z * 64.0,
        DVec3::Z * 64.0 + slope.u * 99.0,
    ];
    let corners = corners.map(|offset| to_map(slope.base + offset));
    let fit = looks.fit(&slope, plane, &corners);
    assert!(fit.exact && fit.aligned && fit.axes.is_none(), "{fit:?}");
    assert_eq!(fit.uv.rotation_deg, 0.0);
    assert!(fit.uv.scale.abs_diff_eq(Vec2::ONE, 1e-5), "{fit:?}");
    let offset = Vec2::new(2.165_26, -0.5);
    assert!(fit.uv.offset.abs_diff_eq(offset, 1e-5), "{fit:?}");
    let at_base = looks.frame(&slope).at(to_map(slope.base));
    assert!(at_base.abs_diff_eq(DVec2::new(0.375, 0.0), 1e-9));

    let plane = Plane::new(DVec3::NEG_Y, -512.0);
    let corners = [[0.0, 0.0], [512.0, 0.0], [512.0, -512.0]];
    let corners = corners.map(|[x, y]| to_map(DVec3::new(x, y, 512.0)));
    let fit = looks.fit(&ceiling, plane, &corners);
    assert!(fit.exact && fit.axes.is_none(), "{fit:?}");
    assert_eq!(fit.uv.rotation_deg, 90.0);
    assert_eq!(fit.uv.scale, Vec2::new(-1.0, 1.0), "it is mirrored");
    assert_eq!(fit.uv.offset, Vec2::new(0.5, 0.0));
    let there = looks
        .frame(&ceiling)
        .at(to_map(DVec3::new(2304.0, -1024.0, 512.0)));
    assert_eq!(there, DVec2::new(9.5, -4.0));
}

#[test]
fn names_tell_texture_and_look() {
    let (made, settings) = insert(&[
        mapping(Some(0), 0),
        mapping(Some(0), flag::MASKED | flag::TWO_SIDED | flag::SEMISOLID),
        mapping(Some(0), flag::MASKED | flag::TRANSLUCENT | flag::UNLIT),
        mapping(Some(1), flag::FAKE_BACKDROP | 0x10),
        mapping(Some(1), flag::INVISIBLE),
        mapping(None, flag::NO_SMOOTH | flag::CLOUD_WAVY),
    ]);
    let names: Vec<&str> = made.iter().map(|material| material.name.as_str()).collect();
    let expected = [
        "Checkers.rectangle_128x64",
        "Checkers.rectangle_128x64.masked.twosided",
        "Checkers.rectangle_128x64.translucent.unlit",
        "Checkers.checkers_base.sky.environment",
        "Checkers.checkers_base.invisible",
        "Engine.DefaultTexture.nosmooth.wavy",
    ];
    assert_eq!(names, expected);
    let flags: Vec<SurfaceFlags> = made.iter().map(|material| material.flags).collect();
    let expected = [
        SurfaceFlags::default(),
        SurfaceFlags::MASKED | SurfaceFlags::TWO_SIDED,
        SurfaceFlags::TRANSLUCENT | SurfaceFlags::UNLIT,
        SurfaceFlags::SKY,
        SurfaceFlags::NODRAW,
        SurfaceFlags::NEAREST | SurfaceFlags::SIZE_GUESSED,
    ];
    assert_eq!(flags, expected);
    let textures: Vec<&str> = made
        .iter()
        .map(|material| material.texture.as_str())
        .collect();
    assert_eq!(
        textures[1..3],
        [
            "Checkers.rectangle_128x64:masked",
            "Checkers.rectangle_128x64:translucent"
        ]
    );
    let word = settings
        .iter()
        .find(|(name, _)| name == "material/Checkers.rectangle_128x64.masked.twosided/polyflags");
    assert_eq!(word.map(|(_, words)| words.as_str()), Some("0x00000122"));
}

#[test]
fn flags_that_draw_nothing_differently_share_a_material() {
    let (made, settings) = insert(&[
        mapping(Some(0), flag::SEMISOLID),
        mapping(Some(0), 0),
        mapping(Some(2), 0),
    ]);
    assert_eq!(made[0], made[1]);
    assert_eq!(settings[0].1, "0x00000000 0x00000020");
    assert_eq!(made[0].tile_size, Vec2::new(128.0, 64.0));
    assert_eq!(made[2].tile_size, Vec2::splat(GUESSED));
    assert!(made[2].flags.has(SurfaceFlags::SIZE_GUESSED));
}

#[test]
fn the_level_names_the_texture_of_surfaces_without_one() {
    let mut map = map();
    let level = crate::formats::unr::raw::RawActor {
        class: Arc::new(ObjectPath {
            name: "levelinfo".to_owned(),
            ..ObjectPath::default()
        }),
        properties: crate::formats::unr::properties::Properties(vec![
            crate::formats::unr::properties::Property {
                name: Arc::from("DefaultTexture"),
                index: 0,
                value: crate::formats::unr::properties::Value::Object(Some(Arc::clone(
                    &map.textures[1],
                ))),
            },
        ]),
        ..crate::formats::unr::raw::RawActor::default()
    };
    map.actors.push(level);
    assert_eq!(path(&map, None), map.textures[1]);
    assert_eq!(path(&map, Some(99)), Arc::default(), "no such texture");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_frame_has_the_texels_of_the_mapping(
        u in prop::array::uniform3(-4.0..4.0f64),
        v in prop::array::uniform3(-4.0..4.0f64),
        base in prop::array::uniform3(-9000.0..9000.0f64),
        pan in prop::array::uniform2(-512.0..512.0f64),
        point in prop::array::uniform3(-9000.0..9000.0f64),
    ) {
        let mapping = Mapping {
            u: u.into(),
            v: v.into(),
            base: base.into(),
            pan: pan.into(),
            ..mapping(None, 0)
        };
        let (size, point) = (Vec2::new(128.0, 32.0), DVec3::from(point));
        let texels = frame(&mapping, size).at(to_map(point)) * size.as_dvec2();
        prop_assert!(texels.abs_diff_eq(mapping.at(point), 1e-9 * 1e5));
    }
}

/// A texture that is masked and drawn at half its size, and one that is computed.
struct Flagged;

impl Siblings for Flagged {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        None
    }

    fn texture_info(&self, texture: &str, _packages: &[String]) -> Option<TextureInfo> {
        let info = TextureInfo {
            name: "Far.Group.Name".to_owned(),
            size: [128, 64],
            draw_scale: 1.0,
            ..TextureInfo::default()
        };
        match texture {
            "Checkers.rectangle_128x64" => Some(TextureInfo {
                draw_scale: 0.5,
                flags: flag::MASKED | flag::UNLIT,
                ..info
            }),
            "Checkers.checkers_base" => Some(TextureInfo {
                is_procedural: true,
                ..info
            }),
            "Name" => Some(info),
            _ => None,
        }
    }
}

#[test]
fn a_texture_adds_its_flags_to_those_of_its_surfaces() {
    let mut map = map();
    map.textures[2] = Arc::new(ObjectPath {
        name: "Name".to_owned(),
        ..ObjectPath::default()
    });
    let mut draft = Document::default().edit();
    let mut looks = Looks::new(&map, &Flagged);
    let surfaces = [
        mapping(Some(0), flag::TWO_SIDED),
        mapping(Some(0), flag::TWO_SIDED | flag::MASKED),
        mapping(Some(0), flag::TRANSLUCENT),
        mapping(Some(1), 0),
        mapping(Some(2), 0),
    ];
    looks.insert(surfaces.iter(), &mut draft);
    let made = surfaces.each_ref().map(|surface| {
        let material = looks.of(surface).and_then(|id| draft.material(id));
        material.expect("inserted").clone()
    });
    assert_eq!(made[0], made[1]);
    let expected = SurfaceFlags::MASKED | SurfaceFlags::TWO_SIDED | SurfaceFlags::UNLIT;
    assert_eq!(made[0].flags, expected);
    assert_eq!(made[0].texture, "Checkers.rectangle_128x64:masked");
    assert_eq!(made[0].tile_size, Vec2::new(64.0, 32.0));
    assert!(!made[2].flags.has(SurfaceFlags::MASKED));
    let computed: Vec<Option<MaterialId>> = looks.computed().map(Some).collect();
    assert_eq!(computed, [looks.of(&surfaces[3])]);
    assert_eq!(made[4].texture, "Far.Group.Name", "found by its last part");
    // Texels count as large as they are drawn.
    let at = looks
        .frame(&surfaces[0])
        .at(to_map(DVec3::new(64.0, 32.0, 0.0)));
    assert_eq!(at, DVec2::ONE);
}

#[test]
fn textures_of_the_map_are_known_without_a_file_beside_it() {
    use crate::formats::unr::made_package::MadePackage;
    use crate::formats::unr::made_package::MadeValue;
    use crate::formats::unr::package::Package;
    use crate::formats::unr::texture_package::TexturePackage;

    let mut made = MadePackage::new(69);
    let masked = [("bMasked", MadeValue::Bool(true))];
    let sign = made.texture("Texture", 0, "Sign", [32, 16], &masked);
    let bytes = made.bytes();
    let package = Package::read(&bytes).expect("sound");
    let path = package
        .tables
        .object_path(crate::formats::unr::package::Reference(sign));
    let map = RawMap {
        textures: vec![path.expect("there")],
        own_textures: TexturePackage::of_map(&package),
        ..RawMap::default()
    };
    let mut draft = Document::default().edit();
    let mut looks = Looks::new(&map, &Flagged);
    let surface = mapping(Some(0), 0);
    looks.insert([&surface].into_iter(), &mut draft);
    let material = looks.of(&surface).and_then(|id| draft.material(id));
    let material = material.expect("inserted");
    assert_eq!(material.texture, "MyLevel.Sign:masked");
    assert_eq!(material.tile_size, Vec2::new(32.0, 16.0));
    assert_eq!(material.flags, SurfaceFlags::MASKED);
}

proptest! {
    #[test]
    fn flags_of_a_texture_that_turns_up_later_do_the_same(word: u32, own: u32) {
        let made = |word: u32| {
            let flags = drawn_flags(word);
            (texture_name::with_look("A.B", look(flags)), surface_flags(flags))
        };
        let (picture, surface) = made(word);
        prop_assert_eq!(with_own_flags(&picture, surface, own), made(word | own));
    }
}
