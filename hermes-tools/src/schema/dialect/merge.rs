//! One object in place of several forms.

use super::keywords::{Keywords, list, texts};
use super::render::{Renderer, join};
use crate::args::render_string;
use crate::schema::Variant;

impl Renderer {
    /// The parameters of a tool whose arguments have one of several forms.
    pub(super) fn merged_root(&mut self, tag: &str, variants: &[Variant]) -> String {
        let mut keywords = Keywords::default();
        keywords.put("type", "\"object\"");
        self.merged(&mut keywords, tag, variants, "");
        self.definitions(&mut keywords);
        keywords.into_json()
    }

    /// `properties` and `required` of an object with the keys of all forms. The tag lists the forms and
    /// says what each needs; what a call really needs is checked when it is decoded.
    pub(super) fn merged(
        &mut self,
        keywords: &mut Keywords,
        tag: &str,
        variants: &[Variant],
        path: &str,
    ) {
        self.lose(
            &join(path, tag),
            "which keys go with which form has no keyword",
        );
        let mut properties = Keywords::default();
        let mut which = Keywords::default();
        which.put("type", "\"string\"");
        which.put("enum", texts(variants.iter().map(|variant| variant.name)));
        which.describe(&variants.iter().map(needs).collect::<Vec<_>>().join("\n"));
        properties.put(tag, which.into_json());

        let mut names: Vec<&str> = Vec::new();
        for field in variants.iter().flat_map(|variant| variant.fields) {
            if !names.contains(&field.name()) {
                names.push(field.name());
            }
        }
        let mut required = vec![tag];
        for name in names {
            let everywhere = variants.iter().all(|variant| {
                let mut fields = variant.fields.iter();
                fields.any(|field| field.name() == name && field.is_required())
            });
            let json = self.merged_field(variants, name, everywhere, path);
            properties.put(name, json);
            if everywhere || self.rules.complete {
                required.push(name);
            }
        }
        keywords.put("properties", properties.into_json());
        self.close(keywords, &required);
    }

    /// A key that one form has, or several; with several types where they differ.
    fn merged_field(
        &mut self,
        variants: &[Variant],
        name: &str,
        everywhere: bool,
        path: &str,
    ) -> String {
        let mut forms: Vec<String> = Vec::new();
        let fields = variants.iter().flat_map(|variant| variant.fields);
        for field in fields.filter(|field| field.name() == name) {
            let form = self.field(field, everywhere, path);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        if forms.len() > 1 && self.rules.any_of {
            let mut union = Keywords::default();
            union.put("anyOf", list(&forms));
            return union.into_json();
        }
        if forms.len() > 1 {
            self.lose(
                &join(path, name),
                "the forms differ in this key; the first of them is shown",
            );
        }
        forms.swap_remove(0)
    }
}

/// What a form is for and which keys it takes, in one line.
fn needs(variant: &Variant) -> String {
    let quoted = |required: bool| {
        let fields = variant
            .fields
            .iter()
            .filter(|field| field.is_required() == required);
        fields
            .map(|field| format!("`{}`", field.name()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut line = format!("{}:", render_string(variant.name));
    if !variant.description.is_empty() {
        line = format!("{line} {}", variant.description.trim_end_matches('.'));
        line.push('.');
    }
    let (needed, optional) = (quoted(true), quoted(false));
    match (needed.as_str(), optional.as_str()) {
        ("", "") => line.push_str(" Takes no other key."),
        (needed, "") => line = format!("{line} Needs {needed}."),
        ("", optional) => line = format!("{line} May have {optional}."),
        (needed, optional) => line = format!("{line} Needs {needed}; may have {optional}."),
    }
    line
}
