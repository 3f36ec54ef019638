//! Materials and their placement (TEX, LOCK).

use super::*;

#[test]
fn tex_1_current_material() {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", ""));
        draft.insert_material(Material::new("plaster", ""));
        cube_of(
            draft,
            [-512.0, -16.0, -512.0],
            [512.0, 0.0, 512.0],
            Some(MaterialId(1)),
        );
        cube_of(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], Some(brick));
    });
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    assert_eq!(
        s.editor.current_material.as_ref().expect("picked").name,
        "brick"
    );
    let selection = s.editor.selection().clone();
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.hold(Modifiers::ALT);
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Middle,
            at,
        },
    );
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Middle,
            at,
        },
    );
    s.hold(Modifiers::NONE);
    assert_eq!(
        s.editor.current_material.as_ref().expect("sampled").name,
        "plaster"
    );
    assert_eq!(*s.editor.selection(), selection, "the selection stays");
    s.key("Ctrl+Shift+A");
    s.drag(
        VIEW_3D,
        ON_FLOOR,
        ON_FLOOR + DVec3::new(40.0, 0.0, 20.0),
        Modifiers::NONE,
    );
    let drawn = s
        .doc()
        .object(s.selected()[0])
        .and_then(Object::brush)
        .expect("brush")
        .faces()[0]
        .material;
    assert_eq!(drawn, Some(MaterialId(1)));
}

#[test]
fn tex_2_apply() {
    let mut s = Session::new(floor_and_crate);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    s.editor
        .apply_material(Material::new("brick", "brick.png"))
        .expect("applied");
    assert_eq!(s.labels(), ["Apply material"]);
    let count = |s: &Session, id| {
        s.doc()
            .object(id)
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .iter()
            .filter(|face| face.material.is_some())
            .count()
    };
    assert_eq!(count(&s, id(CRATE)), 1);
    s.editor
        .apply_material(Material::new("brick", "brick.png"))
        .expect("applied");
    assert_eq!(s.labels().len(), 1, "again is no step");
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.editor
        .drop_material(Material::new("brick", ""), VIEW_3D, at, DropScope::Face)
        .expect("dropped");
    assert_eq!(count(&s, id(FLOOR)), 1);
    s.editor
        .drop_material(
            Material::new("stone", ""),
            VIEW_3D,
            at,
            DropScope::SameMaterial,
        )
        .expect("dropped");
    let stone = s.doc().material_named("stone");
    let top = |s: &Session, id| {
        s.doc()
            .object(id)
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .iter()
            .filter(|face| face.material == stone)
            .count()
    };
    assert_eq!(
        (top(&s, id(FLOOR)), top(&s, id(CRATE))),
        (1, 1),
        "every face that had the material"
    );
    s.editor
        .drop_material(Material::new("brick", ""), VIEW_3D, at, DropScope::Object)
        .expect("dropped");
    assert_eq!(count(&s, id(FLOOR)), 6);
}

#[test]
fn lock_1_alignment() {
    let uv_at = |s: &Session, id: ObjectId, point: DVec3| {
        let brush = s.doc().object(id).and_then(Object::brush).expect("brush");
        let face = brush
            .faces()
            .iter()
            .find(|face| face.plane.normal == DVec3::Y)
            .expect("top");
        face.frame(s.doc().tile_size(face.material)).at(point)
    };
    for lock in [true, false] {
        let mut s = Session::with_settings(
            Settings {
                alignment_lock: lock,
                ..Settings::default()
            },
            floor_and_crate,
        );
        s.select(&[id(CRATE)]);
        let before = uv_at(&s, id(CRATE), ON_CRATE);
        s.drag(
            TOP,
            DVec3::ZERO,
            DVec3::new(24.0, 0.0, 0.0),
            Modifiers::NONE,
        );
        let moved = s.bounds(id(CRATE)).min - DVec3::new(-32.0, 0.0, -32.0);
        assert!(moved.x > 0.0);
        let now = uv_at(
            &s,
            id(CRATE),
            if lock { ON_CRATE + moved } else { ON_CRATE },
        );
        assert!((now - before).length() < 1e-6, "{lock}: {now} {before}");
    }
    let mut s = Session::new(|_| {});
    s.key("Shift+U");
    assert!(!s.editor.settings.alignment_lock);
}

#[test]
fn lock_3_exactness_over_a_thousand_moves() {
    let mut s = Session::new(|draft| {
        cube(draft, [4000.0, 0.0, 4000.0], [4064.0, 64.0, 4064.0]);
    });
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::ONE);
    s.editor.set_grid(0.125);
    let before = s
        .doc()
        .object(id(1))
        .and_then(Object::brush)
        .expect("brush")
        .faces()
        .to_vec();
    for key in ["Right", "Up", "PgUp"]
        .into_iter()
        .cycle()
        .take(500)
        .chain(["Left", "Down", "PgDn"].into_iter().cycle().take(500))
    {
        // Each a step of its own.
        s.now_s += 2.0;
        s.key(key);
    }
    let faces = s
        .doc()
        .object(id(1))
        .and_then(Object::brush)
        .expect("brush")
        .faces()
        .to_vec();
    for (now, then) in faces.iter().zip(&before) {
        assert_eq!(now.plane, then.plane);
        let tile = glam::Vec2::splat(64.0);
        for corner in s.bounds(id(1)).corners() {
            let texels = (now.frame(tile).at(corner) - then.frame(tile).at(corner)) * 64.0;
            assert!(texels.length() < 0.05, "{texels}");
        }
    }
}

fn arrived(material: MaterialId, size: [u32; 2]) -> ArrivedPicture {
    ArrivedPicture {
        material,
        size,
        polygon_flags: 0,
    }
}

#[test]
fn a_package_found_later_says_how_its_textures_are_drawn() {
    use mapwright::formats::unr::raw::flag;
    let mut s = Session::new(|draft| {
        for (name, texture) in [("plain", "Pack.Fence"), ("glass", "Pack.Fence:translucent")] {
            draft.insert_material(Material {
                flags: SurfaceFlags::SIZE_GUESSED,
                ..Material::new(name, texture)
            });
        }
    });
    let pictures = [0, 1].map(|number| ArrivedPicture {
        polygon_flags: flag::MASKED | flag::TWO_SIDED,
        ..arrived(MaterialId(number), [32, 16])
    });
    s.editor.texture_source_added();
    s.editor.textures_arrived(&pictures);
    assert_eq!(s.labels(), ["Texture sizes"]);
    let material = |s: &Session, number| s.doc().material(MaterialId(number)).cloned();
    let fence = material(&s, 0).expect("a material");
    assert_eq!(fence.texture, "Pack.Fence:masked");
    assert_eq!(fence.flags, SurfaceFlags::MASKED | SurfaceFlags::TWO_SIDED);
    assert_eq!(fence.tile_size.to_array(), [32.0, 16.0]);
    // Light that is added has no holes.
    let glass = material(&s, 1).expect("a material");
    assert_eq!(glass.texture, "Pack.Fence:translucent");
    assert_eq!(
        glass.flags,
        SurfaceFlags::TRANSLUCENT | SurfaceFlags::TWO_SIDED
    );
    s.editor.undo();
    let fence = material(&s, 0).expect("a material");
    assert_eq!(
        (fence.texture.as_str(), fence.flags),
        ("Pack.Fence", SurfaceFlags::SIZE_GUESSED)
    );
}

#[test]
fn texture_sizes_are_put_right_as_one_step() {
    let guessed = Material {
        flags: SurfaceFlags::SIZE_GUESSED,
        ..Material::new("brick", "textures/brick.png")
    };
    let build = |draft: &mut Draft| {
        let material = draft.insert_material(guessed.clone());
        let bounds = Aabb::new(DVec3::ZERO, DVec3::splat(64.0));
        let cube = Brush::cuboid(bounds, Some(material));
        draft.insert(Object::new(Kind::Brush(cube)));
    };
    let mut s = Session::new(build);
    let brick = MaterialId(0);
    assert_eq!(
        s.editor.guessed_materials(),
        [(brick, "textures/brick.png".to_owned())]
    );
    assert!(s.editor.run("material.texture_sizes").is_err());
    s.editor.textures_arrived(&[arrived(brick, [256, 128])]);
    assert!(s.labels().is_empty(), "not without being asked");
    s.editor.run("material.texture_sizes").expect("runs");
    assert_eq!(s.labels(), ["Texture sizes"]);
    let tile = |s: &Session| s.doc().tile_size(Some(brick)).as_dvec2();
    assert_eq!(tile(&s), DVec2::new(256.0, 128.0));
    assert!(s.editor.guessed_materials().is_empty());
    assert!(s.editor.run("material.texture_sizes").is_err());
    s.editor.undo();
    assert_eq!(tile(&s), DVec2::splat(64.0));

    // After the user has named a place with textures it is done once without being asked.
    let mut s = Session::new(build);
    s.editor.texture_source_added();
    s.editor.textures_arrived(&[]);
    let pictures = [arrived(brick, [32, 32]), arrived(MaterialId(7), [8, 8])];
    s.editor.textures_arrived(&pictures);
    assert_eq!(s.labels(), ["Texture sizes"]);
    s.editor.undo();
    s.editor.textures_arrived(&[arrived(brick, [32, 32])]);
    assert!(s.labels().is_empty(), "undone is undone");
}

#[test]
fn tex_2_applies_to_whole_brushes_groups_and_meshes() {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", "brick.png"));
        for at in [0.0, 100.0, 200.0] {
            cube_of(draft, [at, 0.0, 0.0], [at + 64.0, 64.0, 64.0], Some(brick));
        }
    });
    let stone = || Material::new("stone", "stone.png");
    let faces = |s: &Session, number: u32| {
        let stone = s.doc().material_named("stone");
        let object = s.doc().object(id(number)).expect("there");
        match &object.kind {
            Kind::Brush(brush) => brush.faces().iter().filter(|f| f.material == stone).count(),
            Kind::Mesh(mesh) => mesh.polygons.iter().filter(|p| p.material == stone).count(),
            _ => 0,
        }
    };
    s.select(&[id(2), id(3)]);
    s.key("Ctrl+G");
    s.editor.apply_material(stone()).expect("applied");
    assert_eq!((faces(&s, 1), faces(&s, 2), faces(&s, 3)), (0, 6, 6));
    assert_eq!(s.labels().last(), Some(&"Apply material"));
    let current = s.editor.current_material.as_ref().expect("taken");
    assert_eq!(current.name, "stone", "picking it makes it the current one");
    s.select(&[id(1)]);
    s.key("Ctrl+Shift+T");
    s.editor.apply_material(stone()).expect("applied");
    assert_eq!(faces(&s, 1), 6, "a mesh, too");
    s.key("Ctrl+Z");
    assert_eq!(faces(&s, 1), 0);
    // A picked polygon of it only; then dropped onto the whole of it, and beside everything.
    s.editor.select(Selection::from([Pick::Face(id(1), 2)]));
    s.editor.apply_material(stone()).expect("applied");
    assert_eq!(faces(&s, 1), 1);
    let at = s.at(TOP, DVec3::new(32.0, 64.0, 32.0));
    s.editor
        .drop_material(stone(), TOP, at, DropScope::Object)
        .expect("dropped");
    assert_eq!(faces(&s, 1), 6);
    let steps = s.labels().len();
    let beside = s.at(TOP, DVec3::new(-300.0, 0.0, 0.0));
    assert!(
        s.editor
            .drop_material(stone(), TOP, beside, DropScope::Face)
            .is_err(),
        "there is nothing"
    );
    assert_eq!(s.labels().len(), steps);
}

#[test]
fn tex_2_a_shift_drop_spares_what_is_out_of_reach() {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", ""));
        for at in [0.0, 100.0, 200.0, 300.0] {
            let max = [at + 64.0, 64.0, 64.0];
            cube_of(draft, [at, 0.0, 0.0], max, Some(brick));
        }
    });
    s.editor.set_locked(id(3), true);
    s.select(&[id(4)]);
    s.key("Ctrl+Alt+I");
    let at = s.at(TOP, DVec3::new(32.0, 64.0, 32.0));
    s.editor
        .drop_material(Material::new("stone", ""), TOP, at, DropScope::SameMaterial)
        .expect("dropped");
    let stone = s.doc().material_named("stone");
    assert!(stone.is_some());
    for (number, changed) in [(1, true), (2, true), (3, false), (4, false)] {
        let brush = s.doc().object(id(number)).and_then(Object::brush);
        let all = brush.expect("brush").faces().iter();
        assert!(
            all.clone().all(|face| (face.material == stone) == changed),
            "{number}"
        );
    }
}
