//! Counts of the raw reader.
