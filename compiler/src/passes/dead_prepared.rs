//! Removes results of `prepare` whose uniform nobody reads. A part of other passes, behind dead code.

use super::dce::remove_dead_code;
use super::rewrite::{edit_bodies, retain};
use crate::ir::{Body, Expr, Handle, Program, Uniform, UniformSource};

/// Drops the results and closes the gaps; a `prepare` without results and effects goes.
pub(super) fn remove_dead_prepared(program: &mut Program) -> bool {
    let named = read_uniforms(program);
    let Some(prepare) = &mut program.prepare else { return false };
    let mut is_read = vec![false; prepare.results.len()];
    for (handle, uniform) in program.uniforms.iter() {
        if let UniformSource::Prepared(index) = uniform.source {
            is_read[index as usize] |= named[handle.index()];
        }
    }
    if is_read.iter().all(|&read| read) && !prepare.results.is_empty() {
        return false;
    }
    let mut next = 0;
    let mut new = Vec::with_capacity(is_read.len());
    for &read in &is_read {
        new.push(next);
        next += u32::from(read);
    }
    let mut reads = is_read.iter().copied();
    prepare.results.retain(|_| reads.next().unwrap_or(false));
    let is_named = |handle: Handle<Uniform>, _: &Uniform| named[handle.index()];
    let kept = retain(&mut program.uniforms, is_named);
    for (_, uniform) in program.uniforms.iter_mut() {
        if let UniformSource::Prepared(index) = &mut uniform.source {
            *index = new[*index as usize];
        }
    }
    edit_bodies(program, |_, _, body| {
        for (_, value) in body.values.iter_mut() {
            if let Expr::Uniform(uniform) = &mut value.expr {
                *uniform = kept[uniform.index()].unwrap_or(*uniform);
            }
        }
        true
    });
    remove_dead_code(program);
    let is_empty = |body: &Body| body.results.is_empty() && body.block.is_empty();
    program.prepare = program.prepare.take().filter(|body| !is_empty(body));
    true
}

/// Which uniforms bodies read.
fn read_uniforms(program: &Program) -> Vec<bool> {
    let mut read = vec![false; program.uniforms.len()];
    for (_, body) in program.bodies() {
        for (_, value) in body.values.iter() {
            if let Expr::Uniform(uniform) = value.expr {
                read[uniform.index()] = true;
            }
        }
    }
    read
}
