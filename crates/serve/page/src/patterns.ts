// Patterns of properties after Dwyer, Avrunin and Corbett (ICSE 1999), in LTL and CTL.

export interface Pattern {
  name: string;
  says: string;
  ltl?: string;
  ctl?: string;
  /** What stands for P, Q, …, and what it means. */
  parts: Record<string, string>;
}

export const PATTERNS: Pattern[] = [
  {
    name: "absence",
    says: "P never happens",
    ltl: "G !P",
    ctl: "AG !P",
    parts: { P: "what never happens" },
  },
  {
    name: "existence",
    says: "P happens at some time",
    ltl: "F P",
    ctl: "AF P",
    parts: { P: "what happens" },
  },
  {
    name: "universality",
    says: "P is always true",
    ltl: "G P",
    ctl: "AG P",
    parts: { P: "what is always true" },
  },
  {
    name: "precedence",
    says: "P happens only after S has happened",
    ltl: "!P W S",
    ctl: "!E[!S U (P & !S)]",
    parts: { P: "what needs a cause", S: "the cause" },
  },
  {
    name: "response",
    says: "after each P, S happens",
    ltl: "G(P -> F S)",
    ctl: "AG(P -> AF S)",
    parts: { P: "the request", S: "the response" },
  },
  {
    name: "bounded existence",
    says: "P becomes true at most twice",
    ltl: "!P W (P W (!P W (P W G !P)))",
    ctl: "!EF(!P & EX(P & EF(!P & EX(P & EF(!P & EX P)))))",
    parts: { P: "what becomes true" },
  },
  {
    name: "chain before",
    says: "P happens only after S and then T have happened",
    ltl: "F P -> (!P U (S & !P & X(!P U T)))",
    ctl: "!E[!S U P] & !E[!P U (S & !P & EX E[!T U (P & !T)])]",
    parts: { P: "what needs both", S: "the first", T: "the second" },
  },
  {
    name: "chain after",
    says: "after each P, S happens and then T",
    ltl: "G(P -> F(S & X F T))",
    ctl: "AG(P -> AF(S & AX AF T))",
    parts: { P: "the request", S: "the first response", T: "the second" },
  },
  {
    name: "absence after",
    says: "once Q has happened, P never happens",
    ltl: "G(Q -> G !P)",
    ctl: "AG(Q -> AG !P)",
    parts: { P: "what never happens", Q: "from then on" },
  },
  {
    name: "absence before",
    says: "P does not happen before R",
    ltl: "F R -> (!P U R)",
    ctl: "A[(!P | AG !R) W R]",
    parts: { P: "what does not happen", R: "until then" },
  },
  {
    name: "response after",
    says: "once Q has happened, S follows each P",
    ltl: "G(Q -> G(P -> F S))",
    ctl: "AG(Q -> AG(P -> AF S))",
    parts: { P: "the request", S: "the response", Q: "from then on" },
  },
  {
    name: "again and again",
    says: "P happens infinitely often",
    ltl: "G F P",
    ctl: "AG AF P",
    parts: { P: "what happens again and again" },
  },
  {
    name: "stabilisation",
    says: "from some time on P stays true",
    ltl: "F G P",
    parts: { P: "what stays true" },
  },
  {
    name: "possibility",
    says: "from everywhere, P can still be reached",
    ctl: "AG EF P",
    parts: { P: "what can be reached" },
  },
];

/** The formula with the parts filled in. */
export function filled(formula: string, parts: Record<string, string>): string {
  return formula.replace(/\b[PQRST]\b/g, (part) => {
    const text = (parts[part] ?? "").trim();
    if (!text) return `{${part}}`;
    return /^\{.*\}$|^[A-Za-z_]\w*$/.test(text) ? text : `{${text}}`;
  });
}
