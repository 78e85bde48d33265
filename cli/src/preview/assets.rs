//! The page's own files, inside the command.

/// Name, media type and contents.
const ASSETS: &[(&str, &str, &str)] = &[
    ("index.html", "text/html; charset=utf-8", include_str!("../../page/index.html")),
    ("style.css", "text/css; charset=utf-8", include_str!("../../page/style.css")),
    ("main.js", SCRIPT, include_str!("../../page/main.js")),
    ("bodies.js", SCRIPT, include_str!("../../page/bodies.js")),
    ("camera.js", SCRIPT, include_str!("../../page/camera.js")),
    ("controls.js", SCRIPT, include_str!("../../page/controls.js")),
    ("draw.js", SCRIPT, include_str!("../../page/draw.js")),
    ("effect.js", SCRIPT, include_str!("../../page/effect.js")),
    ("graph.js", SCRIPT, include_str!("../../page/graph.js")),
    ("host.js", SCRIPT, include_str!("../../page/host.js")),
    ("native.js", SCRIPT, include_str!("../../page/native.js")),
    ("picture.js", SCRIPT, include_str!("../../page/picture.js")),
    ("server.js", SCRIPT, include_str!("../../page/server.js")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Media type and contents of a file.
pub(super) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let (_, media, text) = ASSETS.iter().find(|(known, ..)| *known == name)?;
    Some((media, text))
}
