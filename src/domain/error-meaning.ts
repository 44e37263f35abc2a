/** What an error code means to the caller. `docs/errors.md` is generated from it. */
export interface ErrorMeaning {
  status: number
  /** Answered in some cases instead: `meaning` says in which. */
  otherStatus?: number
  /** What happened. */
  meaning: string
  /** What to do. */
  remedy: string
}
