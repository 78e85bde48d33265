//! What a scene keeps of what was registered.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::Scene;
use crate::system_set::{Controls, Input, SystemSet};

/// A registered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub(super) u64);

/// A system of a registered set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SystemId {
    /// Its set.
    pub set: SetId,
    /// Its place in the set, counted from 0.
    pub index: usize,
}

/// How a set is registered.
pub struct Register {
    pub(super) auto_start: bool,
    pub(super) group: Option<f64>,
    pub(super) callback: Option<Box<SystemCallback>>,
}

/// Is told of each system once a frame, after it was advanced.
pub(super) type SystemCallback = dyn FnMut(SystemId, &dyn Controls);

/// One callback that all systems of a registration share.
pub(super) type Shared = Rc<RefCell<Box<SystemCallback>>>;

pub(super) fn shared(callback: Box<SystemCallback>) -> Shared {
    Rc::new(RefCell::new(callback))
}

impl Default for Register {
    fn default() -> Self {
        Self::new()
    }
}

impl Register {
    /// Systems are started, and drawn in the group that their graph names.
    #[must_use]
    pub fn new() -> Self {
        Self { auto_start: true, group: None, callback: None }
    }

    /// Whether systems are started when they are registered.
    #[must_use]
    pub fn auto_start(self, auto_start: bool) -> Self {
        Self { auto_start, ..self }
    }

    /// Draws all systems in this group, whatever their graph says.
    #[must_use]
    pub fn group(self, group: f64) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Is told of each system once a frame, right after it was advanced: to upload its particles.
    #[must_use]
    pub fn on_system(self, callback: impl FnMut(SystemId, &dyn Controls) + 'static) -> Self {
        Self { callback: Some(Box::new(callback)), ..self }
    }
}

/// What is done in a frame.
pub(super) enum Entry<R> {
    /// A system is advanced, unless another entry does it, and its callback called.
    System { id: SystemId, advances: bool, group: f64, callback: Option<Shared> },
    /// A function of the host; it is not here while it is called.
    Host(Option<HostCallback<R>>),
    /// Nothing any more.
    Removed,
}

/// Is given the scene and the milliseconds since the last frame.
pub(super) type HostFunction<R> = dyn FnMut(&mut Scene<R>, f64);

/// A function of the host.
pub(super) struct HostCallback<R>(pub(super) Box<HostFunction<R>>);

/// A set of any type.
pub(crate) trait Group: Any {
    fn system(&self, index: usize) -> Option<&dyn Controls>;
    fn system_mut(&mut self, index: usize) -> Option<&mut dyn Controls>;
    /// Does what the input says, which cannot be refused, to all systems.
    fn apply(&mut self, input: &Input);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<S: SystemSet + 'static> Group for S {
    fn system(&self, index: usize) -> Option<&dyn Controls> {
        SystemSet::system(self, index)
    }

    fn system_mut(&mut self, index: usize) -> Option<&mut dyn Controls> {
        SystemSet::system_mut(self, index)
    }

    fn apply(&mut self, input: &Input) {
        let _ = self.apply_all(input);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// A system that was not disposed of.
pub(super) struct Slot {
    pub(super) index: usize,
    /// The group that its graph names.
    pub(super) group: f64,
}

/// A set with those of its systems that were not disposed of.
pub(super) struct Registered {
    pub(super) id: SetId,
    pub(super) group: Box<dyn Group>,
    pub(super) slots: Vec<Slot>,
}

impl Registered {
    pub(super) fn new(id: SetId, group: Box<dyn Group>) -> Self {
        let systems = (0..).map_while(|index| group.system(index).map(|system| (index, system)));
        let slots = systems.map(|(index, system)| Slot {
            index,
            group: system.state().render().rendering_group_id,
        });
        Self { id, slots: slots.collect(), group }
    }
}
