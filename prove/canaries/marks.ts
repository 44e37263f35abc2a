/** A text that stands in one field of the journey and nowhere else. */
export interface Canary {
  kind: string
  text: string
}

/** Texts that nobody has by chance, each once. Those of a step that the service took can be looked for. */
export class Marks {
  readonly taken: Canary[] = []
  #given: Canary[] = []
  #next = 10
  #nextValue = 60

  #mark(kind: string, text: string): string {
    this.#given.push({ kind, text })
    return text
  }

  /** `Quoll17` and a word that says what it is. */
  word = (kind: string, after = ''): string => this.#mark(kind, `Quoll${this.#next++}ish${after}`)
  email = (kind = 'e-mail addresses'): string => this.#mark(kind, `Numbat${this.#next++}@burrow.example`)
  phone = (): string => this.#mark('telephone numbers', `+1 555 0137 ${this.#next++}${this.#next++}`)
  street = (): string => this.#mark('streets', `${this.#next} Bandicoot${this.#next++} Lane`)
  /** A year for each person. */
  born = (year: number): string => this.#mark('birth dates', `${year}-07-19`)
  /** Exact in binary, and with more decimals than a duration or a time has. */
  value = (kind = 'values'): number => Number(this.#mark(kind, String(this.#nextValue++ + 13 / 32)))
  /** What the service made up: the secret of a link, a cookie. */
  secret = (kind: string, text: string): void => void this.#mark(kind, text)

  /** Counts what was given out since as taken, or forgets it. */
  settle(isTaken: boolean): void {
    if (isTaken) this.taken.push(...this.#given)
    this.#given = []
  }
}
