//! Texture packages and how their names are found.
