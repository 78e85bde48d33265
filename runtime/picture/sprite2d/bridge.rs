//! A system as the sprites of layers.

use super::error::{BridgeError, Operation};
use super::layer::{Layer, Presentation, Sprite, View};
use super::mapping::Mapping;
use crate::picture::{Atlas, Blending, FrameError, Image, passes};
use crate::program::{Column, Field, ParticleState};

/// How a bridge is created. Capacity, blending and the pivot of its layers are its own affair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Where the world lies in pixels.
    pub mapping: Mapping,
    /// Exact blend modes, or the plain table, which has no multiplication.
    pub blending: Blending,
    /// Factor on the alpha of all sprites.
    pub opacity: f64,
    /// Whether the layers are drawn.
    pub visible: bool,
    /// Layers of lower order are drawn first.
    pub order: f64,
    /// What the layers are looked at through.
    pub view: View,
}

/// A pixel a unit, y up, plain blending, as layers are by themselves.
impl Default for Options {
    fn default() -> Self {
        let Presentation { opacity, visible, order, view, .. } = Presentation::default();
        let mapping = Mapping::default();
        Self { mapping, blending: Blending::Plain, opacity, visible, order, view }
    }
}

/// The layers of a system: one, or with exact blend modes two where the mode is MultiplyAdd, the
/// multiplied one first.
///
/// A bridge does not hold its system; it is given it at each [`sync`](Self::sync).
#[derive(Clone, Debug)]
pub struct Bridge {
    /// Where the world lies in pixels.
    pub mapping: Mapping,
    blending: Blending,
    layers: Vec<Layer>,
}

impl Bridge {
    /// The layers of a system, with its picture; without sprites until they are synchronized. The blend
    /// mode is that of the system's program.
    ///
    /// # Errors
    /// The picture is missing or has no pixels, or the mapping is not finite.
    pub fn new<S: ParticleState + ?Sized>(
        system: &S,
        image: Option<&Image>,
        options: &Options,
    ) -> Result<Self, BridgeError> {
        let image = image.filter(|image| image.width() > 0 && image.height() > 0);
        let image = image.ok_or(BridgeError::NoTexture)?;
        options.mapping.check(Operation::Create)?;
        let facts = system.render();
        let atlas = Atlas::new(facts.sheet, image.width(), image.height());
        let &Options { mapping, blending, opacity, visible, order, view } = options;
        let shown = Presentation { opacity, visible, order, view, ..Presentation::default() };
        let layer = |&pass| Layer::new(atlas, pass, system.capacity(), shown);
        let layers = passes(facts.blend_mode, blending).iter().map(layer).collect();
        Ok(Self { mapping, blending, layers })
    }

    /// The layers in the order in which they are drawn. They stay together: all have the order of the
    /// first.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The layers, to upload what is dirty.
    pub fn layers_mut(&mut self) -> &mut [Layer] {
        &mut self.layers
    }

    /// How the layers are shown, as of the next [`sync`](Self::sync). It is the first layer's; the
    /// others follow.
    pub fn presentation_mut(&mut self) -> &mut Presentation {
        // Every table of passes has an entry.
        &mut self.layers[0].presentation
    }

    /// Packs all living particles into every layer.
    ///
    /// Nothing is allocated once there were as many particles before. What were sprites and are none any more is cleared. Where anything has
    /// changed, each layer has one dirty range, from 0 to the larger of the two counts.
    ///
    /// # Errors
    /// The mapping is not finite, somebody else's sprites are in a layer, or a particle shows a cell
    /// beyond the last. Sprites are as they were.
    pub fn sync<S: ParticleState + ?Sized>(&mut self, system: &S) -> Result<(), BridgeError> {
        let operation = match self.blending {
            Blending::Plain => Operation::Sync,
            Blending::Exact => Operation::SyncExact,
        };
        self.mapping.check(operation)?;
        if self.layers.iter().any(Layer::has_handles) {
            return Err(BridgeError::Handles(operation));
        }
        let mapping = self.mapping;
        let Some((first, others)) = self.layers.split_first_mut() else { return Ok(()) };
        let atlas = *first.atlas();
        let source = Source::new(system, atlas);
        source.check()?;
        let sprites = source.slots().map(|slot| source.sprite(slot, &mapping).to_words());
        first.refill(system.alive(), sprites);
        for other in others {
            other.presentation = first.presentation;
            other.copy(first);
        }
        Ok(())
    }
}

/// The columns that sprites are made of.
struct Source<'a, S: ?Sized> {
    system: &'a S,
    atlas: Atlas,
    has_sheet: bool,
    position: [Option<Column<'a>>; 2],
    size: Option<Column<'a>>,
    scale: [Option<Column<'a>>; 2],
    angle: Option<Column<'a>>,
    color: [Option<Column<'a>>; 4],
    cell: Option<Column<'a>>,
}

impl<'a, S: ParticleState + ?Sized> Source<'a, S> {
    fn new(system: &'a S, atlas: Atlas) -> Self {
        Self {
            system,
            atlas,
            has_sheet: system.render().sheet.is_some(),
            position: [0, 1].map(|axis| system.column(Field::Position(axis))),
            size: system.column(Field::Size),
            scale: [0, 1].map(|axis| system.column(Field::Scale(axis))),
            angle: system.column(Field::Angle),
            color: [0, 1, 2, 3].map(|channel| system.column(Field::Color(channel))),
            cell: system.column(Field::CellIndex),
        }
    }

    /// Living slots, in their order.
    fn slots(&self) -> impl Iterator<Item = u32> {
        (0..self.system.slots()).filter(|&slot| self.system.is_alive(slot))
    }

    /// A number of a particle; 0 where the program does not keep it.
    fn read(&self, column: Option<Column<'a>>, slot: u32, field: Field) -> f64 {
        let value = match column {
            Some(column) => column.get(slot),
            None => self.system.value(slot, field),
        };
        value.unwrap_or(0.0)
    }

    /// The cell of a particle; 0 where the picture is no sheet.
    fn frame(&self, slot: u32) -> f64 {
        if self.has_sheet { self.read(self.cell, slot, Field::CellIndex) } else { 0.0 }
    }

    /// Fails where a particle shows a cell beyond the last.
    fn check(&self) -> Result<(), FrameError> {
        if !self.has_sheet {
            return Ok(());
        }
        let frames = self.atlas.frames();
        let is_beyond = |frame: &f64| !(0.0..f64::from(frames)).contains(frame);
        match self.slots().map(|slot| self.frame(slot)).find(is_beyond) {
            Some(frame) => Err(FrameError { frame, frames }),
            None => Ok(()),
        }
    }

    fn sprite(&self, slot: u32, mapping: &Mapping) -> Sprite {
        let read = |column, field| self.read(column, slot, field);
        let axis = |axis: usize| axis as u8;
        let position = [0, 1].map(|at| read(self.position[at], Field::Position(axis(at))));
        let scale = [0, 1].map(|at| read(self.scale[at], Field::Scale(axis(at))));
        let size = mapping.size(read(self.size, Field::Size), scale);
        let [uv_start, uv_end] = Layer::corners(&self.atlas, self.frame(slot) as u32);
        let color = [0, 1, 2, 3].map(|at| read(self.color[at], Field::Color(axis(at))) as f32);
        Sprite {
            position: mapping.position(position).map(|pixel| pixel as f32),
            size: size.map(|side| side as f32),
            uv_start,
            uv_end,
            rotation: mapping.rotation(read(self.angle, Field::Angle)) as f32,
            color,
        }
    }
}
