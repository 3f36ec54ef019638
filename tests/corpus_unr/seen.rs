//! Polygons that are seen: areas, boxes, texture coordinates, original light.
