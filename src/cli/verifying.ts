/** The option of commands that go on where they were interrupted. */
export const fromStart = { '--from-start': 'begin again, also where the last run was interrupted' }

export interface Continued {
  /** When the run began that was interrupted, and that this one went on with. */
  continued?: string | undefined
}

export const continuedIn = (at: Date | undefined): Continued => (at ? { continued: at.toISOString() } : {})

export const continuedInWords = ({ continued }: Continued): string =>
  continued === undefined
    ? ''
    : ` This went on with the run of ${continued}, which was interrupted: what it had verified was not read again. To do so, add --from-start.`
