// Edges of objects, pulled from one array: thin as lines, wide as quads.

struct Segment {
    a: vec3f,
    slot: u32,
    b: vec3f,
    spare: u32,
}

@group(0) @binding(2) var<storage, read> segments: array<Segment>;

// The instance number says what for.
const STYLE_PLAIN: u32 = 0u;
const STYLE_SELECTED: u32 = 1u;
const STYLE_BEHIND: u32 = 2u;
const STYLE_HOVER: u32 = 3u;

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    @location(1) position: vec3f,
}

// Closer to the eye than this, the box of a point entity is around it rather than in front of it.
const AROUND_EYE: f32 = 40.0;

fn is_around_eye(segment: Segment) -> bool {
    if frame.mode.y != 0u {
        return false;
    }
    let a = segment.a - frame.anchor.xyz;
    let along = segment.b - segment.a;
    let t = clamp(-dot(a, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    return length(a + along * t) < AROUND_EYE;
}

fn is_left_out(segment: Segment, row: vec2u, style: u32) -> bool {
    let bits = row.x;
    if (bits & ROW_HIDDEN) != 0u {
        return true;
    }
    if style != STYLE_PLAIN {
        return false;
    }
    if (bits & ROW_ENTITY) != 0u && ((frame.mode.z & FLAG_ENTITIES) == 0u || is_around_eye(segment)) {
        return true;
    }
    return (bits & ROW_TOOL) != 0u && (frame.mode.z & FLAG_TOOLS) == 0u;
}

fn color_of(row: vec2u, style: u32) -> vec4f {
    switch style {
        case STYLE_SELECTED: { return vec4f(frame.colors[COLOR_SELECTED].rgb, 1.0); }
        case STYLE_BEHIND: { return vec4f(frame.colors[COLOR_SELECTED].rgb, 0.4); }
        case STYLE_HOVER: { return vec4f(frame.colors[COLOR_HOVER].rgb, 1.0); }
        default: {}
    }
    let bits = row.x;
    var alpha = 0.8;
    if (bits & ROW_DETAIL) != 0u {
        alpha = 0.5;
    }
    if (bits & ROW_ENTITY) != 0u {
        return vec4f(row_color(row), 1.0);
    }
    // Over faces they only hint (look.md 8).
    if frame.mode.y == 0u && frame.mode.x != 3u {
        alpha = select(0.35, 0.8, (bits & ROW_TOOL) != 0u);
    }
    if (bits & ROW_LOCKED) != 0u {
        return vec4f(frame.colors[COLOR_LOCKED].rgb, alpha);
    }
    return vec4f(row_color(row), alpha);
}

@vertex
fn vs_thin(@builtin(vertex_index) vertex: u32, @builtin(instance_index) style: u32) -> Out {
    let segment = segments[vertex / 2u];
    let row = rows[segment.slot];
    var out: Out;
    out.color = color_of(row, style);
    out.position = select(segment.a, segment.b, (vertex & 1u) == 1u);
    out.clip = lifted(clip_of(out.position));
    if is_left_out(segment, row, style) {
        out.clip = NOWHERE;
    }
    return out;
}

@vertex
fn vs_wide(@builtin(vertex_index) vertex: u32, @builtin(instance_index) style: u32) -> Out {
    let segment = segments[vertex / 6u];
    let row = rows[segment.slot];
    var width = frame.anchor.w;
    if style == STYLE_SELECTED || style == STYLE_HOVER {
        width *= 2.0;
    }
    var out: Out;
    out.color = color_of(row, style);
    let corner = vertex % 6u;
    out.position = select(segment.a, segment.b, corner == 1u || corner == 2u || corner == 4u);
    out.clip = lifted(wide_corner(clip_of(segment.a), clip_of(segment.b), width, corner).clip);
    if is_left_out(segment, row, style) {
        out.clip = NOWHERE;
    }
    return out;
}

@fragment
fn fs(in: Out) -> @location(0) vec4f {
    return vec4f(dimmed(in.color.rgb, in.position), in.color.a);
}
