//! Makes what ships in `assets`: `cargo run --example make_content` writes `assets/textures/*.png` and `assets/maps/courtyard.hmap`,
//! compiled, so that it opens lit.

mod courtyard;
mod noise;
mod textures;

use std::path::Path;

use mapwright::compiler;
use mapwright::document::ViewState;
use mapwright::formats::Extras;
use mapwright::formats::hmap;
use mapwright::task::Progress;

fn main() -> anyhow::Result<()> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for recipe in textures::RECIPES {
        let path = assets.join("textures").join(format!("{}.png", recipe.name));
        recipe.pixels().save(path)?;
    }
    let doc = courtyard::courtyard();
    let options = compiler::Options::default();
    let mut cache = compiler::Cache::default();
    let compiled = compiler::compile(&doc, &options, &mut cache, &Progress::new())?;
    let extras = Extras {
        sums: true,
        ..Extras::default()
    };
    let path = assets.join("maps/courtyard.hmap");
    let bytes = hmap::write(&doc, &ViewState::default(), &extras, Some(&compiled), &path)?;
    std::fs::write(&path, bytes)?;
    Ok(())
}
