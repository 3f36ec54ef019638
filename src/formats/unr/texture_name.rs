//! What materials call a picture of a package: `Package.Group.Name`, and at the end what a surface makes of its colours.

use crate::formats::unr::raw::ObjectPath;

/// What a map calls itself as a package.
pub const OWN_PACKAGE: &str = "MyLevel";

/// The setting of a map's origin that names the packages it was made with, joined by `;`.
pub const PACKAGES_SETTING: &str = "packages";

/// What a surface makes of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Look {
    /// As the texture itself says: with holes only where it is masked.
    #[default]
    Plain,
    /// The surface is masked: what has colour 0 of the palette is a hole.
    Masked,
    /// Its light is added to what lies behind: black is clear.
    Translucent,
    /// It darkens or brightens what lies behind: middle grey is clear.
    Modulated,
}

impl Look {
    const ALL: [Self; 4] = [
        Self::Plain,
        Self::Masked,
        Self::Translucent,
        Self::Modulated,
    ];

    /// Behind the name of the texture.
    fn ending(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Masked => ":masked",
            Self::Translucent => ":translucent",
            Self::Modulated => ":modulated",
        }
    }
}

/// The texture of a material.
#[must_use]
pub fn picture_name(texture: &ObjectPath, look: Look) -> String {
    with_look(&object_name(texture), look)
}

/// The same of a name as a package spells it.
#[must_use]
pub fn with_look(object: &str, look: Look) -> String {
    format!("{object}{}", look.ending())
}

/// The name alone. What is in the map itself is of the package `MyLevel`; text files often give no more than the last part.
#[must_use]
pub fn object_name(object: &ObjectPath) -> String {
    let name = object.full_name();
    if object.package.is_empty() && object.export.is_some() {
        format!("{OWN_PACKAGE}.{name}")
    } else {
        name
    }
}

/// The name without its ending, and what the ending says.
#[must_use]
pub fn split(name: &str) -> (&str, Look) {
    if let Some(at) = name.rfind(':') {
        let (object, ending) = name.split_at(at);
        let found = Look::ALL
            .into_iter()
            .find(|look| ending.eq_ignore_ascii_case(look.ending()));
        if let Some(look) = found {
            return (object, look);
        }
    }
    (name, Look::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(package: &str, group: &str, name: &str, export: Option<u32>) -> ObjectPath {
        ObjectPath {
            class: "Texture".to_owned(),
            package: package.to_owned(),
            group: group.to_owned(),
            name: name.to_owned(),
            export,
        }
    }

    #[test]
    fn names_tell_package_group_and_look() {
        let far = path("GenFX", "LensFlar", "3", None);
        assert_eq!(picture_name(&far, Look::Plain), "GenFX.LensFlar.3");
        assert_eq!(picture_name(&far, Look::Masked), "GenFX.LensFlar.3:masked");
        let own = path("", "", "Sign", Some(4));
        assert_eq!(picture_name(&own, Look::Plain), "MyLevel.Sign");
        let text = path("", "", "Sign", None);
        assert_eq!(picture_name(&text, Look::Plain), "Sign");
    }

    #[test]
    fn names_are_taken_apart_again() {
        for look in Look::ALL {
            let name = picture_name(&path("A", "", "B", None), look);
            assert_eq!(split(&name), ("A.B", look), "{name}");
            assert_eq!(split(&name.to_uppercase()), ("A.B", look), "{name}");
        }
        assert_eq!(split("C:\\wall"), ("C:\\wall", Look::Plain));
        assert_eq!(split(""), ("", Look::Plain));
        assert_eq!(split(":"), (":", Look::Plain));
    }
}
