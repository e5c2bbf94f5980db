//! Tuples as parameters: lists of a fixed length whose items have a type each.

use super::ToolParam;
use crate::args::{Issue, Node, Reader, Unfit};
use crate::schema::{Kind, Schema};

macro_rules! tuples {
    ($($count:literal: $($type:ident $value:ident $index:tt),+;)*) => {$(
        impl<$($type: ToolParam),+> ToolParam for ($($type,)+) {
            const SCHEMA: Schema = Schema::new(Kind::Tuple { items: &[$($type::SCHEMA),+] });

            fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
                $(let mut $value = None;)+
                let mut index = 0;
                reader.array(schema, |reader| {
                    match index {
                        $($index => $value = Some($type::read(reader, &$type::SCHEMA)?),)+
                        _ => return Err(Unfit),
                    }
                    index += 1;
                    Ok(())
                })?;
                Ok(($($value.ok_or(Unfit)?,)+))
            }

            fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
                let Node::Array(items) = node else {
                    return Err(Issue::expected("a list", node));
                };
                let [$($value),+] = items.as_slice() else {
                    return Err(Issue::expected(
                        concat!("a list of exactly ", $count, " items"),
                        node,
                    ));
                };
                Ok(($(
                    $type::from_node($value, &$type::SCHEMA)
                        .map_err(|issue| issue.at_index($index))?,
                )+))
            }

            fn render(&self) -> String {
                let items = [$(self.$index.render()),+];
                format!("[{}]", items.join(","))
            }
        }
    )*};
}

tuples! {
    2: A a 0, B b 1;
    3: A a 0, B b 1, C c 2;
    4: A a 0, B b 1, C c 2, D d 3;
    5: A a 0, B b 1, C c 2, D d 3, E e 4;
    6: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5;
}
