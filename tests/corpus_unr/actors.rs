//! Entities, lights, zones and movers.
