// What every shader of the views shares; put before each of them.

struct Frame {
    // From positions relative to `anchor` to clip space. Depth is reversed: 1 near, 0 infinitely far.
    clip_from_rel: mat4x4f,
    // Eye rounded to f32: subtracting it first keeps digits far from the origin. w: pixels per point.
    anchor: vec4f,
    // Width and height in pixels and their reciprocals.
    size: vec4f,
    // What the pointer is on, in map units; w: grid step, 0 = no grid on faces.
    pointer: vec4f,
    // A crossing of the lines of the grid on faces.
    grid_origin: vec4f,
    // x: mode (0 lit, 1 textured, 2 flat, 3 wire), y: 1 in a 2D view, z: FLAG bits.
    mode: vec4u,
    // 2D grid: pixels per cell of three powers (0 = left out), and where a line lies, modulo the cell.
    cell: vec4f,
    line_x: vec4f,
    line_y: vec4f,
    // xy: pixel of the two axes. z: by which share of their distance lines are nearer than they are.
    axis: vec4f,
    // The region of work, its far corners just outside; min.w: 1 = there is one.
    region_min: vec4f,
    region_max: vec4f,
    // Linear colour; w: 0 no fog, 1 linear, 2 exponential of the square.
    fog: vec4f,
    // Linear: where it begins and 1 / its depth. Exponential: y is the density.
    fog_range: vec4f,
    colors: array<vec4f, 24>,
}

const COLOR_FAMILY: u32 = 3u;
const COLOR_SELECTED: u32 = 10u;
const COLOR_HOVER: u32 = 11u;
const COLOR_LOCKED: u32 = 12u;
const COLOR_MINOR: u32 = 13u;
const COLOR_MAJOR: u32 = 14u;
const COLOR_SUPER: u32 = 15u;
const COLOR_AXIS_X: u32 = 16u;
const COLOR_AXIS_Y: u32 = 17u;
const COLOR_GRID_3D: u32 = 18u;
const COLOR_BACKGROUND: u32 = 19u;

const FLAG_ENTITIES: u32 = 1u;
const FLAG_TOOLS: u32 = 2u;
const FLAG_SELECTION: u32 = 4u;
const FLAG_XRAY: u32 = 8u;
const FLAG_DOUBLE_LIGHT: u32 = 16u;

// Bits of a row.
const ROW_SELECTED: u32 = 1u;
const ROW_HIDDEN: u32 = 2u;
const ROW_LOCKED: u32 = 4u;
const ROW_DETAIL: u32 = 0x100u;
const ROW_OWN_COLOR: u32 = 0x200u;
const ROW_ENTITY: u32 = 0x400u;
const ROW_TOOL: u32 = 0x800u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> rows: array<vec2u>;

// Outside of everything: a triangle of three such corners is not drawn.
const NOWHERE = vec4f(2.0, 2.0, 2.0, 1.0);

fn decode(c: vec3f) -> vec3f {
    return select(pow((c + 0.055) / 1.055, vec3f(2.4)), c / 12.92, c <= vec3f(0.04045));
}

fn clip_of(position: vec3f) -> vec4f {
    return frame.clip_from_rel * vec4f(position - frame.anchor.xyz, 1.0);
}

// Outside of the region of work?
fn is_dimmed(position: vec3f) -> bool {
    if frame.region_min.w == 0.0 {
        return false;
    }
    return any(position < frame.region_min.xyz) || any(position > frame.region_max.xyz);
}

// Colours outside of the region of work sink into the background.
fn dimmed(rgb: vec3f, position: vec3f) -> vec3f {
    return mix(rgb, frame.colors[COLOR_BACKGROUND].rgb, select(0.0, 0.75, is_dimmed(position)));
}

// What is left of a colour in the fog.
fn fogged(rgb: vec3f, position: vec3f) -> vec3f {
    if frame.fog.w == 0.0 {
        return rgb;
    }
    let away = distance(position, frame.anchor.xyz);
    let line = clamp((away - frame.fog_range.x) * frame.fog_range.y, 0.0, 1.0);
    let depth = away * frame.fog_range.y;
    return mix(rgb, frame.fog.rgb, select(line, 1.0 - exp(-depth * depth), frame.fog.w == 2.0));
}

fn row_color(row: vec2u) -> vec3f {
    if (row.x & ROW_OWN_COLOR) != 0u {
        return decode(unpack4x8unorm(row.y).rgb);
    }
    return frame.colors[(row.x >> 4u) & 15u].rgb;
}

// Brightness by direction alone: floors light, ceilings dark, the two kinds of walls apart.
fn shade(normal: vec3f) -> f32 {
    let n = normal / max(length(normal), 1e-6);
    let s = n * n;
    return s.x * 0.76 + s.z * 0.62 + s.y * select(0.46, 1.0, n.y > 0.0);
}

// Share of the grid's colour on a face near the pointer (GRID-1).
fn grid_on_face(position: vec3f, normal: vec3f) -> f32 {
    let step = frame.pointer.w;
    // The same for the whole view: nothing to compute where there is no grid.
    if step <= 0.0 {
        return 0.0;
    }
    let cell = (position - frame.grid_origin.xyz) / step;
    let width = max(fwidth(cell), vec3f(1e-6));
    let away = abs(fract(cell - 0.5) - 0.5) / width;
    let n = abs(normal) / max(length(normal), 1e-6);
    // Lines of an axis lie only on faces that it does not point out of, and not where they would run together.
    let lines = (1.0 - smoothstep(vec3f(0.3), vec3f(0.9), away)) * step3(n, 0.9) * (1.0 - smoothstep(vec3f(0.2), vec3f(0.5), width));
    let near = 1.0 - smoothstep(60.0, 210.0, distance(position, frame.pointer.xyz));
    return max(lines.x, max(lines.y, lines.z)) * near * 0.3;
}

fn step3(n: vec3f, limit: f32) -> vec3f {
    return select(vec3f(0.0), vec3f(1.0), n < vec3f(limit));
}

struct WideCorner {
    clip: vec4f,
    // Pixels from the start of the line.
    along: f32,
}

// Corner 0 to 5 of the two triangles of a line that is `width` pixels wide.
fn wide_corner(a_in: vec4f, b_in: vec4f, width: f32, corner: u32) -> WideCorner {
    var a = a_in;
    var b = b_in;
    // In front of the eye only, or the division turns it round.
    let nearest = 1e-2;
    if a.w < nearest && b.w < nearest {
        return WideCorner(NOWHERE, 0.0);
    }
    if a.w < nearest { a = mix(a, b, (nearest - a.w) / (b.w - a.w)); }
    if b.w < nearest { b = mix(b, a, (nearest - b.w) / (a.w - b.w)); }
    let half = frame.size.xy * 0.5;
    let from_px = a.xy / a.w * half;
    let to_px = b.xy / b.w * half;
    let span = to_px - from_px;
    let length_px = length(span);
    let dir = select(vec2f(1.0, 0.0), span / max(length_px, 1e-6), length_px > 1e-6);
    let side = vec2f(-dir.y, dir.x);
    let at_end = corner == 1u || corner == 2u || corner == 4u;
    let up = select(-1.0, 1.0, corner == 2u || corner == 4u || corner == 5u);
    var clip = select(a, b, at_end);
    // Half a width beyond each end closes the joints.
    let out = select(-1.0, 1.0, at_end);
    clip += vec4f((side * up + dir * out) * (width * 0.5) / half * clip.w, 0.0, 0.0);
    return WideCorner(clip, select(0.0, length_px, at_end));
}

// Lines win against the faces they bound: a face that rises towards the eye beside its edge is nearer there by about as much
// as pixels are wide, which is the same share of the distance everywhere.
fn lifted(clip: vec4f) -> vec4f {
    return vec4f(clip.xy, clip.z * (1.0 + frame.axis.z), clip.w);
}
