//! Which files of `shaders/` make up a shader. They are put together as they are, so that what a
//! shader does is the list of its files.

use crate::picture::{BillboardMode, Factor, Pass};

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../shaders/", $name, ".wgsl"))
    };
}

/// Where particles come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// A vertex buffer of records.
    Records,
    /// Columns, by functions that read them.
    Columns(&'a str),
}

/// The whole text of a shader, with the entry points `vertex` and `fragment`.
pub(super) fn source(
    source: Source<'_>,
    mode: BillboardMode,
    pass: &Pass,
    is_soft: bool,
) -> String {
    let stand = match mode {
        BillboardMode::All => file!("stand_all"),
        BillboardMode::Y => file!("stand_y"),
        BillboardMode::Stretched => file!("stand_stretched"),
        BillboardMode::StretchedLocal => file!("stand_stretched_local"),
        BillboardMode::Directed => file!("stand_directed"),
    };
    let direction = match mode {
        BillboardMode::All | BillboardMode::Y => file!("direction_none"),
        BillboardMode::Stretched | BillboardMode::StretchedLocal => file!("direction_along"),
        BillboardMode::Directed => file!("direction_across"),
    };
    let blended = blended(pass);
    let presence = if is_soft { file!("soft") } else { file!("solid") };
    let mut parts = vec![file!("drawing"), file!("billboard"), stand, file!("atlas")];
    match source {
        Source::Records if mode.has_direction() => parts.push(file!("records_with_direction")),
        Source::Records => parts.push(file!("records")),
        Source::Columns(columns) => parts.extend([columns, direction, file!("slots")]),
    }
    parts.extend([presence, blended, file!("fragment")]);
    parts.join("\n")
}

/// The whole text of a shader for flat sprites.
pub(super) fn sprite_source(pass: &Pass) -> String {
    [blended(pass), file!("sprite")].join("\n")
}

/// What becomes of a quad's colour before it is blended.
fn blended(pass: &Pass) -> &'static str {
    if pass.fades_to_white {
        file!("blended_from_white")
    } else if pass.blend.color[0] == Factor::One {
        file!("blended_as_it_is")
    } else {
        file!("blended_by_alpha")
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, source, sprite_source};
    use crate::picture::{BillboardMode, Blending, passes};

    /// A stand-in for what is printed for a program.
    fn columns() -> String {
        let names = super::super::columns::NAMES.iter();
        let functions =
            names.map(|name| format!("fn field_{name}(slot: u32) -> f32 {{ return 1.0; }}\n"));
        let functions: String = functions.collect();
        format!("{functions}fn living_slot(instance: u32) -> u32 {{ return instance; }}\n")
    }

    fn check(text: &str) {
        let module = naga::front::wgsl::parse_str(text)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        let entries = module.entry_points.iter().map(|entry| entry.name.as_str());
        assert!(entries.eq(["vertex", "fragment"]));
    }

    #[test]
    fn every_shader_is_valid() {
        let columns = columns();
        let modes = [
            BillboardMode::All,
            BillboardMode::Y,
            BillboardMode::Stretched,
            BillboardMode::StretchedLocal,
            BillboardMode::Directed,
        ];
        let blends = [0.0, 1.0, 2.0, 3.0, 4.0].map(|mode| passes(mode, Blending::Exact)).concat();
        blends.iter().for_each(|pass| check(&sprite_source(pass)));
        for mode in modes {
            for from in [Source::Records, Source::Columns(&columns)] {
                for pass in &blends {
                    for is_soft in [false, true] {
                        check(&source(from, mode, pass, is_soft));
                    }
                }
            }
        }
    }
}
