//! The device: how it is got, what it can do, what it complains about, and whether it is lost.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

/// Why there is no device. The sentences are for people.
#[derive(Clone, Debug, thiserror::Error)]
pub enum GpuError {
    #[error("No graphics adapter was found: a Vulkan, Metal or DirectX 12 driver is needed ({0})")]
    NoAdapter(String),
    #[error("The graphics adapter {adapter} could not be opened: {reason}")]
    NoDevice { adapter: String, reason: String },
    #[error("The picture could not be read back from the graphics adapter: {0}")]
    ReadBack(String),
    #[error("The graphics device was lost")]
    Lost,
}

/// A device with its queue. Cheap to copy; all copies share the lost flag.
#[derive(Clone)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    lost: Arc<AtomicBool>,
    errors: Arc<Errors>,
}

/// Errors that nobody caught, each text logged once and counted after that.
#[derive(Default)]
struct Errors {
    counts: Mutex<HashMap<String, u64>>,
}

impl Errors {
    fn report(&self, error: &wgpu::Error) {
        let text = error.to_string();
        // A poisoned lock only means that a logger panicked; the counts stay usable.
        let mut counts = self
            .counts
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // Texts with numbers in them could be without end.
        if counts.len() >= 256 {
            counts.clear();
        }
        let count = counts.entry(text).or_insert(0);
        *count += 1;
        if *count == 1 {
            tracing::error!("graphics: {error}");
        }
    }

    fn total(&self) -> u64 {
        self.counts
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .values()
            .sum()
    }
}

impl Gpu {
    /// A device without a window, for pictures and tests. The environment may choose the backend (`WGPU_BACKEND`) and, by a
    /// part of its name, the adapter (`WGPU_ADAPTER_NAME`).
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] and [`GpuError::NoDevice`].
    pub fn headless() -> Result<Self, GpuError> {
        pollster::block_on(Self::open_headless())
    }

    async fn open_headless() -> Result<Self, GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        // GL has no view formats, which every target needs (stack.md 3).
        descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
        let instance = wgpu::Instance::new(descriptor);
        let named = wgpu::util::initialize_adapter_from_env(&instance, None)
            .await
            .ok();
        let adapter = match named {
            Some(adapter) => adapter,
            None => instance
                .request_adapter(&wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::from_env().unwrap_or_default(),
                    ..Default::default()
                })
                .await
                .map_err(|error| GpuError::NoAdapter(error.to_string()))?,
        };
        let info = adapter.get_info();
        let limits = wgpu::Limits {
            max_texture_dimension_2d: adapter.limits().max_texture_dimension_2d.min(8192),
            ..Default::default()
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("mapwright"),
            required_limits: limits,
            ..Default::default()
        };
        let (device, queue) =
            adapter
                .request_device(&descriptor)
                .await
                .map_err(|error| GpuError::NoDevice {
                    adapter: info.name.clone(),
                    reason: error.to_string(),
                })?;
        Ok(Self::from_parts(device, queue, info))
    }

    /// Shares a device that somebody else opened (egui's). Takes over its error and lost handlers.
    #[must_use]
    pub fn from_parts(device: wgpu::Device, queue: wgpu::Queue, info: wgpu::AdapterInfo) -> Self {
        let lost = Arc::new(AtomicBool::new(false));
        let errors = Arc::new(Errors::default());
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            // Dropping the last handle is a normal end, not a loss.
            if reason != wgpu::DeviceLostReason::Destroyed {
                tracing::error!("the graphics device was lost: {message}");
                flag.store(true, Ordering::Release);
            }
        });
        let report = Arc::clone(&errors);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| report.report(&error)));
        Self {
            device,
            queue,
            info,
            lost,
            errors,
        }
    }

    /// True for adapters that are a processor (lavapipe, WARP): one sample, culling matters.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Once true, it stays so: make a new `Gpu`, `Scene` and targets.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Errors since the device was opened that no scope caught.
    #[must_use]
    pub fn error_count(&self) -> u64 {
        self.errors.total()
    }

    /// Samples per pixel of every target.
    #[must_use]
    pub fn samples(&self) -> u32 {
        if self.is_software() { 1 } else { 4 }
    }

    /// "name (driver, backend)", for the log and the about box.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} ({} {}, {})",
            self.info.name, self.info.driver, self.info.driver_info, self.info.backend
        )
    }

    /// Blocks until the device has done all that was submitted.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait(&self) -> Result<(), GpuError> {
        match self.device.poll(wgpu::PollType::wait_indefinitely()) {
            Ok(_) if !self.is_lost() => Ok(()),
            _ => Err(GpuError::Lost),
        }
    }
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Gpu").field(&self.summary()).finish()
    }
}
