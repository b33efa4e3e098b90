/** Dialogs of the whole page: confirmation before something is lost, a message after something is done. */

export interface Question {
  title: string;
  /** What is lost. */
  text: string;
  /** What the button says. */
  verb: string;
  /** What the other one says. */
  stay?: string;
}

class Dialogs {
  question = $state.raw<Question | null>(null);
  message = $state("");
  private answer: (yes: boolean) => void = () => {};
  private timer: ReturnType<typeof setTimeout> | undefined;

  confirm(question: Question): Promise<boolean> {
    this.question = question;
    return new Promise((resolve) => (this.answer = resolve));
  }

  decide(yes: boolean): void {
    this.question = null;
    this.answer(yes);
  }

  notify(words: string): void {
    this.message = words;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.message = ""), 5000);
  }
}

export const dialogs = new Dialogs();
