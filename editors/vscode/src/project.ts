/**
 * The properties of a kripke.toml, for lenses above them.
 *
 * Only tables and their names are looked at, line by line; `kripke check` reads the file properly.
 */

/** A property: the name by which `--property` selects it, and the line of its table, from 0. */
export interface PropertyEntry {
  program: string;
  name: string;
  selector: string;
  line: number;
}

/** The program or the property whose table is open. */
interface Open {
  isProperty: boolean;
  line: number;
  name?: string;
}

/** The value of a line `name = "..."`. */
function nameOf(line: string): string | undefined {
  const match = /^\s*name\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)')/.exec(line);
  return match ? (match[1]?.replace(/\\(.)/g, "$1") ?? match[2]) : undefined;
}

/** All properties of the file. */
export function properties(text: string): PropertyEntry[] {
  const found: PropertyEntry[] = [];
  let program = "";
  let open: Open | undefined;
  const close = () => {
    if (open?.isProperty && open.name !== undefined) {
      const selector = program ? `${program}/${open.name}` : open.name;
      found.push({ program, name: open.name, selector, line: open.line });
    }
    open = undefined;
  };
  text.split("\n").forEach((line, number) => {
    const table = /^\s*\[\[?\s*([\w.\s-]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line);
    if (table) {
      close();
      const path = table[1].replace(/\s/g, "");
      if (path === "program") {
        program = "";
        open = { isProperty: false, line: number };
      } else if (path === "program.property" || path === "property") {
        open = { isProperty: true, line: number };
      }
      return;
    }
    const name = nameOf(line);
    if (name !== undefined && open && open.name === undefined) {
      open.name = name;
      if (!open.isProperty) {
        program = name;
      }
    }
  });
  close();
  return found;
}
