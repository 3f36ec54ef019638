// Faces of the document.

struct Material {
    tint: vec4f,
    flat_color: vec4f,
    flags: vec4u,
}

const MASKED: u32 = 1u;
const HALF: u32 = 2u;
const UNLIT: u32 = 4u;
const CLOUDS: u32 = 8u;
const LID: u32 = 16u;

@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var smp: sampler;
@group(1) @binding(2) var<uniform> material: Material;

struct In {
    @location(0) position: vec3f,
    @location(1) normal: vec4f,
    @location(2) uv: vec2f,
    @location(3) slot: u32,
}

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) @interpolate(flat) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) @interpolate(flat) row: vec2u,
    @location(4) @interpolate(flat) style: u32,
}

@vertex
fn vs(in: In, @builtin(instance_index) style: u32) -> Out {
    let row = rows[in.slot];
    var out: Out;
    out.clip = clip_of(in.position);
    if (row.x & ROW_HIDDEN) != 0u {
        out.clip = NOWHERE;
    }
    out.position = in.position;
    out.normal = in.normal.xyz;
    out.uv = in.uv;
    out.row = row;
    out.style = style;
    return out;
}

struct Texel {
    rgb: vec3f,
    alpha: f32,
}

fn surface(in: Out) -> Texel {
    let grid = grid_on_face(in.position, in.normal);
    let light = shade(in.normal);
    var texel = vec4f(1.0);
    // Sampling is what costs most without a graphics adapter; flat faces need it for their holes only.
    if frame.mode.x != 2u || (material.flags.x & (MASKED | HALF)) != 0u {
        texel = textureSample(picture, smp, in.uv);
    }
    var rgb = texel.rgb * material.tint.rgb;
    if frame.mode.x == 2u {
        rgb = material.flat_color.rgb * light;
    } else if (material.flags.x & UNLIT) == 0u {
        // Lit mode shows here what has no light yet; textured mode hints at the shape.
        rgb *= select(mix(1.0, light, 0.3), light, frame.mode.x == 0u);
    }
    rgb = fogged(rgb, in.position);
    if (in.row.x & ROW_LOCKED) != 0u {
        rgb = mix(rgb, frame.colors[COLOR_LOCKED].rgb, 0.3);
    }
    if (in.row.x & ROW_SELECTED) != 0u && (frame.mode.z & FLAG_SELECTION) != 0u {
        rgb = mix(rgb, frame.colors[COLOR_SELECTED].rgb, 0.17);
    }
    rgb = mix(rgb, frame.colors[COLOR_GRID_3D].rgb, grid);
    return Texel(dimmed(rgb, in.position), texel.a);
}

@fragment
fn fs_opaque(in: Out) -> @location(0) vec4f {
    let texel = surface(in);
    if (material.flags.x & MASKED) != 0u && texel.alpha < 0.5 {
        discard;
    }
    return vec4f(texel.rgb, 1.0);
}

@fragment
fn fs_blend(in: Out) -> @location(0) vec4f {
    let texel = surface(in);
    if (frame.mode.z & FLAG_XRAY) != 0u {
        let holes = (material.flags.x & MASKED) != 0u && texel.alpha < 0.5;
        return vec4f(texel.rgb, select(0.25, 0.0, holes));
    }
    return vec4f(texel.rgb, select(texel.alpha, 0.5, (material.flags.x & HALF) != 0u));
}

// What shows through a face of the sky: it depends on the direction alone, so faces that meet show no seam.
@fragment
fn fs_sky(in: Out) -> @location(0) vec4f {
    let dir = normalize(in.position - frame.anchor.xyz);
    // Clouds lie on a plane that bends down to the eye's height far away, where they fade.
    let plane = dir.xz / (abs(dir.y) + 0.12) * 0.5;
    // The upper side of a box has its middle overhead and goes on mirrored, for its edges do not meet. Half a texel off them, or
    // filtering would mix both.
    let lid = abs((plane + 0.5) - 2.0 * round((plane + 0.5) * 0.5)) * 0.998 + 0.001;
    let at = select(plane, lid, (material.flags.x & LID) != 0u);
    let clouds = textureSample(picture, smp, at).rgb * material.tint.rgb;
    let grid = grid_on_face(in.position, in.normal);
    let base = material.flat_color.rgb;
    var rgb = base;
    if frame.mode.x != 2u {
        let bright = clamp(dot(base, vec3f(0.2126, 0.7152, 0.0722)) * 3.2, 0.0, 1.0);
        let horizon = mix(base, vec3f(0.80, 0.88, 0.95) * bright, 0.65);
        let below = mix(base, vec3f(0.42, 0.45, 0.48) * bright, 0.6);
        let plain = mix(mix(base, horizon, 0.25), base * vec3f(0.45, 0.55, 0.72), smoothstep(0.15, 1.0, dir.y));
        let above = select(plain, clouds, (material.flags.x & CLOUDS) != 0u);
        rgb = mix(horizon, above, smoothstep(0.02, 0.42, dir.y));
        rgb = mix(rgb, below, smoothstep(0.0, 0.5, -dir.y));
    }
    return vec4f(mix(rgb, frame.colors[COLOR_GRID_3D].rgb, grid), 1.0);
}

// The six pictures of a sky box: -X, +X, -Y, +Y, -Z, +Z of the game's axes.
@group(2) @binding(0) var side_lf: texture_2d<f32>;
@group(2) @binding(1) var side_rt: texture_2d<f32>;
@group(2) @binding(2) var side_ft: texture_2d<f32>;
@group(2) @binding(3) var side_bk: texture_2d<f32>;
@group(2) @binding(4) var side_dn: texture_2d<f32>;
@group(2) @binding(5) var side_up: texture_2d<f32>;
@group(2) @binding(6) var side_smp: sampler;

const BOX_MIRRORED: u32 = 64u;

struct Side {
    number: u32,
    // Along the picture to the right and down, and out to its middle.
    s: vec3f,
    t: vec3f,
    out: vec3f,
}

// The side that a direction in the game's axes meets.
fn side_of(p: vec3f) -> Side {
    let a = abs(p);
    if a.z >= max(a.x, a.y) {
        let up = select(-1.0, 1.0, p.z > 0.0);
        return Side(select(4u, 5u, p.z > 0.0), vec3f(0.0, -1.0, 0.0), vec3f(up, 0.0, 0.0), vec3f(0.0, 0.0, up));
    }
    let down = vec3f(0.0, 0.0, -1.0);
    if a.x >= a.y {
        let far = select(-1.0, 1.0, p.x > 0.0);
        return Side(select(0u, 1u, p.x > 0.0), vec3f(0.0, -far, 0.0), down, vec3f(far, 0.0, 0.0));
    }
    let far = select(-1.0, 1.0, p.y > 0.0);
    return Side(select(2u, 3u, p.y > 0.0), vec3f(far, 0.0, 0.0), down, vec3f(0.0, far, 0.0));
}

fn in_game(v: vec3f) -> vec3f {
    return vec3f(v.x, select(-v.z, v.z, (material.flags.y & BOX_MIRRORED) != 0u), v.y);
}

// As `fs_sky`, where there are pictures of all sides.
@fragment
fn fs_sky_box(in: Out) -> @location(0) vec4f {
    let p = in_game(in.position - frame.anchor.xyz);
    // How it changes from pixel to pixel, before sides part their ways: else pixels on both sides of an edge would make each other
    // sample the smallest level.
    let px = dpdx(p);
    let py = dpdy(p);
    let grid = grid_on_face(in.position, in.normal);
    let side = side_of(p);
    let away = max(dot(p, side.out), 1e-6);
    let st = vec2f(dot(p, side.s), dot(p, side.t)) / away;
    let at = st * 0.5 + 0.5;
    let dx = (vec2f(dot(px, side.s), dot(px, side.t)) - st * dot(px, side.out)) / away * 0.5;
    let dy = (vec2f(dot(py, side.s), dot(py, side.t)) - st * dot(py, side.out)) / away * 0.5;
    var rgb = material.flat_color.rgb;
    if frame.mode.x != 2u && (material.flags.y >> side.number & 1u) != 0u {
        var texel = vec4f(1.0);
        switch side.number {
            case 0u: { texel = textureSampleGrad(side_lf, side_smp, at, dx, dy); }
            case 1u: { texel = textureSampleGrad(side_rt, side_smp, at, dx, dy); }
            case 2u: { texel = textureSampleGrad(side_ft, side_smp, at, dx, dy); }
            case 3u: { texel = textureSampleGrad(side_bk, side_smp, at, dx, dy); }
            case 4u: { texel = textureSampleGrad(side_dn, side_smp, at, dx, dy); }
            default: { texel = textureSampleGrad(side_up, side_smp, at, dx, dy); }
        }
        rgb = texel.rgb * material.tint.rgb;
    }
    return vec4f(mix(rgb, frame.colors[COLOR_GRID_3D].rgb, grid), 1.0);
}

// Overdraw: from dark red over yellow to white, the more faces lie over each other.
@fragment
fn fs_heat(in: Out) -> @location(0) vec4f {
    return vec4f(0.13, 0.035, 0.008, 0.0);
}

// Tool faces: half transparent, whatever they are made of.
@fragment
fn fs_tool(in: Out) -> @location(0) vec4f {
    let texel = surface(in);
    return vec4f(texel.rgb, 0.5 * texel.alpha);
}

// Boxes of point entities.
@fragment
fn fs_entity(in: Out) -> @location(0) vec4f {
    if (frame.mode.z & FLAG_ENTITIES) == 0u {
        discard;
    }
    let selected = (in.row.x & ROW_SELECTED) != 0u && (frame.mode.z & FLAG_SELECTION) != 0u;
    let rgb = select(row_color(in.row), frame.colors[COLOR_SELECTED].rgb, selected);
    // The box that the eye is in would tint the whole view.
    let near = smoothstep(24.0, 64.0, length(in.position - frame.anchor.xyz));
    let alpha = 0.35 * select(near, 1.0, frame.mode.y != 0u);
    return vec4f(dimmed(rgb * mix(1.0, shade(in.normal), 0.6), in.position), alpha);
}

// Grounds over what is there: 0 selected objects, 1 selected faces, 2 the face under the pointer, 3 selected in 2D.
@fragment
fn fs_tint(in: Out) -> @location(0) vec4f {
    switch in.style {
        case 1u: { return vec4f(frame.colors[COLOR_SELECTED].rgb, 0.28); }
        case 2u: { return vec4f(frame.colors[COLOR_HOVER].rgb, 0.06); }
        case 3u: { return vec4f(frame.colors[COLOR_SELECTED].rgb, 0.14); }
        default: { return vec4f(frame.colors[COLOR_SELECTED].rgb, 0.17); }
    }
}
