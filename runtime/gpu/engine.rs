//! Executes recordings with wgpu, on the buffers of one instance.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use pyrograph_compiler::emit::layout::WORD;
use pyrograph_compiler::emit::wgsl::Resource;

use super::buffers::Buffers;
use super::device::{filled, guarded};
use super::error::GpuError;
use super::program::GpuProgram;
use super::read::{ReadBack, Region};
use super::recording::{Command, RING, Recording};
use super::snapshot::ReadState;

/// Checkpoints on their way to the host at once; more are left out.
const CHECKPOINTS: usize = 2;

/// How long another thread may take to tell that copies have arrived.
const READ_LIMIT: Duration = Duration::from_secs(10);

/// One instance's buffers, on the device of its program.
#[derive(Debug)]
pub struct Engine {
    program: GpuProgram,
    buffers: Buffers,
    bind_group: wgpu::BindGroup,
    /// Numbers of checkpoints on their way, oldest first.
    checkpoints: VecDeque<(u64, ReadBack)>,
}

impl Engine {
    /// Creates the buffers.
    ///
    /// # Errors
    /// The device has no memory for them, or is lost.
    pub fn new(program: &GpuProgram) -> Result<Self, GpuError> {
        let program = program.clone();
        let (buffers, bind_group) =
            guarded(program.device(), "creating a particle system", || {
                let buffers = program.buffers()?;
                let bind_group = program.bind(&buffers);
                Ok::<_, GpuError>((buffers, bind_group))
            })??;
        Ok(Self { program, buffers, bind_group, checkpoints: VecDeque::new() })
    }

    /// The program.
    pub fn program(&self) -> &GpuProgram {
        &self.program
    }

    /// The buffers.
    pub fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// What the kernels bind as group 0; uniforms take a dynamic offset.
    pub fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    /// Replaces the pixels of all textures; see [`Buffers::set_texels`]. Work that has been
    /// encoded still reads the old ones.
    ///
    /// # Errors
    /// They are more than the device binds, or it is lost.
    pub fn set_texels(&mut self, words: &[u32]) -> Result<(), GpuError> {
        let mut buffers = self.buffers.clone();
        let device = self.program.device();
        self.bind_group = guarded(device, "taking over a picture", || {
            buffers.set_texels(device, words)?;
            Ok::<_, GpuError>(self.program.bind(&buffers))
        })??;
        self.buffers = buffers;
        Ok(())
    }

    /// Overwrites words of buffers, ahead of what is submitted from now on.
    ///
    /// # Errors
    /// The device has no memory for the copies.
    pub fn write(&self, regions: &[(Region, Vec<u32>)]) -> Result<(), GpuError> {
        let program = &self.program;
        guarded(program.device(), "restoring particles", || {
            for (region, words) in regions {
                if let Some(buffer) =
                    self.buffers.get(region.resource).filter(|_| !words.is_empty())
                {
                    let offset = u64::from(region.first) * WORD;
                    program.queue().write_buffer(buffer, offset, bytemuck::cast_slice(words));
                }
            }
        })
    }

    /// Encodes a recording and submits it.
    ///
    /// # Errors
    /// The device is lost, or has no memory for the uniform blocks; nothing was submitted.
    pub fn submit(&mut self, recording: &Recording) -> Result<(), GpuError> {
        if recording.is_empty() {
            return Ok(());
        }
        let mut encoder = self.encoder("pyrograph steps");
        self.encode(&mut encoder, recording)?;
        self.program.queue().submit([encoder.finish()]);
        Ok(())
    }

    /// Encodes a recording. All uniform blocks are uploaded with one copy, which the encoder orders
    /// behind the kernels that read earlier ones.
    ///
    /// # Errors
    /// The device is lost, or has no memory for the uniform blocks; nothing was encoded.
    pub fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        recording: &Recording,
    ) -> Result<(), GpuError> {
        let blocks = recording.blocks();
        let blocks = if blocks.is_empty() {
            None
        } else {
            let usage = wgpu::BufferUsages::COPY_SRC;
            let device = self.program.device();
            let create = || filled(device, "pyrograph uniform blocks", usage, blocks);
            Some(guarded(device, "uploading uniform blocks", create)??)
        };
        let is_dispatch = |command: &Command| matches!(command, Command::Dispatch { .. });
        for run in recording.commands().chunk_by(|a, b| is_dispatch(a) && is_dispatch(b)) {
            match run {
                [Command::Upload { steps }] => {
                    let to = self.buffers.get(Resource::Uniforms);
                    if let (Some(from), Some(to)) = (&blocks, to) {
                        let stride = u64::from(self.buffers.stride());
                        let (first, count) = (u64::from(steps.start), steps.len() as u64);
                        let (offset, size) = (first * stride, count * stride);
                        encoder.copy_buffer_to_buffer(from, offset, to, 0, size);
                    }
                }
                [Command::Clear { resource, words }] => {
                    if let Some(buffer) = self.buffers.get(*resource).filter(|_| !words.is_empty())
                    {
                        let size = words.len() as u64 * WORD;
                        encoder.clear_buffer(buffer, u64::from(words.start) * WORD, Some(size));
                    }
                }
                [Command::Checkpoint { number }] => self.begin_checkpoint(encoder, *number),
                dispatches => self.dispatch(encoder, dispatches),
            }
        }
        Ok(())
    }

    /// All dispatches of a run share a pass: wgpu orders what they read and write.
    fn dispatch(&self, encoder: &mut wgpu::CommandEncoder, run: &[Command]) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("pyrograph steps"),
            timestamp_writes: None,
        });
        let mut bound = None;
        for command in run {
            let Command::Dispatch { kernel, place, groups } = command else { continue };
            let Some(pipeline) = self.program.kernels().get(*kernel) else { continue };
            debug_assert!(*place < RING, "no such place in the ring");
            pass.set_pipeline(pipeline);
            if bound != Some(*place) {
                pass.set_bind_group(0, &self.bind_group, &[place * self.buffers.stride()]);
                bound = Some(*place);
            }
            pass.dispatch_workgroups(groups[0], groups[1], 1);
        }
    }

    /// Encodes a checkpoint if few are on their way and there is memory for it. Without it, a later
    /// one takes its place.
    fn begin_checkpoint(&mut self, encoder: &mut wgpu::CommandEncoder, number: u64) {
        if self.checkpoints.len() < CHECKPOINTS {
            let regions = ReadState::regions(self.program.manifest());
            let device = self.program.device();
            let create = || ReadBack::new(device, &regions);
            if let Ok(copies) = guarded(device, "keeping a checkpoint", create) {
                copies.encode(encoder, &self.buffers);
                self.checkpoints.push_back((number, copies));
            }
        }
    }

    /// The newest checkpoint that has arrived on the host since the last call, with its number.
    pub fn finished_checkpoint(&mut self) -> Option<(u64, ReadState)> {
        let mut newest = None;
        while self.checkpoints.front().is_some_and(|(_, copies)| copies.is_ready()) {
            let Some((number, copies)) = self.checkpoints.pop_front() else { break };
            // A checkpoint that was lost is as good as none.
            if let Ok(words) = copies.take("keeping a checkpoint") {
                newest = Some((number, ReadState::new(&self.program, words)));
            }
        }
        newest
    }

    /// Gives up the checkpoints that are on their way.
    pub fn forget_checkpoints(&mut self) {
        self.checkpoints.clear();
    }

    /// Waits for all submitted work and copies regions to the host.
    ///
    /// # Errors
    /// The device has no memory for the copies, or is lost.
    pub fn read(&self, regions: &[Region]) -> Result<Vec<Vec<u32>>, GpuError> {
        const DOING: &str = "reading particles back";
        let device = self.program.device();
        let copies = guarded(device, DOING, || {
            let mut encoder = self.encoder("pyrograph read back");
            let copies = ReadBack::new(device, regions);
            copies.encode(&mut encoder, &self.buffers);
            self.program.queue().submit([encoder.finish()]);
            copies
        })?;
        let begin = Instant::now();
        loop {
            let polled = device.poll(wgpu::PollType::wait_indefinitely());
            polled.map_err(|_| GpuError::Lost { doing: DOING })?;
            // The poll of another thread may have found the copies first, and be about to say so.
            if copies.is_ready() || begin.elapsed() > READ_LIMIT {
                return copies.take(DOING);
            }
            thread::yield_now();
        }
    }

    fn encoder(&self, label: &'static str) -> wgpu::CommandEncoder {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some(label) };
        self.program.device().create_command_encoder(&descriptor)
    }
}
