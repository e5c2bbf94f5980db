//! The same question, asked again and again.

use hermes_tools::CallNumber;

/// The last question of a session about its files.
#[derive(Debug, Default)]
pub(super) struct Question {
    /// The last call that looked at files.
    call: u64,
    /// The call that answered the question last.
    answered: u64,
    /// How often calls of other tools came between two that looked at files.
    others: u64,
    compactions: u64,
    asked: u64,
    answer: u64,
    times: u32,
}

impl Question {
    /// Notes that a call looks at a file, and says how often other tools were called between looks until
    /// now.
    pub(super) fn passes(&mut self, call: u64) -> u64 {
        // A page between two searches makes them no repeat.
        self.times = 0;
        self.look(call);
        self.others
    }

    /// Whether calls of other tools came before this look.
    fn look(&mut self, call: u64) -> bool {
        let others = call > self.call + 1;
        self.others += u64::from(others);
        self.call = self.call.max(call);
        others
    }

    /// Notes a question with its answer, and says how often in a row it gave this answer. What the model
    /// was not shown whole does not count.
    pub(super) fn asked(
        &mut self,
        question: u64,
        answer: u64,
        number: CallNumber,
        was_shown: impl Fn(u64) -> bool,
    ) -> u32 {
        let others = self.look(number.call);
        let same = self.asked == question
            && self.answer == answer
            && self.compactions == number.compactions
            && was_shown(self.answered);
        self.times = if same && !others { self.times + 1 } else { 1 };
        self.asked = question;
        self.answer = answer;
        if !same {
            self.answered = number.call;
        }
        self.compactions = number.compactions;
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(call: u64) -> CallNumber {
        CallNumber {
            call,
            compactions: 0,
        }
    }

    #[test]
    fn the_same_answer_to_the_same_question_is_counted() {
        let mut last = Question::default();
        assert_eq!(last.asked(7, 1, call(1), |_| true), 1);
        assert_eq!(last.asked(7, 1, call(2), |_| true), 2);
        assert_eq!(last.asked(7, 2, call(3), |_| true), 1, "another answer");
        assert_eq!(last.asked(7, 2, call(4), |_| true), 2);
        assert_eq!(last.asked(8, 2, call(5), |_| true), 1, "another question");
        assert_eq!(
            last.asked(8, 2, call(7), |_| true),
            1,
            "another tool between"
        );
        let compacted = CallNumber {
            call: 8,
            compactions: 1,
        };
        assert_eq!(
            last.asked(8, 2, compacted, |_| true),
            1,
            "the model has lost the answer"
        );
        let next = CallNumber {
            call: 9,
            ..compacted
        };
        assert_eq!(
            last.asked(8, 2, next, |call| call != 8),
            1,
            "the answer was cut"
        );
        let shown = |call| call == 9;
        for times in 2..6 {
            let next = CallNumber {
                call: 8 + u64::from(times),
                ..compacted
            };
            assert_eq!(last.asked(8, 2, next, shown), times, "what was refused");
        }
    }
}
