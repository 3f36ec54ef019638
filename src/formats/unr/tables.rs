//! Names, imports and exports of a package (`unr.md` 1), and what references mean.

use std::sync::Arc;
use std::sync::OnceLock;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::text;
use crate::formats::unr::package::Header;
use crate::formats::unr::raw::ObjectPath;

/// The engine's own names are at most 63 characters long.
const MAX_NAME_BYTES: usize = 1024;

/// Bytes of the smallest record of each table.
const SMALLEST_NAME: usize = 5;
const SMALLEST_IMPORT: usize = 7;
const SMALLEST_EXPORT: usize = 12;

/// Objects stand in objects; more than this is a ring.
const MAX_OUTERS: usize = 64;

/// Of the groups of an object together: keeps names that stand in each other from filling the memory.
const MAX_GROUP_BYTES: usize = 1024;

/// A number that names an object: 0 none, n > 0 the export n - 1, n < 0 the import -n - 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference(pub i32);

impl Reference {
    #[must_use]
    pub fn export(self) -> Option<usize> {
        let index = self.0.checked_sub(1)?;
        usize::try_from(index).ok()
    }

    #[must_use]
    pub fn import(self) -> Option<usize> {
        let index = self.0.checked_add(1)?.checked_neg()?;
        if self.0 < 0 {
            usize::try_from(index).ok()
        } else {
            None
        }
    }
}

/// What the tables of a package say.
#[derive(Debug, Default)]
pub struct Tables {
    pub header: Header,
    pub names: Vec<Arc<str>>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    import_paths: Vec<OnceLock<Arc<ObjectPath>>>,
    export_paths: Vec<OnceLock<Arc<ObjectPath>>>,
}

/// An object of another package. Names are indices in [`Tables::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    pub class_package: u32,
    pub class: u32,
    pub outer: Reference,
    pub name: u32,
}

/// An object of this package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// 0: it is a class itself.
    pub class: Reference,
    pub super_: Reference,
    pub outer: Reference,
    /// Index in [`Tables::names`].
    pub name: u32,
    pub flags: u32,
    /// Bytes of its data.
    pub size: u32,
    /// Of its data in the file; 0 without any.
    pub offset: u32,
}

/// A cursor at a table, whose count was checked against what follows it.
fn table<'a>(
    bytes: &'a [u8],
    field: &'static str,
    offset: u32,
    count: u32,
    smallest: usize,
) -> Read<Cursor<'a>> {
    let start = (offset as usize).min(bytes.len());
    let cursor = Cursor::part(&bytes[start..], start as u64);
    if offset as usize > bytes.len() {
        let text = format!("the table would begin at byte {offset}, behind the end of the file");
        return Err(cursor.error(field, ErrorKind::Bad(text)));
    }
    if count as usize * smallest > cursor.left() {
        let kind = ErrorKind::CountTooLarge {
            count: u64::from(count),
        };
        return Err(cursor.error(field, kind));
    }
    Ok(cursor)
}

impl Tables {
    /// # Errors
    /// When a table cannot be read.
    pub(super) fn read(bytes: &[u8], header: Header) -> Read<Self> {
        let mut tables = Self {
            header,
            ..Self::default()
        };
        tables.read_names(bytes)?;
        tables.read_imports(bytes)?;
        tables.read_exports(bytes)?;
        let (imports, exports) = (tables.imports.len(), tables.exports.len());
        tables.import_paths.resize_with(imports, OnceLock::new);
        tables.export_paths.resize_with(exports, OnceLock::new);
        Ok(tables)
    }

    fn read_names(&mut self, bytes: &[u8]) -> Read<()> {
        let header = &mut self.header;
        let (count, offset) = (header.name_count, header.name_offset);
        let mut cursor = table(bytes, "names", offset, count, SMALLEST_NAME)?;
        self.names.reserve_exact(count as usize);
        for _ in 0..count {
            let start = cursor.offset();
            let name = text(&mut cursor, "name", header.version)?;
            if name.len() > MAX_NAME_BYTES {
                return Err(ReadError {
                    offset: start,
                    field: "name",
                    kind: ErrorKind::Bad(format!("a name cannot be {} bytes long", name.len())),
                });
            }
            cursor.skip("name flags", 4)?;
            self.names.push(name.into());
        }
        header.name_end = cursor.offset();
        Ok(())
    }

    fn read_imports(&mut self, bytes: &[u8]) -> Read<()> {
        let (count, offset) = (self.header.import_count, self.header.import_offset);
        let mut cursor = table(bytes, "imports", offset, count, SMALLEST_IMPORT)?;
        self.imports.reserve_exact(count as usize);
        for _ in 0..count {
            let import = Import {
                class_package: self.name_index(&mut cursor, "import class package")?,
                class: self.name_index(&mut cursor, "import class")?,
                outer: Reference(cursor.i32("import outer")?),
                name: self.name_index(&mut cursor, "import name")?,
            };
            self.imports.push(import);
        }
        self.header.import_end = cursor.offset();
        Ok(())
    }

    fn read_exports(&mut self, bytes: &[u8]) -> Read<()> {
        let (count, offset) = (self.header.export_count, self.header.export_offset);
        let mut cursor = table(bytes, "exports", offset, count, SMALLEST_EXPORT)?;
        self.exports.reserve_exact(count as usize);
        for _ in 0..count {
            let export = self.read_export(&mut cursor)?;
            self.exports.push(export);
        }
        self.header.export_end = cursor.offset();
        Ok(())
    }

    fn read_export(&self, cursor: &mut Cursor<'_>) -> Read<Export> {
        let class = Reference(compact(cursor, "export class")?);
        let super_ = Reference(compact(cursor, "export super")?);
        let outer = Reference(cursor.i32("export outer")?);
        let name = self.name_index(cursor, "export name")?;
        let flags = cursor.u32("export flags")?;
        let size = unsigned(cursor, "export size")?;
        let offset = if size > 0 {
            unsigned(cursor, "export offset")?
        } else {
            0
        };
        Ok(Export {
            class,
            super_,
            outer,
            name,
            flags,
            size,
            offset,
        })
    }

    fn name_index(&self, cursor: &mut Cursor<'_>, field: &'static str) -> Read<u32> {
        let offset = cursor.offset();
        let index = compact(cursor, field)?;
        match u32::try_from(index) {
            Ok(fits) if (fits as usize) < self.names.len() => Ok(fits),
            _ => Err(ReadError {
                offset,
                field,
                kind: ErrorKind::Bad(format!(
                    "name {index} of {} does not exist",
                    self.names.len()
                )),
            }),
        }
    }

    /// A name of the table, read as its number.
    ///
    /// # Errors
    /// When the number is none of the table.
    pub fn read_name(&self, cursor: &mut Cursor<'_>, field: &'static str) -> Read<Arc<str>> {
        let index = self.name_index(cursor, field)?;
        Ok(Arc::clone(&self.names[index as usize]))
    }

    fn name(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", |name| name)
    }

    /// Empty where there is no such export.
    #[must_use]
    pub fn export_name(&self, export: usize) -> &str {
        let export = self.exports.get(export);
        export.map_or("", |export| self.name(export.name))
    }

    /// The name of an export's class; `Class` for one that is a class.
    #[must_use]
    pub fn class_name(&self, export: usize) -> &str {
        match self.exports.get(export).map(|export| export.class) {
            None => "",
            Some(Reference(0)) => "Class",
            Some(class) => self.object_name(class),
        }
    }

    /// The own name of what a reference names; empty for none.
    #[must_use]
    pub fn object_name(&self, reference: Reference) -> &str {
        self.entry(reference)
            .map_or("", |(name, _)| self.name(name))
    }

    /// Exports of a class, compared without regard to case.
    pub fn exports_of<'t>(&'t self, class: &'t str) -> impl Iterator<Item = usize> + 't {
        (0..self.exports.len())
            .filter(move |&export| self.class_name(export).eq_ignore_ascii_case(class))
    }

    /// Name and outer of what a reference names.
    fn entry(&self, reference: Reference) -> Option<(u32, Reference)> {
        if let Some(export) = reference.export() {
            let export = self.exports.get(export)?;
            return Some((export.name, export.outer));
        }
        let import = self.imports.get(reference.import()?)?;
        Some((import.name, import.outer))
    }

    /// What a reference names; `None` for 0 and for numbers outside of the tables.
    #[must_use]
    pub fn object_path(&self, reference: Reference) -> Option<Arc<ObjectPath>> {
        let slot = match reference.export() {
            Some(export) => self.export_paths.get(export)?,
            None => self.import_paths.get(reference.import()?)?,
        };
        Some(Arc::clone(
            slot.get_or_init(|| Arc::new(self.find_path(reference))),
        ))
    }

    fn find_path(&self, reference: Reference) -> ObjectPath {
        let mut path = ObjectPath {
            name: self.object_name(reference).to_owned(),
            export: reference.export().map(|export| export as u32),
            ..ObjectPath::default()
        };
        if let Some(export) = reference.export() {
            self.class_name(export).clone_into(&mut path.class);
        } else if let Some(import) = reference
            .import()
            .and_then(|import| self.imports.get(import))
        {
            self.name(import.class).clone_into(&mut path.class);
        }
        let mut outers = Vec::new();
        let mut outer = self
            .entry(reference)
            .map_or(Reference(0), |(_, outer)| outer);
        while outer != Reference(0) && outers.len() < MAX_OUTERS {
            let Some((name, next)) = self.entry(outer) else {
                break;
            };
            outers.push((self.name(name), outer));
            outer = next;
        }
        if let Some(&(name, last)) = outers.last()
            && last.import().is_some()
        {
            name.clone_into(&mut path.package);
            outers.pop();
        }
        for (name, _) in outers.iter().rev() {
            if path.group.len() + name.len() > MAX_GROUP_BYTES {
                break;
            }
            if !path.group.is_empty() {
                path.group.push('.');
            }
            path.group.push_str(name);
        }
        path
    }
}

fn unsigned(cursor: &mut Cursor<'_>, field: &'static str) -> Read<u32> {
    let offset = cursor.offset();
    let number = compact(cursor, field)?;
    u32::try_from(number).map_err(|_| ReadError {
        offset,
        field,
        kind: ErrorKind::Bad(format!("it cannot be {number}")),
    })
}
