/**
 * The functions that a C file defines, for lenses above them.
 *
 * Comments, texts and directives are blanked first, so that braces count; what stands before a brace at the
 * outermost level and ends in a parameter list is a function. No parser: a wrong guess costs a lens, not a
 * verdict, for `kripke check` is asked by name and says what it does not know.
 */

/** A function's name, and the line of it, from 0. */
export interface FunctionHead {
  name: string;
  line: number;
}

const KEYWORDS = new Set(["if", "for", "while", "switch", "return", "sizeof", "do", "else"]);

/** Blanks comments, literals and directives; line breaks stay. */
export function blanked(text: string): string {
  const skipped =
    /\/\*[\s\S]*?(?:\*\/|$)|\/\/(?:\\\n|[^\n])*|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|^[ \t]*#(?:\\\n|[^\n])*/gm;
  return text.replace(skipped, (part) => part.replace(/[^\n]/g, " "));
}

/** All functions that are defined in the text. */
export function functions(text: string): FunctionHead[] {
  const code = blanked(text);
  const found: FunctionHead[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < code.length; index++) {
    const character = code[index];
    if (character === "{") {
      if (depth === 0) {
        const head = functionHead(code, start, index);
        if (head) {
          found.push(head);
        }
      }
      depth++;
    } else if (character === "}") {
      depth = Math.max(0, depth - 1);
      if (depth === 0) {
        start = index + 1;
      }
    } else if (character === ";" && depth === 0) {
      start = index + 1;
    }
  }
  return found;
}

/** What stands before a brace, if it is the head of a function. */
function functionHead(code: string, start: number, end: number): FunctionHead | undefined {
  let text = code.slice(start, end);
  // Attributes behind the parameters.
  text = text.replace(/(?:__attribute__\s*\(\(.*?\)\)\s*)+$/s, "");
  if (!/\)\s*$/.test(text) || /=/.test(text)) {
    return undefined;
  }
  let depth = 0;
  let open = text.lastIndexOf(")");
  for (; open >= 0; open--) {
    if (text[open] === ")") {
      depth++;
    } else if (text[open] === "(") {
      depth--;
      if (depth === 0) {
        break;
      }
    }
  }
  const match = /([A-Za-z_]\w*)\s*$/.exec(text.slice(0, Math.max(open, 0)));
  if (!match || KEYWORDS.has(match[1])) {
    return undefined;
  }
  const line = code.slice(0, start + match.index).split("\n").length - 1;
  // A handler is called by the name of its vector, which only the compiler knows.
  return match[1] === "ISR" || match[1] === "SIGNAL" ? undefined : { name: match[1], line };
}

/** The function in which a line is: the last one that begins before it. */
export function functionAt(text: string, line: number): string | undefined {
  return functions(text)
    .filter((head) => head.line <= line)
    .pop()?.name;
}
