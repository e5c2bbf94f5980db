//! Calls with arguments at the edges of what a tool's schema allows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Call, Called};
use crate::args::{JsonSchema, render_string};
use crate::effect::Effect;
use crate::entry::ToolEntry;
use crate::output::ErrorKind;
use crate::param::Param;
use crate::schema::{Kind, Number, Schema, Variant};

/// Checks tools with generated arguments. Made by [`boundaries`].
///
/// For each argument there are values just inside and just outside its bounds, of every other type,
/// and missing. What is outside must be refused, and the refusal must name the argument. What is
/// inside must not panic; it is called for tools that read, and for others when that is asked for.
pub struct Boundaries<'a> {
    tools: &'a [&'static ToolEntry],
    prepare: Box<dyn Fn(Call) -> Call + 'a>,
    most: Effect,
}

/// What came of the calls.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// How many calls were made.
    pub calls: usize,
    /// What went wrong, one line each: a panic, a refusal that does not name its argument, a value
    /// outside the bounds that was taken, a pattern that does not compile.
    pub faults: Vec<String>,
}

/// Checks these tools; see [`Boundaries`].
pub fn boundaries<'a>(tools: &'a [&'static ToolEntry]) -> Boundaries<'a> {
    Boundaries {
        tools,
        prepare: Box::new(|call| call),
        most: Effect::Read,
    }
}

impl<'a> Boundaries<'a> {
    /// Sets what gives each call its workspace, state and time.
    #[must_use]
    pub fn prepare(mut self, prepare: impl Fn(Call) -> Call + 'a) -> Self {
        self.prepare = Box::new(prepare);
        self
    }

    /// Also calls tools that do more than read, up to this. Give them a folder of their own.
    #[must_use]
    pub fn up_to(mut self, most: Effect) -> Self {
        self.most = most;
        self
    }

    /// Makes all calls.
    pub fn run(&self) -> Report {
        let mut report = Report::default();
        for tool in self.tools {
            match tool.forms() {
                None => self.check_all(tool, None, tool.params(), &mut report),
                Some((tag, forms)) => self.check_forms(tool, tag, forms, &mut report),
            }
            if tool.declared_effect() <= self.most {
                self.call(tool, &tool.example_call(None), None, &mut report);
            }
        }
        report
    }

    /// Checks each form of the arguments with the fields that belong to it.
    fn check_forms(
        &self,
        tool: &'static ToolEntry,
        tag: &str,
        forms: &[Variant],
        report: &mut Report,
    ) {
        self.call(tool, "{}", Some(tag), report);
        for wrong in ["1", "{}", "\"no such value\""] {
            let arguments = format!("{{{}}}", entry(tag, wrong));
            self.call(tool, &arguments, Some(tag), report);
        }
        for form in forms {
            let named = entry(tag, &render_string(form.name));
            self.check_all(tool, Some(&named), form.fields, report);
            let example = tool.example_call(Some(form.name));
            if tool.declared_effect() <= self.most {
                self.call(tool, &example, None, report);
            }
        }
    }

    /// Checks each argument beside the others, and beside an entry that is always there.
    fn check_all(
        &self,
        tool: &'static ToolEntry,
        always: Option<&str>,
        params: &[Param],
        report: &mut Report,
    ) {
        for param in params {
            patterns(tool, param.name(), param.schema(), report);
            self.check(tool, always, params, param, report);
        }
    }

    fn check(
        &self,
        tool: &'static ToolEntry,
        always: Option<&str>,
        params: &[Param],
        param: &Param,
        report: &mut Report,
    ) {
        let others = params
            .iter()
            .filter(|other| other.name() != param.name() && other.is_required())
            .map(|other| entry(other.name(), &inside_one(other)));
        let rest: Vec<String> = always
            .map(str::to_owned)
            .into_iter()
            .chain(others)
            .collect();
        let with = |value: Option<String>| {
            let own = value.map(|value| entry(param.name(), &value));
            let entries: Vec<String> = rest.iter().cloned().chain(own).collect();
            format!("{{{}}}", entries.join(","))
        };
        for value in outside(param.schema()) {
            self.call(tool, &with(Some(value)), Some(param.name()), report);
        }
        if param.is_required() {
            self.call(tool, &with(None), Some(param.name()), report);
        }
        if self.may_run(tool, params) {
            for value in inside(param.schema()) {
                self.call(tool, &with(Some(value)), None, report);
            }
        }
    }

    /// Whether calls that fit may be made. None can be where a text with a pattern has no example.
    fn may_run(&self, tool: &ToolEntry, params: &[Param]) -> bool {
        let unknown = |param: &Param| {
            param.is_required() && param.example().is_none() && param.schema().pattern.is_some()
        };
        tool.declared_effect() <= self.most && !params.iter().any(unknown)
    }

    /// Makes one call. `wrong` is the argument that must be refused.
    fn call(
        &self,
        tool: &'static ToolEntry,
        arguments: &str,
        wrong: Option<&str>,
        report: &mut Report,
    ) {
        report.calls += 1;
        let call = (self.prepare)(Call::of(tool, arguments));
        let name = tool.name();
        let Ok(Called { outcome, .. }) = catch_unwind(AssertUnwindSafe(|| call.run())) else {
            report
                .faults
                .push(format!("`{name}` panicked: {arguments}"));
            return;
        };
        let refused = outcome
            .as_ref()
            .err()
            .filter(|error| error.kind() == ErrorKind::InvalidArguments);
        match (wrong, refused) {
            (Some(argument), None) => report.faults.push(format!(
                "`{name}` took a value of `{argument}` that its schema forbids: {arguments}"
            )),
            (Some(argument), Some(error)) if !error.message().contains(&format!("`{argument}")) => {
                report.faults.push(format!(
                    "`{name}` refused without naming `{argument}`: {} ({arguments})",
                    error.message()
                ));
            }
            (None, Some(error)) if !error.issues().is_empty() => report.faults.push(format!(
                "`{name}` refused what its schema allows: {} ({arguments})",
                error.message()
            )),
            _ => {}
        }
    }
}

impl std::fmt::Debug for Boundaries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Boundaries")
            .field("tools", &self.tools.len())
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

fn entry(name: &str, value: &str) -> String {
    format!("{}:{value}", render_string(name))
}

fn inside_one(param: &Param) -> String {
    match param.example() {
        Some(example) => example.to_owned(),
        None => JsonSchema::of_schema(param.schema()).example(),
    }
}

/// Values at the edges, all allowed. Texts with a pattern have none: to make one is to solve it.
fn inside(schema: &Schema) -> Vec<String> {
    let mut values = vec![JsonSchema::of_schema(schema).example()];
    match schema.kind {
        Kind::Boolean => values.push("false".to_owned()),
        Kind::Integer => {
            values.extend(
                [schema.min, schema.max]
                    .into_iter()
                    .flatten()
                    .filter_map(whole),
            );
        }
        Kind::Number => {
            let ends = [schema.min, schema.max].into_iter().flatten();
            values.extend(ends.map(|end| end.to_string()));
        }
        Kind::String if !schema.values.is_empty() => {
            values.extend(schema.values.iter().map(|value| render_string(value)));
        }
        Kind::String if schema.pattern.is_none() => {
            let (min, max) = (
                schema.min_length as usize,
                schema.max_length.min(5_000) as usize,
            );
            values.push(render_string(&"é".repeat(min)));
            values.push(render_string(&"x".repeat(max)));
            for text in [
                "", " ", "../..", "/", "\u{0}", "a\nb", "\u{202e}", "-rf", "$(x)", "%s",
            ] {
                if (min..=max).contains(&text.chars().count()) {
                    values.push(render_string(text));
                }
            }
        }
        Kind::Array { items, .. } if schema.min_length == 0 => {
            values.push("[]".to_owned());
            let list = inside(items)
                .into_iter()
                .take(schema.max_length.min(8) as usize);
            values.extend(list.map(|item| format!("[{item}]")));
        }
        Kind::Map { .. } if schema.min_length == 0 => values.push("{}".to_owned()),
        _ => {}
    }
    if schema.pattern.is_some() {
        values.clear();
    }
    values
}

/// Values that must be refused.
fn outside(schema: &Schema) -> Vec<String> {
    let mut values = Vec::new();
    match schema.kind {
        Kind::Boolean => values.extend(["\"yes\"", "2", "{}"].map(str::to_owned)),
        Kind::Integer => {
            values.extend(["\"x\"", "1.5", "true", "{}", "1e400"].map(str::to_owned));
            values.extend(schema.min.and_then(|min| beside(min, -1)));
            values.extend(schema.max.and_then(|max| beside(max, 1)));
        }
        Kind::Number => {
            values.extend(["\"x\"", "true", "{}"].map(str::to_owned));
            values.extend(schema.min.and_then(|min| beside(min, -1)));
            values.extend(schema.max.and_then(|max| beside(max, 1)));
        }
        Kind::String => {
            values.extend(["1.5", "true", "{}", "[]"].map(str::to_owned));
            if !schema.values.is_empty() {
                values.push("\"no such value\"".to_owned());
            } else if schema.min_length > 0 {
                values.push(render_string(&"x".repeat(schema.min_length as usize - 1)));
            }
            if schema.max_length < 100_000 {
                values.push(render_string(&"x".repeat(schema.max_length as usize + 1)));
            }
        }
        Kind::Array { items, .. } if !items.takes_anything() => {
            let wrong = outside(items).into_iter().take(3);
            values.extend(wrong.map(|item| format!("[{item}]")));
        }
        Kind::Tuple { .. } => values.extend(["[]", "{}", "1"].map(str::to_owned)),
        Kind::Map { .. } | Kind::Object { .. } | Kind::Union { .. } => {
            values.extend(["1", "[1]", "\"x\""].map(str::to_owned));
        }
        _ => {}
    }
    values
}

fn whole(number: Number) -> Option<String> {
    match number {
        Number::Int(value) => Some(value.to_string()),
        Number::Float(_) => None,
    }
}

fn beside(number: Number, step: i128) -> Option<String> {
    match number {
        Number::Int(value) => value.checked_add(step).map(|value| value.to_string()),
        Number::Float(value) => Some((value + if step < 0 { -1.0 } else { 1.0 }).to_string()),
    }
}

/// Patterns that do not compile would refuse every call.
#[cfg(feature = "pattern")]
fn patterns(tool: &ToolEntry, path: &str, schema: &Schema, report: &mut Report) {
    if let Some(pattern) = schema.pattern
        && let Err(error) = crate::args::pattern::compiled(pattern)
    {
        report.faults.push(format!(
            "the pattern of `{path}` of `{}` does not compile: {error}",
            tool.name()
        ));
    }
    match schema.kind {
        Kind::Array { items, .. } => patterns(tool, path, items, report),
        Kind::Map { values } => patterns(tool, path, values, report),
        Kind::Object { fields } => {
            for field in fields {
                patterns(tool, field.name(), field.schema(), report);
            }
        }
        _ => {}
    }
}

#[cfg(not(feature = "pattern"))]
fn patterns(_: &ToolEntry, _: &str, _: &Schema, _: &mut Report) {}
