//! Reads the columns of a GPU system in a shader, where its layout puts them.

use std::fmt::Write;

use pyrograph_compiler::emit::layout::Layout;
use pyrograph_compiler::emit::wgsl::{Resource, column_element, column_word};
use pyrograph_compiler::ir::{Field, Program, Storage};

use crate::picture::BillboardMode;
use crate::program::RenderFacts;

/// What a shader reads of a particle, by the names of its functions.
pub(super) const NAMES: [&str; 15] = [
    "position_x",
    "position_y",
    "position_z",
    "angle",
    "size",
    "scale_x",
    "scale_y",
    "cell",
    "color_r",
    "color_g",
    "color_b",
    "color_a",
    "direction_x",
    "direction_y",
    "direction_z",
];

/// The columns of a program, for a shader.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// A function for each of [`NAMES`], and one that gives the slot of an instance.
    pub(super) text: String,
    /// What has no column, in the order of [`NAMES`].
    pub(super) fixed: [f32; 16],
    /// What is bound in group 1, in order.
    pub(super) bindings: Vec<Resource>,
}

impl Columns {
    pub(super) fn new(program: &Program, layout: &Layout) -> Self {
        let mut columns =
            Self { text: String::new(), fixed: [0.0; 16], bindings: vec![Resource::Slots] };
        let mut functions = String::new();
        for ((index, name), field) in NAMES.iter().enumerate().zip(fields(program)) {
            let handle = program.field(field);
            let constant = handle.and_then(|handle| program.columns[handle].constant);
            let place = handle.and_then(|handle| Some((handle, layout.column(handle)?)));
            let value = match (constant, place) {
                (None, Some((handle, place))) => {
                    let buffer = columns.binding(Resource::Columns(place.buffer));
                    let word = column_word(place, &format!("buffer_{buffer}"), "slot");
                    match program.columns[handle].storage {
                        Storage::F32 | Storage::F64 => format!("bitcast<f32>({word})"),
                        Storage::U32 | Storage::U16 | Storage::U8 => format!("f32({word})"),
                    }
                }
                (constant, _) => {
                    columns.fixed[index] = constant.map_or(0.0, |value| value.to_f64() as f32);
                    format!("drawing.fixed[{}][{}]", index / 4, index % 4)
                }
            };
            let _ = writeln!(functions, "fn field_{name}(slot: u32) -> f32 {{ return {value}; }}");
        }
        for (index, resource) in columns.bindings.iter().enumerate() {
            let element = match resource {
                Resource::Columns(buffer) => column_element(layout, *buffer),
                _ => "u32",
            };
            let _ = writeln!(
                columns.text,
                "@group(1) @binding({index}) var<storage, read> buffer_{index}: array<{element}>;"
            );
        }
        columns.text += &functions;
        let list = layout.slots.list;
        let _ = writeln!(
            columns.text,
            "fn living_slot(instance: u32) -> u32 {{ return buffer_0[{list}u + instance]; }}"
        );
        columns
    }

    /// The number under which a buffer is bound.
    fn binding(&mut self, resource: Resource) -> usize {
        let found = self.bindings.iter().position(|bound| *bound == resource);
        found.unwrap_or_else(|| {
            self.bindings.push(resource);
            self.bindings.len() - 1
        })
    }

    /// The layout of group 1.
    pub(super) fn group_layout(&self, device: &wgpu::Device) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = (0..self.bindings.len() as u32)
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::VERTEX,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: true },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pyrograph columns"),
            entries: &entries,
        })
    }
}

/// The fields of [`NAMES`]. A quad that stands across its direction has the first one, where that is
/// kept.
fn fields(program: &Program) -> [Field; 15] {
    use Field::{Angle, CellIndex, Color, Direction, InitialDirection, Position, Scale, Size};
    let mode = RenderFacts::from(&program.render).mode();
    let is_initial =
        mode == BillboardMode::Directed && program.field(InitialDirection(0)).is_some();
    let direction = if is_initial { InitialDirection } else { Direction };
    let [x, y, z] = [0, 1, 2].map(direction);
    [
        Position(0),
        Position(1),
        Position(2),
        Angle,
        Size,
        Scale(0),
        Scale(1),
        CellIndex,
        Color(0),
        Color(1),
        Color(2),
        Color(3),
        x,
        y,
        z,
    ]
}
