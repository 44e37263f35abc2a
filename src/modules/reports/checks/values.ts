import type { BiomarkerEntry } from '../schema.ts'

/** The exact numbers of a report, by biomarker: censored results (<5) are excluded. */
export class Values {
  readonly #entries: ReadonlyMap<string, BiomarkerEntry>

  constructor(entries: readonly BiomarkerEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]))
  }

  /** Measured or calculated, in the catalogue's unit. */
  number(id: string): number | undefined {
    const entry = this.#entries.get(id)
    return entry?.result == null || entry.comparator ? undefined : entry.result
  }

  /** Only where the laboratory reported it: a value that was computed here cannot contradict its parts. */
  measured(id: string): number | undefined {
    return this.#entries.get(id)?.type === 'measured' ? this.number(id) : undefined
  }

  entry(id: string): BiomarkerEntry | undefined {
    return this.#entries.get(id)
  }

  label(id: string): string {
    return this.#entries.get(id)?.label ?? id
  }

  /** `4.1 mmol/L` */
  text(id: string): string {
    const entry = this.#entries.get(id)
    return entry ? `${entry.result} ${entry.displayUnit}`.trim() : ''
  }

  /** Whether its verdict is low, or high. */
  is(id: string, side: 'low' | 'high'): boolean {
    const interpretation = this.#entries.get(id)?.interpretation
    return side === 'low'
      ? interpretation === 'L' || interpretation === 'LL'
      : interpretation === 'H' || interpretation === 'HH'
  }
}
