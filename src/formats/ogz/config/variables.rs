//! Variables that a configuration may set and a map may want to keep.

use crate::formats::ogz::raw::Value;
use crate::formats::ogz::script::integer;
use crate::formats::ogz::script::number;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Float,
    Text,
    /// One number, or three that are packed as red, green, blue.
    Color,
}

const VARIABLES: &[(&str, Kind)] = &[
    ("ambient", Kind::Color),
    ("blurskylight", Kind::Int),
    ("bumperror", Kind::Int),
    ("cloudalpha", Kind::Float),
    ("cloudbox", Kind::Text),
    ("cloudcolour", Kind::Color),
    ("cloudheight", Kind::Float),
    ("cloudlayer", Kind::Text),
    ("envmapradius", Kind::Int),
    ("fog", Kind::Int),
    ("fogcolour", Kind::Color),
    ("fogdomecolour", Kind::Color),
    ("glass2colour", Kind::Color),
    ("glass3colour", Kind::Color),
    ("glass4colour", Kind::Color),
    ("glasscolour", Kind::Color),
    ("grasscolour", Kind::Color),
    ("grassscale", Kind::Int),
    ("lava2colour", Kind::Color),
    ("lava3colour", Kind::Color),
    ("lava4colour", Kind::Color),
    ("lavacolour", Kind::Color),
    ("lavafog", Kind::Int),
    ("lerpangle", Kind::Int),
    ("lerpsubdiv", Kind::Int),
    ("lerpsubdivsize", Kind::Int),
    ("lighterror", Kind::Int),
    ("lightlod", Kind::Int),
    ("lightprecision", Kind::Int),
    ("maptitle", Kind::Text),
    ("minimapheight", Kind::Int),
    ("shadowmapambient", Kind::Color),
    ("shadowmapangle", Kind::Int),
    ("skybox", Kind::Text),
    ("skyboxcolour", Kind::Color),
    ("skylight", Kind::Color),
    ("skytexture", Kind::Int),
    ("skytexturelight", Kind::Int),
    ("spinsky", Kind::Float),
    ("sunlight", Kind::Color),
    ("sunlightpitch", Kind::Int),
    ("sunlightscale", Kind::Float),
    ("sunlightyaw", Kind::Int),
    ("water2colour", Kind::Color),
    ("water2fog", Kind::Int),
    ("water3colour", Kind::Color),
    ("water3fog", Kind::Int),
    ("water4colour", Kind::Color),
    ("water4fog", Kind::Int),
    ("watercolour", Kind::Color),
    ("waterfallcolour", Kind::Color),
    ("waterfog", Kind::Int),
    ("yawsky", Kind::Int),
];

/// What `name words...` sets the variable to; `None` when there is no such variable, or no value.
pub fn value(name: &str, words: &[String]) -> Option<Value> {
    let index = VARIABLES
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    let first = words.first()?;
    Some(match VARIABLES[index].1 {
        Kind::Int => Value::Int(integer(first)),
        Kind::Float => Value::Float(number(first)),
        Kind::Text => Value::Text(first.clone()),
        Kind::Color => Value::Int(if let [red, green, blue, ..] = words {
            [red, green, blue].into_iter().fold(0, |packed, part| {
                (packed << 8) | integer(part).clamp(0, 255)
            })
        } else {
            integer(first)
        }),
    })
}

/// Further ones that maps keep and no configuration of a known map sets.
const OTHERS: &[&str] = &[
    "causticmillis",
    "causticscale",
    "cloudboxalpha",
    "cloudboxcolour",
    "cloudclip",
    "cloudfade",
    "cloudoffsetx",
    "cloudoffsety",
    "cloudscale",
    "cloudscrollx",
    "cloudscrolly",
    "cloudsubdiv",
    "fogdomecap",
    "fogdomeclip",
    "fogdomeclouds",
    "fogdomeheight",
    "fogdomemax",
    "fogdomemin",
    "spincloudlayer",
    "spinclouds",
    "yawcloudlayer",
    "yawclouds",
];

/// Whether the game has a variable of this name that belongs to maps.
#[must_use]
pub fn is_known(name: &str) -> bool {
    let find = VARIABLES.binary_search_by(|(known, _)| (*known).cmp(name));
    find.is_ok() || OTHERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(VARIABLES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(is_known("fog") && is_known("cloudfade") && !is_known("wad"));
    }

    #[test]
    fn colors_are_packed() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert_eq!(
            value("fogcolour", &words("65 71 77")),
            Some(Value::Int(0x0041_474D))
        );
        assert_eq!(
            value("watercolour", &words("0 190 300")),
            Some(Value::Int(0x0000_BEFF))
        );
        assert_eq!(
            value("fogcolour", &words("0xA79B80")),
            Some(Value::Int(0x00A7_9B80))
        );
        assert_eq!(value("spinsky", &words("0.5")), Some(Value::Float(0.5)));
        assert_eq!(value("fog", &[]), None);
        assert_eq!(value("nosuch", &words("1")), None);
    }
}
