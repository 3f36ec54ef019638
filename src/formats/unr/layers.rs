//! Layers of an imported map, by what a mapper works on; each is made when something comes into it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::Draft;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;

/// What is in the layer of this name is no place where players can be: views of the whole map leave it out.
pub const SKY_LAYER: &str = "Sky zone";

/// In the order in which lists show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The solid world that rooms are carved from.
    Rock,
    /// Brushes that carve, where they are kept.
    Carving,
    /// Brushes that add.
    Brushes,
    /// Semisolid brushes.
    Details,
    /// What is seen and has no volume: sheets, water surfaces, decoration.
    Sheets,
    Movers,
    /// Volumes of water and the like.
    Water,
    Zones,
    Lights,
    Starts,
    /// What the game's players without a player find their way by.
    Paths,
    Models,
    Entities,
    SkyZone,
    /// What is seen where it is compiled as it is.
    Surfaces,
    /// What is solid there.
    Hulls,
    /// What is seen, for comparing.
    Original,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Self::Rock => "Rock",
            Self::Carving => "Carving brushes",
            Self::Brushes => "Brushes",
            Self::Details => "Details",
            Self::Sheets => "Sheets",
            Self::Movers => "Movers",
            Self::Water => "Water",
            Self::Zones => "Zones",
            Self::Lights => "Lights",
            Self::Starts => "Player starts",
            Self::Paths => "Path nodes",
            Self::Models => "Models",
            Self::Entities => "Entities",
            Self::SkyZone => SKY_LAYER,
            Self::Surfaces => "Surfaces",
            Self::Hulls => "Collision hulls",
            Self::Original => "Original surfaces",
        }
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    made: BTreeMap<Place, LayerId>,
}

impl Layers {
    pub fn of(&mut self, place: Place, draft: &mut Draft) -> LayerId {
        *self.made.entry(place).or_insert_with(|| {
            draft.insert_layer(Layer {
                rank: place as u32,
                ..Layer::new(LayerKind::Layer, place.name())
            })
        })
    }

    /// The layer as far as it was made.
    #[must_use]
    pub fn get(&self, place: Place) -> Option<LayerId> {
        self.made.get(&place).copied()
    }

    /// A new object of the world.
    pub fn insert(
        &mut self,
        place: Place,
        kind: Kind,
        flags: ObjectFlags,
        visgroups: Arc<[LayerId]>,
        draft: &mut Draft,
    ) -> ObjectId {
        let layer = self.of(place, draft);
        draft.insert(Object {
            layer: Some(layer),
            flags,
            visgroups,
            ..Object::new(kind)
        })
    }
}
