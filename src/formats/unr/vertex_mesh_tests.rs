use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::formats::unr::made_package::MadeObject;
use crate::formats::unr::made_package::MadePackage;
use crate::formats::unr::made_package::compact as number;

/// How a mesh is written.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    version: u16,
    class: &'static str,
    /// Coordinates of 16 bits.
    is_wide: bool,
    /// Corners of triangles the other way round.
    is_turned: bool,
    /// Points of places before those of the faces.
    special: u16,
}

pub const SHAPE: Shape = Shape {
    version: 69,
    class: "LodMesh",
    is_wide: false,
    is_turned: false,
    special: 0,
};

/// Corners of a cube, -10 to 10, and its sides, outside in front.
const POINTS: [[i16; 3]; 8] = [
    [-10, -10, -10],
    [10, -10, -10],
    [10, 10, -10],
    [-10, 10, -10],
    [-10, -10, 10],
    [10, -10, 10],
    [10, 10, 10],
    [-10, 10, 10],
];
const QUADS: [[u16; 4]; 6] = [
    [0, 3, 2, 1],
    [4, 5, 6, 7],
    [0, 1, 5, 4],
    [2, 3, 7, 6],
    [1, 2, 6, 5],
    [0, 4, 7, 3],
];

fn triangles(shape: Shape) -> Vec<[u16; 3]> {
    let both = QUADS
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    both.map(|[a, b, c]| {
        if shape.is_turned {
            [a, c, b]
        } else {
            [a, b, c]
        }
    })
    .collect()
}

struct Writer<'m> {
    made: &'m mut MadePackage,
    object: MadeObject,
    shape: Shape,
}

impl Writer<'_> {
    fn floats(&mut self, numbers: &[f32]) {
        for number in numbers {
            self.object.data.extend(number.to_le_bytes());
        }
    }

    fn words(&mut self, words: &[u16]) {
        for word in words {
            self.object.data.extend(word.to_le_bytes());
        }
    }

    fn ints(&mut self, numbers: &[i32]) {
        for number in numbers {
            self.object.data.extend(number.to_le_bytes());
        }
    }

    fn count(&mut self, count: usize) {
        self.object.data.extend(number(count as i32));
    }

    fn list(&mut self, count: usize, bytes: &[u8]) {
        let at = self.object.data.len();
        if self.shape.version > 61 {
            self.object.data.extend([0; 4]);
        }
        self.count(count);
        self.object.data.extend(bytes);
        if self.shape.version > 61 {
            self.object.ends.push((at, self.object.data.len()));
        }
    }

    fn bounds(&mut self) {
        self.floats(&[0.0; 6]);
        self.object.data.push(0);
        let sphere = if self.shape.version > 61 { 4 } else { 3 };
        self.floats(&vec![0.0; sphere]);
    }

    fn base(&mut self, texture: i32) {
        let shape = self.shape;
        self.bounds();
        let places = vec![[0i16; 3]; usize::from(shape.special)];
        let points: Vec<[i16; 3]> = places.into_iter().chain(POINTS).collect();
        // Two frames; the second is elsewhere.
        let moved = points.iter().map(|point| point.map(|part| part + 50));
        let all: Vec<[i16; 3]> = points.iter().copied().chain(moved).collect();
        let bytes: Vec<u8> = all.iter().flat_map(|&point| self.packed(point)).collect();
        self.list(all.len(), &bytes);
        let mut bytes = Vec::new();
        let faces = triangles(shape);
        let is_old = shape.class == "Mesh";
        for corners in faces.iter().filter(|_| is_old) {
            bytes.extend(corners.iter().flat_map(|corner| corner.to_le_bytes()));
            bytes.extend([0, 0, 128, 0, 128, 64]);
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0]);
        }
        self.list(if is_old { faces.len() } else { 0 }, &bytes);
        self.count(1);
        self.object.data.extend([0, 0]);
        self.ints(&[0, 2]);
        self.count(1);
        self.floats(&[0.5]);
        self.object.data.push(0);
        self.floats(&[15.0]);
        self.list(1, &[0; 8]);
        self.bounds();
        self.list(2, &[0; 8]);
        self.count(1);
        self.object.data.extend(number(texture));
        self.count(0);
        self.count(0);
        self.ints(&[points.len() as i32, 2, 0, 0]);
        self.floats(&[0.5, 2.0, 1.0]);
        self.floats(&[4.0, 0.0, 0.0]);
        // A quarter turn of yaw.
        self.ints(&[0, 16384, 0]);
        self.ints(&[0, 0]);
        match shape.version {
            ..=64 => {}
            65 => self.floats(&[1.0]),
            _ => {
                self.count(1);
                self.floats(&[1.0]);
            }
        }
    }

    fn packed(&self, [x, y, z]: [i16; 3]) -> Vec<u8> {
        if self.shape.is_wide {
            return [x, y, z, 0]
                .iter()
                .flat_map(|part| part.to_le_bytes())
                .collect();
        }
        let [x, y, z] = [x, y, z].map(|part| i32::from(part).cast_unsigned());
        let word = (x & 0x7FF) | (y & 0x7FF) << 11 | (z & 0x3FF) << 22;
        word.to_le_bytes().to_vec()
    }

    fn lod(&mut self) {
        let faces = triangles(self.shape);
        self.count(2);
        self.words(&[0, 0]);
        self.count(1);
        self.words(&[0]);
        self.count(faces.len());
        for at in 0..faces.len() as u16 {
            self.words(&[at * 3, at * 3 + 1, at * 3 + 2, 0]);
        }
        self.count(0);
        self.count(faces.len() * 3);
        for corners in faces {
            for (corner, uv) in corners.into_iter().zip([[0, 0], [128, 0], [128, 64]]) {
                self.words(&[corner]);
                self.object.data.extend(uv);
            }
        }
        self.count(1);
        self.ints(&[2, 0]);
        self.count(1);
        self.words(&[0; 4]);
        self.ints(&[8, i32::from(self.shape.special)]);
        self.floats(&[0.0; 6]);
        self.count(0);
        self.ints(&[0]);
    }
}

pub fn made(shape: Shape) -> Vec<u8> {
    let mut made = MadePackage::new(shape.version);
    let package = made.import("Package", 0, "Skins");
    let texture = made.import("Texture", package, "Crate");
    let data = made.properties(&[]);
    let mut writer = Writer {
        made: &mut made,
        object: MadeObject {
            data,
            ..MadeObject::default()
        },
        shape,
    };
    writer.base(texture);
    if shape.class != "Mesh" {
        writer.lod();
    }
    let object = std::mem::take(&mut writer.object);
    writer.made.export(shape.class, 0, "Box", object);
    made.bytes()
}

fn read(bytes: &[u8]) -> Read<VertexMesh> {
    vertex_mesh(&Package::read(bytes).expect("sound tables"), 0)
}

#[test]
fn meshes_of_every_kind_are_the_same_box() {
    let mut shapes = Vec::new();
    for version in [61, 63, 65, 68, 69, 76, 79] {
        for class in ["LodMesh", "Mesh"] {
            for is_wide in [false, true] {
                for is_turned in [false, true] {
                    shapes.push(Shape {
                        version,
                        class,
                        is_wide: is_wide && version > 61,
                        is_turned,
                        special: if class == "LodMesh" { 3 } else { 0 },
                    });
                }
            }
        }
    }
    for shape in shapes {
        let mesh = read(&made(shape)).unwrap_or_else(|error| panic!("{shape:?}: {error:?}"));
        assert_eq!(
            mesh.points.len(),
            8 + usize::from(shape.special),
            "{shape:?}"
        );
        assert_eq!(mesh.triangles.len(), 12, "{shape:?}");
        let texture = mesh.textures[0].as_ref().expect("named");
        assert_eq!(texture.full_name(), "Skins.Crate");
        assert_eq!(
            mesh.skins,
            [MeshSkin {
                flags: 2,
                texture: 0
            }]
        );
        // -10 - 4 by a half is -7 along X, which the turn makes Y; 20 along Y becomes -X.
        let first = mesh.points[usize::from(shape.special)];
        assert!(
            first.abs_diff_eq(DVec3::new(20.0, -7.0, -10.0), 1e-9),
            "{first}"
        );
        let mut volume = 0.0;
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.corners.map(|corner| mesh.points[corner as usize]);
            volume += a.dot(b.cross(c)) / 6.0;
            assert!(triangle.uv.contains(&[0.5, 0.25]), "{shape:?}");
        }
        assert!(
            (volume - 10.0 * 40.0 * 20.0).abs() < 1e-6,
            "{shape:?}: {volume}"
        );
    }
}

#[test]
fn damage_is_an_error_or_costs_triangles() {
    for class in ["LodMesh", "Mesh"] {
        let bytes = made(Shape { class, ..SHAPE });
        let package = Package::read(&bytes).expect("sound tables");
        let record = package.tables.exports[0];
        let start = record.offset as usize;
        for at in start..start + record.size as usize {
            for byte in [0, 0x7F, 0xFF] {
                let mut bad = bytes.clone();
                bad[at] = byte;
                if let Ok(mesh) = read(&bad) {
                    check(&mesh);
                }
            }
        }
    }
}

fn check(mesh: &VertexMesh) {
    for triangle in &mesh.triangles {
        assert!((triangle.skin as usize) < mesh.skins.len());
        for corner in triangle.corners {
            assert!((corner as usize) < mesh.points.len());
        }
    }
    assert!(mesh.points.iter().all(|point| point.is_finite()));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        data in prop::collection::vec(any::<u8>(), 0..200),
        version in prop::sample::select(vec![61u16, 65, 69]),
    ) {
        let mut made = MadePackage::new(version);
        let mut all = made.properties(&[]);
        all.extend(data);
        let object = MadeObject { data: all, ..MadeObject::default() };
        made.export("LodMesh", 0, "Box", object);
        if let Ok(mesh) = read(&made.bytes()) {
            check(&mesh);
        }
    }
}
