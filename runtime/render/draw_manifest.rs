//! What a host with another API than wgpu must know to draw a system from its columns.

use pyrograph_compiler::emit::wgsl::{Manifest, Resource};
use pyrograph_compiler::ir::Program;

use super::columns::Columns;
use super::shaders::{self, Source};
use super::uniform::{self, WORDS};
use crate::picture::{Blend, Blending, passes};
use crate::program::RenderFacts;

/// The shaders of [`GpuRenderer`](super::GpuRenderer) for one program, and how to feed them: a host
/// with another API than wgpu (a page with WebGPU) draws what that draws.
///
/// The host draws two triangles an instance without vertex buffers, culling or depth writes, indirectly
/// from the first words of [`Resource::Control`]; once with each of [`passes`](Self::passes). It binds
///
/// | group | binding | what | seen by |
/// | --- | --- | --- | --- |
/// | 0 | 0 | the uniform block, [`block`](Self::block) | vertex, fragment |
/// | 0 | 1 | the picture, a 2D texture that can be filtered | fragment |
/// | 0 | 2 | its sampler, which repeats | fragment |
/// | 1 | k | number k of [`bindings`](Self::bindings), as storage that is only read | vertex |
#[derive(Clone, Debug, PartialEq)]
pub struct DrawManifest {
    /// One for each time that all quads are drawn, in order.
    pub passes: Vec<DrawPass>,
    /// The buffers of group 1.
    pub bindings: Vec<Resource>,
    /// First contents of the uniform block, little-endian when uploaded: what neither a camera nor a
    /// picture nor an emitter decides.
    pub block: [f32; WORDS],
    /// What the host writes into the block.
    pub members: Vec<Member>,
}

/// One drawing of all quads.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawPass {
    /// The shader, with the entry points `vertex` and `fragment`.
    pub wgsl: String,
    /// How its colours are added to what is there.
    pub blend: Blend,
}

/// A part of the uniform block that a host writes.
///
/// | name | numbers | what |
/// | --- | --- | --- |
/// | `viewProjection` | 16 | projection times view, column-major, of a left-handed camera; depth from 0 to 1 |
/// | `right` | 3 | one unit to the right on the screen, in the world |
/// | `up` | 3 | one unit up on the screen, in the world |
/// | `eye` | 3 | place of the camera in the world |
/// | `cell` | 2 | width and height of a cell as parts of the picture's, see [`Atlas::cell`]; sheets only |
/// | `columns` | 1 | cells in a row, see [`Atlas::columns`]; sheets only |
/// | `local` | 12 | first three columns of the emitter's matrix; local systems only |
///
/// [`Atlas::cell`]: crate::picture::Atlas::cell
/// [`Atlas::columns`]: crate::picture::Atlas::columns
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Where it begins, in words of four bytes.
    pub word: usize,
}

impl DrawManifest {
    /// How to draw a program with the buffers that this manifest of its kernels describes.
    #[must_use]
    pub fn new(program: &Program, kernels: &Manifest, blending: Blending) -> Self {
        let facts = RenderFacts::from(&program.render);
        let Columns { text, fixed, bindings } = Columns::new(program, &kernels.layout);
        let passes = passes(facts.blend_mode, blending).iter().map(|pass| DrawPass {
            wgsl: shaders::source(Source::Columns(&text), facts.mode(), pass, false),
            blend: pass.blend,
        });
        Self {
            passes: passes.collect(),
            bindings,
            block: uniform::constant_words(&facts, &fixed),
            members: members(&facts),
        }
    }
}

fn members(facts: &RenderFacts) -> Vec<Member> {
    let mut members = vec![
        Member { name: "viewProjection", word: uniform::VIEW_PROJECTION },
        Member { name: "right", word: uniform::RIGHT },
        Member { name: "up", word: uniform::UP },
        Member { name: "eye", word: uniform::EYE },
    ];
    if facts.sheet.is_some() {
        members.push(Member { name: "cell", word: uniform::CELL });
        members.push(Member { name: "columns", word: uniform::COLUMNS });
    }
    if facts.is_local {
        members.push(Member { name: "local", word: uniform::LOCAL });
    }
    members
}

#[cfg(test)]
mod tests {
    use pyrograph_compiler::emit::layout::Limits;
    use pyrograph_compiler::emit::wgsl::emit;
    use pyrograph_compiler::ir::{Profile, Program};
    use pyrograph_compiler::passes::Observe;
    use pyrograph_compiler::{Options, compile};

    use super::super::uniform::Drawing;
    use super::*;
    use crate::picture::{ArcRotate, Atlas};

    const LOCAL: &str = include_str!("../../fixtures/graphs/emitter/local_cylinder.json");
    const SHEET: &str = include_str!("../../fixtures/pictures/sheet/graph.json");
    const WHITENED: &str = include_str!("../../fixtures/pictures/blend_multiply_add/graph.json");

    fn manifest(graph: &str) -> (Program, DrawManifest) {
        let options = Options { observe: Observe::Render, ..Options::new(Profile::Parallel) };
        let module = compile(graph.as_bytes(), &options).expect("the graph compiles").module;
        let kernels =
            emit(&module, 0, &Limits::default()).expect("the kernels are printed").manifest;
        let drawn = DrawManifest::new(&module.programs[0], &kernels, Blending::Exact);
        (module.programs[0].clone(), drawn)
    }

    #[test]
    fn a_host_that_writes_the_members_has_the_block_of_the_renderer() {
        for (graph, count) in [(LOCAL, 5), (SHEET, 6), (WHITENED, 4)] {
            let (program, drawn) = manifest(graph);
            let facts = RenderFacts::from(&program.render);
            let orbit = ArcRotate { alpha: 0.3, beta: 1.1, radius: 5.0, ..ArcRotate::default() };
            let camera = orbit.camera(1.5);
            let atlas = Atlas::new(facts.sheet, 128, 64);
            let emitter: [f64; 16] =
                std::array::from_fn(|at| if at % 4 == 3 { 0.0 } else { at as f64 });
            let fixed = std::array::from_fn(|at| drawn.block[WORDS - 16 + at]);
            let drawing = Drawing {
                camera: &camera,
                facts: &facts,
                atlas,
                softness: 0.0,
                emitter: &emitter,
                fixed,
            };
            let mut expected = drawing.words();
            // Solid quads do not read what tells distances from depths.
            expected[40..44].fill(0.0);

            // The view's rows are the camera's axes.
            let axis =
                |row: usize| vec![camera.view[row], camera.view[row + 4], camera.view[row + 8]];
            let mut block = drawn.block;
            assert_eq!(drawn.members.len(), count);
            for Member { name, word } in drawn.members {
                let values = match name {
                    "viewProjection" => camera.view_projection.to_vec(),
                    "right" => axis(0),
                    "up" => axis(1),
                    "eye" => camera.position.to_vec(),
                    "cell" => atlas.cell().to_vec(),
                    "columns" => vec![f64::from(atlas.columns())],
                    "local" => emitter[..12].to_vec(),
                    _ => panic!("{name} is not documented"),
                };
                for (at, value) in values.into_iter().enumerate() {
                    block[word + at] = value as f32;
                }
            }
            for (at, (word, expected)) in block.iter().zip(&expected).enumerate() {
                assert!((word - expected).abs() < 1e-6, "word {at}: {word}, not {expected}");
            }
        }
    }

    #[test]
    fn shaders_read_the_columns_that_are_bound() {
        for (graph, passes) in [(LOCAL, 1), (SHEET, 1), (WHITENED, 2)] {
            let (_, drawn) = manifest(graph);
            assert_eq!(drawn.passes.len(), passes);
            assert_eq!(drawn.bindings[0], Resource::Slots);
            for DrawPass { wgsl, .. } in &drawn.passes {
                let module = naga::front::wgsl::parse_str(wgsl).expect("it is WGSL");
                let globals = || module.global_variables.iter().map(|(_, global)| global);
                let count = |group| {
                    let bindings = globals().filter_map(|global| global.binding.as_ref());
                    bindings.filter(|binding| binding.group == group).count()
                };
                assert_eq!((count(0), count(1)), (3, drawn.bindings.len()));
            }
        }
    }
}
