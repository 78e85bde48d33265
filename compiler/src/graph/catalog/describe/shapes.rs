//! Where particles are born and which way they go.

use std::f64::consts::PI;

use super::Unconnected::{Is, Means};
use super::{Description, NONE, PARTICLE, Unconnected};

const UP: Unconnected = Is(&[0.0, 1.0, 0.0]);
const BOTH: Unconnected = Means("away from the emitter, unless both are connected");
const AWAY: &str = "Only where both `direction1` and `direction2` have a wire, the direction is `range(direction1, direction2)` instead.";

pub(super) const POINT: Description = Description {
    class: "PointShapeBlock",
    purpose: "Particles from the emitter's origin.",
    equation: &[
        "position  = (0, 0, 0)",
        "direction = range(direction1, direction2), each component",
    ],
    inputs: &[("direction1", UP), ("direction2", UP), PARTICLE],
    contract: "9.5",
    ..NONE
};

pub(super) const BOX: Description = Description {
    class: "BoxShapeBlock",
    purpose: "Particles anywhere in a box.",
    equation: &[
        "position  = range(minEmitBox, maxEmitBox), each component",
        "direction = range(direction1, direction2), each component",
    ],
    inputs: &[
        ("direction1", UP),
        ("direction2", UP),
        ("minEmitBox", Is(&[-0.5; 3])),
        ("maxEmitBox", Is(&[0.5; 3])),
        PARTICLE,
    ],
    contract: "9.4",
    ..NONE
};

pub(super) const SPHERE: Description = Description {
    class: "SphereShapeBlock",
    purpose: "Particles in a ball, its shell or its upper half, flying outwards.",
    equation: &[
        "r         = radius - range(0, radius * radiusRange)",
        "theta     = acos(2 * range(0, 1) - 1),  phi = range(0, 2π)",
        "position  = r * (cos(phi) * sin(theta), cos(theta), sin(phi) * sin(theta))",
        "outwards  = normalize(world position - emitter)",
        "direction = normalize(outwards + range(0, directionRandomizer)), each component its own draw",
    ],
    inputs: &[
        ("radius", Is(&[1.0])),
        ("radiusRange", Is(&[1.0])),
        ("directionRandomizer", Is(&[0.0])),
        ("direction1", BOTH),
        ("direction2", BOTH),
        PARTICLE,
    ],
    fields: &[("isHemispheric", "false", "y is not negative")],
    contract: "9.6",
    notes: &[AWAY],
    ..NONE
};

pub(super) const CONE: Description = Description {
    class: "ConeShapeBlock",
    purpose: "Particles in a cone or from its tip, flying outwards.",
    equation: &[
        "h         = 1 - range(0, heightRange)²          0.0001 at the spawn point",
        "r         = (radius - range(0, radius * radiusRange)) * h",
        "phi       = range(0, 2π)",
        "position  = (r * sin(phi), h * radius / tan(angle / 2), r * cos(phi))",
        "direction = as a sphere's",
    ],
    inputs: &[
        ("radius", Is(&[1.0])),
        ("angle", Is(&[PI])),
        ("radiusRange", Is(&[1.0])),
        ("heightRange", Is(&[1.0])),
        ("directionRandomizer", Is(&[0.0])),
        ("direction1", BOTH),
        ("direction2", BOTH),
        PARTICLE,
    ],
    fields: &[("emitFromSpawnPointOnly", "false", "particles are born at the tip")],
    contract: "9.7",
    notes: &["Where `angle` is 0, the height is `h` itself.", AWAY],
    ..NONE
};

pub(super) const CYLINDER: Description = Description {
    class: "CylinderShapeBlock",
    purpose: "Particles in a cylinder around the y axis, flying away from the axis.",
    equation: &[
        "y         = range(-height / 2, height / 2),  phi = range(0, 2π)",
        "r         = sqrt(range((1 - radiusRange)², 1)) * radius",
        "position  = (r * cos(phi), y, r * sin(phi))",
        "o         = inverse emitter * normalize(world position - emitter)",
        "slope     = range(-directionRandomizer / 2, directionRandomizer / 2)",
        "azimuth   = atan2(o.x, o.z) + range(-π/2, π/2) * directionRandomizer",
        "direction = normalize(sin(azimuth), slope, cos(azimuth))",
    ],
    inputs: &[
        ("radius", Is(&[1.0])),
        ("height", Is(&[1.0])),
        ("radiusRange", Is(&[1.0])),
        ("directionRandomizer", Is(&[0.0])),
        ("direction1", BOTH),
        ("direction2", BOTH),
        PARTICLE,
    ],
    contract: "9.8",
    notes: &[
        "An emitter whose determinant is within 1e-10 of 0 counts as the identity here.",
        AWAY,
    ],
    babylon: &[
        "A singular emitter serves as its own inverse; a determinant below 1e-10 is inverted.",
    ],
    ..NONE
};

pub(super) const MESH: Description = Description {
    class: "MeshShapeBlock",
    purpose: "Particles on the triangles of a mesh that the file carries.",
    equation: &[
        "triangle  = int(draw() * triangles),  u = draw(),  v = draw() * (1 - u),  w = 1 - u - v",
        "position  = u*A + v*B + w*C             the corners A, B, C",
        "direction = u*nA + v*nB + w*nC          with normals; else range(direction1, direction2)",
        "color     = u*cA + v*cB + w*cC          with colours that are to be used",
    ],
    inputs: &[("direction1", UP), ("direction2", UP), PARTICLE],
    fields: &[
        ("cachedVertexData", "none", "`positions`, `indices`, and maybe `normals` and `colors`"),
        ("useMeshNormalsForDirection", "true", "directions follow the normals, if there are any"),
        ("useMeshColorForColor", "false", "birth colours follow the colours, if there are any"),
    ],
    contract: "9.9",
    notes: &[
        "Without positions or indices the block does nothing. Triangles are equally likely, whatever their size; normals are not normalized. `worldSpace` is not read (W303).",
        "Where normals give directions, the source InitialDirection is 0.",
    ],
    babylon: &["A mesh without data emits from a point along +y."],
};

pub(super) const CUSTOM: Description = Description {
    class: "CustomShapeBlock",
    purpose: "Position and direction are what the graph gives.",
    equation: &["particle.position  = position", "particle.direction = direction"],
    inputs: &[("position", Is(&[0.0; 3])), ("direction", Is(&[0.0; 3])), PARTICLE],
    contract: "S1P-001",
    ..NONE
};
