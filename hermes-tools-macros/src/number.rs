//! Number literals with their sign, exact.

use std::cmp::Ordering;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprUnary, Lit, UnOp};

use crate::span::{Names, located};
use crate::value::{literal, peel};

/// A number literal.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    value: Value,
    tokens: TokenStream,
    span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Int(i128),
    Float(f64),
}

impl Number {
    /// The number that the expression is; `None` for everything else, and for numbers beyond all
    /// of Rust's types.
    pub(crate) fn read(expr: &Expr) -> Option<Self> {
        let (negative, lit) = match peel(expr) {
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => (true, literal(expr)?),
            expr => (false, literal(expr)?),
        };
        let value = match lit {
            Lit::Int(int) => {
                let sign = if negative { "-" } else { "" };
                Value::Int(format!("{sign}{}", int.base10_digits()).parse().ok()?)
            }
            Lit::Float(float) => {
                let value: f64 = float.base10_parse().ok()?;
                if !value.is_finite() {
                    return None;
                }
                Value::Float(if negative { -value } else { value })
            }
            _ => return None,
        };
        Some(Self {
            value,
            tokens: expr.to_token_stream(),
            span: lit.span(),
        })
    }

    /// The number as JSON text.
    pub(crate) fn json(&self) -> String {
        match self.value {
            Value::Int(int) => int.to_string(),
            Value::Float(float) => format!("{float:?}"),
        }
    }

    /// The order of two numbers.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        match (self.value, other.value) {
            (Value::Int(a), Value::Int(b)) => a.cmp(&b),
            (Value::Float(a), Value::Float(b)) => order_of_floats(a, b),
            (Value::Int(a), Value::Float(b)) => order_of_both(a, b),
            (Value::Float(a), Value::Int(b)) => order_of_both(b, a).reverse(),
        }
    }

    /// The bound that the runtime crate holds.
    pub(crate) fn bound(&self, names: &Names) -> TokenStream {
        let private = &names.private;
        let (variant, literal, negative) = match self.value {
            Value::Int(int) => ("Int", int_literal(int.unsigned_abs()), int < 0),
            Value::Float(float) => ("Float", Literal::f64_unsuffixed(float.abs()), float < 0.0),
        };
        let at = located(self.span);
        let variant = proc_macro2::Ident::new(variant, at);
        let sign = negative.then(|| quote_spanned!(at=> -));
        quote_spanned!(at=> #private::Number::#variant(#sign #literal))
    }
}

impl ToTokens for Number {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}

fn int_literal(magnitude: u128) -> Literal {
    Literal::u128_unsuffixed(magnitude)
}

fn order_of_floats(a: f64, b: f64) -> Ordering {
    // Literals are finite, so there always is an order.
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// A whole number and a fraction: first the whole parts, which are exact, then what is left.
fn order_of_both(int: i128, float: f64) -> Ordering {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, which keeps the order"
    )]
    let whole = float.trunc() as i128;
    int.cmp(&whole)
        .then_with(|| order_of_floats(0.0, float.fract()))
}

#[cfg(test)]
mod tests {
    use syn::parse_str;

    use super::*;

    fn number(text: &str) -> Number {
        Number::read(&parse_str(text).unwrap()).unwrap()
    }

    #[test]
    fn literals_become_exact_json() {
        for (text, json) in [
            ("1", "1"),
            ("-1", "-1"),
            ("0xff", "255"),
            ("1_000u64", "1000"),
            ("18446744073709551615", "18446744073709551615"),
            ("0.5", "0.5"),
            ("-2.5", "-2.5"),
            ("1.", "1.0"),
            ("1e3", "1000.0"),
            ("1e-300", "1e-300"),
            ("(3)", "3"),
        ] {
            assert_eq!(number(text).json(), json, "{text}");
        }
    }

    #[test]
    fn other_expressions_are_no_numbers() {
        for text in ["\"1\"", "LIMIT", "1 + 1", "1e999", "--1", "true", "f(1)"] {
            assert!(Number::read(&parse_str(text).unwrap()).is_none(), "{text}");
        }
    }

    #[test]
    fn order_is_exact_between_whole_numbers_and_fractions() {
        assert_eq!(number("1").order(&number("1.0")), Ordering::Equal);
        assert_eq!(number("1").order(&number("1.5")), Ordering::Less);
        assert_eq!(number("-1").order(&number("-1.5")), Ordering::Greater);
        assert_eq!(number("0.5").order(&number("0")), Ordering::Greater);
        assert_eq!(
            number("9007199254740993").order(&number("9007199254740992.0")),
            Ordering::Greater
        );
        assert_eq!(number("5").order(&number("1e300")), Ordering::Less);
    }

    #[test]
    fn bounds_carry_their_sign() {
        let names = Names::new();
        assert_eq!(
            number("-3").bound(&names).to_string(),
            "__p :: Number :: Int (- 3)"
        );
        assert_eq!(
            number("0.5").bound(&names).to_string(),
            "__p :: Number :: Float (0.5)"
        );
    }
}
