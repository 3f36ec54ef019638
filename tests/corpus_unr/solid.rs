//! Convex pieces of what is solid, checked against the file's own BSP.
