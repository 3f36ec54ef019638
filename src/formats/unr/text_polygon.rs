//! Polygons as text (`unr.md` 12).

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use crate::formats::unr::polys::is_sound;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawPolygon;
use crate::formats::unr::text_value::object;
use crate::formats::unr::text_value::whole;

/// Textures by their place in [`crate::formats::unr::raw::RawMap::textures`].
#[derive(Debug, Default)]
pub struct TextTextures {
    places: HashMap<String, u32>,
    pub list: Vec<Arc<ObjectPath>>,
}

impl TextTextures {
    fn place(&mut self, text: &str) -> Option<u32> {
        let mut path = object(text)?;
        if path.class.is_empty() {
            "Texture".clone_into(&mut path.class);
        }
        let key = path.full_name().to_ascii_lowercase();
        Some(*self.places.entry(key).or_insert_with(|| {
            self.list.push(Arc::new(path));
            self.list.len() as u32 - 1
        }))
    }
}

/// A polygon while its lines are read.
#[derive(Debug)]
pub struct OpenPolygon {
    polygon: RawPolygon,
    has_base: bool,
    has_normal: bool,
}

impl OpenPolygon {
    /// `attributes`: of `Begin Polygon`.
    pub fn new(attributes: &[(&str, &str)], textures: &mut TextTextures) -> Self {
        let mut polygon = RawPolygon {
            link: -1,
            ..RawPolygon::default()
        };
        for &(key, text) in attributes {
            let is = |name: &str| key.eq_ignore_ascii_case(name);
            if is("Item") {
                text.clone_into(&mut polygon.item);
            } else if is("Texture") {
                polygon.texture = textures.place(text);
            } else if is("Flags") {
                polygon.flags = whole(text).unwrap_or(0) as u32;
            } else if is("Link") {
                polygon.link = whole(text).unwrap_or(-1);
            }
        }
        Self {
            polygon,
            has_base: false,
            has_normal: false,
        }
    }

    /// A line within the polygon; false for one that says nothing known. Numbers that are none make the polygon unsound.
    pub fn line(&mut self, line: &str) -> bool {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        let polygon = &mut self.polygon;
        if is("Vertex") {
            polygon.vertices.push(vector(rest));
        } else if is("Origin") {
            polygon.base = vector(rest);
            self.has_base = true;
        } else if is("Normal") {
            polygon.normal = vector(rest);
            self.has_normal = true;
        } else if is("TextureU") {
            polygon.u = vector(rest);
        } else if is("TextureV") {
            polygon.v = vector(rest);
        } else if is("Pan") {
            for word in rest.split_whitespace() {
                let (key, text) = word.split_once('=').unwrap_or((word, ""));
                let texels = text.parse::<f32>().unwrap_or(0.0) as i16;
                if key.eq_ignore_ascii_case("U") {
                    polygon.pan[0] = texels;
                } else if key.eq_ignore_ascii_case("V") {
                    polygon.pan[1] = texels;
                }
            }
        } else {
            return false;
        }
        true
    }

    /// The polygon, and whether it is sound: one that is not has no corners.
    #[must_use]
    pub fn finished(self) -> (RawPolygon, bool) {
        let mut polygon = self.polygon;
        if !self.has_base {
            polygon.base = polygon.vertices.first().copied().unwrap_or_default();
        }
        if !self.has_normal {
            polygon.normal = normal(&polygon.vertices);
        }
        let is_good = polygon.vertices.len() >= 3 && is_sound(&polygon);
        if !is_good {
            polygon.vertices.clear();
        }
        (polygon, is_good)
    }
}

/// `1,2,3`; what is no number is not a number.
fn vector(text: &str) -> Vec3 {
    let mut numbers = text
        .split(|character: char| character == ',' || character.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse::<f32>().unwrap_or(f32::NAN));
    let mut next = || numbers.next().unwrap_or(f32::NAN);
    Vec3::new(next(), next(), next())
}

/// By the usual formula on the raw numbers.
fn normal(vertices: &[Vec3]) -> Vec3 {
    let Some((&first, rest)) = vertices.split_first() else {
        return Vec3::ZERO;
    };
    let fan = rest.windows(2);
    let sum = fan.map(|pair| (pair[0] - first).cross(pair[1] - first));
    sum.sum::<Vec3>().normalize_or_zero()
}
