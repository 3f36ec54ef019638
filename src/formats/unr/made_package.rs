//! Packages made for tests; those of the program take this file too, so it uses nothing of the crate.

/// Version from which texts have their lengths before them (`unr.md` 1).
const FIRST_WITH_LENGTHS: u16 = 64;

/// A package that is being made. Objects are numbered from 1 in the order they are added, imports from -1 downwards.
pub struct MadePackage {
    pub version: u16,
    names: Vec<String>,
    imports: Vec<u8>,
    import_count: i32,
    exports: Vec<Made>,
}

struct Made {
    class: i32,
    /// Of a class: the one above it.
    above: i32,
    group: i32,
    name: usize,
    data: Vec<u8>,
    /// Places in `data` that get the place behind the bytes that follow, and how far behind them that is.
    ends: Vec<(usize, usize)>,
}

/// Data of an object that is being made; `ends` as its package keeps them.
#[derive(Default)]
pub struct MadeObject {
    pub data: Vec<u8>,
    pub ends: Vec<(usize, usize)>,
}

/// A number of varying length.
pub fn compact(number: i32) -> Vec<u8> {
    let mut magnitude = number.unsigned_abs();
    let sign = if number < 0 { 0x80 } else { 0 };
    let more = if magnitude > 0x3F { 0x40 } else { 0 };
    let mut bytes = vec![(magnitude & 0x3F) as u8 | sign | more];
    magnitude >>= 6;
    while magnitude > 0 {
        let more = if magnitude > 0x7F { 0x80 } else { 0 };
        bytes.push((magnitude & 0x7F) as u8 | more);
        magnitude >>= 7;
    }
    bytes
}

impl MadePackage {
    pub fn new(version: u16) -> Self {
        Self {
            version,
            names: vec!["None".to_owned()],
            imports: Vec::new(),
            import_count: 0,
            exports: Vec::new(),
        }
    }

    fn name(&mut self, name: &str) -> usize {
        let found = self.names.iter().position(|known| known == name);
        found.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    fn name_bytes(&mut self, name: &str) -> Vec<u8> {
        compact(self.name(name) as i32)
    }

    /// An object of another package: `outer` 0 for a package. Gives its reference.
    pub fn import(&mut self, class: &str, outer: i32, name: &str) -> i32 {
        let mut record = self.name_bytes("Core");
        record.extend(self.name_bytes(class));
        record.extend(outer.to_le_bytes());
        record.extend(self.name_bytes(name));
        self.imports.extend(record);
        self.import_count += 1;
        -self.import_count
    }

    /// Gives its reference. `group`: reference of an object in which it is, or 0.
    pub fn export(&mut self, class: &str, group: i32, name: &str, object: MadeObject) -> i32 {
        let class = self.import("Class", 0, class);
        let name = self.name(name);
        self.exports.push(Made {
            class,
            above: 0,
            group,
            name,
            data: object.data,
            ends: object.ends,
        });
        self.exports.len() as i32
    }

    /// A class without functions. `code`: as it stands in the file, for `code_in_memory` bytes.
    pub fn class(
        &mut self,
        above: i32,
        name: &str,
        (code_in_memory, code): (u32, &[u8]),
        defaults: &[(&str, MadeValue)],
    ) -> i32 {
        let mut data = [compact(above), compact(0), compact(0), compact(0)].concat();
        data.extend(self.name_bytes(name));
        data.extend([0xFF; 8]);
        data.extend(code_in_memory.to_le_bytes());
        data.extend(code);
        data.extend([0xFF; 16]);
        data.extend([0xFF, 0xFF, 0, 0, 0, 0]);
        if self.version < 62 {
            data.extend([0; 4]);
        }
        data.extend([0x32, 0, 0, 0]);
        data.extend([0; 16]);
        // It depends on the class above, and uses one package.
        data.extend(compact(1));
        data.extend(compact(above));
        data.extend([1, 0, 0, 0, 7, 7, 7, 7]);
        data.extend(compact(1));
        data.extend(self.name_bytes("Core"));
        if self.version >= 62 {
            data.extend(compact(above));
            data.extend(self.name_bytes("System"));
        }
        data.extend(self.properties(defaults));
        let name = self.name(name);
        self.exports.push(Made {
            class: 0,
            above,
            group: 0,
            name,
            data,
            ends: Vec::new(),
        });
        self.exports.len() as i32
    }

    /// Properties by name and value; a `None` ends them.
    pub fn properties(&mut self, properties: &[(&str, MadeValue)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, value) in properties {
            bytes.extend(self.name_bytes(name));
            match value {
                MadeValue::Bool(value) => bytes.push(3 | u8::from(*value) << 7),
                MadeValue::Byte(value) => bytes.extend([1, *value]),
                MadeValue::Int(value) => {
                    bytes.push(2 | 2 << 4);
                    bytes.extend(value.to_le_bytes());
                }
                MadeValue::Float(value) => {
                    bytes.push(4 | 2 << 4);
                    bytes.extend(value.to_le_bytes());
                }
                MadeValue::Object(reference) => {
                    let reference = compact(*reference);
                    bytes.extend([5 | 5 << 4, reference.len() as u8]);
                    bytes.extend(reference);
                }
                MadeValue::Color(color) => {
                    bytes.push(0x0A | 2 << 4);
                    bytes.extend(self.name_bytes("Color"));
                    bytes.extend(color);
                }
            }
        }
        bytes.push(0);
        bytes
    }

    /// A palette: colour i is (i, 255 - i, `blue`).
    pub fn palette(&mut self, group: i32, name: &str, blue: u8) -> i32 {
        let mut data = self.properties(&[]);
        data.extend(compact(256));
        data.extend((0..=255u8).flat_map(|index| [index, 255 - index, blue, 9]));
        let object = MadeObject {
            data,
            ..MadeObject::default()
        };
        self.export("Palette", group, name, object)
    }

    /// A texture whose texels are their own number modulo 256, with one smaller size.
    pub fn texture(
        &mut self,
        class: &str,
        group: i32,
        name: &str,
        size: [u32; 2],
        properties: &[(&str, MadeValue)],
    ) -> i32 {
        let mut object = MadeObject {
            data: self.properties(properties),
            ..MadeObject::default()
        };
        let has_ends = self.version >= 63;
        object.mips(size, 1, has_ends);
        self.export(class, group, name, object)
    }

    /// The whole file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = [0xC1, 0x83, 0x2A, 0x9E].to_vec();
        file.extend(self.version.to_le_bytes());
        file.extend([0; 2 + 4]);
        let counts = file.len();
        file.extend([0; 24]);
        if self.version < 68 {
            file.extend([0; 8]);
        } else {
            file.extend([7; 16]);
            file.extend([0; 4]);
        }
        let names = file.len();
        for name in &self.names {
            if self.version >= FIRST_WITH_LENGTHS {
                file.extend(compact(name.len() as i32 + 1));
            }
            file.extend(name.as_bytes());
            file.extend([0; 5]);
        }
        let mut offsets = Vec::new();
        for made in &self.exports {
            let offset = file.len();
            let mut data = made.data.clone();
            for &(at, end) in &made.ends {
                data[at..at + 4].copy_from_slice(&((offset + end) as u32).to_le_bytes());
            }
            offsets.push(offset);
            file.extend(data);
        }
        let imports = file.len();
        file.extend(&self.imports);
        let exports = file.len();
        for (made, offset) in self.exports.iter().zip(offsets) {
            file.extend(compact(made.class));
            file.extend(compact(made.above));
            file.extend(made.group.to_le_bytes());
            file.extend(compact(made.name as i32));
            file.extend([0; 4]);
            file.extend(compact(made.data.len() as i32));
            if !made.data.is_empty() {
                file.extend(compact(offset as i32));
            }
        }
        let table = [
            self.names.len(),
            names,
            self.exports.len(),
            exports,
            self.import_count as usize,
            imports,
        ];
        for (place, number) in table.into_iter().enumerate() {
            let at = counts + place * 4;
            file[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
        }
        file
    }
}

#[derive(Clone, Copy, Debug)]
pub enum MadeValue {
    Bool(bool),
    Byte(u8),
    Int(i32),
    Float(f32),
    Object(i32),
    Color([u8; 4]),
}

impl MadeObject {
    /// A size and its half, or more for a larger `bytes_per_texel`.
    pub fn mips(&mut self, size: [u32; 2], bytes_per_texel: usize, has_ends: bool) {
        self.data.push(2);
        for part in [1, 2] {
            let [width, height] = size.map(|side| (side / part).max(1));
            let count = width as usize * height as usize * bytes_per_texel;
            let texels: Vec<u8> = (0..count).map(|index| index as u8).collect();
            self.mip([width, height], &texels, has_ends);
        }
    }

    pub fn mip(&mut self, [width, height]: [u32; 2], bytes: &[u8], has_end: bool) {
        let at = self.data.len();
        if has_end {
            self.data.extend([0; 4]);
        }
        self.data.extend(compact(bytes.len() as i32));
        self.data.extend(bytes);
        if has_end {
            self.ends.push((at, self.data.len()));
        }
        self.data.extend(width.to_le_bytes());
        self.data.extend(height.to_le_bytes());
        self.data
            .extend([width, height].map(|side| side.checked_ilog2().unwrap_or(0) as u8));
    }
}
