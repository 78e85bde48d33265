//! `docs/api-mapping.md` is complete, and every name that it gives is one of the crate.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::path::Path;

use pyrograph::picture::{Image, sprite2d};
use pyrograph::{Interpreted, Pcg};

use super::exact::fountain::Set;
use super::inputs::exact::sparks::System as Open;

/// A system and a source to write paths of methods with.
type ParticleSystem = pyrograph::ParticleSystem<Interpreted>;
type Timeline = pyrograph::Timeline<ParticleSystem, Pcg>;
type Scene = pyrograph::scene::Scene<Pcg>;
type Stage = sprite2d::Stage<Pcg, Nothing>;
type Provider = fn() -> Result<[f64; 16], Infallible>;

/// A target to write paths of methods with.
struct Nothing;

impl sprite2d::Target for Nothing {
    type Error = Infallible;

    fn attach(
        &mut self,
        _: sprite2d::LayerId,
        _: &sprite2d::Layer,
        _: &Image,
    ) -> Result<(), Infallible> {
        Ok(())
    }

    fn detach(&mut self, _: sprite2d::LayerId) {}
}

/// Names, each with an expression or type that does not compile without it.
macro_rules! names {
    ($($name:literal: $what:tt;)*) => {{
        $(names!(@use $what);)*
        BTreeSet::from([$($name),*])
    }};
    (@use (type $ty:ty)) => { let _ = size_of::<$ty>(); };
    (@use (trait $path:path)) => {{ fn _uses<T: $path>() {} }};
    (@use ($value:expr)) => { let _ = &$value; };
}

fn names() -> BTreeSet<&'static str> {
    use pyrograph::{ParticleState, SystemSet};
    names! {
        "compiler::graph::parse::parse": (pyrograph::compiler::graph::parse::parse);
        "compiler::graph::normalize::normalize": (pyrograph::compiler::graph::normalize::normalize);
        "compile": (pyrograph::compile);
        "Interpreted::all": (Interpreted::all);
        // The modules of this test are made by it.
        "include_particle_graph!": (type Set);
        "ParticleState::render": (<Interpreted as ParticleState>::render);
        "ParticleState::alive": (<Interpreted as ParticleState>::alive);
        "ParticleState::capacity": (<Interpreted as ParticleState>::capacity);
        "ParticleState::column": (<Interpreted as ParticleState>::column);
        "ParticleState::value": (<Interpreted as ParticleState>::value);
        "ParticleState::name": (<Interpreted as ParticleState>::name);
        "ParticleState::picture": (<Interpreted as ParticleState>::picture);
        "scene::Scene::register": (Scene::register::<Set>);
        "scene::Scene::advance": (Scene::advance);
        "scene::Scene::systems": (Scene::systems);
        "scene::Register": (type pyrograph::scene::Register);
        "picture::Billboards::sync": (pyrograph::picture::Billboards::sync::<Interpreted>);
        "render::Renderer::new": (pyrograph::render::Renderer::new::<Interpreted>);
        "render::Renderer::prepare": (pyrograph::render::Renderer::prepare::<Interpreted>);
        "render::Options": (type pyrograph::render::Options);
        "picture::Blending": (type pyrograph::picture::Blending);
        "sprite2d::Bridge": (type sprite2d::Bridge);
        "sprite2d::Bridge::new": (sprite2d::Bridge::new::<Interpreted>);
        "sprite2d::Bridge::sync": (sprite2d::Bridge::sync::<Interpreted>);
        "sprite2d::Options": (type sprite2d::Options);
        "sprite2d::BindingId": (type sprite2d::BindingId);
        "sprite2d::Stage::register": (Stage::register::<Set>);
        "sprite2d::Stage::advance": (Stage::advance);
        "sprite2d::Stage::dispose": (Stage::dispose);
        "sprite2d::Stage::dispose_all": (Stage::dispose_all);
        "sprite2d::Stage::bridges": (Stage::bridges);
        "sprite2d::Stage::is_active": (Stage::is_active);
        "snippet::Snippet": (type pyrograph::snippet::Snippet);
        "snippet::fetch": (pyrograph::snippet::fetch);
        "snippet::parse_from_snippet": (pyrograph::snippet::parse_from_snippet);
        "textures::Textures::load": (pyrograph::textures::Textures::load);
        "textures::Textures::fill": (pyrograph::textures::Textures::fill::<Interpreted>);
        "ParticleSystem": (type ParticleSystem);
        "ParticleSystem::animate_with": (ParticleSystem::animate_with::<Infallible, Provider, Pcg>);
        "ParticleSystem::animate_on": (ParticleSystem::animate_on::<Pcg, pyrograph::threads::Inline>);
        "ParticleSystem::animate": (ParticleSystem::animate::<Pcg>);
        "ParticleSystem::pre_warm": (ParticleSystem::pre_warm::<Pcg>);
        "ParticleSystem::set_texture": (ParticleSystem::set_texture);
        "ParticleSystem::textures": (ParticleSystem::textures);
        "ParticleSystem::start": (ParticleSystem::start);
        "ParticleSystem::stop": (ParticleSystem::stop);
        "ParticleSystem::clear": (ParticleSystem::clear);
        "ParticleSystem::is_started": (ParticleSystem::is_started);
        "ParticleSystem::can_start": (ParticleSystem::can_start);
        "ParticleSystem::set_can_start": (ParticleSystem::set_can_start);
        "ParticleSystem::should_dispose": (ParticleSystem::should_dispose);
        "ParticleSystem::phase": (ParticleSystem::phase);
        "ParticleSystem::time": (ParticleSystem::time);
        "ParticleSystem::particles": (ParticleSystem::particles);
        "ParticleSystem::emit_rate": (ParticleSystem::emit_rate);
        "ParticleSystem::set_emit_rate": (ParticleSystem::set_emit_rate);
        "ParticleSystem::update_speed": (ParticleSystem::update_speed);
        "ParticleSystem::set_update_speed": (ParticleSystem::set_update_speed);
        "ParticleSystem::target_stop": (ParticleSystem::target_stop);
        "ParticleSystem::set_target_stop": (ParticleSystem::set_target_stop);
        "ParticleSystem::emitter_matrix": (ParticleSystem::emitter_matrix);
        "ParticleSystem::set_emitter_matrix": (ParticleSystem::set_emitter_matrix);
        "ParticleSystem::set_emitter_position": (ParticleSystem::set_emitter_position);
        "ParticleSystem::camera": (ParticleSystem::camera);
        "ParticleSystem::set_camera": (ParticleSystem::set_camera);
        "ParticleSystem::inputs": (Open::inputs);
        "ParticleSystem::inputs_mut": (Open::inputs_mut);
        "ParticleSystem::input_facts": (|system: &ParticleSystem| system.input_facts().count());
        "ParticleSystem::input_handle": (ParticleSystem::input_handle::<f64>);
        "ParticleSystem::input": (ParticleSystem::input::<f64>);
        "ParticleSystem::input_value": (ParticleSystem::input_value);
        "ParticleSystem::set_input": (ParticleSystem::set_input::<f64>);
        "Input::set": (pyrograph::Input::set("gravity", 1.0));
        "ParticleSystem::snapshot": (ParticleSystem::snapshot::<Pcg>);
        "ParticleSystem::restore": (ParticleSystem::restore::<Pcg>);
        "ParticleSystem::state_hash": (ParticleSystem::state_hash);
        "EmissionFacts::start_delay": (pyrograph::EmissionFacts::default().start_delay);
        "Phase": (type pyrograph::Phase);
        "Set": (type Set);
        "Set::start": (Set::start);
        "Set::stop": (Set::stop);
        "Set::animate": (Set::animate::<Pcg>);
        "Set::states": (Set::states);
        "SystemSet": (trait SystemSet);
        "SystemSet::systems": (<Set as SystemSet>::systems);
        "SystemSet::snapshot": (<Set as SystemSet>::snapshot::<Pcg>);
        "SystemSet::restore": (<Set as SystemSet>::restore::<Pcg>);
        "SystemSet::state_hash": (<Set as SystemSet>::state_hash);
        "Timeline::new": (Timeline::new);
        "Timeline::apply": (Timeline::apply);
        "Timeline::animate": (Timeline::animate);
        "Timeline::seek": (Timeline::seek);
        "threads::Executor": (trait pyrograph::threads::Executor);
        "threads::Inline": (type pyrograph::threads::Inline);
        "threads::HotPool": (type pyrograph::threads::HotPool);
        "threads::Rayon": (type pyrograph::threads::Rayon);
    }
}

/// Cells of the rows below a heading.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api-mapping.md");
    let page = fs::read_to_string(page).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).unwrap();
    let table = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    table.map(cells).collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_name_is_one_of_the_crate() {
    let known = names();
    let mut named = BTreeSet::new();
    let tables = ["Functions", "Types", "Fields of a system", "Beyond the contract"].map(rows);
    for row in tables.iter().flatten() {
        let [_, here, _] = row.as_slice() else { panic!("{row:?}") };
        named.extend(quoted(here));
    }
    assert_eq!(named, known);
}

/// What has no counterpart says why.
#[test]
fn all_functions_and_types_have_a_row() {
    for (heading, count) in [("Functions", 27), ("Types", 12)] {
        let rows = rows(heading);
        let names: BTreeSet<&str> = rows.iter().flat_map(|row| quoted(&row[0])).collect();
        assert_eq!((rows.len(), names.len()), (count, count), "{heading}");
        for row in rows {
            assert!(!row[1].is_empty() || row[2] == "rendering", "{row:?}");
        }
    }
}
