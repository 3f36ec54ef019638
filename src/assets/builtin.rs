//! What ships inside the program.

macro_rules! textures {
    ($($name:literal)*) => {
        &[$((concat!("textures/", $name, ".png"), include_bytes!(concat!("../../assets/textures/", $name, ".png")) as &[u8]),)*]
    };
}

/// Textures by the name that materials use, as PNG files; sorted. Made by `assets/make`.
pub static TEXTURES: &[(&str, &[u8])] = textures! {
    "brick_brown"
    "brick_red"
    "brick_white"
    "cobble"
    "concrete"
    "concrete_panel"
    "crate_wood"
    "dirt"
    "door_wood"
    "flagstone"
    "glass"
    "grass"
    "gravel"
    "lamp"
    "marble_tiles"
    "marble_white"
    "metal_grate"
    "metal_plate"
    "metal_rust"
    "metal_tread"
    "missing"
    "parquet"
    "paving"
    "planks_dark"
    "planks_grey"
    "planks_oak"
    "plaster_cream"
    "plaster_ochre"
    "plaster_worn"
    "roof_tiles"
    "sand"
    "sandstone"
    "sky"
    "slate"
    "stone_blocks"
    "stone_rough"
    "tiles_blue"
    "tiles_white"
    "tool_clip"
    "tool_hint"
    "tool_nodraw"
    "tool_origin"
    "tool_sky"
    "tool_trigger"
    "trim_stone"
    "water"
    "window_panes"
};

/// Drawn where a texture is missing.
pub static MISSING: &[u8] = include_bytes!("../../assets/textures/missing.png");
