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
  /** The name of the safety property that it asks for, under which a report has it. */
  id?: string;
  line: number;
}

/** The program or the property whose table is open. */
interface Open {
  isProperty: boolean;
  line: number;
  name?: string;
  id?: string;
}

/** The key and the value of a line `name = "..."` or `id = "..."`. */
function keyOf(line: string): { key: string; value: string } | undefined {
  const match = /^\s*(name|id)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)')/.exec(line);
  return match ? { key: match[1], value: match[2]?.replace(/\\(.)/g, "$1") ?? match[3] } : undefined;
}

/** All properties of the file. */
export function properties(text: string): PropertyEntry[] {
  const found: PropertyEntry[] = [];
  let program = "";
  let open: Open | undefined;
  const close = () => {
    if (open?.isProperty && open.name !== undefined) {
      const selector = program ? `${program}/${open.name}` : open.name;
      found.push({ program, name: open.name, selector, id: open.id, line: open.line });
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
    const found = keyOf(line);
    if (found?.key === "id" && open) {
      open.id = found.value;
    } else if (found && open && open.name === undefined) {
      open.name = found.value;
      if (!open.isProperty) {
        program = found.value;
      }
    }
  });
  close();
  return found;
}
