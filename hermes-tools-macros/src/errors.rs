//! The collector of mistakes: everything wrong with one function is reported in one run.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use crate::diagnostics::{Message, Rule};

/// Mistakes found so far.
///
/// Dropping it without [`finish`](Self::finish) would lose them, so that panics in debug builds.
pub(crate) struct Errors {
    reports: Vec<Report>,
    finished: bool,
}

/// One mistake at its place.
#[derive(Debug)]
pub(crate) struct Report {
    /// The rule that was broken, or `None` for text that syn could not read.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests compare rules, users read the text")
    )]
    pub(crate) rule: Option<&'static Rule>,
    error: syn::Error,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self {
            reports: Vec::new(),
            finished: false,
        }
    }

    /// Reports at the whole of some tokens.
    pub(crate) fn report(&mut self, at: impl ToTokens, message: Message) {
        let error = syn::Error::new_spanned(at, message.text);
        self.reports.push(Report {
            rule: Some(message.rule),
            error,
        });
    }

    /// Reports at a place that has no tokens of its own.
    pub(crate) fn report_at(&mut self, span: Span, message: Message) {
        let error = syn::Error::new(span, message.text);
        self.reports.push(Report {
            rule: Some(message.rule),
            error,
        });
    }

    /// Reports what syn could not read.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.reports.push(Report { rule: None, error });
    }

    /// Ends the collection.
    pub(crate) fn finish(mut self) -> Result<(), Vec<Report>> {
        self.finished = true;
        let reports = std::mem::take(&mut self.reports);
        if reports.is_empty() {
            Ok(())
        } else {
            Err(reports)
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(
            self.finished || std::thread::panicking(),
            "mistakes were collected and never reported"
        );
    }
}

impl Report {
    /// The text that the user reads.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        self.error.to_string()
    }

    /// The mistake as an invocation of `compile_error!`.
    fn to_compile_error(&self) -> TokenStream {
        self.error.to_compile_error()
    }
}

/// All mistakes as invocations of `compile_error!`, in the order in which they were found.
pub(crate) fn compile_errors(reports: &[Report]) -> TokenStream {
    reports.iter().map(Report::to_compile_error).collect()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use quote::quote;

    use super::*;
    use crate::diagnostics::{GIVEN_TWICE, MISSING_TOOLSET};

    #[test]
    fn nothing_reported_is_success() {
        assert!(Errors::new().finish().is_ok());
    }

    #[test]
    fn reports_keep_their_order_and_become_one_compile_error_each() {
        let mut errors = Errors::new();
        errors.report(quote!(a), GIVEN_TWICE.with(&[&"a"]));
        errors.report_at(Span::call_site(), MISSING_TOOLSET.with(&[]));
        let reports = errors.finish().unwrap_err();
        assert_eq!(reports[0].text(), "`a` given twice; keep one");
        assert_eq!(
            reports[1].text(),
            "missing `toolset`; write `#[tool(toolset = \"...\")]`"
        );
        let tokens = compile_errors(&reports).to_string();
        assert_eq!(tokens.matches("compile_error").count(), 2);
    }

    #[test]
    fn dropping_unfinished_panics_in_debug_builds() {
        let outcome = catch_unwind(AssertUnwindSafe(|| drop(Errors::new())));
        assert_eq!(outcome.is_err(), cfg!(debug_assertions));
    }
}
