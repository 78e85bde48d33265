//! Systems of both kinds, and simulations that choose between them, do the same to the same calls.

use pyrograph::gpu::{GpuSystem, Policy, Simulation};
use pyrograph::{
    Camera, Controls, Input, InputError, InputValue, Interpreted, InvalidEmitter, ParticleState,
    ParticleSystem, Pcg, Phase, Texels, state,
};

use super::pair::{DEVICE, module, noise};

const PROGRAM: &str = r#"program "surface" parallel capacity 40 {
  emission rate 20.0 speed 0.1 stop 0.0 warm 2.0 by 0.5 nostart dispose
  column id u32 is id
  column age f32 is age
  column size f32 is size
  column angle f32 is angle
  input growth "Growth" = 0.25
  input place "Place" = 1.0 2.0
  texture picture "data:,"
  uniform delta = delta
  uniform growth = input.0.0
  uniform place = input.1.1
  uniform x = emitterPosition.0
  uniform camera = cameraPosition.2
  uniform width = textureWidth.0
  update {
    %0 = load age
    %1 = add %0, @delta
    store age, %1
    %2 = load size
    %3 = add %2, @growth
    store size, %3
    store angle, @camera
    %4 = lt 0.45, %1
    kill %4
  }
  birth {
    store id, new_id
    store age, 0.0
    store size, @x
    %0 = add @place, @width
    store angle, %0
  }
}
"#;

/// All that can be asked, as text.
type Facts = Vec<(&'static str, String)>;

/// What every system can do. Where one kind waits for a GPU it may fail; here it does not.
trait Surface {
    fn start(&mut self);
    fn stop(&mut self);
    fn clear(&mut self);
    fn set_can_start(&mut self, can_start: bool);
    fn set_emit_rate(&mut self, rate: f64);
    fn set_update_speed(&mut self, speed: f64);
    fn set_target_stop(&mut self, time: f64);
    fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter>;
    fn set_emitter_position(&mut self, position: [f64; 3]) -> Result<(), InvalidEmitter>;
    fn set_camera(&mut self, camera: Option<Camera>);
    fn set_growth(&mut self, growth: f64) -> Result<(), InputError>;
    fn set_picture(&mut self, texels: Texels);
    fn do_value(&mut self, input: &Input) -> Result<(), InputError>;
    fn pre_warm(&mut self);
    fn animate(&mut self, ratio: f64);
    fn facts(&mut self) -> Facts;
}

/// The calls that all types spell alike, and those that they do not.
macro_rules! surface {
    ($ty:ty, $system:ident, $random:ident, $texels:ident, $ratio:ident: phase $phase:expr, dispose $dispose:expr,
     picture $picture:expr, warm $warm:expr, animate $animate:expr, look $look:expr) => {
        impl Surface for $ty {
            fn start(&mut self) {
                self.start();
            }
            fn stop(&mut self) {
                self.stop();
            }
            fn clear(&mut self) {
                self.clear();
            }
            fn set_can_start(&mut self, can_start: bool) {
                self.set_can_start(can_start);
            }
            fn set_emit_rate(&mut self, rate: f64) {
                self.set_emit_rate(rate);
            }
            fn set_update_speed(&mut self, speed: f64) {
                self.set_update_speed(speed);
            }
            fn set_target_stop(&mut self, time: f64) {
                self.set_target_stop(time);
            }
            fn set_emitter_matrix(&mut self, matrix: [f64; 16]) -> Result<(), InvalidEmitter> {
                self.set_emitter_matrix(matrix)
            }
            fn set_emitter_position(&mut self, position: [f64; 3]) -> Result<(), InvalidEmitter> {
                self.set_emitter_position(position)
            }
            fn set_camera(&mut self, camera: Option<Camera>) {
                self.set_camera(camera);
            }
            fn set_growth(&mut self, growth: f64) -> Result<(), InputError> {
                let input = self.input_handle("growth")?;
                self.set_input(input, growth)?;
                assert_eq!(self.input(input), Ok(growth));
                assert!(self.input_handle::<[f64; 3]>("place").is_err());
                Ok(())
            }
            fn set_picture(&mut self, $texels: Texels) {
                let $system = self;
                $picture;
            }
            fn do_value(&mut self, input: &Input) -> Result<(), InputError> {
                self.apply(input)
            }
            fn pre_warm(&mut self) {
                let ($system, $random) = (self, &mut Pcg::seed_from_u64(0));
                $warm;
            }
            fn animate(&mut self, $ratio: f64) {
                let ($system, $random) = (self, &mut Pcg::seed_from_u64(0));
                $animate;
            }
            fn facts(&mut self) -> Facts {
                let values: Vec<Result<InputValue, InputError>> =
                    ["growth", "place", "none"].map(|name| self.input_value(name)).into();
                let mut facts = vec![
                    ("can start", self.can_start().to_string()),
                    ("started", self.is_started().to_string()),
                    ("time", self.time().to_string()),
                    ("rate", self.emit_rate().to_string()),
                    ("speed", self.update_speed().to_string()),
                    ("stop", self.target_stop().to_string()),
                    ("emitter", format!("{:?}", self.emitter_matrix())),
                    ("camera", format!("{:?}", self.camera())),
                    ("pictures", format!("{:?}", self.textures())),
                    ("inputs", format!("{values:?}")),
                ];
                let $system = self;
                let phase: Phase = $phase;
                facts.push(("phase", format!("{phase:?}")));
                facts.push(("dispose", format!("{:?}", $dispose)));
                facts.push(("state", $look));
                facts
            }
        }
    };
}

fn text(state: &dyn ParticleState) -> String {
    state::Json(&[state]).to_string()
}

surface!(ParticleSystem<Interpreted>, system, random, texels, ratio:
    phase system.phase(), dispose system.should_dispose(),
    picture system.set_texture(0, texels), warm system.pre_warm(random).unwrap(),
    animate system.animate(ratio, random).unwrap(), look text(system.program()));
surface!(GpuSystem, system, _random, texels, ratio:
    phase system.phase().unwrap(), dispose system.should_dispose().unwrap(),
    picture system.set_texture(0, texels).unwrap(), warm system.pre_warm().unwrap(),
    animate system.record(ratio).unwrap(), look text(&system.read_back().unwrap()));
surface!(Simulation, system, random, texels, ratio:
    phase system.phase().unwrap(), dispose system.should_dispose().unwrap(),
    picture system.set_texture(0, texels).unwrap(), warm system.pre_warm(random).unwrap(),
    animate system.animate(ratio, random).unwrap(), look system.look(text).unwrap());

fn matrix(x: f64) -> [f64; 16] {
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[5], matrix[10], matrix[15], matrix[12]) = (2.0, 1.0, 1.0, 1.0, x);
    matrix
}

fn camera(z: f64) -> Camera {
    Camera { position: [1.0, 2.0, z], view: [0.5; 16], view_projection: [0.25; 16] }
}

/// What a host does before each step, as a call or, where there is one, as a value.
fn act(system: &mut dyn Surface, step: u32, by_value: bool) {
    let input = match step {
        // Nothing happens: the graph says `doNoStart`.
        0 | 3 => Input::Start,
        2 => Input::CanStart(true),
        5 => Input::EmitRate(45.0),
        7 => Input::Emitter(matrix(3.0)),
        8 => Input::Emitter(matrix(f64::NAN)),
        9 => Input::Camera(Some(camera(4.0))),
        10 => Input::set("growth", 0.5),
        11 => Input::UpdateSpeed(0.05),
        13 => Input::Clear,
        14 => Input::TargetStop(0.9),
        26 => Input::Start,
        27 => Input::Camera(None),
        29 => Input::Stop,
        _ => {
            match step {
                6 => system.set_emitter_position([1.5, 0.0, 0.0]).unwrap(),
                12 => system.set_picture(noise(3, 2)),
                16 => assert!(system.set_emitter_position([0.0, f64::INFINITY, 0.0]).is_err()),
                17 => assert!(system.do_value(&Input::set("growth", [1.0, 2.0])).is_err()),
                _ => {}
            }
            return;
        }
    };
    let refused = step == 8;
    if by_value {
        assert_eq!(system.do_value(&input).is_err(), refused, "step {step}");
        if let Input::Start = input {
            system.pre_warm();
        }
        return;
    }
    match input {
        Input::Start => {
            system.start();
            system.pre_warm();
        }
        Input::Stop => system.stop(),
        Input::Clear => system.clear(),
        Input::CanStart(can_start) => system.set_can_start(can_start),
        Input::EmitRate(rate) => system.set_emit_rate(rate),
        Input::UpdateSpeed(speed) => system.set_update_speed(speed),
        Input::TargetStop(time) => system.set_target_stop(time),
        Input::Emitter(matrix) => {
            assert_eq!(system.set_emitter_matrix(matrix).is_err(), refused, "step {step}");
        }
        Input::Camera(camera) => system.set_camera(camera),
        Input::Set { value, .. } => system.set_growth(value.numbers()[0]).unwrap(),
    }
}

#[test]
fn all_kinds_of_systems_do_the_same() {
    let (device, queue) = &*DEVICE;
    let module = module(PROGRAM);
    let cpu = || ParticleSystem::from_program(Interpreted::all(&module).remove(0), 7);
    let there = Ok(DEVICE.clone());
    let auto = |policy| Simulation::auto(&there, &module, 0, 7, policy).unwrap();
    let mut expected = cpu();
    let mut others: Vec<(&str, bool, Box<dyn Surface>)> = Vec::new();
    for by_value in [false, true] {
        let gpu = GpuSystem::new(device, queue, &module, 0, 7).unwrap();
        others.push(("CPU", by_value, Box::new(cpu())));
        others.push(("GPU", by_value, Box::new(gpu)));
        others.push(("simulation on a GPU", by_value, Box::new(auto(Policy::Gpu))));
        others.push(("simulation on the CPU", by_value, Box::new(auto(Policy::Cpu))));
    }
    let mut phases = Vec::new();
    for step in 0..60 {
        act(&mut expected, step, false);
        Surface::animate(&mut expected, 1.0);
        let facts = expected.facts();
        phases.push(expected.phase());
        for (name, by_value, system) in &mut others {
            act(system.as_mut(), step, *by_value);
            system.animate(1.0);
            assert_eq!(system.facts(), facts, "{name}, step {step}, by value: {by_value}");
        }
    }
    phases.dedup();
    let life = [Phase::Emitting, Phase::Draining, Phase::Finished];
    assert_eq!(phases, [&[Phase::Idle], &life[..], &life].concat());
    assert!(expected.should_dispose());
}

/// Emitters that a function moves.
#[test]
fn providers_move_recorded_steps() {
    let (device, queue) = &*DEVICE;
    let module = module(PROGRAM);
    let mut gpu = GpuSystem::new(device, queue, &module, 0, 7).unwrap();
    let mut cpu = ParticleSystem::from_program(Interpreted::all(&module).remove(0), 7);
    gpu.set_can_start(true);
    cpu.set_can_start(true);
    gpu.start();
    cpu.start();
    for step in 0..20 {
        let mut provider = || if step == 9 { Err("no") } else { Ok(matrix(f64::from(step))) };
        let made = gpu.record_with(1.0, &mut provider);
        let wanted = cpu.animate_with(1.0, &mut provider, &mut Pcg::seed_from_u64(0));
        assert_eq!(made, wanted);
        assert_eq!(made.is_err(), step == 9);
        assert_eq!(gpu.emitter_matrix(), cpu.emitter_matrix());
    }
    assert_eq!(text(&gpu.read_back().unwrap()), text(cpu.program()));
}
