//! A map of Unreal Engine 1 without a BSP: a room, a pillar in it from floor to ceiling, and a light.

use super::made_package::MadeObject;
use super::made_package::MadePackage;
use super::made_package::MadeValue;
use super::made_package::compact;

/// Half of the sides, in the map's axes: the third is up.
pub const ROOM: [f32; 3] = [256.0, 192.0, 128.0];
pub const PILLAR: [f32; 3] = [16.0, 24.0, 128.0];

const ADD: u8 = 1;
const SUBTRACT: u8 = 2;

fn floats(numbers: [f32; 3]) -> [u8; 12] {
    let bytes = numbers.map(f32::to_le_bytes);
    std::array::from_fn(|at| bytes[at / 4][at % 4])
}

fn object(data: Vec<u8>) -> MadeObject {
    MadeObject {
        data,
        ..MadeObject::default()
    }
}

/// The sides of a box around the origin, corners counter-clockwise about the normal.
fn polygons(half: [f32; 3]) -> Vec<u8> {
    let mut data = compact(0);
    data.extend([6, 0, 0, 0, 6, 0, 0, 0]);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let unit = |axis: usize, length: f32| {
                let mut unit = [0.0; 3];
                unit[axis] = length;
                unit
            };
            let mut corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            if side < 0.0 {
                corners.reverse();
            }
            let corners = corners.map(|[along, up]| {
                let mut at = unit(axis, side * half[axis]);
                (at[u], at[v]) = (along * half[u], up * half[v]);
                at
            });
            data.extend(compact(4));
            for numbers in [corners[0], unit(axis, side), unit(u, 1.0), unit(v, 1.0)] {
                data.extend(floats(numbers));
            }
            data.extend(corners.into_iter().flat_map(floats));
            // Flags, no actor, no texture, no name, no link, its number, no pan.
            data.extend([0, 0, 0, 0, 0, 0, 0, 0x81]);
            data.extend(compact(2 * axis as i32 + i32::from(side > 0.0)));
            data.extend([0; 4]);
        }
    }
    data
}

/// A model without a tree.
fn model(polygons: i32) -> Vec<u8> {
    let mut data = compact(0);
    data.extend([0; 25 + 16]);
    // Five empty lists, shared sides, zones.
    data.extend([0; 5 + 4 + 4]);
    data.extend(compact(polygons));
    data.extend([0; 6 + 8]);
    data
}

fn brush(package: &mut MadePackage, name: &str, operation: u8, half: [f32; 3]) -> i32 {
    let shape = package.export("Polys", 0, &format!("{name}Polys"), object(polygons(half)));
    let shape = package.export("Model", 0, &format!("{name}Model"), object(model(shape)));
    let properties = package.properties(&[
        ("Brush", MadeValue::Object(shape)),
        ("CsgOper", MadeValue::Byte(operation)),
    ]);
    package.export("Brush", 0, name, object(properties))
}

/// The whole file, of version 69.
pub fn room() -> Vec<u8> {
    let mut package = MadePackage::new(69);
    package.import("Package", 0, "Engine");
    let info = package.properties(&[]);
    let info = package.export("LevelInfo", 0, "LevelInfo0", object(info));
    let room = brush(&mut package, "Room", SUBTRACT, ROOM);
    let pillar = brush(&mut package, "Pillar", ADD, PILLAR);
    let light = package.properties(&[("LightBrightness", MadeValue::Byte(200))]);
    let light = package.export("Light", 0, "Light0", object(light));
    let world = package.export("Model", 0, "World", object(model(0)));
    let slots = [info, room, pillar, light];
    let mut data = compact(0);
    data.extend((slots.len() as i32).to_le_bytes());
    data.extend([0; 4]);
    data.extend(slots.into_iter().flat_map(compact));
    // Four texts, no options, port and validity.
    data.extend([0; 4 + 1 + 8]);
    data.extend(compact(world));
    // No reach specs, the time, the first deleted actor, text blocks, no travel info.
    data.extend([0; 1 + 4 + 1 + 16 + 1]);
    package.export("Level", 0, "MyLevel", object(data));
    package.bytes()
}
