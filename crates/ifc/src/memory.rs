//! Large pages under large arrays: the first touch of a page costs about as much as the filling of it, and a page of two
//! megabytes is touched once where five hundred small ones would be.

/// Arrays below this many bytes stay on small pages.
const LARGE: usize = 8 << 20;

/// Asks for large pages under an array that nothing was written to yet. Where the system has none, nothing changes.
pub(crate) fn on_large_pages<T>(array: Vec<T>) -> Vec<T> {
    const PAGE: usize = 4096;
    let start = array.as_ptr() as usize;
    let bytes = array.capacity() * size_of::<T>();
    if bytes >= LARGE {
        let first = start.next_multiple_of(PAGE);
        let length = (start + bytes).saturating_sub(first) / PAGE * PAGE;
        #[cfg(target_os = "linux")]
        // SAFETY: the whole pages lie within an allocation of ours, and the advice changes nothing that can be read there
        let _ = unsafe {
            rustix::mm::madvise(
                std::ptr::without_provenance_mut(first),
                length,
                rustix::mm::Advice::LinuxHugepage,
            )
        };
        #[cfg(not(target_os = "linux"))]
        let _ = (first, length);
    }
    array
}
