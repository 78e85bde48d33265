//! The pictures that flow maps and noise read: in the graph, or in files of a folder.

use std::path::Path;

use pyrograph::textures::Textures;
use pyrograph::{ParticleState, Texels, TextureFacts};

use crate::input::{note, shown};

/// A loader for all systems of a graph, addresses being paths in a folder.
pub(crate) fn loader(base: &Path) -> Textures {
    Textures::new().with_folder(base)
}

/// The pictures that the system of that name reads, each with its place among them. What cannot be
/// read is told on standard error, and has no effect on particles.
pub(crate) fn found(
    system: &str,
    textures: &[TextureFacts<'_>],
    loader: &mut Textures,
) -> Vec<(usize, Texels)> {
    let mut found = Vec::new();
    for (index, texture) in textures.iter().enumerate() {
        match loader.load(texture) {
            Ok(texels) => found.push((index, texels)),
            Err(reason) => note(&format!(
                "warning: blocks of system \"{}\" that read a picture have no effect: {reason} \
                 (--texture-base names the folder)\n",
                shown(system)
            )),
        }
    }
    found
}

/// The picture that a system draws. Where it cannot be read, standard error tells, and the system is
/// not drawn.
pub(crate) fn drawn(state: &dyn ParticleState, loader: &mut Textures) -> Option<Texels> {
    let name = shown(state.name());
    let loaded = match state.picture() {
        Some(facts) => loader
            .load(&facts)
            .map_err(|reason| format!("{reason} (--texture-base names the folder)")),
        None => Err("its 'texture' is not connected".into()),
    };
    loaded
        .map_err(|reason| {
            note(&format!("warning: system \"{name}\" is not drawn: {reason}\n"));
        })
        .ok()
}
