//! What must not be reported.

use super::{reports, texts};

#[track_caller]
fn accepted(source: &str) {
    assert_eq!(texts(source), [""; 0]);
}

#[test]
fn every_key_at_once() {
    accepted(
        r#"#[tool(
            toolset = "file", name = "read-2", title = "Read", description = "Reads.", emoji = "📖",
            check = [ready, net::up::<u8>], requires_env = ["A_KEY", "_B2"], effect = "read",
            effect_of = effect, parallel = "safe", idempotent, open_world, untrusted,
            timeout = "2m", teardown = "5s", max_result = "unlimited", spill = false, agent_loop,
            exposure = "hidden", overrides = "other-pack", schema_patch = patch,
            targets = files::targets,
            deprecated = "use `other`", crate = ::umbrella::tools,
            // `inline` and `timeout` exclude each other.
        )]
        fn f(
            /** X. */
            #[arg(name = "path", alias = ["p", "file"], min = -1.5, max = 10, len = 1..=64)]
            #[arg(values = ["a", "b"], example = "a", default = "b", nullable, role = "secret", lock)]
            #[arg(pattern = "^a", format = "date-time", items(min = 1, len = 3, values = ["x"]), any)]
            // `schemars` and `flatten` exclude others.
            x: String,
        ) -> String {}"#,
    );
}

#[test]
fn a_described_argument_may_have_the_name_of_what_sessions_supply() {
    accepted(
        r#"#[tool(toolset = "a", timeout = "2m")] /** Does. */
        fn f(/** How far. */ progress: Progress) -> String {}"#,
    );
    accepted(
        r#"#[tool(toolset = "a")] /** Does. */ fn f(#[arg(flatten)] x: my::Deadline) -> String {}"#,
    );
}

#[test]
fn a_context_needs_no_docs_and_may_be_any_pattern() {
    accepted(
        r#"#[tool(toolset = "a")] /** Does. */
        async fn f<'a>(#[ctx] _: &'a Workspace, #[ctx] Cancel(token): Cancel) -> &'a str {}"#,
    );
}

#[test]
fn mutable_and_raw_names() {
    accepted(
        r#"#[tool(toolset = "a")] /** Does. */
        async fn r#move(/** X. */ mut x: u8, /** Type. */ r#type: String) -> String {}"#,
    );
}

#[test]
fn values_that_came_through_invisible_groups() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    use quote::quote;

    let grouped = |tokens: TokenStream| TokenTree::Group(Group::new(Delimiter::None, tokens));
    let toolset = grouped(quote!("file"));
    let ty = grouped(quote!(Option<u32>));
    let docs = grouped(quote!("Reads."));
    let attribute = quote!(toolset = #toolset);
    let item = quote!(#[doc = #docs] async fn f(#[doc = "X."] x: #ty) -> String {});
    let outcome = crate::tool::analyse(attribute, item);
    assert_eq!(outcome.err().map(|refused| refused.reports.len()), None);
}

#[test]
fn trailing_commas_and_empty_argument_lists() {
    accepted(
        r#"#[tool(toolset = "a",)] /** Does. */
        async fn f(#[arg()] /** X. */ x: u8, #[arg] /** Y. */ y: u8,) -> String {}"#,
    );
}

#[test]
fn lints_stay_allowed_on_parameters() {
    accepted(
        r#"#[tool(toolset = "a")] /** Does. */
        async fn f(/** X. */ #[allow(unused)] x: u8) -> String {}"#,
    );
}

#[test]
fn bounds_that_touch() {
    accepted(
        r#"#[tool(toolset = "a")] /** Does. */ async fn f(
            /** X. */ #[arg(min = 1, max = 1, default = 1)] x: u8,
            /** Y. */ #[arg(len = 0..=0, default = "")] y: String,
        ) -> String {}"#,
    );
}

#[test]
fn a_plain_function_may_borrow_context_when_inline() {
    for ty in ["&Workspace", "View<'_>"] {
        let function = format!("/** Does. */ fn f(#[ctx] w: {ty}) -> String {{}}");
        accepted(&format!("#[tool(toolset = \"a\", inline)] {function}"));
        assert_eq!(
            reports(&format!("#[tool(toolset = \"a\")] {function}")).len(),
            1
        );
    }
}
