//! Autosaves in the application's state folder, and what to offer after a crash (DOC-2, `hmap.md` 7.7).

use std::fs::File;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::SystemTime;

use serde::Deserialize;
use serde::Serialize;

use crate::assets::save::SaveMode;
use crate::assets::save::save_file;

/// Autosaves kept per map.
const KEPT: usize = 20;

/// Held and locked while the map is open; one that nobody holds is the trace of a crash.
const MARKER: &str = "open.lock";
const ABOUT: &str = "map.toml";

/// The autosaves of one open map.
#[derive(Debug)]
pub struct Recovery {
    folder: PathBuf,
    /// The lock lives as long as this file is open.
    _marker: File,
}

/// Kept beside the autosaves.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct About {
    name: String,
    path: Option<PathBuf>,
}

/// An autosave that is newer than the map's own file, left by a crash.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub file: PathBuf,
    /// The map's own file; `None` when it had no name yet.
    pub map: Option<PathBuf>,
    pub name: String,
    pub saved: SystemTime,
    /// How much newer it is than the map's own file.
    pub newer_by: Option<Duration>,
    pub bytes: u64,
}

fn root(state_folder: &Path) -> PathBuf {
    state_folder.join("recovery")
}

impl Recovery {
    /// Marks a map as open. `path`: its file; `None` while it has no name.
    ///
    /// # Errors
    /// The system's error; autosaving is off then.
    pub fn begin(state_folder: &Path, path: Option<&Path>, name: &str) -> std::io::Result<Self> {
        let key = path.map_or_else(
            || "untitled".to_owned(),
            |path| format!("{:08x}", crc32fast::hash(path.to_string_lossy().as_bytes())),
        );
        for number in 0..1000 {
            let folder = root(state_folder).join(if number == 0 {
                key.clone()
            } else {
                format!("{key}-{number}")
            });
            std::fs::create_dir_all(&folder)?;
            // A marker that nobody holds is a crash to offer: those autosaves stay as they are, beside ours.
            let crashed = folder.join(MARKER).exists();
            if crashed {
                continue;
            }
            let marker = File::create(folder.join(MARKER))?;
            if marker.try_lock().is_err() {
                continue;
            }
            let about = About {
                name: name.to_owned(),
                path: path.map(Path::to_owned),
            };
            let text = toml::to_string(&about).map_err(std::io::Error::other)?;
            std::fs::write(folder.join(ABOUT), text)?;
            return Ok(Self {
                folder,
                _marker: marker,
            });
        }
        Err(std::io::Error::other("too many maps of this name are open"))
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The map was closed in order: nothing to offer at the next start.
    pub fn finish(self) {
        if let Err(error) = std::fs::remove_file(self.folder.join(MARKER)) {
            tracing::warn!("Could not remove the marker of an open map: {error}");
        }
    }
}

/// Writes one autosave and thins the old ones.
///
/// # Errors
/// The system's error.
pub(crate) fn write(folder: &Path, content: &[u8], now: SystemTime) -> std::io::Result<PathBuf> {
    let seconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let path = folder.join(format!("{seconds}.hmap"));
    save_file(&path, content, SaveMode::default()).map_err(std::io::Error::other)?;
    let times: Vec<u64> = autosaves(folder)
        .into_iter()
        .map(|(time, _)| time)
        .collect();
    for time in thinned(&times, seconds) {
        // One that cannot be removed is only one too many.
        let _ = std::fs::remove_file(folder.join(format!("{time}.hmap")));
    }
    Ok(path)
}

/// (Unix seconds, file), oldest first.
fn autosaves(folder: &Path) -> Vec<(u64, PathBuf)> {
    let mut found: Vec<(u64, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let is_map = path
                .extension()
                .is_some_and(|extension| extension == "hmap");
            is_map
                .then(|| path.file_stem()?.to_str()?.parse().ok())
                .flatten()
                .map(|time| (time, path))
        })
        .collect();
    found.sort();
    found
}

/// Which of the ascending times to drop so that [`KEPT`] stay: always the one that is least missed, whose neighbours are
/// closest together for its age. The newest and the oldest stay.
fn thinned(times: &[u64], now: u64) -> Vec<u64> {
    let mut kept = times.to_vec();
    let mut dropped = Vec::new();
    while kept.len() > KEPT {
        let missed = |index: &usize| {
            let gap = kept[index + 1].saturating_sub(kept[index - 1]) as f64;
            gap / (now.saturating_sub(kept[*index]) as f64 + 1.0)
        };
        let Some(least) = (1..kept.len() - 1).min_by(|a, b| missed(a).total_cmp(&missed(b))) else {
            break;
        };
        dropped.push(kept.remove(least));
    }
    dropped
}

/// What crashes have left: per map the newest autosave that `passes` and is newer than the map's own file.
#[must_use]
pub fn offers(state_folder: &Path, passes: &dyn Fn(&Path) -> bool) -> Vec<Offer> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root(state_folder))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    folders.sort();
    folders
        .iter()
        .filter_map(|folder| offer(folder, passes))
        .collect()
}

fn offer(folder: &Path, passes: &dyn Fn(&Path) -> bool) -> Option<Offer> {
    let marker = File::open(folder.join(MARKER)).ok()?;
    // Another window of ours may have it open.
    marker.try_lock().ok()?;
    let about: About =
        toml::from_str(&std::fs::read_to_string(folder.join(ABOUT)).ok()?).unwrap_or_default();
    let own = about
        .path
        .as_deref()
        .and_then(|path| std::fs::metadata(path).ok()?.modified().ok());
    let (time, file) = autosaves(folder)
        .into_iter()
        .rev()
        .find(|(_, file)| passes(file))?;
    let saved = SystemTime::UNIX_EPOCH + Duration::from_secs(time);
    let newer_by = own.map(|own| saved.duration_since(own)).transpose().ok()?;
    let bytes = std::fs::metadata(&file).ok()?.len();
    Some(Offer {
        file,
        map: about.path,
        name: about.name,
        saved,
        newer_by,
        bytes,
    })
}

/// The user has seen the offer: it is not made again. The autosaves stay.
pub fn dismiss(offer: &Offer) {
    if let Some(folder) = offer.file.parent() {
        // Gone already is as good.
        let _ = std::fs::remove_file(folder.join(MARKER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn a_crash_is_offered_and_a_clean_close_is_not() {
        let state = tempfile::tempdir().expect("temp dir");
        let all = |_: &Path| true;
        let clean = Recovery::begin(state.path(), None, "untitled").expect("begun");
        write(clean.folder(), b"x", at(100)).expect("written");
        assert!(
            offers(state.path(), &all).is_empty(),
            "an open map is no crash"
        );
        clean.finish();
        assert!(offers(state.path(), &all).is_empty());

        let map = state.path().join("m.hmap");
        std::fs::write(&map, "old").expect("written");
        let far = 1 << 33;
        let crashed = Recovery::begin(state.path(), Some(&map), "m.hmap").expect("begun");
        write(crashed.folder(), b"good", at(far)).expect("written");
        write(crashed.folder(), b"bad", at(far + 60)).expect("written");
        drop(crashed);
        let passes = |path: &Path| std::fs::read(path).is_ok_and(|content| content == b"good");
        let found = offers(state.path(), &passes);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].map.as_deref(), found[0].saved),
            (Some(map.as_path()), at(far))
        );

        // Opening the map again leaves the crashed autosaves alone.
        let again = Recovery::begin(state.path(), Some(&map), "m.hmap").expect("begun");
        assert_ne!(again.folder(), found[0].file.parent().expect("folder"));
        dismiss(&found[0]);
        assert!(offers(state.path(), &passes).is_empty());
    }

    #[test]
    fn an_autosave_older_than_the_saved_map_is_no_offer() {
        let state = tempfile::tempdir().expect("temp dir");
        let map = state.path().join("m.hmap");
        let crashed = Recovery::begin(state.path(), Some(&map), "m.hmap").expect("begun");
        write(crashed.folder(), b"x", at(1000)).expect("written");
        drop(crashed);
        std::fs::write(&map, "saved since").expect("written");
        assert!(offers(state.path(), &|_| true).is_empty());
    }

    #[test]
    fn twenty_are_kept_and_they_reach_far_back() {
        let mut times: Vec<u64> = Vec::new();
        for minute in 0..600 {
            let now = 1_000_000 + minute * 120;
            times.push(now);
            let dropped = thinned(&times, now);
            times.retain(|time| !dropped.contains(time));
        }
        assert_eq!(times.len(), KEPT);
        assert_eq!(times[0], 1_000_000);
        let age = |index: usize| 1_000_000 + 599 * 120 - times[index];
        assert!(age(KEPT - 4) <= 3 * 120 * 4, "{times:?}");
        assert!(age(KEPT / 2) >= 10 * 120, "{times:?}");
    }
}
