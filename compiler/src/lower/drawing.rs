//! What a renderer must know of a system (spec sections 9.1, 9.20 and 10, S1P-016, S1P-017).

use super::plan::Plan;
use super::state::State;
use super::{Context, Error};
use crate::graph::kind::Kind;
use crate::graph::{BlockIndex, Graph, InputSource};
use crate::ir::op::{eval_binary, eval_unary};
use crate::ir::{Body, BodyKind, Const, Expr, Picture, Precision, RenderSpec, ValueId};

/// The renderer's facts. A root that is no SystemBlock has the contract's defaults.
pub(crate) fn render(graph: &Graph, plan: &Plan, state: &mut State) -> RenderSpec {
    let (root, default) = (plan.root, RenderSpec::default());
    let Kind::System(system) = &graph.block(root).kind else { return default };
    RenderSpec {
        blend_mode: system.blend_mode.unwrap_or(default.blend_mode),
        billboard_mode: system.billboard_mode,
        is_billboard_based: system.is_billboard_based,
        is_local: plan.is_local,
        translation_pivot: input(graph, plan, state, "translationPivot", [0.0; 2]),
        texture_mask: input(graph, plan, state, "textureMask", [1.0; 4]),
        rendering_group_id: system.rendering_group_id,
        sheet: plan.sheet.and_then(|block| match graph.block(block).kind {
            Kind::SetupSpriteSheet(sheet) => Some([sheet.width, sheet.height]),
            _ => None,
        }),
        picture: picture(graph, root, state),
    }
}

/// An input that only drawing reads, where it is a constant of its shape; `default` elsewhere.
fn input<const N: usize>(
    graph: &Graph,
    plan: &Plan,
    state: &mut State,
    name: &str,
    default: [f64; N],
) -> [f64; N] {
    // A body that is thrown away: what is no constant leaves no trace in the program.
    let mut scratch =
        State::new(state.profile, plan.order.clone(), std::mem::take(&mut state.code));
    let mut context = Context::new(graph, plan, &mut scratch, BodyKind::Init);
    let value = context.at_block(plan.root, |context| {
        let value = context.input(plan.root, name, &default)?;
        let [variant] = value.variants.as_slice() else { return Ok(Vec::new()) };
        Ok::<_, Error>(variant.components.clone())
    });
    let numbers = constants(&context.finish(value.unwrap_or_default()));
    state.code = std::mem::take(&mut scratch.code);
    numbers.and_then(|numbers| numbers.try_into().ok()).unwrap_or(default)
}

/// The results of a body, if they are constants.
fn constants(body: &Body) -> Option<Vec<f64>> {
    let mut known: Vec<Option<Const>> = Vec::new();
    for (_, value) in body.values.iter() {
        let at = |value: ValueId| known.get(value.index()).copied().flatten();
        let constant = match value.expr {
            Expr::Const(constant) => Some(constant),
            Expr::Unary(op, a) => at(a).and_then(|a| eval_unary(op, a, Precision::F64)),
            Expr::Binary(op, a, b) => {
                at(a).zip(at(b)).and_then(|(a, b)| eval_binary(op, a, b, Precision::F64))
            }
            Expr::Select(condition, a, b) => match at(condition) {
                Some(Const::Bool(true)) => at(a),
                Some(Const::Bool(false)) => at(b),
                Some(Const::Float(_) | Const::Uint(_)) | None => None,
            },
            Expr::Param(_)
            | Expr::NewId
            | Expr::Uniform(_)
            | Expr::Load(_)
            | Expr::LoadRegister(_)
            | Expr::Table(..)
            | Expr::Texel(..)
            | Expr::Result => None,
        };
        known.push(constant);
    }
    let number = |result: &ValueId| match known.get(result.index()).copied().flatten() {
        Some(Const::Float(number)) => Some(number),
        Some(Const::Uint(_) | Const::Bool(_)) | None => None,
    };
    body.results.iter().map(number).collect()
}

/// The picture of the texture source at the input 'texture': an address comes before a data URL
/// (spec section 9.20).
fn picture(graph: &Graph, root: BlockIndex, state: &mut State) -> Option<Picture> {
    let InputSource::Wire(from, _) = graph.block(root).input("texture")?.source else {
        return None;
    };
    let Kind::TextureSource(source) = &graph.block(from).kind else { return None };
    let url = if source.url.is_empty() { &source.data_url } else { &source.url };
    state.code.add_data(url.len());
    Some(Picture { url: url.clone(), flip: source.invert_y })
}
