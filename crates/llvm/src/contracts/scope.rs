//! Whether a clause means at the end of the file what it means in its own place.
//!
//! Idea: a wrapper evaluates its clauses in the scope of the file, with the parameters of the definition.
//! Names that the clause's own place gives another meaning are looked for in the preprocessed source: the
//! parameters of a declaration, types and constants of a function's body or of its parameters, and its static
//! variables. Debug information has none of these where nothing else uses them.
//!
//! Invariant: where this cannot tell, the answer is that a name has another meaning, and the contract is
//! refused.
//!
//! Source: ISO C11, 6.2.1 for scopes, 6.7.6.3 for declarators of functions.

use std::collections::BTreeSet;

use super::functions::Clause;
use super::tokens::{Token, tokens, words};

/// The clauses of a preprocessed source, each with its place.
pub(super) struct Scopes {
    found: Vec<(Clause, Place)>,
}

/// Where a clause stands.
struct Place {
    /// On which function, where that is known.
    function: Option<String>,
    kind: Kind,
    /// What is declared around it that the file does not see.
    local: BTreeSet<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Body,
    /// Of a function whose parameters are declared behind their list.
    OldBody,
    Definition,
    /// With the names of the parameters, where they are named.
    Declaration(Vec<Option<String>>),
    /// A declaration inside of a function.
    Inner,
}

impl Scopes {
    /// Finds the clauses of a preprocessed source.
    pub(super) fn of(source: &str) -> Scopes {
        let all = tokens(source);
        let mut found = Vec::new();
        // Where the external declaration begins, and its body.
        let (mut begin, mut open) = (0, None);
        let mut depth = 0;
        for (at, token) in all.iter().enumerate() {
            match token {
                Token::Sign('{') if depth == 0 => (depth, open) = (1, Some(at)),
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']') => depth -= 1,
                Token::Sign('}') if depth == 1 => (depth, begin, open) = (0, at + 1, None),
                Token::Sign('}') => depth -= 1,
                Token::Sign(';') if depth == 0 => begin = at + 1,
                Token::Word("__attribute__") => {
                    if let Some(clause) = clause(&all[at..]) {
                        found.push((clause, Place::of(&all, begin, open, at)));
                    }
                }
                _ => {}
            }
        }
        Scopes { found }
    }

    /// Why a clause of a function whose parameters have these names means something else at the end of the
    /// file, if it does.
    pub(super) fn refuses(&self, function: &str, clause: &Clause, names: &[String]) -> Option<String> {
        let is_its = |place: &Place| place.function.as_ref().is_none_or(|name| name == function);
        let places = self.found.iter().filter(|(found, _)| found.is_spelled_as(clause));
        let mut places = places
            .map(|(_, place)| place)
            .filter(|place| is_its(place))
            .peekable();
        if places.peek().is_none() {
            return Some("is found nowhere in the preprocessed source".to_owned());
        }
        places.find_map(|place| place.refuses(clause, names))
    }
}

impl Place {
    /// Of the clause at a token of an external declaration.
    fn of(all: &[Token<'_>], begin: usize, open: Option<usize>, at: usize) -> Place {
        let behind = behind_attributes(&all[at..]);
        if let Some(open) = open {
            let is_statement = behind
                .get(1)
                .is_some_and(|token| token.word() == Some("kripke_clause"));
            let body = group(&all[open..]);
            let mut local = types_in_parentheses(&all[begin..open]);
            local.extend(types(body));
            local.extend(hidden(body));
            let kind = match is_statement {
                // A semicolon stands before the body.
                true if begin == open => Kind::OldBody,
                true => Kind::Body,
                false => Kind::Inner,
            };
            return Place {
                function: None,
                kind,
                local,
            };
        }
        let head = &all[begin..at];
        let declarator = declarator(head);
        let is_definition = behind.first().is_some_and(|token| token.is_sign('{'));
        let kind = match (is_definition, &declarator) {
            (true, _) => Kind::Definition,
            (false, Some((_, list))) => Kind::Declaration(parameters(list)),
            (false, None) => Kind::Declaration(Vec::new()),
        };
        Place {
            function: declarator.map(|(name, _)| name.to_owned()),
            kind,
            local: types_in_parentheses(head),
        }
    }

    fn refuses(&self, clause: &Clause, names: &[String]) -> Option<String> {
        let mentioned: BTreeSet<&str> = words(&clause.text).collect();
        if let Some(local) = mentioned.iter().find(|word| self.local.contains(**word)) {
            return Some(format!(
                "speaks of `{local}`, which is local to it: declare that outside of the function"
            ));
        }
        match &self.kind {
            Kind::Body | Kind::Definition => None,
            Kind::OldBody => Some("declares its parameters behind their list: do so in it".to_owned()),
            Kind::Inner => Some("is declared with it inside of a function: do so outside".to_owned()),
            Kind::Declaration(own) => {
                let here = |word: &str| own.iter().position(|name| name.as_deref() == Some(word));
                let there = |word: &str| names.iter().position(|name| name == word);
                let other = mentioned.iter().find(|word| here(word) != there(word))?;
                Some(format!(
                    "speaks of `{other}`, which is not the same in the declaration and in the definition: \
                     name the parameters alike"
                ))
            }
        }
    }
}

/// The clause that an attribute holds.
fn clause(attribute: &[Token<'_>]) -> Option<Clause> {
    let [
        _,
        Token::Sign('('),
        Token::Sign('('),
        Token::Word("annotate"),
        Token::Sign('('),
        texts @ ..,
    ] = attribute
    else {
        return None;
    };
    let pieces = texts.iter().map_while(|token| match token {
        Token::Text(text) => Some(&**text),
        _ => None,
    });
    Clause::parse(&pieces.collect::<String>())
}

/// The tokens behind attributes and names for the assembler.
fn behind_attributes<'a, 't>(rest: &'a [Token<'t>]) -> &'a [Token<'t>] {
    match rest {
        [Token::Word(word), inside @ ..] if is_attribute(word) => {
            behind_attributes(&inside[group(inside).len()..])
        }
        [Token::Sign('['), Token::Sign('['), ..] => behind_attributes(&rest[group(rest).len()..]),
        _ => rest,
    }
}

fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__" | "__attribute" | "asm" | "__asm" | "__asm__"
    )
}

/// The tokens from an opening bracket to the one that closes it; none where no bracket opens.
fn group<'a, 't>(rest: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let mut depth = 0;
    for (at, token) in rest.iter().enumerate() {
        if let Token::Sign(sign) = token {
            depth += i32::from("([{".contains(*sign)) - i32::from(")]}".contains(*sign));
        }
        if depth <= 0 {
            return if at == 0 { &[] } else { &rest[..=at] };
        }
    }
    rest
}

/// Where the bracket opens that is closed at the end of these tokens.
fn opening(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().rev() {
        if let Token::Sign(sign) = token {
            depth += i32::from(")]}".contains(*sign)) - i32::from("([{".contains(*sign));
        }
        if depth <= 0 {
            return (depth == 0 && at + 1 < tokens.len()).then_some(at);
        }
    }
    None
}

/// The name of the function whose declarator ends here, and what stands between the parentheses of its
/// parameters.
fn declarator<'a, 't>(head: &'a [Token<'t>]) -> Option<(&'t str, &'a [Token<'t>])> {
    let mut rest = head;
    // What follows the name, or the declarator in parentheses that has the name: the first comes last.
    let mut groups = Vec::new();
    while let Some(open) = opening(rest) {
        let before = &rest[..open];
        if !before.last().and_then(Token::word).is_some_and(is_attribute) {
            groups.push(&rest[open + 1..rest.len() - 1]);
            rest = before;
        } else {
            rest = &before[..before.len() - 1];
        }
    }
    let first = groups.pop()?;
    let Some(second) = groups.pop() else {
        return Some((rest.last().and_then(Token::word)?, first));
    };
    // No function returns one: what comes first has the name in it.
    let goes_on = |token: &Token<'_>| match token {
        Token::Word(word) => is_qualifier(word),
        sign => sign.is_sign('*') || sign.is_sign('('),
    };
    let inside = first.iter().position(|token| !goes_on(token))?;
    let name = first[inside].word()?;
    match group(&first[inside + 1..]) {
        [Token::Sign('('), list @ .., Token::Sign(')')] => Some((name, list)),
        _ => Some((name, second)),
    }
}

fn is_basic(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "_Complex"
            | "__int128"
            | "__signed__"
            | "__signed"
            | "__complex__"
    )
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "volatile"
            | "restrict"
            | "register"
            | "__const"
            | "__const__"
            | "__volatile__"
            | "__restrict"
            | "__restrict__"
            | "__extension__"
            | "_Nonnull"
            | "_Nullable"
            | "static"
            | "extern"
            | "inline"
            | "__inline"
            | "__inline__"
            | "_Noreturn"
    )
}

/// The names in a list of parameters.
fn parameters(list: &[Token<'_>]) -> Vec<Option<String>> {
    let mut names = Vec::new();
    let (mut depth, mut begin) = (0, 0);
    for (at, token) in list.iter().enumerate() {
        if let Token::Sign(sign) = token {
            depth += i32::from("([{".contains(*sign)) - i32::from(")]}".contains(*sign));
        }
        if depth == 0 && token.is_sign(',') {
            names.push(parameter(&list[begin..at]));
            begin = at + 1;
        }
    }
    names.push(parameter(&list[begin..]));
    names
}

/// The name of a parameter: the first word behind its type.
fn parameter(mut rest: &[Token<'_>]) -> Option<String> {
    let mut has_type = false;
    while let [first, behind @ ..] = rest {
        rest = behind;
        match first {
            Token::Word(word) if is_attribute(word) => rest = &behind[group(behind).len()..],
            Token::Word(word) if is_qualifier(word) => {}
            Token::Word(word) if is_basic(word) => has_type = true,
            Token::Word("struct" | "union" | "enum") => {
                rest = behind_attributes(behind);
                rest = rest.get(usize::from(rest.first().is_some_and(|tag| tag.word().is_some()))..)?;
                rest = &rest[group(rest).len()..];
                has_type = true;
            }
            Token::Word("typeof" | "__typeof__" | "__typeof" | "_Atomic") => {
                has_type |= !group(behind).is_empty();
                rest = &behind[group(behind).len()..];
            }
            Token::Word(word) if has_type => return Some((*word).to_owned()),
            Token::Word(_) => has_type = true,
            Token::Sign('*' | '(' | '^') => {}
            _ => return None,
        }
    }
    None
}

/// The types and constants that are declared between the parentheses of a declaration's head.
fn types_in_parentheses(head: &[Token<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut rest = head;
    while let Some(at) = rest.iter().position(|token| token.is_sign('(')) {
        let list = group(&rest[at..]);
        names.extend(types(list));
        rest = &rest[at + list.len()..];
    }
    names
}

/// The tags and the constants of enumerations that are declared somewhere in these tokens.
fn types(tokens: &[Token<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(keyword @ ("struct" | "union" | "enum")) = token else {
            continue;
        };
        let behind = behind_attributes(&tokens[at + 1..]);
        let tag = behind.first().and_then(Token::word);
        let mut members = &behind[usize::from(tag.is_some())..];
        if members.first().is_some_and(|next| next.is_sign(':')) {
            let is_named = |token: &Token<'_>| matches!(token, Token::Word(_) | Token::Sign(':'));
            let length = members.iter().take_while(|token| is_named(token)).count();
            members = &members[length..];
        }
        if members
            .first()
            .is_some_and(|next| next.is_sign('{') || next.is_sign(';'))
        {
            names.extend(tag.map(str::to_owned));
        }
        if *keyword == "enum" {
            names.extend(enumerators(group(members)));
        }
    }
    names
}

/// The names of types and static variables that are declared somewhere in these tokens.
fn hidden(tokens: &[Token<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        // The least length of an array stands in brackets.
        let is_length = at > 0 && tokens[at - 1].is_sign('[');
        if matches!(token, Token::Word("typedef" | "static")) && !is_length {
            names.extend(declarators(&tokens[at + 1..]));
        }
    }
    names
}

/// The constants between the braces of an enumeration.
fn enumerators(braces: &[Token<'_>]) -> Vec<String> {
    let begins = |token: &Token<'_>| token.is_sign('{') || token.is_sign(',');
    let pairs = braces.windows(2).filter(|pair| begins(&pair[0]));
    let names = pairs.filter_map(|pair| pair[1].word());
    names.map(str::to_owned).collect()
}

/// The names of a declaration's declarators: the words that no other word follows, but for initialisers,
/// lengths of arrays and members.
fn declarators(rest: &[Token<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    let mut is_value = false;
    while let Some(token) = rest.get(at).filter(|token| !token.is_sign(';')) {
        match token {
            Token::Sign('=') => is_value = true,
            Token::Sign(',') => is_value = false,
            Token::Sign('[' | '{') => at += group(&rest[at..]).len().saturating_sub(1),
            Token::Word(word) if !is_value && !is_basic(word) && !is_qualifier(word) => {
                let is_last = match rest.get(at + 1) {
                    Some(Token::Word(next)) => is_attribute(next),
                    next => next.is_none_or(|sign| !sign.is_sign('*')),
                };
                names.extend(is_last.then(|| (*word).to_owned()));
            }
            _ => {}
        }
        at += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function, the names of the parameters and what is local there of the only clause of a source.
    #[track_caller]
    fn check(source: &str, function: Option<&str>, kind: Kind, local: &[&str]) {
        let clause = "__attribute__((annotate(\"kripke requires 1 a.c\\n\" \"x\\n\" \"x\")))";
        let scopes = Scopes::of(&source.replace("REQUIRES", clause));
        let [(_, place)] = &scopes.found[..] else {
            panic!("{} clauses", scopes.found.len());
        };
        assert_eq!(place.function.as_deref(), function);
        assert_eq!(place.kind, kind);
        assert_eq!(place.local.iter().map(|name| &**name).collect::<Vec<_>>(), local);
    }

    fn declaration(names: &[&str]) -> Kind {
        let name = |name: &&str| (!name.is_empty()).then(|| (*name).to_owned());
        Kind::Declaration(names.iter().map(name).collect())
    }

    #[test]
    fn parameters_of_declarations() {
        check(
            "int g; int f(int a, unsigned long) REQUIRES;",
            Some("f"),
            declaration(&["a", ""]),
            &[],
        );
        check(
            "num *f(num, const num n[2]) REQUIRES;",
            Some("f"),
            declaration(&["", "n"]),
            &[],
        );
        check(
            "int f(struct s s, enum e *) REQUIRES;",
            Some("f"),
            declaration(&["s", ""]),
            &[],
        );
        check(
            "int f(int (*g)(int b), int *const c) REQUIRES;",
            Some("f"),
            declaration(&["g", "c"]),
            &[],
        );
        check(
            "int (*f(int a))(int b) REQUIRES;",
            Some("f"),
            declaration(&["a"]),
            &[],
        );
        check(
            "int (f)(int a) __attribute__((cold)) REQUIRES;",
            Some("f"),
            declaration(&["a"]),
            &[],
        );
        check("int f(void) REQUIRES;", Some("f"), declaration(&[""]), &[]);
        check("type f REQUIRES;", None, declaration(&[]), &[]);
    }

    #[test]
    fn places_of_definitions() {
        check(
            "int f(int a) REQUIRES { enum { A }; }",
            Some("f"),
            Kind::Definition,
            &[],
        );
        check(
            "int f(enum e { A, B = C } a) REQUIRES {}",
            Some("f"),
            Kind::Definition,
            &["A", "B", "e"],
        );
        check("int f(int a) { int f(int b) REQUIRES; }", None, Kind::Inner, &[]);
    }

    #[test]
    fn parameters_behind_their_list() {
        let source = "int f(a) int a; { ({ REQUIRES char kripke_clause; }); }";
        check(source, None, Kind::OldBody, &[]);
    }

    #[test]
    fn what_is_local_to_a_body() {
        let body =
            |before: &str| format!("int f(int a) {{ {before} ({{ REQUIRES char kripke_clause; }}); }}");
        check(&body("typedef num len, *at;"), None, Kind::Body, &["at", "len"]);
        check(&body("typedef int (*run)(void);"), None, Kind::Body, &["run"]);
        check(
            &body("struct s { int b; }; struct t;"),
            None,
            Kind::Body,
            &["s", "t"],
        );
        check(
            &body("struct u v; enum { A = B, C } w;"),
            None,
            Kind::Body,
            &["A", "C"],
        );
        check(
            &body("static num x = y, z[LENGTH];"),
            None,
            Kind::Body,
            &["x", "z"],
        );
        check(
            &body("static const num *x, *const y;"),
            None,
            Kind::Body,
            &["x", "y"],
        );
        check(&body("void g(int b[static 2], int c);"), None, Kind::Body, &[]);
        check(
            &body("enum [[x]] e : unsigned char { A };"),
            None,
            Kind::Body,
            &["A", "e"],
        );
    }
}
