//! What fitting found.

use crate::args::{Issue, Repair};

/// How many issues, and how many repairs, are told one by one. A call with a hundred thousand
/// faults is answered as shortly as one with twenty.
const MAX_TOLD: usize = 20;

/// What was changed and what does not fit.
#[derive(Debug, Default)]
pub(in crate::args) struct Report {
    pub(super) issues: Vec<Issue>,
    repairs: Vec<Repair>,
    more_issues: usize,
    more_repairs: usize,
    /// Keys that the schema does not declare, wherever it declares any.
    pub(in crate::args) undeclared: usize,
}

impl Report {
    pub(in crate::args) fn is_sound(&self) -> bool {
        self.issues.is_empty()
    }

    pub(super) fn is_repaired(&self) -> bool {
        !self.repairs.is_empty()
    }

    /// Whether nothing is wrong but that parameters are not there.
    pub(super) fn lacks_only_keys(&self) -> bool {
        let missing = |issue: &Issue| {
            issue.got.is_none() && issue.expected.is_some() && issue.is_at_parameter()
        };
        self.more_issues == 0 && self.issues.iter().all(missing)
    }

    /// Counts one more issue; whether it is told, and so has to be made.
    pub(super) fn tells_issue(&mut self) -> bool {
        let told = self.issues.len() < MAX_TOLD;
        self.more_issues += usize::from(!told);
        told
    }

    /// Adds an issue that is made only when it is told.
    #[inline]
    pub(super) fn issue(&mut self, issue: impl FnOnce() -> Issue) {
        if self.tells_issue() {
            self.add_issue(issue());
        }
    }

    /// Adds an issue that was counted.
    pub(super) fn add_issue(&mut self, issue: Issue) {
        self.issues.push(issue);
    }

    /// Adds a repair that is made only when it is told.
    #[inline]
    pub(super) fn repair(&mut self, repair: impl FnOnce() -> Repair) {
        if self.repairs.len() < MAX_TOLD {
            self.add_repair(repair());
        } else {
            self.more_repairs += 1;
        }
    }

    fn add_repair(&mut self, repair: Repair) {
        self.repairs.push(repair);
    }

    /// Adds what another report holds.
    pub(super) fn extend(&mut self, other: Self) {
        for issue in other.issues {
            self.issue(|| issue);
        }
        for repair in other.repairs {
            self.repair(|| repair);
        }
        self.more_issues += other.more_issues;
        self.more_repairs += other.more_repairs;
        self.undeclared += other.undeclared;
    }

    /// The repairs, when there is no issue. `earlier` are those of the text.
    pub(in crate::args) fn finish(
        mut self,
        earlier: Vec<Repair>,
    ) -> Result<Vec<Repair>, Vec<Issue>> {
        if self.issues.is_empty() {
            let mut repairs = earlier;
            repairs.append(&mut self.repairs);
            if self.more_repairs > 0 {
                repairs.push(Repair {
                    path: "...".to_owned(),
                    what: "further changes",
                    before: self.more_repairs.to_string(),
                    after: String::new(),
                });
            }
            return Ok(repairs);
        }
        if self.more_issues > 0 {
            self.issues.push(Issue::new(format!(
                "and {} more problems",
                self.more_issues
            )));
        }
        Err(self.issues)
    }
}
