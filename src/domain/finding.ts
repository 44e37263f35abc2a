export type Status = 'ok' | 'warn' | 'FAIL'

/** One line of the doctor. Its texts hold no secret: no URL, no key, no name of a person. */
export interface Finding {
  about: string
  status: Status
  found: string
  /** What to do; for everything but ok. */
  todo?: string
}

export const ok = (about: string, found: string): Finding => ({ about, status: 'ok', found })
export const warn = (about: string, found: string, todo: string): Finding => ({ about, status: 'warn', found, todo })
export const fail = (about: string, found: string, todo: string): Finding => ({ about, status: 'FAIL', found, todo })
