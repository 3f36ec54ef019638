// What tools draw over the map: lines of any width and flat areas.

struct Line {
    // w: width in points.
    a: vec4f,
    // w: 1 = dashed.
    b: vec4f,
    color: vec4f,
}

@group(1) @binding(0) var<storage, read> lines: array<Line>;

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec4f,
    @location(1) @interpolate(linear) along: f32,
    @location(2) @interpolate(flat) dashed: f32,
}

@vertex
fn vs_line(@builtin(vertex_index) vertex: u32) -> Out {
    let line = lines[vertex / 6u];
    let corner = wide_corner(clip_of(line.a.xyz), clip_of(line.b.xyz), line.a.w * frame.anchor.w, vertex % 6u);
    return Out(lifted(corner.clip), line.color, corner.along, line.b.w);
}

@fragment
fn fs_line(in: Out) -> @location(0) vec4f {
    // Dashes of 6 points and gaps of 4.
    if in.dashed > 0.5 && fract(in.along / (10.0 * frame.anchor.w)) > 0.6 {
        discard;
    }
    return in.color;
}

struct Box {
    min: vec3f,
    bits: u32,
    max: vec3f,
    color: u32,
}

// In the place of the lines: no entry needs both.
@group(1) @binding(0) var<storage, read> boxes: array<Box>;

// An edge of a box: four along each axis.
@vertex
fn vs_box(@builtin(vertex_index) vertex: u32) -> Out {
    let box = boxes[vertex / 72u];
    let entity = (box.bits & ROW_ENTITY) != 0u && (frame.mode.z & FLAG_ENTITIES) == 0u;
    let tool = (box.bits & ROW_TOOL) != 0u && (frame.mode.z & FLAG_TOOLS) == 0u;
    let edge = vertex % 72u / 6u;
    let axis = edge / 4u;
    var at = vec3f(0.0);
    at[(axis + 1u) % 3u] = f32(edge & 1u);
    at[(axis + 2u) % 3u] = f32(edge >> 1u & 1u);
    var end = at;
    end[axis] = 1.0;
    let from_corner = clip_of(mix(box.min, box.max, at));
    let to_corner = clip_of(mix(box.min, box.max, end));
    let corner = wide_corner(from_corner, to_corner, 1.5 * frame.anchor.w, vertex % 6u);
    let selected = (box.bits & ROW_SELECTED) != 0u && (frame.mode.z & FLAG_SELECTION) != 0u;
    let rgb = select(row_color(vec2u(box.bits, box.color)), frame.colors[COLOR_SELECTED].rgb, selected);
    return Out(select(lifted(corner.clip), NOWHERE, entity || tool), vec4f(rgb, 1.0), corner.along, 1.0);
}

struct AreaOut {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec4f,
}

@vertex
fn vs_area(@location(0) position: vec3f, @location(1) color: vec4f) -> AreaOut {
    return AreaOut(lifted(clip_of(position)), color);
}

@fragment
fn fs_area(in: AreaOut) -> @location(0) vec4f {
    return in.color;
}
