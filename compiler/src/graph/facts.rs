//! The serialized fields of a block as names and texts, for listings and pictures.

use super::js::number_to_string as number;
use super::kind::{Kind, Mesh, Source, SpriteSheet, System, TextureSource};
use super::listing::literal_text;

/// Characters of a text field that are shown.
const SHOWN: usize = 60;

/// Name and value of each field, in a fixed order.
pub(super) fn facts(kind: &Kind) -> Vec<(&'static str, String)> {
    match kind {
        Kind::System(system) => system_facts(system),
        Kind::SphereShape { hemispheric } => vec![("isHemispheric", hemispheric.to_string())],
        Kind::ConeShape { from_spawn_point_only } => {
            vec![("emitFromSpawnPointOnly", from_spawn_point_only.to_string())]
        }
        Kind::MeshShape(mesh) => mesh_facts(mesh),
        Kind::Input(Source::Contextual(source)) => vec![("reads", format!("{source:?}"))],
        Kind::Input(Source::System(source)) => vec![("reads", format!("{source:?}"))],
        Kind::Input(Source::Constant(literal) | Source::Open(literal)) => {
            vec![("value", literal_text(*literal))]
        }
        Kind::Random(lock) => vec![("lockMode", format!("{lock:?}"))],
        Kind::Math(operation) => vec![("operation", format!("{operation:?}"))],
        Kind::NumberMath(operation) => vec![("operation", format!("{operation:?}"))],
        Kind::VectorMath(operation) => vec![("operation", format!("{operation:?}"))],
        Kind::Trigonometry(operation) => vec![("operation", format!("{operation:?}"))],
        Kind::GradientValue { reference } => vec![("reference", number(*reference))],
        Kind::Condition { test, epsilon } => {
            vec![("test", format!("{test:?}")), ("epsilon", number(*epsilon))]
        }
        Kind::FloatToInt(rounding) => vec![("operation", format!("{rounding:?}"))],
        Kind::TextureSource(texture) => texture_facts(texture),
        Kind::SetupSpriteSheet(sheet) => sheet_facts(sheet),
        Kind::LocalVariable(scope) => vec![("scope", format!("{scope:?}"))],
        Kind::AlignAngle { alignment } => vec![("alignment", number(*alignment))],
        Kind::Clamp { minimum, maximum } => {
            vec![("minimum", number(*minimum)), ("maximum", number(*maximum))]
        }
        Kind::CreateParticle
        | Kind::BoxShape
        | Kind::PointShape
        | Kind::CylinderShape
        | Kind::CustomShape
        | Kind::Lerp
        | Kind::Converter
        | Kind::Gradient
        | Kind::VectorLength
        | Kind::BasicSpriteUpdate
        | Kind::UpdatePosition
        | Kind::UpdateColor
        | Kind::UpdateDirection
        | Kind::UpdateAngle
        | Kind::UpdateSize
        | Kind::UpdateAttractor
        | Kind::UpdateFlowMap
        | Kind::UpdateNoise
        | Kind::BasicColorUpdate
        | Kind::BasicPositionUpdate
        | Kind::UpdateAge
        | Kind::UpdateScale
        | Kind::UpdateSpriteCellIndex
        | Kind::Step
        | Kind::SmoothStep
        | Kind::NLerp
        | Kind::Trigger => Vec::new(),
    }
}

fn system_facts(system: &System) -> Vec<(&'static str, String)> {
    vec![
        ("capacity", number(system.capacity)),
        ("isLocal", system.is_local.to_string()),
        ("updateSpeed", number(system.update_speed)),
        ("blendMode", system.blend_mode.map_or_else(|| "none".into(), number)),
        ("manualEmitCount", number(system.manual_emit_count)),
        ("startDelay", number(system.start_delay)),
        ("preWarmCycles", number(system.pre_warm_cycles)),
        ("preWarmStepOffset", number(system.pre_warm_step_offset)),
        ("isBillboardBased", system.is_billboard_based.to_string()),
        ("billBoardMode", number(system.billboard_mode)),
        ("disposeOnStop", system.dispose_on_stop.to_string()),
        ("doNoStart", system.do_no_start.to_string()),
        ("renderingGroupId", number(system.rendering_group_id)),
    ]
}

fn mesh_facts(mesh: &Mesh) -> Vec<(&'static str, String)> {
    let length = |numbers: &Option<Vec<f64>>| match numbers {
        Some(numbers) if numbers.len() == 1 => "1 number".into(),
        Some(numbers) => format!("{} numbers", numbers.len()),
        None => "none".into(),
    };
    vec![
        ("positions", length(&mesh.positions)),
        ("indices", length(&mesh.indices)),
        ("normals", length(&mesh.normals)),
        ("colors", length(&mesh.colors)),
        ("useMeshNormalsForDirection", mesh.normals_for_direction.to_string()),
        ("useMeshColorForColor", mesh.colors_for_color.to_string()),
    ]
}

fn texture_facts(texture: &TextureSource) -> Vec<(&'static str, String)> {
    vec![
        ("url", text(&texture.url)),
        ("textureDataUrl", text(&texture.data_url)),
        ("invertY", texture.invert_y.to_string()),
    ]
}

fn sheet_facts(sheet: &SpriteSheet) -> Vec<(&'static str, String)> {
    vec![
        ("start", number(sheet.start)),
        ("end", number(sheet.end)),
        ("loop", sheet.repeat.to_string()),
        ("spriteCellChangeSpeed", number(sheet.change_speed)),
        ("width", number(sheet.width)),
        ("height", number(sheet.height)),
        ("randomStartCell", sheet.random_start.to_string()),
    ]
}

/// A quoted text, cut where it is long: pictures are kept in their graphs.
fn text(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        None => format!("{value:?}"),
        Some((end, _)) => format!("{:?}… ({} bytes)", &value[..end], value.len()),
    }
}
