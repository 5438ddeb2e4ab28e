// Commands to a simulation, one after the other, and what they say.

import { api } from "./api";
import { h } from "./dom";
import { failed } from "./state";

/** Lines of the log that are kept. */
const LOG = 400;

export class Console {
  readonly log = h("pre", { class: "log", tabindex: "0", "aria-label": "What happened", "aria-live": "polite" });
  readonly input: HTMLInputElement;
  private busy = Promise.resolve();

  /** `look` shows the state after each command; `empty` is the command that an empty line stands for. */
  constructor(private readonly id: number, placeholder: string, private readonly look: () => Promise<void>, empty: () => string = () => "") {
    const onkeydown = (event: KeyboardEvent) => {
      if (event.key !== "Enter") return;
      this.act(this.input.value || empty());
      this.input.value = "";
    };
    this.input = h("input", { "aria-label": "Command", placeholder, spellcheck: "false", onkeydown });
  }

  /** Does a command behind those that are not done yet. */
  act(command: string): void {
    if (command.trim()) this.busy = this.busy.then(() => this.done(command)).catch(failed);
  }

  /** The answers to commands that are not shown. */
  async ask(commands: string[]): Promise<string[]> {
    return (await api.command(this.id, commands)).answers;
  }

  private async done(command: string): Promise<void> {
    try {
      this.write(`(kripke) ${command}\n${(await this.ask([command]))[0]}`);
    } catch (error) {
      this.write(`(kripke) ${command}\n${error instanceof Error ? error.message : error}\n`);
    }
    await this.look();
  }

  private write(text: string): void {
    this.log.textContent = `${this.log.textContent ?? ""}${text}`.split("\n").slice(-LOG).join("\n");
    this.log.scrollTop = this.log.scrollHeight;
  }
}
