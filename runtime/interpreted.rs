//! The compiler's interpreter as a [`ParticleProgram`]: graphs that are compiled at run time.

use std::sync::Arc;

use pyrograph_compiler::interpret::{self, Failure, Instance, Uniforms};
use pyrograph_compiler::ir;

use crate::error::StepError;
use crate::program::{
    Camera, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile, RenderFacts,
};
use crate::random::Random;
use crate::texels::{Texels, TextureFacts};

/// One system of a compiled module, interpreted.
#[derive(Clone, Debug)]
pub struct Interpreted {
    instance: Instance,
    ordinal: u32,
}

impl Interpreted {
    /// All systems of a module, in file order.
    pub fn all(module: &Arc<ir::Valid<ir::Module>>) -> Vec<Self> {
        (0..module.programs.len())
            .filter_map(|index| {
                let instance = Instance::new(Arc::clone(module), index)?;
                Some(Self { instance, ordinal: u32::try_from(index).unwrap_or(u32::MAX) })
            })
            .collect()
    }

    /// The interpreter's own view: registers, columns that no [`Field`] names.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    fn error(&self, failure: Failure) -> StepError {
        let place = failure.origin.map_or_else(String::new, |origin| {
            format!("block {} {:?} ({})", origin.id, origin.name, origin.class)
        });
        StepError::new(self.name().to_owned(), place, failure.message)
    }
}

fn uniforms(frame: &Frame) -> Uniforms {
    Uniforms {
        delta: frame.delta,
        time: frame.time,
        emitter_matrix: frame.emitter,
        step: frame.step,
        seed: frame.seed,
        camera: frame.camera.map(|Camera { position, view, view_projection }| interpret::Camera {
            position,
            view,
            view_projection,
        }),
    }
}

impl From<Field> for ir::Field {
    fn from(field: Field) -> Self {
        match field {
            Field::Age => Self::Age,
            Field::LifeTime => Self::LifeTime,
            Field::Id => Self::Id,
            Field::Position(axis) => Self::Position(axis),
            Field::Direction(axis) => Self::Direction(axis),
            Field::Size => Self::Size,
            Field::Angle => Self::Angle,
            Field::Scale(axis) => Self::Scale(axis),
            Field::Color(channel) => Self::Color(channel),
            Field::CellIndex => Self::CellIndex,
        }
    }
}

impl From<&ir::RenderSpec> for RenderFacts {
    fn from(render: &ir::RenderSpec) -> Self {
        Self {
            blend_mode: render.blend_mode,
            billboard_mode: render.billboard_mode,
            is_billboard_based: render.is_billboard_based,
        }
    }
}

impl ParticleState for Interpreted {
    fn name(&self) -> &str {
        &self.instance.program().name
    }

    fn capacity(&self) -> u32 {
        self.instance.program().capacity
    }

    fn render(&self) -> RenderFacts {
        (&self.instance.program().render).into()
    }

    fn alive(&self) -> u32 {
        self.instance.alive() as u32
    }

    fn slots(&self) -> u32 {
        self.instance.slots() as u32
    }

    fn is_alive(&self, slot: u32) -> bool {
        self.instance.is_alive(slot as usize)
    }

    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        self.instance.value(slot as usize, field.into())
    }
}

impl ParticleProgram for Interpreted {
    type Particles<'a> = &'a Instance;

    fn ordinal(&self) -> u32 {
        self.ordinal
    }

    fn profile(&self) -> Profile {
        match self.instance.program().profile {
            ir::Profile::Exact => Profile::Exact,
            ir::Profile::Parallel => Profile::Parallel,
        }
    }

    fn emission(&self) -> EmissionFacts {
        let emission = &self.instance.program().emission;
        EmissionFacts {
            rate: emission.rate,
            update_speed: emission.update_speed,
            target_stop: emission.target_stop,
            manual_emit_count: emission.manual_emit_count,
            pre_warm_cycles: emission.pre_warm_cycles,
            pre_warm_step_offset: emission.pre_warm_step_offset,
        }
    }

    fn init<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<Option<f64>, StepError> {
        let result = self.instance.init(&uniforms(frame), &mut || random.next());
        result.map_err(|failure| self.error(failure))
    }

    fn prepare<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<(), StepError> {
        let result = self.instance.prepare(&uniforms(frame), &mut || random.next());
        result.map_err(|failure| self.error(failure))
    }

    fn emit_rate<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<Option<f64>, StepError> {
        let result = self.instance.emit_rate(&uniforms(frame), &mut || random.next());
        result.map_err(|failure| self.error(failure))
    }

    fn update<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<(), StepError> {
        let result = self.instance.update(&uniforms(frame), &mut || random.next());
        result.map_err(|failure| self.error(failure))
    }

    fn birth<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        count: u32,
        random: &mut R,
    ) -> Result<(), StepError> {
        let result = self.instance.birth(count, &uniforms(frame), &mut || random.next());
        result.map(|_| ()).map_err(|failure| self.error(failure))
    }

    fn textures(&self) -> Vec<TextureFacts<'_>> {
        let textures = self.instance.program().textures.iter();
        textures
            .map(|(_, texture)| TextureFacts {
                name: &texture.name,
                url: &texture.url,
                flip: texture.flip,
                bytes: None,
            })
            .collect()
    }

    fn set_texture(&mut self, index: usize, texels: Texels) {
        let data = Arc::clone(texels.data());
        let texels = interpret::Texels::new(texels.width(), texels.height(), data);
        self.instance.set_texture(ir::Handle::from_index(index), texels);
    }

    fn particles(&self) -> Self::Particles<'_> {
        &self.instance
    }

    fn clear(&mut self) {
        self.instance.clear();
    }
}
