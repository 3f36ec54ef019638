//! Tagged properties of an object: named values, some of them in arrays.

use std::sync::Arc;

use glam::DVec3;

use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::Scale;

/// In file order. Names compare without regard to case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(pub Vec<Property>);

#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: Arc<str>,
    /// Element of an array; 0 also for what is none.
    pub index: u32,
    pub value: Value,
}

/// A decoded value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Also enums, by number.
    Byte(u8),
    Int(i32),
    Bool(bool),
    Float(f32),
    /// `None`: no object.
    Object(Option<Arc<ObjectPath>>),
    Name(Arc<str>),
    Text(String),
    Vector(DVec3),
    Rotator(Rotator),
    Scale(Scale),
    /// Red, green, blue, alpha.
    Color([u8; 4]),
    Region {
        zone: Option<Arc<ObjectPath>>,
        leaf: i32,
        zone_number: u8,
    },
    Plane([f32; 4]),
    /// An enum by its name, as text files have it.
    Enum(String),
    /// A struct or a type that is not known, as its bytes.
    Raw {
        name: Arc<str>,
        bytes: Vec<u8>,
    },
}

impl Properties {
    /// Element 0 of a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.element(name, 0)
    }

    /// The last one counts where a file repeats one.
    #[must_use]
    pub fn element(&self, name: &str, index: u32) -> Option<&Value> {
        let mut found = self.0.iter().rev();
        found
            .find(|property| property.index == index && property.name.eq_ignore_ascii_case(name))
            .map(|property| &property.value)
    }

    #[must_use]
    pub fn byte(&self, name: &str) -> Option<u8> {
        match self.get(name)? {
            Value::Byte(value) => Some(*value),
            Value::Int(value) => u8::try_from(*value).ok(),
            _ => None,
        }
    }

    #[must_use]
    pub fn int(&self, name: &str) -> Option<i32> {
        match self.get(name)? {
            Value::Int(value) => Some(*value),
            Value::Byte(value) => Some(i32::from(*value)),
            _ => None,
        }
    }

    #[must_use]
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.get(name)? {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Whole numbers too: text files leave the point away.
    #[must_use]
    pub fn float(&self, name: &str) -> Option<f32> {
        match self.get(name)? {
            Value::Float(value) => Some(*value),
            Value::Int(value) => Some(*value as f32),
            Value::Byte(value) => Some(f32::from(*value)),
            _ => None,
        }
    }

    #[must_use]
    pub fn vector(&self, name: &str) -> Option<DVec3> {
        match self.get(name)? {
            Value::Vector(value) => Some(*value),
            _ => None,
        }
    }

    #[must_use]
    pub fn rotator(&self, name: &str) -> Option<Rotator> {
        match self.get(name)? {
            Value::Rotator(value) => Some(*value),
            _ => None,
        }
    }

    #[must_use]
    pub fn scale(&self, name: &str) -> Option<Scale> {
        match self.get(name)? {
            Value::Scale(value) => Some(*value),
            _ => None,
        }
    }

    /// A name or a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Name(value) => Some(value),
            Value::Text(value) | Value::Enum(value) => Some(value),
            _ => None,
        }
    }

    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Arc<ObjectPath>> {
        match self.get(name)? {
            Value::Object(value) => value.as_ref(),
            _ => None,
        }
    }
}
