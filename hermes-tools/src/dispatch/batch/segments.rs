//! The coarse view of a plan.

/// A run of calls of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Segment {
    /// Whether its calls may run side by side.
    pub kind: SegmentKind,
    /// The places of its calls in the batch, from 0.
    pub calls: Vec<usize>,
}

/// How the calls of a segment run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    /// No two of them conflict.
    Parallel,
    /// One after another.
    Sequential,
}

impl SegmentKind {
    /// The word in listings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Parallel => "parallel",
            Self::Sequential => "sequential",
        }
    }
}

/// Cuts calls into runs without a conflict between any two. A run of one call is sequential, and
/// sequential neighbours are one segment. `before` lists for each call those that it waits for.
pub(super) fn segments(before: &[Vec<usize>]) -> Vec<Segment> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for (call, waits) in before.iter().enumerate() {
        match runs.last_mut() {
            // A run is whole: one that waits for none of its calls conflicts with none of them.
            Some(run) if !waits.iter().any(|earlier| *earlier >= run[0]) => run.push(call),
            _ => runs.push(vec![call]),
        }
    }
    let mut segments: Vec<Segment> = Vec::new();
    for run in runs {
        if run.len() > 1 {
            segments.push(Segment {
                kind: SegmentKind::Parallel,
                calls: run,
            });
            continue;
        }
        match segments.last_mut() {
            Some(last) if last.kind == SegmentKind::Sequential => last.calls.extend(run),
            _ => segments.push(Segment {
                kind: SegmentKind::Sequential,
                calls: run,
            }),
        }
    }
    segments
}
