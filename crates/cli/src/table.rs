//! The table of a project's verdicts beside the expected ones.

use kripke_report::Style;

/// One property's line.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Row {
    pub program: String,
    pub property: String,
    pub verdict: String,
    /// What was expected, where the project says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Bounds at which the verdict was not the expected one, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<String>,
    pub seconds: f64,
}

impl Row {
    /// Is anything not as the project expects it? Without an expectation everything but *violated* is
    /// accepted.
    pub fn surprises(&self) -> bool {
        let other = match &self.expected {
            Some(expected) => *expected != self.verdict,
            None => self.verdict == "violated",
        };
        other || !self.bounds.is_empty()
    }

    /// Without an expectation, was the answer not definite?
    pub fn inconclusive(&self) -> bool {
        self.expected.is_none() && !matches!(self.verdict.as_str(), "holds" | "violated")
    }
}

/// Lines with aligned columns.
#[derive(Debug, Default, Clone, serde::Serialize)]
pub struct Table {
    pub rows: Vec<Row>,
}

impl Table {
    /// 0: all as expected (or holding), 1: something is not, 2: inconclusive where nothing was expected.
    pub fn exit_code(&self) -> u8 {
        if self.rows.iter().any(Row::surprises) {
            1
        } else if self.rows.iter().any(Row::inconclusive) {
            2
        } else {
            0
        }
    }

    /// The table as text.
    pub fn render(&self, style: Style) -> String {
        let headings = ["program", "property", "verdict", "expected"];
        let cells: Vec<[String; 4]> = self
            .rows
            .iter()
            .map(|row| {
                let expected = row.expected.clone().unwrap_or_else(|| "-".to_string());
                [
                    row.program.clone(),
                    row.property.clone(),
                    row.verdict.clone(),
                    expected,
                ]
            })
            .collect();
        let width = |column: usize| {
            let longest = cells.iter().map(|cell| cell[column].chars().count()).max();
            longest.unwrap_or(0).max(headings[column].len())
        };
        let widths = [width(0), width(1), width(2), width(3)];
        let line = |cell: [&str; 4], rest: &str| {
            let mut text = String::new();
            for (value, width) in cell.iter().zip(widths) {
                text.push_str(&format!("{value:<width$}  "));
            }
            format!("{}\n", (text + rest).trim_end())
        };
        let mut text = style.strong(line(headings, "time").trim_end()) + "\n";
        for (row, cell) in self.rows.iter().zip(&cells) {
            let rest = format!("{:>6.2} s", row.seconds);
            let shown = line([&cell[0], &cell[1], &cell[2], &cell[3]], &rest);
            if row.surprises() {
                text.push_str(&style.bad(shown.trim_end()));
                text.push('\n');
                for bound in &row.bounds {
                    text.push_str(&format!("    {bound}\n"));
                }
            } else {
                text.push_str(&shown);
            }
        }
        text.push_str(&self.summary());
        text
    }

    fn summary(&self) -> String {
        let surprises = self.rows.iter().filter(|row| row.surprises()).count();
        let properties = match self.rows.len() {
            1 => "1 property".to_string(),
            many => format!("{many} properties"),
        };
        match surprises {
            0 => format!("{properties}, all as expected\n"),
            _ => format!("{properties}, {surprises} not as expected\n"),
        }
    }
}
