//! Numbers as they are typed into fields: expressions, and values relative to each object's own (TEX-9).

pub use crate::document::ops::faces::Value;

/// Why a text is no number; a sentence for the status line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoNumber {
    #[error("A number is missing")]
    Missing,
    #[error("\"{0}\" does not belong into a number")]
    Unexpected(char),
    #[error("A bracket is not closed")]
    OpenBracket,
    #[error("This is too deeply nested")]
    TooDeep,
    #[error("This is no finite number")]
    NotFinite,
}

/// Brackets and signs deeper than this are no honest input.
const DEEPEST: usize = 64;

/// `12`, `3*(4+5)`, `-8` set; `+8`, `*2`, `/3` count from each value; `-=8` takes away (a leading minus alone is a sign).
///
/// # Errors
/// Why it is no number.
pub fn parse(text: &str) -> Result<Value, NoNumber> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("+=").or_else(|| text.strip_prefix('+')) {
        return evaluate(rest).map(Value::Add);
    }
    if let Some(rest) = text.strip_prefix("-=") {
        return evaluate(rest).map(|value| Value::Add(-value));
    }
    if let Some(rest) = text.strip_prefix("*=").or_else(|| text.strip_prefix('*')) {
        return evaluate(rest).map(Value::Multiply);
    }
    if let Some(rest) = text.strip_prefix("/=").or_else(|| text.strip_prefix('/')) {
        let factor = 1.0 / evaluate(rest)?;
        return if factor.is_finite() {
            Ok(Value::Multiply(factor))
        } else {
            Err(NoNumber::NotFinite)
        };
    }
    evaluate(text).map(Value::Set)
}

/// The value of an expression of numbers, `+ - * /` and brackets.
///
/// # Errors
/// Why it has none.
pub fn evaluate(text: &str) -> Result<f64, NoNumber> {
    let mut parser = Parser {
        rest: text.trim(),
        depth: 0,
    };
    let value = parser.sum()?;
    if let Some(left) = parser.rest.chars().next() {
        return Err(NoNumber::Unexpected(left));
    }
    if value.is_finite() {
        Ok(value)
    } else {
        Err(NoNumber::NotFinite)
    }
}

/// Recursive descent, with a bound since the text is the user's.
struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Result<f64, NoNumber> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, NoNumber> {
        let mut value = self.factor()?;
        loop {
            if self.take('*') {
                value *= self.factor()?;
            } else if self.take('/') {
                value /= self.factor()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<f64, NoNumber> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NoNumber::TooDeep);
        }
        let value = if self.take('-') {
            -self.factor()?
        } else if self.take('(') {
            let value = self.sum()?;
            if !self.take(')') {
                return Err(NoNumber::OpenBracket);
            }
            value
        } else {
            self.number()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&mut self) -> Result<f64, NoNumber> {
        let length = self
            .rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(length);
        let Some(first) = rest
            .chars()
            .next()
            .or(Some(' '))
            .filter(|_| digits.is_empty())
        else {
            self.rest = rest.trim_start();
            return digits.parse().map_err(|_| NoNumber::Unexpected('.'));
        };
        Err(if first == ' ' {
            NoNumber::Missing
        } else {
            NoNumber::Unexpected(first)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tex_9_values() {
        let check = |text: &str, expected: Value| assert_eq!(parse(text), Ok(expected), "{text}");
        check("12", Value::Set(12.0));
        check(" -8 ", Value::Set(-8.0));
        check("+8", Value::Add(8.0));
        check("-=8", Value::Add(-8.0));
        check("*2", Value::Multiply(2.0));
        check("/4", Value::Multiply(0.25));
        check("3*(4+5)-1", Value::Set(26.0));
        check("2 - -3", Value::Set(5.0));
        check("+16/2", Value::Add(8.0));
        check(".5", Value::Set(0.5));
        for text in [
            "",
            "abc",
            "1+",
            "(1",
            "1/0",
            "/0",
            "1.2.3",
            "1 2",
            &"(".repeat(1000),
            &"-".repeat(1000),
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(
            (
                Value::Add(8.0).of(2.0),
                Value::Multiply(2.0).of(3.0),
                Value::Set(1.0).of(9.0)
            ),
            (10.0, 6.0, 1.0)
        );
    }
}
