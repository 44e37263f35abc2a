import type { Laboratory, Origin, Specimen } from '@kitlane/lab-reader/parse/origin'
import type { StoredProfile } from './schema.ts'

export const emptyOrigin: Origin = { laboratories: [], specimens: [], notes: [] }

/** A name in plain letters, by which a message and a profile are compared. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What a message does not say of its laboratories, from their profiles. `isForKit`: without one it is the default's. */
export function completed(origin: Origin, profiles: readonly StoredProfile[], isForKit: boolean): Origin {
  const usual = profiles.find(({ isDefault }) => isDefault)
  if (origin.laboratories.length === 0)
    return isForKit && usual ? { ...origin, laboratories: [laboratoryOf(usual)] } : origin
  const laboratories = origin.laboratories.map((one) => {
    const name = plainName(one.name)
    const profile = profiles.find(({ name: own, names }) => [own, ...names].some((other) => plainName(other) === name))
    return profile ? { ...laboratoryOf(profile), ...one, name: profile.name } : one
  })
  return { ...origin, laboratories: distinctBy(laboratories, (one) => plainName(one.name)) }
}

function laboratoryOf({ name, address, clia, director, timeZone }: StoredProfile): Laboratory {
  return { name, address, ...(clia && { clia }), ...(director && { director }), ...(timeZone && { timeZone }) }
}

/** What is known after a further message: the newer word about the same laboratory or specimen counts. */
export function mergedOrigin(before: Origin | undefined, now: Origin): Origin {
  if (!before) return now
  const patientID = now.patientID ?? before.patientID
  const reportedDate = now.reportedDate ?? before.reportedDate
  return {
    laboratories: distinctBy([...now.laboratories, ...before.laboratories], ({ name }) => plainName(name)),
    specimens: distinctBy([...now.specimens, ...before.specimens], keyOf),
    ...(patientID !== undefined && { patientID }),
    ...(reportedDate !== undefined && { reportedDate }),
    notes: [...new Set([...now.notes, ...before.notes])],
  }
}

const keyOf = ({ id, source, collectedDate }: Specimen) => id ?? `${source ?? ''} ${collectedDate ?? ''}`

const instant = /T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

interface Dated {
  collectedDate?: string | undefined
  resultedDate?: string | undefined
  origin?: Origin | undefined
}

/** The days of a report, each with its time where the laboratory said one and its offset, and no other of that day. */
export function timesOf({ collectedDate, resultedDate, origin }: Dated) {
  const collected = withTime(collectedDate, origin?.specimens.map((one) => one.collectedDate) ?? [])
  return { collectedDate: collected, resultedDate: withTime(resultedDate, [origin?.reportedDate]) }
}

function withTime(day: string | undefined, said: readonly (string | undefined)[]): string | undefined {
  const [only, ...others] = new Set(said.filter((one) => day !== undefined && one?.startsWith(day)))
  return only !== undefined && others.length === 0 && instant.test(only) ? only : day
}

function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const item of items) if (!seen.has(key(item))) seen.set(key(item), item)
  return [...seen.values()]
}
