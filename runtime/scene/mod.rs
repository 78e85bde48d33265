//! A registry of systems that live and are drawn together (spec section 10.3).
//!
//! A [`Scene`] owns the sets that are registered, advances each system once a frame, and says in
//! which order they are drawn. It needs no GPU: whoever draws asks it for
//! [`draw_order`](Scene::draw_order), or is told of each system by a callback.
//!
//! ```
//! use pyrograph::scene::{Register, Scene};
//! pyrograph::include_particle_graph!(mod fountain = "fixtures/graphs/canonical/fountain.json");
//!
//! let mut scene = Scene::new(pyrograph::Pcg::seed_from_u64(7));
//! let fountain = scene.register(fountain::Set::new(), Register::new());
//! for _ in 0..60 {
//!     // A display of 144 frames a second.
//!     let report = scene.advance(1000.0 / 144.0);
//!     assert!(report.failures.is_empty());
//! }
//! for system in scene.draw_order() {
//!     assert!(system.state().alive() > 0);
//! }
//! scene.unregister(fountain);
//! assert_eq!(scene.systems().count(), 0);
//! ```

mod register;

use std::any::Any;

#[cfg(feature = "picture")]
pub(crate) use register::Group;
pub use register::{Register, SetId, SystemId};

use crate::error::StepError;
use crate::program::{Camera, ParticleState};
use crate::random::Random;
use crate::system_set::{Controls, Input, SystemSet};
use register::{Entry, HostCallback, Registered};

/// Frames a second for which graphs are written: a frame of this length has the ratio 1.
pub const FRAMES_A_SECOND: f64 = 60.0;

/// The ratio of a step to a frame of [`FRAMES_A_SECOND`]; 1 where no time has passed.
#[must_use]
pub fn frame_ratio(delta_ms: f64) -> f64 {
    if delta_ms > 0.0 { delta_ms / (1000.0 / FRAMES_A_SECOND) } else { 1.0 }
}

/// Registered sets, the random source that they share, and the camera that they look at.
pub struct Scene<R> {
    random: R,
    camera: Option<Camera>,
    sets: Vec<Registered>,
    /// What is done in a frame, in the order in which it was registered.
    entries: Vec<Entry<R>>,
    next_set: u64,
    is_in_frame: bool,
}

/// What came of a frame.
#[derive(Debug, Default)]
pub struct FrameReport {
    /// Systems whose step failed. They stay, and are stepped again in the next frame; the others
    /// were stepped all the same.
    pub failures: Vec<(SystemId, StepError)>,
    /// Systems that have finished, and whose graph says `disposeOnStop`: they are listed no more.
    pub disposed: Vec<SystemId>,
}

/// A system of a scene.
#[derive(Clone, Copy)]
pub struct SceneSystem<'a> {
    /// Its set, and its place in it.
    pub id: SystemId,
    /// What can be asked of it.
    pub controls: &'a dyn Controls,
}

impl<'a> SceneSystem<'a> {
    /// Its particles.
    #[must_use]
    pub fn state(&self) -> &'a dyn ParticleState {
        self.controls.state()
    }
}

impl<R: Random> Scene<R> {
    /// A scene without systems. In Exact all of them draw from this source, in their order.
    #[must_use]
    pub fn new(random: R) -> Self {
        Self {
            random,
            camera: None,
            sets: Vec::new(),
            entries: Vec::new(),
            next_set: 0,
            is_in_frame: false,
        }
    }

    /// Takes a set, starts its systems unless told otherwise, and advances and draws them from now on,
    /// behind those that were registered before. Nothing is stepped yet. A set that is registered by
    /// a callback takes part in the frame that is going on.
    pub fn register<S: SystemSet + 'static>(&mut self, set: S, register: Register) -> SetId {
        let id = SetId(self.next_set);
        self.next_set += 1;
        let mut set = Registered::new(id, Box::new(set));
        if register.auto_start {
            set.group.apply(&Input::Start);
        }
        if self.camera.is_some() {
            set.group.apply(&Input::Camera(self.camera));
        }
        self.sets.push(set);
        self.add(id, register, true);
        id
    }

    /// Draws the systems of a set once more, and calls back once more, behind those that were
    /// registered before. They are advanced once a frame, and listed once, all the same. Gives whether
    /// there is such a set.
    pub fn register_again(&mut self, set: SetId, register: Register) -> bool {
        let Some(registered) = self.sets.iter_mut().find(|registered| registered.id == set) else {
            return false;
        };
        if register.auto_start {
            registered.group.apply(&Input::Start);
        }
        self.add(set, register, false);
        true
    }

    fn add(&mut self, set: SetId, register: Register, advances: bool) {
        let Some(registered) = self.sets.iter().find(|registered| registered.id == set) else {
            return;
        };
        let callback = register.callback.map(register::shared);
        for slot in &registered.slots {
            self.entries.push(Entry::System {
                id: SystemId { set, index: slot.index },
                advances,
                group: register.group.unwrap_or(slot.group),
                callback: callback.clone(),
            });
        }
    }

    /// Calls a function in each frame with the scene and the milliseconds since the last one, before
    /// systems that are registered later are advanced: to move emitters and the camera. It may
    /// register and unregister. It is called until the scene is disposed of.
    pub fn before_render(&mut self, callback: impl FnMut(&mut Self, f64) + 'static) {
        self.entries.push(Entry::Host(Some(HostCallback(Box::new(callback)))));
    }

    /// Gives a set back, and advances and draws its systems no more. `None` where there is no such
    /// set, or all of its systems were disposed of.
    pub fn unregister(&mut self, set: SetId) -> Option<Box<dyn Any>> {
        let at = self.sets.iter().position(|registered| registered.id == set)?;
        let registered = self.sets.remove(at);
        self.forget(|id| id.set == set);
        Some(registered.group.into_any())
    }

    /// Drops all sets and callbacks.
    pub fn dispose(&mut self) {
        self.sets.clear();
        for entry in &mut self.entries {
            *entry = Entry::Removed;
        }
        self.compact();
    }

    /// All systems in the order of their first registration, each once. None of them was disposed of.
    pub fn systems(&self) -> impl Iterator<Item = SceneSystem<'_>> {
        self.sets.iter().flat_map(|registered| {
            registered.slots.iter().filter_map(|slot| {
                let id = SystemId { set: registered.id, index: slot.index };
                Some(SceneSystem { id, controls: registered.group.system(slot.index)? })
            })
        })
    }

    /// All systems in the order in which they are drawn: lower groups (`renderingGroupId`) first, in a
    /// group those first that were registered first. One that was registered again comes again.
    pub fn draw_order(&self) -> Vec<SceneSystem<'_>> {
        let mut drawn: Vec<(f64, SceneSystem<'_>)> = Vec::new();
        for entry in &self.entries {
            let Entry::System { id, group, .. } = *entry else { continue };
            if let Some(controls) = self.system(id) {
                drawn.push((group, SceneSystem { id, controls }));
            }
        }
        drawn.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        drawn.into_iter().map(|(_, system)| system).collect()
    }

    /// A system; `None` where it is not listed.
    pub fn system(&self, id: SystemId) -> Option<&dyn Controls> {
        self.registered(id)?.group.system(id.index)
    }

    /// A system, to change it; `None` where it is not listed.
    pub fn system_mut(&mut self, id: SystemId) -> Option<&mut dyn Controls> {
        self.registered(id)?;
        let mut sets = self.sets.iter_mut();
        sets.find(|registered| registered.id == id.set)?.group.system_mut(id.index)
    }

    /// A set as its type; `None` where there is no such set of this type.
    pub fn set<S: SystemSet + 'static>(&self, set: SetId) -> Option<&S> {
        let registered = self.sets.iter().find(|registered| registered.id == set)?;
        registered.group.as_any().downcast_ref()
    }

    /// A set as its type, to change it; see [`set`](Self::set).
    pub fn set_mut<S: SystemSet + 'static>(&mut self, set: SetId) -> Option<&mut S> {
        let registered = self.sets.iter_mut().find(|registered| registered.id == set)?;
        registered.group.as_any_mut().downcast_mut()
    }

    fn registered(&self, id: SystemId) -> Option<&Registered> {
        let registered = self.sets.iter().find(|registered| registered.id == id.set)?;
        registered.slots.iter().any(|slot| slot.index == id.index).then_some(registered)
    }

    /// The camera that all systems see.
    pub fn camera(&self) -> Option<&Camera> {
        self.camera.as_ref()
    }

    /// Sets or removes the camera of all systems, now and later.
    pub fn set_camera(&mut self, camera: Option<Camera>) {
        self.camera = camera;
        for set in &mut self.sets {
            set.group.apply(&Input::Camera(camera));
        }
    }

    /// The random source.
    pub fn random(&self) -> &R {
        &self.random
    }

    /// One frame: the milliseconds since the last one.
    ///
    /// What was registered is done in its order: callbacks of hosts are called, systems are advanced,
    /// each by its update speed times [`frame_ratio`], and then its callback is called. Systems that
    /// are not started stay as they are, and are called back all the same. Does nothing where a
    /// callback calls it.
    pub fn advance(&mut self, delta_ms: f64) -> FrameReport {
        let mut report = FrameReport::default();
        if self.is_in_frame {
            return report;
        }
        self.is_in_frame = true;
        let ratio = frame_ratio(delta_ms);
        self.pre_warm(&mut report);
        let mut index = 0;
        while index < self.entries.len() {
            self.run(index, delta_ms, ratio, &mut report);
            index += 1;
        }
        self.is_in_frame = false;
        self.let_go(&mut report);
        self.compact();
        report
    }

    /// Makes the steps of pre-warming that are owed, before any system of the scene goes on.
    fn pre_warm(&mut self, report: &mut FrameReport) {
        for set in &mut self.sets {
            for slot in &set.slots {
                let Some(system) = set.group.system_mut(slot.index) else { continue };
                if let Err(error) = system.pre_warm(&mut self.random) {
                    report.failures.push((SystemId { set: set.id, index: slot.index }, error));
                }
            }
        }
    }

    fn run(&mut self, index: usize, delta_ms: f64, ratio: f64, report: &mut FrameReport) {
        match &mut self.entries[index] {
            Entry::Removed => {}
            Entry::Host(callback) => {
                let Some(mut taken) = callback.take() else { return };
                taken.0(self, delta_ms);
                if let Some(Entry::Host(callback)) = self.entries.get_mut(index) {
                    *callback = Some(taken);
                }
            }
            Entry::System { id, advances, callback, .. } => {
                let (id, advances, callback) = (*id, *advances, callback.clone());
                let mut sets = self.sets.iter_mut();
                let Some(set) = sets.find(|registered| registered.id == id.set) else { return };
                if let (true, Some(system)) = (advances, set.group.system_mut(id.index)) {
                    let stepped = system.animate(ratio, &mut self.random);
                    report.failures.extend(stepped.err().map(|error| (id, error)));
                }
                if let (Some(callback), Some(system)) = (callback, set.group.system(id.index)) {
                    callback.borrow_mut()(id, system);
                }
            }
        }
    }

    /// Lets go of systems that have finished and want it.
    fn let_go(&mut self, report: &mut FrameReport) {
        for set in &mut self.sets {
            let Registered { id, group, slots } = set;
            slots.retain(|slot| {
                let is_over = group.system(slot.index).is_some_and(Controls::should_dispose);
                if is_over {
                    report.disposed.push(SystemId { set: *id, index: slot.index });
                }
                !is_over
            });
        }
        self.sets.retain(|set| !set.slots.is_empty());
        for &disposed in &report.disposed {
            self.forget(|id| id == disposed);
        }
    }

    fn forget(&mut self, is_gone: impl Fn(SystemId) -> bool) {
        for entry in &mut self.entries {
            if matches!(entry, Entry::System { id, .. } if is_gone(*id)) {
                *entry = Entry::Removed;
            }
        }
        self.compact();
    }

    /// Drops what was removed; a frame that is going on counts its entries, and does it at its end.
    fn compact(&mut self) {
        if !self.is_in_frame {
            self.entries.retain(|entry| !matches!(entry, Entry::Removed));
        }
    }
}
