//! Entities, groups, layers, undo, help (ENT, GRP, LAY, HELP).

use super::*;
use mapwright::document::LayerId;
use mapwright::editor::outlining::RowTarget;

#[test]
fn ent_1_create() {
    let mut s = Session::new(floor_and_crate);
    s.move_to(VIEW_3D, s.at(VIEW_3D, ON_FLOOR));
    s.key("L");
    assert_eq!(s.labels(), ["Create light"]);
    let light = s.doc().entity(s.selected()[0]).expect("entity").clone();
    assert_eq!(
        (light.class.as_str(), light.key("radius")),
        ("light", Some("320"))
    );
    let bottom = s.editor.entity_box(&light).min;
    assert!(bottom.y.abs() < 1e-6, "resting on the floor: {bottom}");
    let (place, outline) = s.editor.entity_place(VIEW_3D, s.at(VIEW_3D, ON_CRATE));
    assert!(outline.contains(place) && (outline.min.y - 64.0).abs() < 1e-6);
    s.editor.set_tool(ToolKind::Entity);
    s.editor.set_entity_class("info_player_start");
    s.click(VIEW_3D, ON_FLOOR + DVec3::X * 64.0);
    assert_eq!(
        s.doc().entity(s.selected()[0]).expect("entity").class,
        "info_player_start"
    );
}

#[test]
fn ent_2_brush_entity() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Alt+E");
    assert_eq!(s.editor.take_requests(), [Request::ChooseBrushClass]);
    s.editor.tie_to_entity("func_door").expect("tied");
    let owner = s.doc().owner(id(CRATE)).expect("owner");
    assert_eq!(s.doc().entity(owner).expect("entity").class, "func_door");
    s.select(&[id(CRATE)]);
    s.key("Alt+S");
    assert_eq!(s.doc().owner(id(CRATE)), None);
    assert!(s.doc().object(owner).is_none(), "an owner of nothing goes");
    assert_eq!(s.labels(), ["Tie to entity", "Back to world"]);
}

#[test]
fn grp_1_groups() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        cube(draft, [100.0, 0.0, -32.0], [164.0, 64.0, 32.0]);
    });
    let on_second = DVec3::new(132.0, 64.0, 10.0);
    s.select(&[id(CRATE), id(3)]);
    s.key("Ctrl+G");
    let group = s.selected()[0];
    assert_eq!(
        s.editor.take_requests(),
        [Request::NameGroup {
            group,
            now: "Group".to_owned()
        }]
    );
    s.editor.rename_group(group, "crates").expect("renamed");
    s.key("Ctrl+Shift+A");
    s.click(VIEW_3D, on_second);
    assert_eq!(s.selected(), [group]);
    s.double_click(VIEW_3D, on_second, Modifiers::NONE);
    assert_eq!(s.editor.open_group, Some(group));
    s.click(VIEW_3D, on_second);
    assert_eq!(
        s.selected(),
        [id(3)],
        "inside, members are picked one by one"
    );
    assert!(
        s.editor
            .pick(VIEW_3D, s.at(VIEW_3D, DVec3::new(-200.0, 0.0, 50.0)))
            .is_none(),
        "the rest is out of reach"
    );
    s.key("Esc");
    assert_eq!((s.editor.open_group, s.selected()), (None, vec![group]));
    s.key("Ctrl+Shift+G");
    assert_eq!(s.selected(), [id(CRATE), id(3)]);
    assert_eq!(s.labels(), ["Group", "Rename group", "Ungroup"]);
}

#[test]
fn lay_1_layers() {
    let mut s = Session::new(|draft| {
        draft.insert_layer(Layer::new(LayerKind::Layer, "props"));
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0]);
    });
    let layer = s.doc().layers().next().expect("layer").0;
    s.click(VIEW_3D, ON_CRATE);
    let crate_id = s.selected()[0];
    s.key("Ctrl+Alt+L");
    assert_eq!(s.editor.take_requests(), [Request::ChooseLayer]);
    s.editor.move_to_layer(Some(layer)).expect("moved");
    assert_eq!(s.labels(), ["Move to layer"]);
    s.editor.set_layer_hidden(layer, true);
    assert!(s.selected().is_empty(), "what is hidden is not selected");
    assert_ne!(
        s.editor
            .pick(VIEW_3D, s.at(VIEW_3D, ON_CRATE))
            .expect("floor")
            .object,
        crate_id
    );
    s.editor.set_layer_hidden(layer, false);
    s.editor.set_layer_locked(layer, true);
    assert_ne!(
        s.editor
            .pick(VIEW_3D, s.at(VIEW_3D, ON_CRATE))
            .expect("floor")
            .object,
        crate_id
    );
    assert_eq!(s.labels().len(), 1, "eye and lock are no steps");
    s.editor.look.current_layer = Some(layer);
    s.drag(
        TOP,
        DVec3::new(200.0, 0.0, 200.0),
        DVec3::new(250.0, 0.0, 250.0),
        Modifiers::NONE,
    );
    assert_eq!(
        s.doc().object(s.selected()[0]).expect("box").layer,
        Some(layer),
        "new objects go to the current layer"
    );
}

#[test]
fn undo_reveals_what_it_concerns() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    s.key("Ctrl+Alt+I");
    assert!(s.editor.look.hidden.contains(&id(CRATE)));
    s.key("Ctrl+Z");
    assert!(s.editor.look.hidden.is_empty());
    assert_eq!(s.selected(), [id(CRATE)], "undo restores the selection");
}

#[test]
fn undo_is_refused_while_a_drag_runs() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    let at = s.at(TOP, DVec3::ZERO);
    s.press(TOP, at);
    s.move_to(TOP, at + DVec2::X * 40.0);
    s.key("Ctrl+Z");
    assert!(s.editor.is_dragging());
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.contains("drag")),
        "{:?}",
        s.editor.status()
    );
    s.release(TOP, at + DVec2::X * 40.0);
    assert_eq!(s.labels().len(), 2);
}

#[test]
fn help_1_working_commands() {
    let mut s = Session::new(floor_and_crate);
    let has = |s: &Session, id: &str| {
        s.editor
            .working_commands()
            .iter()
            .any(|command| command.id == id)
    };
    assert!(!has(&s, "edit.duplicate") && !has(&s, "edit.undo"));
    s.select(&[id(CRATE)]);
    assert!(has(&s, "edit.duplicate"));
    assert!(!s.editor.hints().is_empty());
    s.key("Ctrl+Shift+P");
    assert_eq!(s.editor.take_requests(), [Request::CommandPalette]);
    s.key("Ctrl+Z");
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.contains("nothing to undo")),
        "it says why: {:?}",
        s.editor.status()
    );
}

#[test]
fn ent_1_the_box_of_the_class_rests_on_the_surface() {
    let mut s = Session::new(floor_and_crate);
    let at = s.at(VIEW_3D, ON_FLOOR);
    let check = |s: &mut Session, class: &str, height: f64, keys: usize| {
        s.editor.place_entity(class, VIEW_3D, at).expect("placed");
        let entity = s.doc().entity(s.selected()[0]).expect("entity").clone();
        assert!(
            (entity.origin.y - height).abs() < 1e-6,
            "{class}: {}",
            entity.origin
        );
        assert!(s.editor.entity_box(&entity).min.y.abs() < 1e-6, "{class}");
        // Defaults are shown, not written; lights have what makes them shine.
        assert_eq!(entity.keys.len(), keys, "{class}: {:?}", entity.keys);
        s.editor.undo();
    };
    check(&mut s, "info_player_start", 32.0, 0);
    check(&mut s, "light", 8.0, 3);
    check(&mut s, "item", 0.0, 0);
    check(&mut s, "never_heard_of", 8.0, 0);
    s.editor
        .place_entity("ambient_sound", VIEW_3D, at)
        .expect("placed");
    let table = s.editor.property_table().expect("an entity");
    let volume = table
        .rows
        .iter()
        .find(|row| row.key == "volume")
        .expect("defined");
    assert!(volume.is_default && !volume.everywhere);
    assert_eq!(volume.value, Mixed::Same("10".to_owned()));
}

#[test]
fn undo_reveals_through_layers_that_lie_in_layers() {
    let mut outer = None;
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let above = draft.insert_layer(Layer::new(LayerKind::Layer, "above"));
        let inner = draft.insert_layer(Layer {
            parent: Some(above),
            ..Layer::new(LayerKind::Layer, "inner")
        });
        draft.update(id(CRATE), |object| object.layer = Some(inner));
        outer = Some(above);
    });
    s.select(&[id(CRATE)]);
    s.key("Right");
    s.editor.set_layer_hidden(outer.expect("made"), true);
    assert!(s.selected().is_empty());
    s.key("Ctrl+Z");
    let doc = s.doc().clone();
    assert!(!s.editor.look.is_hidden(&doc, id(CRATE)));
    assert_eq!(s.selected(), [id(CRATE)]);
}

/// Layers `walls` (7) and `details` (8), a group (3) with a group (4) that holds a crate (5), and a loose crate (6).
fn tree() -> (Session, [LayerId; 2]) {
    let mut layers = Vec::new();
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let outer = draft.insert(Object::new(Kind::Group(Group::new("outer"))));
        let inner = draft.insert(Object::new(Kind::Group(Group::new("inner"))));
        draft.update(inner, |object| object.parent = Some(outer));
        let crate_in = cube(draft, [100.0, 0.0, 0.0], [116.0, 16.0, 16.0]);
        draft.update(crate_in, |object| object.parent = Some(inner));
        cube(draft, [200.0, 0.0, 0.0], [216.0, 16.0, 16.0]);
        for name in ["walls", "details"] {
            layers.push(draft.insert_layer(Layer::new(LayerKind::Layer, name)));
        }
    });
    s.move_to(TOP, DVec2::ONE);
    (s, [layers[0], layers[1]])
}

#[test]
fn sel_11_rows_are_carried_into_groups_and_layers_in_one_step() {
    let (mut s, [walls, details]) = tree();
    let (outer, inner, inside, loose) = (id(3), id(4), id(5), id(6));
    let place = |s: &Session, id: ObjectId| {
        let object = s.doc().object(id).expect("alive");
        (object.parent, object.layer)
    };
    // All that is selected goes along with one of it; what is not goes alone.
    s.select(&[id(CRATE), loose, inner]);
    assert_eq!(s.editor.carried_rows(loose), [id(CRATE), inner, loose]);
    assert_eq!(s.editor.carried_rows(id(FLOOR)), [id(FLOOR)]);
    let rows = s.editor.carried_rows(loose);
    s.editor
        .move_rows(&rows, RowTarget::Layer(Some(walls)))
        .expect("moves");
    assert_eq!(s.labels(), ["Move to layer"]);
    for id in [id(CRATE), loose, inner] {
        assert_eq!(place(&s, id), (None, Some(walls)));
    }
    assert_eq!(place(&s, inside), (Some(inner), Some(walls)), "goes along");
    assert!(s.doc().object(outer).is_none(), "an empty group goes");
    assert_eq!(s.selected(), [id(CRATE), inner, loose], "stays selected");
    s.key("Ctrl+Z");
    assert_eq!(place(&s, inner), (Some(outer), None));

    // Into a group, by its row or that of something in it.
    let before = s.labels().len();
    s.editor
        .move_rows(&[loose], RowTarget::Layer(Some(details)))
        .expect("moves");
    s.editor
        .move_rows(&[loose, id(CRATE)], RowTarget::Object(inside))
        .expect("moves");
    assert_eq!(
        place(&s, loose),
        (Some(inner), None),
        "and out of its layer"
    );
    assert_eq!(place(&s, id(CRATE)), (Some(inner), None));
    assert_eq!(s.labels()[before..], ["Move to layer", "Move to group"]);
    // Where it is already: no step.
    s.editor
        .move_rows(&[loose], RowTarget::Object(inner))
        .expect("nothing to do");
    assert_eq!(s.labels().len(), before + 2);
    // The row of a loose object stands for its layer.
    s.editor
        .move_rows(&[loose], RowTarget::Object(id(FLOOR)))
        .expect("moves");
    assert_eq!(place(&s, loose), (None, None));
}

#[test]
fn sel_11_refused_rows_say_why() {
    let (mut s, [walls, details]) = tree();
    let (outer, inner, inside, loose) = (id(3), id(4), id(5), id(6));
    let refused = |s: &mut Session, rows: &[ObjectId], to: RowTarget, words: &str| {
        let before = s.doc().clone();
        let error = s.editor.move_rows(rows, to).expect_err("refused");
        assert!(error.to_string().contains(words), "{error}");
        let status = s.editor.status().expect("a sentence");
        assert!(status.text.contains(words), "{}", status.text);
        assert!(s.doc().same(&before));
    };
    let itself = "cannot be put into itself";
    refused(&mut s, &[outer], RowTarget::Object(outer), itself);
    refused(&mut s, &[outer], RowTarget::Object(inner), itself);
    refused(&mut s, &[loose, outer], RowTarget::Object(inside), itself);
    s.editor.set_layer_locked(walls, true);
    let locked = "walls is locked";
    refused(&mut s, &[loose], RowTarget::Layer(Some(walls)), locked);
    s.editor.set_locked(inner, true);
    refused(
        &mut s,
        &[loose],
        RowTarget::Object(inner),
        "inner is locked",
    );
    s.editor.set_locked(loose, true);
    refused(
        &mut s,
        &[loose],
        RowTarget::Layer(Some(details)),
        "Brush 6 is locked",
    );
    assert!(s.labels().is_empty());
}

#[test]
fn hist_1_the_history_goes_anywhere_in_one_go() {
    let mut s = Session::new(floor_and_crate);
    s.move_to(TOP, DVec2::ONE);
    s.select(&[id(CRATE)]);
    for _ in 0..5 {
        s.now_s += 5.0;
        s.key("Right");
    }
    s.select(&[id(FLOOR)]);
    s.key("Del");
    let at = |s: &Session| s.bounds(id(CRATE)).min.x;
    assert_eq!(s.editor.step_subject(0), "Brush 2");
    assert_eq!(s.editor.step_subject(5), "Brush 1", "though it is gone");
    assert_eq!(s.editor.step_subject(6), "");
    assert!(s.editor.go_to_step(1));
    assert_eq!(at(&s), -16.0);
    assert_eq!(s.selected(), [id(CRATE)], "as it was then");
    assert_eq!(s.editor.history().step_count(), 6, "the rest is kept");
    let said = s.editor.status().expect("words").text.clone();
    assert_eq!(said, "Went 5 steps back");
    assert!(s.editor.go_to_step(6));
    assert!(s.doc().object(id(FLOOR)).is_none());
    assert!(s.editor.go_to_step(0));
    assert_eq!(at(&s), -32.0);
    assert!(!s.editor.go_to_step(7));
    // Not during a drag.
    s.select(&[id(CRATE)]);
    let from = s.at(TOP, DVec3::ZERO);
    s.press(TOP, from);
    s.move_to(TOP, from + DVec2::new(32.0, 0.0));
    assert!(!s.editor.go_to_step(3));
    let said = s.editor.status().expect("a reason").text.clone();
    assert!(said.contains("Finish the drag first"), "{said}");
    assert!(s.editor.is_dragging());
    s.release(TOP, from + DVec2::new(32.0, 0.0));
    assert_eq!(s.labels(), ["Move"], "the branch is gone with the edit");
    // What a tool has prepared is dropped and does not stand in the way.
    s.editor.run("tool.array").expect("taken");
    s.editor.set_tool_option(
        "count",
        mapwright::editor::tools::options::OptionValue::Number(2.0),
    );
    assert!(s.editor.history().is_previewing());
    assert!(s.editor.go_to_step(0));
    assert_eq!((at(&s), s.labels().len()), (-32.0, 0));
}

#[test]
fn hist_1_steps_say_how_many_they_changed() {
    let mut s = Session::new(floor_and_crate);
    s.move_to(TOP, DVec2::ONE);
    let said = |s: &Session| s.editor.status().expect("words").text.clone();
    s.editor.set_tool(ToolKind::Entity);
    s.click(VIEW_3D, ON_FLOOR + DVec3::X * 64.0);
    let lamp = s.selected()[0];
    s.editor.set_tool(ToolKind::Select);
    s.move_to(TOP, DVec2::ONE);
    s.select(&[id(CRATE), id(FLOOR)]);
    s.key("Right");
    assert_eq!(s.editor.step_subject(1), "2 brushes");
    s.select(&[id(CRATE), id(FLOOR), lamp]);
    s.now_s += 5.0;
    s.key("Right");
    assert_eq!(s.editor.step_subject(2), "3 objects");
    // The group itself is what was made and taken away.
    s.key("Ctrl+G");
    let group = s.editor.step_subject(3);
    assert!(group.starts_with("Group"), "{group}");
    s.key("Del");
    assert_eq!(s.editor.step_subject(4), group);
    s.key("Ctrl+Z");
    assert_eq!(said(&s), format!("Undid \"Delete\" ({group})"));
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert_eq!(said(&s), "Undid \"Move\" (3 objects)");
    assert_eq!(
        s.editor.next_step(true),
        Some(("Move", "3 objects".to_owned()))
    );
    assert_eq!(
        s.editor.next_step(false),
        Some(("Move", "2 brushes".to_owned()))
    );
    s.key("Ctrl+Z");
    s.key("Ctrl+Shift+Z");
    assert_eq!(said(&s), "Redid \"Move\" (2 brushes)");
    // What concerns no object has only its name.
    s.editor
        .commit(&mapwright::document::ops::settings::set_name("Castle"))
        .expect("renamed");
    s.key("Ctrl+Z");
    assert_eq!(said(&s), "Undid \"Map name\"");
}

#[test]
fn keys_that_mean_nothing_now_say_why() {
    let mut s = Session::new(floor_and_crate);
    let said = |s: &Session| {
        s.editor
            .status()
            .map_or_else(String::new, |status| status.text.clone())
    };
    s.move_to(TOP, DVec2::splat(5.0));
    for (key, command) in [
        ("Right", "Nudge"),
        ("Alt+Left", "Turn"),
        ("Ctrl+F", "Flip"),
        ("End", "Drop"),
    ] {
        s.now_s += 20.0;
        s.key(key);
        assert!(
            said(&s).starts_with(command) && said(&s).contains("Select"),
            "{key}: {}",
            said(&s)
        );
    }
    s.select(&[id(CRATE)]);
    let from = s.at(TOP, DVec3::ZERO);
    s.press(TOP, from);
    s.move_to(TOP, from + DVec2::X * 40.0);
    s.key("Del");
    assert!(said(&s).contains("Esc"), "{}", said(&s));
    // Another tool drops the drag: the map is what it was.
    let before = s.doc().clone();
    s.editor.set_tool(ToolKind::Rotate);
    assert!(!s.editor.is_dragging() && s.editor.state().doc.same(&before));
    s.release(TOP, from);
    assert!(s.labels().is_empty());
}

#[test]
fn a_sentence_gives_way_to_the_next_step_and_to_another_selection() {
    let mut s = Session::new(floor_and_crate);
    let said = |s: &Session| s.editor.status().map(|status| status.text.clone());
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("Right");
    s.key("Ctrl+Z");
    s.move_to(TOP, DVec2::splat(50.0));
    let undid = Some("Undid \"Move\" (Brush 2)".to_owned());
    assert_eq!(said(&s), undid, "its own step does not take it away");
    s.key("Right");
    assert_eq!(said(&s), None);
    s.key("Ctrl+Z");
    s.tick(0.1);
    s.select(&[id(CRATE)]);
    assert_eq!(said(&s), undid, "the same is selected");
    s.select(&[id(FLOOR)]);
    assert_eq!(said(&s), None);
    // A drag that goes on takes nothing away; what it made does.
    s.key("Ctrl+Shift+A");
    s.key("Ctrl+Z");
    let nothing = said(&s);
    assert!(nothing.is_some());
    s.press(TOP, s.at(TOP, DVec3::new(100.0, 0.0, 0.0)));
    s.move_to(TOP, s.at(TOP, DVec3::new(160.0, 0.0, 64.0)));
    assert_eq!(said(&s), nothing);
    s.release(TOP, s.at(TOP, DVec3::new(160.0, 0.0, 64.0)));
    assert_eq!(s.labels(), ["Draw box"]);
    assert_eq!(said(&s), None);
}
