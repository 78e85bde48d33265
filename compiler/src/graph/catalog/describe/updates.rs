//! What happens to living particles, in the order of the flow.

use super::Unconnected::{Idle, Is, Means};
use super::{Description, NONE, PARTICLE};

pub(super) const POSITION: Description = Description {
    class: "UpdatePositionBlock",
    purpose: "Sets the position.",
    equation: &["particle.position = position"],
    inputs: &[("position", Idle), PARTICLE],
    contract: "9.26",
    ..NONE
};

pub(super) const DIRECTION: Description = Description {
    class: "UpdateDirectionBlock",
    purpose: "Sets the direction.",
    equation: &["particle.direction = direction"],
    inputs: &[("direction", Idle), PARTICLE],
    contract: "9.28",
    ..NONE
};

pub(super) const COLOR: Description = Description {
    class: "UpdateColorBlock",
    purpose: "Sets the colour.",
    equation: &["particle.color = color"],
    inputs: &[("color", Idle), PARTICLE],
    contract: "9.27",
    ..NONE
};

pub(super) const SIZE: Description = Description {
    class: "UpdateSizeBlock",
    purpose: "Sets the size.",
    equation: &["particle.size = size"],
    inputs: &[("size", Idle), PARTICLE],
    contract: "9.30",
    ..NONE
};

pub(super) const SCALE: Description = Description {
    class: "UpdateScaleBlock",
    purpose: "Sets the factors of the size in x and y.",
    equation: &["particle.scale = (scale.x, scale.y)"],
    inputs: &[("scale", Idle), PARTICLE],
    contract: "S1P-007",
    ..NONE
};

pub(super) const ANGLE: Description = Description {
    class: "UpdateAngleBlock",
    purpose: "Sets the angle, in radians.",
    equation: &["particle.angle = angle"],
    inputs: &[("angle", Idle), PARTICLE],
    contract: "9.29",
    ..NONE
};

pub(super) const AGE: Description = Description {
    class: "UpdateAgeBlock",
    purpose: "Sets the age. A particle dies at the end of the update in which its age reaches its lifetime.",
    equation: &["particle.age = age"],
    inputs: &[("age", Idle), PARTICLE],
    contract: "S1P-007",
    ..NONE
};

pub(super) const ATTRACTOR: Description = Description {
    class: "UpdateAttractorBlock",
    purpose: "Pulls the direction towards a point; a negative strength pushes.",
    equation: &[
        "offset     = attractor - position",
        "direction += offset * strength * step / ((|offset|² + 1) * |offset|)",
    ],
    inputs: &[("attractor", Is(&[0.0; 3])), ("strength", Is(&[1.0])), PARTICLE],
    contract: "9.23",
    notes: &["A particle at the attractor itself is left alone."],
    babylon: &["As the first update, it reads the particle that was updated before."],
    ..NONE
};

pub(super) const FLOW_MAP: Description = Description {
    class: "UpdateFlowMapBlock",
    purpose: "Pushes particles by the colours of a picture that lies on the screen.",
    equation: &[
        "s          = viewProjection * position, divided by w",
        "texel      = (floor((s.x / 2 + 1/2) * width), floor((1/2 - s.y / 2) * height))",
        "direction += (2 * rgb / 255 - 1) * strength * step * alpha / 255",
    ],
    inputs: &[("flowMap", Means("the block does nothing")), ("strength", Is(&[1.0])), PARTICLE],
    contract: "9.24",
    notes: &["Outside of the picture, without a camera and without pixels it does nothing."],
    ..NONE
};

pub(super) const NOISE: Description = Description {
    class: "UpdateNoiseBlock",
    purpose: "Pushes each particle steadily by numbers from a picture.",
    equation: &[
        "c          = six draws at the particle's first update",
        "red(u, v)  = red at (int((|u| / 2 + 1/2) * width), int((|v| / 2 + 1/2) * height)) / 255, wrapped",
        "sample     = (red(c0, c1), red(c2, c3), red(c4, c5))",
        "direction += (2 * sample - 1) * strength * step",
    ],
    inputs: &[
        ("noiseTexture", Means("the block does nothing")),
        ("strength", Is(&[100.0; 3])),
        PARTICLE,
    ],
    contract: "9.25",
    notes: &[
        "`strength` is evaluated once, before the first call. Without pixels nothing is drawn. All noise blocks of a system share a particle's coordinates.",
    ],
    babylon: &[
        "A newborn that moves into a dead particle's slot before its first update keeps the dead one's coordinates.",
    ],
    ..NONE
};

pub(super) const BASIC_POSITION: Description = Description {
    class: "BasicPositionUpdateBlock",
    purpose: "Moves particles along their direction.",
    equation: &["position += direction * step"],
    inputs: &[PARTICLE],
    contract: "S1P-006",
    ..NONE
};

pub(super) const BASIC_COLOR: Description = Description {
    class: "BasicColorUpdateBlock",
    purpose: "Fades colours to the dead colour.",
    equation: &["color   += colorStep * delta", "color.a  = max(color.a, 0)"],
    inputs: &[PARTICLE],
    contract: "S1P-005",
    ..NONE
};

pub(super) const ALIGN_ANGLE: Description = Description {
    class: "AlignAngleBlock",
    purpose: "Turns particles along their direction as the camera sees it.",
    equation: &["d     = view * direction", "angle = atan2(d.y, d.x) + alignment"],
    inputs: &[PARTICLE],
    fields: &[("alignment", "π/2", "radians that are added")],
    contract: "S1P-004",
    notes: &["Without a camera it does nothing."],
    ..NONE
};

pub(super) const SPRITE_SHEET: Description = Description {
    class: "SetupSpriteSheetBlock",
    purpose: "Says which cells of the picture particles show. BasicSpriteUpdate moves through them.",
    equation: &["at birth: cellIndex = start"],
    inputs: &[PARTICLE],
    fields: &[
        ("start, end", "0, 0", "first and last cell"),
        ("width, height", "0, 0", "size of a cell, in texels"),
        ("spriteCellChangeSpeed", "1", "runs through the cells in a lifetime"),
        ("loop", "true", "begin again when the progress passes the lifetime"),
        ("randomStartCell", "false", "each particle begins somewhere"),
    ],
    contract: "9.21",
    ..NONE
};

pub(super) const BASIC_SPRITE: Description = Description {
    class: "BasicSpriteUpdateBlock",
    purpose: "Shows the cell that belongs to the particle's age.",
    equation: &[
        "offset    = draw() * lifeTime           once a particle, with randomStartCell; else 0",
        "progress  = (age + offset) * speed      the offset itself with randomStartCell and speed 0",
        "ratio     = (progress % lifeTime) / lifeTime, or progress / lifeTime without loop; 0 to 1",
        "cellIndex = int(start + ratio * (end - start + 1))",
    ],
    inputs: &[PARTICLE],
    contract: "9.22",
    notes: &["A SetupSpriteSheet block must come before it in the flow (G217)."],
    ..NONE
};

pub(super) const CELL_INDEX: Description = Description {
    class: "UpdateSpriteCellIndexBlock",
    purpose: "Sets the cell, modulo 65,536.",
    equation: &["particle.cellIndex = floor(cellIndex)"],
    inputs: &[("cellIndex", Idle), PARTICLE],
    contract: "S1P-007",
    ..NONE
};
