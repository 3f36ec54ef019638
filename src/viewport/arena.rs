//! Sub-allocated arrays that live twice: here, where they are changed, and in a buffer of the device, which gets the changed
//! ranges.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::viewport::Gpu;

/// Changed ranges closer than this many bytes are sent as one: a call costs more than the copy.
const JOIN_BYTES: usize = 4096;

/// A run of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    pub(crate) const fn end(self) -> u32 {
        self.start + self.len
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end() as usize
    }
}

/// Joins spans that touch. They must ascend.
pub(crate) fn joined(spans: impl IntoIterator<Item = Span>) -> Vec<Span> {
    let mut list: Vec<Span> = Vec::new();
    for span in spans {
        match list.last_mut() {
            _ if span.len == 0 => {}
            Some(last) if last.end() == span.start => last.len += span.len,
            _ => list.push(span),
        }
    }
    list
}

/// An array with room handed out in spans.
#[derive(Default)]
pub(crate) struct Arena<T> {
    data: Vec<T>,
    free_by_start: BTreeMap<u32, u32>,
    free_by_len: BTreeSet<(u32, u32)>,
    dirty: Vec<Range<u32>>,
}

impl<T: bytemuck::Pod> Arena<T> {
    pub(crate) fn data(&self) -> &[T] {
        &self.data
    }

    pub(crate) fn get(&self, span: Span) -> &[T] {
        &self.data[span.range()]
    }

    /// Room for `len` elements, their content undefined. An empty span needs no room.
    ///
    /// # Panics
    /// When 2^32 elements are in use: the memory of the machine ends long before.
    pub(crate) fn alloc(&mut self, len: u32) -> Span {
        if len == 0 {
            return Span::default();
        }
        if let Some(&(free, start)) = self.free_by_len.range((len, 0)..).next() {
            self.take_free(start, free);
            if free > len {
                self.put_free(start + len, free - len);
            }
            return Span { start, len };
        }
        let start = u32::try_from(self.data.len()).expect("fewer than 2^32 elements");
        self.data
            .resize(self.data.len() + len as usize, T::zeroed());
        Span { start, len }
    }

    pub(crate) fn free(&mut self, span: Span) {
        if span.len == 0 {
            return;
        }
        let (mut start, mut end) = (span.start, span.end());
        if let Some((&before, &len)) = self.free_by_start.range(..start).next_back()
            && before + len == start
        {
            self.take_free(before, len);
            start = before;
        }
        if let Some(&len) = self.free_by_start.get(&end) {
            self.take_free(end, len);
            end += len;
        }
        self.put_free(start, end - start);
    }

    pub(crate) fn write(&mut self, span: Span, values: &[T]) {
        debug_assert_eq!(span.len as usize, values.len(), "a span is written whole");
        if span.len == 0 {
            return;
        }
        self.data[span.range()].copy_from_slice(values);
        self.mark(span);
    }

    /// Room of many owners at once, in their order, to be written on several threads. The spans are disjoint.
    ///
    /// # Panics
    /// When spans overlap.
    pub(crate) fn slices_mut(&mut self, spans: &[Span]) -> Vec<&mut [T]> {
        let mut order: Vec<u32> = (0..spans.len() as u32).collect();
        order.sort_unstable_by_key(|&at| spans[at as usize].start);
        for &at in &order {
            if spans[at as usize].len > 0 {
                self.mark(spans[at as usize]);
            }
        }
        let mut slices: Vec<&mut [T]> = Vec::new();
        slices.resize_with(spans.len(), Default::default);
        let (mut rest, mut passed) = (self.data.as_mut_slice(), 0);
        for at in order {
            let span = spans[at as usize];
            if span.len > 0 {
                let (_, tail) = rest.split_at_mut((span.start - passed) as usize);
                let (own, tail) = tail.split_at_mut(span.len as usize);
                slices[at as usize] = own;
                (rest, passed) = (tail, span.end());
            }
        }
        slices
    }

    /// One element, without marking it when it stays the same.
    pub(crate) fn set(&mut self, index: u32, value: T) {
        if self.data.len() <= index as usize {
            self.data.resize(index as usize + 1, T::zeroed());
        } else if bytemuck::bytes_of(&self.data[index as usize]) == bytemuck::bytes_of(&value) {
            return;
        }
        self.data[index as usize] = value;
        self.mark(Span {
            start: index,
            len: 1,
        });
    }

    pub(crate) fn is_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// Changed ranges, ascending and joined where they are close, and forgets them.
    pub(crate) fn take_dirty(&mut self) -> Vec<Range<u32>> {
        let mut ranges = std::mem::take(&mut self.dirty);
        ranges.sort_unstable_by_key(|range| range.start);
        let gap = (JOIN_BYTES / size_of::<T>().max(1)) as u32;
        let mut list: Vec<Range<u32>> = Vec::new();
        for range in ranges {
            match list.last_mut() {
                Some(last) if range.start <= last.end.saturating_add(gap) => {
                    last.end = last.end.max(range.end);
                }
                _ => list.push(range),
            }
        }
        list
    }

    fn mark(&mut self, span: Span) {
        // Writes mostly ascend: then the list stays short.
        if let Some(last) = self.dirty.last_mut()
            && last.end == span.start
        {
            last.end = span.end();
            return;
        }
        self.dirty.push(span.start..span.end());
    }

    fn take_free(&mut self, start: u32, len: u32) {
        self.free_by_start.remove(&start);
        self.free_by_len.remove(&(len, start));
    }

    fn put_free(&mut self, start: u32, len: u32) {
        self.free_by_start.insert(start, len);
        self.free_by_len.insert((len, start));
    }
}

/// A buffer of the device that follows an array.
pub(crate) struct Mirror {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
    /// Said once when the device cannot hold it.
    refused: bool,
}

impl Mirror {
    pub(crate) const fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self {
            label,
            usage,
            buffer: None,
            refused: false,
        }
    }

    /// `None` before the first element.
    pub(crate) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    /// Sends what changed; true when the buffer is another one now.
    pub(crate) fn follow<T: bytemuck::Pod>(&mut self, gpu: &Gpu, arena: &mut Arena<T>) -> bool {
        if !arena.is_dirty() {
            return false;
        }
        let dirty = arena.take_dirty();
        if self.reserve(gpu, size_of_val(arena.data())) {
            if let Some(buffer) = &self.buffer {
                gpu.queue
                    .write_buffer(buffer, 0, bytemuck::cast_slice(arena.data()));
            }
            return true;
        }
        let Some(buffer) = &self.buffer else {
            return false;
        };
        for range in dirty {
            let at = range.start as usize * size_of::<T>();
            let end = range.end as usize * size_of::<T>();
            if end as u64 <= buffer.size() {
                gpu.queue.write_buffer(
                    buffer,
                    at as u64,
                    bytemuck::cast_slice(&arena.data()[range.start as usize..range.end as usize]),
                );
            }
        }
        false
    }

    /// Replaces the whole content; true when the buffer is another one now. Nothing is sent for nothing.
    pub(crate) fn replace<T: bytemuck::Pod>(&mut self, gpu: &Gpu, values: &[T]) -> bool {
        if values.is_empty() {
            return false;
        }
        let another = self.reserve(gpu, size_of_val(values));
        if let Some(buffer) = &self.buffer
            && size_of_val(values) as u64 <= buffer.size()
        {
            gpu.queue
                .write_buffer(buffer, 0, bytemuck::cast_slice(values));
        }
        another
    }

    /// Makes room; true when there is another buffer now. One that the device cannot hold is refused with a line in the log.
    fn reserve(&mut self, gpu: &Gpu, bytes: usize) -> bool {
        if self
            .buffer
            .as_ref()
            .is_some_and(|buffer| buffer.size() >= bytes as u64)
        {
            return false;
        }
        let limits = gpu.device.limits();
        let most = if self.usage.contains(wgpu::BufferUsages::STORAGE) {
            limits
                .max_buffer_size
                .min(limits.max_storage_buffer_binding_size)
        } else {
            limits.max_buffer_size
        };
        if bytes as u64 > most {
            if !self.refused {
                tracing::error!(
                    "the map needs {bytes} bytes for its {}, the graphics adapter allows {most}: parts are not drawn",
                    self.label
                );
                self.refused = true;
            }
            return false;
        }
        // Room to grow by half, in multiples of 256.
        let size = (bytes as u64 + bytes as u64 / 2)
            .next_multiple_of(256)
            .min(most & !3);
        self.buffer = Some(gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(self.label),
            size,
            usage: self.usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }));
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn spans_never_overlap_and_are_used_again(steps in prop::collection::vec((0u32..40, any::<bool>()), 1..200)) {
            let mut arena: Arena<u32> = Arena::default();
            let mut live: Vec<(Span, u32)> = Vec::new();
            for (number, (len, free)) in steps.into_iter().enumerate() {
                if free && !live.is_empty() {
                    let (span, _) = live.swap_remove(len as usize % live.len());
                    arena.free(span);
                } else {
                    let span = arena.alloc(len);
                    arena.write(span, &vec![number as u32; len as usize]);
                    live.push((span, number as u32));
                }
                for (span, value) in &live {
                    prop_assert!(arena.get(*span).iter().all(|v| v == value));
                }
            }
            let used: u32 = live.iter().map(|(span, _)| span.len).sum();
            let free: u32 = arena.free_by_start.values().sum();
            prop_assert_eq!(used + free, arena.data().len() as u32);
            for (span, _) in live {
                arena.free(span);
            }
            // All room is one piece again.
            prop_assert!(arena.free_by_start.len() <= 1);
        }
    }

    #[test]
    fn close_changes_are_sent_as_one() {
        let mut arena: Arena<u32> = Arena::default();
        let spans: Vec<Span> = (0..4).map(|_| arena.alloc(1000)).collect();
        for index in [2, 0, 1] {
            arena.write(spans[index], &[7; 1000]);
        }
        assert_eq!(arena.take_dirty(), vec![0..3000]);
        assert!(!arena.is_dirty());
        arena.set(0, 7);
        assert!(!arena.is_dirty(), "the same value is no change");
        arena.set(3, 8);
        arena.set(3999, 8);
        assert_eq!(arena.take_dirty(), vec![3..4, 3999..4000]);
    }
}
