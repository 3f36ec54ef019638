// The grid of 2D views: one triangle over everything, lines on pixel centres.

@vertex
fn vs(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0;
    return vec4f(corner, 0.0, 1.0);
}

// True when a line of this power falls into the pixel.
fn on_line(at: vec2f, level: u32) -> bool {
    let cell = frame.cell[level];
    if cell <= 0.0 {
        return false;
    }
    let origin = vec2f(frame.line_x[level], frame.line_y[level]);
    let wide = max(round(frame.anchor.w), 1.0);
    let first = ceil((at - 0.5 - origin) / cell);
    let last = ceil((at - 0.5 + wide - origin) / cell);
    return any(first != last);
}

@fragment
fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let wide = max(round(frame.anchor.w), 1.0);
    let from_axis = floor(at.xy) - floor(frame.axis.xy);
    // The line where x is 0 has the colour of the axis that runs up, and the other way round.
    if from_axis.x > -wide && from_axis.x <= 0.0 {
        return vec4f(mix(frame.colors[COLOR_BACKGROUND].rgb, frame.colors[COLOR_AXIS_Y].rgb, 0.6), 1.0);
    }
    if from_axis.y > -wide && from_axis.y <= 0.0 {
        return vec4f(mix(frame.colors[COLOR_BACKGROUND].rgb, frame.colors[COLOR_AXIS_X].rgb, 0.6), 1.0);
    }
    if on_line(at.xy, 2u) {
        return vec4f(frame.colors[COLOR_SUPER].rgb, 1.0);
    }
    if on_line(at.xy, 1u) {
        return vec4f(frame.colors[COLOR_MAJOR].rgb, 1.0);
    }
    if on_line(at.xy, 0u) {
        return vec4f(frame.colors[COLOR_MINOR].rgb, 1.0);
    }
    discard;
}
