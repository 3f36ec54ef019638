//! Recorded streams of input.

use super::*;

/// Recorded streams: JSON lines of time, pane, event; the last line says what must come of them. With an Esc before the last
/// release the map must be what it was.
#[test]
fn replays() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/gestures");
    let folder = std::env::var("MAPWRIGHT_GESTURES").unwrap_or_else(|_| folder.to_owned());
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the recorded gestures")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let (expected, events) = lines.split_last().expect("lines");
        let last_release = events
            .iter()
            .rposition(|line| line["event"] == "release")
            .expect("a release");
        let mut s = Session::new(floor_and_crate);
        for line in events {
            replay(&mut s, line);
        }
        let bounds: Vec<Vec<f64>> = s
            .doc()
            .objects()
            .map(|(id, object)| {
                let bounds = object.bounds();
                let mut row = vec![f64::from(id.get())];
                row.extend(bounds.min.to_array());
                row.extend(bounds.max.to_array());
                row
            })
            .collect();
        assert_eq!(
            serde_json::json!({ "labels": s.labels(), "bounds": bounds }),
            *expected,
            "{}",
            file.display()
        );

        let mut s = Session::new(floor_and_crate);
        let before = s.doc().clone();
        for (index, line) in events.iter().enumerate() {
            if index == last_release {
                s.key("Esc");
            }
            replay(&mut s, line);
        }
        assert!(
            s.doc().same(&before) && s.labels().is_empty(),
            "{} with Esc",
            file.display()
        );
    }
}

fn replay(s: &mut Session, line: &serde_json::Value) {
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    s.now_s = s.now_s.max(1.0 + number(&line["time"]));
    let pane = number(&line["pane"]) as usize;
    let at = || DVec2::new(number(&line["at"][0]), number(&line["at"][1]));
    let held = |name: &str| {
        line["modifiers"]
            .as_array()
            .is_some_and(|list| list.iter().any(|held| held == name))
    };
    s.hold(Modifiers {
        ctrl: held("ctrl"),
        shift: held("shift"),
        alt: held("alt"),
    });
    match line["event"].as_str().expect("an event") {
        "move" => s.move_to(pane, at()),
        "press" => s.input(
            pane,
            Input::Press {
                button: Button::Left,
                at: at(),
            },
        ),
        "release" => s.input(
            pane,
            Input::Release {
                button: Button::Left,
                at: at(),
            },
        ),
        "select" => s.select(&[id(number(&line["object"]) as u32)]),
        other => panic!("unknown event {other}"),
    }
}
