//! What a driver remembers between steps.

use crate::emission::Emission;
use crate::memory::Saver;
use crate::program::{Camera, EmissionFacts};

const IDENTITY: [f64; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A matrix that moves to a place.
pub(crate) fn translation(position: [f64; 3]) -> [f64; 16] {
    let mut matrix = IDENTITY;
    matrix[12..15].copy_from_slice(&position);
    matrix
}

/// The state of a driver.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Driver {
    pub(crate) emission: Emission,
    pub(crate) emit_rate: f64,
    pub(crate) update_speed: f64,
    pub(crate) target_stop: f64,
    pub(crate) emitter: [f64; 16],
    pub(crate) camera: Option<Camera>,
    pub(crate) seed: u32,
    /// Started calls so far; never resets.
    pub(crate) step: u32,
    pub(crate) is_initialized: bool,
    /// Steps of pre-warming that were not made yet.
    pub(crate) owed: u32,
    pub(crate) can_start: bool,
}

impl Driver {
    pub(crate) fn new(facts: &EmissionFacts, seed: u32) -> Self {
        Self {
            emission: Emission::new(facts.manual_emit_count),
            emit_rate: facts.rate,
            update_speed: facts.update_speed,
            target_stop: facts.target_stop,
            emitter: IDENTITY,
            camera: None,
            seed,
            step: 0,
            is_initialized: false,
            owed: 0,
            can_start: !facts.do_no_start,
        }
    }

    /// The driver of another program that goes on from here: time, seed and place stay, rates are the
    /// new program's, which has not been initialized.
    #[cfg(feature = "gpu")]
    pub(crate) fn succeeded_by(&self, facts: &EmissionFacts) -> Self {
        Self {
            emission: self.emission.succeeded_by(facts.manual_emit_count),
            emitter: self.emitter,
            camera: self.camera,
            step: self.step,
            owed: self.owed,
            can_start: self.can_start,
            ..Self::new(facts, self.seed)
        }
    }

    /// Writes everything, always as many bytes.
    pub(crate) fn save(&self, saver: &mut Saver<'_>) {
        let Self { emission, emitter, camera, .. } = self;
        emission.save(saver);
        for value in [self.emit_rate, self.update_speed, self.target_stop] {
            saver.float(value);
        }
        emitter.iter().for_each(|&element| saver.float(element));
        saver.bool(camera.is_some());
        let nothing = Camera { position: [0.0; 3], view: [0.0; 16], view_projection: [0.0; 16] };
        let Camera { position, view, view_projection } = camera.as_ref().unwrap_or(&nothing);
        for &number in position.iter().chain(view).chain(view_projection) {
            saver.float(number);
        }
        for word in [self.seed, self.step, self.owed] {
            saver.uint(word);
        }
        saver.bool(self.is_initialized);
        saver.bool(self.can_start);
    }

    /// Reads what [`save`](Self::save) has written; gives it and the bytes behind it.
    pub(crate) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let mut reader = Reader(bytes);
        let emission = Emission::read(&mut reader)?;
        let [emit_rate, update_speed, target_stop] = reader.floats()?;
        let emitter = reader.floats()?;
        let has_camera = reader.bool()?;
        let camera = Camera {
            position: reader.floats()?,
            view: reader.floats()?,
            view_projection: reader.floats()?,
        };
        let [seed, step, owed] = [reader.word()?, reader.word()?, reader.word()?];
        let (is_initialized, can_start) = (reader.bool()?, reader.bool()?);
        let driver = Self {
            emission,
            emit_rate,
            update_speed,
            target_stop,
            emitter,
            camera: has_camera.then_some(camera),
            seed,
            step,
            is_initialized,
            owed,
            can_start,
        };
        // No host could have set such a matrix.
        driver.emitter.iter().all(|element| element.is_finite()).then_some((driver, reader.0))
    }
}

/// Takes values from the front of bytes; `None` where there is no such value.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn bool(&mut self) -> Option<bool> {
        match self.take()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn floats<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.take().map(f64::from_le_bytes)?;
        }
        Some(floats)
    }
}

#[cfg(test)]
mod tests {
    use super::Driver;
    use crate::program::{Camera, EmissionFacts};
    use crate::snapshot::bytes;

    #[test]
    fn everything_comes_back() {
        let facts = EmissionFacts { manual_emit_count: 4.0, ..EmissionFacts::default() };
        let mut driver = Driver::new(&facts, 7);
        driver.emission.start();
        driver.emission.advance(2.5, 1.0, 0.0);
        driver.emitter[12] = 3.0;
        driver.camera =
            Some(Camera { position: [1.0, 2.0, 3.0], view: [4.0; 16], view_projection: [5.0; 16] });
        (driver.step, driver.owed, driver.is_initialized) = (8, 9, true);
        let saved = bytes(|saver| driver.save(saver));
        assert_eq!(Driver::read(&saved), Some((driver, &[][..])));
        for length in 0..saved.len() {
            assert_eq!(Driver::read(&saved[..length]), None);
        }
    }
}
