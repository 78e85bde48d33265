//! The state of the program being lowered: columns, registers, uniforms and functions by name.

use indexmap::{IndexMap, IndexSet};

use super::Error;
use super::context::{KnownBlocks, Shapes};
use super::count::Code;

use crate::graph::kind::TextureSource;
use crate::graph::{Block, BlockIndex};
use crate::ir::{
    Arena, Column, Const, DrawSite, Field, Function, Handle, Input, Origin, Profile, Register,
    Storage, Table, Texture, Uniform, UniformSource,
};

/// Arenas of a program while its bodies are built. Asking twice for one name gives one item.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) profile: Profile,
    pub(crate) columns: Arena<Column>,
    pub(crate) registers: Arena<Register>,
    pub(crate) inputs: Arena<Input>,
    pub(crate) uniforms: Arena<Uniform>,
    pub(crate) tables: Arena<Table>,
    pub(crate) textures: Arena<Texture>,
    pub(crate) sites: Arena<DrawSite>,
    pub(crate) functions: Arena<Function>,
    pub(crate) origins: Arena<Origin>,
    /// OncePerParticle blocks that every birth has drawn, with the shapes that are kept: updates only
    /// load them.
    pub(crate) born: IndexMap<BlockIndex, Shapes>,
    /// OncePerParticle blocks that a system body reads, with the shapes that are kept.
    pub(crate) system_draws: IndexMap<BlockIndex, Shapes>,
    /// What the `prepare` body computes: the number of the first result, and the shapes.
    pub(crate) prepared: IndexMap<Prepared, (u32, Shapes)>,
    /// Strengths of noise blocks that are constants.
    pub(crate) strengths: IndexMap<BlockIndex, [f64; 3]>,
    /// The blocks that the inputs come from.
    pub(crate) input_blocks: IndexMap<BlockIndex, Handle<Input>>,
    /// Of blocks: whether nothing behind them says anything about a particle.
    pub(crate) free_of_particles: KnownBlocks,
    /// What was refused while lowering went on.
    pub(crate) errors: Vec<Error>,
    /// What this system and those before it have become.
    pub(crate) code: Code,
    origin_blocks: IndexSet<BlockIndex>,
    column_names: IndexMap<String, Handle<Column>>,
    register_names: IndexMap<String, Handle<Register>>,
    uniform_sources: IndexMap<UniformSource, Handle<Uniform>>,
    table_names: IndexMap<String, Handle<Table>>,
    texture_blocks: IndexMap<BlockIndex, Handle<Texture>>,
    site_names: IndexMap<(String, u8), Handle<DrawSite>>,
    /// Blocks in traversal order: their ordinals key the draws of Parallel and name the columns.
    blocks: IndexSet<BlockIndex>,
    occurrences: u32,
    /// Occurrences that a particle draws once, by name.
    once: IndexMap<&'static str, u32>,
}

/// Something that is computed once a call, before anything reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Prepared {
    /// The value of a block that gives one value a call.
    Value(BlockIndex),
    /// The strength of a noise block, which was evaluated while building.
    Strength(BlockIndex),
    /// The nine elements of the inverse emitter matrix that transform normals.
    InverseEmitter,
}

const AXES: [&str; 4] = ["x", "y", "z", "w"];
const CHANNELS: [&str; 4] = ["r", "g", "b", "a"];

impl State {
    pub(crate) fn new(profile: Profile, blocks: IndexSet<BlockIndex>, code: Code) -> Self {
        Self { profile, blocks, code, ..Self::default() }
    }

    /// The block's place in traversal order.
    pub(crate) fn ordinal(&self, index: BlockIndex) -> u32 {
        self.blocks.get_index_of(&index).map_or(u32::MAX, |at| at as u32)
    }

    /// Whether the block belongs to the system.
    pub(crate) fn has_block(&self, index: BlockIndex) -> bool {
        self.blocks.contains(&index)
    }

    /// Numbers the places in the code that draw without a lock.
    pub(crate) fn next_occurrence(&mut self) -> u32 {
        self.occurrences += 1;
        self.occurrences - 1
    }

    /// The occurrence that has this name.
    pub(crate) fn once(&mut self, name: &'static str) -> u32 {
        if let Some(&number) = self.once.get(name) {
            return number;
        }
        let number = self.next_occurrence();
        self.once.insert(name, number);
        number
    }

    /// The column of a field, with the storage that spec section 4.1 gives it.
    pub(crate) fn field(&mut self, field: Field) -> Handle<Column> {
        let axis = |axis: u8| AXES[usize::from(axis)];
        let (name, storage) = match field {
            Field::Age => ("age".into(), Storage::F64),
            Field::LifeTime => ("lifeTime".into(), Storage::F64),
            Field::Id => ("id".into(), Storage::U32),
            Field::Position(index) => (format!("position.{}", axis(index)), Storage::F32),
            Field::Direction(index) => (format!("direction.{}", axis(index)), Storage::F32),
            Field::Size => ("size".into(), Storage::F32),
            Field::Angle => ("angle".into(), Storage::F32),
            Field::Scale(index) => (format!("scale.{}", axis(index)), Storage::F32),
            Field::Color(index) => {
                (format!("color.{}", CHANNELS[usize::from(index)]), Storage::F32)
            }
            Field::CellIndex => ("cellIndex".into(), Storage::U16),
            Field::InitialDirection(index) => (format!("initialDir.{}", axis(index)), Storage::F32),
        };
        self.named_column(name, storage, Some(field))
    }

    /// A column that has no meaning outside the program.
    pub(crate) fn column(&mut self, name: impl Into<String>, storage: Storage) -> Handle<Column> {
        self.named_column(name.into(), storage, None)
    }

    /// The four columns of colour change (spec section 4.1).
    pub(crate) fn color_step(&mut self, channel: usize) -> Handle<Column> {
        self.column(format!("colorStep.{}", CHANNELS[channel]), Storage::F32)
    }

    /// The columns of source InitialColor (spec section 4.3).
    pub(crate) fn initial_color(&mut self, channel: usize) -> Handle<Column> {
        self.column(format!("initialColor.{}", CHANNELS[channel]), Storage::F32)
    }

    /// The columns of source ColorDead (spec section 4.3).
    pub(crate) fn dead_color(&mut self, channel: usize) -> Handle<Column> {
        self.column(format!("colorDead.{}", CHANNELS[channel]), Storage::F32)
    }

    /// The columns of source LocalPositionUpdated (spec section 4.3).
    pub(crate) fn local_position(&mut self, axis: usize) -> Handle<Column> {
        self.column(format!("localPosition.{}", AXES[axis]), Storage::F32)
    }

    /// The columns of source InitialDirection (spec section 4.3).
    pub(crate) fn initial_direction(&mut self, axis: usize) -> Handle<Column> {
        self.field(Field::InitialDirection(axis as u8))
    }

    fn named_column(
        &mut self,
        name: String,
        storage: Storage,
        field: Option<Field>,
    ) -> Handle<Column> {
        // Parallel has no f64 in particle state.
        let storage = match (self.profile, storage) {
            (Profile::Parallel, Storage::F64) => Storage::F32,
            (Profile::Exact | Profile::Parallel, storage) => storage,
        };
        if let Some(&found) = self.column_names.get(&name) {
            return found;
        }
        let column = Column { name: name.clone(), storage, field, constant: None };
        let column = self.columns.push(column);
        self.column_names.insert(name, column);
        column
    }

    pub(crate) fn table(&mut self, name: String, values: &[f64]) -> Handle<Table> {
        *self.table_names.entry(name).or_insert_with_key(|name| {
            self.code.add_data(8 * values.len());
            self.tables.push(Table { name: name.clone(), values: values.to_vec() })
        })
    }

    /// The picture of a TextureSource block as updates read it: here a data URL comes before an
    /// address (spec section 9.20).
    pub(crate) fn texture(&mut self, block: BlockIndex, source: &TextureSource) -> Handle<Texture> {
        let name = format!("texture.{}", self.ordinal(block));
        *self.texture_blocks.entry(block).or_insert_with(|| {
            let url = if source.data_url.is_empty() { &source.url } else { &source.data_url };
            self.code.add_data(url.len());
            self.textures.push(Texture { name, url: url.clone(), flip: source.invert_y })
        })
    }

    pub(crate) fn register(&mut self, name: String, initial: Const) -> Handle<Register> {
        if let Some(&found) = self.register_names.get(&name) {
            return found;
        }
        let register = self.registers.push(Register { name: name.clone(), initial });
        self.register_names.insert(name, register);
        register
    }

    /// The register of that name, if there is one.
    pub(crate) fn known_register(&self, name: &str) -> Option<Handle<Register>> {
        self.register_names.get(name).copied()
    }

    pub(crate) fn uniform(&mut self, source: UniformSource) -> Handle<Uniform> {
        if let Some(&found) = self.uniform_sources.get(&source) {
            return found;
        }
        let uniform = {
            let name = match source {
                UniformSource::Delta => "delta".into(),
                UniformSource::Time => "time".into(),
                UniformSource::EmitterPosition(axis) => {
                    format!("emitterPosition.{}", AXES[usize::from(axis)])
                }
                UniformSource::EmitterMatrix(element) => format!("emitterMatrix.{element}"),
                UniformSource::Step => "step".into(),
                UniformSource::Seed => "seed".into(),
                UniformSource::Prepared(index) => format!("prepared.{index}"),
                UniformSource::Input(input, component) => {
                    let Input { name, initial, .. } = &self.inputs[input];
                    let parts = if initial.len() > 3 { CHANNELS } else { AXES };
                    match initial.len() {
                        1 => format!("input.{name}"),
                        _ => format!("input.{name}.{}", parts[usize::from(component)]),
                    }
                }
                UniformSource::HasCamera => "hasCamera".into(),
                UniformSource::CameraPosition(axis) => {
                    format!("cameraPosition.{}", AXES[usize::from(axis)])
                }
                UniformSource::View(element) => format!("view.{element}"),
                UniformSource::ViewProjection(element) => format!("viewProjection.{element}"),
                UniformSource::TextureWidth(texture) => {
                    format!("{}.width", self.textures[texture].name)
                }
                UniformSource::TextureHeight(texture) => {
                    format!("{}.height", self.textures[texture].name)
                }
            };
            self.uniforms.push(Uniform { name, source })
        };
        self.uniform_sources.insert(source, uniform);
        uniform
    }

    pub(crate) fn site(&mut self, name: String, components: usize) -> Handle<DrawSite> {
        let components = u8::try_from(components).unwrap_or(u8::MAX);
        let key = (name, components);
        if let Some(&found) = self.site_names.get(&key) {
            return found;
        }
        let site = self.sites.push(DrawSite { name: key.0.clone(), components });
        self.site_names.insert(key, site);
        site
    }

    /// The function of that name, made by the callback the first time.
    pub(crate) fn function(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut Self) -> Function,
    ) -> Handle<Function> {
        let found = self.functions.find(|function| function.name == name);
        found.unwrap_or_else(|| {
            let function = make(self);
            self.functions.push(function)
        })
    }

    pub(crate) fn origin(&mut self, index: BlockIndex, block: &Block) -> Handle<Origin> {
        if let Some(at) = self.origin_blocks.get_index_of(&index) {
            return Handle::from_index(at);
        }
        self.origin_blocks.insert(index);
        self.origins.push(Origin {
            id: block.id,
            name: block.short_name(),
            class: block.class.clone(),
        })
    }
}
