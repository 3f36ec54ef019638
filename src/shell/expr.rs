//! What may be typed into a number field (TEX-9): `64`, `3*16+8`, and relative forms `+8`, `-8`, `*2`, `/2` that change
//! the value each object has.

/// What the text asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Set(f64),
    Add(f64),
    Multiply(f64),
}

impl Change {
    /// The value after the change.
    #[must_use]
    pub fn of(self, old: f64) -> f64 {
        match self {
            Self::Set(value) => value,
            Self::Add(more) => old + more,
            Self::Multiply(factor) => old * factor,
        }
    }
}

/// Reads the text; `None` when it is no expression or its value is not finite. With `relative`, a leading `+`, `*`, `/`
/// and a leading `-` that is followed by a space change the old value; a plain `-8` sets -8.
#[must_use]
pub fn parse(text: &str, relative: bool) -> Option<Change> {
    let text = text.trim();
    if relative {
        if let Some(rest) = text.strip_prefix('+') {
            return value(rest).map(Change::Add);
        }
        if let Some(rest) = text.strip_prefix('*') {
            return value(rest).map(Change::Multiply);
        }
        if let Some(rest) = text.strip_prefix('/') {
            return value(rest).filter(|by| *by != 0.0).map(|by| Change::Multiply(1.0 / by));
        }
        if let Some(rest) = text.strip_prefix("- ").or_else(|| text.strip_prefix("-=")) {
            return value(rest).map(|less| Change::Add(-less));
        }
    }
    value(text).map(Change::Set)
}

/// `+ - * / ( )` over decimal numbers, by two stacks: nothing here can run out of call stack.
#[must_use]
pub fn value(text: &str) -> Option<f64> {
    let mut numbers: Vec<f64> = Vec::new();
    let mut operators: Vec<char> = Vec::new();
    let mut expects_number = true;
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let mut used = first.len_utf8();
        match first {
            '0'..='9' | '.' | ',' if expects_number => {
                used = rest
                    .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
                    .unwrap_or(rest.len());
                numbers.push(rest[..used].replace(',', ".").parse().ok()?);
                expects_number = false;
            }
            // A sign in front of a number: `0 - x` binds tighter than what stands before it.
            '-' if expects_number => operators.push('~'),
            '+' if expects_number => {}
            '(' if expects_number => operators.push('('),
            ')' if !expects_number => loop {
                match operators.pop()? {
                    '(' => break,
                    operator => apply(&mut numbers, operator)?,
                }
            },
            '+' | '-' | '*' | '/' if !expects_number => {
                while let Some(&top) = operators.last() {
                    if top == '(' || rank(top) < rank(first) {
                        break;
                    }
                    operators.pop();
                    apply(&mut numbers, top)?;
                }
                operators.push(first);
                expects_number = true;
            }
            _ => return None,
        }
        rest = rest[used..].trim_start();
    }
    if expects_number {
        return None;
    }
    while let Some(operator) = operators.pop() {
        if operator == '(' {
            return None;
        }
        apply(&mut numbers, operator)?;
    }
    let result = numbers.pop()?;
    (numbers.is_empty() && result.is_finite()).then_some(result)
}

fn rank(operator: char) -> u8 {
    match operator {
        '~' => 3,
        '*' | '/' => 2,
        _ => 1,
    }
}

fn apply(numbers: &mut Vec<f64>, operator: char) -> Option<()> {
    let right = numbers.pop()?;
    if operator == '~' {
        numbers.push(-right);
        return Some(());
    }
    let left = numbers.pop()?;
    numbers.push(match operator {
        '+' => left + right,
        '-' => left - right,
        '*' => left * right,
        _ => left / right,
    });
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_give_their_value() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(value(text), expected, "{text:?}");
        check("64", Some(64.0));
        check(" 3*16 + 8 ", Some(56.0));
        check("3*(16+8)", Some(72.0));
        check("-2*-3", Some(6.0));
        check("8-2-1", Some(5.0));
        check("1/4", Some(0.25));
        check("0,5", Some(0.5));
        for bad in ["", "x", "1+", "(1", "1)", "1/0", "1.2.3", "2 3", "*2"] {
            check(bad, None);
        }
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        check(&deep, Some(1.0));
    }

    #[test]
    fn relative_forms_keep_each_value() {
        let check = |text: &str, old: f64, new: f64| {
            assert_eq!(parse(text, true).map(|change| change.of(old)), Some(new), "{text:?}");
        };
        check("+8", 4.0, 12.0);
        check("*2", 4.0, 8.0);
        check("/4", 4.0, 1.0);
        check("- 8", 4.0, -4.0);
        check("-8", 4.0, -8.0);
        assert_eq!(parse("/0", true), None);
        assert_eq!(parse("+8", false), Some(Change::Set(8.0)));
    }
}
