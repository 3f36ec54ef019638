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
