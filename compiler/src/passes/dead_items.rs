//! Removes what no body names any more: results of `prepare`, uniforms, tables, textures, functions,
//! origins, and in Exact draw sites. Bodies that only yield a constant become facts of the emission.
//!
//! Sites of Parallel stay: draws are hashes there, and the sites are kept for listings.

use super::dce::remove_dead_code;
use super::dead_prepared::remove_dead_prepared;
use super::rewrite::{as_constant, edit_bodies, retain};
use crate::ir::{
    Block, Body, Const, DrawSite, Expr, Function, Handle, Origin, Profile, Program, Stmt, Table,
    Texture, Uniform, UniformSource,
};

/// Runs the pass.
pub(super) fn remove_dead_items(program: &mut Program) -> bool {
    let mut changed = constant_bodies(program);
    changed |= remove_dead_code(program);
    changed |= remove_dead_prepared(program);
    let named = Named::find(program);
    let exact = program.profile == Profile::Exact;
    let kept = Kept {
        textures: retain(&mut program.textures, |handle, _| named.textures[handle.index()]),
        uniforms: retain(&mut program.uniforms, |handle, _| named.uniforms[handle.index()]),
        tables: retain(&mut program.tables, |handle, _| named.tables[handle.index()]),
        functions: retain(&mut program.functions, |handle, _| named.functions[handle.index()]),
        origins: retain(&mut program.origins, |handle, _| named.origins[handle.index()]),
        sites: retain(&mut program.sites, |handle, _| !exact || named.sites[handle.index()]),
    };
    if kept.is_everything() {
        return changed;
    }
    for (_, uniform) in program.uniforms.iter_mut() {
        if let UniformSource::TextureWidth(texture) | UniformSource::TextureHeight(texture) =
            &mut uniform.source
        {
            new(&kept.textures, texture);
        }
    }
    edit_bodies(program, |_, _, body| {
        kept.rename(body);
        true
    })
}

/// `init` and `emit_rate` that do nothing but yield a number.
fn constant_bodies(program: &mut Program) -> bool {
    let number = |body: &Option<Body>| {
        let body = body.as_ref().filter(|body| body.block.is_empty())?;
        match as_constant(body, *body.results.first()?) {
            // NaN is no rate: the driver decides what it does with one.
            Some(Const::Float(value)) if !value.is_nan() => Some(value),
            _ => None,
        }
    };
    let (stop, rate) = (number(&program.init), number(&program.emit_rate));
    if let Some(stop) = stop {
        program.emission.target_stop = stop;
        program.init = None;
    }
    if let Some(rate) = rate {
        program.emission.rate = rate;
        program.emit_rate = None;
    }
    stop.is_some() || rate.is_some()
}

/// What bodies name.
struct Named {
    textures: Vec<bool>,
    uniforms: Vec<bool>,
    tables: Vec<bool>,
    functions: Vec<bool>,
    origins: Vec<bool>,
    sites: Vec<bool>,
}

impl Named {
    fn find(program: &Program) -> Self {
        let mut named = Self {
            textures: vec![false; program.textures.len()],
            uniforms: vec![false; program.uniforms.len()],
            tables: vec![false; program.tables.len()],
            functions: vec![false; program.functions.len()],
            origins: vec![false; program.origins.len()],
            sites: vec![false; program.sites.len()],
        };
        for (_, body) in program.bodies() {
            named.body(body);
        }
        // Functions call earlier ones only: from the last to the first all callers come first.
        for (handle, function) in program.functions.iter().rev() {
            if named.functions[handle.index()] {
                named.body(&function.body);
            }
        }
        for (handle, uniform) in program.uniforms.iter() {
            if let UniformSource::TextureWidth(texture) | UniformSource::TextureHeight(texture) =
                uniform.source
            {
                named.textures[texture.index()] |= named.uniforms[handle.index()];
            }
        }
        named
    }

    fn body(&mut self, body: &Body) {
        for (_, value) in body.values.iter() {
            match value.expr {
                Expr::Uniform(uniform) => self.uniforms[uniform.index()] = true,
                Expr::Table(table, _) => self.tables[table.index()] = true,
                Expr::Texel(texture, ..) => self.textures[texture.index()] = true,
                _ => {}
            }
        }
        let mut blocks = vec![&body.block];
        while let Some(block) = blocks.pop() {
            for statement in block {
                if let Some(origin) = statement.origin {
                    self.origins[origin.index()] = true;
                }
                match &statement.kind {
                    Stmt::Call { function, .. } => self.functions[function.index()] = true,
                    Stmt::Draw { site, .. } => self.sites[site.index()] = true,
                    Stmt::If { then, otherwise, .. } => blocks.extend([then, otherwise]),
                    Stmt::Let(_)
                    | Stmt::Store(..)
                    | Stmt::StoreRegister(..)
                    | Stmt::Kill(_)
                    | Stmt::Fail(_) => {}
                }
            }
        }
    }
}

/// What became of the handles.
struct Kept {
    textures: Vec<Option<Handle<Texture>>>,
    uniforms: Vec<Option<Handle<Uniform>>>,
    tables: Vec<Option<Handle<Table>>>,
    functions: Vec<Option<Handle<Function>>>,
    origins: Vec<Option<Handle<Origin>>>,
    sites: Vec<Option<Handle<DrawSite>>>,
}

impl Kept {
    fn is_everything(&self) -> bool {
        self.textures.iter().all(Option::is_some)
            && self.uniforms.iter().all(Option::is_some)
            && self.tables.iter().all(Option::is_some)
            && self.functions.iter().all(Option::is_some)
            && self.origins.iter().all(Option::is_some)
            && self.sites.iter().all(Option::is_some)
    }

    fn rename(&self, body: &mut Body) {
        for (_, value) in body.values.iter_mut() {
            match &mut value.expr {
                Expr::Uniform(uniform) => new(&self.uniforms, uniform),
                Expr::Table(table, _) => new(&self.tables, table),
                Expr::Texel(texture, ..) => new(&self.textures, texture),
                _ => {}
            }
        }
        self.rename_block(&mut body.block);
    }

    fn rename_block(&self, block: &mut Block) {
        for statement in block {
            if let Some(origin) = &mut statement.origin {
                new(&self.origins, origin);
            }
            match &mut statement.kind {
                Stmt::Call { function, .. } => new(&self.functions, function),
                Stmt::Draw { site, .. } => new(&self.sites, site),
                Stmt::If { then, otherwise, .. } => {
                    self.rename_block(then);
                    self.rename_block(otherwise);
                }
                Stmt::Let(_)
                | Stmt::Store(..)
                | Stmt::StoreRegister(..)
                | Stmt::Kill(_)
                | Stmt::Fail(_) => {}
            }
        }
    }
}

fn new<T>(kept: &[Option<Handle<T>>], handle: &mut Handle<T>) {
    *handle = kept[handle.index()].unwrap_or(*handle);
}
