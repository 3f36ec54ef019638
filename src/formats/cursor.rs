//! A bounds-checked little-endian reader that keeps its place, so that each error can tell it.

use glam::Vec2;
use glam::Vec3;

use crate::formats::ErrorKind;

/// Where and why reading stopped; the format adds the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub offset: u64,
    pub field: &'static str,
    pub kind: ErrorKind,
}

impl ReadError {
    #[must_use]
    pub fn at(self, path: &std::path::Path) -> crate::formats::FormatError {
        crate::formats::FormatError {
            path: path.to_owned(),
            offset: self.offset,
            field: self.field,
            kind: self.kind,
        }
    }
}

pub type Read<T> = Result<T, ReadError>;

/// Reads from a slice; offsets are absolute in the file even for a part of it.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of `bytes[0]` in the file.
    base: u64,
}

impl<'a> Cursor<'a> {
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            base: 0,
        }
    }

    /// A part of a file that begins at `base`.
    #[must_use]
    pub fn part(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    /// Absolute offset of the next byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    #[must_use]
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.left() == 0
    }

    #[must_use]
    pub fn error(&self, field: &'static str, kind: ErrorKind) -> ReadError {
        ReadError {
            offset: self.offset(),
            field,
            kind,
        }
    }

    /// # Errors
    /// [`ErrorKind::CutShort`] when fewer than `count` bytes are left; the cursor stays.
    pub fn bytes(&mut self, field: &'static str, count: usize) -> Read<&'a [u8]> {
        if count > self.left() {
            return Err(self.error(
                field,
                ErrorKind::CutShort {
                    needed: (count - self.left()) as u64,
                },
            ));
        }
        let bytes = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(bytes)
    }

    /// The next bytes without taking them; fewer at the end.
    #[must_use]
    pub fn peek(&self, count: usize) -> &'a [u8] {
        &self.bytes[self.at..(self.at + count).min(self.bytes.len())]
    }

    /// # Errors
    /// As [`Cursor::bytes`].
    pub fn skip(&mut self, field: &'static str, count: usize) -> Read<()> {
        self.bytes(field, count).map(|_| ())
    }

    /// # Errors
    /// As [`Cursor::bytes`].
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Read<[u8; N]> {
        let bytes = self.bytes(field, N)?;
        Ok(bytes.try_into().expect("bytes() gives exactly N"))
    }

    /// # Errors
    /// As [`Cursor::bytes`]; so for every number below.
    pub fn u8(&mut self, field: &'static str) -> Read<u8> {
        Ok(self.array::<1>(field)?[0])
    }

    pub fn u16(&mut self, field: &'static str) -> Read<u16> {
        self.array(field).map(u16::from_le_bytes)
    }

    pub fn u32(&mut self, field: &'static str) -> Read<u32> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub fn u64(&mut self, field: &'static str) -> Read<u64> {
        self.array(field).map(u64::from_le_bytes)
    }

    pub fn i32(&mut self, field: &'static str) -> Read<i32> {
        self.array(field).map(i32::from_le_bytes)
    }

    pub fn f32(&mut self, field: &'static str) -> Read<f32> {
        self.array(field).map(f32::from_le_bytes)
    }

    pub fn vec2(&mut self, field: &'static str) -> Read<Vec2> {
        Ok(Vec2::new(self.f32(field)?, self.f32(field)?))
    }

    pub fn vec3(&mut self, field: &'static str) -> Read<Vec3> {
        Ok(Vec3::new(
            self.f32(field)?,
            self.f32(field)?,
            self.f32(field)?,
        ))
    }

    /// A `u32` count of records of at least `smallest` bytes, checked against what is left before anything is allocated.
    ///
    /// # Errors
    /// [`ErrorKind::CountTooLarge`] with the offset of the count itself.
    pub fn count(&mut self, field: &'static str, smallest: usize) -> Read<usize> {
        let offset = self.offset();
        let count = self.u32(field)?;
        if u64::from(count) * smallest as u64 > self.left() as u64 {
            return Err(ReadError {
                offset,
                field,
                kind: ErrorKind::CountTooLarge {
                    count: u64::from(count),
                },
            });
        }
        Ok(count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_tell_the_absolute_place() {
        let mut cursor = Cursor::part(&[1, 0, 0, 0, 255, 255, 255, 255], 100);
        assert_eq!(cursor.u32("first"), Ok(1));
        let error = cursor.count("faces", 44).expect_err("too many");
        assert_eq!((error.offset, error.field), (104, "faces"));
        assert_eq!(
            error.kind,
            ErrorKind::CountTooLarge {
                count: u64::from(u32::MAX)
            }
        );
        let error = cursor.u8("tail").expect_err("at the end");
        assert_eq!(error.kind, ErrorKind::CutShort { needed: 1 });
    }
}
