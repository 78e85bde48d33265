//! Sets whose particles are drawn as sprites (spec section 10.7).

use std::any::Any;
use std::fmt;

use super::bridge::{Bridge, Options};
use super::error::BridgeError;
use super::layer::Layer;
use crate::error::StepError;
use crate::picture::Image;
use crate::random::Random;
use crate::scene::{Group, frame_ratio};
use crate::system_set::{Input, SystemSet};

/// What draws layers. It may refuse one: where a pipeline cannot be made, for example.
pub trait Target {
    /// Why a layer is refused.
    type Error;

    /// Makes ready to draw a layer with its image.
    ///
    /// # Errors
    /// The layer cannot be drawn. It is not attached then, and nothing of it stays behind.
    fn attach(&mut self, id: LayerId, layer: &Layer, image: &Image) -> Result<(), Self::Error>;

    /// Forgets a layer.
    fn detach(&mut self, id: LayerId);
}

/// A layer that is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayerId(u64);

/// A registered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BindingId(u64);

/// Why a set was not registered. Nothing of it is attached, and no system of it was started.
#[derive(Debug)]
pub struct Refused<S, E> {
    /// The set.
    pub set: S,
    /// Place of the system that was refused.
    pub system: usize,
    /// What is wrong.
    pub reason: Reason<E>,
}

/// What is wrong with a system.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason<E> {
    /// Its bridge cannot be created or synchronized.
    Bridge(BridgeError),
    /// The target does not draw one of its layers.
    Target(E),
}

impl<E: fmt::Display> fmt::Display for Reason<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bridge(error) => error.fmt(f),
            Self::Target(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Reason<E> {}

/// What went wrong with a system in a frame. It is tried again in the next one; the others went on.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameFailure {
    /// Its step failed.
    Step(StepError),
    /// Its bridge could not be synchronized: its sprites are those of the frame before.
    Bridge(BridgeError),
}

impl fmt::Display for FrameFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(error) => error.fmt(f),
            Self::Bridge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FrameFailure {}

/// A set, the bridges of its systems in their order, and the layers of each that are attached.
struct Binding {
    id: BindingId,
    set: Box<dyn Group>,
    bridges: Vec<Bridge>,
    layers: Vec<Vec<LayerId>>,
}

/// Owns sets, advances them once a frame, and keeps their layers attached to a target.
///
/// When it is dropped, everything is detached.
pub struct Stage<R: Random, T: Target> {
    random: R,
    target: T,
    bindings: Vec<Binding>,
    images: Vec<(LayerId, Image)>,
    next_binding: u64,
    next_layer: u64,
}

impl<R: Random, T: Target> Stage<R, T> {
    /// Nothing is registered. In Exact all systems draw from this source, in their order.
    #[must_use]
    pub fn new(random: R, target: T) -> Self {
        Self {
            random,
            target,
            bindings: Vec::new(),
            images: Vec::new(),
            next_binding: 0,
            next_layer: 0,
        }
    }

    /// Takes a set and draws it from now on. `images` has the picture of each system.
    ///
    /// All bridges are created and synchronized first; then their layers are attached, in the order of
    /// the systems and of the passes of each; then, with `auto_start`, all systems are started.
    ///
    /// # Errors
    /// Any of this fails: the target is as it was, no system was started, and the set is given back.
    pub fn register<S: SystemSet + 'static>(
        &mut self,
        set: S,
        images: &[Option<Image>],
        options: &Options,
        auto_start: bool,
    ) -> Result<BindingId, Refused<S, T::Error>> {
        let created = create(&set, images, options);
        let bridges = match created {
            Ok(bridges) => bridges,
            Err((system, error)) => {
                return Err(Refused { set, system, reason: Reason::Bridge(error) });
            }
        };
        let mut layers: Vec<Vec<LayerId>> = Vec::new();
        for (system, bridge) in bridges.iter().enumerate() {
            let mut attached = Vec::new();
            let image = images.get(system).cloned().flatten().unwrap_or_default();
            for layer in bridge.layers() {
                let id = LayerId(self.next_layer);
                self.next_layer += 1;
                if let Err(error) = self.target.attach(id, layer, &image) {
                    layers.push(attached);
                    self.detach(&layers);
                    return Err(Refused { set, system, reason: Reason::Target(error) });
                }
                self.images.push((id, image.clone()));
                attached.push(id);
            }
            layers.push(attached);
        }
        let mut set: Box<dyn Group> = Box::new(set);
        if auto_start {
            set.apply(&Input::Start);
        }
        let id = BindingId(self.next_binding);
        self.next_binding += 1;
        self.bindings.push(Binding { id, set, bridges, layers });
        Ok(id)
    }

    /// Whether a set is drawn: registered, and not disposed of.
    #[must_use]
    pub fn is_active(&self, binding: BindingId) -> bool {
        self.bindings.iter().any(|known| known.id == binding)
    }

    /// Draws and advances a set no more, and gives it back as it is: it is not stopped. `None` where
    /// that was done before.
    pub fn dispose(&mut self, binding: BindingId) -> Option<Box<dyn Any>> {
        let at = self.bindings.iter().position(|known| known.id == binding)?;
        let binding = self.bindings.remove(at);
        self.detach(&binding.layers);
        Some(binding.set.into_any())
    }

    /// Disposes of all sets, and gives them back in the order in which they were registered.
    pub fn dispose_all(&mut self) -> Vec<Box<dyn Any>> {
        let ids: Vec<BindingId> = self.bindings.iter().map(|binding| binding.id).collect();
        ids.into_iter().filter_map(|id| self.dispose(id)).collect()
    }

    fn detach(&mut self, layers: &[Vec<LayerId>]) {
        for &id in layers.iter().flatten() {
            self.target.detach(id);
            self.images.retain(|(known, _)| *known != id);
        }
    }

    /// The bridges of a set, one a system; none where it is not active.
    #[must_use]
    pub fn bridges(&self, binding: BindingId) -> &[Bridge] {
        let binding = self.bindings.iter().find(|known| known.id == binding);
        binding.map_or(&[], |binding| &binding.bridges)
    }

    /// The bridges of a set, to change their mapping and how they are shown.
    pub fn bridges_mut(&mut self, binding: BindingId) -> &mut [Bridge] {
        let binding = self.bindings.iter_mut().find(|known| known.id == binding);
        binding.map_or(&mut [], |binding| &mut binding.bridges)
    }

    /// The set as its type; `None` where it is not active or of another type.
    pub fn set<S: SystemSet + 'static>(&self, binding: BindingId) -> Option<&S> {
        let binding = self.bindings.iter().find(|known| known.id == binding)?;
        binding.set.as_any().downcast_ref()
    }

    /// The set as its type, to change it; see [`set`](Self::set).
    pub fn set_mut<S: SystemSet + 'static>(&mut self, binding: BindingId) -> Option<&mut S> {
        let binding = self.bindings.iter_mut().find(|known| known.id == binding)?;
        binding.set.as_any_mut().downcast_mut()
    }

    /// What draws.
    pub fn target(&self) -> &T {
        &self.target
    }

    /// What draws.
    pub fn target_mut(&mut self) -> &mut T {
        &mut self.target
    }

    /// All layers in the order in which they are drawn: lower orders first, among equals those that
    /// were attached first. Layers of one system stay together.
    #[must_use]
    pub fn draw_order(&self) -> Vec<(LayerId, &Layer, &Image)> {
        let mut drawn = Vec::new();
        for binding in &self.bindings {
            for (bridge, ids) in binding.bridges.iter().zip(&binding.layers) {
                let first = bridge.layers().first();
                let order = first.map_or(0.0, |layer| layer.presentation.order);
                for (layer, id) in bridge.layers().iter().zip(ids) {
                    let image = self.images.iter().find(|(known, _)| known == id);
                    drawn.extend(image.map(|(_, image)| (order, (*id, layer, image))));
                }
            }
        }
        drawn.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        drawn.into_iter().map(|(_, layer)| layer).collect()
    }

    /// Calls a function for each layer, to upload what is dirty of it.
    pub fn for_each_layer(&mut self, mut visit: impl FnMut(&mut T, LayerId, &mut Layer)) {
        for binding in &mut self.bindings {
            for (bridge, ids) in binding.bridges.iter_mut().zip(&binding.layers) {
                for (layer, &id) in bridge.layers_mut().iter_mut().zip(ids) {
                    visit(&mut self.target, id, layer);
                }
            }
        }
    }

    /// One frame: the milliseconds since the last one. Each system is advanced once, by its update
    /// speed times [`frame_ratio`], and its layers are synchronized, set after set.
    ///
    /// Gives what failed, with the set and the place of the system in it.
    pub fn advance(&mut self, delta_ms: f64) -> Vec<(BindingId, usize, FrameFailure)> {
        let ratio = frame_ratio(delta_ms);
        let mut failures = Vec::new();
        for binding in &mut self.bindings {
            for index in 0..binding.bridges.len() {
                let Some(system) = binding.set.system_mut(index) else { continue };
                let warmed = system.pre_warm(&mut self.random).map_err(FrameFailure::Step);
                failures.extend(warmed.err().map(|failure| (binding.id, index, failure)));
            }
        }
        for Binding { id, set, bridges, .. } in &mut self.bindings {
            for (index, bridge) in bridges.iter_mut().enumerate() {
                let Some(system) = set.system_mut(index) else { continue };
                // What was done before a failure is shown.
                let stepped = system.animate(ratio, &mut self.random).map_err(FrameFailure::Step);
                let synced = bridge.sync(system.state()).map_err(FrameFailure::Bridge);
                let failed = [stepped, synced].into_iter().filter_map(Result::err);
                failures.extend(failed.map(|failure| (*id, index, failure)));
            }
        }
        failures
    }
}

impl<R: Random, T: Target> Drop for Stage<R, T> {
    fn drop(&mut self) {
        drop(self.dispose_all());
    }
}

/// Bridges of all systems, synchronized; or the place of one that is refused.
fn create<S: SystemSet>(
    set: &S,
    images: &[Option<Image>],
    options: &Options,
) -> Result<Vec<Bridge>, (usize, BridgeError)> {
    let systems = set.systems().enumerate();
    let bridges = systems.map(|(index, system)| {
        let image = images.get(index).and_then(Option::as_ref);
        let bridge = Bridge::new(system.state(), image, options).and_then(|mut bridge| {
            bridge.sync(system.state())?;
            Ok(bridge)
        });
        bridge.map_err(|error| (index, error))
    });
    bridges.collect()
}
