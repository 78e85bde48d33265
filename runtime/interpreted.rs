//! The compiler's interpreter as a [`ParticleProgram`]: graphs that are compiled at run time.

use std::sync::Arc;

use pyrograph_compiler::interpret::{self, Failure, Instance, Uniforms};
use pyrograph_compiler::ir;

use crate::error::StepError;
use crate::inputs::InputFacts;
use crate::memory::{Loader, Saver};
use crate::program::{
    Camera, Column, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile,
    RenderFacts,
};
use crate::random::Random;
use crate::texels::{Texels, TextureFacts};
use crate::threads::Executor;

/// One system of a compiled module, interpreted.
#[derive(Clone, Debug)]
pub struct Interpreted {
    instance: Instance,
    ordinal: u32,
    fingerprint: u64,
}

impl Interpreted {
    /// All systems of a module, in file order.
    pub fn all(module: &Arc<ir::Valid<ir::Module>>) -> Vec<Self> {
        (0..module.programs.len())
            .filter_map(|index| {
                let instance = Instance::new(Arc::clone(module), index)?;
                let fingerprint = instance.program().fingerprint();
                let ordinal = u32::try_from(index).unwrap_or(u32::MAX);
                Some(Self { instance, ordinal, fingerprint })
            })
            .collect()
    }

    /// The columns that generated code keeps as arrays.
    fn stored_columns(&self) -> impl Iterator<Item = (ir::Handle<ir::Column>, ir::Storage)> {
        let columns = self.instance.program().columns.iter();
        columns
            .filter(|(_, column)| column.constant.is_none())
            .map(|(handle, column)| (handle, column.storage))
    }

    /// The interpreter's own view: registers, columns that no [`Field`] names.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The instance, for tools that run it in other ways: see
    /// [`set_fused`](Instance::set_fused) and [`set_noise`](Instance::set_noise).
    pub fn instance_mut(&mut self) -> &mut Instance {
        &mut self.instance
    }

    fn error(&self, failure: Failure) -> StepError {
        let place = failure.origin.map_or_else(String::new, |origin| {
            format!("block {} {:?} ({})", origin.id, origin.name, origin.class)
        });
        StepError::new(self.name().to_owned(), place, failure.message)
    }
}

/// The bits of an integer column.
fn uint(element: ir::Const) -> u32 {
    match element {
        ir::Const::Uint(value) => value,
        ir::Const::Bool(value) => u32::from(value),
        ir::Const::Float(value) => value as u32,
    }
}

/// A column of floats, filled by `fill`.
fn floats<T: Copy + Default + Into<f64>>(
    length: usize,
    fill: impl FnOnce(&mut [T]),
) -> Vec<ir::Const> {
    let mut elements = vec![T::default(); length];
    fill(&mut elements);
    elements.into_iter().map(|element| ir::Const::Float(element.into())).collect()
}

/// A column of integers, filled by `fill`.
fn uints<T: Copy + Default + Into<u32>>(
    length: usize,
    fill: impl FnOnce(&mut [T]),
) -> Vec<ir::Const> {
    let mut elements = vec![T::default(); length];
    fill(&mut elements);
    elements.into_iter().map(|element| ir::Const::Uint(element.into())).collect()
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
            Field::InitialDirection(axis) => Self::InitialDirection(axis),
        }
    }
}

/// Where the host finds the picture that a program draws.
pub(crate) fn drawn_picture(program: &ir::Program) -> Option<TextureFacts<'_>> {
    let ir::Picture { url, flip } = program.render.picture.as_ref()?;
    Some(TextureFacts { name: "picture", url, flip: *flip, bytes: None })
}

impl From<&ir::RenderSpec> for RenderFacts {
    fn from(render: &ir::RenderSpec) -> Self {
        Self {
            blend_mode: render.blend_mode,
            billboard_mode: render.billboard_mode,
            is_billboard_based: render.is_billboard_based,
            is_local: render.is_local,
            translation_pivot: render.translation_pivot,
            texture_mask: render.texture_mask,
            rendering_group_id: render.rendering_group_id,
            sheet: render.sheet,
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

    fn picture(&self) -> Option<TextureFacts<'_>> {
        drawn_picture(self.instance.program())
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
            start_delay: emission.start_delay,
            do_no_start: emission.do_no_start,
            dispose_on_stop: emission.dispose_on_stop,
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

    fn advance<R: Random + ?Sized, E: Executor>(
        &mut self,
        frame: &Frame,
        births: u32,
        random: &mut R,
        _: &E,
    ) -> Result<(), StepError> {
        let (uniforms, mut draw) = (uniforms(frame), || random.next());
        let result = self.instance.update(&uniforms, &mut draw).and_then(|()| {
            if births == 0 {
                return Ok(());
            }
            self.instance.birth(births, &uniforms, &mut draw).map(|_| ())
        });
        result.map_err(|failure| self.error(failure))
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

    fn input(&self, index: usize) -> Option<InputFacts<'_>> {
        let input = self.instance.program().inputs.get(ir::Handle::from_index(index))?;
        Some(InputFacts { name: &input.name, block: &input.block, initial: &input.initial })
    }

    fn input_numbers(&self, index: usize) -> &[f64] {
        self.instance.input(ir::Handle::from_index(index))
    }

    fn set_input_numbers(&mut self, index: usize, numbers: &[f64]) {
        self.instance.set_input(ir::Handle::from_index(index), numbers);
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn save(&self, saver: &mut Saver<'_>) {
        let instance = &self.instance;
        // Ids wrap like the column that keeps them.
        let next_id = instance.born() as u32;
        let flags: Vec<u8> =
            (0..instance.slots()).map(|slot| u8::from(instance.is_alive(slot))).collect();
        let slots = match self.profile() {
            Profile::Exact => saver.dense(self.alive(), next_id),
            Profile::Parallel => saver.sparse(&flags, self.alive(), next_id),
        };
        for register in instance.registers() {
            match *register {
                ir::Const::Float(value) => saver.float(value),
                ir::Const::Uint(value) => saver.uint(value),
                ir::Const::Bool(value) => saver.bool(value),
            }
        }
        for (handle, _) in instance.program().inputs.iter() {
            instance.input(handle).iter().for_each(|&number| saver.float(number));
        }
        for (column, storage) in self.stored_columns() {
            let floats = instance.elements(column).iter().map(|element| element.to_f64());
            let uints = instance.elements(column).iter().map(|&element| uint(element));
            match storage {
                ir::Storage::F64 => {
                    saver.column(&slots, Column::F64(&floats.collect::<Vec<_>>()));
                }
                ir::Storage::F32 => {
                    let elements: Vec<f32> = floats.map(|value| value as f32).collect();
                    saver.column(&slots, Column::F32(&elements));
                }
                ir::Storage::U32 => saver.column(&slots, Column::U32(&uints.collect::<Vec<_>>())),
                ir::Storage::U16 => {
                    let elements: Vec<u16> = uints.map(|value| value as u16).collect();
                    saver.column(&slots, Column::U16(&elements));
                }
                ir::Storage::U8 => {
                    let elements: Vec<u8> = uints.map(|value| value as u8).collect();
                    saver.column(&slots, Column::U8(&elements));
                }
            }
        }
    }

    fn load(&mut self, loader: &mut Loader<'_>) {
        let counts = loader.counts();
        let slots = counts.slots as usize;
        let mut flags = vec![0; slots];
        loader.flags(&mut flags);
        let registers = self.instance.registers().iter().map(|register| match register {
            ir::Const::Float(_) => ir::Const::Float(loader.float()),
            ir::Const::Uint(_) => ir::Const::Uint(loader.uint()),
            ir::Const::Bool(_) => ir::Const::Bool(loader.bool()),
        });
        let registers = registers.collect();
        let inputs = self.instance.program().inputs.iter();
        let inputs = inputs
            .map(|(_, input)| input.initial.iter().map(|_| loader.float()).collect())
            .collect();
        // Slot 0 exists always.
        let length = slots.max(1);
        let columns = self.instance.program().columns.iter().map(|(_, column)| {
            match (column.constant, column.storage) {
                (Some(constant), _) => vec![constant; length],
                (None, ir::Storage::F64) => floats(length, |elements| loader.f64(elements)),
                (None, ir::Storage::F32) => floats(length, |elements| loader.f32(elements)),
                (None, ir::Storage::U32) => uints(length, |elements| loader.u32(elements)),
                (None, ir::Storage::U16) => uints(length, |elements| loader.u16(elements)),
                (None, ir::Storage::U8) => uints(length, |elements| loader.u8(elements)),
            }
        });
        let columns = columns.collect();
        self.instance.set_memory(interpret::Memory {
            alive: counts.alive as usize,
            next_id: u64::from(counts.next_id),
            live: flags.iter().map(|&flag| flag != 0).collect(),
            registers,
            inputs,
            columns,
        });
    }

    fn particles(&self) -> Self::Particles<'_> {
        &self.instance
    }

    fn clear(&mut self) {
        self.instance.clear();
    }
}
