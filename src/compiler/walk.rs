//! Walking in a compiled map: a box with gravity, steps, jumps and crouching. Pure: input and time in, position out.

use glam::DVec3;

use crate::compiler::display;
use crate::compiler::trace::MOVEMENT_MASK;
use crate::compiler::trace::Tracer;
use crate::geometry::Aabb;

/// Seconds of one step.
const STEP_S: f64 = 1.0 / 120.0;
/// Longest time one call makes up for; what is beyond is lost, not caught up.
const LONGEST_S: f64 = 0.25;
/// Metres that the box keeps off surfaces.
const SKIN_M: f64 = 1.0 / 1024.0;
/// Ground is where the normal points up at least this much.
const GROUND_Y: f64 = 0.7;
const GRAVITY_M: f64 = 20.0;
const JUMP_M: f64 = 1.15;
const WALK_M: f64 = 4.0;
const RUN_M: f64 = 8.0;
const CROUCHED_M: f64 = 2.0;
/// Seconds from standing to full speed on the ground.
const PUSH_S: f64 = 0.1;
/// Share of that push in the air.
const AIR_PUSH: f64 = 0.1;
/// Surfaces met in one step before what is left of the way is given up.
const BUMPS: usize = 5;
/// Degrees short of straight up and down.
const PITCH_LIMIT_DEG: f64 = 89.9;

/// The walker's body in map units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    pub width: f64,
    pub height: f64,
    /// Above the feet.
    pub eye: f64,
    /// Highest step it climbs.
    pub step: f64,
    pub units_per_meter: f64,
    /// Units per second without gravity and walls.
    pub fly_speed: f64,
}

impl Player {
    /// 0.8 x 1.8 m, eye at 1.65 m, step 0.45 m.
    #[must_use]
    pub fn of_scale(units_per_meter: f64) -> Self {
        let m = if units_per_meter > 0.0 && units_per_meter.is_finite() {
            units_per_meter
        } else {
            32.0
        };
        Self {
            width: 0.8 * m,
            height: 1.8 * m,
            eye: 1.65 * m,
            step: 0.45 * m,
            units_per_meter: m,
            fly_speed: RUN_M * m,
        }
    }

    /// The player of the game that a map was imported from, by the format in its `ORIG`, so that its doors fit.
    #[must_use]
    pub fn of_format(format: &str, units_per_meter: f64) -> Self {
        let own = Self::of_scale(units_per_meter);
        let (width, height, eye, step) = match format.to_ascii_lowercase().as_str() {
            "map" | "mapfile" | "quake" | "bsp" => (32.0, 56.0, 46.0, 18.0),
            "rmf" | "jmf" | "ol" | "goldsrc" => (32.0, 72.0, 64.0, 18.0),
            "ogz" | "cube2" => (8.2, 15.0, 14.0, 4.1),
            "unr" | "t3d" | "ue1" => (34.0, 78.0, 66.0, 25.0),
            _ => return own,
        };
        Self {
            width,
            height,
            eye,
            step,
            ..own
        }
    }
}

/// What the user does during one call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkInput {
    /// -1..1.
    pub forward: f64,
    /// -1..1.
    pub right: f64,
    pub jump: bool,
    pub crouch: bool,
    pub run: bool,
    /// Switches between walking and flying through everything, once per call.
    pub toggle_noclip: bool,
    /// Degrees the view turns left.
    pub turn_yaw_deg: f64,
    /// Degrees the view turns up.
    pub turn_pitch_deg: f64,
    /// Seconds since the last call.
    pub dt_s: f64,
}

/// Somebody walking.
#[derive(Clone, Debug)]
pub struct Walker {
    player: Player,
    /// Middle of the bottom of the box.
    feet: DVec3,
    /// Where the feet were one step ago, for smooth pictures between steps.
    feet_before: DVec3,
    /// Units per second.
    velocity: DVec3,
    yaw_deg: f64,
    pitch_deg: f64,
    on_ground: bool,
    crouched: bool,
    noclip: bool,
    /// Time that did not make a whole step yet.
    rest_s: f64,
    /// Where it began, for who falls out of the world.
    start: DVec3,
}

impl Walker {
    /// Puts a player's eye at a camera, or the nearest place where the body fits; flies when there is none.
    #[must_use]
    pub fn start(
        tracer: &Tracer,
        eye: DVec3,
        yaw_deg: f64,
        pitch_deg: f64,
        player: Player,
    ) -> Self {
        let eye = if eye.is_finite() { eye } else { DVec3::ZERO };
        let feet = eye - DVec3::Y * player.eye;
        let mut walker = Self {
            player,
            feet,
            feet_before: feet,
            velocity: DVec3::ZERO,
            yaw_deg,
            pitch_deg: pitch_deg.clamp(-PITCH_LIMIT_DEG, PITCH_LIMIT_DEG),
            on_ground: false,
            crouched: false,
            noclip: false,
            rest_s: 0.0,
            start: feet,
        };
        match walker.free_place(tracer, eye) {
            Some(feet) => walker.put(feet),
            None => walker.noclip = true,
        }
        walker.start = walker.feet;
        walker
    }

    /// Puts the middle of a player's body at a place, as the games mean the origin of a player start.
    #[must_use]
    pub fn start_at(tracer: &Tracer, center: DVec3, yaw_deg: f64, player: Player) -> Self {
        Self::start(
            tracer,
            center + DVec3::Y * (player.eye - player.height * 0.5),
            yaw_deg,
            0.0,
            player,
        )
    }

    /// Where the eye is now, between the last two steps.
    #[must_use]
    pub fn eye(&self) -> DVec3 {
        let feet = self.feet_before.lerp(self.feet, self.rest_s / STEP_S);
        feet + DVec3::Y * (self.player.eye - (self.player.height - self.height()))
    }

    #[must_use]
    pub fn yaw_deg(&self) -> f64 {
        self.yaw_deg
    }

    #[must_use]
    pub fn pitch_deg(&self) -> f64 {
        self.pitch_deg
    }

    #[must_use]
    pub fn is_on_ground(&self) -> bool {
        self.on_ground
    }

    #[must_use]
    pub fn is_crouched(&self) -> bool {
        self.crouched
    }

    #[must_use]
    pub fn is_noclip(&self) -> bool {
        self.noclip
    }

    /// The body's box after the last whole step.
    #[must_use]
    pub fn body(&self) -> Aabb {
        Aabb::around(self.center(), self.half())
    }

    /// Looks and moves for the time of the input, in whole steps.
    pub fn advance(&mut self, tracer: &Tracer, input: &WalkInput) {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        self.yaw_deg = (self.yaw_deg + finite(input.turn_yaw_deg)).rem_euclid(360.0);
        self.pitch_deg = (self.pitch_deg + finite(input.turn_pitch_deg))
            .clamp(-PITCH_LIMIT_DEG, PITCH_LIMIT_DEG);
        if input.toggle_noclip {
            self.set_noclip(tracer, !self.noclip);
        }
        self.rest_s += finite(input.dt_s).clamp(0.0, LONGEST_S);
        while self.rest_s >= STEP_S {
            self.rest_s -= STEP_S;
            self.feet_before = self.feet;
            if self.noclip {
                self.fly(input);
            } else {
                self.step(tracer, input);
            }
        }
    }

    fn set_noclip(&mut self, tracer: &Tracer, noclip: bool) {
        self.noclip = noclip;
        self.velocity = DVec3::ZERO;
        self.on_ground = false;
        if !noclip {
            match self.free_place(tracer, self.feet + DVec3::Y * self.player.eye) {
                Some(feet) => self.put(feet),
                // There is no room anywhere near: stays in flight.
                None => self.noclip = true,
            }
        }
    }

    fn fly(&mut self, input: &WalkInput) {
        self.crouched = false;
        let forward = display::forward(DVec3::new(self.pitch_deg, self.yaw_deg, 0.0));
        let up = f64::from(u8::from(input.jump)) - f64::from(u8::from(input.crouch));
        let way = forward * input.forward + self.rightwards() * input.right + DVec3::Y * up;
        let faster = if input.run { 2.0 } else { 1.0 };
        self.feet += way.clamp_length_max(1.0) * (self.player.fly_speed * faster * STEP_S);
    }

    fn step(&mut self, tracer: &Tracer, input: &WalkInput) {
        let m = self.player.units_per_meter;
        if !tracer.is_free(self.center(), self.half(), MOVEMENT_MASK) {
            // The map changed around us.
            match self.free_place(tracer, self.center()) {
                Some(feet) => self.put(feet),
                None => return self.velocity = DVec3::ZERO,
            }
        }
        self.crouch(tracer, input.crouch);
        self.on_ground =
            self.velocity.y <= 1e-9 * m && self.ground_below(tracer, 2.0 * self.skin()).is_some();
        self.push(input);
        if self.on_ground && input.jump {
            self.velocity.y = (2.0 * GRAVITY_M * JUMP_M).sqrt() * m;
            self.on_ground = false;
        }
        if self.on_ground {
            self.velocity.y = 0.0;
            self.walk(tracer);
        } else {
            // Half of the change before and half after the move: the path is the exact parabola.
            let fall = DVec3::Y * (GRAVITY_M * m * STEP_S * 0.5);
            self.velocity -= fall;
            self.slide(tracer, self.velocity * STEP_S);
            self.velocity -= fall;
        }
        let bounds = tracer.bounds();
        if !bounds.is_empty() && self.feet.y < bounds.min.y - 10.0 * self.player.height {
            self.put(self.start);
            self.velocity = DVec3::ZERO;
        }
    }

    /// Turns the velocity towards what the keys say.
    fn push(&mut self, input: &WalkInput) {
        let m = self.player.units_per_meter;
        let (sin, cos) = display::sin_cos_deg(self.yaw_deg);
        let way = DVec3::new(-sin, 0.0, -cos) * input.forward + self.rightwards() * input.right;
        let speed = m * if self.crouched {
            CROUCHED_M
        } else if input.run {
            RUN_M
        } else {
            WALK_M
        };
        let wanted = way.clamp_length_max(1.0) * speed;
        let flat = DVec3::new(self.velocity.x, 0.0, self.velocity.z);
        if !self.on_ground && wanted == DVec3::ZERO {
            return;
        }
        let most = speed / PUSH_S * STEP_S * if self.on_ground { 1.0 } else { AIR_PUSH };
        let change = (wanted - flat).clamp_length_max(most);
        self.velocity += change;
    }

    /// One step on the ground: along it, up a step where that gets farther, and down again.
    fn walk(&mut self, tracer: &Tracer) {
        let start = self.feet;
        let before = self.velocity;
        let way = before * STEP_S;
        self.slide(tracer, way);
        let level = (self.feet, self.velocity);
        let flat_way = |to: DVec3| DVec3::new(to.x - start.x, 0.0, to.z - start.z).length_squared();
        if flat_way(level.0) < way.length_squared() * 0.999 {
            self.feet = start;
            self.velocity = before;
            let rise = self.climb(tracer, self.player.step + self.skin());
            self.slide(tracer, way);
            let lowered = self.ground_below(tracer, rise + self.skin());
            match lowered {
                Some(drop) if flat_way(self.feet) > flat_way(level.0) => self.feet.y -= drop,
                _ => (self.feet, self.velocity) = level,
            }
        }
        // Stays on the ground where it falls away by less than a step.
        if let Some(drop) = self.ground_below(tracer, self.player.step + self.skin()) {
            self.feet.y -= drop;
        }
        self.velocity.y = 0.0;
    }

    /// Moves up as far as there is room, at most `height`; returns how far.
    fn climb(&mut self, tracer: &Tracer, height: f64) -> f64 {
        let hit = tracer.sweep(
            self.center(),
            self.center() + DVec3::Y * height,
            self.half(),
            MOVEMENT_MASK,
        );
        let rise = hit.map_or(height, |hit| (hit.fraction * height - self.skin()).max(0.0));
        self.feet.y += rise;
        rise
    }

    /// How far down walkable ground is, less the skin; `None` beyond `depth`, or where it is too steep.
    fn ground_below(&self, tracer: &Tracer, depth: f64) -> Option<f64> {
        let hit = tracer.sweep(
            self.center(),
            self.center() - DVec3::Y * depth,
            self.half(),
            MOVEMENT_MASK,
        )?;
        (hit.normal.y >= GROUND_Y && !hit.started_solid)
            .then(|| (hit.fraction * depth - self.skin() / hit.normal.y).max(0.0))
    }

    /// Moves by `way` and slides along what is met; the velocity loses what runs into it.
    fn slide(&mut self, tracer: &Tracer, way: DVec3) {
        let mut left = way;
        let first = way;
        let mut met: Vec<DVec3> = Vec::with_capacity(BUMPS);
        for _ in 0..BUMPS {
            let length = left.length();
            if length < 1e-9 {
                return;
            }
            let Some(hit) = tracer.sweep(
                self.center(),
                self.center() + left,
                self.half(),
                MOVEMENT_MASK,
            ) else {
                self.feet += left;
                return;
            };
            if hit.started_solid {
                return self.velocity = DVec3::ZERO;
            }
            // Back along the way until the skin is between.
            let approach = -left.dot(hit.normal);
            let share = if approach > 0.0 {
                (hit.fraction - self.skin() / approach).max(0.0)
            } else {
                hit.fraction
            };
            self.feet += left * share;
            left *= 1.0 - share;
            met.push(hit.normal);
            left = along(left, &met);
            self.velocity = along(self.velocity, &met);
            // Never back against the way: that would tremble in corners.
            if left.dot(first) <= 0.0 {
                return;
            }
        }
    }

    fn crouch(&mut self, tracer: &Tracer, wanted: bool) {
        if wanted == self.crouched {
            return;
        }
        if wanted {
            self.crouched = true;
            return;
        }
        let half = DVec3::new(self.player.width, self.player.height, self.player.width) * 0.5;
        if tracer.is_free(self.feet + DVec3::Y * half.y, half, MOVEMENT_MASK) {
            self.crouched = false;
        }
    }

    /// The nearest place for the feet where the standing body is free, within about a body's size of having its eye at `eye`;
    /// rather one that is in view of `eye`, so that nobody is put behind a wall.
    fn free_place(&self, tracer: &Tracer, eye: DVec3) -> Option<DVec3> {
        let half = DVec3::new(self.player.width, self.height(), self.player.width) * 0.5;
        let lower = self.player.eye - (self.player.height - self.height());
        let wanted = eye - DVec3::Y * (lower - half.y);
        let skin = self.skin();
        let mut places: Vec<(f64, DVec3)> = Vec::new();
        for (x, y, z) in
            (-4..=4).flat_map(|x| (-8..=16).flat_map(move |y| (-4..=4).map(move |z| (x, y, z))))
        {
            let offset = DVec3::new(
                f64::from(x) * half.x * 0.5,
                f64::from(y) * half.y * 0.25,
                f64::from(z) * half.z * 0.5,
            );
            places.push((offset.length_squared(), wanted + offset));
        }
        // A stable sort: places as far as each other keep the order they were made in.
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let fits = |place: &&(f64, DVec3)| tracer.is_free(place.1, half + skin, MOVEMENT_MASK);
        let eye_is_free = tracer.contents_at(eye) & MOVEMENT_MASK == 0;
        let in_view = |place: &&(f64, DVec3)| {
            tracer
                .sweep(eye, place.1, DVec3::ZERO, MOVEMENT_MASK)
                .is_none()
        };
        // Out of a solid it is up, if that is possible: below a floor is seldom a room.
        let best = |place: &&(f64, DVec3)| {
            if eye_is_free {
                in_view(place)
            } else {
                place.1.y >= wanted.y
            }
        };
        let place = places
            .iter()
            .filter(best)
            .find(fits)
            .or_else(|| places.iter().find(fits))?;
        Some(place.1 - DVec3::Y * half.y)
    }

    /// Puts the feet somewhere without a way there.
    fn put(&mut self, feet: DVec3) {
        self.feet = feet;
        self.feet_before = feet;
    }

    fn skin(&self) -> f64 {
        SKIN_M * self.player.units_per_meter
    }

    fn height(&self) -> f64 {
        if self.crouched {
            self.player.height * 0.5
        } else {
            self.player.height
        }
    }

    fn half(&self) -> DVec3 {
        DVec3::new(self.player.width, self.height(), self.player.width) * 0.5
    }

    fn center(&self) -> DVec3 {
        self.feet + DVec3::Y * (self.height() * 0.5)
    }

    fn rightwards(&self) -> DVec3 {
        let (sin, cos) = display::sin_cos_deg(self.yaw_deg);
        DVec3::new(cos, 0.0, -sin)
    }
}

/// What is left of a way when it may not run into any of the planes with these normals.
fn along(way: DVec3, normals: &[DVec3]) -> DVec3 {
    let into = |way: DVec3, normal: DVec3| way.dot(normal) < -1e-9;
    if !normals.iter().any(|&normal| into(way, normal)) {
        return way;
    }
    // Along one plane, the newest first.
    for &normal in normals.iter().rev() {
        let slid = way - normal * way.dot(normal);
        if !normals
            .iter()
            .any(|&other| other != normal && into(slid, other))
        {
            return slid;
        }
    }
    // Along the crease of two.
    for (at, &a) in normals.iter().enumerate() {
        for &b in &normals[..at] {
            let Some(crease) = a.cross(b).try_normalize() else {
                continue;
            };
            let slid = crease * crease.dot(way);
            if !normals
                .iter()
                .any(|&other| other != a && other != b && into(slid, other))
            {
                return slid;
            }
        }
    }
    DVec3::ZERO
}
