//! Faces whose pictures lie otherwise than they should, in words (LOCK-3).

use std::collections::BTreeMap;

use crate::document::Document;
use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::ogz::write::sorted::words;

/// Faces that have a row of their own.
const MOST_ROWS: usize = 1000;

/// `misplaced`: texels at the worst corner by brush and face, without end where another picture is on a part of the face.
pub fn report(doc: &Document, misplaced: BTreeMap<(ObjectId, u32), f64>, report: &mut Report) {
    let mut faces: Vec<((ObjectId, u32), f64)> = misplaced.into_iter().collect();
    let mut others = Vec::new();
    if faces.len() > MOST_ROWS {
        faces.sort_by(|a, b| b.1.total_cmp(&a.1));
        others = faces.split_off(MOST_ROWS);
        faces.sort_by_key(|&(place, _)| place);
    }
    for ((id, face), texels) in faces {
        let what = if texels.is_finite() {
            let texels = rounded(texels);
            format!(
                "its picture lies up to {texels} texels off, the nearest that cubes can place it"
            )
        } else {
            "a part of it shows the picture of the face beside it, as one face of a cube is both"
                .to_owned()
        };
        let text = format!("{}, face {face}: {what}", words(doc, id));
        report.warn_of_face("X-PICTURE", id, face, text);
    }
    // In order, the worst first.
    if let Some(&(_, texels)) = others.first() {
        let off = if texels.is_finite() {
            format!("lie up to {} texels off", rounded(texels))
        } else {
            "lie otherwise or give way to those beside them".to_owned()
        };
        let text = format!("the pictures of {} more faces {off}", others.len());
        let mut ids: Vec<ObjectId> = others.into_iter().map(|((id, _), _)| id).collect();
        ids.sort_unstable();
        ids.dedup();
        report.warn_of("X-PICTURE", ids, text);
    }
}

/// For people: two digits that count.
fn rounded(texels: f64) -> String {
    if texels < 10.0 {
        format!("{texels:.2}")
    } else {
        format!("{texels:.0}")
    }
}
