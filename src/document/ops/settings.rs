//! What holds for the whole map (`META`).

use glam::Vec3;

use crate::document::Edit;
use crate::document::EditError;

/// The map's title, free text.
#[must_use]
pub fn set_name(name: impl Into<String>) -> Edit {
    let name = name.into();
    Edit::new("Map name", move |draft, _| {
        draft.settings_mut().name.clone_from(&name);
        Ok(())
    })
}

/// Light that is added everywhere, sRGB-encoded, 0..1.
#[must_use]
pub fn set_ambient(ambient: Vec3) -> Edit {
    Edit::new("Ambient light", move |draft, _| {
        if !ambient.is_finite() || ambient.min_element() < 0.0 {
            return Err(EditError::refused("Ambient light cannot be negative"));
        }
        draft.settings_mut().ambient = ambient;
        Ok(())
    })
}

/// How many map units make a metre; geometry stays as it is.
#[must_use]
pub fn set_units_per_meter(units: f32) -> Edit {
    Edit::new("Units per metre", move |draft, _| {
        if !(units > 0.0 && units.is_finite()) {
            return Err(EditError::refused("A metre must have some length"));
        }
        draft.settings_mut().units_per_meter = units;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    #[test]
    fn settings_are_steps() {
        let mut history = map();
        commit(&mut history, &set_name("Station"));
        commit(&mut history, &set_ambient(Vec3::splat(0.25)));
        commit(&mut history, &set_units_per_meter(40.0));
        let settings = history.committed().doc.settings().clone();
        assert_eq!(
            (
                settings.name.as_str(),
                settings.ambient,
                settings.units_per_meter
            ),
            ("Station", Vec3::splat(0.25), 40.0)
        );
        commit(&mut history, &set_name("Station"));
        assert_eq!(history.undo_labels().count(), 3, "the same name is no step");
        refuses(&mut history, &set_units_per_meter(0.0));
        refuses(&mut history, &set_ambient(Vec3::splat(-1.0)));
    }
}
