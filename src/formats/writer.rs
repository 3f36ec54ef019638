//! The opposite of [`Cursor`](crate::formats::Cursor): little-endian fields appended to a buffer.

use glam::Vec2;
use glam::Vec3;

/// Appends fields; never fails. Who frames the bytes checks their size.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.raw(&value.to_le_bytes());
    }

    pub fn i32(&mut self, value: i32) {
        self.raw(&value.to_le_bytes());
    }

    pub fn f32(&mut self, value: f32) {
        self.raw(&value.to_le_bytes());
    }

    pub fn vec2(&mut self, value: Vec2) {
        self.f32(value.x);
        self.f32(value.y);
    }

    pub fn vec3(&mut self, value: Vec3) {
        self.f32(value.x);
        self.f32(value.y);
        self.f32(value.z);
    }

    /// A `u32` count. One that does not fit belongs to more than 4 GiB of records, which the chunk's size check refuses.
    pub fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Byte length as `u32`, then the UTF-8 bytes, no terminator.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.raw(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Cursor;

    #[test]
    fn what_is_written_is_read_back() {
        let mut writer = Writer::with_capacity(8);
        assert!(writer.is_empty());
        writer.u8(7);
        writer.u16(0x1234);
        writer.u32(0xdead_beef);
        writer.u64(1 << 40);
        writer.i32(-2);
        writer.vec3(Vec3::new(1.0, -0.0, 3.5));
        writer.vec2(Vec2::new(-1.0, 2.0));
        writer.text("äx");
        assert_eq!(writer.len(), 1 + 2 + 4 + 8 + 4 + 12 + 8 + 4 + 3);
        let bytes = writer.into_bytes();
        let mut cursor = Cursor::new(&bytes);
        assert_eq!(cursor.u8("a"), Ok(7));
        assert_eq!(cursor.u16("a"), Ok(0x1234));
        assert_eq!(cursor.u32("a"), Ok(0xdead_beef));
        assert_eq!(cursor.u64("a"), Ok(1 << 40));
        assert_eq!(cursor.i32("a"), Ok(-2));
        let point = cursor.vec3("a").expect("there");
        assert_eq!(point, Vec3::new(1.0, 0.0, 3.5));
        assert!(point.y.is_sign_negative());
        assert_eq!(cursor.vec2("a"), Ok(Vec2::new(-1.0, 2.0)));
        assert_eq!(cursor.count("a", 1), Ok(3));
        assert_eq!(cursor.bytes("a", 3), Ok("äx".as_bytes()));
        assert!(cursor.is_at_end());
    }
}
