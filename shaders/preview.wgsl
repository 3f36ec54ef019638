// Batches of the last build with their baked vertex light (hmap.md 3).

struct Material {
    tint: vec4f,
    flat_color: vec4f,
    flags: vec4u,
}

const MASKED: u32 = 1u;
const HALF: u32 = 2u;
const AS_BUILT: u32 = 32u;

// The instance number says which faces these are.
const STYLE_UNLIT: u32 = 1u;

@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var smp: sampler;
@group(1) @binding(2) var<uniform> material: Material;

struct In {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) light: vec4f,
}

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) light: vec4f,
}

@vertex
fn vs(in: In, @builtin(instance_index) style: u32) -> Out {
    var out: Out;
    out.clip = clip_of(in.position);
    out.position = in.position;
    out.normal = in.normal;
    out.uv = in.uv;
    // Decoded before it is interpolated: the bake works in linear light.
    let is_lit = style != STYLE_UNLIT && (material.flags.x & AS_BUILT) == 0u;
    let is_doubled = (frame.mode.z & FLAG_DOUBLE_LIGHT) != 0u && is_lit;
    // In display values, as the game does it: what is brighter than white clips only with the picture.
    out.light = vec4f(decode(in.light.rgb * select(1.0, 2.0, is_doubled)), in.light.a);
    return out;
}

fn surface(in: Out) -> vec4f {
    let texel = textureSample(picture, smp, in.uv);
    let grid = grid_on_face(in.position, in.normal);
    let rgb = fogged(texel.rgb * material.tint.rgb * in.light.rgb, in.position);
    return vec4f(dimmed(mix(rgb, frame.colors[COLOR_GRID_3D].rgb, grid), in.position), texel.a);
}

@fragment
fn fs_opaque(in: Out) -> @location(0) vec4f {
    let texel = surface(in);
    if (material.flags.x & MASKED) != 0u && texel.a < 0.5 {
        discard;
    }
    return vec4f(texel.rgb, 1.0);
}

@fragment
fn fs_blend(in: Out) -> @location(0) vec4f {
    let texel = surface(in);
    return vec4f(texel.rgb, select(texel.a, 0.5, (material.flags.x & HALF) != 0u) * in.light.a);
}

// Overdraw, as in `world.wgsl`.
@fragment
fn fs_heat(in: Out) -> @location(0) vec4f {
    return vec4f(0.13, 0.035, 0.008, 0.0);
}
