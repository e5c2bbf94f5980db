//! The decoded arguments of a call, seen without their types.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};

use super::Node;
use crate::param::{Param, Slot};

/// The decoded arguments of one call, before the tool runs.
///
/// What judges a call looks at these: the function of `effect_of`, that of `targets`. An argument that
/// the model left out has its default here.
///
/// ```
/// use hermes_tools::args::Arguments;
/// use hermes_tools::{Effect, tool};
///
/// fn effect(arguments: &Arguments<'_>) -> Effect {
///     match arguments.text("action") {
///         Some("list") => Effect::Read,
///         _ => Effect::Destructive,
///     }
/// }
///
/// /// List or remove notes.
/// #[tool(toolset = "notes", effect = "destructive", effect_of = effect, inline)]
/// fn notes(
///     /// What to do.
///     #[arg(values = ["list", "remove"])]
///     action: String,
/// ) -> String {
///     action
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    params: &'a [Param],
    values: &'a dyn Values,
}

/// The places of all arguments, in the order of the parameters.
pub(crate) trait Values: Sync {
    fn slot(&self, index: usize) -> Option<&dyn Slot>;
}

impl Values for &[&mut dyn Slot] {
    fn slot(&self, index: usize) -> Option<&dyn Slot> {
        self.get(index).map(|slot| &**slot as &dyn Slot)
    }
}

/// Makes the view of places that decoding has filled, for the time of one function.
pub(crate) fn view<R>(
    params: &[Param],
    slots: &[&mut dyn Slot],
    look: impl FnOnce(&Arguments<'_>) -> R,
) -> R {
    look(&Arguments {
        params,
        values: &slots,
    })
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(params: &'a [Param], values: &'a dyn Values) -> Self {
        Self { params, values }
    }

    /// The value of an argument, by the name under which the model sends it. `None` when there is no
    /// such argument, it is of another type, or it is absent and has no value for that.
    ///
    /// An argument of type `Option<T>` is found both as `Option<T>` and, when it was sent, as `T`. Where
    /// one parameter is all of the arguments (`flatten`), its fields are found as [`Node`]s.
    pub fn get<T: Any>(&self, name: &str) -> Option<&'a T> {
        let value = self.value(name)?;
        value
            .downcast_ref::<T>()
            .or_else(|| value.downcast_ref::<Option<T>>()?.as_ref())
    }

    /// The value of an argument that is text or a path.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        if let Some(text) = self.get::<String>(name) {
            return Some(text);
        }
        match self.get::<Node>(name) {
            Some(Node::String(text)) => Some(text),
            _ => self
                .get::<PathBuf>(name)
                .map(PathBuf::as_path)
                .and_then(Path::to_str),
        }
    }

    /// Names of the arguments, in the order of the function.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + 'a {
        self.params.iter().map(Param::name)
    }

    fn value(&self, name: &str) -> Option<&'a dyn Any> {
        let index = self.params.iter().position(|param| param.name() == name)?;
        self.values.slot(index)?.value()
    }
}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names alone: a value may be a secret.
        f.debug_list().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::ToolParam;

    #[test]
    fn values_are_found_by_name_and_type() {
        let params = [
            Param::new("path", 4, PathBuf::SHAPE),
            Param::new("mode", 4, <Option<String>>::SHAPE),
            Param::new("line", 4, u32::SHAPE),
        ];
        let mut path = Some(PathBuf::from("a/b"));
        let mut mode = Some(Some("fast".to_owned()));
        let mut line: Option<u32> = None;
        let slots: [&mut dyn Slot; 3] = [&mut path, &mut mode, &mut line];
        view(&params, &slots, |arguments| {
            assert_eq!(arguments.text("path"), Some("a/b"));
            assert_eq!(arguments.text("mode"), Some("fast"));
            assert_eq!(
                arguments.get::<Option<String>>("mode"),
                Some(&Some("fast".to_owned()))
            );
            assert_eq!(arguments.get::<u32>("line"), None);
            assert_eq!(arguments.get::<u64>("path"), None);
            assert_eq!(arguments.text("other"), None);
            assert_eq!(format!("{arguments:?}"), r#"["path", "mode", "line"]"#);
        });
    }
}
