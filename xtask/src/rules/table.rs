//! The rules, by id. `docs/checks.md` is made of this table, and its examples are tests.

use super::{Check, Rule, packs, references, strings, supply, tools, toolsets};
use crate::report::{Problem, Severity};

const fn error(
    id: &'static str,
    find: fn(&Check<'_>) -> Vec<Problem>,
    about: &'static str,
    example: &'static str,
) -> Rule {
    Rule {
        id,
        severity: Severity::Error,
        about,
        example,
        find,
    }
}

const fn warning(
    id: &'static str,
    find: fn(&Check<'_>) -> Vec<Problem>,
    about: &'static str,
    example: &'static str,
) -> Rule {
    Rule {
        id,
        severity: Severity::Warning,
        about,
        example,
        find,
    }
}

const fn note(
    id: &'static str,
    find: fn(&Check<'_>) -> Vec<Problem>,
    about: &'static str,
    example: &'static str,
) -> Rule {
    Rule {
        id,
        severity: Severity::Note,
        about,
        example,
        find,
    }
}

/// For rules that are applied elsewhere: to a binary, to comments.
fn elsewhere(_: &Check<'_>) -> Vec<Problem> {
    Vec::new()
}

/// The severity of a rule unless `Cargo.toml` says otherwise.
pub(super) fn severity(id: &str) -> Severity {
    super::rule(id).map_or(Severity::Error, |rule| rule.severity)
}

/// All rules, by id.
pub const RULES: &[Rule] = &[
    warning(
        "allow-without-reason",
        elsewhere,
        "A comment that allows a finding says why. Without a reason it allows nothing.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
// check-toolsets: allow(missing-effect)
#[tool(toolset = \"file\")]
fn read_file() {}
",
    ),
    warning(
        "check-not-supplied",
        supply::check_not_supplied,
        "The check of a tool (`check`, `requires_env`) asks for environment variables or the workspace, and a package of the workspace that has the tool and makes sessions never gives them any: the tool is always unavailable. A `check` counts where its function is in the package of the tool and answers `unavailable` without them.",
        "//- Cargo.toml
[workspace]
members = [\"app\", \"hermes-tools\", \"weather\"]
resolver = \"3\"
//- hermes-tools/Cargo.toml
[package]
name = \"hermes-tools\"
edition = \"2024\"
[features]
host = []
//- hermes-tools/src/lib.rs
// Stands for the library.
//- weather/Cargo.toml
[package]
name = \"weather\"
edition = \"2024\"
//- weather/src/lib.rs
hermes_tools::pack!();
toolset! { name: \"weather\", description: \"Weather.\" }
/// Says how warm it is.
#[tool(toolset = \"weather\", effect = \"read\", requires_env = [\"WEATHER_KEY\"])]
fn temperature() {}
//- app/Cargo.toml
[package]
name = \"app\"
edition = \"2024\"
[dependencies]
hermes-tools = { path = \"../hermes-tools\", features = [\"host\"] }
weather.path = \"../weather\"
//- app/src/main.rs
use hermes_tools::Session;
hermes_tools::link!(weather);
fn main() {
    let _session = Session::builder(registry(), selection()).build();
}
",
    ),
    warning(
        "description-copied",
        tools::description_copied,
        "Two tools have one description. A model cannot tell them apart, and calls either.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
/// Reads a
/// file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_lines() {}
",
    ),
    error(
        "description-missing",
        tools::description_missing,
        "A tool has neither a `///` comment nor the key `description`, so that models guess what it is for.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
",
    ),
    warning(
        "description-too-long",
        tools::description_too_long,
        "A description is longer than `max-description` characters (1,024 unless set: the limit of OpenAI). Sections that are for readers of the documentation only (`# Examples`, `# Errors`, `# Panics`) do not count.",
        "//- Cargo.toml
[package]
name = \"demo\"
version = \"0.1.0\"
edition = \"2024\"
[workspace.metadata.check-toolsets]
max-description = 20
//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a text file from the folder.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
",
    ),
    error(
        "duplicate-tool",
        references::duplicate_tool,
        "Two tools of one name can end in one binary. Tools whose conditions (`cfg`) exclude each other do not, nor does one with `overrides`.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
/// Reads another file.
#[tool(toolset = \"file\", name = \"read_file\", effect = \"read\")]
fn read() {}
",
    ),
    error(
        "duplicate-toolset",
        references::duplicate_toolset,
        "Two toolsets of one name can end in one binary.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\", tools: [\"read_file\"] }
toolset! { name: \"file\", description: \"Files again.\", tools: [\"read_file\"] }
reserved_tools! { \"read_file\" }
",
    ),
    error(
        "effect-beyond-bound",
        toolsets::effect_beyond_bound,
        "A tool may do more than the `max_effect` of a toolset that has it. Sessions with that toolset leave the tool out. Tools with `effect_of` are judged call by call.",
        "//- src/lib.rs
toolset! { name: \"reading\", description: \"Files.\", max_effect: Effect::Read }
/// Writes a file.
#[tool(toolset = \"reading\", effect = \"write\")]
fn write_file() {}
",
    ),
    warning(
        "empty-toolset",
        toolsets::empty_toolset,
        "A toolset lists and includes nothing, and no tool names it.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
",
    ),
    error(
        "golden-changed",
        elsewhere,
        "With `--linked`: the definitions that models are told differ from the file that `golden` names. Providers key their prompt caches by them, so a change is to be seen. `--fix` writes the file anew.",
        "",
    ),
    error(
        "include-cycle",
        references::include_cycle,
        "A toolset includes itself, directly or through others.",
        "//- src/lib.rs
toolset! { name: \"a\", description: \"One.\", includes: [\"b\"] }
toolset! { name: \"b\", description: \"Two.\", includes: [\"a\"] }
",
    ),
    error(
        "link-of-non-pack",
        packs::link_of_non_pack,
        "`link!` names a crate that declares no pack, or that is no dependency. Modules that declare a pack may be named.",
        "//- src/lib.rs
hermes_tools::link!(weather);
",
    ),
    warning(
        "missing-effect",
        tools::missing_effect,
        "A tool does not say what it does, and counts as destructive: people are asked more often than need be.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\")]
fn read_file() {}
",
    ),
    error(
        "name-rejected",
        tools::name_rejected,
        "A provider rejects the name of a tool. OpenAI and Anthropic take letters, digits, `_` and `-`, at most 64; Gemini takes `.` and `:` too and wants a letter or `_` first; MCP takes `.`, at most 128.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\", name = \"file.read\", effect = \"read\")]
fn read_file() {}
",
    ),
    error(
        "not-in-source",
        elsewhere,
        "With `--linked`: the binary has a tool that no source declares. Where a macro or an included file may have written it, this is a note.",
        "",
    ),
    error(
        "not-linked",
        elsewhere,
        "With `--linked`: the sources of the binary have a tool that the binary lacks.",
        "",
    ),
    error(
        "pack-not-linked",
        packs::pack_not_linked,
        "A package with a binary depends on a pack and no path leads into it, so that the linker leaves the pack out. `--fix` adds the `link!`.",
        "//- Cargo.toml
[workspace]
members = [\"app\", \"weather\"]
resolver = \"3\"
//- weather/Cargo.toml
[package]
name = \"weather\"
edition = \"2024\"
//- weather/src/lib.rs
hermes_tools::pack!();
//- app/Cargo.toml
[package]
name = \"app\"
edition = \"2024\"
[dependencies]
weather.path = \"../weather\"
//- app/src/main.rs
fn main() {}
",
    ),
    warning(
        "parameter-undocumented",
        tools::parameter_undocumented,
        "A model sees a parameter without a word about it. Values of the host (`#[ctx]`) and flattened types need none.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file(path: String) {}
",
    ),
    error(
        "reserved-tool-exists",
        packs::reserved_tool_exists,
        "A name in `reserved_tools!` whose tool has been written. `--fix` takes it out.",
        "//- src/lib.rs
toolset! { name: \"todo\", description: \"Plans.\" }
hermes_toolsets::reserved_tools! { \"todo\" }
/// Keeps a list of what is to do.
#[tool(toolset = \"todo\", effect = \"write\")]
fn todo() {}
",
    ),
    warning(
        "schema-budget",
        elsewhere,
        "With `--linked`: the definitions of a toolset's tools take more tokens than `schema-budget` allows, estimated as the binary does.",
        "",
    ),
    warning(
        "schema-dialect",
        elsewhere,
        "With `--linked`: a schema loses something in the form of a provider.",
        "",
    ),
    warning(
        "state-not-supplied",
        supply::state_not_supplied,
        "A tool takes `&T`, `Arc<T>` or the workspace from its session, and a package of the workspace that has the tool and makes sessions never gives them one: building a session fails, or the tool is unavailable. Types are compared by name. Where a value is given whose type the source does not show, nothing is said; nor is it of a pack that no member with sessions links. With `--linked` also for what the binary says that its tools take.",
        "//- Cargo.toml
[workspace]
members = [\"app\", \"hermes-tools\", \"weather\"]
resolver = \"3\"
//- hermes-tools/Cargo.toml
[package]
name = \"hermes-tools\"
edition = \"2024\"
[features]
host = []
//- hermes-tools/src/lib.rs
// Stands for the library.
//- weather/Cargo.toml
[package]
name = \"weather\"
edition = \"2024\"
//- weather/src/lib.rs
hermes_tools::pack!();
toolset! { name: \"weather\", description: \"Weather.\" }
/// Says how warm it is.
#[tool(toolset = \"weather\", effect = \"read\")]
fn temperature(#[ctx] station: &Station) {}
//- app/Cargo.toml
[package]
name = \"app\"
edition = \"2024\"
[dependencies]
hermes-tools = { path = \"../hermes-tools\", features = [\"host\"] }
weather.path = \"../weather\"
//- app/src/main.rs
use hermes_tools::Session;
hermes_tools::link!(weather);
fn main() {
    let _session = Session::builder(registry(), selection()).build();
}
",
    ),
    warning(
        "tool-in-no-toolset",
        toolsets::tool_in_no_toolset,
        "A tool names a toolset that nothing declares, and no other toolset lists it. It works, and shows in no list of toolsets with a description.",
        "//- src/lib.rs
toolset! { name: \"files\", description: \"Files.\", tools: [\"write_file\"] }
reserved_tools! { \"write_file\" }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
",
    ),
    warning(
        "undeclared-toolset",
        toolsets::undeclared_toolset,
        "A tool names a toolset that nothing declares. Another toolset lists the tool.",
        "//- src/lib.rs
toolset! { name: \"everything\", description: \"All.\", tools: [\"read_file\"] }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
",
    ),
    error(
        "unknown-include",
        references::unknown_include,
        "A toolset includes one that nothing declares. `all`, `*` and toolsets of MCP servers (`mcp-...`) need no declaration.",
        "//- src/lib.rs
toolset! { name: \"all-files\", description: \"Files.\", tools: [\"read_file\"], includes: [\"flie\"] }
toolset! { name: \"file\", description: \"Files.\", tools: [\"read_file\"] }
reserved_tools! { \"read_file\" }
",
    ),
    error(
        "unknown-tool-in-configuration",
        strings::unknown_tool_in_configuration,
        "A `hermes.toml` lists a tool that nobody has written.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
//- hermes.toml
[toolsets.review]
tools = [\"raed_file\"]
",
    ),
    warning(
        "unknown-tool-in-string",
        strings::unknown_tool_in_string,
        "A list, a `match` or a call names a tool that nothing declares. A list or a `match` counts where more than half of its strings, and at least two, are names of tools.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\" }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
/// Writes a file.
#[tool(toolset = \"file\", effect = \"write\")]
fn write_file() {}
const SHOWN: [&str; 3] = [\"read_file\", \"write_flie\", \"write_file\"];
",
    ),
    error(
        "unknown-tool-in-toolset",
        references::unknown_tool_in_toolset,
        "A toolset lists a tool that nobody has written and that no `reserved_tools!` announces.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\", tools: [\"raed_file\"] }
/// Reads a file.
#[tool(toolset = \"file\", effect = \"read\")]
fn read_file() {}
",
    ),
    warning(
        "unknown-toolset-in-configuration",
        strings::unknown_toolset_in_configuration,
        "A `hermes.toml` enables, disables or includes a toolset that nothing declares. Toolsets of plugins are known by the entry of the plugin.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\", tools: [\"read_file\"] }
reserved_tools! { \"read_file\" }
//- hermes.toml
enabled = [\"file\", \"serch\"]
",
    ),
    error(
        "unparsed-file",
        tools::unparsed_file,
        "A source file could not be read or parsed. Its tools and modules are not checked; the others are.",
        "//- src/lib.rs
fn tool( {}
",
    ),
    note(
        "unsorted-names",
        references::unsorted_names,
        "A list of tools in `toolset!`, `reserved_tools!` or `tools!` is out of order. What is shown is sorted whatever the list; a sorted one shows what is missing, and two changes of it merge. A list with comments or empty lines in it has an order of its own, and so have includes. `--fix` sorts.",
        "//- src/lib.rs
toolset! { name: \"file\", description: \"Files.\", tools: [\"write_file\", \"read_file\"] }
reserved_tools! { \"read_file\", \"write_file\" }
",
    ),
    warning(
        "unused-allow",
        elsewhere,
        "A comment allows what is not there, or names a rule that does not exist.",
        "//- src/lib.rs
// check-toolsets: allow(missing-effect): it was hard to say.
fn nothing() {}
",
    ),
    warning(
        "unused-toolset",
        toolsets::unused_toolset,
        "A toolset that lists no tools is named by no tool and no toolset, and neither strings in the sources nor a configuration mention it.",
        "//- src/lib.rs
toolset! { name: \"everything\", description: \"All.\", includes: [\"file\"] }
toolset! { name: \"file\", description: \"Files.\", tools: [\"read_file\"] }
reserved_tools! { \"read_file\" }
",
    ),
];
