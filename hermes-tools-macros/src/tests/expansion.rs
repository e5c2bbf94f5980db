//! What tools become.

use super::expand;

/// Asserts that the expansion has this text, white space apart.
#[track_caller]
fn has(expanded: &str, text: &str) {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let found = squeezed(expanded).contains(&squeezed(text));
    assert!(found, "not found:\n{text}\nin:\n{expanded}");
}

fn read_file() -> String {
    expand(
        r#"#[tool(toolset = "file", check = ready, effect = "read", max_result = 50_000, timeout = "30s")]
        /// Read a text file.
        pub(crate) async fn read_file(
            #[ctx] workspace: &Workspace,
            /// Path of the file.
            #[arg(role = "path", example = "src/lib.rs")]
            path: String,
            /// First line.
            #[arg(default = 1, min = 1)]
            offset: u32,
            /// How.
            #[arg(default = Mode::Fast, name = "how")]
            mode: Mode,
        ) -> Result<String, Fault> { body }"#,
    )
}

#[test]
fn the_function_keeps_its_tokens_and_gains_docs() {
    let expanded = read_file();
    has(
        &expanded,
        r#"
        #[doc = " Read a text file."]
        #[doc = ""]
        #[doc = " # Parameters"]
        #[doc = ""]
        #[doc = " - `path`: Path of the file."]
        #[doc = " - `offset`: First line."]
        #[doc = " - `mode` (sent as `how`): How."]
        #[doc = ""]
        #[doc = " Tool `read_file` of toolset `file`, effect read."]
        #[allow(
            clippy::unused_async,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::fn_params_excessive_bools
        )]
        pub(crate) async fn read_file(
            workspace: &Workspace,
            path: String,
            offset: u32,
            mode: Mode,
        ) -> Result<String, Fault> { body }
        "#,
    );
}

#[test]
fn the_hidden_constant_has_the_function_s_visibility() {
    has(
        &read_file(),
        "pub(crate) const __tool_read_file: &'static ::hermes_tools::ToolEntry = {
            use ::hermes_tools::__private as __p;",
    );
    has(&read_file(), "__p::submit!(__ENTRY); &__ENTRY };");
}

#[test]
fn the_table_has_a_row_for_each_argument() {
    has(
        &read_file(),
        r#"static __PARAMS: &[__p::Param] = &[
            __p::Param::new("pathPath of the file.", 4, <String as __p::ToolParam>::SHAPE)
                .role(__p::Role::Path)
                .more(&__p::More::NONE
                    .example_json(<__p::Shape>::example(<String as __p::ToolParam>::SHAPE, "\"src/lib.rs\""))),
            __p::Param::new("offset1First line.", 6, const { &<u32 as __p::ToolParam>::PARAM.min(__p::Number::Int(1)) })
                .default_json(1),
            __p::Param::new("howHow.", 3, <Mode as __p::ToolParam>::SHAPE.typed())
                .more(&__p::More::NONE
                    .default_with(|| <Mode as __p::ToolParam>::render(&__default3())))
        ];"#,
    );
    has(
        &read_file(),
        "fn __default3() -> Mode { { let __value: Mode = Mode::Fast; __value } }",
    );
}

#[test]
fn the_glue_decodes_calls_and_converts() {
    has(
        &read_file(),
        "fn __call<'cx>(
            __cx: &'cx __p::ToolContext,
            __arguments: __p::RawArguments<'cx>,
        ) -> __p::CallFuture<'cx> {
            __p::call(
                __cx,
                &__ENTRY,
                __arguments,
                (__p::None::<String>, __p::None::<u32>, __p::None::<Mode>,),
                |__slots| [
                    <String as __p::ToolParam>::slot(&mut __slots.0),
                    <u32 as __p::ToolParam>::slot(&mut __slots.1),
                    <Mode as __p::ToolParam>::slot(&mut __slots.2),
                ],
                move |(__argument1, __argument2, __argument3,)| __p::Ok(read_file(
                    <&Workspace as __p::FromToolContext<'_>>::from_context(__cx)?,
                    __p::filled(__argument1),
                    match __argument2 {
                        __p::Some(__value) => __value,
                        __p::None => { let __value: u32 = 1; __value },
                    },
                    match __argument3 {
                        __p::Some(__value) => __value,
                        __p::None => __default3(),
                    }
                )),
                |__output| <Result<String, Fault> as __p::ToolOutput>::into_output(__output)
            )
        }",
    );
}

#[test]
fn the_entry_has_a_builder_call_for_each_fact() {
    has(
        &read_file(),
        r#"static __ENTRY: __p::ToolEntry =
            __p::ToolEntry::new("read_filefileRead a text file.", [9, 4], __PARAMS, __call)
                .declared(__p::place!(), ::core::line!())
                .prepared()
                .effect(__p::Effect::Read)
                .max_result(50000)
                .facts(&__FACTS)
                .needs(__NEEDS);"#,
    );
    has(
        &read_file(),
        "static __FACTS: __p::Facts = __p::Facts::NONE
             .timeout(__p::Duration::from_millis(30000))
             .shared_check(|__cx| __p::check(&ready, __cx), || __p::check_id(&ready));",
    );
    has(
        &read_file(),
        "static __NEEDS: &[__p::Option<__p::StateNeed>] =
             &[<&Workspace as __p::FromToolContext<'_>>::NEED];",
    );
}

#[test]
fn every_other_fact_has_its_call_too() {
    let expanded = expand(
        r#"#[tool(toolset = "a", title = "T", emoji = "📖", max_result = "unlimited",
            requires_env = ["A", "B"], check = [one, two], idempotent, open_world,
            effect_of = effect, targets = find, schema_patch = change, parallel = "never",
            exposure = "deferred", overrides = "pack", untrusted, agent_loop, spill = false,
            deprecated = "use `x`", description = concat!("a", "b"), crate = my::tools)]
        async fn f() -> String {}"#,
    );
    has(
        &expanded,
        r#"__p::ToolEntry::new("fa", [1, 1], __PARAMS, __call)
            .describe(concat!("a", "b"))
            .declared(__p::place!(), ::core::line!())
            .prepared()
            .max_result(::core::primitive::usize::MAX)
            .untrusted()
            .agent_loop()
            .no_spill()
            .idempotent()
            .open_world()
            .facts(&__FACTS);"#,
    );
    has(
        &expanded,
        r#"static __FACTS: __p::Facts = __p::Facts::NONE
            .title("T")
            .emoji("📖")
            .shared_check(|__cx| __p::check(&one, __cx), || __p::check_id(&one))
            .shared_check(|__cx| __p::check(&two, __cx), || __p::check_id(&two))
            .requires_env(&["A", "B"])
            .effect_of(|__arguments| __p::effect(&effect, __arguments))
            .targets(|__arguments| __p::targets(&find, __arguments))
            .schema_patch(|__cx, __value| __p::patch(&change, __cx, __value))
            .parallel(__p::Parallel::Never)
            .exposure(__p::Exposure::Deferred)
            .overrides("pack")
            .deprecated("use `x`");"#,
    );
    has(
        &expanded,
        "const __tool_f: &'static my::tools::ToolEntry = { use my::tools::__private as __p;",
    );
    has(&expanded, r#"#[doc = concat!("a", "b")]"#);
    has(
        &expanded,
        r#"#[doc = " Tool `f` of toolset `a`, effect not given, which counts as destructive."]"#,
    );
}

#[test]
fn every_key_of_an_argument_has_its_call() {
    let expanded = expand(
        r#"#[tool(toolset = "a")] /** Does. */ async fn f(
            /** X. */
            #[arg(alias = ["p", "q"], min = -0.5, max = 9, len = 2.., values = ["u"], example = ["u"], nullable, lock)]
            x: Vec<String>,
        ) -> String {}"#,
    );
    has(
        &expanded,
        r#"__p::Param::new("xX.", 1, const { &<Vec<String> as __p::ToolParam>::PARAM
                .min(__p::Number::Float(-0.5))
                .max(__p::Number::Int(9))
                .length(2u32, 4294967295u32)
                .values(&["u"])
                .nullable() }.lockable())
            .more(&__p::More::NONE
                .alias(&["p", "q"])
                .example_json(<__p::Shape>::example(<Vec<String> as __p::ToolParam>::SHAPE, "[\"u\"]"))
                .lock())"#,
    );
}

#[test]
fn a_tool_that_says_nothing_rare_has_no_table_of_facts() {
    let expanded = expand(r#"#[tool(toolset = "a")] /** Does. */ async fn f() -> String {}"#);
    assert!(!expanded.contains("__FACTS"), "{expanded}");
}

#[test]
fn a_parameter_that_is_all_of_the_arguments_gives_its_shape_to_the_facts() {
    let expanded = expand(
        r#"#[tool(toolset = "a")] /** Does. */ async fn f(#[arg(flatten)] x: Edit) -> String {}"#,
    );
    has(
        &expanded,
        "static __FACTS: __p::Facts = __p::Facts::NONE.whole(<Edit as __p::ToolParam>::SHAPE);",
    );
}

#[test]
fn text_defaults_become_their_type_and_literals_of_other_types_stay() {
    let expanded = expand(
        r#"#[tool(toolset = "a")] /** Does. */ async fn f(
            /** X. */ #[arg(default = "src")] x: PathBuf,
            /** Y. */ #[arg(default = "1")] y: u32,
            /** Z. */ #[arg(default = -1)] z: i64,
        ) -> String {}"#,
    );
    has(
        &expanded,
        r#"{ let __value: PathBuf = __p::From::from("src"); __value }"#,
    );
    has(&expanded, r#"{ let __value: u32 = "1"; __value }"#);
    has(&expanded, "{ let __value: i64 = -1; __value }");
    has(
        &expanded,
        r#"__p::Param::new("x\"src\"X.", 1, <PathBuf as __p::ToolParam>::SHAPE).default_json(5)"#,
    );
}

#[test]
fn a_plain_function_goes_to_the_blocking_pool() {
    let expanded = expand(
        r#"#[tool(toolset = "a")] /** Does. */
        fn f(/** X. */ x: u8, #[ctx] handle: Handle) -> String {}"#,
    );
    has(
        &expanded,
        "let __argument1 = <Handle as __p::FromToolContext<'_>>::from_context(__cx)?;
        __p::Ok(__p::blocking(__cx, move || f(__p::filled(__argument0), __argument1)))
        }, |__output| <String as __p::ToolOutput>::into_output(__output?))",
    );
}

#[test]
fn an_inline_function_is_called_where_it_is() {
    let expanded = expand(
        r#"#[tool(toolset = "a", inline)] /** Does. */ fn f<'a>(#[ctx] w: &'a W) -> &'a str {}"#,
    );
    has(
        &expanded,
        "__p::Ok(__p::ready(f(<&'_ W as __p::FromToolContext<'_>>::from_context(__cx)?))),
        |__output| <&'_ str as __p::ToolOutput>::into_output(__output))",
    );
}

#[test]
fn a_tool_without_arguments_has_an_empty_table() {
    let expanded = expand(r#"#[tool(toolset = "a")] /** Does. */ async fn f() -> String {}"#);
    has(&expanded, "static __PARAMS: &[__p::Param] = &[];");
    has(
        &expanded,
        "__p::call(__cx, &__ENTRY, __arguments, (), |__slots| [], move |()| __p::Ok(f()),",
    );
}

#[test]
fn conditions_of_the_function_are_conditions_of_the_constant() {
    let expanded =
        expand(r#"#[tool(toolset = "a")] #[cfg(unix)] /** Does. */ async fn f() -> String {}"#);
    has(
        &expanded,
        "#[allow(non_upper_case_globals, dead_code, deprecated, unreachable_pub)] #[cfg(unix)] const __tool_f",
    );
}
