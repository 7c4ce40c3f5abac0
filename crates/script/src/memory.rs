//! What a script holds. The interpreter has no allocator of its own, so the program's counts what the thread of a script
//! takes and gives back, and the interpreter looks at the sum before it goes on. What operations take while they run
//! for a script is the model's and is not counted.

use monty_types::{BASELINE_MEMORY, LIVE_MEMORY};
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

thread_local! {
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// An allocator that counts what scripts take. The program has to be built on it for the limit on memory to hold.
pub struct Counted<A>(
    /// The one that does the work.
    pub A,
);

/// Adds to what the script of this thread holds. What it frees of others counts down, but never below nothing.
fn add(bytes: isize) {
    if !COUNTING.try_with(Cell::get).unwrap_or(false) {
        return;
    }
    let _ = HELD.try_with(|held| {
        let before = held.get();
        let after = before.saturating_add(bytes);
        held.set(after);
        let (before, after) = (before.max(0).unsigned_abs(), after.max(0).unsigned_abs());
        if after > before {
            LIVE_MEMORY.fetch_add(after - before, Ordering::Relaxed);
        } else {
            LIVE_MEMORY.fetch_sub(before - after, Ordering::Relaxed);
        }
    });
}

// SAFETY: every method hands its arguments on unchanged and returns what the inner allocator returned.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counted<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size().cast_signed());
        // SAFETY: the caller's promise about `layout` is the one that the inner allocator asks for.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        add(-layout.size().cast_signed());
        // SAFETY: `ptr` came from the inner allocator with this layout.
        unsafe { self.0.dealloc(ptr, layout) };
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size().cast_signed());
        // SAFETY: as in `alloc`.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        add(new_size.cast_signed().saturating_sub(layout.size().cast_signed()));
        // SAFETY: `ptr` came from the inner allocator with this layout; the new size is the caller's.
        unsafe { self.0.realloc(ptr, layout, new_size) }
    }
}

/// While it lives, what its thread takes is counted. It cannot leave the thread.
pub(crate) struct Counting(PhantomData<*const ()>);

/// Begins to count on this thread.
pub(crate) fn count() -> Counting {
    BASELINE_MEMORY.store(0, Ordering::Relaxed);
    HELD.set(0);
    COUNTING.set(true);
    Counting(PhantomData)
}

impl Drop for Counting {
    fn drop(&mut self) {
        COUNTING.set(false);
        LIVE_MEMORY.fetch_sub(HELD.replace(0).max(0).unsigned_abs(), Ordering::Relaxed);
    }
}

/// Runs something of the host's on a script's thread, uncounted.
pub(crate) fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    struct Resume(bool);
    impl Drop for Resume {
        fn drop(&mut self) {
            COUNTING.set(self.0);
        }
    }
    let _resume = Resume(COUNTING.replace(false));
    work()
}
