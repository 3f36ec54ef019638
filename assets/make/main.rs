//! Makes what ships in `assets`: `cargo run --example make_content` writes `assets/textures/*.png` and `assets/maps/courtyard.hmap`.

mod courtyard;
mod noise;
mod textures;

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for recipe in textures::RECIPES {
        recipe
            .pixels()
            .save(assets.join("textures").join(format!("{}.png", recipe.name)))?;
    }
    let doc = courtyard::courtyard();
    let view = mapwright::document::ViewState::default();
    let extras = mapwright::formats::Extras {
        sums: true,
        ..Default::default()
    };
    let path = assets.join("maps/courtyard.hmap");
    std::fs::write(
        &path,
        mapwright::formats::hmap::write(&doc, &view, &extras, None, &path)?,
    )?;
    Ok(())
}
