//! Files inside `.zip` packages, as games of the Cube family mount them.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::io::Read as _;
use std::path::Path;
use std::path::PathBuf;

use zip::ZipArchive;

/// Entries of one package that are looked at.
const MAX_ENTRIES: usize = 200_000;
/// Bytes of one file in a package when it is unpacked; pictures of 16 384 pixels a side fit.
const MAX_UNPACKED: u64 = 1 << 30;

/// The table of a package. The file is opened again for each read, so that many can be read at once.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    /// Path inside with forward slashes, from `packages/` or the `data/` beside it on where that is in it, and the place in the table; sorted by the path
    /// in lower case.
    entries: Vec<(String, usize)>,
}

impl Archive {
    /// Reads the table.
    ///
    /// # Errors
    /// A sentence.
    pub fn open(path: &Path) -> Result<Self, String> {
        let archive = archive(path)?;
        let names: Vec<(String, usize)> = (0..archive.len().min(MAX_ENTRIES))
            .filter_map(|index| {
                let name = archive.name_for_index(index)?.ok()?.replace('\\', "/");
                (!name.ends_with('/')).then_some((name, index))
            })
            .collect();
        // The folders that are packed as a game's.
        let games: HashSet<String> = names
            .iter()
            .filter_map(|(name, _)| {
                let game = name.len() - from_packages(name).len();
                (game > 0).then(|| name[..game].to_ascii_lowercase())
            })
            .collect();
        let inside = |name: &str| {
            let inside = from_packages(name);
            let lower = name.to_ascii_lowercase();
            match lower.find("/data/") {
                Some(at) if inside == name && games.contains(&lower[..=at]) => &name[at + 1..],
                _ => inside,
            }
            .to_owned()
        };
        let mut entries: Vec<(String, usize)> = names
            .iter()
            .map(|(name, index)| (inside(name), *index))
            .collect();
        entries.sort_by_cached_key(|(name, _)| name.to_lowercase());
        Ok(Self {
            path: path.to_owned(),
            entries,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Paths inside.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// Whether files lie in it as in a game's folder.
    #[must_use]
    pub fn is_package(&self) -> bool {
        self.names().any(|name| {
            let folder = name.split('/').next().unwrap_or("");
            folder.eq_ignore_ascii_case("packages") || folder.eq_ignore_ascii_case("data")
        })
    }

    /// The name inside of a file that is asked for without regard to case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&str> {
        self.alike(name).first().map(|(found, _)| found.as_str())
    }

    /// Entries whose names differ from this one at most by case.
    fn alike(&self, name: &str) -> &[(String, usize)] {
        let wanted = name.to_lowercase();
        let first = self
            .entries
            .partition_point(|(known, _)| known.to_lowercase() < wanted);
        let rest = &self.entries[first..];
        let count = rest.partition_point(|(known, _)| known.to_lowercase() == wanted);
        &rest[..count]
    }

    /// The first bytes of a file, at most `most`.
    ///
    /// # Errors
    /// A sentence.
    pub fn read(&self, name: &str, most: u64) -> Result<Vec<u8>, String> {
        let fail = |error: &dyn std::fmt::Display| {
            format!("Could not read {name} in {}: {error}", self.path.display())
        };
        let index = self
            .alike(name)
            .iter()
            .find_map(|(known, index)| (known == name).then_some(*index))
            .ok_or_else(|| fail(&"it is not there"))?;
        let mut archive = archive(&self.path)?;
        let file = archive.by_index(index).map_err(|error| fail(&error))?;
        let mut bytes = Vec::new();
        file.take(most)
            .read_to_end(&mut bytes)
            .map_err(|error| fail(&error))?;
        Ok(bytes)
    }

    /// A whole file.
    ///
    /// # Errors
    /// A sentence; also for files of more than a gigabyte.
    pub fn read_whole(&self, name: &str) -> Result<Vec<u8>, String> {
        let bytes = self.read(name, MAX_UNPACKED + 1)?;
        if bytes.len() as u64 > MAX_UNPACKED {
            return Err(format!(
                "{name} in {} is larger than a gigabyte",
                self.path.display()
            ));
        }
        Ok(bytes)
    }
}

fn archive(path: &Path) -> Result<ZipArchive<BufReader<File>>, String> {
    let fail =
        |error: &dyn std::fmt::Display| format!("Could not read {}: {error}", path.display());
    let file = File::open(path).map_err(|error| fail(&error))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| fail(&error))
}

/// Maps are often packed together with the folder that they were made in.
fn from_packages(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    match lower.find("/packages/") {
        Some(at) if !lower.starts_with("packages/") => &name[at + 1..],
        _ => name,
    }
}

#[cfg(test)]
pub mod tests {
    use std::io::Write as _;

    use super::*;

    /// Writes a package with these files.
    pub fn pack(path: &Path, files: &[(&str, &[u8])]) {
        let mut writer = zip::ZipWriter::new(File::create(path).expect("create"));
        for (name, bytes) in files {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .expect("an entry");
            writer.write_all(bytes).expect("write");
        }
        writer.finish().expect("finish");
    }

    #[test]
    fn files_are_found_without_case_and_from_packages_on() {
        let dir = tempfile::tempdir().expect("temp dir");
        let path = dir.path().join("map.zip");
        pack(
            &path,
            &[
                ("mymap/packages/Base/m.cfg", b"texture 0 a"),
                ("mymap/readme.txt", b"hello"),
                ("MyMap/Data/defaults.cfg", b"texturereset"),
                ("other/data/defaults.cfg", b"no"),
                ("packages/x/Packages/y.png", b"picture"),
            ],
        );
        let archive = Archive::open(&path).expect("a package");
        assert!(archive.is_package());
        assert_eq!(
            archive.find("PACKAGES/base/M.cfg"),
            Some("packages/Base/m.cfg")
        );
        assert_eq!(archive.find("packages/base/m.cf"), None);
        assert_eq!(archive.find("data/defaults.cfg"), Some("Data/defaults.cfg"));
        assert_eq!(
            archive.read_whole("packages/Base/m.cfg").as_deref(),
            Ok(&b"texture 0 a"[..])
        );
        assert_eq!(
            archive.read("mymap/readme.txt", 4).as_deref(),
            Ok(&b"hell"[..])
        );
        assert_eq!(
            archive.find("packages/x/packages/y.png"),
            Some("packages/x/Packages/y.png")
        );
        assert!(archive.read("nothing", 1).is_err());
    }

    #[test]
    fn what_is_no_package_is_an_error() {
        let dir = tempfile::tempdir().expect("temp dir");
        let path = dir.path().join("no.zip");
        assert!(Archive::open(&path).is_err());
        std::fs::write(&path, b"PK\x05\x06 but nothing else").expect("write");
        assert!(Archive::open(&path).is_err());
        let whole = dir.path().join("whole.zip");
        pack(&whole, &[("packages/a.cfg", &[b'x'; 4000])]);
        let bytes = std::fs::read(&whole).expect("read");
        for end in 0..bytes.len() {
            std::fs::write(&path, &bytes[..end]).expect("write");
            if let Ok(archive) = Archive::open(&path) {
                let _ = archive.read_whole("packages/a.cfg");
            }
        }
    }
}
