//! One line of the log.

use super::FileChange;
use crate::args::write_string;
use crate::context::SessionFacts;
use crate::dispatch::approval::Asked;
use crate::dispatch::guard::Finding;
use crate::dispatch::{CallIds, CallStatus};

/// What is told of one call.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) time: String,
    pub(crate) facts: &'a SessionFacts,
    pub(crate) ids: &'a CallIds,
    pub(crate) tool: &'a str,
    /// Server and tool as the server knows them.
    pub(crate) server: Option<(&'a str, &'a str)>,
    pub(crate) effect: Option<&'static str>,
    /// JSON.
    pub(crate) arguments: Option<&'a str>,
    pub(crate) verdicts: Vec<Judgement>,
    pub(crate) approvals: Vec<Asked>,
    pub(crate) files: Vec<FileChange>,
    /// Whether an earlier call of the same batch was run in place of this one.
    pub(crate) repeated: bool,
    pub(crate) repairs: usize,
    pub(crate) retries: u32,
    pub(crate) status: CallStatus,
    pub(crate) error: Option<&'static str>,
    pub(crate) milliseconds: f64,
}

/// What a guard said.
#[derive(Debug, Clone)]
pub(crate) struct Judgement {
    argument: String,
    role: &'static str,
    shown: String,
    verdict: &'static str,
    category: &'static str,
}

impl Judgement {
    pub(crate) fn of(finding: &Finding) -> Self {
        Self {
            argument: finding.argument.clone(),
            role: finding.role.as_str(),
            shown: finding.shown.clone(),
            verdict: finding.verdict.as_str(),
            category: finding.verdict.category(),
        }
    }

    fn write(&self, object: &mut Object<'_>) {
        object.some_text("argument", &self.argument);
        object.text("role", self.role);
        object.text("shown", &self.shown);
        object.text("verdict", self.verdict);
        object.some_text("category", self.category);
    }
}

impl Record<'_> {
    /// The line, with its line break. What has nothing to say is left out.
    pub(crate) fn line(&self) -> String {
        let mut line = String::with_capacity(256);
        let mut object = Object::begin(&mut line);
        object.text("time", &self.time);
        self.who(&mut object);
        self.what(&mut object);
        object.list("verdicts", &self.verdicts, |verdict, json| {
            Object::write(json, |object| verdict.write(object));
        });
        object.list("approvals", &self.approvals, |asked, json| {
            Object::write(json, |object| {
                object.list("categories", &asked.categories, |category, json| {
                    write_string(category, json);
                });
                object.text("answer", asked.answer);
            });
        });
        object.list("files", &self.files, |file, json| {
            Object::write(json, |object| {
                object.text("path", &file.path);
                object.text_or_null("before", file.before.word());
                object.text_or_null("after", file.after.word());
            });
        });
        if self.repeated {
            object.raw("repeated", "true");
        }
        if self.repairs > 0 {
            object.raw("repairs", &self.repairs.to_string());
        }
        if self.retries > 0 {
            object.raw("retries", &self.retries.to_string());
        }
        object.text("status", self.status.as_str());
        object.some_text("error", self.error.unwrap_or_default());
        object.raw("duration_ms", &self.milliseconds.to_string());
        object.end();
        line.push('\n');
        line
    }

    fn who(&self, object: &mut Object<'_>) {
        object.some_text("session", self.facts.id().unwrap_or_default());
        object.some_text("user", self.facts.user().unwrap_or_default());
        object.text("source", self.facts.source().name());
        if self.facts.is_delegated() {
            object.raw("delegated", "true");
        }
        if let Some(worker) = self.facts.worker() {
            object.object("worker", |object| {
                object.text("task", worker.task());
                object.some_text("run", worker.run().unwrap_or_default());
            });
        }
    }

    fn what(&self, object: &mut Object<'_>) {
        object.text("tool", self.tool);
        if let Some((name, tool)) = self.server {
            object.object("server", |object| {
                object.text("name", name);
                object.text("tool", tool);
            });
        }
        object.some_text("call", self.ids.call.as_deref().unwrap_or_default());
        object.some_text("turn", self.ids.turn.as_deref().unwrap_or_default());
        object.some_text("request", self.ids.request.as_deref().unwrap_or_default());
        object.some_text("effect", self.effect.unwrap_or_default());
        if let Some(arguments) = self.arguments {
            object.raw("arguments", arguments);
        }
    }
}

/// A JSON object that is written from left to right.
struct Object<'j> {
    json: &'j mut String,
    empty: bool,
}

impl<'j> Object<'j> {
    fn write(json: &'j mut String, fields: impl FnOnce(&mut Object<'_>)) {
        let mut object = Self::begin(json);
        fields(&mut object);
        object.end();
    }

    fn begin(json: &'j mut String) -> Self {
        json.push('{');
        Self { json, empty: true }
    }

    fn end(self) {
        self.json.push('}');
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.json.push(',');
        }
        self.empty = false;
        write_string(key, self.json);
        self.json.push(':');
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        write_string(value, self.json);
    }

    /// A text, left out when it is empty.
    fn some_text(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.text(key, value);
        }
    }

    fn text_or_null(&mut self, key: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(key, value),
            None => self.raw(key, "null"),
        }
    }

    fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.json.push_str(json);
    }

    fn object(&mut self, key: &str, fields: impl FnOnce(&mut Object<'_>)) {
        self.key(key);
        Object::write(self.json, fields);
    }

    /// A list, left out when it is empty.
    fn list<T>(&mut self, key: &str, items: &[T], write: impl Fn(&T, &mut String)) {
        if items.is_empty() {
            return;
        }
        self.key(key);
        self.json.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.json.push(',');
            }
            write(item, self.json);
        }
        self.json.push(']');
    }
}
