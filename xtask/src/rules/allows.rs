//! The comments that allow findings, held to their own rules.

use crate::allow::Allowed;
use crate::nearest::nearest;
use crate::report::Problem;
use crate::scan::Scan;

/// Comments without a reason, for rules that do not exist, and that allow nothing any more.
pub(super) fn problems(scan: &Scan, allowed: &[Allowed]) -> Vec<(&'static str, Problem)> {
    let mut problems = Vec::new();
    for allow in scan.allows.iter().filter(|allow| allow.ships_from_member()) {
        let comment = &allow.item;
        let mut found = |rule, message: String, help: String| {
            let problem = Problem {
                message,
                position: comment.position.clone(),
                notes: Vec::new(),
                help,
            };
            problems.push((rule, problem));
        };
        for id in &comment.rules {
            if super::rule(id).is_none() {
                let known = super::RULES.iter().map(|rule| rule.id);
                let help = match nearest(id, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`docs/checks.md` lists the rules".to_owned(),
                };
                found(
                    "unused-allow",
                    format!("there is no rule `{id}` to allow"),
                    help,
                );
            } else if comment.reason.is_empty() {
                let help = format!("write `// check-toolsets: allow({id}): reason`");
                found(
                    "allow-without-reason",
                    format!("`{id}` is allowed without a reason"),
                    help,
                );
            } else if !allowed
                .iter()
                .any(|allowed| allowed.comment == comment.position && allowed.finding.rule == id)
            {
                let help = "remove the comment".to_owned();
                found(
                    "unused-allow",
                    format!("there is nothing here that `{id}` finds"),
                    help,
                );
            }
        }
    }
    problems
}
