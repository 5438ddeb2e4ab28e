//! The table of a project's verdicts beside the expected ones: lines with aligned columns.

use kripke_check::project::{Comparison, Row, VerdictName};
use kripke_report::Style;

/// The table as text.
pub fn render(comparison: &Comparison, style: Style) -> String {
    let headings = ["program", "property", "verdict", "expected"];
    let cells: Vec<[String; 4]> = comparison
        .rows
        .iter()
        .map(|row| {
            let expected = row.expected.map_or("-", VerdictName::text);
            [
                row.program.clone(),
                row.property.clone(),
                row.verdict.text().to_string(),
                expected.to_string(),
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
    for (row, cell) in comparison.rows.iter().zip(&cells) {
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
    text.push_str(&summary(&comparison.rows));
    text
}

fn summary(rows: &[Row]) -> String {
    let surprises = rows.iter().filter(|row| row.surprises()).count();
    let properties = match rows.len() {
        1 => "1 property".to_string(),
        many => format!("{many} properties"),
    };
    match surprises {
        0 => format!("{properties}, all as expected\n"),
        _ => format!("{properties}, {surprises} not as expected\n"),
    }
}
