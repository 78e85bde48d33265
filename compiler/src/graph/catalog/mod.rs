//! What is known of each block class without looking at a block: the inputs that it reads, the
//! outputs that it gives, which role an input plays (spec sections 7.2 and 9.31.4), and in
//! [`describe`] what it does, in words.

pub mod describe;

/// The kind of thing that a wire carries, told by its consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Order of particle blocks.
    ParticleFlow,
    /// A whole system.
    SystemFlow,
    /// A picture.
    Texture,
    /// An entry of a gradient.
    Gradient,
    /// A number, vector or colour.
    Value,
}

/// The ports of a class.
#[derive(Clone, Copy, Debug)]
pub struct Ports {
    /// Inputs whose values the block asks for, in the order of asking. A Gradient also asks for
    /// every input whose name begins with `value`.
    pub read: &'static [&'static str],
    /// Inputs that only lead somewhere: flow, and the picture of a system.
    pub routed: &'static [&'static str],
    /// Outputs that a consumer can ask for. Flow blocks give none.
    pub given: &'static [&'static str],
}

/// The words of the contract.
impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ParticleFlow => "particle flow",
            Self::SystemFlow => "system flow",
            Self::Texture => "texture",
            Self::Gradient => "gradient metadata",
            Self::Value => "value",
        })
    }
}

/// The role of an input. A trigger's `input` is its particle flow.
pub fn role(class: &str, input: &str) -> Role {
    match (class, input) {
        (_, "particle") | ("ParticleTriggerBlock", "input") => Role::ParticleFlow,
        (_, "system" | "onStart" | "onEnd") => Role::SystemFlow,
        ("SystemBlock", "texture")
        | ("UpdateFlowMapBlock", "flowMap")
        | ("UpdateNoiseBlock", "noiseTexture") => Role::Texture,
        ("ParticleGradientBlock", name) if name.starts_with("value") => Role::Gradient,
        _ => Role::Value,
    }
}

/// Whether the blocks behind an input are left out: systems that another system starts.
pub fn is_left_out(class: &str, input: &str) -> bool {
    match class {
        "SystemBlock" => matches!(input, "onStart" | "onEnd"),
        "ParticleTriggerBlock" => matches!(input, "condition" | "system"),
        _ => false,
    }
}

/// Whether a class only routes wires; such blocks are gone after this stage.
pub fn is_proxy(class: &str) -> bool {
    matches!(class, "ParticleTeleportOutBlock" | "ParticleElbowBlock" | "ParticleDebugBlock")
}

/// The ports of a class; `None` for plumbing and for unknown classes.
pub fn ports(class: &str) -> Option<Ports> {
    let flow = |read| Ports { read, routed: &["particle"], given: &[] };
    let value = |read| Ports { read, routed: &[], given: &["output"] };
    Some(match class {
        "SystemBlock" => Ports {
            read: &["emitRate", "targetStopDuration", "translationPivot", "textureMask"],
            routed: &["particle", "texture", "onStart", "onEnd"],
            given: &[],
        },
        "CreateParticleBlock" => {
            flow(&["lifeTime", "emitPower", "size", "scale", "angle", "color", "colorDead"])
        }
        "BoxShapeBlock" => flow(&["direction1", "direction2", "minEmitBox", "maxEmitBox"]),
        "PointShapeBlock" | "MeshShapeBlock" => flow(&["direction1", "direction2"]),
        "SphereShapeBlock" => {
            flow(&["radius", "radiusRange", "directionRandomizer", "direction1", "direction2"])
        }
        "ConeShapeBlock" => flow(&[
            "radius",
            "angle",
            "radiusRange",
            "heightRange",
            "directionRandomizer",
            "direction1",
            "direction2",
        ]),
        "CylinderShapeBlock" => flow(&[
            "radius",
            "height",
            "radiusRange",
            "directionRandomizer",
            "direction1",
            "direction2",
        ]),
        "CustomShapeBlock" => flow(&["position", "direction"]),
        "SetupSpriteSheetBlock"
        | "BasicSpriteUpdateBlock"
        | "BasicColorUpdateBlock"
        | "BasicPositionUpdateBlock"
        | "AlignAngleBlock" => flow(&[]),
        "UpdatePositionBlock" => flow(&["position"]),
        "UpdateColorBlock" => flow(&["color"]),
        "UpdateDirectionBlock" => flow(&["direction"]),
        "UpdateAngleBlock" => flow(&["angle"]),
        "UpdateSizeBlock" => flow(&["size"]),
        "UpdateAgeBlock" => flow(&["age"]),
        "UpdateScaleBlock" => flow(&["scale"]),
        "UpdateSpriteCellIndexBlock" => flow(&["cellIndex"]),
        "UpdateAttractorBlock" => flow(&["attractor", "strength"]),
        "UpdateFlowMapBlock" => flow(&["flowMap", "strength"]),
        "UpdateNoiseBlock" => flow(&["noiseTexture", "strength"]),
        "ParticleTriggerBlock" => {
            Ports { read: &[], routed: &["input", "condition", "system"], given: &[] }
        }
        "ParticleInputBlock" => value(&[]),
        "ParticleRandomBlock" => value(&["min", "max"]),
        "ParticleMathBlock" | "ParticleNumberMathBlock" | "ParticleVectorMathBlock" => {
            value(&["left", "right"])
        }
        "ParticleLerpBlock" | "ParticleNLerpBlock" => value(&["left", "right", "gradient"]),
        "ParticleConverterBlock" => Ports {
            read: &["color", "xyz", "xy", "zw", "x", "y", "z", "w"],
            routed: &[],
            given: &["color", "xyz", "xy", "zw", "x", "y", "z", "w"],
        },
        "ParticleGradientBlock" => value(&["gradient"]),
        "ParticleGradientValueBlock" => value(&["value"]),
        "ParticleConditionBlock" => value(&["left", "right", "ifTrue", "ifFalse"]),
        "ParticleFloatToIntBlock"
        | "ParticleVectorLengthBlock"
        | "ParticleTrigonometryBlock"
        | "ParticleLocalVariableBlock" => value(&["input"]),
        "ParticleTextureSourceBlock" => Ports { read: &[], routed: &[], given: &["texture"] },
        "ParticleClampBlock" => value(&["value", "min", "max"]),
        "ParticleStepBlock" => value(&["value", "edge"]),
        "ParticleSmoothStepBlock" => value(&["value", "edge0", "edge1"]),
        _ => return None,
    })
}
