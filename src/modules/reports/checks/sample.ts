import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { type Interferent, interferents, interferentsIn } from '@kitlane/lab-reader/parse/interference'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import { changedBy } from '../judge/specimen.ts'
import type { BiomarkerEntry } from '../schema.ts'
import type { ReportCheck } from './schema.ts'
import { Values } from './values.ts'

export interface SampleFacts {
  entries: readonly BiomarkerEntry[]
  /** Codes of the laboratory, such as HEMOLYSIS. */
  labErrors: readonly string[]
  origin?: Origin | undefined
  /** Days or times, as far as they are known. */
  collected?: string | undefined
  received?: string | undefined
  resulted?: string | undefined
  /** Today, and when the person was born and the kit was made, each a day. */
  today?: string | undefined
  born?: string | undefined
  kitMade?: string | undefined
  /** Why the panel of its kit is not for the person as they are recorded now. */
  refusal?: string | undefined
}

type Finding = Omit<ReportCheck, 'kind' | 'holds'>

/** Every check of the sample: its state, its age, its dates. */
export const checkSample = (facts: SampleFacts): ReportCheck[] =>
  [
    ...interferents.flatMap((one) => interference(facts, one)),
    ...tooOld(facts),
    ...dates(facts),
    ...impossibleDays(facts),
    ...annulled(facts),
    ...notForPerson(facts),
  ].map((one) => ({
    kind: 'sample',
    // Transport that takes days is usual for kits that are posted.
    holds: one.code !== 'tooOld',
    ...one,
  }))

const named: Record<Interferent, { code: 'haemolysis' | 'lipaemia' | 'icterus'; name: string }> = {
  HEMOLYSIS: { code: 'haemolysis', name: 'hemolysis' },
  LIPEMIA: { code: 'lipaemia', name: 'fat in the sample' },
  ICTERUS: { code: 'icterus', name: 'bilirubin in the sample' },
}

/**
 * Burst red cells release potassium, so that also one in range may be low in truth; fat and bilirubin change what is measured by
 * light. Code and words count alike, beside a value or the specimen.
 */
function interference({ entries, labErrors, origin }: SampleFacts, interferent: Interferent): Finding[] {
  const values = new Values(entries)
  const ofAll = [...(origin?.specimens ?? []).map(({ condition }) => condition), ...(origin?.notes ?? [])]
  const beside = entries.flatMap(({ said }) => said?.comment ?? [])
  const words =
    ofAll.find((text) => text && interferentsIn(text).includes(interferent)) ??
    beside.find((text) => interferentsIn(text, { isBeside: true }).includes(interferent))
  const { caution, source = '' } = changedBy(interferent)
  const touched = caution.filter((id) => values.measured(id) !== undefined)
  if (!(words ?? labErrors.includes(interferent)) || touched.length === 0) return []
  const { code, name } = named[interferent]
  const quoted = words ? ` ("${words.slice(0, 200)}")` : ''
  const changed = touched.map((id) => `${values.label(id)} (${values.text(id)})`).join(', ')
  const message = `The laboratory mentions ${name}${quoted}, which may have changed ${changed}.`
  return [{ code, biomarkers: touched, message, source }]
}

const countOfCells = [
  ...['wbc', 'rbc', 'hematocrit', 'mcv', 'mch', 'mchc', 'rdw', 'platelets', 'mpv'],
  ...['neutrophils_abs', 'lymphocytes_abs', 'monocytes_abs', 'eosinophils_abs', 'basophils_abs'],
]
/** The longest that the study followed; only haemoglobin was still right then. */
const CELLS_HOURS = 72
const HOUR_MS = 3_600_000

const isDay = (time: string) => time.length === 10

/** Hours that have passed for certain: of two days, those between the end of the one and the beginning of the other. */
function hoursBetween(from: string, to: string): number {
  const hours = (Date.parse(to) - Date.parse(from)) / HOUR_MS
  return isDay(from) ? hours - 24 : hours
}

/**
 * Cells in a tube change: "The only parameter stable for 72 h at room temperature was Hb" (PMC5574499). Asked of blood
 * counts only, and where more than 72 hours lay between collection and arrival.
 */
function tooOld({ entries, collected, received }: SampleFacts): Finding[] {
  const counted = entries.filter(
    ({ id, result, type }) => type === 'measured' && result !== null && countOfCells.includes(id),
  )
  if (!collected || !received || counted.length === 0) return []
  const hours = hoursBetween(collected, received)
  if (!(hours > CELLS_HOURS)) return []
  return [
    {
      code: 'tooOld',
      biomarkers: counted.map(({ id }) => id),
      message: `More than ${CELLS_HOURS} hours lay between collection and arrival: cells in the tube change meanwhile, and the blood count with them.`,
      source: 'Complete blood count parameters up to 72 h after venepuncture, PubMed Central PMC5574499',
    },
  ]
}

interface Moment {
  time: string
  day: string
}

/** Times of one day compare where both have a zone, or neither has. */
function isAfter(one: Moment, other: Moment): boolean {
  if (one.day !== other.day) return one.day > other.day
  if (isDay(one.time) || isDay(other.time)) return false
  const hasZone = ({ time }: Moment) => /(?:Z|[+-]\d{2}:?\d{2})$/.test(time)
  return hasZone(one) === hasZone(other) && Date.parse(one.time) > Date.parse(other.time)
}

const shownTime = (one: Moment, other: Moment) =>
  one.day === other.day ? one.time.slice(0, 16).replace('T', ' at ') : one.day

/** A sample is collected before it is received, and received before it has results. */
function dates({ collected, received, resulted, origin }: SampleFacts): Finding[] {
  const timeOf = (day: string | undefined, times: readonly (string | undefined)[]) =>
    times.find((one) => day !== undefined && one?.startsWith(day.slice(0, 10))) ?? day
  const taken = (origin?.specimens ?? []).map(({ collectedDate }) => collectedDate)
  const order = [
    ['collected', timeOf(collected, taken)],
    ['received by the laboratory', received],
    ['resulted', timeOf(resulted, [origin?.reportedDate])],
  ] as const
  const known = order.flatMap(([name, time]) => (time ? [{ name, time, day: time.slice(0, 10) }] : []))
  const wrong = known.flatMap((later, index) =>
    known.slice(0, index).flatMap((earlier) => (isAfter(earlier, later) ? [{ earlier, later }] : [])),
  )
  return wrong.map(({ earlier, later }) => ({
    code: 'dates',
    biomarkers: [],
    message: `The sample is said to be ${later.name} on ${shownTime(later, earlier)}, before it was ${earlier.name} on ${shownTime(earlier, later)}.`,
    source: 'By the order of the steps',
  }))
}

const DAY_MS = 24 * HOUR_MS
/** A kit may be made days before it is recorded here, never years. */
const KIT_AHEAD_DAYS = 366

/** A sample is not collected in the future, before the person's birth, or long before its kit was made. */
function impossibleDays({ collected, resulted, today, born, kitMade }: SampleFacts): Finding[] {
  const found = [
    ['collected', collected],
    ['resulted', resulted],
  ].flatMap(([name, time]) => {
    const day = time?.slice(0, 10)
    if (!day) return []
    // The latest zone is 14 hours ahead.
    if (today && day > dayAfter(today, 1))
      return [`The sample is said to be ${name} on ${day}, which is still to come.`]
    if (name !== 'collected') return []
    if (born && day < born) return [`The sample is said to be collected on ${day}, before the person was born.`]
    if (kitMade && dayAfter(day, KIT_AHEAD_DAYS) < kitMade)
      return [`The sample is said to be collected on ${day}, years before its kit was made (${kitMade}).`]
    return []
  })
  return found.map((message) => ({ code: 'dates', biomarkers: [], message, source: 'By the calendar' }))
}

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day.slice(0, 10)) + days * DAY_MS).toISOString().slice(0, 10)

/** A note on the whole sample says that its results may not be used. */
function annulled({ origin }: SampleFacts): Finding[] {
  const words = [...(origin?.notes ?? []), ...(origin?.specimens ?? []).map(({ condition = '' }) => condition)]
  const note = words.find(annuls)
  if (note === undefined) return []
  return [
    {
      code: 'annulled',
      biomarkers: [],
      message: `The laboratory's note says that results of this sample may not be used: "${note.slice(0, 200)}".`,
      source: 'The words of the laboratory',
    },
  ]
}

function notForPerson({ refusal }: SampleFacts): Finding[] {
  if (!refusal) return []
  const message = `The panel is not for the person as they are recorded now. ${refusal.replace(/\.$/, '')}. Decide whether they may have this report.`
  return [{ code: 'notForPerson', biomarkers: [], message, source: 'By whom the panel is for' }]
}
