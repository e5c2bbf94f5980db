//! What a call keeps to itself until its tool has ended.

/// Something that is held from before the tool runs until it has ended, which may be later than the
/// end of its call. It is let go when it is dropped.
pub(crate) trait Hold: Send + Sync {
    /// The call has ended, and its tool may go on.
    #[cfg(feature = "host")]
    fn outlived(&self);
}
