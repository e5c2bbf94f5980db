//! What tools take from their sessions, and what hosts give them.

use crate::fixture::Fixture;

/// A pack with these tools, and an application with this code that links it and may make sessions.
fn findings(pack: &str, app: &str) -> Vec<String> {
    let fixture = Fixture::new(&format!(
        r#"
//- Cargo.toml
[workspace]
members = ["app", "hermes-tools", "weather"]
resolver = "3"
//- hermes-tools/Cargo.toml
[package]
name = "hermes-tools"
edition = "2024"
[features]
host = []
//- hermes-tools/src/lib.rs
fn pass_on(self) {{ SessionBuilder::of().state(value) }}
//- weather/Cargo.toml
[package]
name = "weather"
edition = "2024"
[dependencies]
hermes-tools.path = "../hermes-tools"
//- weather/src/lib.rs
hermes_tools::pack!();
fn unrelated(number: u64) {{ scratch.state(number); }}
{pack}
//- app/Cargo.toml
[package]
name = "app"
edition = "2024"
[dependencies]
hermes-tools = {{ path = "../hermes-tools", features = ["host"] }}
weather.path = "../weather"
//- app/src/main.rs
mod sessions;
hermes_tools::link!(weather);
fn main() {{}}
//- app/src/sessions.rs
{app}
"#
    ));
    let report = fixture.report_by(&["check-not-supplied", "state-not-supplied"]);
    let findings = report.findings.into_iter();
    findings
        .map(|finding| format!("{}: {}", finding.rule, finding.problem.message))
        .collect()
}

const STATION: &str = "#[tool(toolset = \"weather\")] fn now(#[ctx] station: &Station) {}";

#[test]
fn a_value_is_known_by_the_name_of_its_type() {
    for value in [
        "Station { height: 3 }",
        "crate::Station(3)",
        "weather::Station::new(3)",
        "Station::default()",
        "Station::Fixed",
        "Station::At(3)",
        "(Station)",
    ] {
        let app = format!("fn f() {{ Session::builder(r, s).state({value}); }}");
        assert_eq!(findings(STATION, &app), [""; 0], "{value}");
    }
    for app in [
        "fn f() { Session::builder(r, s).state::<Station>(made()); }",
        "fn f() { Session::builder(r, s).shared_state(Arc::new(Station::new())); }",
    ] {
        assert_eq!(findings(STATION, app), [""; 0], "{app}");
    }
}

#[test]
fn nothing_is_concluded_from_what_the_source_does_not_show() {
    for app in [
        // No sessions at all.
        "fn f() {}",
        "fn f(b: SessionBuilder) { b.state(weather::station()); }",
        "fn f(b: SessionBuilder, station: Station) { b.state(station); }",
        "fn f(b: SessionBuilder) { b.shared_state(shared.clone()); }",
        "fn f(b: SessionBuilder) { b.state(Options::new().height(3)); }",
        "fn f(b: SessionBuilder) { run(SessionBuilder::state); }",
        "fn f(b: SessionBuilder) { select! { _ = b.state(station) => {} } }",
        "fn f(b: SessionBuilder) { b.state(Default::default()); }",
        "fn f<T: Any>(b: SessionBuilder, x: T) { b.state::<T>(x); }",
    ] {
        assert_eq!(findings(STATION, app), [""; 0], "{app}");
    }
    // An agent loop answers for a tool whose state is missing, and an option needs none.
    let pack = "#[tool(toolset = \"weather\", agent_loop)] fn now(#[ctx] station: &Station) {}
        #[tool(toolset = \"weather\")] fn then(#[ctx] station: Option<&Station>) {}
        #[tool(toolset = \"weather\")] fn when(#[ctx] cx: &ToolContext, #[ctx] facts: &SessionFacts, #[ctx] cancel: Cancel) {}";
    assert_eq!(findings(pack, "fn f(b: SessionBuilder) {}"), [""; 0]);
}

#[test]
fn what_no_session_is_given_is_found() {
    let missing = "state-not-supplied: tool `now` takes a `Station`, which `app` never supplies";
    for app in [
        "fn f(b: SessionBuilder) {}",
        "fn f(b: SessionBuilder) { b.state(Other(3)).state(true).state(3_u8).shared_state(Arc::new(Third)); }",
        // What a test gives is in no binary.
        "fn f(b: SessionBuilder) {} #[cfg(test)] mod tests { fn f() { b.state(Station); b.state(x); } }",
        // Not the method of a builder.
        "fn f(b: SessionBuilder) { x.state(); x.state(1, x); }",
    ] {
        assert_eq!(findings(STATION, app), [missing], "{app}");
    }
    let pack = STATION.replace("&Station", "Arc<weather::Station>");
    assert_eq!(findings(&pack, "fn f(b: SessionBuilder) {}"), [missing]);
}

#[test]
fn the_workspace_is_given_by_its_own_method() {
    for taken in ["&Workspace", "Workspace", "hermes_tools::Workspace"] {
        let pack = format!("#[tool(toolset = \"weather\")] fn now(#[ctx] folder: {taken}) {{}}");
        let missing =
            "state-not-supplied: tool `now` takes a `Workspace`, which `app` never supplies";
        // A value of an unknown type is no folder.
        let app = "fn f(b: SessionBuilder) { b.state(x); }";
        assert_eq!(findings(&pack, app), [missing], "{taken}");
        let app = "fn f(b: SessionBuilder) { b.workspace(folder); }";
        assert_eq!(findings(&pack, app), [""; 0], "{taken}");
    }
}

#[test]
fn a_check_that_asks_for_what_no_session_has() {
    let pack = r#"
#[tool(toolset = "weather", requires_env = ["KEY", "REGION"])] fn one() {}
#[tool(toolset = "weather", check = checks::with_key)] fn two() {}
#[tool(toolset = "weather", check = [checks::in_folder, checks::by_source])] fn three() {}
mod checks {
    fn with_key(cx: &CheckContext<'_>) -> Availability {
        let Some(_) = cx.env("KEY") else { return Availability::missing_env(&["KEY"]) };
        Availability::Available
    }
    fn in_folder(cx: &CheckContext<'_>) -> Availability {
        if cx.workspace().is_none() { return Availability::unavailable("no folder"); }
        Availability::Available
    }
    fn by_source(cx: &CheckContext<'_>) -> Availability {
        if cx.env("CI").is_none() { return Availability::Available; }
        match cx.env("KEY") { Some(_) => Availability::Available, None => other(cx) }
    }
}"#;
    let asks = |tool: &str, what: &str| {
        format!("check-not-supplied: tool `{tool}` asks for {what}, which `app` never supplies")
    };
    let expected = [
        asks("one", "environment variables"),
        asks("two", "environment variables"),
        asks("three", "the workspace"),
    ];
    assert_eq!(findings(pack, "fn f(b: SessionBuilder) {}"), expected);
    let app = "fn f(b: SessionBuilder) { b.workspace(w).facts(SessionFacts::new(source).environment(lookup)); }";
    assert_eq!(findings(pack, app), [""; 0]);
}

#[test]
fn what_the_binary_says_that_its_tools_take_counts_too() {
    let fixture = Fixture::new(
        r#"
//- Cargo.toml
[workspace]
members = ["agent", "hermes-tools"]
resolver = "3"
//- hermes-tools/Cargo.toml
[package]
name = "hermes-tools"
edition = "2024"
[features]
host = []
//- hermes-tools/src/lib.rs
//- agent/Cargo.toml
[package]
name = "agent"
edition = "2024"
[[bin]]
name = "hermes"
path = "src/main.rs"
[dependencies]
hermes-tools = { path = "../hermes-tools", features = ["host"] }
//- agent/src/main.rs
fn main() {
    print!("{}", std::fs::read_to_string("listing.json").unwrap());
}
#[cfg(set_by_nobody)]
fn sessions() {
    type Alias = Station;
    #[tool(toolset = "weather")]
    fn renamed(#[ctx] station: &Alias) {}
    #[tool(toolset = "weather")]
    fn seen(#[ctx] gauge: &Gauge) {}
    Session::builder(r, s).state(Alias(3)).state(Given);
}
//- listing.json
{"tools": [
    {"name": "made", "state": ["Station<u8>", "Workspace", "Given", "ToolContext"]},
    {"name": "of_the_loop", "state": ["Station"], "agent_loop": true},
    {"name": "renamed", "state": ["Station"]},
    {"name": "seen", "state": ["Gauge"]}
]}
"#,
    );
    let output = fixture.run(&[
        "check-toolsets",
        "--linked",
        "--rule",
        "state-not-supplied",
        "--format",
        "json",
    ]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let found: Vec<String> = findings
        .map(|finding| {
            format!(
                "{}: {}",
                finding["at"]["line"],
                finding["message"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "1: tool `made` takes a `Station`, which `agent` never supplies",
            "1: tool `made` takes a `Workspace`, which `agent` never supplies",
            "8: tool `renamed` takes a `Station`, which `agent` never supplies",
            "10: tool `seen` takes a `Gauge`, which `agent` never supplies",
        ]
    );
}
