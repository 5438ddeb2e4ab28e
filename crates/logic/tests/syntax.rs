//! Reading and writing formulas: every spelling, every dialect, messages that point at the place.

use kripke_logic::random::{Random, Shape, formula_of_depth};
use kripke_logic::{Dialect, Formula, Logic, parse, parse_dialect, printer::print};

fn check(text: &str, expected: &str) {
    let shown = match parse(text) {
        Ok(parsed) => parsed.formula.to_string(),
        Err(error) => format!("{}: {}", error.line_column().1, error.message),
    };
    assert_eq!(shown, expected, "{}", text.chars().take(200).collect::<String>());
}

#[test]
fn spellings() {
    for text in [
        "[](p -> <>q)",
        "G(p => F q)",
        "always (p implies eventually q)",
        "□(p → ◇q)",
        "G p -> F q | FALSE",
    ] {
        let expected = if text.starts_with("G p") {
            "G p -> (F q || false)"
        } else {
            "G(p -> F q)"
        };
        check(text, expected);
    }
    check("GFa & XXb", "G F a && X X b");
    check("p V q", "p R q");
    check("a W b M c", "a W (b M c)");
    check("p U q U r", "p U (q U r)");
    check("a xor b | c & d", "(a xor b) || (c && d)");
    check("! p U ~q", "!p U !q");
    check("a /\\ b \\/ !c", "(a && b) || !c");
    check("count <= 3 -> x = -1", "{count <= 3} -> {x == -1}");
    check("buffer[3].len == 2 && a.b", "{buffer[3].len == 2} && {a.b}");
    check("FLAG && TH1 && G_max", "FLAG && TH1 && G_max");
    check("p<->q", "p <-> q");
}

#[test]
fn atoms_in_braces_hold_any_c_expression() {
    check("G {(struct s){1, 2}.a == 1}", "G {(struct s){1, 2}.a == 1}");
    check(
        "F{c == '}'} && {s[0] == \"}\\\"{\"[1]}",
        "F {c == '}'} && {s[0] == \"}\\\"{\"[1]}",
    );
    check("{ a /* } */ }", "{a /* } */}");
    check("\"a b\" U {p}", "{a b} U p");
    let formula = Formula::parse("{ p } && p && \"p\"").unwrap();
    assert_eq!(formula.atoms().len(), 1);
    let formula = Formula::parse("G(a -> F { b > c })").unwrap();
    let atom = formula.atoms().iter().nth(1).unwrap().1;
    assert_eq!((atom.offset, atom.text.as_str()), (11, "b > c"));
}

#[test]
fn branching_time() {
    check("AG(p -> AF q)", "AG(p -> AF q)");
    check("E[p U q] && A [ p W !q ]", "E[p U q] && A[p W !q]");
    check("A<> p", "AF p");
    check("A && E", "{A} && {E}");
    let logic = |text: &str| Formula::parse(text).unwrap().logic();
    assert_eq!(logic("AG EF p"), Logic::Ctl);
    assert_eq!(logic("A[p U (EX q)]"), Logic::Ctl);
    assert_eq!(logic("A(G F p)"), Logic::Mixed);
    assert_eq!(logic("G F p"), Logic::Ltl);
    assert_eq!(logic("p && !q"), Logic::Propositional);
    assert!(print(&Formula::parse("AG p").unwrap(), Dialect::Spin).is_err());
}

#[test]
fn errors_point_at_the_character() {
    check("", "1: an empty formula");
    check("p U", "4: expected a formula after `U`");
    check("p U ) q", "5: expected a formula after `U`, found `)`");
    check("(p && q", "1: this `(` is never closed");
    check("p q", "3: expected an operator between `p` and `q`");
    check("p)", "2: this parenthesis closes nothing");
    check("G {x > 3", "3: this brace is never closed");
    check("G {}", "3: an empty atom");
    check("p && $", "6: unexpected character `$`");
    check("G(p -> && q)", "8: expected a formula after `->`, found `&&`");
    check("3 && p", "1: `3` is no formula");
    check(
        &"(".repeat(100_000),
        "402: the formula nests more than 400 levels deep",
    );
    check(
        &format!("{}p", "!".repeat(100_000)),
        "100002: the formula nests more than 400 levels deep",
    );
    let atoms = (0..65).map(|i| format!("a{i}")).collect::<Vec<_>>().join("|");
    check(&atoms, "247: more than 64 different atoms in one formula");
    let error = parse("G(p ->\n  q r)").unwrap_err();
    assert_eq!(error.line_column(), (2, 5));
    assert!(error.to_string().contains("    q r)\n      ^"), "{error}");
}

#[test]
fn long_chains_are_no_deep_formulas() {
    let text = vec!["p"; 20_000].join(" && ");
    assert_eq!(parse(&text).unwrap().formula.store.len(), 2);
}

fn warnings(text: &str) -> String {
    parse(text)
        .unwrap()
        .warnings
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn other_readings_are_told() {
    assert!(
        warnings("p || q && r").contains("SPIN reads this as (p || q) && r"),
        "{}",
        warnings("p || q && r")
    );
    assert!(warnings("p U q U r").contains("SPIN reads this as (p U q) U r"));
    assert!(warnings("G(p -> F q)").is_empty());
    assert!(warnings("G p && F q && X r").is_empty());
    assert!(warnings("p -> q -> r").contains("ltl2ba reads this as (p -> q) -> r"));
    assert!(warnings("F Flag").contains("`Flag` is read as `F lag`"));
    assert!(warnings("A(G F p)").contains("neither LTL nor CTL"));
    let read = |text, dialect| parse_dialect(text, dialect).unwrap().formula.to_string();
    assert_eq!(read("p || q && r", Dialect::Spin), "(p || q) && r");
    assert_eq!(read("p U q U r", Dialect::NuSmv), "(p U q) U r");
}

#[test]
fn dialects_are_written() {
    let formula = Formula::parse("G({charge > min} W Ready) xor (a M b)").unwrap();
    let show = |dialect| {
        let printed = print(&formula, dialect).unwrap();
        let definitions: Vec<String> = printed
            .definitions
            .iter()
            .map(|(n, t)| format!("{n}={t}"))
            .collect();
        format!("{} [{}]", printed.text, definitions.join(","))
    };
    assert_eq!(show(Dialect::Kripke), "G({charge > min} W Ready) xor (a M b) []");
    assert_eq!(
        show(Dialect::Spin),
        "!([](p1 V (p0 || p1)) <-> (b U (a && b))) [p0=charge > min,p1=Ready]"
    );
    assert_eq!(show(Dialect::Spot), "G(\"charge > min\" W Ready) xor (a M b) []");
    assert_eq!(
        show(Dialect::NuSmv),
        "G(Ready V (p0 | Ready)) xor (b U (a & b)) [p0=charge > min]"
    );
}

#[test]
fn what_is_written_is_read_back() {
    let shape = Shape {
        atoms: 4,
        next: true,
        common: false,
    };
    for seed in 0..2_000 {
        let formula = formula_of_depth(&mut Random::new(seed), shape, 6);
        let text = formula.to_string();
        assert_eq!(Formula::parse(&text).unwrap().to_string(), text, "seed {seed}");
        // Written for Spot, it means the same under every table of precedences.
        let spot = print(&formula, Dialect::Spot).unwrap().text;
        for dialect in Dialect::ALL {
            assert_eq!(
                parse_dialect(&spot, dialect).unwrap().formula.to_string(),
                text,
                "seed {seed}, {dialect}"
            );
        }
    }
}

#[test]
fn no_input_panics() {
    let pieces = [
        "G", "F", "U", "{", "}", "(", ")", "\"", "'", "p", "q1", "<", "->", "<->", "!", "&", "|", "[", "]",
        "A", "E", "1", "\\", "é", "=", " ", "\n", "/*", "*/", "X", "W", "²", "-", ".",
    ];
    let mut random = Random::new(11);
    for _ in 0..20_000 {
        let text: String = (0..random.below(12))
            .map(|_| pieces[random.below(pieces.len())])
            .collect();
        if let Err(error) = parse(&text) {
            let _ = error.to_string();
        }
        let _ = kripke_logic::hoa::parse(&format!(
            "HOA: v1 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- {text}"
        ));
        let atoms = kripke_logic::Atoms::from_names(["p", "q1"]).unwrap();
        let _ = kripke_logic::trace::parse(&text, &atoms);
        let _ = kripke_logic::never_claim::parse(&format!("never {{ {text} }}"), &atoms);
    }
}
