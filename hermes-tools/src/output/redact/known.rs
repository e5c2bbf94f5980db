//! Secrets that are known, such as the arguments of a call whose role says so.

use std::borrow::Cow;

use super::MASK;
use crate::args::render_string;

/// Takes known texts out of a text, such as [`ToolContext::secrets`](crate::ToolContext::secrets): each
/// becomes `***`, also where it stands as JSON. Texts of fewer than four characters stay, since they stand
/// in every other word.
pub fn without<'t, S: AsRef<str>>(text: &'t str, secrets: &[S]) -> Cow<'t, str> {
    take_out(text, secrets, 4)
}

/// The same for texts of so many characters and more: for what is kept and shown to others than the model,
/// even a short one is taken out.
pub(crate) fn take_out<'t, S: AsRef<str>>(
    text: &'t str,
    secrets: &[S],
    least: usize,
) -> Cow<'t, str> {
    let mut secrets: Vec<&str> = secrets.iter().map(AsRef::as_ref).collect();
    secrets.retain(|secret| !secret.is_empty() && secret.chars().count() >= least);
    // One that holds another one goes first, so that nothing of it is left.
    secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
    let mut text = Cow::Borrowed(text);
    for secret in secrets {
        let json = render_string(secret);
        for spelling in [&json[1..json.len() - 1], secret] {
            if text.contains(spelling) {
                text = Cow::Owned(text.replace(spelling, MASK));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_secrets_stay_in_what_a_model_reads_and_nowhere_else() {
        let secrets = ["ab", "", "a\"bc", "a\"bcd"];
        let text = r#"ab a"bcd {"key":"a\"bc"}"#;
        assert_eq!(without(text, &secrets), r#"ab *** {"key":"***"}"#);
        assert_eq!(take_out(text, &secrets, 1), r#"*** *** {"key":"***"}"#);
        assert!(matches!(without("nothing", &secrets), Cow::Borrowed(_)));
    }
}
