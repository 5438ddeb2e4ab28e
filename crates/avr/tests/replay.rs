//! Paths of the nondeterministic microcontroller on the concrete core: those that are runs of the chip are
//! taken, others are not.

use std::sync::Arc;

use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Options};
use kripke_avr::replay::Replay;
use kripke_avr::tracing::{Event, Tracer};
use kripke_model::{Choice, KripkeStructure};

/// A step: the state before it, what the environment does, the state after it.
type Step = (Vec<u8>, Vec<Event>, Vec<u8>);

/// An input is read once and copied; both copies are looked at, bit 2 of each.
const CODE: [u16; 6] = [
    0xB309, // in r16, PINA
    0x2F10, // mov r17, r16
    0xFD02, // sbrc r16, 2
    0xE021, // ldi r18, 1
    0xFF12, // sbrs r17, 2
    0xCFFF, // rjmp .-2
];

struct Setting {
    image: Image,
    device: Device,
    micro: Micro,
}

impl Setting {
    fn new() -> Self {
        let bytes: Vec<u8> = CODE.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut image = Image::default();
        image.flash.define(0, &bytes).expect("code");
        let device = Device::built_in("atmega16").expect("built in");
        let mut micro = Micro::new(&image, &device, Options::default(), Arc::default());
        micro.hold_all();
        Self { image, device, micro }
    }

    /// The choices of all paths of so many steps.
    fn paths(&mut self, steps: usize) -> Vec<Vec<(Choice, Vec<u8>)>> {
        let mut paths = vec![vec![(0, self.initial())]];
        for _ in 0..steps {
            let mut longer = Vec::new();
            for path in &paths {
                let (_, last) = path.last().expect("a state");
                self.micro.successors(last, &mut |choice, next| {
                    let mut path = path.clone();
                    path.push((choice, next.to_vec()));
                    longer.push(path);
                });
            }
            paths = longer;
        }
        paths
    }

    fn initial(&mut self) -> Vec<u8> {
        let mut initial = Vec::new();
        self.micro.initial_states(&mut |state| initial = state.to_vec());
        initial
    }

    fn trace(&mut self, path: &[(Choice, Vec<u8>)]) -> (Tracer, Vec<Step>) {
        let mut tracer = Tracer::new(self.device.sram.start);
        let mut steps = Vec::new();
        for pair in path.windows(2) {
            let ((_, before), (choice, after)) = (&pair[0], &pair[1]);
            let events = self.micro.trace_step(before, *choice, after, &mut tracer);
            steps.push((before.clone(), events.expect("the step repeats"), after.clone()));
        }
        (tracer, steps)
    }

    fn replays(&self, tracer: &Tracer, steps: &[Step]) -> bool {
        let mut replay = Replay::new(&self.micro, tracer, &self.image, &self.device, &steps[0].0);
        steps
            .iter()
            .all(|(before, events, after)| replay.step(true, before, events, after))
    }
}

#[test]
fn what_the_core_takes_are_the_paths_without_conflict() {
    let mut setting = Setting::new();
    let (mut real, mut spurious) = (Vec::new(), 0);
    for path in setting.paths(5) {
        let (tracer, steps) = setting.trace(&path);
        // The copies have one value on the chip.
        assert_eq!(setting.replays(&tracer, &steps), !tracer.conflict);
        if tracer.conflict {
            spurious += 1;
        } else {
            real.push((tracer, steps));
        }
    }
    assert!(real.len() >= 2 && spurious >= 2, "{} and {spurious}", real.len());
    // With the inputs of another run the core goes another way.
    for (index, (tracer, _)) in real.iter().enumerate() {
        for (other, (_, steps)) in real.iter().enumerate() {
            assert_eq!(setting.replays(tracer, steps), index == other);
        }
    }
}

#[test]
fn steps_that_lead_elsewhere_are_refused() {
    let mut setting = Setting::new();
    let path = setting.paths(1).remove(0);
    let (choice, after) = &path[1];
    let mut wrong = after.clone();
    wrong[0] ^= 1;
    let mut tracer = Tracer::new(setting.device.sram.start);
    assert!(
        setting
            .micro
            .trace_step(&path[0].1, *choice, &wrong, &mut tracer)
            .is_none()
    );
    assert!(
        setting
            .micro
            .trace_step(&path[0].1, choice + 1, after, &mut tracer)
            .is_none()
    );
}
