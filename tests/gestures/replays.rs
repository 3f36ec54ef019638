//! Recorded streams of input.

use super::*;
use mapwright::editor::tools::options::OptionKind;
use mapwright::editor::tools::options::OptionValue;

/// Recorded streams: JSON lines of time, pane, event; the last line says what must come of them. With an Esc before the last
/// release the map must be what it was. `UPDATE_GESTURES=1` rewrites the last lines; read what that changes.
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
        let found = result(&s);
        if std::env::var_os("UPDATE_GESTURES").is_some() {
            let mut kept: Vec<String> = text.lines().map(str::to_owned).collect();
            kept.pop();
            kept.push(found.to_string());
            std::fs::write(&file, kept.join("\n") + "\n").expect("written");
            continue;
        }
        assert_eq!(found, *expected, "{}", file.display());

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

/// Undo labels, the bounds of every object, and a sum over all that was edited.
fn result(s: &Session) -> serde_json::Value {
    let bounds: Vec<Vec<f64>> = s
        .doc()
        .objects()
        .map(|(id, object)| {
            let bounds = object.bounds();
            let mut row = vec![f64::from(id.get())];
            row.extend(bounds.min.to_array());
            row.extend(bounds.max.to_array());
            row.into_iter().map(rounded).collect()
        })
        .collect();
    let sum = crc32fast::hash(content(s.doc()).as_bytes());
    serde_json::json!({
        "labels": s.labels(),
        "bounds": bounds,
        "sum": format!("{sum:08x}"),
    })
}

/// To a thousandth: sines may differ in their last bit from one system to the other.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0 + 0.0
}

/// Corners, materials and texture frames of all brushes, in the order of their numbers.
fn content(doc: &Document) -> String {
    let mut text = String::new();
    for (id, object) in doc.objects() {
        text += &format!("{id} in {:?}\n", object.parent);
        let Some(brush) = object.brush() else {
            continue;
        };
        for (index, face) in brush.faces().iter().enumerate() {
            text += &format!("{:?}", face.material);
            for point in brush.hull().face_points(index) {
                let uv = face.frame(glam::Vec2::splat(64.0)).at(point) * 64.0;
                for value in [point.x, point.y, point.z, uv.x, uv.y] {
                    text += &format!(" {}", rounded(value));
                }
            }
            text.push('\n');
        }
    }
    text
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
        "key" => s.key(line["key"].as_str().expect("a chord")),
        "option" => choose(s, line),
        "select" => s.select(&[id(number(&line["object"]) as u32)]),
        other => panic!("unknown event {other}"),
    }
}

/// An option of the tool in hand, by the name of one of its choices.
fn choose(s: &mut Session, line: &serde_json::Value) {
    let (id, name) = (&line["id"], &line["name"]);
    let options = s.editor.tool_options();
    let option = options
        .into_iter()
        .find(|option| option.id == id)
        .expect("there is such an option");
    let OptionKind::Choice(names) = option.kind else {
        panic!("{id} is no choice");
    };
    let index = names
        .iter()
        .position(|known| known == name)
        .expect("a choice");
    s.editor
        .set_tool_option(option.id, OptionValue::Index(index));
    s.check();
}
