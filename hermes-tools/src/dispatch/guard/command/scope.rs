//! What a line has set so far: variables, functions, its folder, files that it made.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::field::{Field, Stream, Taint};
use super::syntax::Command;

/// The value of a variable.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Scalar(Field),
    List(Vec<Field>),
}

impl Value {
    pub(super) fn first(&self) -> Field {
        match self {
            Self::Scalar(field) => field.clone(),
            Self::List(fields) => fields.first().cloned().unwrap_or_default(),
        }
    }

    pub(super) fn fields(&self) -> &[Field] {
        match self {
            Self::Scalar(field) => std::slice::from_ref(field),
            Self::List(fields) => fields,
        }
    }

    pub(super) fn item(&self, index: usize) -> Option<Field> {
        self.fields().get(index).cloned()
    }
}

/// What a command sees of those before it. A subshell works on a copy.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    variables: Rc<HashMap<String, Value>>,
    functions: Rc<HashMap<String, Rc<Command>>>,
    /// The folder, where it can be told.
    pub(super) folder: Option<String>,
    /// `$1`, `$2`, ...; unknown before a script or a function has been given some.
    pub(super) arguments: Option<Rc<Vec<Field>>>,
    /// `$0`, where the line has given it.
    pub(super) own_name: Option<Field>,
    files: Rc<HashMap<String, Stream>>,
    executable: Rc<HashSet<String>>,
}

impl Scope {
    pub(super) fn new(home: &str, folder: Option<String>) -> Self {
        let mut scope = Self {
            folder,
            ..Self::default()
        };
        scope.set("HOME", Value::Scalar(Field::new(home)));
        scope
    }

    pub(super) fn get(&self, name: &str) -> Option<Value> {
        let given = self.arguments.as_deref();
        match name {
            "@" | "*" => return given.map(|given| Value::List(given.clone())),
            "#" | "?" | "$" | "!" => return Some(Value::Scalar(Field::new("0"))),
            "-" => return Some(Value::Scalar(Field::new("himBHs"))),
            "0" => {
                let name = self.own_name.clone();
                return Some(Value::Scalar(name.unwrap_or_else(|| Field::new("bash"))));
            }
            _ => {}
        }
        if let Ok(index) = name.parse::<usize>() {
            let field = given?.get(index.saturating_sub(1)).cloned();
            return Some(Value::Scalar(field.unwrap_or_default()));
        }
        match (self.variables.get(name), name) {
            (Some(value), _) => Some(value.clone()),
            (None, "IFS") => Some(Value::Scalar(Field::new(" \t\n"))),
            (None, "PWD") => self
                .folder
                .clone()
                .map(|folder| Value::Scalar(Field::new(folder))),
            (None, _) => None,
        }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        Rc::make_mut(&mut self.variables).insert(name.to_owned(), value);
    }

    pub(super) fn unset(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            Rc::make_mut(&mut self.variables).remove(name);
        }
    }

    pub(super) fn define(&mut self, name: &str, body: Rc<Command>) {
        Rc::make_mut(&mut self.functions).insert(name.to_owned(), body);
    }

    pub(super) fn function(&self, name: &str) -> Option<Rc<Command>> {
        self.functions.get(name).cloned()
    }

    /// What text from a variable of the environment may be, by its name.
    pub(super) fn taint_of(name: &str) -> Taint {
        const WORDS: [&str; 7] = [
            "TOKEN",
            "SECRET",
            "PASSWORD",
            "PASSWD",
            "API_KEY",
            "APIKEY",
            "ACCESS_KEY",
        ];
        let name = name.to_ascii_uppercase();
        if WORDS.iter().any(|word| name.contains(word)) || name.ends_with("_KEY") {
            Taint::SECRET
        } else {
            Taint::NONE
        }
    }

    /// The characters at which words are split.
    pub(super) fn separators(&self) -> String {
        self.get("IFS")
            .map(|value| value.first().plain())
            .unwrap_or_default()
    }

    /// A name for what a process substitution gives.
    pub(super) fn new_file(&mut self, stream: Stream) -> String {
        let path = format!("/dev/fd/{}", 63 + self.files.len());
        self.write(&path, stream);
        path
    }

    pub(super) fn write(&mut self, path: &str, stream: Stream) {
        Rc::make_mut(&mut self.files).insert(path.to_owned(), stream);
    }

    /// What this line put into a file.
    pub(super) fn file(&self, path: &str) -> Option<Stream> {
        let mut stream = self.files.get(path)?.clone();
        if self.executable.contains(path) {
            stream = stream.tainted(Taint::EXECUTABLE);
        }
        Some(stream)
    }

    pub(super) fn make_executable(&mut self, path: &str) {
        Rc::make_mut(&mut self.executable).insert(path.to_owned());
    }

    pub(super) fn is_executable(&self, path: &str) -> bool {
        self.executable.contains(path)
    }

    /// How much a copy costs at most.
    pub(super) fn weight(&self) -> usize {
        self.variables.len() + self.functions.len() + self.files.len() + self.executable.len()
    }
}

impl Scope {
    /// Takes over the files that a copy has made.
    pub(super) fn take_files(&mut self, other: &Self) {
        self.files = Rc::clone(&other.files);
        self.executable = Rc::clone(&other.executable);
    }
}
