//! Numbers with units on the command line: times, sizes, bounds.

use std::time::Duration;

use kripke_limits::Store;

/// A time limit, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit(pub Option<Duration>);

/// A memory limit in bytes, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit(pub Option<u64>);

/// Splits `90s` into 90 and `s`.
fn number_and_unit(text: &str) -> Option<(f64, String)> {
    let end = text
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim().to_ascii_lowercase()))
}

/// `500ms`, `90s`, `90` (seconds), `5m`, `1h`, `none`.
pub fn parse_time(text: &str) -> Result<TimeLimit, String> {
    if text == "none" {
        return Ok(TimeLimit(None));
    }
    let wrong = || "expected a time such as 500ms, 90s, 5m, 1h, or none".to_string();
    let (number, unit) = number_and_unit(text).ok_or_else(wrong)?;
    let seconds = match unit.as_str() {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    if seconds == 0.0 {
        return Err("a time of 0 leaves no time to check anything; write none for no limit".into());
    }
    Duration::try_from_secs_f64(seconds)
        .map(|time| TimeLimit(Some(time)))
        .map_err(|_| wrong())
}

/// `tree`, `plain`, `hash`, `disk`, `disk:DIR`.
pub fn parse_store(text: &str) -> Result<Store, String> {
    match text {
        "tree" => Ok(Store::Tree),
        "plain" => Ok(Store::Plain),
        "hash" => Ok(Store::Hash),
        "disk" => Ok(Store::Disk(None)),
        _ => match text.strip_prefix("disk:") {
            Some(directory) if !directory.is_empty() => Ok(Store::Disk(Some(directory.into()))),
            _ => Err("expected tree, plain, hash, disk or disk:DIR".to_owned()),
        },
    }
}

/// `512M`, `4G`, `4GiB`, `none`; the units are powers of 1024.
pub fn parse_memory(text: &str) -> Result<MemoryLimit, String> {
    if text == "none" {
        return Ok(MemoryLimit(None));
    }
    let wrong = || "expected a size such as 512M, 4G, or none".to_string();
    let (number, unit) = number_and_unit(text).ok_or_else(wrong)?;
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        "" => return Err("the size needs a unit: K, M or G".into()),
        _ => return Err(wrong()),
    };
    let bytes = number * (1u64 << shift) as f64;
    if bytes < (1 << 20) as f64 {
        return Err("less than 1M of memory is not enough to check anything".into());
    }
    Ok(MemoryLimit(Some(bytes as u64)))
}

/// A loop bound of at least 1.
pub fn parse_bound(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("a bound of 0 would follow no loop at all; use 1 or more".into()),
        Ok(bound) => Ok(bound),
        Err(_) => Err("expected a whole number from 1".into()),
    }
}

/// `LOOP=N`.
pub fn parse_loop_bound(text: &str) -> Result<(String, u32), String> {
    let (name, bound) = text
        .rsplit_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("expected LOOP=N, for example main.1=20 or main.c:12=20")?;
    Ok((name.to_string(), parse_bound(bound)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_time(text: &str, expected: Option<u64>) {
        let milliseconds = parse_time(text)
            .ok()
            .and_then(|limit| limit.0)
            .map(|time| time.as_millis() as u64);
        assert_eq!(milliseconds, expected, "{text}");
    }

    #[test]
    fn reads_times() {
        check_time("500ms", Some(500));
        check_time("90", Some(90_000));
        check_time("1.5m", Some(90_000));
        check_time("2h", Some(7_200_000));
        check_time("0s", None);
        check_time("soon", None);
        check_time("1e", None);
        assert_eq!(parse_time("none"), Ok(TimeLimit(None)));
    }

    #[test]
    fn reads_sizes() {
        assert_eq!(parse_memory("4G"), Ok(MemoryLimit(Some(4 << 30))));
        assert_eq!(parse_memory("512MiB"), Ok(MemoryLimit(Some(512 << 20))));
        assert_eq!(parse_memory("none"), Ok(MemoryLimit(None)));
        for wrong in ["4", "0G", "much", "4X", "1K"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn reads_bounds() {
        assert_eq!(parse_loop_bound("main.c:12=20"), Ok(("main.c:12".into(), 20)));
        for wrong in ["main.1", "=3", "main.1=0", "main.1=x"] {
            assert!(parse_loop_bound(wrong).is_err(), "{wrong}");
        }
    }
}
